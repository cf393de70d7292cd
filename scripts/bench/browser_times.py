"""CPU times of keys in pages of the workbench: what its benches share.

A page is opened in Chromium; keys are pressed there, and what counts is the CPU time of the page's
main thread from the press until the next frame is drawn (script, style, layout and paint).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from bitext.reports.table import Table
from bitext.workbench.standalone import write_page

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from reference.browser import (  # type: ignore[import-not-found]
    Browser,
    browser_or_skip,
)

__all__ = ["TIMES", "Keys", "parser_of", "report"]

TIMES = 20  # presses of a key
_FRAME = "new Promise(r => requestAnimationFrame(() => setTimeout(r, 0)))"
_CODES = {"Enter": 13, "End": 35, "Home": 36, "ArrowRight": 39, "ArrowDown": 40, "PageDown": 34}
_CODES["Delete"] = 46


class Keys:
    """A page in a browser, and a table of the times of its keys.

    Attributes
    ----------
    browser : Browser
    table : Table
        A row for each key: the key, what it does, the median and the most, in milliseconds.

    """

    def __init__(self, browser: Browser, path: Path) -> None:
        self.browser, self._path = browser, path
        self.table = Table(["key", "does", "median, ms", "most, ms"], right={2, 3})
        browser.send("Performance.enable", timeDomain="threadTicks")
        browser.open(path)
        browser.run(
            "new Promise(done => { const look = () => window.editor ? done(0) : "
            "setTimeout(look, 10); look(); })"
        )
        self._opening = self._thread_time()
        browser.run("editor.grid.focus(); 0")

    def _thread_time(self) -> float:
        metrics = self.browser.send("Performance.getMetrics")["metrics"]
        return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))

    def pressed(self, key: str) -> float:
        """Press a key; return the CPU milliseconds until what it does is drawn."""
        text = key if len(key) == 1 else "\r" if key == "Enter" else None
        self.browser.run(_FRAME)
        before = self._thread_time()
        self.browser.press(key, code=_CODES.get(key, 0), text=text)
        self.browser.run(_FRAME)
        return 1000 * (self._thread_time() - before)

    def add(self, key: str, does: str, times: Sequence[float]) -> None:
        """Add the times of a key to the table."""
        shown = "Space" if key == " " else key
        self.table.rows.append([shown, does, f"{median(times):.1f}", f"{max(times):.1f}"])
        print(*self.table.rows[-1], sep="\t", file=sys.stderr)

    def line(self, what: str) -> str:
        """Return a line on the page: what it holds, its size, the time to open it, its memory."""
        self.browser.send("HeapProfiler.collectGarbage")
        heap = self.browser.send("Runtime.getHeapUsage")["usedSize"] / 1e6
        if self.browser.said:
            raise SystemExit(f"the console says: {self.browser.said[:3]}")
        size = self._path.stat().st_size / 1e6
        return (
            f"{what}, a page of {size:.1f} MB: {self._opening:.2f} CPU seconds of the main thread "
            f"to open it, {heap:.0f} MB of heap at the end."
        )


def report(
    title: str,
    states: Sequence[Mapping[str, Any]],
    measure: Callable[[Keys, int], str],
    place: Path | None,
) -> None:
    """Measure pages, and write the report, or print it.

    Parameters
    ----------
    title : str
    states : sequence of mappings
        What `write_page` takes, of each page.
    measure : callable
        Presses the keys of a page, by its number from 0, and returns what the page holds.
    place : path or None

    """
    parts = [f"# {title}\n"]
    browser = browser_or_skip()
    try:
        with TemporaryDirectory() as folder:
            for number, state in enumerate(states):
                path = Path(folder, f"bench-{number}.html")
                write_page(state, path)
                keys = Keys(browser, path)
                what = measure(keys, number)
                parts += [f"{keys.line(what)}\n", f"{keys.table.render('markdown').strip()}\n"]
    finally:
        browser.close()
    text = "\n".join(parts)
    if place is None:
        print(text)
    else:
        place.write_text(text, encoding="utf-8")


def parser_of(doc: str | None, option: str, default: int) -> argparse.ArgumentParser:
    """Return the parser of a bench, with the size of its page."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument(option, type=int, default=default)
    parser.add_argument("--report", type=Path)
    return parser
