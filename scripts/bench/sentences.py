"""Alignment of sentences beside the packages of the index that need no model: time and F.

Texts are made as in `alignment_scale.py`: a text of 500 beads and its translation, of made words,
repeated with marked names, and one sentence in a hundred left out on each side. The same texts go
to all: `galechurch` (in Rust), `nltk.translate.gale_church`, our method `length-characters`, the
same idea, and our default `lexical`. F is of beads that are right in all, over all beads.

Aligners are called as their documentation tells, with nothing tuned. Answers differ, as aligners
do: F tells how good each is. How well real texts are aligned stands in `alignment_quality.md`,
a million sentences in `alignment_scale.py`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alignment_scale import made, repeated, strict
from environments import environment, versions
from harness import Party, Rival, Usage, grown
from results import Asked, Section, told

if TYPE_CHECKING:
    from collections.abc import Callable

CALLS = Path(__file__).with_name("sentences_calls.py")
SIDES = {
    "bitext, length-characters": ("bitext", "length-characters"),
    "bitext, lexical": ("bitext", "lexical"),
    "galechurch": ("galechurch", ""),
    "nltk": ("nltk", ""),
}
LEFT_OUT = (
    "Not here: hunalign, Bertalign and Vecalign are not on the package index for this Python, and "
    "`yasa` there is something else; `sentweave` and `sentalign` install, but need a model of "
    "sentences, and `pypi-bleualign` a translation."
)


def measure(asked: Asked) -> Section:
    """Align texts of three sizes by all, in turn."""
    sizes = (500, 1_000, 2_000) if asked.quick else (1_000, 4_000, 16_000)
    folder = asked.cache / "sentences"
    folder.mkdir(parents=True, exist_ok=True)
    beads = {}
    base = made(500, seed=1)
    for size in sizes:
        text = repeated(base, size, seed=2)
        (folder / f"{size}.json").write_text(json.dumps([text.src, text.tgt]), encoding="utf-8")
        beads[size] = text.beads
    python = environment("sentences", asked.cache) / "python"
    parties = {
        name: Party(CALLS, None if side == "bitext" else python)
        for name, (side, _) in SIDES.items()
    }
    held: dict[str, int] = {}

    def aligned(name: str) -> Callable[[int], Usage]:
        side, method = SIDES[name]

        def work(size: int) -> Usage:
            if held.get(name) != size:
                if name not in held:  # what is imported first is not timed
                    parties[name].call("prepare", str(folder / f"{sizes[0]}.json"), side)
                    parties[name].call("align", method)
                parties[name].call("prepare", str(folder / f"{size}.json"), side)
                held[name] = size
            found = parties[name].call("align", method)
            return found._replace(value=strict(beads[size], [tuple(b) for b in found.value]))

        return work

    def check(values: dict[str, Any]) -> dict[str, str]:
        return {name: f"F {value:.3f}" for name, value in values.items()}

    table, seconds = grown(
        "sentences a side",
        sizes,
        # galechurch holds the whole table: 22 GB at 16,000 sentences a side.
        [Rival(name, aligned(name), limit=1.0 if name == "galechurch" else 5.0) for name in SIDES],
        rounds=1 if asked.quick else 3,
        check=check,
    )
    for party in parties.values():
        party.close()
    notes = [f"Peers: {versions('sentences', asked.cache)}. {LEFT_OUT}"]
    figures = {
        "align.length_ms": 1000 * seconds["bitext, length-characters"][-1] / sizes[-1],
        "align.lexical_ms": 1000 * seconds["bitext, lexical"][-1] / sizes[-1],
    }
    return Section([table], notes, figures)


if __name__ == "__main__":
    sys.exit(told("sentences", __doc__ or "", measure))
