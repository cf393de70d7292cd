"""The layout that all books share: rows, chapters, contents, titles and runs."""

import re
from dataclasses import replace
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext import Alignment, Bitext, InputError, Segmentation, Text
from bitext.formats.books import Run, block_runs, language_tag, make_book, shows_codes
from bitext.formats.books.html import row_html
from bitext.formats.registry import BookOptions, WriteOptions
from bitext.model import Blocks

PARAGRAPH = "paragraph"


def blocks(*each, title=""):
    """Blocks of pairs (kind, number of segments), or triples with a level."""
    begins, at = [], 0
    for block in each:
        begins.append(at)
        at += block[1]
    levels = tuple(block[2] if len(block) > 2 else 0 for block in each)
    kinds = tuple(block[0] for block in each)
    return Blocks(tuple(begins), kinds, levels, ("",) * len(each), title)


def book_of(*bitexts, **options):
    return make_book(bitexts, WriteOptions(book=BookOptions(**options)), format="book-html")


def texts_of(book):
    return [
        tuple(tuple(block.text for block in side) for side in row.sides)
        for chapter in book.chapters
        for row in chapter.rows
    ]


def test_a_row_is_the_fewest_paragraphs_that_no_bead_crosses():
    src = Text(
        ["Mill", "A.", "B.", "C.", "D."],
        lang="en",
        blocks=blocks(("heading", 1, 1), (PARAGRAPH, 2), (PARAGRAPH, 1), (PARAGRAPH, 1)),
    )
    tgt = Text(
        ["Mühle", "a.", "b. c.", "e."],
        lang="de",
        blocks=blocks(("heading", 1, 1), (PARAGRAPH, 1), (PARAGRAPH, 1), (PARAGRAPH, 1)),
    )
    beads = [((0,), (0,)), ((1,), (1,)), ((2, 3), (2,)), ((4,), ()), ((), (3,))]
    book = book_of(Bitext(src, tgt, Alignment(beads)))
    assert texts_of(book) == [
        (("Mill",), ("Mühle",)),
        (("A. B.", "C."), ("a.", "b. c.")),
        (("D.",), ()),
        ((), ("e.",)),
    ]
    row = book.chapters[0].rows[1]
    assert [[s.beads for s in block.sentences] for block in row.sides[0]] == [[(1,), (2,)], [(2,)]]
    assert [[s.beads for s in block.sentences] for block in row.sides[1]] == [[(1,)], [(2,)]]
    assert (book.title, book.sides[1].title) == ("Mill · Mühle", "Mühle")


@given(
    st.lists(st.integers(1, 3), max_size=4),
    st.lists(st.integers(1, 3), max_size=4),
    st.data(),
)
def test_rows_cross_no_bead_and_are_as_small_as_can_be(masses, other, data):
    sizes = sum(masses), sum(other)
    sides = [
        Text([f"{name}{k}" for k in range(size)], blocks=blocks(*((PARAGRAPH, m) for m in each)))
        if each
        else Text([])
        for name, size, each in zip("st", sizes, (masses, other), strict=True)
    ]
    bead = st.tuples(*(st.sets(st.integers(0, n - 1)) if n else st.just(set()) for n in sizes))
    beads = [tuple(map(tuple, map(sorted, b))) for b in data.draw(st.lists(bead, max_size=4))]
    beads = [b for b in beads if b[0] or b[1]]
    if not any(sizes):
        return
    book = book_of(Bitext(*sides, Alignment(beads)))
    rows = texts_of(book)
    for side, text in enumerate(sides):
        written = [word for row in rows for block in row[side] for word in block.split()]
        assert written == list(text.segments())
    places = [{} for _ in sides]
    for k, row in enumerate(rows):
        for side in (0, 1):
            places[side] |= {word: k for block in row[side] for word in block.split()}
    for src, tgt in beads:
        assert len({*(places[0][f"s{i}"] for i in src), *(places[1][f"t{j}"] for j in tgt)}) == 1
    if len(masses) > 1 and len(other) > 1:
        assert len(rows) == _longest_chain(
            [*accumulate(masses, initial=0)], [*accumulate(other, initial=0)], beads
        )


def _longest_chain(rows, columns, beads):
    """The most steps over points that no bead crosses, from the first point to the last."""
    steps = {}
    for i in rows:
        for j in columns:
            before = (
                [(s < i for s in src) for src, _ in beads],
                [(t < j for t in tgt) for _, tgt in beads],
            )
            free = all(len({*a, *b}) == 1 for a, b in zip(*before, strict=True))
            if free:
                earlier = [n for (a, b), n in steps.items() if a <= i and b <= j]
                steps[i, j] = max(earlier, default=-1) + 1
    return steps[rows[-1], columns[-1]]


def test_rows_are_beads_on_demand_and_where_texts_have_no_paragraphs():
    src, tgt = Text(["A.", "B.", "C."], lang="en"), Text(["甲。", "乙。", "丙。"], lang="zh")
    beads = Alignment([((0,), (0, 1)), ((1, 2), (2,))])
    expected = [(("A.",), ("甲。乙。",)), (("B. C.",), ("丙。",))]
    assert texts_of(book_of(Bitext(src, tgt, beads))) == expected
    marked = Text(src.segments(), paragraphs=Segmentation([2, 1]))
    as_paragraphs = [(("A. B.", "C."), ("甲。乙。丙。",))]
    assert texts_of(book_of(Bitext(marked, tgt, beads))) == as_paragraphs
    book = book_of(Bitext(marked, tgt, beads), rows="bead")
    assert texts_of(book) == [(("A.",), ("甲。乙。",)), (("B.", "C."), ("丙。",))]
    assert [row.sides[0][0].goes_on for row in book.chapters[0].rows] == [False, True]
    turned = book_of(Bitext(src, tgt, beads), first="tgt")
    assert [side.lang for side in turned.sides] == ["zh", "en"]
    assert texts_of(turned) == [(right, left) for left, right in expected]


def test_cells_of_a_row_of_a_table_are_in_one_row():
    each = blocks(("cell", 1, 1), ("cell", 1, 2), ("cell", 1, 2), ("cell", 1, 1), ("cell", 1, 3))
    text = Text(["a", "b", "b too", "c", "d"], blocks=each)
    beads = Alignment([((k,), (k,)) for k in range(5)])
    rows = texts_of(book_of(Bitext(text, text, beads)))
    assert [row[0] for row in rows] == [("a", "b", "b too"), ("c", "d")]


def test_chapters_begin_at_headings_of_the_highest_level_that_several_have():
    each = blocks(
        ("heading", 1, 1), (PARAGRAPH, 1), ("heading", 1, 2), (PARAGRAPH, 1), ("heading", 1, 3),
        (PARAGRAPH, 1), ("heading", 1, 2), (PARAGRAPH, 1), title="A novel",
    )  # fmt: skip
    long = "a " * 800
    text = Text(["T", "by X", "I", long, "i", long, "II", long], lang="en", blocks=each)
    beads = Alignment([((k,), (k,)) for k in range(8)])
    book = book_of(Bitext(text, text.in_language("de"), beads))
    assert [chapter.titles for chapter in book.chapters] == [("T", "T"), ("I", "I"), ("II", "II")]
    contents = [(each.depth, each.titles[0], each.chapter, each.row) for each in book.contents]
    assert contents == [
        (1, "T", 0, 0), (2, "I", 1, 0), (3, "i", 1, 2), (2, "II", 2, 0),
    ]  # fmt: skip
    assert book.title == "A novel"
    assert book_of(Bitext(text, text, beads), title="Mine").title == "Mine"
    short = Text(["T", "by X", "I", "a", "i", "b", "II", "c"], lang="en", blocks=each)
    (chapter,) = book_of(Bitext(short, short, beads)).chapters  # of sections, not a page each
    assert (chapter.titles, len(chapter.rows)) == (("T", "T"), 8)


def test_each_of_several_texts_is_a_chapter_with_a_title_or_the_name():
    headed = Text(["One", "a"], lang="en", blocks=blocks(("heading", 1, 1), (PARAGRAPH, 1)))
    plain = Text(["b", "c"], blocks=blocks((PARAGRAPH, 1), (PARAGRAPH, 1)))
    beads = Alignment([((0,), (0,)), ((1,), (1,))])
    first = Bitext(headed, headed.in_language("fr"), beads, name="ch1")
    second = Bitext(plain, plain, beads, name="books/ch2.txt")
    rest = Bitext(plain, plain, beads, continues=True)
    book = book_of(first, second, rest)
    assert book.title == "2 texts (en, fr)"
    assert [(each.titles, each.is_named) for each in book.chapters] == [
        (("One", "One"), False),
        (("ch2", ""), True),
    ]
    assert [(entry.depth, entry.row) for entry in book.contents] == [(1, 0), (1, -1)]
    numbers = {
        n
        for c in book.chapters
        for r in c.rows
        for b in r.sides[0]
        for s in b.sentences
        for n in s.beads
    }
    assert numbers == set(range(6))


def test_sides_run_as_their_language_or_their_characters_do():
    beads = Alignment([((0,), (0,))])
    named = book_of(Bitext(Text(["?"], lang="ar-EG"), Text(["?"], lang="ja"), beads))
    assert [side.right_to_left for side in named.sides] == [True, False]
    guessed = book_of(Bitext(Text(["שלום, world"]), Text(["Hello"]), beads))
    assert [side[:2] for side in guessed.sides] == [("", False), ("", False)]
    guessed = book_of(Bitext(Text(["שלום עולם"]), Text(["Hello"]), beads))
    assert [side[:2] for side in guessed.sides] == [("", True), ("", False)]
    assert [language_tag(code) for code in ("en_GB", "x y", "")] == ["en-GB", "", ""]


def test_what_no_book_can_show_is_refused():
    beads = Alignment([((0,), (0,))])
    with pytest.raises(InputError, match=r"book-html takes texts, but the target text is known by"):
        book_of(Bitext(Text(["a"]), None, beads))
    with pytest.raises(InputError, match=r"x\.txt sentence 1: has the character U\+0001, which no"):
        book_of(Bitext(Text(["a\x01"], name="x.txt"), Text(["a"]), beads))
    with pytest.raises(InputError, match=r"there is no sentence to make a book of"):
        book_of(Bitext(Text([]), Text([]), Alignment([])))


def test_codes_become_styles_which_reach_over_sentences():
    runs = block_runs(
        ["One two", "three", "four five"],
        ['One <it pos="begin" type="italic"/>two', None, 'four<it pos="end"/> five'],
    )
    assert runs == [
        (Run("One "), Run("two", ("italic",))),
        (Run("three", ("italic",)),),
        (Run("four", ("italic",)), Run(" five")),
    ]
    nested = '<bpt i="1">&lt;b&gt;</bpt>a<bpt i="2" type="italic"/>b<ept i="2"/><ept i="1"/>'
    assert block_runs(["ab"], [nested]) == [(Run("a", ("bold",)), Run("b", ("bold", "italic")))]


@pytest.mark.parametrize(
    ("xml", "expected"),
    [
        ('<bpt i="1">&lt;a href="https://a.example/?x=1&amp;amp;y"&gt;</bpt>a<ept i="1"/>',
         [Run("a", (), "https://a.example/?x=1&y")]),
        ('<bpt i="1">&lt;a href="javascript:alert(1)"&gt;</bpt>a<ept i="1"/>', [Run("a")]),
        ('<bpt i="1" type="link">&lt;a href="http://a b"&gt;</bpt>a<ept i="1"/>', [Run("a")]),
        ('a<ph type="lb">&lt;br/&gt;</ph> b', [Run("a"), Run("\n"), Run(" b")]),
        ('a<ph type="fnote">&lt;note id="3"/&gt;</ph>', [Run("a"), Run("1", ("superscript",))]),
        ('a<ph type="fnote">[^x]</ph>', [Run("a"), Run("1", ("superscript",))]),
        ('a<ph type="fnote">&lt;a href="#n"&gt;*&lt;/a&gt;</ph>',
         [Run("a"), Run("*", ("superscript",))]),
        ('a<ph type="image">&lt;img alt="A mill"/&gt;</ph>',
         [Run("a"), Run("[A mill]", ("italic",))]),
        ('漢<ph type="x-ruby">&lt;rt&gt;かん&lt;/rt&gt;</ph>',
         [Run("漢"), Run("(かん)", ("small",))]),
        ("<ph>%s</ph> files", [Run("%s", ("code",)), Run(" files")]),
        ("a<ph>&lt;script&gt;</ph>b", [Run("ab")]),
        ('<hi type="bold">a</hi>', [Run("a", ("bold",))]),
        ('a<ph type="fnote">\\f*</ph>', [Run("a")]),
    ],
)  # fmt: skip
def test_each_code_is_shown_as_what_it_means(xml, expected):
    assert block_runs(["?"], [xml]) == [tuple(expected)]


def test_segments_with_codes_that_a_book_does_not_show_are_told():
    assert shows_codes('<bpt i="1" type="bold"/>a<ept i="1"/><ph type="lb"/>')
    assert not shows_codes('<bpt i="1" type="font"/>a<ept i="1"/>')
    assert not shows_codes('<ph type="image">&lt;img alt="A mill"/&gt;</ph>')
    assert not shows_codes("<ph>&lt;x/&gt;</ph>")
    assert not shows_codes('<ph type="x-math">&lt;math/&gt;</ph>')


def test_long_codes_are_cut_and_formulas_are_whole():
    formula, variable = "+".join("xy" * 30), "{" + "name" * 12 + "}"
    xml = f'<ph type="x-math">&lt;math&gt;{formula}&lt;/math&gt;</ph>', f"<ph>{variable}</ph>"
    assert [runs[0].text for runs in block_runs(["", ""], xml)] == [formula, f"{variable[:39]}…"]
    assert list(map(shows_codes, xml)) == [True, False]


def test_notes_have_the_numbers_of_their_references_and_verses_their_own():
    each = blocks((PARAGRAPH, 1), (PARAGRAPH, 1), ("verse", 1), ("note", 2), ("note", 1))
    each = replace(each, labels=("", "", "3:16", "n7", "n4"))
    mark = '{}<ph type="fnote">&lt;note id="n{}"/&gt;</ph>'
    marked = [mark.format("a", 4), mark.format("b", 7), None, None, None, None]
    text = Text(["a", "b", "c", "d", "e", "f"], blocks=each, marked=marked)
    book = book_of(Bitext(text, text, Alignment([((k,), (k,)) for k in range(6)])), rows="bead")
    found = [(row.sides[0][0].text, row.sides[0][0].label) for row in book.chapters[0].rows]
    assert found == [("a1", ""), ("b2", ""), ("c", "3:16"), ("d", "2"), ("e", ""), ("f", "1")]
    html = "".join(row_html(row, book.sides, depth=0, anchor="") for row in book.chapters[0].rows)
    assert '<p class="verse" data-label="3:16">' in html
    assert '<aside class="note" role="doc-footnote"><p data-label="2">' in html


def test_items_have_the_numbers_of_their_lists():
    each = replace(blocks(("item", 2), ("item", 1)), labels=("iv)", ""))
    text = Text(["a", "b", "c"], blocks=each)
    book = book_of(Bitext(text, text, Alignment([((k,), (k,)) for k in range(3)])), rows="bead")
    html = "".join(row_html(row, book.sides, depth=0, anchor="") for row in book.chapters[0].rows)
    parts = re.findall("<li class=[^>]*>", html)[::2]
    assert parts == ['<li class="d1 n" data-label="iv)">', '<li class="d1 on">', '<li class="d1">']


def test_a_text_in_another_language_than_the_book_has_its_own():
    beads = Alignment([((0,), (0,))])
    pairs = [Bitext(Text(["a"], lang="en"), Text(["b"], lang=lang), beads) for lang in ("de", "ar")]
    book = make_book(pairs, WriteOptions(), format="epub")
    targets = [chapter.rows[0].sides[1][0].lang for chapter in book.chapters]
    assert (book.sides[1].lang, targets) == ("de", ["", "ar"])
    book = make_book(pairs, WriteOptions(tgt_lang="fr"), format="epub")
    targets = [chapter.rows[0].sides[1][0].lang for chapter in book.chapters]
    assert (book.sides[1].lang, targets) == ("fr", ["", ""])
