"""Score, make and convert alignments of parallel texts.

A bitext is two texts and an alignment: a set of bisegments, each a pair (subset of the source
segments, subset of the target segments). Everything here reads, makes, scores, shows or writes
bitexts.

- `bitext.align`: sentences of translated texts, words of comparable ones, lattices
- `bitext.segment`: paragraph boundaries in running text
- `bitext.metrics`: measures of alignments, metrics of segmentations, agreement, significance
- `bitext.formats`: file formats: TMX, XLIFF, XCES, TEI, PO and others
- `bitext.syntax`: trees, chunks and traces of sentences; taggers and parsers
- `bitext.model`: the values that all of these use: texts, alignments, segmentations, lattices
- `bitext.jobs`: work over many documents, on all cores or many machines
- `bitext.reports`: pages, tables and drawings of the results
- `bitext.scoring`: whole evaluations, from files or values: `evaluate`, `compare`
- `bitext.workbench`: gold standards in the browser: the file of a project, its server, the page
- `bitext.notebooks`: the figure of a value in a notebook
- `bitext.lazy`: public names that are imported on first use
- `bitext.paths`: checks of paths, and files that appear only when they are complete
- `bitext.kernels`: the dynamic programs, from arrays to arrays
- `bitext.cli`: the command line, one module a command
- `bitext.errors`: the errors, all under `bitext.BitextError`, and the names of options in their
  messages
- `bitext.plugins`: formats, metrics and aligners of other installed packages

The guides are in the folder `docs` of the repository; `docs/index.md` lists them, `docs/python.md`
is the one on Python.

>>> import bitext
>>> gold = bitext.Alignment([((0,), (0,)), ((1,), (1, 2))])
>>> hyp = bitext.Alignment([((0,), (0,)), ((), (1,)), ((1,), (2,))])
>>> from bitext.metrics import arcade
>>> arcade(gold, hyp)["alignment"].f1, arcade(gold, hyp)["sentence"].f1
(0.4, 0.8)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.lazy import imported_late
from bitext.notebooks import drawn_by

__version__ = "0.2.0.dev0"

if TYPE_CHECKING:
    from bitext.errors import (
        AlignmentError,
        BitextError,
        FormatError,
        InputError,
        JobError,
        LatticeError,
        MissingExtraError,
        OptionError,
        PluginError,
        SegmentationError,
    )
    from bitext.formats import read, read_all, write
    from bitext.formats.clusters import read_cluster
    from bitext.formats.lattices import read_lattice, write_lattice
    from bitext.formats.segmentations import read_coders, read_segmentations
    from bitext.model import (
        Alignment,
        Bisegment,
        Bitext,
        Cluster,
        Counts,
        Lattice,
        Ratio,
        Segment,
        Segmentation,
        Sentence,
        Text,
        Token,
        Tree,
        WordLinks,
    )
    from bitext.scoring.alignments import evaluate
    from bitext.scoring.segmentations import compare

# The module of each public name, imported on first use.
_HOMES = {
    "bitext.errors": (
        "AlignmentError",
        "BitextError",
        "FormatError",
        "InputError",
        "JobError",
        "LatticeError",
        "MissingExtraError",
        "OptionError",
        "PluginError",
        "SegmentationError",
    ),
    "bitext.formats": ("read", "read_all", "write"),
    "bitext.formats.clusters": ("read_cluster",),
    "bitext.formats.lattices": ("read_lattice", "write_lattice"),
    "bitext.formats.segmentations": ("read_coders", "read_segmentations"),
    "bitext.model": (
        "Alignment",
        "Bisegment",
        "Bitext",
        "Cluster",
        "Counts",
        "Lattice",
        "Ratio",
        "Segment",
        "Segmentation",
        "Sentence",
        "Text",
        "Token",
        "Tree",
        "WordLinks",
    ),
    "bitext.scoring.alignments": ("evaluate",),
    "bitext.scoring.segmentations": ("compare",),
}

# The public packages, available without an import of their own.
_ROOMS = (
    *("align", "errors", "formats", "jobs", "metrics", "model", "reports", "scoring", "segment"),
    "syntax",
)

__all__ = [
    "Alignment",
    "AlignmentError",
    "Bisegment",
    "Bitext",
    "BitextError",
    "Cluster",
    "Counts",
    "FormatError",
    "InputError",
    "JobError",
    "Lattice",
    "LatticeError",
    "MissingExtraError",
    "OptionError",
    "PluginError",
    "Ratio",
    "Segment",
    "Segmentation",
    "SegmentationError",
    "Sentence",
    "Text",
    "Token",
    "Tree",
    "WordLinks",
    "compare",
    "evaluate",
    "read",
    "read_all",
    "read_cluster",
    "read_coders",
    "read_lattice",
    "read_segmentations",
    "write",
    "write_lattice",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = imported_late(__name__, _HOMES, rooms=_ROOMS)

_FIGURES = "bitext.reports.notebook"  # draws the figures of a notebook; imported on first use


def _drawn(value: object) -> str | None:
    from importlib import import_module

    found: str | None = import_module(_FIGURES).html(value)
    return found


drawn_by(_drawn)
