"""Two segmentations of one text, compared character by character, white space apart.

Every character that is not white space is a unit. A bisegment is a pair of sets of them.
"""

from itertools import pairwise

from reference import measures


def units(segments):
    """Return the segment of each character of the text that is not white space."""
    return [k for k, segment in enumerate(segments) for c in segment if not c.isspace()]


def alike(gold, hyp):
    """Tell whether two texts have the same segments, white space apart."""
    return [segment.split() for segment in gold] == [segment.split() for segment in hyp]


def owners(gold, hyp):
    """Return the gold and the proposed segment of each unit; of texts cut alike, segments are."""
    if alike(gold, hyp):
        return list(range(len(gold))), list(range(len(hyp)))
    return units(gold), units(hyp)


def atoms(gold, hyp):
    """Return the atom of each unit: units with the same gold and proposed segment are one."""
    both = list(zip(*owners(gold, hyp), strict=True))
    numbers = {owner: k for k, owner in enumerate(sorted(set(both)))}
    return [numbers[owner] for owner in both]


def atom_texts(gold, hyp):
    """Return the characters of each atom, with the white space that the gold text has inside."""
    if alike(gold, hyp):
        return gold
    line = "\n".join(gold)
    where = [k for k, c in enumerate(line) if not c.isspace()]
    spans = {}
    for k, atom in zip(where, atoms(gold, hyp), strict=True):
        spans[atom] = (spans.get(atom, (k, k))[0], k + 1)
    return [line[slice(*spans[atom])] for atom in sorted(spans)]


def laid(beads, owner, onto):
    """Return each bisegment as what its sides hold: `onto[side][unit]` for each of their units."""
    held = [{}, {}]
    for n in (0, 1):
        for segment, place in zip(owner[n], onto[n], strict=True):
            held[n].setdefault(segment, set()).add(place)
    made = [
        tuple(frozenset().union(*(held[n].get(k, ()) for k in bead[n])) for n in (0, 1))
        for bead in beads
    ]
    return [bead for bead in made if bead[0] or bead[1]]


def all_counts(gold, hyp, gold_texts, hyp_texts):
    """Return the counts of every measure; `*_texts` are (source segments, target segments)."""
    sides = list(zip(gold_texts, hyp_texts, strict=True))
    gold_owner, hyp_owner = zip(*(owners(*side) for side in sides), strict=True)
    number = [atoms(*side) for side in sides]
    texts = [atom_texts(*side) for side in sides]
    out = measures.all_counts(laid(gold, gold_owner, number), laid(hyp, hyp_owner, number), *texts)
    single = [range(len(n)) for n in number]
    by_units = laid(gold, gold_owner, single), laid(hyp, hyp_owner, single)
    out["alignment"] = measures.counts(*by_units, "alignment")
    return out


def cells(gold, hyp, pairs):
    """Return who owns each place of the line of two texts: (gold segment or None, hyp segment).

    `pairs` are the matched units. Places are the matched units, and between them the segments
    without any.
    """
    owner = [[-1, *units(text), len(text)] for text in (gold, hyp)]
    stops = [(0, 0), *((a + 1, b + 1) for a, b in pairs), tuple(len(x) - 1 for x in owner)]
    places = []
    for before, after in pairwise(stops):
        ends = [(o[i], o[j]) for o, i, j in zip(owner, before, after, strict=True)]
        lone = [
            sorted(set(o[i + 1 : j]) - set(end))
            for o, i, j, end in zip(owner, before, after, ends, strict=True)
        ]
        if ends[0][0] == ends[0][1]:
            places += [(ends[0][0], k) for k in lone[1]]
        elif ends[1][0] == ends[1][1]:
            places += [(k, ends[1][0]) for k in lone[0]]
        elif len(lone[0]) == len(lone[1]):
            places += zip(*lone, strict=True)
        else:
            places += [(k, None) for k in lone[0]] + [(None, k) for k in lone[1]]
        places.append((ends[0][1], ends[1][1]))
    return places[:-1]


def counts_of_cells(gold, hyp, sides):
    """Return the counts at alignment and sentence level; `sides` are the cells of both texts."""
    numbers = [sorted(set(side), key=str) for side in sides]
    onto = [range(len(n)) for n in numbers]
    made = []
    for which, beads in enumerate((gold, hyp)):
        owner = [[place[which] for place in n] for n in numbers]
        made.append(laid(beads, owner, onto))
    return {m: measures.counts(*made, m) for m in ("alignment", "sentence")}
