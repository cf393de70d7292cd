"""States of translation: which targets count as translations, and the names of states by format.

CAT tools write targets that are not translations: a copy of the source, a proposal of a translation
memory, a rejected text. One rule applies to all formats: a target whose state marks it as
untranslated is read as not translated, and its text is a *draft*, in the columns `draft`,
`draft#2`, ... (`draft.marked` with its inline codes). Formats with states write drafts as targets
with their state. `drafts=True` (`--drafts`) reads such targets as translations.

The column `state` has the names of XLIFF, whatever the format:

| `state` | translated | XLIFF 1.2 | XLIFF 2 | SDLXLIFF `conf` | memoQ `mq:status` | others |
| --- | --- | --- | --- | --- | --- | --- |
| `new`, `initial` | no | `new` | `initial` | `Unspecified`, or none and no text \
| `NotStarted` | TTX `untranslated` |
| `needs-translation` | no | the same | `initial` | `Draft` | `PartiallyEdited`, `Pretranslated`, \
`MachineTranslated`, `AssembledFromFragments` | |
| `needs-review-translation` | no | the same | `initial` | `RejectedTranslation`, \
`RejectedSignOff` | `Rejected` | PO `fuzzy`; Phrase `m:confirmed="0"`; \
`state-qualifier` of XLIFF 1.2 `rejected-...` |
| `needs-l10n`, `needs-review-l10n` | no | the same | `initial` | | | |
| `needs-adaptation`, `needs-review-adaptation` | yes: other things than the text need it | the \
same | `translated` | | | |
| `translated` | yes | the same | `translated` | `Translated` | `ManuallyConfirmed` | Phrase \
`m:confirmed` of 1 and more |
| `signed-off`, `reviewed` | yes | `signed-off` | `reviewed` | `ApprovedTranslation` | \
`Proofread`, `Reviewer1Confirmed` | |
| `final` | yes | the same | `final` | `ApprovedSignOff` | | |

A name that XLIFF 2 lacks is written as its `subState`, `bitext:NAME`. A target without a state, or
with an unknown one, is a translation: by XLIFF 2 a missing state means `initial`, but most files
have no states at all (where other segments of the document have one, this is noted).
`approved="no"` of XLIFF 1.2 is noted, and such a target is a translation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from bitext.errors import remedy
from bitext.formats.io.source import Notes
from bitext.model import Note

FUZZY = "needs-review-translation"  # the state that PO names fuzzy
_DRAFTS = frozenset(
    {"new", "initial", "needs-translation", "needs-l10n", FUZZY, "needs-review-l10n"}
)
_PREFIX = "bitext:"
_OWN = re.compile(r"[^\s:]+")
_XLIFF12 = {"initial": "new", "reviewed": "signed-off"}
_XLIFF2 = {
    **dict.fromkeys(_DRAFTS, "initial"),
    "signed-off": "reviewed",
    "reviewed": "reviewed",
    "final": "final",
}
_ALIKE = frozenset({"new", "initial", "translated", "signed-off", "reviewed", "final"})
# The states of CAT tools, by the columns in which readers put them.
_COLUMNS = {
    "sdl:conf": {
        "Unspecified": "new",
        "Draft": "needs-translation",
        "RejectedTranslation": FUZZY,
        "RejectedSignOff": FUZZY,
        "Translated": "translated",
        "ApprovedTranslation": "signed-off",
        "ApprovedSignOff": "final",
    },
    "mq:status": {
        "NotStarted": "new",
        "PartiallyEdited": "needs-translation",
        "Pretranslated": "needs-translation",
        "MachineTranslated": "needs-translation",
        "AssembledFromFragments": "needs-translation",
        "Rejected": FUZZY,
        "ManuallyConfirmed": "translated",
        "Proofread": "signed-off",
        "Reviewer1Confirmed": "signed-off",
    },
    "m:confirmed": {"0": FUZZY, "false": FUZZY, "true": "translated"}
    | {str(level): "translated" for level in range(1, 16)},
    "Origin": {"untranslated": "new"},  # of TTX
    "state-qualifier": dict.fromkeys(
        ("rejected-grammar", "rejected-inaccurate", "rejected-length", "rejected-spelling"), FUZZY
    ),
}
STATE_COLUMNS = frozenset({"state", *_COLUMNS})  # the columns that have states
_OF_TOOLS = ("sdl:conf", "mq:status", "m:confirmed")
_BY_LOWER = {
    name: {spelling.lower(): state for spelling, state in states.items()}
    for name, states in _COLUMNS.items()
}
_OF_XLIFF = _DRAFTS | {*_XLIFF2, "translated", "needs-adaptation", "needs-review-adaptation"}

# States as tables spell them, without blanks and in lower case, beside the names above.
_SPELLED = {
    "new": "new notstarted neu",
    "initial": "initial",
    "needs-translation": "untranslated nottranslated needstranslation draft unconfirmed pending "
    "inprogress intranslation machinetranslation mt pretranslation unübersetzt nichtübersetzt "
    "entwurf nontraduit brouillon sintraducir borrador",
    FUZZY: "fuzzy needsreview needsreviewtranslation translationrejected signoffrejected "
    "abgelehnt rejeté rechazado",
    "needs-l10n": "needsl10n",
    "needs-review-l10n": "needsreviewl10n",
    "translated": "translated confirmed done complete completed übersetzt bestätigt fertig traduit "
    "traducido",
    "reviewed": "reviewed proofread überprüft geprüft",
    "signed-off": "signedoff approved translationapproved freigegeben approuvé aprobado",
    "final": "final",
}
_BY_SPELLING = {
    spelling.lower(): state
    for name in ("mq:status", "sdl:conf")
    for spelling, state in _COLUMNS[name].items()
} | {spelling: state for state, words in _SPELLED.items() for spelling in words.split()}


def spelled_state(text: str) -> str:
    """Return the state that a cell of a table names; empty for unknown words.

    Examples
    --------
    >>> [spelled_state(text) for text in ("Not Translated", "Draft (75%)", "Bestätigt", "x")]
    ['needs-translation', 'needs-translation', 'translated', '']

    """
    return _BY_SPELLING.get(re.sub(r"\([^()]*\)|[\s_-]+", "", text).lower(), "")


def state_in_columns(columns: Mapping[str, str]) -> tuple[str, str]:
    """Return the state of a unit by its columns, and its spelling in the file.

    A state that marks a draft wins; `("", "")` where no column has a state.

    Examples
    --------
    >>> state_in_columns({"id": "1", "sdl:conf": "Draft"})
    ('needs-translation', 'sdl:conf=Draft')

    """
    best = ("", "")
    state = columns.get("state")
    if state:
        best = (state, f"state={state}")
        if state in _DRAFTS:
            return best
    for name, states in _BY_LOWER.items():
        state = states.get(columns.get(name, "").lower())
        if state and (state in _DRAFTS or not best[0]):
            best = (state, f"{name}={columns[name]}")
    return best


def unknown_states() -> str:
    """Return the kind of a note on states of unknown meaning."""
    way = remedy("where 'state!=NAME'")
    return f"states of unknown meaning, read as translations ({way} leaves one out)"


def unknown_state(columns: Mapping[str, str]) -> str:
    """Return the state of a unit that has no known meaning, as it is spelled; empty for none.

    Examples
    --------
    >>> unknown_state({"mq:status": "Odd"}), unknown_state({"state": "x-odd"})
    ('mq:status=Odd', 'state=x-odd')
    >>> unknown_state({"mq:status": "pretranslated", "state": "final"})
    ''

    """
    for name in _OF_TOOLS:
        value = columns.get(name, "")
        if value and value.lower() not in _BY_LOWER[name]:
            return f"{name}={value}"
    state = columns.get("state", "")
    return f"state={state}" if state and state not in _OF_XLIFF else ""


def is_draft(state: str) -> bool:
    """Check whether a state marks a target as untranslated.

    Examples
    --------
    >>> is_draft("needs-translation"), is_draft("translated"), is_draft("")
    (True, False, False)

    """
    return state in _DRAFTS


def note_draft(notes: Notes, spelling: str, place: str, *, taken: bool) -> None:
    """Note a target whose state marks it as untranslated, and whether it was read as translated."""
    way = remedy("drafts", python="drafts=True")
    read = (
        f"read as translations ({way})"
        if taken
        else f"read as not translated, with the text in the column 'draft' ({way} reads them as "
        f"translations)"
    )
    notes.add(f"targets that are not translations by their state ({spelling}), {read}", place)


# Columns that only mark translations: of memories of Trados, which keep what a person saved as a
# draft, of TXML, of XLIFF for the output of machines, and of tasks of Prodigy. The translations are
# read as such.
_MARKED = {
    "prop:x-ConfirmationLevel": [
        spelling for spelling, state in _COLUMNS["sdl:conf"].items() if state in _DRAFTS
    ],
    "gtmt": ["true"],
    "state-qualifier": ["mt-suggestion", "leveraged-mt"],
    "answer": ["reject", "ignore"],
}
_ONLY_BESIDE = {"answer": "_task_hash"}  # what tells that a column is that of a tool, Prodigy


def doubtful_translations(columns: Mapping[str, Sequence[str | None]], path: str) -> Iterator[Note]:
    """Yield notes on translations that a file marks as drafts, or as made by a machine.

    Examples
    --------
    >>> note, = doubtful_translations({"gtmt": [None, "true"]}, "a.txml")
    >>> note.count, note.first
    (1, 'a.txml: bisegment 1')

    """
    drafts = columns.get("draft", ())  # of targets that are read as not translated
    for name in _MARKED.keys() & columns.keys():
        if _ONLY_BESIDE.get(name, name) not in columns:
            continue
        for value in filter(columns[name].count, _MARKED[name]):
            marked = (k for k, each in enumerate(columns[name]) if each == value)
            if places := [k for k in marked if not (drafts and drafts[k])]:
                way = remedy(f"where {name}!={value}")
                kind = f"translations marked {name}={value}, read as others ({way} leaves them out)"
                yield Note(kind, len(places), f"{path}: bisegment {places[0]}")


TRUE = frozenset(("true", "1", "yes", "y", "x", "fuzzy"))  # values of a column of fuzzy targets


def marked_drafts(columns: Mapping[str, Sequence[str | None]]) -> dict[tuple[str, str], list[int]]:
    """Return the bisegments that a column of states marks as drafts, by its name and the value.

    Columns of lines and objects keep their names, as `Status`, and their targets.

    Examples
    --------
    >>> marked_drafts({"Status": ["final", "Not translated"], "fuzzy": ["True", None]})
    {('Status', 'Not translated'): [1], ('fuzzy', 'True'): [0]}

    """
    found: dict[tuple[str, str], list[int]] = {}
    for name, values in columns.items():
        kind = name.lower()
        if kind not in {"state", "status", "fuzzy"}:
            continue
        for value in filter(None, dict.fromkeys(values)):
            yes = kind == "fuzzy" and value.strip().lower() in TRUE
            if yes or is_draft(spelled_state(value) or value):
                found[name, value] = [k for k, each in enumerate(values) if each == value]
    return found


def as_drafts(segments: Sequence[tuple[str, str | None]]) -> dict[str, str]:
    """Return the columns of a draft: its segments, each with its inline codes or `None`.

    Examples
    --------
    >>> as_drafts([("a b", 'a<ph x="1"/> b'), ("c", None)])
    {'draft': 'a b', 'draft.marked': 'a<ph x="1"/> b', 'draft#2': 'c'}

    """
    columns: dict[str, str] = {}
    if not any(plain or marked for plain, marked in segments):
        return columns
    for number, (plain, marked) in enumerate(segments, start=1):
        end = f"#{number}" if number > 1 else ""
        columns[f"draft{end}"] = plain
        if marked is not None:
            columns[f"draft.marked{end}"] = marked
    return columns


def take_drafts(columns: dict[str, str]) -> list[tuple[str, str | None]]:
    """Remove the segments of a draft from the columns of a bisegment; return them.

    Examples
    --------
    >>> columns = {"id": "1", "draft": "a b", "draft#2": "c"}
    >>> take_drafts(columns), columns
    ([('a b', None), ('c', None)], {'id': '1'})

    """
    segments: list[tuple[str, str | None]] = []
    end = ""
    while f"draft{end}" in columns:
        segments.append((columns.pop(f"draft{end}"), columns.pop(f"draft.marked{end}", None)))
        end = f"#{len(segments) + 1}"
    return segments


def state_of(state: str, substate: str) -> str:
    """Return the state of a target by its state and its substate in XLIFF 2.

    Examples
    --------
    >>> state_of("initial", "bitext:needs-translation"), state_of("initial", "my:own")
    ('needs-translation', 'initial')

    """
    own = substate.removeprefix(_PREFIX)
    # A tool that changed the state may have left a substate that no longer belongs to it.
    fits = own != substate and xliff2_state(own)[0] == state
    return own if fits else state


def xliff2_state(state: str) -> tuple[str, str]:
    """Return the state and the substate of XLIFF 2 for a state; empty where XLIFF 2 has none.

    Examples
    --------
    >>> xliff2_state("signed-off"), xliff2_state("needs-l10n")
    (('reviewed', ''), ('initial', 'bitext:needs-l10n'))

    """
    if not state or not _OWN.fullmatch(state):
        return "", ""
    return _XLIFF2.get(state, "translated"), "" if state in _ALIKE else f"{_PREFIX}{state}"


def xliff12_state(state: str) -> str:
    """Return the state of XLIFF 1.2 for a state of XLIFF 1.2 or 2.

    Examples
    --------
    >>> xliff12_state("initial"), xliff12_state("final")
    ('new', 'final')

    """
    return _XLIFF12.get(state, state)
