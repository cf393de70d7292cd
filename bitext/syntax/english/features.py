"""Features of the spans of sentences, for the chart parser; many sentences at once.

The sentences of a batch are concatenated, with two empty positions before and after each.
Features of the start position, and of the end position, of a span are computed once a position, not
once a span; only features of both ends are computed for each span.

The templates use the first and the last word of a span, the words just outside, their tags and
suffixes, the length, the shape of the span (its sequence of tag classes), classes of words inside
(verbs, commas, conjunctions, brackets ...), its first verb, its last verb and its last noun.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from bitext.kernels.arrays import Bools, Ints, Singles
from bitext.kernels.compiled_charts import chart_kernels
from bitext.syntax.penn import BRACKETS

if TYPE_CHECKING:
    Codes = NDArray[np.uint64]
    Hashes = Ints

Some = TypeVar("Some")
Number = TypeVar("Number", np.int8, np.int16)

# Features of words as numbers, and tables that hold a row of weights for each known feature.
#
# A feature is a 26-bit hash of its template number and its codes (of a word, a suffix, a tag ...).
# A table maps hashes to rows; an unknown feature has row 0, whose weights are 0. Two features with
# the same hash share their weights.
#
# On disk a table is sparse: weights are integers from -127 to 127 times one scale, and weights near
# 0 are left out.

BITS = 26  # bits of a hash; set by hand
_SLOT_BITS = 22  # bits of the hash that give the slot; the rest distinguishes features of one slot
_REST_BITS = BITS - _SLOT_BITS
_REST = (1 << _REST_BITS) - 1
# Odd numbers: 2^64 over the golden ratio, and both multipliers of splitmix64
_MULTIPLIERS = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
# Rows of features summed at once, so that they fit into the cache; set by hand
_ROWS_AT_ONCE = 8192

# The features of a word, one column of `word_codes` each.
NAMES = (
    "form",
    "lower",
    "last1",
    "last2",
    "last3",
    "last4",
    "last5",
    "first1",
    "first2",
    "first3",
    "first4",
    "shape",
    "kind",
)

_EQUIVALENTS = {  # characters that the parser does not distinguish
    **BRACKETS,
    "``": "“",
    "''": "”",
    **dict.fromkeys(("£", "€", "¥", "US$", "U.S$", "AU$", "A$", "CA$", "C$"), "$"),
    **dict.fromkeys(("HK$", "NT$", "NZ$", "S$", "R$"), "$"),
}
_PLAIN_MARKS = str.maketrans({"’": "'", "´": "'", "—": "--", "–": "--", "…": "..."})
_MOST_KNOWN_WORDS = 200_000  # words whose codes are kept; set by hand to bound memory


def code(text: str) -> int:
    """Return a hash of a string, the same on every machine."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


class _KnownWords:
    """The codes of the words that were seen, a row each."""

    def __init__(self) -> None:
        self._row: dict[str, int] = {}
        self._codes: Codes = np.zeros((1 << 12, len(NAMES)), dtype=np.uint64)

    def codes(self, words: list[str]) -> Codes:
        """Return the codes of each word, [word, name]."""
        if len(self._row) > _MOST_KNOWN_WORDS:
            self._row.clear()
        row, first = self._row, len(self._row)
        unseen = [word for word in dict.fromkeys(words) if word not in row]
        if unseen:
            row.update(zip(unseen, count(first), strict=False))
            if len(row) > len(self._codes):
                more = np.zeros((2 * len(row), len(NAMES)), dtype=np.uint64)
                more[:first] = self._codes[:first]
                self._codes = more
            self._codes[first : len(row)] = [_codes(word) for word in unseen]
        return self._codes[[row[word] for word in words]]


_known_words = _KnownWords()


def word_codes(words: Iterable[str]) -> NDArray[np.uint64]:
    """Return the codes of the features of each word, [word, name]; 0 if a word is too short."""
    return _known_words.codes(list(words))


def _codes(word: str) -> tuple[int, ...]:
    form = _EQUIVALENTS.get(word, word).translate(_PLAIN_MARKS)[:60]
    if word[-1:].isalpha():  # not a quotation mark, but the apostrophe of n`t
        form = form.replace("`", "'")
    form = "".join("0" if c.isdigit() else c for c in form) or " "
    lower = form.lower()
    size = len(lower)
    ends = [code(f"{lower[-k:]}{k}") if size >= k else 0 for k in range(1, 6)]
    starts = [code(lower[:1])] + [code(lower[:k]) if size > k else 0 for k in range(2, 5)]
    kind = code("U" * form[0].isupper()) ^ code("-" * ("-" in form)) ^ code("0" * ("0" in form))
    return (code(form), code(lower), *ends, *starts, code(_shape(form)), kind)


def _shape(form: str) -> str:
    """Return the kinds of the characters of a word, at most two of a kind in a row."""
    out: list[str] = []
    for c in form[:12]:
        letter = "A" if c.isupper() else "a" if c.isalpha() else c
        if out[-2:] != [letter, letter]:
            out.append(letter)
    return "".join(out)


def mix(template: int, *parts: NDArray[np.uint64]) -> Ints:
    """Return the hash of features: one template over rows of codes, all of one length.

    `template` is the number of the template; two templates with the same codes are two features.
    """
    _, second, third = _MULTIPLIERS
    mixed: NDArray[np.uint64] = (parts[0] ^ np.uint64(_key(template))) * np.uint64(second)
    mixed ^= mixed >> np.uint64(29)
    for part in parts[1:]:
        mixed ^= part
        mixed *= np.uint64(second)
        mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(third)
    return (mixed >> np.uint64(64 - BITS)).astype(np.int64)


def _key(template: int) -> int:
    return (template * _MULTIPLIERS[0]) & 0xFFFFFFFFFFFFFFFF


class Templates:
    """Features of places: numbered templates over columns of codes.

    `number` is the number of the template before the first one.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._templates: list[tuple[int, ...]] = []
        self._columns: list[Codes] = []
        self._place: dict[int, int] = {}

    def add(self, *parts: Codes) -> None:
        """Add a template over columns of codes, at most four."""
        for part in parts:
            if self._place.setdefault(id(part), len(self._columns)) == len(self._columns):
                self._columns.append(part)
        self._templates.append(tuple(self._place[id(part)] for part in parts))

    def __len__(self) -> int:
        return len(self._columns[0])

    def hashes(self) -> Hashes:
        """Return the hash of each feature, [place, template], the columns contiguous."""
        return np.stack(
            [
                mix(number, *(self._columns[k] for k in columns))
                for number, columns in enumerate(self._templates, start=self._number + 1)
            ]
        ).T

    def codes(self) -> tuple[Codes, Ints, Codes]:
        """Return the codes [column, place], the columns of each template, and their keys.

        The columns of a template are filled up with -1.
        """
        columns = np.full((len(self._templates), 4), -1, dtype=np.int64)
        for row, places in zip(columns, self._templates, strict=True):
            row[: len(places)] = places
        keys = [_key(self._number + 1 + k) for k in range(len(columns))]
        return np.stack(self._columns), columns, np.array(keys, dtype=np.uint64)


class Slots:
    """Map the hashes of features to rows, 1 and up; 0 for unknown hashes.

    Parameters
    ----------
    keys : array of int
        The known hashes, ascending. Of two hashes in one slot, the first is used.

    """

    def __init__(self, keys: Ints) -> None:
        slots = keys >> _REST_BITS
        self.keys: Ints = keys[np.diff(slots, prepend=-1) > 0]
        # The row of the key of each slot, and the bits that distinguish that key.
        self._slot = np.zeros(1 << _SLOT_BITS, dtype=np.int32)
        rows = np.arange(1, len(self.keys) + 1) << _REST_BITS
        self._slot[self.keys >> _REST_BITS] = rows | (self.keys & _REST)

    @property
    def table(self) -> NDArray[np.int32]:
        """The row of each slot times 2 ** `_REST_BITS`, with the bits of its key."""
        return self._slot

    def __call__(self, hashes: Ints) -> Ints:
        """Return the row of each hash."""
        rows = self._slot.take(hashes >> _REST_BITS, mode="clip")
        known = (rows ^ hashes.astype(np.int32)) & _REST == 0
        rows >>= _REST_BITS
        rows *= known
        return rows.astype(np.int64)

    def __len__(self) -> int:
        return len(self.keys) + 1


class Table:
    """Weights of features, several columns each, from the output of `pack`."""

    def __init__(self, packed: Mapping[str, NDArray[np.generic]], name: str) -> None:
        self._sizes = packed[f"{name}_sizes"].astype(np.int64)
        self._columns, self._values = packed[f"{name}_columns"], packed[f"{name}_values"]
        self.slots = Slots(np.cumsum(packed[f"{name}_keys"].astype(np.int64)))
        self.scale = np.float32(packed[f"{name}_scale"])
        self._width = int(packed[f"{name}_width"])
        columns, number = self._columns, int(self._sizes.sum())
        if (
            len(self._sizes) != len(self.slots) - 1
            or not len(columns) == len(self._values) == number
            or (number and columns.max() >= self._width)
        ):
            raise ValueError(f"the arrays of {name} do not fit each other")

    @cached_property
    def _weights(self) -> NDArray[np.int16]:
        return self._dense(np.int16, self._width)

    @cached_property
    def _small_weights(self) -> NDArray[np.int8]:
        # For kernels: half the memory, and rows that begin with a line of the cache.
        return self._dense(np.int8, -(-self._width // 8) * 8)

    def _dense(self, kind: type[Number], width: int) -> NDArray[Number]:
        weights = np.zeros((len(self.slots), width), dtype=kind)
        weights[np.repeat(np.arange(1, len(self.slots)), self._sizes), self._columns] = self._values
        return weights

    def sums(self, features: Templates) -> NDArray[np.int16]:
        """Return the sum of the weights of the features of each place, to multiply with `scale`.

        A place has at most 250 features.
        """
        if (kernels := chart_kernels.after(0)) is None:
            return self.sums_of_hashes(features.hashes())
        weights = self._small_weights
        sums = np.zeros((len(features), weights.shape[1]), dtype=np.int16)
        multipliers = np.array(_MULTIPLIERS[1:], dtype=np.uint64)
        kernels.feature_sums(
            *features.codes(), multipliers, BITS, _REST_BITS, self.slots.table, weights, sums
        )
        return sums[:, : self._width]

    def sums_of_hashes(self, hashes: Hashes) -> NDArray[np.int16]:
        """Return the sum of the weights of each row of hashes, as `sums` does."""
        out = np.zeros((len(hashes), self._width), dtype=np.int16)
        feature_weights = np.empty((min(len(out), _ROWS_AT_ONCE), self._width), dtype=np.int16)
        for at in range(0, len(out), _ROWS_AT_ONCE):
            part, total = hashes[at : at + _ROWS_AT_ONCE], out[at : at + _ROWS_AT_ONCE]
            part_weights = feature_weights[: len(part)]
            for column in part.T:
                # No row is out of bounds; `clip` spares numpy a slow check of each.
                self._weights.take(self.slots(column), axis=0, out=part_weights, mode="clip")
                total += part_weights
        return out


def pack(
    slots: Slots, weights: Singles, name: str, *, least: float, top: float
) -> dict[str, NDArray[np.generic]]:
    """Return a table as sparse arrays of small integers, whose names begin with `name`.

    `weights[feature, column]` has a row for each of the features of `slots`; row 0 is left out.
    Weights of an absolute value below `least` are left out, and others clipped to `top`.
    """
    scale = np.float32(top / 127)
    whole = np.clip(np.rint(weights[1:] / scale), -127, 127).astype(np.int8)
    whole[np.abs(weights[1:]) < least] = 0
    has_weight = whole.any(axis=1)
    whole = whole[has_weight]
    rows, columns = np.nonzero(whole)
    return {
        f"{name}_keys": np.diff(slots.keys[has_weight], prepend=0).astype(np.uint32),
        f"{name}_sizes": np.bincount(rows, minlength=len(whole)).astype(np.uint8),
        f"{name}_columns": columns.astype(np.uint8),
        f"{name}_values": whole[rows, columns],
        f"{name}_scale": np.array(scale),
        f"{name}_width": np.array(weights.shape[1]),
    }


# Classes of tags that are equivalent in the shape of a span, and as neighbours in a rule.
CLASSES = {
    "N": "NN NNS",
    "NNP": "NNP NNPS",
    "CD": "CD",
    "JJ": "JJ JJR JJS",
    "DT": "DT PDT PRP$ WP$",
    "PRP": "PRP EX",
    "VF": "VBD VBZ VBP",
    "VB": "VB",
    "VBN": "VBN",
    "VBG": "VBG",
    "MD": "MD",
    "TO": "TO",
    "IN": "IN",
    "RB": "RB RBR RBS",
    "CC": "CC",
    ",": ",",
    ":": ":",
    ".": ".",
    "(": "-LRB-",
    ")": "-RRB-",
    "q": "`` ''",
    "POS": "POS",
    "HYPH": "HYPH",
    "RP": "RP",
    "W": "WDT WP WRB",
}
_CLASS = {tag: name for name, tags in CLASSES.items() for tag in tags.split()}
_NOUNS = ("NN", "NNS", "NNP", "NNPS", "PRP")
_FINITE = ("VBD", "VBZ", "VBP", "MD")
_OTHER_VERBS = ("VB", "VBN", "VBG")
_LENGTHS = np.array([0, 1, 2, 3, 4, 5, 6, 7, 7, 8, 8] + [9] * 3 + [10] * 5 + [11] * 11 + [12] * 10)


def tag_class(tag: str) -> str:
    """Return the class of a tag; `X` for a rare tag."""
    return _CLASS.get(tag, "X")


@dataclass(frozen=True, slots=True)
class SpanFeatures(Generic[Some]):
    """The spans of a batch, and their features, as `Templates` or as hashes.

    `sentence`, `first` and `length` locate each span; `start` and `end` are its rows in the
    features of positions. `own` features score the labels of a span, `left` features score the
    mother of which it is the left daughter: [position or span, template].
    """

    sentence: NDArray[np.intp]
    first: NDArray[np.intp]
    length: NDArray[np.intp]
    start: NDArray[np.intp]
    end: NDArray[np.intp]
    own_start: Some
    own_end: Some
    own_span: Some
    left_end: Some
    left_span: Some


class _Places:
    """Features of each position of the concatenated batch, and of its neighbours."""

    def __init__(self, words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> None:
        sizes = np.array([len(sentence) for sentence in words], dtype=np.intp)
        self.begin = np.cumsum(sizes + 4) - sizes - 2
        self.place = np.concatenate(
            [np.arange(b, b + n) for b, n in zip(self.begin, sizes, strict=True)]
        )
        self.count = int((sizes + 4).sum())
        self.sentence = np.zeros(self.count, dtype=np.intp)
        self.sentence[self.place] = np.repeat(np.arange(len(sizes)), sizes)
        self.ends = self.begin + sizes
        self.sizes = sizes
        rim = np.full(self.count, 9, dtype=np.uint64)
        for k, at in enumerate((self.begin - 2, self.begin - 1, self.ends, self.ends + 1)):
            rim[at] = k + 1
        flat = [tag for sentence in tags for tag in sentence]
        known = word_codes(word for sentence in words for word in sentence)
        self._rim = rim
        self.word = self._line(known[:, NAMES.index("lower")])
        self.suffix = self._line(known[:, NAMES.index("last3")])
        self.kind = self._line(known[:, NAMES.index("kind")])
        codes = {tag: (code(tag), code(tag_class(tag))) for tag in set(flat)}
        both = np.array([codes[tag] for tag in flat], dtype=np.uint64)
        self.tag, self.cls = self._line(both[:, 0]), self._line(both[:, 1])
        names = np.full(self.count, "", dtype="U8")
        names[self.place] = flat
        self.names = names

    def _line(self, values: Codes) -> Codes:
        line = self._rim.copy()
        line[self.place] = values
        return line

    def last(self, test: Bools) -> NDArray[np.intp]:
        """Return the last true position at or before each position, or -1."""
        return np.maximum.accumulate(np.where(test, np.arange(self.count), -1))

    def next(self, test: Bools) -> NDArray[np.intp]:
        """Return the first true position at or after each position, or the number of positions."""
        at = np.where(test, np.arange(self.count), self.count)
        return np.minimum.accumulate(at[::-1])[::-1]


def span_features(
    words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]
) -> SpanFeatures[Hashes]:
    """Return the hashes of the features of all spans of non-empty sentences."""
    at = span_templates(words, tags)
    return SpanFeatures(
        *(at.sentence, at.first, at.length, at.start, at.end),
        own_start=at.own_start.hashes(),
        own_end=at.own_end.hashes(),
        own_span=at.own_span.hashes(),
        left_end=at.left_end.hashes(),
        left_span=at.left_span.hashes(),
    )


def span_templates(
    words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]
) -> SpanFeatures[Templates]:
    """Return the features of all spans of non-empty sentences."""
    at = _Places(words, tags)
    reach = at.ends[at.sentence[at.place]] - at.place
    starts = [at.place[reach >= k] for k in range(1, int(at.sizes.max()) + 1)]
    start = np.concatenate(starts)
    length = np.repeat(np.arange(1, len(starts) + 1), [len(s) for s in starts])
    end = start + length - 1
    span = _Spans(at, start, end, length)
    sentence = at.sentence[start]
    return SpanFeatures(
        sentence=sentence,
        first=start - at.begin[sentence],
        length=length,
        start=start,
        end=end,
        own_start=_own_start(at),
        own_end=_own_end(at),
        own_span=span.own(),
        left_end=_left_end(at),
        left_span=span.left(),
    )


def _own_start(at: _Places) -> Templates:
    word, tag, suffix = at.word, at.tag, at.suffix
    word_before, tag_before, suffix_before = np.roll(word, 1), np.roll(tag, 1), np.roll(suffix, 1)
    tag_before2, tag_next = np.roll(tag, 2), np.roll(tag, -1)
    verb = _verb_before(at)
    out = Templates(100)
    out.add(tag)
    out.add(word)
    out.add(tag_before)
    out.add(word_before)
    out.add(tag_before, tag)
    out.add(tag, tag_next)
    out.add(tag_before2, tag_before)
    out.add(word_before, tag)
    out.add(tag_before, word)
    out.add(word_before, word)
    out.add(tag_before, tag, tag_next)
    out.add(tag_before2, tag_before, tag)
    out.add(word[verb], tag)
    out.add(word[verb], word)
    out.add(suffix, tag)
    out.add(suffix_before, tag_before, at.cls)
    out.add(suffix_before, word)
    return out


def _own_end(at: _Places) -> Templates:
    word, tag, suffix = at.word, at.tag, at.suffix
    word_after, tag_after, suffix_after = np.roll(word, -1), np.roll(tag, -1), np.roll(suffix, -1)
    tag_before, tag_after2 = np.roll(tag, 1), np.roll(tag, -2)
    out = Templates(200)
    out.add(tag)
    out.add(word)
    out.add(word_after)
    out.add(tag_after)
    out.add(tag, tag_after)
    out.add(tag_before, tag)
    out.add(tag_after, tag_after2)
    out.add(word, tag_after)
    out.add(tag, word_after)
    out.add(word, word_after)
    out.add(tag, tag_after, tag_after2)
    out.add(tag_before, tag, tag_after)
    out.add(suffix, tag)
    out.add(suffix_after, tag_after, at.cls)
    out.add(suffix, suffix_after)
    out.add(suffix, word_after)
    return out


def _left_end(at: _Places) -> Templates:
    """Return the features of the end position of left daughters."""
    word, tag, suffix = at.word, at.tag, at.suffix
    word_after, tag_after, suffix_after = np.roll(word, -1), np.roll(tag, -1), np.roll(suffix, -1)
    out = Templates(400)
    out.add(tag, tag_after)
    out.add(word, tag_after)
    out.add(tag, word_after)
    out.add(word, word_after)
    out.add(word_after)
    out.add(tag_after, np.roll(tag, -2), tag)
    out.add(suffix, tag_after)
    out.add(tag, suffix_after, tag_after)
    return out


def _verb_before(at: _Places) -> NDArray[np.intp]:
    """Return the last verb before each position, or the position before the sentence."""
    verbs = at.last(np.isin(at.names, _FINITE + _OTHER_VERBS))
    begin = at.begin[at.sentence]
    before = np.roll(verbs, 1)
    return np.where(before >= begin, before, begin - 1)


class _Spans:
    """Features that need both ends of a span."""

    def __init__(
        self, at: _Places, start: NDArray[np.intp], end: NDArray[np.intp], length: NDArray[np.intp]
    ) -> None:
        self.at, self.start, self.end = at, start, end
        self.length = _LENGTHS[np.minimum(length, len(_LENGTHS) - 1)].astype(np.uint64)
        self.none = np.zeros(len(start), dtype=np.uint64)
        before = start - 1
        verbs = np.isin(at.names, _FINITE + _OTHER_VERBS)
        self.first_verb = at.next(verbs)[start]
        self.first_verb = np.where(self.first_verb <= end, self.first_verb, 0)  # 0: no verb
        last = at.last(verbs)[end]
        self.last_verb = np.where(last >= start, last, 0)
        last = at.last(np.isin(at.names, _NOUNS))[end]
        self.last_noun = np.where(last >= start, last, 0)
        self.shape, self.exact = self._shapes(length)
        self.finite = self._count(np.isin(at.names, _FINITE), 2)
        self.commas = self._count(at.names == ",", 2)
        depth = np.cumsum((at.names == "-LRB-").astype(int) - (at.names == "-RRB-"))
        self.balance = (depth[end] - depth[before] + 500).astype(np.uint64)

    def _count(self, test: Bools, most: int) -> Codes:
        seen = np.cumsum(test)
        inside: NDArray[np.intp] = seen.take(self.end, mode="clip") - seen.take(
            self.start - 1, mode="clip"
        )
        return np.minimum(inside, most).astype(np.uint64)

    def _shapes(self, length: NDArray[np.intp]) -> tuple[Codes, Codes]:
        """Return the class sequence of each span, with repeats collapsed and in full."""
        cls, count = self.at.cls, self.at.count
        short, exact = np.zeros(count, dtype=np.uint64), np.zeros(count, dtype=np.uint64)
        shorts, exacts = [], []
        begins = np.searchsorted(length, np.arange(1, int(length[-1]) + 2))
        line = np.concatenate([cls[-1:], cls, cls])  # beyond the end it continues with the begin
        for k in range(int(length[-1])):
            own_classes, classes_before = line[k + 1 : k + 1 + count], line[k : k + count]
            exact = (exact * np.uint64(1_000_003)) ^ own_classes
            joined = (short * np.uint64(1_000_003)) ^ own_classes
            short = np.where(own_classes == classes_before, short, joined) if k else joined
            rows = self.start[begins[k] : begins[k + 1]]
            shorts.append(short[rows])
            exacts.append(exact[rows])
        return np.concatenate(shorts), np.concatenate(exacts)

    def own(self) -> Templates:
        """Return the features for the labels of the span itself."""
        at, i, j, n, out = self.at, self.start, self.end, self.length, Templates(300)
        word_i, word_j, word_b, word_a = (_at(at.word, k) for k in (i, j, i - 1, j + 1))
        tag_i, tag_j, tag_b, tag_a = (_at(at.tag, k) for k in (i, j, i - 1, j + 1))
        tag_i2, tag_j2 = _at(at.tag, i + 1), _at(at.tag, j - 1)
        cls_b, cls_a = _at(at.cls, i - 1), _at(at.cls, j + 1)
        # Words and tags at both ends and their neighbours outside (i, j, before, after), alone,
        # with the length, and in pairs and triples across the ends; then the shape of the span.
        for parts in (
            (self.none,),
            (n,),
            *((tag, n) for tag in (tag_i, tag_j, tag_b, tag_a)),
            (tag_i, tag_j, n),
            (tag_b, tag_a),
            *((word, tag) for word in (word_i, word_b) for tag in (tag_j, tag_a)),
            *((tag, word) for tag in (tag_i, tag_b) for word in (word_j, word_a)),
            (word_i, word_j),
            (word_b, word_a),
            *((word, n) for word in (word_i, word_a, word_b)),
            (tag_b, tag_i, tag_j),
            (tag_i, tag_j, tag_a),
            (tag_b, tag_i, tag_a),
            (tag_b, tag_j, tag_a),
            (cls_b, tag_i, tag_j, cls_a),
            (tag_i, tag_i2, tag_j),
            (tag_i, tag_j2, tag_j),
            (tag_i, tag_i2, tag_a),
            (self.shape,),
            (self.shape, cls_b),
            (self.shape, cls_a),
            (self.shape, cls_b, cls_a),
            (self.exact,),
            (_at(at.kind, i), _at(at.kind, j), tag_i, tag_j),
            (_at(at.word, self.first_verb), tag_i),
            (_at(at.tag, self.first_verb), tag_i, self.finite),
            (_at(at.word, self.last_verb), tag_i),
            (_at(at.word, self.last_noun), tag_i),
            (_at(at.suffix, self.last_noun), tag_i),
            (_at(at.word, self.last_noun), word_a),
            (_at(at.word, self.first_verb), tag_a),
            (_at(at.tag[_verb_before(at)], i), tag_i, tag_a),
        ):
            out.add(*parts)
        self._inside(out)
        return out

    def _inside(self, out: Templates) -> None:
        names, tag = self.at.names, self.at.tag
        tag_i, tag_j, tag_a = (_at(tag, k) for k in (self.start, self.end, self.end + 1))
        finite, commas = self.finite, self.commas
        other = self._count(np.isin(names, _OTHER_VERBS), 2)
        joins = self._count(names == "CC", 1)
        asks = self._count(np.isin(names, ("WDT", "WP", "WRB")), 1)
        nouns = self._count(np.isin(names, (*_NOUNS, "CD")), 2)
        out.add(finite, tag_i, other)
        out.add(finite, tag_a, tag_i)
        out.add(joins, commas, tag_i)
        out.add(joins, tag_i, tag_j)
        out.add(commas, tag_a, tag_i)
        out.add(asks, tag_i, finite)
        out.add(self._count(names == "TO", 1), tag_i, other, finite)
        out.add(self._count(names == "IN", 2), tag_i, self.length)
        out.add(nouns, finite, tag_i)
        out.add(self.balance, tag_i, tag_j)
        out.add(self._count(np.isin(names, ("``", "''")), 3), tag_i, tag_j)

    def left(self) -> Templates:
        """Return the features that score the mother of a left daughter."""
        at, i, j, out = self.at, self.start, self.end, Templates(500)
        word_a, tag_a, tag_i, tag_j = (
            *(_at(at.word, j + 1), _at(at.tag, j + 1)),
            *(_at(at.tag, i), _at(at.tag, j)),
        )
        noun, verb = _at(at.word, self.last_noun), _at(at.word, self.last_verb)
        for parts in (
            (self.none,),
            (self.length,),
            (tag_i, tag_a),
            (tag_i, tag_j, tag_a),
            (_at(at.word, i), tag_a),
            (tag_i, word_a),
            (tag_j, tag_a, tag_i, self.length),
            (_at(at.tag, i - 1), tag_i, tag_a),
            (self.shape, _at(at.cls, j + 1)),
            (noun, word_a),
            (noun, tag_a),
            (verb, word_a),
            (verb, tag_a),
            (self.finite, self.commas, tag_a, tag_i),
            (self.balance, tag_a),
        ):
            out.add(*parts)
        return out


def _at(line: Codes, places: NDArray[np.intp]) -> Codes:
    """Return the codes at places, all of which are there: `clip` spares numpy a slow check."""
    return line.take(places, mode="clip")
