"""A bitext: two texts and an alignment between them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import AlignmentError, InputError, many
from bitext.kernels.rows import row_of
from bitext.model.alignment import Alignment
from bitext.model.text import Text
from bitext.model.word_links import tokens
from bitext.notebooks import InNotebooks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from bitext.kernels.rows import Rows

__all__ = ["Bitext", "Note"]


@dataclass(frozen=True, slots=True)
class Note:
    """A note of a reader on unusual input that was read all the same, counted by kind.

    Attributes
    ----------
    kind : str
        The kind, in the plural: `bisegments without any segment`.
    count : int
        The number of cases.
    first : str
        The first case, with its place.

    """

    kind: str
    count: int
    first: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.count:,}, first {self.first}"


@dataclass(frozen=True, slots=True, eq=False)
class Bitext(InNotebooks):
    """Two texts and an alignment between them, with metadata.

    Attributes
    ----------
    src, tgt : Text or None
        The two texts; `None` where only the positions of the segments are known.
    alignment : Alignment
        Its indices point to the segments of the two texts.
    name : str
        The name of the text in its corpus.
    meta : mapping of str to str
        Further data of the file: documents, languages, version, ...
    notes : tuple of Note
        The notes of its reader on unusual input.
    continues : bool
        Whether this bitext continues the document pair of the one before: a reader may yield a long
        pair in parts, each with its own segments, counted from 0.
    lines : array of int or None
        The line of the file on which each bisegment begins, where the reader was asked for lines.

    Two bitexts are equal when their texts and alignments are equal; names, metadata and notes do
    not count.

    Raises
    ------
    AlignmentError
        When a bisegment has an index beyond its text; the message names the bisegment.
    InputError
        When a text is no `Text`, or the alignment no `Alignment`.

    Examples
    --------
    >>> from bitext import Alignment, Text
    >>> bt = Bitext(Text(["Yes."]), Text(["Oui."]), Alignment([((0,), (0,))]))
    >>> bt.pairs()
    [(['Yes.'], ['Oui.'])]

    """

    src: Text | None
    tgt: Text | None
    alignment: Alignment
    name: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    continues: bool = False
    lines: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        a = self.alignment
        if not isinstance(a, Alignment):
            raise InputError(f"the alignment is {a!r:.60}: want an Alignment, as Alignment([...])")
        for side, text, rows, size in (
            ("source", self.src, a.src, a.src_size),
            ("target", self.tgt, a.tgt, a.tgt_size),
        ):
            if text is not None and not isinstance(text, Text):
                raise InputError(
                    f"the {side} text is {text!r:.60}: want a Text, as Text([...]), or None"
                )
            if text is not None and size > len(text):
                k = int(row_of(rows)[np.flatnonzero(rows.idx >= len(text))[0]])
                raise AlignmentError(
                    f"bisegment {k} has the {side} index {rows.row(k).max()}, but the {side} text"
                    f"{f' {text.name}' if text.name else ''} has {many(len(text), 'segment')}: "
                    f"want indices below that"
                )

    def swapped(self) -> Bitext:
        """Return the same bitext with source and target exchanged."""
        return replace(self, src=self.tgt, tgt=self.src, alignment=self.alignment.swapped())

    def words(self) -> tuple[list[list[str]] | None, list[list[str]] | None]:
        """Return the words of both sides of each bisegment, as word links count them.

        A side without characters is `None`.
        """
        src, tgt = (
            _words(text, rows)
            for text, rows in ((self.src, self.alignment.src), (self.tgt, self.alignment.tgt))
        )
        return src, tgt

    def pairs(self) -> list[tuple[list[str], list[str]]]:
        """Return the characters of the segments of each bisegment, in order of the alignment.

        Raises
        ------
        InputError
            When a text is missing or has identifiers only.

        """
        if self.src is None or self.tgt is None or not (self.src.has_text and self.tgt.has_text):
            raise InputError(
                f"{self.name or 'the bitext'} lacks the characters of a text: give those of both"
            )
        src, tgt = list(self.src.segments()), list(self.tgt.segments())
        return [([src[s] for s in bead.src], [tgt[t] for t in bead.tgt]) for bead in self.alignment]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bitext):
            return NotImplemented
        mine, theirs = (self.src, self.tgt, self.alignment), (other.src, other.tgt, other.alignment)
        return mine == theirs

    def __hash__(self) -> int:
        return hash(self.alignment)

    def __repr__(self) -> str:
        name = f" {self.name!r}" if self.name else ""
        return f"<Bitext{name}: {self.src!r}, {self.tgt!r}, {self.alignment!r}>"


def _words(text: Text | None, rows: Rows) -> list[list[str]] | None:
    if text is None or not text.has_text:
        return None
    segments = list(text.segments())
    members, bounds = rows.idx.tolist(), rows.ptr.tolist()
    return [
        tokens(" ".join([segments[m] for m in members[begin:end]]))
        for begin, end in pairwise(bounds)
    ]
