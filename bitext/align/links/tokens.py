"""Tokens of sentences for word links: given, bare of punctuation, or cut from running text.

Tokens that blanks separate are never cut where a text is tokenised. In running text punctuation is
part of the word beside; it is set aside for the statistics alone (`bare`), so that positions still
count what blanks separate, or the text is cut into words and marks (`cut`).
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal

from bitext.align.sentences.lexical.vocabulary import CLUSTER, SIGNS, UNSPACED
from bitext.model.word_links import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    Kind = Literal["tokens", "running", "unspaced"]

__all__ = ["bare", "cut", "kind_of"]

_SAMPLE = 2_000  # sentences that show how a text is written; set by hand
_STOPS = ".,。、،۔।။．，"  # marks that no script has a blank before, unless the text is tokenised
# Letters of a token of scripts without blanks: tokenised texts have 1 to 5 on average, sentences 10
# and more, but short lines, as of subtitles, fewer, with one token a line. Set by hand.
_LETTERS = 6
_SHORT_LETTERS, _SHORT_TOKENS = 2.5, 1.5
_LETTER = re.compile(f"[{UNSPACED}]")
_MARKS = rf"[^\w{SIGNS}]"
_AROUND = re.compile(rf"^{_MARKS}+|{_MARKS}+$")
_SPACED = rf"[^\W{UNSPACED}]"  # letters, digits and _ of scripts with blanks
_OUTSIDE = rf"\s<>\"«»“”、。，{UNSPACED}"  # never in an address of the web
_ADDRESS = (  # of the web, without the marks behind it, and of mail
    rf"(?:https?://|www\.)[^{_OUTSIDE}]*[^{_OUTSIDE}.,;:!?)\]}}'’…]"
    r"|\w[\w.+-]{0,63}@\w[\w-]*(?:\.\w[\w-]*)+"
)
# Emoji of several code points: flags, keycaps, and variants and joins of pictures.
_VARIANTS = "\ufe00-\ufe0f\u20e3\U0001f3fb-\U0001f3ff"
_EMOJI = (
    "[\U0001f1e6-\U0001f1ff]{2}|[0-9#*]\ufe0f?\u20e3"
    f"|[\u2190-\u2bff\U0001f000-\U0001faff][{_VARIANTS}]*(?:\u200d\\S[{_VARIANTS}]*)*"
)
_TOKEN = re.compile(
    rf"{_ADDRESS}|{_EMOJI}|"
    r"(?i:aujourd['’]hui|o['’]clock|prud['’]hom\w+)"  # words with an apostrophe that is no border
    rf"|\d+(?:[.,:٫٬]\d+)+(?!{_SPACED})|[{UNSPACED}]+"
    rf"|{_SPACED}(?:{_SPACED}|[{SIGNS}])*(?:[-‐]{_SPACED}(?:{_SPACED}|[{SIGNS}])*)*"
    r"|\.{2,}|-{2,}|\S"
)
_VOWELS = frozenset("aeiouyhàâäáãéèêëíìîïóòôöúùûüœæ")  # and h, after an elided word
_APOSTROPHES = frozenset("'’")
_IDEOGRAPHS = "\u3000"  # the first of ideographs and kana
_KANA_RUN = re.compile("[\u30a1-\u30fa\u30fc-\u30ff]+|[\u3041-\u309f]+|.", re.DOTALL)


def kind_of(sentences: Iterable[str]) -> Kind:
    """Classify sentences by how blanks divide words.

    Returns
    -------
    {"tokens", "running", "unspaced"}
        `tokens`: blanks separate words and punctuation marks; `running`: full stops and commas
        stand behind words without a blank, more often than alone; `unspaced`: there are no blanks
        between words, as in Chinese, Japanese, Thai, Lao, Khmer and Burmese.

    Examples
    --------
    >>> kind_of(["He came , and left ."]), kind_of(["He came, and left."]), kind_of(["他来了。"])
    ('tokens', 'running', 'unspaced')
    >>> kind_of(["他 来 了 。"])
    'tokens'

    """
    words = [tokens(each) for each in islice(filter(None, sentences), _SAMPLE)]
    unspaced = [[word for word in sentence if _LETTER.search(word)] for sentence in words]
    unspaced = [sentence for sentence in unspaced if sentence]
    if 2 * len(unspaced) > len(words):
        many = sum(map(len, unspaced))
        letters = len(_LETTER.findall("".join(chain.from_iterable(unspaced)))) / many
        short = letters > _SHORT_LETTERS and many / len(unspaced) < _SHORT_TOKENS
        if letters > _LETTERS or short:
            return "unspaced"
    alone = glued = 0
    for word in chain.from_iterable(words):
        if word[-1] in _STOPS:
            alone += len(word) == 1
            glued += len(word) > 1 and word[-2].isalnum()
    return "running" if glued > alone else "tokens"


def bare(token: str) -> str:
    """Return a token without the punctuation marks around it; marks alone stay.

    Examples
    --------
    >>> bare("«Haus»,"), bare("au-dessus"), bare("...")
    ('Haus', 'au-dessus', '...')

    """
    return _AROUND.sub("", token) or token


def cut(sentence: str) -> list[str]:
    """Cut running text into words, numbers and punctuation marks, without loss but of blanks.

    Words with a hyphen stay whole, and so do `aujourd'hui`, `o'clock`, addresses and emoji. Any
    other apostrophe before a vowel ends an elided word (`l'`), others begin a word (`'s`).
    Ideographs are words each, runs of kana of one kind are words, and Thai, Lao, Khmer and Burmese
    is cut into letters with their combining marks.

    Examples
    --------
    >>> cut("L'arbre d'Anna's, au-dessus: 1,700.5 m!")
    ["L'", 'arbre', "d'", 'Anna', "'s", ',', 'au-dessus', ':', '1,700.5', 'm', '!']
    >>> cut("新しいサーバー。"), cut("เมือง")
    (['新', 'しい', 'サーバー', '。'], ['เมื', 'อ', 'ง'])
    >>> cut("C'est aujourd'hui.")
    ["C'", 'est', "aujourd'hui", '.']

    """
    words: list[str] = []
    held = ""  # an apostrophe that begins the next word
    end = -1  # where the last token ends
    for match in _TOKEN.finditer(sentence):
        token, follows = match[0], match.start() == end
        end = match.end()
        if held and follows:
            token, held = held + token, ""
        elif held:
            words.append(held)
            held = ""
        if token in _APOSTROPHES and follows and words and words[-1][-1].isalpha():
            after = sentence[end : end + 1]
            if after.lower() in _VOWELS and after:
                words[-1] += token
            elif after.isalpha():
                held = token
            else:
                words.append(token)
        elif _LETTER.match(token) and len(token) > 1:
            words += _pieces(token)
        else:
            words.append(token)
    return [*words, held] if held else words


def _pieces(run: str) -> list[str]:
    """Cut a run of a script without blanks into pieces that do not overlap."""
    pieces: list[str] = (CLUSTER if run[0] < _IDEOGRAPHS else _KANA_RUN).findall(run)
    return pieces
