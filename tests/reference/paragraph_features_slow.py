"""Likenesses of paragraphs and blocks, one after another, straight from their definition."""

from collections import Counter
from math import sqrt


def bag(sentences, weights=None):
    """Return the words of lists of words, each with its count times its weight."""
    found = Counter(word for words in sentences for word in words)
    return {
        word: times * (1 if weights is None else weights[word]) for word, times in found.items()
    }


def dot(one, other):
    return sum(value * other.get(word, 0) for word, value in one.items())


def cosine(one, other):
    scale = sqrt(dot(one, one) * dot(other, other))
    return dot(one, other) / scale if scale else 0.0


def paragraph_cosines(words, begin, end, weights=None):
    """Return the cosine of sentences `begin` to `end` with the one before and the one behind."""
    inner = bag(words[begin:end], weights)
    before = bag(words[begin - 1 : begin], weights) if begin else {}
    return cosine(inner, before), cosine(inner, bag(words[end : end + 1], weights))


def block_cosine(words, at, width, weights=None):
    """Return the cosine of the `width` sentences before a sentence with those from it on."""
    return cosine(
        bag(words[max(0, at - width) : at], weights), bag(words[at : at + width], weights)
    )
