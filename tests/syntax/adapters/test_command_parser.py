import shlex
import sys

import pytest

from bitext.errors import InputError, OptionError
from bitext.model import Sentence
from bitext.syntax.adapters import CommandParser

FLAT = """
import sys
for line in sys.stdin:
    print("(S " + " ".join(f"(NN {word})" for word in line.split()) + ")")
"""
SENTENCES = [
    Sentence(["It", "left", "."], id="a", source="wire", text="It left."),
    Sentence(["New York", "(", ":-)", ")", "naïve"]),
    Sentence(["Milan"], id="c"),
]


@pytest.fixture
def program(tmp_path):
    """Return a function that writes a program and gives the command that runs it."""

    def write(code):
        path = tmp_path / "the program.py"
        path.write_text(code, encoding="utf-8")
        return shlex.join([sys.executable, "-S", "-X", "utf8", str(path)])

    return write


def parsed(command, sentences=SENTENCES, **options):
    return list(CommandParser(command=command, **options).parse(sentences))


def test_a_program_parses(program):
    found = parsed(program(FLAT))
    assert [sentence.forms for sentence in found] == [s.forms for s in SENTENCES]
    assert [sentence.tree.words for sentence in found] == [s.forms for s in SENTENCES]
    assert [(s.id, s.text, s.source) for s in found] == [
        (s.id, s.text, s.source) for s in SENTENCES
    ]
    assert all(sentence.analysed for sentence in found)
    assert found[0].tokens[1].pos == "NN"


def test_the_program_gets_one_escaped_sentence_a_line(program, tmp_path):
    seen = tmp_path / "seen"
    code = f"import sys; t = sys.stdin.read(); open({str(seen)!r}, 'w').write(t)\n"
    code += FLAT.replace("sys.stdin", "t.splitlines()")
    parsed(program(code))
    assert seen.read_text(encoding="utf-8") == (
        "It left .\nNew_York -LRB- :--RRB- -RRB- naïve\nMilan\n"
    )


def test_the_command_may_be_a_list_and_no_shell_is_run(program, tmp_path):
    command = [*shlex.split(program(FLAT)), ";", "touch", str(tmp_path / "made")]
    assert len(parsed(command)) == 3
    assert len(parsed(shlex.join(command))) == 3
    assert not (tmp_path / "made").exists()


def test_much_in_and_out_does_not_block(program):
    code = "import sys; print('x' * 300_000, file=sys.stderr)\n" + FLAT
    many = [Sentence(["word"] * 20)] * 1000  # 100,000 characters: more than a pipe holds
    assert len(parsed(program(code), many)) == 1000


def test_a_very_long_sentence(program):
    found = parsed(program(FLAT), [Sentence(["word"] * 10_000)])
    assert len(found[0]) == 10_000


def test_blank_lines_at_the_end_are_nothing(program):
    assert len(parsed(program(FLAT + "print(); print()"))) == 3


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("", "0 lines for 3 sentences, none for sentence 1 (a): want one Penn tree a line"),
        (FLAT + "    break", "1 lines for 3 sentences, none for sentence 2: want one"),
        (FLAT + "print('(S (NN x))')", "4 lines for 3 sentences, line 4 is '(S (NN x))': want"),
        (FLAT + "    print()", "sentence 2: an empty line for an answer: want one Penn tree"),
        (FLAT.replace("sys.stdin", "reversed(list(sys.stdin))"), "sentence 1 (a): word 1 is 'It'"),
        (FLAT.replace("split()", "split()[:2]"), "3 words in the sentence and 2 in the tree: word"),
        (FLAT.replace("+ ')'", "").replace('+ ")"', ""), "is not one Penn tree"),
        ("print('sorry\\n' * 3)", "sentence 1 (a): the answer 'sorry' is not one Penn tree"),
        (
            "raise SystemExit('no model\\nat all')",
            "exit status 1 at sentence 1 (a) of 3: no model a",
        ),
        (FLAT + "sys.exit(3)", "exit status 3 at the end, nothing on its standard error: run it"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "exit status -9 at sentence 1"),
        (
            "import sys; print('no memory', file=sys.stderr)",
            "none for sentence 1 (a): want one Pen",
        ),
    ],
)
def test_what_goes_wrong_is_told_with_the_command_and_the_sentence(program, code, told):
    with pytest.raises(InputError) as error:
        parsed(program(code))
    assert told in str(error.value)
    assert str(error.value).startswith("parser command ")
    assert "the program.py" in str(error.value)
    assert "\n" not in str(error.value)


def test_what_a_program_said_is_told_with_a_wrong_count(program):
    with pytest.raises(InputError, match=r"and one for every sentence; it said: no memory$"):
        parsed(program("import sys; print('no memory', file=sys.stderr)"))


def test_a_program_that_does_not_read_is_no_crash(program):
    many = [Sentence(["word"] * 20)] * 5000
    with pytest.raises(InputError, match="0 lines for 5000 sentences"):
        parsed(program("import sys; sys.stdin.close()"), many)


@pytest.mark.parametrize("child", [False, True])
def test_no_end_within_the_time(program, child, tmp_path):
    slept = tmp_path / "slept"
    linger = f"import time; time.sleep(300); open({str(slept)!r}, 'w')"
    code = "import subprocess, sys; print('(S (NN It) (NN left) (NN .))', flush=True)\n"
    code += f"subprocess.run([sys.executable, '-c', {linger!r}])" if child else linger
    with pytest.raises(
        InputError, match=r"no end within 0\.4 seconds, at sentence 2 of 3: give it"
    ):
        parsed(program(code), timeout=0.4)
    assert not slept.exists()  # nobody waited for it


@pytest.mark.parametrize("command", ["/no/such/program --x", "no-such-program-at-all", "/", "x\0y"])
def test_a_program_that_cannot_be_run(command):
    with pytest.raises(InputError, match=r"cannot be run: .*: want a program that is on the path"):
        parsed(command)


@pytest.mark.parametrize("command", ["", "  ", [], [""], ["cat", 3]])
def test_an_empty_command_is_refused(command):
    with pytest.raises(OptionError, match=r"command is .*: want a program and its arguments"):
        CommandParser(command=command)


def test_a_command_that_cannot_be_split_is_refused():
    with pytest.raises(OptionError, match="cannot be split into words \\(No closing quotation\\)"):
        CommandParser(command="cat 'x")


def test_no_sentences_run_no_program():
    assert parsed("/no/such/program", []) == []
