"""A run over a real Dask scheduler and two workers, of which one is killed."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bitext.cli import align, score
from bitext.errors import InputError, MissingExtraError, OptionError, by_options
from bitext.jobs import run
from bitext.jobs.running import engine_executor
from reference.job_tasks import AtHand, Tries, documents

TESTS = Path(__file__).resolve().parents[1]
HAS_DASK = importlib.util.find_spec("distributed") is not None
needs_dask = pytest.mark.skipif(not HAS_DASK, reason="distributed is not installed")


# To import distributed takes most of the time of a process: one imports, and the others are forked.
_FORKS = """
import json, os, sys
import bitext.jobs.align_task, bitext.scoring.by_jobs
from distributed.cli import dask_scheduler, dask_worker
began = {}
for kind, *arguments in json.loads(sys.argv[1]):
    if not (pid := os.fork()):
        (dask_scheduler if kind == "scheduler" else dask_worker).main(arguments)
    print(pid, flush=True)
    began[pid] = kind
while began:
    pid, status = os.wait()
    del began[pid]
    print(pid, os.waitstatus_to_exitcode(status), flush=True)
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The address of a scheduler, the ids of its two workers, and lines with their statuses."""
    folder = tmp_path_factory.mktemp("dask")
    place = folder / "scheduler.json"
    common = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(place)]
    scheduler = ["scheduler", *common, "--port", "0"]
    worker = ["worker", *common, "--no-nanny", "--nthreads", "1", "--local-directory", str(folder)]
    processes = subprocess.Popen(
        [sys.executable, "-c", _FORKS, json.dumps([scheduler, worker, worker])],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    pids = [int(processes.stdout.readline()) for _ in range(3)]

    from distributed import Client

    end, written = time.monotonic() + 120, ""
    while not written.rstrip().endswith("}") and time.monotonic() < end:  # whole
        time.sleep(0.05)
        written = place.read_text(encoding="utf-8") if place.exists() else ""
    address = json.loads(written)["address"]
    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=120)
    yield address, pids[1:], processes.stdout
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    with processes:
        processes.stdout.read()


@needs_dask
def test_a_command_over_a_cluster_gives_the_same(cluster, tmp_path, monkeypatch):
    monkeypatch.chdir(TESTS.parent)
    for folder in ("gold", "hyp"):
        (tmp_path / folder).mkdir()
        for k in range(4):
            beads = [f"[{n}]:[{n + k}]\n" for n in range(20) if folder == "gold" or n % 3]
            (tmp_path / folder / f"t{k}.txt").write_text("".join(beads), encoding="utf-8")
    plain = [*map(str, (tmp_path / "gold", tmp_path / "hyp")), "--from", "vecalign", "--json"]
    assert score.run([*plain, "-o", str(tmp_path / "plain")]) == 0
    engine = ["--engine", "dask", "--scheduler", cluster[0], "-o", str(tmp_path / "dask")]
    assert score.run([*plain, *engine]) == 0
    assert (tmp_path / "dask").read_bytes() == (tmp_path / "plain").read_bytes()


@needs_dask
def test_texts_are_aligned_over_a_cluster_as_here(cluster, tmp_path, monkeypatch):
    rows = ["text\tsrc\ttgt\n"]
    for k in range(4):
        lines = [
            f"{a} {n + k} {b}.\n" for n, (a, b) in enumerate(zip("abcdef", "uvwxyz", strict=True))
        ]
        (tmp_path / f"{k}.en").write_text("".join(lines), encoding="utf-8")
        (tmp_path / f"{k}.fr").write_text("".join(lines[1:]).upper(), encoding="utf-8")
        rows.append(f"t{k}\t{k}.en\t{k}.fr\n")
    (tmp_path / "m.tsv").write_text("".join(rows), encoding="utf-8")
    plain = [str(tmp_path / "m.tsv"), "--to", "jsonl", "-q"]
    dask = ["--engine", "dask", "--scheduler", cluster[0], "--journal", str(tmp_path / "dask")]
    assert align.run([*plain, "-o", f"{tmp_path}/there/", *dask]) == 0
    monkeypatch.setattr("bitext.jobs.running.Processes", AtHand)
    here = ["--journal", str(tmp_path / "local"), "-o", f"{tmp_path}/here/"]
    assert align.run([*plain, *here]) == 0
    assert (tmp_path / "dask.lexicon").read_bytes() == (tmp_path / "local.lexicon").read_bytes()
    for k in range(4):
        name = f"t{k}.jsonl"
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


@needs_dask
def test_limits_hold_on_a_cluster(cluster):
    with by_options(), engine_executor("dask", cluster[0]) as (executor, width):
        assert width == 2
        items = [1, "sleep 30", "take 900", "remedy src", 2]
        found = run(
            documents(items), Tries(), executor=executor, processes=2, timeout=1, memory=300
        )
    assert [failure.name for failure in found.failures] == ["d1", "d2", "d3"]
    options = ("--time-limit", "--memory-limit", "--src")
    told = zip(options, found.failures, strict=True)
    assert all(option in failure.reason for option, failure in told)
    assert len(found.output) == 2


@needs_dask
def test_workers_of_a_cluster_name_remedies_as_who_began_them(cluster):
    with engine_executor("dask", cluster[0]) as (executor, _):
        for on, told in (("align", "--src"), (None, "src="), ("align", "--src")):
            with by_options(on=on):
                found = run(documents(["remedy src"] * 4), Tries(), executor=executor, batch=1)
            assert [failure.reason for failure in found.failures] == [told] * 4


@needs_dask
def test_a_worker_killed_in_mid_run_loses_nothing(cluster, tmp_path):
    address, workers, ends = cluster
    seen = []

    def watch(result):
        seen.append(result.number)
        if len(seen) == 30:
            os.kill(workers[0], signal.SIGKILL)

    with engine_executor("dask", address) as (executor, width):
        found = run(
            documents(range(120)), Tries(pause=0.01), executor=executor, processes=width,
            batch=2, journal=tmp_path / "j", on_progress=watch,
        )  # fmt: skip
    assert ends.readline() == b"%d %d\n" % (workers[0], -signal.SIGKILL)
    assert [value["square"] for value in found.output] == [k * k for k in range(120)]
    assert sorted(seen) == list(range(120))
    assert run(documents(range(120)), Tries(), journal=tmp_path / "j").kept == 120


@needs_dask
def test_a_scheduler_that_is_not_there_is_told():
    with (
        pytest.raises(InputError, match="no scheduler answers"),
        engine_executor("dask", "tcp://127.0.0.1:9", timeout="0.3s"),
    ):
        pass


def test_odd_engines_are_refused(monkeypatch):
    with pytest.raises(OptionError, match="'ray' is not known"), engine_executor("ray", "x"):
        pass
    with pytest.raises(OptionError, match="wants the address"), engine_executor("dask", None):
        pass
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(MissingExtraError, match=r"pip install 'bitext\[cluster\]'"),
        engine_executor("dask", "tcp://127.0.0.1:9"),
    ):
        pass
