"""Writing bitexts: choosing the format, counting losses, publishing the complete file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.errors import OptionError, remedy
from bitext.formats.beads import (
    ChunkPosition,
    ChunkPositions,
    Side,
    both_sides,
    name_of,
    with_columns,
)
from bitext.formats.io.compression import unpacked
from bitext.formats.io.output import write_together
from bitext.formats.io.remote import called, is_folder_at, local_path, size_at, two_files
from bitext.formats.io.source import Notes
from bitext.formats.languages import in_one_pair, note_exchanged, with_languages
from bitext.formats.line_files import has_breaks
from bitext.formats.registry import (
    EMPTY,
    FIELDS,
    HEADER,
    LOSSES,
    MERGED,
    WORDS,
    Capabilities,
    Format,
    WriteOptions,
    all_formats,
    by_name,
    by_suffix,
    kind_of_column,
    nearest_suffix,
)
from bitext.formats.xml import FORBIDDEN, any_forbidden
from bitext.kernels.arrays import (
    Bools,
    Ints,
    Rows,
    distinct,
    out_of_order,
    repeated,
    row_of,
    with_gaps,
)
from bitext.lazy import late_pattern
from bitext.model import Alignment, Bitext, Text
from bitext.model.languages import is_language
from bitext.paths import is_there

if TYPE_CHECKING:
    from pathlib import Path


# Formats that can be written, in place of others that can only be read.
_OF_STRINGS = ("po", "xliff12", "csv")
_INSTEAD = dict.fromkeys(
    ("android", "apple", "qt", "resx", "xcstrings", "json-strings", "yaml-strings", "properties"),
    _OF_STRINGS,
) | {
    "xls": ("xlsx", "csv"),
    "tbx": ("tsv", "xlsx"),
    "document-table": ("docx", "xlsx"),
    "zip": ("tmx", "jsonl"),
    "sdlxliff": ("xliff12", "tmx"),
    "ttx": ("xliff12", "tmx"),
    "txml": ("xliff12", "tmx"),
}
_TEXTS = frozenset(("", ".txt", ".text"))
# Endings of files that hold no plain text, beside those of formats.
_NO_TEXTS = frozenset(
    [
        *(".resx", ".strings", ".stringsdict", ".properties", ".json", ".arb", ".yml", ".yaml"),
        *(".xml", ".html", ".htm", ".sgm"),
    ]
)
# Tools that take only XLIFF of their own, whose extensions are not written, by its endings.
_TOOLS = {".mqxliff": "memoQ", ".mxliff": "Phrase"}
_ARCHIVES = frozenset((".7z", ".rar", ".tar", ".tgz"))


def _refuse_other_names(path: str) -> None:
    """Refuse two files whose names say that they hold something else than plain text."""
    for file in two_files(path) or ():
        ending = PurePath(unpacked(called(file))).suffix.lower()
        if ending in _TEXTS or is_language(ending[1:]):  # as `.ts`, Tsonga
            continue
        if ending in _NO_TEXTS or by_suffix(called(file)) is not None:
            raise OptionError(
                f"{file}: two files are written as plain texts, line by line, and its name says "
                f"otherwise: name them as out.en,out.fr, name one file, or name the format "
                f"({remedy('to moses')})"
            )


def _refuse_binary_name(path: str, known: Format) -> None:
    """Refuse a name of an archive, or of another binary format, for a file of this format."""
    files = two_files(path) or (path,)
    for file in files if len(files) > 1 or not known.two_files else ():
        bare = called(file)
        named = by_suffix(bare)
        ending = PurePath(unpacked(bare)).suffix.lower()
        binary = named.name if named is not None and named.binary else ""
        binary = ending[1:] if ending in _ARCHIVES else binary
        if binary not in {"", known.name}:
            stem = file.removesuffix(PurePath(bare).suffix).removesuffix(".tar")
            endings = known.suffixes or (PurePath(stem).suffix or ".txt",)
            example = stem if stem.endswith(endings) else f"{stem}{endings[0]}"
            packed = "" if known.binary else f", or {example}.gz for a compressed one"
            raise OptionError(
                f"{file}: its name says {binary}, and it would be {known.name}: name it "
                f"{example}{packed}"
            )


def writable(path: str, name: str | None) -> Format:
    """Return the format to write: the format `name` if given, else that of the file's suffix.

    Raises `OptionError` when there is no such format, it cannot be written, or two files are named
    for a format of one file.
    """
    known = by_name(name) if name else None
    if known is None:
        known = by_name("moses") if two_files(path) else by_suffix(called(path))
    ending = PurePath(unpacked(called(path))).suffix.lower()[1:]
    if known is None and ending in all_formats() and not by_name(ending).write:
        known = by_name(ending)
    if known is None:
        those = ", ".join(name for name, each in all_formats().items() if each.write)
        near = nearest_suffix(called(path))
        written = by_suffix(f"a{near}") if near else None
        hint = f"did you mean {near}? " if written is not None and written.write else ""
        if ending in all_formats():
            hint = f"did you mean {remedy(f'to {ending}')}? "
        raise OptionError(
            f"{path}: its name does not show the format; {hint}name it ({remedy('to')}), "
            f"one of: {those}"
        )
    if known.write is None:
        instead = _INSTEAD.get(known.name)
        way = f"; choose {' or '.join(instead)}" if instead else ""
        raise OptionError(f"format {known.name!r} can be read but not written{way}")
    if name is None and (tool := _TOOLS.get(f".{ending}")):
        other = PurePath(unpacked(path)).with_suffix(".xlf")
        raise OptionError(
            f"{path}: its name is that of a file of {tool}, which takes only its own, and it would "
            f"be XLIFF 1.2: name it {other}, or name the format ({remedy('to xliff12')})"
        )
    if name is None and known.name == "moses":
        _refuse_other_names(path)
    elif name is not None:
        _refuse_binary_name(path, known)
    if not known.two_files and _is_two_files(path):
        raise OptionError(
            f"{path}: names two files, and {known.name} is one: name one, or choose a format of "
            f"two files ({remedy('to moses', 'to natools')})"
        )
    return known


def _is_two_files(path: str) -> bool:
    """Check whether a path names two files, and neither a folder nor a file of a format."""
    file = PurePath(called(path)).name
    if path.endswith(("/", os.sep)) or "," not in file or by_suffix(file):
        return False
    return two_files(path) is not None and not is_folder_at(path)


def deliver(
    bitexts: Iterable[Bitext],
    path: str,
    known: Format,
    *,
    options: WriteOptions | None = None,
    losses: Notes | None = None,
    notes: Notes | None = None,
    finish: Callable[[], None] | None = None,
    base: Path | None = None,
    infers_languages: bool = False,
) -> None:
    """Write bitexts to a file, or two, which appear only when complete.

    Documents that the options request appear just before the file that points into them.

    Parameters
    ----------
    bitexts : iterable of Bitext
        Consumed one at a time: the next is requested when the last is written.
    path : str
        The file, `-` for standard output; two files as `a,b`.
    known : Format
        A format that can be written.
    options : WriteOptions, optional
        The options of the writer.
    losses : Notes, optional
        Takes the counts of properties that the format cannot hold, while writing.
    notes : Notes, optional
        Takes contradictions between the names of the files and the languages of the texts.
    finish : callable, optional
        Called when all bitexts are written and before the file appears; an error that it raises
        leaves no file, and no documents.
    base : Path, optional
        The folder that the names of documents in the file are relative to, where the documents
        lie under it. Default: the folder of the documents.
    infers_languages : bool
        Whether missing languages are inferred from the names of the texts, for a format that names
        languages (`with_languages`).

    Raises
    ------
    InputError
        When a bitext lacks what the format needs, or the file cannot be written.
    OptionError
        When the format has two files and one is named.

    """
    options, notes = options or WriteOptions(), Notes() if notes is None else notes
    requested = options.languages
    if infers_languages and known.names_languages:
        bitexts = (with_languages(each, requested, notes) for each in bitexts)
    if known.capabilities(options).attributes and options.documents is None:
        bitexts = map(_with_time_columns, bitexts)
    items = bitexts if losses is None else _counted(bitexts, known, options, losses)
    pair = two_files(path) if known.two_files else None
    if known.two_files and pair is None:
        raise OptionError(f"{path}: {known.name} is two files: name them as a.en,a.fr")
    if options.notes is None:
        options = replace(options, notes=notes)
    if all(requested):
        items = note_exchanged(items, requested, notes)
    if known.remarks is not None:
        items = known.remarks(items, notes)
    if known.holds == "text" and not known.capabilities(options).languages:
        items = in_one_pair(items, requested, known.name, pair, notes)
    # Standard output cannot be undone, so it is buffered where `finish` may still fail.
    held_back = finish is not None or options.documents is not None
    with ExitStack() as stack:
        publish = None
        if options.documents is not None and known.keeps_with_documents is not None:
            from bitext.formats.opus_documents.writing import documents_aside

            options, publish = stack.enter_context(
                documents_aside(options, options.documents, base=base)
            )
        outs = stack.enter_context(
            write_together(pair or (path,), binary=known.binary, held_back=held_back)
        )
        if known.write is not None:
            known.write(items, *outs, options=options)
        if finish is not None:
            finish()
        if publish is not None:
            publish()


def _with_time_columns(bitext: Bitext) -> Bitext:
    """Add the times of bisegments as columns, `src_time` and `tgt_time`, where texts have times."""
    texts = bitext.src, bitext.tgt
    if all(text is None or text.times is None for text in texts):
        return bitext
    from bitext.formats.subtitles.times import TIME_COLUMNS, shown_times, spans_of

    a = bitext.alignment
    columns: dict[str, Sequence[str | None]] = dict(a.attributes)
    for name, text, rows in zip(TIME_COLUMNS, texts, (a.src, a.tgt), strict=True):
        if text is not None and text.times is not None and name not in columns:
            columns[name] = list(map(shown_times, spans_of(text.times, rows).tolist()))
    return with_columns(bitext, columns)


def sizes_of(output: str) -> list[int]:
    """Return the sizes in bytes of an output, or of its two files, local or remote.

    -1 stands for a missing file, -2 for a remote file of unknown size.

    Raises `InputError` when a remote location cannot be reached.
    """
    sizes: list[int] = []
    for name in two_files(output) or (output,):
        path = local_path(name)
        if path is None:
            size = size_at(name)
            sizes.append(-1 if size is None else -2 if size < 0 else size)
        else:
            sizes.append(path.stat().st_size if is_there(path) else -1)
    return sizes


def _counted(
    bitexts: Iterable[Bitext], known: Format, options: WriteOptions, losses: Notes
) -> Iterator[Bitext]:
    """Yield the bitexts; count the losses of each."""
    keeps = known.capabilities(options)
    first, places = True, ChunkPositions()
    seen: set[int] = set()  # hashes of the keys that distinguish document pairs
    heads: set[tuple[str, str]] = set()  # notes and props of headers so far
    void = ""  # the name of a document pair without bisegments so far
    alone = True  # whether that pair is the first, and has no names that would be lost
    for k, bitext in enumerate(bitexts):
        if not bitext.continues:
            if void:
                losses.add(EMPTY, void)
            void = "" if keeps.empty_documents else name_of(bitext)
            alone = k == 0 and not has_names(bitext)
            head = {item for item in bitext.meta.items() if _kind_in_header(item[0])} - heads
            heads |= head
            lost = {item for item in head if k or not item[0].startswith(keeps.header)}
            for kind in (HEADER, FIELDS):
                items = (item for item in lost if _kind_in_header(item[0]) == kind)
                if names := [name for item in items for name in _names_in_header(*item)]:
                    losses.add(kind, f"{name_of(bitext)}: {min(names)}", len(names))
        if len(bitext.alignment) or (keeps.uncovered and any((bitext.src, bitext.tgt))):
            void = ""
        first = k == 0 or (first and bitext.continues)
        count_losses(bitext, keeps, losses, first=first, place=places.of(bitext))
        if keeps.named is not None and not bitext.continues and (name := keeps.named(bitext)):
            if hash(name) in seen:
                losses.add(MERGED, bitext.name or name)
            seen.add(hash(name))
        yield bitext
    if void and not alone:
        losses.add(EMPTY, void)


_FIELDS = {"creationdate", "creationid", "changedate", "changeid", "po_header"}
# Fields with a value in the header of a PO file, without those that any file of its language has.
_PO_FIELD = late_pattern(
    r"^(?!(?:Language|X-Source-Language|MIME-Version|Plural-Forms|Content-[\w-]+) *:)"
    r"([^:\n]+):[ \t]*\S",
    re.IGNORECASE | re.MULTILINE,
)


def _kind_in_header(name: str) -> str:
    """Return the kind of loss of a note, a prop or a field in the header of TMX or PO."""
    if name in _FIELDS:
        return FIELDS
    known = name.partition("#")[0] in {"note", "ude"} or name.startswith("prop:")
    return HEADER if known and "@" not in name else ""


def _names_in_header(name: str, value: str) -> list[str]:
    return _PO_FIELD.findall(value) if name == "po_header" else [name]


# Losses: each format declares its `Capabilities`, and the properties of a bitext beyond these are
# counted here, in one place, so that every conversion words its losses alike. The tests of the
# formats check each declaration by writing and reading back.

_Cases = Iterator[tuple[int, str]]  # counts of losses, each with its first case
_AT_FIRST = ChunkPosition()
_DOCS = ("src_doc", "tgt_doc")
_NUMBER = late_pattern(r"#\d+\Z")  # at the end of the name of a group without documents
_COUNTED = late_pattern(r" \(\d+\)\Z")  # at the end of the name of a further document of one name


def count_losses(
    bitext: Bitext,
    keeps: Capabilities,
    losses: Notes,
    *,
    first: bool = True,
    place: ChunkPosition = _AT_FIRST,
) -> None:
    """Count the losses of a bitext in a format, by kind, with the first case of each.

    The cost is linear in the bitext, except for a sort where segments repeat or are out of order.

    The bitext is a document pair, or a part of one: `place` is its position in the pair, and
    `first` is true if the pair is the first one of the file. `losses` takes the counts.
    """
    where = name_of(bitext)
    part = _Part(bitext, keeps, place)
    lost = keeps.lost()
    if not keeps.empty_values or keeps.unwritten is not None:
        lost += _KINDS
    if keeps.shows_codes is not None:
        lost.append("markup")
    for name in dict.fromkeys(lost):
        for count, case in _COUNTS[name](part):
            if count and not (name == "documents" and first):
                losses.add(LOSSES[name], f"{where}{case and ': '}{case}", count)
    further = _FURTHER
    if keeps.changed is not None:
        kind, is_changed = keeps.changed
        further = {**further, kind: partial(_changed, is_changed=is_changed)}
    for kind, counted in further.items():
        for count, case in counted(part):
            losses.add(kind, f"{where}: {case}", count)


class _Part(NamedTuple):
    """A bitext, or a part of one, with the capabilities of the format."""

    bitext: Bitext
    keeps: Capabilities
    place: ChunkPosition

    @property
    def alignment(self) -> Alignment:
        return self.bitext.alignment

    @property
    def has_own_texts(self) -> bool:
        """Whether the texts are not in files of their own, which lose nothing."""
        return self.bitext.meta.get("holds", "text") == "text"

    def texts(self) -> Iterator[tuple[Side, Text, Rows]]:
        for side, text, rows in both_sides(self.bitext):
            if text is not None:
                yield side, text, rows

    def segment(self, side: Side, k: int) -> str:
        return self.place.segment(self.bitext, side, int(k))

    def segments(self, lost: Callable[[Text, Rows], Ints | Sequence[int]]) -> _Cases:
        """Yield the number of segments of a text that are lost, and the first of them."""
        for side, text, rows in self.texts():
            which = lost(text, rows)
            if len(which):
                yield len(which), self.segment(side, which[0])

    def on_either_side(self, mask: Callable[[Rows], Bools]) -> _Cases:
        yield from self.marked(mask(self.alignment.src) | mask(self.alignment.tgt))

    def marked(self, mask: Bools) -> _Cases:
        count = int(mask.sum())
        if count:
            yield count, self.place.bead(self.bitext, int(mask.argmax()))


def _texts(part: _Part) -> _Cases:
    if part.has_own_texts:
        for side, text, _ in part.texts():
            if text.has_text:
                yield len(text), part.segment(side, 0) if len(text) else ""


def _empty_segments(part: _Part) -> _Cases:
    def without_characters(text: Text, rows: Rows) -> Ints | Sequence[int]:
        if not text.has_text or all(text.segments()):
            return ()
        bare: Bools = (text.lengths() == 0)[rows.idx]
        if part.keeps.borders:  # then only a side without any characters has none
            bare &= (rows.lengths == 1)[row_of(rows)]
        members: Ints = rows.idx[bare]
        return members

    yield from part.segments(without_characters)


def _overlaps(part: _Part) -> _Cases:
    for side, _, rows in both_sides(part.bitext):
        again = rows.idx[repeated(rows)]
        if again.size:
            yield int(distinct(again).size), part.segment(side, again[0])


def _uncovered(part: _Part) -> _Cases:
    def uncovered(text: Text, rows: Rows) -> Ints:
        return np.flatnonzero(np.bincount(rows.idx, minlength=len(text)) == 0)

    yield from part.segments(uncovered)


def _ids(part: _Part) -> _Cases:
    yield from part.segments(lambda text, _: range(len(text) * text.has_ids))


def _scores(part: _Part) -> _Cases:
    if part.alignment.scores is not None:
        yield from part.marked(~np.isnan(part.alignment.scores))


def _values(part: _Part, kind: str) -> _Cases:
    if kind == "other_languages":  # a text of each language, however many segments it has
        columns = part.alignment.attributes
        lost = {name: columns[name] for name in columns if not part.keeps.keeps_column(name)}
        new = part.place.new_languages(lost)
        yield len(new), ", ".join(new)
    for name, column in part.alignment.attributes.items():
        if kind_of_column(name) == kind:
            if not part.keeps.keeps_column(name):
                if kind != "other_languages":
                    yield len(column) - column.count(None), name
            elif not part.keeps.empty_values and "" in column:
                case = f"{name} of bisegment {column.index('')}, without characters"
                yield column.count(""), case
            elif part.keeps.unwritten is not None:
                unwritten = part.keeps.unwritten(part.bitext, name)
                for count, case in part.marked(unwritten):
                    yield count, f"{name} of {case}"


def _documents(part: _Part) -> _Cases:
    if not part.bitext.continues:
        yield 1, ""


def has_names(bitext: Bitext) -> bool:
    """Check for a name of a document pair, or of one of its documents."""
    return any(map(bitext.meta.get, _DOCS)) or bool(own_name(bitext))


def _document_names(part: _Part) -> _Cases:
    if part.bitext.continues:
        return
    names = {key: part.bitext.meta.get(key, "") for key in _DOCS} | {"name": own_name(part.bitext)}
    own = part.bitext.name, _COUNTED.sub("", part.bitext.name)
    written = {
        name for key in part.keeps.names for name in (own if key == "name" else [names[key]])
    }
    lost = [
        name for key, name in names.items() if key not in part.keeps.names and name not in written
    ]
    if any(lost):
        yield 1, next(filter(None, lost))


def own_name(bitext: Bitext) -> str:
    """Return the name of a document pair; empty if the name is derived.

    Names are derived from those of the documents, of the file, or of the corpus.
    """
    name, meta = bitext.name, bitext.meta
    stem = PurePath(meta.get("path", "")).name.partition(".")[0]
    derived = any(map(meta.get, _DOCS)) or name == meta.get("corpus_name", "")
    numbered = stem and _NUMBER.sub("", name) == stem
    return "" if derived or numbered else name


def _languages(part: _Part) -> _Cases:
    if not part.bitext.continues:
        for side, text, _ in part.texts():
            yield bool(text.lang), f"{side}: {text.lang}"


def _markup(part: _Part) -> _Cases:
    shown = part.keeps.shows_codes if part.keeps.markup else None
    yield from part.segments(
        lambda text, _: [
            k
            for k, marked in enumerate(text.marked or ())
            if marked is not None and not (shown and shown(marked))
        ]
    )


_LINK_MARK = late_pattern("[p?:]")


def _link_marks(part: _Part) -> _Cases:
    links = part.alignment.attributes.get(WORDS)
    if links is not None and part.keeps.words and not part.keeps.link_marks:
        marked = [bool(value and _LINK_MARK.search(value)) for value in links]
        yield from part.marked(np.array(marked, dtype=np.bool_))


def _unlinked(part: _Part) -> _Cases:
    links = part.alignment.attributes.get(WORDS)
    if links is not None and part.keeps.words and not part.keeps.unlinked:
        unknown = np.array([value is None for value in links], dtype=np.bool_)
        both = (part.alignment.src.lengths > 0) & (part.alignment.tgt.lengths > 0)
        yield from part.marked(unknown & both)


def _other_times(part: _Part) -> _Cases:
    if part.keeps.one_time:
        from bitext.formats.subtitles.times import cue_times, differ, times_of_sides

        yield from part.marked(differ(cue_times(part.bitext), times_of_sides(part.bitext)[1]))


# A code of a line break, by its type or by how HTML, Angular and memoQ write it, between two words.
_LINE_BREAK = late_pattern(
    r"""\w<ph\b(?:[^<>]*\btype="(?:x-)?(?:lb|br|line-?break)"[^<>]*|[^<>]*(?=>(?:&lt;br\b|LB<|"""
    r"""LINE_BREAK<|&lt;ph type="lb"|&lt;mq:ch val="(?:[\n\u2028]|&(?:amp;)?#(?:10|13|8232|"""
    r"""x0*[AD]|x2028);)")))(?:/>|>[^<]*</ph>)\w""",
    re.IGNORECASE,
)


def _joined_words(part: _Part) -> _Cases:
    """Count segments in which two words become one where a line break is not written."""
    if part.keeps.texts and not part.keeps.markup:
        yield from part.segments(
            lambda text, _: [
                k for k, xml in enumerate(text.marked or ()) if xml and _LINE_BREAK.search(xml)
            ]
        )


_BREAK = late_pattern("[\t\n\r]")


def _breaks(part: _Part) -> _Cases:
    if any(text.fact(has_breaks) for _, text, _ in part.texts()):
        yield from _matching(part, _BREAK)
    for name, column in part.alignment.attributes.items():
        if part.keeps.keeps_column(name) and _BREAK.search("\0".join(filter(None, column))):
            rows = [k for k, value in enumerate(column) if value and _BREAK.search(value)]
            yield len(rows), f"{name} of bisegment {rows[0]}"


def _controls(part: _Part) -> _Cases:
    if any(text.fact(any_forbidden) for _, text, _ in part.texts()):
        yield from _matching(part, FORBIDDEN)


def _matching(part: _Part, pattern: re.Pattern[str]) -> _Cases:
    """Count the segments with a match of a pattern that matches single characters."""

    def matching(text: Text, rows: Rows) -> Ints:
        line = text.line or ""
        places = np.fromiter((match.start() for match in pattern.finditer(line)), np.int64)
        which = np.searchsorted(text.ends, places, side="right")
        inside = which < len(text)
        which, places = which[inside], places[inside]
        which = distinct(which[text.starts[which] <= places])
        return which[np.isin(which, rows.idx)]

    yield from part.segments(matching)


def _changed(part: _Part, is_changed: Callable[[str], bool]) -> _Cases:
    def changed(text: Text, rows: Rows) -> list[int]:
        segments = list(text.segments()) if text.has_text else []
        members = distinct(rows.idx).tolist() if text.has_text else []
        return [k for k in members if is_changed(segments[k])]

    yield from part.segments(changed)


def _paragraphs(part: _Part) -> _Cases:
    if part.has_own_texts:
        for side, text, _ in part.texts():
            if text.paragraphs is not None:
                yield len(text.paragraphs.masses), side


def _times(part: _Part) -> _Cases:
    def timed(text: Text, _rows: Rows) -> Ints | Sequence[int]:
        return () if text.times is None else np.flatnonzero(~np.isnan(text.times).all(axis=1))

    if part.has_own_texts:
        yield from part.segments(timed)


_KINDS = ("attributes", "other_languages", "words")  # of columns
_COUNTS: dict[str, Callable[[_Part], _Cases]] = {
    "empty_sides": lambda part: part.on_either_side(lambda rows: rows.lengths == 0),
    "borders": lambda part: part.on_either_side(lambda rows: rows.lengths > 1),
    "crossings": lambda part: part.on_either_side(out_of_order),
    "gaps": lambda part: part.on_either_side(with_gaps),
    **{kind: partial(_values, kind=kind) for kind in _KINDS},
    # Others have a function of their name.
    **{
        count.__name__.removeprefix("_"): count
        for count in (
            *(_texts, _empty_segments, _overlaps, _uncovered, _ids, _scores, _documents, _times),
            *(_document_names, _languages, _markup, _breaks, _controls, _paragraphs),
        )
    },
}
_FURTHER: dict[str, Callable[[_Part], _Cases]] = {
    "bisegments with possible links or confidences, written as sure links without these": (
        _link_marks
    ),
    "bisegments whose word links are not known, written as pairs without links": _unlinked,
    "bisegments whose target has a time of its own, which is not written": _other_times,
    "segments with a line break as an inline code between two words, written together": (
        _joined_words
    ),
}
