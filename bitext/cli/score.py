"""`bitext score`: precision, recall and F of alignments, over one text or a corpus."""

from __future__ import annotations

import heapq
import json
import shutil
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.cli.common import Parser, Progress, add_output, deliver, style_of, tell, value
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from bitext.formats.pairing import Pairing
    from bitext.metrics.evaluation import Difference, Evaluation, Row
    from bitext.model import Bitext, Note
    from bitext.reports.places import PlaceView

__all__ = ["run"]

_EPILOG = """\
GOLD and HYP are files, folders (texts are paired by their names), or manifests: files of
tab-separated columns under the head 'text path [src tgt]'. Two files, as of Moses, are named 'a.en,a.fr'.

examples:
  bitext score gold.xml system.xml
  bitext score gold/ vecalign/ bleualign/ --src 'texts/{name}.en' --tgt 'texts/{name}.fr'
  bitext score gold.align hyp.align --src a.en --tgt a.fr --errors 5
"""
_MARKS = ((0.01, "**"), (0.05, "*"))


def _parser() -> Parser:
    parser = Parser(
        prog="bitext score",
        description="Precision, recall and F1 of alignments at alignment, sentence, word and "
        "character granularity.",
        epilog=_EPILOG,
    )
    parser.add_argument("gold", metavar="GOLD", help="the gold standard")
    parser.add_argument("hyps", metavar="HYP", nargs="+", help="what the systems propose")
    reading = parser.add_argument_group("reading")
    reading.add_argument(
        "--src",
        metavar="TEXT",
        help="the source text: a file with one segment "
        "a line or an XML document, a folder, or a pattern with {name}",
    )
    reading.add_argument("--tgt", metavar="TEXT", help="the target text, likewise")
    reading.add_argument(
        "--hyp-src",
        metavar="TEXT",
        help="the source text that the systems "
        "went over, when cut into other segments; {system} and {name} are filled in",
    )
    reading.add_argument("--hyp-tgt", metavar="TEXT", help="the target text, likewise")
    reading.add_argument(
        "--from",
        dest="format_all",
        metavar="FORMAT",
        help="the format of all alignments (default: told by their contents)",
    )
    reading.add_argument("--gold-from", metavar="FORMAT", help="the format of the gold standard")
    reading.add_argument(
        "--root",
        action="append",
        default=[],
        metavar="FOLDER",
        help="where "
        "documents lie that alignments name (default: the folder of each alignment); repeats",
    )
    reading.add_argument("--encoding", default="utf-8", help="of files that do not declare one")
    reading.add_argument("--names", metavar="A,B", help="the names of the systems")
    reading.add_argument(
        "--swap",
        action="append",
        default=[],
        metavar="SYSTEM",
        help="exchange source and target of a system; repeats",
    )
    reading.add_argument(
        "--no-swap-check",
        action="store_true",
        help="score also what seems to have its sides exchanged",
    )
    reading.add_argument(
        "--missing",
        choices=("leave", "empty", "error"),
        default="leave",
        help="a text that a system lacks: leave it out for all (default), take it as nothing "
        "proposed, or refuse",
    )
    scoring = parser.add_argument_group("scoring")
    scoring.add_argument(
        "-g",
        "--granularity",
        action="append",
        metavar="NAME",
        help="alignment, "
        "sentence, word, character, strict, lax; repeats, or with commas (default: all)",
    )
    scoring.add_argument(
        "--words", default="space", help="what a word is: space, unicode, treebank"
    )
    scoring.add_argument("--characters", default="codepoint", help="codepoint or grapheme")
    scoring.add_argument(
        "--min-matched",
        type=value(float, "a share from 0 to 1"),
        default=0.9,
        metavar="SHARE",
        help="how much of the texts of gold and hyp must be the same (0.9)",
    )
    scoring.add_argument(
        "--zero-division",
        type=value(float, "a number"),
        default=float("nan"),
        metavar="VALUE",
        help="what 0/0 counts as (default: undefined)",
    )
    scoring.add_argument(
        "--resamples",
        type=value(int, "a whole number"),
        default=10_000,
        metavar="N",
        help="of intervals and tests; 0 for none (10000)",
    )
    scoring.add_argument(
        "--confidence",
        type=value(float, "a share from 0 to 1"),
        default=0.95,
        metavar="SHARE",
        help="of the intervals (0.95)",
    )
    scoring.add_argument("--seed", type=value(int, "a whole number"), default=0, metavar="N")
    scoring.add_argument(
        "--test",
        choices=("randomisation", "bootstrap"),
        default="randomisation",
        help="paired test of each system against the first",
    )
    showing = parser.add_argument_group("showing")
    showing.add_argument(
        "--average",
        choices=("micro", "macro", "both"),
        default="micro",
        help="pooled counts (default), or the mean over texts",
    )
    showing.add_argument("--per-text", action="store_true", help="the figures of every text too")
    showing.add_argument(
        "--beads",
        action="store_true",
        help="found and missed by bead type, and what the missed became",
    )
    showing.add_argument(
        "--errors",
        type=value(int, "a whole number"),
        default=0,
        metavar="N",
        help="the N worst places of each system, with their texts",
    )
    add_output(parser)
    return parser


def run(arguments: Sequence[str]) -> int:
    """Score."""
    options = _parser().parse_args(arguments)
    style = style_of(options)
    if options.errors < 0:
        raise OptionError(f"--errors {options.errors}: want 0 or more")
    if options.errors and style not in {"table", "json"}:
        raise OptionError("--errors is for reading: give --format table, or --json")
    systems = _systems(options)

    from bitext.metrics.evaluation import Evaluation, Options

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
    evaluation = Evaluation(list(systems), scoring, detailed=options.beads or style == "json")
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
        text = _json(evaluation, pairing, notes, places, options)
    else:
        text = _tables(evaluation, places, style, options)
    deliver(text, options)
    return 0


def _measures(given: list[str] | None) -> tuple[str, ...] | None:
    if given is None:
        return None
    return tuple(dict.fromkeys(part.strip() for text in given for part in text.split(",")))


def _systems(options: argparse.Namespace) -> dict[str, str]:
    """Name the systems: as asked for, else by their files, with as much path as tells them apart."""
    paths: list[str] = options.hyps
    if options.names:
        names = [name.strip() for name in options.names.split(",")]
        if len(names) != len(paths) or len(set(names)) < len(names) or not all(names):
            raise OptionError(
                f"--names {options.names!r}: want {len(paths)} different names with commas, one "
                f"for each HYP"
            )
        return dict(zip(names, paths, strict=True))
    from bitext.formats.corpus import text_name

    whole = [Path(text_name(Path(path))).parts if path != "-" else ("stdin",) for path in paths]
    for depth in range(1, max(map(len, whole)) + 1):
        names = ["/".join(parts[-depth:]) for parts in whole]
        if len(set(names)) == len(names):
            return dict(zip(names, paths, strict=True))
    if len(set(paths)) < len(paths):
        twice = next(path for path in paths if paths.count(path) > 1)
        raise OptionError(f"{twice} is given twice as HYP: give each system once")
    return {path: path for path in paths}


def _pairing(options: argparse.Namespace, systems: dict[str, str]) -> Pairing:
    from bitext.formats.opening import check_encoding
    from bitext.formats.pairing import Pairing

    unknown = next((name for name in options.swap if name not in systems), None)
    if unknown is not None:
        raise OptionError(f"--swap {unknown!r}: want one of the systems {', '.join(systems)}")
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
    )


def _score(
    evaluation: Evaluation, pairing: Pairing, options: argparse.Namespace
) -> tuple[list[str], list[PlaceView]]:
    """Read and score text by text; keep what was odd, and the worst places of each system."""
    notes: dict[str, tuple[int, str]] = {}
    worst: dict[str, list[tuple[int, int, PlaceView]]] = {name: [] for name in evaluation.systems}
    progress = Progress("scored", len(pairing), quiet=options.quiet)
    for number, item in enumerate(progress.over(pairing)):
        compared = evaluation.add(item.gold, item.hyps, item.name)
        for bitext in (item.gold, *item.hyps):
            _collect(notes, bitext)
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
    told = [f"{kind}: {count:,}, first {first}" for kind, (count, first) in notes.items()]
    ranked = [
        view for heap in worst.values() for *_, view in sorted(heap, key=lambda x: (-x[0], -x[1]))
    ]
    return told, ranked


def _collect(notes: dict[str, tuple[int, str]], bitext: Bitext) -> None:
    note: Note
    for note in bitext.notes:
        count, first = notes.get(note.kind, (0, note.first))
        notes[note.kind] = (count + note.count, first)


def _refuse_swapped(evaluation: Evaluation, systems: dict[str, str]) -> None:
    for name, (given, exchanged) in evaluation.swapped_systems().items():
        raise InputError(
            f"{systems[name]}: source and target seem swapped: sentence F1 is {given:.4f} as given "
            f"and {exchanged:.4f} exchanged; score it with --swap {name}, or as it is with "
            f"--no-swap-check"
        )


def _unpaired_notes(pairing: Pairing, options: argparse.Namespace) -> list[str]:
    notes = []
    for path in dict.fromkeys(u.where for u in pairing.unpaired):
        for extra in (False, True):
            names = [u.name for u in pairing.unpaired if u.where == path and u.extra == extra]
            if not names:
                continue
            few = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
            what = "has no partner in the gold standard, left out"
            if not extra:
                left = {"leave": "left out for all systems", "empty": "taken as nothing proposed"}
                what = f"lacks, {left[options.missing]}"
                notes.append(f"{len(names)} texts that {path} {what}: {few}")
            else:
                notes.append(f"{len(names)} texts of {path}: {what}: {few}")
    gold, hyps = pairing.corpora()
    if options.verbose:
        for corpus in (gold, *hyps.values()):
            notes += [f"{corpus.path}: {name} holds no alignment" for name in corpus.aside]
    return notes


def _averages(options: argparse.Namespace) -> tuple[str, ...]:
    return ("micro", "macro") if options.average == "both" else (options.average,)


def _tables(
    evaluation: Evaluation, places: Sequence[PlaceView], style: str, options: argparse.Namespace
) -> str:
    parts = []
    rows = evaluation.rows(averages=_averages(options), texts=options.per_text)
    differences = {
        (d.system, d.measure, d.average): d
        for average in _averages(options)
        for d in evaluation.differences(average=average)
    }
    if style == "tsv":
        parts.append(_flat(rows, differences).render("tsv"))
    else:
        table = _shown(rows, differences, options)
        body = table.render(style)
        parts += [body] if style == "latex" else [_caption(evaluation, rows, options), body]
    if options.beads:
        parts.append(_bead_table(evaluation, style))
    if places:
        from bitext.reports.places import render

        columns = shutil.get_terminal_size((100, 24)).columns
        parts += [render(p, number=k, columns=columns) for k, p in enumerate(places, start=1)]
    elif options.errors:
        parts.append("no place differs from the gold standard\n")
    return "\n".join(parts)


def _caption(evaluation: Evaluation, rows: Sequence[Row], options: argparse.Namespace) -> str:
    texts = len(evaluation.texts)
    lines = [f"{texts:,} text{'s' if texts > 1 else ''}, {options.average} average"]
    if evaluation.resampled:
        scoring = evaluation.options
        lines[0] += (
            f"; {scoring.level:.0%} intervals: bootstrap of {evaluation.resampled}, "
            f"{scoring.resamples:,} resamples, seed {scoring.seed}"
        )
        if len(evaluation.systems) > 1:
            test = {"randomisation": "approximate randomisation", "bootstrap": "paired bootstrap"}
            lines.append(
                f"* p < 0.05, ** p < 0.01 against {evaluation.systems[0]} ({test[scoring.test]})"
            )
    elif evaluation.options.resamples:
        lines[0] += "; no intervals: too few bisegments to resample"
    lines.append(f"signature: {rows[0].signature.partition('|')[2]}")
    return "\n".join(lines) + "\n"


def _shown(
    rows: Iterable[Row],
    differences: dict[tuple[str, str, str], Difference],
    options: argparse.Namespace,
) -> Any:
    """Make the table for reading: one figure with its interval and mark a cell."""
    from bitext.reports.table import Table, number

    many = options.per_text or options.average == "both"
    head = ["granularity", "system", *(["text"] if many else []), "precision", "recall", "F1"]
    table = Table(head, quiet={0, 1})
    for row in rows:
        difference = differences.get((row.system, row.measure, row.average))
        cells = []
        for k, figure in enumerate(row.values):
            cell = number(figure)
            if row.intervals and not isnan(row.intervals[k].low):
                cell += f" [{row.intervals[k].low:.3f}, {row.intervals[k].high:.3f}]"
            if difference:
                cell += next((mark for limit, mark in _MARKS if difference.p[k] < limit), "")
            cells.append(cell)
        where = [row.text if row.text is not None else f"({row.average})"] if many else []
        table.rows.append([row.measure, row.system, *where, *cells])
    return table


def _flat(rows: Iterable[Row], differences: dict[tuple[str, str, str], Difference]) -> Any:
    """Make the table for programs: one value a cell, all digits."""
    from bitext.reports.table import Table

    figures = ("precision", "recall", "f1")
    table = Table(
        ["system", "text", "granularity", "average", *figures]
        + ["hits", "proposed", "expected", "found"]
        + [f"{figure}_{end}" for figure in figures for end in ("low", "high")]
        + [*(f"{figure}_p" for figure in figures), "signature"]
    )

    def cell(given: float) -> str:
        return "-" if isnan(given) else repr(given)

    for row in rows:
        counts, p = row.counts, differences.get((row.system, row.measure, row.average))
        numbers = (
            [str(n) for n in (counts.hits, counts.proposed, counts.expected, counts.found)]
            if counts
            else ["-"] * 4
        )
        ends = [cell(end) for pair in row.intervals for end in pair] if row.intervals else ["-"] * 6
        table.rows.append(
            [row.system, row.text or "-", row.measure, row.average, *map(cell, row.values)]
            + numbers
            + ends
            + [*(map(cell, p.p) if p else ["-"] * 3), row.signature]
        )
    return table


def _bead_table(evaluation: Evaluation, style: str) -> str:
    from bitext.reports.table import Table

    table = Table(["system", "gold bead", "expected", "found", "missed", "the missed became"])
    table.right, table.quiet = {2, 3, 4}, {0}
    for k, system in enumerate(evaluation.systems):
        for kind in evaluation.bead_types(k):
            items = list(kind.became.items())
            became = "; ".join(f"{outcome} ({count})" for outcome, count in items[:4])
            became += f"; {len(items) - 4} others" if len(items) > 4 else ""
            numbers = [str(n) for n in (kind.expected, kind.found, kind.missed)]
            table.rows.append([system, kind.type, *numbers, became or "-"])
    return table.render(style)


def _json(
    evaluation: Evaluation,
    pairing: Pairing,
    notes: list[str],
    places: Sequence[PlaceView],
    options: argparse.Namespace,
) -> str:
    rows = evaluation.rows()
    document: dict[str, Any] = {
        "schema": "bitext.score/1",
        "signature": _signature(evaluation),
        "gold": options.gold,
        "systems": pairing.systems,
        "rows": [_row(row) for row in rows],
        "differences": [
            {
                "system": d.system,
                "baseline": d.baseline,
                "granularity": d.measure,
                "average": d.average,
                "test": evaluation.options.test,
                **{
                    f: _value(v)
                    for f, v in zip(("precision", "recall", "f1"), d.values, strict=True)
                },
                "p": {
                    f: _value(v) for f, v in zip(("precision", "recall", "f1"), d.p, strict=True)
                },
            }
            for average in ("micro", "macro")
            for d in evaluation.differences(average=average)
        ],
        "bead_types": [
            {
                "system": system,
                "type": kind.type,
                "expected": kind.expected,
                "found": kind.found,
                "missed": kind.missed,
                "became": kind.became,
            }
            for k, system in enumerate(evaluation.systems)
            for kind in evaluation.bead_types(k)
        ],
        "unpaired": [
            {"text": u.name, "where": u.where, "extra": u.extra} for u in pairing.unpaired
        ],
        "notes": notes,
    }
    if options.errors:
        document["places"] = [place.to_json() for place in places]
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"


def _signature(evaluation: Evaluation) -> str:
    scoring = evaluation.options
    return scoring.signature(
        "arcade",
        f"texts:{len(evaluation.texts)}",
        f"resampled:{evaluation.resampled.replace(' ', '-') or 'none'}",
        f"resamples:{scoring.resamples}",
        f"level:{scoring.level:g}",
        f"seed:{scoring.seed}",
        f"test:{scoring.test}",
    )


def _value(given: float) -> float | None:
    return None if isnan(given) else given


def _row(row: Row) -> dict[str, Any]:
    counts = row.counts
    out: dict[str, Any] = {
        "system": row.system,
        "text": row.text,
        "granularity": row.measure,
        "average": row.average,
        "precision": _value(row.values[0]),
        "recall": _value(row.values[1]),
        "f1": _value(row.values[2]),
        "hits": counts.hits if counts else None,
        "proposed": counts.proposed if counts else None,
        "expected": counts.expected if counts else None,
        "found": counts.found if counts else None,
        "signature": row.signature,
    }
    if row.undefined:
        out["undefined"] = row.undefined
    if row.intervals:
        names = ("precision", "recall", "f1")
        out["intervals"] = {
            name: [_value(end) for end in interval]
            for name, interval in zip(names, row.intervals, strict=True)
        }
    return out
