"""Calls functions of a module when asked, and tells what each call took: CPU, wall time, memory.

    python serve.py MODULE.py

Requests come as lines of JSON on standard input, {"name": ..., "args": [...], "least": seconds};
answers go out so, too. A call is repeated until it has lasted `least` CPU seconds. This file needs
the standard library only, so that it runs in the environments of peers, whatever they have.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

_STATUS = Path("/proc/self/status")


def memory(field: str) -> float:
    """Return a figure of the memory of this process in MB: `VmRSS`, or `VmHWM`, its peak."""
    if _STATUS.exists():
        lines = _STATUS.read_text(encoding="ascii").splitlines()
        line = next(line for line in lines if line.startswith(f"{field}:"))
        return int(line.split()[1]) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def forget_peak() -> None:
    """Let the peak of memory begin anew, where the system can do that."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return


def called(work: Any, args: list[Any], least: float) -> dict[str, Any]:
    """Call a function, and tell what it took."""
    forget_peak()
    before, calls = memory("VmRSS"), 0
    wall, cpu = time.perf_counter(), time.process_time()
    while True:
        value = work(*args)
        calls += 1
        spent = time.process_time() - cpu
        if spent >= least:
            break
    return {
        "cpu": spent / calls,
        "wall": (time.perf_counter() - wall) / calls,
        "peak": memory("VmHWM"),
        "before": before,
        "value": value,
    }


def main() -> None:
    """Answer until there are no more requests."""
    path = Path(sys.argv[1])
    sys.path.insert(0, str(path.parent))
    # What a library prints is no answer.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    module = None
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            module = module or importlib.import_module(path.stem)
            answer = called(getattr(module, asked["name"]), asked["args"], asked["least"])
        except Exception as error:  # noqa: BLE001 - it is told to the one who asked
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
