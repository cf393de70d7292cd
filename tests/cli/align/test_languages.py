"""Languages that neither options, names nor documents tell are those of the words."""

import pytest

from bitext.errors import MissingExtraError
from bitext.segment.sentences import language_of_words, other_language

FRENCH = (
    "Il est entré dans la maison, et elle ne vit pas ce que je vis.\n"
    "Puis ils sont partis, et le village était calme.\nNous ne savons pas où il est.\n"
)
GERMAN = (
    "Er ging in das Haus, und sie sah nicht, was ich sah.\n"
    "Dann gingen sie fort, und es war still im Dorf.\nWir wissen nicht, wo er ist.\n"
)


@pytest.fixture(params=[True, False], ids=["py3langid", "words"])
def extra(request, monkeypatch):
    """With the extra, and without it."""
    if request.param:
        pytest.importorskip("py3langid")
        return True

    def missing(_):
        raise MissingExtraError("the identification of languages", extra="languages")

    monkeypatch.setattr("bitext.segment.sentences.identified_language", missing)
    return False


@pytest.mark.usefixtures("extra")
def test_languages_of_sentences_are_written_and_told(bitext, write, tmp_path):
    sides = write("one", FRENCH), write("two", GERMAN)
    found = bitext("align", *sides, "-o", tmp_path / "o.tmx")
    assert found.status == 0
    assert "texts taken for fr by their words (--src-lang, --tgt-lang name others): 1" in found.err
    memory = (tmp_path / "o.tmx").read_text("utf-8")
    assert 'xml:lang="fr"' in memory
    assert 'xml:lang="de"' in memory
    found = bitext("align", *sides, "-o", tmp_path / "o.tsv")  # names no languages
    assert "by their words" not in found.err


@pytest.mark.usefixtures("extra")
def test_languages_of_split_texts_are_written(bitext, write, tmp_path):
    sides = write("one", FRENCH), write("two", GERMAN)
    found = bitext("align", *sides, "--split", "--layout", "lines", "-o", tmp_path / "o.tmx")
    assert "texts split as fr, by their words (--src-lang, --tgt-lang): 1" in found.err
    assert 'xml:lang="fr"' in (tmp_path / "o.tmx").read_text("utf-8")


def test_exchanged_and_wrong_languages_are_told(bitext, write):
    sides = write("one", FRENCH), write("two", GERMAN)
    found = bitext("align", *sides, "--src-lang", "de", "--tgt-lang", "fr")
    assert (
        "their words are those of fr and de, and they are given as de and fr: exchange the two "
        "texts, or the two languages"
    ) in found.err
    found = bitext("align", *sides, "--src-lang", "fr", "--tgt-lang", "en-GB")
    assert "two: its words are those of de, and it is given as en-GB" in found.err
    found = bitext("align", *sides, "--src-lang", "fr", "--tgt-lang", "de-AT")
    assert "words" not in found.err


@pytest.mark.usefixtures("at_hand")
def test_exchanged_languages_of_a_corpus_are_told(bitext, write, tmp_path):
    for name in "abc":
        write(f"one/{name}", FRENCH)
        write(f"two/{name}", GERMAN)
    command = ["align", tmp_path / "one", tmp_path / "two", "--to", "tsv"]
    langs = ["--src-lang", "de", "--tgt-lang", "fr"]
    found = bitext(*command, "-o", f"{tmp_path}/out/", *langs)
    assert "their words are those of fr and de, and they are given as de and fr" in found.err
    assert "2 other pairs of texts with words of other languages" in found.err
    found = bitext(*command, "-o", f"{tmp_path}/jobs/", *langs, "--journal", tmp_path / "j", "-v")
    assert "texts with words of other languages than they are given as: 3" in found.err


def test_two_sides_of_one_language_stay_unknown(bitext, write, tmp_path):
    sides = write("one", GERMAN), write("two", GERMAN)
    found = bitext("align", *sides, "-o", tmp_path / "o.tmx")
    assert found.status == 0
    assert "texts of which both are in de by their words, so no language is taken" in found.err
    assert "und-x-src" in (tmp_path / "o.tmx").read_text("utf-8")


def test_texts_in_one_file_have_one_language(bitext, write, tmp_path):
    for name, src, tgt in (("a", FRENCH, GERMAN), ("b", "Oui.\n", "Ja.\n")):
        write(f"one/{name}", src)
        write(f"two/{name}", tgt)
    folders = tmp_path / "one", tmp_path / "two"
    found = bitext("align", *folders, "-o", tmp_path / "o.tmx")
    assert "texts taken for fr by their words (--src-lang, --tgt-lang name others): 2" in found.err
    assert "und" not in (tmp_path / "o.tmx").read_text("utf-8").replace("und ", "")
    write("one/b", GERMAN)
    found = bitext("align", *folders, "-o", tmp_path / "p.tmx")
    assert found.status == 0
    assert "texts whose words are of several languages (fr, de), so none is taken" in found.err


@pytest.mark.usefixtures("extra")
def test_a_named_language_is_doubted_by_clear_words_only():
    assert other_language(GERMAN.split("\n") * 2, "en") == "de"
    assert other_language(GERMAN.split("\n") * 2, "de-CH") == ""
    assert other_language(["Tessel Ferry 12 14 18"], "en") == ""
    assert language_of_words(["Tessel Ferry 12 14 18"]) == ""


CROATIAN = (
    "On je ušao u kuću i nije vidio što sam ja vidio.\nZatim su otišli i selo je bilo mirno.\n"
    "Mi ne znamo gdje je on, ali ćemo ga tražiti sutra.\n"
)


@pytest.mark.usefixtures("extra")
def test_relatives_are_split_by_common_rules(bitext, write):
    side = write("one", CROATIAN * 2)
    found = bitext("align", side, side, "--split", "--layout", "lines")
    assert "texts split as bs, by their words (--src-lang, --tgt-lang): 2" in found.err


HIRAGANA = "むかしむかし、あるところに、おじいさんとおばあさんがすんでいました。\n" * 3


@pytest.mark.parametrize("exchanged", [False, True])
def test_kana_are_letters_of_japanese(bitext, write, exchanged):
    sides = write("one", HIRAGANA), write("two", "Once upon a time there was an old man.\n" * 3)
    langs = ("--src-lang", "ja", "--tgt-lang", "en")
    found = bitext("align", *(sides[::-1] if exchanged else sides), *langs)
    assert found.err.count("has hardly any letters of") == 2 * exchanged


@pytest.mark.parametrize(("langs", "told"), [(("fra", "deu"), False), (("deu", "fra"), True)])
def test_codes_of_three_letters_are_exchanged_as_those_of_two(bitext, write, langs, told):
    sides = write("one.fr", FRENCH), write("two.de", GERMAN)
    found = bitext("align", *sides, "--src-lang", langs[0], "--tgt-lang", langs[1])
    names = "--src-lang deu --tgt-lang fra the other way round: exchange two of them"
    assert (names in found.err) == told
    assert ("exchange the two texts, or the two languages" in found.err) == told
    assert "misspelt" not in found.err


@pytest.mark.parametrize(
    ("ending", "code", "told"),
    [("no", "nb", False), ("nn", "no", False), ("in", "id", False), ("nb", "nn", True)],
)
def test_one_language_of_two_codes_is_not_misspelt(bitext, write, ending, code, told):
    sides = write(f"one.{ending}", "Det var en mann.\n"), write("two.de", GERMAN)
    found = bitext("align", *sides, "--src-lang", code, "--tgt-lang", "de")
    assert ("misspelt" in found.err) == told


def test_the_number_of_a_volume_is_no_language(bitext, write):
    sides = write("book.ii.txt", GERMAN), write("livre.ii.txt", FRENCH)
    langs = ("--src-lang", "de", "--tgt-lang", "fr")
    assert "misspelt" not in bitext("align", *sides, *langs).err
    assert "split as de" in bitext("align", *sides, "--split").err
