"""Filters of bisegments by texts: what each rejects, and what it lets pass."""

import math

import numpy as np
import pytest

from bitext import Alignment, Bitext, Text
from bitext.errors import InputError, OptionError
from bitext.formats.beads import ChunkPosition
from bitext.formats.cleaning import Pair, Side
from bitext.formats.cleaning.cleaner import (
    BUILT_IN,
    Cleaner,
    Profile,
    Rule,
    as_profile,
    profile_of,
    suggested_bounds,
)
from bitext.formats.cleaning.filters import FILTERS
from bitext.formats.cleaning.repeats import Repeats, Step, word_sets

GOOD = [
    ("We met at 10:30 on the old bridge.", "Nous nous sommes vus à 10:30 sur le vieux pont."),
    ("Her name is Zoë Lafontaine.", "Elle s'appelle Zoë Lafontaine."),
    (
        "It costs 1,250.50 (one tonne)!",
        "Cela coûte 1 250,50 (une tonne) !".replace("1 2", "1\u202f2"),
    ),
    ("Is it so?", "Est-ce vrai ?"),
]
BY_TEXTS = [name for name, known in FILTERS.items() if not known.is_scored]
BAD = {
    "empty": [("Yes.", " "), ("", "Oui.")],
    "length-chars": [("a" * 2001, "b")],
    "length-words": [("a " * 201, "b")],
    "ratio-chars": [("Yes.", "Non, je ne le crois pas du tout.")],
    "ratio-words": [("Yes.", "Non, je ne crois pas.")],
    "long-words": [("x" * 51, "un mot")],
    "average-word": [("x" * 40, "un mot")],
    "letters": [("--- 12 --- 34 ---", "un mot")],
    "script": [("Привет всем", "Bonjour")],
    "mojibake": [("The cafÃ© is open.", "Le café"), ("a", "l\ufffdt")],
    "invisible": [("so\u200bme", "mot"), ("a", "\ufeffmot")],
    "private-use": [("\ue001 item", "mot")],
    "repeated-chars": [("Nooooooooooo!", "Non !")],
    "repeated-words": [("ha ha HA ha", "ah")],
    "identical": [("The same.", "the same.")],
    "similar-sides": [("The boat is at the quay", "The boat is at the quays")],
    "untranslated": [("Paris London Berlin Rome", "London Paris Berlin")],
    "numbers": [("in 1984", "en 1985"), ("a ٣", "b 4"), ("3 of 12", "4 de 12")],
    "urls": [("See https://a.example/x.", "Voir ici.")],
    "emails": [("Write to me@a.example.", "Écrire.")],
    "placeholders": [("Hi {name}", "Bonjour {nom}"), ("%s of %d", "%s de")],
    "tags": [("<b>a</b>", "<i>a</i>")],
    "brackets": [("a (b)", "a (b"), ("a] b", "a b")],
    "punctuation": [("Really?", "Vraiment."), ('"Go?"', "« Va »")],
    "language": [
        (
            "Der Wirt ging in das Haus, und sie war nicht da.",
            "Il est entré dans la maison, et elle ne vit pas ce que je vis.",
        )
    ],
    "duplicates": [GOOD[0]],
    "near-duplicates": [(GOOD[0][0].upper(), GOOD[0][1].replace(".", "!"))],
    "regex": [("Chapter 12", "Chapitre 12")],
}


def bitext(pairs, langs=("en", "fr")):
    texts = [Text([pair[k] for pair in pairs], lang=langs[k]) for k in (0, 1)]
    beads = [([k], [k]) for k in range(len(pairs))]
    return Bitext(texts[0], texts[1], Alignment(beads))


def rule(name, **parameters):
    known = FILTERS[name]
    return Rule(name, known.low, known.high, tuple(parameters.items()))


def rejected(pairs, *rules, out=None):
    cleaner = Cleaner(Profile("p", rules), out)
    part = bitext(pairs)
    every = part.alignment.src.lengths > 0
    mask = cleaner.passing(part, every, ChunkPosition())
    return [k for k, passes in enumerate(mask.tolist()) if not passes], cleaner


# Pairs of good translations that a filter lets pass, and others that `measure` rejects.
SAME_NUMBERS = [
    ("1,250.50 and 1.000", "1 250,5 et 1000"),
    ("at 13.30", "à 13 h 30"),
    ("in 1956/57", "en 1956-1957"),
    ("three of 12", "3 sur 12"),
    ("۱۲ and 12", "12 et 12"),
    ("25 350 feet", "25350 pieds"),
    ("on 1 March 2012", "2012年3月1日"),
]
SAME_BRACKETS = [
    ("a) One (two)", "Un, deux"),
    ("(left open", "(laissé ouvert"),
    ("closed here)", "fermé ici)"),
    ("12) Twelve", "Douze"),
    ("Yes :-)", "Oui"),
]
SAME_ENDS = [
    ("He left!", "Il partit."),
    ("He left:", "Il partit ;"),
    ("A title", "Un titre."),
    ("What? —", "« Quoi ? »"),
    ("Source: ?", "Bibliographie ? :"),
]


@pytest.mark.parametrize(
    ("name", "pairs"),
    [("numbers", SAME_NUMBERS), ("brackets", SAME_BRACKETS), ("punctuation", SAME_ENDS)],
)
def test_what_translations_may_change(name, pairs):
    assert rejected(pairs, rule(name))[0] == []


def test_ends_of_sentences_of_other_scripts():
    thai = [("ฉันไปตลาด", "I went to the market.")]
    assert rejected(thai, Rule("punctuation", None, 0))[0] == []
    assert rejected([("他去哪儿？", "Où va-t-il ?"), ("वह गया।", "Il partit.")],
                    Rule("punctuation", None, 0))[0] == []  # fmt: skip
    for code in ("el", "el_GR", "ell"):
        greek = bitext([("Πού πας;", "Où vas-tu ?"), ("Πού πας;", "Tu pars.")], (code, "fr"))
        cleaner = Cleaner(Profile("p", (rule("punctuation"),)))
        mask = cleaner.passing(greek, greek.alignment.src.lengths > 0, ChunkPosition())
        assert mask.tolist() == [True, False]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        *((code, "Мельница стоит") for code in ("ru", "ru_RU", "rus", "RUS-ru", "cv")),
        *(("iw", "הטחנה"), ("ell", "μύλος"), ("ckb", "ئاش"), ("nep", "चक्की"), ("cmn", "磨坊")),
        *(("ori", "ଘଣା"), ("dv", "މޮށި"), ("dzo", "རང་འཐག"), ("iii", "ꆈꌠꁱꂷ")),
    ],
)
def test_scripts_of_languages_by_any_code(code, text):
    part = bitext([(text, "Le moulin"), ("The mill", "Le moulin")], (code, "fra"))
    cleaner = Cleaner(Profile("p", (rule("script"),)))
    mask = cleaner.passing(part, part.alignment.src.lengths > 0, ChunkPosition())
    assert mask.tolist() == [True, False]


@pytest.mark.parametrize(
    ("name", "pair", "lang", "passes"),
    [
        ("script", "Привет всем", "rus", True),
        ("script", "Привет всем", "bel_BY", True),
        ("script", "Hello to all", "rus", False),
        ("script", "Zdravo svima", "sr-Latn", True),
        ("script", "Привет всем", "und", True),
        ("script", "ଓଡ଼ିଆ ଭାଷା", "or", True),
        ("punctuation", "Πού πας;", "el_GR", True),
        ("punctuation", "Πού πας;", "ell", True),
        ("punctuation", "Où vas-tu ;", "fra", False),
    ],
)
@pytest.mark.parametrize("is_named", [False, True])
def test_languages_by_any_code_of_the_file_or_the_user(name, pair, lang, passes, is_named):
    other = "Where? All" if name == "script" else "Where?"
    part = bitext([(pair, other)], ("" if is_named else lang, "en"))
    langs = (lang, "") if is_named else ("", "")
    cleaner = Cleaner(Profile("p", (rule(name),)), langs=langs)
    mask = cleaner.passing(part, part.alignment.src.lengths > 0, ChunkPosition())
    assert mask.tolist() == [passes]


@pytest.mark.parametrize("lang", ["sr", "bs", "uz_UZ", "aze", "kk"])
def test_languages_of_several_scripts_may_be_in_any_of_them(lang):
    part = bitext([("Dobro jutro", "A"), ("Добро јутро", "B"), ("Καλημέρα", "C")], (lang, "en"))
    cleaner = Cleaner(Profile("p", (rule("script"),)))
    mask = cleaner.passing(part, part.alignment.src.lengths > 0, ChunkPosition())
    assert mask.tolist() == [True, True, False]


@pytest.mark.parametrize(("lang", "text"), [("iu", "ᐃᓄᒃ"), ("ber", "ⵜⴰⵎⴰ"), ("ii", "ꆈꌠꉙ")])
def test_scripts_of_syllables_are_those_of_their_languages(lang, text):
    part = bitext([(text, "A"), ("Καλημέρα", "B")], (lang, "en"))
    cleaner = Cleaner(Profile("p", (rule("script"),)))
    mask = cleaner.passing(part, part.alignment.src.lengths > 0, ChunkPosition())
    assert mask.tolist() == [True, False]


def test_a_text_refines_the_language_that_the_user_names():
    for own, passes in (("ru-Latn", True), ("en", False)):
        part = bitext([("Zdravo svima", "Hello all")], (own, "en"))
        cleaner = Cleaner(Profile("p", (rule("script"),)), langs=("ru", "en"))
        mask = cleaner.passing(part, part.alignment.src.lengths > 0, ChunkPosition())
        assert mask.tolist() == [passes]


OTHER_MEASURES = [
    ("numbers", "all", ("in 1984", "en l'an"), 1.0),
    ("numbers", "opusfilter", ("in 1984", "en 1984"), 1.0),
    ("numbers", "opusfilter", ("1 2 3 4", "1 5 6 7"), 0.25),
    ("brackets", "counts", ("a (b)", "a b"), 2.0),
    ("punctuation", "opusfilter", ("A. B. C.", "A"), -1.791759),
    ("letters", "opusfilter", ("ab cd", "abcd"), 0.8),
    ("repeated-words", "opusfilter", ("abc abc abcabc", "d"), 3.0),
]


@pytest.mark.parametrize(("name", "measure", "pair", "value"), OTHER_MEASURES)
def test_other_definitions_of_a_value(name, measure, pair, value, tmp_path):
    path = tmp_path / "p.toml"
    path.write_text(f'[[filter]]\nname = "{name}"\nmeasure = "{measure}"\n')
    (known,) = profile_of(str(path)).rules
    assert (known.low, known.high) == FILTERS[name].measures[measure]
    one = Rule(name, math.inf, None, known.parameters)
    _, cleaner = rejected([pair], one)
    assert cleaner.account()[0]["samples"][0]["value"] == pytest.approx(value)


@pytest.mark.parametrize("name", BY_TEXTS)
def test_each_filter_rejects_its_fault_and_nothing_else(name):
    more = {"src": "^Chapter"} if name == "regex" else {}
    pairs = GOOD + BAD[name]
    assert rejected(pairs, rule(name, **more))[0] == [*range(len(GOOD), len(pairs))]


def test_no_bisegments_at_all():
    assert rejected([], *(rule(name) for name in BY_TEXTS if name != "regex"))[0] == []


def test_blank_sides_are_for_the_filter_of_blank_sides_alone():
    rules = [rule(name) for name in BY_TEXTS if name not in {"empty", "regex", "duplicates"}]
    assert rejected([("", "Oui."), ("Yes 1 {a}.", ""), ("", "")], *rules)[0] == []


def test_sides_of_white_space_are_blank_to_every_filter():
    rules = [rule(name) for name in BY_TEXTS if name not in {"empty", "regex", "duplicates"}]
    pairs = [(" ", "Oui, par le pont."), ("Yes (1) {a}, <b>a@b.org?", "\u3000\t"), ("\xa0", "  ")]
    assert rejected(pairs, *rules)[0] == []


def test_the_first_filter_that_rejects_is_counted():
    out, cleaner = rejected([*BAD["identical"], *GOOD], rule("identical"), rule("similar-sides"))
    first, second = cleaner.account()
    assert (out, first["rejected"], second["rejected"]) == ([0], 1, 0)
    assert (first["judged"], second["judged"]) == (5, 4)
    assert first["samples"][0]["src"] == "The same."


def test_parts_give_what_the_whole_gives():
    pairs = [*GOOD, *BAD["near-duplicates"], *GOOD, *BAD["numbers"]]
    rules = profile_of("default").rules
    whole = rejected(pairs, *rules)[0]
    cleaner, by_parts = Cleaner(Profile("p", rules)), []
    for begin in range(0, len(pairs), 3):
        part = bitext(pairs[begin : begin + 3])
        mask = cleaner.passing(part, part.alignment.src.lengths > 0, ChunkPosition(begin))
        by_parts += [begin + k for k, passes in enumerate(mask.tolist()) if not passes]
    assert by_parts == whole == [4, 5, 6, 7, 8, 9, 10, 11]


def test_near_duplicates_of_many_bisegments():
    known, step = Repeats(), Step("0", 0.8)
    words = [f"w{k} x{k * 7} y{k * 13} z{k % 17}" for k in range(5000)]

    def values(strings):
        pair = Pair(Side(strings), Side(strings))
        return known.values(step, pair.numbers, lambda: word_sets(pair))

    assert (values(words) == 0).all()
    assert (values(words[-50:]) == 1).all()


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_profiles(name):
    assert rejected(GOOD, *profile_of(name).rules)[0] == []


def test_a_language_that_is_not_known():
    part = bitext(GOOD, langs=("", ""))
    cleaner = Cleaner(Profile("p", (rule("language"),)))
    with pytest.raises(OptionError, match="the languages are not known; name them"):
        cleaner.passing(part, part.alignment.src.lengths > 0, ChunkPosition())


def test_a_script_that_is_none():
    with pytest.raises(OptionError, match="'Klingon' is no script of Unicode"):
        rejected(GOOD, rule("script", src="Klingon"))


PROFILES = [
    ("filter = 3", "has no filters"),
    ("", "has no filters"),
    ("[[filter]\n", "is no TOML"),
    ("[other]\n", "'other' is no part of a profile"),
    ('[[filter]]\nname = "lenth-chars"\n', "filter 1: 'lenth-chars' is no filter; did you mean"),
    (
        '[[filter]]\nname = "numbers"\nmax = "2"\n',
        r"filter 1 \(numbers\): max = '2': want a number",
    ),
    ('[[filter]]\nname = "numbers"\nmax = nan\n', "want a number"),
    ('[[filter]]\nname = "numbers"\nmost = 2\n', "is no parameter of this filter; it has min, max"),
    ('[[filter]]\nname = "length-chars"\nmin = 9\nmax = 2\n', "min = 9 is above max = 2"),
    ('[[filter]]\nname = "regex"\n', "want a pattern"),
    ('[[filter]]\nname = "near-duplicates"\nmax = 0.5\n', "max = 0.5: want more than 0.5, up to 1"),
    ('[[filter]]\nname = "numbers"\nmeasure = "none"\n', "want one of 'conflicts', 'all', 'op"),
    ('[[filter]]\nname = "vectors"\nsrc = "a.npy"\n', "want src and tgt, a file of vectors each"),
    ('[[filter]]\nname = "vectors"\nsrc = "a"\ntgt = "a"\n', "a is named for both sides: name"),
    ('[[filter]]\nname = "lexicon"\nlexicon = "a"\ndictionary = "b"\n', "not both"),
    ('[[filter]]\nname = "ratio-chars"\nmin = 0.5\n', r"min = 0\.5: is of one direction: name"),
    ('[[filter]]\nname = "letters"\nside = "both"\n', "want one of 'src', 'tgt'"),
    ('[[filter]]\nname = "numbers"\nside = "src"\n', "is no parameter of this filter"),
    ('[[filter]]\nname = "empty"\nmeasure = "x"\n', "is no parameter of this filter"),
    ('[[filter]]\nname = "regex"\nsrc = "("\n', "is no regular expression"),
    ('[[filter]]\nname = "script"\nsrc = 2\n', "want a string"),
    ('[[filter]]\nname = "untranslated"\nwords = 2.5\n', "want a whole number"),
    ('[[filter]]\nname = "ratio-chars"\nexpected = 0\n', "want a number above 0"),
]


@pytest.mark.parametrize(("text", "message"), PROFILES)
def test_profiles_that_are_refused(text, message, tmp_path):
    path = tmp_path / "p.toml"
    path.write_text(text)
    with pytest.raises((InputError, OptionError), match=message):
        profile_of(str(path))


def test_profiles_that_are_not_there(tmp_path):
    with pytest.raises(InputError, match="cannot be read as a profile of filters"):
        profile_of(str(tmp_path / "p.toml"))
    with pytest.raises(OptionError, match="'strict' is no profile of filters: want default, or"):
        profile_of("strict")


def test_a_filter_by_scores_without_a_scorer():
    with pytest.raises(OptionError, match="has scorers in convert and check only"):
        rejected(GOOD, rule("lexicon"))


def test_files_lie_beside_the_profile(tmp_path):
    path = tmp_path / "p.toml"
    path.write_text('[[filter]]\nname = "lexicon"\nlexicon = "a.lexicon"\n')
    assert profile_of(str(path)).files == (str(tmp_path / "a.lexicon"),)


def test_bounds_of_one_side():
    pairs = [
        ("Yes.", "Non, je ne le crois pas du tout."),
        ("No, I do not think so at all.", "Non."),
    ]
    assert rejected(pairs, rule("ratio-chars"))[0] == [0, 1]
    assert rejected(pairs, rule("ratio-chars", side="src"))[0] == [1]
    assert rejected(pairs, Rule("ratio-chars", 0.5, None, (("side", "tgt"),)))[0] == [1]
    assert rejected(pairs, Rule("length-chars", 10, None, (("side", "tgt"),)))[0] == [1]


def test_a_bound_without_end(tmp_path):
    path = tmp_path / "p.toml"
    path.write_text('[[filter]]\nname = "length-chars"\nmax = inf\n')
    assert profile_of(str(path)).rules == (Rule("length-chars", 1, None),)


def test_the_bound_of_near_duplicates_is_rejected_itself():
    pairs = [("one two three", "un deux"), ("one two three four", "un deux")]  # 5 of 6 words
    near = FILTERS["near-duplicates"]
    for high, out in ((5 / 6, [1]), (0.84, [])):
        assert rejected(pairs, Rule(near.name, near.low, high))[0] == out


def corpus_with_faults(good=400, bad=100):
    """Return pairs of log-normal lengths, of which a fifth is far too long on the target side."""
    draw = np.random.default_rng(5)
    lengths = np.exp(draw.normal(4, 0.3, good + bad)).astype(int) + 5
    ratios = np.exp(draw.normal(0.1, 0.1, good + bad))
    ratios[good:] *= 8
    words = [("ab cde fghi " * 400)[:length] for length in lengths]
    others = [("xyz vw uts " * 4000)[: int(n * r)] for n, r in zip(lengths, ratios, strict=True)]
    return [*zip(words, others, strict=True)]


def test_proposed_bounds_stand_up_to_faults():
    pairs = corpus_with_faults()
    found = {one.title: one for one in suggested_bounds([bitext(pairs)])}
    too_long = found["ratio-chars tgt"]
    assert 1.0 < too_long.expected < 1.25
    assert 1.3 < too_long.high < 2.5
    assert too_long.share == pytest.approx(0.2, abs=0.01)
    assert too_long.quantile > 8  # a fifth are faults: a quantile would let them pass
    assert found["ratio-chars src"].share < 0.01
    assert (found["repeated-words"].high, found["numbers"].high) == (3, 0)
    parts = [bitext(pairs[k : k + 60]) for k in range(0, len(pairs), 60)]
    assert as_profile(suggested_bounds(parts)) == as_profile(found.values())


# Counterparts of checks of other tools (docs/cleaning.md): a rule, and a pair that it rejects.
COUNTERPARTS = [
    ("HtmlTagFilter", rule("regex", src="<[A-Za-z/]"), ("<p>One", "Un")),
    ("doubled words", Rule("repeated-words", None, 1), ("the the end", "la fin")),
    ("tripled letters", Rule("repeated-chars", None, 2), ("the end", "la finnn")),
    ("character set", rule("regex", tgt=r"[^\x00-\xff]"), ("the end", "la fin…")),
    ("parentheses", Rule("brackets", None, 0, (("measure", "counts"),)), ("a (b)", "a b")),
    ("not_too_short", Rule("length-words", 3, None), ("a b", "a b c")),
    ("no_escaped_unicode", rule("regex", src=r"\\[xu][0-9a-f]{2}"), (r"caf\u00e9", "café")),
    ("no_space_noise", rule("regex", src=r"( \D){4,} "), ("s p a c e d out", "espacé")),
    ("no_glued_words", rule("regex", src=r"(\w*[A-Z][a-z]+){2}"), ("a GluedWord", "un mot")),
    ("no_breadcrumbs", rule("regex", src="(( [-/:] |[<>*]).*){3}"), ("a > b > c > d", "a")),
    ("no_only_numbers", Rule("letters", 0.5, None), ("12.50 12.60 EUR", "le prix")),
    ("no_number_inconsistencies", Rule("numbers", None, 0, (("measure", "all"),)), ("7 a", "a")),
    ("no_script_inconsistencies", Rule("script", 1, None), ("а word", "un mot")),
]


@pytest.mark.parametrize(("name", "known", "pair"), COUNTERPARTS, ids=[c[0] for c in COUNTERPARTS])
def test_counterparts_of_checks_of_other_tools(name, known, pair):
    assert rejected([pair, ("it is the end", "ceci est la fin")], known)[0] == [0], name
