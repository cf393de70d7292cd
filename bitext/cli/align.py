"""`bitext align`: the sentences of a text and its translation, aligned."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

from bitext.cli.align_beads import bead_rows, bead_table
from bitext.cli.align_explain import explanation
from bitext.cli.align_found import Totals, selected
from bitext.cli.align_gold import Gold
from bitext.cli.align_languages import check_languages, language_notes, script_notes
from bitext.cli.align_options import LEARN_FROM, by_jobs, check, parser
from bitext.cli.align_output import (
    find_outputs,
    find_place,
    misnamed,
    refuse_forbidden,
    true_losses,
    write,
)
from bitext.cli.align_pairs import find_pairs
from bitext.cli.align_texts import TextReader
from bitext.cli.common import outputs_spared, tell
from bitext.cli.speaking import say
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from bitext.cli.align_found import Kept
    from bitext.cli.align_output import Place
    from bitext.cli.align_pairs import FilePair
    from bitext.cli.align_texts import TextPair
    from bitext.model import Alignment, Bitext

__all__ = ["run"]

_CLOSED = "standard output is closed: open it, or name a file (-o FILE)"


def run(arguments: Sequence[str]) -> int:
    """Align."""
    options = parser().parse_args(arguments)
    check(options)
    check_languages(options)
    from bitext.cli.align_jobs import align_by_jobs, many_texts

    if not by_jobs(options) and not many_texts(options):
        if options.learn_from is not None:
            raise OptionError("--learn-from is for work by jobs: give --journal, too")
        with outputs_spared(options):
            return _align(options)
    if options.learn_from is not None and options.lexicon and not options.learn_only:
        raise OptionError("--learn-from is of no use with --lexicon: what is learned is given")
    if options.learn_from is None:
        options.learn_from = LEARN_FROM
    return align_by_jobs(options)


def _align(options: argparse.Namespace) -> int:
    """Align what is held in memory."""
    begun = time.monotonic()
    if sys.stdout is None and (options.output in {"", "-"} or options.json or options.gold):
        raise InputError(_CLOSED)
    from bitext.cli.align_work import Work
    from bitext.formats.opening import Notes

    files, told = find_pairs(options)
    notes = Notes()
    reader = TextReader(options, notes)
    inputs = [*_read_beside(options), *(path for pair in files for path in _paths(pair))]
    place = find_place(options, inputs, many=len(files) > 1)
    if options.gold and place is not None and place.output == "-" and not options.json:
        raise OptionError("--gold prints scores, and OUT is standard output: name a file (-o)")
    pairs = [pair for each in files for pair in reader.pairs(each)]
    names = [pair.name for pair in pairs]
    outputs = [] if place is None else find_outputs(place, names, inputs, options)
    _check_texts(pairs, options, place)
    work = Work(options, pairs, notes, told)
    gold = Gold.asked(options, pairs, work.method)
    if options.explain is not None:
        return _say(explanation(work.aligner(), pairs[0], options.explain))
    alignments = work.align()
    odd = work.oddities(alignments)
    kept, totals = _kept(pairs, alignments, options)
    bitexts = [each.bitext for each in kept]
    if totals.left:
        told.append(f"left out: beads less probable than {options.min_score:g}: {totals.left:,}")
    if gold:
        _score(gold, bitexts, options)
    losses = Notes()
    if place is not None:
        write(bitexts, place, outputs, options, losses)
    work.save_lexicon()
    told = [totals.told(time.monotonic() - begun), *told, *language_notes(files, options, place)]
    told += script_notes(pairs[0], options) if pairs else ()
    told += misnamed(place) if place is not None else ()
    told += [line for lines in odd for line in lines]
    if place is not None:
        told += [f"lost: {note}" for note in true_losses(place, losses, options)]
    told += _gold_notes(gold) if gold else []
    tell([*told, *map(str, notes.all())], options, most=9)
    if options.json:
        found = _document(work.method, pairs, kept, outputs, place)
        for text, lines in zip(found["texts"], odd, strict=True):
            text["notes"] = lines
        found |= {"scores": gold.to_json()} if gold else {}
        found["notes"] = [*told[1:], *map(str, notes.all())]
        return _say(json.dumps(found, ensure_ascii=False, allow_nan=False) + "\n")
    if gold:
        return _say(gold.rendered(_style(options)))
    return _say(bead_table(kept, _style(options))) if place is None else 0


def _check_texts(pairs: list[TextPair], options: argparse.Namespace, place: Place | None) -> None:
    """Refuse what cannot be done with the texts that were read."""
    if place is not None:
        refuse_forbidden([text for pair in pairs for text in pair.whole], place, options)
    if options.explain is not None and len(pairs) != 1:
        raise OptionError(f"--explain is for one text, and there are {len(pairs)}: name one")
    for pair in pairs:
        for text in (pair.src, pair.tgt):
            if not len(text) and options.explain is not None:
                raise InputError(f"{text.name}: is empty, so there is nothing to explain")


def _paths(pair: FilePair) -> Iterator[str]:
    """Yield the files of a pair."""
    from bitext.formats.opening import two_files

    for name in (pair.src, pair.tgt):
        if name and name != "-":
            yield from two_files(name) or (name,)


def _read_beside(options: argparse.Namespace) -> Iterator[str]:
    """Yield what the options name to be read beside the texts."""
    given = [options.gold, options.lexicon, *options.dictionary, *(options.vectors or ())]
    if options.tgt is None and options.src != "-":
        given.append(options.src)  # a manifest
    yield from filter(None, given)


def _kept(
    pairs: list[TextPair], alignments: list[Alignment], options: argparse.Namespace
) -> tuple[list[Kept], Totals]:
    """Return what is kept of the alignments, and how many beads."""
    totals, kept = Totals(), []
    for pair, alignment in zip(pairs, alignments, strict=True):
        found = selected(pair, alignment, options)
        totals.add(found.counts())
        kept.append(found)
    return kept, totals


def _score(gold: Gold, bitexts: list[Bitext], options: argparse.Namespace) -> None:
    """Score each text, and tell its figure as soon as it is known, with --verbose."""
    for number, bitext in enumerate(bitexts):
        found = gold.add(number, bitext)
        if options.verbose and found is not None:
            tell([f"{bitext.name}: F1 {found:.4f} at alignment level"], options)
            if sys.stderr is not None:
                sys.stderr.flush()


def _gold_notes(gold: Gold) -> list[str]:
    """Return what is odd in gold standards, and which texts have none."""
    told = [*gold.notes, *gold.swapped()]
    if gold.missing:
        few = ", ".join(gold.missing[:3]) + (", ..." if len(gold.missing) > 3 else "")
        count = "1 text" if len(gold.missing) == 1 else f"{len(gold.missing):,} texts"
        told.append(f"{count} without a gold standard: {few}")
    return told


def _document(
    method: str,
    pairs: list[TextPair],
    kept: list[Kept],
    outputs: list[str],
    place: Place | None,
) -> dict[str, Any]:
    texts = [
        {
            "text": bitext.name,
            "src": pair.src.name,
            "tgt": pair.tgt.name,
            "sentences": [len(pair.src), len(pair.tgt)],
            "beads": bitext.alignment.bead_types(),
            "output": outputs[k] if outputs else None,
        }
        for k, (pair, (bitext, *_)) in enumerate(zip(pairs, kept, strict=True))
    ]
    rows = {} if place is not None else {"rows": list(bead_rows(kept))}
    return {"schema": "bitext.align/1", "method": method, "texts": texts, **rows}


def _style(options: argparse.Namespace) -> str:
    terminal = sys.stdout is not None and sys.stdout.isatty()
    return str(options.format or ("table" if terminal else "tsv"))


def _say(text: str) -> int:
    say([text])
    return 0
