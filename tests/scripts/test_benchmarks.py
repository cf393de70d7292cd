"""What the benchmarks measure with: it has to count right, and to fail where something is wrong."""

import json
from pathlib import Path

import cost
import environments
import harness
import paragraphs_paper
import pytest
import results
import soak

import kernels

BENCH = Path(__file__).parents[2] / "scripts" / "bench"


def usage(cpu, value=None):
    return harness.Usage(cpu, cpu, 0.0, 0.0, value)


def test_sides_run_in_turn_and_another_one_first_each_round():
    order = []

    def side(name):
        return lambda: order.append(name) or usage(1.0)

    found = harness.turns({name: side(name) for name in "ab"}, 3)
    assert "".join(order) == "abbaab"
    assert [len(rounds) for rounds in found.values()] == [3, 3]


def test_seconds_are_those_of_the_least_run(monkeypatch):
    clock, runs = iter([0.0, 5.0, 5.0, 7.0, 7.0, 10.0]), []
    monkeypatch.setattr(harness.time, "process_time", lambda: next(clock))
    assert harness.seconds(lambda: runs.append(1)) == 2.0
    assert len(runs) == 3


def test_a_ratio_is_the_median_of_the_rounds():
    theirs, ours = ([usage(cpu) for cpu in side] for side in ((2, 30, 5), (1, 3, 2)))
    assert harness.ratio(theirs, ours) == 2.5


def test_growth_is_the_power_of_the_size():
    sizes = [10, 100, 1000]
    assert harness.exponent(sizes, [3 * n**1.5 for n in sizes]) == pytest.approx(1.5)
    assert harness.exponent([10, 10], [1, 2]) == 0.0


def test_answers_that_differ_end_the_run():
    assert harness.agree({"a": [1, 2.0], "b": [1, 2.0]}) == {"b": "same"}
    with pytest.raises(SystemExit, match="a and b differ"):
        harness.agree({"a": [1, 2.0], "b": [1, 2.5]}, within=0.1)
    with pytest.raises(SystemExit, match="a and b differ"):
        harness.agree({"a": [1], "b": [1, 2]})


def test_a_party_calls_functions_in_a_process_of_its_own(tmp_path):
    module = tmp_path / "calls.py"
    module.write_text(
        "import os\nheld = []\n"
        "def hold(x):\n    held.append(x)\n    print('to nobody')\n    return [os.getpid(), held]\n"
        "def fail():\n    raise ValueError('no')\n"
    )
    with harness.Party(module) as party:
        first, second = party.call("hold", "a"), party.call("hold", "b")
        assert first.value[0] == second.value[0] != 0
        assert second.value[1] == ["a", "b"]
        assert second.cpu >= 0
        assert second.peak > 1
        with pytest.raises(SystemExit, match="fail: ValueError: no"):
            party.call("fail")


def test_larger_sizes_are_left_out_for_a_rival_that_is_slow():
    rivals = [
        harness.Rival("ours", lambda n: usage(n / 1000)),
        harness.Rival("slow", lambda n: usage(n / 10), limit=5.0),
    ]
    table, seconds = harness.grown("n", [10, 100, 1000], rivals, rounds=2)
    assert seconds == {"ours": [0.01, 0.1, 1.0], "slow": [1.0, 10.0]}
    assert table.rows[1][:5] == ["slow", "1.00", "10.00", "-", "100"]
    assert table.rows[1][-2] == "n^1.00"


def test_what_was_not_renewed_stays(tmp_path):
    page = tmp_path / "RESULTS.md"
    page.write_text("# Old\n\n## jobs\n\nold jobs\n\n## soak\n\nold soak\n", encoding="utf-8")
    (tmp_path / "results").mkdir()
    kept = {"name": "jobs", "text": "new jobs\n\n| `jobs.ms` | 2 |"}
    (tmp_path / "results" / "jobs.json").write_text(json.dumps(kept), encoding="utf-8")
    text = results.composed(["soak", "jobs", "words"], tmp_path, page)
    assert text.index("## soak\n\nold soak") < text.index("## jobs\n\nnew jobs")
    assert "old jobs" not in text
    assert "words" not in text.partition("## soak")[2]
    assert results.figures_of(text) == {"jobs.ms": 2.0}


def test_every_benchmark_is_there_and_every_family_of_peers_is_pinned():
    run = (BENCH / "run.py").read_text(encoding="utf-8")
    names = run.partition("NAMES = (")[2].partition(")")[0].split('"')[1::2]
    assert len(names) > 5
    assert all((BENCH / f"{name}.py").exists() for name in names)
    for family in ("segmentation", "scoring", "sentences", "clusters", "convert"):
        assert all("==" in pin for pin in environments.pins(family))
    with pytest.raises(SystemExit, match=r"has no \[nothing\]"):
        environments.pins("nothing")


def states(parent=0.0, files=0, slower=0.0):
    """Return notes of a run: what grows by document, from the first to the last."""
    found, cpu = [], 0.0
    for k in range(20):
        cpu += 10.0 * (1 + slower * k / 20)
        held = (40 + parent * k / 20, 80.0, 20 + files * k // 20, 7, 800 * 10_000 * k)
        found.append(soak.State(10_000 * (k + 1), 5.0 * k, cpu, *held))
    return found


@pytest.mark.parametrize(
    ("grows", "failed"),
    [
        ({}, []),
        ({"parent": 5.0}, []),
        ({"parent": 30.0}, ["memory of the parent, MB"]),
        ({"files": 20}, ["open files"]),
        ({"slower": 1.5}, ["documents a CPU second, share"]),
    ],
)
def test_a_soak_run_is_flat_or_told(grows, failed):
    judged = soak.judged(states(**grows), processes=2)
    assert [name for name, _, _, good in judged if not good] == failed


@pytest.mark.parametrize(
    ("cases", "size"),
    [
        (kernels.bead_cases, 40),
        (kernels.lattice_cases, 12),
        (kernels.line_cases, 300),
        (kernels.item_cases, 40),
        (kernels.group_cases, 30),
    ],
)
def test_plain_loops_answer_as_kernels_do(cases, size):
    for case in cases(size):
        assert case.cells > 0
        harness.agree({"kernel": case.kernel(), "loop": case.loop()}, within=case.within)


def test_costs_follow_from_figures():
    figures = {"corpus.pairs": 300, "jobs.directing_ms": 0.2}
    for command in cost.COMMANDS:
        figures |= {f"corpus.{command}_ms": 9.0, f"corpus.{command}_peak_mb": 100.0}
        figures |= {f"corpus.{command}_{key}_bytes": 600.0 for key in ("journal", "output")}
    found = cost.costs(figures, pairs=1e9, machines=100, cores=16)["align"]
    documents = 1e9 / 300
    assert found.cpu_hours == pytest.approx(documents * 9.0 / 3.6e6)
    assert found.hours == pytest.approx(found.cpu_hours / 1600)
    assert found.memory_gb == pytest.approx(17 * 0.1 + 8 * documents / 100 / 1e9)
    assert found.journal_gb == found.output_gb == pytest.approx(documents * 600 / 1e9)
    assert found.workers == pytest.approx(45)
    figures |= {"corpus.text_bytes": 1.0, "corpus.links_bytes": 1.0}
    assert "| align | 9.0 | 8 |" in cost.table_of(figures, pairs=1e9, machines=100, cores=16)


def test_published_figures_of_paragraphs_are_those_of_whole_numbers():
    rows = paragraphs_paper.published()
    assert {row.sentences for row in rows.values()} == {41, 248, 54, 58}
    known = [row for row in rows.values() if None not in row.figures.values()]
    assert known
    for row in known:
        assert len(paragraphs_paper.counts_of(*row)) == 1
    assert paragraphs_paper.counts_of(*rows["ENG", "SMM"]) == [(7, 9, 15)]
    low, high = paragraphs_paper.wilson(31, 41)
    assert (round(low, 3), round(high, 3)) == (0.607, 0.862)
