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


def test_training_twice_gives_one_model(tmp_path):
    (tmp_path / "GUM_news_own.ptb").write_text(TREES * 4, encoding="utf-8")
    for name in ("one.npz", "two.npz"):
        subprocess.run(
            [sys.executable, SCRIPTS / "train_english.py", tmp_path, "-o", tmp_path / name],
            check=True,
            capture_output=True,
        )
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    words = ["The", "cat", "saw", "Ann", "."]
    assert EnglishParser(tmp_path / "one.npz").parse(words) == parse_tree(
        "(ROOT (S (NP (DT The) (NN cat)) (VP (VBD saw) (NP (NNP Ann))) (. .)))"
    )


def test_a_folder_without_trees_is_told(tmp_path):
    done = subprocess.run(
        [sys.executable, SCRIPTS / "train_english.py", tmp_path],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "has no GUM_*.ptb; want the folder of the trees of GUM" in done.stderr
