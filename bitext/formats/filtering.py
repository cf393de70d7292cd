"""Which bisegments of a bitext go on to a file: by score, bead type, document, and contents."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.formats.inline import joined_sides
from bitext.formats.keeps import language_column
from bitext.formats.lines import score_of
from bitext.formats.part_places import Place, Places, name_of
from bitext.formats.tidying import tidied, without_forbidden
from bitext.model import Text
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from bitext.formats.opening import Notes
    from bitext.kernels.rows import Rows
    from bitext.model import Bitext

__all__ = ["Filters", "filtered"]

_TYPE = re.compile(r"(\d{1,9}|\*)-(\d{1,9}|\*)", re.ASCII)
_DIGEST = 16  # bytes: of a billion pairs no two different ones are taken for one


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What of a bitext is wanted; everything by default.

    Attributes
    ----------
    min_score : float or None
        The lowest score; a bisegment without one is not wanted then.
    score : str
        The column that is the score, as `prop:score-bicleaner`; empty for the score itself.
    types : tuple of str
        The bead types wanted, as `1-1` or `1-*`; none for all.
    documents : str
        A pattern (`*`, `?`, `[...]`) that the name of the document pair, or of one of its
        documents, has to match; empty for all.
    drop_empty : bool
        Whether a bisegment with nothing, or only white space, on a side is left out.
    unique : bool
        Whether a bisegment with the very texts of an earlier one is left out.
    swap : bool
        Whether source and target are exchanged, before all else.
    spaces : bool
        Whether white space is made one blank, and none at the ends of a segment.
    replace_forbidden : bool
        Whether characters that XML forbids become U+FFFD.
    two_languages : bool
        Whether texts in further languages are left out.

    Raises
    ------
    OptionError
        When a bead type is none.

    """

    min_score: float | None = None
    score: str = ""
    types: tuple[str, ...] = ()
    documents: str = ""
    drop_empty: bool = False
    unique: bool = False
    swap: bool = False
    spaces: bool = False
    replace_forbidden: bool = False
    two_languages: bool = False

    def __post_init__(self) -> None:
        wrong = next((kind for kind in self.types if not _TYPE.fullmatch(kind)), None)
        if wrong is not None:
            raise OptionError(f"bead type {wrong!r} is none: want some as 1-1,1-2,2-* with commas")

    def any(self) -> bool:
        """Tell whether anything is asked for."""
        return self != Filters()


def filtered(
    bitexts: Iterable[Bitext],
    filters: Filters,
    dropped: Notes,
    *,
    changed: Notes | None = None,
    whole: bool,
) -> Iterator[Bitext]:
    """Yield the bitexts with what is wanted of them.

    Parameters
    ----------
    bitexts : iterable of Bitext
        One after another.
    filters : Filters
        What is wanted.
    dropped : Notes
        Takes the counts of what was left out, by reason.
    changed : Notes, optional
        Takes the counts of what was changed and goes on: white space, characters, scores. Default:
        `dropped`.
    whole : bool
        Whether texts stay whole, so that positions in them hold; otherwise the segments of what is
        left out are left out, too.

    """
    chooser = _Chooser(filters, dropped)
    changed = dropped if changed is None else changed
    places = Places()
    for bitext in bitexts:
        if filters.swap:
            bitext = _swapped(bitext)
        place = places.of(bitext)
        if not chooser.wants_document(bitext):
            continue
        if filters.score:
            bitext = _rescored(bitext, filters.score, changed)
        if filters.two_languages:
            bitext = _in_two_languages(bitext, dropped, place)
        if filters.spaces:
            bitext = tidied(bitext, changed, place)
        if filters.replace_forbidden:
            bitext = without_forbidden(bitext, changed)
        chosen = chooser.wanted(bitext, place)
        yield bitext if chosen.all() else _chosen(bitext, chosen, whole=whole)


class _Chooser:
    """Tells which bisegments are wanted, and counts the others by the first reason."""

    def __init__(self, filters: Filters, dropped: Notes) -> None:
        self._filters, self._dropped = filters, dropped
        self._seen: set[bytes] = set()
        self._open = True  # whether the document pair that goes on is wanted

    def wants_document(self, bitext: Bitext) -> bool:
        pattern = self._filters.documents
        if not pattern:
            return True
        if not bitext.continues:
            names = (bitext.name, bitext.meta.get("src_doc", ""), bitext.meta.get("tgt_doc", ""))
            self._open = any(fnmatchcase(name, pattern) for name in names)
        if not self._open:
            kind = f"bisegments of documents that are not {pattern}"
            first = bitext.name or bitext.meta.get("src_doc", "") or bitext.meta.get("path", "")
            self._dropped.add(kind, first or "a document without a name", len(bitext.alignment))
        return self._open

    def wanted(self, bitext: Bitext, place: Place) -> NDArray[np.bool_]:
        filters, a = self._filters, bitext.alignment
        chosen = np.ones(len(a), dtype=np.bool_)

        def keep(kind: str, wanted: NDArray[np.bool_]) -> None:
            out = chosen & ~wanted
            if out.any():
                first = f"{name_of(bitext)}: {place.bead(bitext, int(out.argmax()))}"
                self._dropped.add(f"bisegments {kind}", first, int(out.sum()))
            chosen[:] &= wanted

        if filters.types:
            keep(f"of other types than {','.join(filters.types)}", self._of_types(bitext))
        if filters.min_score is not None:
            scores = np.full(len(a), np.nan) if a.scores is None else a.scores
            keep("without a score", ~np.isnan(scores))
            keep(f"with a score below {filters.min_score:g}", scores >= filters.min_score)
        if filters.drop_empty:
            keep("with an empty side", _filled(bitext.src, a.src) & _filled(bitext.tgt, a.tgt))
        if filters.unique:
            keep("that repeat an earlier one", self._new(bitext, chosen))
        return chosen

    def _of_types(self, bitext: Bitext) -> NDArray[np.bool_]:
        a = bitext.alignment
        found = np.zeros(len(a), dtype=np.bool_)
        for kind in self._filters.types:
            of_kind = np.ones(len(a), dtype=np.bool_)
            for wanted, rows in zip(kind.split("-"), (a.src, a.tgt), strict=True):
                if wanted != "*":
                    of_kind &= rows.lengths == int(wanted)
            found |= of_kind
        return found

    def _new(self, bitext: Bitext, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell which of the chosen were not seen before; the texts of a side are joined."""
        from hashlib import blake2b  # here: it brings 3 MB of OpenSSL

        new = np.ones(len(chosen), dtype=np.bool_)
        option = remedy("unique", python="unique=True")
        src, tgt = joined_sides(bitext, f"telling repeats ({option})")
        for k in np.flatnonzero(chosen).tolist():
            spelled = f"{src[k]}\0{tgt[k]}"
            digest = blake2b(spelled.encode("utf-8", "surrogatepass"), digest_size=_DIGEST).digest()
            new[k] = digest not in self._seen
            self._seen.add(digest)
        return new


def _filled(text: Text | None, rows: Rows) -> NDArray[np.bool_]:
    """Tell which rows have a segment, with more than white space where the text is known."""
    if text is None or not text.has_text:
        return rows.lengths > 0
    there = np.fromiter((not s or s.isspace() for s in text.segments()), np.bool_, len(text))
    members = (~there)[rows.idx].tolist()
    pointers = pairwise(rows.ptr.tolist())
    return np.fromiter((any(members[b:e]) for b, e in pointers), np.bool_, len(rows.ptr) - 1)


def _chosen(bitext: Bitext, chosen: NDArray[np.bool_], *, whole: bool) -> Bitext:
    """Return the bitext with the chosen bisegments only."""
    a = bitext.alignment.select(chosen)
    if whole:
        return replace(bitext, alignment=a)
    texts: list[Text | None] = []
    rows: list[Rows] = []
    for text, before, after in (
        (bitext.src, bitext.alignment.src, a.src),
        (bitext.tgt, bitext.alignment.tgt, a.tgt),
    ):
        if text is None:
            texts.append(None)
            rows.append(after)
            continue
        out = np.zeros(len(text), dtype=np.bool_)
        out[before.idx] = True
        out[after.idx] = False
        texts.append(_only(text, ~out))
        rows.append(after._replace(idx=(np.cumsum(~out) - 1)[after.idx]))
    smaller = type(a).from_arrays(rows[0], rows[1], scores=a.scores, attributes=a.attributes)
    return replace(bitext, src=texts[0], tgt=texts[1], alignment=smaller)


def _only(text: Text, kept: NDArray[np.bool_]) -> Text:
    which = np.flatnonzero(kept).tolist()
    ids = [text.ids[k] for k in which] if text.has_ids else None
    if text.line is None:
        return Text.of_ids(ids or [], name=text.name, lang=text.lang)
    return Text.from_offsets(
        text.line,
        text.starts[kept],
        text.ends[kept],
        ids=ids,
        name=text.name,
        lang=text.lang,
        marked=None if text.marked is None else [text.marked[k] for k in which],
    )


def _swapped(bitext: Bitext) -> Bitext:
    """Exchange the sides, of columns too."""
    turned = bitext.swapped()
    columns = {}
    for name, column in turned.alignment.attributes.items():
        other = {"src.": "tgt.", "tgt.": "src."}.get(name[:4])
        columns[f"{other}{name[4:]}" if other else name] = column
    a = turned.alignment
    alignment = type(a).from_arrays(a.src, a.tgt, scores=a.scores, attributes=columns)
    meta = dict(turned.meta)
    docs = meta.pop("src_doc", None), meta.pop("tgt_doc", None)
    meta |= {
        key: value
        for key, value in zip(("tgt_doc", "src_doc"), docs, strict=True)
        if value is not None
    }
    return replace(turned, alignment=alignment, meta=meta)


def _in_two_languages(bitext: Bitext, dropped: Notes, place: Place) -> Bitext:
    """Leave out the texts in further languages: one of a document pair for each language."""
    a = bitext.alignment
    further = [name for name in a.attributes if language_column(name)]
    if not further:
        return bitext
    if new := place.new_languages(a.attributes):
        case = f"{name_of(bitext)}: {', '.join(new)}"
        dropped.add("texts in further languages", case, len(new))
    columns = {name: column for name, column in a.attributes.items() if name not in further}
    alignment = type(a).from_arrays(a.src, a.tgt, scores=a.scores, attributes=columns)
    return replace(bitext, alignment=alignment)


def _rescored(bitext: Bitext, name: str, changed: Notes) -> Bitext:
    """Take a column of the alignment for its scores."""
    a = bitext.alignment
    column = a.attributes.get(name)
    if column is None:
        kind = f"bisegments without the column {name!r}, taken as without a score"
        changed.add(kind, name_of(bitext), len(a))
        column = [None] * len(a)
    known = [score_of(value or "") for value in column]
    if None in known:
        wrong = column[known.index(None)]
        raise InputError(
            f"{bitext.meta.get('path', 'the bitext')}: the column {name!r} holds {wrong!r:.40}; "
            f"want numbers: name another ({remedy('score')})"
        )
    scores = np.array(known, dtype=np.float64)
    columns = {key: values for key, values in a.attributes.items() if key != name}
    alignment = type(a).from_arrays(a.src, a.tgt, scores=scores, attributes=columns)
    return replace(bitext, alignment=alignment)
