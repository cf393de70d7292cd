"""Two segmentations of one text, compared character by character, white space apart.

Every character that is not white space is a unit. A bisegment is a pair of sets of them.
"""

from reference import measures


def units(segments):
    """Return the segment of each character of the text that is not white space."""
    return [k for k, segment in enumerate(segments) for c in segment if not c.isspace()]


def atoms(gold, hyp):
    """Return the atom of each character: characters with the same gold and proposed segment."""
    owners = list(zip(units(gold), units(hyp), strict=True))
    numbers = {owner: k for k, owner in enumerate(sorted(set(owners)))}
    return [numbers[owner] for owner in owners]


def atom_texts(gold, hyp, number):
    """Return the characters of each atom, with the white space that the gold text has inside."""
    line = "\n".join(gold)
    where = [k for k, c in enumerate(line) if not c.isspace()]
    spans = {}
    for k, atom in zip(where, number, strict=True):
        spans[atom] = (spans.get(atom, (k, k))[0], k + 1)
    return [line[slice(*spans[atom])] for atom in sorted(spans)]


def project(side, owner, onto):
    """Return what a set of segments holds: `onto[c]` for each of its characters c."""
    return frozenset(place for k, place in zip(owner, onto, strict=True) if k in side)


def all_counts(gold, hyp, gold_texts, hyp_texts):
    """Return the counts of every measure; `*_texts` are (source segments, target segments)."""
    number = [atoms(g, h) for g, h in zip(gold_texts, hyp_texts, strict=True)]
    laid = []
    for beads, texts in ((gold, gold_texts), (hyp, hyp_texts)):
        owners = [units(segments) for segments in texts]
        whole = [
            tuple(project(set(side), owners[k], number[k]) for k, side in enumerate(bead))
            for bead in beads
        ]
        laid.append([bead for bead in whole if bead[0] or bead[1]])
    texts = [atom_texts(g, h, n) for g, h, n in zip(gold_texts, hyp_texts, number, strict=True)]
    out = measures.all_counts(*laid, *texts)
    out["alignment"] = by_characters(gold, hyp, gold_texts, hyp_texts)
    return out


def by_characters(gold, hyp, gold_texts, hyp_texts):
    """Compare bisegments as pairs of sets of characters."""
    sets = []
    for beads, texts in ((gold, gold_texts), (hyp, hyp_texts)):
        owners = [units(segments) for segments in texts]
        whole = {
            tuple(
                frozenset(c for c, k in enumerate(owners[n]) if k in set(side))
                for n, side in enumerate(bead)
            )
            for bead in beads
        }
        sets.append({bead for bead in whole if bead[0] or bead[1]})
    both = len(sets[0] & sets[1])
    return both, len(sets[1]), len(sets[0]), both
