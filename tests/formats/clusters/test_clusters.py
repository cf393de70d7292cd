import gzip
import io
import json
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import FormatError, InputError, OptionError
from bitext.formats.clusters import read_cluster, read_comparable
from bitext.formats.clusters.objects import Location, SentenceRecord, sentence_of
from bitext.formats.io.source import Notes
from bitext.model import Cluster, Lattice, Sentence, Tree
from bitext.syntax.conversion import annotate
from bitext.syntax.penn import parse_tree
from reference.shared_data import data

FOG = "(S (NP (NN Fog)) (VP (VBD fell)) (. .))"
SEA = "(S (NP (DT The) (NN sea)) (VP (VBD rose)) (. .))"


@pytest.fixture
def put(tmp_path):
    """Write a file and return its name."""

    def write(content, name="news.txt"):
        file = tmp_path / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write


def forms(cluster):
    return [" ".join(sentence.forms) for sentence in cluster]


def message(caught):
    """Return an error without the folder that the file lies in."""
    assert "\n" not in str(caught.value)
    return re.sub(r"[^\s(]*/(?=\w+\.\w)", "", str(caught.value))


# Text


def test_a_text_has_a_sentence_a_line(put):
    notes = Notes()
    found = read_cluster(put("Fog fell.\n\n The sea rose.\t\r\n\u00a0\n"), notes=notes)
    assert forms(found) == ["Fog fell .", "The sea rose ."]
    assert [sentence.text for sentence in found] == ["Fog fell.", "The sea rose."]
    assert [sentence.id for sentence in found] == [None, None]
    assert found.id == "news"
    (note,) = notes.all()
    assert (note.kind, note.count) == ("empty lines, left out", 2)
    assert note.first.endswith("news.txt line 2")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Fog fell.\nFog came.\n\nThe sea rose.\nThe tide rose.\n", True),
        ("Fog fell.\n\nThe sea rose.\n\nThe tide rose.\n", False),
        ("\nFog fell.\nThe sea rose.\n\n", False),
    ],
)
def test_blocks_that_may_be_clusters_are_told(put, text, told):
    notes = Notes()
    read_cluster(put(text), notes=notes)
    (note,) = notes.all()
    assert ("are taken as one: give each a file" in note.kind) is told


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", 'event_id,source,Sentence\n1,AP,"Fog, of a kind, fell."\n2,AP,The sea rose.\n'),
        (
            "t.csv",
            "event_id;source;Sentence\r\n1;AP;Fog, of a kind, fell.\r\n2;AP;The sea rose.\r\n",
        ),
        (
            "t.txt",
            "source\tevent id\tsentence\nAP\t1\tFog, of a kind, fell.\nAP\t2\tThe sea rose.\n",
        ),
    ],
)
def test_tables_hold_several_clusters(put, name, text):
    notes = Notes()
    text += text.splitlines()[1].replace("AP", "Reuters") + "\n"
    found = read_comparable(put(text, name), notes=notes)
    assert [(one.id, forms(one)) for one in found] == [
        ("1", ["Fog , of a kind , fell ."] * 2),
        ("2", ["The sea rose ."]),
    ]
    assert [sentence.source for sentence in found[0]] == ["AP", "Reuters"]
    (note,) = notes.all()
    assert "tables of sentences, read by their columns" in note.kind
    assert "2 clusters (kind='text': each line is a sentence)" in note.kind
    with pytest.raises(FormatError, match="holds 2 clusters; want one"):
        read_cluster(put(text, name))


@pytest.mark.parametrize(
    ("column", "told"),
    [
        ("story a a b b", True),
        ("story a b a b", False),
        ("story a b c d", False),
        ("story a a a a", False),
        ("source a a b b", False),
    ],
)
def test_a_column_of_runs_may_have_clusters(put, column, told):
    name, *values = column.split()
    rows = "".join(f"{value}\tFog fell {k}.\n" for k, value in enumerate(values))
    notes = Notes()
    assert len(read_cluster(put(f"{name}\ttext\n{rows}", "t.tsv"), notes=notes)) == 4
    assert any("whose values may be clusters (story)" in note.kind for note in notes) is told


@pytest.mark.parametrize(
    ("cell", "told"), [('"Fog ""fell""."', True), ('"Fog" "fell".', False), ('"Fog fell."', False)]
)
def test_cells_quoted_as_in_csv_are_noted_in_tsv(put, cell, told):
    notes = Notes()
    read_cluster(put(f"id\ttext\nb\t{cell}\na\tIt rose.\n", "t.tsv"), notes=notes)
    assert any('cells of TSV with "" within' in note.kind for note in notes) is told


@pytest.mark.parametrize("head", ["cluster,title,text,url", "source,title,content", "title,text"])
def test_tables_with_several_columns_of_texts_are_refused_and_the_remedy_works(put, head):
    path = put(f"{head}\n" + ",".join("xyzw"[: head.count(",") + 1]) + "\n", "t.csv")
    with pytest.raises(FormatError, match=r"line 1: has several columns .*'title' and '"):
        read_cluster(path)
    assert len(read_cluster(path, kind="text")) == 2
    assert len(read_cluster(put("Title, text\nA dog ran home.\n", "t.txt"))) == 2


def test_tables_with_several_columns_of_clusters_are_refused_and_the_remedy_works(put):
    path = put("cluster_id,event,text\n1,2,A dog ran home.\n", "t.csv")
    with pytest.raises(FormatError, match="may name its clusters, 'cluster_id' and 'event': leave"):
        read_cluster(path)
    assert len(read_cluster(path, kind="text")) == 2
    assert read_cluster(put("event,text\n2,A dog ran home.\n", "t.csv")).id == "2"


def test_tables_without_clusters_and_rows_that_are_wrong(put):
    notes = Notes()
    found = read_cluster(put("id\ttext\nb\tFog fell.\na\t\n", "t.tsv"), notes=notes)
    assert ([sentence.id for sentence in found], found.id) == (["b"], "t")
    assert notes.all()[0].kind == "rows without a value of 'text', left out"
    with pytest.raises(
        FormatError, match="line 3: has 1 cell and the header 2: if it is text, say"
    ):
        read_cluster(put("id\ttext\nb\tFog fell.\na\n", "t.tsv"))
    with pytest.raises(
        FormatError, match=r"t.csv line 3: begins a row that cannot be read \(field larger than"
    ):
        read_cluster(put(f'id,text\nc,It rose.\nb,"{"a" * 200000}"\n', "t.csv"))
    lines = "text, source\nFog fell.\n"
    assert len(read_cluster(put(lines), kind="text")) == 2


def test_only_line_ends_end_lines(put):
    found = read_cluster(put("Fog\u2028fell\x0bon\x85us\rall\nThe\tsea\u00a0rose"))
    assert [sentence.text for sentence in found] == [
        "Fog\u2028fell\x0bon\x85us\rall",
        "The\tsea\u00a0rose",
    ]
    assert found[1].forms == ("The", "sea", "rose")


def test_encodings_compression_and_standard_input(put, monkeypatch):
    text = "Nebel über Köln\n"
    assert forms(read_cluster(put(text.encode("latin-1")), encoding="latin-1")) == [text.strip()]
    assert forms(read_cluster(put("\ufeff" + text)))[0] == text.strip()
    packed = read_cluster(put(gzip.compress(text.encode()), "fog.en.txt.gz"))
    assert (forms(packed), packed.id) == ([text.strip()], "fog.en")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    piped = read_cluster("-")
    assert (forms(piped), piped.id) == ([text.strip()], None)


@pytest.mark.parametrize(
    "text",
    [
        "(Reuters) - Fog fell.\n",
        "(AP) Fog fell.\n",
        "[Music] Fog fell.\n",
        "{Fog} fell\n",
        "Fog NN B-NPX1 x\n",
        "(laughs) Fog fell.\n",
        '"Fog fell."\n',
        "[3] Fog fell.",
    ],
)
def test_text_is_taken_for_text(put, text):
    assert [sentence.text for sentence in read_cluster(put(text))] == [text.strip()]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "news.txt: is empty; want at least one sentence"),
        (" \n\n", "news.txt: is empty; want at least one sentence"),
        ("Fog\nfe\0ll\n", "news.txt line 2: has NUL bytes"),
        (b"Fog\n\xff\xfe", "news.txt line 2: byte 1 of the line is 0xff, which is not utf-8"),
    ],
)
def test_what_is_no_text(put, content, told):
    with pytest.raises(FormatError) as caught:
        read_cluster(put(content))
    assert message(caught).startswith(told)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_cluster(tmp_path / "none.txt")


# Trees and columns


def test_trees(put):
    found = read_cluster(put(f"( {FOG} )\n\n(ROOT\n  {SEA})", "news.trees"))
    assert forms(found) == ["Fog fell .", "The sea rose ."]
    assert found[0].tokens == annotate(parse_tree(FOG))
    assert found[0].tree == parse_tree(f"( {FOG} )")
    assert found.id == "news"


def test_empty_elements_are_no_words_and_decide_all_the_same(put):
    text = "(S (NP (NN Fog)) (VP (VBD tried) (S (NP-SBJ (-NONE- *)) (VP (TO to) (VP (VB rise))))))"
    (found,) = read_cluster(put(text))
    assert found.forms == ("Fog", "tried", "to", "rise")
    assert str(found.tree) == text.replace("(NP-SBJ (-NONE- *)) ", "")
    assert found[3].trace == ("I-S", "I-VP")
    with pytest.raises(FormatError) as caught:
        read_cluster(put(f"{text}\n(S (NP (-NONE- *)))"))
    assert message(caught).startswith(
        "news.txt line 2: the tree of sentence 2 has no words, but empty elements"
    )


def test_trees_that_are_wrong_are_told_by_the_reader(put):
    with pytest.raises(FormatError) as caught:
        read_cluster(put(f"{FOG}\n(S (NP (NN sea))"))
    assert message(caught).startswith("news.txt line 2 column 17: ends within the tree that begins")


@pytest.mark.parametrize(
    "begin", ["(S\n(NP ", "( (S (NP ", "(SBARQ (NP ", "(S-IMP (NP ", "\n (X ("]
)
def test_trees_are_known_by_how_they_begin(put, begin):
    with pytest.raises(FormatError, match=r"line [0-9]+ column [0-9]+: ends within the tree"):
        read_cluster(put(begin))


def test_columns(put):
    found = read_cluster(put("Fog NN B-NP\nfell VBD B-VP\n\nRain NN B-NP\n", "news.conll"))
    assert forms(found) == ["Fog fell", "Rain"]
    assert found[0][1].trace == ("I-S", "B-VP")
    row = "\t_" * 5
    text = f"# sent_id = a\n# text = Fog!\n1\tFog\t_\tX\tNN{row}\n2\t!\t_\tX\t.{row}\n"
    (found,) = read_cluster(put(text))
    assert (found.id, found.text, found.forms) == ("a", "Fog!", ("Fog", "!"))
    with pytest.raises(FormatError, match="line 6: has a second sentence with the id 'a', as in l"):
        read_cluster(put(f"{text}\n{text}"))


def test_the_kind_can_be_named(put):
    assert read_cluster(put("Fog fell O"), kind="conll2000")[0].forms == ("Fog",)
    assert read_cluster(put("[1] (S (NP"), kind="text")[0].text == "[1] (S (NP"
    with pytest.raises(OptionError, match="kind 'csv' is not known: want one of text, trees"):
        read_cluster(put("x"), kind="csv")


# JSON


def test_a_cluster_in_json(put):
    value = {
        "id": "fog",
        "kind": "news",
        "sentences": [
            {"id": "s1", "text": "Fog  fell.", "source": "a.txt", "tree_source": "by hand"},
            {"id": 2, "tokens": ["The", "New York", "-LRB-"], "text": None},
            {"id": "s3", "tokens": ["Fog", "fell", "."], "tree": FOG},
            {"text": "“Fog” fell.", "tree": "(S (`` ``) (NN Fog) ('' '') (VBD fell) (. .))"},
            {"tree": SEA},
            "Rain?",
        ],
    }
    found = read_cluster(put(json.dumps(value, indent=1), "a.json"))
    assert found.id == "fog"
    assert [sentence.id for sentence in found] == ["s1", "2", "s3", None, None, None]
    assert found[0] == Sentence(["Fog", "fell", "."], id="s1", text="Fog  fell.", source="a.txt")
    assert found[1].forms == ("The", "New York", "(")
    assert found[1].text == "The New York ("
    assert found[2].tokens == annotate(parse_tree(FOG))
    assert found[3].forms == ("“", "Fog", "”", "fell", ".")
    assert found[3][0].pos == "``"
    assert found[4].text == "The sea rose ."
    assert found[5].forms == ("Rain", "?")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('["Fog fell", "Rain"]', ["Fog fell", "Rain"]),
        ('[{"text": "Fog fell"}, "Rain"]', ["Fog fell", "Rain"]),
        ('{"text": "Fog fell"}\n\n{"tokens": ["Rain"]}\n', ["Fog fell", "Rain"]),
        ('{"text": "Fog fell"}\n', ["Fog fell"]),
        ('"Fog fell"\n\n"Rain"\n', ["Fog fell", "Rain"]),
        ('"Fog fell"', ["Fog fell"]),
        ('\n {"sentences": ["Rain"]}', ["Rain"]),
    ],
)
def test_other_ways_of_json(put, text, expected):
    found = read_cluster(put(text, "rain.jsonl"))
    assert forms(found) == expected
    assert found.id == "rain"


def test_the_sentences_of_a_lattice(put):
    from bitext.formats.lattices import text_of

    cluster = Cluster([Sentence(["Fog", "fell"], id="a"), Sentence(["Fog", "rose"])], id="fog")
    text = "".join(text_of(Lattice(cluster, [[0, 1], [0, 2]]), "json"))
    assert read_cluster(put(text)) == cluster
    unnamed = text.replace('"id": "fog"', '"id": null')
    assert read_cluster(put(unnamed)).id == "news"
    with pytest.raises(FormatError, match=r'has the schema "bitext\.cluster/9"'):
        read_cluster(put(text.replace("cluster/1", "cluster/9")))


def test_a_lattice_can_be_had_as_it_stands(put):
    from bitext.formats.lattices import text_of

    cluster = Cluster([Sentence(["Fog", "fell"]), Sentence(["Fog", "rose"])])
    lattice = Lattice(cluster, [[0, 1], [0, 2]], [((0, 0), (1, 0))])
    file = put("".join(text_of(lattice, "json")), "fog.json")
    (found,) = read_comparable(file)
    assert found == Lattice(Cluster(cluster.sentences, id="fog"), [[0, 1], [0, 2]])
    assert found.pairs == lattice.pairs
    assert read_comparable(put("Fog fell")) == [read_cluster(put("Fog fell"))]
    trees = put("(S (NN Fog) (VBD fell)) (S (NN Fog) (VBD rose))", "fog.trees")
    assert read_comparable(file, trees=trees)[0][1][1].pos == "VBD"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "news.txt line 1 column 2: is not JSON: Expecting property name"),
        ('{"text": "a"}\n{"text" "b"}', "news.txt line 2 column 9: is not JSON: Expecting ':'"),
        ("[]", "news.txt: is empty; want at least one sentence"),
        ('{"sentences": []}', "news.txt: is empty; want at least one sentence"),
        ('{"sentences": 3}', 'news.txt: has "sentences" 3; want a list'),
        ('{"id": "a"}', 'news.txt: has no "sentences"; want {"sentences": [...]}'),
        ('{"sentence": []}', 'news.txt: the object has "sentence"; did you mean "sentences"?'),
        ('{"id": [], "sentences": []}', "news.txt: the cluster has the id []; want a text or"),
        ('["a", 3]', "news.txt line 1: sentence 2 is 3; want a text or an object"),
        ('["a", ""]', 'news.txt line 1: sentence 2 has nothing in "text"; leave it out'),
        ('["a",\n" "]', 'news.txt line 2: sentence 2 has nothing in "text"'),
        (
            '[{"id": "a", "text": 3}]',
            "news.txt line 1: sentence 'a' has 3 in \"text\"; want a text",
        ),
        ('[{"id": true, "text": "x"}]', "news.txt line 1: sentence 1 has the id true"),
        (
            '[{"id": "a"}]',
            "news.txt line 1: sentence 'a' has no \"text\"; want text, tokens or tree",
        ),
        (
            '[{"id": "a", "texts": "x"}]',
            "news.txt line 1: sentence 'a' has \"texts\"; did you mean",
        ),
        (
            '[{"text": "x", "Tree": "x"}]',
            'news.txt line 1: sentence 1 has "Tree"; did you mean "tr',
        ),
        ('[{"tokens": "x"}]', 'news.txt: sentence 1 has "tokens" "x"; want a list of words'),
        ('[{"tokens": []}]', 'news.txt: sentence 1 has "tokens" []; want a list of words'),
        ('[{"tokens": ["x", ""]}]', 'news.txt: sentence 1 has nothing in "tokens"'),
        ('["\\ud800"]', 'news.txt line 1: sentence 1 has half of a surrogate pair in "text"'),
        ('[{"text": "a", "text": "b"}]', "news.txt: an object has the key 'text' twice"),
        (
            '[{"id": 1, "text": "a"},\n {"id": "1", "text": "b"}]',
            "news.txt line 2: has a second sentence with the id '1', as in line 1; give each",
        ),
        (
            '{"text": "a"}\n{"sentences": ["b"]}',
            "news.txt line 2: is a cluster by itself; want a sentence a line",
        ),
        (
            '[{"text": "a"},\n {"id": "b", "tree": "(S (NP)"}]',
            "news.txt line 2: the tree of sentence 'b' at character 7: (NP) has neither",
        ),
        ('[{"tree": ""}]', 'news.txt: sentence 1 has nothing in "tree"'),
        (
            '[{"text": "Fog\\u0000"}]',
            "news.txt line 1: sentence 1 has the control character '\\x00' in \"text\"; leave it",
        ),
        (
            '[{"tokens": ["Fog", "\\u001b"]}]',
            "news.txt: sentence 1 has the control character '\\x1b' in \"tokens\"",
        ),
    ],
)
def test_what_is_wrong_in_json(put, text, told):
    with pytest.raises(FormatError) as caught:
        read_cluster(put(text))
    assert message(caught).startswith(told)


# Trees and text, or tokens


def test_trees_from_a_second_file(put):
    text = put("Fog fell.\n\nThe sea rose.\n")
    trees = put(f"( {FOG} )\n{SEA}\n", "news.trees")
    found = read_cluster(text, trees=trees)
    assert found[1].tokens == annotate(parse_tree(SEA))
    assert [sentence.text for sentence in found] == ["Fog fell.", "The sea rose."]
    assert found[0].tree is not None
    columns = put(
        "Fog NN O\nfell VBD O\n. . O\n\nThe DT O\nsea NN O\nrose VBD O\n. . O\n", "a.conll"
    )
    assert read_cluster(columns, trees=trees)[1].tokens == found[1].tokens
    node = {"id": 1, "members": [[0, 0]]}
    made = {"schema": "bitext.cluster/1", "tokens": [["Fog"]], "nodes": [node]}
    lattice = put(json.dumps(made))
    one = put("(NP (NN Fog))", "one.trees")
    assert read_cluster(lattice, trees=one)[0][0].trace == ("B-NP",)


@pytest.mark.parametrize(
    ("text", "tree", "expected"),
    [
        (
            "Fog (fell).",
            "(S (NN Fog) (-LRB- -LRB-) (VBD fell) (-RRB- -RRB-) (. .))",
            "Fog ( fell ) .",
        ),
        ("Fog -LRB- fell", "(S (NN Fog) (-LRB- -LRB-) (VBD fell))", "Fog ( fell"),
        ('"Fog"', "(S (`` ``) (NN Fog) ('' ''))", '" Fog "'),
        ("``Fog''", "(S (`` “) (NN Fog) ('' ”))", "`` Fog ''"),
        ("the cats'", "(NP (DT the) (NNS cats) (POS '))", "the cats '"),
        ("fog’s and/or—", "(NP (NN fog) (POS 's) (CC and\\/or) (: --))", "fog ’s and/or —"),
        ("wait…", "(S (VB wait) (: ...))", "wait …"),
        ("can not", "(S (MD cannot))", "cannot"),
        ("a—b", "(NP (NN a) (: -) (: -) (NN b))", "a - - b"),
        ("1\u00a0000 t", "(NP (CD 1\u00a0000) (NN t))", "1\u00a0000 t"),
        ("日本語です", "(S (NP (NN 日本) (NN 語)) (VB です))", "日本 語 です"),
    ],
)
def test_words_are_the_leaves_as_the_text_spells_them(text, tree, expected):
    found = sentence_of(SentenceRecord("s", Location("a"), text=text, tree=parse_tree(tree)))
    assert " ".join(found.forms) == expected
    assert found.text == text


@pytest.mark.parametrize(
    ("trees", "told"),
    [
        (
            [FOG, SEA.replace("sea", "see")],
            (
                "news.trees line 2: word 2 of the tree of sentence 2 is 'see', where the text"
                " (news.txt line 3) goes on with 'sea rose.': want the tree of this text"
            ),
        ),
        (
            [FOG, SEA.replace(" (. .)", "")],
            (
                "news.trees line 2: the tree of sentence 2 ends with word 3, where the text "
                "(news.txt line 3) goes on with '.'"
            ),
        ),
        (
            [FOG.replace("(. .)", "(. .) (. .)"), SEA],
            (
                "news.trees line 1: word 4 of the tree of sentence 1 is '.', where the text "
                "(news.txt line 1) has ended"
            ),
        ),
        ([FOG], "news.trees: has 1 trees, and the cluster 2 sentences; want a tree for each"),
        ([FOG, SEA, FOG], "news.trees line 3: has 3 trees, and the cluster 2 sentences"),
        ([FOG, "(S"], "news.trees line 2 column 3: ends within the tree"),
    ],
)
def test_trees_and_text_that_disagree(put, trees, told):
    text = put("Fog fell.\n\nThe sea rose.\n")
    with pytest.raises(FormatError) as caught:
        read_cluster(text, trees=put("\n".join(trees), "news.trees"))
    assert message(caught).startswith(told)


@pytest.mark.parametrize(
    ("tokens", "told"),
    [
        (
            ["Fog", "fall", "."],
            "a.json line 2: word 2 of sentence 'x' is 'fall', and 'fell' in its tree: want",
        ),
        (
            ["Fog", "fell", ".", "!"],
            "a.json line 2: sentence 'x' has 4 words and its tree 3, the sentence goes on with '!'",
        ),
        (
            ["Fog", "fell"],
            "a.json line 2: sentence 'x' has 2 words and its tree 3, its tree goes on with '.'",
        ),
    ],
)
def test_trees_and_tokens_that_disagree(put, tokens, told):
    value = json.dumps({"id": "x", "tokens": tokens, "tree": FOG})
    with pytest.raises(FormatError) as caught:
        read_cluster(put(f'["Rain",\n{value}]', "a.json"))
    assert message(caught).startswith(told)


@pytest.mark.parametrize(
    ("text", "tokens", "told"),
    [
        (
            "Nothing of the sort",
            ["It", "burns", "."],
            "word 1 of sentence 'x' is 'It', where its text goes on with 'Nothing of the sort'",
        ),
        (
            "It burned.",
            ["It", "burns", "."],
            "word 2 of sentence 'x' is 'burns', where its text go",
        ),
        (
            "It",
            ["It", "burns"],
            "word 2 of sentence 'x' is 'burns', where its text has ended: want",
        ),
        (
            "It burns.",
            ["It", "burns"],
            "sentence 'x' ends with word 2, where its text goes on with",
        ),
    ],
)
def test_text_and_tokens_that_disagree(put, text, tokens, told):
    given = {"id": "x", "text": text, "tokens": tokens}
    tree = f"(S {' '.join(f'(X {token})' for token in tokens)})"
    for value in (given, given | {"tree": tree}):
        with pytest.raises(FormatError) as caught:
            read_cluster(put(f'["Rain",\n{json.dumps(value)}]', "a.json"))
        assert message(caught).startswith(f"a.json line 2: {told}")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("“It’s” (and/or) it—", ["``", "it", "'s", "''", "-LRB-", "and\\/or", "-RRB-", "It", "--"]),
        ("-LRB- and\\/or", ["(", "and/or"]),
        ("New York", ["New York"]),
        ("can not", ["cannot"]),
    ],
)
def test_text_and_tokens_that_agree(put, text, tokens):
    found = read_cluster(put(json.dumps([{"text": text, "tokens": tokens}]), "a.json"))[0]
    assert found.text == text
    assert len(found) == len(tokens)


word = st.text(st.sampled_from("ab(){}[]\"'`“”’-—….,/"), min_size=1, max_size=4)
BRACKETS = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}


@given(st.lists(word, min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_any_words_are_found_in_their_text(words, random):
    text = "".join(each + random.choice(["", " ", "\t\u00a0"]) for each in words)
    leaves = ["".join(BRACKETS.get(sign, sign) for sign in each) for each in words]
    tree = Tree(["S", *["NN"] * len(words)], [-1, *[0] * len(words)], [None, *leaves])
    found = sentence_of(SentenceRecord("s", Location("a"), text=text, tree=tree))
    assert list(found.forms) == words


@given(st.lists(st.text("abc ", min_size=1, max_size=8), max_size=5), st.integers(0, 5))
def test_lines_of_json_are_found(texts, indent):
    """Whatever the layout, the line told is where the sentence stands."""
    from bitext.formats.clusters.objects import LineFinder

    written = json.dumps(
        [{"id": str(k), "text": text} for k, text in enumerate(texts)], indent=indent
    )
    lines = LineFinder(written)
    for k, text in enumerate(texts):
        found = lines.line_of({"id": str(k), "text": text})
        assert found is not None
        assert json.dumps(text) in written.split("\n")[found - 1]


def test_the_clusters_of_papers_and_others():
    for file in sorted(data("clusters").glob("*.json")):
        found = read_cluster(file)
        raw = json.loads(file.read_text(encoding="utf-8"))
        assert found.id == raw["id"]
        assert [list(s.forms) for s in found] == [s["tokens"] for s in raw["sentences"]]
        assert all(sentence.analysed and sentence.tree for sentence in found)
        assert read_cluster(file, trees=file.with_suffix(".trees")) == found


def test_a_document_names_the_function_of_python(put):
    with pytest.raises(FormatError, match=r": bitext\.align\.event_clusters finds sentences that"):
        read_cluster(put("<!DOCTYPE html><p>Fog fell.</p>", "a.html"))
