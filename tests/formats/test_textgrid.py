"""TextGrids of Praat: tiers of intervals and points as coders, over words or steps in time."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.corpora.segmentation_pairing import SegmentPairing
from bitext.formats.segmentations import read_coders, read_segmentations
from bitext.formats.segmentations.collecting import ReadingOptions

WORDS = [
    (0, 0.2, ""),
    (0.2, 0.5, "we"),
    (0.5, 1, "met"),
    (1, 1.3, ""),
    (1.3, 1.6, "it"),
    (1.6, 2, "rained"),
]
TIERS = {
    "words": WORDS,
    "ann": [(0, 1.1, "a"), (1.1, 2, "b")],
    "ben": [(0, 0.5, "a"), (0.5, 1.304, "b"), (1.304, 2, "")],
    "cat": [(1.15, "4"), (1.6, "3")],
}


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def longer(tiers, end=2):
    """Return the long text format."""
    lines = [
        'File type = "ooTextFile"',
        'Object class = "TextGrid"',
        "",
        "xmin = 0",
        f"xmax = {end}",
    ]
    lines += ["tiers? <exists>", f"size = {len(tiers)}", "item []:"]
    for k, (name, items) in enumerate(tiers.items(), start=1):
        points = bool(items) and len(items[0]) == 2
        kind, noun = ("TextTier", "points") if points else ("IntervalTier", "intervals")
        lines += [f"    item [{k}]:", f'        class = "{kind}"', f"        name = {quoted(name)}"]
        lines += [
            "        xmin = 0",
            f"        xmax = {end}",
            f"        {noun}: size = {len(items)}",
        ]
        for n, item in enumerate(items, start=1):
            lines.append(f"        {noun} [{n}]:")
            keys = ("number", "mark") if points else ("xmin", "xmax", "text")
            values = (*item[:-1], quoted(item[-1]))
            lines += [
                f"            {key} = {value} " for key, value in zip(keys, values, strict=True)
            ]
    return "\n".join(lines) + "\n"


def shorter(tiers, end=2):
    """Return the short text format."""
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "0", end, "<exists>"]
    lines.append(len(tiers))
    for name, items in tiers.items():
        points = bool(items) and len(items[0]) == 2
        lines += ['"TextTier"' if points else '"IntervalTier"', quoted(name), 0, end, len(items)]
        lines += [value for item in items for value in (*item[:-1], quoted(item[-1]))]
    return "\n".join(map(str, lines)) + "\n"


@pytest.fixture
def read(write):
    def one(content, name="talk.TextGrid", **options):
        tables = read_coders(write(name, content), **options)
        return {coder: list(table["talk"]) for coder, table in tables.items()}

    return one


def kinds(table):
    return [note.kind for note in table.notes]


@pytest.mark.parametrize("form", [longer, shorter])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_tiers_are_coders_over_the_words(write, form, encoding):
    content = form({**TIERS, "Zoë": [(0, 1, 'sie sagt "ja"'), (1, 2, "→")]}).encode(encoding)
    path = write("talk.TextGrid", content)
    tables = read_coders(path)
    assert {coder: list(table["talk"]) for coder, table in tables.items()} == {
        "ann": [2, 2],
        "ben": [1, 1, 2],
        "cat": [2, 1, 1],
        "Zoë": [2, 2],
    }
    assert kinds(tables["ann"]) == [
        "intervals of the tier 'words' taken as units (steps in seconds: time_units='0.01')",
        "tiers taken as coders (to choose: coders=)",
    ]
    pairing = SegmentPairing(references={"talk": str(path)}, systems={}, reference_coders=("ann",))
    assert pairing.read().units()[0] == ["we", "met", "it", "rained"]


def test_tiers_are_chosen_by_name_or_number(read):
    assert read(longer(TIERS), coders="cat,ben") == {"cat": [2, 1, 1], "ben": [1, 1, 2]}
    assert read(longer(TIERS), coders=1) == {"ann": [2, 2]}
    with pytest.raises(InputError, match=r"no coder 'bea'; did you mean 'ben'.*are ann, ben, cat"):
        read(longer(TIERS), coders="bea")
    with pytest.raises(FormatError, match="has 3 tiers, and no tier 4"):
        read(longer(TIERS), coders=4)


def test_tiers_of_phones_are_no_coders_beside_words_and_coders(read, write):
    phones = {"ann - phones": [(0, 0.3, "w"), (0.3, 2, "i")]}
    path = write("talk.TextGrid", longer(TIERS | phones))
    tables = read_coders(path)
    assert list(tables) == ["ann", "ben", "cat"]
    assert "tiers of phones, taken as no coders (else: coders=)" in kinds(tables["ann"])
    assert list(read_coders(path, coders="ann - phones,ann")) == ["ann - phones", "ann"]
    assert list(read(longer({"words": WORDS} | phones))) == [""]


def test_units_are_steps_in_time_where_there_are_no_words(read, write):
    tiers = {name: TIERS[name] for name in ("ann", "ben", "cat")}
    assert read(longer(tiers), coders="ann") == {"ann": [110, 90]}
    assert read(longer(tiers), time_units=0.5) == {
        "ann": [2, 2],
        "ben": [1, 2, 1],
        "cat": [2, 1, 1],
    }
    assert read(longer(TIERS), time_units="0.5s", coders="cat") == {"cat": [2, 1, 1]}
    assert read(longer(TIERS), time_units=0.5) == read(longer(tiers), time_units=0.5)
    assert [*read(longer(TIERS), time_units=0.5, coders="words,ann")] == ["words", "ann"]
    assert [*read(longer({"words": WORDS}), time_units=0.5)] == [""]
    table = read_segmentations(write("talk.TextGrid", longer(tiers)), time_units=1, coders="ben")
    assert list(table["talk"]) == [1, 1]
    assert kinds(table) == []
    close = {"a": [(0, 0.4, "x"), (0.4, 0.6, "y"), (0.6, 2, "z")]}
    table = read_segmentations(write("talk.TextGrid", longer(close)), time_units=0.5)
    assert list(table["talk"]) == [1, 3]
    assert kinds(table) == ["boundaries in one step of 0.5 s, taken as one"]
    for step in (1e9, 1e-15):
        with pytest.raises(FormatError, match="lasts 2 s, which is no number of steps of"):
            read(longer(tiers), time_units=step)
    with pytest.raises(
        FormatError, match=r"has no tier 'phones' .*want seconds above 0, or one of"
    ):
        read(longer(tiers), time_units="phones")
    with pytest.raises(FormatError, match="has points in the tier 'cat'"):
        read(longer(tiers), time_units="cat")


def test_intervals_without_a_label_between_others_are_noted_in_steps(write):
    ann = [(0, 0.1, ""), (0.1, 1, "a"), (1, 1.3, ""), (1.3, 2, "b")]
    path = write("talk.TextGrid", longer({"ann": ann, "words": WORDS}))
    table = read_segmentations(path, time_units=0.1, coders="ann")
    assert list(table["talk"]) == [1, 9, 3, 7]
    (note,) = table.notes
    assert "without a label between others, taken as segments" in note.kind
    assert (note.count, note.first.endswith(": ann")) == (1, True)
    assert kinds(read_segmentations(path, time_units=1, coders="ann")) == [
        "boundaries in one step of 1 s, taken as one"
    ]
    chosen = read_segmentations(path, time_units=0.1, coders="ann", labels="a,b")
    assert (list(chosen["talk"]), kinds(chosen)) == ([1, 9, 3, 7], [])
    assert list(read_segmentations(path)["talk"]) == [2, 2]


def test_words_may_be_in_a_tier_of_any_name(read, write):
    tiers = {"ORT": [*WORDS[:-1], (1.6, 2, "sil")], "ann": [(0, 1.5, "a"), (1.5, 2, "b")]}
    path = write("talk.TextGrid", longer(tiers))
    table = read_segmentations(path, time_units="ORT")
    assert list(table["talk"]) == [3]  # the boundary is behind the middle of the last word
    assert kinds(table) == [
        "intervals of silence in the tier of the units, which are none",
        "boundaries within words, taken at the nearer end of the word",
    ]
    assert read(longer({"Ann - Words": WORDS, "ann": TIERS["ann"]})) == {"": [2, 2]}
    silent = {"words": [(0, 2, "")], "ann": TIERS["ann"]}
    with pytest.raises(FormatError, match="line 11: has no word in the tier 'words'"):
        read(longer(silent))


def test_labels_that_count_are_those_of_intervals_and_points(read):
    assert read(longer(TIERS), coders="cat", labels="4") == {"cat": [2, 2]}
    assert read(longer(TIERS), coders="ben", labels="b") == {"ben": [1, 1, 2]}
    assert read(longer(TIERS), coders="ben", labels="a") == {"ben": [1, 3]}
    with pytest.raises(FormatError, match=r"has no label 'x' \(labels=\); it has a, b$"):
        read(longer(TIERS), coders="ann,ben", labels="x")
    assert read(longer(TIERS), coders="ann,cat", labels="a") == {"ann": [2, 2], "cat": [4]}


def test_a_tier_nobody_touched_is_not_coded(read, write):
    tiers = {**TIERS, "ben": [(0, 2, "")], "dan": [(0, 2, "all")]}
    path = write("talk.TextGrid", longer(tiers))
    tables = read_coders(path)
    assert list(tables) == ["ann", "cat", "dan"]
    assert list(tables["dan"]["talk"]) == [4]
    assert "tiers without a label or a boundary, taken as not coded" in kinds(tables["ann"])
    with pytest.raises(FormatError, match="no label and no boundary in any tier"):
        read(longer({"words": WORDS, "ann": [(0, 2, "")]}))


def test_tiers_of_one_name_and_without_are_numbered(read):
    content = longer({"words": WORDS, "ann": TIERS["ann"], "x": TIERS["ben"], "y": TIERS["ann"]})
    content = content.replace('"x"', '"ann"').replace('"y"', '" "')
    assert list(read(content)) == ["ann", "ann (2)", "tier 4"]


def test_a_folder_of_textgrids_is_paired_by_tier(write, tmp_path):
    write("all/one.TextGrid", longer(TIERS))
    write("all/two.TextGrid", longer({"words": WORDS, "ben": TIERS["ann"]}))
    tables = read_coders(tmp_path / "all")
    assert {coder: list(table) for coder, table in tables.items()} == {
        "ann": ["one"],
        "ben": ["one", "two"],
        "cat": ["one"],
    }


def test_a_single_tier_has_the_name_of_its_file(write):
    ann = write("ann.TextGrid", longer({"words": WORDS, "units": TIERS["ann"]}))
    ben = write("ben.TextGrid", shorter({"words": WORDS, "units": TIERS["ben"]}))
    found = SegmentPairing(references={"ann": str(ann)}, systems={"ben": str(ben)}).read()
    assert (found.names, found.references[0].masses.tolist()) == (("ann", "ben"), [2, 2])
    masses = str(write("a.masses", "2 2\n"))
    reading = ReadingOptions(time_units="1")
    with pytest.raises(OptionError, match="time_units= is for TextGrids, and there is none"):
        SegmentPairing(references={"a": masses}, systems={"b": masses}, reading=reading).read()


def test_recordings_of_two_lengths_are_refused(write):
    one = str(write("a.TextGrid", shorter({"x": TIERS["ann"]})))
    other = str(write("b.TextGrid", shorter({"x": TIERS["ann"]}, 2.1)))
    with pytest.raises(
        InputError, match=r"210 units, and 200 in .*over the same words \(time_units"
    ):
        SegmentPairing(references={"a": one}, systems={"b": other}).read()


def test_free_text_and_comments_have_no_meaning(read):
    content = (
        '"ooTextFile"\n"TextGrid"\n! made by hand\n0s 2s <exists> 1 tier\n'
        '"IntervalTier" "ann" from 0 to 2 ! seconds\n2 intervals:\n0 1.5 "a ! b" 1.5 2 "=" end\n'
    )
    assert read(content, time_units="0.5") == {"": [3, 1]}
    tight = shorter({"ann": TIERS["ann"]}).replace("\n", "\r\n").replace(' = "', '="')
    assert read(tight, time_units="0.5") == {"": [2, 2]}


GRID = longer(TIERS)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"ooBinaryFile\x08TextGrid\0\0\0", "is a binary file of Praat; save it as a text file"),
        ('"Praat chronological TextGrid text file"\n0 2 !', "is a chronological TextGrid"),
        (
            GRID.replace('"TextGrid"', '"PitchTier"'),
            "line 2: is a 'PitchTier' of Praat; want a TextGrid",
        ),
        (GRID[: GRID.index("ben")], "line 55: breaks off where the name of a tier is due"),
        (GRID[:-8], "breaks off where a label is due; want a whole TextGrid"),
        (GRID.replace("xmax = 2\n", "xmax = 0\n", 1), "line 5: ends at 0 s and starts at 0"),
        (
            GRID.replace("size = 4\nitem", "size = 1e300\nitem"),
            "breaks off where the class of a ti",
        ),
        (
            GRID.replace("size = 4\nitem", "size = -1\nitem"),
            "has -1 where the number of tiers is due",
        ),
        (GRID.replace("size = 4\nitem", "size = 0\nitem"), "has no tier; want one a coder"),
        (GRID.replace("<exists>\nsize = 4", "<absent>"), "has no tier; want one a coder"),
        (GRID.replace("xmin = 0.5", "xmin = 1e999"), "line 24: has '1e999' where a time is due"),
        (GRID.replace('text = "we"', "text = we"), r"line 24: has '0\.5' where a label is due"),
        (
            GRID.replace("xmin = 1.6", "xmin = 0.6"),
            r"has 0\.6 s to 2 s in tier 'words'; want times",
        ),
        (GRID.replace('"TextTier"', '"Tier"'), "has the tier class 'Tier'; want IntervalTier"),
        (longer({"words": WORDS}).replace("words", "w"), None),
        (longer({}), "has no tier"),
    ],
)
def test_what_is_wrong_with_a_textgrid(read, content, message):
    if message is None:
        assert read(content, time_units=1) == {"": [1, 1]}
        return
    with pytest.raises(FormatError, match=message):
        read(content)


times = st.lists(st.integers(1, 39), min_size=0, max_size=8, unique=True).map(sorted)
labels = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), max_size=5)


@given(st.dictionaries(st.sampled_from("abc"), times, min_size=1), labels)
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_the_two_formats_and_kinds_of_tiers_are_one(read, borders, label):
    expected, tiers = {}, {}
    for name, inner in borders.items():
        edges = [0, *inner, 40]
        expected[name] = [b - a for a, b in pairwise(edges)]
        spans = pairwise(edges)
        tiers[name] = [(a / 10, b / 10, f"x{label}") for a, b in spans]
        if inner and name == "c":
            tiers[name] = [(edge / 10, label) for edge in inner]
    if len(expected) == 1:
        expected = {"": next(iter(expected.values()))}
    assert read(longer(tiers, 4), time_units="0.1") == expected
    assert read(shorter(tiers, 4), time_units="0.1") == expected
