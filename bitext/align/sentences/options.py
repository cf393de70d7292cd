"""Methods and options of sentence alignment, and aligners from outside.

Methods from outside are aligners of other packages (entry points `bitext.aligners`), or functions.
An aligner is a function of two `Text`. It returns an `Alignment`, or beads: pairs of lists of
sentence numbers from 0, each optionally followed by a score.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from numbers import Integral, Real
from typing import Any, NamedTuple, cast

from bitext.align.sentences.bead_types import (
    DEFAULT_BEADS,
    are_unequal,
    bead_types,
    beads_for,
    length_ratio,
    may_be_abridged,
    sentence_ratio,
)
from bitext.errors import (
    AlignmentError,
    BitextError,
    InputError,
    OptionError,
    check_type,
    nearest,
)
from bitext.model import Alignment, Text
from bitext.plugins import Plugin, Plugins, fault_at

_LEAST_SENTENCES = 30  # sentences: a shorter text may have any ratio by accident


class SentenceMethod(NamedTuple):
    """A method of sentence alignment."""

    summary: str  # the evidence that it uses
    source: str  # the paper
    unit: str = "letters"  # the unit of lengths: `letters` or `words`
    poisson: bool = False  # whether lengths are Poisson
    # `words`, `vectors`: whether words, and vectors of sentences, are evidence.
    words: bool = False
    vectors: bool = False
    # The divisor of scores in posteriors. The score adds the kinds of evidence as if they were
    # independent, so posteriors would be too extreme without the divisor. Measured
    # (`scripts/bench/alignment_confidence.py`); with each set of texts left out in turn it hardly
    # changes. Paths do not depend on it.
    temper: float = 1.2


SENTENCE_METHODS = {
    "lexical": SentenceMethod(
        "lengths, marks, words that look or sound alike, and a lexicon learned from the texts",
        "after Moore 2002 and Varga et al. 2005",
        words=True,
        temper=1.5,
    ),
    "embedding": SentenceMethod(
        "lengths, marks, words, and vectors of sentences",
        "after Thompson and Koehn 2019",
        words=True,
        vectors=True,
        temper=1.5,
    ),
    "length-characters": SentenceMethod("lengths in letters", "Gale and Church 1993"),
    "length-words": SentenceMethod("lengths in words", "after Brown et al. 1991", "words"),
    "poisson": SentenceMethod(
        "lengths in words, Poisson", "Moore 2002, section 2.1", "words", poisson=True
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceOptions:
    """How sentences are aligned.

    Attributes
    ----------
    beads : str or tuple of (int, int)
        As in `bead_types`; stored as a tuple. If one text has 1.4 times the sentences of the other
        or more, types are added to the default ones (`for_texts`).
    rounds : int
        The number of times that the texts are aligned, each time with the estimates from the round
        before. 1 to 10. From 3 on, up to 5 rounds are added if words are learned and more than a
        tenth of the beads still change.
    word_weight : float
        The weight of the evidence of words: below 1, as the words of a sentence are not
        independent of each other. 0 to 2.
    mark_weight : float
        The weight of the evidence of punctuation. 0 to 2.
    time_weight : float
        The weight of the evidence of times, if both texts have times; 0 ignores times. 0 to 2.
    discount : float
        The absolute discount of the expected count of a word pair in the lexicon; higher in texts
        with many omissions (`translation_model.adjusted_discount`). 0 to 1.
    steps : int
        The steps of expectation and maximisation in each round. 1 to 20.

    Raises
    ------
    OptionError
        When a value is not allowed.

    """

    beads: str | tuple[tuple[int, int], ...] = DEFAULT_BEADS
    rounds: int = 3
    word_weight: float = 0.7
    mark_weight: float = 1.0
    time_weight: float = 1.0
    discount: float = 0.55
    steps: int = 3

    def __post_init__(self) -> None:
        object.__setattr__(self, "beads", bead_types(self.beads))
        for name, low, high in (
            ("rounds", 1, 10),
            ("word_weight", 0, 2),
            ("mark_weight", 0, 2),
            ("time_weight", 0, 2),
            ("discount", 0, 1),
            ("steps", 1, 20),
        ):
            value = getattr(self, name)
            whole = name in ("rounds", "steps")
            if not isinstance(value, Integral if whole else Real) or isinstance(value, bool):
                kind = "a whole number" if whole else "a number"
                raise OptionError(f"{name} is {value!r:.40}: want {kind}, {low} to {high}")
            if not low <= float(value) <= high:
                raise OptionError(f"{name} is {value}: want {low} to {high}")

    def for_texts(self, pairs: Iterable[tuple[Text, Text]]) -> SentenceOptions:
        """Return the options for pairs of texts, with all bead types that they may need.

        Types are added to the default ones (`beads_for`) if one text may be cut more finely than
        the other: if all texts of a side are, or one of 30 sentences or more with about the length
        of its translation.
        """
        text_pairs = list(pairs)
        sides = [list(side) for side in zip(*text_pairs, strict=True)] or [[], []]
        src, tgt = (sum(map(len, side)) for side in sides)
        ratios = [sentence_ratio(src, tgt, lambda: length_ratio(*sides))]
        ratios += (
            [len(b) / len(a) for a, b in text_pairs if _is_finer(a, b)]
            if len(text_pairs) > 1
            else []
        )
        beads = dict.fromkeys(bead for ratio in ratios for bead in beads_for(self.kinds, ratio))
        return self if len(beads) == len(self.kinds) else replace(self, beads=tuple(beads))

    @property
    def kinds(self) -> tuple[tuple[int, int], ...]:
        """The beads, as pairs of numbers."""
        return cast("tuple[tuple[int, int], ...]", self.beads)  # as `__post_init__` stores them


def _is_finer(src: Text, tgt: Text) -> bool:
    """Judge whether one of two texts of a corpus is cut more finely than the other."""
    if not len(src) or not len(tgt) or max(len(src), len(tgt)) < _LEAST_SENTENCES:
        return False
    ratio = len(tgt) / len(src)
    return are_unequal(ratio) and not may_be_abridged(ratio, length_ratio([src], [tgt]))


def choose_options(options: SentenceOptions | None, changes: dict[str, Any]) -> SentenceOptions:
    """Return the options with some changed.

    Raises `OptionError` when there is no such option, or a value is not allowed.
    """
    known = [field.name for field in fields(SentenceOptions)]
    for name in changes:
        if name not in known:
            raise OptionError(f"there is no option {name!r}{_hint(name, known)}")
    unchanged = SentenceOptions() if options is None else options
    check_type("options", unchanged, SentenceOptions, "SentenceOptions(rounds=2), or rounds=2")
    return SentenceOptions(**({name: getattr(unchanged, name) for name in known} | changes))


def named(method: str, *, further: Iterable[str] = ()) -> SentenceMethod:
    """Return the method of that name.

    Raises `OptionError` when there is none. The message names the nearest method; `further` has the
    names of more methods for it.
    """
    if method not in SENTENCE_METHODS:
        hint = _hint(method, (*SENTENCE_METHODS, *further))
        raise OptionError(f"there is no method {method!r} of sentence alignment{hint}")
    return SENTENCE_METHODS[method]


def _hint(name: str, known: Iterable[str]) -> str:
    names = list(known)
    near = nearest(name, names, cutoff=0.4)
    return f": did you mean {near!r}?" if near else f": want one of {', '.join(names)}"


@dataclass(frozen=True, slots=True)
class ExternalAligner:
    """A function that aligns two texts; its result is checked."""

    name: str  # the name in messages
    function: Callable[[Text, Text], Any]
    package: str = ""  # the package and version that a plug-in comes from; empty for a function

    @property
    def summary(self) -> str:
        """The first line of its documentation."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0] or "an aligner"

    def __call__(self, src: Text, tgt: Text) -> Alignment:
        """Align two texts.

        Raises `InputError` when the function fails, or returns no alignment of these texts.
        """
        of = f" of the package {self.package}" if self.package else ""
        subject = f"{src.name or 'the source'}: method {self.name!r}{of}"
        try:
            beads = self.function(src, tgt)
        except (BitextError, MemoryError):
            raise
        except Exception as error:
            raise InputError(f"{subject} fails: {fault_at(error)}") from error
        return checked_beads(beads, src, tgt, subject)


def checked_beads(beads: object, src: Text, tgt: Text, subject: str) -> Alignment:
    """Return beads as an alignment of two texts.

    Raises `InputError` when the value is not an alignment, or names a sentence that a text lacks.

    `beads` is an alignment, or an iterable of (src, tgt) or (src, tgt, score). Messages name the
    maker of the beads as `subject`.
    """
    if not isinstance(beads, Alignment):
        beads = _alignment(beads, subject)
    for side, rows, text in (("source", beads.src, src), ("target", beads.tgt, tgt)):
        if rows.idx.size and int(rows.idx.max()) >= len(text):
            raise InputError(
                f"{subject} names {side} sentence {int(rows.idx.max())}, counted from 0, and "
                f"the text has {len(text)}"
            )
    return beads


def _alignment(beads: object, subject: str) -> Alignment:
    expected = "want an Alignment, or pairs of lists of sentence numbers, as [([0], [0, 1])]"
    if not isinstance(beads, Iterable) or isinstance(beads, str):
        raise InputError(f"{subject} returns {beads!r:.60}: {expected}")
    try:
        rows = [tuple(bead) for bead in beads]
        scored = {len(row) for row in rows}
        if not scored <= {2, 3} or len(scored) > 1:
            raise InputError(f"{subject} returns beads of {sorted(scored)} members: {expected}")
        scores = [float(row[2]) for row in rows] if scored == {3} else None
        return Alignment([(row[0], row[1]) for row in rows], scores=scores)
    except (AlignmentError, TypeError, ValueError) as error:
        if isinstance(error, InputError) and str(error).startswith(subject):
            raise
        raise InputError(f"{subject} returns no alignment: {error}: {expected}") from error


def _plugged(plugin: Plugin, function: Any) -> ExternalAligner:
    if not callable(function):
        raise plugin.error(f"is {function!r:.60}: want a function of (src, tgt)")
    try:
        inspect.signature(function).bind(None, None)
    except (TypeError, ValueError):
        raise plugin.error("want a function that can be called as f(src, tgt)") from None
    return ExternalAligner(plugin.name, function, plugin.package)


PLUGINS: Plugins[ExternalAligner] = Plugins(
    "bitext.aligners", make=_plugged, own=lambda: (*SENTENCE_METHODS, "command")
)


def external_aligner(method: str | Callable[[Text, Text], Any]) -> ExternalAligner | None:
    """Return the aligner of a method that is a function or a plug-in; `None` for a built-in method.

    Raises `PluginError` when the plug-in of that name cannot be used, and `OptionError` when the
    value is neither a name nor a function.
    """
    if isinstance(method, str):
        return None if method in SENTENCE_METHODS else PLUGINS.get(method)
    if not callable(method):
        raise OptionError(f"method is {method!r:.60}: want a name, or a function of (src, tgt)")
    if isinstance(method, ExternalAligner):
        return method
    return ExternalAligner(str(getattr(method, "__name__", "") or "a function"), method)
