"""A project changed by processes that are killed: run as `workbench_killed.py PROJECT NUMBER`.

One process after another makes random changes, and says of each that it is made. Each is killed at
some moment after its first: between two changes, or in the middle of the next. What the next one
finds is what was acknowledged last, or the change after that as a whole.
"""

from __future__ import annotations

import hashlib
import os
import random
import select
import signal
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bitext.workbench.changes import ChangeRefused
from bitext.workbench.project import Project
from reference.workbench_operations import drawn_boundary, drawn_change

WAIT = 20  # seconds for a line of a process


def all_of(project):
    """Return the alignments and segmentations."""
    return [*project.alignments(), *project.segmentations()]


def digest(project):
    rows = [project.rows(each.id) for each in all_of(project)]
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:16]


def write(path, number, lines):
    """Change alignments until killed; a line for each change: its number, and all rows after it."""
    project = Project(path)
    for k in range(number, number + 1000):
        draw = random.Random(k)
        alignment = draw.choice([each for each in all_of(project) if each.annotator])
        options = {"annotator": alignment.annotator}
        try:
            chance = draw.random()
            if chance < 0.15:
                entry = project.undo(alignment.id, **options)
            elif chance < 0.25:
                entry = project.redo(alignment.id, **options)
            else:
                rows, tag = project.rows(alignment.id)[1], f"{k}.{number}"
                if alignment.kind == "segmentation":
                    units, segments = rows.values()
                    name, splices = "x", [drawn_boundary(draw, units, segments, tag)]
                else:
                    name, splices = drawn_change(draw, rows, tag)
                entry = project.change(alignment.id, splices, name=name, **options)
        except ChangeRefused:
            continue
        os.write(lines, f"{entry.version} {digest(project)}\n".encode())


def lines_of(source, count):
    """Read the lines of a process until there are so many, or it has ended."""
    held = b""
    until = time.monotonic() + WAIT
    while held.count(b"\n") < count:
        if not select.select([source], [], [], until - time.monotonic())[0]:
            raise TimeoutError(f"{held!r} within {WAIT} seconds")
        more = os.read(source, 4096)
        if not more:
            break
        held += more
    return held


def main(path, number):
    """Kill as many processes; print how often a change was made and not said."""
    draw = random.Random(number)
    unsaid = 0
    for k in range(number):
        source, lines = os.pipe()
        child = os.fork()
        if not child:
            os.close(source)
            write(path, 1000 * k, lines)
            os._exit(0)
        os.close(lines)
        try:
            said = lines_of(source, 1)
            if k % 2:  # anywhere in the next change
                time.sleep(draw.random() * 0.003)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            said += lines_of(source, 1 << 30)
        finally:
            os.close(source)
        version, rows = said.decode().splitlines()[-1].split()
        with closing(sqlite3.connect(path)) as db:
            (made,) = db.execute("SELECT MAX(seq) FROM journal").fetchone()
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert int(version) <= made <= int(version) + 1, "a change that was said is lost"
        with Project(path) as project:
            now = digest(project)  # what is read is checked, too
        assert (now == rows) == (made == int(version)), "half of a change was made"
        unsaid += made > int(version)
    sys.stdout.write(f"{number} killed, {unsaid} changes made but not said\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
