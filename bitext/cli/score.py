"""`bitext score`: precision, recall and F of alignments, over one text or a corpus."""

from __future__ import annotations

import heapq
import json
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.cli.common import (
    SAMPLING,
    SHOWING,
    Parser,
    Progress,
    add_groups,
    add_output,
    deliver,
    name_systems,
    style_of,
    tell,
    tell_unpaired,
    value,
)
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bitext.formats.pairing import Pairing
    from bitext.metrics.evaluation import Evaluation
    from bitext.model import Bitext, Note
    from bitext.reports.places import PlaceView

__all__ = ["run"]

_EPILOG = """\
GOLD and HYP are files, folders (texts are paired by their names), or manifests: files of
tab-separated columns under the head 'text path [src tgt]'. Two files, as of Moses, are named
'a.en,a.fr'.

examples:
  bitext score gold.xml system.xml
  bitext score gold/ vecalign/ bleualign/ --src 'texts/{name}.en' --tgt 'texts/{name}.fr'
  bitext score gold.align hyp.align --src a.en --tgt a.fr --errors 5
"""


def _parser() -> Parser:
    parser = Parser(
        prog="bitext score",
        description="Precision, recall and F1 of alignments at alignment, sentence, word and "
        "character granularity.",
        epilog=_EPILOG,
    )
    parser.add_argument("gold", metavar="GOLD", help="the gold standard")
    parser.add_argument("hyps", metavar="HYP", nargs="+", help="what the systems propose")
    add_groups(parser, {"reading": _READING, "scoring": _SCORING, "showing": _SHOWING})
    add_output(parser)
    return parser


_share = value(float, "a share from 0 to 1")
_whole = value(int, "a whole number")
_flag = {"action": "store_true"}

_READING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--src",
        {"metavar": "TEXT"},
        (
            "the source text: a file with one segment a line or an XML document, a folder, or a "
            "pattern with {name}"
        ),
    ),
    ("--tgt", {"metavar": "TEXT"}, "the target text, likewise"),
    (
        "--hyp-src",
        {"metavar": "TEXT"},
        (
            "the source text that the systems went over, when cut into other segments; "
            "{system} and {name} are filled in"
        ),
    ),
    ("--hyp-tgt", {"metavar": "TEXT"}, "the target text, likewise"),
    (
        "--from",
        {"dest": "format_all", "metavar": "FORMAT"},
        "the format of all alignments (default: told by their contents)",
    ),
    ("--gold-from", {"metavar": "FORMAT"}, "the format of the gold standard"),
    (
        "--root",
        {"action": "append", "default": [], "metavar": "FOLDER"},
        "where documents lie that alignments name (default: the folder of each alignment); repeats",
    ),
    ("--encoding", {"default": "utf-8"}, "of files that do not declare one"),
    ("--names", {"metavar": "A,B"}, "the names of the systems"),
    (
        "--swap",
        {"action": "append", "default": [], "metavar": "SYSTEM"},
        "exchange source and target of a system; repeats",
    ),
    ("--no-swap-check", _flag, "score also what seems to have its sides exchanged"),
    (
        "--missing",
        {"choices": ("leave", "empty", "error"), "default": "leave"},
        (
            "a text that a system lacks: leave it out for all (default), take it as nothing "
            "proposed, or refuse"
        ),
    ),
    ("--partial", _flag, "the gold standard may stop long before the end of its texts"),
]
_SCORING: list[tuple[str, dict[str, Any], str]] = [
    (
        "-g --granularity",
        {"action": "append", "metavar": "NAME"},
        "alignment, sentence, word, character, strict, lax; repeats, or with commas (default: all)",
    ),
    ("--words", {"default": "space"}, "what a word is: space, unicode, treebank"),
    ("--characters", {"default": "codepoint"}, "codepoint or grapheme"),
    (
        "--similarity",
        _flag,
        (
            "bisegment similarity too, which grades near misses: a second table; in tsv, rows "
            "'similarity-sentence' (-word, -character) with figures in columns at the end"
        ),
    ),
    (
        "--min-matched",
        {"type": _share, "default": 0.9, "metavar": "SHARE"},
        "how much of the texts of gold and hyp must be the same (0.9)",
    ),
    *SAMPLING,
]
_SHOWING: list[tuple[str, dict[str, Any], str]] = [
    *SHOWING,
    ("--beads", _flag, "found and missed by bead type, and what the missed became"),
    (
        "--errors",
        {"type": _whole, "default": 0, "metavar": "N"},
        "the N worst places of each system, with their texts",
    ),
]


def run(arguments: Sequence[str]) -> int:
    """Score."""
    options = _parser().parse_args(arguments)
    style = style_of(options)
    if options.errors < 0:
        raise OptionError(f"--errors {options.errors}: want 0 or more")
    if options.errors and style not in {"table", "json"}:
        raise OptionError("--errors is for reading: give --format table, or --json")
    systems = name_systems(options.hyps, [options.gold], options.names)

    from bitext.metrics.evaluation import Evaluation
    from bitext.metrics.options import Options

    scoring = Options(
        measures=_measures(options.granularity),
        words=options.words,
        characters=options.characters,
        min_matched=options.min_matched,
        zero_division=options.zero_division,
        resamples=options.resamples,
        level=options.confidence,
        seed=options.seed,
        test=options.test,
    )
    detailed = options.beads or style == "json"
    evaluation = Evaluation(list(systems), scoring, detailed, similar=options.similarity)
    pairing = _pairing(options, systems)
    notes, places = _score(evaluation, pairing, options)
    if not options.no_swap_check:
        _refuse_swapped(evaluation, systems)
    notes += _unpaired_notes(pairing, options)
    if "word" in evaluation.left_out or "character" in evaluation.left_out:
        told = next(iter(evaluation.left_out.values()))
        notes.append(f"word and character granularity left out: {told} (--src, --tgt)")
    tell(notes, options)
    if style == "json":
        text = _document(evaluation, pairing, notes, places, options)
    else:
        text = _tables(evaluation, places, style, options)
    deliver(text, options)
    return 0


def _measures(given: list[str] | None) -> tuple[str, ...] | None:
    if given is None:
        return None
    return tuple(dict.fromkeys(part.strip() for text in given for part in text.split(",")))


def _pairing(options: argparse.Namespace, systems: dict[str, str]) -> Pairing:
    from bitext.formats.opening import check_encoding
    from bitext.formats.pairing import Pairing

    unknown = next((name for name in options.swap if name not in systems), None)
    if unknown is not None:
        raise OptionError(f"--swap {unknown!r}: want one of the systems {', '.join(systems)}")
    nowhere = next((root for root in options.root if not Path(root).is_dir()), None)
    if nowhere is not None:
        raise OptionError(f"--root {nowhere}: no such folder; check the path")
    if [options.gold, *options.hyps].count("-") > 1:
        raise OptionError("standard input (-) can be one alignment only")
    return Pairing(
        gold=options.gold,
        systems=systems,
        src=options.src,
        tgt=options.tgt,
        hyp_src=options.hyp_src,
        hyp_tgt=options.hyp_tgt,
        gold_format=options.gold_from or options.format_all,
        hyp_format=options.format_all,
        encoding=check_encoding(options.encoding),
        roots=options.root,
        swapped=frozenset(options.swap),
        missing=options.missing,
        partial=options.partial,
    )


def _score(
    evaluation: Evaluation, pairing: Pairing, options: argparse.Namespace
) -> tuple[list[str], list[PlaceView]]:
    """Read and score text by text; keep what was odd, and the worst places of each system."""
    notes: dict[str, Note] = {}
    worst: dict[str, list[tuple[int, int, PlaceView]]] = {name: [] for name in evaluation.systems}
    progress = Progress("scored", len(pairing), quiet=options.quiet)
    with closing(progress.over(pairing)) as items:
        for number, item in enumerate(items):
            compared = evaluation.add(item.gold, item.hyps, item.name)
            for role, bitext in zip(
                ("gold", *evaluation.systems), (item.gold, *item.hyps), strict=True
            ):
                _collect(notes, role, bitext)
            if options.errors:
                from bitext.metrics.breakdown import worst_places
                from bitext.reports.places import view

                for system, comparison in zip(evaluation.systems, compared, strict=True):
                    heap = worst[system]
                    for k, place in enumerate(worst_places(comparison, options.errors)):
                        shown = view(comparison, place, system=system, text=item.name)
                        heapq.heappush(heap, (place.weight, -number * options.errors - k, shown))
                        if len(heap) > options.errors:
                            heapq.heappop(heap)
    ranked = [
        view for heap in worst.values() for *_, view in sorted(heap, key=lambda x: (-x[0], -x[1]))
    ]
    return [str(note) for note in notes.values()], ranked


def _collect(notes: dict[str, Note], role: str, bitext: Bitext) -> None:
    """Add up the notes of the gold standard, and of each system, by kind."""
    for note in bitext.notes:
        kind = f"{role}: {note.kind}"
        known = notes.get(kind)
        count, first = (known.count, known.first) if known else (0, note.first)
        notes[kind] = replace(note, kind=kind, count=count + note.count, first=first)


def _refuse_swapped(evaluation: Evaluation, systems: dict[str, str]) -> None:
    for name, (given, exchanged) in evaluation.swapped_systems().items():
        raise InputError(
            f"{systems[name]}: source and target seem swapped: sentence F1 is {given:.4f} as given "
            f"and {exchanged:.4f} exchanged; score it with --swap {name}, or as it is with "
            f"--no-swap-check"
        )


def _unpaired_notes(pairing: Pairing, options: argparse.Namespace) -> list[str]:
    left = {"leave": "left out for all systems", "empty": "taken as nothing proposed"}
    notes = tell_unpaired(pairing.unpaired, lacking=left.get(options.missing, ""))
    gold, hyps = pairing.corpora()
    if options.verbose:
        for corpus in (gold, *hyps.values()):
            notes += [f"{corpus.path}: {name} holds no alignment" for name in corpus.aside]
    return notes


def _tables(
    evaluation: Evaluation, places: Sequence[PlaceView], style: str, options: argparse.Namespace
) -> str:
    from bitext.reports import scores
    from bitext.reports.places import render

    averages = ("micro", "macro") if options.average == "both" else (options.average,)
    make = scores.flat_table if style == "tsv" else scores.score_table
    parts = [make(evaluation, averages, texts=options.per_text).render(style)]
    if style in {"table", "markdown"}:
        parts.insert(0, scores.caption(evaluation, averages))
    if options.similarity and style != "tsv":
        if style != "latex":
            parts.append(scores.similarity_caption(evaluation))
        table = scores.similarity_table(evaluation, averages, texts=options.per_text)
        parts.append(table.render(style))
    if options.beads:
        parts.append(scores.bead_table(evaluation).render(style))
    columns = shutil.get_terminal_size((100, 24)).columns
    parts += [render(p, number=k, columns=columns) for k, p in enumerate(places, start=1)]
    if options.errors and not places:
        parts.append("no place differs from the gold standard\n")
    return "\n".join(parts)


def _document(
    evaluation: Evaluation,
    pairing: Pairing,
    notes: list[str],
    places: Sequence[PlaceView],
    options: argparse.Namespace,
) -> str:
    from bitext.reports.scores import to_json

    document = {**to_json(evaluation), "gold": options.gold, "systems": pairing.systems}
    document["unpaired"] = [
        {"text": lone.name, "where": lone.where, "extra": lone.extra} for lone in pairing.unpaired
    ]
    document["notes"] = notes
    if options.errors:
        document["places"] = [place.to_json() for place in places]
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"
