"""CPU times of keys in pages of the workbench: what its benches share.

A page is opened in Chromium; keys are pressed there, and what counts is the CPU time of the page's
main thread from the press until the next frame is drawn (script, style, layout and paint). What a
page writes when nobody presses a key is held back until then, and counted apart. The time by the
clock (`performance.now()`, from the key to the frame) goes to standard error.
"""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from bitext.reports.table import Table
from bitext.workbench.changes import rows_of
from bitext.workbench.project import Project
from bitext.workbench.server import link
from bitext.workbench.standalone import write_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
from reference.browser import (  # type: ignore[import-not-found]
    Browser,
    browser_or_skip,
)
from reference.workbench_server import Served  # type: ignore[import-not-found]

__all__ = ["TIMES", "Keys", "parser_of", "report"]

TIMES = 20  # presses of a key
_FRAME = "new Promise(r => requestAnimationFrame(() => setTimeout(r, 0)))"
_WATCH = """
  window.waiting = [];
  window.requestIdleCallback = (act) => waiting.push(act);
  addEventListener("keydown", () => {
    const begin = performance.now();
    requestAnimationFrame(() => setTimeout(() => { window.took = performance.now() - begin; }, 0));
  }, true);
  editor.grid.focus();
  0
"""
_WRITE = "window.written = false; for (const act of waiting.splice(0)) act(); "
_WRITE += "editor.store.flush().then(() => { window.written = true; }); 0"
_LONGEST = 300.0  # seconds for a server to keep a change
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

    def __init__(self, browser: Browser, address: Path | str) -> None:
        self.browser, self._address = browser, address
        self._clock: dict[str, list[float]] = {}
        self.table = Table(["key", "does", "median, ms", "most, ms"], right={2, 3})
        browser.send("Performance.enable", timeDomain="threadTicks")
        browser.open(address)
        browser.run(
            "new Promise(done => { const look = () => window.editor ? done(0) : "
            "setTimeout(look, 10); look(); })"
        )
        self._opening = self._thread_time()
        browser.run(_WATCH)

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
        took = self._thread_time() - before
        self._clock.setdefault(key, []).append(float(self.browser.run("window.took")))
        return 1000 * took

    def written(self) -> float:
        """Have the page write what it has held back; return the CPU milliseconds of that."""
        before = self._thread_time()
        self.browser.run(_WRITE)
        end = time.monotonic() + _LONGEST
        while not self.browser.run("window.written"):
            if time.monotonic() > end:
                raise SystemExit("a change is not kept")
            time.sleep(0.2)
        return 1000 * (self._thread_time() - before)

    def add(self, key: str, does: str, times: Sequence[float]) -> None:
        """Add the times of a key to the table."""
        shown = "Space" if key == " " else key
        self.table.rows.append([shown, does, f"{median(times):.1f}", f"{max(times):.1f}"])
        clock = self._clock.pop(key, [0.0])
        told = f"by the clock {median(clock):.0f}, {max(clock):.0f}"
        print(*self.table.rows[-1], told, sep="\t", file=sys.stderr)

    def line(self, what: str) -> str:
        """Return a line on the page: what it holds, its size, the time to open it, its memory."""
        self.browser.send("HeapProfiler.collectGarbage")
        heap = self.browser.send("Runtime.getHeapUsage")["usedSize"] / 1e6
        said = [line for line in self.browser.said if not line.startswith("asked for http://127.")]
        if said:
            raise SystemExit(f"the console says: {said[:3]}")
        where = "with a server"
        if isinstance(self._address, Path):
            where = f"a page of {self._address.stat().st_size / 1e6:.1f} MB"
        return (
            f"{what}, {where}: {self._opening:.2f} CPU seconds of the main thread "
            f"to open it, {heap:.0f} MB of heap at the end."
        )


@contextmanager
def _opened(state: Mapping[str, Any], path: Path, *, served: bool) -> Iterator[Path | str]:
    """Yield a page of a document; or the link to it, of a server that ends with the block."""
    if not served:
        write_page(state, path.with_suffix(".html"))
        yield path.with_suffix(".html")
        return
    path = path.with_suffix(".bitext")
    with Project.create(path, "bench") as project:
        source, target = (
            project.add_text(
                side, state[side]["language"], rows_of(state[side]["sentences"], side), "blanks"
            )
            for side in ("source", "target")
        )
        document = project.add_document("bench", source, target, rows_of(state["beads"], "beads"))
        number = project.assign(document, "anna")
    server = Served(path)
    server.start()
    try:
        yield link(server.access, "127.0.0.1", document=number)
    finally:
        server.stop()


def report(
    title: str,
    states: Sequence[Mapping[str, Any]],
    measure: Callable[[Keys, int], str],
    place: Path | None,
    served: Sequence[int] = (),
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
    served : sequence of int
        The pages that a server has.

    """
    parts = [f"# {title}\n"]
    browser = browser_or_skip()
    try:
        with TemporaryDirectory() as folder:
            for number, state in enumerate(states):
                path = Path(folder, f"bench-{number}")
                with _opened(state, path, served=number in served) as address:
                    keys = Keys(browser, address)
                    line = keys.line(measure(keys, number))
                    browser.open("about:blank")
                parts += [f"{line}\n", f"{keys.table.render('markdown').strip()}\n"]
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
