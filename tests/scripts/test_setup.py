"""The demo installs what commands need, the tests what developers need, and neither twice."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MADE, RUNTIME, DEVELOPERS = "venv", "requirements.lock", "requirements-dev.lock"

# Stands for Python: it logs what it was asked to make or install, and makes environments of itself.
PYTHON = """#!/usr/bin/env bash
case "$*" in
-c*) ;;
--version) echo Python 3.99 ;;
*install*uv==*) [ ! -e interrupt ] ;;
*venv*) echo venv >>log; rm -rf .venv; mkdir -p .venv/bin; cp "$0" .venv/bin/python ;;
*) echo "${@: -1}" >>log; [ ! -e interrupt ] || exit 1 ;;
esac
"""


class Checkout:
    """A checkout in a folder of its own, whose Python installs nothing."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("scripts/setup", "bitext/__init__.py", "pyproject.toml", RUNTIME, DEVELOPERS):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
        (folder / "python").write_text(PYTHON, encoding="utf-8")
        (folder / "python").chmod(0o755)

    def setup(self, *args, status=0, env=None):
        """Run `scripts/setup`; return what it made and installed, in order."""
        log = self.folder / "log"
        log.write_text("", encoding="utf-8")
        command = [self.folder / "scripts" / "setup", *args]
        env = {**os.environ, "PYTHON": str(self.folder / "python"), **(env or {})}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stderr
        return log.read_text(encoding="utf-8").split()

    def change(self, name):
        """Add a line to a file."""
        with (self.folder / name).open("a", encoding="utf-8") as file:
            file.write("# changed\n")


@pytest.fixture
def checkout(tmp_path):
    return Checkout(tmp_path / "checkout")


def test_the_demo_and_then_the_tests_only_add(checkout):
    assert checkout.setup() == [MADE, RUNTIME, "."]
    assert checkout.setup() == []
    assert checkout.setup("dev") == [DEVELOPERS]
    assert checkout.setup("dev") == []


@pytest.mark.parametrize(
    "refused", ["-m\\ pip*requirements-dev.lock", "*install*uv==*", "-m\\ uv*"]
)
def test_uv_installs_what_developers_need_or_pip_where_uv_cannot(refused, checkout):
    refuse = PYTHON.replace("-c*) ;;", f"-c*) ;;\n{refused}) exit 1 ;;")
    (checkout.folder / "python").write_text(refuse, encoding="utf-8")
    assert checkout.setup("dev") == [MADE, DEVELOPERS, "."]


def test_the_tests_and_then_the_demo_install_nothing_again(checkout):
    assert checkout.setup("dev") == [MADE, DEVELOPERS, "."]
    assert checkout.setup() == []
    assert checkout.setup("dev") == []


@pytest.mark.parametrize("before", ["runtime", "dev"])
def test_other_pins_of_the_runtime_make_the_environment_anew(before, checkout):
    checkout.setup(before)
    checkout.change(RUNTIME)
    assert checkout.setup() == [MADE, RUNTIME, "."]


def test_other_pins_of_developers_concern_developers_alone(checkout):
    checkout.setup("dev")
    checkout.change(DEVELOPERS)
    assert checkout.setup() == []
    assert checkout.setup("dev") == [MADE, DEVELOPERS, "."]


@pytest.mark.parametrize("name", ["pyproject.toml", "bitext/__init__.py"])
def test_another_version_or_command_installs_the_project_alone(name, checkout):
    checkout.setup()
    checkout.change(name)
    assert checkout.setup() == ["."]


@pytest.mark.parametrize("again", ["runtime", "dev"])
@pytest.mark.parametrize("before", [None, "runtime", "dev"])
def test_what_was_interrupted_is_made_anew(before, again, checkout):
    if before:
        checkout.setup(before)
        checkout.change({"runtime": RUNTIME, "dev": DEVELOPERS}[before])
    interrupt = checkout.folder / "interrupt"
    interrupt.touch()
    checkout.setup("dev", status=1)
    interrupt.unlink()
    lock = {"runtime": RUNTIME, "dev": DEVELOPERS}[again]
    assert checkout.setup(again) == [MADE, lock, "."]


def test_what_was_interrupted_while_adding_is_made_anew(checkout):
    checkout.setup()
    interrupt = checkout.folder / "interrupt"
    interrupt.touch()
    assert checkout.setup("dev", status=1) == [DEVELOPERS]
    interrupt.unlink()
    assert checkout.setup() == [MADE, RUNTIME, "."]


def test_a_checkout_that_was_moved_is_set_up_anew(checkout):
    checkout.setup()
    checkout.folder = checkout.folder.rename(checkout.folder.with_name("elsewhere"))
    assert checkout.setup() == [MADE, RUNTIME, "."]


def test_a_python_compiled_with_optimisation_is_preferred_and_that_of_venv_remains(checkout):
    plain = PYTHON.replace("-c*) ;;", "*enable-optimizations*) exit 1 ;;\n-c*) ;;")
    for name, script in (("plain", plain), ("optimised", PYTHON)):
        place = checkout.folder / name / "python3"
        place.parent.mkdir()
        place.write_text(script, encoding="utf-8")
        place.chmod(0o755)
    first, second = (str(checkout.folder / name) for name in ("plain", "optimised"))
    path = os.pathsep.join([first, second, os.environ["PATH"]])
    assert checkout.setup(env={"PYTHON": "", "PATH": path}) == [MADE, RUNTIME, "."]
    assert (checkout.folder / ".venv/bin/python").read_text(encoding="utf-8") == PYTHON
    path = os.pathsep.join([first, os.environ["PATH"]])
    assert checkout.setup(env={"PYTHON": "", "PATH": path}) == []


def test_another_word_is_refused(checkout):
    assert checkout.setup("all", status=2) == []
    assert not (checkout.folder / ".venv").exists()


def pins(name):
    return set((ROOT / name).read_text(encoding="utf-8").splitlines())


def test_developers_have_the_pins_of_the_runtime():
    assert pins(RUNTIME) < pins(DEVELOPERS)


def test_every_dependency_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

    def named(requirements):
        names = (re.match(r"[\w.-]+", line)[0].lower() for line in requirements)
        return {re.sub(r"[-_.]+", "-", name) for name in names}  # as package indices compare them

    runtime = named(project["project"]["dependencies"]) | named(
        project["dependency-groups"]["editable"]
    )
    assert runtime <= named(pins(RUNTIME))
    assert named(project["project"]["optional-dependencies"]["dev"]) <= named(pins(DEVELOPERS))
    # What builds a release builds a checkout.
    assert set(project["build-system"]["requires"]) < pins(RUNTIME)
