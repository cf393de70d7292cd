"""The blocks of a corpus: in several processes, with a journal, and in shards on several machines.

A corpus of several blocks is linked in two rounds: the words of each block are counted, and with
the sum of all counts each block is linked. A journal has a line for each block and round. A shard
does its blocks of one round: first it counts, and `bitext merge` adds up the counts of all shards;
with these (`--counts`) it links, and `bitext merge` writes the links of all shards.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from contextlib import ExitStack
from itertools import islice
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bitext.cli.console import write_err
from bitext.cli.job_options import shard_of, split_options
from bitext.cli.link.results import digests_of
from bitext.errors import InputError, OptionError
from bitext.jobs.journal import SCHEMA, Journal, Reader, refuse_difference, spelled
from bitext.jobs.task import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Self

    from numpy.typing import NDArray

    from bitext.align.links.directions import Directions
    from bitext.align.links.evidence import BlockCounts
    from bitext.cli.link.request import LinkRequest
    from bitext.jobs.journal import Parts
    from bitext.kernels.arrays import Ints
    from bitext.model import WordLinks

    Linked = tuple[WordLinks, Directions | None]

_COUNT, _LINK = "count", "link"  # the rounds
# Options that neither counts nor links depend on.
_AFTER = (
    "to",
    "scores",
    "save_lexicon",
    "save_phrases",
    "save_terms",
    "save_projection",
    "project",
    "explain",
)
_KINDS = frozenset(("<i4", "<i8", "<f2", "<f4", "<f8"))  # of numbers, in the names of numpy
_LEVEL = 1  # of compression: higher ones take longer than it takes to count


class ShardDone(Exception):  # noqa: N818 - an event, not a mistake of the caller
    """A shard has done its blocks of a round, and their results are in its journal."""


def run_of_texts(
    request: LinkRequest, sides: Iterable[Iterable[str]], evidence: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the description of a run for its journal, and the options of the output alone.

    The description has a digest of the words and of dictionaries, and one of each file of vectors:
    files may lie elsewhere on another machine, and may have changed since.
    """
    digest = hashlib.sha256()
    for side in sides:
        for sentence in side:
            digest.update(sentence.encode("utf-8", "surrogatepass") + b"\n")
        digest.update(b"\0")
    lexicon = evidence.get("lexicon")
    given = [*(lexicon.lines() if lexicon else ()), *map(repr, evidence.get("dictionary") or ())]
    digest.update("\n".join(given).encode("utf-8", "surrogatepass"))
    run, shown = split_options("link", request)
    options = run["options"]
    shown |= {name: options.pop(name) for name in _AFTER if name in options}
    options.pop("counts", None)
    shown["explain"] = []
    if request.vectors:
        run["vectors"] = digests_of(request.vectors)
    run["directions"] = request.directed and request.parts is None  # a merge has the scores alone
    return {**run, "texts": digest.hexdigest()[:32]}, shown


class Blocks:
    """Do the work on blocks in several processes; record results, and know recorded ones.

    Parameters
    ----------
    request : LinkRequest
    run, shown : dict
        The description of the run, and the options of the output.

    Notes
    -----
    The line of block b of N shards has number b in the first round, and P + b in the second, where
    P is the number of blocks, rounded up to a multiple of N; numbers between have void lines.

    """

    def __init__(self, request: LinkRequest, run: dict[str, Any], shown: dict[str, Any]) -> None:
        self._request, self._run, self._shown = request, run, shown
        self._shard = shard_of(request)
        self._stack = ExitStack()
        self._journal: Journal | None = None
        self.counts: BlockCounts | None = None
        self.notes: list[str] = []

    def __enter__(self) -> Self:
        request = self._request
        if request.counts is not None:
            self.counts = _read_counts(request.counts, self._run)
        if request.journal is not None:
            opened = Journal(request.journal, self._run, shard=self._shard, shown=self._shown)
            self._journal = self._stack.enter_context(opened)
            self.notes += opened.notes
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    def __call__(
        self, kind: str, work: Callable[[int], Any], numbers: Sequence[int]
    ) -> Iterator[Any]:
        """Yield the results of one kind of work, in the order of the blocks.

        Raises
        ------
        ShardDone
            Once the blocks of this shard are done, where those of others would be needed.
        OptionError, InputError
            When there is nothing to divide, or the journal lacks an entry that it should have.

        """
        size = numbers[-1] + 1 if numbers else 0
        if self._request.shard is None:
            yield from self._results(kind, work, numbers, size)
            if kind == _LINK and self._journal is not None:
                self._finish(_LINK, size)
        elif kind == _COUNT and self.counts is not None:
            yield from map(self._counted, numbers)
        elif kind == _COUNT and size == 1:  # the first block is counted by all
            yield from self._results(kind, work, numbers, size)
        elif kind == _LINK and self.counts is None:
            raise OptionError(
                f"--shard {self._shard}: the corpus is a single block of work, which is not "
                f"divided: leave --shard out"
            )
        else:
            own = [number for number in numbers if number in self._shard]
            for _ in self._results(kind, work, own, size):
                pass  # written to the journal
            self._finish(kind, size)
            raise ShardDone

    def _results(
        self, kind: str, work: Callable[[int], Any], numbers: Sequence[int], size: int
    ) -> Iterator[Any]:
        """Yield results of the journal, and those of the work, which are added to the journal."""
        from bitext.cli.align.running import forked_map

        lines = {number: self._line(kind, number, size) for number in numbers}
        todo = [number for number in numbers if lines[number] is None]
        results = forked_map(self._request.jobs)(work, todo)
        for number in numbers:
            line = lines[number]
            if line is not None and self._journal is not None:
                value = self._journal.line(line.number).get("value")
                yield _RESULTS[kind](value, self._journal.path)
                continue
            result = next(results)
            if self._journal is not None and number in self._shard:
                document = self._document(kind, number, size)
                self._journal.add(document, value=json.dumps(_packed(_arrays(result))))
            yield result

    def _document(self, kind: str, number: int, size: int) -> Document:
        place = number + (self._padded(size) if kind == _LINK else 0)
        return Document(place, f"{kind} {number + 1}", None)

    def _padded(self, size: int) -> int:
        return -(-size // self._shard.count) * self._shard.count

    def _line(self, kind: str, number: int, size: int) -> Document | None:
        """Return the document of a block if its line is in the journal."""
        if self._journal is None or number not in self._shard:
            return None
        document = self._document(kind, number, size)
        return document if self._journal.find(document) is not None else None

    def _counted(self, number: int) -> BlockCounts | None:
        """Return the counts of a block of this shard from the journal; `None` for other blocks."""
        if number not in self._shard or self._journal is None:
            return None
        if self._line(_COUNT, number, 0) is None:
            raise InputError(
                f"{self._journal.path}: has no counts of shard {self._shard}: give the command "
                f"without --counts first"
            )
        return _counts_of(self._journal.line(number).get("value"), self._journal.path)

    def _finish(self, kind: str, size: int) -> None:
        """Write void lines for numbers without a block, and the last line."""
        if self._journal is None:
            return
        for void in range(size, self._padded(size)):
            for each in (_COUNT, _LINK) if kind == _LINK else (_COUNT,):
                if void in self._shard and self._line(each, void, size) is None:
                    self._journal.add(self._document(each, void, size), value="null")
        self._journal.finish(2 * self._padded(size), {"round": kind, "blocks": size})

    def print_done(self) -> None:
        """Print how to go on after a round of a shard."""
        if self._request.quiet:
            return
        then = (
            "'bitext merge COUNTS JOURNAL ...' adds up those of all shards, and this command with "
            "--counts COUNTS links"
        )
        if self.counts is not None:
            then = "'bitext merge OUT JOURNAL ...' writes those of all shards"
        what = "counts" if self.counts is None else "links"
        write_err(f"shard {self._shard}: {what} in {self._request.journal}; {then}\n")


# Results as values of JSON: arrays of little-endian numbers, whole numbers as differences, which
# are smaller, compressed, in base 64.


class _Array(NamedTuple):
    kind: str
    shape: list[int]
    data: str


def _packed(arrays: Iterable[NDArray[Any]]) -> list[_Array]:
    import numpy as np

    packed = []
    for array in arrays:
        kind = array.dtype.newbyteorder("<")
        flat = np.ascontiguousarray(array, dtype=kind).ravel()
        if kind.kind == "i":
            flat = np.diff(flat, prepend=flat.dtype.type(0))
        data = base64.b64encode(zlib.compress(flat.tobytes(), _LEVEL)).decode("ascii")
        packed.append(_Array(kind.str, list(array.shape), data))
    return packed


def _unpacked(value: Any, path: str, count: int) -> list[NDArray[Any]]:
    """Return the arrays of a value; refuse one that no run wrote."""
    try:
        arrays = [_unpacked_array(*each) for each in value]
    except (TypeError, ValueError, zlib.error) as error:
        raise _foreign(path, error) from error
    if len(arrays) != count:
        raise _foreign(path, f"{len(arrays)} arrays, not {count}")
    return arrays


def _unpacked_array(kind: str, shape: list[int], data: str) -> NDArray[Any]:
    import numpy as np

    if kind not in _KINDS:
        raise ValueError(f"numbers of {kind!r}")
    flat = np.frombuffer(zlib.decompress(base64.b64decode(data)), dtype=kind)
    if flat.dtype.kind == "i":
        flat = np.cumsum(flat, dtype=flat.dtype)
    if prod(shape) != flat.size:
        raise ValueError(f"{flat.size} numbers, not of shape {shape}")
    return flat.reshape(shape).astype(flat.dtype.newbyteorder("="))


def _foreign(path: str, why: object) -> InputError:
    return InputError(
        f"{path}: holds data that 'bitext link' does not write ({why!s:.80}); delete it, and give "
        f"the command anew"
    )


def _arrays(result: BlockCounts | Linked) -> Sequence[NDArray[Any]]:
    """Return the arrays of a result."""
    import numpy as np

    if len(result) != 2:
        return result
    links, both = result
    none = np.zeros(0, dtype=np.float32)
    scores = none if links.confidences is None else links.confidences
    return [links.ptr, links.src, links.tgt, scores, *(both or (none, none))]


def _counts_of(value: Any, path: str) -> BlockCounts:
    from bitext.align.links.evidence import BlockCounts

    return BlockCounts(*_unpacked(value, path, len(BlockCounts._fields)))


def _links_of(value: Any, path: str) -> Linked:
    from bitext.align.links.directions import Directions
    from bitext.model import WordLinks

    ptr, src, tgt, scores, *both = _unpacked(value, path, 6)
    return WordLinks(ptr, src, tgt, confidences=scores), Directions(*both)


_RESULTS: dict[str, Callable[[Any, str], Any]] = {_COUNT: _counts_of, _LINK: _links_of}


# The results of all shards.


def _round_of(parts: Parts) -> str:
    """Return the round of all shards; refuse shards of several rounds."""
    rounds = [str(each.get("round")) if isinstance(each, dict) else "" for each in parts.wholes]
    if len(set(rounds)) > 1:
        path = parts.paths[rounds.index(_COUNT)] if _COUNT in rounds else parts.paths[0]
        raise InputError(
            f"{path}: has the counts of its shard, and others have links: give its command once "
            f"more, with the counts of all"
        )
    return rounds[0]


def merge_counts(parts: Parts, request: LinkRequest) -> int | None:
    """Write the sum of the counts of all shards; return the number of blocks.

    Returns `None`, and writes nothing, if the shards have links.
    """
    from bitext.align.links.evidence import summed
    from bitext.cli.common import is_output_folder
    from bitext.formats.io.output import write_whole
    from bitext.formats.registry import by_suffix

    if _round_of(parts) != _COUNT:
        return None
    request.check_merged()
    if request.html is not None:
        raise OptionError("--html: the shards have counts, and no links yet: leave it out")
    output = request.output
    if output == "-" or is_output_folder(output) or by_suffix(output) is not None:
        raise InputError(
            f"{output}: the shards have counts, and no links yet: name a file for their sum, as "
            f"sum.counts, and give the commands of the shards again, with that file"
        )
    blocks = int(parts.wholes[0]["blocks"])
    name = ", ".join(parts.paths[:3])
    values = (result.value for result in islice(parts.results(), parts.count // 2))
    total = summed(_counts_of(value, name) for value in values if value is not None)
    head = {"schema": SCHEMA, "bitext": _version(), "run": _counts_run(parts.run)}
    line = {"n": 0, "name": "counts", "files": [], "value": _packed(total)}
    with write_whole(output, binary=True) as out:
        for each in ({**head, "shard": [1, 1], "shown": {}}, line, {"end": 1, "whole": blocks}):
            out.write(spelled(json.dumps(each)))
    return blocks


def _version() -> str:
    import bitext

    return bitext.__version__


def _counts_run(run: dict[str, Any]) -> dict[str, Any]:
    """Return the description of the sum of counts of a run."""
    return {**run, "command": "link-counts"}


def _read_counts(path: str, run: dict[str, Any]) -> BlockCounts:
    """Read the sum of counts; refuse that of another run."""
    try:
        with Path(path).open("rb") as file:
            reader = Reader(path, file)
            head = {**reader.head, "run": _counts_run(run), "bitext": _version()}
            refuse_difference(path, reader.head, json.loads(json.dumps(head)))
            line = reader.line(0)
    except OSError as error:
        raise InputError(
            f"--counts {path}: cannot be read: {error.strerror or error}; name the file that "
            f"'bitext merge' wrote"
        ) from None
    if line is None or reader.end is None or reader.damaged:
        raise InputError(f"--counts {path}: is damaged or not complete; merge the shards again")
    return _counts_of(line.get("value"), path)


def merged_links(parts: Parts, run: dict[str, Any], sizes: Sequence[Ints]) -> WordLinks:
    """Return the links of all shards, for texts with sentences of these numbers of words."""
    from bitext.model import WordLinks
    from bitext.model.word_links import LinkRows

    refuse_difference(parts.paths[0], {"run": parts.run}, json.loads(json.dumps({"run": run})))
    blocks = int(parts.wholes[0]["blocks"])
    rows = LinkRows()
    name = ", ".join(parts.paths[:3])
    for result in parts.results():
        if result.number >= parts.count // 2 and result.value is not None:
            rows.extend(_links_of(result.value, name)[0])
            blocks -= 1
    if blocks or len(rows) != sizes[0].size:
        raise _foreign(name, f"links of {len(rows):,} pairs, not of {sizes[0].size:,}")
    joined = rows.joined()
    return WordLinks(
        joined.ptr,
        joined.src,
        joined.tgt,
        confidences=joined.confidences,
        src_sizes=sizes[0],
        tgt_sizes=sizes[1],
    )
