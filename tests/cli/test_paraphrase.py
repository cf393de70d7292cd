"""`bitext paraphrase` and `bitext methods` from the outside."""

from __future__ import annotations

import io
import json
import sys

import pytest


@pytest.fixture
def news(harbour):
    return harbour / "news.trees"


def rows(result):
    assert result.status == 0, result.err
    return [line.split("\t") for line in result.out.splitlines()[1:]]


def test_sentences_are_new_and_tell_their_sources(bitext, news, harbour):
    held = json.loads(bitext("paraphrase", news, "--n", 10, "--json").out)
    assert held["schema"] == "bitext.paraphrases/1"
    texts = [row["text"] for row in held["rows"]]
    inputs = (harbour / "news.txt").read_text(encoding="utf-8").splitlines()
    assert len(set(texts)) == len(texts) == 10
    assert not set(texts) & set(inputs)
    tokens = json.loads(bitext("cluster", news, "--json").out)["tokens"]
    for row in held["rows"]:
        # The spans cover the words, and each stands in the sentences that it names.
        assert [end for _, end, _ in row["spans"]][-1] == len(row["tokens"])
        for first, last, sources in row["spans"]:
            words = [word.casefold() for word in row["tokens"][first:last]]
            for source in sources:
                there = [word.casefold() for word in tokens[int(source) - 1]]
                spans = (there[k : k + len(words)] for k in range(len(there)))
                assert any(span == words for span in spans)


def test_one_seed_gives_one_answer_and_another_another(bitext, news):
    def drawn(*more):
        return rows(bitext("paraphrase", news, "-n", 5, "--rank", "none", *more))

    assert drawn("--seed", 7) == drawn("--seed", 7)
    assert drawn("--seed", 7) != drawn("--seed", 8)


def test_broken_sentences_are_left_out_unless_they_are_kept(bitext, harbour):
    news = harbour / "news.txt"
    fire = "Firefighters needed six hours to put out at a grain store, officials said."
    found = bitext("paraphrase", news, "--preset", "V1", "-n", 2000, "--json")
    kept = bitext("paraphrase", news, "--preset", "V1", "-n", 2000, "--keep-broken")
    assert fire not in found.out
    assert fire in kept.out
    assert "159 fragment, 129 complement" in found.err
    assert "fragment" not in kept.err
    texts = [row[1] for row in rows(kept)]
    held = json.loads(found.out)
    sound = [row["text"] for row in held["rows"]]
    assert set(texts[: len(sound)]) == set(sound)
    assert "|broken:dropped|" in held["clusters"][0]["signature"]
    assert held["clusters"][0]["dropped"]["complement"] == 129


def test_a_folder_of_lattices(bitext, news, harbour, tmp_path):
    folder = tmp_path / "lattices"
    articles = harbour / "articles"
    made = bitext("cluster", articles, "--by", "term", "--most", 3, "-o", f"{folder}/")
    assert made.status == 0, made.err
    assert bitext("cluster", news, "-o", folder / "news.json.gz").status == 0
    for more in ("index.html", "notes.txt"):
        (folder / more).write_text("nothing", encoding="utf-8")
    drawn = rows(bitext("paraphrase", folder, "-n", 2))
    names = list(dict.fromkeys(row[0] for row in drawn))
    assert names == sorted(path.name.split(".")[0] for path in folder.glob("*.json*"))
    assert [row[1:] for row in drawn if row[0] == "news"] == rows(
        bitext("paraphrase", news, "-n", 2)
    )
    # Beside files, in the order in which they are named.
    both = rows(bitext("paraphrase", news, folder, "-n", 2))
    assert list(dict.fromkeys(row[0] for row in both)) == [
        "news",
        *(name.replace("news", "news-2") for name in names),
    ]
    # An output among them is refused, as any that would replace an input.
    result = bitext("paraphrase", folder, "--json", "-o", folder / "fire.json")
    assert (result.status, "fire.json" in result.err) == (2, True)
    empty = tmp_path / "none"
    empty.mkdir()
    result = bitext("paraphrase", empty)
    assert result.status == 2
    assert "none: is a folder; 'bitext cluster" in result.err
    (empty / "a.json").write_text('{"nodes": 3}', encoding="utf-8")
    assert bitext("paraphrase", empty).status == 2


def test_a_lattice_is_taken_as_it_is(bitext, news, tmp_path):
    path = tmp_path / "lattice.json"
    bitext("cluster", news, "--preset", "V1", "-o", path)
    of_file, of_words, of_syntax = (
        json.loads(bitext("paraphrase", *given, "-n", 4, "--json").out)
        for given in ([path], [news, "--preset", "V1"], [news])
    )
    first, again, other = (
        [(row["score"], row["text"], row["spans"]) for row in held["rows"]]
        for held in (of_file, of_words, of_syntax)
    )
    assert len(first) == 4
    assert first == again
    assert first != other
    (aligner,) = of_file["clusters"]
    assert aligner["aligner"] is None
    (aligner,) = json.loads(bitext("paraphrase", news, "--max-distance", ".5", "--json").out)[
        "clusters"
    ]
    assert "|borders:free|max-distance:1/2|order:cluster|normalised:no" in aligner["aligner"]
    for option in (["--preset", "V4"], ["--parser", "english"], ["--trace-weight", "1"]):
        result = bitext("paraphrase", path, *option)
        assert result.status == 2
        assert f"{option[0]} is for sentences; a lattice is aligned already" in result.err


def test_standard_input_and_several_files(bitext, news, harbour, monkeypatch):
    class Stdin:
        buffer = io.BytesIO(news.read_bytes())

    monkeypatch.setattr(sys, "stdin", Stdin())
    assert len(rows(bitext("paraphrase", "-", "-n", 3))) == 3
    found = rows(bitext("paraphrase", news, harbour / "news.txt", "-n", 2))
    assert [row[0] for row in found] == ["news", "news", "news-2", "news-2"]
    assert [len(row) for row in found] == [4] * 4


def test_clusters_are_piped_from_one_command_to_the_other(bitext, harbour, monkeypatch):
    made = bitext("cluster", harbour / "articles", "--by", "term", "--most", 2, "--json")
    for held in (made.out, json.dumps(json.loads(made.out)["clusters"][0])):

        class Stdin:
            buffer = io.BytesIO(held.encode())

        monkeypatch.setattr(sys, "stdin", Stdin())
        found = rows(bitext("paraphrase", "-", "-n", 1))
        assert len(found) == (2 if held == made.out else 1)


def test_a_model_in_the_arpa_format_is_told_from_text(bitext, news, write):
    head = "\\data\\\nngram 1=3\n\n\\1-grams:\n"
    path = write("m.arpa", head + "-1\t<unk>\n-1\t</s>\n-1\tfire\n\n\\end\\\n")
    plain = rows(bitext("paraphrase", news, "-n", 1, "--rank", "ngram", "--model", path))
    assert float(plain[0][0]) == pytest.approx(-3.32, abs=0.01)  # log2 of 1/10 for every word


def test_a_model_of_the_user_ranks(bitext, news, write):
    text = write("talk.txt", "Five others were closed .\n" * 40)
    first = rows(bitext("paraphrase", news, "-n", 1, "--model", text))[0][1]
    assert first != rows(bitext("paraphrase", news, "-n", 1))[0][1]


def test_fewer_than_wanted_are_told(bitext, write):
    one = write("one.txt", "Fires broke out in Tarnwick .\n")
    result = bitext("paraphrase", one, "--parser", "none", "--preset", "V1")
    assert (result.status, result.out) == (0, "score\ttext\tsources\n")
    assert "0 of 20 wanted; the only path: 0 candidates, left out 1 input" in result.err


def test_inputs_and_repetitions_are_kept_when_asked(bitext, news, harbour):
    texts = [row[1] for row in rows(bitext("paraphrase", news, "-n", 90, "--keep-inputs"))]
    inputs = (harbour / "news.txt").read_text(encoding="utf-8").splitlines()
    assert set(inputs) <= set(texts)
    more = rows(bitext("paraphrase", news, "-n", 90, "--keep-repetition"))
    assert len(more) > len(rows(bitext("paraphrase", news, "-n", 90)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-n", "0"], "--n 0: want 1 or more"),
        (["--seed", "-1"], "--seed -1: want 0 or more"),
        (["-n", "few"], "'few' is not a whole number"),
        (["--walk", "words"], "invalid choice: 'words'"),
        (["--model", "none.txt"], "no such file"),
        (["--modle", "x"], "did you mean --model?"),
    ],
)
def test_mistakes_are_one_line(bitext, news, arguments, message):
    result = bitext("paraphrase", news, *arguments)
    assert result.status == 2
    assert message in result.err
    assert len(result.lines()) == 1


def test_methods_lists_presets_and_parsers(bitext):
    held = json.loads(bitext("methods", "--json").out)
    names = {(row["for"], row["name"]) for row in held["rows"]}
    assert ("comparable sentences", "V4") in names
    assert ("parsing", "benepar") in names
    told = bitext("methods", "--format", "table").out
    assert "bitext[benepar]" in told
    assert "syntax|leave-out:commas,stop-words" in told
