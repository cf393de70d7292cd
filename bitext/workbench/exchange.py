"""Documents of a project from files of alignments, and back, in all formats of the registry."""

from __future__ import annotations

import hashlib
import io
import math
import re
import zipfile
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from bitext.errors import BitextError, FormatError, InputError, OptionError, remedy
from bitext.formats import read_all, write
from bitext.formats.corpora import refuse_manifest
from bitext.formats.io.source import Notes, open_source
from bitext.formats.registry import all_formats, by_name
from bitext.formats.segmentations import SPELLINGS, WRITTEN
from bitext.formats.xml import FORBIDDEN, SURROGATES
from bitext.jobs.operands import better_scores
from bitext.kernels.arrays import prefix
from bitext.model import Alignment, Bitext, Segmentation, Text
from bitext.model.algebra import compose
from bitext.workbench.changes import SIDES, Bead, RowList, Sentence, rows_of
from bitext.workbench.segmentations import (
    TYPES,
    add_coders,
    add_segment_state,
    add_text,
    check_types,
    read_segment_texts,
    reading_options,
)
from bitext.workbench.word_files import WORD_FORMATS, cut_texts, cuts_for, spelled_links, with_links
from bitext.workbench.words import BLANKS, CUTS, WORDS

if TYPE_CHECKING:
    from bitext.workbench.project import Project

_LINKS = ("words", "null_links")  # columns that count words, whose sentences may be corrected
_OWN_COLUMNS = ("status", "type")  # columns that are written anew
_PRIVATE = ("path", "holds")  # what a reader says of the file, not of the texts
_NAME = re.compile(r"[^\w.() -]+")
_ARCHIVE_TIME = (1980, 1, 1, 0, 0, 0)  # of the files in an archive: the same bytes each time
_SEPARATOR = re.compile(r"[\s;]")  # between ids of a link
_XML = "<?xml version='1.0' encoding='utf-8'?>"
INTERTEXT = "intertext"
_MOST_FILES = 16  # of an upload


class Upload(NamedTuple):
    """A file that a browser has sent."""

    name: str
    content: bytes
    # The alignment; a text that it counts positions of; or a document that it names. One of
    # "alignment", "src", "tgt", "document".
    role: str = "alignment"


# From files


def add_bitext(project: Project, bitext: Bitext, name: str, notes: Notes | None = None) -> int:
    """Add a bitext to a project as a document; return its number.

    Sentences in no bisegment become beads of their own. Scores from 0 to 1 are the probabilities of
    the beads; other scores, and further columns, are kept for beads that keep their sentences.
    `notes` gets the counts of losses: links to no word, and the blocks of documents. A name that
    another document has gets a number, which is noted.

    Raises `InputError` when the characters of a text are not known, or an id or a sentence is too
    long.
    """
    texts = []
    for side, text in zip(SIDES, (bitext.src, bitext.tgt), strict=True):
        if text is None or not text.has_text:
            raise InputError(
                f"{name}: the {side} text is not known, and sentences are what is edited: give it "
                f"({remedy('src' if side == 'source' else 'tgt')})"
            )
        kinds = set() if text.blocks is None else set(text.blocks.kinds)
        if notes is not None and kinds - {"paragraph"}:
            notes.add("texts whose blocks are kept as paragraphs alone", f"{name}: {side}")
        texts.append(text)
    rows = [_sentences(text, side) for text, side in zip(texts, SIDES, strict=True)]
    rows = [
        _text_as_stored(project, text, side, side_rows, name, notes)
        for text, side, side_rows in zip(texts, SIDES, rows, strict=True)
    ]
    beads = _beads(bitext.alignment, rows)
    meta: dict[str, Any] = {
        "meta": {key: value for key, value in bitext.meta.items() if key not in _PRIVATE},
        "columns": {},
        "inner": {
            side: _inner(text, side_rows)
            for side, text, side_rows in zip(SIDES, texts, rows, strict=True)
        },
    }
    for column, values in bitext.alignment.attributes.items():
        if column in _LINKS:
            if column == "words":
                beads = with_links(beads, values, rows, name)
            elif notes is not None and any(values):
                notes.add(
                    "bisegments whose links to no word are not kept", name, sum(map(bool, values))
                )
            continue
        value_of_bead = {f"b{k}": value for k, value in enumerate(values) if value is not None}
        meta["columns"][column] = value_of_bead
    better = better_scores(bitext)
    beads, scores = _scored(beads, bitext.alignment, better)
    if scores:
        meta["scores"] = scores
    elif not better and notes is not None:
        kind = "files whose scores are taken as probabilities, though they may be costs"
        notes.add(f"{kind} (lower is better)", f"{name}: {bitext.meta['format']}")
    status = meta["columns"].get("status", {})
    beads = [
        bead._replace(state="confirmed") if status.get(bead.id) == "man" else bead for bead in beads
    ]
    for side, side_rows in zip(SIDES, rows, strict=True):
        rows_of([row._asdict() for row in side_rows], f"{name}: {side}")  # which a page could send
    linked = "words" in bitext.alignment.attributes
    numbers = [
        project.add_text(PurePath(text.name).name or side, text.lang, side_rows, cut, exact=linked)
        for text, side, side_rows, cut in zip(
            texts, SIDES, rows, cuts_for(bitext.alignment.attributes, texts), strict=True
        )
    ]
    name = project.free_name(name, notes)
    return project.add_document(name, numbers[0], numbers[1], beads, meta=meta)


def _text_as_stored(
    project: Project, text: Text, side: str, rows: list[Sentence], name: str, notes: Notes | None
) -> list[Sentence]:
    """Return sentences with the ids that they have in the project, if it has the text.

    Sentences without ids are numbered by side, so the target of one alignment and the source of
    another have different ids. A note reports a text that the project has with other sentences:
    somebody has corrected it, or the file is new.
    """
    text_name = PurePath(text.name).name or side
    texts = project.texts_named(text_name, text.lang)
    if not text.has_ids:
        contents = [(row.text, row.paragraph) for row in rows]
        for other in texts:
            if [(row.text, row.paragraph) for row in other] == contents:
                return other
    words = {row.text for row in rows}
    is_alike = (
        other != rows and 2 * sum(row.text in words for row in other) > max(len(other), len(rows))
        for other in texts
    )
    if notes is not None and rows not in texts and any(is_alike):
        kind = "texts that are in the project with other sentences or ids, and are not shared"
        notes.add(kind, f"{name}: {text_name}")
    return rows


def add_state(project: Project, state: Mapping[str, Any], name: str) -> int:
    """Add the document of a page without a server; return the number of the document.

    Raises `InputError` when a row is none, or the rows break an invariant of alignments.
    """
    if "segments" in state:
        return add_segment_state(project, state, name)
    numbers = []
    for side in SIDES:
        text = state[side] if isinstance(state[side], dict) else {}
        labels = [text.get(key, "") for key in ("name", "language")]
        if not all(isinstance(each, str) and not SURROGATES.search(each) for each in labels):
            raise InputError(f"{name}: {side}: name and language are no strings")
        rows = rows_of(text.get("sentences"), side)
        RowList(rows).check_ids(side)
        cut = text.get("words", WORDS)
        if cut not in CUTS:
            raise InputError(f"{name}: {side}: words is {cut!r:.40}: want one of {CUTS}")
        numbers.append(project.add_text(str(labels[0]), str(labels[1]), rows, cut))
    beads = rows_of(state["beads"], "beads")
    return project.add_document(project.free_name(name), numbers[0], numbers[1], beads)


def _sentences(text: Text, side: str) -> list[Sentence]:
    letter = side[0]
    ids = text.ids if text.has_ids else [f"{letter}{k + 1}" for k in range(len(text))]
    begins = {0}
    if text.paragraphs is not None:
        begins |= set(prefix(np.asarray(text.paragraphs.masses)).tolist())
    pairs = zip(ids, text.segments(), strict=True)
    rows = [Sentence(each, content, k in begins) for k, (each, content) in enumerate(pairs)]
    for k, row in enumerate(rows):
        if not row.id or SURROGATES.search(row.text) or SURROGATES.search(row.id):
            raise InputError(f"{text.name or side} segment {k}: no id, or half of a surrogate pair")
    return rows


def _inner(text: Text, rows: Sequence[Sentence]) -> dict[str, list[Any]]:
    """Return by sentence the data of its format beside the characters, where there are any.

    That is a fingerprint of the characters, the sentence with inline codes, and its times.
    """
    details = {}
    times = [None] * len(rows) if text.times is None else text.times.tolist()
    marked = [None] * len(rows) if text.marked is None else text.marked
    for row, codes, span in zip(rows, marked, times, strict=True):
        has_times = span is not None and not all(map(math.isnan, span))
        if codes is not None or has_times:
            ends = (
                [None if math.isnan(end) else end for end in span] if has_times and span else None
            )
            details[row.id] = [_fingerprint(row.text), codes, ends]
    return details


def _fingerprint(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _beads(alignment: Alignment, rows: Sequence[list[Sentence]]) -> list[Bead]:
    """Return the bisegments as beads, and the sentences of none between them."""
    beads = []
    for k, (src, tgt) in enumerate(alignment):
        source, target = tuple(rows[0][j].id for j in src), tuple(rows[1][j].id for j in tgt)
        beads.append(Bead(f"b{k}", source, target))
    # A sentence of no bisegment comes after the bead of the sentence before it.
    behind: dict[int, list[Bead]] = {}
    for side, letter, side_rows, part in zip(
        SIDES, "st", rows, (alignment.src, alignment.tgt), strict=True
    ):
        used = np.zeros(len(side_rows), dtype=bool)
        used[part.idx] = True
        bead_of = np.full(len(side_rows), -1, dtype=np.int64)
        bead_of[part.idx] = np.repeat(np.arange(len(alignment)), part.lengths)
        last = -1
        for k, row in enumerate(side_rows):
            if used[k]:
                last = int(bead_of[k])
            else:
                single = Bead(f"{letter}-{k}", (row.id,), ())
                if side == "target":
                    single = Bead(f"{letter}-{k}", (), (row.id,))
                behind.setdefault(last, []).append(single)
    ordered = behind.get(-1, [])
    for k, bead in enumerate(beads):
        ordered += [bead, *behind.get(k, [])]
    return ordered


def _scored(
    beads: list[Bead], alignment: Alignment, better: str = "higher"
) -> tuple[list[Bead], dict[str, float]]:
    """Return beads with their probabilities; and scores by bead where they are none, as costs."""
    if alignment.scores is None:
        return beads, {}
    scores = alignment.scores.tolist()
    score_of_bead = {f"b{k}": score for k, score in enumerate(scores) if not math.isnan(score)}
    if better != "lower" and all(0 <= score <= 1 for score in score_of_bead.values()):
        return [bead._replace(probability=score_of_bead.get(bead.id)) for bead in beads], {}
    return beads, {key: score for key, score in score_of_bead.items() if math.isfinite(score)}


def import_files(
    project: Project,
    files: Sequence[Upload],
    *,
    known: str | None = None,
    name: str = "",
    notes: Notes | None = None,
) -> list[int]:
    """Add the documents of files that a browser has sent; return their numbers.

    The files are one alignment, or the two of a format with two, and the texts that these point
    into. `known` is the name of the format, by default detected from the contents; `name` that of
    the document, if the file has none for it. `notes` takes the notes of reading.

    Raises `BitextError` when a file cannot be read; the message names it as it was sent.
    """
    from bitext.workbench.standalone import read_page

    _check_number(files)
    with TemporaryDirectory(prefix="bitext-") as folder:
        paths: dict[str, list[str | None]] = {}
        for role, path in _saved(files, folder):
            paths.setdefault(role, []).append(path)
        alignments = paths.get("alignment", [])
        if len(alignments) not in {1, 2} or any(
            len(paths.get(role, [])) > 1 for role in ("src", "tgt")
        ):
            raise InputError("want one alignment (or the two files of one), and one text a side")
        if (
            len(files) == 1
            and alignments[0] is not None
            and alignments[0].endswith((".html", ".htm"))
        ):
            with suppress(FormatError):  # which may be a page of another format
                state = read_page(alignments[0])
                return [add_state(project, state, name or Path(alignments[0]).stem)]
        src, tgt = (paths.get(role, [None])[0] for role in ("src", "tgt"))
        try:
            bitexts = list(
                read_all(
                    ",".join(filter(None, alignments)),
                    src=src,
                    tgt=tgt,
                    format=known,
                    roots=[folder],
                )
            )
        except (BitextError, OSError) as error:
            raise _as_sent(error, folder) from None
    if not bitexts:
        raise InputError(f"{_safe_name(files[0].name)}: holds no alignment")
    stem = name or Path(_safe_name(files[0].name)).name.partition(".")[0]
    numbers = []
    with project.together():
        for k, bitext in enumerate(bitexts, start=1):
            each = bitext.name or (stem if len(bitexts) == 1 else f"{stem} {k}")
            numbers.append(add_bitext(project, bitext, each.replace(f"{folder}/", ""), notes))
            if notes is not None:
                for note in bitext.notes:
                    notes.add(note.kind, note.first.replace(f"{folder}/", ""), note.count)
    return numbers


def _check_number(files: Sequence[Upload]) -> None:
    if not 0 < len(files) <= _MOST_FILES:
        raise InputError(f"{len(files)} files were sent: want 1 to {_MOST_FILES}")


def _saved(files: Sequence[Upload], folder: str) -> Iterator[tuple[str, str]]:
    """Write each file into a folder; yield its role and its path."""
    for file in files:
        path = Path(folder, _safe_name(file.name))
        if path.exists():
            raise InputError(f"two files have the name {path.name}: send each under its own")
        path.write_bytes(file.content)
        yield file.role, str(path)


def _as_sent(error: Exception, folder: str) -> InputError:
    """Return an error that names the files as they were sent."""
    return InputError(str(error).replace(f"{folder}/", "").replace(folder, ""))


def import_texts(
    project: Project,
    files: Sequence[Upload],
    *,
    units: str,
    types: str,
    spelling: str | None = None,
    notes: Notes | None = None,
) -> list[int]:
    """Add texts to segment that a browser has sent, with codings of others; return their numbers.

    The files are texts (`alignment`) in `lines`, `sentences` or `words` (`units`), and
    segmentations of coders over their units (`document`); without texts, over those of the project.
    `types` are those of boundaries, with commas between, by default `TYPES`; `spelling` is the
    notation of the texts.

    Raises `BitextError` when a file cannot be read; the message names it as it was sent.
    """
    _check_number(files)
    kinds = check_types(types) if types else TYPES.get(units, TYPES["lines"])
    with TemporaryDirectory(prefix="bitext-") as folder, project.together():
        paths: dict[str, list[str]] = {}
        for role, path in _saved(files, folder):
            with open_source(path) as source:  # which would read other files
                refuse_manifest(source, "text to segment")
            paths.setdefault(role, []).append(path)
        numbers: list[int] = []
        try:
            for name in paths.get("alignment", []):
                texts = read_segment_texts(
                    name,
                    units=units,
                    types=kinds,
                    reading=reading_options(spelling=spelling),
                    notes=notes,
                )
                numbers += [add_text(project, text, kinds, units, notes) for text in texts]
            proposals = [each.id for each in project.segmentations() if not each.annotator]
            for name in paths.get("document", []):
                add_coders(project, numbers or proposals, name, notes=notes)
        except (BitextError, OSError) as error:
            raise _as_sent(error, folder) from None
    return numbers


def _safe_name(name: str) -> str:
    safe = _NAME.sub("_", name.replace("\\", "/").rpartition("/")[2]).strip(". ")
    return safe[-100:] or "file"


# Through a text in common


def compose_documents(project: Project, number: int, other: int) -> int:
    """Add a document of two texts that are aligned with a third; return its number.

    Its alignment is composed of two alignments of the project that share a text, as `bitext
    compose` does: beads that share sentences of the third text become one. Both texts are shared
    with those alignments.

    Raises `InputError` when they share no text, or both texts.
    """
    infos = [project.of_kind(each, "alignment") for each in (number, other)]
    texts = [(info.source, info.target) for info in infos]
    shared = set(texts[0]) & set(texts[1])
    if len(shared) != 1:
        shared_texts = "no text" if not shared else "both texts"
        raise InputError(
            f"alignments {number} and {other} share {shared_texts}: want one text in common"
        )
    (pivot,) = shared
    first, second = (bitext_of(project, each).alignment for each in (number, other))
    if texts[0][0] == pivot:
        first = first.swapped()
    if texts[1][1] == pivot:
        second = second.swapped()
    ends = [next(text for text in pair if text != pivot) for pair in texts]
    alignment = compose(first, second).alignment
    rows = []
    for info, end in zip(infos, ends, strict=True):
        _, lists = project.rows(info.id)
        rows.append(lists["source" if info.source == end else "target"])
    beads, _ = _scored(_beads(alignment, rows), alignment)
    name = project.free_name("-".join(project.text_of(end)[0] for end in ends))
    inner = {}
    for side, info, end in zip(SIDES, infos, ends, strict=True):
        details = project.meta(info.id).get("inner", {})
        inner[side] = details.get("source" if info.source == end else "target", {})
    return project.add_document(name, ends[0], ends[1], beads, meta={"inner": inner})


# To files


def bitext_of(
    project: Project,
    number: int,
    losses: Notes | None = None,
    *,
    words: str = "",
    languages: tuple[str, str] = ("", ""),
) -> Bitext:
    """Return an alignment of a project as a bitext, without the empty beads.

    The scores of beads are their probabilities; beads with unchanged sentences have the scores and
    columns of their file. Unchanged sentences have their inline codes and times. A column `status`
    of InterText is `man` for confirmed beads. `losses` takes the changed sentences. With `words`
    the bitext has a column of word links: `blanks` for words separated by blanks; `cut` for the
    linked words, into which the texts are then cut. `languages`, if named, replace those of the
    texts.
    """
    project.of_kind(number, "alignment")
    info, lists = project.rows(number)
    _, first = project.rows(info.document)
    meta = project.meta(number)
    texts = []
    cuts = [project.cut_of(is_same) for is_same in (info.source, info.target)]
    for side, is_same, cut, given_language in zip(
        SIDES, (info.source, info.target), cuts, languages, strict=True
    ):
        text_name, language = project.text_of(is_same)
        inner = meta.get("inner", {}).get(side, {})
        rows = cut_texts(lists[side], cut) if words == "cut" else lists[side]
        texts.append(_text(rows, text_name, given_language or language, inner, losses))
    source, target = texts
    # Scores and columns of the file belong to a bead as it was read. A bead with other sentences
    # has those of the aligner, if any.
    beads = [bead for bead in lists["beads"] if bead.source or bead.target]
    first_sides = {bead.id: (bead.source, bead.target) for bead in first["beads"]}
    unchanged = [first_sides.get(bead.id) == (bead.source, bead.target) for bead in beads]
    indices = [
        [[text.index(each) for each in getattr(bead, side)] for bead in beads]
        for text, side in zip(texts, SIDES, strict=True)
    ]
    if losses is not None:
        kept = {bead.id for bead, is_same in zip(beads, unchanged, strict=True) if is_same}
        _add_bead_losses(info.name, beads, kept, meta.get("columns", {}), losses)
    scores = meta.get("scores", {})
    values = [
        scores.get(bead.id) if scores and is_same else bead.probability
        for bead, is_same in zip(beads, unchanged, strict=True)
    ]
    columns: dict[str, list[str | None]] = {
        column: [
            value_of_bead.get(bead.id) if is_same else None
            for bead, is_same in zip(beads, unchanged, strict=True)
        ]
        for column, value_of_bead in meta.get("columns", {}).items()
    }
    if "status" in columns:
        columns["status"] = [
            _status(bead, value_of_bead)
            for bead, value_of_bead in zip(beads, columns["status"], strict=True)
        ]
    if "type" in columns and set(filter(None, columns["type"])) <= _types(first_sides.values()):
        columns["type"] = [f"{len(bead.source)}-{len(bead.target)}" for bead in beads]
    if words and any(bead.words or bead.linked for bead in beads):
        columns["words"] = spelled_links(
            beads, lists, cuts, blanks=words == "blanks", losses=losses
        )
    alignment = Alignment(
        zip(*indices, strict=True),
        scores=None
        if all(value is None for value in values)
        else [math.nan if value is None else value for value in values],
        attributes={
            key: column
            for key, column in columns.items()
            if any(column) or (key == "words" and "" in column)
        },
    )
    return Bitext(source, target, alignment, name=info.name, meta=dict(meta.get("meta", {})))


def _add_bead_losses(
    name: str,
    beads: Sequence[Bead],
    kept: Container[str],
    columns: Mapping[str, Mapping[str, str]],
    losses: Notes,
) -> None:
    """Count the remarks on beads, and the values of columns of beads whose sentences changed."""
    remarks = [bead.id for bead in beads if bead.comment or bead.bookmark]
    if remarks:
        losses.add("comments and bookmarks, left out", f"{name}: {remarks[0]}", len(remarks))
    others = [values for column, values in columns.items() if column not in _OWN_COLUMNS]
    lost = dict.fromkeys(
        each for values in others for each, value in values.items() if value and each not in kept
    )
    if lost:
        kind = "beads whose columns are not kept, as their sentences have changed"
        losses.add(kind, f"{name}: {next(iter(lost))}", len(lost))


def _types(sides: Iterable[tuple[Sequence[str], Sequence[str]]]) -> set[str]:
    return {f"{len(source)}-{len(target)}" for source, target in sides}


def _status(bead: Bead, status: str | None) -> str:
    """Return InterText's status of a bead: `man` if a person has confirmed it."""
    if bead.state == "confirmed":
        return "man"
    return status if status is not None and status != "man" else "auto"


def _text(
    rows: Sequence[Sentence],
    name: str,
    language: str,
    inner: Mapping[str, Sequence[Any]],
    losses: Notes | None,
) -> Text:
    begins = [k for k, row in enumerate(rows) if row.paragraph]
    paragraphs = None
    if len(begins) > 1:
        paragraphs = Segmentation(np.diff([*begins, len(rows)]))
    marked: list[str | None] = [None] * len(rows)
    times = np.full((len(rows), 2), math.nan)
    unchanged = set()
    for k, row in enumerate(rows):
        details = inner.get(row.id)
        if details is None or details[0] != _fingerprint(row.text):
            continue
        unchanged.add(row.id)
        marked[k] = details[1]
        if details[2] is not None:
            times[k] = [math.nan if end is None else end for end in details[2]]
    if losses is not None:
        for key, (_, codes, ends) in inner.items():
            if key not in unchanged:
                for kind, detail in (("inline codes", codes), ("times", ends)):
                    if detail is not None:
                        losses.add(f"changed sentences whose {kind} are not kept", f"{name}: {key}")
    return Text(
        [row.text for row in rows],
        ids=[row.id for row in rows],
        name=name,
        lang=language,
        paragraphs=paragraphs,
        marked=marked if any(each is not None for each in marked) else None,
        times=None if np.isnan(times).all() else times,
    )


def formats() -> dict[str, list[str]]:
    """Return the names of the formats that are written, and of those that are read.

    `segments` are those that segmentations are written in, `spellings` those they are read in.
    """
    known_formats = all_formats().items()
    return {
        "write": [name for name, each in known_formats if each.write is not None] + [INTERTEXT],
        "read": [name for name, each in known_formats if each.read is not None],
        "segments": list(WRITTEN),
        "spellings": list(SPELLINGS),
    }


def export(
    project: Project, number: int, known: str, *, losses: Notes | None = None
) -> tuple[str, bytes]:
    """Return a file of an alignment, with its name; the same bytes each time.

    Several files (`export_files`) come in one archive (zip). Raises `OptionError` when the format
    is not known, or cannot be written, and `InputError` when the alignment lacks data that the
    format needs.
    """
    return packed(*export_files(project, number, known, losses=losses))


def packed(stem: str, files: Mapping[str, bytes]) -> tuple[str, bytes]:
    """Return one file as it is, several as an archive, with its name."""
    if len(files) == 1:
        return next(iter(files.items()))
    return f"{stem}.zip", _zipped(files)


def export_files(
    project: Project,
    number: int,
    known: str,
    *,
    losses: Notes | None = None,
    languages: tuple[str, str] = ("", ""),
) -> tuple[str, dict[str, bytes]]:
    """Return the files of an alignment by name, and the stem of their names.

    A format of two files has two; InterText (`intertext`) has three: the two texts, and the links,
    in which confirmed beads are `man`. Word links come with the texts whose words they count,
    unless these are the unchanged sentences. All other formats have one file. `languages`, if
    named, are written in place of those of the texts. Raises `OptionError` and `InputError` as
    `export` does.
    """
    project.of_kind(number, "alignment")
    if known == INTERTEXT:
        stem, contents = _intertext(project, number, languages)
        if losses is not None:
            _add_intertext_losses(project, number, stem, losses)
        return stem, contents
    format_ = by_name(known)
    of_words = format_.name in WORD_FORMATS
    bitext = bitext_of(
        project, number, losses, words="cut" if of_words else "blanks", languages=languages
    )
    if format_.write is None:
        raise OptionError(f"format {format_.name!r} can be read but not written")
    stem = _safe_name(bitext.name or "alignment")
    suffix = format_.suffixes[0] if format_.suffixes else f".{format_.name}"
    with TemporaryDirectory(prefix="bitext-") as folder:
        names = [f"{stem}{suffix}"]
        if format_.two_files:
            names = [f"{stem}.{end}" for end in _endings(_languages_of(bitext))]
        paths = [Path(folder, each) for each in names]
        try:
            write(bitext, ",".join(map(str, paths)), format=format_.name, losses=losses)
        except (BitextError, OSError) as error:
            raise InputError(str(error).replace(f"{folder}/", "")) from None
        contents = {path.name: path.read_bytes() for path in paths}
        if of_words and not format_.keeps.texts and not _counts_lines(project, number):
            contents |= _lines(bitext, stem)
    return stem, contents


def _languages_of(bitext: Bitext) -> list[str]:
    return ["" if text is None else text.lang for text in (bitext.src, bitext.tgt)]


def _endings(languages: Sequence[str]) -> Sequence[str]:
    """Return endings that tell two files apart: their languages, or `source` and `target`."""
    endings = [language or side for language, side in zip(languages, SIDES, strict=True)]
    return endings if endings[0] != endings[1] else SIDES


def _add_intertext_losses(project: Project, number: int, stem: str, losses: Notes) -> None:
    for side, inner in project.meta(number).get("inner", {}).items():
        for place, kind in ((1, "inline codes"), (2, "times")):
            lost = [key for key, detail in inner.items() if detail[place] is not None]
            if lost:
                place_of_loss = f"{stem} {side}: {lost[0]}"
                losses.add(f"sentences whose {kind} are not written", place_of_loss, len(lost))
    beads = project.rows(number)[1]["beads"]
    _add_bead_losses(stem, beads, (), {}, losses)
    linked = [bead.id for bead in beads if bead.words]
    if linked:
        place_of_loss = f"{stem}: {linked[0]}"
        losses.add("beads whose word links are not written", place_of_loss, len(linked))


def _counts_lines(project: Project, number: int) -> bool:
    """Check whether all beads are 1-1, in the order of both texts, and blanks separate words."""
    info, lists = project.rows(number)
    if {project.cut_of(info.source), project.cut_of(info.target)} != {BLANKS}:
        return False
    beads = [bead for bead in lists["beads"] if bead.source or bead.target]
    return all(
        [getattr(bead, side) for bead in beads] == [(row.id,) for row in lists[side]]
        for side in SIDES
    )


def _lines(bitext: Bitext, stem: str) -> dict[str, bytes]:
    """Return the texts that word links count the words of, one bead a line."""
    languages = _languages_of(bitext)
    ends = _endings(languages) if all(languages) else SIDES
    pairs = bitext.pairs()
    return {
        f"{stem}.{_safe_name(end)}.txt": "".join(
            f"{' '.join(pair[k])}\n" for pair in pairs
        ).encode()
        for k, end in enumerate(ends)
    }


def _zipped(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _ARCHIVE_TIME), content)
    return buffer.getvalue()


def _intertext(
    project: Project, number: int, given_languages: tuple[str, str]
) -> tuple[str, dict[str, bytes]]:
    """Return the stem of the names of InterText's three files, and these files by name."""
    info, lists = project.rows(number)
    stem = _safe_name(info.name or "alignment")
    texts = zip((info.source, info.target), given_languages, strict=True)
    languages = [language_given or project.text_of(text)[1] for text, language_given in texts]
    endings = _endings(languages)
    names = [f"{stem}.{_safe_name(ending)}.xml" for ending in endings]
    files, ids = {}, []
    for name, language, side in zip(names, languages, SIDES, strict=True):
        ids_of_rows = _intertext_ids(lists[side])
        files[name] = _intertext_text(lists[side], ids_of_rows, language)
        ids.append(ids_of_rows)
    source, target = names
    links = [f"<linkGrp toDoc={quoteattr(target)} fromDoc={quoteattr(source)}>"]
    for bead in lists["beads"]:
        if not (bead.source or bead.target):
            continue
        # InterText has the ids of toDoc first.
        linked_ids = (
            " ".join(ids[1][each] for each in bead.target),
            " ".join(ids[0][each] for each in bead.source),
        )
        status = "man" if bead.state == "confirmed" else "auto"
        kind = f"{len(bead.target)}-{len(bead.source)}"
        links.append(
            f"<link type='{kind}' xtargets={quoteattr(';'.join(linked_ids))} status='{status}'/>"
        )
    links.append("</linkGrp>")
    together = f"{stem}.{_safe_name(endings[0])}.{_safe_name(endings[1])}.xml"
    files[together] = "\n".join([_XML, *links, ""]).encode()
    return stem, files


def _intertext_ids(rows: Sequence[Sentence]) -> dict[str, str]:
    """Return the ids of sentences as they are; as paragraph:sentence where one has a separator."""
    if not any(_SEPARATOR.search(row.id) for row in rows):
        return {row.id: row.id for row in rows}
    ids, paragraph, sentence = {}, 0, 0
    for row in rows:
        paragraph, sentence = (paragraph + 1, 1) if row.paragraph else (paragraph, sentence + 1)
        ids[row.id] = f"{paragraph}:{sentence}"
    return ids


def _intertext_text(rows: Sequence[Sentence], ids: Mapping[str, str], language: str) -> bytes:
    lines, paragraph = [_XML, f"<text lang={quoteattr(language)}>"], 0
    for row in rows:
        if FORBIDDEN.search(row.text) or FORBIDDEN.search(row.id):
            raise InputError(f"sentence {row.id!r:.60} has a character that XML forbids")
        if row.paragraph:
            lines += ["</p>"] * bool(paragraph)
            paragraph += 1
            lines.append(f'<p id="{paragraph}">')
        lines.append(f"<s id={quoteattr(ids[row.id])}>{escape(row.text)}</s>")
    lines += ["</p>"] * bool(paragraph)
    return "\n".join([*lines, "</text>", ""]).encode()
