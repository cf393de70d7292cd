"""Duplicates and near-duplicates among bisegments: of one file, or of all files of a run.

A step is a filter that compares bisegments with earlier ones. If files are converted by
several processes, a first pass records the signatures of all bisegments that reach a step,
`RepeatJudge` judges them in the order of the files, and the second pass repeats its judgements.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitext.errors import InputError
from bitext.formats.cleaning import Pair
from bitext.kernels.arrays import Floats, Ints, Rows, mixed, prefix, take
from bitext.kernels.near_duplicates import NearDuplicates

_DIGEST = 16  # bytes of a digest: collisions among a billion different pairs are negligible
_WORD = np.uint64(32)  # bits of the hash of a word


def word_sets(pair: Pair) -> Rows:
    """Return the different words of both sides of each bisegment, as hashes of 32 bits.

    Words are runs of letters and digits, in lower case; a character of a script without blanks
    between words is a word of its own. A word of the source differs from the same word of the
    target. A side that has characters, but no words, counts as one word; a blank side as none.

    Examples
    --------
    >>> from bitext.formats.cleaning import Pair, Side
    >>> sets = word_sets(Pair(Side(["A mill, a mill!", "mill a"]), Side(["...", "..."])))
    >>> sets.lengths.tolist(), sets.row(0).tolist() == sets.row(1).tolist()
    ([3, 3], True)

    """
    keys = []
    for number, side in enumerate(pair.sides):
        owner, _, words = side.tokens
        worded = np.zeros(len(side), dtype=np.bool_)
        worded[owner] = True
        alone = np.flatnonzero(~worded & side.is_filled)
        if alone.size:
            strings = ["".join(side.strings[k].split()) for k in alone.tolist()]
            owner = np.concatenate([owner, alone])
            words = np.concatenate([words, digest_rows(strings, [""] * len(strings))[:, 0]])
        hashes = mixed(words + np.uint64(number)) >> _WORD
        keys.append((owner.astype(np.uint64) << _WORD) | hashes)
    members = np.sort(np.concatenate(keys))  # `np.unique` takes three times as long
    members = members[np.flatnonzero(np.diff(members, prepend=~members[:1]))]
    sizes = np.bincount((members >> _WORD).astype(np.int64), minlength=len(pair))
    tokens: Any = members.astype(np.uint32)
    return Rows(prefix(sizes), tokens)


def digest_rows(
    src: Sequence[str], tgt: Sequence[str], *, before: str = "", size: int = _DIGEST
) -> NDArray[np.uint64]:
    """Return a digest of the characters of each bisegment, shape (bisegments, size / 8).

    `src` and `tgt` are the sides of the bisegments. The characters of `before` are digested before
    those of each bisegment; `size` is the number of bytes of a digest.
    """
    from hashlib import blake2b  # here: it brings 3 MB of OpenSSL

    sides = (src, tgt)
    try:
        # Without a way for errors `encode` is faster (a quarter of the time of it all, or more).
        digests = [
            blake2b(f"{before}{one}\0{other}".encode(), digest_size=size).digest()
            for one, other in zip(*sides, strict=True)
        ]
    except UnicodeEncodeError:
        spelled = (f"{before}{one}\0{other}" for one, other in zip(*sides, strict=True))
        encoded = (each.encode("utf-8", "surrogatepass") for each in spelled)
        digests = [blake2b(each, digest_size=size).digest() for each in encoded]
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64).reshape(-1, size // 8)


def packed(array: NDArray[Any]) -> str:
    """Return the bytes of an array as text, for a JSON value."""
    return b64encode(array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()).decode()


def unpacked(text: str, kind: str) -> NDArray[Any]:
    """Return the array whose bytes `packed` spelled; `kind` is its type, as `u4`."""
    return np.frombuffer(b64decode(text), f"<{kind}").astype(kind)


@dataclass(frozen=True, slots=True)
class Step:
    """A filter that compares bisegments with earlier ones."""

    key: str  # its place among the filters of a run
    # The least Jaccard coefficient of near-duplicates; `None` for duplicates.
    threshold: float | None = None

    @property
    def stores_words(self) -> bool:
        """Whether the signature of a bisegment is the set of its words, and not a digest."""
        return self.threshold is not None


class _Earlier:
    """The earlier bisegments of a step."""

    def __init__(self, step: Step) -> None:
        self._near = None if step.threshold is None else NearDuplicates(step.threshold)
        self._digests: set[bytes] = set()

    def values(self, signatures: Any) -> Floats:
        """Return the similarity of each bisegment to an earlier one; store the new ones."""
        if self._near is not None:
            return self._near.nearest(signatures)
        values = np.zeros(len(signatures))
        joined = signatures.tobytes()
        for k in range(len(signatures)):
            digest = joined[_DIGEST * k : _DIGEST * (k + 1)]
            values[k] = digest in self._digests
            self._digests.add(digest)
        return values


class Repeats:
    """Judges the bisegments that reach the steps of a run, in one pass over all of its files."""

    def __init__(self) -> None:
        self._earlier: dict[Step, _Earlier] = {}

    def values(self, step: Step, numbers: Ints, signatures: Callable[[], Any]) -> Floats:
        """Return 1 for duplicates, the Jaccard coefficient for near-duplicates, 0 for others.

        `numbers` has the number of each bisegment in its file; `signatures` returns the digests of
        the bisegments, or the sets of their words.
        """
        if not numbers.size:
            return np.zeros(0)
        earlier = self._earlier.setdefault(step, _Earlier(step))
        return earlier.values(signatures())

    def finish(self) -> None:
        """Check that all judgements were taken, where they were made before."""


class Recording(Repeats):
    """Records the signatures of bisegments, and lets all pass."""

    def __init__(self) -> None:
        super().__init__()
        self.record: list[list[str]] = []  # the signatures, chunk by chunk, as a JSON value

    def values(self, step: Step, numbers: Ints, signatures: Callable[[], Any]) -> Floats:
        """Record the signatures; return zeros."""
        if numbers.size:
            given = signatures()
            spelled = [step.key, packed(numbers.astype(np.uint32))]
            if step.stores_words:
                spelled += [packed(given.lengths.astype(np.uint32)), packed(given.idx)]
            else:
                spelled.append(packed(given))
            self.record.append(spelled)
        return np.zeros(numbers.size)


class Decided(Repeats):
    """Repeats the judgements on the bisegments of one file, made after a first pass.

    `values` has for each step, by its key, the values of the bisegments that reach it.
    """

    def __init__(self, path: str, values: Mapping[str, Floats]) -> None:
        super().__init__()
        self._path, self._values = path, values
        self._taken = dict.fromkeys(values, 0)

    def values(self, step: Step, numbers: Ints, signatures: Callable[[], Any]) -> Floats:
        """Return the next values of the step."""
        del signatures
        if not numbers.size:
            return np.zeros(0)
        begin = self._taken.get(step.key, 0)
        end = self._taken[step.key] = begin + numbers.size
        values = self._values.get(step.key, np.zeros(0))
        if end > len(values):
            raise self._changed()
        return values[begin:end]

    def finish(self) -> None:
        """Refuse a file with fewer bisegments than in the first pass."""
        if any(self._taken[key] != len(values) for key, values in self._values.items()):
            raise self._changed()

    @property
    def digest(self) -> str:
        """A digest of all judgements."""
        from hashlib import blake2b

        digest = blake2b(digest_size=_DIGEST)
        for key, values in self._values.items():
            digest.update(f"{key} {len(values)}\n".encode() + values.tobytes())
        return digest.hexdigest()

    def _changed(self) -> InputError:
        return InputError(
            f"{self._path}: has other bisegments than when it was read for duplicates: it changed "
            f"meanwhile, or could not be read then; try again"
        )


class RepeatJudge:
    """Judges the records of the files of a run, given one after another."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = {step.key: step for step in steps}
        self._repeats = Repeats()

    def decide(self, record: Sequence[Sequence[str]]) -> dict[str, Floats]:
        """Return the values of the bisegments of the next file that reach each step."""
        values: dict[str, list[Floats]] = {key: [np.zeros(0)] for key in self._steps}
        rejected = np.zeros(0, dtype=np.bool_)
        for key, *spelled in record:
            step = self._steps[key]
            numbers = unpacked(spelled[0], "u4").astype(np.int64)
            if (size := int(numbers[-1]) + 1) > len(rejected):
                rejected = np.concatenate([rejected, np.zeros(size, dtype=np.bool_)])
            # Those that an earlier step rejects do not reach this one.
            reaching = np.flatnonzero(~rejected[numbers])
            some = self._repeats.values(step, numbers[reaching], _chosen(spelled[1:], reaching))
            values[key].append(some)
            rejected[numbers[reaching[some > 0]]] = True
        return {key: np.concatenate(each) for key, each in values.items()}


def _chosen(spelled: Sequence[str], rows: Ints) -> Callable[[], Any]:
    """Return a function that returns the signatures of some rows."""

    def signatures() -> Any:
        if len(spelled) == 1:
            return of_rows(unpacked(spelled[0], "u8").reshape(-1, 2), rows)
        sizes = unpacked(spelled[0], "u4").astype(np.int64)
        return of_rows(Rows(prefix(sizes), unpacked(spelled[1], "u4")), rows)

    return signatures


def of_rows(signatures: Any, rows: Ints) -> Any:
    """Return the signatures of some rows: digests, or sets of words."""
    return take(signatures, rows) if isinstance(signatures, Rows) else signatures[rows]
