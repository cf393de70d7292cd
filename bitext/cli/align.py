"""`bitext align`: the sentences of a text and its translation, aligned."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

from bitext.cli.align_explain import explanation
from bitext.cli.align_gold import Gold
from bitext.cli.align_options import check, parser
from bitext.cli.align_output import bead_rows, bead_table, find_outputs, find_place, write
from bitext.cli.align_pairs import find_pairs
from bitext.cli.align_texts import TextReader
from bitext.cli.common import tell
from bitext.errors import InputError, OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from bitext.cli.align_output import Place
    from bitext.cli.align_pairs import FilePair
    from bitext.cli.align_texts import TextPair
    from bitext.model import Alignment, Bitext

__all__ = ["run"]

_ALONE = 0.5  # a share of sentences without a partner that is worth a note
_DIGITS = 4  # of a probability
# What no alignment has by itself, and what the texts that were read have.
_NO_LOSS = ("segments whose text is not written", "document pairs whose names")
_FEW = 10  # sentences of which a share says nothing


def run(arguments: Sequence[str]) -> int:
    """Align."""
    options = parser().parse_args(arguments)
    check(options)
    begun = time.monotonic()
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
    _check_texts(pairs, options)
    work = Work(options, pairs, notes, told)
    gold = Gold.asked(options, names, work.method)
    if options.explain is not None:
        return _say(explanation(work.aligner(), pairs[0], options.explain))
    alignments = work.align()
    bitexts = _wanted(pairs, alignments, options, told)
    losses = Notes()
    if place is not None:
        write(bitexts, place, outputs, options, losses)
    work.save_lexicon()
    scores = [gold.add(bitext) for bitext in bitexts] if gold else []
    told = [_done(bitexts, time.monotonic() - begun), *told, *_oddities(bitexts, options, scores)]
    if place is not None and place.known.holds != "positions":
        lost = [note for note in losses.all() if not note.kind.startswith(_NO_LOSS)]
        told += [f"lost: {note}" for note in lost]
    if gold and gold.missing:
        few = ", ".join(gold.missing[:3]) + (", ..." if len(gold.missing) > 3 else "")
        count = "1 text" if len(gold.missing) == 1 else f"{len(gold.missing):,} texts"
        told.append(f"{count} without a gold standard: {few}")
    tell([*told, *map(str, notes.all())], options, most=9)
    if options.json:
        found = _document(work.method, pairs, bitexts, outputs, place)
        found |= {"scores": gold.to_json()} if gold else {}
        found["notes"] = [*told[1:], *map(str, notes.all())]
        return _say(json.dumps(found, ensure_ascii=False, allow_nan=False) + "\n")
    if gold:
        return _say(gold.rendered(_style(options)))
    return _say(bead_table(bitexts, _style(options))) if place is None else 0


def _check_texts(pairs: list[TextPair], options: argparse.Namespace) -> None:
    """Refuse what cannot be done with the texts that were read."""
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
    yield from filter(None, given)


def _wanted(
    pairs: list[TextPair],
    alignments: list[Alignment],
    options: argparse.Namespace,
    told: list[str],
) -> list[Bitext]:
    """Return the bitexts, without beads that are not probable enough."""
    import numpy as np

    from bitext.model import Alignment

    least, left = options.min_score, 0
    bitexts = []
    for pair, found in zip(pairs, alignments, strict=True):
        kept = found
        if least is not None and found.scores is not None:
            kept = found.select(found.scores >= least)
            left += len(found) - len(kept)
        if kept.scores is not None:  # digits that tell nothing are not written
            kept = Alignment.from_arrays(kept.src, kept.tgt, scores=np.round(kept.scores, _DIGITS))
        bitexts.append(pair.bitext(kept))
    if left:
        told.append(f"left out: beads less probable than {least:g}: {left:,}")
    return bitexts


def _done(bitexts: list[Bitext], seconds: float) -> str:
    beads = sum(len(bitext.alignment) for bitext in bitexts)
    texts = "1 text" if len(bitexts) == 1 else f"{len(bitexts):,} texts"
    kinds: dict[str, int] = {}
    sure = 0.0
    for bitext in bitexts:
        for kind, count in bitext.alignment.bead_types().items():
            kinds[kind] = kinds.get(kind, 0) + count
        if bitext.alignment.scores is not None:
            sure += float(bitext.alignment.scores.sum())
    most = sorted(kinds, key=lambda kind: (-kinds[kind], kind))
    shown = ", ".join(f"{kind}: {kinds[kind]:,}" for kind in most[:6])
    more = ", ..." if len(most) > 6 else ""
    mean = f"; mean probability {sure / beads:.3f}" if beads else ""
    took = f"; {seconds:,.0f} s" if seconds >= 1 else ""
    return (
        f"{beads:,} beads of {texts} ({shown}{more}){mean}{took}"
        if beads
        else f"no bead in {texts}"
    )


def _oddities(
    bitexts: list[Bitext], options: argparse.Namespace, scores: list[float | None]
) -> list[str]:
    """Return what the user should look at, text by text."""
    found = []
    for k, bitext in enumerate(bitexts):
        src, tgt = bitext.src, bitext.tgt
        if src is None or tgt is None:
            continue
        for text, side in ((src, "source"), (tgt, "target")):
            if not len(text):
                found.append(f"{text.name}: is empty: no {side} sentence to align")
        total = len(src) + len(tgt)
        paired = [
            rows.lengths[others.lengths > 0].sum()
            for rows, others in (
                (bitext.alignment.src, bitext.alignment.tgt),
                (bitext.alignment.tgt, bitext.alignment.src),
            )
        ]
        alone = total - int(sum(paired))
        if (
            len(src)
            and len(tgt)
            and total > _FEW
            and alone > _ALONE * total
            and options.min_score is None
        ):
            found.append(
                f"{bitext.name}: {alone:,} of {total:,} sentences have no partner: are these two "
                f"translations of each other?"
            )
        if options.verbose and scores and scores[k] is not None:
            found.append(f"{bitext.name}: F1 {scores[k]:.4f} at alignment level")
    return found


def _document(
    method: str,
    pairs: list[TextPair],
    bitexts: list[Bitext],
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
        for k, (pair, bitext) in enumerate(zip(pairs, bitexts, strict=True))
    ]
    rows = {} if place is not None else {"rows": list(bead_rows(bitexts))}
    return {"schema": "bitext.align/1", "method": method, "texts": texts, **rows}


def _style(options: argparse.Namespace) -> str:
    return str(options.format or ("table" if sys.stdout.isatty() else "tsv"))


def _say(text: str) -> int:
    if sys.stdout is None:
        raise InputError("standard output is closed: open it, or name a file (-o FILE)")
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    sys.stdout.write(text)
    return 0
