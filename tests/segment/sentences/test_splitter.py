from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import InputError
from bitext.segment.sentences.splitter import SentenceSplitter, join_pieces
from reference.chapters import read_paragraph_file
from reference.shared_data import data

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "paragraphs"


def joined(*pieces, lang="en"):
    text, spans, at = " ".join(pieces), [], 0
    for piece in pieces:
        spans.append((at, at + len(piece)))
        at += len(piece) + 1
    return [text[start:end] for start, end in join_pieces(text, spans, lang)]


@pytest.mark.parametrize(
    ("pieces", "lang"),
    [
        (("“Who is there?”", "said she."), "en"),  # lower case goes on
        (("“What!”", "—and he sat down."), "en"),
        (("Oh!", "…” rejoined the baronet."), "en"),
        (("“Heads below!”", "(a loud crash) came."), "en"),
        (("He stopped.", "* * *"), "en"),  # no letter
        (("He stopped.", "” He sat."), "en"),  # a closing mark
        (("Er ging.", "« Sie auch."), "de"),
        (("Er ging.", "“ Sie auch."), "de"),
        (("Aus!", "– »als Lehrer«."), "de"),
        (("Il vint.", "» Elle partit."), "fr"),
        (("Warum?", "'s ist gut."), "de"),
        (('"Who?"', '" he said.'), "en"),  # a mark that goes both ways, before a blank
    ],
)
def test_pieces_that_go_on_are_joined(pieces, lang):
    assert joined(*pieces, lang=lang) == [" ".join(pieces)]


@pytest.mark.parametrize(
    ("pieces", "lang"),
    [
        (("He came.", "She left."), "en"),
        (("He came.", "“and then?”"), "en"),  # behind an opening mark
        (("Er kam.", "»und dann?«"), "de"),
        (("Il vint.", "« et alors? »"), "fr"),
        (("He came.", '"and then?"'), "en"),
        (("Han kom.", "”och sedan?”"), "sv"),
        (("Wait!", "), it is odd."), "en"),  # a comma before the letter
        (("That is No.", "4. And that."), "en"),
        (("Objection No.", "1."), "en"),  # a digit is enough
    ],
)
def test_other_pieces_are_sentences(pieces, lang):
    assert joined(*pieces, lang=lang) == list(pieces)


@pytest.mark.parametrize("blank", [" ", "\u00a0", "\u202f"])
@pytest.mark.parametrize(
    "sentences",
    [
        ["« Entrez_», dit Mme Pike.", "«_Il fait froid._»", "Il haussa les épaules."],
        ["Il partit.", "«_Non_!_» cria-t-il.", "«_Oui_?_»", "‹_Ah._›", "Puis rien."],
        ["dit-elle.", "«_“_Il haussa…_”_»"],
    ],
)
def test_french_marks_with_a_blank_belong_to_what_they_quote(sentences, blank):
    wanted = [sentence.replace("_", blank) for sentence in sentences]
    assert SentenceSplitter("fr").sentences(" ".join(wanted)) == wanted


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        ("de", ["„Ja. ", "Gut.“", "„Dann los.“", "Er sagte: „Nein.“", "‚Ach?‘", "Sie ging."]),
        ("de", ["»Ja.«", "»Nein!« rief sie.", "«Komm.»", "Sie kam."]),
        ("cs", ["„Ano.“", "Pak odešel."]),
        ("bg", ["„Да.“", "После отиде."]),
        ("nl", ["„Ja.”", "Toen ging hij.", "‘Nee!’ riep ze."]),
        ("sv", ["”Ja.”", "Sedan gick han.", "»Nej.»", "Han kom."]),
        ("en", ["“Yes.”", "Then he went.", "“He said ‘No.’”", "’Tis true.", "He left."]),
        ("es", ["¿Qué?", "¡Nada!", "«Sí.»", "Luego salió."]),
        ("el", ["«Ναι;»", "Μετά έφυγε.", "Τι;"]),
        ("ar", ["هل أنت؟", "قال: «نعم.»", "ثم ذهب."]),
        ("hi", ["“वह आया।”", "वह गया।"]),
        ("ja", ["「行く？」", "彼は行った。", "『はい。』と言った。"]),
        ("ru", ["«Нет!» — сказал он.", "„Да.“", "Он ушёл."]),
    ],
)
def test_marks_that_close_stay_with_what_they_quote(lang, sentences):
    wanted = [sentence.strip() for sentence in sentences]
    blank = "" if lang == "ja" else " "
    assert SentenceSplitter(lang).sentences(blank.join(wanted)) == wanted


def test_marks_at_the_end_of_a_text_are_lost_nowhere():
    assert SentenceSplitter("fr").sentences("Il partit. «") == ["Il partit. «"]
    assert SentenceSplitter("fr").sentences("«") == ["«"]


@pytest.mark.parametrize(
    ("lang", "sentences"),
    [
        ("hu", ["Dr. Kiss a 2. emeleten lakik.", "„Mikor jön?” – kérdezte.", "Kb. 30 ember volt."]),
        ("is", ["Hún kom kl. 8 í gær.", "Hvar er hann?"]),
        ("uk", ["Дощ ішов увесь день.", "Хто там?", "Ніхто!"]),
        ("ko", ["비가 왔다.", "누구세요?", "아무도 없다."]),
        ("hi", ["बारिश हुई।", "कौन है?", "कोई नहीं।"]),
        ("ta", ["மழை பெய்தது.", "யார் அங்கே?"]),
        ("ar", ["نزل المطر.", "من هناك؟", "لا أحد!"]),
        ("ur", ["بارش ہوئی۔", "کون ہے؟", "کوئی نہیں۔"]),
        ("am", ["ዝናብ ዘነበ።", "ማን ነው፧", "ማንም የለም።"]),
        ("hy", ["Անձրեւ եկաւ։", "Ոչ ոք։"]),
        ("my", ["မိုးရွာသည်။", "ဘယ်သူလဲ။"]),
        ("ka", ["ის მოვიდა.", "დედა ელოდა მას.", "მან ჭამა."]),
        ("fa", ["او در خانه است.", "این کتاب است.", "هوا خوب است."]),
        ("eu", ["Etxera etorri da.", "Eguraldi ona da.", "Liburua hau da."]),
        ("km", ["ភ្លៀងធ្លាក់។", "នរណា?", "គ្មាននរណាទេ។"]),
    ],
)
def test_languages_without_a_model(lang, sentences):
    assert SentenceSplitter(lang).sentences(" ".join(sentences)) == sentences
    assert SentenceSplitter(lang).sentences(" ".join(sentences * 20)) == sentences * 20


@pytest.mark.parametrize(
    ("lang", "text", "plain"),
    [
        ("de", "Man sah z. B. Anna dort. Dann ging sie.", 3),
        ("hu", "Ott volt pl. Anna is. Aztán elment.", 3),
        ("no", "Han kom i går. Hun gikk.", 2),  # there is no list
        ("hr", "Dr. Horvat je došao. Onda je otišao.", 3),
        ("id", "Dr. Budi datang. Lalu pergi.", 3),
        ("uk", "Там був проф. Шевченко. Потім пішов.", 3),
        ("hi", "डॉ. स्मिथ आए। फिर एस. के. राव गए।", 5),
        ("bn", "ড. রহমান এলেন। তারপর গেলেন।", 3),
        ("mr", "डॉ. जोशी आले. मग गेले.", 3),
        ("fr", "Mme. Martin a vu le Dr. Roux. Puis elle partit.", 4),
        ("sv", "Jag såg Dr. Berg. Sedan gick jag.", 3),
        ("el", "Ποιος είναι; Ήρθε ο Dr. Ray.", 3),
        ("hr", "Kupio je vol. Onda je otišao.", 2),
    ],
)
def test_lists_of_abbreviations(lang, text, plain):
    assert len(SentenceSplitter(lang, lists=False).sentences(text)) == plain
    assert len(SentenceSplitter(lang).sentences(text)) == 2


def test_chinese_and_japanese_have_a_rule():
    splitter = SentenceSplitter("ja")
    text = "「もう夜か？」と彼は言った。誰も答えない！！ 3.5キロ「そうか。」外は雨だ．第１．５回"
    assert splitter.sentences(text) == [
        "「もう夜か？」と彼は言った。",
        "誰も答えない！！",
        "3.5キロ「そうか。」",
        "外は雨だ．",
        "第１．５回",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "「はい。」とても良い。",
        "「はい。」ところが彼は来ない。",
        "「もうだめだ。」とうとう彼は泣いた。",
    ],
)
def test_what_begins_behind_speech_is_a_sentence(text):
    assert len(SentenceSplitter("ja").sentences(text)) == 2


def test_a_danda_in_a_text_with_full_stops_ends_only_its_sentence():
    """A verse that is quoted changes nothing for the rest of a chapter."""
    splitter = SentenceSplitter("mr")
    text = "तो आला. ती गेली. " * 50
    assert len(splitter.sentences(text)) == 100
    assert len(splitter.sentences(f"{text}राम आला। ती हसली.")) == 102
    assert len(SentenceSplitter("hi").sentences("The cat sat. The dog ran. उसने कहा।")) == 3


@pytest.mark.parametrize(
    ("lang", "sentences", "between"),
    [
        ("hi", ["वह आया |", "डॉ. शर्मा गए |", "वह सोया |"], " "),  # a bar typed for a danda
        ("hy", ["Նա եկավ:", "«Նա գնաց»:", "Նա ասաց:"], " "),  # a colon typed for a full stop
        ("km", ["គាត់បានមក។ល។", "នាងបានទៅ។"], " "),
        ("am", ["እ.ኤ.አ. በ1990 ነበር።", "እሷ ሄደች።"], " "),  # full stops of abbreviations
        ("nl", ["Hij ging weg.", "'s Avonds kwam hij.", "’t Was laat.", "En 's morgens?"], " "),
        ("af", ["Dit reën.", "'n Man het gekom.", "‘n Vrou ook."], " "),
        ("zh", ["他走了。", '"好。"', "他说。", '"再见。"', "她说：'好。'"], ""),
        ("ja", ["彼は言った。", '"はい。"', "そして去った。"], ""),
    ],
)
def test_marks_typed_for_stops_and_quotations(lang, sentences, between):
    assert SentenceSplitter(lang).sentences(between.join(sentences)) == sentences


def test_digits_of_notes_stand_with_the_sentence_before():
    sentences = [
        "It had rained.1",
        "He said “Never again.”23",
        "She left.",
        "It is version 2.1 Beta.",
    ]
    assert SentenceSplitter("en").sentences(" ".join(sentences)) == sentences
    for whole in ("See Fig.2 The curve.", "He paid.3 of the bill."):
        assert SentenceSplitter("en").sentences(whole) == [whole]


def test_a_text_without_marked_ends_may_be_one_sentence():
    text = "เขามาแล้ว เธอไปแล้ว"
    assert SentenceSplitter("th-TH", whole=True).sentences(text) == [text]


@pytest.mark.parametrize("lang", ["en", "hi", "uk", "ja"])
def test_a_splitter_travels_to_other_processes(lang):
    splitter = pickle.loads(pickle.dumps(SentenceSplitter(lang)))
    assert splitter.sentences("A। B.") == SentenceSplitter(lang).sentences("A। B.")


def test_no_sentence_begins_with_a_comma():
    text = '他想了想……，然后走了。“天黑了……”，她说。真的？！ "好。"走吧。'
    assert SentenceSplitter("zh").sentences(text) == [
        "他想了想……，然后走了。",
        "“天黑了……”，她说。",
        "真的？！",
        '"好。"',
        "走吧。",
    ]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("zh", "他来了.|她说：“走吧.”|价格是 3.5 元.|Smith et al. 的方法.|第1. 章"),
        ("ja", "彼は来た.|彼女は（そうだ。）と思った。|それは3.5倍だ."),
    ],
)
def test_full_stops_of_latin_script_end_chinese_and_japanese_sentences(lang, text):
    sentences = text.split("|")
    assert SentenceSplitter(lang).sentences(" ".join(sentences)) == sentences


@pytest.mark.parametrize("lang", ["zh", "hu", "hi"])
@given(st.text("天地。！？”」 \n…a1.I।", max_size=30))
def test_every_character_but_white_space_is_in_a_sentence(lang, text):
    spans = SentenceSplitter(lang).spans(text).tolist()
    outside, at = "", 0
    for start, end in spans:
        outside += text[at:start]
        assert text[start:end].strip() == text[start:end] != ""
        at = end
    assert not (outside + text[at:]).strip()


@pytest.mark.parametrize("text", ["", " \n\t "])
def test_text_without_characters_has_no_sentence(text):
    assert SentenceSplitter("zh").spans(text).shape == (0, 2)


@pytest.mark.parametrize(("name", "lang"), [("ferry.en", "en"), ("clock.de", "de")])
def test_stories_are_split_as_their_files_say(name, lang):
    splitter = SentenceSplitter(lang, lists=False)
    for text in read_paragraph_file(FIXTURES / f"{name}.tsv"):
        sentences = list(text.segments())
        assert splitter.sentences(" ".join(sentences)) == sentences


@pytest.mark.parametrize(("name", "lang"), [("sb", "en"), ("ger", "de")])
def test_the_data_are_split_as_they_were(name, lang):
    splitter = SentenceSplitter(lang, lists=False)
    for text in read_paragraph_file(min(data("paragraphs", name).iterdir())):
        sentences = list(text.segments())
        assert splitter.sentences(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    ("sentences", "lang"),
    [
        (["He came.[1]", "She left.[2]", "It rained."], "en"),
        (["Er kam.[12]", "Sie ging."], "de"),
        (["He said so.[1][2]", "She left."], "en"),
        (["He came [1].", "She left."], "en"),
        (["He came.", "[1] She left."], "en"),
        (["[1] She left.", "Yes."], "en"),
        (["He came.¹", "She left.¹²", "“Yes.”³", "It has 5 m².", "He said so.⁴"], "en"),
        (["¹ He came.¹ and went.", "She left.²⁾", "Yes.¹,²"], "en"),
        (["Das ist z. B.¹ Haus.²", "Er ging."], "de"),
        (["« Oui. »²", "Il partit."], "fr"),
    ],
)
def test_marks_of_notes_stand_with_the_sentence_before(sentences, lang):
    assert SentenceSplitter(lang).sentences(" ".join(sentences)) == sentences


def test_marks_of_notes_in_a_script_without_blanks():
    assert SentenceSplitter("zh").sentences("他来了。[1]她走了。[2]") == [
        "他来了。[1]",
        "她走了。[2]",
    ]


def test_one_text_at_a_time():
    with pytest.raises(InputError, match=r"the text is \['It rained\.'\] \(list\): want a string"):
        SentenceSplitter("en").sentences(["It rained."])
