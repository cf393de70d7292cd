"""What is written in TMX and XLIFF is read rightly by Translate Toolkit, and TMX by mtdata.

Within what they can read. Both give one text a side, so segments of a side are joined. Translate
Toolkit gives native code as text; inline marks are tested with those whose content is text, or that
have none. mtdata strips segments, unescapes entities of HTML in them once more, makes blanks of
tabs and line ends, cuts a segment at its first mark, and leaves out what is empty on a side.
"""

import html
import io
import logging
import warnings

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bitext import Alignment, Bitext, Text
from bitext.formats.registry import WriteOptions, by_name
from bitext.formats.xml import FORBIDDEN
from formats.samples import inline, segment

AWKWARD = [
    (["Hello, world."], ["Bonjour le monde."]),
    (["One.", "Two."], ["Un et deux."]),
    (["alone"], []),
    ([], ["seul"]),
    (["a < b & c > d \"e\" 'f'"], ["]]> <![CDATA[x]]> <!-- y --> <?z?>"]),
    (["&amp; &lt;b&gt; &#65; &eacute; &amp;lt;"], ["&amp;amp;", "R&D"]),
    (["  two  blanks  "], ["\ttab\nline\r\nend\r"]),
    (["𝄞😀 e\u0301"], ["\u202eשלום\u202c مرحبا"]),
    (["\x85 \u2028 \u2029 \ufeff \xa0"], ["\u200b\u200d"]),
    ([""], ["empty on the left"]),
    (["empty on the right"], [""]),
    (["x" * 100_000], ["y" * 3, "", "z"]),
]

side = st.lists(segment.map(lambda text: FORBIDDEN.sub("", text)), max_size=3)
bisegments = st.lists(st.tuples(side, side).filter(any), min_size=1, max_size=6)
few = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])

# The module of Translate Toolkit, and its class, by the format.
TOOLKIT = {
    "tmx": ("tmx", "tmxfile"),
    "xliff12": ("xliff", "xlifffile"),
    "xliff2": ("xliff2", "Xliff2File"),
}


@pytest.fixture(scope="module", params=TOOLKIT)
def toolkit(request):
    """Give a format, and the function by which Translate Toolkit reads its units."""
    module, kind = TOOLKIT[request.param]
    store = getattr(pytest.importorskip(f"translate.storage.{module}"), kind)

    def units(content):
        if request.param == "tmx":
            found = store.parsestring(content, sourcelanguage="en", targetlanguage="fr")
        else:
            found = store.parsestring(content)
        return [(unit.source, unit.target) for unit in found.units]

    return request.param, units


@pytest.fixture(scope="module")
def mtdata():
    """Give mtdata's reader of TMX; its import takes over the log of the program."""
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    pytest.importorskip("mtdata")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from mtdata.tmx import read_tmx
    root.setLevel(level)
    root.handlers[:] = handlers
    return read_tmx


def content(name, *bitexts):
    out = io.StringIO()
    options = WriteOptions(src_lang="en", tgt_lang="fr")
    by_name(name).write(bitexts, out, options=options)
    return out.getvalue().encode()


def joined(pairs, none=None):
    """Return what a reader of one text a side is to give; `none` stands for an absent one."""
    return [tuple(" ".join(texts) if texts else none for texts in pair) for pair in pairs]


def as_toolkit(name, pairs):
    expected = joined(pairs)
    if name == "tmx":
        return expected
    # XLIFF cannot be without a source: an empty one, as far as the toolkit can tell.
    return [("" if src is None else src, tgt) for src, tgt in expected]


def as_mtdata(pairs):
    kept = [pair for pair in joined(pairs, "") if all(text.strip() for text in pair)]
    return [tuple(map(by_mtdata, pair)) for pair in kept]


def by_mtdata(text):
    return html.unescape(text.strip()).replace("\n", " ").replace("\t", " ")


@few
@example(AWKWARD)
@given(bisegments)
def test_translate_toolkit_reads_what_is_written(toolkit, pairs):
    name, units = toolkit
    assert units(content(name, inline(pairs))) == as_toolkit(name, pairs)


@few
@example(AWKWARD)
@given(bisegments)
def test_mtdata_reads_what_is_written(mtdata, tmp_path, pairs):
    # It refuses files without any pair.
    pairs = [*pairs, (["last"], ["dernier"])]
    path = tmp_path / "made.tmx"
    path.write_bytes(content("tmx", inline(pairs)))
    assert list(mtdata(path, langs=("en", "fr"))) == [
        pair for pair in as_mtdata(pairs) if all(pair)
    ]


def test_parts_and_several_document_pairs_are_one_memory(mtdata, tmp_path):
    first, second = AWKWARD[:6], AWKWARD[6:]
    part = inline(second)
    part = Bitext(part.src, part.tgt, part.alignment, continues=True)
    path = tmp_path / "made.tmx"
    path.write_bytes(content("tmx", inline(first), part, inline(AWKWARD)))
    assert list(mtdata(path, langs=("en", "fr"))) == as_mtdata(AWKWARD) * 2


def test_translate_toolkit_reads_parts(toolkit):
    name, units = toolkit
    part = inline(AWKWARD[6:])
    part = Bitext(part.src, part.tgt, part.alignment, continues=True)
    assert units(content(name, inline(AWKWARD[:6]), part)) == as_toolkit(name, AWKWARD)


def test_translate_toolkit_reads_the_text_of_marks(toolkit):
    name, units = toolkit
    marked = [
        ["Press <hi>OK &amp; <hi>go</hi></hi> now.", '<bpt i="1"/>All<ept i="1"/>', None],
        ['<ph x="1"/>Un', None, '<it pos="begin"/>deux'],
    ]
    plain = [["Press OK & go now.", "All", "no marks"], ["Un", "sans", "deux"]]
    src, tgt = (
        Text(texts, lang=lang, marked=marks)
        for texts, marks, lang in zip(plain, marked, ("en", "fr"), strict=True)
    )
    bitext = Bitext(src, tgt, Alignment([((k,), (k,)) for k in range(3)]))
    written = content(name, bitext)
    assert written != content(name, inline([([a], [b]) for a, b in zip(*plain, strict=True)]))
    assert units(written) == list(zip(*plain, strict=True))


def test_columns_that_are_written_beside_do_not_hide_the_texts(toolkit, mtdata, tmp_path):
    pairs = [(["One."], ["Un."]), (["Two.", "Three."], ["Deux."])]
    columns = {"tuid": ["1", None], "prop:x-a": ["b & c", "d"], "note": [None, "<e>"]}
    bitext = inline(pairs, scores=[0.5, 0.25], attributes=columns)
    name, units = toolkit
    assert units(content(name, bitext)) == joined(pairs)
    path = tmp_path / "made.tmx"
    path.write_bytes(content("tmx", bitext))
    assert list(mtdata(path, langs=("en", "fr"))) == joined(pairs)
