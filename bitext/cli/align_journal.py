"""The files beside the journal of `bitext align`, and whether they are of this run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.errors import InputError
from bitext.paths import is_file, is_there, refuse_writing_to

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PASSES", "forget", "lessons_of", "lexicon_of", "refuse_other", "refuse_taken"]

PASSES = 3  # over the sample: without a lexicon first, then with what was learned by then


def lessons_of(journal: str, number: int) -> str:
    """Return the journal of a pass over the sample, counted from 1."""
    return f"{journal}.lessons-{number}"


def lexicon_of(journal: str, number: int = PASSES) -> str:
    """Return the file of what a pass taught; default: the last, which texts are aligned with."""
    return f"{journal}.lexicon" if number == PASSES else f"{journal}.lexicon-{number}"


def refuse_taken(journal: str) -> None:
    """Refuse a journal beside which there are links, or files that no run of it wrote.

    Raises
    ------
    InputError
        When what is learned would be written over such a file.

    """
    for name in (lexicon_of(journal), *_passing(journal)):
        refuse_writing_to(name)
    if _is_begun(journal) or _is_begun(lessons_of(journal, 1)):
        return
    for name in (lexicon_of(journal, k) for k in range(1, PASSES + 1)):
        if is_there(name):
            raise InputError(
                f"{name}: is there, but no journal {journal} that it belongs to, and what is "
                f"learned would be written over it; name another --journal, or delete it, too, if "
                f"it is left of a run"
            )


def refuse_other(journal: str, run: dict[str, Any], *, but: str = "") -> None:
    """Refuse a journal of another run before the work, so far as it is known what is run.

    Parameters
    ----------
    journal : str
    run : dict
        What is run, or a part of it.
    but : str, optional
        What of it is not known yet.

    Raises
    ------
    FormatError, InputError
        When the file is no journal, or is that of another run.

    """
    if not _is_begun(journal):
        return
    from bitext.jobs.journal_reader import refuse_difference, run_of

    held = run_of(journal)
    if held is not None:
        wanted = {key: value for key, value in run.items() if key != but}
        refuse_difference(
            journal,
            {"run": {key: value for key, value in held.items() if key in wanted}},
            {"run": json.loads(json.dumps(wanted))},
        )


def forget(journal: str) -> None:
    """Take away what was learned from: what was learned is written."""
    for name in _passing(journal):
        Path(name).unlink(missing_ok=True)


def _passing(journal: str) -> Iterator[str]:
    for number in range(1, PASSES + 1):
        yield lessons_of(journal, number)
        if number < PASSES:
            yield lexicon_of(journal, number)


def _is_begun(journal: str) -> bool:
    path = Path(journal)
    return is_file(path) and path.stat().st_size > 0
