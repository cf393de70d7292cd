"""Faults of sentences made of parts: two verbs, no verb, lone marks, noun phrases of a new kind."""

import pytest

from bitext.align.words.ranking import Frames, broken_condition, faults, noun_chunks, shape
from bitext.model import Sentence, Token


def words(text):
    """Words with part of speech, trace and perhaps chunk, as `ferry|NN|I-S/I-NP`."""
    out = []
    for part in text.split():
        form, pos, trace, *iob = part.split("|")
        out.append(Token(form, pos, iob[0] if iob else "O", tuple(trace.split("/"))))
    return out


def somebody(first, end):
    """Some sentence has all of it."""
    return first < end


def anything(kind):
    """There are noun chunks of all kinds."""
    return bool(kind)


def somebody_has_both(one, other):
    """Some sentence has both words."""
    return one != other


def nobody(first, end):
    """No sentence has two words of it in a row."""
    return end - first < 2


def count(tokens, *, whole=nobody, known=anything, together=somebody_has_both):
    return faults(tokens, known=known, whole=whole, together=together)


FERRY = "the|DT|B-S/B-NP ferry|NN|I-S/I-NP "
SANK = "sank|VBD|I-S/B-VP"


@pytest.mark.parametrize(
    ("between", "found"),
    [
        ("", 1),
        ("again|RB|I-S/I-VP", 1),
        ("by|IN|I-S/I-VP/B-PP the|DT|I-S/I-VP/I-PP/B-NP", 1),  # no subject: below a PP
        ("and|CC|I-S/I-VP", 0),
        ("which|WDT|I-S/I-VP/I-NP/B-SBAR/B-WHNP", 0),
        ("whose|WP$|I-S/I-VP", 0),
        ("where|WRB|I-S/I-VP", 0),
        (",|,|I-S", 0),
        (";|:|I-S", 0),
        ("``|``|I-S then|RB|I-S ''|''|I-S", 0),
        ("that|IN|I-S/I-VP/B-SBAR", 0),
        ("it|PRP|I-S/I-VP/I-SBAR/I-S/B-NP", 0),  # a subject begins
        ("it|PRP|I-S/I-VP/B-NP", 1),  # an object does
        ("from|IN|I-S/I-VP/B-PP it|PRP|I-S/I-VP/I-SBAR/I-S/B-NP", 1),  # here it is an object
        ("if|IN|I-S/I-VP/I-SBAR it|PRP|I-S/I-VP/I-SBAR/I-S/B-NP", 0),
        ("what|WP|I-S/I-VP/I-SBAR/B-WHNP", 0),
    ],
)
def test_a_second_finite_verb_wants_something_that_lets_it_begin(between, found):
    tokens = words(f"{FERRY} burns|VBZ|I-S/B-VP {between} {SANK}")
    assert count(tokens) == found
    # Where a sentence has it all from the first verb to the second, it is as somebody wrote it.
    last = len(tokens)
    assert count(tokens, whole=lambda first, end: (first, end) == (2, last)) == 0


def test_only_finite_verbs_clash_and_each_with_the_one_before():
    assert count(words(f"{FERRY} has|VBZ|I-S/B-VP burned|VBN|I-S/I-VP/B-VP")) == 0
    assert count(words(f"{FERRY} burns|VBZ|I-S/B-VP {SANK} may|MD|I-S/B-VP")) == 2
    # What lets a verb begin must come after the one before.
    assert count(words(f",|,|I-S {FERRY} burns|VBZ|I-S/B-VP {SANK}")) == 1
    # The second verb itself may begin a clause.
    assert count(words(f"{FERRY} burns|VBZ|I-S/B-VP sank|VBD|I-S/I-VP/B-S/B-VP")) == 0


def test_a_subject_wants_a_verb_after_it():
    guard = "the|DT|I-S/B-NP guard|NN|I-S/I-NP"
    tokens = words(f"{FERRY} {SANK} ,|,|I-S {guard} .|.|I-S")
    assert count(tokens) == 1
    assert count(words(f"{FERRY} {SANK} ,|,|I-S {guard} said|VBD|I-S/B-VP .|.|I-S")) == 0
    assert count(words(f"{FERRY} {SANK} ,|,|I-S {guard} sailing|VBG|I-S/B-VP .|.|I-S")) == 0
    # Words of a sentence, from the mark before the subject: as somebody wrote it. The subject and
    # what follows alone are not enough, as `according to the guard .` has them.
    assert count(tokens, whole=lambda first, end: (first, end) == (3, 7)) == 0
    assert count(tokens, whole=lambda first, end: (first, end) == (4, 7)) == 1
    # An object is no subject, nor is what was one, and stands after a preposition.
    assert count(words(f"{FERRY} {SANK} the|DT|I-S/I-VP/B-NP")) == 0
    assert count(words(f"{FERRY} {SANK} by|IN|I-S/I-VP/B-PP {guard} .|.|I-S")) == 0
    assert count(words(f"{FERRY} {SANK} that|IN|I-S/I-VP/B-SBAR {guard} .|.|I-S")) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("`` We left , '' he said", 0),
        ("`` We left he said", 1),
        ("We left , '' he said", 1),
        ("We '' left `` he said", 2),
        ('" We left , " he said', 0),
        ('" We left , " he said "', 1),
        ('" We left , " he said " now', 1),
        ('We left "', 1),
        ("“ We left ” he said “ now", 1),
        ("( We ) left -LRB- now", 1),
        ("( We [ left ) now ]", 0),
        ("-LRB- We -RRB- left )", 1),
        ("` We left ' he said", 0),
        ("` We left he said", 1),
        ("the boys ' toys ' he", 0),  # apostrophes
        ("‘ the boys ’ toys", 0),
    ],
)
def test_a_mark_wants_its_other_half(text, found):
    tokens = [Token(form) for form in text.split()]
    assert count(tokens) == found
    assert count(tokens, whole=somebody) == 0


def test_a_mark_that_one_sentence_leaves_open_to_its_end_is_as_somebody_wrote():
    tokens = [Token(form) for form in ["He", "said", "``", "We", "left"]]
    assert count(tokens, whole=lambda first, end: (first, end) == (2, 5)) == 0
    tokens = [Token(form) for form in ["We", "left", "''", "he", "said"]]
    assert count(tokens, whole=lambda first, end: (first, end) == (0, 3)) == 0


def test_a_straight_mark_left_alone_closes_if_its_part_of_speech_does():
    # The end of `They said " we left " on Monday`, whose beginning is of another sentence.
    def tokens(pos):
        return [Token("We"), Token("left"), Token('"', pos), Token("on"), Token("Monday")]

    def to_the_end(first, end):
        return (first, end) == (2, 5)

    assert count(tokens("''"), whole=to_the_end) == 1
    assert count(tokens("''"), whole=lambda first, end: (first, end) == (0, 3)) == 0
    assert count(tokens("``"), whole=to_the_end) == 0
    both = [*tokens("''")[:2], Token('"', "''"), Token("on"), Token('"', "''"), Token("Monday")]
    assert count(both) == 0  # of a tagger that does not tell them apart


def test_a_noun_chunk_of_a_new_kind_is_half_a_fault():
    tokens = words(
        "has|VBZ|I-S|B-VP a|DT|I-S|B-NP high|JJ|I-S|I-NP ratings|NNS|I-S|I-NP it|PRP|I-S|B-NP"
    )
    assert list(noun_chunks(tokens)) == [(1, 4), (4, 5)]
    asked = []
    assert count(tokens, known=asked.append) == 0.5  # a chunk of one word is in a sentence
    assert asked == [("one", "NNS"), ("PRP",)]
    assert count(tokens, whole=lambda first, end: (first, end) == (1, 4)) == 0


def test_adjectives_do_not_make_a_kind_unless_they_are_all():
    def kind(text):
        return shape([Token(*part.split("|")) for part in text.split()])

    assert kind("the|DT high|JJ ratings|NNS") == kind("the|DT ratings|NNS") == ("DT", "NNS")
    assert kind("the|DT poorest|JJS") == ("DT", "JJS")
    assert kind("This|DT rating|NN") == kind("every|DT rating|NN") != kind("the|DT rating|NN")


NP, VP = "I-S/B-NP", "I-S/B-VP"
SAID = f"police|NNS|{NP}|B-NP said|VBD|{VP}|B-VP "
HURT = f"men|NNS|{NP}|B-NP had|VBD|{VP}|B-VP fled|VBN|{VP}|I-VP"


@pytest.mark.parametrize(
    ("text", "speaker", "verb"),
    [
        (SAID + HURT, 0, 4),
        (f"{HURT} ,|,|I-S {SAID}", 4, 2),
        (f"{HURT} ,|,|I-S said|VBD|{VP}|B-VP a|DT|{NP}|B-NP guard|NN|{NP}|I-NP", 6, 2),
    ],
)
def test_a_statement_is_of_a_speaker_who_makes_it_somewhere(text, speaker, verb):
    tokens = words(text)
    assert count(tokens, whole=somebody) == 0
    seen = []
    assert count(tokens, whole=somebody, together=lambda *both: seen.append(both) or False) == 1
    assert seen == [(speaker, verb)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("at 5:50 p.m. 11:50 a.m.", 1),
        ("at 5:50 11:50", 1),
        ("at 17.50 1650 GMT", 1),
        ("at 5:50 p.m. , 11:50 a.m.", 0),
        ("from 5:50 to 11:50 p.m.", 0),
        ("at 5:50 p.m. 12 men", 0),
    ],
)
def test_two_times_in_a_row_are_a_fault_whoever_wrote_them(text, found):
    tokens = [Token(form, "CD", "O", ("I-S",)) for form in text.split()]
    assert count(tokens, whole=somebody) == found


def test_what_lacks_a_finite_verb_or_half_of_its_marks_is_broken():
    fragment, sentence = words(FERRY), words(FERRY + SANK)
    assert broken_condition(fragment, whole=nobody, finite=True) == "fragment"
    assert not broken_condition(fragment, whole=nobody, finite=False)  # as headlines are
    assert not broken_condition(sentence, whole=nobody, finite=True)
    # A participle is a verb where an author wrote a sentence whose only verb it is.
    sunk = words(FERRY + "sunk|VBN|I-S/B-VP")
    assert not broken_condition(sunk, whole=nobody, finite=True, past={"sunk"})
    assert broken_condition(sunk, whole=nobody, finite=True) == "fragment"
    lone = words(f"``|``|I-S {FERRY + SANK}")
    assert broken_condition(lone, whole=nobody, finite=True) == "mark"


def chunked(text):
    """A sentence of words with part of speech and chunk, as `ferry|NN|I-NP`."""
    return Sentence(Token(*word.split("|")) for word in text.split())


CALLED = "They|PRP|B-NP called|VBD|B-VP it|PRP|B-NP a|DT|B-NP lie|NN|I-NP .|.|O"
MET = "We|PRP|B-NP met|VBD|B-VP it|PRP|B-NP on|IN|B-PP Monday|NNP|B-NP .|.|O"


@pytest.mark.parametrize(
    ("text", "verb", "complements"),
    [
        (CALLED, "called", ["it", "a"]),
        (MET, "met", ["it"]),
        # Behind a noun: a number, a determiner, and an adjective that ends its phrase.
        ("gave|VBD|B-VP men|NNS|B-NP six|CD|I-NP cakes|NNS|I-NP", "gave", ["men", "six"]),
        ("left|VBD|B-VP towns|NNS|B-NP empty|JJ|I-NP .|.|O", "left", ["towns", "empty"]),
        ("saw|VBD|B-VP towns|NNS|B-NP big|JJ|I-NP men|NNS|I-NP left|VBD|B-VP", "saw", ["towns"]),
        ("read|VBD|B-VP his|PRP$|B-NP old|JJ|I-NP book|NN|I-NP", "read", ["his"]),
        # Times are none, nor is what follows a possessive.
        ("left|VBD|B-VP Monday|NNP|B-NP", "left", []),
        ("won|VBD|B-VP it|PRP|B-NP last|JJ|B-NP week|NN|I-NP", "won", ["it"]),
        ("saw|VBD|B-VP men|NNS|B-NP 's|POS|B-NP cars|NNS|I-NP", "saw", ["men"]),
        # Clauses and infinitives.
        ("said|VBD|B-VP that|IN|B-SBAR it|PRP|B-NP rained|VBD|B-VP", "said", ["that"]),
        ("told|VBD|B-VP men|NNS|B-NP that|IN|B-SBAR it|PRP|B-NP", "told", ["men", "that"]),
        ("saw|VBD|B-VP men|NNS|B-NP that|IN|B-SBAR it|PRP|B-NP", "saw", ["men"]),
        ("asked|VBD|B-VP men|NNS|B-NP to|TO|B-VP go|VB|I-VP", "asked", ["men", "to"]),
        ("had|VBD|B-VP plans|NNS|B-NP to|TO|B-VP go|VB|I-VP", "had", ["plans"]),
        ("want|VBP|B-VP to|TO|I-VP go|VB|I-VP home|NN|B-NP", "go", ["home"]),
        # What goes with an auxiliary, as `near` with `is`.
        ("had|VBD|B-VP fled|VBN|I-VP .|.|O", "had", ["fled"]),
        ("was|VBD|B-VP near|IN|B-PP it|PRP|B-NP", "was", ["near"]),
        ("burned|VBD|B-VP down|RP|B-PRT .|.|O", "burned", []),
        ("put|VBD|B-VP out|RP|B-PRT fires|NNS|B-NP", "put", ["fires"]),
    ],
)
def test_the_complements_of_a_verb(text, verb, complements):
    """Each is awaited right before it, and not any more behind its first word."""
    sentence = chunked(text)
    end = chunked("Nothing|NN|B-NP .|.|O")
    frames = Frames([sentence, end])
    place = sentence.forms.index(verb)
    counts = [frames.change((0, word), (1, 0), 1) for word in range(place, len(sentence.forms))]
    awaited = [
        sum(sentence.forms.index(form, place) > word for form in complements)
        for word in range(place, len(sentence.forms))
    ]
    assert counts == awaited


def test_a_verb_wants_what_it_has_at_least():
    short = chunked("They|PRP|B-NP called|VBD|B-VP .|.|O")
    frames = Frames([chunked(CALLED), chunked(MET), short])
    assert frames.change((0, 2), (1, 2), 3) == 0
    # Under another tag it is another verb.
    other = chunked("They|PRP|B-NP called|VBN|B-VP .|.|O")
    assert Frames([chunked(CALLED), chunked(MET), other]).change((0, 2), (1, 2), 3) == 1


def test_a_verb_behind_its_statement_wants_one():
    before = chunked("It|PRP|B-NP burns|VBZ|B-VP ,|,|O they|PRP|B-NP said|VBD|B-VP .|.|O")
    after = chunked("They|PRP|B-NP said|VBD|B-VP it|PRP|B-NP burned|VBD|B-VP .|.|O")
    assert Frames([before, after]).change((1, 1), (0, 4), 1) == 1  # They said.
    assert Frames([before, after]).change((0, 4), (1, 1), 3) == -1


def test_complements_may_come_from_a_third_source():
    met = chunked("We|PRP|B-NP met|VBD|B-VP it|PRP|B-NP here|RB|B-ADVP .|.|O")
    frames = Frames([chunked(CALLED), chunked(MET), met])
    lost, back = ([(0, 2)], [(2, 2)], 1), ([(1, 2)], [(0, 2)], 3)
    assert frames.balance([lost]) == 1
    assert frames.balance([back]) == -1
    assert frames.balance([lost, back]) == 0
    # A source that has the words as they stand is taken, if there is one.
    assert frames.balance([([(0, 2), (1, 2)], [(2, 2)], 1)]) == 0


def test_words_that_follow_in_both_sources_are_no_seam():
    one = chunked("ships|NNS|B-NP caught|VBD|B-VP fire|NN|B-NP .|.|O")
    # Here the parser saw no phrase behind the verb.
    two = chunked("boats|NNS|B-NP caught|VBD|B-VP fire|VB|B-VP early|RB|B-ADVP .|.|O")
    frames = Frames([one, two])
    assert frames.change((0, 1), (1, 1), 3) == 0
    assert Frames([one, Sentence(["boats", "caught", "fire"])]).change((0, 1), (1, 1), 1) == 0
