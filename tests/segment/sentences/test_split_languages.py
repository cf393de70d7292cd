"""The languages that text can be split in."""

import pytest

from bitext.errors import OptionError
from bitext.segment.sentences import (
    MODELS,
    SCRIPTS,
    are_near,
    known_language,
    language_of_text,
    languages_of_sentences,
    other_language,
)


@pytest.mark.parametrize(
    ("code", "known"),
    [
        ("en-GB", "en"),
        ("deu", "de"),
        ("ger", "de"),
        ("DE_at", "de"),
        ("zh-Hans", "zh"),
        ("yue", "yue"),
        ("hu", "hu"),
        ("isl", "is"),
        ("ice", "is"),
        (" sr-Cyrl ", "sr"),
    ],
)
def test_languages_are_known_by_their_codes(code, known):
    assert known_language(code) == known


@pytest.mark.parametrize("code", ["xx", "", "hug", "english", "-", "qaa"])
def test_what_is_no_language_is_told(code):
    with pytest.raises(OptionError, match="cannot be split: want a code of ISO 639-1"):
        known_language(code)


@pytest.mark.parametrize("code", ["th", "tha", "lo", "bo", "tib"])
def test_languages_that_do_not_mark_sentences_are_told(code):
    with pytest.raises(OptionError, match=f"'{code}' cannot be split: its script does not mark"):
        known_language(code)


def test_languages_with_models_and_rules_are_known_by_their_own_codes():
    for code in (*MODELS, *SCRIPTS):
        assert known_language(code) == code


def test_the_codes_are_those_that_nltk_knows():
    from nltk.langnames import iso639short

    wrong = {"hbs"}  # Serbo-Croatian: nltk has it with the letters that were withdrawn
    for longer, short in iso639short.items():
        if longer not in wrong and short not in {"th", "lo", "bo", "dz"}:
            assert known_language(longer) == known_language(short) == short


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Er ging in das Haus, und sie war nicht da. Dann kam der Wirt, und es wurde still.", "de"),
        ("He went into the house and she was not there. Then they all sat down in the room.", "en"),
        (
            "Il est entré dans la maison, et elle ne vit pas ce que je vis. Puis ils sont partis.",
            "fr",
        ),
        ("Он вошёл в дом, но её там не было. И тогда он сел на стул и начал ждать её там.", "ru"),
        ("彼は家に入ったが、そこには彼女はいなかった。", "ja"),
        ("他走进屋里，可是她不在那里。后来他们都坐下来，谁也没有说话。", "zh"),
        ("그는 집에 들어갔지만 그녀는 그곳에 없었다. 그리고 모두 앉았다.", "ko"),
        ("دخل الرجل البيت ولم تكن هناك. ثم جلسوا جميعا في الغرفة.", "ar"),
        ("دخل الرجل البیت ولم تکن هناک. ثم جلسوا جمیعا فی الغرفة.", "ar"),  # by Persian keys
        ("او گفت که می‌خواهد برگردد، اما کسی آنجا نبود. سپس همه نشستند و چای نوشیدند.", "fa"),
        (
            "ئەو پیاوە چووە ماڵەوە و کەس لەوێ نەبوو. دواتر هەموو لە ژوورەکە دانیشتن.",
            "",
        ),
        ("وہ گھر میں گیا اور وہ وہاں نہیں تھی۔ پھر سب کمرے میں بیٹھ گئے۔", "ur"),
        ("ਉਹ ਘਰ ਵਿੱਚ ਗਿਆ ਅਤੇ ਉਹ ਉੱਥੇ ਨਹੀਂ ਸੀ। ਫਿਰ ਸਾਰੇ ਬੈਠ ਗਏ।", "pa"),
        ("ಅವನು ಮನೆಗೆ ಹೋದನು ಮತ್ತು ಅವಳು ಅಲ್ಲಿ ಇರಲಿಲ್ಲ. ನಂತರ ಎಲ್ಲರೂ ಕುಳಿತರು.", "kn"),
        ("Tessel Ferry 12 14 18", ""),  # hardly a word
        ("", ""),
    ],
)
def test_the_words_of_a_text_tell_its_language(text, lang):
    assert language_of_text(text * 2) == lang


def test_a_language_that_is_named_is_doubted_only_where_the_words_are_clear():
    german = (
        "Er ging in das Haus, und sie war nicht da. Dann kam der Wirt, und es wurde still. " * 2
    )
    assert language_of_text(german, named="en-GB") == "de"
    assert language_of_text(german, named="ger") == ""
    assert language_of_text(german, named="gsw") == ""  # of which nothing is known
    danish = (
        "Han kom til huset, og hun var der ikke. Så gik de alle hjem til byen igen den dag. " * 2
    )
    assert language_of_text(danish, named="nb") == ""


@pytest.mark.parametrize(
    ("sentence", "lang"),
    [
        ("Er ging in das Haus – und sie sah „ihn“ nicht …", "de"),
        ("№ 5 ª : er ging in das Haus und sie sah Ωμέγα nicht", "de"),  # a few other letters
        ("Ο άνθρωπος ήταν στο σπίτι του και δεν ήταν (home)", "el"),
    ],
)
def test_the_language_of_a_sentence_with_other_characters(sentence, lang):
    assert [*languages_of_sentences([sentence])] == [lang]


@pytest.mark.parametrize(
    "mark", ["“{}”", "{}—", "«{}»", "{}…", "¿{}", "{}_", "7{}", "{}\u0301", "{}\n"]
)
def test_words_end_where_no_letter_follows(mark):
    german = [" ".join(mark.format(word) for word in ("ICH", "sah", "UND", "über", "der", "Fluß"))]
    assert languages_of_sentences(german) == {"de": 1}


def test_a_name_with_a_letter_of_persian_makes_no_persian_of_arabic():
    by_persian_keys = "دخل الرجل البیت ولم تکن هناک. ثم جلسوا جمیعا فی الغرفة. "
    assert language_of_text(by_persian_keys * 12 + "چاد") == "ar"
    assert language_of_text("هر کس حق دارد کار کند و چنین آزادانه انتخاب نماید. " * 12) == "fa"


def test_a_persian_sentence_may_have_the_letters_of_arabic_alone():
    with_own, without = "چرا هر روز صبح زود نان می‌خرید؟", "هر کس حق دارد آزادانه عبور و مرور کند."
    assert {*languages_of_sentences([with_own, without])} == {"fa", "ar"}
    assert are_near("fa", "ar")
    assert not are_near("fa", "en")


@pytest.mark.parametrize("many", [30, 300])
def test_a_text_in_parts_is_in_the_language_of_most_of_it(many):
    german = "Er ging in das Haus, und sie sah ihn nicht."
    french = "Il est dans la maison et elle ne le voit pas."
    assert other_language([german] * many, "de-AT") == other_language([french] * many, "fr") == ""
    assert other_language([german] * many, "fr") == "de"
    # By turns, one part after the other, and with few sentences in the other language.
    assert other_language([french, french, french, german] * (many // 4), "de") == "fr"
    assert other_language([german] * (many // 4) + [french] * many, "de") == "fr"
    assert other_language([french] * (many // 4) + [german] * many, "de") == ""
