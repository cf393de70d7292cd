"""Writing texts in more than two languages: a row for the segments that correspond.

Tables have a column for each language, named by its code, and JSON and Parquet a field of
`translation`; further columns are `score` and, where there are several documents, `document`. The
segments of a cell are joined by a blank. Readers choose two of the languages.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.errors import OptionError
from bitext.formats.beads import joined_rows
from bitext.formats.io.output import write_together
from bitext.formats.io.source import Notes
from bitext.formats.line_files import spell_scores
from bitext.formats.registry import all_formats
from bitext.formats.writing import count_losses
from bitext.kernels.rows import Rows, take
from bitext.model import Alignment, Bitext
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.registry import Format
    from bitext.model import Multitext

__all__ = ["Part", "deliver_multitexts", "parts_of", "refuse_two_sided"]


def refuse_two_sided(known: Format) -> None:
    """Refuse a format that holds two languages only.

    Raises
    ------
    OptionError
        Naming the formats that hold more.

    """
    if known.write_multitexts is None:
        those = ", ".join(name for name, each in all_formats().items() if each.write_multitexts)
        raise OptionError(
            f"{known.name} holds two languages: choose a format that holds more ({remedy('to')}), "
            f"one of: {those}"
        )


class Part(NamedTuple):
    """The rows of a document, as columns.

    Attributes
    ----------
    cells : dict of str to list of (str or None)
        The text of each row in each language; `None` where a row lacks the language.
    scores : list of float or None
        The scores; `None` where no document has any, `nan` for rows without.
    document : str or None
        The name of the document; `None` where there is only one.

    """

    cells: dict[str, list[str | None]]
    scores: list[float] | None
    document: str | None

    def columns(self) -> dict[str, list[str]]:
        """Return all columns by their names in a header, with empty cells for missing values."""
        made = {lang: [cell or "" for cell in column] for lang, column in self.cells.items()}
        size = len(next(iter(made.values())))
        if self.scores is not None:
            made["score"] = spell_scores(np.array(self.scores))
        if self.document is not None:
            made["document"] = [self.document] * size
        return made


def parts_of(multitexts: Sequence[Multitext], *, breaks: bool = True) -> Iterator[Part]:
    """Yield the rows of each document; tabs and line ends become blanks without `breaks`."""
    scored = any(each.scores is not None for each in multitexts)
    for number, each in enumerate(multitexts, start=1):
        present = each.present
        cells: dict[str, list[str | None]] = {}
        for k, (text, rows) in enumerate(zip(each.texts, each.rows, strict=True)):
            joined = joined_rows(text, rows, " ", breaks=breaks)
            cells[text.lang] = [
                cell if there else None
                for cell, there in zip(joined, present[:, k].tolist(), strict=True)
            ]
        scores = None
        if scored:
            none = np.full(len(each), np.nan)
            scores = (none if each.scores is None else each.scores).tolist()
        yield Part(cells, scores, (each.name or str(number)) if len(multitexts) > 1 else None)


def deliver_multitexts(
    multitexts: Sequence[Multitext], path: str, known: Format, *, losses: Notes, notes: Notes
) -> None:
    """Write multi-parallel texts to a file, which appears only when complete.

    Parameters
    ----------
    multitexts : sequence of Multitext
        The documents, all in the same languages.
    path : str
        The file, `-` for standard output.
    known : Format
        The format.
    losses, notes : Notes
        Take the counts of properties that the format cannot hold, and its remarks.

    Raises
    ------
    InputError
        When the file cannot be written.
    OptionError
        When the format holds two languages only.

    """
    refuse_two_sided(known)
    for each in multitexts:
        _count(each, known, losses, notes)
    with write_together((path,), binary=known.binary) as outs:
        if known.write_multitexts is not None:
            known.write_multitexts(multitexts, *outs)


# Properties that a row of cells does not show, whatever it can for two languages.
_LOST = ("borders", "crossings", "gaps", "overlaps", "uncovered", "ids", "paragraphs", "times")
# Those that a row shows by its columns.
_SHOWN = ("languages", "documents", "document_names")


def _count(multitext: Multitext, known: Format, losses: Notes, notes: Notes) -> None:
    changed: dict[str, Any] = dict.fromkeys(_LOST, False) | dict.fromkeys(_SHOWN, True)
    keeps = replace(known.keeps, **changed)
    for text, rows in zip(multitext.texts, multitext.rows, strict=True):
        some = take(rows, np.flatnonzero(rows.lengths))
        size = len(some.ptr) - 1
        none = Rows(np.zeros(size + 1, dtype=np.int64), np.zeros(0, dtype=np.int64))
        side = Bitext(text, None, Alignment.from_arrays(some, none), name=multitext.name)
        own, remarks = Notes(), Notes()
        count_losses(side, replace(keeps, empty_sides=True), own)
        if known.remarks is not None:
            for _ in known.remarks([side], remarks):
                pass
        where = f"{multitext.name}: {text.lang}" if multitext.name else text.lang
        for collector, those in ((losses, own), (notes, remarks)):
            for note in those:
                collector.add(note.kind, where, note.count)
