"""Random small sentences with syntax, few enough words and tags that they often match."""

from hypothesis import strategies as st

from bitext.model import Sentence, Token

FORMS = ["the", "The", "tower", "Tower", "burns", ",", "of"]
POS = {"the": "DT", "The": "DT", ",": ",", "of": "IN"}
TAGS = ["B-NP", "I-NP", "B-VP", "I-VP", "B-PP"]


@st.composite
def tokens(draw):
    form = draw(st.sampled_from(FORMS))
    pos = POS.get(form) or draw(st.sampled_from(["NN", "NN", "NN", "VB"]))
    iob = draw(st.sampled_from(["B-NP", "B-NP", "I-NP", "O", "B-VP"]))
    trace = draw(st.lists(st.sampled_from(TAGS), max_size=5))
    return Token(form, pos, iob, tuple(trace))


def sentences(most=7):
    return st.lists(tokens(), min_size=1, max_size=most).map(Sentence)
