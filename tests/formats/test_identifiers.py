import pytest

import bitext
from bitext.errors import FormatError
from bitext.metrics import arcade
from formats.samples import positions, read

CHAMPOLLION, PAIRS = "champollion", "id-pairs"
SCORED = "".join(f"s{k}\tt{k}\t0.5\n" for k in range(300))


def _ids(bt):
    src, tgt = ([text.ids[k] for k in range(len(text))] for text in (bt.src, bt.tgt))
    return [([src[k] for k in b.src], [tgt[k] for k in b.tgt]) for b in bt.alignment]


def test_champollion_counts_from_1():
    bt = read(CHAMPOLLION, "1 <=> 1\r\n2,3 <=> 2\n\nomitted <=> 3\n4 <=> Omitted\n")
    assert positions(bt) == [([0], [0]), ([1, 2], [1]), ([], [2]), ([3], [])]
    assert not bt.notes


def test_scores_may_follow_the_numbers_of_champollion():
    bt = read(CHAMPOLLION, "1 <=> 1 0.83\n2,3 <=> 2\t-.5\nomitted <=> 3\n")
    assert positions(bt) == [([0], [0]), ([1, 2], [1]), ([], [2])]
    assert bt.alignment.scores.tolist() == pytest.approx([0.83, -0.5, float("nan")], nan_ok=True)


def test_champollion_from_0_is_noted_and_the_base_may_be_said():
    bt = read(CHAMPOLLION, "0 <=> 0\n1,2 <=> 1\n")
    assert positions(bt) == [([0], [0]), ([1, 2], [1])]
    (note,) = bt.notes
    assert "sentence 0, read as counting from 0" in note.kind
    assert positions(read(CHAMPOLLION, "1 <=> 1\n", base=0)) == [([1], [1])]
    with pytest.raises(FormatError, match="line 1: has the position 0, so it does not count from"):
        read(CHAMPOLLION, "0 <=> 0\n", base=1)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1 <=> 1\n2 <=> b\n", "made line 2: is '2 <=> b'; want the numbers of sentences"),
        ("1 <=> 1\n2 <=> 2 3\n", "made line 2: is '2 <=> 2 3'; want the numbers of sentences"),
        ("1 <=> 1\n2,2 <=> 2\n", "made line 2: has '2' twice on a side"),
        ("1 <=> 9999999999999\n", "made line 1: has the position 9999999999999; want none from"),
    ],
)
def test_bad_lines_of_champollion(content, message):
    with pytest.raises(FormatError, match=message):
        read(CHAMPOLLION, content)


def test_pairs_of_identifiers_as_of_bucc():
    bt = read(PAIRS, "fr-000000059\ten-000000112\nfr-000000007\ten-000000003\n")
    assert _ids(bt) == [
        (["fr-000000059"], ["en-000000112"]),
        (["fr-000000007"], ["en-000000003"]),
    ]
    assert any("not of texts" in note.kind for note in bt.notes)


@pytest.mark.parametrize(
    "content",
    [
        "s1 s2\tt1\t0.5\ns3\t\t0.25\n",
        "0.5\ts1, s2\tt1\n0.25\ts3\tomitted\n",
        "src_id\ttgt_id\tscore\ns1+s2\tt1\t0.5\ns3\tNULL\t0.25\n",
    ],
)
def test_lists_empty_sides_scores_and_headers(content):
    bt = read(PAIRS, content)
    assert _ids(bt) == [(["s1", "s2"], ["t1"]), (["s3"], [])]
    assert bt.alignment.scores.tolist() == [0.5, 0.25]


LISTS = ["[0]", "[0]", "[1]", "[1, 2]", "[2, 3]", "[3]", "[]", "[4]"]
OF_LISTS = [([0], [0]), ([1], [1, 2]), ([2, 3], [3]), ([], [4])]


def test_lists_of_python_in_tables_are_no_texts(tmp_path):
    """Characters of lists are alike, so that texts of them would match."""
    rows = list(zip(LISTS[::2], LISTS[1::2], strict=True))
    assert positions(read(PAIRS, "".join(f"{src}\t{tgt}\n" for src, tgt in rows))) == OF_LISTS
    path = tmp_path / "a.csv"
    lines = [f'{k},"{src}","{tgt}"\n' for k, (src, tgt) in enumerate(rows)]
    path.write_text(",src,tgt\n" + "".join(lines))
    with pytest.raises(FormatError, match=r"has identifiers or positions .*format='id-pairs'"):
        bitext.read(path)
    assert positions(bitext.read(path, format=PAIRS)) == OF_LISTS


def test_sets_and_numbers_of_data_frames_with_gaps_are_positions():
    whole = positions(read(PAIRS, "[0]\t[0]\n[1, 2]\t[1]\n[]\t[2]\n"))
    assert positions(read(PAIRS, "{0}\t{0}\n{1, 2}\t{1}\nset()\t{2}\n")) == whole
    assert positions(read(PAIRS, "0.0\t0.0\n[1.0, 2.0]\t1.0\nnan\t2.0\n")) == whole
    assert positions(read(PAIRS, "src\ttgt\n0.0\t0.0\n1 2\t1.0\nNone\t2.0\n")) == whole


def test_a_table_of_positions_with_blanks_between_is_no_ladder(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("0\t0\n1\t1\n2\t2 3\n3 4\t4\n5\t5\n")
    found = positions(bitext.read(path))
    assert found == [([0], [0]), ([1], [1]), ([2], [2, 3]), ([3, 4], [4]), ([5], [5])]
    path.write_text("0\t0\n1\t1\n\t2 3\n2\t4\n3 4\t\n")  # two numbers in each, as in rungs
    whole = [([0], [0]), ([1], [1]), ([], [2, 3]), ([2], [4]), ([3, 4], [])]
    assert positions(bitext.read(path)) == whole


def test_numbers_are_positions():
    bt = read(PAIRS, "src\ttgt\n0\t0\n1 2\t1\n")
    assert positions(bt) == [([0], [0]), ([1, 2], [1])]
    assert positions(read(PAIRS, "1\t1\n2,3\t2\n", base=1)) == [([0], [0]), ([1, 2], [1])]


@pytest.mark.parametrize(
    "content",
    [
        "A4\tA4\nB2B\tB2B\nH2O\tH2O\n",  # terms
        "0-0 1-1\t0-0\n0-0\t1-1\n",  # word links
        "1\t1\n2\t2\n",  # may be a ladder
        "s1-s2\tt1\ns3-s4\tt2\n",  # ranges
        "One.\tUn.\nTwo 2.\tDeux 2.\n",
        "s1\tt1\n",  # one line tells nothing
        "w7 w3 w4\tx7 x3 x4\nw3\tx3\nw5\tx5\nw6\tx6\n",  # words with digits
        "word1 a1\tmot1 b1\nword2 a2\tmot2 b2\n",
        "w1\tx1\nw2\tx2\nw1\tx1\nw1\tx1\nw2\tx2\n",
    ],
)
def test_what_is_no_table_of_identifiers(content):
    assert bitext.formats.registry.sniff(content.encode(), "a.tsv").name != PAIRS


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("s1\tt1\ns2\tt2\ns3\n", "made line 3: has 1 columns, and the first line 2"),
        (SCORED + "s3\tt2\tx\n", "line 301: has 'x' in the column of"),
        (SCORED.replace("\t0.5", "") + "Yes\tt3\n", "line 301: has 'Yes'; want identifiers"),
        ("s1\tt1\ns2 s2\tt2\n", "made line 2: has 's2' twice on a side"),
        ("src_id\ttgt_id\n1 2\n3\t\n4\t1\n", "made line 2: has 1 columns, and the first line 2"),
        ("One.\tUn.\n", "made line 1: has 'One.'; want identifiers"),
        ("1-2\t1\n", "line 1: has .1-2.; want identifiers or positions, of a range each, as 3,4,5"),
        ("s1\tt1\tx\ty\n", "is no table of identifiers"),
    ],
)
def test_bad_lines_of_pairs(content, message):
    with pytest.raises(FormatError, match=message):
        read(PAIRS, content)


def test_identifiers_in_tables_are_no_texts_and_the_remedy_works(tmp_path):
    """Characters of identifiers are alike: `a1 b2` and `a1 b3` would match by 90%."""
    gold, hyp = tmp_path / "gold.tsv", tmp_path / "hyp.tsv"
    gold.write_text("fr-01\ten-01\nfr-02\ten-02\nfr-03\ten-03\n")
    hyp.write_text("fr-01\ten-01\nfr-02\ten-03\nfr-09\ten-02\n")
    score = arcade(bitext.read(gold), bitext.read(hyp))["alignment"]
    assert (score.precision, score.recall) == (1 / 3, 1 / 3)
    table = tmp_path / "ids.csv"
    table.write_text("Source ID,Target ID\nS1,T1\nS2,T3\nS3,T2\n")
    with pytest.raises(FormatError, match="has identifiers or positions where its texts should be"):
        bitext.read(table)
    assert len(bitext.read(table, columns="src=1,tgt=2").src) == 3


@pytest.mark.parametrize("head", ["", "text\tfile\n", "name\tpath\n"])
def test_a_manifest_with_another_header_is_no_table_of_identifiers(tmp_path, head):
    manifest = tmp_path / "gold.tsv"
    manifest.write_text(f"{head}d1\tgold/d1.align\nd2\tgold/d2.align\n", "utf-8")
    assert bitext.read(manifest).src.ids == ["d1", "d2"]  # no such files
    (tmp_path / "gold").mkdir()
    for name in ("d1", "d2", "e1", "e2"):
        (tmp_path / f"gold/{name}.align").write_text("[0]:[0]\n", "utf-8")
    with pytest.raises(FormatError, match=r"names files, as 'gold/d1\.align'; a manifest begins"):
        bitext.read(manifest)
    # Of pairs of documents both identifiers may be names of files.
    manifest.write_text(f"{head}gold/d1.align\tgold/e1.align\ngold/d2.align\tgold/e2.align\n")
    assert bitext.read(manifest).src.ids == ["gold/d1.align", "gold/d2.align"]


def test_identifiers_that_are_names_of_files_by_chance_are_read(tmp_path):
    table = tmp_path / "a.tsv"
    table.write_text("s1\tt01\ns2\tt02\ns3\tt03\n")
    (tmp_path / "t01").touch()
    assert bitext.read(table).tgt.ids == ["t01", "t02", "t03"]
    for name in ("t02", "t03"):
        (tmp_path / name).touch()
    with pytest.raises(FormatError, match=r"these are identifiers, name the format .*='id-pairs'"):
        bitext.read(table)
    assert bitext.read(table, format="id-pairs").tgt.ids == ["t01", "t02", "t03"]


def test_tokens_with_their_columns_are_no_pairs_and_the_remedy_works(tmp_path):
    path = tmp_path / "a.conllu"
    rest = ("NOUN\tNN\t_\t0\troot\t_\t_\n", "_\t_\t_\t_\t_\t_\tSeg=O\n")
    path.write_text(f"# sent_id = 1\n1\tHäuser\tHaus\t{rest[0]}\n1\tJa\tja\t{rest[1]}", "utf-8")
    with pytest.raises(FormatError, match=r"tokens with their columns .CoNLL-U., and no pairs"):
        bitext.read(path)
    assert list(bitext.read(path, columns="src=2,tgt=3").tgt.segments()) == ["Haus", "ja"]
    path.write_text("".join(f"{k}\ta b\tc\td e\tx\ty\tso it is\tu\tv\tw\n" for k in (1, 2)))
    assert len(bitext.read(path).src) == 2


def test_pairs_that_come_again_are_identifiers_too():
    content = "fr-01\ten-01\nfr-02\ten-01\nfr-03\ten-02\n"
    assert bitext.formats.registry.sniff((content * 3).encode(), "a.tsv").name == PAIRS


@pytest.mark.parametrize(
    "content",
    [
        "('fr-1', 'en-2')\n('fr-2', '')\n('fr-3', 'en-3')\n",
        "('fr-1', 'en-2', 0.5),\n('fr-2', '', 1.0),\n('fr-3', 'en-3', 0.25),\n",
        '["fr-1", "en-2"]\n["fr-2", ""]\n["fr-3", "en-3"]\n',
    ],
)
def test_tuples_of_identifiers_are_read_if_the_format_is_named(content):
    bt = read(PAIRS, content)
    assert [bt.src.ids[bead.src[0]] for bead in bt.alignment] == ["fr-1", "fr-2", "fr-3"]
    assert [[bt.tgt.ids[k] for k in bead.tgt] for bead in bt.alignment] == [["en-2"], [], ["en-3"]]
    with pytest.raises(FormatError, match="made line 4: has 1 columns"):
        read(PAIRS, content + "x\n")


@pytest.mark.parametrize("head", ["", "src_id,tgt_id\n"])
def test_positions_in_csv_are_refused_with_a_remedy_that_works(head):
    content = f'{head}0,0\n"1,2",1\n3,"2,3"\n'
    with pytest.raises(FormatError, match="for positions, as TSV or CSV, format='id-pairs'; name"):
        read("csv", content)
    assert positions(read(PAIRS, content)) == [([0], [0]), ([1, 2], [1]), ([3], [2, 3])]


def test_identifiers_that_are_refused_as_texts_have_their_remedy():
    content = "s1\ts1 s2\ns2\t\ns3\ts3\n"
    with pytest.raises(FormatError, match=r"for identifiers, as TSV or CSV, format='id-pairs'"):
        read("tsv", content)
    assert len(read("id-pairs", content).alignment) == 3
    with pytest.raises(FormatError, match=r"for positions, as TSV or CSV, format='id-pairs'"):
        read("tsv", "1\t\n2\t\n")
    with pytest.raises(
        FormatError, match="it is not clear which are the source and the target text;"
    ):
        read("tsv", "de-0001\tDer Hund schläft.\nde-0002\tEs regnet.\n")


@pytest.mark.parametrize("suffix", ["tsv", "csv"])
@pytest.mark.parametrize("head", ["", "src\ttgt\n", "Source ID\tTarget ID\n"])
def test_letters_with_a_number_are_texts_unless_a_header_says_ids(tmp_path, suffix, head):
    path = tmp_path / f"a.{suffix}"
    content = f"{head}s1\tt1\ns2\tt3\ns3\tt2\n"
    path.write_text(content.replace("\t", ",") if suffix == "csv" else content)
    if "ID" in head and suffix == "csv":
        with pytest.raises(FormatError, match="has identifiers or positions where its texts"):
            bitext.read(path)
        return
    found = bitext.read(path)
    if "ID" in head:
        assert _ids(found) == [(["s1"], ["t1"]), (["s2"], ["t3"]), (["s3"], ["t2"])]
        return
    assert list(found.src.segments()) == ["s1", "s2", "s3"]
    told = "texts that may be identifiers (format='id-pairs': as such, in two columns of TSV)"
    assert told in {note.kind for note in found.notes}
    assert bitext.read(path, columns="src=1,tgt=2").notes != found.notes


@pytest.mark.parametrize("kind", ["xml", "txt"])
def test_pairs_are_read_over_the_texts_that_are_given(tmp_path, kind):
    pairs = tmp_path / "a.tsv"
    pairs.write_text("src_id\ttgt_id\ns1\ts1\ns3 s4\ts2\n")
    texts = []
    for name, segments in (("en", ["One.", "Two.", "Three.", "Four."]), ("fr", ["Un.", "Deux."])):
        texts.append(tmp_path / f"a.{name}.{kind}")
        marked = (f'<s id="s{k}">{each}</s>' for k, each in enumerate(segments, start=1))
        whole = f"<text>{''.join(marked)}</text>"
        texts[-1].write_text(whole if kind == "xml" else "".join(f"{s}\n" for s in segments))
    found = bitext.read(pairs, src=texts[0], tgt=texts[1])
    assert list(found.pairs()) == [(["One."], ["Un."]), (["Three.", "Four."], ["Deux."])]
    assert len(found.src) == 4
    pairs.write_text("src_id\ttgt_id\ns1\ts1\ns5\ts2\n")
    with pytest.raises(FormatError, match=r"line 3: names src 's5', which .* has not"):
        bitext.read(pairs, src=texts[0], tgt=texts[1])
