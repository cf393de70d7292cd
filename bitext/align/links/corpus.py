"""Sentence pairs as arrays of numbered words, and the tokens that these are made of.

A **cell** is a pair of a source word and a target word of one sentence pair. A **block** has as
many pairs as `CELLS` cells allow; its pairs are sorted by length and padded to batches of one
shape. Cells refer to the distinct word pairs of the block, so that a table has one row per word
pair.

**Tokens** that blanks separate are never cut where a text is tokenised. In running text punctuation
is part of the word beside; it is set aside for the statistics alone (`bare`), so that positions
still count words between blanks, or the text is cut into words and marks (`cut`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal, NamedTuple
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from bitext.align.sentences.lexical import CLUSTER, SIGNS, UNSPACED
from bitext.errors import InputError, check_list
from bitext.kernels.arrays import Floats, Ints, Singles, distinct_below, prefix, ranges
from bitext.model.word_links import tokens

if TYPE_CHECKING:
    Kind = Literal["tokens", "running", "unspaced"]

# Memory only: a block takes about 30 bytes a cell, and a batch stays in the cache.
CELLS = 1 << 25  # cells of a block
_BATCH_CELLS = 60_000  # cells of a batch, with paddings
# Smallest share of cells without padding in a batch of `_FEW_PAIRS` pairs or more
_LEAST_FILLED_SHARE = 0.65
_FEW_PAIRS = 8  # pairs
_FREQUENT_WORDS = 1024  # words of each side whose pairs are looked up in a table instead of sorted
_PADDING, _SORTED = -1, -2  # cells without a word pair, and with one that is numbered by sorting
_MOST_PIECE_WORDS = 500  # words of a piece: bounds the square matrices of jumps


class Words(NamedTuple):
    """The words of one side, numbered by falling frequency."""

    number: NDArray[np.int32]  # the number of each token, sentence by sentence; shape (tokens,)
    # Sentence k has the tokens `ptr[k]` to `ptr[k + 1]`. Shape (sentences + 1,).
    ptr: Ints
    forms: list[str]  # the distinct words, as `lower_case` gives them
    tally: Floats  # the number of tokens of each word; shape (vocabulary,)


def number(sentences: Iterable[str | Sequence[str]]) -> Words:
    """Number the words of sentences, without regard to case and to the composition of accents.

    The tokens of a string are divided by blanks, and are not cut further. Raises `InputError` when
    the sentences are one string, or a token is not a string.

    Examples
    --------
    >>> words = number(["a Dog , a cat", ["A"]])
    >>> words.number.tolist(), words.ptr.tolist(), words.forms
    ([0, 1, 2, 0, 3, 0], [0, 5, 6], ['a', 'dog', ',', 'cat'])

    """
    if isinstance(sentences, str):
        raise InputError("one string is no corpus: want a list of sentences")
    check_list("the sentences", sentences, "a list, which pairs them by their order")
    known: dict[str, int] = {}
    sizes: list[int] = []

    def split() -> Iterator[Sequence[str]]:
        for sentence in sentences:
            words = tokens(lower_case(sentence)) if isinstance(sentence, str) else _lower(sentence)
            sizes.append(len(words))
            yield words

    flat = np.fromiter(
        (known.setdefault(word, len(known)) for word in chain.from_iterable(split())),
        dtype=np.int32,
    )
    # Numbers rise as words get rarer, ties in the order of the text.
    count = np.bincount(flat, minlength=len(known))
    order = np.argsort(-count, kind="stable")
    rank = np.empty(len(known), dtype=np.int32)
    rank[order] = np.arange(len(known), dtype=np.int32)
    forms = list(known)
    return Words(
        rank[flat],
        prefix(np.array(sizes, dtype=np.int64)),
        [forms[k] for k in order.tolist()],
        count[order].astype(np.float64),
    )


def _lower(sentence: Sequence[str]) -> list[str]:
    try:
        return [lower_case(word) for word in sentence]
    except (AttributeError, TypeError):
        raise InputError(
            f"a sentence is {sentence!r:.60}: want a string, or a list of tokens that are strings"
        ) from None


def lower_case(text: str) -> str:
    r"""Return text in lower case, with composed accents (NFC): both spellings are one word.

    Examples
    --------
    >>> lower_case("E\u0301te\u0301") == "\u00e9t\u00e9"
    True

    """
    return text.lower() if text.isascii() else normalize("NFC", text.lower())


class Pieces(NamedTuple):
    """Sentence pairs, or pieces of long ones, in the order of the corpus."""

    pairs: int  # the number of sentence pairs, with those without a piece
    pair: Ints  # the sentence pair of each piece; shape (pieces,)
    # `begin`, `size`: the first token of each side, among all of the side, and the number of
    # tokens, never 0; shape (2, pieces).
    begin: Ints
    size: Ints
    # The position of the first token of each side in its sentence. Shape (2, pieces).
    offset: Ints


def cut(src: Words, tgt: Words) -> Pieces:
    """Cut sentence pairs above 500 words a side into pieces along the diagonal.

    Both sides are cut into the same number of pieces of equal lengths. Pairs and pieces with an
    empty side are left out.

    Examples
    --------
    >>> pieces = cut(number(["a b", "", "c " * 1000]), number(["d", "e", "f " * 700]))
    >>> pieces.pair.tolist(), pieces.size.tolist(), pieces.offset.tolist()
    ([0, 2, 2], [[2, 500, 500], [1, 350, 350]], [[0, 0, 500], [0, 0, 350]])

    """
    sizes = np.stack([np.diff(src.ptr), np.diff(tgt.ptr)])
    parts = np.maximum(-(-sizes.max(axis=0) // _MOST_PIECE_WORDS), 1)
    pair = np.repeat(np.arange(sizes.shape[1]), parts)
    part = ranges(0, parts)
    first = part * sizes[:, pair] // parts[pair]
    size = (part + 1) * sizes[:, pair] // parts[pair] - first
    begin = np.stack([src.ptr[pair], tgt.ptr[pair]]) + first
    is_filled = np.flatnonzero(size.min(axis=0) > 0)
    return Pieces(
        sizes.shape[1],
        pair[is_filled],
        begin[:, is_filled],
        size[:, is_filled],
        first[:, is_filled],
    )


def blocks(pieces: Pieces, cells: int = CELLS) -> list[slice]:
    """Divide the pieces into runs of `cells` cells at most; a sentence pair is in one run.

    Examples
    --------
    >>> pieces = cut(number(["a b", "c", "d e"]), number(["a b c", "d", "e f"]))
    >>> blocks(pieces, 7), blocks(pieces, 3)
    ([slice(0, 2, None), slice(2, 3, None)], [slice(0, 1, None), slice(1, 2, None), \
slice(2, 3, None)])

    """
    ends = np.cumsum(pieces.size[0] * pieces.size[1])
    starts = np.flatnonzero(np.diff(pieces.pair, prepend=-1))
    runs = []
    begin = 0
    while begin < ends.size:
        above = int(ends[begin - 1]) if begin else 0
        end = int(np.searchsorted(ends, above + cells, side="right"))
        if end < ends.size:  # back to the start of a pair, or on to it within the first pair
            before = int(np.searchsorted(starts, end, side="right")) - 1
            end = int(starts[before])
            if end <= begin:
                end = int(starts[before + 1]) if before + 1 < starts.size else ends.size
        runs.append(slice(begin, end))
        begin = end
    return runs


class Batch(NamedTuple):
    """Pieces of like length, padded to one shape."""

    piece: Ints  # the number of each piece; shape (pieces,)
    first: int  # where the cells of the batch begin among those of the block
    # `src`, `tgt`: the words of both sides; the size of the vocabulary is padding; shape (pieces,
    # longest source).
    src: NDArray[np.int32]
    tgt: NDArray[np.int32]
    # `src_mask`, `tgt_mask`: 1 for a word, 0 for padding.
    src_mask: Singles
    tgt_mask: Singles

    @property
    def shape(self) -> tuple[int, int, int]:
        """The numbers of pieces, source positions and target positions."""
        return (len(self.piece), self.src.shape[1], self.tgt.shape[1])

    @property
    def cells(self) -> slice:
        """The cells of the batch."""
        pieces, rows, columns = self.shape
        return slice(self.first, self.first + pieces * rows * columns)


class Block(NamedTuple):
    """The cells of a run of sentence pairs."""

    batches: list[Batch]
    # `src`, `tgt`: the distinct pairs of words that share a sentence pair; shape (word pairs,).
    src: NDArray[np.int32]
    tgt: NDArray[np.int32]
    # The word pair of each cell, batch by batch; padding is the number of word pairs.
    cells: NDArray[np.int32]


def block_of(
    pieces: Pieces, run: slice, src: Words, tgt: Words, *, frequent: int = _FREQUENT_WORDS
) -> Block:
    """Sort a run of pieces into batches, and number the word pairs of their cells.

    Pairs of two of the `frequent` most frequent words, most cells by far, are numbered by a table;
    all others are sorted together.
    """
    batches = _batches(pieces, run, src, tgt)
    last = batches[-1].cells.stop if batches else 0
    cells = np.empty(last, dtype=np.int32)
    # Words are numbered again within the block: short keys can be sorted with their places.
    own = [
        np.flatnonzero(count_tokens(pieces, run, way, side)) for way, side in enumerate((src, tgt))
    ]
    ranks = [
        _ranks(words, len(side.forms) + 1) for words, side in zip(own, (src, tgt), strict=True)
    ]
    wide = max(own[1].size, 1)
    frequent = min(frequent, max(len(src.forms), len(tgt.forms), 1))
    is_used = np.zeros(frequent * frequent + 2, dtype=np.bool_)
    keys = [np.zeros(0, dtype=np.int64)]
    for batch in batches:
        rows, columns = batch.src[:, :, None], batch.tgt[:, None, :]
        words = (rows < len(src.forms)) & (columns < len(tgt.forms))
        both = (rows < min(frequent, len(src.forms))) & (columns < min(frequent, len(tgt.forms)))
        other = words & ~both
        code = np.where(both, rows * np.int32(frequent) + columns, _PADDING)
        code[other] = _SORTED
        is_used[code] = True
        cells[batch.cells] = code.ravel()
        first, second = ranks[0][batch.src] * wide, ranks[1][batch.tgt]
        keys.append((first[:, :, None] + second[:, None, :])[other])
    known = np.flatnonzero(is_used[:-2])
    distinct, index = distinct_below(np.concatenate(keys), own[0].size * wide + 1)
    del keys
    every = known.size + distinct.size
    table = np.full(is_used.size, every, dtype=np.int32)
    table[known] = np.arange(known.size, dtype=np.int32)
    index += np.int32(known.size)
    begin = 0
    for batch in batches:
        batch_cells = cells[batch.cells]
        other = batch_cells == _SORTED
        end = begin + int(np.count_nonzero(other))
        batch_cells[...] = table[batch_cells]
        batch_cells[other] = index[begin:end]
        begin = end
    return Block(
        batches,
        np.concatenate([known // frequent, own[0][distinct // wide]]).astype(np.int32),
        np.concatenate([known % frequent, own[1][distinct % wide]]).astype(np.int32),
        cells,
    )


def count_tokens(pieces: Pieces, run: slice, way: int, words: Words) -> Ints:
    """Count the tokens of each word of one side (0 or 1) in a run of pieces."""
    number = words.number[ranges(pieces.begin[way][run], pieces.size[way][run])]
    return np.bincount(number, minlength=len(words.forms))


def _ranks(words: NDArray[np.intp], size: int) -> Ints:
    ranks = np.zeros(size, dtype=np.int64)
    ranks[words] = np.arange(words.size)
    return ranks


def _batches(pieces: Pieces, run: slice, src: Words, tgt: Words) -> list[Batch]:
    sizes = pieces.size[:, run]
    order = np.lexsort((sizes[1], sizes[0], sizes.max(axis=0) // 4))
    rows, columns = sizes[0][order].tolist(), sizes[1][order].tolist()
    batches: list[Batch] = []
    begin = first = 0
    while begin < order.size:
        high, wide, used, end = rows[begin], columns[begin], rows[begin] * columns[begin], begin + 1
        while end < order.size:
            higher, wider = max(high, rows[end]), max(wide, columns[end])
            padded = higher * wider * (end - begin + 1)
            more = used + rows[end] * columns[end]
            if padded > _BATCH_CELLS or (
                more < _LEAST_FILLED_SHARE * padded and end - begin >= _FEW_PAIRS
            ):
                break
            high, wide, used, end = higher, wider, more, end + 1
        piece = order[begin:end] + run.start
        src_words, src_mask = _padded(src, pieces.begin[0][piece], pieces.size[0][piece], high)
        tgt_words, tgt_mask = _padded(tgt, pieces.begin[1][piece], pieces.size[1][piece], wide)
        batches.append(Batch(piece, first, src_words, tgt_words, src_mask, tgt_mask))
        first = batches[-1].cells.stop
        begin = end
    return batches


def _padded(words: Words, begin: Ints, size: Ints, wide: int) -> tuple[NDArray[np.int32], Singles]:
    mask = np.arange(wide) < size[:, None]
    numbers = np.full(mask.shape, len(words.forms), dtype=np.int32)
    numbers[mask] = words.number[ranges(begin, size)]
    return numbers, mask.astype(np.float32)


# Tokens of sentences for word links: given, bare of punctuation, or cut from running text.


_SAMPLED_SENTENCES = 2_000  # sentences that show how a text is written; set by hand
_NO_BREAK = "\u00a0\u202f"  # spaces before marks in running text, as of French
_STOPS = ".,。、،۔।။．，"  # marks that no script has a blank before, unless the text is tokenised
# Letters of a token of scripts without blanks: tokenised texts have 1 to 5 on average, sentences 10
# and more, but short lines, as of subtitles, fewer, with one token a line. Set by hand.
_LETTERS = 6
_SHORT_LETTERS, _SHORT_TOKENS = 2.5, 1.5
_LETTER = re.compile(f"[{UNSPACED}]")
_MARKS = rf"[^\w{SIGNS}]"
_AROUND = re.compile(rf"^{_MARKS}+|{_MARKS}+$")
_SPACED = rf"[^\W{UNSPACED}]"  # letters, digits and _ of scripts with blanks
_INNER = f"{SIGNS}\u00ad\u200c\u200d"  # also soft hyphens and joiners, as in Persian and Sinhala
_OUTSIDE = rf"\s<>\"«»“”、。，{UNSPACED}"  # never in an address of the web
_ADDRESS = (  # of the web, without the marks after it, and of mail
    rf"(?:https?://|www\.)[^{_OUTSIDE}]*[^{_OUTSIDE}.,;:!?)\]}}'’…]"
    r"|\w[\w.+-]{0,63}@\w[\w-]*(?:\.\w[\w-]*)+"
)
# Emoji of several code points: flags, keycaps, and variants and joins of pictures.
_VARIANTS = "\ufe00-\ufe0f\u20e3\U0001f3fb-\U0001f3ff"
_EMOJI = (
    "[\U0001f1e6-\U0001f1ff]{2}|[0-9#*]\ufe0f?\u20e3"
    f"|[\u2190-\u2bff\U0001f000-\U0001faff][{_VARIANTS}]*(?:\u200d\\S[{_VARIANTS}]*)*"
)
_TOKEN = re.compile(
    rf"{_ADDRESS}|{_EMOJI}|"
    r"(?i:aujourd['’]hui|o['’]clock|prud['’]hom\w+)"  # words with an apostrophe that is no border
    rf"|\d+(?:[.,:٫٬]\d+)+(?!{_SPACED})|[{UNSPACED}]+"
    rf"|{_SPACED}(?:{_SPACED}|[{_INNER}])*(?:[-‐]{_SPACED}(?:{_SPACED}|[{_INNER}])*)*"
    r"|\.{2,}|-{2,}|\S"
)
_VOWELS = frozenset("aeiouyhàâäáãéèêëíìîïóòôöúùûüœæ")  # and h, after an elided word
_APOSTROPHES = frozenset("'’")
_IDEOGRAPHS = "\u3000"  # the first of ideographs and kana
_KANA_RUN = re.compile("[\u30a1-\u30fa\u30fc-\u30ff]+|[\u3041-\u309f]+|.", re.DOTALL)


def kind_of(sentences: Iterable[str]) -> Kind:
    """Classify sentences by how blanks divide words.

    In `tokens` blanks separate words and punctuation marks. In `running` full stops and commas come
    after words without a blank, or marks after a no-break space, more often than alone. In
    `unspaced` there are no blanks between words, as in Chinese, Japanese, Thai, Lao, Khmer and
    Burmese.

    Examples
    --------
    >>> kind_of(["He came , and left ."]), kind_of(["He came, and left."]), kind_of(["他来了。"])
    ('tokens', 'running', 'unspaced')
    >>> kind_of(["他 来 了 。"])
    'tokens'

    """
    words = [tokens(each) for each in islice(filter(None, sentences), _SAMPLED_SENTENCES)]
    unspaced = [[word for word in sentence if _LETTER.search(word)] for sentence in words]
    unspaced = [sentence for sentence in unspaced if sentence]
    if 2 * len(unspaced) > len(words):
        letter_count = sum(map(len, unspaced))
        letters = len(_LETTER.findall("".join(chain.from_iterable(unspaced)))) / letter_count
        short = letters > _SHORT_LETTERS and letter_count / len(unspaced) < _SHORT_TOKENS
        if letters > _LETTERS or short:
            return "unspaced"
    alone = glued = 0
    for word in chain.from_iterable(words):
        if word[-1] in _STOPS:
            alone += len(word) == 1
            glued += len(word) > 1 and word[-2].isalnum()
        elif len(word) > 2 and word[-2] in _NO_BREAK:
            glued += not word[-1].isalnum()
    return "running" if glued > alone else "tokens"


def bare(token: str) -> str:
    """Return a token without the punctuation marks around it; marks alone stay.

    Examples
    --------
    >>> bare("«Haus»,"), bare("au-dessus"), bare("...")
    ('Haus', 'au-dessus', '...')

    """
    return _AROUND.sub("", token) or token


def cut_sentence(sentence: str) -> list[str]:
    """Cut running text into words, numbers and punctuation marks, without loss but of blanks.

    Words with a hyphen stay whole, and so do `aujourd'hui`, `o'clock`, addresses and emoji. Any
    other apostrophe before a vowel ends an elided word (`l'`), others begin a word (`'s`).
    Ideographs are words each, runs of kana of one kind are words, and Thai, Lao, Khmer and Burmese
    is cut into letters with their combining marks.

    Examples
    --------
    >>> cut_sentence("L'arbre d'Anna's, au-dessus: 1,700.5 m!")
    ["L'", 'arbre', "d'", 'Anna', "'s", ',', 'au-dessus', ':', '1,700.5', 'm', '!']
    >>> cut_sentence("新しいサーバー。"), cut_sentence("เมือง")
    (['新', 'しい', 'サーバー', '。'], ['เมื', 'อ', 'ง'])
    >>> cut_sentence("C'est aujourd'hui.")
    ["C'", 'est', "aujourd'hui", '.']

    """
    words: list[str] = []
    apostrophe = ""  # an apostrophe that begins the next word
    end = -1  # where the last token ends
    for match in _TOKEN.finditer(sentence):
        token, follows = match[0], match.start() == end
        end = match.end()
        if apostrophe and follows:
            token, apostrophe = apostrophe + token, ""
        elif apostrophe:
            words.append(apostrophe)
            apostrophe = ""
        if token in _APOSTROPHES and follows and words and words[-1][-1].isalpha():
            after = sentence[end : end + 1]
            if after.lower() in _VOWELS and after:
                words[-1] += token
            elif after.isalpha():
                apostrophe = token
            else:
                words.append(token)
        elif _LETTER.match(token) and len(token) > 1:
            words += _pieces(token)
        else:
            words.append(token)
    return [*words, apostrophe] if apostrophe else words


def _pieces(run: str) -> list[str]:
    """Cut a run of a script without blanks into pieces that do not overlap."""
    return (CLUSTER if run[0] < _IDEOGRAPHS else _KANA_RUN).findall(run)
