"""Segmentations of a project: texts in units from files, those of coders, and back to files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bitext.errors import InputError, OptionError, remedy
from bitext.formats.io.source import Notes
from bitext.formats.segmentations import (
    OF_CODERS,
    TYPED,
    WRITTEN,
    TextCorpus,
    read_corpora,
    written,
)
from bitext.formats.segmentations.collecting import ReadingOptions
from bitext.model import Segmentation
from bitext.workbench.changes import RowList, Segment, Sentence, Splice, rows_of

if TYPE_CHECKING:
    from bitext.segment.sentences.splitter import SentenceSplitter
    from bitext.workbench.project import Project

UNITS = ("lines", "sentences", "words")
TYPES = {
    "lines": ("paragraph", "topic"),
    "sentences": ("paragraph", "topic"),
    "words": ("sentence", "paragraph", "topic"),
}
"""The types of boundaries by units, unless others are named."""

_MOST_TYPES, _TYPE = 20, 100  # types of a document, and characters of one
_MOST_UNITS = 1_000_000  # of a text, which the page holds whole; set by hand
# A word, or a letter of a script without blanks between words.
_WORD = re.compile(
    r"[\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\s\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)


class SegmentText(NamedTuple):
    """A text to segment."""

    name: str
    language: str
    units: list[str]
    # The units that begin a line on the page: all but those of words within a line of the file.
    lines: list[int]
    # The types of the boundary before each unit that the file, or the splitter, proposes; empty for
    # none.
    types: list[tuple[str, ...]]


def check_types(given: str) -> tuple[str, ...]:
    """Return the types of boundaries that a user names, with commas between.

    Raises `OptionError` when a name is empty, too long, not printable, or there twice.
    """
    names = tuple(each.strip() for each in given.split(","))
    invalid = [each for each in names if not each or len(each) > _TYPE or not each.isprintable()]
    option = remedy("types")
    if invalid or len(names) > _MOST_TYPES:
        raise OptionError(
            f"{option} {given!r:.60}: want names of 1 to {_TYPE} printable characters, "
            f"{_MOST_TYPES} at most, with commas between"
        )
    if len(set(names)) < len(names):
        raise OptionError(f"{option} {given!r:.60}: a type is there twice: name each once")
    return names


# From files


def reading_options(**options: Any) -> ReadingOptions:
    """Return options of reading segmentations, by which documents are split into sentences."""
    from bitext.scoring.compared_texts import split_document

    return ReadingOptions(split=split_document, **options)


def read_segment_texts(
    path: str,
    *,
    units: str,
    types: Sequence[str],
    reading: ReadingOptions | None = None,
    language: str = "",
    proposals: bool = True,
    notes: Notes | None = None,
) -> list[SegmentText]:
    """Read the texts of a file or folder, in units with proposed boundaries.

    A file is read as `bitext compare` reads it: one unit per line, where empty lines and lines of
    `=` are boundaries; labels beside their units; a document (DOCX, HTML ...) in sentences. With
    `sentences` and `words` these units, otherwise `lines`, are split further, words by blanks;
    sentences by the rules of `language`, by default detected from the words. Of a file of several
    coders the text alone is read.

    Unless there are to be no `proposals`, empty lines and paragraphs of documents are proposed as
    boundaries of the type `paragraph`, lines of `=` as `topic`, ends of sentences between words as
    `sentence`. A boundary of the file whose type is not among `types` has the last of these; ends
    of sentences are then not proposed.

    Raises `BitextError` when the file cannot be read, or has no units with their characters.
    """
    if units not in UNITS:
        raise OptionError(f"{remedy('units')} {units!r:.40}: want one of {', '.join(UNITS)}")
    options = reading or reading_options()
    corpora = list(read_corpora(path, options).values())
    if notes is not None:
        notes.extend(corpora[0].table.notes)
        if len(corpora) > 1:
            option = remedy("codings")
            notes.add(
                f"texts of several coders, of whom none is proposed (add them: {option})", path
            )
    texts = {name: (each, k) for each in corpora[::-1] for k, name in enumerate(each.table.ids)}
    segment_texts = []
    for name, (corpus, k) in texts.items():
        document = corpus.units(k)
        if document is None:
            raise InputError(
                f"{path}: has no characters of its units, and these are what is shown: name the "
                f"text itself, and add the file as one of coders ({remedy('codings')})"
            )
        breaks = _breaks(corpus, k, path, options, types) if len(corpora) == 1 else {}
        segment_texts.append(
            _cut(name, document.text.split("\n"), breaks, units, types, language, notes)
        )
    if not proposals:
        segment_texts = [text._replace(types=[()] * len(text.units)) for text in segment_texts]
    for text in segment_texts:
        _check_text(text)
    return segment_texts


def _check_text(text: SegmentText) -> None:
    if not 0 < len(text.units) <= _MOST_UNITS:
        raise InputError(f"{text.name}: has {len(text.units):,} units: want 1 to {_MOST_UNITS:,}")


def _breaks(
    corpus: TextCorpus, k: int, path: str, options: ReadingOptions, types: Sequence[str]
) -> dict[int, tuple[str, ...]]:
    """Return the types of the boundaries of a file by the unit that they stand before."""
    segmentation = corpus.table[corpus.table.ids[k]]
    reading, _ = corpus.place(k)
    default_type = "topic" if reading.spelling == "rules" else "paragraph"
    kinds = {place: {default_type} for place in segmentation.boundaries.tolist()}
    if segmentation.types is not None:
        types_at_place = zip(segmentation.boundaries.tolist(), segmentation.types, strict=True)
        kinds = {place: set(map(str, each)) for place, each in types_at_place}
    elif reading.spelling == "text":
        # Lines of `=` are more than empty lines; neither is a unit.
        ruled = read_corpora(reading.path or path, replace(options, spelling="rules"))
        (other,) = next(iter(ruled.values())).table.values()
        if other.n == segmentation.n:
            for place in other.boundaries.tolist():
                kinds[place] = {"topic", "paragraph"} & set(types) or {"topic"}
    last = types[-1]
    return {
        place: tuple(each for each in types if each in types_here) or (last,)
        for place, types_here in kinds.items()
    }


def _cut(
    name: str,
    units: list[str],
    breaks: Mapping[int, tuple[str, ...]],
    kind: str,
    types: Sequence[str],
    language: str,
    notes: Notes | None,
) -> SegmentText:
    """Return a text in the wanted units, with the boundaries of the file at these."""
    if kind == "lines":
        types_of_unit = [breaks.get(k, ()) for k in range(len(units))]
        return SegmentText(name, language, units, list(range(len(units))), types_of_unit)
    from bitext.segment.sentences.running_text import are_broken_within_sentences

    # Lines that are cut anywhere are joined up to the next boundary of the file.
    ends = {*breaks, 0}
    with_gaps = [line for k, unit in enumerate(units) for line in (*[""] * (k in breaks), unit)]
    starts = sorted(ends) if are_broken_within_sentences(with_gaps) else list(range(len(units)))
    blocks = ["\n".join(units[a:b]) for a, b in zip(starts, [*starts[1:], len(units)], strict=True)]
    splitter, language = _splitter(name, blocks, language, kind, notes)
    cut: list[str] = []
    lines: list[int] = []
    types_of_unit = []
    for start, block in zip(starts, blocks, strict=True):
        if kind == "words":
            lines.append(len(cut))
        for k, sentence in enumerate(_sentences(block, splitter)):
            parts = [sentence] if kind == "sentences" else _WORD.findall(sentence)
            break_types = breaks.get(start, ()) if k == 0 else ()
            if kind == "words" and "sentence" in types and (splitter or start in breaks):
                break_types = tuple(
                    each for each in types if each in break_types or each == "sentence"
                )
            types_of_unit += [break_types, *[()] * (len(parts) - 1)]
            cut += parts
    if types_of_unit:
        types_of_unit[0] = ()
    return SegmentText(name, language, cut, lines or list(range(len(cut))), types_of_unit)


def _splitter(
    name: str, blocks: Sequence[str], language: str, kind: str, notes: Notes | None
) -> tuple[SentenceSplitter | None, str]:
    from bitext.segment.sentences import language_of_text, language_of_words
    from bitext.segment.sentences.splitter import SentenceSplitter

    lang = language or language_of_words(blocks) or language_of_text("\n".join(blocks)) or "en"
    try:
        return SentenceSplitter(lang), language
    except OptionError:
        if kind == "sentences":
            raise
        if notes is not None:
            notes.add(f"texts in {lang}, whose sentences are not proposed", name)
        return None, language


def _sentences(block: str, splitter: SentenceSplitter | None) -> list[str]:
    from bitext.segment.sentences.running_text import split_sentences

    return [block] if splitter is None else split_sentences(block, splitter).sentences


# Into a project


def add_text(
    project: Project,
    text: SegmentText,
    types: Sequence[str],
    units: str,
    notes: Notes | None = None,
) -> int:
    """Add a text to a project as a document, with its proposed boundaries; return its number.

    A name that another document has gets a number, which is noted.
    """
    begins = {0, *text.lines}
    rows = [Sentence(f"u{k + 1}", each, k in begins) for k, each in enumerate(text.units)]
    rows_of([row._asdict() for row in rows], f"{text.name}: units")  # which a page could send
    boundaries = [(k, kinds) for k, kinds in enumerate(text.types) if kinds and k]
    segments = _segments(rows, boundaries, "proposed")
    meta = {"types": list(types), "units": units}
    name = project.free_name(text.name, notes)
    return project.add_segmentation(
        text.name, text.language, rows, segments, document=name, meta=meta
    )


def _segments(
    units: Sequence[Sentence], boundaries: Iterable[tuple[int, tuple[str, ...]]], state: str
) -> list[Segment]:
    first = Segment("g1", units[0].id, (), state)
    return [first, *(Segment(f"g{k + 1}", units[k].id, types, state) for k, types in boundaries)]


def add_segment_state(project: Project, state: Mapping[str, Any], name: str) -> int:
    """Add the segmentation of a page without a server; return the number of the document.

    Raises `InputError` when a row is none, or the rows break an invariant of segmentations.
    """
    text = state["source"] if isinstance(state["source"], dict) else {}
    units = rows_of(text.get("sentences"), "units")
    RowList(units).check_ids("units")
    types, language = state.get("types"), text.get("language", "")
    if not isinstance(language, str) or not isinstance(types, list):
        raise InputError(f"{name}: language is a string, and types a list of names")
    segments = rows_of(state["segments"], "segments")
    meta = {"types": list(check_types(",".join(map(str, types)))), "units": "lines"}
    name = project.free_name(name)
    return project.add_segmentation(name, language, units, segments, meta=meta)


def add_coders(
    project: Project,
    documents: Sequence[int],
    path: str,
    *,
    reading: ReadingOptions | None = None,
    notes: Notes | None = None,
) -> list[str]:
    """Add the segmentations of coders in a file to documents, as confirmed; return their names.

    The file, or folder, is of any notation that is read; without coders it is of one, who is named
    after it. Boundaries without a type have the first type of the document. A document gets the
    segmentations of the text with its name; where both are alone, names do not matter. `notes`
    takes those of reading, and the number of texts that are none of the documents.

    Raises `InputError` when the file has none of the texts, or one of another number of units; or
    when a coder has segmented a document already.
    """
    if not documents:
        raise InputError(f"{path}: there is no text to segment that it could belong to")
    options = reading or reading_options()
    added = []
    with project.together():
        corpora = read_corpora(path, options)
        if notes is not None:
            notes.extend(next(iter(corpora.values())).table.notes)
        for coder, corpus in corpora.items():
            coder_name = (coder or PurePath(path).name.partition(".")[0]).strip()
            if not 0 < len(coder_name) <= _TYPE or not coder_name.isprintable():
                raise InputError(
                    f"{path}: the coder {coder_name!r:.60} has no name of 1 to {_TYPE} characters"
                )
            is_single = len(documents) == len(corpus.table) == 1
            left = set(corpus.table.ids)
            names = corpus.table.ids if is_single else _names_of(project, documents)
            for document, name in zip(documents, names, strict=True):
                if name in corpus.table:
                    _add_coder(project, document, corpus.table[name], coder_name, path)
                    added.append(coder_name)
                    left.discard(name)
            # A coder may have segmented a corpus, and the documents be some of its texts.
            lacking = len(corpus.table) - len(left) < len(documents)
            if left and lacking and notes is not None:
                kind = "segmentations of texts that are no documents here, left out"
                notes.add(kind, f"{path}: {coder_name}: {min(left)}", len(left))
    if not added:
        raise InputError(
            f"{path}: has no text of a name as {project.info(documents[0]).name!r:.60}: want one "
            f"of this name, or one alone"
        )
    return added


def _names_of(project: Project, documents: Sequence[int]) -> list[str]:
    """Return the names of documents; that of its text of one that was named anew beside others."""
    infos = [project.info(each) for each in documents]
    names = {info.name for info in infos}
    texts = [project.text_of(info.source)[0] for info in infos]
    return [info.name if text in names else text for info, text in zip(infos, texts, strict=True)]


def _add_coder(
    project: Project, document: int, one: Segmentation, annotator: str, path: str
) -> None:
    info, lists = project.rows(document)
    units, first = lists["source"], project.meta(document)["types"][0]
    text_name, _ = project.text_of(info.source)
    if one.n != len(units):
        raise InputError(
            f"{path}: the segmentation of {annotator!r:.60} has {one.n} units, and the text "
            f"{text_name!r:.60} has {len(units)}: want one of the same units ({remedy('units')})"
        )
    segmentations = project.segmentations()
    if annotator in {each.annotator for each in segmentations if each.document == info.id}:
        raise InputError(
            f"{path}: {annotator!r:.60} has a segmentation of {text_name!r:.60} already"
        )
    types = one.types or [(first,)] * (len(one) - 1)
    pairs = zip(one.boundaries.tolist(), types, strict=True)
    breaks = [(place, tuple(sorted(map(str, each)))) for place, each in pairs]
    rows = _segments(units, breaks, "confirmed")
    rows_of([row._asdict() | {"types": list(row.types), "decided": []} for row in rows], "segments")
    _put(project, project.assign(info.id, annotator), rows, annotator)


def _put(project: Project, number: int, rows: Sequence[Segment], annotator: str) -> None:
    old_rows = tuple(project.rows(number)[1]["segments"])
    change = [Splice("segments", 0, old_rows, tuple(rows))]
    project.change(number, change, name="import", annotator=annotator)


# To values and files


def segmentation_of(
    lists: Mapping[str, Sequence[Any]], *, type_: str | None = None
) -> Segmentation:
    """Return the rows of a segmentation as masses with types; of one type alone if it is named."""
    place = {row.id: k for k, row in enumerate(lists["source"])}
    rows = [row for row in lists["segments"][1:] if type_ is None or type_ in row.types]
    starts = [place[row.start] for row in rows]
    masses = np.diff([0, *starts, len(place)])
    return Segmentation(masses, None if type_ is not None else [row.types for row in rows])


def export_segments(
    project: Project, number: int, spelling: str, *, type_: str | None = None
) -> tuple[str, bytes, list[str]]:
    """Return a file of a segmentation: its name, its bytes, and kinds of data that it lacks.

    `spelling` is one of `bitext.formats.segmentations.WRITTEN`; `segeval` has the segmentations of
    all annotators of the document. It has the boundaries of one type alone, or by default all, with
    their types where the format has them.

    Raises `OptionError` when the notation is not known, and `InputError` when it cannot have the
    text, or no boundary has the type.
    """
    info = project.of_kind(number, "segmentation")
    coder_infos = [info]
    if spelling in OF_CODERS:
        segmentations = project.segmentations()
        coder_infos = [
            each for each in segmentations if each.document == info.document and each.annotator
        ]
    lists_of_coder = {each.annotator: project.rows(each.id)[1] for each in coder_infos}
    rows = [row for each in lists_of_coder.values() for row in each["segments"]]
    kinds = {kind for row in rows for kind in row.types}
    known_types = sorted(kinds.union(project.meta(number)["types"]))
    if type_ is not None and type_ not in known_types:
        raise InputError(
            f"no boundary has the type {type_!r:.60}: want one of {', '.join(known_types)}"
        )
    segmentation_of_coder = {
        name: segmentation_of(lists_of_coder[name], type_=type_) for name in sorted(lists_of_coder)
    }
    units = [row.text for row in lists_of_coder[info.annotator]["source"]]
    content = written(segmentation_of_coder, spelling, name=info.name, units=units)
    file_stem = re.sub(r"[^\w.() -]+", "_", PurePath(info.name).name).strip(". ")[:80] or "text"
    losses = []
    if spelling not in TYPED and type_ is None and len(kinds) > 1:
        losses.append(f"types of boundaries: {len(kinds)}, all written as one")
    states = sum(row.state != "confirmed" for row in rows)
    if states:
        losses.append(f"segments that are not confirmed, written as the others: {states}")
    comments = sum(bool(row.comment or row.bookmark) for row in rows)
    if comments:
        losses.append(f"comments and bookmarks, left out: {comments}")
    return f"{file_stem}{WRITTEN[spelling]}", content.encode(), losses
