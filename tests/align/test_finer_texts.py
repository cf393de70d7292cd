"""Texts of which one is cut more finely than the other: verses beside sentences."""

import numpy as np
import pytest

from bitext.align import length_paths, sentence_aligner
from bitext.align.bead_types import starts
from bitext.align.sentences import align_sentences
from bitext.model import Text
from reference.translated_texts import sentences


def _verses(count, *, seed, turned=False):
    """Return a text whose sentences are verses, the same by sentences, and the beads."""
    rng = np.random.default_rng(seed)
    sizes = rng.choice([1, 2, 3, 4], count, p=[0.2, 0.35, 0.25, 0.2])
    ends = np.cumsum(sizes)
    pairs = sentences(int(ends[-1]), seed=seed, names=0.0)
    begins = (ends - sizes).tolist()
    verses = [
        " ".join(a.rstrip(".") for a, _ in pairs[begin:end]) + "."
        for begin, end in zip(begins, ends.tolist(), strict=True)
    ]
    beads = {
        ((k,), tuple(range(begin, end)))
        for k, (begin, end) in enumerate(zip(begins, ends.tolist(), strict=True))
    }
    texts = Text(verses), Text([b for _, b in pairs])
    if turned:
        return texts[1], texts[0], {(b, a) for a, b in beads}
    return *texts, beads


@pytest.mark.parametrize("method", ["lexical", "length-characters"])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("count", [90, 500])
def test_a_text_that_is_cut_more_finely_than_the_other(count, turned, method, monkeypatch):
    src, tgt, beads = _verses(count, seed=count, turned=turned)

    def right():
        found = {(b.src, b.tgt) for b in align_sentences(src, tgt, method=method)}
        return len(found & beads) / len(beads)

    chosen = right()
    assert chosen > (0.95 if method == "lexical" else 0.7)
    # As if both were cut alike, most of the longer one is held to be left out.
    monkeypatch.setattr(sentence_aligner, "starts", lambda beads, _: starts(beads))
    monkeypatch.setattr(length_paths, "are_unequal", lambda _: False)
    if method != "lexical" or count < 500:  # of 500 verses enough words are learned all the same
        assert right() < 0.2
