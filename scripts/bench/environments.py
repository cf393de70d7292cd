"""Environments for peers: one a family, of the versions in `peers.txt`, made when first needed."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import venv
from pathlib import Path

__all__ = ["environment", "pins", "versions"]

_PEERS = Path(__file__).with_name("peers.txt")


def pins(family: str, text: str | None = None) -> list[str]:
    r"""Return the packages of a family, with their versions.

    Examples
    --------
    >>> pins("b", "[a]\none==1\n[b]\n# a remark\ntwo==2\n")
    ['two==2']

    """
    lines = (_PEERS.read_text(encoding="utf-8") if text is None else text).splitlines()
    found: dict[str, list[str]] = {}
    held: list[str] = []
    for line in (line.strip() for line in lines):
        if line.startswith("["):
            held = found.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            held.append(line)
    if family not in found:
        raise SystemExit(f"{_PEERS}: has no [{family}]; it has {', '.join(found)}")
    return found[family]


def environment(family: str, cache: Path) -> Path:
    """Make the environment of a family, unless it is there; return its folder of programs."""
    wanted = pins(family)
    key = hashlib.sha256("\n".join(wanted).encode()).hexdigest()[:12]
    folder = cache / "peers" / f"{family}-{key}"
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    note = folder / "installed.json"
    if not note.exists():
        print(f"  making the environment of {family}: {', '.join(wanted)}", flush=True)
        venv.create(folder, with_pip=True, clear=True)
        pip: list[str | Path] = [programs / "python", "-m", "pip", "--disable-pip-version-check"]
        env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        subprocess.run([*pip, "install", "--quiet", *wanted], check=True, env=env)
        listed = subprocess.run(
            [*pip, "list", "--format", "json"], check=True, env=env, capture_output=True
        )
        note.write_bytes(listed.stdout)
    return programs


def versions(family: str, cache: Path) -> str:
    """Return what is in the environment of a family, those that it was made for, in one line."""
    listed = json.loads((environment(family, cache).parent / "installed.json").read_bytes())
    held = {entry["name"].lower(): entry["version"] for entry in listed}
    names = [pin.partition("==")[0] for pin in pins(family)]
    return ", ".join(f"{name} {held.get(name.lower(), '?')}" for name in names)
