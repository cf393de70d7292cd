"""The nouns: texts, alignments, bitexts, segmentations, lattices, word links, counts, ratios."""

from bitext.model.algebra import (
    Change,
    Composition,
    changes,
    combine,
    compose,
    difference,
    head,
    sample,
)
from bitext.model.alignment import Alignment, Alignments, Bisegment
from bitext.model.bitext import Bitext, Join, Link, MultiLink, Multitext, join
from bitext.model.counts import Counts, CountsTable, Note, Ratio, Ratios
from bitext.model.lattice import Arcs, Lattice
from bitext.model.segmentation import Segmentation
from bitext.model.sentence import Cluster, Sentence, Token, Tree
from bitext.model.text import BLOCK_KINDS, Blocks, Segment, Text
from bitext.model.word_links import WordLinks

__all__ = [
    "BLOCK_KINDS",
    "Alignment",
    "Alignments",
    "Arcs",
    "Bisegment",
    "Bitext",
    "Blocks",
    "Change",
    "Cluster",
    "Composition",
    "Counts",
    "CountsTable",
    "Join",
    "Lattice",
    "Link",
    "MultiLink",
    "Multitext",
    "Note",
    "Ratio",
    "Ratios",
    "Segment",
    "Segmentation",
    "Sentence",
    "Text",
    "Token",
    "Tree",
    "WordLinks",
    "changes",
    "combine",
    "compose",
    "difference",
    "head",
    "join",
    "sample",
]
