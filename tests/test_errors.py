"""What the errors of all rooms share."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bitext import (
    Alignment,
    Bitext,
    Segmentation,
    compare,
    evaluate,
    read,
    read_all,
    write,
)
from bitext.align import align_cluster, link_corpus, paraphrases
from bitext.errors import OptionError, did_you_mean, nearest
from bitext.metrics import (
    agreement_correlation,
    bias,
    bootstrap,
    boundary_edits,
    jackknife_interval,
)
from bitext.model import Cluster, Lattice, Sentence
from bitext.segment import ParagraphSegmenter, SentenceSplitter
from bitext.syntax import annotate
from bitext.syntax.penn import parse_tree


def test_the_nearest_name_is_told():
    assert nearest("tmxx", ["moses", "tmx", "tsv"]) == "tmx"
    assert did_you_mean("tmxx", {"moses": 0, "tmx": 1}) == "did you mean 'tmx'? "


@pytest.mark.parametrize(
    ("name", "known"), [("docx", ["moses", "tmx"]), ("", ["tmx"]), ("tmx", [])]
)
def test_where_none_is_near_nothing_is_told(name, known):
    assert nearest(name, known) == ""
    assert did_you_mean(name, known) == ""


def test_how_near_a_name_has_to_be_can_be_asked_for():
    assert nearest("abcd", ["abxy"]) == ""
    assert nearest("abcd", ["abxy"], cutoff=0.4) == "abxy"


def test_what_looks_for_names_is_imported_by_an_error_only():
    code = "import sys, bitext.errors; print('difflib' in sys.modules)"
    code += "; bitext.errors.nearest('a', 'b'); print('difflib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


SYNTAX = "(S (NP (NN dog)) (VP (VBZ runs)))"
CLUSTER = Cluster([Sentence(["It", "burns"]), Sentence(["It", "sank"])])
MASSES = Segmentation([2, 3]), Segmentation([3, 2])
OPTIONS = {
    "partial": lambda word: evaluate([], {}, partial=word),
    "holm": lambda word: evaluate([], {}, holm=word),
    "any_units": lambda word: compare([], {}, any_units=word),
    "agreement": lambda word: compare([], {}, agreement=word),
    "drafts": lambda word: read("a.xlf", drafts=word),
    "parts": lambda word: list(read_all("a.tsv", parts=word)),
    "retimed": lambda word: write(Bitext(None, None, Alignment()), "a.srt", retimed=word),
    "aux": lambda word: annotate(parse_tree(SYNTAX), aux=word),
    "null": lambda word: Alignment().word_links(null=word),
    "ordered": lambda word: boundary_edits(*MASSES, ordered=word),
    "pooled": lambda word: bias(MASSES, pooled=word),
    "closing": lambda word: agreement_correlation([MASSES], closing=word),
    "macro": lambda word: bootstrap([[1, 2], [2, 2]], macro=word),
    "one_text": lambda word: jackknife_interval([[1, 2], [2, 2]], one_text=word),
    "normalise": lambda word: align_cluster(CLUSTER, normalise=word),
    "directions": lambda word: link_corpus(["a"], ["b"], directions=word),
    "keep_inputs": lambda word: paraphrases(Lattice(CLUSTER, [[0, 1], [0, 2]]), keep_inputs=word),
    "lists": lambda word: SentenceSplitter(lists=word),
    "tune": lambda word: ParagraphSegmenter(tune=word),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_words_are_no_values_of_options_that_are_true_or_false(name):
    with pytest.raises(OptionError, match=f"^{name} is 'no': want True or False$"):
        OPTIONS[name]("no")
