"""Documents (DOCX, HTML and others) as segmentations: sentences in paragraphs, or in sections.

A segment is a block of the document: a paragraph, heading, list item, table cell, verse or note;
or a section: the blocks from one heading, or from several in a row, up to the next. The units are
sentences, split by a function of `ReadingOptions`, since rules of languages are above the formats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.formats.documents import read_document
from bitext.formats.segmentations.collecting import Collected, Reading, Units

if TYPE_CHECKING:
    from bitext.formats.io.source import Source
    from bitext.formats.segmentations.collecting import ReadingOptions

__all__ = ["DOCUMENT", "read_blocks"]

DOCUMENT = "document"
"""The name of the spelling."""


def read_blocks(source: Source, options: ReadingOptions) -> Reading:
    """Read a document as one text.

    Raises
    ------
    FormatError
        When the document cannot be read, has no text, or no headings where these are wanted.

    """
    if options.split is None:
        raise source.error(
            "is a document, whose units are its sentences: bitext.compare and 'bitext compare' "
            "split it; give its segmentation in a file"
        )
    document = read_document(source)
    blocks = [
        (number, block, sentences)
        for number, (block, sentences) in enumerate(
            zip(document.blocks, options.split(source, document), strict=True), start=1
        )
        if sentences
    ]
    if not blocks:
        raise source.error("has no text; want a document with paragraphs")
    if options.sections and not any(block.kind == "heading" for _, block, _ in blocks):
        raise source.error("has no headings, and its sections are wanted: leave them out")
    collected = Collected(source)
    units: list[str] = []
    places: list[int] = []
    begun, was_heading = 0, True
    for number, block, sentences in blocks:
        is_heading = block.kind == "heading"
        begins = is_heading and not was_heading if options.sections else True
        if begins and len(units) > begun:
            collected.masses.append(len(units) - begun)
            begun = len(units)
        units += [" ".join(sentence.split()) for sentence in sentences]
        places += [number] * len(sentences)
        was_heading = is_heading
    collected.masses.append(len(units) - begun)
    collected.add(None, places[0])
    text = Units("\n".join(units), np.array(places, dtype=np.int64))
    segments = "sections" if options.sections else "paragraphs (and headings, items, notes)"
    source.notes.add(f"documents, read as sentences in {segments}", source.path)
    return collected.reading(DOCUMENT, units=(text,))
