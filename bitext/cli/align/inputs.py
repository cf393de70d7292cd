"""The texts that `bitext align` aligns: two files or folders, a folder, a manifest, a corpus."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.cli.align.folders import FolderPairs, PairRow, count_files, pair_folders, text_name
from bitext.errors import FormatError, InputError, OptionError, few, many
from bitext.formats.io.compression import unpacked
from bitext.formats.io.remote import beside, is_folder_at, is_remote, join, two_files
from bitext.formats.io.source import Source, look_ahead, nearest_file, open_source
from bitext.formats.xml import SURROGATES
from bitext.kernels.arrays import Ints
from bitext.lazy import late_pattern
from bitext.model import Segmentation, Text
from bitext.paths import is_file, may_be_there

if TYPE_CHECKING:
    from bitext.cli.align.folders import ReadText

_COLUMNS = ("text", "src", "tgt")  # of a manifest
_FURTHER = ("by", "probability")  # columns of a manifest that a dry run printed


class FilePair(NamedTuple):
    """The files of two texts to align."""

    name: str  # the name of the text in its corpus
    # The file of the source text; where `tgt` is `None`, a file of alignments with both texts.
    src: str
    tgt: str | None


class Inputs(NamedTuple):
    """The texts that a command names, and the options on how they are paired."""

    src: str  # a text, a folder, a manifest or a file of alignments
    tgt: str | None  # the text or the folder of the other side
    # Reads a text from a file, the key of its side and its language, to pair by content.
    read: ReadText
    known: str | None = None  # the format of a file of alignments, if the user names it
    langs: tuple[str, str] = ("", "")  # the codes of the languages
    pair_by: str | None = None  # how the files of folders are paired
    dry_run: bool = False  # whether the pairs are only shown
    quiet: bool = True  # whether to show no progress


def find_pairs(inputs: Inputs) -> FolderPairs:
    """Return the pairs of files.

    Raises `FormatError` when a manifest lacks a column or a value, with its line, and `InputError`
    when nothing is there, or nothing can be paired.
    """
    src, tgt, known = inputs.src, inputs.tgt, inputs.known
    if "" in {src, tgt}:
        raise InputError("a name is empty: name a file, a folder, or -")
    if known and tgt is not None:
        raise OptionError("--from is for one file of alignments, and TGT is given: leave it out")
    folders = [name != "-" and name is not None and is_folder_at(name) for name in (src, tgt)]
    if tgt is None and folders[0]:
        if known and all(inputs.langs):
            raise OptionError(f"--from is for a file of alignments, and {src} is a folder")
        return _pairs_of_folder(inputs, "is a folder of both texts or of one?")
    if tgt is not None and folders[0] != folders[1]:
        order = (src, tgt) if folders[0] else (tgt, src)
        if order[1] != "-":
            _refuse_missing(order[1])
        raise InputError(
            f"{order[0]} is a folder and {order[1]} a file: name two files, or two folders"
        )
    if tgt is not None and folders[0]:
        if _is_same_folder(src, tgt):
            why = "is SRC and TGT, so each file would be its own partner."
            return _pairs_of_folder(inputs, why)
        return _pairs_of_folders(inputs, tgt, together=False)
    if inputs.pair_by:
        raise OptionError(
            f"--pair-by is for folders, and {src} is none: leave it out, or name two folders"
        )
    unpaired: list[str] = []
    rows = None if known or tgt is not None else manifest_pairs(src, once=True, alone=unpaired)
    if rows is not None:
        pairs = [PairRow(row.name, row.src, str(row.tgt), "manifest") for row in rows]
        return FolderPairs(pairs, [], _alone_notes(src, unpaired))
    if inputs.dry_run:
        raise OptionError(
            f"--dry-run shows the pairs of folders or of a manifest, and {src} is neither: leave "
            f"it out"
        )
    return FolderPairs([PairRow(Path(text_name(src)).name, src, tgt or "", "")], [], [])


def _is_same_folder(one: str, other: str) -> bool:
    far = "://" in one + other
    return one.rstrip("/") == other.rstrip("/") if far else Path(one).samefile(other)


def _pairs_of_folder(inputs: Inputs, why: str) -> FolderPairs:
    """Pair the files of one folder, SRC, by their languages, which must be named.

    `why` is the reason in the message that refuses unknown languages.
    """
    if not all(inputs.langs):
        raise InputError(
            f"{inputs.src}: {why} Name the languages, which the names of its files end with "
            f"(--src-lang de --tgt-lang fr: one.de and one.fr), or a second folder"
        )
    if inputs.langs[0] == inputs.langs[1]:
        raise InputError(
            f"{inputs.src}: both languages are {inputs.langs[0]}, so each file would be its own "
            f"partner: name two (--src-lang, --tgt-lang), or a second folder"
        )
    return _pairs_of_folders(inputs, inputs.src, together=True)


def _pairs_of_folders(inputs: Inputs, tgt: str, *, together: bool) -> FolderPairs:
    return pair_folders(
        inputs.src,
        tgt,
        inputs.langs,
        together=together,
        by=inputs.pair_by,
        read=inputs.read,
        compare=inputs.dry_run,
        quiet=inputs.quiet,
    )


def have_more_files(src: str, tgt: str | None, most: int) -> bool:
    """Test a folder SRC for more text files than `most` pairs have."""
    return is_folder_at(src) and count_files(src) > most * (2 if tgt is None else 1)


def _alone_notes(manifest: str, unpaired: list[str]) -> list[str]:
    """Return a note on rows of a manifest that name one file only."""
    if not unpaired:
        return []
    texts = f"{many(len(unpaired), 'text')} of {_shown_name(manifest)}"
    return [f"{texts} without a partner, left out: {few(unpaired)}"]


def _refuse_missing(name: str) -> None:
    """Refuse a file that is not there, with the nearest name there is."""
    if "://" not in name and not may_be_there(name) and not two_files(name):
        open_source(name).close()


def manifest_pairs(
    path: str, *, once: bool, alone: list[str] | None = None
) -> Iterator[FilePair] | None:
    """Return an iterator over the pairs of a manifest; `None` for another file.

    A manifest is tab-separated columns under the head `text src tgt`, or JSON lines with these
    keys. Its names are relative to its folder. With the columns `by` and `probability`, as a dry
    run prints it, rows may name one file only; the names of such texts are added to `alone`.

    With `once`, texts that are named twice and files that are missing are refused; the names of all
    texts are then in memory.

    Raises `FormatError` when a line lacks a column or a value, with its number.
    """
    if path == "-":
        head = look_ahead().head()
    else:
        _refuse_missing(path)
        if not ("://" in path or is_file(path)):
            return None
        with open_source(path) as source:
            head = source.head()
    lines = head.decode("utf-8", "replace").removeprefix("\ufeff").splitlines()
    first, second = [*lines[:2], "", ""][:2]
    columns = first.split("\t")
    _refuse_other_heads(path, first, second)
    if not first.strip() or first.startswith("#"):
        _refuse_late_head(path, lines)
    if columns[:2] in (["text", "src"], ["text", "tgt"]) or sorted(columns) == sorted(_COLUMNS):
        further = set(columns) - {*_COLUMNS}
        if sorted({*columns} - further) != sorted(_COLUMNS) or (
            not further <= {*_FURTHER} or len(set(columns)) < len(columns)
        ):
            raise FormatError(
                f"the header of the manifest is {' '.join(columns)!r:.60}; want text, src and tgt, "
                f"with tabs between",
                path=_shown_name(path),
                line=1,
            )
        return _manifest_rows(path, columns, once=once, unpaired=alone)
    if _json_row(first) is not None:
        return _manifest_rows(path, None, once=once, unpaired=alone)
    return None


def _refuse_other_heads(path: str, first: str, second: str) -> None:
    """Refuse a manifest with another head, divider or key, which another format would read."""
    row = _object(first) if first.startswith("{") else None
    if isinstance(row, dict) and _json_row(first) is None:
        for keys in (("src", "tgt"), ("source", "target")):
            files = [isinstance(row.get(k), str) and _names_file(path, row[k]) for k in keys]
            if all(files) or (any(files) and {*_COLUMNS} <= row.keys()):
                raise FormatError(
                    'names files, and is not an object with "text", "src" and "tgt"; want a text, '
                    "its source and its target",
                    path=_shown_name(path),
                    line=1,
                )
    for divider in (",", ";", "\t"):
        cells = first.split(divider)
        named = [cell.strip(" \"'").lower() for cell in cells]
        names_files = len(cells) in {2, 3} and all(_names_file(path, cell) for cell in cells[-2:])
        sides = len(cells) in {2, 3} and sorted(named[-2:]) in (
            ["src", "tgt"],
            ["source", "target"],
        )
        below = second.split(divider)
        head = len(cells) == len(_COLUMNS) and (
            sorted(named) == sorted(_COLUMNS) != sorted(cells)
            or named == ["text", "source", "target"]
        )
        # Sentences may stand under such a head, too, but not names of files.
        head |= sides and named[0] != "text" and all(_names_file(path, cell) for cell in below[-2:])
        if (head or names_files) or (divider != "\t" and sorted(named) == sorted(_COLUMNS)):
            fault = "names files, without a head" if names_files else f"begins with {first!r:.60}"
            raise FormatError(
                f"{fault}; a manifest begins with text, src and tgt, with tabs between",
                path=_shown_name(path),
                line=1,
            )


def _refuse_late_head(path: str, lines: Sequence[str]) -> None:
    """Refuse a manifest below comments or empty lines, which would be read as a table of texts."""
    rows = [line for line in lines if line.strip() and not line.startswith("#")]
    head, row = [*(line.split("\t") for line in rows[:2]), [], []][:2]
    if {*_COLUMNS} <= {*head} and any(_names_file(path, cell) for cell in row):
        raise FormatError(
            f"begins with {lines[0]!r:.60}; a manifest begins with text, src and tgt, with tabs "
            f"between",
            path=_shown_name(path),
            line=1,
        )


def _names_file(manifest: str, name: str) -> bool:
    try:
        return bool(name) and (is_file(name) or is_file(_path_beside(manifest, name)))
    except (OSError, ValueError):  # names that are too long, or have a NUL: texts
        return False


def _manifest_rows(
    path: str, columns: list[str] | None, *, once: bool, unpaired: list[str] | None
) -> Iterator[FilePair]:
    known: set[str] = set()
    count = 0
    with open_source(path) as source:
        for number, line in source.stream_lines():
            if not line.strip() or (number == 1 and columns is not None):
                continue
            if columns is None:
                row = _json_row(line.removeprefix("\ufeff") if number == 1 else line)
                fault = 'is not an object with "text", "src" and "tgt"'
            else:
                values = line.split("\t")
                row, is_alone = _columns_row(columns, values)
                if is_alone:
                    count += 1
                    if unpaired is not None and row is not None:
                        unpaired.append(row["text"])
                    continue
                fault = f"has {many(len(values), 'column')}, or an empty one"
            if row is None:
                raise source.error(f"{fault}; want a text, its source and its target", number)
            if once and row["text"] in known:
                raise source.error(f"names {row['text']!r} again; want once", number)
            if once:
                known.add(row["text"])
            count += 1
            files = [_path_beside(path, row[side]) for side in _COLUMNS[1:]]
            for name in files if once else ():
                if "://" not in name and not may_be_there(name):
                    raise source.error(
                        f"names {name}, and there is no such file{nearest_file(Path(name))} (names "
                        f"are relative to the folder "
                        f"{'you are in' if path == '-' else 'of the manifest'})",
                        number,
                    )
            yield FilePair(row["text"], files[0], files[1])
    if not count:
        raise FormatError("the manifest names no text; want a line each", path=_shown_name(path))


def _columns_row(columns: list[str], values: list[str]) -> tuple[dict[str, str] | None, bool]:
    """Return a row of a manifest, or `None`; and whether it may name one file, and does."""
    row = dict(zip(columns, values, strict=False))
    further = set(columns) - {*_COLUMNS}
    if len(values) > len(columns) or (len(values) < len(columns) and not further):
        return None, False
    missing = [name for name in _COLUMNS if not row.get(name)]
    if further and len(missing) == 1 and row.get("text"):
        return row, True
    return (None if missing else row), False


def _shown_name(path: str) -> str:
    return "standard input" if path == "-" else path


def _path_beside(manifest: str, name: str) -> str:
    """Return the path of a name in a manifest: relative to its folder, unless it is remote."""
    if is_remote(name):
        return name
    if is_remote(manifest):
        return join(beside(manifest), name)
    return str(Path(manifest).parent / name)


def _json_row(line: str) -> dict[str, str] | None:
    """Return the object of a JSON line of a manifest; `None` for another line."""
    row = _object(line) if line.startswith("{") else None
    fits = isinstance(row, dict) and all(
        isinstance(row.get(name), str) and row[name] for name in _COLUMNS
    )
    return row if fits else None


class PairStream:
    """The pairs of texts of a corpus; a manifest is read again each time.

    `notes` are about files without a partner; those of a manifest are complete once it is read.
    Raises `FormatError` or `InputError` as `find_pairs` does.
    """

    def __init__(self, inputs: Inputs) -> None:
        self.notes: list[str] = []
        self._manifest = inputs.src
        self._pairs: list[FilePair] | None = None
        may_be_manifest = inputs.tgt is None and not (inputs.known or inputs.pair_by)
        if may_be_manifest and manifest_pairs(inputs.src, once=False) is not None:
            return
        texts_found = find_pairs(inputs)
        self._pairs, self.notes = file_pairs(texts_found), texts_found.notes
        if self._pairs and self._pairs[0].tgt is None:
            raise InputError(
                f"{inputs.src}: is one file of alignments; by jobs want two folders of texts, a "
                f"folder of both, or a manifest"
            )

    def __iter__(self) -> Iterator[FilePair]:
        if self._pairs is not None:
            yield from self._pairs
            return
        unpaired: list[str] = []
        yield from manifest_pairs(self._manifest, once=False, alone=unpaired) or ()
        self.notes = _alone_notes(self._manifest, unpaired)


def file_pairs(pairs: FolderPairs) -> list[FilePair]:
    """Return the pairs of files, without the evidence for pairing them."""
    return [FilePair(row.name, row.src, row.tgt or None) for row in pairs.rows]


# Texts that `bitext align` reads from JSON lines: an object a sentence.


_JSON_ENDINGS = (".json", ".jsonl", ".ndjson")
_ALIGNED = frozenset(("src", "tgt", "translation"))  # keys of alignments
_KEY = late_pattern(rb'[{,]\s*"text"\s*:')


def is_objects(head: bytes) -> bool:
    r"""Detect JSON lines of texts: the first line is an object with the key `text`.

    Of a line that goes on beyond `head`, a key `text` in its beginning is enough.

    Examples
    --------
    >>> [is_objects(head) for head in (b'{"text": "One."}\n', b'{"text": "One', b'{"a": 1}\n')]
    [True, True, False]

    """
    line, rest, _ = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
    if not line.startswith(b"{"):
        return False
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return not rest and _KEY.search(line) is not None
    return isinstance(value, dict) and "text" in value


def read_objects(source: Source, lang: str) -> Text:
    """Read one object a sentence, with the keys `text` and, if present, `id` and `paragraph`.

    Raises `FormatError` when a line is no such object, or an id is invalid or not unique, with its
    line.
    """
    texts: list[str] = []
    ids: list[str] = []
    known: set[str] = set()
    paragraphs: list[Any] = []
    for number, line in source.stream_lines():
        plain = line.removeprefix("\ufeff") if number == 1 else line
        if not plain.strip():
            continue
        row = _object(plain)
        if not isinstance(row, dict) or not isinstance(row.get("text"), str):
            raise source.error('is not an object with a "text"; want one a sentence', number)
        for key in ("id", "paragraph"):
            if (key in row) != bool(ids if key == "id" else paragraphs) and texts:
                article = "an" if key == "id" else "a"
                raise source.error(
                    f"has {article} {key} where others have none; give all, or none", number
                )
        if "id" in row:
            name = _id(source, row["id"], number)
            if name in known:
                raise source.error(f"has the id {name!r} again; give each its own", number)
            known.add(name)
            ids.append(name)
        if "paragraph" in row:
            paragraphs.append(row["paragraph"])
        texts.append(_checked(source, row["text"], number))
    begins = [k for k in range(1, len(paragraphs)) if paragraphs[k] != paragraphs[k - 1]]
    division = Segmentation.from_boundaries(begins, len(texts)) if paragraphs else None
    return Text(texts, ids=ids or None, name=source.path, lang=lang, paragraphs=division)


def refuse_no_objects(source: Source) -> None:
    """Refuse a file that is named as JSON, and does not begin with an object with the key `text`.

    Files of alignments are left to the caller, which names their format.
    """
    head = source.head()
    first = _object(head.partition(b"\n")[0].decode("utf-8-sig", "replace"))
    aligned = isinstance(first, dict) and not _ALIGNED.isdisjoint(first)
    if unpacked(source.path).lower().endswith(_JSON_ENDINGS) and head.strip() and not aligned:
        raise source.error(
            'is not an object with a "text"; want one a sentence, each on its line', 1
        )


def _object(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _id(source: Source, given: object, number: int) -> str:
    if isinstance(given, bool) or not isinstance(given, (str, int)) or given == "":
        shown = json.dumps(given)
        raise source.error(f"has the id {shown:.40}; want a string or a whole number", number)
    return _checked(source, str(given), number)


def _checked(source: Source, text: str, number: int) -> str:
    """Refuse a string with half a surrogate pair, which JSON can escape; return the string."""
    half = SURROGATES.search(text)
    if half is not None:
        raise source.error(
            f"has \\u{ord(half[0]):04x}, half of a surrogate pair; take it out", number
        )
    return text


# Marks of paragraphs, chapters and pages in plain texts that `bitext align` reads.
#
# A mark is an empty line, or a line that is nothing but a tag: `<p>` as hunalign has it, `<P>` and
# `<CHAPTER ID="1">` as in the raw files of Europarl, `.EOA` of Bleualign, or any other. A form
# feed begins a page; what follows it on its line is text.

_TAG = late_pattern(r"\s*(?:</?[A-Za-z][^<>]*>|\.EOA)\s*")
_PAGE = "\f"


class SentenceLines(NamedTuple):
    """The sentences among the lines of a text, and its paragraphs."""

    places: Ints  # the indices of lines that are sentences
    begins: list[int]  # the index of the first sentence of each paragraph but the first


def is_mark(line: str) -> bool:
    """Check whether a line is blank or a tag, and no sentence.

    Examples
    --------
    >>> [is_mark(line) for line in ("", "<p>", '<CHAPTER ID="1">', "<p>Text</p>", "a < b > c")]
    [True, True, True, False, False]

    """
    text = line.strip()
    return not text or (text[0] in "<." and _TAG.fullmatch(text) is not None)


def sentence_lines(lines: Sequence[str]) -> SentenceLines:
    r"""Split marks from sentences.

    Examples
    --------
    >>> lines = sentence_lines(["One.", "<p>", "Two.", "Three.", "\fFour."])
    >>> lines.places.tolist(), lines.begins
    ([0, 2, 3, 4], [1, 3])

    """
    places = np.flatnonzero(np.array([not is_mark(line) for line in lines], dtype=bool))
    page = np.array([lines[k].startswith(_PAGE) for k in places[1:].tolist()], dtype=bool)
    begins = np.flatnonzero((np.diff(places) > 1) | page) + 1
    return SentenceLines(places, begins.tolist())


def running_paragraphs(lines: Iterator[str], *, by_line: bool) -> Iterator[str]:
    """Yield the raw text of each paragraph of running text, without the marks between.

    `lines` have their line ends. With `by_line` each line is a paragraph.
    """
    paragraph: list[str] = []
    for line in lines:
        mark = is_mark(line)
        if paragraph and (by_line or mark or line.startswith(_PAGE)):
            yield "".join(paragraph)
            paragraph = []
        if not mark:
            paragraph.append(line)
    if paragraph:
        yield "".join(paragraph)
