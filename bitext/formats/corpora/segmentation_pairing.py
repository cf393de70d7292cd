"""Pairing the segmentations of references and systems by text, and checking their units."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal, NamedTuple
from unicodedata import normalize

import numpy as np

from bitext.errors import FormatError, InputError, OptionError, many, remedy, renamed
from bitext.formats.corpora import Entry, are_shifted_by_one, folders_hint
from bitext.formats.corpora.pairing import Unpaired
from bitext.formats.segmentations import (
    TRANSCRIPTS,
    TextCorpus,
    read_corpora,
    refuse_unused,
    with_spelling,
)
from bitext.formats.segmentations.annotations import DISCOURSE
from bitext.formats.segmentations.collecting import DOCUMENT, Reading, ReadingOptions, Units
from bitext.formats.segmentations.detection import SIGNS_TAKEN, is_border, is_rule, may_be_names
from bitext.kernels.arrays import Ints
from bitext.model import Segmentation
from bitext.model.counts import Note
from bitext.model.segmentation import BIO_FORMS, BIT_FORMS, Segmentations

_NO_SEPARATOR = "texts without a separator"
_SEVERAL = 3  # units of a text in which it is noted that each is a segment; set by hand


class Versions(NamedTuple):
    """Texts with the segments of several inputs."""

    segments: str  # the kind of segments: `paragraphs`, `lines` or `words`
    names: list[str]  # the names of the texts
    texts: list[list[list[str]]]  # the segments of each input, for each text


@dataclass(frozen=True, slots=True)
class PairedTexts:
    """The texts common to all inputs, in the order of the first reference, with notes."""

    # `references`, `hyps`: the segmentations of each reference and of each system, with the same
    # names of texts.
    references: tuple[Segmentations, ...]
    hyps: tuple[Segmentations, ...]
    unpaired: tuple[Unpaired, ...]  # the texts that were left out
    notes: tuple[Note, ...]  # notes by role and kind
    # The names of the references, then of the systems: of coders, where files have several.
    names: tuple[str, ...]
    inputs: tuple[TextCorpus, ...]  # the inputs: the references, then the systems
    chosen: tuple[Ints, ...]  # the indices of the common texts in each input
    # The units of each text as strings, where the units come from its characters.
    pieces: tuple[Sequence[str], ...] = ()

    def versions(self, segments: str | None = None) -> Versions:
        """Return the texts of all inputs as segments, from which common units can be derived.

        Raises `InputError` when an input has no texts in lines, or texts differ in their numbers of
        lines.

        Parameters
        ----------
        segments : {"paragraphs", "lines", "words"}, optional
            The segments: the lines between two separators joined, single lines, or the words of
            each line, which is then a text of its own. Default: paragraphs where some text has a
            separator; words where all inputs have the same lines except for blanks; else lines.

        """
        for reading in (reading for corpus in self.inputs for reading in corpus.readings):
            if reading.units is None or None in reading.units:
                raise InputError(
                    f"{reading.path} was read as {reading.spelling}: the characters of a text can "
                    f"be units where it is given, one unit a line; give texts, or leave "
                    f"{remedy('units')} out"
                )
        cut = [
            [
                (units.written or units.text).split("\n") if units else []
                for units in map(corpus.units, texts.tolist())
            ]
            for corpus, texts in zip(self.inputs, self.chosen, strict=True)
        ]
        tables = (*self.references, *self.hyps)
        if segments is None:
            segments = _segments_of(tables, cut)
        ids = self.references[0].ids
        if segments == "words":
            return self._words(ids, cut)
        pieces = [[list(filter(None, units)) for units in row] for row in cut]
        if segments == "paragraphs":
            pieces = [
                [
                    [" ".join(units[start:end]) for start, end in table.at(t).spans()]
                    for t, units in enumerate(row)
                ]
                for table, row in zip(tables, cut, strict=True)
            ]
        return Versions(segments, list(ids), [list(row) for row in zip(*pieces, strict=True)])

    def _words(self, ids: Sequence[str], cut: Sequence[Sequence[list[str]]]) -> Versions:
        names, texts = [], []
        for t, rows in enumerate(zip(*cut, strict=True)):
            wrong = next((k for k, row in enumerate(rows) if len(row) != len(rows[0])), None)
            if wrong is not None:
                raise InputError(
                    f"text {ids[t]!r} has {len(rows[0])} lines in {self.inputs[0].path}, and "
                    f"{len(rows[wrong])} in {self.inputs[wrong].path}: want the same lines where "
                    f"words are the segments of each, or {remedy('segments lines')}"
                )
            names += [f"{ids[t]}:{k + 1}" for k in range(len(rows[0]))]
            texts += [[line.split() for line in lines] for lines in zip(*rows, strict=True)]
        return Versions("words", names, texts)

    def recut(
        self,
        names: Sequence[str],
        rows: Sequence[Sequence[Segmentation]],
        pieces: Sequence[Sequence[str]],
        *,
        paragraphs: bool,
    ) -> PairedTexts:
        """Return the texts with other units, from names, segmentations by input, and units.

        Texts without a separator are noted where the segments are `paragraphs`.
        """
        tables = [
            Segmentations.of(dict(zip(names, column, strict=True)))
            for column in zip(*rows, strict=True)
        ]
        count = len(self.references)
        notes = [note for note in self.notes if _NO_SEPARATOR not in note.kind]
        pairs = zip(self.inputs, (*self.references, *self.hyps), strict=True)
        typed = [corpus.label for corpus, table in pairs if table.types]
        if typed:
            kind = f"files whose types of boundaries are left aside (kept: {remedy('units lines')})"
            notes.append(Note(kind, len(typed), typed[0]))
        for note in self.notes if paragraphs else ():
            what, bare, _ = note.kind.partition(_NO_SEPARATOR)
            if bare:
                advice = "if each line is a segment, put empty lines between"
                notes.append(replace(note, kind=f"{what}{bare}, taken as one segment ({advice})"))
        return replace(
            self,
            references=tuple(tables[:count]),
            hyps=tuple(tables[count:]),
            notes=tuple(notes),
            pieces=tuple(pieces),
        )

    def every_text(self) -> list[str]:
        """Return the names of the texts of any input, in the order of the inputs."""
        return list(dict.fromkeys(name for c in self.inputs for name in c.table.ids))

    def units_of(self, names: Sequence[str]) -> dict[int, list[str]]:
        """Return the units of texts by the index of the name, from the first input with them."""
        by_text: dict[int, list[str]] = {}
        for t, name in enumerate(names):
            for corpus in self.inputs:
                units = corpus.units(corpus.table.index(name)) if name in corpus.table else None
                if units is not None:
                    by_text[t] = units.text.split("\n")
                    break
        return by_text

    def units(self) -> dict[int, list[str]]:
        """Return the units of each text, from the first input that contains its characters."""
        by_text: dict[int, list[str]] = {t: list(units) for t, units in enumerate(self.pieces)}
        for corpus, texts in () if by_text else zip(self.inputs, self.chosen, strict=True):
            for t, index in enumerate(texts.tolist()):
                if t not in by_text and (units := corpus.units(index)) is not None:
                    by_text[t] = units.text.split("\n")
        return by_text


@dataclass(slots=True, kw_only=True)
class SegmentPairing:
    """References and systems, paired text by text by the names of the texts.

    Corpora of one text each are paired whatever the names; different names are noted.
    """

    # `references`, `systems`: the file, folder or manifest of each; or the name of texts in
    # `memory`.
    references: dict[str, str]
    systems: dict[str, str]
    # The texts of references and systems that are not in files.
    memory: Mapping[str, Segmentations] = field(default_factory=dict)
    # How files are read. Without coders, those of files that are references and systems are systems
    # unless they are references.
    reading: ReadingOptions = field(default_factory=ReadingOptions)
    # `reference_spelling`, `reference_coders`: those of references, in place of those of `reading`.
    reference_spelling: str | None = None
    reference_coders: tuple[str, ...] = ()
    # Whether the user named the files of systems: their coders are then `file:coder`.
    files_named: bool = False
    any_units: bool = False  # whether the units of two texts may differ in their characters
    # Whether the units will be derived from the characters of the texts (`PairedTexts.versions`),
    # and so are not checked here.
    cut_anew: bool = False
    # Treatment of a text that some corpora lack, or name differently: leave it out for all (single
    # texts are paired), or raise an error.
    missing: Literal["leave", "error"] = "leave"
    # Whether coders are compared with each other where no system is: a single reference is then one
    # coder, and the systems are others. Texts of two coders or more do.
    of_coders: bool = False
    # Passes on the files one by one, to show progress.
    watch: Callable[[list[Entry]], Iterable[Entry]] = iter
    _unpaired: list[Unpaired] = field(default_factory=list)
    _notes: list[Note] = field(default_factory=list)

    def read(self) -> PairedTexts:
        """Read all files, and check that all segmentations of a text are of the same units.

        Raises `FormatError`, with the line, when a file is malformed or units differ, and
        `InputError` when a file cannot be read, numbers of units differ, or no text can be paired.
        """
        references, systems = self._read_all()
        if self.of_coders and len(references) == 1:
            references, systems = [*references, *systems], []
        partial = self.of_coders and not systems
        names, corpora = map(list, zip(*references, *systems, strict=True))
        count = len(references)
        chosen = self._chosen(corpora, partial=partial)
        if not (self.any_units or self.cut_anew):
            each = _every_text(corpora) if partial and self._unpaired else chosen
            self._notes += _check_units(corpora, each)
        for k in range(1, 1 if self.cut_anew else len(corpora)):
            _check_sizes(corpora[0], chosen[0], corpora[k], chosen[k])
        tables = tuple(
            corpus.table
            if np.array_equal(texts, np.arange(len(corpus.table)))
            else corpus.table.take(texts)
            for corpus, texts in zip(corpora, chosen, strict=True)
        )
        roles = ["reference" if count == 1 else name for name in names[:count]] + names[count:]
        tables = self._typed_alike(tables, roles)
        notes = _collected(roles, corpora)
        self._note_readings(corpora)
        self._note_twice(corpora)
        if not self.cut_anew:
            self._notes += bare_notes(tables, roles)
        return PairedTexts(
            references=tables[:count],
            hyps=tables[count:],
            unpaired=tuple(self._unpaired),
            notes=(*notes, *self._notes),
            names=tuple(names),
            inputs=tuple(corpora),
            chosen=tuple(chosen),
        )

    def _typed_alike(
        self, tables: tuple[Segmentations, ...], roles: Sequence[str]
    ) -> tuple[Segmentations, ...]:
        """Return the tables, without types where the boundaries of one of them have none at all.

        Note tables that share no type with the first: metrics of types find nothing right there.
        """
        first, *others = (
            {kind for types in each.types.values() for there in types for kind in there}
            for each in tables
        )
        for role, kinds in zip(roles[1:], others, strict=True):
            if first and kinds and first.isdisjoint(kinds):
                kind = f"{roles[0]} and {role}: no type of a boundary is in both"
                self._notes.append(
                    Note(kind, 1, f"{min(first, key=str)!r}, {min(kinds, key=str)!r}")
                )
        bare = [
            k for k, each in enumerate(tables) if len(each.masses) > len(each) and not each.types
        ]
        if not bare or not any(each.types for each in tables):
            return tables
        kind = "types of boundaries left aside, as others have none"
        cases = [role for role, each in zip(roles, tables, strict=True) if each.types]
        self._notes.append(Note(kind, len(cases), f"{cases[0]} beside {roles[bare[0]]}"))
        return tuple(Segmentations(t.ids, t.ptr, t.masses, notes=t.notes) for t in tables)

    def _read_all(self) -> tuple[list[tuple[str, TextCorpus]], list[tuple[str, TextCorpus]]]:
        """Return the references and the systems by name; a file of several coders is several."""
        given = self.reading
        # Errors about references name their own options, if the user gave these.
        own = {"option": "ref-coders"} if self.reference_coders != given.coders else {}
        with (
            renamed("from", python="ref_from="),
            renamed("coders", python="ref_coders=" if own else "", **own),
        ):
            spelling, coders = self.reference_spelling, self.reference_coders
            references = {
                name: self._corpora(path, spelling, coders)
                for name, path in self.references.items()
            }
        with renamed("from", python="format="):
            systems = {}
            for name, path in self.systems.items():
                like = self.reference_coders if path in self.references.values() else ()
                systems[name] = self._corpora(path, given.spelling, given.coders, like=like)
        self._take_out_references(references, systems)
        files = (*references.values(), *systems.values())
        refuse_unused(
            given,
            [pair for by_coder in files for pair in by_coder.items()],
            reference_coders=self.reference_coders,
            of_coders=self.of_coders and self.files_named,
        )
        named = _named_by_coder(references, ())
        others = [name for name, _ in named]
        return named, _named_by_coder(systems, others, with_file=self.files_named)

    def _take_out_references(
        self,
        references: Mapping[str, Mapping[str, TextCorpus]],
        systems: Mapping[str, dict[str, TextCorpus]],
    ) -> None:
        """Take out the systems that are coders of references, unless they are chosen by name.

        Raises `OptionError` when all coders of a file are references.
        """
        known = {
            (corpus.path, coder) for read in references.values() for coder, corpus in read.items()
        }
        for read in systems.values():
            taken = [
                coder for coder, corpus in read.items() if coder and (corpus.path, coder) in known
            ]
            if not taken or self.reading.coders:
                continue
            if len(taken) == len(read):
                advice = f"name those that are ({remedy(f'ref-coders {taken[0]}')})"
                if self.reference_coders:
                    advice = f"name the coders that are systems ({remedy('coders')})"
                raise OptionError(
                    f"{read[taken[0]].path} is given as reference and as system, and all its "
                    f"coders are references: {advice}"
                )
            # The notes of a file are those of its first coder.
            notes = [note for coder in taken for note in read.pop(coder).table.notes]
            first = next(iter(read))
            table = read[first].table
            every = dict.fromkeys([*notes, *table.notes])
            noted = Segmentations(
                table.ids, table.ptr, table.masses, types=table.types, notes=every
            )
            read[first] = replace(read[first], table=noted)

    def _corpora(
        self,
        path: str,
        spelling: str | None,
        coders: tuple[str, ...],
        *,
        like: tuple[str, ...] = (),
    ) -> dict[str, TextCorpus]:
        if (table := self.memory.get(path)) is not None:
            nowhere = np.zeros(0, dtype=np.int64)
            reading = Reading(table, path, "segmentations in memory", nowhere, len(table) == 1)
            return {"": TextCorpus(path, (reading,), table, (0,), ())}
        given = self.reading
        options = replace(with_spelling(given, spelling), coders=coders, like=like)
        return read_corpora(path, options, watch=self.watch)

    def _note_readings(self, corpora: Sequence[TextCorpus]) -> None:
        """Note labels that were read in two ways without a set spelling; refuse two kinds of O.

        Raises `InputError` when `O` was read as outside of segments in one file, and as within in
        another.
        """
        ways: dict[str, str] = {}
        for corpus in corpora:
            for reading in corpus.readings:
                ways.setdefault(reading.labels, reading.path)
        if not {self.reading.spelling, self.reference_spelling} & {None, "bio"}:
            return
        if "bio-outside" in ways and "bio-within" in ways:
            either = remedy("from bio-outside", "from bio-within", "ref-from")
            raise InputError(
                f"{ways['bio-within']}: has no label for what is within a segment but O, which "
                f"is outside of segments in {ways['bio-outside']}: say what O is in both ({either})"
            )
        bio = next((ways[form] for form in BIO_FORMS if form in ways), None)
        if bio and "labels" in ways:
            case = f"{bio} as bio, {ways['labels']} as labels"
            options = remedy("from", "ref-from", python="format=, ref_from=")
            self._notes.append(Note(f"labels read in two ways ({options})", 1, case))

    def _note_twice(self, corpora: Sequence[TextCorpus]) -> None:
        """Note a file that is compared with itself."""
        known: dict[str, TextCorpus] = {}
        for corpus in corpora if not self.memory else ():
            first = known.setdefault(os.path.realpath(corpus.path), corpus)
            one_coder = first.coder == corpus.coder or not (first.coder and corpus.coder)
            if first is not corpus and one_coder and first.table == corpus.table:
                self._notes.append(Note("files compared with themselves", 1, corpus.label))

    def _chosen(self, corpora: Sequence[TextCorpus], *, partial: bool) -> list[Ints]:
        """Return the indices, in each corpus, of the texts common to all."""
        self._unpaired.clear()
        self._notes.clear()
        first, *others = (corpus.table for corpus in corpora)
        # Single texts are one text, whatever their names; equal lists of names need no search.
        if all(len(table) == 1 for table in (first, *others)):
            self._take_for_one(corpora)
            return [np.zeros(1, dtype=np.int64) for _ in corpora]
        if all(list(table.ids) == list(first.ids) for table in others):
            return [np.arange(len(first)) for _ in corpora]
        _refuse_other_lines(corpora)
        common = set(first.ids).intersection(*(table.ids for table in others))
        self._note_unread(corpora)
        for corpus in corpora[1:]:
            _refuse_other_numbers(corpora[0], corpus)
            lacking = [name for name in first.ids if name not in corpus.table]
            extra = [name for name in corpus.table.ids if name not in first]
            if self.missing == "error":
                if lacking:
                    raise _lacks(corpus, corpora[0], lacking[0])
                if extra:
                    raise _lacks(corpora[0], corpus, extra[0])
            self._unpaired += [Unpaired(name, corpus.label, extra=False) for name in lacking]
            self._unpaired += [Unpaired(name, corpus.label, extra=True) for name in extra]
        every = [name for corpus in corpora for name in corpus.table.ids]
        is_shared = len(set(every)) < len(every)  # whether two corpora have a text
        if not common and not (partial and is_shared):
            raise InputError(self._nothing(corpora))
        names = [name for name in first.ids if name in common]
        return [
            np.array([corpus.table.index(name) for name in names], dtype=np.int64)
            for corpus in corpora
        ]

    def _take_for_one(self, corpora: Sequence[TextCorpus]) -> None:
        """Note that the single texts of all corpora have different given names."""
        named = {c.table.ids[0]: c for c in corpora if c.named or not c.readings[0].whole}
        if len(named) < 2:
            return
        if len({corpus.path for corpus in named.values()}) < len(named):
            raise InputError(self._nothing(corpora))  # texts of one file, which names them
        (one, first), (other, second) = list(named.items())[:2]
        if self.missing == "error":
            raise _lacks(second, first, one)
        case = f"{one!r} of {first.path} and {other!r} of {second.path}"
        self._notes.append(Note("texts of different names, taken for one", 1, case))

    def _note_unread(self, corpora: Sequence[TextCorpus]) -> None:
        """Note unread files whose texts other corpora have."""
        for corpus in corpora:
            unread = corpus.unread() if corpus.aside else {}
            cases = [
                f"{path} is {description}"
                for name, (path, description) in unread.items()
                if any(name in other.table for other in corpora)
            ]
            if cases:
                kind = f"files of {corpus.path} that hold no text, not read"
                self._notes.append(Note(kind, len(cases), cases[0]))

    def _nothing(self, corpora: Sequence[TextCorpus]) -> str:
        first = corpora[0]
        lone = (c for c in corpora[1:] if not set(c.table.ids) & set(first.table.ids))
        other = next(lone, None)
        if other is None:
            paths = ", ".join(corpus.label for corpus in corpora)
            return f"no text is in all of {paths}; name the texts alike, or give fewer files"
        hint = ""
        ways = {reading.spelling for corpus in (first, other) for reading in corpus.readings}
        guessed = None in {self.reading.spelling, self.reference_spelling}
        if guessed and (len(ways) > 1 or "text" in ways):
            option = remedy("from", python="format=")
            hint = f"; {_spelt(first, other)}: give {option} where that is wrong"
        of_labels = any(r.whole and r.labels for c in (first, other) for r in c.readings)
        if of_labels and self.reading.texts is None:
            hint += f"; if a column has the names: {remedy('texts')}"
        hint += folders_hint(other.path, other.table.ids, first.table)
        return (
            f"no text of {first.label} has a partner of the same name in {other.label}: "
            f"{first.table.ids[0]!r} against {other.table.ids[0]!r}; name the texts alike, by ids "
            f"or by files{hint}"
        )


def _named_by_coder(
    inputs: Mapping[str, Mapping[str, TextCorpus]],
    others: Sequence[str],
    *,
    with_file: bool = False,
) -> list[tuple[str, TextCorpus]]:
    """Return the corpora of inputs by name: that of the coder where all differ, or with the input.

    Names also differ from `others`.
    """
    read = [(name, coder, c) for name, by_coder in inputs.items() for coder, c in by_coder.items()]
    short = [coder or name for name, coder, _ in read]
    if not with_file and len({*short, *others}) == len(short) + len(others):
        return [(name, corpus) for name, (_, _, corpus) in zip(short, read, strict=True)]
    return [(f"{name}:{coder}" if coder else name, corpus) for name, coder, corpus in read]


def _segments_of(tables: Sequence[Segmentations], cut: Sequence[Sequence[list[str]]]) -> str:
    """Return the kind of segments of texts: see `PairedTexts.versions`."""
    if any(len(table.masses) > len(table) for table in tables):
        return "paragraphs"
    rows = [(row[t], cut[0][t]) for row in cut[1:] for t in range(len(row))]
    same = all(
        len(one) == len(other) and all(map(_are_equal_units, one, other)) for one, other in rows
    )
    return "words" if same and any(one != other for one, other in rows) else "lines"


def bare_notes(tables: Sequence[Segmentations], names: Sequence[str]) -> list[Note]:
    """Return notes on texts with a boundary everywhere, or none anywhere, in two inputs."""
    sizes, notes = tables[0].sizes, []
    counts = [np.diff(table.ptr) for table in tables]
    for k in range(1, len(tables)):
        pair = f"{names[0]} and {names[k]}"
        single = (counts[0] == sizes) & (counts[k] == sizes)
        # Of two units alone this says something where it holds of all texts, and they are several.
        several = sizes > 1 if single.all() and len(sizes) > 1 else sizes >= _SEVERAL
        single &= several
        if single.any():
            kind = f"{pair}: texts of which every unit is a segment of its own"
            notes.append(Note(kind, int(single.sum()), repr(tables[0].ids[int(single.argmax())])))
        if (counts[0] == 1).all() and (counts[k] == 1).all() and (sizes > 1).any():
            kind = f"{pair}: texts without a boundary, and there are no others"
            notes.append(Note(kind, len(sizes), repr(tables[0].ids[0])))
    return notes


def _refuse_other_numbers(first: TextCorpus, other: TextCorpus) -> None:
    """Refuse texts that are numbered from 0 in one corpus and from 1 in the other."""
    for one, two in ((first, other), (other, first)):
        if are_shifted_by_one(one.table.ids, two.table.ids):
            raise InputError(
                f"{one.label} numbers its texts from 1, and {two.label} from 0: want the same "
                f"numbers or names of texts"
            )


def _refuse_other_lines(corpora: Sequence[TextCorpus]) -> None:
    """Refuse equal numbers of unnamed texts in different lines, as of uncounted empty lines.

    Raises `InputError` with the first text that is in different lines.
    """
    numbered = [corpus for corpus in corpora if _is_numbered(corpus)]
    for first, other in pairwise(numbered):
        ours, theirs = first.readings[0].lines, other.readings[0].lines
        if ours.size == theirs.size and (ours != theirs).any():
            k = int((ours != theirs).argmax())
            raise InputError(
                f"{other.path}: has text {k + 1} in line {theirs[k]}, and {first.path} in line "
                f"{ours[k]}, and both have {ours.size} texts without names: take empty lines out, "
                f"or put a name and a tab before each text"
            )


def _is_numbered(corpus: TextCorpus) -> bool:
    """Check whether line numbers name the texts of a single file."""
    if corpus.named or len(corpus.readings) != 1:
        return False
    reading = corpus.readings[0]
    return list(reading.table.ids) == list(map(str, reading.lines.tolist()))


def _every_text(corpora: Sequence[TextCorpus]) -> list[Ints]:
    """Return the indices of all texts in each corpus, -1 for a text that it lacks."""
    names = dict.fromkeys(name for corpus in corpora for name in corpus.table.ids)
    return [
        np.array([c.table.index(n) if n in c.table else -1 for n in names], dtype=np.int64)
        for c in corpora
    ]


def _lacks(corpus: TextCorpus, other: TextCorpus, name: str) -> InputError:
    path, description = corpus.unread().get(name, ("", ""))
    reason = f" ({path} is {description})" if description else ""
    return InputError(
        f"{corpus.path}: has no segmentation of {name!r}, which {other.path} has{reason}; add it, "
        f"or leave such texts out ({remedy('missing leave')})"
    )


def _spelt(first: TextCorpus, second: TextCorpus) -> str:
    """Describe the spellings in which two corpora were read."""
    ways = []
    for corpus in (first, second):
        names = dict.fromkeys(reading.spelling for reading in corpus.readings)
        ways.append(" and ".join(_UNITS.get(name, name) for name in names))
    return f"{first.path} was read as {ways[0]}, {second.path} as {ways[1]}"


_UNITS = {"text": "text, one unit a line", "labels": "labels, one unit a line"}


def _collected(roles: Sequence[str], corpora: Sequence[TextCorpus]) -> tuple[Note, ...]:
    """Add up the notes of each role, by kind.

    The note on the number of units in bits is dropped if another spelling confirms the number.
    """
    certain = any(r.spelling not in BIT_FORMS for corpus in corpora for r in corpus.readings)
    notes: dict[str, Note] = {}
    of_coders: set[tuple[str, Note]] = set()  # of files of several coders, which may be read twice
    for role, corpus in zip(roles, corpora, strict=True):
        for note in corpus.table.notes:
            if certain and note.kind.startswith(SIGNS_TAKEN):
                continue
            if corpus.coder and (corpus.path, note) in of_coders:
                continue
            of_coders.add((corpus.path, note))
            kind = f"{corpus.path if corpus.coder else role}: {note.kind}"
            known = notes.get(kind)
            count, first = (known.count, known.first) if known else (0, note.first)
            notes[kind] = replace(note, kind=kind, count=count + note.count, first=first)
    return tuple(notes.values())


def _check_units(corpora: Sequence[TextCorpus], chosen: Sequence[Ints]) -> list[Note]:
    """Refuse texts whose units differ in more than white space, where several inputs have them.

    Units that objects of JSON list beside a segmentation may differ, and are noted.
    """
    known: dict[int, _Placed] = {}  # the first input with the units of each text
    apart: list[str] = []
    for corpus, texts in zip(corpora, chosen, strict=True):
        if not any(reading.units for reading in corpus.readings):
            continue
        for t, index in enumerate(texts.tolist()):
            units = corpus.units(index) if index >= 0 else None
            if units is not None:
                reading, k = corpus.place(index)
                bare = int(reading.table.ptr[k + 1] - reading.table.ptr[k]) == 1
                words = reading.spelling in TRANSCRIPTS
                noun = _NOUNS.get(reading.spelling, "lines")
                placed = _Placed(reading.path, units, bare, words, noun)
                first = known.setdefault(t, placed)
                if first.units.text != units.text:
                    name = _text_name(corpora, chosen, t)
                    if "items" not in {first.noun, placed.noun}:
                        _check_text(first, placed, f"text {name!r}")
                    elif differing := _differing(first, placed):
                        apart.append(f"{name!r}: {differing}")
                if first.noun == "items":
                    known[t] = placed  # units of a text are more strictly those of others
    return [Note("texts whose units differ between files", len(apart), apart[0])] if apart else []


_NOUNS = {**dict.fromkeys(DISCOURSE, "words"), DOCUMENT: "sentences", "jsonl": "items"}


def _differing(first: _Placed, second: _Placed) -> str:
    """Return the first two units of two texts that differ in more than white space; or nothing."""
    pairs = zip(first.units.text.split("\n"), second.units.text.split("\n"), strict=False)
    differing = (f"{a!r:.40} and {b!r:.40}" for a, b in pairs if not _are_equal_units(a, b))
    return next(differing, "")


class _Placed(NamedTuple):
    """The units of a text in a file, and whether they are one segment."""

    path: str
    units: Units
    bare: bool
    words: bool = False  # of a transcript
    noun: str = "lines"  # of the units

    def at(self, unit: int) -> str:
        """Return the place of a unit in its file: its line, or its block in a document."""
        place = "block" if self.noun == "sentences" else "line"
        return f"{place} {self.units.lines[unit]}"


def _check_text(first: _Placed, second: _Placed, name: str) -> None:
    noun = first.noun if first.noun == "sentences" else second.noun
    otherwise = _over_characters(f"where {noun} are cut otherwise")
    if first.words and second.words:
        way = remedy("from text", "units words", python="format='text', units='words'")
        otherwise = f", or {way} where a few words differ"
    ours, theirs = (units.text.split("\n") for units in (first.units, second.units))
    pairs = zip(ours, theirs, strict=False)
    wrong = next((u for u, (a, b) in enumerate(pairs) if not _are_equal_units(a, b)), None)
    if wrong is not None:
        ways = ""
        if len(ours) == len(theirs):
            any_units = remedy("any-units", python="any_units=True")
            names = first.bare or second.bare or may_be_names(ours)
            labels = remedy("from labels", python="format='labels'")
            ways = f", or {any_units}" + f", or {labels} where lines are labels of units" * names
        is_document = second.noun == "sentences"
        place = f"{second.at(wrong)} " if is_document else ""
        if normalize("NFC", ours[wrong]) == normalize("NFC", theirs[wrong]):
            ways = ", in letters composed alike (one is in NFD: uconv -x nfc makes NFC of it)"
            otherwise = ""
        elif rule := next(filter(is_rule, (ours[wrong], theirs[wrong])), ""):
            ways = f", or {remedy('from rules')} where {rule!r:.20} is a boundary"
            otherwise = ""
        elif border := next(filter(is_border, (ours[wrong], theirs[wrong])), ""):
            ways = f", or empty lines in place of {border!r:.40} where it is a boundary"
            otherwise = ""
        raise FormatError(
            f"{place}has the unit {theirs[wrong]!r:.60} where {first.path} {first.at(wrong)} has "
            f"{ours[wrong]!r:.60}: want the same units, white space apart{ways}{otherwise}",
            path=second.path,
            line=None if is_document else int(second.units.lines[wrong]),
        )
    if len(ours) == len(theirs):
        if first.bare and second.bare:
            # Neither text has a separator: blanks are the likely boundaries.
            apart = next(u for u, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b)
            raise FormatError(
                f"has no separator and {theirs[apart]!r:.60} where {first.path} "
                f"{first.at(apart)} has {ours[apart]!r:.60}, which differ in blanks: want "
                f"texts with separators, or {remedy('any-units', python='any_units=True')}"
                f"{_over_characters('where blanks are boundaries')}",
                path=second.path,
                line=int(second.units.lines[apart]),
            )
        return
    end = min(len(ours), len(theirs))
    cut = len(theirs) < len(ours)
    unit, line = (ours[end], first.at(end)) if cut else (theirs[end], None)
    place = second.at(end - 1 if cut else end)
    flaw = f"{unit!r:.60} is the first unit more"
    flaw = f"it breaks off before {unit!r:.60} ({first.path} {line})" if cut else flaw
    raise InputError(
        f"{second.path} {place}: {name} has {many(len(theirs), 'unit')}, and {len(ours)} in "
        f"{first.path}: {flaw}; want the same units{otherwise}"
    )


def _over_characters(where: str) -> str:
    """Word the advice to use the characters of texts as units."""
    way = remedy("units characters")
    return f", or {way} {where}"


def _are_equal_units(a: str, b: str) -> bool:
    return a == b or "".join(a.split()) == "".join(b.split())


def _check_sizes(gold: TextCorpus, golds: Ints, hyp: TextCorpus, hyps: Ints) -> None:
    """Refuse texts of unequal numbers of units; suggest a spelling that would fit."""
    wanted, sizes = gold.table.sizes[golds], hyp.table.sizes[hyps]
    wrong = np.flatnonzero(wanted != sizes)
    if not wrong.size:
        return
    k = int(wrong[0])
    (first, t), (second, u) = gold.place(int(golds[k])), hyp.place(int(hyps[k]))
    ways = [
        f"; {reading.path} fits as {other}"
        for corpus, texts, reading, size in (
            (hyp, hyps, second, wanted),
            (gold, golds, first, sizes),
        )
        if (other := _fitting(corpus, texts, reading, size))
    ]
    spellings = {first.spelling, second.spelling}
    ends = _last(gold.table)[golds]
    if spellings == {"masses"} and ends.all() and (ends == _last(hyp.table)[hyps]).all():
        ways = ["; both fit as positions"]
    if not ways and "text" in spellings and len(spellings) > 1:
        ways = [f"; {_spelt(gold, hyp)}"]
    options = remedy("from", "ref-from", python="format=, ref_from=")
    hint = "".join(ways) + (f" ({options})" if ways else "")
    if spellings == {"textgrid"}:
        hint = f", of recordings of one length or over the same words ({remedy('time-units')})"
    elif spellings == {"positions"}:
        hint = "; the last position is the number of units"
    name, units = gold.table.ids[int(golds[k])], many(int(sizes[k]), "unit")
    raise InputError(
        f"{second.where(u)}: text {name!r} has {units}, and {wanted[k]:,} in "
        f"{first.where(t)}: want segmentations of the same units{hint}"
    )


def _fitting(corpus: TextCorpus, texts: Ints, reading: Reading, size: Ints) -> str:
    """Return the spelling in which the texts would have the other numbers of units, or empty."""
    more = corpus.table.sizes[texts] - size
    if reading.spelling == "masses" and (_last(corpus.table)[texts] == size).all():
        return "positions"
    if reading.spelling == "positions" and (more < 0).all():
        return "masses"
    if reading.spelling == "bits" and (more == 1).all():
        return "bits-final" if reading.closed else "begin-bits or end-bits"
    return "bits" if reading.spelling in BIT_FORMS[1:] and (more == -1).all() else ""


def _last(table: Segmentations) -> Ints:
    """Return the last mass of each text, 0 if its masses do not rise as positions would."""
    falls = np.append(0, np.cumsum(np.append(np.diff(table.masses), 1) <= 0))
    inside = falls[table.ptr[1:] - 1] - falls[table.ptr[:-1]]
    return np.where(inside == 0, table.masses[table.ptr[1:] - 1], 0)


def _text_name(corpora: Sequence[TextCorpus], chosen: Sequence[Ints], t: int) -> str:
    places = zip(corpora, (int(texts[t]) for texts in chosen), strict=True)
    return next(corpus.table.ids[index] for corpus, index in places if index >= 0)
