"""The nouns: texts, alignments, bitexts, segmentations, counts, ratios."""

from bitext.model.alignment import Alignment, Bisegment
from bitext.model.bitext import Bitext, Note
from bitext.model.counts import Counts, CountsTable
from bitext.model.ratio import Ratio, Ratios
from bitext.model.segmentation import Segmentation
from bitext.model.text import Segment, Text

__all__ = [
    "Alignment",
    "Bisegment",
    "Bitext",
    "Counts",
    "CountsTable",
    "Note",
    "Ratio",
    "Ratios",
    "Segment",
    "Segmentation",
    "Text",
]
