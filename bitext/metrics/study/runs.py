"""Runs of the error study, batch by batch, and figures that were published.

The journal has a line of JSON for each finished batch, which is on the disk before the next batch
begins. A run that was stopped goes on where the journal ends.

**Source** of the figures: G. Ocampo Diaz and J. Ouyang, An alignment-based approach to text
segmentation similarity scoring, CoNLL 2022, figures 10, 11, 12 and 16. WindowDiff has windows of
two potential boundaries without padding, B transposes by one unit. The paper rounds half to even.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, Self

from bitext.errors import BitextError, FormatError, InputError, by_options, named_by_options, remedy
from bitext.metrics.registry import NamedMetric, all_metrics
from bitext.metrics.segmentation.boundary_similarity import boundary_similarity
from bitext.metrics.segmentation.segment_alignment import segment_alignment
from bitext.metrics.segmentation.window_metrics import window_diff
from bitext.metrics.study import ERRORS, Batch, Example, Finding, StudiedMetric, study_batch
from bitext.model import Segmentation
from bitext.paths import lock_file, open_to_append

if TYPE_CHECKING:
    from pathlib import Path

_SCHEMA = "bitext.study-journal/1"

Found = list[list[Finding]]


class Journal:
    """The finished batches of a study, in a file that only grows; it is created if missing.

    `metrics` are the studied ones, and `version` is that of this library: another version may score
    differently. `found` has the findings in the file by batch.

    Raises `InputError` when the file is of another study, or cannot be read or written, and
    `FormatError` when a line is not one that this class writes. A torn last line is dropped.
    """

    def __init__(self, path: Path, metrics: Sequence[StudiedMetric], *, version: str) -> None:
        self._path, self._metrics = path, metrics
        self.found: dict[Batch, Found] = {}
        head = {
            "schema": _SCHEMA,
            "version": version,
            "metrics": [studied.signature for studied in metrics],
        }
        self._file: BinaryIO = os.fdopen(open_to_append(path), "r+b")
        try:
            busy = "is written by another run; wait for it, or name another folder"
            lock_file(self._file.fileno(), f"{self._path}: {busy}")
            if not self._read(head):
                self._append(head)
        except BaseException:
            self._file.close()
            raise

    def _read(self, head: dict[str, Any]) -> bool:
        """Read the findings in the file; return whether the file has any line."""
        self._file.seek(0)
        data = self._file.read()
        whole = data.rfind(b"\n") + 1
        # A killed run may leave a torn last line; a torn first line must begin as our own head.
        if not whole and not _line(head).startswith(data):
            raise InputError(
                f"{self._path}: is the journal of something else; name another folder, or delete "
                f"the file to begin anew"
            )
        for number, line in enumerate(data[:whole].splitlines(), start=1):
            try:
                row = json.loads(line)
                if number > 1:
                    self._take(row)
            except (ValueError, TypeError, KeyError):
                raise FormatError(
                    "is no line of a journal of this program; delete the file to begin anew",
                    path=str(self._path),
                    line=number,
                ) from None
            if number == 1 and row != head:
                raise InputError(
                    f"{self._path}: is the journal of {_difference(row, head)}; name another "
                    f"folder, or delete the file to begin anew"
                )
        if whole < len(data):
            self._file.truncate(whole)  # only now, when the file is known to be ours
        return whole > 0

    def _take(self, row: dict[str, Any]) -> None:
        findings_of_metrics = [
            [Finding(int(erring), _example(example)) for erring, example in findings]
            for findings in row["found"]
        ]
        if [len(findings) for findings in findings_of_metrics] != [len(ERRORS)] * len(
            self._metrics
        ):
            raise ValueError(row)
        n, m, first, last = map(int, row["batch"])
        self.found[Batch(n, m, first, last)] = findings_of_metrics

    def add(self, batch: Batch, batch_findings: Found) -> None:
        """Append a finished batch."""
        self._append({"batch": batch, "found": batch_findings})
        self.found[batch] = batch_findings

    def _append(self, row: dict[str, Any]) -> None:
        try:
            self._file.seek(0, os.SEEK_END)
            self._file.write(_line(row))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise InputError(
                f"{self._path}: cannot be written: {error.strerror or error}"
            ) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.close()


def _line(row: dict[str, Any]) -> bytes:
    return json.dumps(row, separators=(",", ":")).encode("ascii") + b"\n"


def _example(fields: list[list[int]] | None) -> Example | None:
    return None if fields is None else Example(*fields)


def _difference(row: Any, head: dict[str, Any]) -> str:
    """Describe the first difference between the head of a journal and that of this study."""
    if not isinstance(row, dict) or row.get("schema") != _SCHEMA:
        return "something else"
    if row.get("version") != head["version"]:
        return f"version {row.get('version')!r:.40}, and this is {head['version']}"
    metrics_before = row.get("metrics")
    listed = metrics_before if isinstance(metrics_before, list) else []
    others = [str(name) for name in listed if name not in head["metrics"]]
    named = f", as {others[0]:.100}" if others else ""
    return f"other metrics or options{named}"


def run_batches(
    batches: Sequence[Batch], metrics: Sequence[StudiedMetric], *, jobs: int = 1
) -> Generator[tuple[Batch, Found]]:
    """Yield each batch with its findings, with several jobs in the order of completion.

    The findings do not depend on the number of jobs. Several jobs need metrics of the registry.
    """
    if jobs == 1 or len(batches) < 2:
        for batch in batches:
            yield batch, study_batch(batch, metrics)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    metric_arguments = [
        (studied.named.name, dict(studied.named.options), studied.measure) for studied in metrics
    ]
    try:
        pool = ProcessPoolExecutor(
            min(jobs, len(batches)),
            mp_context=get_context("spawn"),
            initializer=begin_worker,
            initargs=(metric_arguments,),
        )
    # There are no semaphores, as without /dev/shm.
    except (OSError, ImportError, NotImplementedError) as error:
        raise _refused(error) from None
    try:
        # Large batches first, so that no job is alone with a large one at the end.
        order = sorted(batches, key=lambda batch: batch.first - batch.last)
        by = named_by_options()
        try:
            with _without_interrupts():
                futures = {pool.submit(_work, batch, by): batch for batch in order}
        except OSError as error:
            raise _refused(error) from None
        for future in as_completed(futures):
            yield futures[future], future.result()
    except BrokenProcessPool:
        raise BitextError(
            "a job was ended from outside; run it again, with fewer jobs if memory ran out"
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _refused(error: Exception) -> Exception:
    """Return the error of a system that starts no processes, or its own for too many open files."""
    if isinstance(error, OSError) and error.errno in {errno.EMFILE, errno.ENFILE}:
        return error
    why = (isinstance(error, OSError) and error.strerror) or error
    return BitextError(
        f"several processes cannot be started here ({why}): {remedy('jobs 1', python='jobs=1')} "
        f"works without them"
    )


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block Ctrl-C while processes start, until they ignore it; it is meant for this process."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_metrics: list[StudiedMetric] = []


def begin_worker(metric_arguments: list[tuple[str, dict[str, Any], str]]) -> None:
    """Initialise a worker: parse the metrics, and exit when the parent process ends."""
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent process
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    known = all_metrics()
    _metrics[:] = [
        StudiedMetric(NamedMetric(known[name], options), measure)
        for name, options, measure in metric_arguments
    ]
    parent = parent_process()
    if parent is not None:

        def end() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=end, daemon=True).start()


def _work(batch: Batch, by: str | None) -> Found:
    with by_options(on=by):
        return study_batch(batch, _metrics)


# The pairs of segmentations in the figures of the paper on A, and their similarities.


_WINDOW_UNITS = 2  # units, k of the paper's WindowDiff

ERRATA: Final = (
    "figure 9 is left out: the 0.58 that it prints does not follow from the pair it describes",
)


class Similarities(NamedTuple):
    """A, B and 1 - WindowDiff of a pair; each 1 for equal segmentations."""

    a: Fraction
    b: Fraction
    wd: Fraction


class PublishedPair(NamedTuple):
    """A pair of segmentations of a figure."""

    figure: int  # the number of the figure
    letter: str  # the letter of the pair within the figure; the paper has none
    reference: tuple[int, ...]  # its masses
    hypothesis: tuple[int, ...]  # its masses
    a: Fraction  # a as printed, with its sum written out
    b: Decimal  # B as printed
    wd: Decimal  # 1 - WindowDiff as printed

    @property
    def name(self) -> str:
        """The name of the pair, as `figure 10a`."""
        return f"figure {self.figure}{self.letter}"

    def agrees(self, computed: Similarities) -> bool:
        """Compare similarities, rounded as in the paper, with the printed ones."""
        rounded = tuple(_rounded(value) for value in (computed.b, computed.wd))
        return (computed.a, *rounded) == (self.a, self.b, self.wd)


def _rounded(value: Fraction) -> Decimal:
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    return exact.quantize(Decimal("0.01"))  # half to even


def _pairs() -> tuple[PublishedPair, ...]:
    rows = (
        (10, "5,5,1,3", "7,3,1,3", "29/35", "0.50", "0.67"),
        (10, "5,5,1,3", "5,4,1,4", "3/5", "0.50", "0.67"),
        (11, "2,2,5,5", "2,2,4,6", "109/120", "0.83", "0.83"),
        (11, "2,2,5,5", "3,1,5,5", "19/24", "0.83", "0.83"),
        (12, "9,5,1", "5,9,1", "19/27", "0.33", "0.69"),
        (12, "8,6,1", "5,9,1", "55/72", "0.33", "0.69"),
        (12, "8,6,1", "6,8,1", "5/6", "0.33", "0.69"),
        (12, "7,7,1", "6,8,1", "51/56", "0.75", "0.85"),
        (16, "1,8,1", "9,1", "2/3", "0.50", "0.88"),
        (16, "1,8,1", "2,7,1", "19/24", "0.75", "0.88"),
        (16, "1,8,1", "3,6,1", "83/144", "0.33", "0.62"),
    )
    pairs = []
    for k, (figure, first, second, a, b, wd) in enumerate(rows):
        letter = "abcd"[sum(row[0] == figure for row in rows[:k])]
        reference, hypothesis = (tuple(map(int, side.split(","))) for side in (first, second))
        figures = Fraction(a), Decimal(b), Decimal(wd)
        pairs.append(PublishedPair(figure, letter, reference, hypothesis, *figures))
    return tuple(pairs)


PUBLISHED: Final = _pairs()


def similarities(reference: tuple[int, ...], hypothesis: tuple[int, ...]) -> Similarities:
    """Return A, B and 1 - WindowDiff of two segmentations, given as masses, as fractions.

    Examples
    --------
    >>> found = similarities((5, 5, 1, 3), (7, 3, 1, 3))
    >>> [str(value) for value in found]
    ['29/35', '1/2', '2/3']

    """
    gold, hyp = Segmentation(reference), Segmentation(hypothesis)
    edges = segment_alignment(gold, hyp).edges
    a = sum((Fraction(e.overlap, e.union) for e in edges), Fraction()) / len(edges)
    same = boundary_similarity(gold, hyp, max_transposition=1)
    apart = window_diff(gold, hyp, k=_WINDOW_UNITS)
    # B counts in halves.
    b = Fraction(same.numerator) / Fraction(same.denominator)
    return Similarities(a, b, 1 - Fraction(int(apart.numerator), int(apart.denominator)))
