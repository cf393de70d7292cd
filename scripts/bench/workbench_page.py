"""How long a key takes in the editor of the workbench, with many beads.

    python scripts/bench/workbench_page.py [--beads 20000] [--report FILE]

Chromium edits a page of its own (`bitext edit --page`) with as many sentences on each side. Each
key is pressed 20 times at places spread over the text (each shift is undone before the next one, so
that all of them reach the end); what counts is the CPU time of the page's
main thread from the press until the next frame is drawn (script, style, layout and paint), in
milliseconds: median and most.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from bitext.reports.table import Table
from bitext.workbench.standalone import write_page

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from reference.browser import (  # type: ignore[import-not-found]
    Browser,
    browser_or_skip,
)

_TIMES = 20
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


def made(beads: int) -> dict[str, Any]:
    """Return an alignment of sentences of usual lengths, all of type 1-1."""
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
    sides = {
        side: {"id": n, "name": side, "language": lang, "sentences": text(side[0])}
        for n, (side, lang) in enumerate([("source", "en"), ("target", "de")], 1)
    }
    return {
        "alignment": {"id": 1, "name": "bench", "annotator": "anna", "version": 0},
        **sides,
        "beads": rows,
    }


_FRAME = "new Promise(r => requestAnimationFrame(() => setTimeout(r, 0)))"


def thread_time(browser: Browser) -> float:
    """Return the CPU seconds of the main thread of the page."""
    metrics = browser.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


def pressed(browser: Browser, key: str) -> float:
    """Press a key; return the CPU milliseconds until what it does is drawn."""
    text = key if len(key) == 1 else "\r" if key == "Enter" else None
    codes = {"Enter": 13, "End": 35, "Home": 36, "ArrowDown": 40, "PageDown": 34}
    browser.run(_FRAME)
    before = thread_time(browser)
    browser.press(key, code=codes.get(key, 0), text=text)
    browser.run(_FRAME)
    return 1000 * (thread_time(browser) - before)


def measure(browser: Browser, path: Path, beads: int) -> tuple[Table, str]:
    """Return the times of all keys, and a line on opening and memory."""
    browser.send("Performance.enable", timeDomain="threadTicks")
    browser.open(path)
    browser.run(
        "new Promise(done => { const look = () => window.editor ? done(0) : setTimeout(look, 10); "
        "look(); })"
    )
    opening = thread_time(browser)
    places = random.Random(2)  # noqa: S311
    browser.run("editor.find.value = 'w49'; 0")
    browser.run("editor.find.dispatchEvent(new Event('input')); editor.grid.focus(); 0")
    table = Table(["key", "does", "median, ms", "most, ms"], right={2, 3})
    for key, does, spread in _KEYS:
        if key == "n":
            browser.run("editor.run('kind:found')")
        times, undone = [], []
        for _ in range(_TIMES):
            if spread:
                place = places.randrange(beads // 20, beads // 10) if key == "w" else None
                place = places.randrange(beads // 2) if place is None else place
                browser.run(f"editor.choose({place}); 0")
            times.append(pressed(browser, key))
            if key == "w":
                undone.append(pressed(browser, "z"))
        table.rows.append([key, does, f"{median(times):.1f}", f"{max(times):.1f}"])
        if undone:
            cells = [f"{median(undone):.1f}", f"{max(undone):.1f}"]
            table.rows.append(["z", "undo the shift", *cells])
        print(*table.rows[-1], sep="\t", file=sys.stderr)
    browser.send("HeapProfiler.collectGarbage")
    heap = browser.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    if browser.said:
        raise SystemExit(f"the console says: {browser.said[:3]}")
    size = path.stat().st_size / 1e6
    line = (
        f"{beads:,} x {beads:,} sentences, a page of {size:.1f} MB: {opening:.2f} CPU seconds of "
        f"the main thread to open it, {heap:.0f} MB of heap at the end."
    )
    return table, line


def main() -> None:
    """Measure, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--beads", type=int, default=20_000)
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    browser = browser_or_skip()
    try:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "bench.html"
            write_page(made(options.beads), path)
            table, line = measure(browser, path, options.beads)
    finally:
        browser.close()
    rows = ["| " + " | ".join(row) + " |" for row in (table.head, *table.rows)]
    rows.insert(1, "| --- | --- | --: | --: |")
    report = "\n".join(["# A key in the editor of the workbench", "", line, "", *rows, ""])
    if options.report:
        options.report.write_text(report, encoding="utf-8")
    else:
        print(report)


if __name__ == "__main__":
    main()
