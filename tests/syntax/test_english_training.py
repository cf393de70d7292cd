"""The script that trains the built-in parser: trees in, the same model every time."""

import subprocess
import sys
from pathlib import Path

import pytest

from bitext.syntax.english import EnglishParser
from bitext.syntax.penn import parse_tree

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
TREES = """
(ROOT (S (NP-SBJ (DT The) (NN dog)) (VP (VBD saw) (NP (DT a) (NN cat))) (. .)))
(ROOT (S (NP-SBJ (DT A) (NN cat)) (VP (VBD saw) (NP (DT the) (JJ big) (NN dog))) (. .)))
(ROOT (S (NP-SBJ (NP (DT The) (NN dog)) (PP (IN of) (NP (NNP Ann)))) (VP (VBD slept)) (. .)))
(ROOT (S (NP-SBJ (NNP Ann)) (VP (VBD saw) (NP (DT a) (NN web) (HYPH -) (VBN based) (NN map)))))
(ROOT (NP (NP (DT the) (NN dog)) (CC and) (NP (DT the) (NN cat))))
(ROOT (INTJ (UH Yes)) (. .))
"""


@pytest.fixture
def trees(monkeypatch):
    """The module under test, imported from where it stands."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import english_trees

    return english_trees


def test_words_are_joined_at_hyphens_of_one_phrase(trees):
    tree = parse_tree("(NP (DT an) (IN off) (HYPH -) (DT the) (HYPH -) (NN shelf) (NN map))")
    assert str(trees.joined(tree)) == "(NP (DT an) (NN off-the-shelf) (NN map))"
    other = parse_tree("(NP (NP (NN A)) (HYPH -) (NN B))")
    assert trees.joined(other) == other


def test_nodes_over_one_span_are_one(trees):
    tree = parse_tree("(ROOT (SBAR (S (NP (NP (PRP I))) (VP (VBD saw) (NP (NN it))))))")
    (example,) = trees.examples([tree])
    assert example.nodes == [
        ("SBAR+S", 0, 3, [1, 2]),
        ("NP", 0, 1, [-1]),
        ("VP", 1, 3, [-2, 3]),
        ("NP", 2, 3, [-3]),
    ]
    mirrored = example.mirrored()
    assert mirrored.nodes[2] == ("VP", 0, 2, [3, -2])
    assert mirrored.mirrored() == example


def test_brackets_are_counted_without_root_tags_and_punctuation(trees):
    gold = parse_tree("(ROOT (S (NP (NN A)) (VP (VB b) (NP (NN c))) (. .)))")
    hyp = parse_tree("(ROOT (S (S (NP (NN A)) (VP (VB b) (NN c))) (. .)))")
    assert trees.shared_brackets([gold], [hyp]) == (3, 4, 4)


@pytest.mark.usefixtures("trees")  # for the import
def test_training_twice_gives_one_model(tmp_path, monkeypatch, capsys):
    import train_english

    (tmp_path / "GUM_news_own.ptb").write_text(TREES * 4, encoding="utf-8")
    (tmp_path / "GUM_reddit_other.ptb").write_text("no tree", encoding="utf-8")
    command = [str(SCRIPTS / "train_english.py"), str(tmp_path), "-o"]
    monkeypatch.setattr(sys, "argv", [*command, str(tmp_path / "one.npz")])
    assert train_english.main() == 0
    done = subprocess.run(  # of another process, in which strings have other hashes
        [sys.executable, *command, tmp_path / "two"],  # the name is taken as it is given
        check=True,
        capture_output=True,
        text=True,
    )
    for told in (capsys.readouterr().out, done.stdout):
        assert "left out, as no CC BY genre: 1 documents of 2\n" in told
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("GUM_news_own.ptb", "GUM_reddit_other.ptb", "one.npz", "two")
    ]
    words = ["The", "cat", "saw", "Ann", "."]
    assert EnglishParser(tmp_path / "two").parse(words) == parse_tree(
        "(ROOT (S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (NNP Ann))) (. .)))"
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["-o", "model.npz"], "has no GUM_*.ptb; want the folder of the trees of GUM"),
        (["-o", "nowhere/model.npz"], "nowhere is not a folder; want -o FILE in a folder"),
        (["--first", "5"], "no file for the model; want -o FILE, or --dev"),
    ],
)
def test_what_is_not_there_is_told(tmp_path, given, message):
    done = subprocess.run(
        [sys.executable, SCRIPTS / "train_english.py", tmp_path, *given],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 2
    assert message in done.stderr
    assert not list(tmp_path.iterdir())
