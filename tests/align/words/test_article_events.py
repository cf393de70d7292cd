"""Articles grouped by event, and the clusters of each event."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.words.event_clusters import (
    MOST_ARTICLES,
    ArticleEvent,
    article_events,
    article_similarity,
    documents_of,
    event_clusters,
)
from bitext.errors import InputError, OptionError
from bitext.formats.clusters import read_articles
from bitext.model import Sentence
from reference import event_clusters_slow as slow

FIXTURES = Path(__file__).parents[3] / "fixtures"


def articles(*names):
    """Return the articles of fixtures whose names begin so, with their sentences."""
    found = documents_of(
        read_articles([FIXTURES / "events" / "articles", FIXTURES / "harbour" / "articles"])
    )
    return [one for one in found if not names or one[0].startswith(names)]


def kind(name):
    """Return the event of an article by its name; those on no other event have one of their own."""
    event, _, source = name.partition("-")
    return name if event == "other" else event if source else "harbour"


def grouped(documents, **options):
    """Return the names of the articles of each event."""
    events = article_events([sentences for _, sentences in documents], **options)
    return [[documents[k][0] for k in event.documents] for event in events]


ALL = ("dam", "theft", "blaze", "tram", "other", "courier", "herald", "post")


@pytest.mark.parametrize(
    "names",
    [
        ALL,
        ("dam", "theft"),
        ("dam", "theft", "other"),
        ("dam", "theft", "blaze"),
        ("theft", "blaze", "tram", "other-match"),
        ("blaze", "courier", "herald", "post"),  # two fires
        ("tram", "other"),
        ("dam",),
        ("courier", "herald", "post"),
    ],
)
def test_articles_on_one_event_are_together_and_others_alone(names):
    documents = articles(*names)
    found = grouped(documents)
    gold = {}
    for name, _ in documents:
        gold.setdefault(kind(name), []).append(name)
    assert sorted(found) == sorted(gold.values())
    assert [len(names) for names in found] == sorted(map(len, found), reverse=True)


@pytest.mark.parametrize("seed", range(5))
def test_groups_do_not_depend_on_the_order_of_the_articles(seed):
    documents = articles()
    shuffled = random.Random(seed).sample(documents, len(documents))
    assert sorted(map(sorted, grouped(shuffled))) == sorted(map(sorted, grouped(documents)))


def test_the_number_of_events_may_be_set():
    documents = articles()
    for number in (1, 2, 7, 12, 18):
        assert len(grouped(documents, events=number)) == number
    # Fewer events join the two fires first.
    five = grouped(articles("dam", "theft", "blaze", "courier", "herald", "post"), events=3)
    assert {kind(name) for name in five[0]} == {"blaze", "harbour"}


def test_an_event_is_named_by_the_headline_of_its_central_article_or_by_terms():
    found = article_events([sentences for _, sentences in articles("dam", "tram-beacon")])
    assert [(event.headline, event.title) for event in found] == [
        ("Leak forces Corvale villagers from their homes",) * 2,
        ("", ", ".join(found[1].terms)),
    ]
    assert found[0].terms[0] == "Corvale"
    assert ArticleEvent((0,), (), "").title == "event"


words = st.lists(
    st.sampled_from(["fire", "fires", "burns", "Oslo", "the", "of", "ship", "5", "said"]),
    max_size=8,
)


@given(st.lists(words, min_size=1, max_size=6))
def test_similarities_are_the_cosines_of_the_definition(texts):
    documents = [[Sentence(text)] if text else [] for text in texts]
    given_words = {word for text in texts for word in text}
    folded = {"fires": "fire" if "fire" in given_words else "fires", "Oslo": "oslo"}
    content = {"fire", "fires", "burns", "oslo", "ship"}
    bare = [
        [word for form in text if (word := folded.get(form, form)) in content] for text in texts
    ]
    found = article_similarity(documents)
    assert np.allclose(found, slow.cosine(bare), atol=2**-19)
    assert (found == found.T).all()


def test_few_articles_and_articles_without_words():
    assert article_events([[Sentence(["Fire"])]])[0].documents == (0,)
    assert [event.documents for event in article_events([[], []])] == [(0,), (1,)]
    assert len(article_events([[], [Sentence(["the"])], [Sentence(["5"])]], events=2)) == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"events": 0}, "events is 0: want 1 to 2, the articles"),
        ({"events": 3}, "events is 3: want 1 to 2, the articles"),
        ({"events": 1.0}, r"events is 1\.0: want 1 to 2"),
        ({"events": True}, "events is True: want 1 to 2"),
        ({"threshold": 0}, "event_threshold is 0: want above 0, and up to 1"),
        ({"threshold": float("nan")}, "event_threshold is nan: want above 0"),
    ],
)
def test_options_out_of_range(options, message):
    with pytest.raises(OptionError, match=message):
        article_events([[], []], **options)


def test_too_many_articles():
    with pytest.raises(InputError, match="5,001 articles to group by event: want up to 5,000"):
        article_events([[]] * (MOST_ARTICLES + 1))


def test_a_cluster_an_event():
    found = event_clusters(articles(), by="event")
    assert [(one.name, one.documents) for one in found] == [
        ("leak-forces-corvale-villagers-from-their-homes", 4),
        ("thieves-take-golden-bowl-from-brenholt-museum", 4),
        ("warehouse-burns-at-port-askew", 3),
        ("fire-at-tarnwick-grain-store-kills-two", 3),
        ("tram-drivers-in-lindmark-stop-work", 2),
    ]
    for one in found:
        assert {kind(s.source) for s in one.cluster} == {kind(one.cluster[0].source)}
        assert one.terms == ()
    # Articles that are alone are a cluster if they are asked for.
    assert len(event_clusters(articles(), by="event", min_documents=1)) == 7
    assert len(event_clusters(articles(), by="event", most=2)) == 2
    (whole,) = event_clusters(articles(), by="event", events=1)
    assert whole.documents == len(articles())


def test_terms_are_those_of_one_event():
    found = event_clusters(articles(), by="term")
    assert all(len({kind(s.source) for s in one.cluster}) == 1 for one in found)
    assert len({one.name for one in found}) == len(found)
    fires = [one for one in found if "fire" in one.terms]
    assert {kind(one.cluster[0].source) for one in fires} == {"harbour", "blaze"}
    assert all(one.event is not None and "fire" in one.name for one in fires)
    # As many as are asked for of each event, its best ones.
    few = event_clusters(articles(), by="term", most=2)
    assert len(few) == 10
    assert {one.name for one in few} <= {one.name for one in found}
    # With one event, terms join articles on several.
    one = event_clusters(articles(), by="term", events=1)
    assert any(len({kind(s.source) for s in each.cluster}) > 1 for each in one)


def test_one_event_gives_the_clusters_of_its_terms_alone():
    harbour = articles("courier", "herald", "post")
    found = event_clusters(harbour, by="term")
    assert [one.name for one in found][:3] == ["fire", "store", "grain"]
    assert found == event_clusters(harbour, by="term", events=1)


def test_articles_that_have_nothing_in_common_make_no_cluster():
    assert event_clusters(articles("other"), by="event", min_documents=1) != []
    with pytest.raises(InputError, match=r"of the events that were found: 2 in fewer than 2 docum"):
        event_clusters(articles("other"), by="event")


def test_events_may_be_given():
    documents = articles("dam", "theft")
    events = [ArticleEvent((0, 7), ("x",), "One"), ArticleEvent((1, 2), (), "")]
    found = event_clusters(documents, by="event", events=events)
    assert [(one.name, one.documents) for one in found] == [("one", 2), ("event", 2)]
