"""Notes on contents of a file that may be misread: keys, copies and names of languages.

They are taken from the first segments of a file, so that they cost nothing in a large one. Files
with the marks of an unfinished merge are refused.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from bitext.errors import remedy
from bitext.formats.columns import Columns
from bitext.formats.header_names import are_identifiers, are_string_keys, may_be_words
from bitext.formats.io.encodings import is_utf_8_twice, page_of_garbled
from bitext.formats.io.source import Source
from bitext.formats.languages import finds
from bitext.formats.registry import UNUSED_BASE, WORDS, ReadOptions
from bitext.formats.scores import is_missing_text
from bitext.formats.states import marked_drafts
from bitext.kernels.arrays import sums
from bitext.model import Bitext, Note
from bitext.model.languages import main_language

# Formats of strings of programs, whose source may be their keys; tables refuse such a column.
_OF_STRINGS = frozenset(("jsonl", "po", "qt", "tmx", "xliff12", "xliff2"))
_OF_OBJECTS = frozenset(("arrow", "json", "jsonl", "parquet"))  # tables refuse identifiers
_CODE_OF_LANGUAGE = re.compile(r"[A-Za-z]{1,3}(?:[-_]|$)")  # also of private use, as x-own
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_SAMPLE = 200  # segments of a side that are examined; set by hand
_FEWEST = 5  # pairs without which nothing is said of copies; set by hand
# Texts that are noted in some formats: the indentation of a file between texts and their tags, and
# placeholders of Phrase (`{1>`, `<1}`, `{2}`), whose tags are in the metadata of a unit.
_OF_XLIFF = (
    (
        ("xliff12", "xliff2"),
        re.compile(r"\s*\n[ \t]+\S(?s:.*)\n[ \t]*").fullmatch,
        "segments with line ends that seem to be the layout of the file, kept as they are",
    ),
    (
        ("xliff12",),
        re.compile(r"\{\w{1,3}>|<\w{1,3}\}").search,
        "segments with placeholders of tags of Phrase, as {1> and <1}, read as text",
    ),
)


def noted_names(bitexts: Iterable[Bitext], path: str, own: str) -> Iterator[Bitext]:
    """Yield the bitexts of a file; note documents that come again, as in sorted tables.

    Documents without a name have that of the file, `own`.
    """
    seen: set[int] = set()  # hashes of names, which may be many
    for bitext in bitexts:
        named = bitext.name and bitext.name != own
        if named and not bitext.continues and "src_doc" not in bitext.meta:
            if hash(bitext.name) in seen:
                kind = "documents that come again after others, each time read as another one"
                note = Note(f"{kind} (sort by document)", 1, f"{path}: {bitext.name!r:.60}")
                bitext = replace(bitext, notes=(*bitext.notes, note))
            seen.add(hash(bitext.name))
        yield bitext


def with_notes_of_content(
    bitext: Bitext, options: ReadOptions, format_name: str, path: str, encodings: tuple[str, str]
) -> Bitext:
    """Return the first bitext of a file with notes on other possible readings of its texts.

    `encodings` are those that were given for both sides.
    """
    notes = [*_names_of_languages(bitext, options, path)]
    notes += _unused_parts(format_name, options.columns, path)
    src, tgt = bitext.src, bitext.tgt
    if src is not None and tgt is not None and src.has_text and tgt.has_text:
        samples = [list(text.segments(0, min(len(text), _SAMPLE))) for text in (src, tgt)]
        notes += _garbled(samples, path, encodings)
        has_positions = any(options.given) or WORDS in bitext.alignment.attributes
        if options.base is not None and not has_positions:
            notes.append(Note(UNUSED_BASE, 1, f"{path}: {format_name} ({remedy('base')})"))
        if format_name in _OF_STRINGS:
            notes += _keys(samples, path)
        if format_name in _OF_OBJECTS:
            notes += _identifiers(samples, path)
        pairs = _pairs(bitext, samples)
        # Of two kinds of one language, as en-US and en-GB, many texts are the same.
        if not (src.lang and finds(main_language(src.lang), tgt.lang)):
            notes += _copies(pairs, path)
        # Tables have a note on all their rows.
        if not any("missing values" in note.kind for note in bitext.notes):
            notes += _missing(pairs, path)
        for formats, matches, kind in _OF_XLIFF:
            if format_name not in formats:
                continue
            if texts := [text for sample in samples for text in sample if matches(text)]:
                notes.append(Note(kind, len(texts), f"{path}: {texts[0]!r:.60}"))
    return replace(bitext, notes=(*bitext.notes, *notes)) if notes else bitext


# What tables of a format have beside their columns.
_PARTS_OF_TABLES = {
    "csv": frozenset(("head", "sep", "escape")),
    "tsv": frozenset(("head", "escape")),
    **dict.fromkeys(("ods", "xls", "xlsx"), frozenset(("head", "sheet"))),
    **dict.fromkeys(_OF_OBJECTS, frozenset()),
}


def _unused_parts(format_name: str, columns: Columns, path: str) -> Iterator[Note]:
    """Yield notes on a header, a sheet and others that the user names and the tables have not."""
    if not columns or format_name not in _PARTS_OF_TABLES:
        return
    given = {"sheet": columns.sheet, "sep": columns.separator, "escape": columns.escape}
    has = _PARTS_OF_TABLES[format_name]
    if format_name == "tsv" and columns.separator == "\t":
        given.pop("sep")  # which it has
    if columns.head is not None and "head" not in has:
        kind = "a header named beside a file that has keys, not used"
        yield Note(kind, 1, f"{path}: {remedy('head')}")
    for part in (part for part, value in given.items() if value and part not in has):
        kind = "parts of tables named beside a file that has none, not used"
        yield Note(kind, 1, f"{path}: {format_name} ({remedy(f'columns {part}=')})")


def _names_of_languages(bitext: Bitext, options: ReadOptions, path: str) -> Iterator[Note]:
    """Yield a note on names of languages in place of codes."""
    requested = options.languages
    named = [
        text.lang
        for text, given in zip((bitext.src, bitext.tgt), requested, strict=True)
        if text is not None and text.lang and not given and not _CODE_OF_LANGUAGE.match(text.lang)
    ]
    if named:
        way = remedy("src-lang", "tgt-lang")
        kind = f"languages named by other strings than codes, as de, kept as they are ({way})"
        yield Note(kind, len(named), f"{path}: {named[0]!r:.60}")


def _garbled(samples: list[list[str]], path: str, encodings: tuple[str, str]) -> Iterator[Note]:
    """Yield a note on texts that were garbled, or encoded, before they came into the file.

    A file that is read in another encoding than its own has a note already.
    """
    for side, encoding, sample in zip(("source", "target"), encodings, samples, strict=True):
        joined = "\n".join(sample)
        if encoding.lower().startswith("utf") and not joined.isascii():
            page = page_of_garbled(joined)
            if is_utf_8_twice(joined.encode("utf-8", "replace")):
                kind = "texts that seem to be UTF-8 read as Latin-1 (é is Ã©), kept as they are"
                yield Note(kind, 1, f"{path}: {side}")
            elif page:
                kind = f"texts that seem to be {page} read as Latin-1, kept as they are"
                yield Note(kind, 1, f"{path}: {side}")
        full = [text for text in sample if text]
        if full and all(map(_BASE64.fullmatch, full)) and any(map(_is_more, full)):
            kind = "texts in base64, as in files of Bitextor, kept as they are (decode them first)"
            yield Note(kind, 1, f"{path}: {side}: {full[0]!r:.40}")


def _is_more(text: str) -> bool:
    """Test a string in base64 for a text in UTF-8, which has letters and a blank."""
    try:
        return " " in b64decode(text).decode()
    except ValueError:
        return False


def _keys(samples: list[list[str]], path: str) -> Iterator[Note]:
    """Yield a note on keys of strings in place of the texts of one side."""
    keyed = list(map(are_string_keys, samples))
    if keyed[0] == keyed[1] or not all(any(sample) for sample in samples):
        return
    side = keyed.index(True)
    key = next(filter(None, samples[side]))
    yield Note(
        f"{('source', 'target')[side]} texts that look like keys of strings, read as texts "
        f"(are those in another file?)",
        1,
        f"{path}: {key!r:.60}",
    )


def _identifiers(samples: list[list[str]], path: str) -> Iterator[Note]:
    """Yield a note on identifiers or positions in place of the texts of both sides."""
    if all(map(are_identifiers, samples)) and not all(map(may_be_words, samples)):
        kind = (
            "texts that look like identifiers or positions, read as texts (in JSON lines a list "
            "of these is a side: [0, 1])"
        )
        yield Note(kind, 1, f"{path}: {samples[0][0]!r:.40}")


def _pairs(bitext: Bitext, samples: list[list[str]]) -> list[tuple[str, str]]:
    """Return the texts of the first 1-1 bisegments."""
    return [
        (samples[0][bead.src[0]], samples[1][bead.tgt[0]])
        for bead in bitext.alignment[:_SAMPLE]
        if len(bead.src) == len(bead.tgt) == 1
        and bead.src[0] < len(samples[0])
        and bead.tgt[0] < len(samples[1])
    ]


def _copies(pairs: list[tuple[str, str]], path: str) -> Iterator[Note]:
    """Yield a note on targets most of which are their sources."""
    copies = sum(src == tgt and any(map(str.isalpha, src)) for src, tgt in pairs)
    if len(pairs) >= _FEWEST and 2 * copies > len(pairs):
        kind = (
            "files with the same text on both sides of most of their first bisegments (is the "
            "translation missing, or elsewhere?)"
        )
        yield Note(kind, 1, f"{path}: {copies} of {len(pairs)}")


def _missing(pairs: list[tuple[str, str]], path: str) -> Iterator[Note]:
    """Yield a note on missing values in place of the translations of sentences."""
    both = (each for src, tgt in pairs for each in ((src, tgt), (tgt, src)))
    if missing := [cell for cell, other in both if is_missing_text(cell, other)]:
        kind = (
            "first texts such as NaN and NULL, as programs write missing values, read as they are"
        )
        yield Note(kind, len(missing), f"{path}: {missing[0]!r}")


def drafts_with_texts(bitext: Bitext, path: str) -> Iterator[Note]:
    """Yield notes on targets that a column marks as drafts, in formats that keep them (TSV)."""
    marked = marked_drafts(bitext.alignment.attributes)
    if not marked or bitext.tgt is None or not bitext.tgt.has_text:
        return
    filled = sums(bitext.alignment.tgt, (bitext.tgt.lengths() > 0).astype(np.int64)) > 0
    for (name, value), every in marked.items():
        if places := [k for k in every if filled[k]]:
            way = remedy(f"where {name}!={value}")
            kind = f"translations marked {name}={value}, read as others ({way} leaves them out)"
            yield Note(kind, len(places), f"{path}: bisegment {places[0]}")


_OURS, _MIDDLE, _THEIRS = (
    re.compile(rb"^" + mark + rb"\r?$", re.MULTILINE)
    for mark in (rb"<<<<<<< [^\t\n]*", rb"=======", rb">>>>>>> [^\t\n]*")
)


def refuse_conflict(source: Source) -> None:
    """Refuse a file with the conflict markers of an unfinished merge in Git."""
    head = source.head()
    if b"<<<<<<< " not in head:
        return
    ours = _OURS.search(head)
    middle = _MIDDLE.search(head, ours.end()) if ours else None
    if ours and middle and _THEIRS.search(head, middle.end()):
        raise source.error(
            "has two versions between marks of a conflict (<<<<<<<, =======, >>>>>>>): merge them, "
            "and take the marks out",
            head.count(b"\n", 0, ours.start()) + 1,
        )
