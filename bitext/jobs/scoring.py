"""Scoring a corpus by jobs: the counts of each text travel, and the figures are made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import InputError
from bitext.formats.pairing import Pairing, TextSet, Unpaired
from bitext.formats.word_pairs import OF_LINKS, holds_links
from bitext.jobs.task import CommandTask, Document
from bitext.metrics.breakdown import BeadType
from bitext.metrics.evaluation import Evaluation
from bitext.metrics.similarities import Similarities
from bitext.model import Counts, Note, Ratio
from bitext.remedies import remedy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.formats.corpus import Entry
    from bitext.jobs.task import Result
    from bitext.metrics.comparison import Comparison
    from bitext.metrics.options import Options

__all__ = ["Gathered", "ScoreTask", "SinglePairing", "score_documents"]


class SinglePairing(Pairing):
    """A pairing that reads the files of one name."""

    def one(self, name: str, entry: Entry, partners: list[Entry | None]) -> list[TextSet]:
        """Return the texts of these files; `unpaired` are those of them alone."""
        self.unpaired.clear()
        return list(self._entry(name, entry, partners))

    def forget(self) -> None:
        """Forget which files there are."""
        self._corpora = None

    def extra(self) -> list[Unpaired]:
        """Return the texts of the systems that the gold standard has no file of."""
        gold, systems = self.corpora()
        alone = len(gold.entries) == 1
        return [
            Unpaired(name, self.systems[system], extra=True)
            for system, corpus in systems.items()
            if not (alone and len(corpus.entries) == 1)
            for name in corpus.entries
            if name not in gold.entries
        ]

    def nothing(self) -> str:
        """Return what to tell when nothing can be paired."""
        return self._nothing(*self.corpora())


def score_documents(pairing: Pairing) -> Iterator[Document]:
    """Yield the files of each name: a document is what belongs to one file of the gold standard."""
    gold, systems = pairing.corpora()
    alone = len(gold.entries) == 1
    for number, (name, entry) in enumerate(gold.entries.items()):
        partners = [
            next(iter(corpus.entries.values()))
            if alone and len(corpus.entries) == 1
            else corpus.entries.get(name)
            for corpus in systems.values()
        ]
        given = [entry, *(partner for partner in partners if partner is not None)]
        files = [f for each in given for f in (each.path, each.src, each.tgt) if f]
        yield Document(number, name, (name, entry, partners), tuple(files))


class _Ratios(Similarities):
    """Similarities whose sums may come from elsewhere."""

    lone: dict[str, list[list[float]]] | None = None  # units of a text that is the only one

    def sums(self) -> dict[str, list[tuple[str, list[Any]]]]:
        """Return the sums of the one text that was measured, by system."""
        found: dict[str, list[tuple[str, list[Any]]]] = {}
        for (system, granularity), ratios in self._ratios.items():
            r = ratios[-1]
            held = [r.numerator, r.denominator, r.empty, r.reason]
            found.setdefault(str(system), []).append((granularity, held))
        return found

    def take(self, text: str, sums: dict[str, list[tuple[str, list[Any]]]]) -> None:
        """Keep the sums of a text."""
        for system, rows in sums.items():
            for granularity, (above, below, empty, reason) in rows:
                above, below, empty = _numbers((above, below, empty))
                ratio = Ratio(above, below, empty, reason)
                self._ratios.setdefault((int(system), granularity), []).append(ratio)
        self._texts.append(text)

    def units(self, count: int) -> dict[str, list[list[float]]]:
        """Return what is resampled of the only text."""
        return {
            f"{system} {granularity}": self._units(system, granularity, count).tolist()
            for system, granularity in self._ratios
        }

    def _units(self, system: int, granularity: str, count: int) -> NDArray[np.float64]:
        if len(self._texts) == 1 and self.lone is not None:
            return np.array(self.lone[f"{system} {granularity}"], dtype=np.float64)
        return super()._units(system, granularity, count)


class Gathered(Evaluation):
    """An evaluation whose counts come from elsewhere: what it gives is what `Evaluation` gives."""

    _lone: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        """Have similarities that can be gathered, too."""
        self._ratios = _Ratios(self.systems, self.options)
        self._similarities = self._ratios

    def record(self) -> dict[str, Any]:
        """Return what is kept of the one text that was added."""
        counts: dict[str, list[Any]] = {}
        for (system, measure), (c,) in self._counts.items():
            row = [measure, c.hits, c.proposed, c.expected, c.found]
            counts.setdefault(str(system), []).append(row)
        return {
            "text": self.texts[0],
            "counts": counts,
            "types": {
                str(system): [[t.type, t.expected, t.found, t.became] for t in held[0]]
                for system, held in self._types.items()
            },
            "lacking": self.left_out,
            "matched": [self._matched.shares[k][0] for k in range(len(self.systems))],
            "exchanged": {
                str(system): [_row(one), _row(other)]
                for system, ((one, other),) in self._exchanged.items()
            },
            "similar": self._ratios.sums() if self.similar else {},
        }

    def units_of_one(self) -> dict[str, Any]:
        """Return what is resampled of the only text: its blocks."""
        count = self._block_count()
        measures = self.measures if count else []
        return {
            "blocks": count,
            "units": {
                f"{k} {measure}": self.units(k, measure).tolist()
                for measure in measures
                for k in range(len(self.systems))
            },
            "similar": self._ratios.units(count) if self.similar and count else {},
        }

    def take(self, record: dict[str, Any]) -> None:
        """Add a text by what was kept of it."""
        for system, rows in record["counts"].items():
            for measure, *numbers in rows:
                counts = Counts(*_numbers(numbers))
                self._counts.setdefault((int(system), measure), []).append(counts)
        for system, rows in record["types"].items():
            self._types.setdefault(int(system), []).append([BeadType(*row) for row in rows])
        self._matched.take([_numbers(shares) for shares in record["matched"]])
        for measure, told in record["lacking"].items():
            self.left_out.setdefault(measure, told)
        for system, (one, other) in record["exchanged"].items():
            pair = Counts(*_numbers(one)), Counts(*_numbers(other))
            self._exchanged.setdefault(int(system), []).append(pair)
        if self.similar:
            self._ratios.take(record["text"], record["similar"])
        self.texts.append(record["text"])
        self._units.clear()

    def take_units(self, lone: dict[str, Any]) -> None:
        """Take what is resampled of a text that is the only one."""
        self._lone = lone
        self._ratios.lone = lone["similar"]

    def _block_count(self) -> int:
        if len(self.texts) == 1 and self._lone is not None:
            return int(self._lone["blocks"])
        return super()._block_count()

    def units(self, system: int, measure: str, *, macro: bool = False) -> NDArray[np.float64]:
        """As of `Evaluation`."""
        if len(self.texts) == 1 and self._lone is not None:
            return np.array(self._lone["units"][f"{system} {measure}"], dtype=np.float64)
        return super().units(system, measure, macro=macro)


def _numbers(held: Iterable[Any]) -> list[Any]:
    """Return numbers of a journal; anything else raises a `TypeError`."""
    found = list(held)
    if not all(type(each) in {int, float} for each in found):
        raise TypeError(f"want numbers, found {found!r:.60}")
    return found


def _row(counts: Counts) -> list[float]:
    return [counts.hits, counts.proposed, counts.expected, counts.found]


@dataclass(kw_only=True)
class ScoreTask(CommandTask):
    """Scores systems on texts.

    Attributes
    ----------
    pairing : SinglePairing
        What belongs together, and how it is read.
    options : Options
        How to score.
    similar : bool
        Whether to measure the bisegment similarity too.
    run, presentation : dict
        As of `CommandTask`.

    """

    pairing: SinglePairing
    options: Options
    similar: bool = False
    _lone: Any = None
    _text: str = ""

    def __getstate__(self) -> dict[str, Any]:
        """Leave the corpora at home: a worker is told what to read."""
        from copy import copy

        pairing = copy(self.pairing)
        pairing.forget()
        return {**self.__dict__, "pairing": pairing}

    def _evaluation(self) -> Gathered:
        return Gathered(
            list(self.pairing.systems),
            self.options,
            detailed=True,
            similar=self.similar,
            missing=self.pairing.missing,
        )

    def work(self, item: Any) -> Any:
        """Score the texts of a file of the gold standard."""
        texts, notes = [], []
        for one in self.pairing.one(*item):
            self._refuse_links(one)
            evaluation = self._evaluation()
            compared = evaluation.add(one.gold, one.hyps, one.name)
            texts.append({**evaluation.record(), **self.beside(one, compared)})
            roles = zip(("gold", *evaluation.systems), (one.gold, *one.hyps), strict=True)
            notes += [[role, n.kind, n.count, n.first] for role, b in roles for n in b.notes]
        unpaired = [[u.name, u.where, u.extra] for u in self.pairing.unpaired]
        return {"texts": texts, "notes": notes, "unpaired": unpaired}

    def _refuse_links(self, one: TextSet) -> None:
        """Refuse texts of word links, unless bisegments are asked for by name."""
        if self.options.measures is None and any(
            holds_links(each) and each.meta.get("format") in OF_LINKS
            for each in (one.gold, *one.hyps)
        ):
            raise InputError(
                f"{one.gold.meta['path']}: word links are scored without jobs: leave out "
                f"{remedy('jobs')} and such, or score the bisegments "
                f"({remedy('granularity alignment')})"
            )

    def beside(self, one: TextSet, compared: Sequence[Comparison]) -> dict[str, Any]:
        """Return what else is kept of a text: nothing here."""
        del one, compared
        return {}

    def take(self, record: dict[str, Any]) -> None:
        """Take what else was kept of a text, in the order of the texts."""

    def assemble(self, results: Iterable[Result]) -> Gathered:
        """Return the evaluation; what lacks a partner is put into the pairing."""
        evaluation = self._evaluation()
        self.notes: dict[str, Note] = {}
        unpaired: list[Unpaired] = []
        lone = -1
        for result in results:
            if result.failed:
                continue
            for record in result.value["texts"]:
                evaluation.take(record)
                self.take(record)
                lone = result.number
            for role, kind, count, first in result.value["notes"]:
                self._note(f"{role}: {kind}", count, first)
            unpaired += [Unpaired(*row) for row in result.value["unpaired"]]
        self.unpaired = unpaired
        self._lone = lone if len(evaluation.texts) == 1 else None
        return evaluation

    def _note(self, kind: str, count: int, first: str) -> None:
        known = self.notes.get(kind)
        if known is not None:
            count, first = known.count + count, known.first
        self.notes[kind] = Note(kind, count, first)

    def whole(self) -> Any:
        """Return which texts only systems have, and what is resampled of a text by itself."""
        gold, systems = self.pairing.corpora()
        return {
            "extra": [[u.name, u.where] for u in self.pairing.extra()],
            "aside": [[c.path, name] for c in (gold, *systems.values()) for name in c.aside],
            "lone": self.units_of_one(),
        }

    def units_of_one(self) -> dict[str, Any] | None:
        """Score a text that is the only one again, for its blocks; counts do not tell them."""
        if self._lone is None:
            return None
        document = next(d for d in score_documents(self.pairing) if d.number == self._lone)
        for one in self.pairing.one(*document.item):
            evaluation = self._evaluation()
            evaluation.add(one.gold, one.hyps, one.name)
            return evaluation.units_of_one()
        return None
