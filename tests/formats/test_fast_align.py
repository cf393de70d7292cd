import pytest

from bitext import Alignment, Bitext, Text
from bitext.errors import FormatError, InputError
from bitext.formats import read as read_file
from bitext.formats.registry import by_suffix, sniff
from formats.samples import kinds, read, read_on, written

NAME = "fast-align"
EMPTY = "lines with an empty side, which fast_align itself refuses"


def test_a_line_is_a_bisegment():
    bt = read(NAME, "a b ||| A  B\n c\t|||\tC \r\n||| D\ne |||\n ||| F\n")
    assert bt.pairs() == [
        (["a b"], ["A  B"]),
        ([" c"], ["C "]),
        ([], ["D"]),
        (["e"], []),
        ([], ["F"]),
    ]
    assert kinds(bt)[EMPTY] == 3


@pytest.mark.parametrize("line", ["a b ||| 0-0 1-1\nc |||\n", "0-0 1-1 ||| a b\n||| c\n"])
def test_word_links_are_no_translation(line):
    with pytest.raises(FormatError, match=r"made line 1: has word links \(0-0 1-1\) .*\.pharaoh"):
        read(NAME, line)


def test_scores_of_games_among_texts_are_texts():
    bt = read(NAME, "It ended ||| Es endete\n2-1 3-0 ||| 2-1 3-0\n")
    assert bt.pairs()[1] == (["2-1 3-0"], ["2-1 3-0"])


@pytest.mark.parametrize("begin", ["[[Tree:pine]]", "[ [ a ]", "[1] ", '{ "a"', "["])
def test_lines_that_begin_with_brackets_are_no_json(begin):
    found = sniff(f"{begin} b ||| {begin} c\n[x] ||| y\n".encode(), "made")
    assert getattr(found, "name", "") == NAME


def test_lines_that_are_no_pair_are_refused_or_noted():
    for content, message in (
        ("a b\n", "made line 1: has .* 0 times; want it once, with blanks around it"),
        ("a ||| b ||| c\n", "made line 1: has .* 2 times"),
        ("a|||b\n", "made line 1: has .* 0 times"),
    ):
        with pytest.raises(FormatError, match=message):
            read(NAME, content)
    assert len(read(NAME, "a ||| A\n\n|||\n").alignment) == 1
    bt, bad = read_on(NAME, "a ||| A\nhm\nb ||| B\n")
    assert (bt.pairs(), bad) == ([(["a"], ["A"]), (["b"], ["B"])], [2])


def test_it_is_told_by_its_bars():
    for content in (b"a b ||| A B\n\nc ||| C\n", b"a |||\n", b"||| a\n"):
        assert sniff(content, "a.txt").name == NAME
    for content in (b"a ||| b ||| 0.5\n", b"0-0 1-1 ||| -3.2\n", b"a|||b\n"):
        found = sniff(content, "a.txt")
        assert found is None or found.name != NAME
    assert by_suffix("corpus.en-fr.src-tgt").name == NAME


def test_sides_come_back():
    text = Text(["a  b", "c\u00a0d", "e"]), Text(["A\tB", "C", "E"])
    bt = Bitext(*text, Alignment([((0,), (0,)), ((1, 2), (1,)), ((), (2,))]))
    content = written(NAME, bt)
    assert content.decode() == "a  b ||| A B\nc\u00a0d e ||| C\n ||| E\n"
    assert written(NAME, read(NAME, content.decode())) == content


def test_a_word_that_is_the_bars_cannot_be_written():
    bt = Bitext(Text(["a ||| b"]), Text(["A"]), Alignment([((0,), (0,))]))
    with pytest.raises(InputError, match=r"bisegment 0 has the word .* which separates the sides"):
        written(NAME, bt)


def test_one_such_file_gives_both_texts_of_word_links(tmp_path):
    (tmp_path / "l.pharaoh").write_text("0-0 1-1\n\n0-1\n")
    (tmp_path / "t.src-tgt").write_text("a b ||| A B\n\nc ||| C D\n")
    (tmp_path / "other").write_text("a b\n\nc\n")
    for texts in (
        {"src": tmp_path / "t.src-tgt"},
        {"src": tmp_path / "t.src-tgt", "tgt": tmp_path / "t.src-tgt"},
    ):
        bt = read_file(tmp_path / "l.pharaoh", **texts)
        assert bt.words() == ([["a", "b"], [], ["c"]], [["A", "B"], [], ["C", "D"]])
    for texts in (
        {"src": tmp_path / "t.src-tgt", "tgt": tmp_path / "other"},
        {"src": tmp_path / "other", "tgt": tmp_path / "t.src-tgt"},
        {"tgt": tmp_path / "t.src-tgt"},
    ):
        with pytest.raises(InputError, match=r"holds both texts .* name it alone, as the source"):
            read_file(tmp_path / "l.pharaoh", **texts)
