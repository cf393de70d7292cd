"""What is run beside the tools: the call of a library that has no command, and the bare parses.

python convert_calls.py translate FILE.tmx OUT.en OUT.fr   Translate Toolkit, TMX to two files
python convert_calls.py read FILE ...                      the bytes, unpacked
python convert_calls.py expat FILE ...                     a parse by expat, nothing called
python convert_calls.py lxml TAG FILE ...                  lxml.iterparse, elements thrown away
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import IO

_BLOCK = 1 << 20


def _opened(name: str) -> IO[bytes]:
    path = Path(name)
    return gzip.open(path) if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]


def translate(tmx: str, en: str, fr: str) -> None:
    """Write the source and the target of every unit, as Translate Toolkit gives them."""
    from importlib import import_module

    store = import_module("translate.storage.tmx").tmxfile.parsefile(tmx)
    with (
        Path(en).open("w", encoding="utf-8", newline="") as src,
        Path(fr).open("w", encoding="utf-8", newline="") as tgt,
    ):
        for unit in store.units:
            src.write((unit.source or "").replace("\n", " ") + "\n")
            tgt.write((unit.target or "").replace("\n", " ") + "\n")


def read(*names: str) -> None:
    """Read bytes."""
    for name in names:
        with _opened(name) as file:
            while file.read(_BLOCK):
                pass


def expat(*names: str) -> None:
    """Parse with no handler set."""
    from xml.parsers.expat import ParserCreate

    for name in names:
        parser = ParserCreate()
        with _opened(name) as file:
            while data := file.read(_BLOCK):
                parser.Parse(data, False)
            parser.Parse(b"", True)


def lxml(tag: str, *names: str) -> None:
    """Go over all elements of a name, or two with a comma between, and throw them away."""
    from lxml.etree import iterparse

    for name in names:
        with _opened(name) as file:
            for _, element in iterparse(file, events=("end",), tag=tag.split(",")):
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]


if __name__ == "__main__":
    known = {each.__name__: each for each in (translate, read, expat, lxml)}
    known[sys.argv[1]](*sys.argv[2:])
