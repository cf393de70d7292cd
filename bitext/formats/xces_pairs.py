"""A group of links made into a bitext: texts found, order of the halves told, ids resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.opening import Notes
from bitext.formats.xces_texts import Documents, natural_ranks, note_order, places
from bitext.kernels.rows import Rows
from bitext.model import Alignment, Bitext, Text

if TYPE_CHECKING:
    from typing import Literal

    from bitext.errors import FormatError
    from bitext.formats.opening import Source
    from bitext.formats.registry import ReadOptions
    from bitext.formats.xces_group import Group, Half

__all__ = ["Pairer", "pair_name"]

_OUR_NAMES = {"fromDoc": "src_doc", "toDoc": "tgt_doc"}


class Pairer:
    """Makes bitexts of the groups of one file."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._source = source
        self._options = options
        self._documents = Documents(source, options.roots)

    def bitext(self, group: Group, *, name: str, alone: bool) -> Bitext:
        """Return the bitext of a group; `alone` when it is the only one of its file.

        Raises
        ------
        FormatError
            When an id is not in its text; with the line of the first link that names it.

        """
        options = self._options
        over = (options.over_src, options.over_tgt) if alone else (None, None)
        known = (
            self._text(group, 0, over[0]) if options.src is None else options.src,
            self._text(group, 1, over[1]) if options.tgt is None else options.tgt,
        )
        halves = group.halves()
        turned = group.rooted and self._is_turned(group, halves, known)
        if turned:
            halves = halves[1], halves[0]
        src, src_rows = self._side(group, "source", halves, known)
        tgt, tgt_rows = self._side(group, "target", halves, known)
        scores = np.array(group.scores)
        columns = group.attribute_columns()
        if turned and "type" in columns:
            columns["type"] = [_turned(value) for value in columns["type"]]
        alignment = Alignment.from_arrays(
            src_rows,
            tgt_rows,
            scores=None if np.isnan(scores).all() else scores,
            attributes=columns,
        )
        self._note_order(group, (src, tgt), (src_rows, tgt_rows))
        meta = {_OUR_NAMES.get(key, key): value for key, value in group.attributes.items()}
        return Bitext(src, tgt, alignment, name=name, meta=meta, notes=group.notes.all())

    def _text(self, group: Group, side: int, over: Text | None) -> Text | None:
        """Return the document of a side, or the text of the other alignment."""
        notes = Notes()
        text = self._documents.find(group.pair[side], notes)
        if text is None and over is not None and (over.has_text or not over.has_ids):
            return over
        for note in notes.all():
            group.notes.add(note.kind, note.first, note.count)
        return text

    def _is_turned(
        self, group: Group, halves: tuple[Half, Half], known: tuple[Text | None, Text | None]
    ) -> bool:
        """Tell whether the left half points into toDoc, as InterText has it, and note why."""
        left, right = halves
        here = _lacking(left, known[0]) + _lacking(right, known[1])
        there = _lacking(left, known[1]) + _lacking(right, known[0])
        turned = there < here
        reason = f"by the ids, of which otherwise {max(here, there)} are not in the documents"
        if here == there:
            turned = "type" in group.columns or "status" in group.columns
            reason = "as the root linkGrp and its links with type or status are InterText's"
            if not turned:
                reason = "as the links have neither type nor status"
        document = group.attributes.get("toDoc" if turned else "fromDoc", "")
        group.notes.add(
            "alignments with linkGrp as root, the order of the sides told by their contents",
            f"{self._source.path}: the first ids are of {'toDoc' if turned else 'fromDoc'} "
            f"({document!r}), {reason}",
        )
        return turned

    def _side(
        self,
        group: Group,
        side: Literal["source", "target"],
        halves: tuple[Half, Half],
        known: tuple[Text | None, Text | None],
    ) -> tuple[Text, Rows]:
        """Return the text of a side and the segments of its bisegments, in the order written."""
        which = side == "target"
        (ids, rows), text = halves[which], known[which]
        if text is None:
            return Text.of_ids(ids, name=group.pair[which]), rows
        place = places(ids, text)
        if (place < 0).any():
            k = int(np.flatnonzero(place[rows.idx] < 0)[0])
            line = group.lines[int(np.searchsorted(rows.ptr, k, side="right")) - 1]
            swapped = not (_lacking(halves[0], known[1]) or _lacking(halves[1], known[0]))
            raise self._missing(side, ids[rows.idx[k]], text, line, swapped=swapped)
        return text, Rows(rows.ptr, place[rows.idx])

    def _missing(
        self, side: str, name: str, text: Text, line: int, *, swapped: bool
    ) -> FormatError:
        where = text.name or f"the {side} text"
        option = "--src" if side == "source" else "--tgt"
        if text.has_ids:
            ids = text.ids
            has = f"{len(ids)} ids, {ids[0]!r} to {ids[-1]!r}" if ids else "no ids"
            advice = f"give the document that was aligned ({option})"
        else:
            has = f"{len(text)} lines and no ids; ids as s1 can stand for lines if all are like it"
            advice = f"give the document with these ids ({option})"
        if swapped:
            advice = "with the two sides exchanged all ids are there: are they swapped (--swap)?"
        return self._source.error(
            f"xtargets names the {side} segment {name!r}, but {where} has {has}; {advice}", line
        )

    def _note_order(self, group: Group, texts: tuple[Text, Text], sides: tuple[Rows, Rows]) -> None:
        ranked = []
        for text, rows in zip(texts, sides, strict=True):
            ranks = None
            if not text.has_text and (rows.lengths > 1).any():
                ranks = natural_ranks(text.ids)
            ranked.append(rows if ranks is None else Rows(rows.ptr, ranks[rows.idx]))
        note_order(group.notes, self._source.path, group.lines, ranked)


def _lacking(half: Half, text: Text | None) -> int:
    """Count the ids that are not in the text; none are when there is no text."""
    return 0 if text is None else int((places(half.ids, text) < 0).sum())


def _turned(kind: str | None) -> str | None:
    """Exchange the sides of a bead type: `2-1` becomes `1-2`."""
    first, hyphen, second = (kind or "").partition("-")
    return f"{second}-{first}" if hyphen else kind


def pair_name(src: str, tgt: str) -> str:
    """Return a name for a pair of documents: what they share once, where they differ in braces.

    >>> pair_name("en/2001/a.xml.gz", "fr/2001/a.xml.gz")
    '{en,fr}/2001/a'
    """
    a = src.removesuffix(".gz").removesuffix(".xml").split("/")
    b = tgt.removesuffix(".gz").removesuffix(".xml").split("/")
    if a == b:
        return "/".join(a)
    most = min(len(a), len(b))
    head = next((k for k in range(most) if a[k] != b[k]), most)
    tail = next((k for k in range(most - head) if a[-1 - k] != b[-1 - k]), most - head)
    middle = f"{{{'/'.join(a[head : len(a) - tail])},{'/'.join(b[head : len(b) - tail])}}}"
    return "/".join([*a[:head], middle, *a[len(a) - tail :]])
