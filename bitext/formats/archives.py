"""ZIP archives of a corpus, as OPUS and data hubs offer them, read without unpacking them to files.

Two texts
    Members of one name and two languages, as `News.en-fr.en` and `News.en-fr.fr`, are the two sides
    (Moses); several such pairs are document pairs. The source is the first language in the name
    (`en-fr`), else the first one in the archive; `--src-lang` and `--tgt-lang` choose two of any
    number of languages.
Files
    A single file of alignments, such as `memory.tmx`, is read in its format, if the format holds
    texts. Several files of translations (TMX, XLIFF, PO, ...) are read one after another, each with
    its name, if all are of one kind; tables, whose columns may differ, are refused. In packages of
    Trados Studio (SDLPPX), copies of files in the source language are left out.

Notes name the members that are read and those that are left out, except for descriptions of the
corpus (`README`, `LICENSE`, ...). Members may be compressed again. Unsafe archives are refused (see
`bitext.formats.documents.archive`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePosixPath
from typing import NamedTuple

from bitext.errors import BitextError, FormatError
from bitext.formats.documents.archive import MOST_MEMBERS, Archive
from bitext.formats.io.source import Source
from bitext.formats.languages import ABOUT, bare_name, code_in, two_languages, wrong_languages
from bitext.formats.registry import Format, ReadOptions, by_name, by_suffix, sniff
from bitext.model import Bitext

_SIDES = ("src", "tgt")
_OF_PAGES = re.compile(r"(?i)(?:.*/)?(?:info|about)(?:[._/-].*)?")  # names of pages of sites, too
_OF_TRANSLATIONS = frozenset(("tmx", "xliff", "po", "qt", "ttx", "txml"))


class _Pair(NamedTuple):
    """Two members with the two sides of a document pair."""

    stem: str
    members: tuple[str, str]
    langs: tuple[str, str]


def _sniff(head: bytes) -> int:
    """Return a weak confidence; documents and workbooks are archives with a higher one."""
    size = int.from_bytes(head[26:28], "little")
    name = head[30 : 30 + size]
    office = name.startswith((b"mimetype", b"[Content_Types]", b"_rels/", b"META-INF/"))
    return 40 if head.startswith(b"PK\x03\x04") and size and name and not office else 0


def _read(source: Source, options: ReadOptions) -> Iterator[Bitext]:
    with source.random_access() as handle:
        archive = Archive(source, handle, most_members=MOST_MEMBERS)
        names = [
            name
            for name in archive.in_order
            if not name.endswith("/") and (not ABOUT.fullmatch(name) or _may_be_text(name))
        ]
        requested = options.languages
        pairs = _pairs(source, names, requested)
        used = {name for pair in pairs for name in pair.members}
        if pairs:
            yield from _read_pairs(source, archive, options, pairs)
        else:
            files = _files(source, archive, names)
            used = {*files}
            for name in files:
                stem = PurePosixPath(bare_name(name)).stem
                named = options if len(files) == 1 else replace(options, name=stem)
                yield from _read_member(archive, named, name)
        rest = [name for name in names if name not in used]
        if rest:
            kind = "members beside those that were read, left out"
            source.note(kind, f"{rest[0][:60]!r}", count=len(rest))


def _may_be_text(name: str) -> bool:
    """Check whether a file that seems to describe the corpus may be a text, as `about-us.en`."""
    ending = bare_name(name).rpartition(".")[2]
    return _OF_PAGES.fullmatch(name) is not None and bool(code_in(ending))


def _pairs(source: Source, names: list[str], requested: tuple[str, str]) -> list[_Pair]:
    """Return the pairs of members of one name in two languages.

    Raises `FormatError` when a name has more than two languages, and those asked for are not among
    them.
    """
    stems: dict[str, dict[str, str]] = {}
    for name in names:
        stem, _, ending = bare_name(name).rpartition(".")
        if stem and (ending in _SIDES or code_in(ending)):
            stems.setdefault(stem, {}).setdefault(code_in(ending) or ending, name)
    pairs: list[_Pair] = []
    for stem, members in stems.items():
        langs = list(members)
        if len(langs) < 2:
            continue
        if set(langs) == set(_SIDES):
            pairs.append(_Pair(stem, (members["src"], members["tgt"]), ("", "")))
            continue
        if pairs and {*langs} == {*pairs[0].langs}:
            langs = list(pairs[0].langs)  # one direction for all
        elif len(langs) == 2 and _are_in_order(langs[::-1], stem):
            langs.reverse()
        chosen = two_languages(langs, requested)
        if chosen is None:
            raise source.error(f"its texts {stem[:60]!r}: {wrong_languages(langs, requested)}")
        pairs.append(_Pair(stem, (members[chosen[0]], members[chosen[1]]), chosen))
    return pairs


def _are_in_order(langs: list[str], stem: str) -> bool:
    """Test a name for two languages in this order: `en-pt_br` for `en` and `pt-BR`."""
    both = "[-_]".join(code.replace("-", "[-_]") for code in langs)
    return re.search(rf"(?i)(?<!\w){both}(?!\w)", stem) is not None


def _read_pairs(
    source: Source, archive: Archive, options: ReadOptions, pairs: list[_Pair]
) -> Iterator[Bitext]:
    moses = by_name("moses")
    for pair in pairs:
        kind = "pairs of texts in archives, read as source and target"
        source.note(kind, " and ".join(pair.members))
        src = archive.stream(pair.members[0], side="src")
        tgt = archive.stream(pair.members[1], side="tgt")
        src.on_bad = tgt.on_bad = source.on_bad
        name = PurePosixPath(pair.stem).name if len(pairs) > 1 else options.name
        with src, tgt:
            found = _bitexts(moses, src, replace(options, second=tgt, name=name))
            for bitext in _going_on(source, src, found):
                yield replace(
                    bitext,
                    src=bitext.src and bitext.src.in_language(pair.langs[0]),
                    tgt=bitext.tgt and bitext.tgt.in_language(pair.langs[1]),
                    notes=(*source.notes.drain(), *bitext.notes),
                )
        source.notes.extend(src.notes)


def _bitexts(known: Format, source: Source, options: ReadOptions) -> Iterator[Bitext]:
    return iter(()) if known.read is None else known.read(source, options)


def _going_on(source: Source, member: Source, bitexts: Iterator[Bitext]) -> Iterator[Bitext]:
    """Yield the bitexts of a member; if bad units are left out, report a fatal error and end."""
    try:
        yield from bitexts
    except FormatError as error:
        if source.on_bad is None:
            raise
        with suppress(BitextError):
            yield from member.collected()
        source.on_bad(error)


def _files(source: Source, archive: Archive, names: list[str]) -> list[str]:
    """Return the only member that is a file of alignments, or several files of translations.

    Raises `FormatError` when there is none, or there are several of other kinds.
    """
    known = {name: each for name in names if (each := _format_of(archive, name)) is not None}
    those = _without_source_copies(archive, [*known])
    kinds = {each.name.rstrip("12").removeprefix("sdl") for each in known.values()}
    if len(those) == 1 or (len(kinds) == 1 and kinds <= _OF_TRANSLATIONS):
        return those
    shown = ", ".join(repr(name[:60]) for name in (those or names)[:5]) or "nothing"
    what = (
        "several files of alignments" if those else "no two texts, as a.en and a.fr, and no memory"
    )
    way = "unpack it, and name the file" + (", or its folder for all" if len(those) > 1 else "")
    raise source.error(f"is a ZIP archive with {what} ({shown}): {way}")


def _without_source_copies(archive: Archive, files: list[str]) -> list[str]:
    """Leave out the copies in the source language that packages of Trados have of their files.

    They have the names of the translated ones, in the folder of the source language.
    """
    projects = [name for name in archive.in_order if name.lower().endswith(".sdlproj")]
    tree = archive.tree(projects[0]) if len(projects) == 1 else None
    directions = () if tree is None else tree.iter("{*}LanguageDirection")
    sources = {each.get("SourceLanguageCode", "").lower() for each in directions}
    paths = [PurePosixPath(name) for name in files]
    translated = {path.name for path in paths if path.parent.name.lower() not in sources}
    return [
        name
        for name, path in zip(files, paths, strict=True)
        if path.parent.name.lower() not in sources or path.name not in translated
    ]


def _format_of(archive: Archive, name: str) -> Format | None:
    if by_suffix(name) is None:
        return None
    with archive.stream(name) as member:
        known = sniff(member.head(), name)
    if known is None or known is FORMAT or known.read is None or known.two_files:
        return None
    return known if known.holds == "text" else None


def _read_member(archive: Archive, options: ReadOptions, name: str) -> Iterator[Bitext]:
    known = _format_of(archive, name)
    source = archive.source
    source.note("files in archives, read", f"{name[:60]!r}")
    with archive.stream(name) as member:
        member.on_bad = source.on_bad
        if known is None:
            return
        member.units, member.holders = known.units, known.holders
        for bitext in _going_on(source, member, _bitexts(known, member, options)):
            yield replace(bitext, notes=(*source.notes.drain(), *bitext.notes))
        source.notes.extend(member.notes)


FORMAT = Format(
    name="zip",
    title="two texts, or one file of alignments, in a ZIP archive (OPUS; read)",
    suffixes=(".zip",),
    sniff=_sniff,
    read=_read,
    binary=True,
    streams=True,
)
