import sys
import types

import pytest

from bitext.errors import InputError
from bitext.model import Sentence, Token, Tree
from bitext.syntax.adapters.local import BuiltinParser
from bitext.syntax.parsers import parser_named

SENTENCES = [
    Sentence(["The", "ferry", "left", "Milan", "-LRB-", "soon", ")", "."], id="a", source="wire"),
    Sentence(["Yes"]),
]


def test_the_adapter_keeps_the_words(monkeypatch):
    seen, asked = [], []

    class EnglishParser:
        def parse_tokens(self, sentences, *, tags):
            seen.append([list(words) for words in sentences])
            asked.extend(tags)
            for words in seen[-1]:
                yield Tree(["S", *["NN"] * len(words)], [-1, *[0] * len(words)], [None, *words])

    module = types.ModuleType("bitext.syntax.english")
    module.EnglishParser = EnglishParser
    monkeypatch.setitem(sys.modules, "bitext.syntax.english", module)
    found = list(BuiltinParser().parse(SENTENCES))
    assert seen == [[["The", "ferry", "left", "Milan", "(", "soon", ")", "."], ["Yes"]]]
    assert asked == [[""] * 8, [""]]
    assert [s.forms for s in found] == [s.forms for s in SENTENCES]
    assert [s.tree.words for s in found] == [s.forms for s in SENTENCES]
    assert (found[0].id, found[0].source) == ("a", "wire")


def test_english_for_real():
    found = list(parser_named("english").parse(SENTENCES))
    assert [s.forms for s in found] == [s.forms for s in SENTENCES]
    assert [s.tree.words for s in found] == [s.forms for s in SENTENCES]
    assert all(sentence.analysed for sentence in found)
    assert found[0][0].pos == "DT"
    assert [token.iob for token in found[0]][:2] == ["B-NP", "I-NP"]


def test_tags_that_the_model_knows_are_kept():
    def tagged(*tags):
        words = [Token(form, tag) for form, tag in zip(["Time", "flies"], tags, strict=True)]
        return next(BuiltinParser().parse([Sentence(words)]))

    for tags in (("NN", "NNS"), ("VB", "NNS"), ("NN", "VBZ")):
        found = tagged(*tags)
        assert tuple(token.pos for token in found) == tags == found.tree.tags
    own = tagged("", "")
    assert own[1].pos in {"VBZ", "NNS"}
    assert tagged("NOUN", "NOUN") == own  # universal tags
    assert tagged("UH", "") == own  # not each word has one


def test_a_line_that_is_no_sentence_is_refused_before_the_work():
    with pytest.raises(InputError, match=r"has 10,001 words, and 10,000 are parsed at the most"):
        next(BuiltinParser().parse([Sentence(["Yes"]), Sentence(["word"] * 10_001)]))
