"""Sentences with labels: CoNLL-U and columns, read, written, and refused with the line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import FormatError
from bitext.syntax import LabelledSentence, read_labels
from bitext.syntax.labelled import LabelFormat, Span, open_labels, spans_of, spell_spans

# A text of our own, with what the format has: comments, a multiword token, an empty node, a key of
# MISC that holds spans and others that do not.
CONLLU = """\
# newdoc id = harbour
# sent_id = h1
# text = Anna Berg waits du parc.
# mood = calm
1\tAnna\tAnna\tPROPN\tNNP\tNumber=Sing\t3\tnsubj\t_\tNER=B-PER|Gloss=I
2\tBerg\tBerg\tPROPN\tNNP\t_\t1\tflat\t_\tNER=I-PER
3\twaits\twait\tVERB\tVBZ\t_\t0\troot\t_\tNER=O
4-5\tdu\t_\t_\t_\t_\t_\t_\t_\t_
4\tde\tde\tADP\tIN\t_\t6\tcase\t_\t_
5\tle\tle\tDET\tDT\t_\t6\tdet\t_\t_
5.1\tvieux\t_\tADJ\t_\t_\t_\t_\t6:amod\t_
6\tparc\tparc\tNOUN\tNN\t_\t3\tobl\t_\tSpaceAfter=No
7\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

# sent_id = h2
1\tYes\tyes\tINTJ\tUH\t_\t_\t_\t_\tNER=O
"""


def made(text, path="a.conllu"):
    return list(read_labels(text.splitlines(keepends=True), path=path))


def test_conllu_is_read_with_its_words_labels_spans_and_heads():
    first, second = made(CONLLU)
    assert first.forms == ("Anna", "Berg", "waits", "de", "le", "parc", ".")
    assert first.tags["UPOS"] == ("PROPN", "PROPN", "VERB", "ADP", "DET", "NOUN", "PUNCT")
    assert first.tags["FEATS"][:2] == ("Number=Sing", "_")
    assert first.spans == {"NER": (Span(0, 2, "PER"),)}
    assert first.heads == (2, 0, -1, 5, 5, 2, 2)
    assert first.relations[:3] == ("nsubj", "flat", "root")
    assert [form for form, _, _ in first.surface()] == ["Anna", "Berg", "waits", "du", "parc", "."]
    assert first.comments == ("# newdoc id = harbour", "# sent_id = h1")
    assert first.line == 5
    assert (second.heads, second.spans) == (None, {"NER": ()})


def test_comments_before_an_empty_line_are_those_of_the_next_sentence():
    first, second = made(CONLLU.replace("harbour\n", "harbour\n\n"))
    assert first.comments == ("# newdoc id = harbour", "# sent_id = h1")
    assert second.comments == ("# sent_id = h2",)


def test_conllu_is_written_as_it_is_read():
    kept = LabelFormat("conllu")
    written = "".join(f"{line}\n" for sentence in made(CONLLU) for line in kept.lines(sentence))
    again = made(written)
    for old, new in zip(made(CONLLU), again, strict=True):
        assert (old.forms, old.tags, old.spans) == (new.forms, new.tags, new.spans)
        assert (old.heads, old.relations, old.tokens) == (new.heads, new.relations, new.tokens)
        assert old.comments == new.comments


def test_columns_are_spans_where_all_their_labels_are_bio():
    text = (
        "-DOCSTART- -X- O O\n\nAnna NNP B-NP B-PER\nleft VBD B-VP O\n\n"
        "On IN B-PP O\nFriday NNP B-NP O\n"
    )
    known, sentences = open_labels(text.splitlines(), path="a.conll")
    first, second = sentences
    assert known.spans == {"column 3", "column 4"}
    assert first.tags == {"column 2": ("NNP", "VBD")}
    assert first.spans["column 4"] == (Span(0, 1, "PER"),)
    assert (first.comments, first.line, second.line) == (("-DOCSTART- -X- O O",), 3, 6)
    written = [line for each in (first, second) for line in known.lines(each)]
    assert "\n".join(written) == text


def test_tabs_alone_separate_where_there_are_any():
    (sentence,) = made("New York\tB-LOC\nburns\tO\n")
    assert sentence.forms == ("New York", "burns")


def test_a_line_with_a_number_sign_is_a_word_or_a_comment_by_its_columns():
    (sentence,) = made("# from a wiki\n#\tSYM\n1\tCD\n")
    assert sentence.forms == ("#", "1")


def test_a_comment_with_as_many_blanks_as_a_line_of_words_is_no_word():
    text = "# id 5239 domain=en\nAnna _ _ B-PER\n# _ _ O\n\n# id 6 domain=en\nleft _ _ O\n"
    first, second = made(text, "a.conll")
    assert (first.forms, second.forms) == (("Anna", "#"), ("left",))
    assert first.spans == {"column 4": (Span(0, 1, "PER"),)}


def test_a_break_between_documents_may_have_no_columns():
    text = "-DOCSTART- (1 EU)\n\nAnna\tB-PER\n\n-DOCSTART-\n\nleft\tO\n"
    first, second = made(text, "a.tsv")
    assert (first.forms, first.comments) == (("Anna",), ("-DOCSTART- (1 EU)",))
    assert (second.forms, second.comments) == (("left",), ("-DOCSTART-",))


LABELS = st.lists(st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"]), max_size=12)


@given(LABELS)
def test_spans_written_and_read_again_are_the_same(labels):
    spans = spans_of(labels)
    assert spans_of(spell_spans(spans, len(labels))) == spans
    covered = {k for span in spans for k in range(span.begin, span.end)}
    assert covered == {k for k, label in enumerate(labels) if label != "O"}
    for span in spans:  # the definition of IOB2, with I- behind another label as a beginning
        assert {label[2:] for label in labels[span.begin : span.end]} == {span.label}
        assert not any(label[0] == "B" for label in labels[span.begin + 1 : span.end])


@pytest.mark.parametrize(
    "labels",
    ["S-A B-B I-B E-B O E-A S-A", "U-A B-B I-B L-B O L-A U-A", "S-A B-B M-B E-B O M-A S-A"],
)
def test_bioes_and_bilou_have_their_ends(labels):
    expected = (Span(0, 1, "A"), Span(1, 4, "B"), Span(5, 6, "A"), Span(6, 7, "A"))
    assert spans_of(labels.split()) == expected
    lines = [f"w {label}\n" for label in labels.split()]
    assert made("".join(lines), "a.tsv")[0].spans == {"column 2": expected}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.conllu.*has no sentence with labels"),
        ("one\n", "a.conllu line 1.*has no labels behind the word 'one'"),
        (CONLLU.replace("\t3\tobl", "\t9\tobl"), "line 12.*has the head '9' of word 6.*up to 7"),
        (CONLLU.replace("\t3\tobl", "\t6\tobl"), "line 12.*has the head '6' of word 6: .*another"),
        (CONLLU.replace("\t0\troot", "\t1\tx"), "line 5.*whose heads go in a circle"),
        (CONLLU.replace("\n6\tparc", "\n7\tparc"), "line 12.*has the word number '7': want 6"),
        (CONLLU.replace("\n4-5\t", "\n3-5\t"), "line 8.*multiword token 3-5.*next of which is 4"),
        (CONLLU.replace("\n4-5\t", "\n4-9\t"), "line 8.*word 9, but the sentence ends with word 7"),
        (CONLLU.replace("NNP\tNumber=Sing\t", ""), "line 5.*has 8 columns: want ten"),
        (CONLLU.replace("\tPUNCT\t", "\t\t"), "line 13.*an empty one among them"),
        ("Anna\tB-PER\nleft\tO\n\nx\tO\tO\n", "line 4.*has 3 columns: want 2"),
        ("Anna\tB-PER\n#\tVERB\n", "line 2.*'VERB' in column 2, which has BIO labels"),
        ("-DOCSTART-\n", "a.conllu line 1.*has no labels behind the word '-DOCSTART-'"),
        ("Anna\tB-PER\nleft\t\n", "line 2.*has 2 columns and an empty one"),
        ("a\tO\n\n" * 200 + "b\tVERB\n", "line 401.*'VERB' in column 2, which has BIO labels"),
    ],
)
def test_a_wrong_line_is_refused_with_its_number(text, message):
    with pytest.raises(FormatError, match=message):
        made(text)


def test_a_byte_order_mark_and_line_ends_of_windows_are_no_part_of_words():
    (sentence,) = made("\ufeffAnna\tB-PER\r\nleft\tO\r\n")
    assert (sentence.forms, sentence.spans["column 2"]) == (("Anna", "left"), (Span(0, 1, "PER"),))


def test_a_key_with_a_single_letter_as_value_is_no_label_of_spans():
    (sentence,) = made("1\tI\t_\t_\t_\t_\t_\t_\t_\tGloss=I\n2\tO\t_\t_\t_\t_\t_\t_\t_\tGloss=O\n")
    assert sentence == LabelledSentence(("I", "O"), line=1)
