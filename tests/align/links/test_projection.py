"""Projection of labels: examples of the papers, properties, and a tree contracted step by step."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.align import project_labels
from bitext.align.links.projection import ProjectionCounts, match_labels
from bitext.errors import FormatError, InputError
from bitext.model import WordLinks
from bitext.syntax import LabelledSentence, read_labels
from bitext.syntax.labelled import Span
from reference.draw import numbers, orders, up_to


def projected(labels, tgt, links, src=None, counts=None):
    src = " ".join(form for form, _, _ in labels.surface()) if src is None else src
    made = project_labels([labels], [src], [tgt], WordLinks.parse([links]), counts=counts)
    return next(made)


def tree(rows):
    """Return a sentence of rows `form head relation`, heads counted from 1."""
    forms, heads, relations = zip(*(row.split() for row in rows.split(", ")), strict=True)
    return LabelledSentence(
        forms, heads=tuple(int(head) - 1 for head in heads), relations=relations
    )


def heads_of(sentence):
    return [
        f"{form} {'_' if head is None else head + 1} {relation}"
        for form, head, relation in zip(
            sentence.forms, sentence.heads, sentence.relations, strict=True
        )
    ]


def test_tags_and_noun_phrases_of_yarowsky_ngai_and_wicentowski():
    # HLT 2001, figure 1: [a significant producer] for [crude oil]
    lines = [
        "a DT B-NP", "significant JJ I-NP", "producer NN I-NP", "for IN O", "crude JJ B-NP",
        "oil NN I-NP",
    ]  # fmt: skip
    (labels,) = read_labels(lines, path="a")
    made = projected(labels, "un producteur important de pétrole brut", "0-0 1-2 2-1 3-3 4-5 5-4")
    assert made.tags["column 2"] == ("DT", "NN", "JJ", "IN", "NN", "JJ")
    assert made.spans["column 3"] == (Span(0, 3, "NP"), Span(4, 6, "NP"))


def test_dependencies_of_hwa_and_others():
    # After the English-Basque example of Hwa et al. (ACL 2002, NLE 2005): `got` is `erosi nion`,
    # `for` and `brother` are `anaiari`.
    labels = tree("I 2 subj, got 0 root, a 4 det, gift 2 obj, for 2 mod, my 7 mod, brother 5 comp")
    links = "0-0 1-5:0.9 1-6:0.8 2-4 3-3 4-2 5-1 6-2"
    made = projected(labels, "Nik nire anaiari opari bat erosi nion", links)
    assert heads_of(made) == [
        "Nik 6 subj",
        "nire 3 mod",
        "anaiari 6 mod",  # `for` is nearer to the root, and `brother` keeps its dependents
        "opari 6 obj",
        "bat 4 det",
        "erosi 0 root",
        "nion 6 dep",
    ]


def test_a_source_word_without_a_link_hands_its_dependents_to_its_head():
    labels = tree("she 2 nsubj, left 0 root, at 2 prep, seven 3 pobj")
    counts = ProjectionCounts()
    made = projected(labels, "elle partit à_sept heures", "0-0 1-1 3-2", counts=counts)
    assert heads_of(made) == ["elle 2 nsubj", "partit 0 root", "à_sept 2 pobj", "heures _ _"]
    assert counts.lines() == [
        "1 target sentence: 3 of 4 words have the labels of a source word",
        "1 tree of the source: 3 of 4 target words have a head, 1 sentence a root",
    ]


def test_dependents_of_a_root_without_a_link_have_no_head():
    counts = ProjectionCounts()
    made = projected(tree("she 2 nsubj, left 0 root"), "elle partit", "0-0", counts=counts)
    assert heads_of(made) == ["elle _ _", "partit _ _"]
    assert (counts.heads, counts.rooted) == (0, 0)


def test_further_sentences_of_a_pair_hang_from_the_first():
    first, second = tree("go 0 root, home 1 obl"), tree("he 2 nsubj, waits 0 root")
    links = WordLinks.parse(["0-0 1-1 2-2 3-3"])
    (made,) = project_labels([first, second], ["go home he waits"], ["va chez il attend"], links)
    assert heads_of(made) == ["va 0 root", "chez 1 obl", "il 4 nsubj", "attend 1 parataxis"]


def test_equally_probable_links_prefer_sure_ones_words_the_root_and_the_first():
    labels = LabelledSentence(("(", "house", "old"), {"UPOS": ("PUNCT", "NOUN", "ADJ")})
    assert projected(labels, "maison", "0-0 1-0 2-0").tags["UPOS"] == ("NOUN",)
    assert projected(labels, "maison", "0-0 1-0p 2-0").tags["UPOS"] == ("ADJ",)
    assert projected(labels, "(", "0-0 1-0 2-0").tags["UPOS"] == ("PUNCT",)
    assert projected(labels, "maison", "1-0:0.4 2-0:0.5").tags["UPOS"] == ("ADJ",)
    assert projected(labels, "maison", "1-0:0.4 2-0:0.5").misc == ("Prob=0.5",)
    headed = LabelledSentence(labels.forms, labels.tags, heads=(2, 2, -1), relations=("x",) * 3)
    assert projected(headed, "maison", "1-0 2-0").tags["UPOS"] == ("ADJ",)


def names(*spans):
    size = max(end for _, end, _ in spans)
    own = tuple(Span(*each) for each in spans)
    return LabelledSentence(tuple(f"w{k}" for k in range(size)), spans={"NER": own})


@pytest.mark.parametrize(
    ("spans", "links", "expected", "lost", "cut"),
    [
        # over a word without a link
        ([(0, 2, "ORG")], "0-0 1-2", [(0, 3, "ORG")], 0, 0),
        # a word of others between: the more probable part, or the first
        ([(0, 2, "ORG"), (2, 3, "PER")], "0-0 2-1 1-2", [(0, 1, "ORG"), (1, 2, "PER")], 0, 1),
        (
            [(0, 2, "ORG"), (2, 3, "PER")],
            "0-0:0.4 2-1:0.9 1-2:0.8",
            [(1, 2, "PER"), (2, 3, "ORG")],
            0,
            1,
        ),
        # both linked with one word: the one of more probability has it
        (
            [(0, 1, "ORG"), (1, 2, "PER")],
            "0-0:0.4 1-0:0.9 0-1:0.3",
            [(0, 1, "PER"), (1, 2, "ORG")],
            0,
            1,
        ),
        ([(0, 1, "ORG"), (1, 2, "PER")], "0-0:0.4 1-0:0.9", [(0, 1, "PER")], 1, 0),
        ([(0, 1, "ORG"), (1, 2, "PER")], "1-3", [(3, 4, "PER")], 1, 0),
    ],
)
def test_spans_are_contiguous_and_losses_are_counted(spans, links, expected, lost, cut):
    counts = ProjectionCounts()
    made = projected(names(*spans), "a b c d", links, counts=counts)
    assert made.spans["NER"] == tuple(Span(*each) for each in expected)
    assert (counts.spans, counts.lost_spans, counts.cut_spans) == (len(spans), lost, cut)


@st.composite
def trees(draw):
    size = 1 + draw(up_to(6))
    order = draw(orders(size))
    heads = [-1] * size
    for k, word in enumerate(order[1:], 1):
        heads[word] = order[draw(up_to(k - 1))]
    return LabelledSentence(
        tuple(f"w{k}" for k in range(size)),
        {"UPOS": tuple(f"T{k}" for k in range(size))},
        heads=tuple(heads),
        relations=tuple(f"r{k}" for k in range(size)),
    )


@given(trees())
def test_links_of_each_word_with_its_copy_keep_all_labels(labels):
    copy = " ".join(labels.forms)
    made = projected(labels, copy, " ".join(f"{k}-{k}" for k in range(len(labels.forms))))
    assert (made.tags, made.heads, made.relations) == (labels.tags, labels.heads, labels.relations)


def depth_of(heads, word):
    return 0 if heads[word] < 0 else 1 + depth_of(heads, heads[word])


def contracted(labels, size, links):
    """Return heads and relations of the target by changing the source tree one word at a time."""
    words = range(len(labels.forms))
    depth = [depth_of(labels.heads, word) for word in words]
    image = {}
    for word in words:
        own = [(-p, depth[word], j) for i, j, p in links if i == word]
        if own:
            image[word] = min(own)[2]
    above = dict(enumerate(labels.heads))
    for word in sorted(set(words) - image.keys()):  # out of the tree, one by one
        for other in [each for each in words if above[each] == word]:
            above[other] = above[word] if above[word] != -1 else None
    heads, relations = [None] * size, ["_"] * size
    for j in range(size):
        own = [(depth[i], -p, i) for i, t, p in links if t == j and image[i] == j]
        if own:
            word = min(own)[2]
            if above[word] is not None:
                heads[j] = image[above[word]] if above[word] >= 0 else -1
                relations[j] = f"r{word}"
            continue
        others = [(-p, depth[i], i) for i, t, p in links if t == j]
        if others:
            heads[j], relations[j] = image[min(others)[2]], "dep"
    return tuple(heads), tuple(relations)


@settings(max_examples=300)
@given(st.data())
def test_trees_are_those_of_contraction_word_by_word_and_have_no_circle(data):
    labels = data.draw(trees())
    size = 1 + data.draw(up_to(5))
    chosen = data.draw(numbers(3 * len(labels.forms) * size, most=14))
    cells = {divmod(k // 3, size): (0.25, 0.5, 0.75)[k % 3] for k in chosen}
    links = [(i, j, p) for (i, j), p in cells.items()]
    spelled = " ".join(f"{i}-{j}:{p}" for i, j, p in links)
    made = projected(labels, " ".join(f"v{k}" for k in range(size)), spelled)
    assert (made.heads, made.relations) == contracted(labels, size, links)
    for k in range(size):
        seen, at = set(), k
        while at is not None and at >= 0:
            assert at not in seen
            seen.add(at)
            at = made.heads[at]
    assert sum(head == -1 for head in made.heads) <= 1


@settings(max_examples=200)
@given(st.data())
def test_spans_do_not_overlap_and_begin_and_end_at_linked_words(data):
    cuts = sorted(data.draw(st.sets(st.integers(0, 8), min_size=2)))
    spans = [Span(a, b, f"L{a}") for a, b in pairwise(cuts) if data.draw(st.booleans())]
    labels = LabelledSentence(tuple("abcdefgh"), spans={"NER": tuple(spans)})
    cells = st.tuples(st.integers(0, 7), st.integers(0, 5))
    links = data.draw(st.sets(cells, max_size=12))
    counts = ProjectionCounts()
    spelled = " ".join(f"{i}-{j}" for i, j in links)
    made = projected(labels, "u v w x y z", spelled, counts=counts).spans.get("NER", ())
    assert all(before.end <= after.begin for before, after in pairwise(made))
    for span in made:
        (own,) = [each for each in spans if each.label == span.label]
        linked = {j for i, j in links if own.begin <= i < own.end}
        assert {span.begin, span.end - 1} <= linked
        inside = [i for i, j in links if span.begin <= j < span.end and j not in linked]
        assert not inside
    assert len(made) == counts.spans - counts.lost_spans


# Labels and texts that divide words in different ways.


def test_words_are_matched_by_characters():
    lines = ["1-2\tdon't\t" + "\t".join("_" * 8), "1\tdo\t_\tAUX" + "\t_" * 6,
             "2\tnot\t_\tPART" + "\t_" * 6, "3\t-LRB-\t_\tPUNCT" + "\t_" * 6,
             "4\tGo\t_\tVERB" + "\t_" * 6]  # fmt: skip
    (labels,) = read_labels(lines, path="a")
    made = projected(labels, "ne (va", "0-0 1-1", src="don't (go")
    assert made.tags["UPOS"] == ("AUX", "VERB")  # of a word, the mark beside is not preferred


def test_a_sentence_may_be_several_segments_or_a_part_of_one():
    labels = [LabelledSentence(("a", "b", "c"), line=1), LabelledSentence(("d",), line=5)]
    found = list(match_labels(labels, [["a"], [], ["b"], ["c", "d"]]))
    assert [[k for _, k in each.words] for each in found] == [[0], [], [1], [2, 0]]


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        ([["a", "x"]], "line 3: has a sentence with the word 'b' where source segment 0 .* 'x'"),
        ([["a"]], "line 3: has a sentence behind the end of the text, with 'b'"),
        ([["a", "b"], ["c"]], "ends where the text goes on with 'c', in source segment 1"),
        ([["a"], ["b"], []], None),
        ([["a", "b"], []], None),
    ],
)
def test_labels_of_another_text_are_refused_with_their_line(segments, message):
    labels = [LabelledSentence(("a", "b"), line=3)]
    if message is None:
        assert len(list(match_labels(labels, segments))) == len(segments)
        return
    with pytest.raises(FormatError, match=message):
        list(match_labels(labels, segments, path="a.conllu"))


def test_a_word_across_segments_is_refused():
    with pytest.raises(FormatError, match="word 'ab' goes on behind source segment 0"):
        list(match_labels([LabelledSentence(("ab",))], [["a"], ["b"]]))


def test_a_link_beyond_its_sentence_is_refused():
    with pytest.raises(InputError, match=r"a link has target word 3 .* the sentence has 1 words"):
        projected(LabelledSentence(("a",)), "b", "0-3")


def test_as_many_sentences_links_and_labels_are_wanted():
    links = WordLinks.parse(["0-0", "0-0"])
    with pytest.raises(InputError, match="ends behind 1 sentences"):
        list(project_labels([LabelledSentence(("a",))], ["a"], ["b"], links))


def test_ids_and_documents_go_along_once():
    first = LabelledSentence(("a",), comments=("# newdoc id = d", "# sent_id = 1"), line=3)
    second = LabelledSentence(("b",), comments=("# sent_id = 2",), line=6)
    third = LabelledSentence(("c",), comments=("# newpar", "# sent_id = 3"), line=9)
    links = WordLinks.parse(["", "0-0"])
    made = list(project_labels([first, second, third], ["a", "b c"], ["", "x"], links))
    assert [each.comments for each in made] == [("# newdoc id = d", "# sent_id = 2", "# newpar")]


def test_a_pair_may_have_one_sentence_twice():
    sentence = tree("a 2 d, b 0 root")
    links = WordLinks.parse(["0-0 1-1 2-2 3-3"])
    (made,) = project_labels([sentence, sentence], ["a b a b"], ["x y z w"], links)
    assert made.heads == (1, -1, 3, 1)
    assert made.relations == ("d", "root", "d", "parataxis")


def test_labels_are_labelled_sentences():
    links = WordLinks.parse(["0-0"])
    for labels in ("x", [None]):
        with pytest.raises(InputError, match=r"a sentence of the labels is .*: want a Labelled"):
            next(project_labels(labels, ["a"], ["b"], links))
