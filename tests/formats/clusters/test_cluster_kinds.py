import pytest

from bitext.errors import FormatError
from bitext.formats.clusters import guess, read_cluster
from bitext.formats.io.source import Notes, open_source

ROW = "\t_" * 8
NER = "-DOCSTART- -X- -X- O\n\nEU NNP B-NP B-ORG\nrose VBD B-VP O\n"


@pytest.fixture
def put(tmp_path):
    def write(content, name="news.txt"):
        file = tmp_path / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.trees", "(NN dog)", "trees"),
        ("a.MRG.gz", "no tree", "trees"),
        ("a.ptb", "", "trees"),
        ("a.penn", "{}", "trees"),
        ("a.conllu", "# sent_id = a", "conllu"),
        ("a.json", "Fog", "json"),
        ("a.jsonl", '"Fog"', "json"),
        ("a.conll", "Fog NN B-NP", "conll2000"),
        ("a.conll", NER, "conll2003"),
        ("a.conll", "Fog ADJA", "tagged"),
        ("a.conll", f"1\tFog{ROW}", "conllu"),
        ("a.conll", "\n", "conll2000"),
    ],
)
def test_the_name_comes_first(put, name, content, kind):
    with open_source(put(content, name)) as source:
        assert guess(source) == (kind, True)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("[[Rome]] burns", "text"),
        ('["He said", he said.', "text"),
        ('["No"] is what he said.', "text"),
        ("[] Fog", "text"),
        ("{fog", "text"),
        ('{"Fog" fell', "text"),
        ("(Reuters (UK)) - Fog fell.", "text"),
        ("(NN dog)", "text"),
        ("vitamin and O", "text"),
        ("Well ,\nYes .", "text"),
        ("Fog ,\nfell VBD", "text"),
        ("Fog fell", "text"),
        ("Fog NN\nfell down", "text"),
        ("# a comment", "text"),
        ("The\tsea", "text"),
        ("a b c d e\nf g h i O", "text"),
        ('["Fog"]', "json"),
        ('["Fog", "Rain"', "json"),
        ('[\n {"text"', "json"),
        ('{"a": 1', "json"),
        ("{}", "json"),
        ("(NP (NN dog))", "trees"),
        ("( (S (NP", "trees"),
        ("(S (", "trees"),
        ("Fog NN O", "conll2000"),
        ("und KON O\nNebel NN I-NP", "conll2000"),
        ("Nebel ART B-NP", "conll2000"),
        (NER, "conll2003"),
        ("EU NNP I-NP I-ORG", "conll2003"),
        ("Fog NN\nfell VBD\n\n. .", "tagged"),
        ("Fog\tNOUN\n.\tPUNCT", "tagged"),
        (f"1\tFog{ROW}", "conllu"),
        ("# sent_id = a", "conllu"),
        ("#columns: word", "chunklink"),
        ("", "text"),
    ],
)
def test_otherwise_the_contents_tell(put, content, kind):
    for name in ("news.txt", "news"):
        with open_source(put(content, name)) as source:
            assert guess(source) == (kind, False)


def test_the_contents_are_looked_at_in_their_encoding(put):
    file = put('["Nebel"]'.encode("utf-16-le"))
    with open_source(file, encoding="utf-16-le") as source:
        assert guess(source).kind == "json"
    with open_source(put('["Nebel"]'.encode("utf-16"))) as source:
        assert guess(source).kind == "json"


def test_a_line_that_the_first_look_tears_does_not_count(put):
    long = "Fog NN\n. .\n" * 5 + "x" * (1 << 16) + " NN\n"
    with open_source(put(long)) as source:
        assert guess(source).kind == "tagged"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("a b c d B-X\nc d e f O", "has 5 columns a line, of an unknown kind: want a sent"),
        ("EU B-ORG\nrose O", "has 2 columns a line"),
        ("1\ta\tb\tc\n2\td\te\tf", "has 4 columns a line"),
        ("Fog\tNN\tfog\nfell\tVBD\tfall", "has 3 columns a line"),
        ('<?xml version="1.0"?><a/>', "begins with '<?xml', so it holds no sentences"),
        ("digraph fog {}", "begins with 'digraph'"),
    ],
)
def test_what_would_make_sentences_of_none_is_refused(put, content, told):
    file = put(content)
    with pytest.raises(FormatError, match=r"\(kind='text'\)") as caught:
        read_cluster(file)
    assert told.replace("\\", "") in str(caught.value)
    assert read_cluster(file, kind="text")[0].text == content.split("\n")[0]


def test_a_name_that_promises_columns(put):
    with pytest.raises(FormatError, match=r"line 2: is of no columns that are known, as its name"):
        read_cluster(put("\nFog fell.", "a.conll"))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("(AP (New York)) - Fog", "outside of brackets.*; if it is not Penn trees, say what it is"),
        ('["No", "yes"] he said', r"is not JSON.*; if it is not JSON, say what it is \(kind="),
        ("Fog NN B-NP\nfell", r"has 1 column: .*; if it is not in columns \(conll2000\), say what"),
    ],
)
def test_a_guess_that_fails_is_told(put, content, told):
    with pytest.raises(FormatError, match=told) as caught:
        read_cluster(put(content))
    assert caught.value.line
    kind = "trees" if content[0] == "(" else "json" if content[0] == "[" else "conll2000"
    with pytest.raises(FormatError) as caught:
        read_cluster(put(content), kind=kind)
    assert "kind=" not in str(caught.value)
    assert read_cluster(put(content), kind="text")
    with pytest.raises(FormatError) as caught:
        read_cluster(put(content, f"a.{ {'conll2000': 'conll'}.get(kind, kind) }"))
    assert "kind=" not in str(caught.value)


def test_what_is_left_aside_or_replaced_is_noted(put):
    notes = Notes()
    found = read_cluster(put(NER), notes=notes)
    assert [sentence.forms for sentence in found] == [("EU", "rose")]
    (note,) = notes.all()
    assert note.kind == "names (NER) in columns, ignored"
    assert note.first.endswith("news.txt line 3")
    notes = Notes()
    read_cluster(put(f"1\tFog\t_\tNOUN{ROW[:-4]}\n\n1\tFog\t_\tNOUN\tNN{ROW[:-6]}"), notes=notes)
    (note,) = notes.all()
    assert (note.kind, note.count) == ("sentences with universal tags, which a parser replaces", 1)


@pytest.mark.parametrize("end", ["le", "be"])
@pytest.mark.parametrize("name", ["news.txt", "news.trees", "news.json", "news.conllu"])
def test_utf_16_without_a_mark_is_told(put, end, name):
    file = put("\nFog fell. Nobody saw it.\n".encode(f"utf-16-{end}"), name)
    with pytest.raises(FormatError, match=f"has NUL bytes, as UTF-16.*encoding='utf-16-{end}',"):
        read_cluster(file)
    found = read_cluster(file, kind="text", encoding=f"utf-16-{end}")
    assert found[0].text == "Fog fell. Nobody saw it."
    with pytest.raises(FormatError, match="line 1: has NUL bytes, so it is not text: leave it out"):
        read_cluster(put("Fog\0 fell\0. " + "Nobody saw it. " * 9, name))
