"""A folder of pages: an index, and a page for each text, linked by relative names.

The folder is written beside its place and renamed when it is complete, so that its name always has
the old report or the new one. An older report is replaced; a folder with anything else is refused.
"""

from __future__ import annotations

import os
import re
import shutil
import unicodedata
from pathlib import Path
from typing import Self
from urllib.parse import quote

from bitext.errors import InputError
from bitext.paths import aside_in, is_file, is_folder, is_there

MARK = 'data-report="bitext"'  # marks the index of a report
INDEX = "../index.html"  # its address from the page of a text

_INDEX, _TEXTS = "index.html", "texts"
_LONGEST = 80  # characters of a file name without its ending
# Names that Windows reserves for devices.
_RESERVED = {"con", "prn", "aux", "nul", *(f"{d}{k}" for d in ("com", "lpt") for k in range(1, 10))}


def file_stem(name: str) -> str:
    """Return a file name of letters, digits and `._-` that every file system accepts.

    Letters lose their accents; other characters become `_`.

    Examples
    --------
    >>> file_stem("Le Cœur/1"), file_stem("../.."), file_stem("été 2"), file_stem("Aux")
    ('Le_C_ur_1', 'text', 'ete_2', '_Aux')

    """
    ascii_name = "".join(
        c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c)
    )
    stem = re.sub(r"[^A-Za-z0-9.-]+", "_", ascii_name)[:_LONGEST].strip("._-") or "text"
    return f"_{stem}" if stem.split(".")[0].lower() in _RESERVED else stem


def names_folder(place: str) -> bool:
    """Check whether pages go to a folder, existing or new."""
    return place.endswith("/") or (place != "-" and "://" not in place and is_folder(place))


class Folder:
    """A report folder in the making, as a context: it appears when all is written, with its index.

    Parameters
    ----------
    place : path
        The folder.

    Raises
    ------
    InputError
        When the place cannot be written to, or has anything but a report.

    """

    def __init__(self, place: str | os.PathLike[str]) -> None:
        self._place = place
        self._taken: set[str] = set()

    def __enter__(self) -> Self:
        self._target = check_folder(self._place)
        self._aside = aside_in(self._target.parent)
        try:
            (self._aside / _TEXTS).mkdir(parents=True)
        except OSError as error:
            shutil.rmtree(self._aside, ignore_errors=True)
            raise _refused(self._place, error) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                _publish(self._aside, self._target)
        except OSError as error:
            raise _refused(self._place, error) from None
        finally:
            shutil.rmtree(self._aside, ignore_errors=True)

    def add(self, name: str, html: str) -> str:
        """Write the page of a text; return its address from the index.

        Names that become equal, ignoring case, are numbered.
        """
        stem, number = file_stem(name), 1
        file = f"{stem}.html"
        while file.lower() in self._taken:
            number += 1
            file = f"{stem}-{number}.html"
        self._taken.add(file.lower())
        self._write(f"{_TEXTS}/{file}", html)
        return f"{_TEXTS}/{quote(file)}"

    def finish(self, html: str) -> None:
        """Write the index, whose HTML must have `MARK`."""
        self._write(_INDEX, html)

    def _write(self, name: str, html: str) -> None:
        try:
            (self._aside / name).write_text(html, encoding="utf-8", newline="\n")
        except OSError as error:
            raise _refused(self._place, error) from None


def check_folder(place: str | os.PathLike[str]) -> Path:
    """Check the place of a report and return it; also for checks before long work.

    Raises `InputError` when the place is a link, a file, the current folder, or has anything but a
    report.
    """
    target = Path(os.path.abspath(place))  # noqa: PTH100 - a link stays a link
    try:
        if target.is_symlink():
            raise InputError(f"{place}: is a link, and links are not replaced; name a folder")
        if Path.cwd().is_relative_to(target):
            raise InputError(f"{place}: is the folder you are in; name one of its own")
        if not is_there(target):
            return target
        if not is_folder(target):
            raise InputError(f"{place}: is a file; name a folder, or delete it")
        if not _is_report(target):
            raise InputError(
                f"{place}: holds what is no report of ours, and would be replaced; name another "
                f"folder"
            )
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise _refused(place, error) from None
    return target


def _is_report(folder: Path) -> bool:
    """Check whether a folder is empty, or holds a report and nothing else."""
    names = {path.name for path in folder.iterdir()}
    if not names:
        return True
    texts = folder / _TEXTS
    if names != {_INDEX, _TEXTS} or not is_folder(texts) or texts.is_symlink():
        return False
    if any(path.suffix != ".html" or not is_file(path) for path in texts.iterdir()):
        return False
    return MARK in (folder / _INDEX).read_text(encoding="utf-8", errors="replace")


def _publish(staged: Path, target: Path) -> None:
    if not is_there(target):
        staged.rename(target)
        return
    old = staged.with_suffix(".old")
    target.rename(old)
    try:
        staged.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _refused(place: str | os.PathLike[str], error: OSError | ValueError) -> InputError:
    reason = getattr(error, "strerror", None) or error
    return InputError(f"{place}: cannot be written: {reason}; name another folder")
