"""Segmentations into elementary discourse units: files of DISRPT, and of rhetorical structures.

| spelling | a text is |
| --- | --- |
| `disrpt` | CoNLL-U lines to the next `# newdoc`: `Seg=B-seg`, `BeginSeg=Yes` in the last column |
| `rs3` | a file of rstWeb or RSTTool: the `segment` elements in order |
| `edus` | a file with a unit of discourse a line |
| `dis` | a file of the RST Discourse Treebank: the `text` of its leaves in order |

The units are tokens, in `disrpt`, and else words, as blanks separate them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import SegmentationError
from bitext.formats.segmentations.collecting import Collected, Units, listed
from bitext.formats.segmentations.labels import check_labels, select_labels
from bitext.formats.xml.safe import iterate, line_of
from bitext.model import Segmentation
from bitext.model.segmentation import bio_form, bio_parts, may_be_bio
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitext.formats.io.source import Source
    from bitext.formats.segmentations.collecting import Reading, ReadingOptions

__all__ = ["DISCOURSE", "discourse_spelling", "read_discourse"]

DISCOURSE = ("disrpt", "rs3", "edus", "dis")

_BY_SUFFIX = {".rs3": "rs3", ".rs4": "rs3", ".edus": "edus", ".dis": "dis"}
_ROOT = re.compile(
    r"\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<rst[\s>]",
    re.DOTALL,
)
_DIS_ROOT = re.compile(r"\s*\(\s*Root\s*\(\s*span\s+([0-9]{1,9})\s+([0-9]{1,9})\s*\)")
# A leaf, or the beginning of its text: `_!text_!`, or `<s><EDU>text</EDU></s>` in older files.
_LEAF = re.compile(r"\(\s*leaf\s+([0-9]{1,9})\s*\)|\(\s*text\s+(_!|(?:<[A-Za-z]{1,3}>){1,3})")
_MARKS = re.compile(r"</?(?:[PpSs]|EDU)>")  # of paragraphs, sentences and units
_COLUMNS = 10  # of a CoNLL-U line
_TOKEN = re.compile(r"[0-9]+(?:[-.][0-9]+)?")
_NEW_TEXT = re.compile(r"#\s*newdoc(?:[_ ]id)?\s*(?:=\s*(.*?)\s*)?")
# Keys that say where segments begin, in the order of preference.
_KEYS = ("Seg", "BeginSeg", "Conn", "Discourse")


def discourse_spelling(opening: str, suffix: str) -> str | None:
    """Return the spelling of a file by its first lines, or by its suffix."""
    if _ROOT.match(opening):
        return "rs3"
    if _DIS_ROOT.match(opening):
        return "dis"
    first = next((ln for ln in opening.split("\n") if ln.strip() and not ln.startswith("#")), "")
    cells = first.split("\t")
    if len(cells) == _COLUMNS and _TOKEN.fullmatch(cells[0]):
        return "disrpt"
    return _BY_SUFFIX.get(suffix)


def read_discourse(source: Source, spelling: str, options: ReadingOptions) -> Reading:
    """Read the texts of a file in one of the spellings of `DISCOURSE`."""
    if spelling == "disrpt":
        return _read_disrpt(source, options)
    segments: Iterator[tuple[int, list[str]]]
    if spelling == "rs3":
        segments = _rst_segments(source)
    elif spelling == "dis":
        segments = _leaves(source)
    else:
        segments = ((k, line.split()) for k, line in enumerate(source.lines(), 1) if line.strip())
    collected = Collected(source)
    words: list[str] = []
    places: list[int] = []
    for place, segment in segments:
        if not segment:
            kind = "units of discourse without a word, left out"
            source.notes.add(kind, f"{source.path} line {place}")
            continue
        words += segment
        places += [place] * len(segment)
        collected.masses.append(len(segment))
    if not words:
        raise source.error("has no unit of discourse; want one or more, with words")
    if spelling == "edus" and len(collected.masses) == 1 and len(words) > 1:
        source.notes.add("texts of one unit of discourse", source.path)
    collected.add(None, places[0])
    text = Units("\n".join(words), np.array(places, dtype=np.int64))
    return collected.reading(spelling, units=(text,))


def _rst_segments(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the words of each segment of an RST file."""
    roots = 0
    for event, element in iterate(source, start=("rst",), end=("segment",)):
        if event == "start":
            roots += 1
        else:
            yield line_of(element) or 1, "".join(map(str, element.itertext())).split()
    if not roots:
        raise source.error("has no <rst>; want a file of rstWeb or RSTTool, or name its spelling")


def _leaves(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the words of each leaf of a file of the RST Discourse Treebank."""
    text = source.text()
    root = _DIS_ROOT.match(text)
    if root is None:
        raise source.error("does not begin with ( Root (span 1 n); want a file as of RST-DT", 1)
    first, last = int(root[1]), int(root[2])
    line, before, due, has_text = 1, 0, first, True
    match = _LEAF.search(text)
    while match is not None:
        line += text.count("\n", before, match.start())
        before, end = match.start(), match.end()
        if match[1] is None and has_text:
            raise source.error(f"has a text without a leaf where leaf {due} is due", line)
        if match[1] is not None and (int(match[1]) != due or not has_text):
            raise source.error(f"has leaf {match[1]} where leaf {due} is due, or its text", line)
        has_text = match[1] is None
        if has_text:
            closing = "_!" if match[2] == "_!" else "</EDU>"
            end = text.find(closing, match.end())
            if end < 0:
                raise source.error(f"has a text without {closing} at its end (leaf {due})", line)
            yield line, _MARKS.sub(" ", text[match.end() : end]).split()
            due, end = due + 1, end + len(closing)
        match = _LEAF.search(text, end)
    if due != last + 1 or not has_text:
        raise source.error(
            f"has {due - first} leaves with text, and a root of {last - first + 1}: is it cut?"
        )


# DISRPT


@dataclass(slots=True)
class _Document:
    """A text of a file of CoNLL-U lines, with the cells of the last column of its tokens."""

    name: str | None
    line: int
    forms: list[str] = field(default_factory=list)
    cells: list[dict[str, str]] = field(default_factory=list)
    places: list[int] = field(default_factory=list)


def _read_disrpt(source: Source, options: ReadingOptions) -> Reading:
    documents = _documents(source)
    key = _key_of(source, documents, options.column)
    all_labels = [[_label(cells, key) for cells in document.cells] for document in documents]
    known = {label for labels in all_labels for label in labels}
    if not may_be_bio({*known, "B"}):
        wrong = min(label for label in known if not may_be_bio({label, "B"}))
        raise source.error(
            f"has {wrong!r:.40} as {key}=; want B, I and O, as Seg=B-seg, or another key "
            f"({remedy('column')})"
        )
    form = bio_form({*known, "O"})
    if any(bio_parts(label)[1].casefold() == "conn" for label in known):
        form = "bio-outside"  # of connectives, also where each is one token
    if options.labels:
        check_labels(source, known, form, options.labels)
    collected = Collected(source)
    for document, labels in zip(documents, all_labels, strict=True):
        if options.labels:
            labels = select_labels(labels, form, options.labels)
        try:
            collected.put(Segmentation.from_labels(labels, form=form))
        except SegmentationError as error:
            raise source.error(str(error), document.line) from None
        collected.add(document.name, document.line)
    units = tuple(
        Units("\n".join(document.forms), np.array(document.places, dtype=np.int64))
        for document in documents
    )
    return collected.reading("disrpt", units=units, labels="disrpt")


def _documents(source: Source) -> list[_Document]:
    """Return the texts of a file, with their tokens: words of multiword tokens count, not these."""
    documents = [_Document(None, 1)]
    for number, line in enumerate(source.lines(), start=1):
        if line.startswith("#"):
            named = _NEW_TEXT.fullmatch(line)
            if named:
                documents.append(_Document(named[1] or None, number))
            continue
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) != _COLUMNS or not _TOKEN.fullmatch(cells[0]):
            raise source.error(
                f"has {len(cells)} column{'s'[: len(cells) > 1]} and begins with "
                f"{cells[0]!r:.20}; want the {_COLUMNS} of CoNLL-U, and the number of the token "
                f"as the first",
                number,
            )
        if not cells[0].isdecimal():
            continue
        document = documents[-1]
        pairs = (item.partition("=") for item in cells[-1].split("|"))
        document.forms.append(" ".join(cells[1].split()))
        document.cells.append({key: value for key, _, value in pairs if key in _KEYS or value})
        document.places.append(number)
    if not documents[0].forms:
        documents.pop(0)
    empty = next((document for document in documents if not document.forms), None)
    if empty is not None:
        raise source.error("begins a text without tokens; want at least one", empty.line)
    if not documents:
        raise source.error("has no token; want CoNLL-U lines")
    return documents


def _key_of(source: Source, documents: Sequence[_Document], column: str | None) -> str:
    """Return the key of the labels, from the option, or the first of `_KEYS` that is there."""
    known = dict.fromkeys(key for d in documents for cells in d.cells for key in cells)
    if column is not None:
        if column not in known:
            raise source.error(
                f"has no {column}= in its last column ({remedy('column')}); the keys are "
                f"{listed(known) or 'none'}"
            )
        return column
    there = [key for key in _KEYS if key in known]
    if not there:
        raise source.error(
            f"has no Seg= or BeginSeg= in the last of {_COLUMNS} columns, which say where segments "
            f"begin; name another key ({remedy('column')}), or the spelling ({remedy('from')})"
        )
    if len(there) > 1 or there[0] not in {"Seg", "BeginSeg"}:
        others = f" (another: {remedy(f'column {there[1]}')})" if len(there) > 1 else ""
        source.notes.add(f"segments from {there[0]}= in the last column{others}", source.path)
    return there[0]


def _label(cells: dict[str, str], key: str) -> str:
    """Return the BIO label of a token; a key with other values is of tokens that begin segments."""
    value = cells.get(key)
    if value is None or (key == "BeginSeg" and value.lower() != "yes"):
        return "O"
    return value if key in {"Seg", "Conn"} or may_be_bio([value, "B"]) else "B"
