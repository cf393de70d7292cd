"""Sentences with the labels of their words: CoNLL-U and columns with BIO labels, read and written.

| | CoNLL-U | columns |
| --- | --- | --- |
| tags, one a word | UPOS, XPOS, FEATS | columns of other labels |
| spans, in BIO | keys of MISC as `NER=B-PER` | columns of B-, I-, O (E-, S-, L-, U-, M-) |
| dependencies | HEAD, DEPREL | none |

`columns.py` reads the same files for the forms and tags of words alone. Here nothing that can be
projected is dropped: multiword tokens are kept with their words; of comments `# newdoc`, `# newpar`
and `# sent_id`, and of columns `-DOCSTART-`. Empty nodes, LEMMA, DEPS and other keys of MISC are
left aside: they say how the words of this language are spelled, or need words of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from operator import methodcaller
from typing import Literal, NamedTuple

from bitext.errors import FormatError, items_of_file, of_file
from bitext.syntax.columns import (
    BREAK,
    META,
    OTHER_ID,
    Block,
    conllu_lines,
    fields_of,
    line_blocks,
    unmarked,
)

NONE = "_"  # no label
_CONLLU_COLUMNS = 10  # columns of CoNLL-U
_SNIFFED_LINES = 200  # lines that show which columns a file has; set by hand
_WORD_ID = re.compile(r"[1-9][0-9]{0,8}")
_NUMBER = re.compile(r"[0-9]{1,9}")
_ASIDE = ("#", BREAK)  # beginnings of lines that may have no word
_KEPT = re.compile(r"#\s*(?:newdoc|newpar|sent_id)\b")
_BIO = re.compile(r"O|[BIESLUM](?:-\S+)?")
_TYPED = re.compile(r"[BIESLUM]-\S+")
_TAGS = {"UPOS": 3, "XPOS": 4, "FEATS": 5}
_NAMED = frozenset(("NER", "NE", "IOB", "BIO"))  # keys of MISC that hold O alone in some sentences
_BEGINS, _ENDS = frozenset("BSU"), frozenset("ESLU")


class Span(NamedTuple):
    """Consecutive words with a label."""

    # `begin`, `end`: the words, half-open, from 0.
    begin: int
    end: int
    label: str  # the label without its prefix; empty for `B` and `I` alone


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """The words of a sentence with their labels.

    Attributes
    ----------
    forms : tuple of str
        The words.
    tags : dict of str to tuple of str
        Labels of single words, by the name of their column; `_` for none.
    spans : dict of str to tuple of Span
        Labels of spans, by the name of their column or key, in order.
    heads : tuple of (int or None), or None
        The word that each depends on, from 0; -1 for the root, None if unknown. None in all for
        a sentence without dependencies.
    relations : tuple of str
        The relation of each word to its head; `_` for none. Empty without dependencies.
    tokens : tuple of (str, int, int)
        The form, the first word and the end of each multiword token.
    comments : tuple of str
        The comments that are projected, as lines.
    line : int
        The line of the first word, counted from 1; 0 for none.
    misc : tuple of str
        Further `Key=value` of each word, for writing; empty for none.

    """

    forms: tuple[str, ...]
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spans: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    heads: tuple[int | None, ...] | None = None
    relations: tuple[str, ...] = ()
    tokens: tuple[tuple[str, int, int], ...] = ()
    comments: tuple[str, ...] = ()
    line: int = 0
    misc: tuple[str, ...] = ()

    def surface(self) -> list[tuple[str, int, int]]:
        """Return the tokens of the text in order: form, first word, end.

        Examples
        --------
        >>> du = LabelledSentence(("de", "le", "parc"), tokens=(("du", 0, 2),))
        >>> du.surface()
        [('du', 0, 2), ('parc', 2, 3)]

        """
        surface_tokens: list[tuple[str, int, int]] = []
        at = 0
        for form, first, end in (*self.tokens, ("", len(self.forms), 0)):
            surface_tokens += [(self.forms[k], k, k + 1) for k in range(at, first)]
            if end:
                surface_tokens.append((form, first, end))
                at = end
        return surface_tokens


@dataclass(frozen=True, slots=True)
class LabelFormat:
    r"""How a file spells labels."""

    kind: Literal["conllu", "columns"]
    # Names of the columns after the word: `column 2`, `column 3`, ...; empty for CoNLL-U.
    columns: tuple[str, ...] = ()
    spans: frozenset[str] = frozenset()  # the columns of them that hold BIO labels
    separator: str = "\t"  # between columns

    def lines(self, sentence: LabelledSentence) -> Iterator[str]:
        r"""Yield the lines of a sentence, and an empty one behind it.

        Columns have no place for `misc` and multiword tokens; of comments, for -DOCSTART- alone.

        Examples
        --------
        >>> made = LabelledSentence(("Nice", "."), {"UPOS": ("PROPN", "PUNCT")})
        >>> list(LabelFormat("conllu").lines(made))[1].split()
        ['1', 'Nice', '_', 'PROPN', '_', '_', '_', '_', '_', '_']
        >>> made = LabelledSentence(("Nice", "."), spans={"column 2": (Span(0, 1, "LOC"),)})
        >>> list(LabelFormat("columns", ("column 2",), frozenset(["column 2"]), " ").lines(made))
        ['Nice B-LOC', '. O', '']

        """
        if self.kind == "conllu":
            yield from _conllu_lines(sentence)
            return
        size = len(sentence.forms)
        yield from chain.from_iterable((comment, "") for comment in sentence.comments)
        labels = [
            spell_spans(sentence.spans.get(name, ()), size)
            if name in self.spans
            else list(sentence.tags.get(name, (NONE,) * size))
            for name in self.columns
        ]
        for row in zip(sentence.forms, *labels, strict=True):
            yield self.separator.join(row)
        yield ""


def spans_of(labels: Sequence[str]) -> tuple[Span, ...]:
    """Return the spans of labels in BIO, IOB1, BIOES, BILOU or BMES.

    A span begins at B, S and U, and at any other label after O, E, L, S, U or another type.

    Examples
    --------
    >>> spans_of(["B-PER", "I-PER", "O", "I-LOC", "B-LOC", "S-ORG"])
    (Span(begin=0, end=2, label='PER'), Span(begin=3, end=4, label='LOC'), \
Span(begin=4, end=5, label='LOC'), Span(begin=5, end=6, label='ORG'))

    """
    spans: list[Span] = []
    begin, last, closed = 0, "", True
    for k, label in enumerate((*labels, "O")):
        if not closed and (label == "O" or label[0] in _BEGINS or label[2:] != last):
            spans.append(Span(begin, k, last))
            closed = True
        if label == "O":
            continue
        if closed:
            begin, last, closed = k, label[2:], False
        if label[0] in _ENDS:
            spans.append(Span(begin, k + 1, last))
            closed = True
    return tuple(spans)


def spell_spans(spans: Iterable[Span], size: int) -> list[str]:
    """Format spans that do not overlap as BIO labels of `size` words.

    Examples
    --------
    >>> spell_spans([Span(1, 3, "PER"), Span(3, 4, "")], 5)
    ['O', 'B-PER', 'I-PER', 'B', 'O']

    """
    labels = ["O"] * size
    for begin, end, label in spans:
        behind = f"-{label}" if label else ""
        labels[begin:end] = [f"B{behind}", *[f"I{behind}"] * (end - begin - 1)]
    return labels


# Reading.


def read_labels(lines: Iterable[str], *, path: str) -> Iterator[LabelledSentence]:
    r"""Read sentences with labels, one at a time; the kind is detected from the first lines.

    Parameters
    ----------
    lines : iterable of str
        The lines of a file, with or without their ends.
    path : str
        The name of the file, for messages.

    Yields
    ------
    LabelledSentence

    Raises
    ------
    FormatError
        When the lines are neither CoNLL-U nor columns, or a line is wrong; with the line.

    Examples
    --------
    >>> lines = ["Anna\tB-PER", "Berg\tI-PER", "left\tO"]
    >>> next(read_labels(lines, path="a.tsv")).spans
    {'column 2': (Span(begin=0, end=2, label='PER'),)}

    """
    return open_labels(lines, path=path)[1]


def open_labels(
    lines: Iterable[str], *, path: str
) -> tuple[LabelFormat, Iterator[LabelledSentence]]:
    """Detect how a file spells labels; return this, and an iterator of its sentences.

    Parameters and errors are those of `read_labels`.
    """
    lines = unmarked(lines)
    head = list(islice(lines, _SNIFFED_LINES))
    with of_file(path):
        known = _detected(head)
    read = _read_conllu if known.kind == "conllu" else _read_columns
    return known, items_of_file(read(line_blocks(chain(head, lines)), known), path)


def _detected(head: Sequence[str]) -> LabelFormat:
    rows = [line.rstrip("\r\n") for line in head]
    rows = [row for row in rows if row.strip(" \t")]
    words = [row for row in rows if not row.startswith("#")]
    first = next((row for row in words if not row.startswith(BREAK)), words[0] if words else None)
    if first is None:
        raise FormatError(
            "has no sentence with labels: want CoNLL-U, or columns: a word and its labels"
        )
    cells = first.split("\t")
    numbered = _WORD_ID.fullmatch(cells[0]) or OTHER_ID.fullmatch(cells[0])
    if numbered and (len(cells) == _CONLLU_COLUMNS or any(map(META.fullmatch, rows))):
        return LabelFormat("conllu")
    separator = "\t" if "\t" in first else " "
    cells_of = _cells_of(separator)
    split = [cells_of(row) for row in words if not row.startswith(BREAK)]
    width = len(cells_of(first))
    if width < 2:
        raise FormatError(
            f"is no CoNLL-U, and has no labels behind the word {first.strip()!r:.40}: want "
            f"columns with tabs or blanks between, a word and its labels",
            line=next(k for k, line in enumerate(head, 1) if line.rstrip("\r\n") == first),
        )
    split = [row for row in split if len(row) == width]
    columns = tuple(f"column {k}" for k in range(2, width + 1))
    spans = {
        name
        for k, name in enumerate(columns, 1)
        if split and all(_BIO.fullmatch(row[k]) for row in split)
    }
    return LabelFormat("columns", columns, frozenset(spans), separator)


def _cells_of(separator: str) -> Callable[[str], list[str]]:
    return methodcaller("split", "\t") if separator == "\t" else fields_of


def _read_columns(blocks: Iterable[Block], known: LabelFormat) -> Iterator[LabelledSentence]:
    width, cells_of = len(known.columns) + 1, _cells_of(known.separator)
    comments: list[str] = []
    for block in blocks:
        rows: list[list[str]] = []
        first = 0
        for number, line in block:
            cells = cells_of(line)
            if line.startswith(_ASIDE):
                if line.startswith(BREAK):
                    comments.append(line)
                    continue
                if _is_comment(cells, known):
                    continue
            if len(cells) != width or not all(cell.strip() for cell in cells):
                empty = f" and an empty one among {width}" if len(cells) == width else ""
                raise FormatError(
                    f"has {len(cells)} column{'s' * (len(cells) > 1)}{empty}: want {width}, as "
                    f"before, a word and its labels",
                    line=number,
                )
            for name, cell in zip(known.columns, cells[1:], strict=True):
                if name in known.spans and not _BIO.fullmatch(cell):
                    raise FormatError(
                        f"has {cell!r:.40} in {name}, which has BIO labels: want O, B-X or I-X",
                        line=number,
                    )
            first = first or number
            rows.append(cells)
        if not rows:
            continue
        words, *labels = zip(*rows, strict=True)
        by_name = dict(zip(known.columns, labels, strict=True))
        yield LabelledSentence(
            words,
            tags={name: by_name[name] for name in known.columns if name not in known.spans},
            spans={name: spans_of(by_name[name]) for name in known.columns if name in known.spans},
            comments=tuple(comments),
            line=first,
        )
        comments = []


def _is_comment(cells: Sequence[str], known: LabelFormat) -> bool:
    """Check whether a line that begins with # has no place for a word with its labels.

    Blanks may split a comment, as `# id 5239 domain=en` of MultiCoNER, into as many columns.
    """
    if len(cells) != len(known.columns) + 1:
        return True
    labels = zip(known.columns, cells[1:], strict=True)
    return (known.separator, cells[0]) == (" ", "#") and any(
        name in known.spans and not _BIO.fullmatch(label) for name, label in labels
    )


def _read_conllu(blocks: Iterable[Block], _: LabelFormat) -> Iterator[LabelledSentence]:
    keys = set(_NAMED)  # of MISC, that hold labels of spans
    kept: list[str] = []  # comments, also of blocks without words before the sentence
    for block in blocks:
        comments, rows, tokens = conllu_lines(block, filled=True)
        kept += [line for _, line in comments if _KEPT.match(line)]
        if not rows:
            continue
        heads, relations = _dependencies(rows)
        yield LabelledSentence(
            tuple(cells[1] for _, cells in rows),
            tags={
                name: tuple(cells[k] for _, cells in rows)
                for name, k in _TAGS.items()
                if any(cells[k] != NONE for _, cells in rows)
            },
            spans=_misc_spans([cells[9] for _, cells in rows], keys),
            heads=heads,
            relations=relations,
            tokens=tuple((fields[1], first, end) for fields, first, end in tokens),
            comments=tuple(kept),
            line=rows[0][0],
        )
        kept = []


def _misc_spans(cells: Sequence[str], keys: set[str]) -> dict[str, tuple[Span, ...]]:
    """Return the spans in MISC by key; add keys that hold spans, by their values, to `keys`."""
    values: dict[str, list[str]] = {}
    for k, cell in enumerate(cells):
        if "=" not in cell:
            continue
        for item in cell.split("|"):
            key, equals, value = item.partition("=")
            if equals:
                values.setdefault(key, ["O"] * len(cells))[k] = value
    spans_of_keys = {}
    for key, labels in values.items():
        if all(label == "O" or _TYPED.fullmatch(label) for label in labels):
            if any(label != "O" for label in labels):
                keys.add(key)
            if key in keys:
                spans_of_keys[key] = spans_of(labels)
    return spans_of_keys


def _dependencies(
    rows: Sequence[tuple[int, list[str]]],
) -> tuple[tuple[int | None, ...] | None, tuple[str, ...]]:
    """Return the heads and relations of words; refuse heads that are not words, and circles."""
    heads: list[int | None] = []
    for k, (number, cells) in enumerate(rows):
        if cells[6] == NONE:
            heads.append(None)
            continue
        if not _NUMBER.fullmatch(cells[6]) or int(cells[6]) > len(rows) or int(cells[6]) == k + 1:
            raise FormatError(
                f"has the head {cells[6]!r:.40} of word {k + 1}: want another word, up to "
                f"{len(rows)}, or 0 for the root",
                line=number,
            )
        heads.append(int(cells[6]) - 1)
    if all(head is None for head in heads):
        return None, ()
    # From each word go up to the root, or to a word from which it was reached: each is passed once.
    rooted = [False] * len(heads)
    for k in range(len(heads)):
        walked: list[int] = []
        at: int | None = k
        while at is not None and at >= 0 and not rooted[at]:
            if len(walked) > len(heads):
                raise FormatError(
                    f"has word {k + 1}, whose heads go in a circle: want a tree", line=rows[k][0]
                )
            walked.append(at)
            at = heads[at]
        for each in walked:
            rooted[each] = True
    return tuple(heads), tuple(cells[7] for _, cells in rows)


# Writing.


def _conllu_lines(sentence: LabelledSentence) -> Iterator[str]:
    size = len(sentence.forms)
    yield from sentence.comments
    yield f"# text = {' '.join(form for form, _, _ in sentence.surface())}"
    none = (NONE,) * size
    upos, xpos, feats = (sentence.tags.get(name, none) for name in _TAGS)
    spans = {key: spell_spans(each, size) for key, each in sentence.spans.items()}
    starts = {first: (form, end) for form, first, end in sentence.tokens}
    for k, form in enumerate(sentence.forms):
        if k in starts:
            token, end = starts[k]
            yield "\t".join((f"{k + 1}-{end}", token, *[NONE] * 8))
        head, relation = NONE, NONE
        if sentence.heads is not None:
            above = sentence.heads[k]
            head = NONE if above is None else str(above + 1)
            relation = sentence.relations[k]
        misc = [f"{key}={labels[k]}" for key, labels in spans.items()]
        if sentence.misc and sentence.misc[k]:
            misc.append(sentence.misc[k])
        cells = (form, NONE, upos[k], xpos[k], feats[k], head, relation, NONE)
        yield "\t".join((str(k + 1), *cells, "|".join(misc) or NONE))
    yield ""
