"""Languages that are asked for and are not in the file: told, not read as empty sides."""

import pytest

from bitext.errors import FormatError
from formats.samples import kinds, read, read_all


def tmx(*units, header='<header srclang="en"/>'):
    inside = "".join(
        "<tu>"
        + "".join(f'<tuv xml:lang="{code}"><seg>{code}</seg></tuv>' for code in codes)
        + "</tu>"
        for codes in units
    )
    return f"<tmx>{header}<body>{inside}</body></tmx>"


def test_a_first_unit_with_a_source_of_its_own_is_noted():
    content = tmx(("en", "fr"), ("en", "fr")).replace("<tu>", '<tu srclang="fr">', 1)
    found = read("tmx", content)
    assert (found.src.lang, found.tgt.lang) == ("fr", "en")
    assert kinds(found) == {
        "files whose first unit has another srclang than the header, taken as the source of all "
        "(src_lang= names another)": 1
    }
    assert not read("tmx", content, src_lang="en").notes


EN_FR = [("en", "fr")] * 3


@pytest.mark.parametrize("parts", [False, True])
@pytest.mark.parametrize(
    ("src", "tgt", "missing"),
    [("en", "pt", "'pt'"), ("", "pt", "'pt'"), ("es", "pt", "'es' nor in 'pt'")],
)
def test_a_language_of_no_unit(src, tgt, missing, parts):
    message = rf"has no text in {missing}; it holds en, fr: ask for two of them \(src_lang="
    with pytest.raises(FormatError, match=message):
        read_all("tmx", tmx(*EN_FR), src_lang=src, tgt_lang=tgt, parts=parts)


def test_a_language_of_some_unit_is_enough():
    bt = read("tmx", tmx(*EN_FR, ("en", "pt-BR")), src_lang="en", tgt_lang="pt")
    assert bt.pairs()[-1] == (["en"], ["pt-BR"])


def test_a_language_that_the_header_names_may_have_no_texts():
    header = '<header srclang="en"><prop type="x-targetlang">fr</prop></header>'
    content = tmx(("en",), ("en",), header=header)
    bt = read("tmx", content, src_lang="en", tgt_lang="fr")
    assert bt.pairs() == [(["en"], []), (["en"], [])]
    with pytest.raises(FormatError, match="no text in 'de'"):
        read("tmx", content, src_lang="en", tgt_lang="de")


def test_a_file_without_units_has_no_wrong_language():
    assert not read("tmx", tmx(), src_lang="en", tgt_lang="pt").pairs()


def test_one_language_on_both_sides_wants_two_texts_of_it():
    assert read("tmx", tmx(("en", "en")), src_lang="en", tgt_lang="en").pairs()
    with pytest.raises(FormatError, match="no unit with two texts in 'en', which is asked for on"):
        read("tmx", tmx(*EN_FR), src_lang="en", tgt_lang="en")


def test_one_language_that_is_none_of_several_is_named():
    message = r"languages: en, fr, and none in 'xx'; choose two \(src_lang= and tgt_lang=\)"
    with pytest.raises(FormatError, match=message):
        read("tmx", tmx(*EN_FR), src_lang="xx")
    with pytest.raises(FormatError, match=r"languages: en, fr, de; choose two \(tgt_lang=\)"):
        read("tmx", tmx(("en", "fr", "de")), src_lang="en")


@pytest.mark.parametrize("header", ["<header/>", '<header srclang="*all*"/>'])
def test_a_file_that_does_not_say_its_source_is_noted(header):
    unit = '<tu><tuv xml:lang="de"><seg>a</seg></tuv><tuv xml:lang="en"><seg>b</seg></tuv></tu>'
    content = f'<tmx version="1.4">{header}<body>{unit}</body></tmx>'
    told = (
        "files that do not say which language is the source, of which the first is taken "
        "(src_lang= names another)"
    )
    found = read("tmx", content)
    assert (found.src.lang, found.tgt.lang) == ("de", "en")
    assert kinds(found) == {told: 1}
    for asked in ({"src_lang": "en"}, {"tgt_lang": "de"}):
        found = read("tmx", content, **asked)
        assert (found.src.lang, found.tgt.lang, kinds(found)) == ("en", "de", {})


@pytest.mark.parametrize(
    ("claim", "codes", "langs"),
    [
        ("en-US", ("de", "en"), ("en", "de")),
        ("en-US", ("de", "en-GB"), ("en-GB", "de")),
        ("en", ("de", "en-GB"), ("en-GB", "de")),
        ("en-US", ("en-GB", "en-AU"), ("en-GB", "en-AU")),
    ],
)
def test_the_source_may_be_another_kind_of_the_language_of_the_header(claim, codes, langs):
    found = read("tmx", tmx(codes, codes, header=f'<header srclang="{claim}"/>'))
    assert (found.src.lang, found.tgt.lang) == langs
    assert found.pairs() == [([langs[0]], [langs[1]])] * 2
    alike = [note.first for note in found.notes if note.kind.startswith("files whose texts are in")]
    is_noted = claim == "en-US" and "de" in codes
    assert [first.endswith(f"{langs[0]} for en-US") for first in alike] == [True] * is_noted


@pytest.mark.parametrize("parts", [False, True])
def test_two_kinds_of_the_language_of_the_header_are_source_and_target(parts):
    header = '<header srclang="pt"/>'
    units = [("pt-BR", "pt-PT"), ("pt-PT", "pt-BR"), ("pt-PT",)]
    (bt,) = read_all("tmx", tmx(*units, header=header), parts=parts)
    assert (bt.src.lang, bt.tgt.lang) == ("pt-BR", "pt-PT")
    assert bt.pairs() == [(["pt-BR"], ["pt-PT"])] * 2 + [([], ["pt-PT"])]
    assert any(kind.startswith("files that do not say which language") for kind in kinds(bt))
    (bt,) = read_all("tmx", tmx(*units, header=header), src_lang="pt-PT", parts=parts)
    assert bt.pairs()[0] == (["pt-PT"], ["pt-BR"])
