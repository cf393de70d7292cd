"""Pairing the files of gold standards and systems by text, and reading them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from bitext.errors import InputError, few, masked, remedy, renamed
from bitext.formats.corpora import (
    Corpus,
    Entry,
    find_text,
    folders_hint,
    glob_notes,
    open_corpus,
    order_notes,
    refuse_lone_text,
    refuse_other_numbers,
)
from bitext.formats.io.source import Notes
from bitext.formats.positions import check_coverage
from bitext.formats.reading import FileOptions, opened
from bitext.formats.registry import by_name
from bitext.kernels.arrays import (
    Rows,
    concatenate,
    distinct,
    identify,
    prefix,
    repeated,
    row_of,
    take,
)
from bitext.model import Alignment, Bisegment, Bitext, Note, Text
from bitext.model.languages import is_language
from bitext.model.word_links import COLUMN
from bitext.paths import is_same_document

if TYPE_CHECKING:
    from bitext.formats.convert.filters import Where

    # A name, the file of the gold standard, and those of the systems; `None` if one has none.
    Files = tuple[str, Entry, list[Entry | None]]


@dataclass(frozen=True, slots=True)
class TextSet:
    """One text: the gold standard, and the alignment of each system in their order."""

    name: str
    gold: Bitext
    hyps: tuple[Bitext, ...]


@dataclass(frozen=True, slots=True)
class Unpaired:
    """A text that the gold standard or a system lacks."""

    name: str  # the text
    where: str  # the corpus that lacks it
    extra: bool  # whether only a system has the text, so that it cannot be scored

    def to_json(self) -> dict[str, object]:
        """Return the members of the JSON document."""
        return {"text": self.name, "where": masked(self.where), "extra": self.extra}


@dataclass(slots=True, kw_only=True)
class Pairing:
    """A gold standard and systems, paired text by text by their names.

    Single files are paired whatever their names. Files that hold several document pairs are
    paired by the names of the documents.
    """

    gold: str  # a file, a folder or a manifest; or the name of a gold standard in `memory`
    systems: dict[str, str]  # the file, folder or manifest of each system, likewise
    # The bitexts, with different names, of a gold standard or systems that are not in files.
    memory: Mapping[str, tuple[Bitext, ...]] = field(default_factory=dict)
    # `src`, `tgt`: the texts of the gold standard: a file, a folder, or a pattern with `{name}`.
    src: str | None = None
    tgt: str | None = None
    # `hyp_src`, `hyp_tgt`: the texts of the systems, where these have texts of their own; also with
    # `{system}`.
    hyp_src: str | None = None
    hyp_tgt: str | None = None
    # `gold_format`, `hyp_format`: names of formats; `None`: detected from the contents.
    gold_format: str | None = None
    hyp_format: str | None = None
    # The names of the formats of single systems, which win over `hyp_format`.
    formats: Mapping[str, str] = field(default_factory=dict)
    # How all files are read; `where` applies to the gold standard and the systems, and leaves files
    # without its columns as they are.
    reading: FileOptions = field(default_factory=FileOptions)
    swapped: frozenset[str] = frozenset()  # the systems whose source and target are to be exchanged
    # Treatment of a gold text that a system lacks: leave it out for all systems, score an empty
    # alignment, or raise an error.
    missing: Literal["leave", "empty", "error"] = "leave"
    partial: bool = False  # whether the gold standard may stop long before the end of its texts
    # The numbers that word links of systems, and of `gold`, count from, 0 or 1, where given.
    bases: Mapping[str, int] = field(default_factory=dict)
    unpaired: list[Unpaired] = field(default_factory=list)
    _corpora: tuple[Corpus, dict[str, Corpus]] | None = None

    def corpora(self) -> tuple[Corpus, dict[str, Corpus]]:
        """Return the corpora of the gold standard and of the systems; found only once."""
        if self._corpora is None:
            formats = (self.formats.get(system, self.hyp_format) for system in self.systems)
            given = (
                (self.gold, self.gold_format),
                *zip(self.systems.values(), formats, strict=True),
            )
            gold, *hyps = [self._open(path, name) for path, name in given]
            # Bitexts in memory are the contents of one file, or of a file each beside other files.
            if any(len(corpus.entries) > 1 for corpus in (gold, *hyps)):
                gold, *hyps = map(_taken_apart, (gold, *hyps))
            # A file left aside may be an alignment, if another corpus has one of the same text.
            files: dict[str, set[str]] = {}
            for corpus in (gold, *hyps):
                for name, entry in corpus.entries.items():
                    files.setdefault(name, set()).add(entry.file)
            gold, *hyps = (corpus.taking(files) for corpus in (gold, *hyps))
            self._refuse_lone_texts(gold, hyps)
            if len(gold.entries) > 1 or any(len(hyp.entries) > 1 for hyp in hyps):
                hyps = [paired_by_stems(gold, hyp) for hyp in hyps]
            for system, hyp in zip(self.systems, hyps, strict=True):
                if min(len(gold.entries), len(hyp.entries)) > 1:  # one file may have many texts
                    refuse_other_numbers(f"system {system}", hyp.entries, gold.entries)
            self._corpora = gold, dict(zip(self.systems, hyps, strict=True))
        return self._corpora

    def _open(self, path: str, known: str | None) -> Corpus:
        """Return the corpus of a path, in the format of a name, or the one in memory."""
        bitexts = self.memory.get(path)
        if bitexts is None:
            limits = self.reading.limits
            return open_corpus(path, known=by_name(known) if known else None, limits=limits)
        name = bitexts[0].name if len(bitexts) == 1 else path
        return Corpus(path, "memory", {name: Entry(name, path, bitexts=bitexts)})

    def _refuse_lone_texts(self, gold: Corpus, hyps: Sequence[Corpus]) -> None:
        for option, value in (("src", self.src), ("tgt", self.tgt)):
            refuse_lone_text(gold, value, option=option)
        for option, value in (("hyp-src", self.hyp_src), ("hyp-tgt", self.hyp_tgt)):
            for system, hyp in zip(self.systems, hyps, strict=True):
                refuse_lone_text(hyp, _filled(value, system), option=option)

    def __len__(self) -> int:
        return len(self.corpora()[0].entries)

    def __iter__(self) -> Iterator[TextSet]:
        """Read text by text; list unpaired texts in `unpaired`.

        Raises `InputError` when a file cannot be read, or no text can be paired, and `FormatError`
        when a file is malformed.
        """
        self.unpaired.clear()
        paired = 0
        for files in self.files():
            for text_set in self._entry(*files):
                paired += 1
                yield text_set
        self.unpaired += self.extra()
        if not paired:
            raise InputError(self._nothing(*self.corpora()))

    def files(self) -> Iterator[Files]:
        """Yield the files of the gold standard by name, each with those of the systems."""
        gold, systems = self.corpora()
        alone = len(gold.entries) == 1
        for name, entry in gold.entries.items():
            partners = [corpus.entries.get(name) for corpus in systems.values()]
            for k, corpus in enumerate(systems.values() if alone else ()):
                if len(corpus.entries) == 1:  # whatever its name
                    partners[k] = next(iter(corpus.entries.values()))
            yield name, entry, partners

    def texts(self, skipped: Container[int] = ()) -> Iterator[TextSet]:
        """Read text by text, without the files whose numbers are skipped."""
        for number, files in enumerate(self.files()):
            if number not in skipped:
                yield from self._entry(*files)

    def read(self, files: Files) -> list[TextSet]:
        """Return the texts of the files of one name; set `unpaired` to theirs alone."""
        self.unpaired.clear()
        return list(self._entry(*files))

    def extra(self) -> list[Unpaired]:
        """Return the texts of systems for which the gold standard has no file."""
        gold, systems = self.corpora()
        alone = len(gold.entries) == 1
        return [
            Unpaired(name, self.systems[system], extra=True)
            for system, corpus in systems.items()
            if not (alone and len(corpus.entries) == 1)
            for name in corpus.entries
            if name not in gold.entries
        ]

    def aside(self) -> dict[str, Sequence[str]]:
        """Return the files of folders that hold no alignment, by folder."""
        gold, systems = self.corpora()
        return {corpus.path: corpus.aside for corpus in (gold, *systems.values())}

    def assumptions(self) -> list[str]:
        """Return the notes on folders and manifests."""
        gold, systems = self.corpora()
        notes = [note for corpus in (gold, *systems.values()) for note in corpus.assumptions]
        if own := self._own_files():
            notes.append(str(Note("files scored against themselves", len(own), own[0])))
        given = self.gold, list(self.systems.values())
        return notes + glob_notes(*given) + order_notes(*given)

    def _own_files(self) -> list[str]:
        """Return files of the gold standard in the folders and manifests of systems.

        A file or folder that is named as both is meant.
        """
        gold = Path(self.gold).absolute()
        return [
            partner.path
            for _, entry, partners in self.files()
            for path, partner in zip(self.systems.values(), partners, strict=True)
            if partner is not None
            and not {self.gold, path} & self.memory.keys()
            and Path(path).absolute() != gold
            and Path(partner.path).absolute() == Path(entry.path).absolute()
        ]

    def unread(self) -> Pairing:
        """Return a pairing of the same files, read the same way, whose folders are not listed."""
        return replace(self, unpaired=[], _corpora=None)

    def _nothing(self, gold: Corpus, systems: dict[str, Corpus]) -> str:
        own = [u.name for u in self.unpaired if not u.extra] or list(gold.entries)
        other = next(iter(systems.values()))
        theirs = [u.name for u in self.unpaired if u.extra] or list(other.entries)
        if own[0] == theirs[0]:  # a document and a file
            own = list(gold.entries)
        return (
            f"no text of {gold.path} has a partner of the same name in {other.path}: "
            f"{own[0]!r} against {theirs[0]!r}; name the files alike, or pair them in manifests"
            f"{join_hint([gold, other])}"
            f"{folders_hint(other.path, theirs, gold.entries)}"
        )

    def _entry(self, name: str, entry: Entry, partners: list[Entry | None]) -> Iterator[TextSet]:
        """Read the files of one name, each of which may hold several document pairs."""
        where = self.reading.conditions(each=False, whole=True)
        golds = list(self._read_gold(name, entry, where))
        for gold in golds:
            self._refuse_alone(gold)
        held: list[dict[str, Bitext]] = []
        for system, partner in zip(self.systems, partners, strict=True):
            over = golds[0] if len(golds) == 1 else None
            read = self._read_hyp(system, partner, over, where, of_gold=entry) if partner else ()
            hyps = list(read)
            if len(golds) == len(hyps) == 1:
                held.append({golds[0].name: hyps[0]})
                continue
            hyps = self._named_by_documents(golds, hyps, system)
            held.append({hyp.name: hyp for hyp in hyps})
            known = {gold.name for gold in golds}
            _refuse_repeated(golds, held[-1], entry.path)
            _refuse_repeated(hyps, known, self.systems[system])
            if min(len(golds), len(hyps)) > 1:
                refuse_other_numbers(f"system {system}", [*held[-1]], known)
            self.unpaired += [
                Unpaired(hyp.name, self.systems[system], extra=True)
                for hyp in hyps
                if hyp.name not in known
            ]
        if where is not None and golds:
            # The note is on the first alignment that has the columns, whose values it shows.
            own = {golds[0].name: golds[0]}
            places = [(family, name) for family in (own, *held) for name in family]
            has_columns = (place for place in places if not where.lacking(place[0][place[1]]))
            family, name = next(has_columns, places[0])
            notes = Notes()
            where.check(family[name].meta.get("path") or entry.path, notes)
            family[name] = replace(family[name], notes=(*family[name].notes, *notes))
            golds[0] = own[golds[0].name]
        for gold in golds:
            bitexts = [hyps.get(gold.name) for hyps in held]
            if complete := self._complete(gold, bitexts):
                yield TextSet(gold.name, _with_repeats_noted(gold, self.gold), complete)

    def _complete(self, gold: Bitext, bitexts: list[Bitext | None]) -> tuple[Bitext, ...]:
        """Return the alignment of every system, or an empty tuple to leave the text out."""
        whole: list[Bitext] = []
        for system, hyp in zip(self.systems, bitexts, strict=True):
            if hyp is None:
                path = self.systems[system]
                self.unpaired.append(Unpaired(gold.name, path, extra=False))
                if self.missing == "error":
                    raise InputError(
                        f"{path}: has no alignment of {gold.name!r}, which {self.gold} has; "
                        f"add it, or say what to do ({remedy('missing leave', 'missing empty')})"
                    )
                hyp = replace(gold, alignment=Alignment())
            else:
                if self.systems[system] in self.memory:
                    hyp = _over_texts(hyp, gold)
                hyp = _with_repeats_noted(self._with_doubts(gold, system, hyp), system)
            self._refuse_other_base(gold, system, hyp)
            whole.append(hyp)
        lacking = any(hyp is None for hyp in bitexts)
        return () if lacking and self.missing == "leave" else tuple(whole)

    def _named_by_documents(
        self, golds: Sequence[Bitext], hyps: Sequence[Bitext], system: str
    ) -> list[Bitext]:
        """Give alignments of a system the names that the gold standard has for their documents.

        A file of one alignment has the name of the file, and paths of documents may begin in
        other folders. Without documents the name of an alignment stands for both.

        Raises `InputError` when no name is in both, and the documents are those of the gold
        standard exchanged.
        """
        names = {gold.name for gold in golds} & {hyp.name for hyp in hyps}
        lone = {
            _documents(gold) or _only_document(gold): gold.name
            for gold in golds
            if gold.name not in names
        }
        renamed = []
        for hyp in hyps:
            own = _documents(hyp, exchanged=system in self.swapped) or _only_document(hyp)
            found = {} if hyp.name in names else _same_documents(own, lone)
            if len(found) == 1:
                hyp = replace(hyp, name=found.popitem()[1])
            elif not names and not found and len(_same_documents(own[::-1], lone)) == 1:
                way = remedy(f"swap {system}")
                raise InputError(
                    f"{self.systems[system]}: aligns {own[0]!r} with {own[1]!r}, and "
                    f"{self.gold} the other way round; "
                    + (f"leave {way} out" if system in self.swapped else f"score it with {way}")
                )
            renamed.append(hyp)
        if len({hyp.name for hyp in renamed}) < len(renamed):
            return list(hyps)
        return renamed

    def _with_doubts(self, gold: Bitext, system: str, hyp: Bitext) -> Bitext:
        """Return an alignment of a system with notes on what hardly is of the texts of `gold`."""
        notes = []
        where = str(hyp.meta.get("path", "")) or system
        one, other = _documents(gold), _documents(hyp, exchanged=system in self.swapped)
        if one and other and not _are_same_documents(one, other):
            shown = f"{where}: {other[0]!r} and {other[1]!r}"
            if _are_same_documents(one, other[::-1]):
                way = remedy(f"swap {system}")
                way = f"leave {way} out" if system in self.swapped else way
                kind = f"documents that the gold standard has the other way round ({way})"
                notes.append(Note(kind, 1, shown))
            elif not any(_has_text(bitext) for bitext in (gold, hyp)):
                kind = "documents of other names than those of the gold standard"
                notes.append(Note(kind, 1, f"{shown} for {one[0]!r} and {one[1]!r}"))
        for side in ("source", "target"):
            if _share_no_segment(gold, hyp, side):
                kind = f"texts of which no {side} segment is in the gold standard, too"
                notes.append(Note(kind, 1, f"{where}: {_first_segment(hyp, side)}"))
        if count := _blank_differences(gold, hyp):
            kind = "bisegments that differ from those of the gold standard in empty lines alone"
            notes.append(Note(f"{kind}, which count as wrong", count, where))
        if divided := _omitted_otherwise(gold, hyp):
            kind = (
                "bisegments with an empty side that the gold standard divides otherwise (0-2, or "
                "0-1 and 0-1), which count as wrong"
            )
            notes.append(Note(kind, len(divided), f"{where}: {divided[0]}"))
        for ladder, whole in ((hyp, gold), (gold, hyp)):
            if place := _beyond(ladder, whole):
                named = str(ladder.meta.get("path", "")) or system
                ways = remedy("src", "tgt")
                kind = f"ladders that end before bisegments of the other file (their texts: {ways})"
                notes.append(Note(kind, 1, f"{named}: ends at {place[0]}, others at {place[1]}"))
                break
        else:
            if count := _behind(gold, hyp):
                kind = "bisegments behind the end of the gold standard, which count as wrong"
                notes.append(Note(kind, count, where))
        return replace(hyp, notes=(*hyp.notes, *notes)) if notes else hyp

    def _refuse_other_base(self, gold: Bitext, system: str, hyp: Bitext) -> None:
        """Refuse positions without texts where one file counts from 0 and the other from 1.

        Most bisegments would still match, and every figure would be slightly too low.
        """
        if {"gold", system} & self.bases.keys() or COLUMN in gold.alignment.attributes:
            return  # the positions of word links are those of lines
        place = counts_from_1(gold, hyp)
        if place is not None:
            name, path, other = "gold", self.gold, self.systems[system]
            if place:
                name, path, other = system, other, path
            raise InputError(
                f"{path}: the alignment of {gold.name!r} has no position 0 and ends one later "
                f"than that of {other}: it seems to count from 1 ({remedy(f'base {name}=1')}); if "
                f"it counts from 0, give {remedy(f'base {name}=0')}, or the texts "
                f"({remedy('src', 'tgt')})"
            )

    def _read_gold(self, name: str, entry: Entry, where: Where | None) -> Iterator[Bitext]:
        if entry.bitexts:
            for gold in entry.bitexts:
                gold = self._from_0(gold, "gold")
                yield gold if where is None else where.chosen(gold)
            return
        entry.check(self.gold)
        options = replace(
            self.reading,
            src=entry.src or find_text(self.src, name, option="src"),
            tgt=entry.tgt or find_text(self.tgt, name, option="tgt"),
            format=self.gold_format,
            name=name,
            base=self.bases.get("gold"),
            where=(),
        )
        with (
            renamed("from", option="gold-from", python="gold_from="),
            opened(entry.path, options) as reading,
        ):
            golds = [check_coverage(gold, partial=self.partial) for gold in reading]
        yield from golds if where is None else map(where.chosen, golds)

    def _from_0(self, bitext: Bitext, system: str) -> Bitext:
        """Return a bitext in memory with positions that count from 0."""
        if self.bases.get(system) != 1:
            return bitext
        from bitext.formats.word_links import from_1, holds_links

        if holds_links(bitext):
            return from_1(bitext)
        alignment = bitext.alignment
        if 0 in alignment.src.idx or 0 in alignment.tgt.idx:
            way = remedy(f"base {system}=1")
            raise InputError(
                f"{system}: the alignment of {bitext.name!r} has the position 0, so it does not "
                f"count from 1: leave {way} out"
            )
        src, tgt = (rows._replace(idx=rows.idx - 1) for rows in (alignment.src, alignment.tgt))
        moved = Alignment.from_arrays(
            src, tgt, scores=alignment.scores, attributes=alignment.attributes
        )
        return replace(bitext, alignment=moved)

    def _refuse_alone(self, gold: Bitext) -> None:
        """Refuse texts of the systems without texts of the gold standard."""
        for side, given, text in (("src", self.hyp_src, gold.src), ("tgt", self.hyp_tgt, gold.tgt)):
            if given is not None and text is None:
                raise InputError(
                    f"{remedy(f'hyp-{side}')} needs the text of the gold standard, too "
                    f"({remedy(side)}), to match their characters: {gold.name!r} has none"
                )

    def _names_of_text(self, side: str, gold: Bitext | None) -> dict[str, str]:
        """Return the names of the option for a text of a system, as arguments of `renamed`."""
        has_own = gold is not None and gold.meta.get("holds") == "text"
        if not (self.hyp_src or self.hyp_tgt or has_own):
            return {}
        return {"option": f"hyp-{side}", "python": f"hyp_{side}="}

    def _read_hyp(
        self, system: str, entry: Entry, gold: Bitext | None, where: Where | None, *, of_gold: Entry
    ) -> Iterator[Bitext]:
        def own(pattern: str | None, option: str) -> str | None:
            return find_text(_filled(pattern, system), entry.name, option=option)

        exchange = system in self.swapped
        if entry.bitexts:
            for bitext in entry.bitexts:
                chosen = _selected(self._from_0(bitext, system), where)
                yield chosen.swapped() if exchange else chosen
            return
        entry.check(self.systems[system])
        texts = {
            "hyp-src": entry.src or own(self.hyp_src, "hyp-src"),
            "hyp-tgt": entry.tgt or own(self.hyp_tgt, "hyp-tgt"),
        }
        options = replace(
            self.reading,
            src=texts["hyp-src"],
            tgt=texts["hyp-tgt"],
            over_src=gold.src if gold else None,
            over_tgt=gold.tgt if gold else None,
            over_pairs=gold if gold and COLUMN in gold.alignment.attributes else None,
            format=self.formats.get(system, self.hyp_format),
            name=entry.name,
            base=self.bases.get(system),
            where=(),
        )
        if exchange:
            options = options.swapped()
        # Files of one ending are rather of one format, which `--from` names for all of them.
        ending, other = (Path(file).suffix for file in (entry.file, of_gold.file))
        own_format = "from" if ending == other else f"from {system}="
        src, tgt = ("tgt", "src") if exchange else ("src", "tgt")
        with (
            renamed("src", **self._names_of_text(src, gold)),
            renamed("tgt", **self._names_of_text(tgt, gold)),
            renamed("base", option=f"base {system}="),
            renamed("from", option=own_format, python="format="),
            opened(entry.path, options) as reading,
        ):
            bitexts = list(reading)
        over = [name for name, text in texts.items() if text is None]
        for bitext in bitexts:
            bitext = _selected(bitext, where)
            if gold is not None and over and _counts_units(gold, bitext):
                kind = f"positions taken as those of units of the gold standard ({remedy(*over)})"
                note = Note(kind, 1, bitext.meta.get("path") or system)
                bitext = replace(bitext, notes=(*bitext.notes, note))
            yield bitext.swapped() if exchange else bitext


def _refuse_repeated(bitexts: Sequence[Bitext], paired: Container[str], path: str) -> None:
    names = Counter(bitext.name for bitext in bitexts if bitext.name in paired)
    for name in (name for name, count in names.items() if count > 1):
        raise several_of_a_name(path, name)


def join_hint(corpora: Sequence[Corpus]) -> str:
    """Name the way to pair a folder and a file of several documents; empty for other corpora."""
    several = next((each.path for each in corpora if len(each.entries) > 1), None)
    if several is None or all(len(each.entries) > 1 for each in corpora):
        return ""
    command = f"bitext convert {several} OUT.jsonl"
    return f", or join {several} in a file of several documents ({command}), if the other is one"


def several_of_a_name(path: str, name: str) -> InputError:
    """Return the error for a file of which two document pairs have one name."""
    return InputError(
        f"{path}: holds several document pairs, and {name!r:.80} is the name of two, so they "
        f"cannot be paired: give files of one document pair"
    )


def _selected(bitext: Bitext, where: Where | None) -> Bitext:
    """Select the bisegments of a system; note conditions on columns that it does not have."""
    if where is None:
        return bitext
    notes = Notes()
    for column in where.lacking(bitext) if len(bitext.alignment) else ():
        kind = f"files without the column {column!r}, not filtered by it"
        notes.add(kind, bitext.meta.get("path") or bitext.name)
    chosen = where.chosen(bitext)
    return replace(chosen, notes=(*chosen.notes, *notes))


def counts_from_1(one: Bitext, other: Bitext) -> int | None:
    """Return the index of the alignment that seems to count from 1, where the other has a 0.

    `None` where a text is known, where both have a 0 or neither, and where the ends of both sides
    do not differ by one.

    Examples
    --------
    >>> from bitext import Alignment, Bitext
    >>> one = Bitext(None, None, Alignment([((0,), (0,)), ((1,), (1,))]))
    >>> counts_from_1(one, Bitext(None, None, Alignment([((1,), (1,)), ((2,), (2,))])))
    1

    """
    if _know_text(one, other):
        return None
    sides = ((one.alignment.src, one.alignment.tgt), (other.alignment.src, other.alignment.tgt))
    if not all(rows.idx.size for side in sides for rows in side):
        return None
    low = [min(int(rows.idx.min()) for rows in side) for side in sides]
    steps = {int(b.idx.max()) - int(a.idx.max()) for a, b in zip(*sides, strict=True)}
    return low.index(1) if sorted(low) == [0, 1] and steps == {low[1] - low[0]} else None


def _documents(bitext: Bitext, *, exchanged: bool = False) -> tuple[str, ...]:
    """Return the documents that an alignment names, source and target; empty without either."""
    named = tuple(str(bitext.meta.get(key, "")) for key in ("src_doc", "tgt_doc"))
    return (named[::-1] if exchanged else named) if all(named) else ()


def _only_document(bitext: Bitext) -> tuple[str, str]:
    """Return the only document that an alignment names, as XLIFF does, or its name; twice."""
    name = str(bitext.meta.get("src_doc", "")) or bitext.name
    return name, name


def _are_same_documents(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return all(map(is_same_document, one, other))


def _same_documents(
    documents: tuple[str, ...], known: Mapping[tuple[str, ...], str]
) -> dict[tuple[str, ...], str]:
    """Select the known pairs of documents that equal a pair, with their names."""
    if not documents:
        return {}
    return {pair: name for pair, name in known.items() if _are_same_documents(pair, documents)}


def _know_text(*bitexts: Bitext) -> bool:
    return any(text is not None for bitext in bitexts for text in (bitext.src, bitext.tgt))


def _has_text(bitext: Bitext) -> bool:
    return any(text is not None and text.has_text for text in (bitext.src, bitext.tgt))


def _share_no_segment(gold: Bitext, hyp: Bitext, side: str) -> bool:
    """Check whether two alignments without texts have no segment of a side in common."""
    used = []
    for bitext in (gold, hyp):
        text, rows = _side_of(bitext, side)
        if (text is not None and text.has_text) or not rows.idx.size:
            return False
        places = distinct(rows.idx).tolist()
        ids: Sequence[int | str] = range(max(places) + 1) if text is None else text.ids
        used.append({ids[k] for k in places})
    kinds = {type(next(iter(each))) for each in used}
    return len(kinds) == 1 and used[0].isdisjoint(used[1])


def _first_segment(bitext: Bitext, side: str) -> str:
    text, rows = _side_of(bitext, side)
    place = int(rows.idx[0])
    return f"position {place}" if text is None else repr(text.ids[place])


def _side_of(bitext: Bitext, side: str) -> tuple[Text | None, Rows]:
    alignment = bitext.alignment
    return (bitext.src, alignment.src) if side == "source" else (bitext.tgt, alignment.tgt)


def _counts_units(gold: Bitext, hyp: Bitext) -> bool:
    """Check for positions of a system that count units of a memory or a table.

    A unit may join several sentences, which have positions of their own in other texts.
    """
    holds = gold.meta.get("holds"), hyp.meta.get("holds")
    if holds != ("text", "positions") or COLUMN in gold.alignment.attributes:
        return False
    rows = gold.alignment.src, gold.alignment.tgt
    return gold.meta.get("format") != "moses" and all((side.lengths <= 1).all() for side in rows)


def _blank_differences(gold: Bitext, hyp: Bitext) -> int:
    """Count the bisegments of a system that are none of the gold standard but for empty segments.

    A bisegment of empty segments alone is one. 0 where the texts are not the same objects.
    """
    texts = gold.src, gold.tgt
    if texts[0] is not hyp.src or texts[1] is not hyp.tgt:
        return 0
    empty = [
        np.flatnonzero(text.lengths() == 0) if text is not None and text.has_text else None
        for text in texts
    ]
    if not any(places is not None and places.size for places in empty):
        return 0
    both: list[Rows] = []  # the sides of all bisegments, those of the gold standard first
    bare: list[Rows] = []  # the same without empty segments
    for side, places in zip(("source", "target"), empty, strict=True):
        rows = concatenate([_side_of(each, side)[1] for each in (gold, hyp)], [0, 0])
        filled = ~np.isin(rows.idx, () if places is None else places)
        sizes = np.bincount(row_of(rows)[filled], minlength=len(rows.ptr) - 1)
        both.append(rows)
        bare.append(Rows(prefix(sizes), rows.idx[filled]))
    size = len(gold.alignment)
    right, same = (np.isin(ids[size:], ids[:size]) for ids in (identify(*both), identify(*bare)))
    void = (bare[0].lengths[size:] == 0) & (bare[1].lengths[size:] == 0)
    return int((~right & (same | void)).sum())


def _omitted_otherwise(gold: Bitext, hyp: Bitext) -> list[str]:
    """List the bisegments of a system whose segments are in others with an empty side in gold.

    Empty where the texts differ.
    """
    divided: list[str] = []
    for side in ("source", "target"):
        other = "target" if side == "source" else "source"
        rows = [
            take(_side_of(each, side)[1], np.flatnonzero(_side_of(each, other)[1].lengths == 0))
            for each in (gold, hyp)
        ]
        if all((each.lengths == 1).all() for each in rows):
            continue
        omitted = [
            [frozenset(each.row(k).tolist()) for k in range(len(each.ptr) - 1)] for each in rows
        ]
        known, place = set(omitted[0]), {segment for bead in omitted[0] for segment in bead}
        wrong = [bead for bead in omitted[1] if bead not in known and bead <= place]
        if wrong and _side_of(gold, side)[0] == _side_of(hyp, side)[0]:
            divided += [f"{side} {sorted(bead)[:8]}" for bead in wrong]
    return divided


def _beyond(ladder: Bitext, other: Bitext) -> tuple[str, str] | None:
    """Return the ends of two alignments, where the first is a ladder that ends before the other.

    A ladder goes to the end of its texts. `None` if a text is known.
    """
    if ladder.meta.get("format") != "hunalign-ladder":
        return None
    if _know_text(ladder, other):
        return None
    ends = [
        tuple(int(rows.idx.max()) + 1 if rows.idx.size else 0 for rows in (b.src, b.tgt))
        for b in (ladder.alignment, other.alignment)
    ]
    if all(there <= here for here, there in zip(*ends, strict=True)):
        return None
    return str(ends[0]), str(ends[1])


def _with_repeats_noted(bitext: Bitext, name: str) -> Bitext:
    """Return a bitext with a note on bisegments that equal an earlier one: a set has them once."""
    rows = bitext.alignment.src, bitext.alignment.tgt
    # A bisegment that comes again has a segment again.
    shared = [np.isin(side.idx, side.idx[repeated(side)]) for side in rows]
    may = distinct(np.concatenate([row_of(s)[m] for s, m in zip(rows, shared, strict=True)]))
    seen: set[tuple[frozenset[int], frozenset[int]]] = set()
    again: list[Bisegment] = []
    for k in may.tolist():
        bead = bitext.alignment[k]
        key = frozenset(bead.src), frozenset(bead.tgt)
        if key in seen:
            again.append(bead)
        seen.add(key)
    if not again:
        return bitext
    where = str(bitext.meta.get("path", "")) or name
    sides = zip((bitext.src, bitext.tgt), again[0], strict=True)
    ids = [
        [text.ids[k] if text is not None and text.has_ids else str(k) for k in side]
        for text, side in sides
    ]
    first = f"{where}: {' '.join(ids[0])[:40]!r} with {' '.join(ids[1])[:40]!r}"
    note = Note("bisegments that repeat an earlier one, counted once", len(again), first)
    return replace(bitext, notes=(*bitext.notes, note))


def _behind(gold: Bitext, hyp: Bitext) -> int:
    """Count the bisegments that lie after the end of a gold standard on both sides.

    0 where a text is known, whose end is held against that of the gold standard.
    """
    if _know_text(gold, hyp):
        return 0
    behind = np.ones(len(hyp.alignment), dtype=bool)
    for side in ("source", "target"):
        rows, theirs = (_side_of(each, side)[1] for each in (gold, hyp))
        if not rows.idx.size:
            return 0
        behind[row_of(theirs)[theirs.idx <= rows.idx.max()]] = False
    behind &= (hyp.alignment.src.lengths > 0) & (hyp.alignment.tgt.lengths > 0)
    return int(behind.sum())


def _taken_apart(corpus: Corpus) -> Corpus:
    """Return a corpus in memory with an entry for each bitext; others unchanged."""
    if corpus.kind != "memory":
        return corpus
    bitexts = (bitext for entry in corpus.entries.values() for bitext in entry.bitexts)
    entries = {b.name: Entry(b.name, corpus.path, bitexts=(b,)) for b in bitexts}
    return replace(corpus, entries=entries)


def _over_texts(hyp: Bitext, gold: Bitext) -> Bitext:
    """Return a bitext over the texts of the gold standard where it has none, or equal ones."""
    src, tgt = (
        theirs if own is None or own == theirs else own
        for own, theirs in ((hyp.src, gold.src), (hyp.tgt, gold.tgt))
    )
    return replace(hyp, src=src, tgt=tgt)


def paired_by_stems(gold: Corpus, hyp: Corpus) -> Corpus:
    """Rename the texts of a system to the names that the gold standard has for them.

    Equal names are kept. Two other names are those of one text if one is a prefix of the other, up
    to a `.`, `-` or `_`, or if they differ only in languages at the end (`a.de-00.fr-00`,
    `a.de.fr`). The longest common prefix decides; a prefix of several names pairs none.
    """
    sides = (
        [name for name in gold.entries if name not in hyp.entries],
        [name for name in hyp.entries if name not in gold.entries],
    )
    stems: dict[str, tuple[list[str], list[str]]] = {}
    for side, names in enumerate(sides):
        for name in names:
            for stem in _stems(name):
                stems.setdefault(stem, ([], []))[side].append(name)
    done: set[str] = set()
    renamed: dict[str, str] = {}
    # The longest beginnings first, so that a name goes to the one that is most like it.
    for stem in sorted(stems, key=len, reverse=True):
        ours, theirs = ([name for name in names if name not in done] for names in stems[stem])
        if len(ours) == len(theirs) == 1 and (
            stem in {ours[0], theirs[0]}
            or stem == _without_languages(ours[0]) == _without_languages(theirs[0])
        ):
            renamed[theirs[0]] = ours[0]
            done |= {ours[0], theirs[0]}
    if not renamed:
        return hyp
    entries = {renamed.get(name, name): entry for name, entry in hyp.entries.items()}
    pairs = few([f"{theirs} with {ours}" for theirs, ours in sorted(renamed.items())])
    note = f"{hyp.path}: {len(renamed):,} paired by the beginnings of their names: {pairs}"
    return replace(hyp, entries=entries, assumptions=(*hyp.assumptions, note))


_CUT = re.compile(r"[._-]")
_OF_LANGUAGE = re.compile(r"(?:[._-]([A-Za-z]{2,3}))(?:[-_][A-Za-z0-9]{1,4})?$")


def _stems(name: str) -> set[str]:
    """Return a name, its prefixes up to a `.`, `-` or `_`, and the name without languages."""
    inside = name.rpartition("/")[2]
    begin = len(name) - len(inside)
    cuts = {name[: begin + cut.start()] for cut in _CUT.finditer(inside) if cut.start()}
    return {name, *cuts, _without_languages(name)}


def _without_languages(name: str) -> str:
    """Return a name without the languages at its end: `a` for `a.de-00.fr-00` and `a.de.fr`."""
    while (match := _OF_LANGUAGE.search(name)) and is_language(match[1].lower()) and match.start():
        name = name[: match.start()]
    return name


def _filled(pattern: str | None, system: str) -> str | None:
    return pattern.replace("{system}", system) if pattern else None
