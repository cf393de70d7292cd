"""Random small sentences with syntax, few enough words and tags that they often match."""

from hypothesis import strategies as st

from bitext.model import Sentence, Token

FORMS = ["the", "The", "tower", "Tower", "burns", ",", "of"]
POS = {"the": "DT", "The": "DT", ",": ",", "of": "IN"}
TAGS = ["B-NP", "I-NP", "B-VP", "I-VP", "B-PP"]


# Made once: hypothesis looks into each new strategy.
_FORM = st.sampled_from(FORMS)
_TAG = st.sampled_from(["NN", "NN", "NN", "VB"])
_CHUNK = st.sampled_from(["B-NP", "B-NP", "I-NP", "O", "B-VP"])
_TRACE = st.lists(st.sampled_from(TAGS), max_size=5)


@st.composite
def tokens(draw):
    form = draw(_FORM)
    pos = POS.get(form) or draw(_TAG)
    iob, trace = draw(_CHUNK), draw(_TRACE)
    return Token(form, pos, iob, tuple(trace))


def sentences(most=7):
    return st.lists(tokens(), min_size=1, max_size=most).map(Sentence)
