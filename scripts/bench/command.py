"""Runs a command in a process of its own, and tells what it took: CPU, wall time, peak memory.

The peak that the system tells of a process counts what the process was before it became the
command, that is, a copy of who started it. So a small process stands between, which starts this
file as a script and has nothing else in memory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Usage", "measured"]


class Usage(NamedTuple):
    """What a command took.

    Attributes
    ----------
    cpu, wall : float
        Seconds; the first of user and system, of all its processes together.
    peak : float
        Memory in MB (resident), of the largest of its processes.
    status : int
        How it ended: 0 is well.
    said : str
        What it said last, on standard error.

    """

    cpu: float
    wall: float
    peak: float
    status: int
    said: str


def measured(command: Sequence[str | Path], folder: Path, stdout: Path | None = None) -> Usage:
    """Run a command in a folder, with standard output to a file if one is given."""
    with tempfile.TemporaryDirectory() as beside:
        said = Path(beside) / "stderr"
        asked = {
            "command": [str(part) for part in command],
            "folder": str(folder),
            "stdout": str(stdout or os.devnull),
            "stderr": str(said),
        }
        between = [sys.executable, "-I", "-S", __file__, json.dumps(asked)]
        told = json.loads(subprocess.run(between, check=True, capture_output=True).stdout)
        words = said.read_text(encoding="utf-8", errors="replace").split("\n")
        last = next((line.strip() for line in reversed(words) if line.strip()), "")
        return Usage(told["cpu"], told["wall"], told["peak"], told["status"], last)


def _run(asked: dict[str, str | list[str]]) -> dict[str, float]:
    command = list(asked["command"])
    os.chdir(str(asked["folder"]))
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    files = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)]
    for number, name in ((1, "stdout"), (2, "stderr")):
        files.append((os.POSIX_SPAWN_OPEN, number, str(asked[name]), flags, 0o666))
    # One core is one core, and texts are UTF-8 for whoever leaves that to the system.
    # Modules are compiled once, as they are where they are installed, and outputs are buffered.
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    env |= {"OMP_NUM_THREADS": "1", "PYTHONUTF8": "1", "PYTHONHASHSEED": "0"}
    begun = time.monotonic()
    child = os.posix_spawn(command[0], command, env, file_actions=files)
    _, status, usage = os.wait4(child, 0)
    return {
        "cpu": usage.ru_utime + usage.ru_stime,
        "wall": time.monotonic() - begun,
        "peak": usage.ru_maxrss / 1024,
        "status": os.waitstatus_to_exitcode(status),
    }


if __name__ == "__main__":
    print(json.dumps(_run(json.loads(sys.argv[1]))))
