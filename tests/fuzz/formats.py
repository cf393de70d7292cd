"""Targets: each format of alignments, read whole and in parts, written and read again."""

from __future__ import annotations

import io
import math

from bitext.errors import BitextError, FormatError
from bitext.formats import registry
from bitext.formats.io.source import Source
from bitext.formats.registry import ReadOptions, WriteOptions, all_formats
from fuzz import samples
from fuzz.target import Target, coin
from fuzz.verdict import Wrong, named

NAMES = "made", "second"
_LANGUAGES = ({}, {}, {}, {"src_lang": "en", "tgt_lang": "fr"}, {"src_lang": "fr"})
ROOTS = (samples.FIXTURES / "mill",)


def targets():
    """Return a target for each format."""
    return [_target(known) for known in all_formats().values() if known.read is not None]


def _target(known):
    def run(content):
        known.sniff(content[: 1 << 16])
        registry.sniff(content[: 1 << 16], f"made{coin(content, 9)}.{known.name}")
        options = {
            "roots": ROOTS,
            "lines": coin(content, 2, 1) == 1,
            **_LANGUAGES[coin(content, len(_LANGUAGES), 2)],
        }
        whole = seen(known, content, **options)
        if isinstance(whole, BitextError):
            return
        parts = seen(known, content, **{**options, "parts": True})
        if known.name != "tsv":  # which looks at less before it begins, in parts
            if isinstance(parts, BitextError):
                raise Wrong(f"in parts it is refused: {parts}")
            if _beads(parts) != _beads(whole):
                raise Wrong(f"in parts it has {_beads(parts)} beads, whole {_beads(whole)}")
        if known.write is not None and (known.holds == "text" or known.name == "vecalign"):
            round_trip(known, whole)

    return Target(
        known.name, run, lambda: samples.of_format(known.name), _KINDS.get(known.name, "")
    )


_KINDS = {"parquet": "bytes", "po": "lines", "giza": "lines"}


def _beads(bitexts):
    return sum(len(bitext.alignment) for bitext in bitexts)


def seen(known, content, **options):
    """Read an input; return its bitexts, checked, or the error."""
    first, _, other = content.partition(samples.BOTH) if known.two_files else (content, b"", b"")
    refused = []
    with Source(NAMES[0], io.BytesIO(first)) as source, _second(other) as second, named(*NAMES):
        if coin(content, 3, 3) == 0:
            source.on_bad = refused.append
        try:
            given = ReadOptions(second=second if known.two_files else None, **options)
            found = list(known.read(source, given))
        except FormatError as error:
            check_place(error, content)
            return error
        for bitext in found:
            check(bitext, known)
        for note in source.notes.all():
            if "\n" in note.first or note.count < 1:
                raise Wrong(f"a note is {note!r}")
    for error in refused:
        check_place(error, content)
    return found


def _second(content):
    return Source(NAMES[1], io.BytesIO(content))


def check_place(error, content):
    """Hold the line of an error to be one of the file."""
    most = content.count(b"\n") + content.count(b"\r") + 2
    if error.line is not None and not 0 < error.line <= most:
        raise Wrong(f"an error names line {error.line} of {most}: {error}")


def check(bitext, known):
    """Hold a bitext to be one: everything in it can be asked for, and fits."""
    alignment = bitext.alignment
    for text, rows in ((bitext.src, alignment.src), (bitext.tgt, alignment.tgt)):
        check_side(text, rows, known, bitext)
    many = [("lines", bitext.lines), ("scores", alignment.scores), ("beads", list(alignment))]
    for name, values in [*many, *alignment.attributes.items()]:
        if values is not None and len(values) != len(alignment):
            raise Wrong(f"{name} are not one a bead")


def check_side(text, rows, known, bitext):
    """Hold one side of the beads to lie in its text."""
    held = rows.idx
    if text is not None:
        segments = list(text.segments())
        if not all(isinstance(segment, str) for segment in segments):
            raise Wrong("a segment is no text")
        if len(text.ids) != len(segments):
            raise Wrong("ids are not as many as segments")
        if held.size and not 0 <= held.min() <= held.max() < len(segments):
            raise Wrong("a bead points out of its text")
    elif bitext.meta.get("holds", known.holds) == "text" and known.name != "jsonl":
        raise Wrong("a side has no text")
    if held.size and held.min() < 0:
        raise Wrong("a bead has a position below 0")


def round_trip(known, bitexts):
    """Hold what is read, written, read and written to be what was written first."""
    try:
        first = samples.written(known, bitexts, WriteOptions())
    except BitextError:  # the format cannot hold what it was read from: so it is told
        return
    again = seen(known, first)
    if isinstance(again, BitextError):
        raise Wrong(f"what was written is refused: {again}")
    second = samples.written(known, again, WriteOptions())
    if first != second:
        at = next(
            (k for k, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
            min(len(first), len(second)),
        )
        near = slice(max(0, at - 60), at + 60)
        raise Wrong(f"written again it is another file: {first[near]!r} and {second[near]!r}")


def told(bitexts):
    """Return all that bitexts say, for comparison."""
    if isinstance(bitexts, BitextError):
        return "refused", bitexts.line
    return [
        (
            [tuple(bead) for bead in bitext.alignment],
            [_side(text) for text in (bitext.src, bitext.tgt)],
            {name: list(column) for name, column in bitext.alignment.attributes.items()},
            _scores(bitext.alignment.scores),
            (bitext.name, dict(bitext.meta)),
            None if bitext.lines is None else bitext.lines.tolist(),
            sorted((note.kind, note.count, note.first) for note in bitext.notes),
        )
        for bitext in bitexts
    ]


def _side(text):
    if text is None:
        return None
    paragraphs = text.paragraphs and list(text.paragraphs.masses)
    marked = getattr(text, "marked", None)
    return list(text.segments()), list(text.ids), text.lang, text.name, paragraphs, marked


def _scores(scores):
    return None if scores is None else [None if math.isnan(s) else s for s in scores.tolist()]
