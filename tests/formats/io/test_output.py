"""Outputs: whole or not there, whatever happens."""

import contextlib
import gzip
import io
import os
import resource
import signal
import stat
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from bitext.errors import InputError
from bitext.formats.io.output import refuse_clashes, write_together, write_whole


@pytest.fixture
def nameless(request, monkeypatch):
    """Whether files have no name while they are written, or one beside their place."""
    if not request.param:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    return request.param


both_ways = pytest.mark.parametrize("nameless", [True, False], indirect=True)


def names_in(folder):
    return sorted(path.name for path in Path(folder).iterdir())


def run(code, *arguments, **options):
    """Run Python in a process of its own."""
    script = "import os, sys\nfrom bitext.formats.io.output import *\n" + textwrap.dedent(code)
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, timeout=60, **options)


@both_ways
def test_two_files_appear_together(nameless, tmp_path):
    en, fr = tmp_path / "a.en", tmp_path / "a.fr.gz"
    en.write_text("old")
    with write_together([en, fr]) as (first, second):
        first.write("new")
        second.write("neuf")
        first.flush()
        assert en.read_text() == "old"
        assert not fr.exists()
        assert (len(names_in(tmp_path)) == 1) is nameless
    assert (en.read_text(), gzip.decompress(fr.read_bytes())) == ("new", b"neuf")
    assert names_in(tmp_path) == ["a.en", "a.fr.gz"]


@both_ways
@pytest.mark.parametrize("error", [KeyError, KeyboardInterrupt, GeneratorExit, SystemExit])
def test_two_files_fail_together(nameless, error, tmp_path):  # noqa: ARG001 - a fixture
    en, fr = tmp_path / "a.en.zst", tmp_path / "a.fr.xz"
    en.write_text("old")

    def fail():
        with write_together([en, fr]) as (first, second):
            first.write("new" * 100_000)
            second.write("neuf")
            raise error

    with pytest.raises(error):
        fail()
    assert (names_in(tmp_path), en.read_text()) == (["a.en.zst"], "old")


def test_the_second_place_may_be_none(tmp_path):
    with (
        pytest.raises(InputError, match="none/b: cannot be written: No such file or directory"),
        write_together([tmp_path / "a", tmp_path / "none" / "b"]),
    ):
        pytest.fail("nothing is to be written")
    assert names_in(tmp_path) == []


def test_a_part_is_known_by_its_name(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    with write_whole(tmp_path / ("x" * 250)):
        [name] = names_in(tmp_path)
    assert name.startswith(".bitext-")
    assert name.endswith(".part")


def test_names_with_nul_and_too_long(tmp_path):
    for name, said in (("a\0b", "null"), ("x" * 300, "File name too long")):
        with (
            pytest.raises(InputError, match=f"cannot be written: .*{said}"),
            write_whole(f"{tmp_path}/{name}"),
        ):
            pytest.fail("nothing is to be written")


@both_ways
def test_permissions(nameless, tmp_path):  # noqa: ARG001 - a fixture
    old = tmp_path / "old"
    old.write_text("old")
    old.chmod(0o4640)
    before = os.umask(0o027)
    try:
        with write_together([old, tmp_path / "new"]):
            pass
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("old", "new")]
    assert modes == [0o640, 0o640]


# --- links, devices, pipes ---


@pytest.mark.parametrize("target", ["there", "nowhere", "/dev/null", "."])
def test_links_are_not_written_through(target, tmp_path):
    (tmp_path / "there").write_text("old")
    link = tmp_path / "link"
    link.symlink_to(target)
    with (
        pytest.raises(InputError, match=f"link: is a link to {target}, .*name the file itself"),
        write_whole(link),
    ):
        pytest.fail("nothing is to be written")
    assert link.is_symlink()
    assert (tmp_path / "there").read_text() == "old"
    assert not (tmp_path / "nowhere").exists()


def test_a_link_that_comes_meanwhile_is_replaced(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("old")
    with write_whole(tmp_path / "out") as out:
        out.write("new")
        (tmp_path / "out").symlink_to(victim)
    assert victim.read_text() == "old"
    assert (tmp_path / "out").read_text() == "new"
    assert not (tmp_path / "out").is_symlink()


def test_a_folder_that_is_a_link_is_the_user_s_own(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with write_whole(tmp_path / "link" / "a") as out:
        out.write("new")
    assert (tmp_path / "real" / "a").read_text() == "new"


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there is no /dev/fd")
@pytest.mark.parametrize(
    ("name", "held_back"),
    [("-", True), ("-", False), ("/dev/stdout", False), ("/dev/fd/1", True)],
)
def test_standard_output_by_all_its_names(name, held_back, tmp_path):
    code = f"""
        print("before")
        with write_whole(sys.argv[1], held_back={held_back}) as out:
            out.write("é 😀\\n")
        print("after")
    """
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    wanted = "before\né 😀\nafter\n"
    assert run(code, name, env=environment).stdout.decode() == wanted
    # Redirected to a file it is not opened anew, which would begin at its beginning.
    log = tmp_path / "log"
    log.write_text("first\n")
    with log.open("ab") as target:
        command = [sys.executable, "-c", "from bitext.formats.io.output import *\nimport sys\n"]
        command[-1] += textwrap.dedent(code)
        subprocess.run([*command, name], check=True, stdout=target, env=environment, timeout=60)
    assert log.read_text(encoding="utf-8") == "first\n" + wanted
    assert names_in(tmp_path) == ["log"]


def test_nothing_is_on_standard_output_when_it_is_held_back():
    code = """
        with write_whole("-", held_back=sys.argv[1] == "yes") as out:
            out.write("some" * 100_000)
            raise KeyError
    """
    assert run(code, "yes").stdout == b""
    assert run(code, "no").stdout.startswith(b"some")


def test_standard_output_without_a_descriptor(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    for held_back in (False, True):
        with write_whole("-", held_back=held_back) as stream:
            stream.write("é" * 200_001)
    assert out.getvalue() == "é" * 400_002


def test_standard_error_and_closed_descriptors():
    done = run("with write_whole('/dev/stderr') as out: out.write('é')")
    assert (done.stdout, done.stderr.decode()) == (b"", "é")
    with (
        pytest.raises(InputError, match="/dev/fd/987: cannot be written: Bad file descriptor"),
        write_whole("/dev/fd/987"),
    ):
        pytest.fail("nothing is to be written")


def test_a_reader_that_goes_is_no_error_of_the_place():
    code = """
        try:
            with write_whole("-") as out:
                for _ in range(100_000):
                    out.write("some text\\n")
        except BrokenPipeError:
            sys.stderr.write("gone")
        sys.stdout.flush()
    """
    script = "import sys\nfrom bitext.formats.io.output import *\n" + textwrap.dedent(code)
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b"gone"
        assert process.wait() == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are of Unix")
def test_a_named_pipe_is_written_to_straight(tmp_path):
    path = tmp_path / "pipe.gz"
    os.mkfifo(path)
    got = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
    reader.start()
    with write_whole(path, binary=True) as out:
        out.write(b"some")
    reader.join()
    assert gzip.decompress(got[0]) == b"some"
    assert stat.S_ISFIFO(path.stat().st_mode)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("name", ["/dev/full", "-"])
def test_a_full_device(name):
    code = """
        from bitext.errors import InputError
        try:
            with write_whole(sys.argv[1]) as out:
                out.write("some")
        except InputError as error:
            sys.stderr.write(str(error))
    """
    with Path("/dev/full").open("wb") as full:
        script = "import sys\nfrom bitext.formats.io.output import *\n" + textwrap.dedent(code)
        command = [sys.executable, "-c", script, name]
        done = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE, timeout=60)
    shown = "standard output" if name == "-" else name
    assert done.stderr.decode() == f"{shown}: cannot be written: No space left on device"


# --- one file twice ---


def test_outputs_that_are_inputs(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("text")
    other.write_text("text")
    (tmp_path / "hard").hardlink_to(one)
    (tmp_path / "soft").symlink_to(one)
    (tmp_path / "folder").symlink_to(tmp_path)
    for name in ("one", "hard", "soft", "folder/one", "./one"):
        with pytest.raises(InputError, match=f"{name}: is the same file as .*one, which is read"):
            refuse_clashes([str(one)], [f"{tmp_path}/{name}"])
        with pytest.raises(InputError, match="is the same file as"):
            refuse_clashes([str(other), f"{tmp_path}/{name}"], [str(tmp_path / "new"), str(one)])
    refuse_clashes([str(one)], [str(other), str(tmp_path / "new")])
    refuse_clashes([str(one), str(one)], [str(other)])  # to read a file twice is no harm
    refuse_clashes(["/dev/null", "-"], ["/dev/null", "-"])
    refuse_clashes(["none"], ["a\0b"])


def test_outputs_that_are_each_other(tmp_path):
    for first, second in (("a", "a"), ("a", "../x/a"), ("link/a", "a")):
        folder = tmp_path / "x"
        folder.mkdir(exist_ok=True)
        if not (folder / "link").exists():
            (folder / "link").symlink_to(".")
        with (
            pytest.raises(InputError, match="is the same file as"),
            write_together([folder / first, folder / second]),
        ):
            pytest.fail("nothing is to be written")
        assert names_in(folder) == ["link"]
    with write_together(["/dev/null", "/dev/null"]) as outs:
        assert len(outs) == 2


def test_standard_input_that_is_an_output(tmp_path):
    path = tmp_path / "a"
    path.write_text("text")
    code = """
        from bitext.errors import InputError
        try:
            from bitext.formats.io.output import refuse_clashes
            refuse_clashes(sys.argv[1].split(), sys.argv[2].split())
        except InputError as error:
            sys.stderr.write(str(error))
    """
    with path.open("r+b") as file:
        assert b"is the same file as -" in run(code, "-", path, stdin=file).stderr
    script = "import sys\nfrom bitext.formats.io.output import *\n" + textwrap.dedent(code)
    with path.open("ab") as file:
        command = [sys.executable, "-c", script, path, "-"]
        done = subprocess.run(command, check=True, stdout=file, stderr=subprocess.PIPE, timeout=60)
    assert b"-: is the same file as" in done.stderr


# --- full disks, signals, races ---


FULL = """
    from bitext.errors import InputError
    if sys.argv[1] == "named":
        del os.O_TMPFILE
    try:
        with write_together(sys.argv[2:], binary=True) as (first, second):
            first.write(b"new")
            for _ in range(300):
                second.write(os.urandom(10_000))
    except InputError as error:
        sys.stderr.write(str(error))
"""


@pytest.mark.parametrize("how", ["named", "nameless"])
@pytest.mark.parametrize("second", ["b", "b.gz"])
def test_a_file_that_grows_beyond_the_limit(how, second, tmp_path):
    first, second = tmp_path / "a", tmp_path / second
    for path in (first, second):
        path.write_text("old")

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

    done = run(FULL, how, first, second, preexec_fn=limit)
    assert done.stderr.decode() == f"{second}: cannot be written: File too large"
    assert {path.read_text() for path in (first, second)} == {"old"}
    assert len(names_in(tmp_path)) == 2


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 1 MB, where this user may make one."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = sys.platform == "linux" and os.geteuid() == 0
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(place)]
    if not mounted or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize("how", ["named", "nameless"])
def test_a_full_disk(how, small_disk):
    first, second = small_disk / "a", small_disk / "b"
    for path in (first, second):
        path.write_text("old")
    done = run(FULL, how, first, second)
    assert done.stderr.decode() == f"{second}: cannot be written: No space left on device"
    assert {path.read_text() for path in (first, second)} == {"old"}
    assert len(names_in(small_disk)) == 2


ENDLESS = """
    if sys.argv[1] == "named":
        del os.O_TMPFILE
    names = sys.argv[2:]
    os.write(1, b"!")
    for k in range(1_000_000):
        with write_together(names, binary=True) as outs:
            for out in outs:
                out.write(b"%06d" % k * 5_000)
"""


@pytest.mark.parametrize(
    ("how", "sign", "leftover"),
    [
        ("named", signal.SIGINT, False),
        ("nameless", signal.SIGINT, False),
        ("nameless", signal.SIGTERM, False),
        ("nameless", signal.SIGKILL, False),
        ("named", signal.SIGKILL, True),
    ],
)
def test_an_end_at_any_moment_leaves_whole_files(how, sign, leftover, tmp_path):
    names = [tmp_path / "a.en", tmp_path / "a.fr"]
    script = "import os, sys\nfrom bitext.formats.io.output import *\n" + textwrap.dedent(ENDLESS)
    for k in range(2):
        for name in names:
            name.write_bytes(b"%06d" % 7 * 5_000)
        with subprocess.Popen(
            [sys.executable, "-c", script, how, *names],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            process.stdout.read(1)
            time.sleep(0.0273 * (k + 1))
            for _ in range(20):  # Python passes over an interruption that falls into a finalizer
                process.send_signal(sign)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=5)  # not earlier: a second one would stop the first
                    break
            else:
                process.kill()
                pytest.fail(f"{sign} did not end it")
        assert process.returncode != 0
        for name in names:
            content = name.read_bytes()
            assert content == content[:6] * 5_000
        left = {name for name in names_in(tmp_path) if name not in {"a.en", "a.fr"}}
        # A file is named a moment before it is renamed, where the process may be ended too.
        assert all(name.startswith(".bitext-") and name.endswith(".part") for name in left)
        if not leftover and sign == signal.SIGINT:
            assert left == set()
        for name in left:
            (tmp_path / name).unlink()


@both_ways
def test_the_last_of_two_runs_wins(nameless, tmp_path):  # noqa: ARG001 - a fixture
    path = tmp_path / "a"
    with write_whole(path) as first, write_whole(path) as second:
        first.write("first" * 100_000)
        second.write("second" * 100_000)
    assert path.read_text() == "first" * 100_000  # left last
    assert names_in(tmp_path) == ["a"]


def test_many_runs_at_once_leave_one_whole_file(tmp_path):
    path = tmp_path / "a"

    def write(sign):
        for _ in range(20):
            with write_whole(path) as out:
                out.write(sign * 100_000)

    threads = [threading.Thread(target=write, args=(sign,)) for sign in "abcd"]
    for thread in threads:
        thread.start()
    for _ in range(50):
        if path.exists():
            assert len(set(path.read_text())) == 1
    for thread in threads:
        thread.join()
    assert len(path.read_text()) == 100_000
    assert names_in(tmp_path) == ["a"]


def test_half_of_a_surrogate_pair_is_told(tmp_path):
    path = tmp_path / "a"
    with (
        pytest.raises(InputError, match=r"a: .* half of a surrogate pair, '\\udc80'; take it out"),
        write_whole(path) as out,
    ):
        out.write("a\udc80")
    assert names_in(tmp_path) == []


def test_errors_within_are_not_taken_for_errors_of_the_place(tmp_path):
    with pytest.raises(FileNotFoundError), write_whole(tmp_path / "a"):
        (tmp_path / "none").read_text()
    with pytest.raises(UnicodeEncodeError, match="ascii"), write_whole(tmp_path / "a"):
        "é".encode("ascii")


def test_no_descriptor_is_left_open(tmp_path):
    def count():
        return sum(1 for _ in Path("/proc/self/fd").iterdir())

    if not Path("/proc/self/fd").exists():
        pytest.skip("descriptors cannot be counted here")
    before = count()
    for name in (tmp_path / "a", tmp_path / "a.zst", "/dev/null", "/dev/fd/2"):
        for held_back in (True, False):
            with write_whole(name, held_back=held_back) as out:
                out.write("")
            with pytest.raises(KeyError), write_whole(name, held_back=held_back):
                raise KeyError
    assert count() == before
