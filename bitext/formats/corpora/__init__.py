"""Corpora: one file, a folder, or a manifest, as named texts.

A manifest names the texts of a corpus. It is a file of tab-separated columns whose first line names
them: `text` and `path`, and optionally `src` and `tgt`, the texts; or of JSON lines with these
keys. Names in it are relative to its folder, or to the working directory where it comes through a
stream, unless they are URLs or begin with `/`. It is read line by line.

A corpus may be local or remote (`bitext.formats.io.remote`). The files of a local folder are
sniffed: those that hold no alignment, or segmentation, are left aside, which is noted. But a file
whose suffix is that of an alignment is read, and refused, as if it were named alone, even if it is
empty, damaged, or something else. The files of a remote folder are all taken, except for hidden
ones (a dot first), since sniffing would download them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from bitext.errors import FormatError, InputError, few, many, nearest, remedy
from bitext.formats.io.compression import Limits, unpacked
from bitext.formats.io.remote import (
    beside,
    called,
    files_at,
    in_address,
    is_folder_at,
    is_remote,
    join,
    join_file,
    two_files,
)
from bitext.formats.io.source import Source, is_stream, look_ahead, open_source
from bitext.formats.languages import ABOUT, bare_name, code_in, finds, two_languages
from bitext.formats.registry import Format, format_suffixes, sniff
from bitext.lazy import late_pattern
from bitext.model import Bitext
from bitext.paths import files_below, files_in, is_file, is_folder, may_be_there, path_name

if TYPE_CHECKING:
    import os


MANIFEST_COLUMNS = ("text", "path", "src", "tgt")
# Least similarity (difflib) of a column name and a mistyped one, as `pat` and `path`; set by hand.
_MISTYPED = 0.75


class ManifestRow(NamedTuple):
    """A text of a manifest, with the full names of its files."""

    line: int
    text: str
    path: str
    src: str | None
    tgt: str | None


def is_manifest(source: Source) -> bool:
    """Recognise a manifest by its first line, without consuming it.

    Raises `FormatError` when the first line is almost the header of a manifest.
    """
    first = _first_line(source)
    if _is_manifest_head(first):
        return True
    if first.startswith(b"{"):
        keys = _json_keys(first)
        if {"text", "path"} <= keys:
            return True
        if _is_almost_head(sorted(keys)):
            raise source.error(
                f"has the keys {', '.join(sorted(keys))!r:.60}, which are almost those of a "
                f"manifest; want 'text' and 'path', and if wanted 'src' and 'tgt'",
                1,
            )
        return False
    line = first.decode("utf-8", "replace").lower()
    words = line.replace(",", " ").split()
    if {"text", "path"} <= set(words) <= set(MANIFEST_COLUMNS) or _is_almost_head(line.split("\t")):
        raise source.error(
            f"is {' '.join(words)!r:.60}, which is almost the header of a manifest; want 'text' "
            f"and 'path' first, in small letters, with a tab between",
            1,
        )
    if _lacks_text(source):
        raise source.error(
            f"is {' '.join(words)!r:.60}, the header of a manifest without 'text': add it as the "
            f"first column, with a name for each text",
            1,
        )
    return False


def _lacks_text(source: Source) -> bool:
    """Recognise a manifest without the column `text`: its second line names two files."""
    head, line = (*source.head().decode("utf-8", "replace").split("\n", 2), "")[:2]
    names, cells = (one.lstrip("\ufeff").strip("\r").split("\t") for one in (head, line))
    if not {"path", "src"} <= set(names) <= set(MANIFEST_COLUMNS) or len(names) != len(cells):
        return False
    row, folder = dict(zip(names, cells, strict=True)), Path(source.path).parent
    return "text" not in row and all(is_file(folder / row[name]) for name in ("path", "src"))


def _is_almost_head(names: Sequence[str]) -> bool:
    """Recognise the header of a manifest in which `text` or `path` is mistyped."""
    if ("text" in names) == ("path" in names) or not 1 < len(names) <= len(MANIFEST_COLUMNS):
        return False
    meant = {nearest(name, MANIFEST_COLUMNS, cutoff=_MISTYPED) for name in names}
    return {"text", "path"} <= meant <= set(MANIFEST_COLUMNS) and len(meant) == len(names)


def refuse_manifest(source: Source, wanted: str) -> None:
    """Refuse a manifest if a file of another kind is `wanted`; nothing of it is consumed.

    Raises `FormatError` when the file is a manifest.
    """
    first = _first_line(source)
    is_json = {"text", "path"} <= _json_keys(first) <= set(MANIFEST_COLUMNS)
    if _is_manifest_head(first) or is_json or _lacks_text(source):
        raise source.error(
            f"is a manifest, not a {wanted}; where a corpus is wanted give the manifest itself, by "
            f"its name or as -, not in a folder or a manifest; elsewhere give what it names"
        )


def _first_line(source: Source) -> bytes:
    return source.head().partition(b"\n")[0].rstrip(b"\r").removeprefix(b"\xef\xbb\xbf")


def _is_manifest_head(line: bytes) -> bool:
    return line.split(b"\t")[:2] == [b"text", b"path"]


def _json_keys(line: bytes) -> set[str]:
    """Return the keys of a line that is a JSON object; empty for other lines."""
    row = _json_object(line.decode("utf-8", "replace")) if line.startswith(b"{") else None
    return set(row or ())


def manifest_rows(
    source: Source, where: str, *, columns: Sequence[str] = MANIFEST_COLUMNS
) -> Iterator[ManifestRow]:
    """Yield the texts of a manifest, line by line.

    `where` is the name of the manifest, to whose folder its files are relative. `columns` are the
    columns that it may have.

    Raises `FormatError`, with the line, when the manifest lacks a column or a value, names a text
    twice, or names none.
    """
    as_json = source.head().removeprefix(b"\xef\xbb\xbf").startswith(b"{")
    folder = "." if is_stream(where) else str(Path(where).parent)
    if is_remote(where):
        folder = beside(where)
    known: set[str] = set()
    for number, row in (_json_rows if as_json else _tab_rows)(source, columns):
        if not (row.get("text") and row.get("path")):
            raise source.error("lacks its text or its path; give both", number)
        text = normalize("NFC", row["text"])
        if text in known:
            raise source.error(f"names {text!r:.60} again; want once", number)
        known.add(text)
        path, src, tgt = (_under_folder(folder, row.get(name)) for name in ("path", "src", "tgt"))
        yield ManifestRow(number, text, str(path), src, tgt)
    if not known:
        raise FormatError("the manifest names no text; want a line each", path=source.path)


def _under_folder(folder: str, name: str | None) -> str | None:
    if not name:
        return None
    if is_remote(name) or name.startswith("/"):
        return name
    whole = join(folder, name)
    both = two_files(name) if two_files(whole) else None
    return whole if both is None else ",".join(str(_under_folder(folder, half)) for half in both)


def _refuse_unknown(
    source: Source, names: Sequence[str], columns: Sequence[str], line: int
) -> None:
    unknown = next((name for name in names if name not in columns), None)
    if unknown is not None:
        wanted = ", ".join(columns)
        raise source.error(f"the manifest has a column {unknown!r:.60}; want {wanted}", line)


def _tab_rows(source: Source, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    names: list[str] = []
    for number, line in source.stream_lines():
        values = line.removeprefix("\ufeff").split("\t") if number == 1 else line.split("\t")
        if number == 1:
            names = values
            _refuse_unknown(source, names, columns, number)
        elif len(values) > len(names):
            raise source.error(
                f"has {many(len(values), 'column')}; the first line names {len(names)}", number
            )
        elif line.strip():
            yield number, dict(zip(names, values, strict=False))


def _json_rows(source: Source, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    for number, line in source.stream_lines():
        if not line.strip():
            continue
        row = _json_object(line.removeprefix("\ufeff"))
        if row is None:
            raise source.error("is not a JSON object; want one a line", number)
        _refuse_unknown(source, list(row), columns, number)
        wrong = next((name for name, value in row.items() if not isinstance(value, str)), None)
        if wrong is not None and row[wrong] is not None:
            raise source.error(
                f"has {wrong!r:.60} that is not a string; want the name of a file", number
            )
        yield number, {name: value for name, value in row.items() if value is not None}


def _json_object(line: str) -> dict[str, str] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


# The files of a corpus, as named texts.

_PLAIN = {".txt", ".xml", ".json"}
# Suffixes of documents, or of other data, as well as of alignments, which often lie in one folder.
# Descriptions of data sets of Hugging Face, beside their tables.
_METADATA = frozenset(
    ("dataset_dict.json", "dataset_info.json", "dataset_infos.json", "state.json")
)
_AMBIGUOUS = (".ces", ".ces.xml", ".csv", ".json", ".sgm", ".tei", ".tei.xml", ".text", ".xces",
              ".xces.xml")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """The kind of contents of the files of a corpus."""

    noun: str  # its name: `an alignment`
    holds: Callable[[Path], bool]  # returns whether a file of a folder is of this kind
    # Suffixes that do not belong to the names of texts, instead of those of all formats.
    suffixes: Sequence[str] = ()
    columns: Sequence[str] = MANIFEST_COLUMNS  # the columns that a manifest may have
    among: str = ""  # the formats of the kind, for the error of a folder without any
    # Returns whether a file that is not of this kind has the suffix of one.
    promises: Callable[[Path], bool] = lambda _: False
    # Whether each text of a folder is two files; `None`: only if no single file is of this kind.
    two_files: bool | None = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a corpus: its name and path, and from a manifest its texts and its line.

    An entry of a corpus in memory has `bitexts`, and its path is the name of the corpus.
    """

    name: str
    path: str
    src: str | None = None
    tgt: str | None = None
    line: int = 0
    bitexts: tuple[Bitext, ...] = ()

    @property
    def file(self) -> str:
        """The name of the file, without its folder."""
        return Path(called(self.path)).name

    def check(self, where: str) -> None:
        """Refuse missing files of an entry of the manifest `where`.

        Raises `InputError` with the file, the line of the manifest, and advice.
        """
        for path in (self.path, self.src, self.tgt):
            if not self.line or path is None or is_remote(path) or two_files(path):
                continue
            if not may_be_there(path):
                try:
                    open_source(path).close()
                except InputError as error:
                    manifest = "standard input" if where == "-" else where
                    raise InputError(f"{manifest} line {self.line} names {error}") from None


@dataclass(frozen=True, slots=True)
class Corpus:
    """The alignments, or segmentations, of a file, a folder or a manifest."""

    path: str  # the name that the user gave
    kind: str  # the kind of `path`; one of "file", "folder", "manifest", "memory"
    entries: dict[str, Entry]  # the files by the names of their texts
    aside: tuple[str, ...] = ()  # the files of a folder that are of another kind
    assumptions: tuple[str, ...] = ()  # notes on assumptions about the files

    def notes(self) -> list[str]:
        """Return notes on the files left aside, and on assumptions."""
        return [*aside_notes(self.path, self.aside), *self.assumptions]

    def taking(self, files: Mapping[str, Collection[str]]) -> Corpus:
        """Return the corpus with files added that were left aside but belong to a text of `files`.

        `files` maps the texts of other corpora to the names of their files. A file left aside
        belongs to a text if it is empty or damaged, or has the same name as another file of the
        text; any other is a document beside the alignments. Its error is raised when it is read.
        """
        taken: dict[str, str] = {}
        for inside in self.aside:
            name = text_name(Path(inside))
            if name not in files or name in self.entries or name in taken:
                continue
            if Path(inside).name in files[name] or _is_void(Path(self.path) / inside):
                taken[name] = inside
        if not taken:
            return self
        added = [Entry(name, str(Path(self.path) / inside)) for name, inside in taken.items()]
        entries = sorted((*self.entries.values(), *added), key=lambda entry: Path(entry.path))
        left = set(self.aside).difference(taken.values())
        aside = tuple(inside for inside in self.aside if inside in left)
        return replace(self, entries={entry.name: entry for entry in entries}, aside=aside)


def aside_notes(path: str, aside: Sequence[str]) -> list[str]:
    """Return a list of one note on the files of a folder that were left aside, or of none."""
    if not aside:
        return []
    files = many(len(aside), "file")
    holds = "holds" if len(aside) == 1 else "hold"
    return [f"{files} of {path} {holds} no alignment, ignored: {few(aside)}"]


def glob_notes(gold: str, systems: Sequence[str]) -> list[str]:
    """Return a list of one note on systems that are rather texts, as in `gold/*.tmx sys/*.tmx`.

    Examples
    --------
    >>> print(*glob_notes("g/a", ["g/b", "s/a", "s/b"]))
    g/b and s/b are two systems (or coders): if they are versions of a text, give folders: g s
    >>> glob_notes("g/a.tmx", ["s/a.tmx", "other/a.tmx"])
    []

    """
    home = Path(gold).parent
    own = {Path(path).name: path for path in systems if Path(path).parent == home}
    for path in systems:
        sibling = own.get(Path(path).name, path)
        if Path(path).parent != home and sibling != path:
            folders = f"{home} {Path(path).parent}"
            each = f"{sibling} and {path} are two systems (or coders)"
            return [f"{each}: if they are versions of a text, give folders: {folders}"]
    return []


_GOLD = late_pattern(r"(?i)(?:gold|ref|reference)(?:[_ -]?standard|[_ -]?alignments?)?[0-9]*")


def order_notes(gold: str, systems: Sequence[str]) -> list[str]:
    """Return a list of one note on a system whose name is that of a gold standard, or of none.

    Examples
    --------
    >>> print(*order_notes("s1/a.tmx", ["gold/a.tmx", "s2/a.tmx"]))
    gold/a.tmx is scored as a system, against s1/a.tmx: the gold standard or reference comes first
    >>> order_notes("reference.tmx", ["gold.tmx"]), order_notes("s1", ["golding"])
    ([], [])

    """
    note = f"is scored as a system, against {gold}: the gold standard or reference comes first"
    turned = () if _is_named_gold(gold) else filter(_is_named_gold, systems)
    return [f"{path} {note}" for path in turned][:1]


def _is_named_gold(path: str) -> bool:
    """Check whether a file, its folder, or a folder has the name of a gold standard."""
    own = Path(path)
    return any(_GOLD.fullmatch(name.partition(".")[0]) for name in (own.name, own.parent.name))


def are_shifted_by_one(names: Collection[str], others: Collection[str]) -> bool:
    """Check whether all `names` count texts from 1, where `others` have numbers from 0.

    Around the numbers all names are equal.

    Examples
    --------
    >>> are_shifted_by_one(["1", "2"], ["0", "1"]), are_shifted_by_one(["1", "2"], ["0", "1", "2"])
    (True, False)
    >>> are_shifted_by_one(["ch01", "ch02"], ["ch00", "ch01"])
    True

    """
    first = next(iter(others), "")
    before, *behind = _NUMBER.split(first)
    zeros = [f"{before}{'0' * digits}{''.join(behind)}" for digits in range(1, 10)]
    has_0 = [any(zero in each for zero in zeros) for each in (names, others)]
    if len(behind) != 1 or has_0 != [False, True]:  # the usual case, and fast
        return False
    both = [*names, *others]
    forms = {_NUMBER.sub("#", name) for name in both}
    if len(forms) != 1:
        return False
    counted = [int(_NUMBER.findall(name)[0]) for name in both]
    last = len(names)
    theirs = {*counted[last:]}
    return {*counted[:last]} == {*range(1, last + 1)} and last not in theirs


_NUMBER = re.compile(r"[0-9]{1,9}")


def refuse_other_numbers(label: str, names: Collection[str], golds: Collection[str]) -> None:
    """Refuse texts that are numbered from 0, and those of the gold standard from 1, or reversed."""
    from_0 = are_shifted_by_one(golds, names)
    if from_0 or are_shifted_by_one(names, golds):
        raise InputError(
            f"{label}: its texts are numbered from {int(not from_0)}, and those of the gold "
            f"standard from {int(from_0)}: want the same numbers or names of texts"
        )


def folders_hint(path: str, names: Iterable[str], wanted: Container[str]) -> str:
    """Advise to name the folders of a folder one by one, if these hold the wanted texts.

    Examples
    --------
    >>> folders_hint("systems", ["a/t1", "b/t1", "b/t2"], {"t1", "t2"})
    '; its folders a, b may be systems: name each, as systems/a'

    """
    parts = (name.partition("/") for name in names)
    folders = sorted({folder for folder, _, name in parts if name in wanted})
    if not folders:
        return ""
    first = Path(path, folders[0])
    return f"; its folders {few(folders)} may be systems: name each, as {first}"


def open_corpus(
    path: str | os.PathLike[str],
    *,
    known: Format | None = None,
    kind: Kind | None = None,
    limits: Limits | None = None,
    langs: tuple[str, str] = ("", ""),
) -> Corpus:
    """Find the alignments, or the files of another kind, under a path.

    Parameters
    ----------
    path : str or path
        A file, a folder (all files of the kind in it, at any depth), or a manifest.
    known : Format, optional
        The format of the alignments of a folder. Default: detected for each file.
    kind : Kind, optional
        The kind of files to find. Default: alignments.
    limits : Limits, optional
        The largest size to which standard input may unpack, also when it is read later.
    langs : pair of str
        The languages of the sides, where a folder has two files for each text. Default: the first
        language in alphabetical order is the source.

    Raises
    ------
    InputError
        When there is no such file, or two files have one name.
    FormatError
        When a manifest lacks a column or a value.

    """
    where = path_name(path)
    if not where:
        raise InputError("a name is empty: name a file, a folder, or - for standard input")
    kind = kind or _alignments(known)
    if where != "-" and is_folder_at(where):
        if is_remote(where):
            return _folder_at(where, kind)
        find = _folder_of_pairs if kind.two_files else partial(_folder, kind=kind)
        return find(Path(where), langs=langs)
    if where == "-" and is_manifest(look_ahead(limits)):
        with open_source(where) as source:
            return _manifest(where, source, kind)
    pair = where == "-" or two_files(where)
    # A pipe can be read only once, so it is not opened here; nor are two files in one argument.
    if not (pair or is_remote(where) or may_be_there(where)):
        open_source(where).close()  # which raises, with the most similar name
    if not pair and (is_remote(where) or is_file(where)):
        with open_source(where) as source:
            if is_manifest(source):
                return _manifest(where, source, kind)
    first = where.partition(",")[0] if is_remote(where) and two_files(where) else where
    name = "standard input" if where == "-" else text_name(Path(Path(called(first)).name), kind)
    return Corpus(where, "file", {name: Entry(name, where)})


def _alignments(known: Format | None) -> Kind:
    wanted = f"in the format {known.name}" if known else "in a format that bitext recognises"
    return Kind(
        "an alignment",
        partial(_holds_alignment, known=known),
        among=wanted,
        promises=partial(_promises_alignment, known=known),
        two_files=known.two_files if known else None,
    )


def text_name(path: Path, kind: Kind | None = None) -> str:
    """Return the name of a text: that of its file without the suffix of the format.

    Accents are parts of their letters, as most systems write them, and macOS does not.
    """
    name = normalize("NFC", unpacked(path.as_posix()))
    endings = set(kind.suffixes) if kind else set()
    endings = (endings or format_suffixes()) | _PLAIN
    for ending in sorted(endings, key=len, reverse=True):
        if name.lower().endswith(ending) and Path(name).name.lower() != ending:
            return name[: -len(ending)]
    return name


def _in_pairs(folder: Path, langs: tuple[str, str]) -> Corpus | None:
    """Return the corpus of a folder with two files for each text, one a language; else `None`.

    All names of such a folder end with language codes, and each file has its pair; files that
    describe the corpus (`README`) are left aside.

    Raises `InputError` when there are more languages than two, and those asked for are not among
    them, or when two files are one text in one language.
    """
    halves: dict[str, dict[str, Path]] = {}
    languages: set[str] = set()
    aside: list[str] = []
    doubtful = ""
    for path, inside in _visible_files(folder):
        bare = bare_name(str(inside))
        ending = Path(bare).suffix
        if not (lang := code_in(ending[1:])):
            if not ABOUT.fullmatch(inside.as_posix()):
                return None
            aside.append(str(inside))
            continue
        languages.add(lang)
        other = halves.setdefault(bare.removesuffix(ending), {}).setdefault(lang, path)
        if other != path:
            doubtful = doubtful or f"{other.name} and {path.name} are both one text in {lang}"
    if len(languages) < 2 or any(len(half) < 2 for half in halves.values()):
        return None
    if doubtful:
        raise InputError(f"{folder}: {doubtful}: keep one, or name them in a manifest")
    chosen = two_languages(sorted(languages), langs) if len(languages) > 2 else None
    if len(languages) > 2 and (
        chosen is None or not all({*chosen} <= half.keys() for half in halves.values())
    ):
        shown = ", ".join(sorted(languages))
        raise InputError(
            f"{folder}: has texts of two files or more each, in {shown}: choose two languages that "
            f"all have ({remedy('src-lang', 'tgt-lang')})"
        )
    # A language that was asked for has its side; else the first by its code is the source.
    src, tgt = chosen or sorted(languages)
    if chosen is None and (finds(langs[0] or src, tgt) or finds(langs[1] or tgt, src)):
        src, tgt = tgt, src
    entries = {
        name: Entry(name, f"{halves[name][src]},{halves[name][tgt]}") for name in sorted(halves)
    }
    note = (
        f"{folder}: {many(len(entries), 'text')} of two files each, {src} taken as the source and "
        f"{tgt} as the target"
    )
    return Corpus(str(folder), "folder", entries, tuple(aside), assumptions=(note,))


def _folder_of_pairs(folder: Path, langs: tuple[str, str]) -> Corpus:
    corpus = _in_pairs(folder, langs)
    if corpus is None:
        raise InputError(
            f"{folder}: is not a folder of two files for each text; want the two of each with the "
            f"same name and a language at its end, as a.en and a.fr, and nothing else; or name "
            f"them in a manifest (columns text and path, with the path a.en,a.fr)"
        )
    return corpus


def _visible_files(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the files below a folder without hidden ones, and their paths in the folder."""
    for path in files_below(folder):
        inside = path.relative_to(folder)
        if not any(part.startswith(".") for part in inside.parts):
            yield path, inside


def _folder(folder: Path, kind: Kind, langs: tuple[str, str]) -> Corpus:
    entries: dict[str, Entry] = {}
    aside: list[Path] = []
    promised: list[Path] = []
    for path, inside in _visible_files(folder):
        name = text_name(inside, kind)
        if not kind.holds(path):
            (promised if kind.promises(path) else aside).append(inside)
            continue
        if name in entries:
            raise InputError(
                f"{folder}: {Path(entries[name].path).name} and {path.name} are both named "
                f"{name!r}: keep one, or name them in a manifest"
            )
        entries[name] = Entry(name, str(path))
    for inside in promised:
        name = text_name(inside, kind)
        if name in entries:  # another file holds the text
            aside.append(inside)
        else:
            entries[name] = Entry(name, str(folder / inside))
    if promised:
        entries = dict(sorted(entries.items(), key=lambda item: Path(item[1].path)))
        aside.sort()
    if not entries:
        if not aside:
            raise InputError(f"{folder}: is empty: name another folder")
        if kind.two_files is None and (corpus := _in_pairs(folder, langs)) is not None:
            return corpus
        wanted = f"{kind.noun} {kind.among}".strip()
        raise InputError(
            f"{folder}: none of its {many(len(aside), 'file')} holds {wanted}; name the format "
            f"({remedy('from')}) or another folder"
        )
    return Corpus(str(folder), "folder", entries, tuple(map(str, aside)))


def _folder_at(place: str, kind: Kind) -> Corpus:
    """Return the files of a remote folder without opening them."""
    entries: dict[str, Entry] = {}
    for inside, file in files_at(place):
        name = text_name(Path(called(inside)), kind)
        other = entries.setdefault(name, Entry(name, file))
        if other.path != file:
            raise InputError(
                f"{place}: {called(other.path)} and {called(file)} are both named {name!r}: keep "
                f"one, or name them in a manifest"
            )
    if not entries:
        raise InputError(f"{place}: is empty, or not there: name another folder")
    return Corpus(place, "folder", entries)


def _holds_alignment(path: Path, *, known: Format | None) -> bool:
    if path.name in _METADATA:
        return False
    with open_source(path) as source:
        try:
            head = source.head()
        except FormatError:
            return False
        if known is None:
            return bool(head.strip()) and sniff(head, str(path)) is not None
        return known.sniff(head) > 0 or path.name.endswith(known.suffixes)


def _promises_alignment(path: Path, *, known: Format | None) -> bool:
    name = unpacked(path.name).lower()
    endings = known.suffixes if known else tuple(format_suffixes(read=True))
    if name in _METADATA or not name.endswith(endings):
        return False
    return not name.endswith(_AMBIGUOUS) or _is_void(path)


def _is_void(path: Path) -> bool:
    """Check whether a file is empty, or damaged from its first bytes on."""
    with open_source(path) as source:
        try:
            return not source.head().strip()
        except FormatError:
            return True


def _manifest(where: str, source: Source, kind: Kind) -> Corpus:
    rows = manifest_rows(source, where, columns=kind.columns)
    entries = (Entry(row.text, row.path, row.src, row.tgt, row.line) for row in rows)
    return Corpus(where, "manifest", {entry.name: entry for entry in entries})


# Texts for alignments that hold only positions or ids: found by name, in a folder or by a pattern.


def find_text(value: str | None, name: str, *, option: str) -> str | None:
    """Return the file of a text by its name; `None` without a value.

    `value` is the user's for the texts of a side: a file, a folder, or a pattern with `{name}`.
    `option` is the option that has this value, as `src`.

    Raises `InputError` when a folder has no file of that name, or several.
    """
    if value is None:
        return None
    if "{name}" in value:
        return _as_named(value.replace("{name}", in_address(value, form)) for form in _forms(name))
    if not is_folder_at(value):
        if "{" in value and not is_remote(value) and not may_be_there(value):
            raise InputError(
                f"{remedy(f'{option} {value}')}: no such file; a pattern holds {{name}}"
            )
        return value
    files = _siblings(value, name)
    if len(files) == 1:
        return files[0]
    if not files:
        pattern = remedy(f"{option} '{value.rstrip('/')}/{{name}}.txt'")
        raise InputError(
            f"{value}: has no text named {name!r} for {remedy(option)}; a pattern says where they "
            f"are, as {pattern}"
        )
    names = [Path(each).name for each in files]
    pattern = remedy(f"{option} '{value.rstrip('/')}/{{name}}{Path(names[0]).suffix}'")
    raise InputError(
        f"{value}: {names[0]} and {names[1]} could both be {name!r} for {remedy(option)}; "
        f"a pattern tells, as {pattern}"
    )


def refuse_lone_text(corpus: Corpus, value: str | None, *, option: str, side: str = "") -> None:
    """Refuse a single file as the text of several alignments.

    `value` and `option` are as in `find_text`. `side` is the side of the alignments that the text
    is of, `src` or `tgt`; by default the one that ends the name of the option.

    Raises `InputError` with advice; a manifest may name one file several times.
    """
    if value is None or "{name}" in value or is_folder_at(value):
        return
    if not is_remote(value) and not may_be_there(value):
        return  # a missing file: reading raises the error
    side = side or option.rpartition("-")[2]
    count = sum(getattr(entry, side) is None for entry in corpus.entries.values())
    if count > 1:
        raise InputError(
            f"{remedy(f'{option} {value}')}: is one file, and {corpus.path} has {count:,} texts; "
            f"give a folder, a pattern with {{name}}, or a manifest that names it for each ({side})"
        )


def refuse_lone_texts(corpora: Iterable[Corpus], src: str | None, tgt: str | None) -> None:
    """Refuse a single file as the source or target text of several alignments."""
    for corpus in corpora:
        refuse_lone_text(corpus, src, option="src")
        refuse_lone_text(corpus, tgt, option="tgt")


def _siblings(folder: str, name: str) -> list[str]:
    """Return the files of a folder with a name and any suffix."""
    if is_remote(folder):
        within, _, last = name.rpartition("/")
        files = files_at(join_file(folder, within) if within else folder)
        named = [(inside, file) for inside, file in files if "/" not in inside]
        return [file for inside, file in named if inside == last or inside.startswith(f"{last}.")]
    outer, last = Path(name).parent, normalize("NFC", Path(name).name)
    parent = Path(_as_named(str(Path(folder) / form) for form in _forms(str(outer))))
    here = {p: normalize("NFC", p.name) for p in files_in(parent)} if is_folder(parent) else {}
    return [str(p) for p, own in here.items() if own == last or own.startswith(f"{last}.")]


def _forms(name: str) -> list[str]:
    """Return a name, and the name with composed and decomposed accents, which macOS writes."""
    return list(dict.fromkeys([name, normalize("NFC", name), normalize("NFD", name)]))


def _as_named(paths: Iterable[str]) -> str:
    """Return the first path that is there, else the first."""
    first, *others = paths
    if is_remote(first) or not others:
        return first
    return next(filter(may_be_there, (first, *others)), first)
