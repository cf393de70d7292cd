r"""Words of English text, as Penn treebanks have them, each with its place in the text.

One token is:

- a word, with its inner hyphens, apostrophes, full stops and `&`: `417-foot-tall`, `O'Reilly`,
  `Metro.us`, `S&M`; at its end, clitics are tokens by themselves: `do|n't`, `John|'s`, `we|'ll`
  (straight or curly apostrophe), and so are the parts of `can|not`, `gon|na` and the like;
- an abbreviation with its full stop: `Mr.`, `U.S.`, `p.m.`, `J.` before a name. What may also end
  a sentence (`no.`, `fig.`, a letter) keeps the stop only before what it abbreviates. At the end
  of a text an abbreviation keeps its stop, and no second one is made up;
- a number with its inner signs: `1,000`, `5:54`, `9/11`, `-3.5`, `26th`; `$` and `%` stand apart,
  and so do `a.m.` and `p.m.` (`5:47|p.m.`);
- an ellipsis, a dash of any length, a URL, an e-mail address, `@name`, `#name`;
- any other sign, together with marks that combine with it; a flag, and pictures that are joined,
  are one. Marks of any script belong to their word.

Forms are as written: quotes are not turned round, and brackets stay brackets. Text that spells
them as Penn treebanks do keeps them so (two backticks, two apostrophes, `-LRB-`). Between tokens
is nothing but white space and, which is taken for it, U+200B and U+FEFF; so text and tokens can be
held against each other.
"""

from __future__ import annotations

import re
from functools import cache
from unicodedata import category

__all__ = ["PARTING", "spans", "tokenize"]

PARTING = {0x200B: " ", 0xFEFF: " "}  # not seen, no white space to `re`, and part words

_GAP = r"\s" + "".join(map(chr, PARTING))  # what parts tokens
# What combines with the sign before it, and what is not seen: soft hyphens, joiners, tags.
_UNSEEN = r"\u00ad\u200c\u200d\u2060\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"
_LAST_MARK = 0x1F000  # beyond, Unicode 15 has none but variation selectors
_MARK_CATEGORIES = frozenset(["Mn", "Mc", "Me"])
_PICTURE = r"[\u2190-\u2bff\U0001f000-\U0001faff]"
_LETTER = r"[^\W_]"
_BRACKET = "-[LR][RSC]B-"
_HYPHEN = rf"(?!{_BRACKET})[-‐‑]"
_DOMAIN = r"(?:com|org|net|edu|gov|mil|int|info|io|co|uk|us|eu|de|fr|ca|au|nz|in|ch|at|nl|tv|me)"
# What never ends a sentence, or seldom.
_ABBREVIATED = (
    r"Mr|Mrs|Ms|Messrs|Mmes|Mx|Dr|Prof|Rev|Hon|Gen|Col|Maj|Capt|Cmdr|Lt|Sgt|"
    r"Cpl|Pvt|Adm|Gov|Sen|Rep|Pres|Supt|Det|Insp|Fr|Msgr|St|Ste|Mt|Ft|Jr|Sr|"
    r"Esq|Inc|Ltd|Corp|Co|Cos|Bros|Assn|Dept|Univ|Inst|Ave|Blvd|Rd|Hwy|Bldg|"
    r"Mfg|Jan|Feb|Apr|Aug|Sept|Sep|Oct|Nov|Dec|Ala|Ariz|Calif|Colo|Conn|Fla|"
    r"Ga|Ill|Kan|Ky|La|Md|Mich|Minn|Mo|Mont|Neb|Nev|Okla|Ore|Pa|Tenn|Tex|Va|"
    r"Vt|Wis|Wyo|vs|etc|al|approx|ca|cf|viz|ibid|eds|resp|Ph\.D|M\.Sc|B\.Sc|"
    r"M\.A"
)
# These abbreviate only before a number (the first group) or a capital or a number (the second).
_BEFORE_NUMBER = "No|Nos|no|nos|p|pp|P|Pp|fig|figs|Fig|Figs|Sec|sec|Eq|eq|Art|art|Vol|vol|Ch|ch"
_BEFORE_NAME = "Mar|Jun|Jul|Mon|Tue|Tues|Wed|Thu|Thurs|Fri|Sat|Sun|Ed|ed|Op|op|Del|Mass|Wash|Ind"
_CLITIC = re.compile(r"(?<=\w)(?:n['’`´]t|['’`´](?:s|m|d|re|ve|ll))$", re.IGNORECASE)
_MOST_CLITICS = 3
_APOSTROPHES = frozenset("'’`´")
# Two words written as one, and the length of the first.
_JOINED = {
    "cannot": 3,
    "gonna": 3,
    "gotta": 3,
    "wanna": 3,
    "lemme": 3,
    "gimme": 3,
    "'tis": 2,
    "'twas": 2,
}


def _marks() -> str:
    """Return the marks of Unicode, as ranges of a class of `re`, which has no name for them."""
    ranges: list[list[int]] = [[0xE0100, 0xE01EF]]
    for k in range(0x300, _LAST_MARK):
        if category(chr(k)) in _MARK_CATEGORIES:
            if ranges[-1][1] == k - 1:
                ranges[-1][1] = k
            else:
                ranges.append([k, k])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


@cache
def _token() -> re.Pattern[str]:
    """Classify a token; marks get their entry on first use, for there are many."""
    marks = _UNSEEN + _marks()
    in_word = rf"[\w{marks}]"
    return re.compile(
        rf"""
      (?:https?|ftp)://[^{_GAP}<>"“”]*[^{_GAP}<>"“”.,;:!?'’)\]}}]      # URLs
    | www\.[^{_GAP}<>"“”]*[^{_GAP}<>"“”.,;:!?'’)\]}}]
    | [\w.+-]{{1,64}}@(?:[\w-]{{1,63}}\.){{1,8}}[A-Za-z]{{2,24}}\b  # e-mail
    | (?:[A-Za-z0-9-]{{1,63}}\.){{1,6}}{_DOMAIN}\b
      (?:/[^{_GAP}<>"“”]*[^{_GAP}<>"“”.,;:!?'’)\]}}]|(?![\w.-]\w))     # names of hosts
    | (?<!\w)[\#@](?=[^\W\d])\w+                               # hashtags, names
    | \[(?:\.{{3}}|…)\] | \.{{2,}}… | …+ | \.{{2,}}            # ellipses
    | [-‐‑]{{2,}} | [‒–—―]+                                    # dashes
    | (?<![\w.)\]])\d+(?:[.:]\d+)*(?=[AaPp]\.[Mm]\.)            # 5:47p.m.
    | (?:(?<!\w)|(?<=\d)(?=[AaPp]\.[Mm]\.))
      (?:[A-Za-z]\.){{2,}}(?:[A-Za-z]\b(?!['’-]))?(?:-[^\W\d]\w*)*  # U.S., p.m., e.g.
    | (?<!\w)(?:{_ABBREVIATED})\.(?!\w)
    | (?<!\w)(?:{_BEFORE_NUMBER})\.(?=\s?\d)
    | (?<!\w)(?:{_BEFORE_NAME})\.(?=\s[A-Z\d])
    | (?<![\w'’])[A-Z]\.(?=\s?[A-Z][\w.])                      # initials
    | (?<!\w)['’](?:(?i:em|cause|tis|twas|til|till|n|bout|round|cos|coz)|\d\ds?)\b
    | (?<=[^{_GAP}])['’](?:s|m|d|re|ve|ll)\b                          # 's after a sign
    | (?<![\w.)\]])[-−+]?(?:(?<!["'”’%])\.)?\d+
      (?:[.,:/]\d+)*{in_word}*(?:{_HYPHEN}{in_word}+)*
    | (?<!\w)(?:U\.?S|AU?|CA?|HK|NT|NZ|R|S)\$(?=\s?\.?\d)
    | {_LETTER}{in_word}*
      (?:(?:{_HYPHEN}|['’&]|[`´](?=(?:t|s|m|d|re|ve|ll)\b)|\.(?=[a-z0-9])){in_word}+)*
      (?:-(?=[{_GAP}]|$))?                                           # words
    | [:;]-?[()DP](?!\w)                                       # faces
    | ([*=~_+\#/\\])\1+                                        # lines of a sign
    | ``|'' | {_BRACKET}                                           # signs as Penn spells them
    | [\U0001f1e6-\U0001f1ff]{{2}}                              # flags
    | [^{_GAP}][{marks}]*(?:(?<=\u200d){_PICTURE}[{marks}]*)*
    """,
        re.VERBOSE,
    )


def tokenize(text: str) -> list[str]:
    """Return the tokens of a text.

    Parameters
    ----------
    text : str
        Any text; usually one sentence, but several do no harm.

    Returns
    -------
    list of str
        The tokens as they are written; none for a text of white space.

    Examples
    --------
    >>> tokenize("Mr. O'Neil's 32-story building didn't burn at 5:54 p.m., he said.")
    ['Mr.', "O'Neil", "'s", '32-story', 'building', 'did', "n't", 'burn', 'at', '5:54', 'p.m.',
     ',', 'he', 'said', '.']
    >>> tokenize('"It cost $3.5m (up 40%)..."')
    ['"', 'It', 'cost', '$', '3.5m', '(', 'up', '40', '%', ')', '...', '"']

    """
    return [text[start:end] for start, end in spans(text)]


def spans(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each token, in characters, half-open.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    list of (int, int)
        In order, never empty, never overlapping; between them stands white space alone (or U+200B,
        U+FEFF).

    Examples
    --------
    >>> spans("I can't.")
    [(0, 1), (2, 4), (4, 7), (7, 8)]

    """
    found: list[tuple[int, int]] = []
    for match in _token().finditer(text):
        start, end = match.span()
        token = match.group()
        if not _APOSTROPHES.isdisjoint(token) or token.lower() in _JOINED:
            found.extend(_split(token, start, end))
        else:
            found.append((start, end))
    return found


def _split(token: str, start: int, end: int) -> list[tuple[int, int]]:
    """Part a word from its clitics, of which it may have several (`would|n't|'ve`)."""
    at = _JOINED.get(token.lower().replace("’", "'"))
    if at is not None:
        return [(start, start + at), (start + at, end)]
    tail: list[tuple[int, int]] = []
    for _ in range(_MOST_CLITICS):
        clitic = _CLITIC.search(token, max(0, len(token) - 4))
        if clitic is None:
            break
        tail.append((start + clitic.start(), start + len(token)))
        token = token[: clitic.start()]
    return [(start, start + len(token)), *reversed(tail)]
