"""What goes on to a file: by score, bead type, document and contents; held against plain lists."""

from dataclasses import replace
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Alignment, Bitext, Text
from bitext.errors import InputError, OptionError
from bitext.formats.convert.filters import Filters, Where, filtered
from bitext.formats.io.source import Notes
from bitext.formats.xml.inline_codes import plain
from formats.samples import inline

PAIRS = [
    (["One."], ["Un."]),
    (["Two.", "Three."], ["Deux."]),
    ([], ["Seul."]),
    (["Four."], [" \t"]),
    (["One."], ["Un."]),
]


def run(bitext, *, whole=False, **filters):
    dropped = Notes()
    found = list(filtered([bitext], Filters(**filters), dropped, whole=whole))
    return found, {note.kind: note.count for note in dropped.all()}


def pairs(bitexts):
    return [pair for bitext in bitexts for pair in bitext.pairs()]


def test_nothing_asked_for_changes_nothing():
    bitext = inline(PAIRS, scores=[1, 2, 3, 4, 5])
    (found,), dropped = run(bitext)
    assert found is bitext
    assert dropped == {}
    assert not Filters().any()


def test_bead_types():
    found, dropped = run(inline(PAIRS), types=("1-1", "0-*"))
    assert pairs(found) == [PAIRS[0], PAIRS[2], PAIRS[3], PAIRS[4]]
    assert dropped == {"bisegments of other types than 1-1,0-*": 1}


def test_bisegments_with_word_links_are_sentence_pairs():
    links = Alignment(
        [((0,), (0,)), ((1,), (1,))], scores=[0.9, 0.2], attributes={"words": ["0-0", "0-0 1-1"]}
    )
    bitext = Bitext(Text(["a", "b"]), Text(["c", "d"]), links)
    assert run(bitext, min_score=0.5)[1] == {"sentence pairs with a score below 0.5": 1}
    dropped = Notes()
    Where(["words=0-0"]).chosen(bitext, dropped)
    assert [note.kind for note in dropped] == ["sentence pairs that are not words=0-0"]


@pytest.mark.parametrize("kind", ["1", "1-", "a-b", "1-1-1", "-1-2", "1-99999999999"])
def test_a_bead_type_that_is_none(kind):
    with pytest.raises(OptionError, match="is not a bead type: want types as 1-1,1-2"):
        Filters(types=(kind,))


def test_scores_and_none_are_told_apart():
    found, dropped = run(inline(PAIRS, scores=[0.5, nan, 0.4, 1, 0.3]), min_score=0.4)
    assert pairs(found) == [PAIRS[0], PAIRS[2], PAIRS[3]]
    assert dropped == {"bisegments without a score": 1, "bisegments with a score below 0.4": 1}


def test_without_any_scores_nothing_passes():
    found, dropped = run(inline(PAIRS), min_score=0.0)
    assert pairs(found) == []
    assert dropped == {"bisegments without a score": 5}


def test_a_column_as_the_score():
    bitext = inline(PAIRS, attributes={"prop:s": ["1", None, "0.2", "3e1", "-1"], "x": ["a"] * 5})
    (found,), _ = run(bitext, score="prop:s", min_score=0)
    assert found.alignment.scores.tolist() == [1.0, 0.2, 30.0]
    assert list(found.alignment.attributes) == ["x"]


def test_a_column_of_something_else_is_no_score():
    with pytest.raises(InputError, match="the column 'x' holds 'b'; want numbers"):
        run(inline(PAIRS[:2], attributes={"x": ["1", "b"]}), score="x")


def test_a_column_that_is_not_there_is_told():
    _, dropped = run(inline(PAIRS), score="sim")
    assert dropped == {"bisegments without the column 'sim', taken as without a score": 5}


def test_empty_sides_and_blank_ones():
    found, dropped = run(inline(PAIRS), drop_empty=True)
    assert pairs(found) == [PAIRS[0], PAIRS[1], PAIRS[4]]
    assert dropped == {"bisegments with an empty side": 2}


def test_repeats_are_found_over_all_bitexts():
    dropped = Notes()
    both = filtered([inline(PAIRS), inline(PAIRS[1:3])], Filters(unique=True), dropped, whole=False)
    assert pairs(both) == PAIRS[:4]
    assert sum(note.count for note in dropped.all()) == 3


def test_repeats_need_texts():
    bare = Bitext(Text.of_ids(["s1"]), Text.of_ids(["t1"]), Alignment([((0,), (0,))]))
    with pytest.raises(InputError, match="telling repeats"):
        run(bare, unique=True)


def test_documents_by_any_of_their_names_and_all_their_parts():
    bitexts = [
        Bitext(None, None, Alignment([((0,), (0,))] * 1), name="a", meta={"src_doc": "en/a.xml"}),
        Bitext(None, None, Alignment([((0,), (0,))]), name="a", continues=True),
        Bitext(None, None, Alignment([((0,), (0,))]), name="b", meta={"src_doc": "en/b.xml"}),
        Bitext(None, None, Alignment([((0,), (0,))]), name="b", continues=True),
    ]
    dropped = Notes()
    found = list(filtered(bitexts, Filters(documents="en/a*"), dropped, whole=True))
    assert [bitext.name for bitext in found] == ["a", "a"]
    assert [note.count for note in dropped.all()] == [2]


def test_brackets_of_patterns_are_closed():
    named = Bitext(None, None, Alignment([((0,), (0,))]), name="a[1")
    for pattern in ("a[[]1", "a[!]]1", "a[]![]1", "a[!!]*"):
        assert list(filtered([named], Filters(documents=pattern), Notes(), whole=True)) == [named]
    for pattern in ("[", "a[1", "[]", "[!]", "[a]["):
        with pytest.raises(OptionError, match=r"has a \[ without its \].*or \[\[\] for the char"):
            Filters(documents=pattern)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("score=>0.5", "score>=0.5"),
        ("score==0.5", "score=0.5"),
        ("score=<1", "score<=1"),
        ("score!==.5", "score!=.5"),
        ("year==1984", "year=1984"),
    ],
)
def test_numbers_are_not_compared_with_mistyped_operators(written, meant):
    bitext = inline(PAIRS[:2], scores=[0.5, nan], attributes={"year": ["1984", None]})
    with pytest.raises(OptionError, match=f"is no operator: did you mean where='{meant}'"):
        Where([written]).chosen(bitext)


def test_blanks_around_an_operator_are_no_part_of_its_column_and_values():
    bitext = inline(PAIRS[:2], scores=[0.7, nan], attributes={"note": ["a b", "c > d"]})
    for written in ("score > 0.5", "score >=\t.7", "note = a b", "note != c > d"):
        assert Where([written]).chosen(bitext).pairs() == PAIRS[:1]
    assert Where(["note=c > d"]).chosen(bitext).pairs() == PAIRS[1:2]
    with pytest.raises(OptionError, match=r"did you mean where='score=0\.7'"):
        Where(["score == 0.7"]).chosen(bitext)


def test_values_of_texts_may_begin_like_operators():
    bitext = inline(PAIRS[:2], attributes={"note": ["=5", "x"], "year": ["1984", "1985"]})
    assert Where(["note==5"]).chosen(bitext).pairs() == PAIRS[:1]
    assert Where(["note!==5"]).chosen(bitext).pairs() == PAIRS[1:2]
    assert not Where(["year==x"]).chosen(bitext).pairs()


def test_whole_texts_keep_the_segments_of_what_is_left_out():
    (found,), _ = run(inline(PAIRS), types=("1-1",), whole=True)
    assert len(found.src) == 5
    (found,), _ = run(inline(PAIRS), types=("1-1",))
    assert [segment.text for segment in found.src] == ["One.", "Four.", "One."]


def test_segments_in_no_bisegment_stay():
    bitext = Bitext(
        Text(["a", "b", "c"], ids=["x", "y", "z"]),
        Text(["A"]),
        Alignment([((0,), ()), ((2,), (0,))]),
    )
    (found,), _ = run(bitext, types=("1-1",))
    assert found.src.ids == ["y", "z"]
    assert list(found.alignment) == [((1,), (0,))]


def test_swapping_turns_columns_and_documents():
    bitext = Bitext(
        Text(["a b"], lang="en"),
        Text(["c"], lang="fr"),
        Alignment([((0,), (0,))], attributes={"src.note": ["s"], "words": ["1-0"], "id": ["7"]}),
        meta={"src_doc": "en.xml", "tgt_doc": "fr.xml"},
    )
    (found,), _ = run(bitext, swap=True)
    assert (found.src.lang, found.tgt.lang) == ("fr", "en")
    assert found.alignment.attributes == {"tgt.note": ["s"], "words": ["0-1"], "id": ["7"]}
    assert found.meta == {"src_doc": "fr.xml", "tgt_doc": "en.xml"}


def test_swapping_turns_the_times_of_both_sides():
    times = {"src_time": ["0:01-0:02"], "tgt_time": [None], "src_url": ["u"]}
    (found,), _ = run(inline([(["a"], ["b"])], attributes=times), swap=True)
    assert found.alignment.attributes == {
        "tgt_time": ["0:01-0:02"],
        "src_time": [None],
        "src_url": ["u"],
    }


def test_spaces_and_forbidden_characters():
    (found,), _ = run(inline([([" a\n b\u00a0 "], ["c"])]), spaces=True)
    assert found.pairs() == [(["a b"], ["c"])]
    (found,), dropped = run(
        inline([(["a\x00b"], ["c\ufffe"])], attributes={"n": ["\x01"]}), replace_forbidden=True
    )
    assert found.pairs() == [(["a\ufffdb"], ["c\ufffd"])]
    assert found.alignment.attributes == {"n": ["\ufffd"]}
    assert dropped == {"characters that XML forbids, replaced by U+FFFD": 3}


def test_spaces_in_texts_of_further_languages():
    columns = {
        "lang:de": [" x  y "],
        "marks:de": [' x  <ph x="1"/>y '],
        "lang:it": [None],
        "note": [" n"],
    }
    (found,), changed = run(inline([(["a"], ["c"])], attributes=columns), spaces=True)
    assert {name: column for name, (column,) in found.alignment.attributes.items()} == {
        "lang:de": "x y",
        "marks:de": 'x <ph x="1"/>y',
        "lang:it": None,
        "note": " n",
    }
    assert changed == {"segments whose white space was tidied": 1}


segments = st.lists(st.sampled_from(["a", "b", "", " "]), max_size=2)
beads = st.lists(st.tuples(segments, segments).filter(any), max_size=8)


@given(beads, st.data())
def test_filters_together_as_on_plain_lists(found, data):
    scores = data.draw(
        st.lists(st.sampled_from([0.1, 0.5, nan]), min_size=len(found), max_size=len(found))
    )
    expected, seen = [], set()
    for pair, score in zip(found, scores, strict=True):
        kind = f"{len(pair[0])}-{len(pair[1])}"
        if kind not in {"1-1", "1-2", "0-1"} or not score >= 0.3:
            continue
        if not all("".join(side).strip() for side in pair):
            continue
        key = tuple(" ".join(side) for side in pair)
        if key not in seen:
            expected.append(pair)
        seen.add(key)
    got, _ = run(
        inline(found, scores=scores) if found else inline(found),
        types=("1-1", "1-2", "0-1"),
        min_score=0.3,
        drop_empty=True,
        unique=True,
    )
    assert pairs(got) == expected


def test_marks_and_ids_stay_with_their_segments():
    bitext = Bitext(
        Text(["a", "b"], ids=["x", "y"], marked=[None, "<hi>b</hi>"]),
        Text(["A", "B"]),
        Alignment([((0,), ()), ((1,), (1,)), ((), (0,))]),
    )
    (found,), _ = run(bitext, types=("1-1",))
    assert (found.src.ids, found.src.marked) == (["y"], ["<hi>b</hi>"])
    assert np.array_equal(found.alignment.src.idx, [0])


def test_white_space_is_tidied_in_marks_too():
    xml = ' x\t<ph x="1">&lt;b  c&gt;</ph> <hi>y  </hi><ph x="2"/> z<hi> </hi>'
    src = Text([" x\t y   z ", "a"], marked=[xml, None])
    bitext = Bitext(src, Text(["b  c", " d"]), Alignment([((0,), (0,)), ((1,), (1,))]))
    changed, dropped = Notes(), Notes()
    (found,) = filtered([bitext], Filters(spaces=True), dropped, changed=changed, whole=False)
    assert pairs([found]) == [(["x y z"], ["b c"]), (["a"], ["d"])]
    assert found.src.marked == [
        'x <ph x="1">&lt;b  c&gt;</ph><hi>y </hi><ph x="2"/>z<hi></hi>',
        None,
    ]
    assert [(note.kind, note.count) for note in changed.all()] == [
        ("segments whose white space was tidied", 3)
    ]
    assert dropped.all() == ()


@given(
    st.lists(
        st.one_of(
            st.text(" \tab&\x1c\u2028", max_size=4),
            st.sampled_from(['<ph x="1">  c </ph>', "<hi>", "</hi>"]),
        ),
        max_size=8,
    )
)
def test_marks_say_what_the_text_says(parts):
    opened, kept = 0, []
    for part in parts:
        if part == "</hi>" and not opened:
            continue
        opened += {"<hi>": 1, "</hi>": -1}.get(part, 0)
        kept.append(part if part[:1] == "<" else part.replace("&", "&amp;"))
    xml = "".join(kept) + "</hi>" * opened + '<ph x="1"/>'
    src = Text([plain(xml)], marked=[xml])
    bitext = Bitext(src, Text(["b"]), Alignment([((0,), (0,))]))
    (found,) = filtered([bitext], Filters(spaces=True), Notes(), changed=Notes(), whole=False)
    assert plain(found.src.marked[0]) == found.src[0].text == " ".join(plain(xml).split())


def test_forbidden_characters_are_replaced_in_marks_too():
    src = Text(["a\x01b"], marked=['a\x01<ph x="1">\x02</ph>b'])
    bitext = Bitext(src, Text(["c\x03"]), Alignment([((0,), (0,))]))
    changed = Notes()
    filters = Filters(replace_forbidden=True)
    (found,) = filtered([bitext], filters, Notes(), changed=changed, whole=False)
    assert found.src.marked == ['a\ufffd<ph x="1">\ufffd</ph>b']
    assert found.src[0].text == "a\ufffdb"
    assert [note.count for note in changed.all()] == [3]


def test_what_was_changed_is_apart_from_what_was_left_out():
    changed, dropped = Notes(), Notes()
    filters = Filters(score="x", min_score=1)
    list(filtered([inline(PAIRS)], filters, dropped, changed=changed, whole=False))
    assert [note.kind for note in changed.all()] == [
        "bisegments without the column 'x', taken as without a score"
    ]
    assert [note.kind for note in dropped.all()] == ["bisegments without a score"]


def test_a_document_without_a_pair_name_is_told_by_its_own():
    bitext = replace(inline(PAIRS), meta={"src_doc": "en/a.xml", "tgt_doc": "fr/a.xml"})
    dropped = Notes()
    assert not list(filtered([bitext], Filters(documents="zz*"), dropped, whole=False))
    assert [note.first for note in dropped.all()] == ["en/a.xml"]
    dropped = Notes()
    list(filtered([inline(PAIRS)], Filters(documents="zz*"), dropped, whole=False))
    assert [note.first for note in dropped.all()] == ["a document without a name"]


def test_two_languages_alone():
    bitext = inline(PAIRS, attributes={"lang:de": ["a", None, "b", None, None], "n": ["1"] * 5})
    (found,), dropped = run(bitext, two_languages=True)
    assert list(found.alignment.attributes) == ["n"]
    assert dropped == {"texts in further languages": 1}
    more = inline(PAIRS, attributes={"lang:it": ["a"] * 5, "lang:de": ["b"] * 5})
    parts = [bitext, replace(more, continues=True), replace(bitext, continues=True), bitext]
    told = Notes()
    assert len(list(filtered(parts, Filters(two_languages=True), told, whole=False))) == 4
    assert [(note.count, note.first) for note in told.all()] == [(3, "the bitext: de")]


def test_parts_are_told_by_their_numbers_in_the_document_pair():
    parts = [
        inline([(["a"], ["b"]), (["c", "d"], [])]),
        replace(inline([(["e"], ["f"]), (["g "], ["h"]), ([], ["i"])]), continues=True),
    ]
    dropped = Notes()
    wanted = Filters(types=("1-*",), spaces=True)
    list(filtered(parts, wanted, dropped, whole=False))
    assert [note.first for note in dropped.all()] == [
        "the bitext: bisegment 1 (2-0)",
        "the bitext: source segment 4",
    ]


STATES = ["final", None, "new", "translated", ""]


def chosen(*conditions, scores=None, each=True, whole=None, **columns):
    bitext = inline(PAIRS, scores=scores)
    a = bitext.alignment
    alignment = Alignment.from_arrays(a.src, a.tgt, scores=a.scores, attributes=columns)
    where, dropped = Where(conditions, each=each, whole=whole), Notes()
    found = where.chosen(replace(bitext, alignment=alignment), dropped)
    where.check("a.tsv", dropped)
    return found, {note.kind: note.count for note in dropped.all()}


@pytest.mark.parametrize(
    ("condition", "left"),
    [
        ("state=final,translated", [0, 3]),
        ("state!=final,translated", [1, 2, 4]),
        ("state=", [1, 4]),
        ("state=,new", [1, 2, 4]),
        ("state!=", [0, 2, 3]),
        ("state=Final", []),
    ],
)
def test_columns_are_compared_as_they_are_written(condition, left):
    found, dropped = chosen(condition, state=STATES)
    assert [list(pair) for pair in found.pairs()] == [list(PAIRS[k]) for k in left]
    assert dropped[f"bisegments that are not {condition}"] == len(PAIRS) - len(left)


def test_a_comma_within_a_value_is_escaped():
    found, _ = chosen(r"note=a\,b", note=["a,b", "a", "b", None, None])
    assert len(found.alignment) == 1


@pytest.mark.parametrize(
    ("condition", "left"), [("n>=9", 2), ("n>9", 1), ("n<9", 1), ("n<=9", 2), ("n>=-1e3", 3)]
)
def test_numbers_are_compared_as_numbers_and_no_value_is_none(condition, left):
    found, _ = chosen(condition, n=["10", "9", None, "", "8.5"])
    assert len(found.alignment) == left


def test_the_score_is_a_column_too():
    found, _ = chosen("score>=0.5", scores=[0.5, nan, 0.4, 1, 0.3])
    assert list(found.alignment.scores) == [0.5, 1]
    found, _ = chosen("score=", scores=[0.5, nan, 0.4, 1, 0.3])
    assert len(found.alignment) == 1


def test_all_conditions_have_to_hold():
    found, dropped = chosen("state=final,new", "n>1", state=STATES, n=["1", "2", "3", "4", "5"])
    assert len(found.alignment) == 1
    assert dropped == {"bisegments that are not state=final,new": 3,
                       "bisegments that are not n>1": 1}  # fmt: skip


def test_a_column_that_is_nowhere_is_an_error_that_names_the_nearest():
    with pytest.raises(OptionError, match=r"no bisegment has the column 'stat' .*mean 'state'\?"):
        chosen("stat=final", state=STATES)
    with pytest.raises(OptionError, match="it has none"):
        chosen("stat!=final")


def test_what_nothing_meets_tells_the_values_there_are():
    found, dropped = chosen("state=finl", state=STATES)
    assert not len(found.alignment)
    assert dropped["files without any bisegment that is state=finl"] == 1


def test_a_text_that_is_no_number_cannot_be_compared_as_one():
    with pytest.raises(InputError, match="'state' holds 'final', and >= compares numbers"):
        chosen("state>=1", state=STATES)


@pytest.mark.parametrize("written", ["state", "=x", "", "n>=", "n>=high", "n<nan"])
def test_a_condition_that_is_none(written):
    with pytest.raises(OptionError, match="condition"):
        Where([written])


def test_texts_stay_whole_where_that_is_wanted():
    found, _ = chosen("state=final", state=STATES)
    assert len(found.src) == 1
    found, _ = chosen("state=final", state=STATES, whole=True)
    assert len(found.src) == len(inline(PAIRS).src)
