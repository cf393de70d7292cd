"""`bitext join`: pairs that share languages become one table, which comes apart again."""

from __future__ import annotations

import json

import pytest

from bitext import read
from bitext.formats.multitexts import Shelf
from reference.job_tasks import AtHand

FORMATS = ("tsv", "csv", "tmx", "jsonl", "json", "parquet", "arrow", "xlsx")


@pytest.fixture
def orchard(coast):
    folder = coast.parent / "orchard"
    texts = [f"--text={code}={folder}/orchard.{code}" for code in ("en", "fr", "de")]
    return [folder / "orchard.en-fr.align", folder / "orchard.en-de.align", *texts]


@pytest.fixture
def pairs(write):
    """Three pairs that share German; a sentence of each is not in all."""
    return [
        write("m.de-en.tsv", "Ja.\tYes.\nNein. Nie.\tNo. Never.\nHm.\tHm.\n"),
        write("m.de-fr.tsv", "Ja.\tOui.\nNein.\tNon.\nNie.\tJamais.\nHm.\t\n"),
        write("m.it-de.tsv", "Sì.\tJa.\nNo. Mai.\tNein. Nie.\n\tHm.\n"),
    ]


def rows_of(path):
    return [line.split("\t") for line in path.read_text("utf-8").splitlines()]


def sides(path, src, tgt):
    made = read(path, src_lang=src, tgt_lang=tgt)
    return [tuple(" ".join(side) for side in pair) for pair in made.pairs()]


def test_pairs_become_rows_of_all_languages(bitext, pairs, tmp_path):
    out = tmp_path / "out.tsv"
    done = bitext("join", *pairs, "-o", out)
    assert done.status == 0
    assert rows_of(out) == [
        ["de", "en", "fr", "it"],
        ["Ja.", "Yes.", "Oui.", "Sì."],
        ["Nein. Nie.", "No. Never.", "Non. Jamais.", "No. Mai."],
        ["Hm.", "Hm.", "", ""],
    ]
    assert "3 rows of 3, 4, 3 bisegments, 2 of them in all 4 languages (de, en, fr, it)" in done.err
    assert "rows that join several bisegments of a file: 1" in done.err
    assert "versions of a text that differ, laid over each other: 1, first de of " in done.err
    assert "with empty cells (--strict leaves them out): 1 (fr 1, it 1)" in done.err
    assert "languages taken from names of files" in done.err
    assert bitext("join", *pairs, "--strict", "-o", out).status == 0
    assert len(rows_of(out)) == 3


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_joined_file_comes_apart_to_the_pairs(bitext, orchard, tmp_path, format_name):
    out = tmp_path / f"out.{format_name}"
    assert bitext("join", *orchard, "-o", out).status == 0
    for src, tgt in (("en", "fr"), ("de", "en")):
        folder, code = orchard[0].parent, tgt if src == "en" else src
        direct = read(
            folder / f"orchard.en-{code}.align",
            src=folder / "orchard.en",
            tgt=folder / f"orchard.{code}",
        )
        whole = [tuple(" ".join(side) for side in pair) for pair in direct.pairs()]
        whole = whole if src == "en" else [pair[::-1] for pair in whole]
        made = sides(out, src, tgt)
        # What was not merged is a row of its own.
        assert set(made) - set(whole) == {
            pair for pair in made if sum(one[0] in pair[0] for one in whole) != 1
            and pair not in whole
        }  # fmt: skip
        assert len(set(made) & set(whole)) >= 50
        for side in (0, 1):
            assert " ".join(filter(None, (pair[side] for pair in made))).split() == (
                " ".join(filter(None, (pair[side] for pair in whole))).split()
            )


def test_a_chain_and_a_circle_are_joined(bitext, write, tmp_path):
    files = [
        write("de-en.tsv", "Ja.\tYes.\nEs regnet.\tIt rains.\n"),
        write("en-fr.tsv", "Yes.\tOui.\nIt rains.\tIl pleut.\n"),
        write("fr-de.tsv", "Oui.\tJa.\nIl pleut.\tEs regnet.\n"),
    ]
    out = tmp_path / "out.tsv"
    for some in (files[:2], files):
        assert bitext("join", *some, "-o", out).status == 0
        rain = ["Es regnet.", "It rains.", "Il pleut."]
        assert rows_of(out)[1:] == [["Ja.", "Yes.", "Oui."], rain]


def test_memories_of_other_sentences_are_joined_by_equal_texts(bitext, write, tmp_path):
    one = write(
        "en-de.tsv", "Yes.\tJa.\nNo.\tNein.\nNo.\tNein.\nWell.\tGut.\nWell.\tNun.\nA.\tA.\n"
    )
    two = write("en-fr.tsv", "It rains.\tIl pleut.\nNo.\tNon.\nYes.\t Oui.\nWell.\tBien.\n")
    out = tmp_path / "out.tsv"
    done = bitext("join", one, two, "-o", out)
    assert (done.status, "--by text" in done.err) == (2, True)
    done = bitext("join", one, two, "--by", "text", "-o", out)
    assert done.status == 0
    assert rows_of(out)[1:] == [
        ["Yes.", "Ja.", " Oui."],
        ["No.", "Nein.", "Non."],
        ["A.", "A.", ""],
        ["It rains.", "", "Il pleut."],
    ]
    assert "repeated bisegments, taken once: 1" in done.err
    assert "rows with several texts in a language, left out: 1, first 'Well.'" in done.err


def test_normal_forms_and_inline_codes_are_joined(bitext, write, tmp_path):
    unit = (
        '<tu><tuv xml:lang="{0}"><seg>{1}</seg></tuv><tuv xml:lang="{2}"><seg>{3}</seg></tuv></tu>'
    )
    whole = '<?xml version="1.0"?><tmx version="1.4"><header srclang="fr"/><body>{}</body></tmx>'
    bold = '<bpt i="1">&lt;b></bpt>{}<ept i="1">&lt;/b></ept>'
    one = write("one.tmx", whole.format(unit.format("fr", bold.format("Été."), "en", "Summer.")))
    two = write("two.tmx", whole.format(unit.format("fr", "E\u0301te\u0301.", "de", "Sommer.")))
    for by in ("segments", "text"):
        out = tmp_path / f"{by}.tmx"
        done = bitext("join", one, two, "--by", by, "-o", out)
        assert done.status == 0
        text = out.read_text("utf-8")
        assert text.count("<tu>") == 1
        assert '<bpt i="1">' in text
        assert 'srclang="*all*"' in text
        assert sides(out, "de", "en") == [("Sommer.", "Summer.")]


def test_scores_and_documents_are_columns(bitext, write, tmp_path):
    def line(src, tgt, score, document):
        item = {"src": ["0"], "tgt": ["0"], "src_text": src, "tgt_text": tgt}
        return json.dumps(item | {"score": score, "document": document}) + "\n"

    both = line("Ja.", "Yes.", 0.5, "a") + line("Da.", "There.", 1, "b")
    one, two = write("de-en.jsonl", both), write("de-fr.jsonl", line("Ja.", "Oui.", 0.5, "a"))
    out = tmp_path / "out.tsv"
    done = bitext("join", one, two, "-o", out)
    assert rows_of(out) == [
        ["de", "en", "fr", "score", "document"],
        ["Ja.", "Yes.", "Oui.", "0.25", "a"],
        ["Da.", "There.", "", "1.0", "b"],
    ]
    assert "document pairs that not all files have, joined without: 1, first b" in done.err
    langs = ["--src-lang", "de", "--tgt-lang", "en", "--to", "tsv"]
    for name in ("out.tsv", "out.jsonl", "out.parquet", "out.tmx"):
        assert bitext("join", one, two, "-o", tmp_path / name).status == 0
        pair = bitext("convert", tmp_path / name, "-", *langs).out.splitlines()
        assert [line.split("\t")[:3] for line in pair[-2:]] == [
            ["Ja.", "Yes.", "0.25"],
            ["Da.", "There.", "1.0"],
        ]


def test_scores_that_are_costs_are_not_multiplied_and_those_that_may_be_are_noted(bitext, write):
    bead = "<alignment score='0.5'><sourcelist><segment>{}</segment></sourcelist>"
    bead += "<targetlist><segment>{}</segment></targetlist></alignment>"
    costs = [
        write(f"{lang}/a.al", f"<alignmentlist>{bead.format('Ja.', word)}</alignmentlist>")
        for lang, word in (("en", "Yes."), ("fr", "Oui."))
    ]
    to = ["--to", "tsv", "--langs", "de-en,de-fr"]
    done = bitext("join", *costs, *to)
    assert done.out == "de\ten\tfr\nJa.\tYes.\tOui.\n"
    assert "scores of maligna left out: they are costs, lower is better: 2" in done.err
    assert "scores left out" not in done.err
    text = [f"--text={lang}={write(f'{lang}.txt', 'Ja.')}" for lang in ("de", "en", "fr")]
    brackets = [write(f"de-{lang}.align", "[0]:[0]:0.5") for lang in ("en", "fr")]
    done = bitext("join", *brackets, *to, *text)
    assert done.out.splitlines()[1] == "Ja.\tJa.\tJa.\t0.25"
    assert "may be costs, lower is better (they are multiplied): 2, first " in done.err
    done = bitext("join", costs[0], brackets[1], *to, text[0], text[2])
    assert done.out.splitlines()[1] == "Ja.\tYes.\tJa."
    assert "scores left out: not all files have some from 0 to 1" in done.err
    assert "may be costs" not in done.err


@pytest.mark.parametrize("name", ["out.tsv", "out.csv"])
def test_tables_with_a_language_whose_code_is_another_word_are_read_back(
    bitext, write, tmp_path, name
):
    en, fr, no = (write(f"a.{code}", f"{code}\n") for code in ("en", "fr", "no"))
    out = tmp_path / name
    assert bitext("join", f"{en},{fr}", f"{en},{no}", "-o", out).status == 0
    found = bitext("convert", out, "-", "--src-lang", "fr", "--tgt-lang", "no", "--to", "tsv").out
    assert found.splitlines()[-1] == "fr\tno"


@pytest.mark.parametrize("name", ["out.tsv", "out.csv"])
def test_texts_that_are_the_null_of_databases_come_back(bitext, write, tmp_path, name):
    cells = {"en": "Cat.", "de": "\\N", "fr": "__NULL__"}
    en, de, fr = (write(f"a.{code}", f"Mill.\n{cell}\n") for code, cell in cells.items())
    out = tmp_path / name
    assert bitext("join", f"{en},{de}", f"{en},{fr}", "-o", out).status == 0
    assert out.read_text().splitlines()[0].replace(",", "\t") == "src:en\ttgt:de\tlang:fr"
    found = bitext("convert", out, "-", "--src-lang", "de", "--tgt-lang", "fr", "--to", "tsv").out
    assert found.splitlines()[-1] == "\\N\t__NULL__"


def test_document_pairs_are_joined_by_the_documents_they_share(bitext, write, tmp_path):
    line = '<?xml version="1.0"?><text><s id="1">{0} {1}.</s></text>'
    for k in (1, 2):
        for lang in ("de", "en", "fr"):
            write(f"{lang}/{lang}{k}.xml", line.format(lang, k))
    pair = (
        '<linkGrp fromDoc="{0}/{0}{2}.xml" toDoc="{1}/{1}{3}.xml"><link xtargets="1;1"/></linkGrp>'
    )
    whole = '<?xml version="1.0"?><cesAlign version="1.0">{}</cesAlign>'

    def links(src, tgt, *numbers):
        text = "".join(
            pair.format(src, tgt, one, other, '<link xtargets="1;1"/>') for one, other in numbers
        )
        return write(f"{src}-{tgt}.xml", whole.format(text))

    files = [links("de", "en", (1, 1), (2, 2)), links("fr", "en", (2, 2), (1, 1))]
    out = tmp_path / "out.tsv"
    done = bitext("join", *files, "-o", out)
    assert rows_of(out) == [
        ["de", "en", "fr", "document"],
        ["de 1.", "en 1.", "fr 1.", "de/de1.xml"],
        ["de 2.", "en 2.", "fr 2.", "de/de2.xml"],
    ]
    assert "2 rows of 2, 2 bisegments, 2 of them in all 3 languages" in done.err
    files[0] = links("de", "en", (1, 1), (1, 2))
    done = bitext("join", *files, "-o", out)
    assert (done.status, "nothing to join: documents with several counter" in done.err) == (2, True)


def test_folders_are_joined_by_the_names_of_their_files(bitext, write, tmp_path):
    for k in (1, 2):
        for lang in ("de", "en", "fr"):
            write(f"t/c{k}.{lang}", f"{lang} {k}.\n")
    for name in ("de-en/c1", "de-en/c2", "de-fr/c1"):
        write(f"{name}.align", "[0]:[0]\n")
    folders = [tmp_path / "de-en", tmp_path / "de-fr"]
    texts = [f"--text={lang}={tmp_path}/t/{{name}}.{lang}" for lang in ("de", "en", "fr")]
    out = tmp_path / "out.tsv"
    done = bitext("join", *folders, *texts, "-o", out)
    assert rows_of(out)[1:] == [["de 1.", "en 1.", "fr 1.", "c1"], ["de 2.", "en 2.", "", "c2"]]
    assert "document pairs that not all files have, joined without: 1, first c2" in done.err
    done = bitext("join", *folders, *texts[1:], "--text", f"de={tmp_path}/t/c1.de", "-o", out)
    assert (done.status, "--text de=" in done.err, "is one file" in done.err) == (2, True, True)
    done = bitext("join", *folders, *texts, "-o", tmp_path / "all/", "--to", "tsv")


def test_what_cannot_be_joined_is_refused_with_the_remedy(bitext, write, pairs, coast, tmp_path):
    out = tmp_path / "no.tsv"
    plain, copy = (write(name, "Ja.\tYes.\n") for name in ("plain.tsv", "copy.tsv"))
    cases = [
        ([plain, copy], "its languages are not known"),
        ([plain, copy, "--langs", "de-en,de-en"], "bitext combine"),
        ([plain, copy, "--langs", "de-en,fr-it"], "shares no language"),
        ([plain, copy, "--langs", "de-en,fr-fr"], "both sides are in 'fr'"),
        ([plain, plain, "--langs", "de-en"], "the languages of 1 file for 2 files"),
        ([plain, "--langs", "de,en,fr"], "want its languages, as de-en-fr"),
        ([coast.parent / "orchard/orchard.en-fr.align"], "holds two languages (en and fr)"),
        ([plain, plain, "--langs", "de,en"], "want the languages of a file, two or more"),
        ([plain, plain, "--langs", "de-en,de-fr", "--text", "de"], "LANG=FILE"),
        ([plain, plain, "--langs", "de-en,de-fr"], "is given twice"),
        ([plain, copy, "--langs", "de-en,de-score"], "no code of a language"),
        ([plain, "--langs", "de-en"], "bitext convert --src-lang de --tgt-lang en"),
        ([pairs[0]], "languages of its texts are not known"),
        ([plain, "--langs", "de:en:de"], "names a language twice"),
        ([plain, plain, "--langs", "de-en"], "the languages of 1 file for 2 files"),
        ([*pairs, "--to", "xliff2"], "holds two languages"),
        ([*pairs, "--min-matched", "2"], "--min-matched"),
        ([coast.parent / "orchard/orchard.en-fr.align", pairs[0]], "--text en=FILE"),
        ([pairs[0], write("e.de-fr.tsv", "Ganz anders.\tX.\n")], "the pivot texts of"),
    ]  # fmt: skip
    for arguments, message in cases:
        done = bitext("join", *arguments, "-o", out)
        assert (done.status, message in done.err) == (2, True), (arguments, done.err)
        assert done.err.count("\n") == 1
        assert not out.exists()
    done = bitext("join", *pairs, "-o", pairs[0])
    assert done.status == 2


# One file in several languages.

UNITS = (
    {"de": "Ja.", "en": "Yes.", "fr": "Oui.", "it": "Sì."},
    {"de": "Nein.", "fr": "Non."},
    {"fr": "Peut-être.", "it": "Forse."},
    {"it": "Mah."},
    {"de": "A & B", "en": "A < B", "it": "C"},
)


def memory(write, units=UNITS, name="memory.tmx"):
    def text(lang, cell):
        cell = cell.replace("&", "&amp;").replace("< ", "&lt; ")
        return f'<tuv xml:lang="{lang}"><seg>{cell}</seg></tuv>\n'

    body = "".join(
        "<tu>\n" + "".join(text(*each) for each in unit.items()) + "</tu>\n" for unit in units
    )
    head = '<?xml version="1.0"?>\n<tmx version="1.4">\n<header srclang="de"/><body>\n'
    return write(name, f"{head}{body}</body></tmx>\n")


def cells(units, langs):
    return [[unit.get(lang, "") for lang in langs] for unit in units]


@pytest.mark.parametrize("format_name", FORMATS)
def test_one_file_in_several_languages_has_all_of_them_in_one_go(
    bitext, write, tmp_path, format_name
):
    out, table = tmp_path / f"out.{format_name}", tmp_path / "table.tsv"
    done = bitext("join", memory(write), "-o", out)
    assert done.status == 0
    assert "5 rows of 5 bisegments, 1 of them in all 4 languages (de, en, fr, it)" in done.err
    assert "(de 2, en 3, fr 2, it 1)" in done.err
    # What was written is read again in the same way.
    assert bitext("join", out, "-o", table).status == 0
    langs = rows_of(table)[0]
    assert sorted(langs) == ["de", "en", "fr", "it"]
    assert rows_of(table)[1:] == cells(UNITS, langs)


def test_languages_of_one_file_are_chosen(bitext, write, tmp_path):
    out = tmp_path / "out.tsv"
    assert bitext("join", memory(write), "--langs", "it:fr:en", "-o", out).status == 0
    langs = ["it", "fr", "en"]
    assert rows_of(out) == [langs, *cells(UNITS, langs)]
    done = bitext("join", memory(write), "--langs", "it:de:fr", "--strict", "-o", out)
    assert rows_of(out)[1:] == [["Sì.", "Ja.", "Oui."]]
    assert "rows that lack a language, left out: 4 (it 1, de 2, fr 2)" in done.err
    # A part of the file may have none of them.
    units = [{"de": "d", "en": "e"}] * 1500 + [{"de": "d", "fr": "f", "it": "i", "es": "s"}]
    assert bitext("join", memory(write, units), "--langs", "it:fr:es", "-o", out).status == 0
    assert rows_of(out) == [["it", "fr", "es"], ["i", "f", "s"]]
    for langs, message in (
        ("de:en:ru", "has no text in 'ru'; it holds de, en, fr, it"),
        ("de:en", "bitext convert --src-lang de --tgt-lang en"),
    ):
        done = bitext("join", memory(write), "--langs", langs, "-o", tmp_path / "no.tsv")
        assert (done.status, message in done.err) == (2, True)
        assert not (tmp_path / "no.tsv").exists()


def test_rows_are_the_same_in_parts_and_with_late_languages(bitext, write, tmp_path):
    units = [{"de": f"d{k}", "en": f"e{k}"} for k in range(2500)]
    units[2300] = {"fr": "f", "de": "d"}
    out = tmp_path / "out.tsv"
    done = bitext("join", memory(write, units), "-o", out)
    assert rows_of(out) == [["de", "en", "fr"], *cells(units, ("de", "en", "fr"))]
    assert "2,500 rows of 2,500 bisegments, 0 of them in all 3 languages" in done.err
    done = bitext("join", memory(write, units[:100]), "-o", out)
    assert (done.status, "holds two languages (de and en)" in done.err) == (2, True)


def test_a_file_in_several_languages_is_joined_with_others(bitext, write, tmp_path):
    """Rows of the memory lack German, and hang together all the same."""
    more = write("fr-es.tsv", "Oui.\tSí.\nNon.\tNo.\nPeut-être.\tQuizás.\n")
    for by in ("segments", "text"):
        out = tmp_path / f"{by}.tsv"
        done = bitext("join", memory(write), more, "--by", by, "-o", out)
        assert done.status == 0, done.err
        langs = ["de", "en", "fr", "it", "es"]
        units = [dict(unit) for unit in UNITS]
        for unit, spanish in zip(units, ("Sí.", "No.", "Quizás."), strict=False):
            unit["es"] = spanish
        assert rows_of(out)[0] == langs
        assert sorted(rows_of(out)[1:]) == sorted(cells(units, langs))


def test_inline_codes_of_all_languages_are_kept(bitext, write, tmp_path):
    bold = '<bpt i="1">&lt;b></bpt>{}<ept i="1">&lt;/b></ept>'
    texts = "".join(
        f'<tuv xml:lang="{lang}"><seg>{bold.format(word)}.</seg></tuv>'
        for lang, word in (("de", "Ja"), ("en", "Yes"), ("fr", "Oui"))
    )
    whole = f'<tmx version="1.4"><header srclang="de"/><body><tu>{texts}</tu></body></tmx>'
    out = tmp_path / "out.tmx"
    memory = write("m.tmx", whole)
    done = bitext("join", memory, "-o", out)
    assert (done.status, "left out" in done.err, "lost" in done.err) == (0, False, False)
    assert out.read_text("utf-8").count('<bpt i="1">') == 3
    for name in ("out.jsonl", "out.json"):
        done = bitext("join", memory, "-o", tmp_path / name)
        assert "lost: segments with inline marks, written without them: 3, first de" in done.err


def test_document_pairs_of_one_file_in_several_languages_are_joined(bitext, write, tmp_path):
    """XLIFF has two languages a document: one file holds the pairs."""
    unit = '<trans-unit id="{0}"><source>{1}</source><target>{2}</target></trans-unit>'
    body = "".join(
        f'<file original="{name}" source-language="en" target-language="{lang}" '
        f'datatype="plaintext"><body>{unit.format(1, english, other)}</body></file>'
        for name, english, lang, other in (
            ("a", "Yes.", "de", "Ja."), ("a", "Yes.", "fr", "Oui."),
            ("b", "No.", "fr", "Non."), ("b", "No.", "de", "Nein."),
        )
    )  # fmt: skip
    namespace = "urn:oasis:names:tc:xliff:document:1.2"
    file = write("m.xlf", f'<xliff version="1.2" xmlns="{namespace}">{body}</xliff>')
    out = tmp_path / "out.tsv"
    done = bitext("join", file, "-o", out)
    assert done.status == 0, done.err
    assert [row[:3] for row in rows_of(out)] == [
        ["en", "de", "fr"], ["Yes.", "Ja.", "Oui."], ["No.", "Nein.", "Non."]
    ]  # fmt: skip


# Many documents: in any order, in memory that does not grow with them, in folders, by jobs.


def many_documents(write, number, size):
    def lines(lang, order):
        return "".join(
            json.dumps(
                {
                    "src": [str(k)], "tgt": [str(k)], "src_text": f"de {d} {k}",
                    "tgt_text": f"{lang} {d} {k}", "document": f"d{d}",
                }
            ) + "\n"
            for d in order
            for k in range(size)
        )  # fmt: skip

    return [
        write("x.de-en.jsonl", lines("en", range(number))),
        write("x.de-fr.jsonl", lines("fr", reversed(range(number)))),
    ]


def test_documents_on_disk_give_the_same_file(bitext, write, tmp_path, monkeypatch):
    files = many_documents(write, 40, 3)
    made = []
    for weight in (1 << 20, 0):  # in memory, and from the first one on in a file
        monkeypatch.setattr(Shelf.__init__, "__defaults__", (weight,))
        for ending in ("tsv", "tmx", "jsonl"):
            out = tmp_path / f"{weight}.{ending}"
            assert bitext("join", *files, "-o", out).status == 0
            made.append(out.read_bytes())
    assert made[:3] == made[3:]
    assert made[0].decode().splitlines()[1] == "de 0 0\ten 0 0\tfr 0 0\td0"


def test_a_folder_gets_a_file_for_each_name_also_by_jobs_and_shards(
    bitext, write, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    for k in range(5):
        for lang in ("en", "fr"):
            if (k, lang) != (4, "fr"):
                write(f"de-{lang}/c{k}.tsv", f"Satz {k}.\t{lang} {k}.\n")
    plain = ("join", "de-en", "de-fr", "--to", "tsv", "--langs", "de-en,de-fr")
    done = bitext(*plain, "-o", "all/")
    assert done.status == 0
    assert "4 rows of 4, 4 bisegments, 4 of them in all 3 languages (de, en, fr), in 4 files" in (
        done.err
    )
    assert "texts that one operand alone has, left out: 1, first c4" in done.err
    names = [f"c{k}.tsv" for k in range(4)]
    want = {name: (tmp_path / "all" / name).read_bytes() for name in names}
    assert want["c1.tsv"].decode() == "de\ten\tfr\nSatz 1.\ten 1.\tfr 1.\n"
    assert bitext(*plain, "-o", "jobs/", "-j", "2", "--journal", "j").status == 0
    assert {name: (tmp_path / "jobs" / name).read_bytes() for name in names} == want
    done = bitext(*plain, "-o", "jobs/", "-j", "2", "--journal", "j")
    assert "4 documents were done before" in done.err
    monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)  # workers were begun above
    for k in (1, 2):
        part = ("--shard", f"{k}/2", "--journal", f"p{k}")
        assert bitext(*plain, "-o", "shards/", *part).status == 0
    merged = bitext("merge", "merged.json", "p1", "p2")
    assert merged.status == 0, merged.err
    assert {name: (tmp_path / "shards" / name).read_bytes() for name in names} == want
    assert len(json.loads((tmp_path / "merged.json").read_text())["files"]) == 4
    done = bitext(*plain, "-o", "one.tsv", "-j", "2")
    assert (done.status, "--jobs is for a folder as OUT" in done.err) == (2, True)
    # A damaged file is named, and the rest is done.
    write("de-fr/c2.tsv", "Ganz anders.\tfr 2.\n")
    done = bitext(*plain, "-o", "rest/", "--keep-going")
    assert (done.status, "not written: " in done.err) == (1, True)
    assert sorted(path.name for path in (tmp_path / "rest").iterdir()) == [
        "c0.tsv", "c1.tsv", "c3.tsv"
    ]  # fmt: skip


def test_a_table_is_cleaned_by_one_pair_after_another(bitext, orchard, tmp_path):
    table, first, second, out = (
        tmp_path / name for name in ("t.tsv", "ef.csv", "efd.csv", "out.tsv")
    )
    bitext("join", *orchard, "-o", table)
    clean = ("--all-languages", "--clean", "default")
    steps = ((table, first, "fr"), (first, second, "de"))
    for source, target, lang in steps:
        done = bitext("convert", source, target, "--src-lang", "en", "--tgt-lang", lang, *clean)
        assert done.status == 0
    assert bitext("join", second, "--langs", "en:fr:de", "-o", out).status == 0
    rows = rows_of(table)
    assert rows_of(out) == [row for row in rows if all(row)]


@pytest.mark.parametrize("kind", ["columns", "lines", "arrays", "csv"])
def test_tables_in_several_languages_of_other_programs_are_read(bitext, tmp_path, kind):
    rows = [{"en": "Yes.", "de": "Ja.", "fr": "Oui."}, {"en": None, "de": None, "fr": "Non."}]
    if kind == "columns":
        arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        file = tmp_path / "m.parquet"
        parquet.write_table(arrow.Table.from_pylist(rows), file)
    elif kind == "csv":
        file = tmp_path / "m.csv"
        file.write_text("text_en,text_de,text_fr\nYes.,Ja.,Oui.\n,,Non.\n")
    else:
        file = tmp_path / ("m.jsonl" if kind == "lines" else "m.json")
        columns = {lang: [row[lang] for row in rows] for lang in rows[0]}
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        file.write_text(lines if kind == "lines" else json.dumps(columns))
    out = tmp_path / "out.tsv"
    assert bitext("join", file, "-o", out).status == 0
    assert rows_of(out) == [["en", "de", "fr"], ["Yes.", "Ja.", "Oui."], ["", "", "Non."]]
