"""How long a key takes in the editor of a segmentation, with many units.

    python scripts/bench/workbench_segments.py [--words 100000] [--report FILE]

Chromium edits a page of its own (`bitext edit TEXT --segment --units words --page FILE`) with a
boundary after each 20 words, 15 words a line. Each key is pressed 20 times at places spread over
the text; what counts is the CPU time of the page's main thread from the press until the next frame
is drawn, in milliseconds, as in `workbench_page.py`: median and most.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from workbench_page import pressed, thread_time

from bitext.reports.table import Table
from bitext.workbench.standalone import write_page

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from reference.browser import browser_or_skip  # type: ignore[import-not-found]

_TIMES = 20
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


def measure(browser: Any, path: Path, words: int) -> tuple[Table, str]:
    """Return the times of all keys, and a line on opening and memory."""
    browser.send("Performance.enable", timeDomain="threadTicks")
    browser.open(path)
    browser.run(
        "new Promise(done => { const look = () => window.editor ? done(0) : setTimeout(look, 10); "
        "look(); })"
    )
    opening = thread_time(browser)
    browser.run("editor.grid.focus(); 0")
    places = random.Random(2)  # noqa: S311
    table = Table(["key", "does", "median, ms", "most, ms"], right={2, 3})
    for key, does, where in _KEYS:
        if key == "n":
            browser.run(
                "editor.kind.value = 'doubtful'; editor.kind.dispatchEvent(new Event('change')); 0"
            )
        times = []
        for _ in range(_TIMES):
            if where != "here":
                place = places.randrange(1, words // _SEGMENT - 1) * _SEGMENT
                place += _SEGMENT // 2 if where == "between" else 0
                browser.run(f"editor.choose({place}); 0")
            times.append(pressed(browser, key))
        shown = "Space" if key == " " else key
        table.rows.append([shown, does, f"{median(times):.1f}", f"{max(times):.1f}"])
        print(*table.rows[-1], sep="\t", file=sys.stderr)
    browser.send("HeapProfiler.collectGarbage")
    heap = browser.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    if browser.said:
        raise SystemExit(f"the console says: {browser.said[:3]}")
    size = path.stat().st_size / 1e6
    line = (
        f"{words:,} words, {words // _SEGMENT:,} segments, a page of {size:.1f} MB: {opening:.2f} "
        f"CPU seconds of the main thread to open it, {heap:.0f} MB of heap at the end."
    )
    return table, line


def main() -> None:
    """Measure, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=100_000)
    parser.add_argument("--report", type=Path)
    asked = parser.parse_args()
    browser = browser_or_skip()
    try:
        with TemporaryDirectory() as folder:
            path = Path(folder, "bench.html")
            write_page(made(asked.words), path)
            table, line = measure(browser, path, asked.words)
    finally:
        browser.close()
    report = f"# A key in the editor of a segmentation\n\n{line}\n\n{table.render('markdown')}\n"
    if asked.report is None:
        print(report)
    else:
        asked.report.write_text(report, encoding="utf-8")


if __name__ == "__main__":
    main()
