"""A file as a language model: text is learned, the ARPA format is taken as it is."""

import pytest

from bitext.align.words.ngram_model import ArpaModel, NgramModel
from bitext.align.words.ranking import read_model
from bitext.errors import FormatError, InputError

ARPA = ["\\data\\", "ngram 1=2", "", "\\1-grams:", "-0.5 a", "-0.25 </s>", "", "\\end\\"]


def test_the_first_line_that_is_not_empty_decides():
    for before in ([], ["", "  "]):
        found = read_model(iter([*before, *ARPA]), path="tiny.arpa")
        assert isinstance(found, ArpaModel)
        assert found.order == 1
    text = ["", "A ferry burns.", "It sinks."]
    found = read_model(iter(text), path="news.txt", order=2)
    assert isinstance(found, NgramModel)
    assert found.order == 2
    assert found.log2([["a", "ferry"]]) == NgramModel.of_lines(text, order=2).log2([["a", "ferry"]])


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (ARPA[1:], "line 1: found 'ngram 1=2'"),
        (["", *ARPA[2:]], "line 3: found .*1-grams:'"),
        (["-0.5 a", *ARPA[-1:]], "line 2: found .*end"),
        (["ngram  1 = 2", "A ferry."], "line 1: found 'ngram  1 = 2'"),
    ],
)
def test_a_model_without_its_first_line_is_no_text(lines, found):
    with pytest.raises(FormatError, match=f"a.arpa {found}.* but no .data. before it"):
        read_model(lines, path="a.arpa")


def test_text_may_speak_of_ngrams():
    lines = ["ngram 1=2 is the head.", "the end", "\\section"]
    found = read_model(lines, path="a.txt")
    assert isinstance(found, NgramModel)
    assert found.log2([["the", "end"]]) == NgramModel.of_lines(lines).log2([["the", "end"]])


def test_errors_name_the_line_of_the_file():
    with pytest.raises(FormatError, match=r"tiny.arpa line 7: .*want a logarithm of 0 or less"):
        read_model(["", "", *ARPA[:4], "x a", *ARPA[5:]], path="tiny.arpa")
    with pytest.raises(FormatError, match=r"news.txt line 3: found .data. after other text: want"):
        read_model(["", "A ferry burns.", *ARPA], path="news.txt")
    with pytest.raises(InputError, match=r"empty.txt: has no sentence to learn from"):
        read_model(["", " "], path="empty.txt")
