from hypothesis import given
from hypothesis import strategies as st

from bitext.syntax.columns import folded, spelled_in

WAYS = {  # how a text may spell what words spell in one way
    "``": ['"', "“", "„", "``", "''"],
    "'s": ["'s", "’s", "‘s", "`s"],
    "--": ["--", "—"],
    "...": ["...", "…"],
    "and\\/or": ["and/or", "and\\/or"],
    "(": ["(", "-LRB-"],
    "It": ["It"],
    "burns": ["burns"],
}


@given(
    st.lists(st.sampled_from(sorted(WAYS)), min_size=1, max_size=8),
    st.randoms(use_true_random=False),
)
def test_words_are_found_however_the_text_spells_them(words, random):
    text = "".join(
        random.choice(WAYS[word]) + random.choice(["", " ", "\u00a0\t"]) for word in words
    )
    found, rest = spelled_in(words, text)
    assert len(found) == len(words)
    assert not rest
    assert [folded(word) for word in found] == [folded(word) for word in words]


@given(
    st.lists(st.text("abé", min_size=1, max_size=3), min_size=1, max_size=6),
    st.lists(st.text("abé", min_size=1, max_size=3), max_size=6),
)
def test_words_are_found_where_the_text_has_them_and_nowhere_else(words, others):
    """An oracle without any spelling: letters against letters."""
    found, rest = spelled_in(words, " ".join(others))
    line = "".join(others)
    same = 0
    while same < len(words) and line.startswith("".join(words[: same + 1])):
        same += 1
    assert found == words[:same]
    assert "".join(rest.split()) == line[len("".join(words[:same])) :]


def test_capitals_count_unless_told():
    assert spelled_in(["it", "BURNS"], "It burns") == ([], "It burns")
    assert spelled_in(["it", "BURNS"], "It burns", case=False) == (["It", "burns"], "")
    assert spelled_in(["STRASSE"], "Straße", case=False) == (["Straße"], "")


def test_a_sign_that_words_share_stays_as_they_have_it():
    assert spelled_in(["a", "-", "-", "b"], "a—b") == (["a", "-", "-", "b"], "")
    assert spelled_in(["a", "-"], "a—") == (["a", "-"], "—")
    assert spelled_in(["cannot"], "can not") == (["cannot"], "")
