"""A run of `bitext align` over texts in memory: lexicon, dictionaries, vectors and processes."""

from __future__ import annotations

import errno
import os
import pickle
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import copy_context
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np

from bitext.align.sentences import aligner_of, learned_lexicon
from bitext.align.sentences.aligner import SentenceAligner
from bitext.align.sentences.cleaning import unescaped
from bitext.align.sentences.lexical import words_of
from bitext.align.sentences.lexical.lexicon import BEGINNING, Lexicon
from bitext.align.sentences.options import named
from bitext.cli.align.request import AlignRequest
from bitext.cli.align.warnings import Warnings, input_warnings
from bitext.cli.common import write_file
from bitext.cli.console import Progress, delayed_signals, release_freed_memory
from bitext.errors import BitextError, InputError, OptionError, many
from bitext.formats.io.encodings import encoding_of
from bitext.formats.io.source import Notes, open_source
from bitext.model import Alignment
from bitext.paths import is_file

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess
    from multiprocessing.sharedctypes import Synchronized

    from bitext.align.sentences.vectors import Encoder, SentenceVectors
    from bitext.cli.align.texts import TextPair
    from bitext.formats.dictionaries import Dictionary
    from bitext.jobs.command_aligner import CommandAligner

    T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AlignRun:
    """The texts of a run, and everything that is known before their alignment."""

    request: AlignRequest
    pairs: list[TextPair]
    # Arguments of `bitext.align.sentences.aligner_of`: method, options, lexicon, dictionary and
    # further evidence.
    knowledge: dict[str, Any]
    vectors: list[tuple[SentenceVectors, SentenceVectors]] | None  # the vectors of each pair

    @classmethod
    def prepare(
        cls, request: AlignRequest, pairs: list[TextPair], read_notes: Notes, notes: list[str]
    ) -> AlignRun:
        """Read the lexicon, the dictionaries and the vectors.

        `read_notes` gets the notes of reading the dictionaries; `notes` gets notes on how lexicon
        and dictionaries fit the texts.
        """
        named(request.aligner)  # raises, with the nearest name there is
        options = request.sentence_options().for_texts((pair.src, pair.tgt) for pair in pairs)
        knowledge: dict[str, Any] = {"method": request.aligner, "options": options}
        lexicon = read_lexicon(request, pairs, notes)
        if lexicon is not None:
            knowledge["lexicon"] = lexicon
        knowledge["dictionary"] = read_dictionaries(request, pairs, read_notes, notes)
        vectors = sentence_vectors(request, pairs)
        if vectors is not None:
            from bitext.align.sentences.evidence.vectors import CorpusVectors

            knowledge["more"] = CorpusVectors(options.kinds, vectors)
        return cls(request, pairs, knowledge, vectors)

    def align(self) -> SentenceAligner:
        """Align all texts together; return the aligner."""
        each = forked_map(self.request.jobs)
        texts = [(pair.src, pair.tgt) for pair in self.pairs]
        sizes = sorted((len(pair.src) for pair in self.pairs), reverse=True)
        total = self.knowledge["options"].rounds * sum(sizes)
        progress = Progress("sentences, over all rounds", total, quiet=self.request.quiet)

        def further(done: int, texts: int) -> None:
            # Texts whose paths still change are aligned in more rounds than planned.
            total = texts // len(sizes) * sum(sizes)
            progress.add(sizes[(done - 1) % len(sizes)], total=total)

        with progress.beating():
            aligner = aligner_of(texts, **self.knowledge, each=each)
            # Of a million sentences a side, what reading and cutting let go is 100 MB and more.
            release_freed_memory()
            aligner.run(progress=further, each=each)
        return aligner

    def input_warnings(
        self, aligner: SentenceAligner, alignments: Sequence[Alignment]
    ) -> list[Warnings]:
        """Return the warnings about each text."""
        wrong_language = aligner.wrong_language

        def warnings_of(k: int) -> Warnings:
            warnings = input_warnings(
                self.pairs[k],
                alignments[k],
                self.request,
                wrong_language=wrong_language[k],
                vectors=None if self.vectors is None else self.vectors[k],
                time_map=aligner.state.time_maps.get(k),
            )
            return list(warnings)

        # The longest first, so that no process has a long text left at the end.
        order = sorted(range(len(self.pairs)), key=lambda k: -len(self.pairs[k].src))
        lines = dict(zip(order, forked_map(self.request.jobs)(warnings_of, order), strict=True))
        return [lines[k] for k in range(len(self.pairs))]


class ExternallyAligned(NamedTuple):
    """The alignments of a program or a plug-in, and the warnings about each text."""

    alignments: list[Alignment]
    warnings: list[Warnings]


def align_externally(
    request: AlignRequest, pairs: Sequence[TextPair], read_notes: Notes
) -> ExternallyAligned:
    """Align each text by the program or the plug-in of the request.

    A program runs in threads, so that all can be ended, and their files removed, at an interrupt; a
    plug-in in forked processes. Notes on the output of programs are added to `read_notes`.
    """
    from bitext.jobs.align_task import align_externally as align_pair
    from bitext.jobs.command_aligner import CommandAligner

    aligner = request.external_aligner()
    if aligner is None:
        raise OptionError(f"--method {request.method} is no program and no plug-in")

    if isinstance(aligner, CommandAligner):
        aligner.prepare()

    def work(k: int) -> tuple[Alignment, list[Any], Warnings]:
        notes, pair = Notes(), pairs[k]
        alignment = align_pair(aligner, pair.src, pair.tgt, notes)
        # Scores of others are not probabilities, by which warnings judge.
        unscored = Alignment.from_arrays(alignment.src, alignment.tgt)
        return alignment, list(notes.all()), list(input_warnings(pair, unscored, request))

    order = sorted(range(len(pairs)), key=lambda k: -len(pairs[k].src))
    if isinstance(aligner, CommandAligner):
        results = _in_threads(work, order, aligner, request.jobs)
    else:
        results = forked_map(request.jobs)(work, order)
    progress = Progress("sentences", sum(len(p.src) for p in pairs), quiet=request.quiet)
    done = {}
    with progress.beating():
        for k, result in zip(order, results, strict=True):
            done[k] = result
            progress.add(len(pairs[k].src))
    for k in range(len(pairs)):
        read_notes.extend(done[k][1])
    in_order = [done[k] for k in range(len(pairs))]
    return ExternallyAligned([each[0] for each in in_order], [each[2] for each in in_order])


def _in_threads(
    work: Callable[[int], T], todo: Sequence[int], aligner: CommandAligner, jobs: int
) -> Iterator[T]:
    """Yield the results of work that waits for programs; end the programs at an interrupt."""
    if jobs == 1 or len(todo) < 2:
        yield from map(work, todo)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(jobs) as pool:
        try:
            futures = [pool.submit(copy_context().run, work, k) for k in todo]
            for future in futures:
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            aligner.stop()
            raise


def save_lexicon(aligner: SentenceAligner, path: str) -> None:
    """Write the lexicon that an aligner has learned, whole or not at all."""
    write_file(path, (f"{line}\n" for line in learned_lexicon(aligner).lines()))


# Dictionaries, lexicons and vectors, checked against the texts.
#
# A lexicon or dictionary is in the wrong direction when, exchanged, it has more than twice as many
# pairs in the texts and _CLEAR more, so that a few pairs do not decide.

_DIRECTION_SAMPLE = 2000  # sentences of a text that show the direction of a lexicon, set by hand
_CLEAR = 5  # pairs of words, set by hand


def read_dictionaries(
    request: AlignRequest, pairs: Sequence[TextPair], read_notes: Notes, notes: list[str]
) -> list[tuple[str, str, float]]:
    """Return the entries of all dictionaries that occur in the texts, from source to target.

    A dictionary in the wrong direction is exchanged, with a note. `read_notes` gets the notes of
    reading the files; `notes` gets notes on how the dictionaries fit the texts.
    """
    entries: list[tuple[str, str, float]] = []
    if not request.dictionary:
        return entries
    from bitext.formats.dictionaries import read_dictionary

    src, tgt = _vocabularies(pairs)
    for path in request.dictionary:
        dictionary = read_dictionary(
            path,
            encoding=encoding_of(request.encoding, ""),
            langs=request.languages,
        )
        read_notes.extend(dictionary.notes)
        entries += _occurring_entries(dictionary, src, tgt, notes)
    return entries


def _vocabularies(
    pairs: Sequence[TextPair],
    *,
    most: int | None = None,
    words: Callable[[str], Iterable[str]] | None = None,
) -> tuple[set[str], set[str]]:
    """Return the words of all sources and of all targets, in the first `most` sentences of each.

    `words` divides a sentence; default: as for sentence alignment.
    """
    src, tgt = (
        {
            word
            for text in texts
            for sentence in islice(text.segments(), most)
            for word in (words(sentence) if words else words_of(unescaped(sentence)))
        }
        for texts in ([pair.src for pair in pairs], [pair.tgt for pair in pairs])
    )
    return src, tgt


def _occurring_entries(
    read: Dictionary, src: set[str], tgt: set[str], notes: list[str]
) -> Dictionary:
    """Return the entries of a dictionary that occur in the texts, from source to target.

    The direction is that of the terms that occur unchanged. The entries include terms of which the
    texts may have another inflected form: their words begin alike.
    """
    near = read.occurring(src, tgt, words=_split_term, letters=BEGINNING)
    given = near.occurring(src, tgt, words=_split_term)
    near_turned = read.swapped().occurring(src, tgt, words=_split_term, letters=BEGINNING)
    turned = near_turned.occurring(src, tgt, words=_split_term)
    entries = f"{len(given):,} of its {many(len(read), 'pair')} occur in the texts"
    if len(turned) > 2 * len(given) + _CLEAR:
        notes.append(
            f"{read.path}: is in the wrong direction, target to source: {entries} as given, and "
            f"{len(turned):,} exchanged; it is used exchanged"
        )
        return near_turned
    if not given and turned:
        notes.append(
            f"{read.path}: {entries} as given, and {len(turned):,} exchanged: if it is in the "
            f"wrong direction, exchange its columns"
        )
    elif not given:
        notes.append(f"{read.path}: no pair of its {len(read):,} stands in the texts in this form")
    return near


def _split_term(term: str) -> list[str]:
    """Split a term into words, as texts are split; one ASCII word takes a shorter way."""
    return [term.lower()] if term.isascii() and term.isalpha() else words_of(term)


def read_lexicon(
    request: AlignRequest,
    pairs: Sequence[TextPair],
    notes: list[str],
    *,
    words: Callable[[str], Iterable[str]] | None = None,
) -> Lexicon | None:
    """Read the lexicon (--lexicon); exchange one in the wrong direction, with a note.

    `notes` gets the notes on how the lexicon fits the texts, which `words` divides into words;
    default: as for sentence alignment. Raises `FormatError` when a line is
    not in the format of `--save-lexicon`, with its number.
    """
    if not request.lexicon:
        return None
    with open_source(request.lexicon) as source:
        read = Lexicon.of_lines((line for _, line in source.stream_lines()), path=source.path)
    if not len(read):
        notes.append(f"{request.lexicon}: holds no pair of words, so it is of no use")
        return read
    src, tgt = _vocabularies(pairs, most=_DIRECTION_SAMPLE, words=words)
    given, turned = (_occurring_pairs(read, *sides) for sides in ((src, tgt), (tgt, src)))
    entries = f"{given:,} of its {many(len(read), 'pair')} occur in the texts"
    if turned > 2 * given + _CLEAR:
        notes.append(
            f"{request.lexicon}: is in the wrong direction, target to source: {entries} as given, "
            f"and {turned:,} exchanged; it is used exchanged"
        )
        return read.swapped()
    if not given:
        given = _occurring_pairs(read, *_vocabularies(pairs, words=words))
    if not given and any(src) and any(tgt):
        notes.append(f"{request.lexicon}: no pair of its {len(read):,} stands in the texts")
    return read


def _occurring_pairs(lexicon: Lexicon, src: set[str], tgt: set[str]) -> int:
    """Count the pairs of a lexicon whose words both occur in the texts and have letters."""
    in_src, in_tgt = (
        np.array([f in words and any(map(str.isalpha, f)) for f in vocabulary.forms], dtype=bool)
        for vocabulary, words in ((lexicon.src, src), (lexicon.tgt, tgt))
    )
    pairs = lexicon.pairs
    return int((in_src[pairs.src] & in_tgt[pairs.tgt]).sum())


def sentence_vectors(
    request: AlignRequest, pairs: Sequence[TextPair]
) -> list[tuple[SentenceVectors, SentenceVectors]] | None:
    """Return the vectors of each text, from files or an encoder; `None` without either option.

    Raises `FormatError` when a file is no array, or its rows are not as many as the sentences of
    its text, `InputError` when a file is missing, or a row is not a vector, and `MissingExtraError`
    when the package of the encoder is not installed.
    """
    if request.vectors:
        is_single = len(pairs) == 1
        return [_read_vector_pair(request.vectors, pair, is_single=is_single) for pair in pairs]
    if not request.encoder:
        return None
    from bitext.align.sentences.vectors import encoder_named, vectors_of

    encoder = encoder_named(request.encoder)
    total = sum(len(pair.src) + len(pair.tgt) for pair in pairs)
    progress = Progress("sentences encoded", total, quiet=request.quiet)
    vector_pairs = []
    with progress.beating():
        for pair in pairs:
            sides = []
            for text in (pair.src, pair.tgt):
                sides.append(vectors_of(text, encoder))
                progress.add(len(text))
            vector_pairs.append((sides[0], sides[1]))
    return vector_pairs


def vectors_of_pair(
    request: AlignRequest, pair: TextPair, encoder: Encoder | None
) -> tuple[SentenceVectors, SentenceVectors]:
    """Return the vectors of one text of many, from files or an encoder; raises the same."""
    if encoder is not None:
        from bitext.align.sentences.vectors import vectors_of

        return vectors_of(pair.src, encoder), vectors_of(pair.tgt, encoder)
    return _read_vector_pair(request.vectors or (), pair, is_single=False)


def _read_vector_pair(
    given: Sequence[str], pair: TextPair, *, is_single: bool
) -> tuple[SentenceVectors, SentenceVectors]:
    """Return the vectors of both texts of a pair, each from a file of its own."""
    paths = [_vector_file(value, pair, is_single=is_single) for value in given]
    if Path(paths[0]).samefile(paths[1]):
        raise InputError(
            f"--vectors {paths[0]}: is named for both texts; name the vectors of each (or a "
            f"pattern, as 'de/{{name}}.npy')"
        )
    return _read_vectors(paths[0], pair, 0), _read_vectors(paths[1], pair, 1)


def _vector_file(value: str, pair: TextPair, *, is_single: bool) -> str:
    from bitext.formats.corpora import find_text

    path = find_text(value, pair.name, option="vectors")
    if path is None or (not is_single and path == value):
        raise _single_file_error(value)
    if not is_file(path):
        open_source(path).close()  # raises, with the nearest name there is
    return path


def refuse_single_file(request: AlignRequest) -> None:
    """Refuse a file of vectors if there are several texts."""
    for value in request.vectors or ():
        if is_file(value):
            raise _single_file_error(value)


def _single_file_error(value: str) -> InputError:
    return InputError(
        f"--vectors {value}: is one file, and there are several texts: name a folder, or a pattern "
        f"with {{name}}"
    )


def _read_vectors(path: str, pair: TextPair, side: int) -> SentenceVectors:
    """Read the vectors of the aligned sentences, without those of blank lines."""
    from bitext.align.sentences.vectors import SentenceVectors, read_vectors, vectors_of

    text, places = (pair.src, pair.tgt)[side], pair.places[side]
    if places is None:
        return vectors_of(text, path)
    array = read_vectors(path, rows=len(pair.whole[side]))
    return SentenceVectors(array[places], text=text, name=path)


# The same work over many texts, in this process or in several.
#
# Processes are forked: they share the texts and all statistics, and send results only. If the
# system cannot fork there is one process. Results come in order, and do not depend on the number of
# processes.
#
# Each process has a pipe of its own, which ends with the process. With a shared pipe, as that of
# `concurrent.futures.ProcessPoolExecutor`, the reader waits for ever for the rest of a result whose
# process was killed. Workers end with their parent, whatever ended the parent.

_POLL = 0.25  # seconds between two looks for the parent, set by hand
_NO_PLACE = -1  # of an error of a process, not of a piece of work


def forked_map(jobs: int) -> Callable[[Callable[[int], T], Iterable[int]], Iterator[T]]:
    """Return a `map` over numbers that runs in `jobs` processes; 1 is this process alone.

    The result is called with a function and numbers. It starts the work at once and yields the
    results in the order of the numbers; put the longest work first, so that all processes end at
    about one time. It raises the errors of the work, and an `InputError` when a process is killed,
    or cannot be started.

    Examples
    --------
    >>> list(forked_map(2)(lambda k: k * k, range(3)))
    [0, 1, 4]

    """
    if jobs < 2:
        return map  # `find_paths` recognises it: all work is done in this process

    def each(work: Callable[[int], T], numbers: Iterable[int]) -> Iterator[T]:
        todo = list(numbers)
        if min(jobs, len(todo)) < 2 or not _can_fork():
            return map(work, todo)
        return _in_processes(work, todo, min(jobs, len(todo)))

    return each


def _can_fork() -> bool:
    from multiprocessing import get_all_start_methods

    return "fork" in get_all_start_methods()


class _Outcome(NamedTuple):
    """The value or the error of one piece of work; an error at `_NO_PLACE` is of a process."""

    place: int
    value: object = None
    error: Exception | None = None


def _in_processes(work: Callable[[int], T], todo: Sequence[int], jobs: int) -> Iterator[T]:
    pool = _Pool()
    try:
        try:
            pool.start(work, todo, jobs)
        except (OSError, ImportError) as error:  # no semaphores, which lie in /dev/shm, or no forks
            if isinstance(error, OSError) and error.errno in {errno.EMFILE, errno.ENFILE}:
                raise
            why = (isinstance(error, OSError) and error.strerror) or error
            raise InputError(
                f"several processes cannot be started here ({why}): -j 1 works without them"
            ) from None
        early: dict[int, _Outcome] = {}  # outcomes that came before their turn
        for place in range(len(todo)):
            while place not in early:
                outcome = pool.outcomes.get()  # signals may interrupt it
                if outcome.place == _NO_PLACE and outcome.error is not None:
                    raise outcome.error
                early[outcome.place] = outcome
            outcome = early.pop(place)
            if outcome.error is not None:
                raise outcome.error
            yield cast("T", outcome.value)
    finally:  # also where the caller drops the iterator
        pool.kill()


class _Pool:
    """Forked processes, and a thread for each that receives its outcomes."""

    def __init__(self) -> None:
        self.outcomes: SimpleQueue[_Outcome] = SimpleQueue()
        self._processes: list[ForkProcess] = []
        self._pipes: list[Connection] = []
        self._threads: list[threading.Thread] = []

    def start(self, work: Callable[[int], object], todo: Sequence[int], jobs: int) -> None:
        """Fork the processes, and listen to them."""
        from multiprocessing import get_context

        context = get_context("fork")
        with delayed_signals(), warnings.catch_warnings():
            # The threads of this process belong to numpy, which can fork.
            warnings.simplefilter("ignore", DeprecationWarning)
            taken = context.Value("q", 0)
            for _ in range(jobs):
                ours, theirs = context.Pipe(duplex=False)
                self._pipes.append(ours)
                given = (work, todo, taken, theirs, [*self._pipes], os.getpid())
                process = context.Process(target=_run_worker, args=given, daemon=True)
                process.start()
                self._processes.append(process)
                theirs.close()
            for pipe in self._pipes:
                thread = threading.Thread(target=self._listen, args=(pipe,), daemon=True)
                thread.start()
                self._threads.append(thread)

    def _listen(self, pipe: Connection) -> None:
        try:
            while data := pipe.recv_bytes():
                self.outcomes.put(_Outcome(*pickle.loads(data)))  # noqa: S301 - of our own fork
        except (EOFError, OSError):
            error: Exception = InputError(
                "a process was killed, perhaps because memory ran out: try fewer --jobs"
            )
        except Exception as other:  # noqa: BLE001 - raised by the reader of the outcomes
            error = other
        else:
            return
        self.outcomes.put(_Outcome(_NO_PLACE, error=error))

    def kill(self) -> None:
        """Kill the processes, and close their pipes."""
        with delayed_signals():
            for process in self._processes:
                process.kill()
            for process in self._processes:
                process.join()
            for thread in self._threads:
                thread.join()
            for pipe in self._pipes:
                pipe.close()


def _run_worker(
    work: Callable[[int], object],
    todo: Sequence[int],
    taken: Synchronized[int],
    outcomes: Connection,
    others: Sequence[Connection],
    parent: int,
) -> None:
    """Do pieces of work that no other process has taken; the body of a forked process."""
    for number in (signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT)):
        signal.signal(number, signal.SIG_IGN)  # the parent handles them
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for pipe in others:
        pipe.close()
    threading.Thread(target=_exit_with_parent, args=(parent,), daemon=True).start()
    try:
        while True:
            with taken.get_lock():
                place = taken.value
                taken.value += 1
            if place >= len(todo):
                break
            outcomes.send_bytes(_outcome_bytes(work, place, todo[place]))
        outcomes.send_bytes(b"")
    except ConnectionError:  # the parent has ended
        os._exit(1)


def _outcome_bytes(work: Callable[[int], object], place: int, number: int) -> bytes:
    """Do a piece of work; return its place, value and error, pickled."""
    try:
        return pickle.dumps((place, work(number)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001 - raised in the parent
        if not isinstance(error, BitextError):
            from traceback import format_exc

            error.add_note(format_exc())
        try:
            data = pickle.dumps((place, None, error))
            pickle.loads(data)  # noqa: S301 - our own
        except Exception:  # noqa: BLE001 - not every error can be pickled
            known = InputError if isinstance(error, BitextError) else RuntimeError
            data = pickle.dumps((place, None, known(str(error) or type(error).__name__)))
        return data


def _exit_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_POLL)
    os._exit(1)
