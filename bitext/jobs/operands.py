"""Operands of jobs: files paired by name, their document pairs, and rows of all languages.

Files are paired like gold standards and systems, and the document pairs within files by the names
of documents. They are read side by side, so that memory depends on the largest document pair if the
files have them in the same order; a document pair that comes earlier in one file waits for its
counterpart. The pairs of one document are joined to rows of all languages. Versions of a text that
are cut in different ways, or lack sentences, are laid over each other; or whole sides are matched
by their texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, NamedTuple
from unicodedata import normalize

import numpy as np

from bitext.errors import InputError, remedy
from bitext.formats.beads import joined_rows
from bitext.formats.corpora import Corpus, Entry
from bitext.formats.corpora.pairing import Pairing, counts_from_1, join_hint, several_of_a_name
from bitext.formats.io.source import Notes
from bitext.formats.reading import FileOptions, opened
from bitext.formats.registry import OWN_TEXTS, UNUSED_BASE, by_name
from bitext.formats.word_links import holds_links
from bitext.formats.xml import escape
from bitext.formats.xml.inline_codes import joined
from bitext.kernels.arrays import Floats, Rows, prefix, sums, take
from bitext.metrics.common_ground import same_segments, version_links
from bitext.model import Alignment, Bitext, Text
from bitext.model.bitext import Join, Link, MultiLink, Multitext
from bitext.model.bitext import join as join_rows


@dataclass(frozen=True, slots=True)
class Operand:
    """A file to read."""

    entry: Entry  # its name and path
    where: str  # the corpus that it is of, for messages
    reading: FileOptions  # how it is read
    exchanged: bool = False  # whether source and target are exchanged after reading

    def files(self) -> Iterator[str]:
        """Yield the names of the file and of its texts."""
        yield from self.reading.files(self.entry.path)


@dataclass(frozen=True, slots=True)
class Group:
    """The files of one name, in the order of the operands."""

    name: str
    operands: tuple[Operand, ...]

    def files(self) -> Iterator[str]:
        """Yield the names of all files."""
        for operand in self.operands:
            yield from operand.files()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files, for messages."""
        return tuple(operand.entry.path for operand in self.operands)

    def texts(
        self, notes: Notes, on_missing: Callable[[Missing], None]
    ) -> Iterator[tuple[Bitext, ...]]:
        """Read the document pairs that belong together: the only ones, or by name.

        `notes` gets the notes of the readers. `on_missing` is called with each document pair that a
        file lacks, and may raise an error. Raises `BitextError` when a file cannot be read, or
        holds word links.
        """
        with ExitStack() as stack:
            readings = []
            for operand in self.operands:
                operand.entry.check(operand.where)
                file = opened(operand.entry.path, operand.reading)
                readings.append(stack.enter_context(file))
            streams = [
                _checked(reading, operand, notes)
                for reading, operand in zip(readings, self.operands, strict=True)
            ]
            yield from _paired(streams, self.paths, on_missing)
            for reading in readings:
                notes.extend(reading.source.notes.drain())
            if not all(reading.format.has_texts for reading in readings):  # options are for one
                for kind in (OWN_TEXTS, UNUSED_BASE):
                    notes.drop(kind)


class Missing(NamedTuple):
    """A text that one operand has and another lacks."""

    name: str  # the name of the text
    place: int  # the position of the operand that lacks the text
    other: int  # the position of one that has the text
    lacking: str  # the name of the operand that lacks it
    having: str  # the name of the other

    def __str__(self) -> str:
        return f"{self.lacking} has no text {self.name!r}, which {self.having} has"


def corpora_of(paths: Sequence[str], reading: FileOptions | None) -> list[Corpus]:
    """Find the files of the operands; texts are named as in the first one."""
    reading = reading or FileOptions()
    systems = {str(k): path for k, path in enumerate(paths[1:])}
    form = reading.format
    pairing = Pairing(
        gold=paths[0], systems=systems, gold_format=form, hyp_format=form, reading=reading
    )
    first, others = pairing.corpora()
    return [first, *others.values()]


def grouped(
    corpora: Sequence[Corpus], operand: Callable[[int, str, Entry, Corpus], Operand]
) -> tuple[list[Group], list[Missing]]:
    """Group the files of one name; single files belong together whatever their names.

    `operand` makes the operand of a file from the position of its corpus, the name of the text, its
    entry, and the corpus. Return the groups, in the order of the first corpus, and the texts
    without a counterpart.
    """
    if all(len(corpus.entries) == 1 for corpus in corpora):
        entries = [next(iter(corpus.entries.values())) for corpus in corpora]
        pairs = zip(entries, corpora, strict=True)
        operands = (operand(k, each.name, each, corpus) for k, (each, corpus) in enumerate(pairs))
        return [Group(entries[0].name, tuple(operands))], []
    groups, missing = [], []
    for name in dict.fromkeys(name for corpus in corpora for name in corpus.entries):
        is_present = [name in corpus.entries for corpus in corpora]
        if all(is_present):
            members = [operand(k, name, c.entries[name], c) for k, c in enumerate(corpora)]
            # A file beside folders has the name of its text, too.
            renamed = [replace(each, reading=replace(each.reading, name=name)) for each in members]
            groups.append(Group(name, tuple(renamed)))
        else:
            k, other = is_present.index(False), is_present.index(True)
            missing.append(Missing(name, k, other, corpora[k].path, corpora[other].path))
    if not groups:
        raise InputError(
            f"no text of {corpora[0].path} has a partner of the same name in all others: "
            f"{missing[0]}; name the files alike, or pair them in manifests{join_hint(corpora)}"
        )
    return groups, missing


def refuse_links(bitext: Bitext, path: str) -> None:
    """Refuse word links, of which bisegments are the sentence pairs and say nothing."""
    if holds_links(bitext):
        raise InputError(
            f"{path}: holds word links, and bisegments are combined and compared here: 'bitext "
            f"convert' combines links of two directions, 'bitext score' compares links"
        )


def refuse_other_bases(bitexts: Sequence[Bitext], paths: Sequence[str]) -> None:
    """Refuse positions without texts where one file counts from 0 and another from 1.

    Raises `InputError` with both files and advice.
    """
    for bitext, path in zip(bitexts[1:], paths[1:], strict=True):
        place = counts_from_1(bitexts[0], bitext)
        if place is not None:
            suspect, other = (path, paths[0]) if place else (paths[0], path)
            raise InputError(
                f"{suspect}: has no position 0 and ends one later than {other}: it seems to count "
                f"from 1: give the texts ({remedy('src', 'tgt')}), or convert it first "
                f"({remedy('base 1', python='base=1')} of bitext convert)"
            )


def better_scores(bitext: Bitext) -> Literal["higher", "lower", ""]:
    """Return the direction of the scores of a bitext, as `Format.better`.

    Those that no file has are probabilities.
    """
    name = bitext.meta.get("format", "")
    return by_name(name).better if name and bitext.alignment.scores is not None else "higher"


def costs_left_out(name: str) -> str:
    """Word the remark on scores of a format that are costs, and not multiplied."""
    return f"scores of {name} left out: they are costs, lower is better"


def may_be_costs(names: Iterable[str], advice: str) -> str:
    """Word the remark on scores of formats that may be costs, and are multiplied."""
    return (
        f"scores of {', '.join(names)} taken as probabilities, though they may be costs, lower is "
        f"better ({advice})"
    )


def _checked(reading: Iterable[Bitext], operand: Operand, notes: Notes) -> Iterator[Bitext]:
    """Yield the document pairs of a file, with sides exchanged if need be; refuse word links."""
    for bitext in reading:
        refuse_links(bitext, operand.entry.path)
        notes.extend(bitext.notes)
        yield _exchanged(bitext) if operand.exchanged else bitext


def _exchanged(bitext: Bitext) -> Bitext:
    other = {"src": "tgt", "tgt": "src"}
    meta = {other.get(key[:3], key[:3]) + key[3:]: value for key, value in bitext.meta.items()}
    return replace(bitext.swapped(), meta=meta)


def _paired(
    streams: Sequence[Iterator[Bitext]], paths: Sequence[str], on_missing: Callable[[Missing], None]
) -> Iterator[tuple[Bitext, ...]]:
    """Yield the document pairs that belong together, each as soon as all files have had it."""
    ahead = [[b for _ in range(2) if (b := next(stream, None)) is not None] for stream in streams]
    if all(len(each) == 1 for each in ahead):
        yield tuple(each[0] for each in ahead)
        return
    # Readers do not name an only document pair after its documents, as those of several are.
    single = {k: each[0] for k, each in enumerate(ahead) if len(each) == 1 and _documents(each[0])}
    # Of each file: document pairs that wait for their counterparts, and the names seen so far.
    waiting: list[dict[str, Bitext]] = [{} for _ in streams]
    seen_names: list[set[str]] = [set() for _ in streams]
    active = [k for k in range(len(streams)) if k not in single]
    while active:
        for k in list(active):
            bitext = ahead[k].pop(0) if ahead[k] else next(streams[k], None)
            if bitext is None:
                active.remove(k)
                continue
            name = bitext.name
            if name in seen_names[k]:
                raise several_of_a_name(paths[k], name)
            for other, only in list(single.items()):
                if _documents(only) == _documents(bitext):
                    waiting[other][name] = replace(single.pop(other), name=name)
                    seen_names[other].add(name)
            seen_names[k].add(name)
            waiting[k][name] = bitext
            if all(name in each for each in waiting):
                yield tuple(each.pop(name) for each in waiting)
    for k, only in single.items():
        waiting[k][only.name] = only
        seen_names[k].add(only.name)
    for name in dict.fromkeys(name for each in waiting for name in each):
        is_present = [name in names for names in seen_names]
        if all(is_present):
            yield tuple(each.pop(name) for each in waiting)
        else:
            k, other = is_present.index(False), is_present.index(True)
            on_missing(Missing(name, k, other, paths[k], paths[other]))


def _documents(bitext: Bitext) -> tuple[str, str] | None:
    """Return the names of the documents of a document pair, if the file has both."""
    names = bitext.meta.get("src_doc", ""), bitext.meta.get("tgt_doc", "")
    return names if all(names) else None


# The document pairs of one document joined to rows of all languages.


class DocumentRows(NamedTuple):
    """The texts of a document pair, or of a document in more languages, and their rows."""

    path: str  # the file, for messages
    langs: list[str]  # the languages of the texts, as they are in the output
    texts: list[Text]
    rows: tuple[Rows, ...]  # for each text, the segments that belong to each row
    scores: Floats | None  # the score of each row


class _Version(NamedTuple):
    """A text, with its language and a file that has it."""

    lang: str
    text: Text
    path: str


def join_documents(
    group: Sequence[DocumentRows],
    codes: Sequence[str],
    name: str,
    notes: Notes,
    *,
    by: str = "segments",
    min_matched: float = 0.9,
) -> tuple[Join, Multitext]:
    """Join document pairs that belong together into a document `name` in the languages `codes`.

    Bisegments are joined `by` the same segments (`segments`), or by equal texts of whole sides
    (`text`). Two versions of a text have at least the share `min_matched` of their characters in
    common. `notes` gets the counts of matched and omitted bisegments.

    Raises `InputError` when versions of a text differ too much.
    """
    versions: list[Link] = []
    if by == "text":
        texts, links = _links_of_texts(group, notes)
    else:
        texts, links, versions = _links_of_segments(group, min_matched, notes)
    made = join_rows(links, len(texts), versions=versions)
    if by == "text":
        made = _unambiguous(made, texts, notes)
    return made, _multitext(made, texts, codes, name)


def _links_of_segments(
    group: Sequence[DocumentRows], min_matched: float, notes: Notes
) -> tuple[list[_Version], list[MultiLink], list[Link]]:
    """Return the versions of all texts, the rows of all files, and the links between versions."""
    texts: list[_Version] = []
    links: list[MultiLink] = []
    for each in group:
        ends = []
        for lang, text in zip(each.langs, each.texts, strict=True):
            number = next(
                (
                    k
                    for k, version in enumerate(texts)
                    if version.lang == lang and same_segments(version.text, text)
                ),
                len(texts),
            )
            if number == len(texts):
                texts.append(_Version(lang, text, each.path))
            ends.append(number)
        links.append(MultiLink(tuple(ends), each.rows, each.scores))
    versions: list[Link] = []
    no_links = Alignment([])
    for (a, one), (b, other) in combinations(enumerate(texts), 2):
        if one.lang == other.lang:
            bitexts = (
                Bitext(one.text, one.text, no_links, meta={"path": one.path}),
                Bitext(other.text, other.text, no_links, meta={"path": other.path}),
            )
            try:
                link, share = version_links(*bitexts, min_matched=min_matched)
            except InputError as error:
                raise InputError(
                    f"{one.lang}: {error}; or join where sides have equal texts "
                    f"({remedy('by text')})"
                ) from None
            versions.append(Link(a, b, link))
            notes.add(
                "versions of a text that differ, laid over each other",
                f"{one.lang} of {one.path} and {other.path}, {share:.1%} of the characters match",
            )
    return texts, links, versions


def _multitext(
    made: Join, texts: Sequence[_Version], languages: Sequence[str], name: str
) -> Multitext:
    """Return the rows with one text a language, made of its versions."""
    count = len(made.rows[0].ptr) - 1
    complete, rows = [], []
    for lang in languages:
        those = [k for k, each in enumerate(texts) if each.lang == lang]
        if not those:
            complete.append(Text([], lang=lang))
            rows.append(Rows(np.zeros(count + 1, dtype=np.int64), np.zeros(0, dtype=np.int64)))
        elif len(those) == 1:
            complete.append(texts[those[0]].text.in_language(lang))
            rows.append(made.rows[those[0]])
        else:
            text, own_rows = _of_versions([(texts[k].text, made.rows[k]) for k in those], lang)
            complete.append(text)
            rows.append(own_rows)
    return Multitext(tuple(complete), tuple(rows), made.scores, name)


def _of_versions(versions: Sequence[tuple[Text, Rows]], lang: str) -> tuple[Text, Rows]:
    """Return the text of each row in the version that has most of its characters, in row order."""

    def length(segment: str) -> int:
        return len("".join(normalize("NFC", segment).split()))

    lengths_of = [np.array([*map(length, text.segments())], np.int64) for text, _ in versions]
    sizes = np.stack(
        [
            sums(rows, own_segments)
            for own_segments, (_, rows) in zip(lengths_of, versions, strict=True)
        ]
    )
    best = sizes.argmax(axis=0).tolist()
    segments: list[str] = []
    marked_segments: list[str | None] = []
    lengths = np.zeros(len(best), dtype=np.int64)
    contents = [(list(text.segments()), text.marked, rows) for text, rows in versions]
    for k, version in enumerate(best):
        own_segments, codes, rows = contents[version]
        members = rows.row(k).tolist()
        lengths[k] = len(members)
        segments += [own_segments[m] for m in members]
        marked_segments += [None if codes is None else codes[m] for m in members]
    all_segments = Rows(prefix(lengths), np.arange(len(segments)))
    return Text(segments, lang=lang, marked=marked_segments), all_segments


# By equal texts.


def _links_of_texts(
    group: Sequence[DocumentRows], notes: Notes
) -> tuple[list[_Version], list[MultiLink]]:
    """Return a text a language whose segments are whole sides, and the rows over these.

    Equal sides in a language of several files are the same segment, white space and canonical
    equivalence apart; those in a language of one file only beside the same other side.
    """
    files_of_lang = Counter(lang for each in group for lang in each.langs)
    order = list(files_of_lang)
    cells: dict[str, list[str]] = {lang: [] for lang in order}
    cell_marks: dict[str, list[str | None]] = {lang: [] for lang in order}
    number_of_cell: dict[str, dict[tuple[int, str], int]] = {lang: {} for lang in order}
    links: list[MultiLink] = []
    for each in group:
        size = len(each.rows[0].ptr) - 1
        numbers = np.full((size, len(each.langs)), -1, dtype=np.int64)
        other_numbers = np.full(size, -1, dtype=np.int64)
        # A side in a language of this file alone is the same only beside the same other side.
        for k in sorted(range(len(each.langs)), key=lambda k: files_of_lang[each.langs[k]] < 2):
            lang, is_single = each.langs[k], files_of_lang[each.langs[k]] < 2
            cell_numbers = _numbered(
                each.texts[k],
                each.rows[k],
                (cells[lang], cell_marks[lang], number_of_cell[lang]),
                other_numbers.tolist() if is_single else [0] * size,
            )
            numbers[:, k] = cell_numbers
            if not is_single:
                other_numbers = np.where(other_numbers < 0, numbers[:, k], other_numbers)
        _, first = np.unique(numbers, axis=0, return_index=True)
        first.sort()
        if first.size < size:
            notes.add("repeated bisegments, taken once", each.path, size - first.size)
        rows = [
            Rows(prefix((column >= 0).astype(np.int64)), column[column >= 0])
            for column in numbers[first].T
        ]
        ends = tuple(order.index(lang) for lang in each.langs)
        scores = None if each.scores is None else each.scores[first]
        links.append(MultiLink(ends, tuple(rows), scores))
    texts = [
        _Version(lang, Text(cells[lang], lang=lang, marked=cell_marks[lang]), group[0].path)
        for lang in order
    ]
    return texts, links


def _numbered(
    text: Text,
    rows: Rows,
    columns: tuple[list[str], list[str | None], dict[tuple[int, str], int]],
    other_numbers: Sequence[int],
) -> list[int]:
    """Return the number of the side of each bisegment, -1 for an empty one; add new sides.

    Sides are equal where their texts and their `other_numbers` are equal.
    """
    cells, cell_marks, number_of_cell = columns
    numbers = []
    for k, cell in enumerate(joined_rows(text, rows, " ", breaks=True)):
        members = rows.row(k).tolist()
        if not members:
            numbers.append(-1)
            continue
        key = other_numbers[k], normalize("NFC", " ".join(cell.split()))
        number = number_of_cell.get(key, -1)
        if number < 0:
            number = number_of_cell[key] = len(cells)
            cells.append(cell)
            codes = [None if text.marked is None else text.marked[m] for m in members]
            parts = (
                [
                    escape(text[m].text or "") if each is None else each
                    for m, each in zip(members, codes, strict=True)
                ]
                if any(codes)
                else []
            )
            cell_marks.append(joined(parts) if parts else None)
        numbers.append(number)
    return numbers


def _unambiguous(made: Join, texts: Sequence[_Version], notes: Notes) -> Join:
    """Leave out rows with several texts in a language; count them."""
    is_repeated = np.stack([rows.lengths > 1 for rows in made.rows])
    bad = is_repeated.any(axis=0)
    if bad.any():
        k = int(bad.argmax())
        shared = [t for t in range(len(texts)) if made.rows[t].row(k).size]
        best = min(shared, key=lambda t: made.rows[t].row(k).size)
        first = str(texts[best].text[int(made.rows[best].row(k)[0])].text)[:40]
        notes.add("rows with several texts in a language, left out", repr(first), int(bad.sum()))
    kept = np.flatnonzero(~bad)
    rows = tuple(take(each, kept) for each in made.rows)
    scores = None if made.scores is None else made.scores[kept]
    return made._replace(rows=rows, scores=scores, merged=0)
