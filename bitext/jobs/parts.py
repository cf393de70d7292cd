"""The journals of all shards of a run, merged into the results of the corpus."""

from __future__ import annotations

from contextlib import ExitStack
from heapq import merge
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bitext
from bitext.errors import InputError
from bitext.formats.io.remote import refuse_remote
from bitext.jobs.journal import Reader, difference

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType
    from typing import Self

    from bitext.jobs.task import Result

__all__ = ["Parts"]


class Parts:
    """The checked journals of all shards of a run.

    Attributes
    ----------
    paths : list of str
        The files.
    run, shown : dict
        The command with its options, and the options of the output.
    count : int
        The number of documents of the corpus.
    wholes : list
        The facts about the corpus (`Task.whole`) by shard, in the order of the shards.

    Raises
    ------
    InputError
        When a journal cannot be read, is of another run or version, or is not finished; or when a
        shard is missing or given twice.
    FormatError
        When a file is not a journal.

    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = list(paths)
        self._stack = ExitStack()
        try:
            self._readers = [self._open(path) for path in paths]
            self._check()
        except BaseException:
            self._stack.close()
            raise
        first = self._readers[0]
        self.run, self.shown = first.head["run"], first.head["shown"]
        ends = [reader.end for reader in self._readers if reader.end is not None]
        self.count = ends[0]["end"]
        self.wholes = [end["whole"] for end in ends]

    def _open(self, path: str) -> Reader:
        refuse_remote(path, "the journals of shards are read here: copy it")
        try:
            return Reader(path, self._stack.enter_context(Path(path).open("rb")))
        except OSError as error:
            raise InputError(
                f"{path}: cannot be read: {error.strerror or error}; name the journal of a shard"
            ) from None

    def _check(self) -> None:
        """Refuse journals that are not all shards of one corpus; sort them."""
        first = self._readers[0]
        if (made_by := first.head.get("bitext")) != bitext.__version__:
            raise InputError(
                f"{first.path}: is of bitext {made_by!s:.20}, and this is {bitext.__version__}; "
                f"merge with the version that made the shards, or make them anew"
            )
        known: dict[int, Reader] = {}
        for reader in self._readers:
            heads = ({**each.head, "shard": each.shard.count} for each in (first, reader))
            if (differs := difference(*heads)) is not None:
                key, was, now = differs
                raise InputError(
                    f"{reader.path}: is of another run than {first.path}: {key} is {now:.80} here "
                    f"and {was:.80} there; name the shards of one run"
                )
            other = known.setdefault(reader.shard.index, reader)
            if other is not reader:
                raise InputError(
                    f"{reader.path}: is shard {reader.shard}, and so is {other.path}; name each "
                    f"shard once"
                )
            if reader.end is None:
                raise InputError(
                    f"{reader.path}: shard {reader.shard} is not finished; give its command again, "
                    f"it goes on from there"
                )
            if reader.damaged:
                raise InputError(
                    f"{reader.path}: {reader.damaged:,} lines are damaged; give the command of "
                    f"shard {reader.shard} again, it mends that"
                )
            if first.end is not None and reader.end["end"] != first.end["end"]:
                raise InputError(
                    f"{reader.path}: is of a corpus of {reader.end['end']:,} documents, and "
                    f"{first.path} of one of {first.end['end']:,}; run the shards over one corpus"
                )
        count = first.shard.count
        lacking = [f"{k}/{count}" for k in range(1, count + 1) if k not in known]
        if lacking:
            few = ", ".join(lacking[:10]) + (", ..." if len(lacking) > 10 else "")
            plural = "" if len(lacking) == 1 else "s"
            raise InputError(f"shard{plural} {few} of {first.path} and others: not given; name all")
        self._readers = [known[k] for k in range(1, count + 1)]

    def results(self) -> Iterator[Result]:
        """Yield the results of the corpus in the order of the documents.

        Raises
        ------
        InputError
            When a document is missing.

        """
        shards = (reader.results() for reader in self._readers)
        wanted = 0
        for result in merge(*shards, key=lambda result: result.number):
            if result.number != wanted:
                break
            wanted += 1
            yield result
        if wanted != self.count:
            shard = self._readers[wanted % len(self._readers)]
            raise InputError(
                f"{shard.path}: lacks document {wanted + 1} of {self.count}; give the command of "
                f"shard {shard.shard} again"
            )

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the journal lines of the documents, shard by shard."""
        return chain.from_iterable(reader.lines() for reader in self._readers)

    def close(self) -> None:
        """Close the files."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
