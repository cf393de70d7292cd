"""The work of `bitext align`: all texts aligned together, with what is known beside them."""

from __future__ import annotations

import errno
import os
import pickle
import signal
import threading
import time
import warnings
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from bitext.cli.console import Progress, held_back
from bitext.errors import BitextError, InputError
from bitext.paths import is_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess
    from multiprocessing.sharedctypes import Synchronized

    from bitext.align.sentences.aligner import SentenceAligner
    from bitext.align.sentences.lexical.lexicon import Lexicon
    from bitext.align.sentences.vectors import Encoder, SentenceVectors
    from bitext.cli.align.request import AlignRequest
    from bitext.cli.align.texts import TextPair
    from bitext.formats.dictionaries import Dictionary
    from bitext.formats.io.source import Notes
    from bitext.model import Alignment

    T = TypeVar("T")

__all__ = [
    "AlignRun",
    "forked_map",
    "read_dictionaries",
    "read_lexicon",
    "refuse_single_file",
    "sentence_vectors",
    "vectors_of_pair",
]


class AlignRun:
    """Texts to be aligned, and how.

    Parameters
    ----------
    request : AlignRequest
    pairs : list of TextPair
    notes : Notes
        Takes what is odd in the files that are read beside.
    told : list of str
        Takes what the user has to know.

    Attributes
    ----------
    method : str
        Its name.

    """

    def __init__(
        self,
        request: AlignRequest,
        pairs: list[TextPair],
        notes: Notes,
        told: list[str],
    ) -> None:
        from bitext.align.sentences.options import SentenceOptions, named

        self.method = request.aligner
        named(self.method)  # raises, with the nearest name there is
        self._request, self._pairs = request, pairs
        settings = SentenceOptions(beads=request.beads)
        settings = settings.for_texts((pair.src, pair.tgt) for pair in pairs)
        self._given: dict[str, Any] = {"method": self.method, "options": settings}
        lexicon = read_lexicon(request, pairs, told)
        if lexicon is not None:
            self._given["lexicon"] = lexicon
        self._given["dictionary"] = read_dictionaries(request, pairs, notes, told)
        found = self._vectors = sentence_vectors(request, pairs)
        if found is not None:
            from bitext.align.sentences.evidence.vectors import CorpusVectors

            self._given["more"] = CorpusVectors(settings.kinds, found)
        self._aligner: SentenceAligner | None = None

    def aligner(self) -> SentenceAligner:
        """Return what has aligned the texts; the work is done when it is first asked for."""
        if self._aligner is not None:
            return self._aligner
        from bitext.align.sentences import aligner_of

        each = forked_map(self._request.jobs)
        texts = [(pair.src, pair.tgt) for pair in self._pairs]
        sizes = sorted((len(pair.src) for pair in self._pairs), reverse=True)
        rounds = self._given["options"].rounds
        total = rounds * sum(sizes)
        progress = Progress("sentences, over all rounds", total, quiet=self._request.quiet)

        def further(done: int, texts: int) -> None:
            # Texts whose paths do not settle are aligned in more rounds than were asked for.
            total = texts // len(sizes) * sum(sizes)
            progress.add(sizes[(done - 1) % len(sizes)], total=total)

        with progress.beating():
            made = aligner_of(texts, **self._given, each=each)
            made.run(progress=further, each=each)
        self._aligner = made
        return made

    def align(self) -> list[Alignment]:
        """Return the alignment of each pair of texts."""
        from bitext.align.sentences import alignment_of

        aligner = self.aligner()
        return [alignment_of(aligner, k) for k in range(len(self._pairs))]

    def input_warnings(self, alignments: Sequence[Alignment]) -> list[list[str]]:
        """Return what the user should look at in each text, a line each."""
        from bitext.cli.align.warnings import input_warnings

        misplaced = self.aligner().misplaced

        vectors = self._vectors

        def of(k: int) -> list[str]:
            found = input_warnings(
                self._pairs[k],
                alignments[k],
                self._request,
                misplaced=misplaced[k],
                vectors=None if vectors is None else vectors[k],
            )
            return [line for _, line in found]

        order = sorted(range(len(self._pairs)), key=lambda k: -len(self._pairs[k].src))
        told = dict(zip(order, forked_map(self._request.jobs)(of, order), strict=True))
        return [told[k] for k in range(len(self._pairs))]

    def save_lexicon(self) -> None:
        """Write what was learned of words, where that is wanted; whole or not at all."""
        if not self._request.save_lexicon:
            return
        from bitext.align.sentences import learned_lexicon
        from bitext.formats.io.output import write_whole

        lexicon = learned_lexicon(self.aligner())
        with write_whole(self._request.save_lexicon) as out:
            out.writelines(f"{line}\n" for line in lexicon.lines())


# What `bitext align` brings beside the texts: dictionaries, lexicons and vectors, checked.

_LOOKED_AT = 2000  # sentences of a text that tell the direction of a lexicon
_CLEAR = 5  # pairs that the other direction must have more than twice as many


def read_dictionaries(
    request: AlignRequest, pairs: Sequence[TextPair], notes: Notes, told: list[str]
) -> list[tuple[str, str, float]]:
    """Return the pairs of all dictionaries that occur in the texts, from source to target.

    A dictionary of the other direction, which is told by what of it occurs in the texts, is turned;
    that is told.

    Parameters
    ----------
    request : AlignRequest
    pairs : sequence of TextPair
        The texts.
    notes : Notes
        Takes what is odd in the files.
    told : list of str
        Takes what the user has to know.

    """
    from bitext.formats.dictionaries import read_dictionary
    from bitext.formats.io.encodings import encoding_of

    found: list[tuple[str, str, float]] = []
    if not request.dictionary:
        return found
    src, tgt = _vocabularies(pairs)
    for path in request.dictionary:
        read = read_dictionary(path, encoding=encoding_of(request.encoding, ""))
        for note in read.notes:
            notes.add(note.kind, note.first, note.count)
        found += _occurring_entries(read, src, tgt, told)
    return found


def _vocabularies(
    pairs: Sequence[TextPair], *, most: int | None = None
) -> tuple[set[str], set[str]]:
    """Return the words of all sources, and of all targets; of the first sentences of each text."""
    from bitext.align.sentences.cleaning import unescaped
    from bitext.align.sentences.lexical.vocabulary import words_of

    src, tgt = (
        {
            word
            for text in texts
            for sentence in islice(text.segments(), most)
            for word in words_of(unescaped(sentence))
        }
        for texts in ([pair.src for pair in pairs], [pair.tgt for pair in pairs])
    )
    return src, tgt


def _occurring_entries(
    read: Dictionary, src: set[str], tgt: set[str], told: list[str]
) -> Dictionary:
    """Return what of a dictionary the texts have, from source to target as it may be written.

    Which direction it has is told by terms that occur as they are; with them, terms are used of
    which the texts may have another form.
    """
    from bitext.align.sentences.lexical.lexicon import BEGINNING

    near = read.occurring(src, tgt, words=_split_term, letters=BEGINNING)
    given = near.occurring(src, tgt, words=_split_term)
    near_turned = read.swapped().occurring(src, tgt, words=_split_term, letters=BEGINNING)
    turned = near_turned.occurring(src, tgt, words=_split_term)
    entries = f"{len(given):,} of its {len(read):,} pairs occur in the texts"
    if len(turned) > 2 * len(given) + _CLEAR:
        told.append(
            f"{read.path}: is in the wrong direction, target to source: {entries} as given, and "
            f"{len(turned):,} exchanged; it is used exchanged"
        )
        return near_turned
    if not given and turned:
        told.append(
            f"{read.path}: {entries} as given, and {len(turned):,} exchanged: if it is in the "
            f"wrong direction, exchange its columns"
        )
    elif not given:
        told.append(f"{read.path}: no pair of its {len(read):,} stands in the texts in this form")
    return near


def _split_term(term: str) -> list[str]:
    """Cut a term into words as texts are; the quick way for one word in Latin letters."""
    from bitext.align.sentences.lexical.vocabulary import words_of

    return [term.lower()] if term.isascii() and term.isalpha() else words_of(term)


def read_lexicon(
    request: AlignRequest, pairs: Sequence[TextPair], told: list[str]
) -> Lexicon | None:
    """Return the lexicon that the options name; one of the other direction is turned, and told.

    Parameters
    ----------
    request : AlignRequest
    pairs : sequence of TextPair
        The texts.
    told : list of str
        Takes what the user has to know.

    Raises
    ------
    FormatError
        When a line is not as `--save-lexicon` writes them, with its number.

    """
    if not request.lexicon:
        return None
    from bitext.align.sentences.lexical.lexicon import Lexicon
    from bitext.formats.io.source import open_source

    with open_source(request.lexicon) as source:
        read = Lexicon.of_lines((line for _, line in source.stream_lines()), path=source.path)
    if not len(read):
        told.append(f"{request.lexicon}: holds no pair of words, so it tells nothing")
        return read
    src, tgt = _vocabularies(pairs, most=_LOOKED_AT)
    given, turned = (_occurring_pairs(read, *sides) for sides in ((src, tgt), (tgt, src)))
    entries = f"{given:,} of its {len(read):,} pairs occur in the texts"
    if turned > 2 * given + _CLEAR:
        told.append(
            f"{request.lexicon}: is in the wrong direction, target to source: {entries} as given, "
            f"and {turned:,} exchanged; it is used exchanged"
        )
        return read.swapped()
    if not given and any(src) and any(tgt):
        told.append(f"{request.lexicon}: no pair of its {len(read):,} stands in the texts")
    return read


def _occurring_pairs(lexicon: Lexicon, src: set[str], tgt: set[str]) -> int:
    """Return how many pairs of a lexicon have both words in the texts; no figures and marks."""
    import numpy as np

    here = (
        [form in words and form.isalpha() for form in vocabulary.forms]
        for vocabulary, words in ((lexicon.src, src), (lexicon.tgt, tgt))
    )
    first, second = (np.array(met, dtype=bool) for met in here)
    pairs = lexicon.pairs
    return int((first[pairs.src] & second[pairs.tgt]).sum())


def sentence_vectors(
    request: AlignRequest, pairs: Sequence[TextPair]
) -> list[tuple[SentenceVectors, SentenceVectors]] | None:
    """Return the vectors of each text, from files or an encoder; `None` where none are asked for.

    Raises
    ------
    FormatError
        When a file is no array, or has another number of rows than the text has sentences.
    InputError
        When there is no such file, or a row is none.
    MissingExtraError
        When the package of the encoder is not there.

    """
    if request.vectors:
        alone = len(pairs) == 1
        return [_read_vector_pair(request.vectors, pair, alone=alone) for pair in pairs]
    if not request.encoder:
        return None
    from bitext.align.sentences.vectors import encoder_named, vectors_of

    encoder = encoder_named(request.encoder)
    total = sum(len(pair.src) + len(pair.tgt) for pair in pairs)
    progress = Progress("sentences encoded", total, quiet=request.quiet)
    found = []
    with progress.beating():
        for pair in pairs:
            sides = []
            for text in (pair.src, pair.tgt):
                sides.append(vectors_of(text, encoder))
                progress.add(len(text))
            found.append((sides[0], sides[1]))
    return found


def vectors_of_pair(
    request: AlignRequest, pair: TextPair, encoder: Encoder | None
) -> tuple[SentenceVectors, SentenceVectors]:
    """Return the vectors of one text of many, from files or an encoder; raises the same."""
    if encoder is not None:
        from bitext.align.sentences.vectors import vectors_of

        return vectors_of(pair.src, encoder), vectors_of(pair.tgt, encoder)
    return _read_vector_pair(request.vectors or (), pair, alone=False)


def _read_vector_pair(
    given: Sequence[str], pair: TextPair, *, alone: bool
) -> tuple[SentenceVectors, SentenceVectors]:
    """Return the vectors of both texts of a pair, each from a file of its own."""
    paths = [_vector_file(value, pair, alone=alone) for value in given]
    if Path(paths[0]).samefile(paths[1]):
        raise InputError(
            f"--vectors {paths[0]}: is named for both texts; name the vectors of each (or a "
            f"pattern, as 'de/{{name}}.npy')"
        )
    return _read_vectors(paths[0], pair, 0), _read_vectors(paths[1], pair, 1)


def _vector_file(value: str, pair: TextPair, *, alone: bool) -> str:
    """Return the file of vectors that an option names for a text."""
    from bitext.formats.corpora import find_text
    from bitext.formats.io.source import open_source

    path = find_text(value, pair.name, option="vectors")
    if path is None or (not alone and path == value):
        raise _single_file_error(value)
    if not is_file(path):
        open_source(path).close()  # raises, with the nearest name there is
    return path


def refuse_single_file(request: AlignRequest) -> None:
    """Refuse a file of vectors where there are several texts."""
    for value in request.vectors or ():
        if is_file(value):
            raise _single_file_error(value)


def _single_file_error(value: str) -> InputError:
    return InputError(
        f"--vectors {value}: is one file, and there are several texts: name a folder, or a pattern "
        f"with {{name}}"
    )


def _read_vectors(path: str, pair: TextPair, side: int) -> SentenceVectors:
    """Return the vectors of what is aligned: of blank lines between paragraphs none are wanted."""
    from bitext.align.sentences.vectors import SentenceVectors, read_vectors, vectors_of

    text, places = (pair.src, pair.tgt)[side], pair.places[side]
    if places is None:
        return vectors_of(text, path)
    array = read_vectors(path, rows=len(pair.whole[side]))
    return SentenceVectors(array[places], text=text, name=path)


# The same work over many texts, in one process or in several that share what is there already.
#
# Processes are forked: what they work on, the texts and all that was learned of them, is theirs
# without being sent, and only results are. Where the system cannot fork there is one process.
# Results come in order, so it makes no difference to them how many processes there are.
#
# Each process has a pipe of its own, which ends with it. In one that others write to as well, as
# that of `concurrent.futures.ProcessPoolExecutor`, the reader waits for ever for the rest of a
# result whose process was killed. They end with the one that began them, whatever ended it.


_POLL = 0.25  # seconds between two looks for the one that began a process
_NO_PLACE = -1


def forked_map(jobs: int) -> Callable[[Callable[[int], T], Iterable[int]], Iterator[T]]:
    """Return what does work for each of some numbers, as `map` does, in so many processes.

    Parameters
    ----------
    jobs : int
        How many processes, 1 for this one.

    Returns
    -------
    callable
        Called with the work and the numbers; begins the work in the order of the numbers, and
        yields the results in it: with the longest first, no process is left with one at the end
        while the others have nothing to do. It raises what the work raises, and an `InputError`
        when a process is killed, or the system lets none begin.

    Examples
    --------
    >>> list(forked(2)(lambda k: k * k, range(3)))
    [0, 1, 4]

    """

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
    """What came of the work on the number at a place; an error at no place is of a process."""

    place: int
    value: object = None
    error: Exception | None = None


def _in_processes(work: Callable[[int], T], todo: Sequence[int], jobs: int) -> Iterator[T]:
    crew = _Pool()
    try:
        try:
            crew.begin(work, todo, jobs)
        except (OSError, ImportError) as error:  # no semaphores, which lie in /dev/shm, or no forks
            if isinstance(error, OSError) and error.errno in {errno.EMFILE, errno.ENFILE}:
                raise
            why = (isinstance(error, OSError) and error.strerror) or error
            raise InputError(
                f"several processes cannot be begun here ({why}): one works without, -j 1"
            ) from None
        found: dict[int, _Outcome] = {}
        for place in range(len(todo)):
            while place not in found:
                answer = crew.answers.get()  # which a signal may interrupt
                if answer.place == _NO_PLACE and answer.error is not None:
                    raise answer.error
                found[answer.place] = answer
            answer = found.pop(place)
            if answer.error is not None:
                raise answer.error
            yield cast("T", answer.value)
    finally:  # also where nobody wants the rest: nobody waits for it either
        crew.end()


class _Pool:
    """Processes that work, and a thread for each that takes its answers."""

    def __init__(self) -> None:
        self.answers: SimpleQueue[_Outcome] = SimpleQueue()
        self._processes: list[ForkProcess] = []
        self._pipes: list[Connection] = []
        self._threads: list[threading.Thread] = []

    def begin(self, work: Callable[[int], object], todo: Sequence[int], jobs: int) -> None:
        """Fork."""
        from multiprocessing import get_context

        context = get_context("fork")
        with held_back(), warnings.catch_warnings():
            # The threads that there are belong to numpy, which knows of forks.
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
                self.answers.put(_Outcome(*pickle.loads(data)))  # noqa: S301 - what we have forked
        except (EOFError, OSError):
            error: Exception = InputError(
                "a process was killed, maybe for want of memory: try with fewer --jobs"
            )
        except Exception as found:  # noqa: BLE001 - it is for the one who waits
            error = found
        else:
            return
        self.answers.put(_Outcome(_NO_PLACE, error=error))

    def end(self) -> None:
        """End the processes, whatever they are doing."""
        with held_back():
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
    answers: Connection,
    others: Sequence[Connection],
    parent: int,
) -> None:
    """Do, in a process of its own, one piece of work after another that no other has taken."""
    for number in (signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGINT)):
        signal.signal(number, signal.SIG_IGN)  # they are for the one that began it
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
            answers.send_bytes(_outcome_bytes(work, place, todo[place]))
        answers.send_bytes(b"")
    except ConnectionError:  # nobody is there any more
        os._exit(1)


def _outcome_bytes(work: Callable[[int], object], place: int, number: int) -> bytes:
    """Return what came of a piece of work, pickled."""
    try:
        return pickle.dumps((place, work(number)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001 - it travels to the one who asked
        if not isinstance(error, BitextError):
            from traceback import format_exc

            error.add_note(format_exc())
        try:
            data = pickle.dumps((place, None, error))
            pickle.loads(data)  # noqa: S301 - our own
        except Exception:  # noqa: BLE001 - not every error can travel
            known = InputError if isinstance(error, BitextError) else RuntimeError
            data = pickle.dumps((place, None, known(str(error) or type(error).__name__)))
        return data


def _exit_with_parent(parent: int) -> None:
    """End this process with the one that began it."""
    while os.getppid() == parent:
        time.sleep(_POLL)
    os._exit(1)
