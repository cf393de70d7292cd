"""Bilingual lexicons, phrase tables with the scores of Moses, and terms from word links."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bitext.align.links.corpus import number
from bitext.align.links.similarity import words_of
from bitext.errors import InputError, OptionError, check_type, many
from bitext.kernels.arrays import Ints
from bitext.model import WordLinks
from bitext.model.word_links import parse, tokens

if TYPE_CHECKING:
    _Links = list[tuple[int, int]]
    _Weights = tuple[dict[tuple[str, str], float], dict[tuple[str, str], float]]
    _Pair = tuple[list[str], list[str]]
    _Phrase = tuple[str, ...]
    _Key = tuple[_Phrase, _Phrase]


_SIGNIFICANT_DIGITS = 6  # significant digits of probabilities
_NULL_WORD = ""  # stands for no word; no token is empty


def lexicon_lines(
    src: Iterable[str | Sequence[str]], tgt: Iterable[str | Sequence[str]], links: WordLinks
) -> Iterator[str]:
    r"""Yield the lines of a lexicon: source word, target word, p(t|s), p(s|t), number of links.

    p(t|s) is the share of the links of s that are links with t; words without a link have no part
    in the shares. Words are in lower case, with composed accents. Lines are sorted by source word,
    then by falling number of links, then by target word.

    Sentences are strings or sequences of tokens, as in `link_words`; links to no word do not count.
    Raises `InputError` when the links are not of these sentences, or a token is empty or has a
    blank.

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
    links = _checked(links, [np.diff(side.ptr) for side in sides], [side.forms for side in sides])
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
    for s, t, forward, backward, link_count in ordered:
        probabilities = f"{forward:.{_SIGNIFICANT_DIGITS}g}\t{backward:.{_SIGNIFICANT_DIGITS}g}"
        yield f"{names[0][s]}\t{names[1][t]}\t{probabilities}\t{link_count}"


def phrase_lines(
    src: Iterable[str | Sequence[str]],
    tgt: Iterable[str | Sequence[str]],
    links: WordLinks,
    *,
    max_words: int = 7,
) -> Iterator[str]:
    r"""Yield the lines of a phrase table, as of Moses, sorted.

    A phrase pair is a span of words on each side, at most `max_words` of them, with a link between
    them at least, and none from one of them to a word outside of the other. Words without a link at
    the ends belong to a phrase or not, so that there are pairs with and without them. Phrases keep
    their case.

    A line has the source phrase f, the target phrase e, the scores phi(f|e), lex(f|e), phi(e|f) and
    lex(e|f), the most frequent links, and the counts of e, f and both, with ` ||| ` between. phi is
    a share of counts. lex is the product over words of the mean probability of their links, or of
    the probability of a word without a link. `|` in a token is written as `&#124;`.

    Raises `OptionError` when `max_words` is below 1, and `InputError` as `lexicon_lines`.

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
    pairs, links = _linked_words(src, tgt, links)
    rows = _rows(links)
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
        pair_count = sum(alignments.values())
        linked = [(link.src, link.tgt) for link in parse(most)]
        scores = (
            pair_count / totals[1][e],
            _lexical_weight(f.split(" "), e.split(" "), linked, weights[1]),
            pair_count / totals[0][f],
            _lexical_weight(e.split(" "), f.split(" "), [(j, i) for i, j in linked], weights[0]),
        )
        shown = " ".join(f"{score:.{_SIGNIFICANT_DIGITS}g}" for score in scores)
        yield f"{_spelled((f, e))}{shown} ||| {most} ||| {totals[1][e]} {totals[0][f]} {pair_count}"


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
                (_NULL_WORD, word) for place, word in enumerate(words) if place not in linked
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
        others = linked.get(place, [_NULL_WORD])
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


# Candidates of bilingual terms: linked spans without function words at their ends, ranked.


_MOST_TERM_WORDS = 5  # words of a term; set by hand
_FEWEST_OCCURRENCES = 2  # occurrences of a pair of terms: one alone is no evidence
# Log-likelihood ratio: the chi-squared value of p = 0.001 with 1 degree
_LEAST_LIKELIHOOD_RATIO = 10.83
_MOST_EXAMPLES = 3  # sentence pairs that show a term; set by hand
# Function words, set by hand on captions and Hansards (English, French) and German and Hungarian
# prose: see `function_words`.
_FREQUENT, _FEWEST_TOKENS = 0.001, 5  # share of the tokens, and tokens, of a function word
_LEAST_FUNCTION_SCORE = 1.0  # smallest score
_UNLINKED_SCORE = 2.0  # score that a token without a link adds
_SHORT, _LETTER = 3, 0.3  # letters of a word without a penalty, and the penalty of each further one
# Share of capitals within sentences from which a word is a name or a noun
_LEAST_CAPITALS_SHARE = 0.5

# Tags of Universal Dependencies, of the Penn treebank, and of German ones (STTS).
_NOUNS = frozenset(("NOUN", "PROPN", "NN", "NNS", "NNP", "NNPS", "NE"))
_ADJECTIVES = frozenset(("ADJ", "JJ", "JJR", "JJS", "ADJA"))
_PREPOSITIONS = frozenset(("ADP", "IN", "APPR", "APPRART"))
_DETERMINERS = frozenset(("DET", "DT", "ART"))
_PATTERN = re.compile(r"[AN]*N[AN]*(?:PD?[AN]*N[AN]*)*")


class Term(NamedTuple):
    """A candidate of a bilingual term."""

    # `src`, `tgt`: the words, as they are written most often.
    src: str
    tgt: str
    # `forward`, `backward`: the share of the occurrences of `src` that are linked with `tgt`, and
    # of those of `tgt` that are linked with `src`.
    forward: float
    backward: float
    occurrences: int  # the occurrences of the pair
    c_value: float  # the measure of the rank
    likelihood: float  # the log-likelihood ratio of the two
    examples: tuple[int, ...]  # the first sentence pairs that have it, from 0

    def note(self) -> str:
        """Return the figures in words."""
        examples = ", ".join(map(str, self.examples))
        return (
            f"p(t|s) {self.forward:.4g}, p(s|t) {self.backward:.4g}, count {self.occurrences}, "
            f"C-value {self.c_value:.4g}, log-likelihood {self.likelihood:.4g}, pairs {examples}"
        )


def term_lines(terms: Iterable[Term]) -> Iterator[str]:
    r"""Yield a line for each term, with tabs between the fields, as `Term` has them.

    Examples
    --------
    >>> term = Term("sea bird", "oiseau de mer", 1, 2 / 3, 2, 3.17, 12.5, (0, 4))
    >>> next(term_lines([term])).split("\t")
    ['sea bird', 'oiseau de mer', '1', '0.666667', '2', '3.17', '12.5', '0 4']

    """
    for term in terms:
        numbers = (f"{each:.6g}" for each in term[2:7])
        yield "\t".join((term.src, term.tgt, *numbers, " ".join(map(str, term.examples))))


def term_candidates(
    src: Iterable[str | Sequence[str]],
    tgt: Iterable[str | Sequence[str]],
    links: WordLinks,
    *,
    tags: Iterable[Sequence[str]] | None = None,
    max_words: int = _MOST_TERM_WORDS,
    min_count: int = _FEWEST_OCCURRENCES,
) -> list[Term]:
    """Find candidates of bilingual terms: pairs of linked spans, ranked.

    A candidate is a span of words on each side with a link between them, and none to a word
    outside; the first and last words of both are linked, have letters, and are no function words;
    no word within is a number or a punctuation mark alone. It occurs at least `min_count` times,
    and the log-likelihood ratio of the two is 10.83 at least (p < 0.001): of the sentence pairs
    with the one, with the other, and with both linked.

    Candidates are ranked by C-value: log2(n + 1) times the number of occurrences, without the mean
    number of those longer candidates that contain it on both sides. n is the number of words of the
    shorter side. One that occurs within a longer candidate alone has 0, and is left out. Then
    follow the log-likelihood ratio, and the words.

    Parameters
    ----------
    src, tgt : iterables of str, or of sequences of str
        The sentences, as in `link_words`. Upper and lower case are the same.
    links : WordLinks
        The links of the sentences.
    tags : iterable of sequences of str, optional
        Tags of the source words: universal ones, those of the Penn treebank, or of German treebanks
        (STTS). The source is then a sequence of nouns and adjectives with a noun, or several with a
        preposition and perhaps an article between.
    max_words, min_count : int
        The words of a term, at most, and its occurrences, at least.

    Returns
    -------
    list of Term

    Raises
    ------
    InputError
        When the links are not of these sentences, a token is empty or has a blank, or a sentence
        has not as many tags as words.
    OptionError
        When `max_words` or `min_count` is below 1.

    Notes
    -----
    **Source**: K. Frantzi, S. Ananiadou and H. Mima, Automatic Recognition of Multi-Word Terms: the
    C-value/NC-value Method, IJDL 3(2), 2000; A. Barrón-Cedeño, G. Sierra, P. Drouin and
    S. Ananiadou, An Improved Automatic Term Recognition Method for Spanish, CICLing 2009 (n + 1, so
    that words alone count); T. Dunning, Accurate Methods for the Statistics of Surprise and
    Coincidence, CL 19(1), 1993; J. Justeson and S. Katz, Technical Terminology, NLE 1(1), 1995 (the
    pattern of tags).

    **Departures**: C-value is of the pair, and so is nesting; the mean leaves out longer candidates
    that never occur but within still longer ones. The pattern of tags allows adjectives
    after nouns, and an article after a preposition, for other languages than English.

    Examples
    --------
    >>> from bitext.model import WordLinks
    >>> src = ["the sea bird cries", "a sea bird", "my bird sleeps", *"abcdefghij"]
    >>> tgt = ["l' oiseau de mer crie", "un oiseau de mer", "mon oiseau dort", *"abcdefghij"]
    >>> links = ["0-0 1-3 2-1 3-4", "0-0 1-3 2-1", "0-0 1-1 2-2", *[""] * 10]
    >>> for term in term_candidates(src, tgt, WordLinks.parse(links)):
    ...     print(term.src, "=", term.tgt, term.occurrences, round(term.c_value, 2), term.examples)
    sea bird = oiseau de mer 2 3.17 (0, 1)
    bird = oiseau 3 1.0 (0, 1, 2)

    """
    for name, value in (("max_words", max_words), ("min_count", min_count)):
        if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 1:
            raise OptionError(f"{name} is {value!r}: want at least 1, a whole number")
    pairs, links = _linked_words(src, tgt, links)
    rows = _rows(links)
    function = function_words(pairs, rows)
    edges: list[list[list[bool]]] = [[], []]  # whether each token may begin and end a term
    lowered: list[_Pair] = []
    for pair in pairs:
        low = ([word.lower() for word in pair[0]], [word.lower() for word in pair[1]])
        lowered.append(low)
        for side, words in enumerate(low):
            edges[side].append([_is_content(word, function[side]) for word in words])
    places_of_spans = _spans(lowered, rows, edges, tags, max_words)
    counts = {key: places for key, places in places_of_spans.items() if len(places) >= min_count}
    totals = [_occurrences(lowered, side, {key[side] for key in counts}) for side in (0, 1)]
    values = c_values({key: len(places) for key, places in counts.items()})
    terms = []
    for key, places in counts.items():
        first, second = totals[0][key[0]], totals[1][key[1]]
        together = len({k for k, _, _ in places})
        likelihood = log_likelihood(together, first.sentences, second.sentences, len(pairs))
        if likelihood < _LEAST_LIKELIHOOD_RATIO or not values[key]:
            continue
        terms.append(
            Term(
                *_written(pairs, places, key),
                len(places) / first.tokens,
                len(places) / second.tokens,
                len(places),
                values[key],
                likelihood,
                tuple(dict.fromkeys(k for k, _, _ in places))[:_MOST_EXAMPLES],
            )
        )
    terms.sort(key=lambda term: (-term.c_value, -term.likelihood, term.src, term.tgt))
    return terms


def function_words(
    pairs: Sequence[_Pair], rows: Sequence[_Links]
) -> tuple[frozenset[str], frozenset[str]]:
    """Find the function words of both sides, in lower case; no list of them is needed.

    Function words are more frequent than their neighbours, and are linked with words that are so,
    too, or with none. The score of a word is the logarithm of its frequency, less the mean of that
    of its neighbours; and the same, as a mean, for the words that its tokens are linked with; a
    token without a link counts 2. Letters above 3 count against it, 0.3 each, since function words
    are short. Words with a score of 1, of 0.1 % of the tokens, are function words, unless they are
    capitalised within most of their sentences.

    Examples
    --------
    >>> nouns = zip("abcdefgh", "hgfedcba")
    >>> pairs = [(f"the {a} near the {b}".split(), f"le {b} le {a}".split()) for a, b in nouns]
    >>> words = function_words(pairs, [[(0, 0), (3, 2), (1, 3), (4, 1)]] * 8)
    >>> [sorted(side) for side in words]
    [['near', 'the'], ['le']]

    """
    frequency: list[Counter[str]] = [Counter(), Counter()]
    for pair in pairs:
        for side in (0, 1):
            frequency[side].update(map(str.lower, pair[side]))
    scores = [_standing(pairs, side, frequency[side]) for side in (0, 1)]
    linked: list[defaultdict[str, float]] = [defaultdict(float), defaultdict(float)]
    for pair, row in zip(pairs, rows, strict=True):
        for side in (0, 1):
            others: defaultdict[int, list[float]] = defaultdict(list)
            for link in row:
                others[link[side]].append(scores[1 - side][pair[1 - side][link[1 - side]].lower()])
            for place, word in enumerate(pair[side]):
                own = others.get(place)
                linked[side][word.lower()] += sum(own) / len(own) if own else _UNLINKED_SCORE
    # A name may be as frequent as a function word, and is linked with the same frequent name.
    names = [_capitalised(pairs, side) for side in (0, 1)]
    words_of_sides = []
    for side in (0, 1):
        least = max(_FREQUENT * frequency[side].total(), _FEWEST_TOKENS)
        words_of_sides.append(
            frozenset(
                word
                for word, count in frequency[side].items()
                if count >= least
                and word not in names[side]
                and scores[side][word]
                + linked[side][word] / count
                - _LETTER * max(len(word.strip("'’")) - _SHORT, 0)
                >= _LEAST_FUNCTION_SCORE
            )
        )
    return words_of_sides[0], words_of_sides[1]


def _standing(pairs: Sequence[_Pair], side: int, frequency: Counter[str]) -> dict[str, float]:
    """Return the log-frequency of each word, less the mean of its neighbours."""
    near: defaultdict[str, float] = defaultdict(float)
    seen: Counter[str] = Counter()
    for pair in pairs:
        for first, second in pairwise(map(str.lower, pair[side])):
            if first[0].isalnum() and second[0].isalnum():
                for word, other in ((first, second), (second, first)):
                    near[word] += math.log(frequency[other])
                    seen[word] += 1
    return {
        word: math.log(count) - near[word] / max(seen[word], 1) for word, count in frequency.items()
    }


def _capitalised(pairs: Sequence[_Pair], side: int) -> set[str]:
    """Return the words of several letters that begin with a capital within most sentences."""
    seen: Counter[str] = Counter()
    capitals: Counter[str] = Counter()
    for pair in pairs:
        for before, word in pairwise(pair[side]):
            if before[-1].isalnum() and len(word) > 1:
                seen[word.lower()] += 1
                capitals[word.lower()] += word[0].isupper()
    return {word for word, count in capitals.items() if count > _LEAST_CAPITALS_SHARE * seen[word]}


def _linked_words(
    src: Iterable[str | Sequence[str]], tgt: Iterable[str | Sequence[str]], links: WordLinks
) -> tuple[list[_Pair], WordLinks]:
    """Return the words of each sentence pair, and the links between two words."""
    sides = words_of(src), words_of(tgt)
    sizes = [np.fromiter(map(len, words), np.int64, len(words)) for words in sides]
    links = _checked(links, sizes, [dict.fromkeys(chain.from_iterable(words)) for words in sides])
    return [(list(source), list(target)) for source, target in zip(*sides, strict=True)], links


def _checked(links: WordLinks, sizes: Sequence[Ints], forms: Sequence[Iterable[str]]) -> WordLinks:
    """Return the links between two words; refuse those of other sentences, and wrong tokens.

    `sizes` has the numbers of words of the sentences of both sides, `forms` their distinct words.
    """
    check_type("links", links, WordLinks, "WordLinks, as WordLinks.parse(['0-0 1-2', '0-0'])")
    if not len(sizes[0]) == len(sizes[1]) == len(links):
        raise InputError(
            f"{many(len(sizes[0]), 'source sentence')}, {many(len(sizes[1]), 'target sentence')} "
            f"and links of {many(len(links), 'sentence pair')}: want as many of each"
        )
    for name, side_sizes, idx in zip(
        ("source", "target"), sizes, (links.src, links.tgt), strict=True
    ):
        for k in np.flatnonzero(idx >= side_sizes[links.pair])[:1]:
            row = int(links.pair[k])
            raise InputError(
                f"a link of sentence pair {row} has {name} word {idx[k]} (both from 0), and the "
                f"sentence has {many(int(side_sizes[row]), 'word')}: want the links of these "
                f"sentences"
            )
    for token in chain.from_iterable(forms):
        if tokens(token) != [token]:
            raise InputError(
                f"a token is {token!r:.40}: want none that is empty or has a blank, which divides "
                f"tokens in lines; write Hà_Nội for Hà Nội"
            )
    return links.without_null()


def _rows(links: WordLinks) -> list[_Links]:
    both = list(zip(links.src.tolist(), links.tgt.tolist(), strict=True))
    return [both[begin:end] for begin, end in pairwise(links.ptr.tolist())]


def _is_content(word: str, function: Collection[str]) -> bool:
    return word not in function and any(map(str.isalpha, word))


def has_nouns(tags: Iterable[str]) -> bool:
    """Test tags for nouns of Universal Dependencies, the Penn treebank or STTS.

    Examples
    --------
    >>> has_nouns(["DET", "NOUN"]), has_nouns(["DT", "NNS"]), has_nouns(["ART", "SUBST"])
    (True, True, False)

    """
    return not _NOUNS.isdisjoint(tags)


def _letter(tag: str) -> str:
    if tag in _NOUNS:
        return "N"
    if tag in _ADJECTIVES:
        return "A"
    return "P" if tag in _PREPOSITIONS else "D" if tag in _DETERMINERS else "-"


def _spans(
    pairs: Sequence[_Pair],
    rows: Sequence[_Links],
    edges: Sequence[Sequence[Sequence[bool]]],
    tags: Iterable[Sequence[str]] | None,
    most: int,
) -> dict[_Key, list[tuple[int, int, int]]]:
    """List the occurrences of each pair of spans: sentence pair, start of source and of target."""
    places_of_spans: defaultdict[_Key, list[tuple[int, int, int]]] = defaultdict(list)
    letters_of_pairs = None if tags is None else ["".join(map(_letter, each)) for each in tags]
    if letters_of_pairs is not None and len(letters_of_pairs) != len(pairs):
        raise InputError(
            f"tags of {many(len(letters_of_pairs), 'sentence')} for "
            f"{many(len(pairs), 'source sentence')}: want as many"
        )
    for k, ((source, target), row) in enumerate(zip(pairs, rows, strict=True)):
        letters = "" if letters_of_pairs is None else letters_of_pairs[k]
        if letters_of_pairs is not None and len(letters) != len(source):
            raise InputError(
                f"source sentence {k} (from 0) has {len(source)} words and {len(letters)} tags: "
                f"want as many"
            )
        for i, end, j, stop, inside in phrase_spans(len(source), len(target), row, most):
            if not (
                edges[0][k][i] and edges[0][k][end - 1] and edges[1][k][j] and edges[1][k][stop - 1]
            ):
                continue
            # Both ends are linked: a word without a link is no sure part of a term.
            first, last = {a for a, _ in inside}, {b for _, b in inside}
            if not (i in first and end - 1 in first and j in last and stop - 1 in last):
                continue
            words = tuple(source[i:end]), tuple(target[j:stop])
            if not all(any(map(str.isalpha, word)) for side in words for word in side):
                continue
            if tags is None or _PATTERN.fullmatch(letters[i:end]):
                places_of_spans[words].append((k, i, j))
    return places_of_spans


class _Occurrences(NamedTuple):
    """Counts of the occurrences of a phrase, and of the sentences with it."""

    tokens: int
    sentences: int


def _occurrences(
    pairs: Sequence[_Pair], side: int, phrases: set[_Phrase]
) -> dict[_Phrase, _Occurrences]:
    """Count the tokens of each phrase, and the sentences that contain it."""
    sizes = sorted({len(phrase) for phrase in phrases})
    tokens_of: Counter[_Phrase] = Counter()
    sentences_of: Counter[_Phrase] = Counter()
    for pair in pairs:
        words = pair[side]
        phrases_found = [
            phrase
            for size in sizes
            for at in range(len(words) - size + 1)
            if (phrase := tuple(words[at : at + size])) in phrases
        ]
        tokens_of.update(phrases_found)
        sentences_of.update(set(phrases_found))
    return {each: _Occurrences(tokens_of[each], sentences_of[each]) for each in phrases}


def c_values(counts: Mapping[_Key, int]) -> dict[_Key, float]:
    """Return the C-value of pairs of spans: of the words of both sides, by their occurrences.

    A pair is nested in another that contains it on both sides. Occurrences within those that are
    themselves nested count once, and longer pairs that always are do not count.

    Examples
    --------
    >>> bird = (("bird",), ("oiseau",))
    >>> sea_bird = (("sea", "bird"), ("oiseau", "de", "mer"))
    >>> c_values({bird: 7, sea_bird: 3})[bird]  # log2(1 + 1) * (7 - 3 / 1)
    4.0

    """
    within: Counter[_Key] = Counter()  # occurrences within longer pairs
    longer: Counter[_Key] = Counter()
    for key in sorted(counts, key=lambda key: -sum(map(len, key))):
        own = counts[key] - within[key]
        parts = [
            {side[a:b] for a in range(len(side)) for b in range(a + 1, len(side) + 1)}
            for side in key
        ]
        for src, tgt in product(*parts):
            if (src, tgt) in counts and (src, tgt) != key:
                within[src, tgt] += own
                longer[src, tgt] += own > 0  # else it is never without a still longer one
    return {
        key: math.log2(min(map(len, key)) + 1) * (count - within[key] / (longer[key] or 1))
        for key, count in counts.items()
    }


def log_likelihood(together: int, first: int, second: int, total: int) -> float:
    """Return the log-likelihood ratio of two events; 0 if they are together less than by chance.

    `together`, `first` and `second` are the numbers of occurrences of both events, of the first and
    of the second; `total` is the number of all trials.

    Examples
    --------
    >>> round(log_likelihood(110, 2552, 221, 31777), 2)  # "the swiss" of Dunning
    270.72

    """
    if together * total <= first * second:
        return 0.0
    cells = (
        (together, first * second),
        (first - together, first * (total - second)),
        (second - together, (total - first) * second),
        (total - first - second + together, (total - first) * (total - second)),
    )
    return 2 * sum(
        count * math.log(count * total / expected) for count, expected in cells if count > 0
    )


def _written(
    pairs: Sequence[_Pair], places: Sequence[tuple[int, int, int]], key: tuple[_Phrase, _Phrase]
) -> tuple[str, str]:
    """Return both sides as they are written most often within sentences; of equals, the first."""
    names = []
    for side in (0, 1):
        begins = [(pairs[place[0]][side], place[1 + side]) for place in places]
        # At the beginning of a sentence a word has a capital, whatever the word.
        within = [(words, at) for words, at in begins if at and words[at - 1][-1].isalnum()]
        spelled = Counter(
            " ".join(words[at : at + len(key[side])]) for words, at in within or begins
        )
        names.append(min((-count, name) for name, count in spelled.items())[1])
    return names[0], names[1]
