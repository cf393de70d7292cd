"""Paths in words: which sentences they go along, how the words are written, and spaced."""

from bitext.align.words.paraphrases import Span, Wording, key_of
from bitext.model import Cluster, Lattice, Sentence, Token


def sentence(text):
    """A sentence; a word may have a tag after a bar."""
    return Sentence([Token(*part.split("|")) for part in text.split()])


def lattice(*texts, groups):
    made = [s if isinstance(s, Sentence) else sentence(s) for s in texts]
    return Lattice(Cluster(made), groups)


def said(made, text):
    """Put the path that goes through these forms into words."""
    nodes = {made.form(node): node for node in range(1, made.accept)}
    path = [nodes[form] for form in text.split()]
    wording = Wording(made)
    worded = wording.of(path)
    return worded, wording.text(worded, path)


def test_words_keep_to_one_source_as_long_as_they_can():
    # "sank" is in both sentences. The walk comes from the second and stays with it, or it comes
    # from the first and stays with that.
    made = lattice("a ferry SANK", "the boat never sank", groups=[[0, 2, 4], [1, 5, 3, 4]])
    wording = Wording(made)
    path = {made.members(node)[0]: node for node in range(1, made.accept)}
    a, ferry, sank = (path[0, k] for k in range(3))
    the, boat, never = (path[1, k] for k in range(3))
    assert wording.of([made.start, a, ferry, sank, made.accept]).forms == ("A", "ferry", "SANK")
    over = wording.of([the, boat, sank])
    assert over.forms == ("The", "boat", "sank")
    assert over.spans == (Span(0, 2, (1,)), Span(2, 3, (0, 1)))
    assert over.places == ((1, 0), (1, 1), (1, 3))
    assert wording.of([ferry, sank]).spans == (Span(0, 2, (0,)),)
    assert wording.of([the, boat, never, sank]).spans == (Span(0, 4, (1,)),)


def test_the_fewest_runs_are_named_with_all_sentences_that_have_them():
    made = lattice(
        "a b c d", "x b c y", "z b c d", groups=[[0, 1, 2, 3], [4, 1, 2, 5], [6, 1, 2, 3]]
    )
    worded, text = said(made, "x b c d")
    assert worded.spans == (Span(0, 3, (1,)), Span(3, 4, (0, 2)))
    assert text == "X b c d"
    assert said(made, "b c")[0].spans == (Span(0, 2, (0, 1, 2)),)


def test_a_sentence_begins_with_a_capital():
    made = lattice("( burn|VBP Today|NN", "Today the iPhone fell", groups=[[0, 1, 2], [2, 3, 4, 5]])
    assert said(made, "( burn")[1] == "(Burn"
    assert said(made, "iPhone fell")[0].forms == ("iPhone", "fell")
    assert said(made, "burn Today the iPhone fell")[1] == "Burn Today the iPhone fell"
    assert said(made, "Today the")[1] == "Today the"


def test_a_word_that_began_its_sentence_is_made_small_within_another():
    tagged = sentence("Boats|NNS sank|VBD off|IN Corsica|NNP .|.")
    made = Wording(
        lattice(
            tagged,
            "Italian|JJ boats|NNS",
            "Police|NN came|VBD",
            "The|DT end|NN",
            "Then|RB came|VBD Rome|NNP",
            groups=[[1, 2, 3, 4, 5], [11, 12], [21, 22], [31, 32], [0, 22, 33]],
        )
    )
    assert made.within(Token("Boats", "NNS")) == "boats"
    assert made.within(Token("Italian", "JJ")) == "Italian"
    assert made.within(Token("Small", "JJ")) == "small"
    assert made.within(Token("Police", "NN")) == "police"
    assert made.within(Token("Corsica", "NN")) == "Corsica"  # so it is written elsewhere
    assert made.within(Token("Milan", "NNP")) == "Milan"
    assert made.within(Token("Milan")) == "Milan"
    assert made.within(Token("The")) == "the"
    assert made.within(Token("NATO", "NN")) == "NATO"
    assert made.within(Token("I", "PRP")) == "I"


def test_a_word_within_its_sentence_and_this_one_stays_as_it_is():
    made = lattice("Yesterday Small boats", "Boats sank", groups=[[0, 1, 2], [2, 3]])
    assert said(made, "Yesterday Small boats sank")[1] == "Yesterday Small boats sank"
    made = lattice("we saw", "Boats|NNS sank|VBD", groups=[[0, 1], [2, 3]])
    assert Wording(made).of([1, 2, 3, 4]).forms == ("We", "saw", "boats", "sank")


def test_space_is_that_of_the_sentence_that_has_the_words():
    left = Sentence(["a", "32", "-", "story", "house", "-", "old"], text="a 32-story house - old")
    right = Sentence(["one", "story", "house", "."], text="one story house.")
    made = lattice(left, right, groups=[[0, 1, 2, 3, 4, 5, 6], [7, 3, 4, 8]])
    places = {place: node for node in range(len(made)) for place in made.members(node)}
    wording = Wording(made)

    def text(*path):
        nodes = [places[place] for place in path]
        return wording.text(wording.of(nodes), nodes)

    first = [(0, k) for k in range(7)]
    assert text(*first) == "A 32-story house - old"
    assert text(*first[:5], (1, 3)) == "A 32-story house."
    assert text((1, 0), *first[3:]) == "One story house - old"


def test_of_two_spacings_it_is_that_of_the_sentence_the_words_are_from():
    left = Sentence(["A", "re", "do", "."], text="A re do.")
    right = Sentence(["One", "re", "do", "!"], text="One redo!")
    made = lattice(left, right, groups=[[0, 1, 2, 3], [4, 1, 2, 5]])
    assert said(made, "A re do !")[1] == "A re do!"
    assert said(made, "One re do .")[1] == "One redo."


def test_a_run_is_whole_if_one_sentence_has_it():
    made = lattice("a b c", "x b d", "x c", groups=[[0, 1, 2], [3, 1, 4], [3, 2]])
    node = {made.form(n): n for n in range(1, made.accept)}
    whole = Wording(made).whole
    assert all(whole([node[w] for w in run]) for run in ("abc", "xbd", "xc", "b", "x"))
    # a-b and b-d are steps of sentences, but of different ones; a-c is no step.
    assert not any(whole([node[w] for w in run]) for run in ("abd", "xbc", "ac"))


def test_marks_do_not_tell_sentences_apart():
    assert key_of(["The", ",", "END"]) == ("the", "end")
    assert key_of(["...", "!"]) == ("...", "!")


def test_apostrophes_and_composed_letters_do_not_tell_sentences_apart():
    assert key_of(["Don’t", "cafe\u0301"]) == key_of(["don't", "caf\u00e9"])
