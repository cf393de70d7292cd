"""Tables from word links: a bilingual lexicon, and a phrase table with the scores of Moses."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bitext.align.links.corpus import number
from bitext.errors import OptionError
from bitext.model.word_links import parse, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitext.model import WordLinks

    _Links = list[tuple[int, int]]
    _Weights = tuple[dict[tuple[str, str], float], dict[tuple[str, str], float]]

__all__ = ["lexicon_lines", "phrase_lines", "phrase_spans"]

_DIGITS = 6  # significant digits of probabilities
_NULL = ""  # stands for no word; no token is empty


def lexicon_lines(
    src: Iterable[str | Sequence[str]], tgt: Iterable[str | Sequence[str]], links: WordLinks
) -> Iterator[str]:
    r"""Yield the lines of a lexicon: source word, target word, p(t|s), p(s|t), number of links.

    p(t|s) is the share of the links of s that are links with t; words without a link have no part
    in the shares. Words are in lower case. Lines are sorted by source word, then by falling number
    of links, then by target word.

    Parameters
    ----------
    src, tgt : iterables of str, or of sequences of str
        The sentences, as of `link_words`.
    links : WordLinks
        Their links.

    Examples
    --------
    >>> from bitext.model import WordLinks
    >>> links = WordLinks.parse(["0-0 1-1", "0-0"])
    >>> for line in lexicon_lines(["The dog", "the"], ["le chien", "la"], links):
    ...     print(*line.split("\t"))
    dog chien 1 1 1
    the la 0.5 1 1
    the le 0.5 1 1

    """
    sides = number(src), number(tgt)
    words = [
        side.number[side.ptr[links.pair] + positions].astype(np.int64)
        for side, positions in zip(sides, (links.src, links.tgt), strict=True)
    ]
    wide = max(len(sides[1].forms), 1)
    pair, count = np.unique(words[0] * wide + words[1], return_counts=True)
    first, second = pair // wide, pair % wide
    totals = [
        np.bincount(own, minlength=len(side.forms)) for own, side in zip(words, sides, strict=True)
    ]
    ahead, back = count / totals[0][first], count / totals[1][second]
    names = [side.forms for side in sides]
    rows = zip(
        first.tolist(), second.tolist(), ahead.tolist(), back.tolist(), count.tolist(), strict=True
    )
    ordered = sorted(rows, key=lambda row: (names[0][row[0]], -row[4], names[1][row[1]]))
    for s, t, forward, backward, many in ordered:
        probabilities = f"{forward:.{_DIGITS}g}\t{backward:.{_DIGITS}g}"
        yield f"{names[0][s]}\t{names[1][t]}\t{probabilities}\t{many}"


def phrase_lines(
    src: Iterable[str | Sequence[str]],
    tgt: Iterable[str | Sequence[str]],
    links: WordLinks,
    *,
    max_words: int = 7,
) -> Iterator[str]:
    r"""Yield the lines of a phrase table, as of Moses, sorted.

    A phrase pair is a span of words on each side, with a link between them at least, and none from
    one of them to a word outside of the other. Words without a link at the ends belong to a phrase
    or not, so that there are pairs with and without them.

    A line has the source phrase f, the target phrase e, the scores phi(f|e), lex(f|e), phi(e|f) and
    lex(e|f), the most frequent links, and the counts of e, f and both, with ` ||| ` between. phi is
    a share of counts. lex is the product over words of the mean probability of their links, or of
    the probability of a word without a link. `|` in a token is written as `&#124;`.

    Parameters
    ----------
    src, tgt : iterables of str, or of sequences of str
        The sentences, as of `link_words`; phrases have them in upper and lower case.
    links : WordLinks
        Their links.
    max_words : int
        The words of a phrase, at most.

    Raises
    ------
    OptionError
        When `max_words` is below 1.

    Notes
    -----
    All phrase pairs are in memory, at some 500 bytes each: 1.3 million for 29,000 captions
    of 12 words.

    **Source**: P. Koehn, F. J. Och and D. Marcu, Statistical Phrase-Based Translation, NAACL 2003
    (consistent phrase pairs; lexical weights).

    Examples
    --------
    >>> from bitext.model import WordLinks
    >>> links = WordLinks.parse(["0-0 1-2"])
    >>> for line in phrase_lines(["white house"], ["maison la blanche"], links):
    ...     print(line)
    house ||| blanche ||| 1 1 0.5 1 ||| 0-0 ||| 1 2 1
    house ||| la blanche ||| 1 1 0.5 1 ||| 0-1 ||| 1 2 1
    white house ||| maison la blanche ||| 1 1 1 1 ||| 0-0 1-2 ||| 1 1 1
    white ||| maison la ||| 1 1 0.5 1 ||| 0-0 ||| 1 2 1
    white ||| maison ||| 1 1 0.5 1 ||| 0-0 ||| 1 2 1

    """
    if max_words < 1:
        raise OptionError(f"max_words is {max_words!r}: want at least 1")
    pairs = [
        tuple(tokens(side) if isinstance(side, str) else list(side) for side in both)
        for both in zip(src, tgt, strict=True)
    ]
    both = list(zip(links.src.tolist(), links.tgt.tolist(), strict=True))
    rows = [both[begin:end] for begin, end in pairwise(links.ptr.tolist())]
    weights = _word_weights(pairs, rows)
    known: dict[str, str] = {}  # equal strings are in memory once
    counts: dict[tuple[str, str], dict[str, int]] = {}
    totals: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for (source, target), row in zip(pairs, rows, strict=True):
        for i, i_end, j, j_end, inside in phrase_spans(len(source), len(target), row, max_words):
            f, e = " ".join(source[i:i_end]), " ".join(target[j:j_end])
            spelled = " ".join([f"{a - i}-{b - j}" for a, b in inside])
            f, e, spelled = (known.setdefault(each, each) for each in (f, e, spelled))
            of_pair = counts.setdefault((f, e), {})
            of_pair[spelled] = of_pair.get(spelled, 0) + 1
            totals[0][f] += 1
            totals[1][e] += 1
    for f, e in sorted(counts, key=_spelled):
        alignments = counts[f, e]
        most = min(alignments, key=lambda spelled: (-alignments[spelled], spelled))
        many = sum(alignments.values())
        linked = [(link.src, link.tgt) for link in parse(most)]
        scores = (
            many / totals[1][e],
            _lexical_weight(f.split(" "), e.split(" "), linked, weights[1]),
            many / totals[0][f],
            _lexical_weight(e.split(" "), f.split(" "), [(j, i) for i, j in linked], weights[0]),
        )
        shown = " ".join(f"{score:.{_DIGITS}g}" for score in scores)
        yield f"{_spelled((f, e))}{shown} ||| {most} ||| {totals[1][e]} {totals[0][f]} {many}"


def _spelled(phrases: tuple[str, str]) -> str:
    """Return a phrase pair as a line has it, and as lines are sorted."""
    return "".join(f"{phrase.replace('|', '&#124;')} ||| " for phrase in phrases)


def _word_weights(pairs: Sequence[Sequence[list[str]]], rows: Sequence[_Links]) -> _Weights:
    """Return p(t|s) and p(s|t) of linked words, with the given word first, and of no word."""
    counts: tuple[Counter[tuple[str, str]], Counter[tuple[str, str]]] = (Counter(), Counter())
    for (source, target), row in zip(pairs, rows, strict=True):
        for i, j in row:
            counts[0][source[i], target[j]] += 1
            counts[1][target[j], source[i]] += 1
        for way, words in enumerate((target, source)):
            linked = {link[1 - way] for link in row}
            counts[way].update(
                (_NULL, word) for place, word in enumerate(words) if place not in linked
            )
    shares = []
    for direction in counts:
        totals: Counter[str] = Counter()
        for (given, _), count in direction.items():
            totals[given] += count
        shares.append({pair: count / totals[pair[0]] for pair, count in direction.items()})
    return shares[0], shares[1]


def _lexical_weight(
    words: Sequence[str],
    given: Sequence[str],
    links: Iterable[tuple[int, int]],
    weights: dict[tuple[str, str], float],
) -> float:
    """Return the lexical weight of words given the words of the other side.

    `links` have the position in `words` first, `weights` the given word.
    """
    linked: defaultdict[int, list[str]] = defaultdict(list)
    for place, other in links:
        linked[place].append(given[other])
    product = 1.0
    for place, word in enumerate(words):
        others = linked.get(place, [_NULL])
        product *= sum(weights.get((other, word), 0.0) for other in others) / len(others)
    return product


def phrase_spans(
    source: int, target: int, links: _Links, most: int
) -> Iterator[tuple[int, int, int, int, _Links]]:
    """Yield begin and end of both sides of each phrase pair, source first, and its links."""
    of_src: list[list[int]] = [[] for _ in range(source)]
    of_tgt: list[list[int]] = [[] for _ in range(target)]
    for i, j in links:
        of_src[i].append(j)
        of_tgt[j].append(i)
    for i in range(source):
        low, high = target, -1
        for end in range(i + 1, min(i + most, source) + 1):
            low, high = min([low, *of_src[end - 1]]), max([high, *of_src[end - 1]])
            if high < 0 or high - low >= most:
                continue
            back = [place for j in range(low, high + 1) for place in of_tgt[j]]
            if min(back) < i or max(back) >= end:
                continue
            inside = [(place, j) for place in range(i, end) for j in of_src[place]]
            # Words without a link at both ends of the target belong to the phrase or not.
            begin = low
            while begin >= 0 and (begin == low or not of_tgt[begin]):
                stop = high + 1
                while stop <= target and stop - begin <= most:
                    yield i, end, begin, stop, inside
                    if stop == target or of_tgt[stop]:
                        break
                    stop += 1
                begin -= 1
