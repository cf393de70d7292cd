"""Which columns of a table are the texts: named by the user, told by a header, or by the cells."""

import json

import pytest

import bitext
from bitext import Bitext, Text
from bitext.errors import FormatError, OptionError
from bitext.formats.columns import Columns
from formats.samples import inline, kinds, read, written

LASER = "1.2345\tThe cat sat.\tDie Katze saß.\n1.1\tHe came.\tEr kam.\n"
TATOEBA = "1276\tLet us try.\t373330\tIntentemos.\n1277\tGo.\t373331\tVe.\n"


def made(tmp_path, content, name="a.tsv", **options):
    path = tmp_path / name
    path.write_text(content)
    return bitext.read(path, **options)


def test_a_column_of_decimal_numbers_before_the_texts_is_the_score():
    bt = read("tsv", LASER)
    assert bt.pairs()[0] == (["The cat sat."], ["Die Katze saß."])
    assert bt.alignment.scores.tolist() == [1.2345, 1.1]
    assert bt.notes[0].first == "made: source 2, target 3, score 1, of 3"
    assert "columns detected from their cells" in bt.notes[0].kind


def test_columns_of_whole_numbers_are_attributes():
    bt = read("tsv", TATOEBA)
    assert bt.pairs() == [(["Let us try."], ["Intentemos."]), (["Go."], ["Ve."])]
    assert bt.alignment.scores is None
    assert bt.alignment.attributes == {"col1": ["1276", "1277"], "col3": ["373330", "373331"]}


def test_the_columns_of_instructions_for_language_models_are_known():
    header = "instruction\tinput\toutput\n"
    bt = read("tsv", header + "Translate\tHe came.\tIl vint.\nTranslate\tYes.\tOui.\n")
    assert bt.pairs() == [(["He came."], ["Il vint."]), (["Yes."], ["Oui."])]


def test_a_concordance_may_begin_after_facts_about_it_or_have_numbers_in_its_header():
    facts = "corpus,preloaded/opus\nquery,mill\nReference,Left,KWIC,Right\nd1,The,mill,stood.\n"
    for rows in (facts, "reference,Left_1,KWIC_1,Right_1,Left_2,KWIC_2,Right_2\nd,a,b,c,d,e,f\n"):
        with pytest.raises(FormatError, match=r"is a concordance, .* join them"):
            read("csv", rows)


@pytest.mark.parametrize("code", ["id", "no"])
def test_a_code_that_is_another_word_is_a_language_above_sentences(code):
    rows = f"en {code} fr\nThe_mill Kincir_itu Le_moulin\nA_dog Anjing_itu Un_chien\n"
    for name, mark in (("tsv", "\t"), ("csv", ",")):
        table = rows.replace(" ", mark).replace("_", " ")
        bt = read(name, table, src_lang="en", tgt_lang=code)
        assert (bt.pairs()[0], bt.tgt.lang) == ((["The mill"], ["Kincir itu"]), code)
        other = read(name, table, src_lang="en", tgt_lang="fr")
        assert other.alignment.attributes == {f"lang:{code}": ["Kincir itu", "Anjing itu"]}
        with pytest.raises(FormatError, match=f"has the languages 'en', '{code}', 'fr'; want two"):
            read(name, table)
    item = json.dumps({"en": "A.", code: "B.", "fr": "C."}) + "\n"
    assert read("jsonl", item, src_lang="en", tgt_lang=code).pairs() == [(["A."], ["B."])]
    # Words and numbers below it are identifiers, as before.
    assert read("tsv", f"{code}\ten\tfr\np 1\tA\tB\n").pairs() == [(["A"], ["B"])]


def test_a_requested_language_chooses_among_translations():
    rows = "key,source_phrase,translation_de,translation_fr\na.b,One,Eins,Un\na.c,Two,Zwei,Deux\n"
    with pytest.raises(
        FormatError, match=r"2 columns that may be the target, .*\(tgt_lang= chooses"
    ):
        read("csv", rows)
    bt = read("csv", rows, tgt_lang="fr")
    assert (bt.pairs(), bt.tgt.lang) == ([(["One"], ["Un"]), (["Two"], ["Deux"])], "fr")


def test_a_concordance_is_refused():
    rows = "Reference,Left,KWIC,Right,Aligned\nd1,The old,mill,stood.,Die alte Mühle stand.\n"
    with pytest.raises(FormatError, match=r"is a concordance, .* \(Left, KWIC, Right\): join them"):
        read("csv", rows)
    bt = read("csv", rows, columns=Columns.of("src=Left,tgt=Aligned"))
    assert bt.pairs() == [(["The old"], ["Die alte Mühle stand."])]


def test_addresses_and_codes_of_languages_hold_no_text():
    line = "https://a.b\teng\tYes.\thttps://c.d\tfra\tOui.\n"
    bt = read("tsv", line + line.replace("Yes", "No").replace("Oui", "Non"))
    assert bt.pairs() == [(["Yes."], ["Oui."]), (["No."], ["Non."])]


@pytest.mark.parametrize(
    ("header", "langs"),
    [
        ("en\tde", ("en", "de")),
        ("pt_BR\tzh-Hans", ("pt_BR", "zh-Hans")),
        ("eng\tdeu", ("eng", "deu")),
        ("English\tIcelandic", ("en", "is")),
    ],
)
def test_two_languages_are_a_header_and_are_noted(header, langs):
    bt = read("tsv", f"{header}\nOne.\tUn.\n")
    assert bt.pairs() == [(["One."], ["Un."])]
    assert (bt.src.lang, bt.tgt.lang) == langs
    assert list(kinds(bt)) == ["first lines taken as a header (head=False reads them as texts)"]


@pytest.mark.parametrize(
    ("header", "langs"),
    [
        ("Source Text\tTarget Text", ("", "")),
        ("Source (en-US)\tTarget: German", ("en-US", "de")),
        ("Quelle\tÜbersetzung", ("", "")),
        ("English\tDeutsch", ("en", "de")),
        ("text_en\ttext_fr", ("en", "fr")),
        ("sentence_eng_Latn\tsentence_fra_Latn", ("eng-Latn", "fra-Latn")),
        ("Chinese (Simplified)\tPortuguese (BR)", ("zh-Hans", "pt-BR")),
        ("src\tmt", ("", "")),
        ("src_raw\ttgt_raw", ("", "")),
        ("source paragraph\ttarget paragraph", ("", "")),
        ("sent_src\tsent_trg", ("", "")),
        ("source_title\ttarget_title", ("", "")),
        ("inputs\ttargets", ("", "")),
        ("Testo originale\tTesto tradotto", ("", "")),
        ("translation.en\ttranslation.fr", ("en", "fr")),
        ("en_sent\tfr_sent", ("en", "fr")),
    ],
)
def test_headers_in_other_words_are_no_data_and_are_noted(header, langs):
    bt = read("tsv", f"{header}\nOne.\tUn.\n")
    assert bt.pairs() == [(["One."], ["Un."])]
    assert (bt.src.lang, bt.tgt.lang) == langs
    assert list(kinds(bt)) == ["first lines taken as a header (head=False reads them as texts)"]


def test_names_that_differ_only_in_their_language_are_a_header():
    for header in ("name_en\tname_fr-CA", "title[EN]\ttitle[fr]", "English name\tFrench name"):
        bt = read("tsv", f"{header}\nOne.\tUn.\n")
        assert bt.pairs() == [(["One."], ["Un."])]
        assert bt.src.lang.lower() == "en"
    rows = "question_en,answer_en,question_de,answer_de\nWho?,Me.,Wer?,Ich.\n"
    with pytest.raises(FormatError, match=r"the languages 'question_en', .*; name the columns"):
        read("csv", rows)
    bt = read("csv", rows, columns=Columns.of("src=question_en,tgt=question_de"))
    assert bt.pairs() == [(["Who?"], ["Wer?"])]
    assert len(read("tsv", "en la casa\tde la casa\nun perro\tdun can\n").pairs()) == 2


def test_names_that_differ_only_in_their_side_are_those_of_texts_where_nothing_else_is():
    bt = read("tsv", "src_doc\ttgt_doc\ten\tde\na.x\tb.x\tOne.\tEins.\nc.x\td.x\tTwo.\tZwei.\n")
    assert bt.pairs()[0] == (["One."], ["Eins."])
    with pytest.raises(FormatError, match="2 columns that may be the source, 'src_a' and 'src_b'"):
        read("tsv", "src_a\ttgt_a\tsrc_b\ttgt_b\nOne.\tEins.\tTwo.\tZwei.\n")
    assert (
        len(
            read("tsv", "src.txt:1\ttgt.txt:1\tOne.\tEins.\nsrc.txt:2\ttgt.txt:2\tA.\tB.\n").pairs()
        )
        == 2
    )
    with pytest.raises(FormatError, match=r"has the columns 1 \(texts\), 2 \(numbers\)"):
        read("tsv", "src_id\ttgt_id\n1 2\t1\n3\t\n")
    head = "src_start,tgt_start,{},{}\n0,0,It rains.,Es regnet.\n5,7,Go home.,Geh heim.\n"
    with pytest.raises(FormatError, match=r"has .* 2 \(numbers\), 3 \(texts\), 4 \(texts\): it"):
        read("csv", head.format("subtitle", "ours"))
    bt = read("csv", head.format("src_raw", "tgt_raw"))
    assert bt.pairs()[0] == (["It rains."], ["Es regnet."])
    bt = read("jsonl", '{"src_sent": "One.", "tgt_sent": "Eins.", "src_len": 1, "tgt_len": 1}\n')
    assert bt.pairs() == [(["One."], ["Eins."])]
    bt = read("jsonl", '{"translation.en": "One.", "translation.de": "Eins."}\n')
    assert (bt.src.lang, bt.tgt.lang) == ("en", "de")


@pytest.mark.parametrize(
    "line", ["source\tla source", "German\tDeutsch", "Hello source\tHallo Ziel", "translation\tx"]
)
def test_words_of_headers_may_be_a_pair(line):
    assert len(read("tsv", f"{line}\nOne.\tUn.\n").alignment) == 2


def test_one_side_and_one_other_column_of_text_are_a_header():
    bt = read("tsv", "key\tstring\ttranslation\n1\tYes\tJa\n")
    assert bt.pairs() == [(["Yes"], ["Ja"])]
    assert bt.alignment.attributes == {"key": ["1"]}


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("src\tmt\tref", "2 columns that may be the target, 'mt' and 'ref'"),
        ("source\tsource_text\ttarget", "2 columns that may be the source"),
        ("source\ttarget\tsrc", "2 columns that may be the source, 'source' and 'src'"),
        ("id\ttext\tstring\ttranslation", "is one side and the source is not clear"),
    ],
)
def test_two_columns_for_one_side_are_refused(header, told):
    line = "\t".join("abcd"[: header.count("\t") + 1])
    with pytest.raises(FormatError, match=f"{told}.*columns='src=1,tgt=2'"):
        read("tsv", f"{header}\n{line}\n")


def test_an_empty_column_of_bitext_is_the_side_beside_others():
    bt = read("csv", "src:en,tgt:de,target text\nA cat.,,Eine Katze\nA dog.,,Ein Hund\n")
    assert bt.pairs() == [(["A cat."], []), (["A dog."], [])]


def test_two_keys_for_one_side_are_refused_but_beside_those_of_bitext():
    with pytest.raises(FormatError, match=r"2 columns that may be the source, 'source' and 'src'"):
        read("jsonl", '{"source": "A cat", "target": "Un chat", "src": "web"}\n')
    bt = read("jsonl", '{"src": "A cat", "tgt": "Un chat", "source": "web"}\n')
    assert bt.pairs() == [(["A cat"], ["Un chat"])]


def test_texts_are_the_sides_beside_numbers_of_sentences_as_align_prints_them():
    head = "bead\ttype\tscore\tsrc\ttgt\tsource text\ttarget text\n"
    bt = read("tsv", f"{head}1\t1-1\t0.9\t0\t0\tOne.\tUn.\n2\t0-1\t0.5\t-\t1\t\tDeux.\n")
    assert bt.pairs() == [(["One."], ["Un."]), ([], ["Deux."])]
    assert bt.alignment.scores.tolist() == [0.9, 0.5]
    # Without texts on one side the identifiers of both are the sides.
    with pytest.raises(FormatError, match="identifiers or positions"):
        read("tsv", "src\ttgt\tsource text\n1\t1\tOne.\n2\t2\tTwo.\n")


def test_scores_in_other_words_are_scores_where_there_is_one():
    bt = read("tsv", "English\tDeutsch\tlaser\nOne.\tEins.\t0.7\n")
    assert bt.alignment.scores.tolist() == [0.7]
    bt = read("tsv", "English\tDeutsch\tlaser\tbleu\nOne.\tEins.\t0.7\t3\n")
    assert bt.alignment.scores is None


def test_short_words_are_no_languages():
    assert len(read("tsv", "No\tJa\nYes\tNei\n").alignment) == 2


def test_the_languages_asked_for_choose_the_columns_of_a_header():
    content = "id\ten\tde\tfr\n1\tOne.\tEins.\tUn.\n"
    bt = read("tsv", content, src_lang="fr", tgt_lang="en")
    assert bt.pairs() == [(["Un."], ["One."])]
    assert bt.alignment.attributes == {"id": ["1"], "lang:de": ["Eins."]}
    with pytest.raises(FormatError, match="has the languages 'en', 'de', 'fr'; want two"):
        read("tsv", content)
    with pytest.raises(FormatError, match="asked for are 'en' and 'is'"):
        read("tsv", content, src_lang="en", tgt_lang="is")


def test_the_languages_asked_for_are_chosen_among_sides_and_further_texts():
    content = "src:en,tgt:fr,lang:de\nOne.,Un.,Eins.\n"
    bt = read("csv", content, src_lang="de", tgt_lang="en")
    assert (bt.pairs(), bt.src.lang, bt.tgt.lang) == ([(["Eins."], ["One."])], "de", "en")
    assert bt.alignment.attributes == {"lang:fr": ["Un."]}
    bt = read("csv", content)
    assert bt.alignment.attributes == {"lang:de": ["Eins."]}
    with pytest.raises(FormatError, match="has the languages 'en', 'fr', 'de', and asked for"):
        read("csv", content, src_lang="de", tgt_lang="it")
    # A header that does not name the languages of its sides may mean any by them.
    content = "src\ttgt\tlang:de\nOne.\tUn.\tEins.\n"
    assert read("tsv", content, src_lang="en", tgt_lang="fr").pairs() == [(["One."], ["Un."])]
    with pytest.raises(FormatError, match="has texts in 'de' in the column 'lang:de'"):
        read("tsv", content, src_lang="en", tgt_lang="de")


def test_a_name_over_numbers_is_a_header():
    bt = read("tsv", "id\tEnglisch\tDeutsch\n7\tOne.\tEins.\n8\tTwo.\tZwei.\n")
    assert bt.pairs() == [(["One."], ["Eins."]), (["Two."], ["Zwei."])]
    assert bt.alignment.attributes == {"id": ["7", "8"]}


def test_three_columns_of_text_are_read_with_a_note():
    bt = read("tsv", "Go.\tVa.\tCC-BY\nStop.\tHalte.\tCC-BY\n")
    assert bt.pairs()[0] == (["Go."], ["Va."])
    assert bt.notes[0].first == "made: source 1, target 2, of 3"


def test_one_column_of_text_is_refused_with_a_remedy_that_works(tmp_path):
    content = "3\tHi\n4\tHo\n"
    with pytest.raises(FormatError, match=r"1 \(numbers\), 2 \(texts\).*columns='src=1,tgt=2'"):
        made(tmp_path, content)
    assert made(tmp_path, content, columns="src=1,tgt=2").pairs()[0] == (["3"], ["Hi"])


@pytest.mark.parametrize("first", ["a\tb", "One\tEins"])
def test_columns_of_numbers_below_any_first_row_are_no_texts(tmp_path, first):
    content = f"{first}\n1\t2\n3\t4\n"
    with pytest.raises(FormatError, match=r"1 \(numbers\), 2 \(numbers\).*columns='src=1,tgt=2'"):
        made(tmp_path, content)
    assert made(tmp_path, content, columns="src=1,tgt=2").pairs()[-1] == (["3"], ["4"])


@pytest.mark.parametrize(
    "columns", ["src=3,tgt=2,score=1", "score,tgt,src", {"score": 1, "tgt": 2, "src": 3}]
)
def test_columns_by_number(tmp_path, columns):
    bt = made(tmp_path, LASER, columns=columns)
    assert bt.pairs()[0] == (["Die Katze saß."], ["The cat sat."])
    assert bt.alignment.scores.tolist() == [1.2345, 1.1]
    assert bt.notes == ()


def test_columns_by_the_names_of_a_header(tmp_path):
    content = "nr\tEnglisch\tDeutsch\nx\tOne.\tEins.\n"
    bt = made(tmp_path, content, columns="src=Deutsch,tgt=englisch,key=nr")
    assert bt.pairs() == [(["Eins."], ["One."])]
    assert bt.alignment.attributes == {"key": ["x"]}
    with pytest.raises(FormatError, match=r"has no column 'Dutch' \(src=Dutch\).*'Englisch'"):
        made(tmp_path, content, columns="src=Dutch,tgt=Englisch")
    with pytest.raises(FormatError, match="has 3 columns, and tgt=4 is asked for"):
        made(tmp_path, content, columns="src=2,tgt=4")


def test_whether_there_is_a_header_can_be_said(tmp_path):
    assert len(made(tmp_path, "en\tde\nOne.\tEins.\n", head=False).alignment) == 2
    assert made(tmp_path, "Englisch\tDeutsch\nOne.\tEins.\n", head=True).pairs() == [
        (["One."], ["Eins."])
    ]


@pytest.mark.parametrize(
    ("columns", "flaw"),
    [
        ("src=1", "names no tgt"),
        ("score", "names no src and no tgt"),
        ("src=1,src=2,tgt=3", "names a column twice"),
        ("src=1,tgt=1", "gives one column two names"),
        ("src=0,tgt=1", "counted from 1"),
        ("src=,tgt=1", "has an empty name"),
    ],
)
def test_columns_that_cannot_be(tmp_path, columns, flaw):
    with pytest.raises(OptionError, match=f"{flaw}.*want as src=2,tgt=3"):
        made(tmp_path, LASER, columns=columns)


def test_columns_beside_what_is_no_table_are_noted(tmp_path):
    bt = made(tmp_path, "[0]:[0]:0\n", "a.vecalign", columns="src=1,tgt=2")
    assert "columns named beside a file that is no table, not used" in kinds(bt)
    bt = made(tmp_path, '{"en": "A", "de": "B"}\n', "a.jsonl", head=True)
    assert "a header named beside a file that has keys, not used" in kinds(bt)
    unused = "parts of tables named beside a file that has none, not used"
    for name in ("a.jsonl", "a.tsv"):
        content = '{"en": "A", "de": "B"}\n' if name == "a.jsonl" else "A\tB\n"
        assert unused in kinds(made(tmp_path, content, name, columns="sheet=A"))
        assert unused in kinds(made(tmp_path, content, name, columns="sep=comma"))
    assert unused not in kinds(made(tmp_path, "A;B\n", "a.csv", columns="sep=semicolon"))
    assert unused not in kinds(made(tmp_path, "A\tB\n", "a.tsv", columns="sep=tab"))


@pytest.mark.parametrize("first", [("src", "tgt"), ("en", "de"), ("1", "one"), ("http://a", "b")])
def test_what_would_be_read_otherwise_is_written_with_a_header(first):
    bt = inline([([first[0]], [first[1]])])
    assert read("tsv", written("tsv", bt)).pairs() == [([first[0]], [first[1]])]


@pytest.mark.parametrize(
    "line",
    [
        {"source": "One.", "target": "Eins."},
        {"en": "One.", "de": "Eins."},
        {"id": "7", "en": "One.", "de": "Eins."},
        {"text1": "One.", "text2": "Eins."},
    ],
)
def test_other_keys_of_json_lines(line):
    bt = read("jsonl", json.dumps(line) + "\n" + json.dumps(line) + "\n")
    assert bt.pairs() == [(["One."], ["Eins."])] * 2
    assert (bt.src.lang, bt.tgt.lang) == (("en", "de") if "en" in line else ("", ""))
    assert set(bt.alignment.attributes) == line.keys() & {"id"}


def test_keys_of_json_lines_are_named(tmp_path):
    content = '{"a": "Eins.", "b": "One.", "sure": 0.5}\n'
    bt = made(tmp_path, content, "a.jsonl", columns="src=b,tgt=a,score=sure")
    assert bt.pairs() == [(["One."], ["Eins."])]
    assert bt.alignment.scores.tolist() == [0.5]
    with pytest.raises(FormatError, match=r"has no 'c' \(tgt=c\); it has 'a', 'b', 'sure'"):
        made(tmp_path, content, "a.jsonl", columns="src=b,tgt=c")
    with pytest.raises(FormatError, match=r"name the keys of the texts \(columns='src=a,tgt=b'\)"):
        made(tmp_path, content, "a.jsonl")


def test_columns_of_parquet(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    table = {"en": ["One."], "de": ["Eins."], "sc": [0.5], "more": ["x"]}
    parquet.write_table(arrow.table(table), path)
    bt = bitext.read(path)
    assert (bt.pairs(), bt.src.lang, bt.tgt.lang) == ([(["One."], ["Eins."])], "en", "de")
    bt = bitext.read(path, columns="src=de,tgt=more,score=sc")
    assert bt.pairs() == [(["Eins."], ["x"])]
    assert bt.alignment.scores.tolist() == [0.5]
    with pytest.raises(FormatError, match=r"has no 'it' \(tgt=it\)"):
        bitext.read(path, columns="src=de,tgt=it")


def test_cells_quoted_as_in_csv_are_noted():
    bt = read("tsv", '"He said ""Go""."\tEr sagte Geh.\n')
    assert bt.pairs() == [(['"He said ""Go""."'], ["Er sagte Geh."])]
    assert "quotation marks, as CSV has them" in bt.notes[0].kind


@pytest.mark.parametrize(
    ("content", "is_noted"),
    [
        ('source\ttarget\n"One\nline"\t"Eine"\nA\tB\n', True),
        ('A\tB\nOne\t"Eine\nZeile"\n', True),
        ('A\t"B\n"One\tEine\n', False),
        ('A\tB\nOne "\nLine\tZeile "\n', False),
    ],
)
def test_cells_of_several_lines_in_quotation_marks_are_noted(content, is_noted):
    assert ("quotation marks, as CSV has them" in " ".join(kinds(read("tsv", content)))) == is_noted


def test_a_header_of_languages_reaches_the_file_that_is_written(tmp_path):
    bt = read("tsv", "en\tde\nOne.\tEins.\n")
    bitext.write(bt, tmp_path / "a.tmx")
    assert '<tuv xml:lang="de"><seg>Eins.' in (tmp_path / "a.tmx").read_text()
    assert isinstance(bt, Bitext)
    assert isinstance(bt.src, Text)


@pytest.mark.parametrize(
    ("header", "langs"),
    [
        ("English (United States)\tGerman (Germany)", ("en-US", "de-DE")),
        ("English (en)\tGerman (de-AT)", ("en", "de-AT")),
        ("Brazilian Portuguese\tSwiss German", ("pt-BR", "de-CH")),
        ("英文\t德语", ("en", "de")),
        ("Английский\tНемецкий", ("en", "de")),
        ("原文\t译文", ("", "")),
        ("Исходный текст\tПеревод", ("", "")),
        ("Texto de origem\tTexto de destino", ("", "")),
        ("Testo di partenza\tTesto di arrivo", ("", "")),
        ("Source Term\tTranslation", ("", "")),
        ("en\tde\t\t", ("en", "de")),
        ("Engelska\tSvenska", ("en", "sv")),
        ("Αγγλικά\tΕλληνικά", ("en", "el")),
        ("Källtext\tMåltext", ("", "")),
        ("Kaynak\tÇeviri", ("", "")),
    ],
)
def test_headers_in_further_languages_and_with_regions(header, langs):
    more = "\t" * (header.count("\t") - 1)
    bt = read("tsv", f"{header}\nOne.\tUn.{more}\nTwo.\tDeux.{more}\n")
    assert bt.pairs() == [(["One."], ["Un."]), (["Two."], ["Deux."])]
    assert (bt.src.lang, bt.tgt.lang) == langs


def test_words_of_sides_that_every_row_repeats_are_no_header():
    rows = "One.\tUn.\t1.2\tsource\ttarget\nTwo.\tDeux.\t1.1\tsource\ttarget\n"
    bt = read("tsv", rows)
    assert bt.pairs() == [(["One."], ["Un."]), (["Two."], ["Deux."])]


@pytest.mark.parametrize("first", ["\ten\tde", "\t0\t1", "Unnamed: 0\ten\tde"])
def test_the_index_of_a_data_frame_is_no_text(first):
    bt = read("tsv", f"{first}\n0\tOne.\tEins.\n1\tTwo.\tZwei.\n")
    assert bt.pairs() == [(["One."], ["Eins."]), (["Two."], ["Zwei."])]


@pytest.mark.parametrize(
    "cell", ["2026-01-02 10:11:12", "2026-01-02T10:11:12Z", "menu.{}", "clip_{}.mp3", "{:08x}"]
)
def test_columns_of_dates_and_keys_hold_no_text(cell):
    rows = [f"{cell.format(k)}\t{one}\t{two}" for k, (one, two) in enumerate(["ab", "cd"])]
    assert read("tsv", "\n".join(rows)).pairs() == [(["a"], ["b"]), (["c"], ["d"])]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1\teng\tGo.\tCK\n2\tdeu\tGeh!\tmw\n3\teng\tNo.\tCK\n", "one text a row"),
        ("en\tOne.\tTwo.\nde\tEins.\tZwei.\n", "a row for each language .'en', 'de'."),
        ("One.\t\tEins.\nTwo.\t\tZwei.\n", r"1 \(texts\), 2 \(nothing\), 3 \(texts\)"),
        ("en-000001\tOne.\nen-000002\tTwo.\n", r"1 \(identifiers\), 2 \(texts\)"),
        (
            "de-000000\ten-000001\nde-000002\ten-000003\n",
            "has identifiers or positions where its texts should be",
        ),
        ("GEN 1:1\tOne.\nGEN 1:2\tTwo.\n", r"1 \(identifiers\), 2 \(texts\)"),
    ],
)
def test_tables_in_another_order_are_refused(content, message):
    with pytest.raises(FormatError, match=f"{message}.*columns='src=1,tgt=2'"):
        read("tsv", content)


def test_columns_of_languages_are_the_languages_of_the_texts():
    bt = read("tsv", "en\tde\tOne.\tEins.\nen\tde\tTwo.\tZwei.\n")
    assert (bt.src.lang, bt.tgt.lang) == ("en", "de")
    content = "src_lang\ttgt_lang\tsrc\ttgt\nen\tde\tOne.\tEins.\nen\tfr\tTwo.\tDeux.\n"
    bt = read("tsv", content)
    assert (bt.src.lang, bt.tgt.lang) == ("en", "")
    assert "lines in other languages than the first" in " ".join(kinds(bt))


def test_rows_without_a_code_or_with_another_spelling_are_in_no_other_language():
    rows = [("", "und"), ("en", "de"), ("English", "deu"), ("eng", ""), ("EN", "German")]
    lines = "".join(f"{src}\t{tgt}\tOne.\tEins.\n" for src, tgt in rows)
    bt = read("tsv", f"src_lang\ttgt_lang\tsrc\ttgt\n{lines}")
    assert len(bt.alignment) == len(rows)
    assert "other languages" not in " ".join(kinds(bt))
    bt = read("tsv", f"src_lang\ttgt_lang\tsrc\ttgt\n{lines}fr\tde\tUn.\tEins.\n")
    kind = next(each for each in kinds(bt) if "other languages than the first" in each)
    assert "src_lang=en" in kind


@pytest.mark.parametrize("name", ["tsv", "csv", "jsonl", "json"])
def test_rows_in_other_languages_than_those_asked_for_are_left_out(name):
    keys = ["src_lang", "tgt_lang", "src", "tgt"]
    rows = ["fr en Il It", "de en Es It", "de-AT en Sie She", "en de He Er", "zh en Ta She"]
    if name.startswith("json"):
        items = [dict(zip(keys, row.split(), strict=True)) for row in rows]
        lines = "\n".join(map(json.dumps, items))
        content = lines if name == "jsonl" else json.dumps(items)
    else:
        mark = "\t" if name == "tsv" else ","
        content = "\n".join(mark.join(row) for row in [keys, *map(str.split, rows)])
    bt = read(name, content, src_lang="de", tgt_lang="en")
    assert bt.pairs() == [(["Es"], ["It"]), (["Sie"], ["She"])]
    assert bt.src.lang in {"", "de"}
    found = kinds(bt)
    (kind,) = [each for each in found if "in other languages than those asked for" in each]
    assert found[kind] == 3
    assert read(name, content, src_lang="zh-Hans").pairs() == [(["Ta"], ["She"])]
    with pytest.raises(FormatError, match=r"has no \w+ in it-en, but in fr-en, de-en, de-AT-en"):
        read(name, content, src_lang="it", tgt_lang="en")


def test_rows_whose_language_is_missing_or_not_identified_are_in_no_other_one():
    rows = "un fr A One\nde fr Ein Un\nNaN NA B Two\nen fr C Three"
    lines = rows.replace(" ", "\t")
    named = f"src_lang\ttgt_lang\tsrc\ttgt\n{lines}\n"
    bt = read("tsv", named, src_lang="en", tgt_lang="fr")
    assert bt.pairs() == [(["A"], ["One"]), (["B"], ["Two"]), (["C"], ["Three"])]
    (others,) = (n for n in read("tsv", named).notes if "other languages than the first" in n.kind)
    assert (others.count, others.first) == (1, "made line 5: 'en' beside 'de'")
    # Without a header the columns are recognised as well.
    assert read("tsv", f"{lines}\nen\tfr\tD\tFour\n").pairs()[0] == (["A"], ["One"])


@pytest.mark.parametrize("missing", ["NA", "NaN", "NULL", "None", "\\N", "#N/A"])
def test_missing_values_are_no_evidence_of_texts(missing):
    lines = f"0.5\tA mill.\tEin Rad.\n{missing}\tIt ran.\tEs lief.\n0.7\tYes.\tJa.\n"
    bt = read("tsv", lines)
    assert bt.pairs()[1] == (["It ran."], ["Es lief."])
    for name, mark in (("tsv", "\t"), ("csv", ",")):
        scored = f"src\ttgt\tscore\nOne\tEins\t0.5\nTwo\tZwei\t{missing}\n".replace("\t", mark)
        scores = read(name, scored).alignment.scores
        assert scores[0] == 0.5
        assert scores[1] != scores[1]


@pytest.mark.parametrize("name", ["tsv", "csv"])
def test_missing_values_among_texts_are_noted_and_those_of_data_sets_are_empty(name):
    mark = "\t" if name == "tsv" else ","
    rows = ["en de", "Mill NaN", "A_dog_came_in. NA", "NA k._A.", "nan Oma", "Boat __NULL__"]
    rows = [row.replace(" ", mark) for row in rows]
    bt = read(name, "\n".join(row if "__" in row else row.replace("_", " ") for row in rows))
    assert bt.pairs()[4] == (["Boat"], [])
    found = kinds(bt)
    assert found["cells __NULL__, as data sets write NULL, read as empty"] == 1
    # `NA` and `nan` beside a word may be texts.
    assert [count for kind, count in found.items() if "write missing values" in kind] == [2]


@pytest.mark.parametrize("header", ["Kreol English", "English Tamasheq", "mfe eng"])
def test_a_rare_language_beside_a_known_one_may_be_a_header(header):
    lines = f"{header}\nMo_kontan. I_am_happy.\n".replace(" ", "\t").replace("n_", "n ")
    bt = read("tsv", lines)
    (note,) = (n for n in bt.notes if n.kind.startswith("first lines that may be a header"))
    assert note.first == "made: {!r} and {!r}".format(*header.split())
    assert len(bt.alignment) == 2
    bt = read("tsv", lines, columns=Columns.of(None, head=True))
    assert bt.pairs() == [(["Mo_kontan."], ["I_am_happy."])]


def test_words_that_are_codes_by_chance_are_no_header():
    assert kinds(read("tsv", "sun\tsol\nmoon\tluna\nstar\testrella\n")) == {}


@pytest.mark.parametrize("header", ["prompt completion", "src_x b", "darija eng"])
def test_words_in_small_letters_above_sentences_may_be_a_header(header):
    lines = f"{header}\nThe_mill. Die_Mühle.\nA_dog. Ein_Hund.\n".replace(" ", "\t")
    sentences = (
        lines.replace("l_", "l ").replace("e_", "e ").replace("A_", "A ").replace("n_", "n ")
    )
    assert "read as texts (head=True takes them as one)" in " ".join(kinds(read("tsv", sentences)))
    # Titles, and texts in small letters alone, are no evidence of a header.
    assert kinds(read("tsv", sentences.title())) == {}
    assert kinds(read("tsv", sentences.lower())) == {}


def test_headers_in_further_languages_name_both_sides():
    for header in ("origine\tcible", "Sursa\tȚinta", "Câu gốc\tBản dịch", "원문\t번역문"):
        assert read("tsv", f"{header}\nA mill.\tEin Rad.\n").pairs() == [
            (["A mill."], ["Ein Rad."])
        ]


@pytest.mark.parametrize(
    "lines",
    [
        "Kreol\tCreole\nMo kontan.\tI am happy.\n",
        "no\tnein\nyes\tja\n",
        "Anglais\tEnglish\nKreol\tCreole\n",
        "Sprachen\tEnglish\nRomani\tFrench\n",
        "That is English.\tEnglish\nMo kontan.\tI am happy.\n",
        "Greek\t\nMo kontan.\tI am happy.\n",
    ],
)
def test_words_beside_names_of_languages_are_no_header(lines):
    assert not [kind for kind in kinds(read("tsv", lines)) if "header" in kind]


@pytest.mark.parametrize("missing", [None, "un", "NA", "NaN", "-"])
def test_objects_after_one_whose_language_is_missing_are_left_out_in_other_ones(missing):
    items = [{"src": "A", "tgt": "One", "src_lang": missing, "tgt_lang": "fr"}]
    items += [{"src": "Ein", "tgt": "Un", "src_lang": "de", "tgt_lang": "fr"}]
    items += [{"src": "C", "tgt": "Three", "src_lang": "en", "tgt_lang": "fr"}]
    if missing == "-":
        del items[0]["src_lang"], items[0]["tgt_lang"]
    content = "\n".join(map(json.dumps, items))
    bt = read("jsonl", content, src_lang="en", tgt_lang="fr")
    assert (bt.pairs(), bt.src.lang) == ([(["A"], ["One"]), (["C"], ["Three"])], "")
    (kind,) = kinds(bt)
    assert kind.startswith("lines in other languages than those asked for")


def test_rows_in_the_standard_of_a_requested_language_or_in_none_are_taken():
    rows = "src,tgt,tgt_lang\nOne,Yi,cmn_Hans\nTwo,Er,zho_Hant\nIt,Il,fra_Latn\nHe,Ta,unk\n"
    assert [*read("csv", rows, tgt_lang="zh").tgt.segments()] == ["Yi", "Er", "Ta"]
    rows = "src,tgt,tgt_lang\nOne,Wahid,arb_Arab\n"
    assert [*read("csv", rows, tgt_lang="ar").tgt.segments()] == ["Wahid"]


def test_a_memory_of_wordfast_has_its_languages_in_the_first_row():
    head = "%20260101~120000\t%User\t%TU=2\t%EN-US\t%Wordfast TM v.5\t%DE-DE\t%---\n"
    row = "20260101~120000\tMW\t0\tEN-US\tNext ferry\tDE-DE\tNächste Fähre\n"
    bt = read("tsv", head + row)
    assert bt.pairs() == [(["Next ferry"], ["Nächste Fähre"])]
    assert (bt.src.lang, bt.tgt.lang) == ("EN-US", "DE-DE")


def test_a_memory_of_wordfast_may_number_the_variants_of_its_languages():
    head = "%20260101~120000\t%User\t%TU=2\t%EN-01\t%Wordfast TM v.5\t%DE-02\t%---\n"
    row = "20260101~120000\tMW\t0\tEN-01\tNext ferry\tDE-02\tNächste Fähre\n"
    bt = read("tsv", head + row)
    assert bt.pairs() == [(["Next ferry"], ["Nächste Fähre"])]
    assert (bt.src.lang, bt.tgt.lang) == ("EN", "DE")
    assert read("tsv", head + row, src_lang="en").pairs() == bt.pairs()


def test_rows_of_a_memory_of_wordfast_may_have_attributes_that_its_first_row_lacks():
    head = "%20260101~120000\t%User\t%TU=2\t%EN-US\t%Wordfast TM v.5\t%DE-DE\t%---\n"
    row = "20260101~120000\tMW\t0\tEN-US\tNext ferry\tDE-DE\tNächste Fähre"
    bt = read("tsv", f"{head}{row}\n{row}\tHarbour\tTimetable\n")
    assert bt.pairs() == [(["Next ferry"], ["Nächste Fähre"])] * 2
    assert bt.alignment.attributes["col9"][1] == "Timetable"
    assert not [kind for kind in kinds(bt) if "columns" in kind and "detected" not in kind]


def test_escapes_of_a_memory_of_wordfast_are_read():
    head = "%20260101~120000\t%User\t%TU=2\t%EN-US\t%Wordfast TM v.5\t%DE-DE\t%---\n"
    rows = [
        "20260101~120000\tMW\t0\tEN-US\tBed &'26; tea &'96; it&'92;s\tDE-DE\tBett &'26; Tee\n",
        "20260101~120000\tMW\t0\tEN-US\t&tA;Next&tB; &'C7;\tDE-DE\tR&D &amp; &'26;'26;\n",
    ]
    bt = read("tsv", head + "".join(rows))
    assert bt.pairs() == [
        (["Bed & tea – it’s"], ["Bett & Tee"]),
        (["&tA;Next&tB; &'C7;"], ["R&D &amp; &'26;"]),
    ]
    [note] = [note for note in bt.notes if "placeholders" in note.kind]
    assert note.count == 3
    assert "line 3: " in note.first


THREE_LANGUAGES = "EN\tDeutsch\tFrench\nOne.\tEins.\tUn.\n"


@pytest.mark.parametrize(
    ("options", "near"),
    [
        ({"columns": "src=EN,tgt=Detusch"}, "'Deutsch'"),
        ({"src_lang": "en", "tgt_lang": "dee"}, "'de'"),
        ({"src_lang": "en", "tgt_lang": "germn"}, "'de'"),
        ({"src_lang": "en", "tgt_lang": "de-AT"}, "'de'"),
    ],
)
def test_mistyped_columns_and_languages_have_the_nearest_name(options, near):
    options["columns"] = Columns.of(options.get("columns"))
    with pytest.raises(FormatError, match=f"did you mean {near}"):
        read("tsv", THREE_LANGUAGES, **options)


def test_languages_are_asked_for_by_name_too():
    found = read("tsv", THREE_LANGUAGES, src_lang="english", tgt_lang="german")
    assert found.pairs() == [(["One."], ["Eins."])]


def test_codes_of_three_letters_find_those_of_two():
    content = "id\tsentence_eng_Latn\tsentence_deu_Latn\tsentence_fra_Latn\n1\ta\tb\tc\n"
    assert read("tsv", content, src_lang="de", tgt_lang="en").pairs() == [(["b"], ["a"])]


def test_a_header_is_there_or_not():
    with pytest.raises(OptionError, match=r"head= is 'no': want True, False or None"):
        Columns.of(None, "no")
    with pytest.raises(OptionError, match=r"columns= is \['src', 'tgt'\]: want a string, as 'src"):
        Columns.of(["src", "tgt"])


def test_a_mistyped_separator_has_the_nearest_name():
    with pytest.raises(OptionError, match="did you mean 'semicolon'"):
        Columns.of("sep=semi")


def test_comments_before_a_table_are_left_out():
    content = "# EN-DE vocabulary\tcompiled\n# 2026\ncat\tKatze\tnoun\nlate\tspät\tadj\n"
    bt = read("tsv", content)
    assert bt.pairs() == [(["cat"], ["Katze"]), (["late"], ["spät"])]
    assert kinds(bt)["lines before a table, left out"] == 2
    assert len(read("tsv", "# hash\tRaute\ncat\tKatze\n").alignment) == 2


def test_a_language_twice_in_a_header_is_refused():
    with pytest.raises(FormatError, match="has the languages 'en', 'de', 'de'; want two"):
        read("tsv", "en\tde\tde\nOne.\tEins.\tEin.\nTwo.\tZwei.\tZwo.\n")


def test_tables_with_all_cells_in_quotation_marks_are_noted():
    bt = read("tsv", '"One."\t"Eins."\n"Two."\t"Zwei."\n')
    assert any("cells in quotation marks" in kind for kind in kinds(bt))


@pytest.mark.parametrize("cell", ["train", "TRUE", "[{}]", "s{}", "GEN 1:{}", "doc.txt", "a.com"])
def test_columns_of_categories_and_numbers_of_segments_hold_no_text(cell):
    rows = [f"{cell.format(k)}\ta {k}\tb {k}" for k in range(3)]
    assert read("tsv", "\n".join(rows)).pairs()[0] == (["a 0"], ["b 0"])


def test_single_words_that_recur_are_texts_where_there_are_no_others():
    assert read("tsv", "Yes\tJa\n" * 6).pairs()[0] == (["Yes"], ["Ja"])


@pytest.mark.parametrize(
    "header",
    [
        "Langue source\tLangue cible",
        "Source language\tTarget language",
        "Ausgangssprache\tZielsprache",
        "Source language (English)\tTarget language (German)",
        "ST\tTT",
        "L1\tL2",
        "sentence_a\tsentence_b",
    ],
)
def test_headers_that_name_the_texts_by_their_languages_or_numbers(header):
    bt = read("tsv", f"{header}\nHello you\tHallo du\nBye\tTschüss\n")
    assert bt.pairs() == [(["Hello you"], ["Hallo du"]), (["Bye"], ["Tschüss"])]
    assert (bt.src.lang, bt.tgt.lang) == (("en", "de") if "English" in header else ("", ""))


@pytest.mark.parametrize(
    "header", ["src\tmt\tpost_edit", "Original text\tMachine translation\tHuman translation"]
)
def test_translations_by_machine_and_by_hand_are_two_targets(header):
    with pytest.raises(FormatError, match="2 columns that may be the target"):
        read("tsv", f"{header}\nOne.\tUn.\tUne.\nTwo.\tDeux.\tDeux!\n")


def test_columns_of_word_links_hold_no_text():
    with pytest.raises(FormatError, match=r"1 \(texts\), 2 \(word links\): which are the source"):
        read("tsv", "a b\t0-0 1-1\nc\t0-0\n")
    bt = read("tsv", "a b\t0-0 1-1\tA B\nc\t0-0\tC\n")
    assert bt.pairs() == [(["a b"], ["A B"]), (["c"], ["C"])]
    assert bt.alignment.attributes == {"col2": ["0-0 1-1", "0-0"]}


def test_names_of_hosts_that_recur_are_no_texts():
    hosts = ["a.com", "a.com", "b.org", "c.de"]
    rows = [f"{host}\thttp://x/{k}\tOne {k}.\tEins {k}." for k, host in enumerate(hosts)]
    assert read("tsv", "\n".join(rows)).pairs()[1] == (["One 1."], ["Eins 1."])


def test_short_texts_and_captions_are_no_identifiers():
    for content in ("H2O\tWasser\nCO2\tGas\n", "Figure 1.1\tBild 1.1\nFigure 1.2\tBild 1.2\n"):
        assert len(read("tsv", content).alignment) == 2


def test_a_header_may_begin_with_the_mark_of_a_comment():
    content = "#UTX 1.20; en/de\n#src\ttgt\tsrc:pos\nmill\tMühle\tnoun\n#1\tNr. 1\tnoun\n"
    bt = read("tsv", content)
    assert bt.pairs() == [(["mill"], ["Mühle"]), (["#1"], ["Nr. 1"])]
    assert bt.alignment.attributes == {"src:pos": ["noun", "noun"]}
    assert len(read("tsv", "#1 rule\tRegel 1\nmill\tMühle\n").alignment) == 2


def test_codes_of_rare_languages_with_scripts_are_a_header():
    bt = read("tsv", "eng_Latn\tace_Latn\nOne.\tSa.\n")
    assert (bt.pairs(), bt.tgt.lang) == ([(["One."], ["Sa."])], "ace_Latn")
    bt = read("jsonl", '{"sentence_ace_Latn": "Sa.", "sentence_zsm_Latn": "Satu."}\n')
    assert (bt.src.lang, bt.tgt.lang) == ("ace-Latn", "zsm-Latn")


@pytest.mark.parametrize("codes", ["cmn cmn cmn cmn", "cmn deu wuu cmn", "fra deu fra \\N"])
def test_lists_of_sentences_with_rare_languages_are_no_pairs(codes):
    rows = [f"{k}\t{code}\tSentence {k}.\n" for k, code in enumerate(codes.split())]
    with pytest.raises(FormatError, match=r"has one column of languages \(2\)"):
        read("tsv", "".join(rows))


def test_a_column_of_language_pairs_is_no_list_of_languages():
    rows = [f"en-de\tnews\tSentence {k}.\tSatz {k}.\t0.{k}\n" for k in range(1, 4)]
    bt = read("tsv", "".join(rows))
    assert bt.pairs()[0] == (["Sentence 1."], ["Satz 1."])
    with pytest.raises(FormatError, match=r"has one column of languages \(1\)"):
        read("tsv", "".join(rows).replace("en-de\tnews", "pt-br"))


def test_lines_of_settings_may_stand_before_a_table(tmp_path):
    path = tmp_path / "deck.txt"
    path.write_text("#separator:tab\n#html:true\nGo.\tGeh.\nHi.\tHallo!\n", encoding="utf-8")
    assert bitext.read(path).pairs() == [(["Go."], ["Geh."]), (["Hi."], ["Hallo!"])]


def test_keys_that_are_codes_with_codes_as_values_hold_no_texts():
    line = {"sl": "en", "tl": "de", "srcs": ["One."], "trgs": ["Eins."]}
    with pytest.raises(FormatError, match="is in no form that can be read"):
        read("jsonl", json.dumps(line) + "\n")
    assert read("jsonl", '{"en": "no", "es": "no"}\n').pairs() == [(["no"], ["no"])]


@pytest.mark.parametrize("numbers", [[0, 1, 2], [7, 3, 5]])
def test_the_first_line_of_a_data_frame_is_a_header_without_a_name_over_its_numbers(numbers):
    rows = [f"{k},The cat {k} sat.,Die Katze {k} saß.,0.{k}\n" for k in numbers]
    bt = read("csv", "".join([",premise,gloss,sim\n", *rows]))
    assert bt.pairs()[0] == ([f"The cat {numbers[0]} sat."], [f"Die Katze {numbers[0]} saß."])
    assert len(read("csv", "".join([",One.,Eins.,0.5\n", *rows[:1], *rows[:1]])).src) == 3
