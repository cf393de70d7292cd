"""What a format cannot say, and how much of a bitext is lost when it is written.

Each format declares what it keeps (`keeps.Keeps`); what a bitext has of the rest is counted here,
in one place, so that every conversion tells its losses in the same words. The tests of the formats
hold each declaration against what comes back.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.forbidden import FORBIDDEN, has_forbidden
from bitext.formats.keeps import LANGUAGE, LOSSES, WORDS, Keeps, kind_of_column, language_column
from bitext.formats.lines import has_breaks
from bitext.kernels.rows import late, repeated, row_of, with_gaps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from bitext.formats.opening import Notes
    from bitext.kernels.rows import Rows
    from bitext.model import Alignment, Bitext, Text

__all__ = [
    "LANGUAGE",
    "LOSSES",
    "WORDS",
    "Keeps",
    "count_losses",
    "language_column",
]

_DOCS = ("src_doc", "tgt_doc")
_NUMBER = re.compile(r"#\d+\Z")  # of a group without documents, by which it is named


def count_losses(bitext: Bitext, keeps: Keeps, losses: Notes, *, first: bool = True) -> None:
    """Count what is lost of a bitext in a format, by kind, with the first case of each.

    The cost is linear in the bitext, but for a sort where segments repeat or are out of order.

    Parameters
    ----------
    bitext : Bitext
        A document pair, or a part of one.
    keeps : Keeps
        What the format holds.
    losses : Notes
        Takes the counts.
    first : bool
        Whether it is, or is of, the first document pair of the file.

    """
    where = bitext.name or bitext.meta.get("path", "") or "the bitext"
    lost = keeps.lost() if keeps.empty_values else [*keeps.lost(), *_KINDS]
    for name in dict.fromkeys(lost):
        for count, case in _COUNTS[name](bitext, keeps):
            if count and not (name == "documents" and first):
                losses.add(LOSSES[name], f"{where}{case and ': '}{case}", count)


def _texts_of(bitext: Bitext) -> Iterator[tuple[str, Text, Rows]]:
    for side, text, rows in (
        ("source", bitext.src, bitext.alignment.src),
        ("target", bitext.tgt, bitext.alignment.tgt),
    ):
        if text is not None:
            yield side, text, rows


def _name(text: Text, k: int) -> str:
    """Return the id of a segment; unlike the segment itself it needs no character line."""
    return text.ids[k] if text.has_ids else str(k)


def _marked(alignment: Alignment, found: NDArray[np.bool_]) -> Iterator[tuple[int, str]]:
    count = int(found.sum())
    if count:
        yield count, f"bisegment {int(found.argmax())} ({alignment[int(found.argmax())].type})"


def _texts(bitext: Bitext, _keeps: Keeps) -> Iterator[tuple[int, str]]:
    # Texts that files of their own hold are not lost.
    if bitext.meta.get("holds", "text") == "text":
        for side, text, _ in _texts_of(bitext):
            if text.has_text:
                yield len(text), f"{side} segment {_name(text, 0)}" if len(text) else ""


def _borders(bitext: Bitext, keeps: Keeps) -> Iterator[tuple[int, str]]:
    a = bitext.alignment
    several = (a.src.lengths > 1) | (a.tgt.lengths > 1)
    if keeps.whole is not None and several.any():
        several &= ~keeps.whole(bitext)
    yield from _marked(a, several)


def _empty_sides(bitext: Bitext, _keeps: Keeps) -> Iterator[tuple[int, str]]:
    a = bitext.alignment
    yield from _marked(a, (a.src.lengths == 0) | (a.tgt.lengths == 0))


def _empty_segments(bitext: Bitext, keeps: Keeps) -> Iterator[tuple[int, str]]:
    for side, text, rows in _texts_of(bitext):
        if text.has_text and not all(text.segments()):
            bare = (text.lengths() == 0)[rows.idx]
            if keeps.whole is not None and bare.any():
                bare &= ~keeps.whole(bitext)[row_of(rows)]
            if bare.any():
                yield int(bare.sum()), f"{side} segment {_name(text, int(rows.idx[bare.argmax()]))}"


def _crossings(bitext: Bitext, _keeps: Keeps) -> Iterator[tuple[int, str]]:
    a = bitext.alignment
    yield from _marked(a, late(a.src) | late(a.tgt))


def _gaps(bitext: Bitext, _keeps: Keeps) -> Iterator[tuple[int, str]]:
    a = bitext.alignment
    yield from _marked(a, with_gaps(a.src) | with_gaps(a.tgt))


def _overlaps(bitext: Bitext, _keeps: Keeps) -> Iterator[tuple[int, str]]:
    for side, rows in (("source", bitext.alignment.src), ("target", bitext.alignment.tgt)):
        again = rows.idx[repeated(rows)]
        if again.size:
            yield int(np.unique(again).size), f"{side} segment {int(again[0])}"


def _uncovered(bitext: Bitext, _keeps: Keeps) -> Iterator[tuple[int, str]]:
    for side, text, rows in _texts_of(bitext):
        held = np.zeros(len(text), dtype=np.bool_)
        held[rows.idx] = True
        if not held.all():
            yield int((~held).sum()), f"{side} segment {_name(text, int(held.argmin()))}"


def _ids(bitext: Bitext, _keeps: Keeps) -> Iterator[tuple[int, str]]:
    for side, text, _ in _texts_of(bitext):
        if text.has_ids and len(text):
            yield len(text), f"{side} segment {text.ids[0]}"


def _scores(bitext: Bitext, _keeps: Keeps) -> Iterator[tuple[int, str]]:
    if bitext.alignment.scores is not None:
        yield from _marked(bitext.alignment, ~np.isnan(bitext.alignment.scores))


def _values(kind: str, bitext: Bitext, keeps: Keeps) -> Iterator[tuple[int, str]]:
    for name, column in bitext.alignment.attributes.items():
        if kind_of_column(name) == kind:
            if not keeps.keeps_column(name):
                yield len(column) - column.count(None), language_column(name) or name
            elif not keeps.empty_values and "" in column:
                case = f"{name} of bisegment {column.index('')}, without characters"
                yield column.count(""), case


def _documents(bitext: Bitext, _keeps: Keeps) -> Iterator[tuple[int, str]]:
    if not bitext.continues:
        yield 1, ""


def _document_names(bitext: Bitext, keeps: Keeps) -> Iterator[tuple[int, str]]:
    if bitext.continues:
        return
    told = {name: bitext.meta.get(name, "") for name in _DOCS} | {"name": _own_name(bitext)}
    kept = {bitext.name if name == "name" else told[name] for name in keeps.names}
    lost = [name for key, name in told.items() if key not in keeps.names and name not in kept]
    if any(lost):
        yield 1, next(filter(None, lost))


def _own_name(bitext: Bitext) -> str:
    """Return the name of a document pair; empty where something else tells it.

    That is so where it comes from the names of the documents, of the file, or of the corpus.
    """
    name, meta = bitext.name, bitext.meta
    stem = PurePath(meta.get("path", "")).name.partition(".")[0]
    derived = any(map(meta.get, _DOCS)) or name == meta.get("corpus_name", "")
    numbered = stem and _NUMBER.sub("", name) == stem
    return "" if derived or numbered else name


def _languages(bitext: Bitext, _keeps: Keeps) -> Iterator[tuple[int, str]]:
    if not bitext.continues:
        for side, text, _ in _texts_of(bitext):
            yield bool(text.lang), f"{side}: {text.lang}"


def _markup(bitext: Bitext, _keeps: Keeps) -> Iterator[tuple[int, str]]:
    for side, text, _ in _texts_of(bitext):
        if text.marked is not None:
            known = [k for k, marked in enumerate(text.marked) if marked is not None]
            yield len(known), f"{side} segment {_name(text, known[0])}"


_BREAK = re.compile("[\t\n\r]")


def _breaks(bitext: Bitext, keeps: Keeps) -> Iterator[tuple[int, str]]:
    if any(has_breaks(list(text.segments())) for _, text, _ in _texts_of(bitext)):
        yield from _matching(bitext, _BREAK)
    for name, column in bitext.alignment.attributes.items():
        if keeps.keeps_column(name) and _BREAK.search("\0".join(filter(None, column))):
            found = [k for k, value in enumerate(column) if value and _BREAK.search(value)]
            yield len(found), f"{name} of bisegment {found[0]}"


def _controls(bitext: Bitext, _keeps: Keeps) -> Iterator[tuple[int, str]]:
    if any(has_forbidden("".join(text.segments())) for _, text, _ in _texts_of(bitext)):
        yield from _matching(bitext, FORBIDDEN)


def _matching(bitext: Bitext, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """Count the segments in which a pattern is found; it finds single characters."""
    for side, text, rows in _texts_of(bitext):
        line = text.line or ""
        places = np.fromiter((found.start() for found in pattern.finditer(line)), np.int64)
        which = np.searchsorted(text.ends, places, side="right")
        inside = which < len(text)
        which, places = which[inside], places[inside]
        which = np.unique(which[text.starts[which] <= places])
        which = which[np.isin(which, rows.idx)]
        if which.size:
            yield int(which.size), f"{side} segment {_name(text, int(which[0]))}"


def _paragraphs(bitext: Bitext, _keeps: Keeps) -> Iterator[tuple[int, str]]:
    if bitext.meta.get("holds", "text") == "text":
        for side, text, _ in _texts_of(bitext):
            if text.paragraphs is not None:
                yield len(text.paragraphs.masses), side


_KINDS = ("attributes", "other_languages", "words")  # of columns
_COUNTS: dict[str, Callable[[Bitext, Keeps], Iterator[tuple[int, str]]]] = {
    "texts": _texts,
    "borders": _borders,
    "empty_sides": _empty_sides,
    "empty_segments": _empty_segments,
    "crossings": _crossings,
    "gaps": _gaps,
    "overlaps": _overlaps,
    "uncovered": _uncovered,
    "ids": _ids,
    "scores": _scores,
    "attributes": partial(_values, "attributes"),
    "documents": _documents,
    "document_names": _document_names,
    "languages": _languages,
    "other_languages": partial(_values, "other_languages"),
    "markup": _markup,
    "words": partial(_values, "words"),
    "breaks": _breaks,
    "controls": _controls,
    "paragraphs": _paragraphs,
}
