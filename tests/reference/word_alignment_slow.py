"""Word alignment and progressive alignment as their definition reads, in lists and fractions."""

from fractions import Fraction

COMMAS = {",", "，", "،", "、"}


def iob(a, b):
    if a == b:
        return 1
    if "-" in a and "-" in b and a.split("-", 1)[1] == b.split("-", 1)[1]:
        return 0
    return -1


def syntax_score(first, second, *, weight):
    """Score a pair of words by chunk and trace."""
    one, two = list(first.trace[1:-1]), list(second.trace[1:-1])
    total = Fraction(iob(first.iob, second.iob)) - weight * abs(len(one) - len(two))
    while one and two:
        total += weight * iob(one.pop(), two.pop())
    return total


def matches(
    src,
    i,
    tgt,
    j,
    *,
    syntax,
    figure4=False,
    same=str.casefold,
    weight=None,
    limit=Fraction(4, 10),
    threshold=0,
):
    """Whether words i and j (from 1) match."""
    first, second = src[i - 1], tgt[j - 1]
    if same(first.form) != same(second.form):
        return False
    if not syntax:
        return True
    if first.pos != second.pos:
        return False
    apart = abs(Fraction(i, len(src)) - Fraction(j, len(tgt)))
    if apart >= limit if figure4 else apart > limit:
        return False
    if weight is None:
        weight = Fraction(1, 2) if figure4 else Fraction(1)
    return syntax_score(first, second, weight=weight) >= threshold


def kept(sentence, *, commas, stop_words):
    """Return the numbers, from 1, of the words that are not left out."""
    return [
        i
        for i, token in enumerate(sentence, start=1)
        if not (commas and (token.form in COMMAS or token.pos == ","))
        and token.form.casefold() not in stop_words
    ]


def align(src, tgt, *, commas=False, stop_words=(), borders="free", gaps=False, **how):
    """Return D[M][N] and the aligned words, from 0."""
    mine = can = kept(src, commas=commas, stop_words=stop_words)
    theirs = may = kept(tgt, commas=commas, stop_words=stop_words)
    if gaps:
        mine, theirs = range(1, len(src) + 1), range(1, len(tgt) + 1)
    d, match = {}, {}
    for i in range(len(mine) + 1):
        for j in range(len(theirs) + 1):
            if not i or not j:
                d[i, j] = 0 if borders == "free" else -i - j
                continue
            both = mine[i - 1] in can and theirs[j - 1] in may
            match[i, j] = both and matches(src, mine[i - 1], tgt, theirs[j - 1], **how)
            step = 2 if match[i, j] else -1
            d[i, j] = max(d[i - 1, j - 1] + step, d[i - 1, j] - 1, d[i, j - 1] - 1)
    pairs, i, j = [], len(mine), len(theirs)
    while i and j:
        if d[i, j] == d[i - 1, j - 1] + (2 if match[i, j] else -1):
            if match[i, j]:
                pairs.append((mine[i - 1] - 1, theirs[j - 1] - 1))
            i, j = i - 1, j - 1
        elif d[i, j] == d[i - 1, j] - 1:
            i -= 1
        else:
            j -= 1
    return d[len(mine), len(theirs)], pairs[::-1]


def progressive(sentences, *, order="cluster", normalise=False, **how):
    """Return the joins as (sentence, through), the node of each word, and the pairs of words."""
    count = len(sentences)
    similar, words = {}, {}
    for a in range(count):
        for b in range(a + 1, count):
            score, words[a, b] = align(sentences[a], sentences[b], **how)
            similar[a, b] = similar[b, a] = Fraction(score)
            if normalise:
                only = {k: v for k, v in how.items() if k in {"commas", "stop_words"}}
                only = {"commas": False, "stop_words": (), **only}
                total = len(kept(sentences[a], **only)) + len(kept(sentences[b], **only))
                similar[a, b] = similar[b, a] = Fraction(score, max(total, 1))
    joins = [(0, None)]
    if count > 1:
        most = max(similar.values())
        a, b = min(pair for pair, value in similar.items() if value == most)
        joins = [(a, None), (b, a)]
    there = {sentence for sentence, _ in joins}
    while len(there) < count:
        rest = [s for s in range(count) if s not in there]
        if order == "cluster":
            new = rest[0]
        else:
            new = max(rest, key=lambda s: (max(similar[s, t] for t in there), -s))
        through = max(there, key=lambda t: (similar[new, t], -t))
        joins.append((new, through))
        there.add(new)
    nodes, pairs = {}, []
    for sentence, through in joins:
        own = {w: (sentence, w) for w in range(len(sentences[sentence]))}
        if through is not None:
            a, b = min(sentence, through), max(sentence, through)
            for x, y in words[a, b]:
                pairs.append(((a, x), (b, y)))
                mine, theirs = (x, y) if a == sentence else (y, x)
                own[mine] = nodes[through, theirs]
        nodes.update({(sentence, w): node for w, node in own.items()})
    return joins, nodes, pairs
