"""Makes the pictures of README.md and docs: each page on the output of a command over our fixtures.

    .venv/bin/python scripts/make_pictures.py [NAME ...]

It writes `docs/pictures/NAME.png`, all of them by default, and needs Chromium, for pages of PDF
pdftoppm. A line in `PICTURES`
adds one. The same browser with the same fonts makes the same pictures; other fonts, others.
"""

from __future__ import annotations

import base64
import contextlib
import io
import shlex
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from PIL import Image

from bitext.cli.main import main as run_bitext

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"
MOST = 200_000  # bytes of a picture
COLOURS = 256
WIDTH, HEIGHT = 1280, 900
MARGIN = 12
UPPER = 90  # pixels of the upper margin of a printed page that are left out
WAIT = 400  # milliseconds until what moves has come to rest

_COAST = (
    "--src 'fixtures/coast/text/{name}.en' --tgt 'fixtures/coast/text/{name}.fr' --names alpha,beta"
)


class Picture(NamedTuple):
    """One picture.

    Attributes
    ----------
    name : str
        Of the file, less its ending.
    command : str
        Arguments of `bitext`, but for the page.
    first, last : str
        Selectors of the parts of the page from whose top to whose bottom it goes.
    keys : str
        What is pressed before.
    drawn : bool
        Whether the picture is the figure that `-o` writes, and not of a page.
    printed : int
        The number of the page, from 1, of the PDF that `-o` writes; 0 for other pictures.
    height : int
        Pixels of a printed page, less the most of its upper margin.
    option : str
        What writes the page.
    clicked : str
        Selector of what is clicked before.

    """

    name: str
    command: str
    first: str = "h1"
    last: str = "main"
    keys: str = ""
    drawn: bool = False
    printed: int = 0
    height: int = 0
    option: str = "--html"
    clicked: str = ""


PICTURES = (
    Picture(
        "lattice", "cluster fixtures/harbour/news.txt", first="#drawing-head", last="#sentences"
    ),
    Picture(
        "alignment",
        "score fixtures/coast/gold/market.align fixtures/coast/alpha/market.align "
        f"fixtures/coast/beta/market.ladder {_COAST.replace('{name}', 'market')}",
        first="#alignment",
        last="#bench",
        keys="nn",
    ),
    Picture(
        "links",
        "score fixtures/kiln/gold.pharaoh fixtures/kiln/forward.talp fixtures/kiln/reverse.talp "
        "--swap reverse --src fixtures/kiln/kiln.en --tgt fixtures/kiln/kiln.fr",
        first="#links",
        last="#bench",
        keys="nn",
    ),
    Picture(
        "linked",
        "link fixtures/orchard/orchard.en fixtures/orchard/orchard.fr --cut -o /dev/null --to tsv",
        first="#links",
        last="#bench",
        clicked=".finder li:nth-child(7) button",
    ),
    Picture(
        "scores",
        f"score fixtures/coast/gold fixtures/coast/alpha fixtures/coast/beta {_COAST}",
        last="#bars",
    ),
    Picture(
        "segmentation",
        "compare fixtures/topics/ref fixtures/topics/alpha fixtures/topics/beta.jsonl",
        first="#strips",
        last="#strips",
        keys="n",
    ),
    Picture(
        "coders",
        "compare fixtures/coders/anna fixtures/coders/ben.masses fixtures/coders/cleo.masses "
        "fixtures/coders/dora.masses --names anna,ben,cleo,dora --agreement",
        first="#pairs",
        last="#places",
    ),
    Picture(
        "cleaning",
        "convert fixtures/cleaning/noisy.tsv /dev/null --to tsv --clean default",
        last="#filter-5",
        option="--clean-report",
    ),
    Picture(
        "workbench",
        "edit fixtures/orchard/orchard.en fixtures/orchard/orchard.fr",
        keys="vjvjvjqb",
        option="--page",
    ),
    Picture("study", "study errors --to-n 12", last="#figures figure"),
    Picture(
        "paragraphs",
        "paragraphs score fixtures/paragraphs/ferry.en.tsv --split 1/1 "
        "--methods majority,quotes,max-margin-chain,semi-markov",
        last="#bars figure",
    ),
    Picture(
        "figure",
        "score fixtures/coast/gold fixtures/coast/alpha fixtures/coast/beta "
        f"-g alignment,character {_COAST}",
        drawn=True,
    ),
    Picture(
        "book",
        "align fixtures/documents/ferry.en.docx fixtures/documents/ferry.de.docx",
        first="#contents",
        last="#c1 .row:nth-child(7)",
        option="-o",
        clicked="#c1 .row:nth-child(3) .s:nth-child(3)",
    ),
    Picture(
        "book-pdf",
        "align fixtures/documents/ferry.en.docx fixtures/documents/ferry.de.docx",
        printed=1,
        height=720,
    ),
)


def main() -> int:
    """Make the pictures that are named, or all."""
    known = {picture.name: picture for picture in PICTURES}
    wanted = sys.argv[1:] or list(known)
    unknown = next((name for name in wanted if name not in known), None)
    if unknown is not None:
        print(f"no picture {unknown!r}: want some of {', '.join(known)}", file=sys.stderr)
        return 2
    without = all(known[name].drawn or known[name].printed for name in wanted)
    browser = None if without else _browser()
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        with contextlib.chdir(ROOT), tempfile.TemporaryDirectory() as folder:
            for name in wanted:
                if known[name].drawn:
                    content = drawn(known[name], Path(folder) / f"{name}.png")
                elif known[name].printed:
                    content = printed(known[name], Path(folder) / f"{name}.pdf")
                else:
                    content = taken(browser, known[name], Path(folder) / f"{name}.html")
                (FOLDER / f"{name}.png").write_bytes(content)
                told = f"{FOLDER.relative_to(ROOT)}/{name}.png: {len(content):,} bytes"
                if len(content) > MOST:
                    print(f"{told}: too large, {MOST:,} at most", file=sys.stderr)
                    return 1
                print(told)
    finally:
        if browser is not None:
            browser.close()
    return 0


def drawn(picture: Picture, file: Path) -> bytes:
    """Draw the figure of a command."""
    command = [*shlex.split(picture.command), "-o", str(file), "--quiet"]
    if status := run_bitext(command):
        raise SystemExit(f"bitext {shlex.join(command)}: ended with {status}")
    return small(file.read_bytes())


def printed(picture: Picture, file: Path) -> bytes:
    """Print a page of the book of a command, with pdftoppm (poppler-utils)."""
    command = [*shlex.split(picture.command), "-o", str(file), "--quiet"]
    if status := run_bitext(command):
        raise SystemExit(f"bitext {shlex.join(command)}: ended with {status}")
    page = str(picture.printed)
    done = subprocess.run(
        ["pdftoppm", "-r", "110", "-f", page, "-l", page, "-png", str(file)],  # noqa: S607 - of the system
        capture_output=True,
        check=True,
    )
    image = Image.open(io.BytesIO(done.stdout))
    out = io.BytesIO()
    image.crop((0, UPPER, image.width, UPPER + picture.height)).save(out, "PNG")
    return small(out.getvalue())


def taken(browser: Any, picture: Picture, page: Path) -> bytes:
    """Make the page of a picture, and return the picture."""
    command = [*shlex.split(picture.command), picture.option, str(page), "--quiet"]
    with contextlib.redirect_stdout(io.StringIO()):
        status = run_bitext(command)
    if status:
        raise SystemExit(f"bitext {shlex.join(command)}: ended with {status}")
    browser.open(page, width=WIDTH, height=HEIGHT)
    browser.run(f"new Promise(done => setTimeout(done, {WAIT}))")  # until its script has begun
    if picture.clicked:
        browser.run(f"document.querySelector({picture.clicked!r}).click()")
    for key in picture.keys:
        browser.press(key, text=key)
    # Where a page scrolls to is no part of it.
    browser.run(f"new Promise(done => setTimeout(() => {{ scrollTo(0, 0); done(); }}, {WAIT}))")
    if browser.said:
        raise SystemExit(f"{picture.name}: the page says {browser.said[0]}")
    edges = "document.querySelector({!r}).getBoundingClientRect().{}"
    top = max(browser.run(edges.format(picture.first, "top")) - MARGIN, 0)
    bottom = browser.run(edges.format(picture.last, "bottom")) + MARGIN
    clip = {"x": 0, "y": top, "width": WIDTH, "height": bottom - top, "scale": 1}
    found = browser.send("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
    return small(base64.b64decode(found["data"]))


def small(png: bytes) -> bytes:
    """Return a picture with a palette, which takes a third of the room."""
    out = io.BytesIO()
    image = Image.open(io.BytesIO(png)).convert("RGB")
    image.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(
        out, "PNG", optimize=True
    )
    return out.getvalue()


def _browser() -> Any:
    """Return the browser that the tests drive."""
    sys.path.insert(0, str(ROOT / "tests"))
    try:
        return import_module("reference.browser").browser_or_skip()
    except pytest.skip.Exception as lacking:
        raise SystemExit(str(lacking)) from None


if __name__ == "__main__":
    sys.exit(main())
