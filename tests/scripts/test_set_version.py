"""The version is set wherever it is shown, by one command."""

import pytest

import bitext
import set_version

OLD = {
    "bitext/__init__.py": '__version__ = "0.1.0"\nlisted = ["__version__"]\n',
    "README.md": "signature: pk|k=2|bitext:0.1.0\nnumpy 0.1.0\n",
    "docs/old/more.md": "`pk|bitext:0.2.0.dev0` and bitext:0.1.0rc1.\n",
    "tests/reports/snapshots/page.html": "<li>bitext:0.1.0</li>",
    "docs/none.md": "bitext: a word\n",
}


@pytest.fixture
def root(tmp_path):
    for name, text in OLD.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(root, monkeypatch, *args):
    monkeypatch.setattr("sys.argv", ["set_version.py", *args])
    return set_version.main(root)


def test_the_version_is_set_wherever_it_is_shown(root, monkeypatch, capsys):
    assert run(root, monkeypatch, "1.2.0.dev0") == 0
    new = {name: (root / name).read_text(encoding="utf-8") for name in OLD}
    assert new["bitext/__init__.py"].splitlines() == [
        '__version__ = "1.2.0.dev0"',
        'listed = ["__version__"]',
    ]
    assert new["README.md"] == "signature: pk|k=2|bitext:1.2.0.dev0\nnumpy 0.1.0\n"
    assert new["docs/old/more.md"] == "`pk|bitext:1.2.0.dev0` and bitext:1.2.0.dev0.\n"
    assert new["tests/reports/snapshots/page.html"] == "<li>bitext:1.2.0.dev0</li>"
    assert new["docs/none.md"] == OLD["docs/none.md"]
    assert sorted(capsys.readouterr().out.split()) == sorted(set(OLD) - {"docs/none.md"})
    assert run(root, monkeypatch, "1.2.0.dev0") == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("args", [(), ("new",), ("1",), ("1.0", "2.0"), ("1.0-dev",)])
def test_what_is_no_version_is_refused(args, root, monkeypatch, capsys):
    assert run(root, monkeypatch, *args) == 2
    assert "usage" in capsys.readouterr().err
    assert (root / "README.md").read_text(encoding="utf-8") == OLD["README.md"]


def test_the_files_that_hold_the_version_are_found():
    names = {
        path.relative_to(set_version.ROOT).as_posix()
        for path in set_version.places(set_version.ROOT)
    }
    assert {"bitext/__init__.py", "README.md", "docs/scoring.md"} < names
    assert any("/snapshots/" in name for name in names)
    for path in set_version.places(set_version.ROOT):
        text = path.read_text(encoding="utf-8")
        assert set_version.changed(text, bitext.__version__) == text, f"{path}: another version"
