import json
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.errors import FormatError, OptionError
from bitext.model import Sentence, Token
from bitext.syntax.columns import (
    chunk_trace,
    placed_columns,
    plain_columns,
    read_columns,
    sniff_columns,
)
from bitext.syntax.conversion import annotate
from bitext.syntax.penn import parse_tree
from reference.shared_data import data

CONLL = ["He PRP B-NP", "left VBD B-VP", ". . O", "", "", "# # B-NP", "5 CD I-NP"]
CHUNKLINK = """\
#arguments: IOB tag: Begin, word numbering: sent
#columns: word_id iob_inner pos word function heads head_ids iob_chain trace-function trace-type \
trace-head_ids
# Sentence 1/01
  0 B-NP    NNP   Ada             NP-SBJ          left              1 B-S/B-NP
  1 B-VP    VBD   left            VP/S            left              1 I-S/B-VP     NP-SBJ  *T*   ???
  2 O       COMMA COMMA           NOFUNC          left              1 I-S
  3 B-NP    CD    1COMMA000       NP              left              1 I-S/B-NP
  4 O       (     (               NOFUNC          left              1 I-S/B-PRN

# Sentence 1/02

# Sentence 1/03
  0 B-INTJ  UH    oh              INTJ            oh                0 B-INTJ
"""
CONLLU = """\
# newdoc id = news-1
# sent_id = a-1
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVB\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_
2.1\tyou\tyou\tPRON\tPRP\t_\t_\t_\t_\t_
3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\tX=1|SpaceAfter=No
4\t!\t!\tPUNCT\t.\t_\t3\tpunct\t_\tSpaceAfter=No

# sent_id = a-2
# text = New York  burns
1\tNew York\tNew York\tPROPN\tNNP\t_\t2\tnsubj\t_\t_
2\tburns\tburn\t_\t_\t_\t0\troot\t_\t_
""".replace("    ", "\t")


def read(lines, **options):
    lines = lines.split("\n") if isinstance(lines, str) else lines
    return list(read_columns(lines, path="a.txt", **options))


def words(sentence):
    return [(word.form, word.pos, word.iob, "/".join(word.trace)) for word in sentence]


def test_conll_2000():
    first, second = read(CONLL)
    assert words(first) == [
        ("He", "PRP", "B-NP", "B-S/B-NP"),
        ("left", "VBD", "B-VP", "I-S/B-VP"),
        (".", ".", "O", "I-S"),
    ]
    assert words(second) == [("#", "#", "B-NP", "B-S/B-NP"), ("5", "CD", "I-NP", "I-S/I-NP")]
    assert first.text == "He left ."
    assert first.id is None
    assert first.analysed


def test_a_chunk_begins_with_b_however_it_is_written():
    (found,) = read(["a NN I-NP", "b NN I-NP", "c NN B-NP", "d VB I-VP", ", , O", "e NN I-NP"])
    assert [word.iob for word in found] == ["B-NP", "I-NP", "B-NP", "B-VP", "O", "B-NP"]


def test_blanks_and_tabs_part_columns_and_nothing_else_does():
    (found,) = read(["\t1\u00a0000 \t CD  B-NP \r\n", "\u2028x NN I-NP\n", " \t\r\n"])
    assert found.forms == ("1\u00a0000", "\u2028x")


def test_where_tabs_part_all_columns_a_word_may_have_blanks():
    (found,) = read("New York\tNNP\tB-NP\nburns VBZ B-VP\n at last \tRB\tB-ADVP\r\n")
    assert found.forms == ("New York", "burns", "at last")
    (found,) = read("New York\tNNP\tB-NP\tI-LOC\nburns\tVBZ\tB-VP\tO")
    assert words(found)[0] == ("New York", "NNP", "B-NP", "B-S/B-NP")
    (found,) = read("New York\tNNP\nburns\tVBZ")
    assert words(found)[0] == ("New York", "NNP", "", "")
    assert plain_columns(["New York\tNNP", "burns\tVBZ"]) == "tagged"
    with pytest.raises(FormatError, match="line 2: has 4 columns: want word, part of speech and"):
        read("burns\tVBZ\tB-VP\nNew York\tNNP B-NP")
    with pytest.raises(FormatError, match="line 2: has 2 columns"):
        read("burns\tVBZ\tB-VP\nYork\t\tB-NP")


@pytest.mark.parametrize("text", ["It PRP B-NP", "It PRP", CHUNKLINK, CONLLU])
def test_a_byte_order_mark_is_no_part_of_a_word(text):
    assert read("\ufeff" + text) == read(text)


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("COMMA", ","),
        ("1COMMA000", "1,000"),
        ("1COMMA000COMMA000", "1,000,000"),
        ("yesCOMMA", "yes,"),
        ("COMMACOMMA", ",,"),
        ("COMMAND", "COMMAND"),
        ("COMMAS", "COMMAS"),
        ("TELECOMMA", "TELECOMMA"),
        ("ÉCOMMA", "ÉCOMMA"),
    ],
)
def test_commas_of_chunklink(written, form):
    lines = ["#columns: iob_inner pos word", f"B-NP NN {written}"]
    (found,) = read(lines)
    assert words(found) == [(form, "NN", "B-NP", "B-S/B-NP")]


def test_conll_2003():
    first, second = read(
        "-DOCSTART- -X- -X- O\n\nEU NNP I-NP I-ORG\n( ( O O\nrose VBD I-VP O\n\n"
        "-DOCSTART- -X- O O\nFog NN B-NP O"
    )
    assert words(first) == [
        ("EU", "NNP", "B-NP", "B-S/B-NP"),
        ("(", "-LRB-", "O", "I-S"),
        ("rose", "VBD", "B-VP", "I-S/B-VP"),
    ]
    assert words(second) == [("Fog", "NN", "B-NP", "B-S/B-NP")]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("-DOCSTART- -X- O\n\nFog NN B-NP\n\n-DOCSTART- -X- O\nrose VBD B-VP\n", "conll2000"),
        ("-DOCSTART-\n\nFog\tNN\n\n-DOCSTART-\trose\nrose\tVBD\n", "tagged"),
    ],
)
def test_a_break_between_documents_is_no_word_of_any_columns(text, kind):
    lines = text.split("\n")
    assert sniff_columns(lines) == plain_columns(lines) == kind
    assert [sentence.forms for sentence in read_columns(lines, path="a")] == [("Fog",), ("rose",)]


def test_words_with_tags():
    first, second = read("Fog\tNN\nfell VBD\n) )\n\nYes UH\n")
    assert words(first) == [("Fog", "NN", "", ""), ("fell", "VBD", "", ""), (")", "-RRB-", "", "")]
    assert second.forms == ("Yes",)
    assert not first.analysed


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("\n\n#columns: iob_inner pos word\nO NN x\n\n\nO NN y", "chunklink"),
        ("\n\nx NN O\n\n\n\ny NN O", "conll2000"),
        ("\n\nx NN O O\n\n\n\ny NN O O", "conll2003"),
        ("\n\nx NN\n\n\n\ny NN", "tagged"),
        ("\n\n1\tx" + "\t_" * 8 + "\n\n\n\n1\ty" + "\t_" * 8, "conllu"),
    ],
)
def test_each_sentence_comes_with_its_line(text, kind):
    found = list(placed_columns(text.split("\n"), path="a.txt", kind=kind))
    assert [(line, sentence.text) for line, sentence in found] == [(3, "x"), (7, "y")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "We go!",
            "line 2: the text goes on with 'We go!', where the sentence has word 1, \"Don't\"",
        ),
        ("Don't go", "line 2: the text has ended, where the sentence has word 3, '!'"),
        ("Don't go! No", "line 2: the text goes on with 'No', where the sentence ends with word 3"),
        ("Do n't go", "line 2: the text has ended"),
    ],
)
def test_a_text_of_other_words_is_refused(text, told):
    lines = CONLLU.split("\n")
    lines.insert(1, f"# text = {text}")
    with pytest.raises(FormatError, match=f"^a.txt {told}"):
        read(lines)


def test_the_text_of_multiword_tokens_is_that_of_the_whole():
    row = "\t_" * 8
    text = f"# text = Du pain\n1-2\tDu{row}\n1\tde{row}\n2\tle{row}\n3\tpain{row}"
    (found,) = read(text)
    assert (found.text, found.forms) == ("Du pain", ("de", "le", "pain"))


def test_a_document_without_a_name_is_none_of_the_name_before():
    row = "\t_" * 8
    text = f"# newdoc id = a\n1\tx{row}\n\n1\ty{row}\n\n# newdoc\n1\tz{row}\n"
    assert [sentence.source for sentence in read(text)] == ["a", "a", None]


def test_chunklink():
    first, second = read(CHUNKLINK)
    assert (first.id, second.id) == ("1/01", "1/03")
    assert words(first) == [
        ("Ada", "NNP", "B-NP", "B-S/B-NP"),
        ("left", "VBD", "B-VP", "I-S/B-VP"),
        (",", ",", "O", "I-S"),
        ("1,000", "CD", "B-NP", "I-S/B-NP"),
        ("(", "-LRB-", "O", "I-S/B-PRN"),
    ]
    assert words(second) == [("oh", "UH", "B-INTJ", "B-INTJ")]


def test_chunklink_with_sentence_numbers_at_each_word_and_fewer_columns():
    text = (
        "#columns: file_id sent_id iob_inner pos word\n"
        "  7  1 B-NP NN fog\n  7  1 I-NP NN bank\n\n  7  2 B-NP NN sea\n"
    )
    first, second = read(text)
    assert (first.id, second.id) == ("7/1", "7/2")
    assert words(first)[1] == ("bank", "NN", "I-NP", "I-S/I-NP")


def test_chunklink_with_both_ends_told_has_the_same_beginnings():
    text = (
        "#arguments: IOB tag: BeginEndCombined, word numbering: file\n"
        "#columns: iob_inner pos word iob_chain\n"
        " C-NP NN fog B-S/C-NP\n B-NP DT a I-S/B-NP\n E-NP NN sea E-S/E-NP\n"
    )
    (found,) = read(text)
    assert words(found) == [
        ("fog", "NN", "B-NP", "B-S/B-NP"),
        ("a", "DT", "B-NP", "I-S/B-NP"),
        ("sea", "NN", "I-NP", "I-S/I-NP"),
    ]


def test_conll_u():
    first, second = read(CONLLU)
    assert [(word.form, word.pos) for word in first] == [
        ("Do", "VB"),
        ("n't", "RB"),
        ("go", "VERB"),
        ("!", "."),
    ]
    assert (first.id, first.source, first.text) == ("a-1", "news-1", "Don't go!")
    assert [(word.form, word.pos) for word in second] == [("New York", "NNP"), ("burns", "")]
    assert (second.id, second.source, second.text) == ("a-2", "news-1", "New York  burns")
    assert not first.analysed


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (CONLL, "conll2000"),
        (["", "x NN O"], "conll2000"),
        (CHUNKLINK.split("\n"), "chunklink"),
        (CONLLU.split("\n"), "conllu"),
        (["# text = He left.", *CONLLU.split("\n")[2:]], "conllu"),
        (["He left early"], None),
        (["EU NNP B-NP B-ORG"], "conll2003"),
        (["-DOCSTART- -X- O O"], "conll2003"),
        (["EU NNP B-NP org"], None),
        (["Fog NN"], "tagged"),
        (["Fog fell"], None),
        (["# sent_id = a"], "conllu"),
        (["He left.", "x NN O"], None),
        (["# a comment"], None),
        ([], None),
    ],
)
def test_the_kind_is_told_by_the_first_lines(head, kind):
    assert sniff_columns(head) == kind


def test_the_kind_can_be_named():
    assert read(["He left O"], kind="conll2000")[0].forms == ("He",)
    assert read([], kind="conllu") == []
    with pytest.raises(OptionError, match="columns 'conll' are not known: want one of conll2000"):
        read([], kind="conll")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["", "He left early"], "line 2: holds no columns that are known: want conll2000, conll2"),
        ([], "holds no columns"),
        (["He PRP B-NP", "left VBD"], "line 2: has 2 columns: want word, part of speech and chunk"),
        (["He PRP B-NP", "left VBD VP"], "line 2: has the chunk 'VP': want O, B-XP or I-XP"),
        (["He PRP B-NP", "left VBD B-"], "line 2: has the chunk 'B-'"),
        (["#columns: pos word", " NN x"], "line 1: names no column iob_inner"),
        (["#columns: a", ""], "line 1: names no column word and no pos and no iob_inner"),
        (["#columns: iob_inner pos word", " O NN"], "line 2: has 2 columns: want those of"),
        (
            ["#arguments: IOB tag: Begin", " O NN x"],
            "line 2: has 3 columns: want those of the line",
        ),
        (["#arguments: IOB tag: End, x"], "line 1: has chunks of the kind End"),
        (["#columns: iob_inner pos word", " X NN x"], "line 2: has the chunk 'X'"),
        (
            ["#columns: iob_inner pos word iob_chain", " O NN x B-S/NP"],
            "line 2: has the chain 'B-S/NP': want elements as B-S/I-NP",
        ),
        (["1\tx" + "\t_" * 8, "3\ty" + "\t_" * 8], "line 2: has the word number '3': want 2"),
        (["1\tx" + "\t_" * 8, "2\ty" + "\t_" * 7], "line 2: has 9 columns: want ten"),
        (["1\tx" + "\t_" * 8, "2\t" + "\t_" * 8], "line 2: has 10 columns and no word"),
        (
            ["1\tx" + "\t_" * 8, "1-2\tx" + "\t_" * 8],
            "line 2: has the multiword token 1-2: want it before its words, the next of which is 2",
        ),
        (["2-3\tx" + "\t_" * 8], "line 1: has the multiword token 2-3: want it before its words"),
        (
            ["1-2\txy" + "\t_" * 8, "1\tx" + "\t_" * 8],
            "line 1: has a multiword token as far as word 2, but the sentence ends with word 1",
        ),
        (["1-2\txy" + "\t_" * 8], "line 1: has a multiword token as far as word 2"),
        (
            ["1-3\txyz" + "\t_" * 8, "1\tx" + "\t_" * 8, "2-3\tyz" + "\t_" * 8],
            "line 3: has the multiword token 2-3: want it before its words",
        ),
    ],
)
def test_what_is_wrong_is_told_with_the_line(lines, told):
    with pytest.raises(FormatError, match=f"^a.txt:? {told}"):
        read(lines)


def test_heads_of_words_are_not_read_so_none_is_refused():
    assert read(["1\tx\t_\t_\t_\t_\t9\t_\t_\t_"])[0].forms == ("x",)


def test_sentences_come_one_at_a_time():
    lines = (("", "x NN B-NP")[n % 2] for n in count())
    found = read_columns(lines, path="endless")
    assert [next(found).forms for _ in range(3)] == [("x",)] * 3


def test_what_the_script_printed_is_what_the_conversion_gives():
    pairs = data("chunklink", "pairs.jsonl")
    names = ("word_id", "iob", "pos", "word", "function", "heads", "head_ids", "chain")
    for line in pairs.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        rows = ["#columns: word_id iob_inner pos word function heads head_ids iob_chain"]
        rows += [" " + "   ".join(row[name] for name in names) for row in pair["rows"]]
        (found,) = read(rows)
        assert found.tokens == annotate(parse_tree(pair["tree"]), aux=False)


form = st.text(st.characters(exclude_characters=" \t\r\n", exclude_categories=["Cs"]), min_size=1)
kind = st.sampled_from(["NP", "VP"])


@given(st.lists(st.lists(st.tuples(form, st.one_of(st.none(), kind)), min_size=1), min_size=1))
def test_what_is_written_in_columns_reads_back(given_words):
    sentences, lines = [], []
    for row in given_words:
        made, last = [], None
        for place, (word, chunk) in enumerate(row):
            iob = "O" if chunk is None else f"{'I' if chunk == last else 'B'}-{chunk}"
            made.append(Token(word, "NN", iob, chunk_trace(place, iob)))
            last = chunk
        sentences.append(Sentence(made))
        lines += [*(f"{word.form} NN {word.iob}" for word in made), ""]
    assert read(lines, kind="conll2000") == sentences
