from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote

import pytest

from bitext.errors import InputError
from bitext.reports.pages import MARK, Folder, check_folder, file_stem

INDEX = f"<ul {MARK}>"


def write(place, *names, index=INDEX):
    with Folder(place) as folder:
        links = [folder.add(name, f"page of {name}") for name in names]
        folder.finish(index)
    return links


def interrupted(place, name):
    with Folder(place) as folder:
        folder.add(name, "")
        raise KeyboardInterrupt


def held(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_links_lead_from_the_index_to_the_page_of_each_text(tmp_path):
    names = [
        "a/b",
        "a b",
        "A_B",
        "",
        "..",
        "été",
        "本",
        "100%.xml",
        "con",
        "x" * 10_000,
        "<b>\u202e",
    ]
    links = write(tmp_path / "report", *names)
    assert len({link.lower() for link in links}) == len(names)
    for name, link in zip(names, links, strict=True):
        page = tmp_path / "report" / unquote(link)
        assert page.resolve().parent == tmp_path / "report" / "texts"
        assert page.read_text(encoding="utf-8") == f"page of {name}"
        assert page.name.isascii()
        assert len(page.name) < 100
        assert not page.name.startswith((".", "-"))
    assert links[:3] == ["texts/a_b.html", "texts/a_b-2.html", "texts/A_B-3.html"]
    assert [p.name for p in tmp_path.iterdir()] == ["report"]


def test_the_same_names_give_the_same_files():
    assert file_stem("Livre premier: l'été") == "Livre_premier_l_ete"
    assert [file_stem(n) for n in ("LPT1", "lpt1.txt", "lpt10")] == ["_LPT1", "_lpt1.txt", "lpt10"]


def test_a_new_report_takes_the_place_of_an_old_one_whole(tmp_path):
    place = tmp_path / "report"
    write(place, "old", "both")
    write(f"{place}/", "both", "new")
    assert held(place) == ["index.html", "texts/both.html", "texts/new.html"]
    assert [p.name for p in tmp_path.iterdir()] == ["report"]
    (tmp_path / "empty").mkdir()
    write(tmp_path / "empty", "a")
    assert held(tmp_path / "empty") == ["index.html", "texts/a.html"]


def test_what_fails_leaves_the_old_report_and_nothing_else(tmp_path):
    place = tmp_path / "report"
    write(place, "old")
    with pytest.raises(KeyboardInterrupt):
        interrupted(place, "new")
    assert held(place) == ["index.html", "texts/old.html"]
    assert [p.name for p in tmp_path.iterdir()] == ["report"]
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path / "other", "new")
    assert [p.name for p in tmp_path.iterdir()] == ["report"]


def test_the_old_report_comes_back_when_the_new_one_cannot_be_renamed(tmp_path, monkeypatch):
    place = tmp_path / "report"
    write(place, "old")
    rename = Path.rename

    def failing(self, target):
        if self.suffix == ".part":
            raise PermissionError(13, "Permission denied", str(self))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(InputError, match="report: cannot be written: Permission denied"):
        write(place, "new")
    assert held(place) == ["index.html", "texts/old.html"]
    assert [p.name for p in tmp_path.iterdir()] == ["report"]


@pytest.mark.parametrize(
    "file", ["notes.txt", "texts/data.xml", "texts/deep/a.html", "index.htm", ".hidden"]
)
def test_a_folder_that_holds_anything_else_is_refused(tmp_path, file):
    place = tmp_path / "report"
    write(place, "old")
    (place / file).parent.mkdir(exist_ok=True)
    (place / file).write_text("precious", encoding="utf-8")
    with pytest.raises(InputError, match=r"holds what is no report of ours.*name another"):
        write(place, "new")
    assert (place / file).read_text(encoding="utf-8") == "precious"
    assert (place / "texts" / "old.html").is_file()


def test_an_index_of_somebody_else_is_no_report(tmp_path):
    write(tmp_path / "site", "a", index="<h1>My pages</h1>")
    with pytest.raises(InputError, match="holds what is no report"):
        check_folder(tmp_path / "site")


def test_files_links_and_the_folder_one_is_in_are_refused(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="file: is a file"):
        check_folder(tmp_path / "file")
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real", target_is_directory=True)
    with pytest.raises(InputError, match="link: is a link"):
        check_folder(tmp_path / "link")
    (tmp_path / "here" / "in").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here" / "in")
    for place in (".", "..", tmp_path / "here"):
        with pytest.raises(InputError, match="is the folder you are in"):
            check_folder(place)
    with pytest.raises(InputError, match="cannot be written"):
        write(tmp_path / "file" / "report", "a")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_that_may_not_be_written_to_is_named(tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(InputError, match="locked/report: cannot be written: Permission denied"):
        write(tmp_path / "locked" / "report", "a")
