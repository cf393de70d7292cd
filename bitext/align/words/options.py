"""Options of word alignment, the five published presets, and the normalisation of forms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from math import isfinite
from numbers import Rational, Real
from typing import Any, NoReturn

from bitext.errors import OptionError, nearest, remedy
from bitext.model.sentence import folded, is_word

# The English stop list: words of closed classes, which carry syntax rather than content.
#
# The presets V3 and V4 leave these words out of the alignment; they stay in the lattice. The list
# was made for this package, class by class: articles and determiners, pronouns, question words,
# prepositions, conjunctions, the verbs *be*, *have* and *do*, modals, and adverbs that negate or
# grade. *least* is not on it: two sentences of the paper's figure 2 are joined at it. Clitics
# stand as the tokenizers of the Penn Treebank write them (`n't`, `'s`). A word is on the list in
# whatever case, with a straight or a curly apostrophe. Numerals are not on it, nor are words that
# are as often content (*last*, *like*, *going*).

# Three sentences were drawn from novels, 2,000 times: of English ones 32 % of the words or more are
# on the list, of German ones 20 % at most, and 12 % or less in 99 draws of 100.
_ENGLISH, _ENOUGH = 0.15, 20

_CLASSES = {
    "articles and determiners": """
        a an the this that these those each every either neither some any no all both half such
        another other others own same few many much more most several less enough""",
    "pronouns": """
        i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his
        himself she her hers herself it its itself they them their theirs themselves one oneself
        someone somebody something anyone anybody anything everyone everybody everything nobody
        nothing none there here""",
    "question words": """
        who whom whose which what when where why how whoever whomever whichever whatever whenever
        wherever""",
    "prepositions": """
        of in on at by for from to with without within into onto upon about above below under over
        between among through during before after against toward towards across along around
        behind beside besides beyond near off out up down until till since as than per via despite
        except""",
    "conjunctions": """
        and or but nor so yet if because although though while whereas unless whether""",
    "be, have and do": """
        be am is are was were been being have has had having do does did doing done""",
    "modals": """
        will would shall should can could may might must ought cannot""",
    "adverbs": """
        not n't never only just also too very quite rather then thus hence therefore however again
        once ever even still already""",
    "clitics": """
        's 're 've 'll 'd 'm 't ' ca wo""",
}

STOP_WORDS: frozenset[str] = frozenset(
    word for words in _CLASSES.values() for word in words.split()
)


def is_stop_word(form: str, listed: frozenset[str] = STOP_WORDS) -> bool:
    """Check whether a form is on a list of casefolded words.

    Examples
    --------
    >>> [is_stop_word(form) for form in ("The", "N’T", "tower")]
    [True, True, False]

    """
    return folded(form) in listed


def looks_english(forms: Iterable[str]) -> bool:
    """Guess whether words are English, by the stop list and their letters.

    Words are not English if most of them have no ASCII letter, or if there are 20 or more of them
    and less than 15 % are on the stop list. Numbers and punctuation are ignored.

    Examples
    --------
    >>> looks_english("Le feu a pris dans le port de la ville".split())  # too few to decide
    True
    >>> looks_english("пожар в порту".split())
    False

    """
    words = [form for form in forms if is_word(form) and not form[0].isdigit()]
    latin = [form for form in words if any(c.isascii() and c.isalpha() for c in form)]
    if 2 * len(latin) < len(words):
        return False
    return len(words) < _ENOUGH or sum(map(is_stop_word, words)) >= _ENGLISH * len(words)


# Normalisation of forms: none, folding, stemming, or a function of the user.

Forms = str | Callable[[str], str]

FORMS = ("casefold", "exact", "porter", "snowball")


def normaliser(forms: Forms) -> Callable[[str], str]:
    """Return the function that normalises forms before they are compared.

    `casefold` folds forms, `exact` returns them unchanged, `porter` and `snowball` stem folded
    forms; each call makes a new stemmer. A function of the user raises `OptionError` if its result
    is not a string.

    Examples
    --------
    >>> [normaliser(name)("Burning") for name in ("casefold", "exact", "porter")]
    ['burning', 'Burning', 'burn']

    """
    if callable(forms):
        return _checked(forms)
    if forms in {"porter", "snowball"}:
        return _stemmer(forms)
    return folded if forms == "casefold" else str


def _checked(function: Callable[[str], str]) -> Callable[[str], str]:
    """Wrap a user's function of forms with a check of its results."""

    def normal(form: str) -> str:
        normalised = function(form)
        if not isinstance(normalised, str):
            raise OptionError(
                f"forms: the function makes {normalised!r:.40} of {form!r:.40}: want a string"
            )
        return normalised

    return normal


def _stemmer(name: str) -> Callable[[str], str]:
    if name == "porter":
        from nltk.stem.porter import PorterStemmer

        stem: Callable[[str], str] = PorterStemmer().stem
    else:
        from nltk.stem.snowball import SnowballStemmer

        stem = SnowballStemmer("english").stem
    return lambda form: stem(folded(form))


BORDERS = ("free", "gap")
Number = Fraction | int | float | str

# Largest denominator of a weight, distance or threshold: the sums of the scores of traces of a
# thousand elements then fit 64 bits; set by hand
_MOST_DENOMINATOR = 10_000
_MOST_WEIGHT = 1000  # largest weight and threshold; set by hand, for the same reason
LEAVE_OUT = ("commas", "stop-words")
COMMAS = frozenset({",", "，", "،", "、"})  # Latin, full width, Arabic, ideographic


def _fraction(name: str, given: object, least: int, most: int) -> Fraction:
    """Return a number as a fraction; check its range."""
    shown = str(given) if isinstance(given, Rational) else repr(given)
    option = remedy(name.replace("_", "-"), python=name)
    message = f"{option} is {shown:.40}: want a number from {least} to {most}"
    if isinstance(given, bool) or not isinstance(given, Rational | Real | str):
        raise OptionError(message)
    if isinstance(given, Real) and not isfinite(given):
        raise OptionError(message)
    try:
        exact = Fraction(given if isinstance(given, Rational) else str(given))
    except (ValueError, ZeroDivisionError):
        raise OptionError(message) from None
    if not least <= exact <= most:
        raise OptionError(message)
    return exact.limit_denominator(_MOST_DENOMINATOR)


def _is_of_strings(given: object) -> bool:
    """Check for a collection of strings other than a string."""
    return (
        isinstance(given, Collection)
        and not isinstance(given, str)
        and all(isinstance(item, str) for item in given)
    )


@dataclass(frozen=True, kw_only=True)
class WordOptions:
    """Options of word alignment: every option that changes an alignment.

    Attributes
    ----------
    syntax : bool
        Whether words match only where part of speech, chunk, trace and position allow it, or by
        their forms alone.
    leave_out : tuple of str
        The classes of tokens that are never aligned, and are removed before the sentences are
        compared: `commas` (a token whose form or part of speech is `,`; also the full width, the
        Arabic and the ideographic comma) and `stop-words`.
    left_out_gaps : bool
        Whether left-out tokens stay in the sentences that are compared, each against a gap; by
        default they cost nothing. Sentences with many of them are then less similar, and words
        with different numbers of them between are less often aligned.
    stop_words : frozenset of str
        The stop list, casefolded.
    forms : str or callable
        The normalisation of forms: `casefold` ignores case, the kind of apostrophe and the Unicode
        composition of letters (é as one or two code points); `exact` compares forms as they are;
        `porter` and `snowball` compare the stems of folded English words; or a
        function of a form, such as a lemmatiser.
    figure4 : bool
        The text and figure 4 of the paper differ. False follows the text: traces weigh 1,
        and words more than 0.4 of their sentences apart do not match. True follows the figure:
        traces weigh 1/2, and words 0.4 or more apart do not match.
    borders : str
        `free`: gaps before the first aligned pair cost nothing; `gap`: they cost as much as others.
    trace_weight : Fraction or None
        The weight of traces in the score of two words, where chunks weigh 1; from 0 to 1000. None:
        1, or 1/2 with `figure4`.
    max_distance : Fraction or None
        The distance of the relative positions of two words up to which they may match (below which,
        with `figure4`); from 0 to 1, where 1 excludes no words. None: 2/5.
    match_threshold : Fraction
        The score of two words from which on they match; from -1000 to 1000.

    Raises
    ------
    OptionError
        When an option is not known, or its value is not allowed.

    Notes
    -----
    Numbers may be fractions, integers, floats or strings (`"1/3"`, `"0.4"`), and become the nearest
    fractions with denominators up to 10,000: 0.4 is 2/5 exactly.

    """

    syntax: bool = True
    leave_out: tuple[str, ...] = LEAVE_OUT
    left_out_gaps: bool = False
    stop_words: frozenset[str] = STOP_WORDS
    forms: Forms = "casefold"
    figure4: bool = False
    borders: str = "free"
    trace_weight: Number | None = None
    max_distance: Number | None = None
    match_threshold: Number = Fraction(0)

    def __post_init__(self) -> None:
        if not _is_of_strings(self.leave_out):
            raise OptionError(f"leave_out is {self.leave_out!r:.40}: want a tuple, as ('commas',)")
        left_out = set(self.leave_out)
        for name in sorted(left_out - set(LEAVE_OUT)):
            _refuse("leave_out", name, LEAVE_OUT)
        if not _is_of_strings(self.stop_words):
            raise OptionError(f"the stop list is {self.stop_words!r:.40}: want a set of words")
        if not callable(self.forms) and self.forms not in FORMS:
            _refuse("forms", self.forms, FORMS, "or a function")
        if self.borders not in BORDERS:
            _refuse("borders", self.borders, BORDERS)
        for name in ("syntax", "figure4", "left_out_gaps"):
            if not isinstance(getattr(self, name), bool):
                raise OptionError(f"{name} is {getattr(self, name)!r}: want True or False")
        # One canonical value, so that equivalent options compare equal.
        for name, least, most in (
            ("trace_weight", 0, _MOST_WEIGHT),
            ("max_distance", 0, 1),
            ("match_threshold", -_MOST_WEIGHT, _MOST_WEIGHT),
        ):
            given_number = getattr(self, name)
            if given_number is not None or name == "match_threshold":
                object.__setattr__(self, name, _fraction(name, given_number, least, most))
        object.__setattr__(self, "leave_out", tuple(x for x in LEAVE_OUT if x in left_out))
        object.__setattr__(self, "stop_words", frozenset(map(folded, self.stop_words)))

    @property
    def weight(self) -> Fraction:
        """The weight of traces, where chunks weigh 1."""
        if self.trace_weight is not None:
            return Fraction(self.trace_weight)
        return Fraction(1, 2) if self.figure4 else Fraction(1)

    @property
    def limit(self) -> Fraction:
        """The distance of positions up to which words may match; below which, with `figure4`."""
        return Fraction(2, 5) if self.max_distance is None else Fraction(self.max_distance)

    def too_far(self, apart: Fraction) -> bool:
        """Check whether the distance of two words rules out a match."""
        return apart >= self.limit if self.figure4 else apart > self.limit

    def left_out(self, form: str, pos: str = "") -> str | None:
        """Return the reason to leave out a token, `comma` or `stop word`, or None."""
        if "commas" in self.leave_out and (form in COMMAS or pos == ","):
            return "comma"
        if "stop-words" in self.leave_out and is_stop_word(form, self.stop_words):
            return "stop word"
        return None

    @property
    def normal(self) -> Callable[[str], str]:
        """The function that normalises forms; each access makes a new stemmer."""
        return normaliser(self.forms)

    @property
    def signature(self) -> str:
        """The choices that change an alignment, as one string."""
        forms = getattr(self.forms, "__name__", "function") if callable(self.forms) else self.forms
        listed = "" if self.stop_words == STOP_WORDS else f"({len(self.stop_words)} of the user's)"
        left = ",".join(self.leave_out).replace("stop-words", f"stop-words{listed}") or "nothing"
        gaps = "(gaps)" if self.left_out_gaps and self.leave_out else ""
        matching = {
            "figure4": self.figure4,
            f"trace-weight:{self.trace_weight}": self.trace_weight is not None,
            f"max-distance:{self.max_distance}": self.max_distance is not None,
            f"match-threshold:{self.match_threshold}": self.match_threshold != 0,
        }
        return "|".join(
            [
                "syntax" if self.syntax else "words",
                f"leave-out:{left}{gaps}",
                f"forms:{forms}",
                f"borders:{self.borders}",
                *(name for name, differs in matching.items() if self.syntax and differs),
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

    - `V1`: words only
    - `V2`: words, no commas
    - `V3`: words, no commas or stop words
    - `V4`: syntax, no commas or stop words
    - `V5`: syntax, no commas

    `WordOptions` in place of a preset are taken as they are; `options` are fields of them. Raises
    `OptionError` when the preset or an option is not known, or a value is not allowed.

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
    """Raise the error for a value that is not allowed."""
    choices = f"{', '.join(allowed)} {also}".strip()
    raise OptionError(f"{name} is {value!r}: want one of {choices}")
