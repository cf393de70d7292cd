"""What `bitext align --explain` prints: why a bead was chosen, and what came second."""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING

from bitext.errors import OptionError

if TYPE_CHECKING:
    from bitext.align.sentences.sentence_aligner import SentenceAligner
    from bitext.align.sentences.sentence_explanation import BeadExplanation
    from bitext.cli.align_texts import TextPair
    from bitext.model import Bisegment, Text

__all__ = ["explanation"]


def explanation(aligner: SentenceAligner, pair: TextPair, number: int) -> str:
    """Return why a bead of one text is part of its alignment, as text.

    Parameters
    ----------
    aligner : SentenceAligner
        One that has run, over this text.
    pair : TextPair
    number : int
        The bead, counted from 1.

    Raises
    ------
    OptionError
        When there is no such bead.

    """
    from bitext.align.sentences import alignment_of
    from bitext.align.sentences.sentence_explanation import explain_bead
    from bitext.reports.table import printable

    placed = pair.placed(alignment_of(aligner, 0))
    beads = len(placed.aligned)
    if number > beads:
        raise OptionError(f"--explain {number}: the alignment has beads 1 to {beads}")
    head = f"bead {number} of {beads}: "
    if not placed.aligned[number - 1]:
        shown = _shown(placed.alignment[number - 1], pair.whole)
        return f"{head}{shown}, empty: set aside before the texts were aligned\n"
    found = explain_bead(aligner, int(placed.aligned[:number].sum()) - 1)
    lines = [f"{head}{_shown_of(found.bead, pair)}, probability {found.posterior:.4f}"]
    for side, text, members in (
        ("source", pair.src, found.bead.src),
        ("target", pair.tgt, found.bead.tgt),
    ):
        lines += [f"  {side}  {printable(text[k].text or '')}" for k in members]
    lines += ["", "what it scores (natural logarithms; above 0 speaks for it)"]
    lines.append(
        f"  {'kind ' + found.bead.type:<12} {found.prior:z8.2f}  how frequent such beads are"
    )
    for name, value in found.parts:
        told = ""
        if name == "length" and all(found.lengths):
            there, expected = found.lengths[1], found.expected
            told = (
                f"  {found.lengths[0]:,.0f} let expect {expected:,.0f}, and there are {there:,.0f}"
            )
        if name == "place":
            told = "  in or beside a passage that one side lacks, or the end of a paragraph"
        lines.append(f"  {name:<12} {value:z8.2f}{told}")
    lines += _words(found)
    lines += ["", _instead(found, pair)]
    return "\n".join(lines) + "\n"


def _words(found: BeadExplanation) -> list[str]:
    """Return the words that count most, for the bead and against it."""
    from bitext.reports.table import Table

    if not found.words:
        return []
    table = Table(["word", "side", "explained by", "adds"], right={3})
    for reason in found.words:
        side = {"src": "source", "tgt": "target"}[reason.side]
        table.rows.append([reason.word, side, reason.by or "-", f"{reason.gain:+z.2f}"])
    rendered = table.render("table").rstrip("\n").split("\n")
    return ["", "the words that count most", *(f"  {line}" for line in rendered)]


def _instead(found: BeadExplanation, pair: TextPair) -> str:
    if isinf(found.lost) or not found.instead:
        return "there is no other way to align this place"
    others = ", ".join(_shown_of(bead, pair) for bead in found.instead)
    return f"without it: {others}; the alignment would lose {found.lost:z.2f}"


def _shown_of(bead: Bisegment, pair: TextPair) -> str:
    """Return a bead of the texts that were aligned as one of the whole texts."""
    from bitext.model import Bisegment

    src, tgt = (
        members if places is None else tuple(places[list(members)].tolist())
        for members, places in zip(bead, pair.places, strict=True)
    )
    return _shown(Bisegment(src, tgt), pair.whole)


def _shown(bead: Bisegment, texts: tuple[Text, Text]) -> str:
    """Return a bead by the ids of its sentences, as `4 5 : 4 (2-1)`."""
    sides = (
        " ".join(text[k].id for k in members) or "-"
        for text, members in zip(texts, bead, strict=True)
    )
    return f"{' : '.join(sides)} ({bead.type})"
