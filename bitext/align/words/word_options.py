"""How words are aligned: the options, the five published presets, and forms made alike."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

from bitext.align.words.stop_words import STOP_WORDS, is_stop_word
from bitext.align.words.word_forms import FORMS, Forms, normaliser
from bitext.errors import OptionError, nearest
from bitext.model.sentence import folded

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BORDERS", "COMMAS", "LEAVE_OUT", "PRESETS", "WordOptions", "choose"]

BORDERS = ("free", "gap")
LEAVE_OUT = ("commas", "stop-words")
COMMAS = frozenset({",", "，", "،", "、"})  # Latin, full width, Arabic, ideographic


def _is_of_strings(given: object) -> bool:
    """Tell whether something is a collection of strings, and no string itself."""
    return (
        isinstance(given, Collection)
        and not isinstance(given, str)
        and all(isinstance(item, str) for item in given)
    )


@dataclass(frozen=True, kw_only=True)
class WordOptions:
    """How words are aligned; every option that changes an alignment.

    Attributes
    ----------
    syntax : bool
        Whether words match only where part of speech, chunk, trace and position allow it, or by
        their forms alone.
    leave_out : tuple of str
        What is never aligned, and taken out before the sentences are compared: `commas` (a
        token whose form, or whose part of speech, is `,`; also the full width, the Arabic and the
        ideographic comma) and `stop-words`.
    stop_words : frozenset of str
        The stop list, casefolded.
    forms : str or callable
        When two forms are the same: `casefold`, where they differ in case at most, in the kind of
        their apostrophe, or in how Unicode composes their letters (é as one sign or as two);
        `exact`; `porter` and `snowball`, which compare the stems of English words so folded; or a
        function of a form, such as a lemmatiser.
    figure4 : bool
        Of the published method, text and figure 4 differ. False follows the text: traces weigh 1,
        and words more than 0.4 of their sentences apart do not match. True follows the figure:
        traces weigh 1/2, and words 0.4 or more apart do not match.
    borders : str
        `free`: gaps before the first words that stand together cost nothing; `gap`: they cost as
        all others.

    Raises
    ------
    OptionError
        When an option is not known, or its value is not allowed.

    """

    syntax: bool = True
    leave_out: tuple[str, ...] = LEAVE_OUT
    stop_words: frozenset[str] = STOP_WORDS
    forms: Forms = "casefold"
    figure4: bool = False
    borders: str = "free"

    def __post_init__(self) -> None:
        if not _is_of_strings(self.leave_out):
            raise OptionError(f"leave_out is {self.leave_out!r:.40}: want a tuple, as ('commas',)")
        given = set(self.leave_out)
        for name in sorted(given - set(LEAVE_OUT)):
            _refuse("leave_out", name, LEAVE_OUT)
        if not _is_of_strings(self.stop_words):
            raise OptionError(f"the stop list is {self.stop_words!r:.40}: want a set of words")
        if not callable(self.forms) and self.forms not in FORMS:
            _refuse("forms", self.forms, FORMS, "or a function")
        if self.borders not in BORDERS:
            _refuse("borders", self.borders, BORDERS)
        for name in ("syntax", "figure4"):
            if not isinstance(getattr(self, name), bool):
                raise OptionError(f"{name} is {getattr(self, name)!r}: want True or False")
        # One spelling of what means the same, so that equal options are equal.
        object.__setattr__(self, "leave_out", tuple(x for x in LEAVE_OUT if x in given))
        object.__setattr__(self, "stop_words", frozenset(map(folded, self.stop_words)))

    @property
    def weight(self) -> Fraction:
        """What a trace weighs beside the chunk."""
        return Fraction(1, 2) if self.figure4 else Fraction(1)

    @property
    def limit(self) -> Fraction:
        """How far apart in their sentences words may be; with `figure4`, just not."""
        return Fraction(2, 5)

    def too_far(self, apart: Fraction) -> bool:
        """Return whether words that far apart do not match."""
        return apart >= self.limit if self.figure4 else apart > self.limit

    def left_out(self, form: str, pos: str = "") -> str | None:
        """Return why a token is left out: `comma`, `stop word`, or None when it is not."""
        if "commas" in self.leave_out and (form in COMMAS or pos == ","):
            return "comma"
        if "stop-words" in self.leave_out and is_stop_word(form, self.stop_words):
            return "stop word"
        return None

    @property
    def normal(self) -> Callable[[str], str]:
        """The function that makes forms alike; a stemmer is made anew, so ask for it once."""
        return normaliser(self.forms)

    @property
    def signature(self) -> str:
        """The choices that change an alignment, as one string."""
        forms = getattr(self.forms, "__name__", "function") if callable(self.forms) else self.forms
        listed = "" if self.stop_words == STOP_WORDS else f"({len(self.stop_words)} of the user's)"
        left = ",".join(self.leave_out).replace("stop-words", f"stop-words{listed}") or "nothing"
        return "|".join(
            [
                "syntax" if self.syntax else "words",
                f"leave-out:{left}",
                f"forms:{forms}",
                f"borders:{self.borders}",
                *(["figure4"] if self.syntax and self.figure4 else []),
            ]
        )


PRESETS: dict[str, WordOptions] = {
    "V1": WordOptions(syntax=False, leave_out=()),
    "V2": WordOptions(syntax=False, leave_out=("commas",)),
    "V3": WordOptions(syntax=False, leave_out=("commas", "stop-words")),
    "V4": WordOptions(syntax=True, leave_out=("commas", "stop-words")),
    "V5": WordOptions(syntax=True, leave_out=("commas",)),
}


def choose(preset: str | WordOptions = "V4", **options: Any) -> WordOptions:
    """Return the options of a preset, with some of them set otherwise.

    Parameters
    ----------
    preset : str or WordOptions
        `V1` words only; `V2` words, no commas; `V3` words, no commas or stop words; `V4` syntax, no
        commas or stop words; `V5` syntax, no commas. Or options, taken as they are.
    **options
        Fields of `WordOptions`.

    Raises
    ------
    OptionError
        When the preset or an option is not known, or a value is not allowed.

    Examples
    --------
    >>> choose("V5", borders="gap").signature
    'syntax|leave-out:commas|forms:casefold|borders:gap'

    """
    if not isinstance(preset, str | WordOptions):
        raise OptionError(
            f"preset {preset!r:.40} is not known: want one of {', '.join(PRESETS)}, or WordOptions"
        )
    if isinstance(preset, str):
        if preset.upper() not in PRESETS:
            raise OptionError(f"preset {preset!r} is not known: want one of {', '.join(PRESETS)}")
        preset = PRESETS[preset.upper()]
    known = [field.name for field in fields(WordOptions)]
    for name in options:
        if name not in known:
            near = nearest(name, known)
            hint = f"did you mean {near!r}" if near else f"want one of {', '.join(known)}"
            raise OptionError(f"option {name!r} of the word aligner is not known: {hint}")
    return replace(preset, **options) if options else preset


def _refuse(name: str, value: object, allowed: tuple[str, ...], also: str = "") -> NoReturn:
    """Raise the error of a value that is none of those allowed."""
    wanted = f"{', '.join(allowed)} {also}".strip()
    raise OptionError(f"{name} is {value!r}: want one of {wanted}")
