"""Which sentences go together: key terms, n-gram overlap, and the options of both."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.words.event_clusters import (
    documents_of,
    event_clusters,
    generic_words,
    ngram_similarity,
)
from bitext.align.words.key_terms import Folding, Names, key_terms, sentence_case, singulars
from bitext.errors import InputError, OptionError
from bitext.formats.clusters import read_articles
from bitext.model import Sentence, Token
from reference import event_clusters_slow as slow

ARTICLES = Path(__file__).resolve().parents[3] / "fixtures" / "harbour" / "articles"


def sentence(text, tags=None):
    words = text.split()
    if tags is None:
        return Sentence(words)
    return Sentence([Token(word, pos) for word, pos in zip(words, tags.split(), strict=True)])


def ids(clusters):
    return [[s.id for s in one.cluster] for one in clusters]


@pytest.fixture(scope="module")
def harbour():
    return documents_of(read_articles(ARTICLES))


# names


def names_in(*texts):
    sentences = [text if isinstance(text, Sentence) else sentence(text) for text in texts]
    names = Names(sentences)
    return [" ".join(s.forms[a:b]) for s in sentences for a, b in names.runs(s)]


def test_names_are_capitals_within_sentences():
    assert names_in("Yesterday the mayor , Gabriele Albertini , spoke .") == ["Gabriele Albertini"]
    assert names_in("He runs the Bank of England .", "It is of Milan .") == [
        "Bank of England",
        "Milan",
    ]
    assert names_in("I saw The police on Monday in May .") == []


def test_a_first_word_is_a_name_if_it_is_one_elsewhere():
    assert names_in("Milan burns .") == []
    assert names_in("Milan burns .", "They left Milan .") == ["Milan", "Milan"]
    assert names_in("Fire kills two .", "The Fire of London .", "A fire .") == ["Fire of London"]
    assert names_in('" Milan burns , " he said .') == []


def test_headlines_tell_nothing_of_names():
    assert names_in("Small Plane Hits Milan Tower", "A tower in Rome .") == ["Rome"]


def test_a_headline_has_nine_capitals_in_ten_content_words():
    words = [f"ferry{letter}" for letter in "abcdefghij"]
    for capitals, headline in ((8, False), (9, True), (10, True)):
        told = [word.title() for word in words[:capitals]] + words[capitals:]
        assert sentence_case(("X", *told)) is not headline
    # Fewer than four tell nothing; stop words and dates do not count.
    assert sentence_case(("The", "Ferry", "Captain", "Boats"))
    assert not sentence_case(("The", "Ferry", "of", "Captain", "on", "Boats", "and", "Rescue"))


def test_tags_tell_names_where_they_are_there():
    tagged = sentence("Milan burns on Monday", "NNP VBZ IN NNP")
    assert names_in(tagged) == ["Milan"]
    assert names_in(sentence("the Fire burns", "DT NN VBZ")) == []


# terms


def folded(*texts):
    sentences = [sentence(text) for text in texts]
    folding = Folding(sentences, Names(sentences))
    return [" ".join(folding.of(s)) for s in sentences]


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("fires", "Fire"),
        ("stories", "story"),
        ("ties", "tie"),
        ("crashes", "crash"),
        ("boxes", "box"),
        ("glasses", "glass"),
        ("buses", "bus"),
        ("houses", "house"),
        ("heroes", "hero"),
        ("knives", "knife"),
        ("wolves", "wolf"),
        ("caves", "cave"),
        ("axes", "axe"),
    ],
)
def test_plurals_are_folded_where_there_is_the_singular(plural, singular):
    assert folded(plural, singular)[0] == singular.lower()
    assert folded(plural, "else")[0] == plural


def test_what_ends_in_s_without_being_a_plural_stays():
    words = "bus gas this crisis glass lens planes uses"
    assert folded(words, "bu ga thi crisi glas plan us") == [words, "bu ga thi crisi glas plan us"]
    assert singulars("buses")[-1] == "bus"
    assert singulars("was") == []


def test_names_and_words_in_capitals_are_no_plurals():
    assert folded("James left Mars", "On Mars James ate mar jame") == [
        "james left mars",
        "on mars james ate mar jame",
    ]
    assert folded("the AIDS crisis", "first aid") == ["the aids crisis", "first aid"]
    # What is there as a name alone is no singular: Bush has no bushes.
    assert folded("the bushes of Bush burn") == ["the bushes of bush burn"]
    # In a headline capitals tell nothing.
    assert folded("BIG FIRES BURN BLUE PORTS", "a fire , a port")[0] == "big fire burn blue port"


def test_terms_are_ranked_by_documents_then_sentences_then_names():
    documents = [
        [sentence("The fires of Tarnwick burn .")],
        [sentence("A fire in Tarnwick ."), sentence("It was a fire .")],
        [sentence("A gull ."), sentence("A gull ."), sentence("A gull ."), sentence("A gull .")],
    ]
    found = key_terms(documents)
    assert [(t.form, t.name, t.documents, t.sentences) for t in found] == [
        ("fire", False, 2, (0, 1, 2)),
        ("Tarnwick", True, 2, (0, 1)),
        ("gull", False, 1, (3, 4, 5, 6)),
        ("burn", False, 1, (0,)),
    ]


def test_long_names_come_before_their_words():
    text = "Then Crane , Edith Crane , left ."
    found = [t.form for t in key_terms([[sentence(text)], [sentence(text)]])]
    assert found == ["Edith Crane", "Crane", "Edith", "left"]


def test_words_that_are_never_apart_are_one_term():
    documents = [
        [sentence("The harbour masters closed a grain store .")],
        [sentence("A harbour master in the grain store .")],
        [sentence("The store burns brightly .")],
    ]
    found = {t.form: t for t in key_terms(documents)}
    assert set(found) == {"harbour masters", "closed", "grain", "store", "burns", "brightly"}
    assert found["harbour masters"].sentences == (0, 1)
    assert not found["harbour masters"].name
    # In one sentence alone, nothing is known of them; of three, the first two are joined.
    assert [t.form for t in key_terms([[sentence("a grain store")]])] == ["grain", "store"]
    row = [[sentence("one grain store fire")]] * 2
    assert [t.form for t in key_terms(row)] == ["grain store", "fire"]


def test_a_name_of_several_words_is_found_wherever_they_stand_in_a_row():
    documents = [[sentence("Edith Crane left .")], [sentence("It was Edith Crane , not Crane .")]]
    found = {t.form: t for t in key_terms(documents)}
    assert found["Edith Crane"].sentences == (0, 1)
    assert found["Edith Crane"].name
    assert set(found) == {"Edith Crane", "Edith", "Crane", "left"}


def test_stop_words_figures_dates_and_words_of_reporting_are_no_terms():
    documents = [[sentence("On Monday 5 of them said the EU , in May , is ok , in x .")]]
    assert [t.form for t in key_terms(documents)] == ["EU"]


# overlap


def test_words_of_two_syllables_or_ideographs_are_terms():
    texts = ["上海 港口 发生 火灾 。", "火灾 在 港口 。", "부산 화재 발생", "부산 에서 화재"]
    terms = key_terms([[sentence(text)] for text in texts])
    assert [term.form for term in terms[:2]] == ["港口", "火灾"]
    assert {term.form for term in terms if term.documents > 1} == {"港口", "火灾", "부산", "화재"}
    assert key_terms([[sentence("an ox is at it")], [sentence("an ox ate")]])[0].form == "ate"


def test_names_numbers_and_dates_are_one_word_each():
    found = generic_words(
        [
            sentence("On 5 May 2003 , some 1,400 people left New York for 3.5 hours ."),
            sentence("You may march to Rome on Monday at noon ."),
        ]
    )
    assert [" ".join(words) for words in found] == [
        "on <date> some <number> people left <name> for <number> hours",
        "you may march to <name> on <date> at noon",
    ]


WORDS = st.lists(st.sampled_from(["a", "b", "c", ","]), min_size=1, max_size=7)


@given(st.lists(WORDS, min_size=1, max_size=5), st.integers(1, 4))
def test_similarity_is_the_share_of_ngrams_in_common(drawn, n):
    found = ngram_similarity([Sentence(words) for words in drawn], n=n)
    plain = [[word for word in words if word != ","] for words in drawn]
    want = [[float(slow.overlap(one, other, n)) for other in plain] for one in plain]
    assert found.tolist() == want


@given(st.lists(WORDS, min_size=1, max_size=7), st.sampled_from([0.2, 0.5, 1.0]))
def test_clusters_by_overlap_are_those_of_complete_link(drawn, threshold):
    plain = [[word for word in words if word != ","] for words in drawn]
    # 1/5 is as similar as a threshold of 0.2 wants, so both are floats
    table = [[float(slow.overlap(one, other, 4)) for other in plain] for one in plain]
    want = [group for group in slow.complete_link(table, threshold) if len(group) > 1]
    want.sort(key=len, reverse=True)
    found = event_clusters(
        [("d", [Sentence(words) for words in drawn])], by="overlap", threshold=threshold
    )
    assert ids(found) == [[f"d:{k + 1}" for k in group] for group in want]
    assert [one.name for one in found] == [f"event-{k + 1}" for k in range(len(want))]


def test_overlap_finds_what_three_articles_tell_alike(harbour):
    assert ids(event_clusters(harbour, by="overlap", threshold=0.2)) == [
        ["courier:2", "herald:1", "post:1"],
        ["courier:4", "herald:3"],
        ["herald:4", "post:5"],
        ["post:2", "post:4"],
    ]


# both


def test_terms_find_who_closed_the_port(harbour):
    found = {one.name: one for one in event_clusters(harbour)}
    crane = found["edith-crane"]
    assert crane.terms == ("Edith Crane", "Edith")
    assert [s.id for s in crane.cluster] == ["courier:4", "herald:3", "post:4"]
    assert crane.documents == 3
    assert {s.source for s in crane.cluster} == {"courier", "herald", "post"}
    assert not {"the", "said", "friday", "two"} & set(found)
    assert event_clusters(harbour)[0].name == "fire"


def test_sizes_documents_and_numbers_of_clusters(harbour):
    every = event_clusters(harbour)
    assert all(one.documents >= 2 for one in every)
    assert any(one.documents == 1 for one in event_clusters(harbour, min_documents=1))
    large = event_clusters(harbour, min_size=5)
    assert [one.name for one in large] == [one.name for one in every if len(one.cluster) >= 5]
    small = event_clusters(harbour, max_size=4)
    assert [one.name for one in small] == [one.name for one in every if len(one.cluster) <= 4]
    assert [one.name for one in event_clusters(harbour, most=2)] == [one.name for one in every[:2]]
    assert len(event_clusters(harbour, by="overlap", threshold=0.2, min_documents=2)) == 3


def test_one_document_may_have_clusters():
    found = event_clusters([("post", [sentence("A fire ."), sentence("The fire grew .")])])
    assert ids(found) == [["post:1", "post:2"]]


def test_nothing_that_goes_together_is_no_error():
    nothing = [("a", [sentence("A fire .")]), ("b", [sentence("It rained .")])]
    assert event_clusters(nothing) == event_clusters(nothing, by="overlap") == []
    assert event_clusters(nothing, min_size=9) == []


def test_a_term_is_too_general_with_more_than_a_hundred_sentences():
    def documents(size):
        return [
            (name, [sentence(f"fire {name}{k}")] * 1)
            for name in "ab"
            for k in range(size // 2 + (size % 2 and name == "a"))
        ]

    assert [len(one.cluster) for one in event_clusters(documents(11))] == [11]
    assert [len(one.cluster) for one in event_clusters(documents(100))] == [100]
    with pytest.raises(InputError, match=r"found: 1 in more than 100 sentences \(max_size\); want"):
        event_clusters(documents(101))


def test_where_nothing_is_left_the_limits_are_named():
    documents = [
        ("a", [sentence("fire and smoke"), sentence("fire !"), sentence("gull"), sentence("gull")]),
        ("b", [sentence("the fire , the smoke")]),
    ]
    with pytest.raises(InputError) as caught:
        event_clusters(documents, max_size=2, min_documents=3)
    assert str(caught.value) == (
        "no cluster is left of the terms that were found: 2 in fewer than 3 documents "
        "(min_documents), 1 in more than 2 sentences (max_size); want other limits, or more "
        "documents on one event"
    )
    with pytest.raises(InputError, match=r"found: 3 in fewer than 4 sentences \(min_size\); want"):
        event_clusters(documents, min_size=4)
    with pytest.raises(InputError, match=r"of the groups .* 1 in fewer than 3 sentences"):
        event_clusters(documents, by="overlap", min_size=3, threshold=0.9)


def test_sentences_of_a_document_may_be_made_one_by_one():
    made = documents_of([("post", "A fire in Tarnwick."), ("herald", "The Tarnwick fire is out.")])
    drawn = [(name, (each for each in sentences)) for name, sentences in made]
    assert ids(event_clusters(drawn, events=np.int64(1))) == ids(event_clusters(made, events=1))


def test_names_of_clusters_keep_the_vowel_signs_of_their_terms():
    (found,) = event_clusters([("a", [sentence("पानी हिन्दी")]), ("b", [sentence("पानी हिन्दी में")])])
    assert found.name == "हिन्दी"


def test_sentences_keep_what_they_have():
    tagged = Sentence([Token("fire", "NN"), Token("!", ".")], id="x7", source="wire", text="fire!")
    (found,) = event_clusters([("post", [tagged, sentence("a fire")])], min_documents=1)
    assert found.cluster[0] is tagged
    assert (found.cluster[1].id, found.cluster[1].source) == ("post:2", "post")


def test_names_of_clusters_are_fit_for_files_and_differ():
    documents = [
        (
            "a",
            [sentence("We saw the A/B-Test , the AB , a b-test and x ."), sentence("a A/B-Test")],
        ),
        (
            "b",
            [sentence("b-test a"), sentence("it is a B-Test !"), sentence("the A/B/Test b/test")],
        ),
    ]
    found = [one.name for one in event_clusters(documents, min_documents=1)]
    assert len(found) == len(set(found))
    assert all("/" not in name for name in found)


def test_clusters_whose_terms_are_one_as_names_of_files_are_numbered():
    documents = [(name, [sentence("We saw C/B ."), sentence("We left C-B .")]) for name in "ab"]
    found = [one.name for one in event_clusters(documents)]
    assert found == ["c-b", "c-b-2"]


def test_options_are_checked_and_limits_told(harbour):
    for wrong in (
        {"by": "topic"},
        {"min_size": 1},
        {"max_size": 1},
        {"most": 0},
        {"threshold": 0.0},
        {"threshold": float("nan")},
        {"n": 0},
    ):
        with pytest.raises(OptionError, match="want"):
            event_clusters(harbour, **wrong)
    with pytest.raises(InputError, match="the documents have no sentence"):
        event_clusters([("a", [])])
    many = [("d", [Sentence(["w"])] * 6001)]
    with pytest.raises(InputError, match="6,001 sentences to cluster by overlap: want up to 6,000"):
        event_clusters(many, by="overlap")


def test_order_of_joins_does_not_hang_on_chance():
    rng = np.random.default_rng(3)
    words = [[f"w{k}" for k in rng.integers(0, 30, 12)] for _ in range(40)]
    documents = [("d", [Sentence(row) for row in words])]
    first = event_clusters(documents, by="overlap", threshold=0.05)
    assert ids(first) == ids(event_clusters(documents, by="overlap", threshold=0.05))
    assert sum(map(len, ids(first))) > 20
