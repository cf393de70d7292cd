"""The texts of a corpus: each is found by its name, in a folder or by a pattern.

They are named beside the alignments, where these hold positions or ids only.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.formats.places import files_at, is_folder_at, is_place, join
from bitext.paths import files_in, is_folder, may_be_there
from bitext.remedies import remedy

if TYPE_CHECKING:
    from bitext.formats.corpus import Corpus

__all__ = ["find_text", "refuse_lone_text"]


def find_text(value: str | None, name: str, *, option: str) -> str | None:
    """Return the file of the text of a name: a file, a folder to look in, or a pattern `{name}`.

    Parameters
    ----------
    value : str or None
        What was given for the texts of a side.
    name : str
        The name.
    option : str
        What it was given for, as `src`.

    Raises
    ------
    InputError
        When a folder has no file of that name, or several.

    """
    if value is None:
        return None
    if "{name}" in value:
        return value.replace("{name}", name)
    if not is_folder_at(value):
        if "{" in value and not is_place(value) and not may_be_there(value):
            raise InputError(
                f"{remedy(f'{option} {value}')}: no such file; a pattern holds {{name}}"
            )
        return value
    found = _siblings(value, name)
    if len(found) == 1:
        return found[0]
    if not found:
        pattern = remedy(f"{option} '{value.rstrip('/')}/{{name}}.txt'")
        raise InputError(
            f"{value}: has no text named {name!r} for {remedy(option)}; a pattern says where they "
            f"are, as {pattern}"
        )
    names = [Path(each).name for each in found]
    pattern = remedy(f"{option} '{value.rstrip('/')}/{{name}}{Path(names[0]).suffix}'")
    raise InputError(
        f"{value}: {names[0]} and {names[1]} could both be {name!r} for {remedy(option)}; "
        f"a pattern tells, as {pattern}"
    )


def refuse_lone_text(corpus: Corpus, value: str | None, *, option: str) -> None:
    """Refuse one file as the text of several names, which would give each that of another.

    Parameters as of `find_text`.

    Raises
    ------
    InputError
        With the remedy; a manifest can say that it is so.

    """
    if value is None or "{name}" in value or is_folder_at(value):
        return
    if not is_place(value) and not may_be_there(value):
        return  # which reading tells
    side = option.rpartition("-")[2]
    count = sum(getattr(entry, side) is None for entry in corpus.entries.values())
    if count > 1:
        raise InputError(
            f"{remedy(f'{option} {value}')}: is one file, and {corpus.path} has {count:,} texts; "
            f"give a folder, a pattern with {{name}}, or a manifest that names it for each ({side})"
        )


def _siblings(folder: str, name: str) -> list[str]:
    """Return the files of a folder that have a name, with whatever ending."""
    if is_place(folder):
        within, _, last = name.rpartition("/")
        beside = files_at(join(folder, within) if within else folder)
        named = [(inside, file) for inside, file in beside if "/" not in inside]
        return [file for inside, file in named if inside == last or inside.startswith(f"{last}.")]
    wanted = Path(folder) / name
    if not is_folder(wanted.parent):
        return []
    here = files_in(wanted.parent)
    return [str(p) for p in here if p.name == wanted.name or p.name.startswith(f"{wanted.name}.")]
