"""Texts in many languages for the benchmark: read right, matched right, and gold that is gold."""

import json

import alignment_breadth as breadth
import alignment_languages
import alignment_short as short
import language_cases as cases
import language_texts as texts
import pytest

from bitext import Alignment
from bitext.errors import InputError

PAGE = """<html><head><title>no</title></head><body><div class="navheader">next</div>
<h1>2.1. {}</h1><div class="toc"><p>generated</p></div>
<p>{} <em>bold</em><!-- a remark --> behind.</p><pre>ls -l</pre>
<ul><li>{}</li><li>42</li></ul></body></html>"""


def page(folder, lang, name, *parts):
    path = folder / "usr/share/doc/debian-handbook/html" / lang / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PAGE.format(*parts), encoding="utf-8")


def test_paragraphs_of_one_structure_correspond(tmp_path):
    page(tmp_path, "en-US", "a.html", "Head", "One", "Left as it is")
    page(tmp_path, "de-DE", "a.html", "Kopf", "Eins", "Left as it is")
    page(tmp_path, "en-US", "b.html", "Other", "Two", "three")
    page(tmp_path, "de-DE", "b.html", "Anderes", "Zwei</p><p>noch", "drei")
    page(tmp_path, "en-US", "index.html", "x", "y", "z")
    page(tmp_path, "de-DE", "index.html", "x", "y", "z")
    found = texts.parallel("handbook", ("en-US", "de-DE"), tmp_path)
    assert found.pairs == [("Head", "Kopf"), ("One bold behind.", "Eins bold behind.")]
    assert found[1:] == (2, 1, 1)


def test_what_is_english_in_one_of_two_other_languages_is_left_out(tmp_path):
    page(tmp_path, "en-US", "a.html", "Head", "One", "item")
    page(tmp_path, "de-DE", "a.html", "Kopf", "Eins", "Punkt")
    page(tmp_path, "fr-FR", "a.html", "Tête", "Un", "item")
    found = texts.parallel("handbook", ("fr-FR", "de-DE"), tmp_path)
    assert found.pairs == [("Tête", "Kopf"), ("Un bold behind.", "Eins bold behind.")]


def test_messages_are_matched_by_their_originals(tmp_path):
    for lang, words in {"de": ("Ja %(who)s, bitte", "Nein"), "th": ("ใช่", "")}.items():
        path = tmp_path / "django/conf/locale" / lang / "LC_MESSAGES/django.po"
        path.parent.mkdir(parents=True)
        path.write_text(
            f'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
            f'msgid "Yes %(who)s, please"\nmsgstr "{words[0]}"\n\n'
            f'msgid "No"\nmsgstr "{words[1]}"\n',
            encoding="utf-8",
        )
    assert texts.parallel("django", ("en", "th"), tmp_path).pairs == [("Yes , please", "ใช่")]
    assert texts.parallel("django", ("th", "de"), tmp_path).pairs == [("ใช่", "Ja , bitte")]
    with pytest.raises(InputError, match="has no text of django in the language 'xx'"):
        texts.parallel("django", ("en", "xx"), tmp_path)


def test_verses_are_matched_by_their_numbers(tmp_path):
    folder = tmp_path / "package/dist"
    folder.mkdir(parents=True)
    for name, key in (("quran", "text"), ("quran_en", "translation"), ("quran_de", "translation")):
        verses = [{"id": k, "text": "x", key: f"{name}  verse {k}"} for k in (1, 2)]
        (folder / f"{name}.json").write_text(json.dumps([{"id": 1, "verses": verses}]))
    found = texts.parallel("verses", ("ar", "de"), tmp_path)
    assert found.pairs == [
        ("quran verse 1", "quran_de verse 1"),
        ("quran verse 2", "quran_de verse 2"),
    ]
    with pytest.raises(InputError, match="has no text of verses in the language 'xx'"):
        texts.parallel("verses", ("en", "xx"), tmp_path)


def test_codes_are_those_of_the_folders_or_of_the_packages(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(texts, "fetch", lambda name, codes, _: asked.append((name, codes)))
    for lang in ("ta", "en-US", "de-DE"):
        page(tmp_path, lang, "a.html", "Head", "One", "item")
    for lang in ("ky", "sr_Latn"):
        path = tmp_path / "django/conf/locale" / lang / "LC_MESSAGES/django.po"
        path.parent.mkdir(parents=True)
        path.touch()
    assert texts.codes_of("handbook", tmp_path) == ["de-DE", "ta"]
    assert texts.codes_of("django", tmp_path) == ["ky", "sr_Latn"]
    assert "zh_CN" in texts.codes_of("gimp", tmp_path)
    assert [name for name, _ in asked] == ["handbook", "django", "gimp"]
    assert "zh_CN" in asked[2][1]


def test_packages_are_named_without_capitals(tmp_path, monkeypatch):
    commands = []
    monkeypatch.setattr(texts.shutil, "which", lambda program: program)
    monkeypatch.setattr(texts, "run_command", lambda command, _: commands.append(command[-1]))
    texts.fetch("gimp", ("zh_CN", "fr"), tmp_path)
    assert commands == ["gimp-help-en", "gimp-help-fr", "gimp-help-zh-cn"]
    texts.fetch("gimp", ("zh_CN", "fr"), tmp_path)
    texts.fetch("gnome", ("zh_CN",), tmp_path)
    assert commands[3:] == ["gnome-user-docs"]


DECLARATION = """<html lang="{}"><body><h1>No</h1>
<header><h2>No</h2><p>Whereas {};</p></header>{}</body></html>"""


def declaration(folder, lang, word, *, articles, divided=False):
    path = folder / f"{lang}.html"
    kept = "".join(
        f'<article data-number="{k}"><h2>{k}</h2><p>{word} {k}.</p>'
        + (f"<ol><li>{word}.</li><li><p>{word}! {word}?</p></li></ol>" if divided else "")
        + "</article>"
        for k in articles
    )
    path.write_text(DECLARATION.format(lang, word, kept), encoding="utf-8")
    return short.declaration(path)


def test_declarations_are_matched_by_their_articles(tmp_path):
    src = declaration(tmp_path, "en", "One", articles=range(1, 22), divided=True)
    assert src.lang == "en"
    assert src.articles["3"] == ["One 3.", "One.", "One! One?"]
    tgt = declaration(tmp_path, "de", "Eins", articles=range(2, 25))
    case = short.case_of(("eng", "deu"), [src, tgt])
    assert case.langs == ("en", "de")
    assert case.tgt == ["Whereas Eins;", *(f"Eins {k}." for k in range(2, 22))]
    assert case.src[:5] == ["Whereas One;", "One 2.", "One.", "One!", "One?"]
    assert case.own[0][:6] == [0, 1, 1, 1, 1, 2]
    few = declaration(tmp_path, "de", "Eins", articles=range(2, 15))
    assert short.case_of(("eng", "deu"), [src, few]) is None


def test_what_is_right_has_sentences_of_one_article_on_both_sides():
    own = [0, 0, 1, 2], [0, 1, 1, 2]
    found = Alignment([((0, 1), (0,)), ((2,), (1,)), ((), (2,)), ((3,), (3,))])
    assert short.right_share(found, own) == 7 / 8
    assert short.right_share(Alignment([((0, 1, 2), (0, 1)), ((3,), (2,))]), own) == 0


def test_without_npm_it_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(texts.shutil, "which", lambda _: None)
    with pytest.raises(InputError, match="there is no npm"):
        texts.fetch("verses", ("ar", "en"), tmp_path)


def test_without_apt_it_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(texts.shutil, "which", lambda _: None)
    with pytest.raises(InputError, match="there is no apt-get"):
        texts.fetch("gnome", ("ta",), tmp_path)


def test_sentences_end_behind_the_stops_of_their_script():
    for text, lang, number in [
        ("این خانه است. آیا می‌آیید؟ بله.", "fa", 3),
        ("Xem chương 2. Đây là nhà, v.v. và nhà khác.", "vi", 1),
        ("यह घर है। वह कौन है?", "mr", 2),
        ("これは家です。誰ですか。", "ja", 2),
    ]:
        found = cases.sentences_of(text, lang, {})
        assert len(found) == number, found
        assert "".join(found).replace(" ", "") == text.replace(" ", "")


def made(number=300):
    """A case of `number` paragraphs, of one to three sentences."""
    own = [[k for k in range(number) for _ in range(1 + (k * step) % 3)] for step in (1, 2)]
    sides = [[f"{side}{place}" for place in range(len(own[side]))] for side in (0, 1)]
    return cases.Case("made a-b", ("a", "b"), *sides, (own[0], own[1]))


def paired(case):
    """What the gold standard puts together, as texts."""
    doc = cases.document(case)
    return {
        (tuple(case.src[k] for k in bead.src), tuple(case.tgt[k] for k in bead.tgt))
        for bead in doc.gold.alignment
    }


def test_variants_keep_what_belongs_together():
    case = made()
    whole = paired(case)
    assert len(whole) == 300
    assert all(src and tgt for src, tgt in whole)
    assert {(src, tgt) for tgt, src in paired(cases.swapped(case))} == whole
    for variant, sides in (("thinned", 2), ("cut", 1)):
        found = paired(cases.VARIANTS[variant](case))
        full = {bead for bead in found if bead[0] and bead[1]}
        assert full < whole
        alone = [[bead[side] for bead in found if not bead[1 - side]] for side in (0, 1)]
        assert sum(bool(each) for each in alone) == sides
    assert 100 <= len(case.tgt) - len(cases.cut(case).tgt) <= 104
    assert cases.thinned(case) == cases.thinned(case)


@pytest.mark.parametrize("variant", ["as it is", "swapped", "thinned", "cut"])
def test_variants_are_drawn_again_otherwise(variant):
    case = made()
    again = list(cases.drawn_again(case, variant, 4))
    assert again == list(cases.drawn_again(case, variant, 4))
    assert len({(*one.src, *one.tgt) for one in again}) == 4  # each is another one,
    assert cases.VARIANTS[variant](case) not in again  # and none is what was measured
    whole = paired(cases.swapped(case) if variant == "swapped" else case)
    for one in again:
        found = paired(one)
        full = {bead for bead in found if bead[0] and bead[1]}
        assert full < whole
        if variant in ("as it is", "swapped"):
            assert full == found
            assert 250 < len(found) < 290
        elif variant == "thinned":
            assert len([bead for bead in found if not bead[0]]) > 10
            assert len([bead for bead in found if not bead[1]]) > 10
        else:
            assert one.src == case.src
            assert 100 <= len(case.tgt) - len(one.tgt) <= 104


def test_what_is_cut_again_is_all_over_the_text():
    case = made()
    gone = [sorted({*case.own[1]} - {*one.own[1]}) for one in cases.drawn_again(case, "cut", 5)]
    assert gone[0][0] < 40
    assert gone[-1][-1] > 260
    assert gone == sorted(gone)
    assert gone[2] == sorted({*case.own[1]} - {*cases.cut(case).own[1]})


def test_a_text_of_fewer_sentences_than_are_cut_has_none_left():
    case = made(30)
    assert [one.tgt for one in cases.drawn_again(case, "cut", 2)] == [[], []]


def test_the_right_beads_within_paragraphs_score_fully():
    doc = cases.document(made(20))
    beads = []
    for bead in doc.gold.alignment:
        beads += [((k,), ()) for k in bead.src[1:]]
        beads.append((bead.src[:1], bead.tgt))
    apart = alignment_languages.Alignment([beads[k] for k in _in_order(beads)])
    assert alignment_languages.scored([doc], [apart])["alignment"].f1 == 1.0
    wrong = alignment_languages.Alignment([bead for bead in apart if bead.src != (3,)])
    assert alignment_languages.scored([doc], [wrong])["alignment"].f1 < 1.0


def test_pairs_of_all_languages_are_each_with_english_and_some_by_chance(tmp_path, monkeypatch):
    codes = ["af", "en_GB", "pt", "pt_BR", "th"]
    monkeypatch.setattr(breadth, "codes_of", lambda *_: codes)
    options = breadth.parser().parse_args(["--cache", str(tmp_path), "--pairs", "4"])
    found = list(breadth.drawn("gnome", options))
    assert [pair.name for pair in found[:4]] == [
        *("gnome C-af", "gnome C-pt", "gnome C-pt_BR", "gnome C-th")
    ]
    others = [pair.codes for pair in found[4:]]
    assert len({*others}) == 4
    assert not {("pt", "pt_BR"), ("pt_BR", "pt")} & {*others}
    assert list(breadth.drawn("gnome", options)) == found
    options = breadth.parser().parse_args(["--pairs", "400"])
    assert len(list(breadth.drawn("gnome", options))) == 4 + 4 * 3 - 2


def test_what_is_below_lengths_is_counted_and_named(tmp_path):
    page(tmp_path, "en-US", "a.html", "Head", "One", "item")
    page(tmp_path, "de-DE", "a.html", "Kopf", "Eins", "Punkt")
    pairs = [breadth.Pair("with English", "handbook", ("en-US", code)) for code in ("de", "ta")]
    options = breadth.parser().parse_args(["--cache", str(tmp_path)])
    short = pairs[0]._replace(codes=("en-US", "de-DE"))
    (tmp_path / "fetched").mkdir()
    (tmp_path / "fetched/debian-handbook").touch()
    assert breadth.measured(short, options) == []
    every = [
        breadth.Found(pair, "cut", 77, dict(zip(breadth.METHODS, figures, strict=True)))
        for pair, figures in zip(pairs, [(0.5, 0.25, 0.875, 0.75), (0.5, 0, 0, 1.0)], strict=True)
    ]
    parts = "\n".join(breadth.report(every, [short]))
    row = "2 | 0.5000 | 0.1250 | 0.4375 | 0.8750 | 0.6875 | 0 | 1 |"
    assert f"| handbook | with English | {row}" in parts
    assert f"| all |  | {row}" in parts
    assert "1 of 2." in parts
    assert "| handbook en-US-de | cut | 77 | 0.5000 | 0.2500 | 0.8750 | 0.7500 | -0.1250 |" in parts
    assert "sentences: handbook en-US-de-DE." in parts


def test_pairs_of_languages_are_compared_by_the_means_of_their_texts():
    texts = [  # length-characters and lexical
        ("gnome", ("C", "de"), 0.5, 1.0),
        ("handbook", ("en-US", "de-DE"), 0.75, 0.5),
        ("django", ("lb", "en"), 0.75, 0.5),
        ("gnome", ("C", "lb"), 0.5, 0.625),
        ("django", ("pt", "pt_BR"), 0.5, 0.5),
    ]
    every = [
        breadth.Found(
            breadth.Pair("any two", collection, codes),
            "cut",
            77,
            dict(zip(breadth.METHODS, (characters, 0.25, 0.25, lexical), strict=True)),
        )
        for collection, codes, characters, lexical in texts
    ]
    parts = "\n".join(breadth.report(every, []))
    assert "texts and variants of two languages: 1 of 3 pairs." in parts
    assert "| en-lb | 2 | 0.6250 | 0.2500 | 0.2500 | 0.5625 | -0.0625 |" in parts
    assert "| de-en |" not in parts
    assert "Drawn again" not in parts


def test_what_texts_below_lengths_reach_when_they_are_drawn_again():
    figures = dict.fromkeys(breadth.METHODS, 0.5)
    pair = breadth.Pair("any two", "django", ("lb", "en"))
    every = [
        breadth.Found(pair, "as it is", 77, figures),
        breadth.Found(pair, "thinned", 77, figures, [(0.5, 0.25), (0.25, 0.75), (0.5, 0.75)]),
        breadth.Found(pair, "cut", 77, figures, [(0.5, 0.25)]),
    ]
    parts = "\n".join(breadth.report(every, []))
    # Differences of -1/4, 1/2 and 1/4: their variance is 7 / 48.
    assert "| django lb-en | thinned | 3 | 0.4167 | 0.5833 | +0.1667 | 0.2205 | 1 |" in parts
    assert "| django lb-en | cut | 1 | 0.5000 | 0.2500 | -0.2500 | - | 1 |" in parts
    assert parts.count("| django lb-en | as it is |") == 0


def test_only_texts_below_lengths_are_drawn_again(tmp_path, monkeypatch):
    for lang, word in (("en-US", "here"), ("de-DE", "dort")):
        body = "</p><p>".join(f"Name{k * 3} {word} {k}" for k in range(50))
        page(tmp_path, lang, "a.html", f"Head {word}", body, f"item {word}")
    (tmp_path / "fetched").mkdir()
    (tmp_path / "fetched/debian-handbook").touch()
    aligned, right = [], breadth.Measured.scored

    def scored(self, doc, alignments, seconds):
        found = right(self, doc, alignments, seconds)
        aligned.append(len(doc.gold.src))
        # The fourth method is lexical: it is to be below in the text as it is.
        return found._replace(f1=0.5) if len(aligned) == 4 else found

    monkeypatch.setattr(breadth.Measured, "scored", scored)
    given = ["--cache", str(tmp_path), "--variants", "as it is,thinned", "--draws", "3"]
    pair = breadth.Pair("with English", "handbook", ("en-US", "de-DE"))
    below, other = breadth.measured(pair, breadth.parser().parse_args(given))
    assert below.f1["lexical"] == 0.5
    assert [len(below.again), len(other.again)] == [3, 0]
    assert below.again == [(1.0, 1.0)] * 3
    whole = len(aligned) - 3 * 2
    assert whole == 2 * len(breadth.METHODS)
    assert max(aligned[4:10]) < aligned[0]  # three draws, by two methods


def test_all_languages_are_measured_as_a_choice_of_them_is(tmp_path):
    for lang, word in (("en-US", "here"), ("de-DE", "dort")):
        body = "</p><p>".join(f"Name{k * 3} {word} {k}" for k in range(50))
        page(tmp_path, lang, "a.html", f"Head {word}", body, f"item {word}")
    (tmp_path / "fetched").mkdir()
    (tmp_path / "fetched/debian-handbook").touch()
    options = breadth.parser().parse_args(["--cache", str(tmp_path), "--variants", "as it is,cut"])
    pair = breadth.Pair("with English", "handbook", ("en-US", "de-DE"))
    whole, cut = breadth.measured(pair, options)
    assert (whole.pair, whole.variant, whole.sentences) == (pair, "as it is", 52)
    assert whole.f1 == dict.fromkeys(breadth.METHODS, 1.0)
    assert (cut.variant, cut.sentences) == ("cut", 52)


def _in_order(beads):
    return sorted(range(len(beads)), key=lambda k: beads[k][0])


def test_an_unknown_method_is_refused(capsys):
    with pytest.raises(SystemExit):
        alignment_languages.main(["--methods", "magic"])
    assert "there is no 'magic'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--collections", "gmp"], "--collections: there is no 'gmp'"),
        (["--variants", "thined"], "--variants: there is no 'thined'"),
        (["--pairs", "-1"], "--pairs: want 0 or more"),
        (["--most", "39"], "--most: want 40 or more"),
        (["--draws", "-1"], "--draws: want 0 or more"),
        (["-j", "0"], "--jobs: want 1 or more"),
        (["--report", "nowhere/report.md"], "--report: nowhere/report.md: no folder nowhere"),
    ],
)
def test_what_is_wrong_is_told_before_the_work(given, told, tmp_path, capsys):
    with pytest.raises(SystemExit):
        breadth.main(["--cache", str(tmp_path), *given])
    assert told in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
