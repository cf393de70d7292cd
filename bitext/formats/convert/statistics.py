"""Descriptive statistics of files of alignments, as counts that add up.

Lengths are counted exactly. Ratios and scores are counted in buckets whose limits differ by a
thousandth, so that quantiles are exact to 0.05 % and memory does not grow with the corpus. What
does grow is the vocabulary of each side (about 100 bytes a type), and 16 bytes a bisegment, from
which duplicates are counted.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, exp, inf, log, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitext.formats.beads import joined_rows
from bitext.formats.cleaning.repeats import digest_rows, packed, unpacked
from bitext.formats.io.remote import called
from bitext.formats.io.source import Notes
from bitext.formats.reading import FileOptions, opened
from bitext.kernels.arrays import Ints, Rows, distinct, kinds, sums
from bitext.model import Bitext, Text
from bitext.model.languages import lacks_blanks
from bitext.model.word_links import tokens

_UNSPACED = (
    "texts whose script has no blanks between words: their words and types are counted by blanks "
    "(take the figures of characters)"
)
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

# Buckets of real numbers: bucket k > 0 has exp((k - _ZERO) * _STEP) in its middle, bucket -k the
# same number below 0. Every float has |k - _ZERO| below 750,000.
_STEP = log(1.001)
_ZERO = 1_000_000


@dataclass(slots=True)
class Distribution:
    """Counts of values: of whole numbers exactly, of real ones in buckets of 0.1 %.

    Examples
    --------
    >>> lengths = Distribution()
    >>> lengths.add([3, 5, 5, 40])
    >>> lengths.size, lengths.mean, lengths.quantile(0.5), lengths.most
    (4, 13.25, 5, 40)

    """

    whole: bool = True  # whether the values are whole numbers
    # The number of values of each bucket; a whole number is its own bucket.
    counts: Counter[int] = field(default_factory=Counter)
    # `least`, `most`: the extreme values; infinite without values.
    least: float = inf
    most: float = -inf

    def add(self, values: Iterable[float] | NDArray[Any]) -> None:
        """Count values; those that are not finite are left out."""
        given = np.asarray(values)
        given = given[np.isfinite(given)]
        if not given.size:
            return
        self.least = min(self.least, given.min().item())
        self.most = max(self.most, given.max().item())
        if not self.whole:
            size = np.abs(given)
            tiny = np.finfo(np.float64).tiny
            place = _ZERO + np.rint(np.log(np.maximum(size, tiny)) / _STEP).astype(np.int64)
            given = np.where(size < tiny, 0, np.sign(given).astype(np.int64) * place)
        buckets, numbers = np.unique(given, return_counts=True)
        self.counts.update(dict(zip(buckets.tolist(), numbers.tolist(), strict=True)))

    @property
    def size(self) -> int:
        """The number of values."""
        return self.counts.total()

    @property
    def total(self) -> float:
        """The sum of the values, computed from the buckets: the same in any order of adding."""
        return sum(self.value(bucket) * self.counts[bucket] for bucket in sorted(self.counts))

    @property
    def mean(self) -> float:
        """The mean of the values; `nan` without values."""
        return self.total / self.size if self.size else nan

    def value(self, bucket: int) -> float:
        """Return the value in the middle of a bucket."""
        if self.whole or not bucket:
            return bucket
        middle = exp((abs(bucket) - _ZERO) * _STEP)
        return min(max(middle if bucket > 0 else -middle, self.least), self.most)

    def quantile(self, share: float) -> float:
        """Return the least value with at least this share of the values at or below it."""
        wanted, seen = max(ceil(share * self.size), 1), 0
        for bucket in sorted(self.counts):
            seen += self.counts[bucket]
            if seen >= wanted:
                return self.value(bucket)
        return nan

    def bins(self, most: int = 40) -> list[tuple[float, float, int]]:
        """Return at most `most` bins of equal width as (low, high, count).

        The last bin also has the highest hundredth of the values, so that a few extreme ones do not
        flatten the others. Bins of whole numbers include both limits, others not the high one.
        """
        if not self.size:
            return []
        low, high = self.least, self.quantile(0.99)
        if high >= self.value(max(self.counts)):  # the last bucket, which ends at the highest value
            high = self.most
        if self.whole:
            width: float = max(ceil((high - low + 1) / most), 1)
            number = int((high - low) // width) + 1
        else:
            width = (high - low) / most or max(abs(low) * 0.001, 1e-12)
            number = most if high > low else 1
        counts = [0] * number
        for bucket, count in self.counts.items():
            counts[min(int((self.value(bucket) - low) / width), number - 1)] += count
        last = width - 1 if self.whole else width
        return [(low + k * width, low + k * width + last, count) for k, count in enumerate(counts)]

    def summary(self) -> dict[str, Any]:
        """Return the count, the mean, the quantiles and the bins by name; for JSON."""
        quantiles = {f"{share:g}": self.quantile(share) for share in QUANTILES}
        known = {"mean": self.mean, "least": self.least, "quantiles": quantiles, "most": self.most}
        return {"count": self.size, **(known if self.size else {}), "bins": self.bins()}

    def include(self, other: Distribution) -> None:
        """Add the counts of another distribution."""
        self.least, self.most = min(self.least, other.least), max(self.most, other.most)
        self.counts.update(other.counts)

    def state(self) -> list[Any]:
        """Return the counts as JSON values; see `from_state`."""
        extremes = [self.least, self.most] if self.counts else []
        return [list(self.counts), list(self.counts.values()), extremes]

    @classmethod
    def from_state(cls, state: Sequence[Any], *, whole: bool = True) -> Distribution:
        """Return the distribution that `state` describes."""
        buckets, numbers, extremes = state
        least, most = extremes or (inf, -inf)
        return cls(whole, Counter(dict(zip(buckets, numbers, strict=True))), least, most)


@dataclass(slots=True)
class SideCounts:
    """The counts of one side: lengths of its sentences, types and repeated content."""

    sentences: int = 0  # the number of segments of the texts, aligned or not
    # `characters`, `words`: the lengths of the segments. Words are what blanks separate.
    characters: Distribution = field(default_factory=Distribution)
    words: Distribution = field(default_factory=Distribution)
    types: set[str] = field(default_factory=set)  # the distinct words
    # A digest of the content of this side of each bisegment; 0 for no characters.
    digests: list[NDArray[np.uint64]] = field(default_factory=list)

    def add(self, text: Text | None, rows: Rows) -> Ints | None:
        """Count a text and its side of the bisegments; return their characters, where known."""
        self.sentences += 0 if text is None else len(text)
        if text is None or not text.has_text:
            self.digests.append(np.zeros(len(rows.ptr) - 1, np.uint64))
            return None
        segments = list(text.segments())
        lengths = np.fromiter(map(len, segments), np.int64, len(segments))
        words = np.empty(len(segments), dtype=np.int64)
        types: set[str] = set()  # of the part: it fits the cache, and most words are in it
        for k, segment in enumerate(segments):
            each = tokens(segment)
            words[k] = len(each)
            types.update(each)
        self.types |= types
        self.characters.add(lengths)
        self.words.add(words)
        self.digests.append(_digests(joined_rows(text, rows, " ", breaks=True)))
        return sums(rows, lengths)

    def repeats(self) -> tuple[int, int]:
        """Count the sides that repeat one of an earlier bisegment, and all sides."""
        digests = _joint(self.digests)
        return _repeats(digests[digests != 0])

    def summary(self) -> dict[str, Any]:
        """Return the counts by name; for JSON."""
        counts: dict[str, Any] = {"sentences": self.sentences}
        if self.characters.size:
            counts |= {
                "characters": self.characters.total,
                "words": self.words.total,
                "types": len(self.types),
                "sentence_characters": self.characters.summary(),
                "sentence_words": self.words.summary(),
            }
        return counts

    def include(self, other: SideCounts) -> None:
        """Add the counts of the same side of other bisegments."""
        self.sentences += other.sentences
        self.characters.include(other.characters)
        self.words.include(other.words)
        self.types |= other.types
        self.digests += other.digests

    def state(self) -> list[Any]:
        """Return the counts as JSON values, types and digests packed; see `from_state`."""
        types = "\n".join(sorted(self.types)).encode("utf-8", "surrogatepass")
        words = b64encode(zlib.compress(types, 1)).decode()
        digests = packed(_joint(self.digests))
        return [self.sentences, self.characters.state(), self.words.state(), words, digests]

    @classmethod
    def from_state(cls, state: Sequence[Any]) -> SideCounts:
        """Return the counts that `state` describes."""
        sentences, characters, words, types, digests = state
        known = zlib.decompress(b64decode(types)).decode("utf-8", "surrogatepass")
        return cls(
            sentences,
            Distribution.from_state(characters),
            Distribution.from_state(words),
            set(known.split("\n")) if known else set(),
            [unpacked(digests, "u8")],
        )


def _reals() -> Distribution:
    return Distribution(whole=False)


@dataclass(slots=True)
class Description:
    """The statistics of a file, or of several: counts that add up.

    Examples
    --------
    >>> from bitext import Alignment, Bitext, Text
    >>> bt = Bitext(Text(["Yes.", "No."]), Text(["Oui."]), Alignment([((0,), (0,)), ((1,), ())]))
    >>> one = Description("a")
    >>> one.add(bt)
    >>> both = Description("both")
    >>> for _ in range(2):
    ...     both.include(one)
    >>> both.texts, both.bead_types['1-0'], both.src.words.total, both.duplicates()
    (2, 2, 4, (1, 2))

    """

    name: str = ""  # the name of the file, for tables
    # `texts`, `bisegments`: the numbers of document pairs and of bisegments.
    texts: int = 0
    bisegments: int = 0
    # The number of bisegments of each type, as `1-2`.
    bead_types: Counter[str] = field(default_factory=Counter)
    # The number of document pairs of each pair of languages, as `en-fr`, `-` where unknown.
    languages: Counter[str] = field(default_factory=Counter)
    src: SideCounts = field(default_factory=SideCounts)
    tgt: SideCounts = field(default_factory=SideCounts)
    # Target characters by source characters of the bisegments with characters on both sides.
    ratios: Distribution = field(default_factory=_reals)
    scores: Distribution = field(default_factory=_reals)  # the finite scores of bisegments

    def add(self, bitext: Bitext) -> None:
        """Count a document pair, or a part of one."""
        alignment = bitext.alignment
        if not bitext.continues:
            self.texts += 1
            langs = [(text and text.lang) or "-" for text in (bitext.src, bitext.tgt)]
            self.languages["-".join(langs) if langs != ["-", "-"] else "-"] += 1
        self.bisegments += len(alignment)
        types, kind = kinds(alignment.src.lengths, alignment.tgt.lengths)
        for (m, n), number in zip(types, np.bincount(kind).tolist(), strict=True):
            self.bead_types[f"{m}-{n}"] += number
        if alignment.scores is not None:
            self.scores.add(alignment.scores)
        src = self.src.add(bitext.src, alignment.src)
        tgt = self.tgt.add(bitext.tgt, alignment.tgt)
        if src is not None and tgt is not None:
            both = (src > 0) & (tgt > 0)
            self.ratios.add(tgt[both] / src[both])

    def duplicates(self) -> tuple[int, int]:
        """Count the bisegments that repeat both sides of an earlier one, and all bisegments.

        Counted are bisegments with characters on both sides.
        """
        src, tgt = _joint(self.src.digests), _joint(self.tgt.digests)
        both = (src != 0) & (tgt != 0)
        # An odd factor, so that exchanged sides differ.
        return _repeats(src[both] * np.uint64(0x9E3779B97F4A7C15) + tgt[both])

    def summary(self) -> dict[str, Any]:
        """Return the statistics by name; for JSON."""
        repeats: dict[str, Any] = {}
        for side, (again, counted) in self.repeats().items():
            repeats[side] = {"count": again, "of": counted}
        return {
            "name": self.name,
            "texts": self.texts,
            "bisegments": self.bisegments,
            "bead_types": dict(self.bead_types.most_common()),
            "languages": dict(self.languages.most_common()),
            "src": self.src.summary(),
            "tgt": self.tgt.summary(),
            "length_ratios": self.ratios.summary(),
            "scores": self.scores.summary(),
            "duplicates": repeats,
        }

    def repeats(self) -> dict[str, tuple[int, int]]:
        """Return the repeated bisegments, and repeated sides, each of how many."""
        return {"both": self.duplicates(), "src": self.src.repeats(), "tgt": self.tgt.repeats()}

    def include(self, other: Description) -> None:
        """Add the counts of another file, or of a shard of this one, in any order."""
        self.texts += other.texts
        self.bisegments += other.bisegments
        self.bead_types.update(other.bead_types)
        self.languages.update(other.languages)
        self.src.include(other.src)
        self.tgt.include(other.tgt)
        self.ratios.include(other.ratios)
        self.scores.include(other.scores)

    def state(self) -> dict[str, Any]:
        """Return all counts as JSON values, from which `from_state` makes the description again.

        The text has 22 characters a bisegment, and some 10 a type.
        """
        return {
            "name": self.name,
            "sizes": [self.texts, self.bisegments],
            "bead_types": dict(self.bead_types),
            "languages": dict(self.languages),
            "sides": [self.src.state(), self.tgt.state()],
            "ratios": self.ratios.state(),
            "scores": self.scores.state(),
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Description:
        """Return the description that `state` describes."""
        texts, bisegments = state["sizes"]
        src, tgt = map(SideCounts.from_state, state["sides"])
        return cls(
            name=state["name"],
            texts=texts,
            bisegments=bisegments,
            bead_types=Counter(state["bead_types"]),
            languages=Counter(state["languages"]),
            src=src,
            tgt=tgt,
            ratios=Distribution.from_state(state["ratios"], whole=False),
            scores=Distribution.from_state(state["scores"], whole=False),
        )


class FileDescriptions:
    """The descriptions of several files: the summary of each, and the counts of all together.

    With `each` the summaries of files are kept, but no vocabularies of single files, which would
    fill the memory. `number` counts the files; `notes` has the notes on unusual input.
    """

    def __init__(self, *, each: bool) -> None:
        self._each = each
        self._files: list[dict[str, Any]] = []
        self.number = 0
        self._total = Description()
        self.notes = Notes()

    def add(self, description: Description) -> None:
        """Add the description of the next file."""
        if self._each:
            self._files.append(description.summary())
        self.number += 1
        self._total.name = description.name if self.number == 1 else f"all {self.number:,} files"
        self._total.include(description)

    def document(self, failed: Iterable[tuple[str, str]] = ()) -> dict[str, Any]:
        """Return the statistics as JSON values.

        `failed` are the names of the files that could not be described, each with the reason.
        """
        return {
            "schema": "bitext.stats/1",
            "files": self._files,
            # Repeats are sought once.
            "total": self._files[0] if len(self._files) == 1 else self._total.summary(),
            "failed": [{"text": name, "reason": reason} for name, reason in failed],
        }


def describe(
    path: str, *, reading: FileOptions, notes: Notes, on_part: Callable[[int], None] | None = None
) -> Description:
    """Read a file to its end, in parts; return its statistics.

    `on_part` is called with the number of bisegments read since the last call.

    Raises `BitextError` when the file cannot be read.
    """
    description = Description(called(path))
    unspaced: list[str] = []  # sides that were noted
    with opened(path, replace(reading, parts=True)) as open_file:
        for bitext in open_file.noted(notes):
            description.add(bitext)
            for side, text in (("source", bitext.src), ("target", bitext.tgt)):
                if bitext.continues or text is None or not text.has_text or side in unspaced:
                    continue
                if lacks_blanks(text.segments()):
                    unspaced.append(side)
                    notes.add(_UNSPACED, f"{path}: {side}")
            if on_part is not None:
                on_part(len(bitext.alignment))
    return description


def _digests(contents: Sequence[str]) -> NDArray[np.uint64]:
    """Return 64 bits of BLAKE2b of each string, the same on every machine; 0 of an empty one."""
    rows = digest_rows(contents, [""] * len(contents), size=8)
    digests = np.maximum(rows[:, 0], np.uint64(1))
    digests[[k for k, content in enumerate(contents) if not content]] = 0
    return digests


def _joint(digests: list[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    return np.concatenate(digests) if digests else np.empty(0, np.uint64)


def _repeats(digests: NDArray[np.uint64]) -> tuple[int, int]:
    return digests.size - distinct(digests).size, digests.size
