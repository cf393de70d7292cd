"""Searches of many short texts in lockstep: a call of a kernel works on the tables of all of them.

In a short text the overhead of a numpy call for each row of a table exceeds the computation. So a
search is a generator: it yields a request to a kernel, and receives the result. For a search by
itself (`alone`) a kernel answers each request; for several (`together`) it answers the requests of
all at once. Scores are integers, so paths are the same in both cases; posteriors are equal up to
rounding.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from bitext.align.sentences.lexical import Vocabulary
from bitext.align.sentences.lexical.cognates import SimilarWords, similar_in_texts, similar_words
from bitext.kernels.arrays import Bools, Floats
from bitext.kernels.bead_path import (
    Band,
    BeadPath,
    Passages,
    ScoredBand,
    Scores,
    best_path,
    best_paths,
    passage_path,
)
from bitext.kernels.bead_posteriors import Table, chances_of_tables

_Result = TypeVar("_Result")
_Key = TypeVar("_Key", bound="Hashable")
# Set by hand, for speed and memory only.
_MOST_TABLE_SCORES = 1 << 20  # scores of a table: larger ones are searched one by one
_MOST_PATH_SCORES = 1 << 22  # scores of tables that are searched together
_MOST_POSTERIOR_SCORES = 1 << 18  # scores of tables whose posteriors are computed together
# Factor: the largest ratio of the columns of two of these, as all get the same width
_MOST_WIDTH_FACTOR = 1.5


class PathRequest(NamedTuple):
    """The best path through a band, as `best_path` returns it."""

    beads: Sequence[tuple[int, int]]
    scores: Scores
    band: Band

    def answer(self) -> BeadPath:
        """Have the kernel work for this request alone."""
        return best_path(*self)


class PassageRequest(NamedTuple):
    """The best path through a band with passages, as `passage_path` returns it."""

    beads: Sequence[tuple[int, int]]
    scores: Scores
    band: Band
    passages: Passages

    def answer(self) -> tuple[BeadPath, Bools]:
        """Have the kernel work for this request alone."""
        return passage_path(*self)


class PosteriorRequest(NamedTuple):
    """The posteriors of the beads of the paths of some tables, as `chances_of_tables` returns."""

    beads: Sequence[tuple[int, int]]
    tables: Sequence[Table]
    unit: float

    def answer(self) -> list[Floats]:
        """Have the kernel work for this request alone."""
        return chances_of_tables(self.beads, self.tables, unit=self.unit)


class SimilarRequest(NamedTuple):
    """The similar words of two vocabularies, as `similar_words` returns them."""

    src: Vocabulary
    tgt: Vocabulary

    def answer(self) -> SimilarWords:
        """Compare these two vocabularies alone."""
        return similar_words(*self)


Request = PathRequest | PassageRequest | PosteriorRequest | SimilarRequest
Steps = Generator[Request, Any, _Result]


def alone(steps: Steps[_Result]) -> _Result:
    """Run a search by itself; return its result."""
    try:
        request = next(steps)
        while True:
            request = steps.send(request.answer())
    except StopIteration as end:
        result: _Result = end.value
        return result


def together(searches: Iterable[Steps[_Result]]) -> list[_Result]:
    """Run searches in lockstep; return their results, in order."""
    results: dict[int, _Result] = {}
    running = dict(enumerate(searches))
    answers: dict[int, Any] = dict.fromkeys(running)
    while answers:
        requests: dict[int, Request] = {}
        for k, answer in answers.items():
            try:
                requests[k] = running[k].send(answer)
            except StopIteration as end:
                results[k] = end.value
        answers = answers_to(requests)
    return [results[k] for k in running]


def answers_to(requests: Mapping[int, Request]) -> dict[int, Any]:
    """Have the kernels work for all requests; return the answers in the order of the requests."""
    answers: dict[int, Any] = {}
    # Texts of a corpus may have different bead types.
    path_requests: dict[Hashable, dict[int, PathRequest]] = {}
    posterior_requests: dict[Hashable, dict[int, PosteriorRequest]] = {}
    for k, one in requests.items():
        if isinstance(one, PathRequest):
            path_requests.setdefault(tuple(one.beads), {})[k] = one
        elif isinstance(one, PosteriorRequest):
            posterior_requests.setdefault((tuple(one.beads), one.unit), {})[k] = one
    for paths in path_requests.values():
        answers |= _paths(paths)
    for posteriors in posterior_requests.values():
        answers |= _posteriors(posteriors)
    words = {k: one for k, one in requests.items() if isinstance(one, SimilarRequest)}
    answers |= zip(
        words, similar_in_texts([(src, tgt) for src, tgt in words.values()]), strict=True
    )
    return {k: answers[k] if k in answers else one.answer() for k, one in requests.items()}


def _paths(requests: Mapping[int, PathRequest]) -> dict[int, BeadPath]:
    beads = next(iter(requests.values())).beads
    path_of_key: dict[int, BeadPath] = {}
    bands = {k: one.band for k, one in requests.items()}
    for batch in _batches(bands, len(beads), _MOST_PATH_SCORES):
        tables = [ScoredBand(requests[k].scores(0, len(bands[k].lo)), bands[k]) for k in batch]
        path_of_key |= dict(zip(batch, best_paths(beads, tables), strict=True))
    return path_of_key


def _posteriors(requests: Mapping[int, PosteriorRequest]) -> dict[int, list[Floats]]:
    beads, _, unit = next(iter(requests.values()))
    shares_of_key: dict[tuple[int, int], Floats] = {}
    tables = {
        (k, number): table for k, one in requests.items() for number, table in enumerate(one.tables)
    }
    bands = {key: table.band for key, table in tables.items()}
    for batch in _batches(bands, len(beads), _MOST_POSTERIOR_SCORES):
        shares = chances_of_tables(beads, [tables[key] for key in batch], unit=unit)
        shares_of_key |= dict(zip(batch, shares, strict=True))
    for key in tables.keys() - shares_of_key.keys():
        shares_of_key[key] = chances_of_tables(beads, [tables[key]], unit=unit)[0]
    return {k: [shares_of_key[k, n] for n in range(len(one.tables))] for k, one in requests.items()}


def _batches(bands: Mapping[_Key, Band], beads: int, most: int) -> Iterator[list[_Key]]:
    """Divide small tables into batches of similar width, with a limited number of scores."""
    batch: list[_Key] = []
    tall = 0
    for key in sorted(bands, key=lambda key: bands[key].width):
        rows, width = len(bands[key].lo), bands[key].width
        if beads * rows * width > _MOST_TABLE_SCORES:
            continue
        tall = max(tall, rows)
        is_full = (len(batch) + 1) * beads * tall * width > most
        if batch and (is_full or width > _MOST_WIDTH_FACTOR * bands[batch[0]].width):
            yield batch
            batch, tall = [], rows
        batch.append(key)
    if batch:
        yield batch
