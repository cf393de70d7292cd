"""Files of pairs that share languages joined to one of all languages, here or by jobs.

The document pairs of all files are read first and put aside (`Shelf`). Their names determine which
belong together, and their languages. Then the documents are joined one by one, so that memory
depends on the largest one. A single file in several languages has whole rows, and is read in parts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from bitext.errors import InputError, remedy, renamed
from bitext.formats.io.output import refuse_clashes
from bitext.formats.io.source import Notes, pooled
from bitext.formats.languages import finds, named_languages, normal
from bitext.formats.multitexts import Multitexts, Shelf, deliver_multitexts, multitext_of
from bitext.formats.reading import Reading, opened
from bitext.formats.registry import LANGUAGE, MARKS, by_name
from bitext.jobs.operands import (
    DocumentRows,
    Operand,
    better_scores,
    costs_left_out,
    join_documents,
    may_be_costs,
    refuse_links,
)
from bitext.jobs.task import notes_of
from bitext.kernels.arrays import Rows, components
from bitext.model import Alignment, Bitext, Note, Text
from bitext.model.bitext import Multitext


@dataclass(frozen=True, slots=True)
class TableInput:
    """A file, or the files of a folder or manifest, in two languages or more."""

    path: str  # the file, folder or manifest
    position: int  # the number of the operand, from 0
    # The languages that the user states, two or more, or those in the name of the file; empty where
    # neither has any.
    langs: tuple[str, ...]
    stated: bool  # whether the user states them
    operands: tuple[Operand, ...]  # the files


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWork:
    """The work of joining files to one of all languages."""

    inputs: tuple[TableInput, ...]
    output: str  # the file to write
    to: str  # its format
    # The texts of languages that the user names, for messages.
    texts: Mapping[str, str] = field(default_factory=dict)
    by: str = "segments"  # what joins bisegments: the same segments, or equal texts of whole sides
    strict: bool = False  # whether rows that lack a language are left out
    min_matched: float = 0.9  # the least common share of two versions of a text

    def files(self) -> Iterator[str]:
        """Yield the names of the files to read."""
        for each in self.inputs:
            for operand in each.operands:
                yield from operand.files()

    def outputs(self) -> list[str]:
        """Return the file to write."""
        return [self.output]

    def write(self, *, on_text: Callable[[int], None] | None = None) -> Table:
        """Join the files to one of all languages, which appears when it is complete.

        Raises `BitextError` when a file cannot be read, the files cannot be joined, or the output
        cannot be written.
        """
        refuse_clashes(self.files(), [self.output])
        with Multitexts(strict=self.strict) as multitexts, Shelf[Bitext | Multitext]() as shelf:
            run = _Run(self, multitexts, shelf, on_text)
            if not (len(self.inputs) == 1 and run.add_whole_rows()):
                run.add_joined()
            table = run.table
            table.languages = list(multitexts.languages)
            table.rows, table.whole = multitexts.rows, multitexts.whole
            table.lacking = {
                lang: multitexts.rows - multitexts.having[lang] for lang in multitexts.languages
            }
            output_format = by_name(self.to)
            losses, notes = run.notes["losses"], run.notes["notes"]
            deliver_multitexts(multitexts, self.output, output_format, losses=losses, notes=notes)
        table.columns.sort()
        for name in _NOTES:
            setattr(table, name, run.notes[name].all())
        return table


_NOTES = ("read", "remarks", "losses", "notes")  # the notes of a `Table`


@dataclass(slots=True)
class Table:
    """The result of joining files to one of all languages."""

    output: str  # the file that was written
    languages: list[str] = field(default_factory=list)
    rows: int = 0  # the number of rows
    whole: int = 0  # the number of rows that have all languages
    merged: int = 0  # the number of rows that join several bisegments of a file
    # The number of rows that lack each language.
    lacking: dict[str, int] = field(default_factory=dict)
    # The number of bisegments that were joined of each operand, by its number.
    sizes: dict[int, int] = field(default_factory=dict)
    columns: list[str] = field(default_factory=list)  # the columns that were left out
    unscored: bool = False  # whether scores were left out
    read: tuple[Note, ...] = ()  # irregularities of the inputs
    remarks: tuple[Note, ...] = ()  # what was left out or matched
    losses: tuple[Note, ...] = ()  # losses of the format
    notes: tuple[Note, ...] = ()  # on languages and documents
    failed: str = ""  # the error for which nothing was written

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Table:
        """Return the result that JSON values describe."""
        notes = {name: notes_of(state[name]) for name in _NOTES}
        sizes = {int(key): size for key, size in state["sizes"].items()}
        return cls(**{**state, **notes, "sizes": sizes})

    def include(self, other: Table) -> None:
        """Add the counts of another file."""
        self.languages = list(dict.fromkeys([*self.languages, *other.languages]))
        self.rows += other.rows
        self.whole += other.whole
        self.merged += other.merged
        for lang, count in other.lacking.items():
            self.lacking[lang] = self.lacking.get(lang, 0) + count
        for position, size in other.sizes.items():
            self.sizes[position] = self.sizes.get(position, 0) + size
        self.columns = sorted({*self.columns, *other.columns})
        self.unscored |= other.unscored
        for name in _NOTES:
            setattr(self, name, pooled(getattr(self, name), getattr(other, name)))


# Reading.


def _opened(table_input: TableInput, operand: Operand, *, parts: bool, stack: ExitStack) -> Reading:
    """Open a file; messages name the options of `bitext join`."""
    src, tgt = (*table_input.langs, "", "")[:2]
    for name, option in (
        ("src", f"text {src or 'LANG'}=FILE"),
        ("tgt", f"text {tgt or 'LANG'}=FILE"),
        ("src-lang", "langs"),
        ("tgt-lang", "langs"),
        (f"text-{src}", f"text {src}="),
        (f"text-{tgt}", f"text {tgt}="),
    ):
        stack.enter_context(renamed(name, option=option))
    operand.entry.check(operand.where)
    every_language = not (table_input.stated and len(table_input.langs) == 2)
    reading = replace(operand.reading, every_language=every_language, parts=parts)
    return stack.enter_context(opened(operand.entry.path, reading))


def _nothing_to_join(path: str, langs: Sequence[str]) -> InputError:
    languages = f" ({' and '.join(langs)})" if all(langs) else ""
    return InputError(
        f"{path}: holds two languages{languages}, and there is nothing to join: name "
        f"two files or more that share a language ('bitext convert' writes a file of two)"
    )


def _chosen(langs: Sequence[str], table_input: TableInput, path: str) -> dict[str, int | None]:
    """Return the indices of the languages that are wanted, by the codes that the user states."""
    if not table_input.stated:
        return {lang: k for k, lang in enumerate(langs)}
    chosen: dict[str, int] = {}
    for k, lang in enumerate(langs):
        codes = [code for code in table_input.langs if finds(code, lang)]
        exact = [code for code in codes if normal(code) == normal(lang)]
        for code in exact[:1] or codes[:1]:
            if code in chosen:
                raise InputError(
                    f"{path}: has texts in {langs[chosen[code]]!r} and in {lang!r}, which are both "
                    f"{code!r}: name the languages as they are in the file ({remedy('langs')})"
                )
            chosen[code] = k
    return {code: chosen.get(code) for code in table_input.langs}


def _check_stated(table_input: TableInput, languages: Iterable[str]) -> None:
    """Refuse a file in several languages that lacks one that the user states."""
    if not table_input.stated:
        return
    langs = list(languages)
    missing = [repr(c) for c in table_input.langs if not any(finds(c, lang) for lang in langs)]
    if missing:
        raise InputError(
            f"{table_input.path}: has no text in {' nor in '.join(missing)}; it holds "
            f"{', '.join(langs[:30]) or 'none'}: ask for some of these ({remedy('langs')})"
        )


class _Place(NamedTuple):
    """A document pair on the shelf."""

    number: int  # its number on the shelf
    name: str
    documents: tuple[str, str]  # the documents of both sides, as far as the file names them
    langs: tuple[str, ...]  # the languages of its texts, as far as known
    named: tuple[str, str]  # the languages by the names of the documents or texts
    own: bool  # whether the file itself has languages
    size: int  # the number of bisegments
    scored: bool  # whether there are scores
    doubtful: str  # the format of scores that may be costs; empty for others
    lacks: tuple[str, str]  # what each side holds in place of a text; empty for a text
    digest: bytes  # of the texts; empty unless needed


class _File(NamedTuple):
    """The document pairs of a file that are in the same languages."""

    given: TableInput
    langs: tuple[str, ...]  # the codes of the languages
    places: list[_Place]

    @property
    def path(self) -> str:
        return self.given.path


class _Run:
    """The work of joining files, with the table and the notes that come of it."""

    def __init__(
        self,
        work: TableWork,
        multitexts: Multitexts,
        shelf: Shelf[Bitext | Multitext],
        on_text: Callable[[int], None] | None,
    ) -> None:
        self.work, self.multitexts, self.shelf = work, multitexts, shelf
        self.table = Table(work.output)
        self.notes = {name: Notes() for name in _NOTES}
        self.on_text = on_text or (lambda _: None)

    def add_whole_rows(self) -> bool:
        """Add the rows of files in several languages; return whether their format has such rows."""
        table_input, multitexts = self.work.inputs[0], self.multitexts
        if table_input.stated:
            multitexts.languages[:] = table_input.langs
        languages: dict[str, None] = {}
        size = 0
        for operand in table_input.operands:
            with ExitStack() as stack:
                file = _opened(table_input, operand, parts=True, stack=stack)
                if file.format.write_multitexts is None:
                    return False
                for bitext in file.noted(self.notes["read"]):
                    refuse_links(bitext, operand.entry.path)
                    size += len(bitext.alignment)
                    self._add_columns(bitext)
                    multitext = multitext_of(bitext, self.notes["remarks"])
                    languages.update(dict.fromkeys(multitext.languages))
                    chosen = _chosen(multitext.languages, table_input, operand.entry.path)
                    multitexts.add(multitext.chosen(chosen))
                    self.on_text(not bitext.continues)
        self.table.sizes[table_input.position] = size
        _check_stated(table_input, languages)
        if len(multitexts.languages) < 3:
            raise _nothing_to_join(table_input.path, multitexts.languages)
        return True

    def add_joined(self) -> None:
        """Read the document pairs of all files; join those that belong together."""
        work, table, notes = self.work, self.table, self.notes["notes"]
        inputs_of_path = Counter(table_input.path for table_input in work.inputs)
        files: list[_File] = []
        # First pass: put all document pairs on the shelf, with their languages.
        for table_input in work.inputs:
            digested = inputs_of_path[table_input.path] > 1
            places = [
                self._put(bitext, table_input, digested=digested)
                for bitext in _bitexts(table_input, self.notes["read"])
            ]
            pairs = {tuple(map(normal, place.langs)) for place in places}
            if len(work.inputs) == 1 and len(pairs) == 1 and all(len(pair) == 2 for pair in pairs):
                raise _nothing_to_join(table_input.path, places[0].langs)
            files += _in_languages(table_input, places, work.texts, notes)
            table.sizes[table_input.position] = 0
        if len(files) == 1:
            raise _nothing_to_join(files[0].path, files[0].langs)
        languages = _languages(files, notes)
        for code in work.texts.keys() - {code for file in files for code in file.langs}:
            raise InputError(
                f"{remedy(f'text {code}={work.texts[code]}')}: no file is in {code!r}: want one of "
                f"{', '.join(languages)}"
            )
        self.multitexts.languages[:] = dict.fromkeys(languages.values())
        # Second pass: one group of documents at a time is in memory.
        for group in _groups(files, notes):
            self._join(group, languages)

    def _join(self, group: Sequence[_File], languages: Mapping[str, str]) -> None:
        """Join the document pairs of a group; `languages` has the code in the output of each."""
        table, remarks = self.table, self.notes["remarks"]
        loaded = []
        for file in group:
            table.sizes[file.given.position] += file.places[0].size
            loaded.append(_load(self.shelf, file, languages))
        rows, multitext = join_documents(
            loaded,
            list(self.multitexts.languages),
            _name_of(group),
            remarks,
            by=self.work.by,
            min_matched=self.work.min_matched,
        )
        table.merged += rows.merged
        table.unscored |= rows.scores is None and any(file.places[0].scored for file in group)
        for file in group if rows.scores is not None else ():
            if doubtful := file.places[0].doubtful:
                remarks.add(may_be_costs([doubtful], "they are multiplied"), file.path)
        self.multitexts.add(multitext)
        self.on_text(1)

    def _add_columns(self, bitext: Bitext) -> None:
        for name in bitext.alignment.attributes:
            if not name.startswith((LANGUAGE, MARKS)) and name not in self.table.columns:
                self.table.columns.append(name)

    def _put(self, bitext: Bitext, table_input: TableInput, *, digested: bool) -> _Place:
        """Put a document pair on the shelf; return its place."""
        self._add_columns(bitext)
        notes = self.notes["remarks"]
        texts = bitext.src, bitext.tgt
        names = [("" if text is None else text.name) for text in texts]
        documents = (bitext.meta.get("src_doc", ""), bitext.meta.get("tgt_doc", ""))
        own = [text.lang if text is not None and len(text) else "" for text in texts]
        by_names = named_languages(*documents), named_languages(names[0], names[1])
        named = next(filter(any, by_names), ("", ""))
        stated_langs = (*table_input.langs, "", "")[:2]
        langs: tuple[str, ...] = stated_langs if table_input.stated else tuple(
            lang or name or code for code, lang, name in zip(stated_langs, own, named, strict=True)
        )  # fmt: skip
        better = better_scores(bitext)
        if better == "lower":
            notes.add(costs_left_out(bitext.meta.get("format", "")), table_input.path)
        value: Bitext | Multitext = bitext
        if any(name.startswith(LANGUAGE) for name in bitext.alignment.attributes) or (
            table_input.stated and len(table_input.langs) > 2
        ):
            value = multitext_of(bitext, notes)
            langs = value.languages
        value_texts = value.texts if isinstance(value, Multitext) else texts
        weight = sum(len(text) for text in value_texts if text is not None)
        digest = b""
        if digested:
            digest = blake2b(
                repr([*map(_segments, value_texts)]).encode("utf-8", "replace")
            ).digest()
        return _Place(
            number=self.shelf.put(_without_columns(value, scores=better != "lower"), weight),
            name=bitext.name,
            documents=documents,
            langs=langs,
            named=named,
            own=any(own),
            size=len(bitext.alignment),
            scored=bitext.alignment.scores is not None and better != "lower",
            doubtful="" if better else bitext.meta.get("format", ""),
            lacks=(_missing_segments(bitext.src), _missing_segments(bitext.tgt)),
            digest=digest,
        )


def _bitexts(table_input: TableInput, notes: Notes) -> Iterator[Bitext]:
    """Read the document pairs of all files of an input."""
    for operand in table_input.operands:
        with ExitStack() as stack:
            file = _opened(table_input, operand, parts=False, stack=stack)
            for bitext in file.noted(notes):
                refuse_links(bitext, operand.entry.path)
                yield bitext


def _without_columns(value: Bitext | Multitext, *, scores: bool) -> Bitext | Multitext:
    """Return a bitext without the columns, which are not joined, and perhaps without scores."""
    if isinstance(value, Multitext):
        return value
    a = value.alignment
    alignment = Alignment.from_arrays(a.src, a.tgt, scores=a.scores if scores else None)
    return replace(value, alignment=alignment, notes=(), lines=None)


def _segments(text: Text | None) -> list[str]:
    return [] if text is None or not text.has_text else list(text.segments())


def _missing_segments(text: Text | None) -> str:
    """Describe the contents of a file that is not a text; empty for a text."""
    if text is None:
        return "positions"
    return "" if text.has_text else "identifiers"


# Languages.


def _in_languages(
    table_input: TableInput, places: Sequence[_Place], texts: Mapping[str, str], notes: Notes
) -> list[_File]:
    """Divide the document pairs of a file by their languages; refuse unknown ones."""
    multilingual = [place for place in places if len(place.langs) > 2]
    if multilingual or len(table_input.langs) > 2:
        seen = dict.fromkeys(lang for place in places for lang in place.langs)
        _check_stated(table_input, seen)
        langs = table_input.langs if table_input.stated else (*seen,)
        return [_File(table_input, langs, list(places))]
    merged: list[_File] = []
    for place in places:
        index = next((k for k, file in enumerate(merged) if _fit(file.langs, place.langs)), -1)
        if index < 0:
            merged.append(_File(table_input, place.langs, [place]))
        else:
            lang_pairs = zip(merged[index].langs, place.langs, strict=True)
            langs = tuple(one or other for one, other in lang_pairs)
            merged[index] = _File(table_input, langs, [*merged[index].places, place])
    for file in merged:
        _check_pair(file, texts, notes)
    return merged


def _fit(one: Sequence[str], other: Sequence[str]) -> bool:
    lang_pairs = zip(one, other, strict=True)
    return all(not a or not b or normal(a) == normal(b) for a, b in lang_pairs)


def _check_pair(file: _File, texts: Mapping[str, str], notes: Notes) -> None:
    """Refuse document pairs in unknown languages, in one language, or without their texts."""
    langs, table_input = file.langs, file.given
    for place in file.places:
        if table_input.stated and any(place.named) and not all(map(finds, place.named, langs)):
            kind = "languages that are others by the names of the texts"
            by_names = " and ".join(place.named)
            notes.add(kind, f"{file.path}: {' and '.join(langs)}, by names {by_names}")
    if not all(langs):
        raise InputError(
            f"{file.path}: its languages are not known: name those of all files, in order "
            f"({remedy('langs de-en,de-fr')}), or in the names of the files (de-en.tsv)"
        )
    if normal(langs[0]) == normal(langs[1]):
        raise InputError(
            f"{file.path}: both sides are in {langs[0]!r}: name two languages, as of all files in "
            f"order ({remedy('langs de-en,de-fr')})"
        )
    if not table_input.stated and not file.places[-1].own:
        kind = f"languages taken from names of files ({remedy('langs')} names others)"
        notes.add(kind, f"{file.path}: {langs[0]} and {langs[1]}")
    for place in file.places:
        for lacks, lang in zip(place.lacks, langs, strict=True):
            if lacks:
                advice = f"; it has to be over {texts[lang]}" if lang in texts else ""
                root = f"; {remedy('root')} names folders" if lacks == "identifiers" else ""
                raise InputError(
                    f"{file.path}: holds {lacks} of {lang} segments without their text: give it "
                    f"({remedy(f'text {lang}=FILE')}{root}){advice}"
                )


def _languages(files: Sequence[_File], notes: Notes) -> dict[str, str]:
    """Map the codes of files to those of the output; refuse pairs that do not hang together."""
    codes = list(dict.fromkeys(code for file in files for code in file.langs))
    wider_code: dict[str, str] = {}
    # `pt` and `pt-BR` are one language here, unless there is `pt-PT`, too: then `pt` may be either.
    for code in codes:
        wider = [each for each in codes if finds(each, code)]
        narrower = {normal(each) for each in codes if finds(code, each)} - {normal(code)}
        if len(narrower) > 1:
            raise InputError(
                f"{code!r} may be {' or '.join(sorted(narrower))}: name the languages of each file "
                f"in order ({remedy('langs')})"
            )
        wider_code[code] = min(wider, key=len)
        if normal(wider_code[code]) != normal(code):
            notes.add("languages taken as one", f"{wider_code[code]} and {code}")
    for one, other in combinations(files, 2):
        if one.given is other.given or one.path != other.path:
            continue
        if [place.digest for place in one.places] == [place.digest for place in other.places]:
            raise InputError(
                f"{one.path}: is given twice, with the same texts in {' and '.join(one.langs)} and "
                f"in {' and '.join(other.langs)}: give each file once"
            )
    # Each pair of languages comes from one file.
    paths: dict[frozenset[str], str] = {}
    for file in files:
        langs = frozenset(wider_code[code] for code in file.langs)
        languages = " and ".join(wider_code[code] for code in file.langs)
        if len(langs) < len(file.langs):
            raise InputError(
                f"{file.path}: several of its texts are in one language, as its languages are "
                f"{languages} here: name them ({remedy('langs')})"
            )
        if langs in paths:
            raise InputError(
                f"{paths[langs]} and {file.path} are both in {languages}: make one file of the two "
                f"before ('bitext combine' for the same texts, 'bitext convert' for others)"
            )
        paths[langs] = file.path
    # Languages are nodes, files are edges: the graph is to be connected.
    reached = set(next(iter(paths)))
    left = list(paths)[1:]
    while adjacent := [langs for langs in left if langs & reached]:
        reached = reached.union(*adjacent)
        left = [langs for langs in left if langs not in adjacent]
    if left:
        raise InputError(
            f"{paths[left[0]]}: shares no language with the files before ({', '.join(reached)}): "
            f"add a file that links {' or '.join(sorted(left[0]))} to one of these"
        )
    return wider_code


# Which document pairs belong together.


def _groups(files: Sequence[_File], notes: Notes) -> Iterator[list[_File]]:
    """Yield the document pairs that belong together: the only ones, by documents, or by name."""
    if all(len(file.places) == 1 for file in files):
        yield list(files)
        return
    pairs = [_File(file.given, file.langs, [each]) for file in files for each in file.places]
    groups = _by_documents(pairs, notes)
    if groups is None:
        groups = _by_names(files, pairs)
    if not groups:
        raise InputError(f"nothing to join: {notes.all()[-1]}")
    if not any(len(group) > 1 for group in groups):
        raise InputError(
            f"{files[0].path} and {files[1].path}: no two files have a document in common, nor a "
            f"document pair of the same name (as {pairs[0].places[0].name!r:.60}): give files of "
            f"the same documents"
        )
    for group in groups:
        if len(group) < len(files):
            kind = "document pairs that not all files have, joined without"
            notes.add(kind, group[0].places[0].name)
        yield group


def _name_of(group: Sequence[_File]) -> str:
    names = {file.places[0].name for file in group}
    return names.pop() if len(names) == 1 else group[0].places[0].documents[0]


def _documents(pair: _File) -> list[tuple[str, str]]:
    """Return the documents of both sides of a document pair, with their languages."""
    if len(pair.langs) > 2:
        return []
    return list(zip(pair.langs, pair.places[0].documents, strict=True))


def _by_documents(pairs: Sequence[_File], notes: Notes) -> list[list[_File]] | None:
    """Group document pairs by the documents they share; `None` if some have no documents."""
    ends = [_documents(pair) for pair in pairs]
    if not all(each and all(name for _, name in each) for each in ends):
        return None
    numbers: dict[tuple[str, str], int] = {}
    flat = [numbers.setdefault(end, len(numbers)) for each in ends for end in sorted(set(each))]
    if len(numbers) == len(flat):
        return None
    groups: dict[int, list[_File]] = defaultdict(list)
    rows = Rows(np.arange(0, len(flat) + 1, 2), np.array(flat, dtype=np.int64))
    for pair, number in zip(pairs, components(rows).tolist(), strict=True):
        groups[number].append(pair)
    kept_groups = []
    for group in groups.values():
        langs = Counter(lang for lang, _ in {end for pair in group for end in _documents(pair)})
        repeated_langs = [lang for lang, count in langs.items() if count > 1]
        if repeated_langs or len({(pair.path, pair.langs) for pair in group}) < len(group):
            name = group[0].places[0].documents[0]
            kind = "documents with several counterparts in a language, left out"
            notes.add(kind, f"{name} ({', '.join(repeated_langs) or group[0].path})")
        else:
            kept_groups.append(group)
    return kept_groups


def _by_names(files: Sequence[_File], pairs: Sequence[_File]) -> list[list[_File]]:
    names: dict[str, list[_File]] = defaultdict(list)
    for file in files:
        if len({place.name for place in file.places}) < len(file.places):
            raise InputError(
                f"{file.path}: holds {len(file.places)} document pairs, and names are repeated or "
                f"missing, so they cannot be joined: give files of one document pair"
            )
    for pair in pairs:
        names[pair.places[0].name].append(pair)
    return list(names.values())


def _load(
    shelf: Shelf[Bitext | Multitext], file: _File, languages: Mapping[str, str]
) -> DocumentRows:
    value = shelf.get(file.places[0].number)
    if isinstance(value, Multitext):
        chosen = _chosen(value.languages, file.given, file.path)
        value = value.chosen(chosen)
        langs = [languages[code] for code in value.languages]
        return DocumentRows(file.path, langs, list(value.texts), value.rows, value.scores)
    if value.src is None or value.tgt is None:
        raise InputError(f"{file.path}: lacks a text")
    a = value.alignment
    langs = [languages[code] for code in file.langs]
    return DocumentRows(file.path, langs, [value.src, value.tgt], (a.src, a.tgt), a.scores)
