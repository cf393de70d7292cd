"""A bounded run of every target, always of the same inputs; `scripts/fuzz` runs for longer."""

import re
import subprocess
import sys

import pytest

from bitext.errors import FormatError, InputError
from fuzz import growth, longer, loop
from fuzz.arguments import COMMANDS
from fuzz.catalogue import all_targets
from fuzz.target import Target
from fuzz.verdict import judged

SLOW = {
    "running-text": 40,
    "packed-running-text": 30,
    "models": 15,
    "readable-models": 9,
    "packed": 40,
    "command-study-errors": 0,
}


@pytest.mark.parametrize("name", all_targets())
def test_targets(name):
    many = SLOW.get(name, 6 if name.startswith("command-") else 70)
    found = loop.bounded(all_targets()[name], many)
    told = "\n".join(f"{content[:2000]!r}\n{finding.told}" for finding, content in found)
    assert not found, told


def test_every_command_is_a_target():
    from bitext.cli.main import COMMANDS as ALL

    assert {name.split()[0] for name in COMMANDS} == set(ALL)


# That the judge can tell.


def _raises(error):
    def run(_content):
        raise error

    return run


@pytest.mark.parametrize(
    ("run", "sign"),
    [
        (_raises(KeyError("x")), "KeyError"),
        (_raises(RecursionError()), "RecursionError"),
        (_raises(MemoryError()), "MemoryError"),
        (_raises(InputError("two\nlines")), "Wrong an error has several lines"),
        (_raises(FormatError("x" * 2000, path="a")), "Wrong an error is"),
        (_raises(FormatError("x", path="a", line=0)), "Wrong an error names line"),
        (lambda _content: open(__file__, "rb") and None, "unraisable"),  # noqa: PTH123, SIM115
        (lambda _content: _kept.append(open(__file__, "rb")), "files left open"),  # noqa: PTH123, SIM115
    ],
)  # fmt: skip
def test_the_judge_finds(run, sign):
    assert judged(run, b"").sign.startswith(sign)
    while _kept:
        _kept.pop().close()


_kept = []


def test_errors_of_ours_and_good_inputs_are_well():
    assert judged(_raises(FormatError("is no good; take another", path="a", line=1)), b"") is None
    assert judged(bytes.decode, b"a") is None


def test_what_was_found_is_made_smaller():
    def run(content):
        if b"!" in content:
            raise KeyError(content)

    target = Target("made", run, lambda: [b"a" * 100 + b"!" + b"b" * 100], "bytes")
    ((finding, content),) = loop.bounded(target, 0)
    assert loop.smaller(run, content, finding.sign) == b"!"


def test_the_script_lists_targets_and_runs_one(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["scripts/fuzz"])
    assert longer.main() == 0
    assert capsys.readouterr().out == "".join(f"{name}\n" for name in all_targets())
    command = [sys.executable, longer.__file__, "word-links", "--seconds", "0.01"]
    command += ["--engine", "random", "--found", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    told = r"word-links: [1-9]\d* inputs\nword-links: 0 found in \d+ s\n"
    assert re.fullmatch(told, done.stdout)
    assert list(tmp_path.iterdir()) == []


def test_growth_is_told():
    def seconds(_run, content):
        return (len(content) / 2**18) ** power

    target = Target("made", len, lambda: [b"a\nb\n" * 20])
    for power in (1, 2):
        times, _ = next(growth.steps(target, 1, seed=0, clock=seconds))
        assert (times is not None) == (power == 2)
