"""A model of the ARPA format: back-off by its definition, errors with the line."""

from math import log2

import pytest

from bitext.align.words.ngram_model import ArpaModel
from bitext.errors import FormatError

TEXT = """\
made by hand

\\data\\
ngram 1=5
ngram 2=3
ngram 3=1

\\1-grams:
-99\t<s>\t-0.5
-1.0\tferry\t-0.25
-0.75\tburns\t-0.125
-0.5\t</s>
-2.0\t<unk>

\\2-grams:
-0.3\t<s> ferry\t-0.0625
-0.2\tferry burns\t-0.03125
-0.1\tburns </s>

\\3-grams:
-0.05\t<s> ferry burns

\\end\\
what follows is nothing to us
"""


def model(text=TEXT):
    return ArpaModel(text.splitlines(), path="tiny.arpa")


@pytest.mark.parametrize(
    ("words", "log10"),
    [
        # <s> ferry: -0.3. <s> ferry burns: -0.05. ferry burns </s> is not there: the weight of
        # "ferry burns", and "burns </s>".
        (["ferry", "burns"], -0.3 - 0.05 - 0.03125 - 0.1),
        (["Ferry", "BURNS"], -0.3 - 0.05 - 0.03125 - 0.1),
        # burns after <s>: its weight and the word alone. </s> after "<s> burns", which has no
        # weight: "burns </s>".
        (["burns"], -0.5 - 0.75 - 0.1),
        # An unknown word has no weight; what follows it stands alone.
        (["ferry", "xyzzy", "burns"], -0.3 - 0.0625 - 0.25 - 2.0 - 0.75 - 0.1),
        ([], -0.5 - 0.5),
    ],
)
def test_the_longest_ngram_counts_and_the_weights_of_longer_histories(words, log10):
    bits = log10 * log2(10)
    assert model().log2([words]) == pytest.approx([bits])
    assert model().per_word([words]) == pytest.approx([bits / (len(words) + 1)])
    assert model().order == 3


def test_without_unk_an_unknown_word_is_as_rare_as_the_rarest():
    text = TEXT.replace("-2.0\t<unk>\n", "").replace("1=5", "1=4")
    assert model(text).log2([["xyzzy"]]) == pytest.approx([(-0.5 - 1.0 - 0.5) * log2(10)])


def test_what_never_occurs_is_far_less_likely_and_still_a_number():
    never = model(TEXT.replace("-2.0\t<unk>", "-inf\t<unk>"))
    assert never.log2([["xyzzy"]]) == pytest.approx([(-0.5 - 99 - 0.5) * log2(10)])


def test_a_word_is_found_with_the_other_apostrophe_and_composed():
    text = TEXT.replace("burns", "don't").replace("ferry", "caf\u00e9")
    found = model(text).log2([["CAFE\u0301", "Don\u2019t"]])
    assert found == pytest.approx(model().log2([["ferry", "burns"]]))


def test_only_blanks_and_tabs_stand_between_words():
    for word in ("10\u00a0000", "a\u2003b", "\u3000"):
        found = model(TEXT.replace("ferry", word).replace("\t", " \t "))
        assert found.log2([[word, "burns"]]) == pytest.approx(model().log2([["ferry", "burns"]]))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<s> ferry\t-0.0625", "ferry", "tiny.arpa line 16: .* a logarithm, 2 words and perhaps"),
        ("-0.75\tburns", "x\tburns", "tiny.arpa line 11: .*want a logarithm of 0 or less"),
        ("-0.75\tburns", "nan\tburns", "tiny.arpa line 11: .*want a logarithm of 0 or less"),
        ("-0.75\tburns", "0.5\tburns", "tiny.arpa line 11: .*want a logarithm of 0 or less"),
        ("-0.125", "weight", "tiny.arpa line 11: .*and none or a number after them"),
        ("-0.125", "inf", "tiny.arpa line 11: .*and none or a number after them"),
        ("-2.0\t<unk>", "-2.0\tferry", "tiny.arpa line 13: has the n-gram 'ferry' again"),
        ("\\2-grams:", "\\²-grams:", "tiny.arpa line 15: found .*²-grams"),
        ("ngram 2=3", "ngram 2=³", "tiny.arpa line 5: found 'ngram 2=³': want 'ngram 1=1000'"),
        ("ngram 2=3", "ngram two=3", "tiny.arpa line 5: found 'ngram two=3': want 'ngram 1=1000'"),
        ("ngram 2=3", "ngram 2=\x1f3", r"tiny.arpa line 5: found 'ngram 2=\\x1f3': want 'ngram"),
        (
            "ngram 2=3",
            f"ngram 2={'9' * 5000}",
            "tiny.arpa line 5: found 'ngram 2=999.*: want 'ngra",
        ),
        ("\\2-grams:", f"\\{'9' * 5000}-grams:", "tiny.arpa line 15: found .*999"),
        ("ngram 2=3", "ngram 2=4", "found 5, 3, 1 n-grams .* the head tells 5, 4, 1"),
        (TEXT[TEXT.index("\\end") :], "", "tiny.arpa line 22: the file ends without"),
        (TEXT, "", "tiny.arpa: the file ends without"),
        (TEXT, "\\data\\\n\\end\\", "found no n-grams"),
    ],
)
def test_what_is_no_such_file_is_refused(old, new, message):
    with pytest.raises(FormatError, match=message):
        model(TEXT.replace(old, new))
