"""References and hypotheses put together: the segmentations of the same texts, checked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from bitext.errors import FormatError, InputError
from bitext.formats.pairing import Unpaired
from bitext.formats.segmentations import OF_LABELS, SIGNS_TAKEN, TextCorpus, read_corpus
from bitext.model.bitext import Note
from bitext.model.segmentation import BIT_FORMS
from bitext.remedies import remedy, renamed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from bitext.formats.corpus import Entry
    from bitext.formats.segmentation_reading import Reading
    from bitext.model.segmentations import Segmentations

__all__ = ["PairedTexts", "SegmentPairing"]

_SEVERAL = 3  # units of which each being a segment of its own is remarkable


@dataclass(frozen=True, slots=True)
class PairedTexts:
    """The texts that all have, in the order of the first reference, and what was odd.

    Attributes
    ----------
    references, hyps : tuple of Segmentations
        Of each reference and of each system, of the same texts under the same names.
    unpaired : tuple of Unpaired
        The texts that were left out.
    notes : tuple of Note
        By role and kind.
    inputs : tuple of TextCorpus
        What was read: the references, then the systems.
    chosen : tuple of arrays of int64
        Which texts of each input these are.

    """

    references: tuple[Segmentations, ...]
    hyps: tuple[Segmentations, ...]
    unpaired: tuple[Unpaired, ...]
    notes: tuple[Note, ...]
    inputs: tuple[TextCorpus, ...]
    chosen: tuple[NDArray[np.int64], ...]

    def units(self) -> dict[int, list[str]]:
        """Return the units of the texts whose characters an input holds: of the first that does."""
        found: dict[int, list[str]] = {}
        for corpus, texts in zip(self.inputs, self.chosen, strict=True):
            for t, index in enumerate(texts.tolist()):
                units = corpus.place(index)[0].units
                if units is not None and t not in found:
                    found[t] = units.text.split("\n")
        return found


@dataclass(slots=True, kw_only=True)
class SegmentPairing:
    """References and systems, paired text by text by the names of the texts.

    Two corpora of one text each are paired whatever its names; different ones are noted.

    Attributes
    ----------
    references, systems : mapping of str to str
        The file, folder or manifest of each.
    reference_spelling, spelling : str or None
        How references and systems are written; `None`: told by the contents.
    encoding : str
        Of files that have no byte order mark.
    column : str or None
        Which column of files of labels has the labels, as of `read_segmentations`.
    any_units : bool
        Whether the units of two texts may differ in their characters.
    missing : {"leave", "error"}
        What to do with a text that some lack, or that is named otherwise: leave it out for all
        (one text each is paired), or refuse.
    watch : callable
        Passes the files on one by one, to tell how far reading is.

    """

    references: dict[str, str]
    systems: dict[str, str]
    reference_spelling: str | None = None
    spelling: str | None = None
    encoding: str = "utf-8"
    column: str | None = None
    any_units: bool = False
    missing: Literal["leave", "error"] = "leave"
    watch: Callable[[list[Entry]], Iterable[Entry]] = iter
    _unpaired: list[Unpaired] = field(default_factory=list)
    _notes: list[Note] = field(default_factory=list)

    def read(self) -> PairedTexts:
        """Read all files, and check that all segmentations of a text are of the same units.

        Raises
        ------
        FormatError
            When a file is not what it should be, or units differ; with the line.
        InputError
            When a file cannot be read, numbers of units differ, or nothing can be paired.

        """
        with renamed("from", python="reference_spelling="):
            paths = self.references.values()
            corpora = [self._corpus(path, self.reference_spelling) for path in paths]
        with renamed("from", python="spelling="):
            corpora += [self._corpus(path, self.spelling) for path in self.systems.values()]
        chosen = self._chosen(corpora)
        if not self.any_units:
            _check_units(corpora, chosen)
        for k in range(1, len(corpora)):
            _check_sizes(corpora[0], chosen[0], corpora[k], chosen[k])
        tables = tuple(
            corpus.table if _is_all(texts, corpus) else corpus.table.take(texts)
            for corpus, texts in zip(corpora, chosen, strict=True)
        )
        count = len(self.references)
        names = ["reference"] if count == 1 else list(self.references)
        notes = _collected([*names, *self.systems], corpora)
        self._note_readings(corpora)
        self._note_bare(tables, [*names, *self.systems])
        return PairedTexts(
            references=tables[:count],
            hyps=tables[count:],
            unpaired=tuple(self._unpaired),
            notes=(*notes, *self._notes),
            inputs=tuple(corpora),
            chosen=tuple(chosen),
        )

    def _corpus(self, path: str, spelling: str | None) -> TextCorpus:
        column = self.column if spelling in {None, *OF_LABELS} else None
        return read_corpus(
            path, spelling=spelling, encoding=self.encoding, column=column, watch=self.watch
        )

    def _note_readings(self, corpora: Sequence[TextCorpus]) -> None:
        """Note labels that were read in two ways, where nobody said so."""
        ways: dict[str, TextCorpus] = {}
        for corpus in corpora:
            for reading in corpus.readings:
                ways.setdefault(reading.spelling, corpus)
        guessed = None in {self.spelling, self.reference_spelling}
        if guessed and "bio" in ways and "labels" in ways:
            told = f"{ways['bio'].path} as bio, {ways['labels'].path} as labels"
            options = remedy("from", "ref-from", python="spelling=, reference_spelling=")
            self._notes.append(Note(f"labels read in two ways ({options})", 1, told))

    def _note_bare(self, tables: Sequence[Segmentations], names: Sequence[str]) -> None:
        """Note that both sides have a boundary everywhere in a text, or none in any text."""
        sizes, several = tables[0].sizes, tables[0].sizes >= _SEVERAL
        counts = [np.diff(table.ptr) for table in tables]
        whole = [bool((count == 1).all()) for count in counts]
        for k in range(1, len(tables)):
            single = np.flatnonzero(several & (counts[0] == sizes) & (counts[k] == sizes))
            if single.size:
                kind = (
                    f"{names[0]} and {names[k]}: texts of which every unit is a segment of its own"
                )
                self._notes.append(Note(kind, single.size, repr(tables[0].ids[int(single[0])])))
            if whole[0] and whole[k] and (sizes > 1).any():
                kind = (
                    f"{names[0]} and {names[k]}: texts without a boundary, and there are no others"
                )
                self._notes.append(Note(kind, len(sizes), repr(tables[0].ids[0])))

    def _chosen(self, corpora: Sequence[TextCorpus]) -> list[NDArray[np.int64]]:
        """Return the indices, in each corpus, of the texts that all have."""
        self._unpaired.clear()
        self._notes.clear()
        first, *others = (corpus.table for corpus in corpora)
        if all(len(table) == 1 for table in (first, *others)):
            self._take_for_one(corpora)
            return [np.zeros(1, dtype=np.int64) for _ in corpora]
        if all(list(table.ids) == list(first.ids) for table in others):
            return [np.arange(len(first)) for _ in corpora]
        common = set(first.ids).intersection(*(table.ids for table in others))
        self._note_unread(corpora)
        for corpus in corpora[1:]:
            lacking = [name for name in first.ids if name not in corpus.table]
            extra = [name for name in corpus.table.ids if name not in first]
            if self.missing == "error":
                if lacking:
                    raise _lacks(corpus, corpora[0], lacking[0])
                if extra:
                    raise _lacks(corpora[0], corpus, extra[0])
            self._unpaired += [Unpaired(name, corpus.path, extra=False) for name in lacking]
            self._unpaired += [Unpaired(name, corpus.path, extra=True) for name in extra]
        if not common:
            raise InputError(self._nothing(corpora))
        names = [name for name in first.ids if name in common]
        return [
            np.array([corpus.table.index(name) for name in names], dtype=np.int64)
            for corpus in corpora
        ]

    def _take_for_one(self, corpora: Sequence[TextCorpus]) -> None:
        """Note that the only texts of all have different names, where these were given."""
        named = {c.table.ids[0]: c for c in corpora if c.named or not c.readings[0].whole}
        if len(named) < 2:
            return
        (one, first), (other, second) = list(named.items())[:2]
        if self.missing == "error":
            raise _lacks(second, first, one)
        told = f"{one!r} of {first.path} and {other!r} of {second.path}"
        self._notes.append(Note("texts of different names, taken for one", 1, told))

    def _note_unread(self, corpora: Sequence[TextCorpus]) -> None:
        """Note the files that were not read, of texts that others have."""
        for corpus in corpora:
            unread = corpus.unread() if corpus.aside else {}
            told = [
                f"{path} is {what}"
                for name, (path, what) in unread.items()
                if any(name in other.table for other in corpora)
            ]
            if told:
                kind = f"files of {corpus.path} that hold no text, not read"
                self._notes.append(Note(kind, len(told), told[0]))

    def _nothing(self, corpora: Sequence[TextCorpus]) -> str:
        first = corpora[0]
        lone = (c for c in corpora[1:] if not set(c.table.ids) & set(first.table.ids))
        other = next(lone, None)
        if other is None:
            paths = ", ".join(corpus.path for corpus in corpora)
            return f"no text is in all of {paths}; name the texts alike, or give fewer files"
        told = ""
        ways = {reading.spelling for corpus in (first, other) for reading in corpus.readings}
        guessed = None in {self.spelling, self.reference_spelling}
        if guessed and (len(ways) > 1 or "text" in ways):
            option = remedy("from", python="spelling=")
            told = f"; {_spelt(first, other)}: give {option} where that is wrong"
        return (
            f"no text of {first.path} has a partner of the same name in {other.path}: "
            f"{first.table.ids[0]!r} against {other.table.ids[0]!r}; name the texts alike, by ids "
            f"or by files{told}"
        )


def _lacks(corpus: TextCorpus, other: TextCorpus, name: str) -> InputError:
    path, what = corpus.unread().get(name, ("", ""))
    why = f" ({path} is {what})" if what else ""
    return InputError(
        f"{corpus.path}: has no segmentation of {name!r}, which {other.path} has{why}; add it, or "
        f"leave such texts out ({remedy('missing leave')})"
    )


def _spelt(first: TextCorpus, second: TextCorpus) -> str:
    """Tell in what spelling two corpora were read."""
    ways = []
    for corpus in (first, second):
        names = dict.fromkeys(reading.spelling for reading in corpus.readings)
        ways.append(" and ".join(_UNITS.get(name, name) for name in names))
    return f"{first.path} was read as {ways[0]}, {second.path} as {ways[1]}"


_UNITS = {"text": "text, one unit a line", "labels": "labels, one unit a line"}


def _is_all(texts: NDArray[np.int64], corpus: TextCorpus) -> bool:
    return texts.size == len(corpus.table) and bool((texts == np.arange(texts.size)).all())


def _collected(roles: Sequence[str], corpora: Sequence[TextCorpus]) -> tuple[Note, ...]:
    """Add up the notes of each role, by kind.

    How many units signs say is no question where others say it, too: the numbers are the same.
    """
    certain = any(r.spelling not in BIT_FORMS for corpus in corpora for r in corpus.readings)
    notes: dict[str, Note] = {}
    for role, corpus in zip(roles, corpora, strict=True):
        for note in corpus.table.notes:
            if certain and note.kind.startswith(SIGNS_TAKEN):
                continue
            kind = f"{role}: {note.kind}"
            known = notes.get(kind)
            count, first = (known.count, known.first) if known else (0, note.first)
            notes[kind] = replace(note, kind=kind, count=count + note.count, first=first)
    return tuple(notes.values())


def _check_units(corpora: Sequence[TextCorpus], chosen: Sequence[NDArray[np.int64]]) -> None:
    """Refuse texts whose units differ in more than white space, where two or more hold them."""
    known: dict[int, Reading] = {}  # of each text, the first that holds its units
    for corpus, texts in zip(corpora, chosen, strict=True):
        if not any(reading.units for reading in corpus.readings):
            continue
        for t, index in enumerate(texts.tolist()):
            reading, _ = corpus.place(index)
            if reading.units is not None:
                name = _text_of(corpora[0], chosen[0], t)
                _check_text(known.setdefault(t, reading), reading, name)


def _check_text(first: Reading, second: Reading, name: str) -> None:
    if first.units is None or second.units is None or first.units.text == second.units.text:
        return
    ours, theirs = (units.text.split("\n") for units in (first.units, second.units))
    pairs = zip(ours, theirs, strict=False)
    wrong = next((u for u, (a, b) in enumerate(pairs) if not _alike(a, b)), None)
    if wrong is not None:
        any_units = remedy("any-units", python="any_units=True")
        raise FormatError(
            f"has the unit {theirs[wrong]!r:.60} where {first.path} line "
            f"{first.units.lines[wrong]} has {ours[wrong]!r:.60}: want the same units, white space "
            f"apart, or {any_units}{_as_labels(first, second)}",
            path=second.path,
            line=int(second.units.lines[wrong]),
        )
    if len(ours) == len(theirs):
        return
    end = min(len(ours), len(theirs))
    cut = len(theirs) < len(ours)
    unit, line = (ours[end], first.units.lines[end]) if cut else (theirs[end], None)
    place = second.units.lines[end - 1 if cut else end]
    odd = (
        f"it breaks off before {unit!r:.60} ({first.path} line {line})"
        if cut
        else f"{unit!r:.60} is the first unit more"
    )
    raise InputError(
        f"{second.path} line {place}: {name} has {len(theirs)} units, and {len(ours)} in "
        f"{first.path}: {odd}; want the same units"
    )


def _as_labels(*readings: Reading) -> str:
    """Return what else to ask for where texts have no boundary: units may be labels."""
    bare = any(len(reading.table.masses) == 1 for reading in readings)
    labels = remedy("from labels", python="spelling='labels'")
    return f", or {labels} where lines are no units but their labels" if bare else ""


def _alike(a: str, b: str) -> bool:
    return a == b or "".join(a.split()) == "".join(b.split())


def _check_sizes(
    gold: TextCorpus,
    golds: NDArray[np.int64],
    hyp: TextCorpus,
    hyps: NDArray[np.int64],
) -> None:
    """Refuse texts of unequal numbers of units, and say which other spelling would fit."""
    wanted, found = gold.table.sizes[golds], hyp.table.sizes[hyps]
    wrong = np.flatnonzero(wanted != found)
    if not wrong.size:
        return
    k = int(wrong[0])
    (first, t), (second, u) = gold.place(int(golds[k])), hyp.place(int(hyps[k]))
    ways = [
        f"; {reading.path} fits as {other}"
        for corpus, texts, reading, size in (
            (hyp, hyps, second, wanted),
            (gold, golds, first, found),
        )
        if (other := _fitting(corpus, texts, reading, size))
    ]
    spellings = {first.spelling, second.spelling}
    ends = _last(gold.table)[golds]
    if spellings == {"masses"} and ends.all() and (ends == _last(hyp.table)[hyps]).all():
        ways = ["; both fit as positions"]
    if not ways and "text" in spellings and len(spellings) > 1:
        ways = [f"; {_spelt(gold, hyp)}"]
    options = remedy("from", "ref-from", python="spelling=, reference_spelling=")
    hint = "".join(ways) + (f" ({options})" if ways else "")
    raise InputError(
        f"{second.path} line {second.lines[u]}: {_text_of(gold, golds, k)} has {found[k]} units, "
        f"and {wanted[k]} in {first.path} line {first.lines[t]}: want segmentations of the same "
        f"units{hint}"
    )


def _fitting(
    corpus: TextCorpus, texts: NDArray[np.int64], reading: Reading, size: NDArray[np.int64]
) -> str:
    """Return the spelling in which the texts would have so many units, if any."""
    more = corpus.table.sizes[texts] - size
    if reading.spelling == "masses" and (_last(corpus.table)[texts] == size).all():
        return "positions"
    if reading.spelling == "positions" and (more < 0).all():
        return "masses"
    if reading.spelling == "bits" and (more == 1).all():
        return "bits-final" if reading.closed else "begin-bits or end-bits"
    return "bits" if reading.spelling in BIT_FORMS[1:] and (more == -1).all() else ""


def _last(table: Segmentations) -> NDArray[np.int64]:
    """Return the last mass of each text, 0 where masses do not rise, as positions do."""
    falls = np.append(0, np.cumsum(np.append(np.diff(table.masses), 1) <= 0))
    inside = falls[table.ptr[1:] - 1] - falls[table.ptr[:-1]]
    return np.where(inside == 0, table.masses[table.ptr[1:] - 1], 0)


def _text_of(corpus: TextCorpus, texts: NDArray[np.int64], k: int) -> str:
    return f"text {corpus.table.ids[int(texts[k])]!r}"
