"""What anchors tell of where the path runs, and what it leaves out."""

import pytest

from bitext.align.sentences import aligner_of, sentence_aligner
from bitext.align.sentences.cognates import cognates
from bitext.align.sentences.search_spaces import space_of
from bitext.model import Text
from reference.translated_texts import pair_of, sentences


def _texts(more):
    """Return two texts with names, and amid them so many sentences of a side without any."""
    named = sentences(500, seed=4, names=1.0)
    rest = [sentences(count, seed=9 + side, names=0.0) for side, count in enumerate(more)]
    src = [a for a, _ in named]
    tgt = [b for _, b in named]
    src[250:250] = [a for a, _ in rest[0]]
    tgt[250:250] = [b for _, b in rest[1]]
    return src, tgt


@pytest.mark.parametrize(
    ("more", "unsure"), [((300, 0), False), ((0, 300), False), ((300, 300), True), ((0, 0), False)]
)
def test_a_way_with_hardly_anything_on_a_side_is_not_unsure(more, unsure):
    pair = pair_of(*_texts(more))
    space = space_of(pair, [cognates(pair.src.vocabulary, pair.tgt.vocabulary)])
    assert space.tied > 200
    assert space.unsure is unsure


@pytest.mark.parametrize("side", [0, 1])
def test_what_anchors_show_to_be_left_out_is_not_frequent_elsewhere(side, monkeypatch):
    monkeypatch.setattr(sentence_aligner, "doubtful", lambda *_, **__: [])  # nothing else shows it
    src, tgt = _texts((300, 0) if side == 0 else (0, 300))
    aligner = aligner_of([(Text(src), Text(tgt))])
    aligner.run()
    alone = aligner.chance[aligner.beads.index((1, 0) if side == 0 else (0, 1))]
    assert alone < 0.1
    assert aligner.space(0).omissions is not None
