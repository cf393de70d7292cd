"""Runs of tasks: order, failures, limits, journals, and kills that really kill."""

from __future__ import annotations

import os
import pickle
import random
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from threading import Thread

import pytest

from bitext.errors import ClashError, InputError, JobError, OptionError, by_options
from bitext.jobs import Document, Processes, Shard, run
from bitext.jobs.task import WorkerLost, write_frame
from reference.job_tasks import Here, InStep, Lacks, Seven, Tries, documents

TESTS = Path(__file__).resolve().parents[1]


def squares(count):
    return [{"square": k * k, "sign": "é\u2028\udc80"} for k in range(count)]


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("batch", [1, 7, None])
def test_results_are_in_order_whatever_the_batches(processes, batch):
    found = run(documents(range(40)), Tries(), processes=processes, batch=batch)
    assert (found.output, found.done, found.failures) == (squares(40), 40, [])


def test_what_a_worker_lacks_is_an_error_of_the_user():
    with pytest.raises(InputError, match=r"pip install 'bitext\[more\]'"):
        run(documents(range(3)), Lacks(), processes=1)


def test_documents_are_taken_as_they_are_wanted():
    taken = []

    def watched():
        for document in documents(range(100_000)):
            taken.append(document.number)
            yield document

    with pytest.raises(InputError, match="enough after 7"):
        run(watched(), Seven(), executor=Here())
    assert len(taken) < 1000


def test_what_fails_is_told_and_stops_nothing(tmp_path):
    items = [1, "fail x", "bug y", "die", f"die_once {tmp_path / 'lived'}", "print noise", 2]
    found = run(documents(items), Tries(), processes=2)
    assert found.output == [squares(2)[1], "lived", "noise", {"square": 4, "sign": "é\u2028\udc80"}]
    reasons = {failure.name: failure.reason for failure in found.failures}
    assert list(reasons) == ["d1", "d2", "d3"]
    assert reasons["d1"] == "x: is no good; give another"
    assert reasons["d2"].startswith("KeyError: 'y' (")
    assert reasons["d3"].startswith("given up: tried twice, its worker was ended by SIGKILL")


@pytest.mark.parametrize("batch", [1, 5, 20])
def test_documents_in_lockstep_have_the_values_and_failures_of_each_alone(tmp_path, batch):
    read = tmp_path / "read"
    read.write_text("here", encoding="utf-8")
    items = [1, "fail x", 2, "bug y", f"read {read}", 3, "print noise", "answer fail z", 4]
    alone = run(documents(items), Tries(), executor=Here())
    alone = [value for value in alone.output if value != "noise"]
    found = run(documents(items), InStep(), batch=batch)
    assert [value for value in found.output if value != "noise"] == alone
    assert [failure.name for failure in found.failures] == ["d1", "d3", "d7"]
    assert found.failures[2].reason == "z: is no good; give another"


@pytest.mark.parametrize(
    ("sizes", "options", "wanted"),
    [
        ([1] * 20, {"processes": 2}, [8, 8, 4]),
        ([300_000] * 3, {"processes": 2}, [1, 1, 1]),
        ([100_000, 1, 200_000, 1, 1], {"processes": 2}, [3, 2]),
        ([1] * 40, {}, [16, 16, 8]),
        ([300_000] * 3, {}, [2, 1]),
        ([200_000, 1, 400_000, 1, 1], {}, [3, 2]),
        ([300_000] * 3, {"batch": 2}, [2, 1]),
        ([1] * 2, {"timeout": 100.0}, [1, 1]),
    ],
)
def test_batches_in_lockstep_are_as_large_from_the_first(tmp_path, sizes, options, wanted):
    made = []
    for number, size in enumerate(sizes):
        path = tmp_path / f"{number}.txt"
        path.write_bytes(bytes(size))
        made.append(Document(number, path.name, number, (str(path),)))
    batches = []

    class Counted(Here):
        def submit(self, fn, /, *args, **kwargs):
            batches.append(len(args[1]))
            return super().submit(fn, *args, **kwargs)

    assert run(made, InStep(), executor=Counted(), **options).output == squares(len(sizes))
    assert batches == wanted


@pytest.mark.parametrize("order", ["die", "answer die"])
def test_of_documents_in_lockstep_only_the_one_that_kills_is_given_up(order):
    found = run(documents([1, 2, order, 3]), InStep(), batch=4)
    assert [value["square"] for value in found.output] == [1, 4, 9]
    (failure,) = found.failures
    assert failure.reason.startswith("given up: tried twice, its worker was ended by SIGKILL")


def test_what_a_document_in_lockstep_reads_is_noted_and_outputs_are_not_read(tmp_path):
    journal, read = tmp_path / "journal", tmp_path / "read"
    read.write_text("here", encoding="utf-8")
    run(documents([1, f"read {read}", 2]), InStep(), batch=3, journal=journal)
    assert f'"read": {{"{read}": [4, '.encode() in journal.read_bytes()
    with pytest.raises(ClashError):
        run(documents([1, f"look {read}", 2]), InStep(output=str(read)), batch=3)


def test_too_many_failures_end_the_run():
    items = [1, "fail a", "fail b", "fail c", 2]
    assert len(run(documents(items), Tries(), max_failures=3).failures) == 3
    with pytest.raises(
        JobError, match=r"1 document failed, more than max_failures=0: d1: a"
    ) as told:
        run(documents(items), Tries(), max_failures=0)
    assert [failure.name for failure in told.value.failures] == ["d1"]


def test_of_failures_that_come_at_once_the_first_is_told():
    items = [f"fail {k}" for k in range(16)]
    with pytest.raises(JobError, match=r"1 document failed.*: d0: 0"):
        run(documents(items), Tries(), executor=Here(), processes=8, batch=1, max_failures=0)


def test_what_takes_too_long_or_too_much_is_given_up(tmp_path):
    items = [1, f"linger {tmp_path / 'slept'}", "spin 30000000", "take 800", "take 20", 2]
    found = run(documents(items), Tries(), processes=2, timeout=0.4, memory=200)
    assert not (tmp_path / "slept").exists()  # nobody waited for it
    assert [failure.name for failure in found.failures] == ["d1", "d2", "d3"]
    assert all("took longer than the 0.4 s" in each.reason for each in found.failures[:2])
    assert "wants more memory than the 200 MB" in found.failures[2].reason
    assert len(found.output) == 3


def _here():
    return nullcontext(None)


def _spawned():
    from multiprocessing import get_context

    return ProcessPoolExecutor(2, mp_context=get_context("spawn"))


@pytest.mark.parametrize("limits", [{}, {"timeout": 0.4, "memory": 200}])
@pytest.mark.parametrize("executor", [_here, lambda: ThreadPoolExecutor(2), _spawned])
def test_workers_name_remedies_as_who_began_them(executor, limits):
    items = ["remedy src", *(["sleep 300", "take 800"] if limits else [])]
    python = ["src=", "raise timeout=", "raise memory=,"]
    command = ["--src", "raise --time-limit", "raise --memory-limit,"]
    runs = [("align", command), (None, python)]
    with executor() as workers:
        # Workers that stay are to name them as before; those of one run end with it.
        for on, told in runs + runs[:1] * (workers is not None):
            with by_options(on=on):
                found = run(documents(items), Tries(), executor=workers, processes=2, **limits)
            assert len(found.failures) == len(items)
            for failure, name in zip(found.failures, told, strict=False):
                assert name in failure.reason


@pytest.mark.parametrize("options", [{"timeout": 0.0}, {"memory": 0}, {"batch": 0}])
def test_odd_options_are_refused(options):
    with pytest.raises(OptionError, match="want"):
        run([], Tries(), **options)
    with pytest.raises(OptionError, match="want at least 1"):
        Processes(0)
    with pytest.raises(OptionError, match="want I/N"):
        Shard(3, 2)


def test_workers_that_start_ahead_import_modules_and_take_the_calls():
    imported = "'colorsys' in __import__('sys').modules"
    with Processes(2) as processes:
        processes.start(5, ["colorsys"])
        found = [processes.submit(eval, imported) for _ in range(4)]
        assert [one.result(timeout=60) for one in found] == [True] * 4
        assert 1 <= len(processes.pids) <= 2


@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux")
def test_workers_that_cannot_be_forked_start_when_there_is_work(monkeypatch):
    def full():
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("os.fork", full)
    opened = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - counted
    with Processes(2) as processes:
        processes.fork(2)
        assert not processes.pids
        assert len(os.listdir("/proc/self/fd")) == opened  # noqa: PTH208
        assert processes.submit(abs, -1).result(timeout=60) == 1


def test_a_worker_that_cannot_import_ahead_takes_the_calls():
    with Processes(1) as processes:
        processes.start(1, ["no_such_module"])
        assert processes.submit(abs, -1).result(timeout=60) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux")
def test_forked_workers_take_calls_have_what_was_imported_and_end():
    script = """
        import atexit, os, signal, sys, threading, time
        from bitext.jobs.task import Processes, may_fork
        import colorsys
        atexit.register(print, "the end")
        signal.signal(signal.SIGHUP, lambda *_: print("heard"))
        assert may_fork()
        with Processes(3) as processes:
            processes.fork(9)
            pids = processes.pids
            assert len(pids) == 3
            held = threading.Thread(target=time.sleep, args=(0.1,))
            held.start()
            assert not may_fork()
            held.join()
            imported = "'colorsys' in __import__('sys').modules"
            assert processes.submit(eval, imported).result(timeout=60)
            assert processes.submit(os.getpid).result(timeout=60) in pids
            assert processes.submit(os.getppid).result(timeout=60) == os.getpid()
            assert processes.submit(os.getpgrp).result(timeout=60) in pids
            hup = "__import__('signal').getsignal(1) == 0"
            assert processes.submit(eval, hup).result(timeout=60)
            # One that dies is replaced by a fresh interpreter.
            from bitext.jobs.task import WorkerLost
            try:
                processes.submit(os._exit, 3).result(timeout=60)
            except WorkerLost as error:
                print(error)
            assert processes.submit(abs, -1).result(timeout=60) == 1
        print("left", processes.pids)
        for pid in pids:
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                continue
            print("alive", pid)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout == "its worker ended with status 3\nleft []\nthe end\n"


@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux")
@pytest.mark.parametrize("closed", [[0], [1], [0, 1], [0, 1, 2]])
def test_workers_are_forked_by_a_process_without_standard_streams(closed):
    script = f"""
        import os
        from bitext.jobs.task import Processes
        out = os.dup(1)
        for number in {closed}:
            os.close(number)
        with Processes(3) as processes:
            processes.fork(3)
            pids = processes.pids
            found = [processes.submit(os.getpid) for _ in range(9)]
            assert {{one.result(timeout=60) for one in found}} <= set(pids)
        os.write(out, b"done")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.stdout, done.stderr) == ("done", "")


@pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX systems")
def test_a_worker_ends_in_order_where_the_signal_finds_code_whose_errors_are_ignored(
    tmp_path, capfd
):
    class_body = "{'__del__': lambda one: __import__('signal').raise_signal(15)}"
    steps = (
        f"try:\n    last = type('Last', (), {class_body})()\n    del last\n"
        "    __import__('time').sleep(30)\n"
        f"finally:\n    open({str(tmp_path / 'tidied')!r}, 'w').close()\n"
    )
    with Processes(1) as processes, pytest.raises(WorkerLost, match="status 1"):
        processes.submit(exec, steps).result(timeout=60)
    assert (tmp_path / "tidied").exists()
    assert capfd.readouterr().err == ""


def test_any_executor_will_do():
    with ThreadPoolExecutor(2) as executor:
        assert run(documents(range(9)), Tries(), executor=executor).output == squares(9)
        limited = run(documents([1, "sleep 300"]), Tries(), executor=executor, timeout=0.5)
        assert [failure.name for failure in limited.failures] == ["d1"]


def test_an_executor_that_breaks_down_says_so(tmp_path):
    from multiprocessing import get_context

    items = [*range(5), "die"]
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor,
        pytest.raises(JobError, match=r"broke down.*the same command goes on"),
    ):
        run(documents(items), Tries(), executor=executor, batch=1, journal=tmp_path / "j")
    found = run(documents([*range(5), 5]), Tries(), journal=tmp_path / "j")
    assert (found.output, found.kept > 0) == (squares(6), True)


def test_a_worker_killed_elsewhere_is_tried_again():
    class KilledWorker(Exception):  # noqa: N818 - its name
        pass

    class Engine(Executor):
        def __init__(self):
            self.calls = 0

        def submit(self, fn, /, *args, **kwargs):
            self.calls += 1
            future = Future()
            if self.calls == 1 or "bad" in args[1]:
                future.set_exception(KilledWorker())
            else:
                future.set_result(fn(*args, **kwargs))
            return future

    found = run(documents([0, 1, 2, "bad", 4]), Tries(), executor=Engine(), batch=3)
    assert [failure.name for failure in found.failures] == ["d3"]
    assert found.output == [*squares(3), {"square": 16, "sign": "é\u2028\udc80"}]


def test_a_task_that_cannot_travel_is_told(monkeypatch):
    class Local(Tries):
        pass

    with pytest.raises(InputError, match="the task Local cannot go to other processes"):
        run(documents([1]), Local())
    monkeypatch.setattr(Tries, "__module__", "__main__")
    with pytest.raises(InputError, match="put it into a module that the script imports"):
        run(documents([1]), Tries())


def test_shards_part_the_documents():
    parts = [
        run(documents(range(10)), Tries(), executor=Here(), shard=Shard(k, 3)).output
        for k in (1, 2, 3)
    ]
    assert [len(part) for part in parts] == [4, 3, 3]
    assert sorted(x["square"] for part in parts for x in part) == [k * k for k in range(10)]


def test_finished_documents_are_not_done_again(tmp_path):
    trace, journal = tmp_path / "trace", tmp_path / "j"
    items = [f"count {trace}", 3, f"count {trace}", f"fail {1}"]
    first = run(documents(items), Tries(), journal=journal)
    again = run(documents(items), Tries(), journal=journal)
    assert first.output == again.output
    assert (trace.read_text(), again.kept, again.done) == ("xx", 3, 1)  # what failed is tried again


def test_a_document_that_changed_is_done_again(tmp_path):
    source = tmp_path / "source"
    source.write_text("a", encoding="utf-8")
    items = [Document(0, "a", 1, (str(source),)), Document(1, "b", 2, ("-",))]
    run(items, Tries(), journal=tmp_path / "j")
    assert run(items, Tries(), journal=tmp_path / "j").kept == 2
    source.write_text("ab", encoding="utf-8")
    found = run(items, Tries(), journal=tmp_path / "j")
    assert (found.kept, found.done) == (1, 1)


@pytest.mark.parametrize("threads", [0, 2])
def test_what_was_opened_besides_is_known_to_the_journal(tmp_path, threads):
    own, other, journal = (tmp_path / name for name in ("own", "other", "j"))
    for path in (own, other):
        path.write_text("old", encoding="utf-8")
    items = [
        Document(0, "own", f"read {own}"),
        Document(1, "other", f"read {other}", (str(other),)),
    ]

    def again(output=""):
        with ThreadPoolExecutor(2) as pool:
            executor = pool if threads else None
            return run(items, Tries(output=output), executor=executor, journal=journal)

    again()
    assert journal.read_bytes().count(b'"read": ') == 1  # what was given is known without
    assert again(str(tmp_path / "out")).kept == 2
    with pytest.raises(ClashError, match="own: is the same file as"):
        again(str(own))
    assert own.read_text(encoding="utf-8") == "old"
    own.write_text("new", encoding="utf-8")
    found = again()
    assert (found.kept, found.done, found.output) == (1, 1, ["new", "old"])
    assert again().kept == 2
    own.unlink()
    assert [failure.name for failure in again().failures] == ["own"]


ITEMS = 240
SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from reference.job_tasks import Tries, documents
from bitext.jobs import run
task = Tries(pause=0.004, output=sys.argv[3], gate=sys.argv[5] if len(sys.argv) > 5 else "")
run(documents(range(int(sys.argv[4]))), task, processes=2, batch=2, journal=sys.argv[2])
"""


def lines(journal):
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def test_twenty_kills_lose_nothing(tmp_path):
    """Kill workers and parents, at random, until the run is through; compare what comes out.

    A gate keeps the run from getting through while this process waits for its turn.
    """
    chance = random.Random(9)
    calm, torn, gate = tmp_path / "calm", tmp_path / "torn", tmp_path / "gate"
    arguments = [sys.executable, "-c", SCRIPT, str(TESTS)]
    run(documents(range(ITEMS)), Tries(output=str(calm)), executor=Here())
    journal, kills = tmp_path / "j2", 0
    last = -1
    while not torn.exists():
        gate.write_bytes(b"")
        with subprocess.Popen([*arguments, journal, torn, str(ITEMS), gate]) as running:
            for end in range(100):
                goal = lines(journal) + chance.randint(3, 6)
                open_for(gate, goal + 4 if kills < 20 else ITEMS)
                while running.poll() is None and lines(journal) < goal:
                    time.sleep(0.001)
                if running.poll() is not None or kills == 20:
                    break
                if end < 3 and kills < 16:  # a worker: the run goes on
                    workers = children(running.pid)
                    if workers:
                        os.kill(chance.choice(workers), signal.SIGKILL)
                        kills += 1
                else:  # the parent: what is left of the run ends, and it is given again
                    running.kill()
                    kills += 1
                    break
            running.wait()
        assert lines(journal) > last  # it gets on
        last = lines(journal)
    assert kills == 20
    assert torn.read_bytes() == calm.read_bytes()
    names = [line.split(" ")[0] for line in torn.read_text(encoding="utf-8").splitlines()]
    assert names == [f"d{k}" for k in range(ITEMS)]


def open_for(gate, count):
    """Let documents up to this number through."""
    with gate.open("ab") as file:
        file.write(bytes(max(0, count - gate.stat().st_size)))


def children(pid):
    path = Path(f"/proc/{pid}/task")
    if not path.exists():
        pytest.skip("the system does not tell the children of a process")
    found = [(each / "children").read_text().split() for each in path.iterdir()]
    return [int(child) for each in found for child in each]


def test_workers_end_with_the_one_that_began_them(tmp_path):
    script = SCRIPT.replace("range(int(sys.argv[4]))", f"['mark {tmp_path}/at'] * 4")
    arguments = [sys.executable, "-c", script, TESTS, tmp_path / "j", tmp_path / "out", "2"]
    with subprocess.Popen(arguments) as running:
        while len(workers := list(tmp_path.glob("at*"))) < 2:
            time.sleep(0.01)
        running.kill()
    end = time.monotonic() + 60  # they would sleep for longer
    while any(Path(f"/proc/{path.name[2:]}").exists() for path in workers):
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_worker_ends_in_silence_when_nobody_waits_for_its_answer():
    command = [sys.executable, "-c", "from bitext.jobs.task import main; main()"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, **pipes) as worker:
        worker.stdout.close()
        write_frame(worker.stdin, (pickle.dumps(len), ([1, 2],), False))
        worker.stdin.close()
        assert (worker.stderr.read(), worker.wait()) == (b"", 0)


def test_an_interrupt_ends_the_run_in_the_midst(tmp_path):
    script = SCRIPT.replace("range(int(sys.argv[4]))", "[1, 2, 'sleep 300', 'sleep 300']")
    arguments = [sys.executable, "-c", script, TESTS, tmp_path / "j", tmp_path / "out", "2"]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE) as running:
        while lines(tmp_path / "j") < 2:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=60)
    assert told.rstrip().endswith(b"KeyboardInterrupt")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("begins", [True, False])
def test_an_interrupt_that_meets_the_start_of_a_thread_ends_the_run(monkeypatch, begins):
    start = Thread.start

    def interrupted(thread):
        if begins:
            start(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(documents(range(3)), Tries(), processes=2)
    with pytest.raises(KeyboardInterrupt), Processes(2) as processes:
        processes.submit(abs, -1)


@pytest.mark.parametrize("order", ["read", "look"])
@pytest.mark.parametrize("threads", [0, 2])
def test_a_document_that_is_to_be_written_ends_the_run(tmp_path, order, threads):
    own, other = tmp_path / "own", tmp_path / "other"
    for path in (own, other):
        path.write_text("old")
    items = [*range(20), f"{order} {other}", f"{order} {own}", 3]
    executor = ThreadPoolExecutor(threads) if threads else None
    with pytest.raises(ClashError, match="own: is the same file as"):
        run(documents(items), Tries(output=str(own)), executor=executor, processes=2)
    assert own.read_text() == "old"
    run(documents(items[:-2]), Tries(output=str(own)), executor=executor or Here())
    assert "d20 'old'" in own.read_text()
