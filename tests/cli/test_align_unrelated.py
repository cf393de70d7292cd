"""Texts that are no translations of each other are told."""

from argparse import Namespace

import numpy as np
import pytest

from bitext.align.sentences import align_sentences
from bitext.cli.align_found import oddities
from bitext.model import Bitext, Text
from reference.translated_texts import sentences

OPTIONS = Namespace(min_score=None, method=None)


def texts(src_seed, tgt_seed, count):
    src, tgt = (
        sentences(count, seed=src_seed, names=0.1),
        sentences(count, seed=tgt_seed, names=0.1),
    )
    return Text([a for a, _ in src], name="a.la"), Text([b for _, b in tgt], name="a.lb")


@pytest.mark.parametrize("count", [20, 60, 150])
def test_unrelated_texts_are_told(count):
    src, tgt = texts(3, 4, count)
    bitext = Bitext(src, tgt, align_sentences(src, tgt))
    kinds = [kind for kind, _ in oddities(bitext, OPTIONS)]
    assert kinds == ["texts that may be no translations"]


@pytest.mark.parametrize("count", [8, 20, 60, 150])
def test_translations_are_not(count):
    src, tgt = texts(3, 3, count)
    assert not list(oddities(Bitext(src, tgt, align_sentences(src, tgt)), OPTIONS))


def test_what_is_told():
    src, tgt = texts(3, 4, 30)
    found = align_sentences(src, tgt)
    unsure = type(found).from_arrays(found.src, found.tgt, scores=np.full(len(found), 0.3))
    ((_, told),) = oddities(Bitext(src, tgt, unsure), OPTIONS)
    assert "a.la and a.lb translations of each other?" in told
    assert "\n" not in told
    lengths = Namespace(min_score=None, method="length-characters")
    chosen = Namespace(min_score=0.5, method=None)
    assert not list(oddities(Bitext(src, tgt, unsure), lengths))
    assert not list(oddities(Bitext(src, tgt, unsure), chosen))
