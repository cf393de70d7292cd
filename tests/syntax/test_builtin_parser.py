import sys
import types

from bitext.model import Sentence, Tree
from bitext.syntax.builtin_parser import BuiltinParser
from bitext.syntax.parsers import parser_named

SENTENCES = [
    Sentence(["The", "ferry", "left", "Milan", "-LRB-", "soon", ")", "."], id="a", source="wire"),
    Sentence(["Yes"]),
]


def test_the_adapter_keeps_the_words(monkeypatch):
    seen = []

    class EnglishParser:
        def parse_tokens(self, sentences):
            seen.append([list(words) for words in sentences])
            for words in seen[-1]:
                yield Tree(["S", *["NN"] * len(words)], [-1, *[0] * len(words)], [None, *words])

    module = types.ModuleType("bitext.syntax.english")
    module.EnglishParser = EnglishParser
    monkeypatch.setitem(sys.modules, "bitext.syntax.english", module)
    found = list(BuiltinParser().parse(SENTENCES))
    assert seen == [[["The", "ferry", "left", "Milan", "(", "soon", ")", "."], ["Yes"]]]
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
