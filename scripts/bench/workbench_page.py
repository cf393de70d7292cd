"""How long a key takes in the editor of the workbench, with many beads.

    python scripts/bench/workbench_page.py [--beads 20000] [--report FILE]

Chromium edits a page of its own (`bitext edit --page`) with as many sentences on each side. Each
key is pressed 20 times at places spread over the text (each shift is undone before the next one, so
that all of them reach the end); what counts is the CPU time of the page's main thread
(`browser_times.py`), in milliseconds: median and most. A second page has 13 word links a bead,
which a shift removes and undo brings back.
"""

from __future__ import annotations

import random
from typing import Any

from browser_times import TIMES, Keys, parser_of, report

_LINKS = 13  # of a bead with word links
# Names of keys in the order in which they are pressed, with what each does, and whether each press
# is at another place.
_KEYS = (
    ("ArrowDown", "next bead", False),
    ("Enter", "confirm and go on", False),
    ("w", "shift a side down to the end of the text", True),
    ("m", "merge", True),
    ("s", "split", True),
    ("d", "move the last sentence down", True),
    ("e", "insert an empty bead", True),
    ("o", "unlink", True),
    ("J", "join two sentences", True),
    ("z", "undo these", False),
    ("2", "next doubtful bead: there is none", False),
    ("n", "next bead with the text searched", False),
    ("PageDown", "a screen down", False),
    ("End", "last bead", False),
    ("Home", "first bead", False),
)


def made(beads: int, links: int = 0) -> dict[str, Any]:
    """Return an alignment of sentences of usual lengths, all of type 1-1, with word links."""
    rng = random.Random(1)  # noqa: S311 - a text, no secret

    def text(letter: str) -> list[dict[str, Any]]:
        sentences = []
        for k in range(1, beads + 1):
            words = [f"w{rng.randrange(5000)}" for _ in range(int(rng.gammavariate(3, 6)) + 1)]
            paragraph = k % 6 == 1
            sentences.append(
                {"id": f"{letter}{k}", "text": " ".join(words), "paragraph": paragraph}
            )
        return sentences

    rows = [
        {
            "id": f"b{k}", "source": [f"s{k}"], "target": [f"t{k}"], "state": "proposed",
            "probability": 0.9, "comment": "", "bookmark": False,
        }
        for k in range(1, beads + 1)
    ]  # fmt: skip
    sides: dict[str, Any] = {
        side: {
            "id": n, "name": side, "language": lang, "words": "blanks", "sentences": text(side[0]),
        }
        for n, (side, lang) in enumerate([("source", "en"), ("target", "de")], 1)
    }  # fmt: skip
    counts = [[len(row["text"].split()) for row in sides[each]["sentences"]] for each in sides]
    for k, (row, *words) in enumerate(zip(rows, *counts, strict=True), 1):
        places = [(n % words[0], (n + n // words[0]) % words[1]) for n in range(links)]
        row["words"] = [
            [f"s{k}", src, f"t{k}", tgt, "proposed", 0.9] for src, tgt in sorted({*places})
        ]
    return {
        "alignment": {"id": 1, "name": "bench", "annotator": "anna", "version": 0},
        **sides,
        "beads": rows,
    }


def measure(keys: Keys, beads: int) -> None:
    """Press all keys."""
    browser = keys.browser
    places = random.Random(2)  # noqa: S311
    browser.run("editor.find.value = 'w49'; 0")
    browser.run(
        "editor.find.dispatchEvent(new Event('input', { bubbles: true })); editor.grid.focus(); 0"
    )
    for key, does, spread in _KEYS:
        if key == "n":
            browser.run("editor.run('kind:found')")
        if key == "w":
            shift(keys, beads, places)
            continue
        times = []
        for _ in range(TIMES):
            if spread:
                browser.run(f"editor.choose({places.randrange(beads // 2)}); 0")
            times.append(keys.pressed(key))
        keys.add(key, does, times)


def shift(keys: Keys, beads: int, places: random.Random) -> None:
    """Shift a side down to the end of the text, and take it back."""
    times, undone = [], []
    for _ in range(TIMES):
        keys.browser.run(f"editor.choose({places.randrange(beads // 20, beads // 10)}); 0")
        times.append(keys.pressed("w"))
        undone.append(keys.pressed("z"))
    keys.add("w", "shift a side down to the end of the text", times)
    keys.add("z", "undo the shift", undone)


def main() -> None:
    """Measure, and write the report."""
    asked = parser_of(__doc__, "--beads", 20_000).parse_args()
    beads = asked.beads
    pages = [made(beads), made(beads, _LINKS)]
    links = sum(len(row["words"]) for row in pages[1]["beads"])

    def measured(keys: Keys, number: int) -> str:
        what = f"{beads:,} x {beads:,} sentences"
        if number:
            shift(keys, beads, random.Random(2))  # noqa: S311
            return f"{what} with {links:,} word links"
        measure(keys, beads)
        return what

    report("A key in the editor of the workbench", pages, measured, asked.report)


if __name__ == "__main__":
    main()
