r"""Columns of tables: detecting which hold the source, the target and the score.

Columns named by the user win. Otherwise a header decides, by the first of these that fits:

| names | examples |
| --- | --- |
| sides | `src tgt`, `source target`, `text1 text2` |
| sides in other words, with a language or not | `Source Text`, `Target (de-DE)`, `Translation` |
| two languages, by code or name | `en de`, `English Deutsch`, `text_en text_fr` |
| a side, and one other column of text | `key string translation`, `src mt score` |

Two columns of the same rank for one side (`src mt ref`) are refused, as are other doubtful headers.
Without a header the cells decide: a column of numbers only, of addresses, of language codes, of
word links (`0-0 1-1`), of keys (`menu.open`) or of categories (`train`) holds no text, and the
texts are the first two of the others. Any layout but the plain one (source and target first) is
noted, and if there are no two columns of text the error asks for names, as for lists with one
text a row and tables with one row per language. Two columns of language codes that do not change
are the languages of the texts. The first row of a memory of Wordfast (`%...`) has its languages.

Columns are named in one syntax, `src=2,tgt=3,score=1`: by their numbers from 1, or by their names
in the header (in JSON lines and Parquet: the keys). Names without numbers stand for the columns in
order: `score,src,tgt` is the same. Any other name is that of an attribute, except for three:
`sheet=NAME` names the sheet of a workbook, `sep=comma`, `semicolon`, `tab` or `bar` the separator
of CSV, and `escape=backslash` or `none` says whether CSV or TSV has escapes (`\"`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bitext.errors import OptionError, did_you_mean, many, remedy
from bitext.formats.header_names import (
    DECIMAL,
    HARDLY_LANGUAGES,
    LONGEST_NAME,
    NUMBER,
    SRC_NAMES,
    TGT_NAMES,
    URL,
    Head,
    are_categories,
    are_identifiers,
    are_keys,
    are_numbered_names,
    are_string_keys,
    have_languages,
    head_of,
    heads_of,
    is_identifier,
    kind_of,
    language_columns,
    may_be_scores,
    may_be_words,
    names_in,
    texts_by_language,
    texts_by_sides,
    without_comment,
)
from bitext.formats.languages import EVERY, NO_CODES, finds, two_languages, wrong_languages
from bitext.formats.scores import MISSING
from bitext.lazy import late_pattern
from bitext.model.languages import language_of

ROLES = ("src", "tgt", "score")
ESCAPES = ("backslash", "none")
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
SAMPLE = 1000  # lines whose cells are examined; set by hand: enough to see each kind of cell
# Names in the header of a column of numbers.
_OF_NUMBERS = late_pattern(
    r"(?:.*[_ -])?(?:id|ids|no|nr|num|number|index|idx|line|row|score|prob|similarity|distance|"
    r"bicleaner|laser|labse|margin|cosine|year)(?:[_ -].*)?"
)


class UnclearColumnsError(Exception):
    """The columns of the texts cannot be determined; the message lists the columns."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The user's description of the columns of a table."""

    # Roles (`src`, `tgt`, `score`, or the name of an attribute), each with the number of its column
    # from 1 or its name in the header. Empty: header and cells decide.
    named: tuple[tuple[str, str], ...] = ()
    head: bool | None = None  # whether the first line is a header; `None`: detected from its cells
    sheet: str = ""  # the name of the sheet of a workbook; empty: the one with a table
    # The character that separates the columns of CSV; empty: detected from the lines.
    separator: str = ""
    # `backslash` or `none`: whether CSV or TSV has escapes; empty: detected, and none in TSV.
    escape: str = ""

    @classmethod
    def of(
        cls, given: str | Mapping[str, int | str] | Columns | None, head: bool | None = None
    ) -> Columns:
        """Parse the user's description: `src=2,tgt=3`, `score,src,tgt`, or a mapping.

        Raises `OptionError` when it names no source or no target, or one of them twice.

        Examples
        --------
        >>> Columns.of("src=2,tgt=English").named
        (('src', '2'), ('tgt', 'English'))
        >>> Columns.of("sep=semicolon").separator
        ';'
        >>> Columns.of("score,src,tgt") == Columns.of({"score": 1, "src": 2, "tgt": 3})
        True

        """
        if isinstance(given, Columns):
            return given
        if head is not None and not isinstance(head, bool):
            raise OptionError(f"{remedy('head')} is {head!r}: want True, False or None")
        if given is None:
            return cls((), head)
        if isinstance(given, Mapping):
            pairs = [(str(name), str(column)) for name, column in given.items()]
            shown = ",".join(f"{name}={column}" for name, column in pairs)
        elif not isinstance(given, str):
            raise OptionError(
                f"{remedy('columns')} is {given!r:.60}: want a string, as 'src=2,tgt=3', or a "
                f"mapping, as {{'src': 2, 'tgt': 3}}"
            )
        else:
            shown = given
            pairs = []
            for k, item in enumerate(given.split(","), start=1):
                name, equals, column = (part.strip() for part in item.partition("="))
                pairs.append((name, column if equals else str(k)))
        by_name = dict(pairs)
        sheet, separator = by_name.get("sheet", ""), SEPARATORS.get(by_name.get("sep", ""), "")
        escape = {each: each for each in ESCAPES}.get(by_name.get("escape", ""), "")
        if sheet or separator or escape:
            special = {"sheet", *["sep"] * bool(separator), *["escape"] * bool(escape)}
            pairs = [(name, column) for name, column in pairs if name not in special]
            if not pairs:
                return cls((), head, sheet, separator, escape)
        if flaw := _flaw_of(pairs):
            raise OptionError(
                f"{remedy('columns')} {shown!r} {flaw}; want as src=2,tgt=3 (numbers from 1, or "
                f"names in the header), or all names in order, as score,src,tgt"
            )
        return cls(tuple(pairs), head, sheet, separator, escape)

    def __bool__(self) -> bool:
        given = self.named or self.sheet or self.separator or self.escape
        return bool(given) or self.head is not None


def _flaw_of(pairs: list[tuple[str, str]]) -> str:
    """Return the fault of the names and columns that the user gave; empty without one."""
    names = [name for name, _ in pairs]
    for key, noun, known, joint in (
        ("sep", "separator", SEPARATORS, ", "),
        ("escape", "kind of escapes", ESCAPES, " and "),
    ):
        given = dict(pairs).get(key, "")
        if given and not given.isdecimal() and {"src", "tgt"}.isdisjoint(names):
            near = did_you_mean(given, known)
            return f"names no {noun} ({near}they are {joint.join(known)})"
    if not all(name and column for name, column in pairs):
        return "has an empty name"
    if len(set(names)) < len(names):
        return "names a column twice"
    if not {"src", "tgt"} <= set(names):
        return "names no " + " and no ".join(s for s in ("src", "tgt") if s not in names)
    if len({column for _, column in pairs}) < len(pairs):
        return "gives one column two names"
    if any(column == "0" for _, column in pairs):
        return "has the column 0, and they are counted from 1"
    return ""


class Layout(NamedTuple):
    """The columns of a table, and the indices of the texts and the score."""

    names: list[str]  # the names of all columns, as attributes
    # `src`, `tgt`: the columns of the texts, from 0.
    src: int
    tgt: int
    score: int | None  # the column of the score, from 0, if there is one
    header: bool  # whether the first line names the columns
    sure: bool = False  # whether the score is named, by a header or the user
    langs: tuple[str, str] = ("", "")  # the languages of the texts, where a header has them
    note: str = ""  # the note on the layout, if another one is possible; empty otherwise
    # Whether the header is that of a table that bitext wrote: `src tgt`, or `src:en tgt:de`.
    exact: bool = False
    # `states`, `ids`: the columns that a header names as states of translation and as identifiers,
    # from 0.
    states: int | None = None
    ids: int | None = None
    # The column of numbers that a header names as a score in other words, such as `similarity`.
    likely_score: int | None = None
    # The columns with the language of each row's texts, from 0.
    lang_columns: tuple[int | None, int | None] = (None, None)
    is_wordfast: bool = False  # whether it is a memory of Wordfast, whose texts have escapes

    def described(self) -> str:
        """Describe the columns of the texts, the score, states and identifiers for a note."""
        parts = [
            f"{role} {k + 1}" + (f" ({self.names[k][:40]!r})" if self.header else "")
            for role, k in (
                ("source", self.src),
                ("target", self.tgt),
                ("score", self.score),
                ("states", self.states),
                ("ids", self.ids),
            )
            if k is not None
        ]
        return f"{', '.join(parts)}, of {len(self.names)}"

    @property
    def rest(self) -> dict[int, str]:
        """The columns of attributes."""
        texts = {self.src, self.tgt, self.score}
        return {k: name for k, name in enumerate(self.names) if k not in texts}


def lay_out(
    rows: Sequence[Sequence[str]],
    columns: Columns = Columns(),
    requested: tuple[str, str] = ("", ""),
) -> Layout:
    """Determine the layout from the user's description, a header, or the cells of the first rows.

    `rows` are the cells of the first lines; all rows are as long as the first. `columns` is the
    description. `requested` are the languages to choose in a header with languages; empty for none.

    Raises `UnclearColumnsError` when the columns of the texts cannot be determined.
    """
    first = without_comment([cell.strip() for cell in rows[0]])
    if columns.head is None and not columns.named and _is_wordfast(first):
        return _wordfast_layout(first)
    header = _is_header(first, rows[1:]) if columns.head is None else columns.head
    if columns.named:
        return _named_layout(rows, columns, header=header)
    if not header:
        if columns.head is None:
            _refuse_one_text(first, rows[1:])
        names = [f"col{k}" for k in range(1, len(first) + 1)]
        return _with_language_columns(_by_cells(names, rows, header=False), rows)
    names = _distinct(first)
    heads = _heads_over(first, rows[1:])
    sides = _by_sides(first, heads, rows[1:], requested)
    score, states, ids = _by_meaning(heads, first, rows[1:])
    layout: Layout | None = None
    if sides is not None:
        ranks = {heads[k].rank for k in sides}
        names, sides, langs = _among_languages(names, sides, heads, requested)
        layout = Layout(names, *sides, score, header=True, sure=True, langs=langs)
        if ranks == {0}:  # names of attributes are as they were written
            named = score if score is not None and first[score].lower() == "score" else None
            layout = layout._replace(score=named, exact=True, likely_score=score)
            return _with_language_columns(layout, rows, heads)
        noted = ranks != {1}
    elif chosen := _by_languages(first, rows[1:], requested):
        one, other, langs = chosen
        layout = Layout(names, one, other, score, header=True, sure=True, langs=langs)
        noted = True
    if layout is None:
        none = [k for k, head in enumerate(heads) if head.role in {"id", "state", "other"}]
        layout = _by_cells(names, rows[1:], header=True, other=none)
        if score is not None and score not in {layout.src, layout.tgt}:
            layout = layout._replace(score=score, sure=True)
        noted = False
    texts = {layout.src, layout.tgt}
    layout = layout._replace(
        states=None if states in texts else states, ids=None if ids in texts else ids
    )
    layout = _with_languages(layout, rows)
    if noted:
        layout = layout._replace(note=layout.described())
    return _with_language_columns(layout, rows, heads)


def _is_wordfast(first: Sequence[str]) -> bool:
    """Recognise the first row of a translation memory of Wordfast (a table with tabs)."""
    return first[0].startswith("%") and any(cell.startswith("%Wordfast TM") for cell in first)


def _wordfast_layout(first: Sequence[str]) -> Layout:
    """Return the layout of a memory of Wordfast; its first row has the two languages."""
    # Older memories number the variants of a language (`%EN-01`).
    codes = [re.sub(r"-\d\d$", "", cell.lstrip("%")) for cell in first]
    langs = [k for k in range(1, len(first) - 1) if language_of(codes[k])]
    if len(langs) != 2:
        raise UnclearColumnsError("is a memory of Wordfast without two languages in its first row")
    names = ["date", "user", "uses", "src_lang", "src", "tgt_lang", "tgt"]
    # Up to four attributes come after the texts, for which the first row may have no columns.
    names += [f"col{k}" for k in range(len(names) + 1, max(len(first), 11) + 1)]
    one, other = (codes[k] for k in langs)
    src, tgt = (k + 1 for k in langs)
    layout = Layout(names, src, tgt, None, header=True, langs=(one, other))
    lang_columns = (src - 1, tgt - 1)
    return layout._replace(note=layout.described(), lang_columns=lang_columns, is_wordfast=True)


def _kind(k: int, rows: Sequence[Sequence[str]]) -> str:
    return kind_of([row[k] for row in rows])


def _has_words(k: int, rows: Sequence[Sequence[str]]) -> bool:
    """Check for texts, not only identifiers, in a column."""
    names = (name for row in rows for name in names_in(row[k]))
    return _kind(k, rows) == "texts" and not all(map(is_identifier, names))


def _several(side: str, names: Sequence[str]) -> str:
    shown = " and ".join(repr(name[:40]) for name in names[:3])
    which = "source" if side == "src" else "target"
    return f"has {many(len(names), 'column')} that may be the {which}, {shown}"


def _by_sides(
    first: Sequence[str],
    heads: Sequence[Head],
    others: Sequence[Sequence[str]],
    requested: tuple[str, str],
) -> tuple[int, int] | None:
    """Choose the columns of both sides by their names in a header; `None` if one has no name.

    Of several columns for a side that name their languages, `requested` chooses one.

    Raises `UnclearColumnsError` when several columns may be the same side.
    """
    chosen: dict[str, int] = {}
    sides = {
        side: {k: head.rank for k, head in enumerate(heads) if head.role == side}
        for side in ("src", "tgt")
    }
    # Numbers of sentences beside texts, as `align` prints them: `src tgt source_text target_text`.
    # A column `tgt:de` of bitext is the side also where nothing is translated.
    texts_of = [
        [
            k
            for k in named
            if _has_words(k, others)
            or (heads[k].rank == 0 and heads[k].lang and _kind(k, others) == "nothing")
        ]
        for named in sides.values()
    ]
    if all(texts_of):
        sides = {
            side: {k: sides[side][k] for k in those}
            for side, those in zip(sides, texts_of, strict=True)
        }
    # The names that bitext writes come first only as a pair.
    least = 0 if all(0 in named.values() for named in sides.values()) else 1
    for (side, ranks), wanted in zip(sides.items(), requested, strict=True):
        named = {k: max(rank, least) for k, rank in ranks.items()}
        best = [k for k, rank in named.items() if rank == min(named.values())]
        if len(best) > 1:
            best = [k for k in best if _kind(k, others) in {"texts", "nothing"}] or best
            best = [k for k in best if wanted and finds(wanted, heads[k].lang)] or best
        if len(best) > 1:
            codes = {heads[k].lang for k in best}
            way = f" ({remedy(f'{side}-lang')} chooses)" if len(codes) > 1 and all(codes) else ""
            raise UnclearColumnsError(_several(side, [first[k] for k in best]) + way)
        if best:
            chosen[side] = best[0]
    if len(chosen) == 2:
        return chosen["src"], chosen["tgt"]
    if not chosen:
        return None
    (side, there), *_ = chosen.items()
    langs = [k for k, head in enumerate(heads) if head.lang and not head.role]
    langs = [k for k in langs if first[k].lower() not in HARDLY_LANGUAGES]
    texts = [k for k in range(len(heads)) if not heads[k].role or heads[k].role == "text"]
    texts = [k for k in texts if _kind(k, others) in {"texts", "nothing"}]
    for those in (langs, texts):
        if len(those) == 1:
            return (there, those[0]) if side == "src" else (those[0], there)
    if len(langs) > 1:
        return None
    missing = "target" if side == "src" else "source"
    has = ", ".join(repr(name[:40]) for name in first)[:120]
    raise UnclearColumnsError(
        f"has the header {has}, in which {first[there][:40]!r} is one side and the {missing} "
        f"is not clear"
    )


def _among_languages(
    names: list[str], sides: tuple[int, int], heads: Sequence[Head], requested: tuple[str, str]
) -> tuple[list[str], tuple[int, int], tuple[str, str]]:
    """Choose the columns of both sides also among those of further languages (`lang:de`).

    Raises `UnclearColumnsError` when the header names other languages, or may name one by a column
    that is not a side.

    Return the names of all columns (a side that is not chosen is one of further languages), the
    columns of both sides, and their languages.
    """
    langs = (heads[sides[0]].lang, heads[sides[1]].lang)
    further = {
        name.removeprefix("lang:"): k
        for k, name in enumerate(names)
        if name.startswith("lang:") and "#" not in name and k not in sides
    }
    if requested == EVERY:
        return names, sides, langs
    if not further or not any(requested) or not all(langs):
        for wanted, lang in zip(requested, langs, strict=True):
            code = next((code for code in further if wanted and finds(wanted, code)), "")
            if code and not lang:
                raise UnclearColumnsError(
                    f"has texts in {wanted!r} in the column 'lang:{code}', and its header does not "
                    f"name the languages of the other texts"
                )
        sides = _sides_by_language(sides, heads, requested)
        return names, sides, (heads[sides[0]].lang, heads[sides[1]].lang)
    columns = dict(zip(langs, sides, strict=True)) | further
    chosen = two_languages(list(columns), requested)
    if chosen is None:
        raise UnclearColumnsError(wrong_languages(list(columns), requested))
    new = list(names)
    for code, k in zip(langs, sides, strict=True):
        if code not in chosen:
            new[k] = f"lang:{code}"
    return new, (columns[chosen[0]], columns[chosen[1]]), chosen


def _sides_by_language(
    sides: tuple[int, int], heads: Sequence[Head], requested: tuple[str, str]
) -> tuple[int, int]:
    """Return the columns of both sides, exchanged if the requested languages are.

    Raises `UnclearColumnsError` when the header names other languages.
    """
    langs = [heads[k].lang for k in sides]
    if all(langs) and any(requested):
        chosen = two_languages(langs, requested)
        if chosen is None:
            raise UnclearColumnsError(wrong_languages(langs, requested))
        return sides if chosen == (langs[0], langs[1]) else sides[::-1]
    for wanted, lang in zip(requested, langs, strict=True):
        if wanted and lang and not finds(wanted, lang):
            raise UnclearColumnsError(wrong_languages(list(filter(None, langs)), requested))
    return sides


def _by_meaning(
    heads: Sequence[Head], first: Sequence[str], others: Sequence[Sequence[str]]
) -> tuple[int | None, int | None, int | None]:
    """Return the columns of the score, of states and of identifiers, each where there is one."""
    found: list[int | None] = []
    for role, exact in (("score", "score"), ("state", "state"), ("id", "id")):
        those = [k for k, head in enumerate(heads) if head.role == role]
        named = [k for k in range(len(first)) if first[k].lower() == exact]
        if role == "score" and not named:
            those = [k for k in those if _kind(k, others) == "numbers"]
        those = named or those
        found.append(those[0] if len(those) == 1 else None)
    return found[0], found[1], found[2]


def _named_layout(rows: Sequence[Sequence[str]], columns: Columns, *, header: bool) -> Layout:
    """Return the layout of the columns that the user named."""
    first = [cell.strip() for cell in rows[0]]
    indices: dict[str, int] = {}
    for name, column in columns.named:
        if column.isascii() and column.isdecimal():
            k = int(column[:9]) - 1
            if k >= len(first):
                raise UnclearColumnsError(
                    f"has {many(len(first), 'column')}, and {name}={column} is asked for"
                )
        else:
            header = columns.head is not False
            matches = [k for k, cell in enumerate(first) if cell.lower() == column.lower()]
            if len(matches) != 1 or not header:
                has = ", ".join(map(repr, first))[:120]
                raise UnclearColumnsError(
                    f"has {'two columns' if len(matches) > 1 else 'no column'} {column!r} "
                    f"({name}={column}); {did_you_mean(column, first)}its first line is {has}"
                )
            k = matches[0]
        if k in indices.values():
            raise UnclearColumnsError(f"has one column for two names ({name}={column})")
        indices[name] = k
    given = _distinct(first) if header else [f"col{k}" for k in range(1, len(first) + 1)]
    own = {k: name for name, k in indices.items() if name not in ROLES}
    names = [own.get(k, name if name not in own.values() else f"{name}_")
             for k, name in enumerate(given)]  # fmt: skip
    score = indices.get("score")
    if score is None and header:
        lowered = [cell.lower() for cell in first]
        score = lowered.index("score") if "score" in lowered else None
        score = None if score in indices.values() else score
    langs = ("", "")
    if header:
        langs = (head_of(first[indices["src"]]).lang, head_of(first[indices["tgt"]]).lang)
    layout = Layout(
        names, indices["src"], indices["tgt"], score, header, sure=score is not None, langs=langs
    )
    return _with_languages(layout, rows, own) if header else layout


def _with_languages(
    layout: Layout, rows: Sequence[Sequence[str]], named: Collection[int] = ()
) -> Layout:
    """Name columns `lang:CODE` that a header names by further languages, beside the two texts.

    Columns that the user `named` keep their names.
    """
    if not all(layout.langs):
        return layout
    names = list(layout.names)
    first = [cell.strip() for cell in rows[0]]
    for k, code in _languages(first, rows[1:]).items():
        if k not in layout.rest or k in named or f"lang:{code}" in names:
            continue
        if first[k].lower() not in HARDLY_LANGUAGES or _are_sentences(k, rows[1:]):
            names[k] = f"lang:{code}"
    ids = None if layout.ids is not None and names[layout.ids] == "lang:id" else layout.ids
    return layout._replace(names=names, ids=ids)


def _with_language_columns(
    layout: Layout, rows: Sequence[Sequence[str]], heads: Sequence[Head] = ()
) -> Layout:
    """Take the languages of the texts from two columns that have them, row by row.

    Without a header these are the only two columns of codes.
    """
    cells = list(zip(*rows[layout.header :], strict=True))
    columns: list[int | None] = [None, None]
    if heads:
        columns = list(language_columns(rows[0]))
    elif not layout.header:
        those = [k for k, column in enumerate(cells) if kind_of(column) == "languages"]
        columns = [*those] if len(those) == 2 else columns
    langs = list(layout.langs)
    for side, k in enumerate(columns):
        if k is None or k in {layout.src, layout.tgt} or not cells:
            columns[side] = None
            continue
        codes = {cell.strip(): None for cell in cells[k]}
        first_code = next((c for c in codes if c and c not in NO_CODES), "")
        if not language_of(first_code):
            columns[side] = None
        elif not langs[side] and [*codes] == [first_code]:
            langs[side] = language_of(first_code)
    if langs[0] and langs[0] == langs[1]:
        return layout
    return layout._replace(langs=(langs[0], langs[1]), lang_columns=(columns[0], columns[1]))


def _heads_over(first: Sequence[str], others: Sequence[Sequence[str]]) -> list[Head]:
    """Return the meanings of names in a header; a cell that all rows repeat names nothing."""
    heads = heads_of(first)
    if not any(head.role in {"src", "tgt"} for head in heads):
        kinds = [_kind(k, others) for k in range(len(first))]
        named = {k: h for k, h in texts_by_language(first).items() if kinds[k] == "texts"}
        if len(first) == 2 and kinds == ["texts", "texts"] and not any(h.lang for h in heads):
            named = named or texts_by_sides(first)  # `src_line tgt_line` alone
        heads = [named.get(k, head) for k, head in enumerate(heads)]
    elif by_sides := [k for k, head in texts_by_sides(first).items() if heads[k] == head]:
        texts = {k for k in range(len(first)) if _kind(k, others) == "texts"}
        for k in by_sides if texts.difference(by_sides) else ():  # `src_start tgt_start`
            heads[k] = heads[k] if k in texts else Head()
    for k, head in enumerate(heads if others else []):
        if head.role and all(row[k].strip() == first[k] for row in others):
            heads[k] = Head()
    return heads


def _are_labels(first: Sequence[str]) -> bool:
    """Recognise a row of column numbers, the header of a data frame without names."""
    labels = first[1:] if not first[0] else first
    return len(labels) > 1 and list(labels) == [str(k) for k in range(len(labels))]


def _refuse_one_text(first: list[str], others: Sequence[Sequence[str]]) -> None:
    """Refuse a table whose header names one column of texts and columns of other values."""
    roles = [head.role for head in _heads_over(first, others)]
    kinds = [
        "languages" if have_languages(cells, header=True, other=True) else kind_of(cells)
        for cells in zip(*others, strict=True)
    ]
    if roles.count("text") == 1 and set(roles) <= {"text", "id", "score", "other"}:
        if "languages" in kinds or not others:  # which have an error of their own
            return
        name = first[roles.index("text")]
        raise UnclearColumnsError(
            f"has the columns {', '.join(first)}, of which {name!r} alone holds texts: it is not "
            f"clear which are the source and the target text"
        )


def _is_header(first: list[str], others: Sequence[Sequence[str]]) -> bool:
    """Recognise a header: a first line that names texts, languages, or a column of numbers."""
    if _are_labels(first) and (not first[0] or len(others) > 1):
        return True
    lowered = [name.lower() for name in first]
    heads = _heads_over(first, others)
    ranks = {side: [h.rank for h in heads if h.role == side] for side in ("src", "tgt", "text")}
    sources, targets = ranks["src"] + ranks["text"], ranks["tgt"]
    if sources and targets and min(sources + targets) < 3:
        return True
    given = [name for name in lowered if name]
    if targets == [3] * len(given) and len(given) > 1:  # `mt ref`, which lacks the source
        return True
    langs_named = set(map(language_of, given))
    if len(given) > 2 and len(langs_named) > 1 and "" not in langs_named:
        return True
    if any(
        len(name) > LONGEST_NAME or NUMBER.fullmatch(name) or URL.fullmatch(name) for name in given
    ):
        return False
    langs = _languages(first, others)
    if len(set(given)) < len(given):  # as two columns of notes beside the languages
        unique = all(lowered.count(lowered[k]) == 1 for k in langs)
        return unique and len(set(langs.values())) > 1
    if len(set(langs.values())) > 1 or any(langs[k] == first[k] for k in list(langs)[1:]):
        return True
    if len(given) < len(first):
        # Data frames have no name over the numbers of their rows.
        rows = [row[0].strip() for row in others]
        numbered = len(rows) > 1 and all(map(str.isdecimal, rows)) and len({*rows}) == len(rows)
        return not first[0] and numbered and len(given) == len(first) - 1
    named = [head for head in heads if head.role in {"id", "score", "state", "other"}]
    if ranks["src"] + ranks["tgt"] and (named or langs):
        return True
    return any(
        (_OF_NUMBERS.fullmatch(name) and _kind(k, others) == "numbers")
        or (heads[k].role == "id" and are_keys([row[k] for row in others]))
        for k, name in enumerate(lowered)
    )


def _languages(
    first: Sequence[str],
    others: Sequence[Sequence[str]] = (),
    requested: tuple[str, str] = ("", ""),
) -> dict[int, str]:
    """Return the language codes of the columns that a header names by languages.

    Names that are codes by accident (`id`, `no`) do not count where the other lines have numbers
    or codes in the column, nor do `id`, `no` and `nr` beside two others, unless their cells are
    sentences, or the user asks for the language.
    """
    heads = enumerate(heads_of(first))
    codes = {k: head.lang for k, head in heads if head.lang and not head.role}
    for k in list(codes):
        repeated = any(row[k] == first[k] for row in others)
        if repeated or _kind(k, others) in {"numbers", "languages"}:
            del codes[k]
    for k in [k for k in codes if first[k].lower() in HARDLY_LANGUAGES]:
        if len(codes) > 2 and first[k] not in requested and not _are_sentences(k, others):
            del codes[k]
    return codes


def _are_sentences(k: int, rows: Sequence[Sequence[str]]) -> bool:
    """Test the cells of a column for several words without digits in most of them."""
    filled = [row[k] for row in rows if row[k].strip() and row[k] not in MISSING]
    sentences = (" " in cell.strip() and not any(map(str.isdigit, cell)) for cell in filled)
    return 2 * sum(sentences) > len(filled)


def _by_languages(
    first: Sequence[str], others: Sequence[Sequence[str]], requested: tuple[str, str]
) -> tuple[int, int, tuple[str, str]] | None:
    """Choose two columns of a header by their languages; `None` if fewer than two have one."""
    langs = _languages(first, others, requested)
    if len(langs) < 2:
        return None
    codes = list(langs.values())
    chosen = two_languages(codes, requested) if len(set(codes)) == len(codes) else None
    if chosen is None:
        raise UnclearColumnsError(wrong_languages([first[k] for k in langs], requested))
    one, other = (next(k for k in langs if langs[k] == code) for code in chosen)
    return one, other, chosen


def _by_cells(
    names: list[str], rows: Sequence[Sequence[str]], *, header: bool, other: Collection[int] = ()
) -> Layout:
    """Choose the first two columns that hold texts, and a column of numbers as the score.

    The columns `other` are named as something else in the header, and hold the texts only where
    no other columns do.
    """
    cells = list(zip(*rows, strict=True)) or [() for _ in names]
    kinds = [
        "languages" if have_languages(column, header=header, other=k in other) else kind_of(column)
        for k, column in enumerate(cells)
    ]
    _refuse_other_orders(cells, kinds, header=header)
    # What remains of the columns of strings: keys and categories hold texts only where fewer than
    # two others do.
    texts = [k for k, kind in enumerate(kinds) if kind in {"texts", "nothing"}]
    several = len(texts) > 2 and "nothing" not in kinds
    keys = [k for k in texts if k in other or are_keys(cells[k]) or are_categories(cells[k])]
    if len([k for k in texts if k not in keys and kinds[k] == "texts"]) > 1:
        texts = [k for k in texts if k not in keys]
    full = [k for k in texts if kinds[k] == "texts"]
    if len(texts) < 2 or (len(full) > 1 and texts[:2] != full[:2]):
        shown = ", ".join(f"{k} ({kind})" for k, kind in enumerate(kinds, start=1))
        way = remedy("from id-pairs", python="format='id-pairs'")
        numbers = "numbers" in kinds and {*kinds} <= {"numbers", "nothing"}
        pairs = f"; for positions, as TSV or CSV, {way}" if numbers else ""
        raise UnclearColumnsError(
            f"has the columns {shown}: which are the source and the target text is not clear{pairs}"
        )
    src, tgt = texts[:2]
    _refuse_keys(cells, kinds, (src, tgt))
    # Words over two columns of numbers, or the only other one, are a header, not recognised.
    if not header and len(rows) > 1:
        below = [kind_of(column[1:]) for column in cells]
        two = len(names) == 2 < len(rows) and "numbers" in below
        if below[src] == below[tgt] == "numbers" or two:
            shown = ", ".join(f"{k} ({kind})" for k, kind in enumerate(below, start=1))
            raise UnclearColumnsError(
                f"has below its first row the columns {shown}: it is not clear which are the "
                "source and the target text"
            )
    if not header and kinds[:2] == ["addresses", "addresses"]:
        names = ["url1", "url2", *names[2:]]
    # The score follows the texts, as in the formats of TSV; else it is the only column of decimal
    # numbers before them, as in the files of LASER.
    score = tgt + 1 if tgt + 1 < len(names) else None
    if score is None or not may_be_scores(cells[score]):
        before = [k for k in range(src) if kinds[k] == "numbers"]
        if len(before) == 1 and any(map(DECIMAL.fullmatch, cells[before[0]])):
            score = before[0]
        elif score is not None:
            score = None
    plain = (src, tgt) == (0, 1) or kinds[:tgt] == ["addresses", "addresses", "texts"]
    note = ""
    if header or not plain or several:
        shown = f", score {score + 1}" if score is not None and kinds[score] == "numbers" else ""
        note = f"source {src + 1}, target {tgt + 1}{shown}, of {len(names)}"
    return Layout(names, src, tgt, score, header, note=note)


def _refuse_keys(
    cells: Sequence[Sequence[str]], kinds: Sequence[str], sides: tuple[int, int]
) -> None:
    """Refuse keys and identifiers in place of the texts of a side, as text in one language has."""
    named = [k for k in sides if are_string_keys(cells[k])]
    kind, what = ("keys", "strings by keys") if len(named) == 1 else ("identifiers", "sentences")
    those = named if kind == "keys" else [k for k in sides if are_numbered_names(cells[k])]
    # Identifiers on both sides are an alignment, which another format reads. Single words on the
    # other side may be those of a made text, as `s1` is then.
    paired = len(those) == 2 and all(are_identifiers(cells[k]) for k in those)
    single = not any(" " in cell.strip() for k in sides for cell in cells[k])
    words = kind != "keys" and single and all(may_be_words(cells[k]) for k in those)
    if those and not (paired or words):
        names = (kind if k in those else other for k, other in enumerate(kinds))
        shown = ", ".join(f"{k} ({name})" for k, name in enumerate(names, start=1))
        every = (name for k in sides for cell in cells[k] for name in names_in(cell))
        way = remedy("from id-pairs", python="format='id-pairs'")
        pairs = f"; for identifiers, as TSV or CSV, {way}" if all(map(is_identifier, every)) else ""
        raise UnclearColumnsError(
            f"has the columns {shown}, as {what} in one language have them: it is not clear which "
            f"are the source and the target text{pairs}"
        )


def _refuse_other_orders(
    cells: Sequence[Sequence[str]], kinds: Sequence[str], *, header: bool
) -> None:
    """Refuse tables with one row per language, and with one row per text.

    Raises `UnclearColumnsError` when a table is of that kind.
    """
    first = [cell.strip() for cell in cells[0]]
    first = first[1:] if len(first) > 2 and head_of(first[0]).role == "other" else first
    if (
        not header
        and 1 < len(first) < len(cells)
        and len(set(first)) == len(first)
        and all(map(language_of, first))
    ):
        raise UnclearColumnsError(
            f"has a row for each language ({', '.join(map(repr, first[:3]))}), not a column: "
            f"exchange rows and columns"
        )
    codes = [k for k, kind in enumerate(kinds) if kind == "languages"]
    if len(codes) == 1 and (not header or len({cell.strip() for cell in cells[codes[0]]}) > 1):
        raise UnclearColumnsError(
            f"has one column of languages ({codes[0] + 1}), as a list with one text a row: the "
            f"texts of a pair have to be in one row"
        )


def _distinct(names: list[str]) -> list[str]:
    """Return the names with missing and repeated ones replaced by numbered ones."""
    out: dict[str, None] = {}
    for k, name in enumerate(names, start=1):
        new = name if name and name not in out else f"col{k}"
        while new in out:
            new += "_"
        out[new] = None
    return [*out]


def key_roles(keys: Collection[str], columns: Columns) -> dict[str, str]:
    """Map the keys of the texts and the score, in objects or a schema, to their roles.

    The mapping is empty where neither the user nor the keys themselves name both texts.

    Raises `UnclearColumnsError` when a key that the user named is missing.
    """
    if columns.named:
        for name, key in columns.named:
            if key not in keys:
                has = ", ".join(map(repr, keys))[:120]
                near = did_you_mean(key, keys)
                raise UnclearColumnsError(f"has no {key!r} ({name}={key}); {near}it has {has}")
        return {key: name for name, key in columns.named}
    if {"src", "tgt"} <= {*keys}:  # as bitext names them
        return {"src": "src", "tgt": "tgt"}
    roles: dict[str, str] = {}
    for role, names in (("src", SRC_NAMES), ("tgt", TGT_NAMES)):
        matches = [key for key in keys if key.lower() in names]
        if len(matches) > 1:
            raise UnclearColumnsError(_several(role, matches))
        if matches:
            roles[matches[0]] = role
    if len(roles) < 2:  # other words, if they leave no doubt
        roles = {}
        given = [*keys]
        heads = heads_of(given)
        for role in ("src", "tgt"):
            ranks = {k: head.rank for k, head in enumerate(heads) if head.role == role}
            best = [k for k, rank in ranks.items() if rank == min(ranks.values())]
            if role == "src" and not best:  # `text`, beside `translation`
                best = [k for k, head in enumerate(heads) if head.role == "text"]
            if len(best) == 1:
                roles[given[best[0]]] = role
    return roles if len(roles) == 2 else {}


def key_languages(
    keys: Sequence[str], values: Sequence[str] = (), requested: tuple[str, str] = ("", "")
) -> dict[str, str]:
    """Return the codes of the keys that name languages, where there are two or more.

    `values` are those of the first object, where they are known, and `requested` the languages to
    choose.
    """
    others = [values] if values else []
    langs = {keys[k]: code for k, code in _languages(keys, others, requested).items()}
    return langs if len(set(langs.values())) == len(langs) > 1 else {}
