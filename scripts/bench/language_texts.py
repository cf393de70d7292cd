"""Documentation in many languages, translated paragraph by paragraph: fetched, and read in pairs.

What is read are books and manuals of the Debian archive, the messages of Django from the package
index, and the Quran verse by verse from the npm registry, all freely licensed. Books, manuals and
messages were translated with po4a, itstool and gettext, which keep the structure of a text, so
paragraphs correspond in order. That is checked: a chapter whose elements are not the same, by their
tags and in the same order, in both languages is left out. Verses are numbered; in Arabic and mostly
in Urdu they have no full stops, so one stands beside several sentences of other languages.

Left out, too: listings, commands, what generates itself (indices, tables of contents, numbers of
headings), and what is the same in two of the languages, English among them: it was not translated.
Placeholders of messages are taken out: no text that is read has them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from typing import TYPE_CHECKING, Any, NamedTuple

from lxml import etree, html

from bitext import read
from bitext.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = [
    "COLLECTIONS",
    "Block",
    "Collection",
    "Parallel",
    "codes_of",
    "fetch",
    "fetch_npm",
    "parallel",
]

DJANGO = "Django==5.2"
VERSES = "quran-json@3.1.2"

# A line end between two ideographs or kana is no space.
_BETWEEN = re.compile(r"(?<=[\u3000-\u30ff\u3400-\u9fff]) (?=[\u3000-\u30ff\u3400-\u9fff])")
_NUMBER = re.compile(r"^(?:\w+ ?\d+\.\d+|(?:\d+|[A-Z])(?:\.\d+)*\.)\.?\s+")
_HOLDER = re.compile(r"%\(\w+\)[-\d.]*[a-z]|%[-\d.]*[sdif]|\{\w*\}|<[^<>]+>|&\w+;")
_BLOCKS = re.compile(
    r"body|page|section|div|p|h[1-6]|dl|d[dt]|[uo]l|li|table|thead|tbody|t[rdh]|blockquote|caption"
    r"|note|steps|item|list|terms|title|subtitle|desc|cite|figure|example|synopsis|info|tree|links"
    r"|quote|comment|listing"
)
_LEFT_OUT = re.compile(r"pre|code|screen|head|script|style|credit|license|revision|include")
_VERSES = re.compile(r"package/dist/quran\w*\.json")
_GENERATED = re.compile(r"\b(toc|list-of-(figures|tables|examples)|nav(header|footer)|docnav)\b")


class Collection(NamedTuple):
    """Texts in many languages.

    Attributes
    ----------
    packages : str
        Of Debian, one for all languages or, with `{}`, one a language; `Django==...` is from the
        package index, `quran-json@...` from the npm registry.
    files : str
        Which files of a language are read, as a pattern with its code for `{}`.
    english : str
        What is the code of the original.
    codes : str
        Of the other languages, where each has a package of its own.

    """

    packages: str
    files: str
    english: str = "en"
    codes: str = ""


COLLECTIONS = {
    "handbook": Collection(
        "debian-handbook", "usr/share/doc/debian-handbook/html/{}/*.html", "en-US"
    ),
    "reference": Collection(
        "debian-reference-{}",
        "usr/share/debian-reference/*.{}.html",
        codes="de es fr it ja pt pt-br zh-cn zh-tw",
    ),
    "installation": Collection(
        "installation-guide-amd64", "usr/share/doc/installation-guide-amd64/{}/*.html"
    ),
    "gimp": Collection(
        "gimp-help-{}",
        "usr/share/gimp/2.0/help/{}/*.html",
        codes="ca de el es fi fr hu it ja ko nl nn pt ru sl sv zh_CN",
    ),
    "gnome": Collection("gnome-user-docs", "usr/share/help/{}/gnome-help/*.page", "C"),
    "django": Collection(DJANGO, "django/**/locale/{}/LC_MESSAGES/django.po"),
    "verses": Collection(VERSES, "package/dist/quran{}.json"),
}


class Block(NamedTuple):
    """An element with text: its tags from the root on, and the text."""

    tags: str
    text: str


class Parallel(NamedTuple):
    """The paragraphs of two languages, and what was left out.

    Attributes
    ----------
    pairs : list of (str, str)
    chapters, differing : int
        The files that both languages have, and how many of them differ in structure.
    same : int
        Paragraphs that were not translated.

    """

    pairs: list[tuple[str, str]]
    chapters: int
    differing: int
    same: int


def fetch(name: str, langs: tuple[str, ...], cache: Path) -> None:
    """Bring the texts of a collection in some languages into a folder, unless they are there.

    Raises
    ------
    InputError
        Where there is no `apt-get`, `dpkg`, `npm` or network.

    """
    pattern = COLLECTIONS[name].packages
    if pattern == DJANGO:
        _fetch_wheel(cache)
        return
    if pattern == VERSES:
        fetch_npm(VERSES, cache, files=_VERSES)
        return
    langs = (*langs, COLLECTIONS[name].english)
    named = [lang.lower().replace("_", "-") for lang in langs] if "{}" in pattern else [""]
    for package in sorted({pattern.format(lang) for lang in named}):
        note = cache / "fetched" / package
        if note.exists():
            continue
        for program in ("apt-get", "dpkg"):
            if shutil.which(program) is None:
                raise InputError(f"there is no {program}: run this on Debian, or with its archive")
        folder = cache / "packages" / package
        folder.mkdir(parents=True, exist_ok=True)
        run_command(["apt-get", "download", "-q", package], folder)
        for path in sorted(folder.glob("*.deb")):
            run_command(["dpkg", "-x", path.name, str(cache.resolve())], folder)
        note.parent.mkdir(exist_ok=True)
        note.touch()


def codes_of(name: str, cache: Path) -> list[str]:
    """Fetch a collection, and return the codes of its languages but for the original's.

    Raises
    ------
    InputError
        Where there is no `apt-get`, `dpkg` or network.

    """
    collection = COLLECTIONS[name]
    codes = tuple(collection.codes.split())
    fetch(name, codes, cache)
    if not codes:  # those of the folders that are there
        before, _, behind = collection.files.partition("{}")
        place = -1 - behind.count("/")
        codes = tuple({path.parts[place] for path in cache.glob(f"{before}*{behind}")})
    return sorted({*codes} - {collection.english})


def _fetch_wheel(cache: Path) -> None:
    folder = cache / "packages" / "django"
    if not any(folder.glob("*.whl")):
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", DJANGO]
        run_command([*pip, "-d", str(folder.resolve())], cache)
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        for name in wheel.namelist():
            if name.endswith(".po"):
                _put(cache / name, wheel.read(name))


def fetch_npm(name: str, cache: Path, *, files: re.Pattern[str]) -> None:
    """Bring the files of a package of the npm registry into a folder, if they match.

    Parameters
    ----------
    name : str
        With its version: `quran-json@3.1.2`.
    cache : Path
    files : pattern
        Of whole names in the package, which begin with `package/`.

    Raises
    ------
    InputError
        Where there is no `npm` or network.

    """
    folder = cache / "packages" / name.partition("@")[0]
    if not any(folder.glob("*.tgz")):
        if shutil.which("npm") is None:
            raise InputError(f"there is no npm: install it, or do without {name}")
        run_command(["npm", "pack", "--silent", name], folder)
    with tarfile.open(next(folder.glob("*.tgz"))) as package:
        for member in package.getmembers():
            held = package.extractfile(member)
            if held is not None and files.fullmatch(member.name):
                _put(cache / member.name, held.read())


def _put(path: Path, content: bytes) -> None:
    """Write a file aside, and rename it: another run may read it now."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    aside.write_bytes(content)
    aside.replace(path)


def run_command(command: list[str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no reason told"])[-1]
        raise InputError(f"{' '.join(command[:3])} failed: {last}")


def parallel(name: str, langs: tuple[str, str], cache: Path) -> Parallel:
    """Return the paragraphs that two languages of a collection have in common.

    Raises
    ------
    InputError
        When a language is not there.

    """
    collection = COLLECTIONS[name]
    files = [_files(name, lang, cache) for lang in (*langs, collection.english)]
    found: list[tuple[str, str]] = []
    differing = same = 0
    common = [chapter for chapter in files[0] if chapter in files[1] and chapter in files[2]]
    for chapter in common:
        if name == "django":
            originals = [lang == collection.english for lang in (*langs, collection.english)]
            sides = _messages([each[chapter] for each in files], originals)
        elif name == "verses":
            sides = [_verses(each[chapter]) for each in files]
        else:
            sides = [list(_blocks(each[chapter])) for each in files]
        if len({tuple(block.tags for block in side) for side in sides}) > 1:
            differing += 1
            continue
        for src, tgt, original in zip(*sides, strict=True):
            if not (_has_letters(src.text) and _has_letters(tgt.text)):
                continue
            texts = [src.text, tgt.text]
            if collection.english not in langs:
                texts.append(original.text)
            if len({*texts}) < len(texts):
                same += 1
            else:
                found.append((src.text, tgt.text))
    return Parallel(found, len(common), differing, same)


def _files(name: str, lang: str, cache: Path) -> dict[str, Path]:
    """Return the chapters of a language, by a name that all languages have."""
    collection = COLLECTIONS[name]
    # Every file of messages holds the original, too.
    code = "de" if name == "django" and lang == collection.english else lang
    if name == "verses":
        code = "" if lang == "ar" else f"_{lang}"
    before, _, behind = collection.files.partition("{}")
    found = {}
    for path in sorted(cache.glob(f"{before}{code}{behind}")):
        chapter = path.relative_to(cache).as_posix().replace(f"/{code}/", "/")
        chapter = "all" if name == "verses" else chapter
        if not path.name.startswith(("index.", "ix")):
            found[chapter.replace(f".{code}.", ".")] = path
    if not found:
        raise InputError(f"{cache}: has no text of {name} in the language {lang!r}")
    return found


def _has_letters(text: str) -> bool:
    return any(c.isalpha() for c in text)


def _plain(text: str) -> str:
    return _NUMBER.sub("", _BETWEEN.sub("", " ".join(text.split())))


def _blocks(path: Path) -> Iterator[Block]:
    """Yield the pieces of text of a file that no element divides but those within a line."""
    parser = html.HTMLParser(encoding="utf-8") if path.suffix == ".html" else None
    tags: list[str] = []
    held: list[str] = []
    for name, text in _events(etree.parse(str(path), parser).getroot()):
        if name:
            whole = _plain("".join(held))
            if whole:
                yield Block(" ".join(tags), whole)
            held.clear()
            if name == "/":
                tags.pop()
            else:
                tags.append(name)
        held.append(text)


def _events(root: Any) -> Iterator[tuple[str, str]]:
    """Yield where elements begin (their name) and end (`/`), and the text behind that.

    The name is empty for elements within a line.
    """
    left_out: Any = None
    for event, node in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        name = etree.QName(node).localname if isinstance(node.tag, str) else ""
        block = name if _BLOCKS.fullmatch(name) else ""
        if event != "start":
            if left_out is None:
                yield (block and "/", node.tail or "")
            elif left_out is node:
                left_out = None
                yield ("", node.tail or "")
        elif left_out is None:
            if _LEFT_OUT.fullmatch(name) or _GENERATED.search(node.get("class") or ""):
                left_out = node
            else:
                yield (block, node.text or "")


def _messages(paths: list[Path], originals: list[bool]) -> list[list[Block]]:
    """Return the messages that all of some PO files translate, each as an element by itself."""
    found: list[dict[str, str]] = []
    for path, original in zip(paths, originals, strict=True):
        held = {}
        bitext = read(path)
        if bitext.src is None or bitext.tgt is None:
            raise InputError(f"{path}: holds no messages")
        src, tgt = list(bitext.src.segments()), list(bitext.tgt.segments())
        for bead in bitext.alignment:
            if len(bead.src) == len(bead.tgt) == 1:  # others have forms for the plural
                key = src[bead.src[0]]
                held[key] = key if original else tgt[bead.tgt[0]]
        found.append(held)
    keys = [key for key in found[0] if key in found[1] and key in found[2]]
    return [[Block(key, _plain(_HOLDER.sub("", each[key]))) for key in keys] for each in found]


def _verses(path: Path) -> list[Block]:
    """Return the verses of a file, each with its number for a tag."""
    found = []
    for sura in json.loads(path.read_bytes()):
        for verse in sura["verses"]:
            text = verse.get("translation", verse["text"])
            found.append(Block(f"{sura['id']} {verse['id']}", _plain(text)))
    return found
