"""Empty sentences are set aside where they tell nothing, and put back into the alignment."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences import align_corpus, align_sentences
from bitext.align.sentences.hard_boundaries import without_empty
from bitext.errors import InputError
from bitext.model import Alignment, Segmentation, Text
from reference.translated_texts import sentences as translated

SRC = [
    "It rained all day in London.",
    "The 12 boats stayed in the harbour.",
    "Nobody came to see them.",
    "Then Mary went home at 5 o'clock.",
    "The end of the story of 1904.",
]
TGT = [
    "Il pleuvait toute la journée à London.",
    "Les 12 bateaux restaient au port, personne ne vint les voir.",
    "Puis Mary rentra à 5 heures.",
    "Fin de l'histoire de 1904.",
]
BEADS = [((0,), (0,)), ((1, 2), (1,)), ((3,), (2,)), ((4,), (3,))]


def spaced(sentences: list[str], *behind: int) -> list[str]:
    """Put an empty sentence behind some, or behind each."""
    wanted = behind or range(len(sentences))
    return [x for k, s in enumerate(sentences) for x in ([s, ""] if k in wanted else [s])]


def pairs(alignment: Alignment) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return [(tuple(bead.src), tuple(bead.tgt)) for bead in alignment]


def test_of_one_text_only() -> None:
    src, tgt, aside = without_empty(Text(spaced(SRC, 1, 3)), Text(TGT))
    assert aside is not None
    assert list(src.segments()) == SRC
    assert list(tgt.segments()) == TGT
    assert aside.places[0].tolist() == [0, 1, 3, 4, 6]
    assert aside.sizes == (7, 4)


def test_paragraphs_of_both_are_kept() -> None:
    both = Text(spaced(SRC, 0, 2)), Text(spaced(TGT, 0, 1))
    src, tgt, aside = without_empty(*both)
    assert aside is None
    assert (src, tgt) == both


def test_after_each_sentence_of_both_they_go() -> None:
    src, tgt, aside = without_empty(Text(spaced(SRC)), Text(spaced(TGT)))
    assert aside is not None
    assert (list(src.segments()), list(tgt.segments())) == (SRC, TGT)


def test_after_each_sentence_of_one_those_of_the_other_go_too() -> None:
    src, tgt, _ = without_empty(Text(spaced(SRC)), Text(spaced(TGT, 1)))
    assert (list(src.segments()), list(tgt.segments())) == (SRC, TGT)


def parted(sentences: list[str], every: int) -> Text:
    """Put an empty sentence behind each so many."""
    return Text(spaced(sentences, *range(every - 1, len(sentences), every)))


def test_paragraphs_stay_and_pages_go() -> None:
    src, tgt = map(list, zip(*translated(300, seed=7), strict=True))
    assert without_empty(parted(src, 4), parted(tgt, 4))[2] is None
    for both in ((9, 7), (4, 12), (1, 1), (1, 4)):
        found = without_empty(*(parted(x, n) for x, n in zip((src, tgt), both, strict=True)))
        assert (list(found[0].segments()), list(found[1].segments())) == (src, tgt)


def test_of_many_paragraphs_the_first_are_compared() -> None:
    src, tgt = map(list, zip(*translated(3000, seed=8), strict=True))
    assert without_empty(parted(src, 3), parted(tgt, 3))[2] is None
    assert without_empty(parted(src, 3), parted(tgt, 5))[2] is not None


@pytest.mark.parametrize("empty", [["", "", ""], []])
def test_a_text_without_a_sentence_stays(empty: list[str]) -> None:
    assert without_empty(Text(empty), Text(SRC))[2] is None
    left = without_empty(Text(empty), Text(spaced(SRC, 1)))
    assert len(left[0]) == len(empty)


def test_spaces_are_empty_and_names_stay() -> None:
    src, _, _ = without_empty(
        Text(["A.", " \t\u3000", "B."], name="a.txt", lang="en"), Text(["A.", "B."])
    )
    assert (src.name, src.lang, len(src)) == ("a.txt", "en", 2)


def test_tags_alone_are_empty() -> None:
    tagged = ["<div>", *SRC[:2], "<br/><br/>", *SRC[2:], "</div>", "&nbsp;"]
    src, _, _ = without_empty(Text(tagged), Text(TGT))
    assert list(src.segments()) == SRC
    marked = Text([*SRC[:3], "<p>", *SRC[3:]]), Text([*TGT[:2], "<P>", *TGT[2:]])
    assert without_empty(*marked)[2] is None


@pytest.mark.parametrize(
    "line", ["* * *", "***", "-----", " ~ ~ ", "— — —", "＊　＊　＊", "※※※", "=" * 500_000]
)
def test_lines_of_one_sign_are_empty(line: str) -> None:
    assert without_empty(Text([*SRC[:2], line, *SRC[2:]]), Text(TGT))[0] == Text(SRC)


@pytest.mark.parametrize("line", ["*", "...", "-*-", "?!", '"', "—", "- A", "12", "* * 3"])
def test_other_lines_without_words_are_not(line: str) -> None:
    assert without_empty(Text([*SRC[:2], line, *SRC[2:]]), Text(TGT))[2] is None


def test_paragraphs_lose_their_empty_sentences() -> None:
    src = Text(["A.", "", "B.", "", "C."], paragraphs=Segmentation([2, 2, 1]))
    left = without_empty(src, Text(["A.", "B.", "C."]))[0]
    assert left.paragraphs == Segmentation([1, 1, 1])
    src = Text(["A.", "", "B."], paragraphs=Segmentation([1, 1, 1]))
    assert without_empty(src, Text(["A.", "B."]))[0].paragraphs == Segmentation([1, 1])


def test_texts_known_by_ids_stay() -> None:
    ids = Text.of_ids(["a", "b"])
    assert without_empty(ids, ids) == (ids, ids, None)


def test_put_back_within_beads_and_between() -> None:
    src, tgt = ["", "A.", "", "B.", "", "", "C.", ""], ["A. B.", "", "C."]
    *_, aside = without_empty(Text(src), Text(tgt))
    assert aside is not None
    found = aside.put_back(Alignment([((0, 1), (0,)), ((2,), (1,))], scores=[0.5, 0.25]))
    assert pairs(found.alignment) == [
        ((0,), ()),
        ((1, 2, 3), (0,)),
        ((4,), (1,)),
        ((5,), ()),
        ((6,), (2,)),
        ((7,), ()),
    ]
    assert found.aligned.tolist() == [False, True, False, False, True, False]
    assert found.alignment.scores is not None
    assert found.alignment.scores.tolist() == [1, 0.5, 1, 1, 0.25, 1]


def test_put_back_beside_sentences_that_are_alone() -> None:
    *_, aside = without_empty(Text(["A.", "B.", "", "C."]), Text(["A.", "C."]))
    assert aside is not None
    found = aside.put_back(Alignment([((0,), (0,)), ((1,), ()), ((2,), (1,))]))
    assert pairs(found.alignment) == [((0,), (0,)), ((1,), ()), ((2,), ()), ((3,), (1,))]
    assert found.alignment.scores is None


@given(
    st.lists(st.sampled_from(["", "a b.", "c 1", " "]), max_size=12),
    st.lists(st.sampled_from(["", "d e.", "f 1", " "]), max_size=12),
)
def test_every_sentence_is_in_one_bead_in_order(src: list[str], tgt: list[str]) -> None:
    found = align_sentences(Text(src), Text(tgt))
    for rows, size in ((found.src, len(src)), (found.tgt, len(tgt))):
        assert rows.idx.tolist() == list(range(size))
    assert found.scores is None or ((found.scores >= 0) & (found.scores <= 1)).all()


def test_sentences_are_aligned_as_without_empty_ones() -> None:
    bare = align_sentences(Text(SRC), Text(TGT))
    assert pairs(bare) == BEADS
    for src, tgt in ((spaced(SRC), TGT), (SRC, spaced(TGT)), (spaced(SRC), spaced(TGT, 1))):
        found = align_sentences(Text(src), Text(tgt))
        seen = [
            (
                tuple(sum(map(bool, src[:k])) for k in bead.src if src[k]),
                tuple(sum(map(bool, tgt[:k])) for k in bead.tgt if tgt[k]),
            )
            for bead in found
        ]
        assert [bead for bead in seen if any(bead)] == BEADS


def test_vectors_of_the_whole_texts_are_taken() -> None:
    src, tgt = Text(spaced(SRC, 0)), Text(TGT)
    rng = np.random.default_rng(3)
    first = rng.normal(size=(len(src), 8)).astype(np.float32)
    first[1] = 0
    second = rng.normal(size=(len(tgt), 8)).astype(np.float32)
    found = align_sentences(src, tgt, vectors=(first, second))
    without = align_sentences(Text(SRC), tgt, vectors=(first[[0, 2, 3, 4, 5]], second))
    assert found.scores is not None
    assert without.scores is not None
    assert found.scores[np.arange(len(found)) != 1].tolist() == without.scores.tolist()
    with pytest.raises(InputError, match="5 rows for 6 sentences"):
        align_sentences(src, tgt, vectors=(first[1:], second))
    with pytest.raises(InputError, match="vectors of 1 pairs for 2 pairs"):
        align_corpus([(src, tgt), (src, tgt)], vectors=[(first, second)])
