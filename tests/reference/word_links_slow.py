"""Word links by plain loops over words and paths: what `bitext.align.links` must compute.

Only for a few sentences of up to three words: all paths of the hidden Markov models are enumerated.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product
from math import exp, log2, sqrt

from bitext.align.sentences.lexical.translation_model import beginning_of

PRIOR = 10.0  # of words, families, words without a link, and jumps alike
NULL = 0.2
WIDEST = 128


def path_posteriors(emissions, null, jumps, *, null_share):
    """Return the posteriors of links, [observation][state], and the expected jumps."""
    states = range(len(emissions[0]))
    links = [[0.0] * len(states) for _ in emissions]
    moved, total = defaultdict(float), 0.0
    for path in product(product(states, (True, False)), repeat=len(emissions)):
        chance, before, widths = 1.0, -1, []
        for step, (state, linked) in enumerate(path):
            if linked or step == 0:
                every = sum(jumps[other - before] for other in states)
                chance *= jumps[state - before] / every
                widths.append(state - before)
            elif state != before:
                chance = 0.0  # a word without a link keeps the position
            chance *= (
                (1 - null_share) * emissions[step][state] if linked else null_share * null[step]
            )
            before = state
        total += chance
        for step, (state, linked) in enumerate(path):
            links[step][state] += chance * linked
        for width in widths:
            moved[width] += chance
    links = [[value / total for value in row] for row in links]
    return links, {width: value / total for width, value in moved.items()}, total


def grams(word):
    """Return the letter bigrams and trigrams of a word, with its ends."""
    marked = ["<", *word, ">", ">"]
    bigrams = {tuple(marked[k : k + 2]) for k in range(len(word) + 1)}
    return bigrams | {tuple(marked[k : k + 3]) for k in range(len(word))}


def classes(source, target, counts):
    """Return the classes of a pair of words in Latin letters, by spelling and by frequency."""
    mine, other = grams(source), grams(target)
    step = min(int(8 * 2 * len(mine & other) / (len(mine) + len(other))), 7)
    kinds = [0 if word.isalpha() else 1 if word.isdigit() else 2 for word in (source, target)]
    kind = min(len(source), len(target), 8) // 3 if kinds[0] == 0 else 2 + kinds[0]
    octave = round(log2(counts[0][source]) - log2(counts[1][target]))
    return (8 if source == target else step, 5 if kinds[0] != kinds[1] else kind), octave


def slow_scores(pairs, passes):
    """Return the score of each cell of sentence pairs, as a dictionary a pair."""
    return slow_posteriors(pairs, passes)[0]


def slow_posteriors(pairs, passes):
    """Return the score of each cell, and its posteriors of the last pass in both directions."""
    return slow_last_pass(pairs, passes)[:2]


def slow_last_pass(pairs, passes):
    """Return scores and posteriors, and of each direction the translation of each cell.

    With a translation is the posterior of its link if positions have no part.
    """
    counts = [Counter(word for pair in pairs for word in pair[way]) for way in (0, 1)]
    own = [dict.fromkeys(product(range(len(s)), range(len(t))), 0.0) for s, t in pairs]
    chance, often = defaultdict(float), Counter()
    for s, t in pairs:
        for source, target in product(s, t):
            chance[source, target] += 1 / max(len(s), len(t))
            often[source, target] += 1
    by_class = {pair: classes(*pair, counts) for pair in chance}
    begun = {width: exp(-0.3 * abs(width)) for width in range(-WIDEST, WIDEST + 1)}
    moved = None
    for number, markov in enumerate([*passes, True]):
        links = defaultdict(float)
        for (s, t), mine in zip(pairs, own, strict=True):
            for (i, j), value in mine.items():
                links[s[i], t[j]] += value
        lift = _lifts(links, chance, often, by_class) if number else dict.fromkeys(chance, 1.0)
        jumps = [begun, begun]
        if moved:
            jumps = [{width: PRIOR + one.get(width, 0.0) for width in begun} for one in moved]
        tables = [_table(way, links, lift, counts, chance) for way in (0, 1)]
        nulls = [_nulls(way, links, counts, known=number > 0) for way in (0, 1)]
        moved = [defaultdict(float), defaultdict(float)] if markov else None
        posteriors, directions, translations = [], [], []
        for (s, t), mine in zip(pairs, own, strict=True):
            both, said_of = [], []
            for way, (given, said) in enumerate(((s, t), (t, s))):
                cell = (lambda k, j: (k, j)) if way == 0 else (lambda k, j: (j, k))
                emissions = [
                    [tables[way](mine, cell, k, j, given, said) for k in range(len(given))]
                    for j in range(len(said))
                ]
                null = [
                    nulls[1 - way](said[j], sum(mine[cell(k, j)] for k in range(len(given))))
                    for j in range(len(said))
                ]
                alone = _by_word(emissions, null)
                cells = list(product(range(len(given)), range(len(said))))
                said_of.append({cell(k, j): (emissions[j][k], alone[j][k]) for k, j in cells})
                if markov:
                    found, widths, _ = path_posteriors(emissions, null, jumps[way], null_share=NULL)
                    for width, value in widths.items():
                        moved[way][width] += value
                else:
                    found = alone
                both.append({cell(k, j): found[j][k] for k, j in cells})
            directions.append(both)
            translations.append(said_of)
            product_of = {key: both[0][key] * both[1][key] for key in mine}
            last = number == len(passes)
            posteriors.append(_counted(product_of, both, markov=markov, last=last))
        own = posteriors
    return own, directions, translations


def _counted(product_of, both, *, markov, last):
    if last or not markov:
        return {key: sqrt(value) for key, value in product_of.items()}
    ahead, behind = both
    best = [defaultdict(float), defaultdict(float)]
    for i, j in product_of:
        best[0][j] = max(best[0][j], ahead[i, j])
        best[1][i] = max(best[1][i], behind[i, j])
    return {
        (i, j): value * min(best[0][j], best[1][i]) ** 0.2 for (i, j), value in product_of.items()
    }


def _prior_lift(step, kind):
    if step == 8:
        return {0: 1, 1: 7, 5: 1}.get(kind, 50)
    return 7 if step >= 5 and kind == 2 else 1


def _by_spelling(links, chance, often, by_class, rate):
    """Return the ratios of each class of spelling, and its odds."""
    every = sum(links.values()) / (sum(often.values()) + 1)
    observed, expected, cells = defaultdict(float), defaultdict(float), defaultdict(float)
    for pair in chance:
        name = by_class[pair][0]
        observed[name] += links[pair]
        expected[name] += chance[pair] * rate
        cells[name] += often[pair]
    ratio, odds = {}, {}
    for name, known in observed.items():
        ratio[name] = (known + 2 * rate) / (expected[name] + 2 * rate / _prior_lift(*name))
        share = min(known / (cells[name] + 1), 0.95)
        odds[name] = ratio[name] * (1 - min(every, 0.95)) / (1 - share)
    return ratio, odds


def _lifts(links, chance, often, by_class):
    rate = sum(links.values()) / sum(chance.values())
    ratio, odds = _by_spelling(links, chance, often, by_class, rate)
    observed, expected = defaultdict(float), defaultdict(float)
    for pair in chance:
        spelling, octave = by_class[pair]
        observed[octave] += links[pair]
        expected[octave] += ratio[spelling] * chance[pair] * rate
    return {
        pair: odds[spelling] * (observed[octave] + 2 * rate) / (expected[octave] + 2 * rate)
        for pair, (spelling, octave) in by_class.items()
    }


def _table(way, links, lift, counts, chance):
    """Return a function that gives p(said|given) without the cell itself."""
    given_counts, said_counts = counts[way], counts[1 - way]
    every = sum(said_counts.values())
    totals, families, of_families = defaultdict(float), defaultdict(float), defaultdict(float)
    priors, in_given, in_said = defaultdict(float), Counter(), Counter()
    for word, number in given_counts.items():
        in_given[beginning_of(word)] += number
    for word, number in said_counts.items():
        in_said[beginning_of(word)] += number
    for pair in chance:
        given, said = pair[way], pair[1 - way]
        family = beginning_of(given), beginning_of(said)
        totals[given] += links[pair]
        of_families[family[0]] += links[pair]
        families[family] += links[pair]
        share = given_counts[given] / in_given[family[0]]
        priors[family] += said_counts[said] / every * lift[pair] * share

    def translation(mine, cell, k, j, given_words, said_words):
        given, said = given_words[k], said_words[j]
        pair = (given, said) if way == 0 else (said, given)
        family = beginning_of(given), beginning_of(said)
        value = mine[cell(k, j)]
        of_family = families[family] - value + PRIOR * priors[family]
        of_family /= of_families[family[0]] + PRIOR
        within = said_counts[said] / in_said[family[1]]
        raised = max(lift[pair], 1)
        within *= raised / (1 + within * (raised - 1))
        of_word = links[pair] - value + PRIOR * of_family * within
        rest = totals[given] - sum(mine[cell(k, other)] for other in range(len(said_words)))
        return max(of_word, 0.0) / (max(rest, 0.0) + PRIOR)

    return translation


def _nulls(way, links, counts, *, known):
    """Return a function that gives the probability of a word without a link."""
    linked = defaultdict(float)
    for pair, value in links.items():
        linked[pair[way]] += value
    every = sum(counts[way].values())
    rest = {word: max(number - linked[word], 0.0) for word, number in counts[way].items()}
    if not known:
        rest = dict.fromkeys(rest, 0.0)
    total = sum(rest.values()) + PRIOR

    def null(word, own):
        others = max(rest[word] - (1 - own), 0.0)
        return (others + PRIOR * counts[way][word] / every) / total

    return null


def _by_word(emissions, null):
    size = len(emissions[0])
    found = []
    for j, row in enumerate(emissions):
        values = [(1 - NULL) * emission / size for emission in row]
        total = sum(values) + NULL * null[j]
        found.append([value / total for value in values])
    return found
