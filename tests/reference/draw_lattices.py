"""Hypothesis strategies: small lattices, and words with traps for files in them."""

from hypothesis import strategies as st

from bitext.model import Cluster, Lattice, Sentence, Token
from reference.draw import numbers, up_to

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


NAMES = [st.sampled_from((None, f"s{k}", "s 0", "w1")) for k in range(9)]
CLUSTER_NAMES = st.sampled_from((None, "c <1>"))


@st.composite
def lattices(draw, forms=PLAIN, sentences=4, width=5, tags=("",)):
    """Return a lattice: words share a node when they stand in one column, in one of two lanes."""
    made, groups, seen = [], [], {}
    for k in range(1 + draw(up_to(sentences - 1))):
        taken = sorted({*draw(numbers(width, least=1, most=width))})
        lanes, forms_of, tags_of = (
            draw(numbers(count, least=len(taken), most=len(taken)))
            for count in (2, len(forms), len(tags))
        )
        words, row = [], []
        for column, lane, form, tag in zip(taken, lanes, forms_of, tags_of, strict=True):
            place = (k, len(row))
            row.append(2 * column + lane)
            words.append(Token(forms[form], tags[tag]))
            seen.setdefault((column, lane), []).append(place)
        named = draw(NAMES[k])
        made.append(Sentence(words, id=named))
        groups.append(row)
    pairs = [(places[0], other) for places in seen.values() for other in places[1:]]
    return Lattice(Cluster(made, id=draw(CLUSTER_NAMES)), groups, pairs)
