"""Runs the benchmarks, each in a process of its own, and writes RESULTS.md.

    scripts/benchmarks [--quick] [--only NAME ...] [--large] [--cache FOLDER]

`--quick` takes a few minutes, everything about forty on a machine that does nothing else. What is
found by `--only` replaces that part of RESULTS.md; the others stay. Runs with `--quick` are
printed, and written only with `--write`. The status is 1 when a benchmark fails or something that
it watches over does not hold, such as the soak run being flat.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from results import CACHE, RESULTS, composed

# In the order of RESULTS.md: what compares us with others first.
NAMES = (
    "scoring",
    "segmentation",
    "sentences",
    "clusters",
    "convert",
    "words",
    "kernels",
    "jobs",
    "corpus",
    "soak",
)


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, few rounds")
    parser.add_argument("--only", action="append", choices=NAMES, metavar="NAME", help="repeats")
    parser.add_argument("--cache", type=Path, default=CACHE, help="environments and results")
    parser.add_argument("--large", action="store_true", help="sizes that take long (convert)")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md of quick runs, too")
    parser.add_argument("--list", action="store_true", help="tell the names")
    options = parser.parse_args()
    if options.list:
        print("\n".join(NAMES))
        return 0
    cache = options.cache.absolute()
    failed = []
    for name in options.only or NAMES:
        print(f"== {name}", flush=True)
        script = Path(__file__).with_name(f"{name}.py")
        command: list[str | Path] = [sys.executable, script, "--cache", cache]
        command += ["--quick"] if options.quick else []
        command += ["--large"] if options.large else []
        if subprocess.run(command, check=False).returncode:
            failed.append(name)
    if not options.quick or options.write:
        RESULTS.write_text(composed(NAMES, cache), encoding="utf-8")
        print(RESULTS)
    if failed:
        print(f"did not hold, or failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
