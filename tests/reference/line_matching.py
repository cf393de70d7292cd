"""Matchings on a line, by trying all of them."""


def matchings(gold, hyp, reach):
    """Yield every set of pairs (gold, hyp) at most `reach` apart, crossing ones too."""
    if not gold:
        yield ()
        return
    first, rest = gold[0], gold[1:]
    yield from matchings(rest, hyp, reach)
    for k, other in enumerate(hyp):
        if abs(first - other) <= reach:
            for found in matchings(rest, hyp[:k] + hyp[k + 1 :], reach):
                yield ((first, other), *found)


def match_points(gold, hyp, *, reach, alone, fixed, slope):
    """Return the cost and the pairs (gold, hyp) of the best matching, by the rule of the kernel."""

    def rank(found):
        matched = {place for pair in found for place in pair}
        cost = sum(alone[0] for g in gold if g not in matched)
        cost += sum(alone[1] for h in hyp if h not in matched)
        distance = sum(abs(g - h) for g, h in found)
        cost += fixed * len(found) + slope * distance
        crossing = sum((a - c) * (b - d) < 0 for a, b in found for c, d in found)
        left = [place not in matched for place in sorted([*gold, *hyp])]
        return (cost, -len(found), distance, left, crossing)

    best = min(matchings(tuple(gold), tuple(hyp), reach), key=rank)
    return rank(best)[0], sorted(best)


def pair_off(gold, hyp, step):
    """Go from left to right, and match what is still alone and `step` away."""
    alone = {**dict.fromkeys(gold, "gold"), **dict.fromkeys(hyp, "hyp")}
    found = []
    for place in sorted(alone):
        sides = {alone.get(place), alone.get(place + step)}
        if sides == {"gold", "hyp"}:
            found.append((place, place + step))
            del alone[place], alone[place + step]
    return found
