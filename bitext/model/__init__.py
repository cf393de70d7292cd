"""The nouns: texts, alignments, bitexts, segmentations, counts."""

from bitext.model.alignment import Alignment, Bisegment
from bitext.model.bitext import Bitext, Note
from bitext.model.counts import Counts
from bitext.model.segmentation import Segmentation
from bitext.model.text import Segment, Text

__all__ = [
    "Alignment",
    "Bisegment",
    "Bitext",
    "Counts",
    "Note",
    "Segment",
    "Segmentation",
    "Text",
]
