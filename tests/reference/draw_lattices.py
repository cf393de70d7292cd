"""Hypothesis strategies: small lattices, and words with traps for files in them."""

from hypothesis import strategies as st

from bitext.model import Cluster, Lattice, Sentence, Token

TRAPS = (
    "a b",
    " ",
    "\t",
    "x\ny",
    'say "no"',
    "back\\",
    "\\n",
    "<b>&amp;</b>",
    "&",
    "😀",
    "\u202eabc",
    "é",
)
PLAIN = ("a", "b", "A")
TAGS = ("", "NN", "VB")


@st.composite
def lattices(draw, forms=PLAIN, sentences=4, width=5, tags=("",)):
    """Return a lattice: words share a node when they stand in one column, in one of two lanes."""
    made, groups, seen = [], [], {}
    for k in range(draw(st.integers(1, sentences))):
        taken = sorted(draw(st.sets(st.integers(0, width - 1), min_size=1)))
        words, row = [], []
        for column in taken:
            group = (column, draw(st.integers(0, 1)))
            place = (k, len(row))
            row.append(2 * group[0] + group[1])
            words.append(Token(draw(st.sampled_from(forms)), draw(st.sampled_from(tags))))
            seen.setdefault(group, []).append(place)
        named = draw(st.sampled_from((None, f"s{k}", "s 0", "w1")))
        made.append(Sentence(words, id=named))
        groups.append(row)
    pairs = [(places[0], other) for places in seen.values() for other in places[1:]]
    return Lattice(Cluster(made, id=draw(st.sampled_from((None, "c <1>")))), groups, pairs)
