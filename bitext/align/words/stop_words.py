"""The English stop list: words of closed classes, which carry syntax rather than content.

The presets V3 and V4 leave these words out of the alignment; they stay in the lattice. The list was
made for this package, class by class: articles and determiners, pronouns, question words,
prepositions, conjunctions, the verbs *be*, *have* and *do*, modals, and adverbs that negate or
grade. *least* is not on it: two sentences of the paper's figure 2 are joined at it. Clitics stand
as the tokenizers of the Penn Treebank write them (`n't`, `'s`). A word is on the list in whatever
case, with a straight or a curly apostrophe. Numerals are not on it, nor are words that are as often
content (*last*, *like*, *going*).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.model.sentence import folded, is_word

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["STOP_WORDS", "is_stop_word", "looks_english"]

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
    """Return whether a form is on a list of casefolded words.

    Examples
    --------
    >>> [is_stop_word(form) for form in ("The", "N’T", "tower")]
    [True, True, False]

    """
    return folded(form) in listed


def looks_english(forms: Iterable[str]) -> bool:
    """Tell whether words are English, as far as the stop list and the letters show it.

    Words mostly without a letter of ASCII are none, however few. Of others, 20 words or more are
    none if less than 15 % of them are on the stop list. Numbers and marks do not count.

    Parameters
    ----------
    forms : iterable of str
        The words of one or more sentences.

    Examples
    --------
    >>> looks_english("Le feu a pris dans le port de la ville".split())  # too few to tell
    True
    >>> looks_english("пожар в порту".split())
    False

    """
    words = [form for form in forms if is_word(form) and not form[0].isdigit()]
    latin = [form for form in words if any(sign.isascii() and sign.isalpha() for sign in form)]
    if 2 * len(latin) < len(words):
        return False
    return len(words) < _ENOUGH or sum(map(is_stop_word, words)) >= _ENGLISH * len(words)
