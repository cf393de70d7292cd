"""The alignment of two sentences of a lattice, against its definition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.words.aligning import bitexts, pairwise
from bitext.errors import InputError
from bitext.metrics import arcade
from bitext.model import Alignment, Cluster, Lattice, Sentence
from reference.draw_lattices import lattices


@given(lattices(), st.data())
def test_words_are_aligned_when_they_share_a_node(drawn, data):
    count = len(drawn.cluster)
    a, b = (data.draw(st.integers(0, count - 1)) for _ in range(2))
    node = {place: n for n in range(len(drawn)) for place in drawn.members(n)}
    src, tgt = range(len(drawn.cluster[a])), range(len(drawn.cluster[b]))
    pairs = {(i, j) for i in src for j in tgt if node[a, i] == node[b, j]}
    wanted = [((i,), (j,)) for i, j in pairs]
    wanted += [((i,), ()) for i in src if i not in {i for i, _ in pairs}]
    wanted += [((), (j,)) for j in tgt if j not in {j for _, j in pairs}]
    found = pairwise(drawn, a, b)
    assert len(found) == len(wanted)
    assert found == Alignment(wanted)
    # In the order of the sentences, the source first between two aligned pairs.
    for side in (0, 1):
        assert [m for bead in found for m in bead[side]] == list((src, tgt)[side])
    kinds = ["".join("st"[k] for k in (0, 1) if bead[k]) for bead in found]
    assert "t s" not in " ".join(kinds).replace("st", "|")


def test_bitexts_are_scored_as_any_others():
    cluster = Cluster([Sentence(["it", "burns"], id="a"), Sentence(["burns"]), Sentence(["it"])])
    gold = list(bitexts(Lattice(cluster, [[1, 2], [2], [1]])))
    hyp = list(bitexts(Lattice(cluster, [[1, 2], [2], [3]])))
    assert [bitext.name for bitext in gold] == ["a:2", "a:3", "2:3"]
    assert [arcade(g, h)["alignment"].f1 for g, h in zip(gold, hyp, strict=True)] == [1, 0.4, 1]
    assert gold[0].pairs() == [(["it"], []), (["burns"], ["burns"])]


def test_sentences_that_are_not_there():
    drawn = Lattice(Cluster([Sentence(["it"])]), [[0]])
    with pytest.raises(InputError, match="the lattice has no sentence 1: want 0 to 0"):
        pairwise(drawn, 0, 1)
    with pytest.raises(InputError, match="no sentence -1"):
        pairwise(drawn, -1, 0)
