"""How long a key takes in the editor of a segmentation, with many units.

    python scripts/bench/workbench_segments.py [--words 100000] [--report FILE]

Chromium edits a page of its own (`bitext edit TEXT --segment --units words --page FILE`) with a
boundary after each 20 words, 15 words a line. Each key is pressed 20 times at places spread over
the text; what counts is the CPU time of the page's main thread from the press until the next frame
is drawn (`browser_times.py`), in milliseconds: median and most.
"""

from __future__ import annotations

import random
from typing import Any

from browser_times import TIMES, Keys, parser_of, report

_SEGMENT, _LINE = 20, 15  # words
# Keys in the order in which they are pressed, what each does, and where: at a boundary, between
# two, or where the cursor is.
_KEYS = (
    ("ArrowRight", "next word", "here"),
    ("ArrowDown", "next line", "here"),
    ("]", "next boundary", "here"),
    ("Enter", "confirm and go on", "at"),
    (" ", "set a boundary", "between"),
    ("2", "give it another type", "at"),
    ("q", "doubtful", "at"),
    ("Delete", "remove it", "at"),
    ("z", "undo these", "here"),
    ("n", "next segment that is doubtful", "here"),
    ("PageDown", "a screen down", "here"),
    ("End", "end of the text", "here"),
    ("Home", "beginning of the text", "here"),
)


def made(words: int) -> dict[str, Any]:
    """Return a segmentation of so many words."""
    rng = random.Random(1)  # noqa: S311 - a text, no secret
    units = [
        {"id": f"u{k}", "text": f"w{rng.randrange(5000)}", "paragraph": k % _LINE == 0}
        for k in range(words)
    ]
    segments = [
        {
            "id": f"g{k}", "start": f"u{k}", "types": ["sentence"] if k else [],
            "state": "proposed", "comment": "", "bookmark": False,
        }
        for k in range(0, words, _SEGMENT)
    ]  # fmt: skip
    return {
        "alignment": {"id": 1, "name": "bench", "annotator": "anna", "version": 0},
        "source": {"id": 1, "name": "bench", "language": "en", "sentences": units},
        "segments": segments,
        "types": ["sentence", "paragraph", "topic"],
    }


def measure(keys: Keys, words: int) -> None:
    """Press all keys."""
    browser = keys.browser
    places = random.Random(2)  # noqa: S311
    for key, does, where in _KEYS:
        if key == "n":
            browser.run(
                "editor.kind.value = 'doubtful'; editor.kind.dispatchEvent(new Event('change')); 0"
            )
        times = []
        for _ in range(TIMES):
            if where != "here":
                place = places.randrange(1, words // _SEGMENT - 1) * _SEGMENT
                place += _SEGMENT // 2 if where == "between" else 0
                browser.run(f"editor.choose({place}); 0")
            times.append(keys.pressed(key))
        keys.add(key, does, times)


def main() -> None:
    """Measure, and write the report."""
    asked = parser_of(__doc__, "--words", 100_000).parse_args()
    words = asked.words

    def measured(keys: Keys, _: int) -> str:
        measure(keys, words)
        return f"{words:,} words, {words // _SEGMENT:,} segments"

    report("A key in the editor of a segmentation", [made(words)], measured, asked.report)


if __name__ == "__main__":
    main()
