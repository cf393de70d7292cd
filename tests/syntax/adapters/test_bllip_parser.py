"""The adapter of BLLIP: over a stand-in anywhere, and around its own classes where they are.

None of its models is in the package index, so the parse itself is a recorded one.
"""

import importlib.util
import sys
import types

import pytest

from bitext.errors import InputError
from bitext.model import Sentence
from bitext.syntax.adapters.local import BllipParser

SENTENCES = [
    Sentence(["It", "left", "New York", "(", "soon", ")", "."], id="a", source="wire"),
    Sentence(["Yes"]),
]
TREES = {
    ("It", "left", "New_York", "-LRB-", "soon", "-RRB-", "."): (
        "(S1 (S (NP (PRP It)) (VP (AUX left) (NP (NNP New_York)) "
        "(PRN (-LRB- -LRB-) (ADVP (RB soon)) (-RRB- -RRB-))) (. .)))"
    ),
    ("Yes",): "(S1 (INTJ (UH Yes)))",
}


@pytest.fixture
def model(tmp_path):
    """Make a folder that looks like a unified model."""
    (tmp_path / "WSJ" / "parser").mkdir(parents=True)
    for name in ("terms.txt", "pSgT.txt"):
        (tmp_path / "WSJ" / "parser" / name).write_text("")
    return tmp_path / "WSJ"


@pytest.fixture(params=["a stand-in", "its own classes"])
def package(request, monkeypatch):
    """Put in the place of `bllipparser` what answers with recorded trees."""
    made = types.ModuleType("bllipparser")
    made.trees, made.opened, made.fails = dict(TREES), [], None
    tree = str
    if request.param == "its own classes":
        if importlib.util.find_spec("bllipparser") is None:
            pytest.skip("the extra bllip is not installed")
        from bllipparser import RerankingParser as Real
        from bllipparser import Sentence as Words
        from bllipparser import Tree as Own

        tree = Own
        assert hasattr(Real, "from_unified_model_dir")

    class Parser:
        @classmethod
        def from_unified_model_dir(cls, folder):
            made.opened.append(folder)
            if made.fails:
                raise made.fails
            return cls()

        def parse(self, words):
            assert all(isinstance(word, str) for word in words)
            if len(words) > 398:
                raise ValueError(f"Sentence is too long ({len(words)} tokens, must be under 399)")
            if request.param == "its own classes":
                words = Words(words).tokens()
            answer = made.trees.get(tuple(words))
            return [types.SimpleNamespace(ptb_parse=tree(answer))] if answer else []

    made.RerankingParser = Parser
    monkeypatch.setitem(sys.modules, "bllipparser", made)
    return made


def test_bllip_parses(package, model):
    parser = BllipParser(model=str(model))
    found = list(parser.parse(SENTENCES))
    assert [s.tree.words for s in found] == [s.forms for s in SENTENCES]
    assert [t.iob for t in found[0]] == ["B-NP", "B-VP", "B-NP", "O", "B-ADVP", "O", "O"]
    assert all(sentence.analysed for sentence in found)
    assert (found[0].id, found[0].source) == ("a", "wire")
    assert found[0][1].pos.startswith("VB"), "AUX of the older models becomes a verb"
    list(parser.parse(SENTENCES))
    assert package.opened == [str(model)], "a model is loaded once"


def test_a_fetched_model_goes_by_its_name(package, model, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    fetched = tmp_path / ".local" / "share" / "bllipparser" / "WSJ"
    fetched.parent.mkdir(parents=True)
    fetched.symlink_to(model)
    list(BllipParser(model="WSJ").parse(SENTENCES))
    assert package.opened == [str(fetched)]


@pytest.mark.usefixtures("package")
def test_a_missing_model_is_told_with_what_brings_it():
    told = (
        r"parser bllip: no model 'WSJ-PTB3', nor .*: python -m bllipparser\.ModelFetcher -i WSJ-P"
    )
    with pytest.raises(InputError, match=told):
        list(BllipParser().parse(SENTENCES))


@pytest.mark.usefixtures("package")
def test_half_a_model_is_told_before_it_crashes(model):
    (model / "parser" / "pSgT.txt").unlink()
    with pytest.raises(InputError, match=r"has no parser/pSgT\.txt: want a whole unified model"):
        list(BllipParser(model=str(model)).parse(SENTENCES))


def test_a_second_model_in_one_process_is_told(package, model):
    package.fails = RuntimeError("Parser is already loaded and can only be loaded once.")
    with pytest.raises(
        InputError, match=r"cannot be loaded: Parser is already .* one model a proc"
    ):
        list(BllipParser(model=str(model)).parse(SENTENCES))


def test_what_has_no_tree_is_told(package, model):
    parser = BllipParser(model=str(model))
    with pytest.raises(
        InputError, match=r"sentence 1 \(x\): 400 words, and no tree: Sentence is t"
    ):
        list(parser.parse([Sentence(["x"] * 400, id="x")]))
    with pytest.raises(InputError, match="sentence 2: no tree found: leave the sentence out"):
        list(parser.parse([SENTENCES[1], Sentence(["x"])]))
    package.trees[("Yes",)] = "(S1 (INTJ (UH No)))"
    with pytest.raises(InputError, match="word 1 is 'Yes' in the sentence and 'No' in the tree"):
        list(parser.parse(SENTENCES))
