"""How long a key takes in the editor of the workbench, with many beads.

    python scripts/bench/workbench_page.py [--beads 20000] [--report FILE]

Chromium edits a page of its own (`bitext edit --page`) with as many sentences on each side. Each
key is pressed 20 times at places spread over the text (each shift is undone before the next one, so
that all of them reach the end); what counts is the CPU time of the page's main thread
(`browser_times.py`), in milliseconds: median and most. A second page has 13 word links a bead,
which a shift removes and undo brings back. Then the same with a server, which is told of each
shift, its undo and its redo: how long it takes is not counted, as the page does not wait for it.
"""

from __future__ import annotations

import random
from typing import Any

from browser_times import TIMES, Keys, parser_of, report

_LINKS = 13  # of a bead with word links
_SERVED = 8  # presses of a key with a server, which needs seconds to keep each shift
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


def shift(keys: Keys, beads: int, places: random.Random, presses: int = TIMES) -> None:
    """Shift a side down to the end of the text, take it back, and shift it again by redo."""
    does = {
        "w": "shift a side down to the end of the text",
        "z": "undo the shift",
        "Z": "redo the shift",
    }
    times: dict[str, list[float]] = {key: [] for key in (*does, "written")}
    for _ in range(presses):
        keys.browser.run(f"editor.choose({places.randrange(beads // 20, beads // 10)}); 0")
        for key in ("w", "z", "Z", "z"):
            times[key].append(keys.pressed(key))
            written = keys.written()
            if key == "w":
                times["written"].append(written)
    for key, what in does.items():
        keys.add(key, what, times[key])
    keys.add("", "write the shift, when no key is pressed", times["written"])


def main() -> None:
    """Measure, and write the report."""
    asked = parser_of(__doc__, "--beads", 20_000).parse_args()
    beads = asked.beads
    pages = [made(beads), made(beads, _LINKS)] * 2
    links = sum(len(row["words"]) for row in pages[1]["beads"])

    def measured(keys: Keys, number: int) -> str:
        what = f"{beads:,} x {beads:,} sentences"
        if not number:
            measure(keys, beads)
            return what
        shift(keys, beads, random.Random(2), TIMES if number == 1 else _SERVED)  # noqa: S311
        return f"{what} with {links:,} word links" if number % 2 else what

    report("A key in the editor of the workbench", pages, measured, asked.report, served=(2, 3))


if __name__ == "__main__":
    main()
