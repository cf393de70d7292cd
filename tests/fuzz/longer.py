"""Fuzzing for as long as one likes, a target after another; what is found is kept in files.

Each target runs in a process of its own, with a limit of its memory. `atheris` guides it by what
inputs reach in the code, if it is installed; else inputs are made at random from a seed, as in the
tests, and so can be made again.
"""

# ruff: noqa: T201 - it prints

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

_HERE = Path(__file__).resolve().parent
# Without its own folder, whose `formats` would hide the tests of that name.
sys.path[:] = [str(_HERE.parent), *(each for each in sys.path if Path(each).resolve() != _HERE)]
MEMORY = 4 << 30  # bytes of a process


def main():
    """Fuzz the targets that are named; return 1 if something was found."""
    options = _parser().parse_args()
    if options.inside:
        return _inside(options)
    from fuzz.catalogue import all_targets

    known = all_targets()
    if not options.targets:
        print("\n".join(known))
        return 0
    named = list(known) if options.targets == ["all"] else options.targets
    if not set(named) <= known.keys():
        print(f"no target {min(set(named) - known.keys())!r}; without any they are listed")
        return 2
    options.found.mkdir(parents=True, exist_ok=True)
    return max([_apart(name, options) for name in named])


def _parser():
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__.split("\n", 1)[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="'all', or none to list them")
    parser.add_argument("--seconds", type=float, default=60, help="for each target (60)")
    parser.add_argument("--seed", default="0", help="of what is drawn, without atheris (0)")
    parser.add_argument(
        "--engine", choices=("atheris", "random"), help="default: atheris if it is installed"
    )
    parser.add_argument("--growth", action="store_true", help="time on longer and longer inputs")
    parser.add_argument(
        "--found", type=Path, default=Path("build/fuzz"), help="where inputs are kept (build/fuzz)"
    )
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser


def _apart(name, options):
    """Run a target in a process of its own; return 1 if something was found."""
    command = [sys.executable, __file__, name, "--inside", "--seconds", str(options.seconds)]
    command += ["--seed", options.seed, "--found", str(options.found)]
    command += ["--growth"] if options.growth else []
    command += ["--engine", options.engine] if options.engine else []
    before = set(options.found.iterdir())
    begun = time.monotonic()
    try:
        status = subprocess.run(command, check=False, timeout=20 * options.seconds + 600).returncode
    except subprocess.TimeoutExpired:
        status = -1
    new = set(options.found.iterdir()) - before
    current = options.found / f"{name}.current"
    if current.exists() and status:  # which ended the process
        current.rename(options.found / f"{name}-ended")
        place = f"{options.found / name}-ended"
        print(f"{name}: ended with the status {status} over {place}", flush=True)
        return 1
    current.unlink(missing_ok=True)
    findings = len([path for path in new if path.suffix == ".txt"])
    print(f"{name}: {findings} found in {time.monotonic() - begun:.0f} s", flush=True)
    return int(findings > 0)


def _inside(options):
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    (name,) = options.targets
    engine = options.engine or (
        "atheris" if importlib.util.find_spec("atheris") is not None else "random"
    )
    if options.growth:
        return _growth(name, options)
    if engine == "atheris":
        return _guided(name, options)
    from fuzz.catalogue import all_targets
    from fuzz.loop import timed

    current = options.found / f"{name}.current"
    count = timed(
        all_targets()[name],
        options.seconds,
        seed=options.seed,
        report=_reporter(name, options),
        before=current.write_bytes,
    )
    current.unlink(missing_ok=True)
    print(f"{name}: {count:,} inputs", flush=True)
    return 0


def _reporter(name, options):
    """Return what keeps a finding, and the input in few bytes, in files."""
    from fuzz.catalogue import all_targets
    from fuzz.loop import smaller

    def report(finding, content):
        sign = hashlib.sha256(finding.sign.encode()).hexdigest()[:8]
        place = options.found / f"{name}-{sign}"
        if not place.exists():
            less = smaller(all_targets()[name].run, content, finding.sign)
            place.write_bytes(less)
            place.with_suffix(".txt").write_text(f"{finding.sign}\n{finding.told}", "utf-8")
            print(f"{name}: {finding.sign}\n  {place}: {less[:200]!r}", flush=True)

    return report


def _guided(name, options):
    """Let atheris look for inputs that reach more of the code; it ends the process."""
    import atheris

    with atheris.instrument_imports(include=["bitext"]):
        from fuzz import loop
        from fuzz.catalogue import all_targets
        from fuzz.verdict import judged
    target = all_targets()[name]
    report = _reporter(name, options)
    corpus = options.found / f"{name}.corpus"
    corpus.mkdir(exist_ok=True)
    for content in target.seeds():
        (corpus / hashlib.sha256(content).hexdigest()[:16]).write_bytes(content)

    def run(content):
        finding = judged(target.run, content)
        if finding is not None:
            report(finding, content)

    def change(content, most, seed):
        draw = random.Random(seed)
        if draw.random() < 0.3 and target.change is None:
            return atheris.Mutate(content, most)
        return loop.changed(target, content, draw)[:most]

    limits = [f"-max_total_time={options.seconds:.0f}", "-max_len=65536", "-rss_limit_mb=0"]
    limits += ["-print_final_stats=1", "-verbosity=0", "-timeout=120"]
    limits += [f"-artifact_prefix={options.found}/"]
    atheris.Setup([sys.argv[0], *limits, str(corpus)], run, custom_mutator=change)
    atheris.Fuzz()
    return 0


def _growth(name, options):
    """Run inputs of which a part is repeated more and more often; tell what takes too long."""
    from fuzz.catalogue import all_targets
    from fuzz.growth import steps

    target = all_targets()[name]
    count = 0
    growing = steps(target, options.seconds, seed=options.seed)
    for count, (times, content) in enumerate(growing, start=1):
        if times is not None:
            told = ", ".join(f"{seconds:.2f}" for seconds in times)
            place = options.found / f"{name}-growth-{count}"
            place.write_bytes(content)
            place.with_suffix(".txt").write_text(told)
            print(f"{name}: {told} s for four times as much each; {place}", flush=True)
    print(f"{name}: {count:,} parts repeated", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
