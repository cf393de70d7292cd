"""Runs a notebook and writes its outputs, or checks that the stored outputs are those of a run.

    .venv/bin/python scripts/run_notebook.py [--check] [NOTEBOOK ...]

Without a name all notebooks of docs/ are run, each in a process of its own and in its own folder.
Cells run in the shell of IPython, without a kernel: no server and no sockets, and fourteen packages
where nbclient with its kernel wants thirty-three.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from difflib import unified_diff
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_COLUMNS = "100"  # width of the terminal that libraries see


def run_cells(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook with the outputs of a run; the first error ends the run."""
    # Imported here: the folder of IPython's settings is named before.
    from IPython.core.displayhook import DisplayHook
    from IPython.core.displaypub import DisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets import Type
    from traitlets.config import Config

    outputs: list[dict[str, Any]] = []

    class Hook(DisplayHook):  # type: ignore[misc]
        """Collects the values of cells."""

        def write_output_prompt(self) -> None:
            """Write no prompt."""

        def write_format_data(
            self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None
        ) -> None:
            """Store the value of a cell in all its formats."""
            outputs.append(_output("execute_result", format_dict, md_dict, self.prompt_count))

        def finish_displayhook(self) -> None:
            """Write no line end."""

    class Publisher(DisplayPublisher):  # type: ignore[misc]
        """Collects what cells display."""

        def publish(self, data: dict[str, Any], metadata: Any = None, **_: Any) -> None:
            """Store a displayed value in all its formats."""
            outputs.append(_output("display_data", data, metadata))

    class Shell(InteractiveShell):  # type: ignore[misc]
        """A shell without a terminal."""

        displayhook_class = Type(Hook)
        display_pub_class = Type(Publisher)

    shell = Shell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    count = 0
    cells = []
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            cells.append(cell)
            continue
        count += 1
        outputs.clear()
        with contextlib.redirect_stdout(io.StringIO()) as out:
            done = shell.run_cell("".join(cell["source"]), store_history=True)
        if not done.success:
            print(out.getvalue(), file=sys.stderr)
            done.raise_error()
        printed = [{"name": "stdout", "output_type": "stream", "text": _lines(out.getvalue())}]
        made = [*(printed if out.getvalue() else []), *outputs]
        cells.append({**cell, "execution_count": count, "outputs": made})
    return {**notebook, "cells": cells}


def _output(
    kind: str, data: dict[str, Any], metadata: dict[str, Any] | None, count: int | None = None
) -> dict[str, Any]:
    formats = {
        name: _lines(value) if isinstance(value, str) else value for name, value in data.items()
    }
    output = {"data": formats, "metadata": metadata or {}, "output_type": kind}
    return output if count is None else {**output, "execution_count": count}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def written(notebook: dict[str, Any]) -> str:
    """Return a notebook as Jupyter writes it."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _run_here(path: Path, *, check: bool) -> int:
    old = path.read_text(encoding="utf-8")
    os.environ["COLUMNS"] = _COLUMNS
    os.chdir(path.parent)
    with TemporaryDirectory() as folder:
        os.environ["IPYTHONDIR"] = folder
        new = written(run_cells(json.loads(old)))
    if not check:
        path.write_text(new, encoding="utf-8")
        return 0
    lines = unified_diff(old.splitlines(), new.splitlines(), "stored", "run", lineterm="", n=1)
    differences = [line[:200] for line in lines]
    print("\n".join(differences) if differences else f"{path.name}: up to date")
    return int(bool(differences))


def main() -> int:
    """Run the notebooks, each in a process of its own; return the exit status."""
    check = "--check" in sys.argv[1:]
    names = [name for name in sys.argv[1:] if not name.startswith("--")]
    if "--here" in sys.argv[1:]:
        return _run_here(Path(names[0]).resolve(), check=check)
    paths = [Path(name) for name in names] or sorted((ROOT / "docs").rglob("*.ipynb"))
    script = [sys.executable, str(Path(__file__).resolve()), "--here", *(["--check"] * check)]
    codes = [subprocess.run([*script, str(path)], check=False).returncode for path in paths]
    return max(codes, default=0)


if __name__ == "__main__":
    sys.exit(main())
