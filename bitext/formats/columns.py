"""Columns of tables: detecting which hold the source, the target and the score.

Columns named by the user win. Otherwise a header decides: names such as `src tgt` or `source
target`, or two languages (`en de`, `English Icelandic`). Without a header the cells decide: a
column of numbers only, of addresses or of language codes holds no text, and the texts are the
first two of the others. Any layout but the plain one (source and target first) is noted, and where
there are no two columns of text the error asks for names.

Columns are named in one syntax, `src=2,tgt=3,score=1`: by their numbers from 1, or by their names
in the header (in JSON lines and Parquet: the keys). Names without numbers stand for the columns in
order: `score,src,tgt` is the same. Any other name is that of an attribute.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


from collections.abc import Mapping
from dataclasses import dataclass
from math import isinf, nan
from typing import TYPE_CHECKING, NamedTuple

from bitext.errors import OptionError
from bitext.formats.languages import two_languages, wrong_languages
from bitext.model.languages import language_of
from bitext.option_names import remedy

__all__ = [
    "SAMPLE",
    "SCORE",
    "SRC_NAMES",
    "TGT_NAMES",
    "Columns",
    "Layout",
    "UnclearColumnsError",
    "key_languages",
    "key_roles",
    "lay_out",
    "score_of",
]

SRC_NAMES = {"src", "source", "text1", "src_text", "source_text", "sentence1", "source_sentence"}
TGT_NAMES = {"tgt", "trg", "target", "text2", "tgt_text", "trg_text", "target_text", "sentence2"}
TGT_NAMES |= {"target_sentence"}
ROLES = ("src", "tgt", "score")
SAMPLE = 1000  # lines whose cells are examined; set by hand: enough to see each kind of cell
_LONGEST = 40  # characters of a name in a header; set by hand: longer cells are sentences
_SHARE = 0.5  # least share of addresses among the cells of a column of addresses; set by hand
_URL = re.compile(r"(?:https?|ftp)://\S+")
# Numbers, and other strings of digits: dates, times, shares.
_NUMBER = re.compile(r"[-+]?\.?\d[\d.,:/%-]*(?:[eE][-+]?\d+)?%?", re.ASCII)
_DECIMAL = re.compile(r"[-+]?\d*\.\d+(?:[eE][-+]?\d+)?", re.ASCII)
# Names in the header of a column of numbers.
_OF_NUMBERS = re.compile(
    r"(?:.*[_ -])?(?:id|ids|no|nr|num|number|index|idx|line|row|score|prob|similarity|distance|"
    r"bicleaner|laser|labse|margin|cosine|year)(?:[_ -].*)?"
)


class UnclearColumnsError(Exception):
    """The columns of the texts cannot be determined; the message lists the columns."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The user's description of the columns of a table.

    Attributes
    ----------
    named : tuple of (str, str)
        Roles (`src`, `tgt`, `score`, or the name of an attribute), each with the number of its
        column from 1 or its name in the header. Empty: header and cells decide.
    head : bool or None
        Whether the first line is a header; `None`: detected from its cells.

    """

    named: tuple[tuple[str, str], ...] = ()
    head: bool | None = None

    @classmethod
    def of(
        cls, given: str | Mapping[str, int | str] | Columns | None, head: bool | None = None
    ) -> Columns:
        """Parse the user's description: `src=2,tgt=3`, `score,src,tgt`, or a mapping.

        Raises
        ------
        OptionError
            When it names no source or no target, or one of them twice.

        Examples
        --------
        >>> Columns.of("src=2,tgt=English").named
        (('src', '2'), ('tgt', 'English'))
        >>> Columns.of("score,src,tgt") == Columns.of({"score": 1, "src": 2, "tgt": 3})
        True

        """
        if isinstance(given, Columns):
            return given
        if given is None:
            return cls((), head)
        if isinstance(given, Mapping):
            pairs = [(str(name), str(column)) for name, column in given.items()]
            shown = ",".join(f"{name}={column}" for name, column in pairs)
        else:
            shown = given
            pairs = []
            for k, item in enumerate(given.split(","), start=1):
                name, equals, column = (part.strip() for part in item.partition("="))
                pairs.append((name, column if equals else str(k)))
        names = [name for name, _ in pairs]
        flaw = ""
        if not all(name and column for name, column in pairs):
            flaw = "has an empty name"
        elif len(set(names)) < len(names):
            flaw = "names a column twice"
        elif not {"src", "tgt"} <= set(names):
            flaw = "names no " + " and no ".join(s for s in ("src", "tgt") if s not in names)
        elif len({column for _, column in pairs}) < len(pairs):
            flaw = "gives one column two names"
        elif any(column == "0" for _, column in pairs):
            flaw = "has the column 0, and they are counted from 1"
        if flaw:
            raise OptionError(
                f"{remedy('columns')} {shown!r} {flaw}; want as src=2,tgt=3 (numbers from 1, or "
                f"names in the header), or all names in order, as score,src,tgt"
            )
        return cls(tuple(pairs), head)

    def __bool__(self) -> bool:
        return bool(self.named) or self.head is not None


class Layout(NamedTuple):
    """The columns of a table, and the indices of the texts and the score.

    Attributes
    ----------
    names : list of str
        The names of all columns, as attributes.
    src, tgt : int
        The columns of the texts, from 0.
    score : int or None
        The column of the score, from 0, if there is one.
    header : bool
        Whether the first line names the columns.
    sure : bool
        Whether the score is named, by a header or the user.
    langs : pair of str
        The languages of the texts, where a header has them.
    note : str
        The note on the layout, where another one is possible; empty otherwise.

    """

    names: list[str]
    src: int
    tgt: int
    score: int | None
    header: bool
    sure: bool = False
    langs: tuple[str, str] = ("", "")
    note: str = ""

    @property
    def rest(self) -> dict[int, str]:
        """The columns of attributes."""
        texts = {self.src, self.tgt, self.score}
        return {k: name for k, name in enumerate(self.names) if k not in texts}


def lay_out(
    rows: Sequence[Sequence[str]],
    columns: Columns = Columns(),
    asked: tuple[str, str] = ("", ""),
) -> Layout:
    """Determine the layout from the user's description, a header, or the cells of the first rows.

    Parameters
    ----------
    rows : sequence of sequence of str
        The cells of the first lines, all with as many columns as the first.
    columns : Columns
        The user's description.
    asked : pair of str
        The requested languages, for a header with languages.

    Raises
    ------
    UnclearColumnsError
        When the columns of the texts cannot be determined.

    """
    first = [cell.strip() for cell in rows[0]]
    header = _is_header(first, rows[1:]) if columns.head is None else columns.head
    if columns.named:
        return _named_layout(rows, columns, header=header)
    names = _distinct(first) if header else [f"col{k}" for k in range(1, len(first) + 1)]
    if header:
        lowered = [name.lower() for name in first]
        score = lowered.index("score") if "score" in lowered else None
        src = next((k for k, name in enumerate(lowered) if name in SRC_NAMES), None)
        tgt = next((k for k, name in enumerate(lowered) if name in TGT_NAMES), None)
        if src is not None and tgt is not None:
            return _with_languages(Layout(names, src, tgt, score, header=True, sure=True), rows)
        if chosen := _by_languages(first, rows[1:], asked):
            one, other, langs = chosen
            note = f"source {first[one]}, target {first[other]}"
            return _with_languages(
                Layout(names, one, other, score, header=True, sure=True, langs=langs, note=note),
                rows,
            )
        layout = _by_cells(names, rows[1:], header=True)
        return layout if score is None else layout._replace(score=score, sure=True)
    return _by_cells(names, rows, header=False)


def _named_layout(rows: Sequence[Sequence[str]], columns: Columns, *, header: bool) -> Layout:
    """Return the layout of the columns that the user named."""
    first = [cell.strip() for cell in rows[0]]
    indices: dict[str, int] = {}
    for name, column in columns.named:
        if column.isascii() and column.isdecimal():
            k = int(column[:9]) - 1
            if k >= len(first):
                raise UnclearColumnsError(
                    f"has {len(first)} columns, and {name}={column} is asked for"
                )
        else:
            header = columns.head is not False
            matches = [k for k, cell in enumerate(first) if cell.lower() == column.lower()]
            if len(matches) != 1 or not header:
                has = ", ".join(map(repr, first))[:120]
                raise UnclearColumnsError(
                    f"has {'two columns' if len(matches) > 1 else 'no column'} {column!r} "
                    f"({name}={column}); its first line is {has}"
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
        langs = (language_of(first[indices["src"]]), language_of(first[indices["tgt"]]))
    layout = Layout(
        names, indices["src"], indices["tgt"], score, header, sure=score is not None, langs=langs
    )
    return _with_languages(layout, rows) if header else layout


def _with_languages(layout: Layout, rows: Sequence[Sequence[str]]) -> Layout:
    """Name columns `lang:CODE` that a header names by further languages, beside the two texts."""
    if not all(layout.langs):
        return layout
    names = list(layout.names)
    for k, code in _languages([cell.strip() for cell in rows[0]], rows[1:]).items():
        if k in layout.rest and f"lang:{code}" not in names:
            names[k] = f"lang:{code}"
    return layout._replace(names=names)


def _is_header(first: list[str], others: Sequence[Sequence[str]]) -> bool:
    """Return whether the first line names columns: texts, languages, or a column of numbers."""
    lowered = [name.lower() for name in first]
    if not SRC_NAMES.isdisjoint(lowered) and not TGT_NAMES.isdisjoint(lowered):
        return True
    if len(set(lowered)) < len(lowered) or any(
        not name or len(name) > _LONGEST or _NUMBER.fullmatch(name) or _URL.fullmatch(name)
        for name in first
    ):
        return False
    if len(_languages(first, others)) > 1:
        return True
    return any(
        _OF_NUMBERS.fullmatch(name) and _kind([row[k] for row in others]) == "numbers"
        for k, name in enumerate(lowered)
    )


def _languages(first: Sequence[str], others: Sequence[Sequence[str]] = ()) -> dict[int, str]:
    """Return the language codes of the columns that a header names by languages.

    Names that are codes by accident (`id`, `no`) do not count where the other lines have numbers
    or codes in the column, nor does `id` beside two others.
    """
    codes = {k: code for k, name in enumerate(first) if (code := language_of(name))}
    for k in list(codes):
        cells = [row[k] for row in others]
        if _kind(cells) in {"numbers", "languages"} or first[k] in cells:
            del codes[k]
    number = next((k for k in codes if first[k].lower() == "id"), None)
    if number is not None and len(codes) > 2:
        del codes[number]
    return codes


def _by_languages(
    first: Sequence[str], others: Sequence[Sequence[str]], asked: tuple[str, str]
) -> tuple[int, int, tuple[str, str]] | None:
    """Choose two columns of a header by their languages; `None` where fewer than two have one."""
    langs = _languages(first, others)
    if len(langs) < 2:
        return None
    codes = list(langs.values())
    chosen = two_languages(codes, asked) if len(set(codes)) == len(codes) else None
    if chosen is None:
        raise UnclearColumnsError(wrong_languages([first[k] for k in langs], asked))
    one, other = (next(k for k in langs if langs[k] == code) for code in chosen)
    return one, other, chosen


def _kind(cells: Sequence[str]) -> str:
    """Classify a column: `numbers`, `addresses`, `languages`, `texts`, or `nothing`."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    if not filled:
        return "nothing"
    if all(_NUMBER.fullmatch(cell) or score_of(cell) is not None for cell in filled) and any(
        _NUMBER.fullmatch(cell) for cell in filled
    ):
        return "numbers"
    if sum(bool(_URL.fullmatch(cell)) for cell in filled) >= _SHARE * len(filled):
        return "addresses"
    if len(filled) > 1 and len(set(filled)) < len(filled) and all(map(language_of, set(filled))):
        return "languages"
    return "texts"


def _by_cells(names: list[str], rows: Sequence[Sequence[str]], *, header: bool) -> Layout:
    """Choose the first two columns that hold texts, and a column of numbers as the score."""
    cells = list(zip(*rows, strict=True)) or [() for _ in names]
    kinds = [_kind(column) for column in cells]
    texts = [k for k, kind in enumerate(kinds) if kind in {"texts", "nothing"}]
    if len(texts) < 2:
        shown = ", ".join(f"{k} ({kind})" for k, kind in enumerate(kinds, start=1))
        raise UnclearColumnsError(
            f"has the columns {shown}: which are the source and the target text cannot be told"
        )
    src, tgt = texts[:2]
    if not header and kinds[:2] == ["addresses", "addresses"]:
        names = ["url1", "url2", *names[2:]]
    score = tgt + 1 if tgt + 1 < len(names) else None
    if score is None or kinds[score] not in {"numbers", "nothing"}:
        before = [k for k in range(src) if kinds[k] == "numbers"]
        if len(before) == 1 and any(map(_DECIMAL.fullmatch, cells[before[0]])):
            score = before[0]
    plain = (src, tgt) == (0, 1) or kinds[:tgt] == ["addresses", "addresses", "texts"]
    note = ""
    if header or not plain or (len(texts) > 2 and "nothing" not in kinds):
        note = f"source {src + 1}, target {tgt + 1}"
        if score is not None and kinds[score] == "numbers":
            note += f", score {score + 1}"
        note += f", of {len(names)}"
    return Layout(names, src, tgt, score, header, note=note)


def _distinct(names: list[str]) -> list[str]:
    """Return the names with missing and repeated ones replaced by numbered ones."""
    out: list[str] = []
    taken: set[str] = set()
    for k, name in enumerate(names, start=1):
        new = name if name and name not in taken else f"col{k}"
        while new in taken:
            new += "_"
        out.append(new)
        taken.add(new)
    return out


def key_roles(keys: Collection[str], columns: Columns) -> dict[str, str]:
    """Map the keys of the texts and the score, in objects or a schema, to their roles.

    The mapping is empty where neither the user nor the keys themselves name both texts.

    Raises
    ------
    UnclearColumnsError
        When a key that the user named is missing.

    """
    if columns.named:
        for name, key in columns.named:
            if key not in keys:
                has = ", ".join(map(repr, keys))[:120]
                raise UnclearColumnsError(f"has no {key!r} ({name}={key}); it has {has}")
        return {key: name for name, key in columns.named}
    lowered = {key.lower(): key for key in reversed([*keys])}
    roles: dict[str, str] = {}
    for role, names in (("src", SRC_NAMES), ("tgt", TGT_NAMES)):
        matches = [lowered[name] for name in lowered if name in names]
        if not matches:
            return {}
        roles[matches[0]] = role
    return roles


def key_languages(keys: Iterable[str]) -> list[str]:
    """Return the keys that are languages, where there are two or more; else an empty list."""
    names = [*keys]
    langs = [names[k] for k in _languages(names)]
    return langs if len(langs) > 1 else []


SCORE = r"[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|(?i:inf(?:inity)?|nan))"  # of a score
_SCORE = re.compile(SCORE, re.ASCII)


def score_of(text: str) -> float | None:
    """Parse a score; return `nan` for blanks only, `None` for any other string.

    A number that overflows to infinity is refused: it would exceed every threshold.
    """
    spelled = text.strip(" ")
    if not spelled:
        return nan
    if not _SCORE.fullmatch(spelled):
        return None
    score = float(spelled)
    return None if isinf(score) and "i" not in spelled.lower() else score
