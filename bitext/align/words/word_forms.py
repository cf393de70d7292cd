"""When the forms of two words are the same: as they are, folded, stemmed, or as a user says."""

from __future__ import annotations

from collections.abc import Callable

from bitext.errors import OptionError
from bitext.model.sentence import folded

__all__ = ["FORMS", "Forms", "normaliser"]

Forms = str | Callable[[str], str]

FORMS = ("casefold", "exact", "porter", "snowball")


def normaliser(forms: Forms) -> Callable[[str], str]:
    """Return the function that makes forms alike.

    Parameters
    ----------
    forms : str or callable
        One of `FORMS`: `casefold` folds forms; `exact` leaves them; `porter` and `snowball` stem
        what is folded. Or a function of a form.

    Returns
    -------
    callable
        A stemmer is made anew, so ask for it once. A user's function raises `OptionError` where it
        makes no string.

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
    """Return a user's function of forms, with what it returns looked at."""

    def normal(form: str) -> str:
        made = function(form)
        if not isinstance(made, str):
            raise OptionError(
                f"forms: the function makes {made!r:.40} of {form!r:.40}: want a string"
            )
        return made

    return normal


def _stemmer(name: str) -> Callable[[str], str]:
    if name == "porter":
        from nltk.stem.porter import PorterStemmer

        stem: Callable[[str], str] = PorterStemmer().stem
    else:
        from nltk.stem.snowball import SnowballStemmer

        stem = SnowballStemmer("english").stem
    return lambda form: stem(folded(form))
