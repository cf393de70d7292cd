r"""Tokens and sentences of English text as Penn treebanks have them, and text from tokens.

One token is:

- a word, with its inner hyphens, apostrophes, full stops and `&`: `417-foot-tall`, `O'Reilly`,
  `Metro.us`, `S&M`; at its end, clitics are tokens by themselves: `do|n't`, `John|'s`, `we|'ll`
  (straight or curly apostrophe), and so are the parts of `can|not`, `gon|na` and the like;
- an abbreviation with its full stop: `Mr.`, `U.S.`, `p.m.`, `J.` before a name. What may also end
  a sentence (`no.`, `fig.`, a letter) keeps the stop only before what it abbreviates. At the end
  of a text an abbreviation keeps its stop, and no second one is made up;
- a number with its inner marks: `1,000`, `5:54`, `9/11`, `-3.5`, `26th`; `$` and `%` stand apart,
  and so do `a.m.` and `p.m.` (`5:47|p.m.`);
- an ellipsis, a dash of any length, a URL, an e-mail address, `@name`, `#name`;
- any other character, together with marks that combine with it; a flag, and joined pictures, are
  one. Marks of any script belong to their word.

Forms are as written: quotes are not turned round, and brackets stay brackets. Text that spells them
as Penn treebanks do keeps them so (two backticks, two apostrophes, `-LRB-`). Between tokens is
nothing but white space, and U+200B and U+FEFF, which count as such; so tokens can be matched with
the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from unicodedata import category

from bitext.errors import InputError, check_list, check_type
from bitext.syntax.penn import BRACKETS

PARTING = {0x200B: " ", 0xFEFF: " "}  # not seen, no white space to `re`, and part words

_GAP = r"\s" + "".join(map(chr, PARTING))  # what parts tokens
# Characters that combine with the one before, and invisible ones: soft hyphens, joiners, tags.
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
_MOST_CLITICS = 3  # clitics of one word, as in `shouldn't've`; set by hand
_APOSTROPHES = frozenset("'’`´")
# Two words written as one, and the length of the first.
_CONTRACTED = {
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
    | (?<=[^{_GAP}])['’](?:s|m|d|re|ve|ll)\b                          # 's after a mark
    | (?<![\w.)\]])[-−+]?(?:(?<!["'”’%])\.)?\d+
      (?:[.,:/]\d+)*{in_word}*(?:{_HYPHEN}{in_word}+)*
    | (?<!\w)(?:U\.?S|AU?|CA?|HK|NT|NZ|R|S)\$(?=\s?\.?\d)
    | {_LETTER}{in_word}*
      (?:(?:{_HYPHEN}|['’&]|[`´](?=(?:t|s|m|d|re|ve|ll)\b)|\.(?=[a-z0-9])){in_word}+)*
      (?:-(?=[{_GAP}]|$))?                                           # words
    | [:;]-?[()DP](?!\w)                                       # faces
    | ([*=~_+\#/\\])\1+                                        # lines of a mark
    | ``|'' | {_BRACKET}                                           # marks as Penn spells them
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
    return [text[start:end] for start, end in token_spans(text)]


def token_spans(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each token, in characters, half-open.

    Tokens are in order, never empty, and never overlap; between them stands white space alone (or
    U+200B, U+FEFF).

    Examples
    --------
    >>> token_spans("I can't.")
    [(0, 1), (2, 4), (4, 7), (7, 8)]

    """
    check_type("the text", text, str, "a string; of several, each by itself")
    spans: list[tuple[int, int]] = []
    for match in _token().finditer(text):
        start, end = match.span()
        token = match.group()
        if not _APOSTROPHES.isdisjoint(token) or token.lower() in _CONTRACTED:
            spans.extend(_split(token, start, end))
        else:
            spans.append((start, end))
    return spans


def _split(token: str, start: int, end: int) -> list[tuple[int, int]]:
    """Part a word from its clitics, of which it may have several (`would|n't|'ve`)."""
    at = _CONTRACTED.get(token.lower().replace("’", "'"))
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


# Sentences of English text, as articles have them.
#
# A line that is empty, or holds white space alone, ends a paragraph and with it a sentence, so a
# headline needs no stop. Within a paragraph lines are joined, unless a line stops well before the
# others do, without a comma or a hyphen, and the next one starts like a sentence: then it ends
# there, too (a headline, an item of a list).
#
# A sentence ends at `.`, `?`, `!` or an ellipsis, with the quotation marks and brackets that close
# right after it (`»` after a space, too, if `«` is open), where white space follows and then
# something that does not start in lower case. Not so
#
# - after an abbreviation. Titles and what stands before names or numbers (`Mr.`, `Gen.`, `No.`)
#   never end a sentence; times of day (`p.m.`) do before a capital that is no day and no zone;
#   others, and single letters (`Inc.`, `U.S.`, `J.`), do before a word that is hardly ever a name:
#   `The`, `He`, `But`, `In`;
# - after a `?` or `!` in quotation marks when who said it follows: `"Why?" Mrs. Crane asked.`;
# - after a number or a letter that begins the sentence, as those of lists do: `1. Open the door.`

_BLANK = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_STOP = re.compile(r"[.?!…]|\.{2,}|[?!…]+|\[(?:\.{3}|…)\]")
_PENN_CLOSING = frozenset(["''", "-RRB-", "-RSB-", "-RCB-"])
_CLOSING = frozenset("\"'”’»)]}›") | _PENN_CLOSING
_OPENING = frozenset("\"'“‘«([{‹„—–-*•") | {"``", "-LRB-", "-LSB-", "-LCB-"}
_INNER = frozenset(",;:)]}%")
_QUOTES = frozenset("\"'”’»›") | {"''"}
_CHARACTERS_AHEAD = 1000  # characters that are examined for the next word
_LINE_SLACK = 15  # characters that a line may be shorter than the next word alone makes it

_LISTS = {
    "never last": """
        mr mrs ms messrs mmes mx dr prof rev hon gen col maj capt cmdr lt sgt cpl pvt adm gov sen
        rep pres supt det insp fr msgr st ste mt ft no nos vol ch pp fig figs sec eq art vs e.g
        i.e cf viz
    """,
    "after times": """
        monday tuesday wednesday thursday friday saturday sunday est edt cst cdt mst mdt pst pdt
        gmt utc bst cet eastern central mountain pacific et pt ct
    """,
    # Words of closed classes: with a capital they start a sentence, and hardly ever a name.
    "starters": """
        a about after all also although an and another any are as at because before both but by
        can did do does during each even every few following for from had has have he her here his
        how however i if in instead is it it's its many meanwhile more most much my neither no
        nobody none nor nothing now of on once one only or other our over since so some such than
        that the their them then there these they this those though three through thus to today
        two under until unlike upon was we were what when where whether which while who whose why
        will with within without would yet you your
    """,
    "saying": """
        said says asked asks added adds replied replies cried cries shouted shouts wrote writes
        told tells wondered exclaimed recalled quipped
    """,
}
_NEVER_LAST, _AFTER_TIMES, _STARTERS, _SAYING = (frozenset(t.split()) for t in _LISTS.values())
_TIMES = frozenset(["a.m", "p.m"])


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, each on one line.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    list of str
        White space within a sentence is one blank each; none for a text of white space.

    Examples
    --------
    >>> split_sentences('''Fire at grain store
    ...
    ... The port closed at 1.30 p.m. Ships had to wait. "Smoke rose
    ... early," Mrs. Crane said.''')
    ['Fire at grain store', 'The port closed at 1.30 p.m.', 'Ships had to wait.',
     '"Smoke rose early," Mrs. Crane said.']

    """
    return [
        " ".join(text[start:end].translate(PARTING).split()) for start, end in sentence_spans(text)
    ]


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each sentence, in characters, half-open.

    Sentences are in order, never empty, and never overlap; between them stands white space alone.

    Examples
    --------
    >>> sentence_spans("It burns. Help!  ")
    [(0, 9), (10, 15)]

    """
    check_type("the text", text, str, "a string; of several, each by itself")
    return [span for start, end in _blocks(text) for span in _sentences(text, start, end)]


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches that no sentence goes beyond: paragraphs, and lines that stop early."""
    begin = 0
    for gap in [*_BLANK.finditer(text), None]:
        end = len(text) if gap is None else gap.start()
        lines = [
            (begin + line.start(), begin + line.end())
            for line in re.finditer(r"[^\n]+", text[begin:end])
            if not line[0].isspace()
        ]
        width = max((stop - first for first, stop in lines), default=0)
        first = begin
        for (start, stop), (after, _) in pairwise(lines):
            if _stops_early(
                text[start:stop].rstrip(), text[after : after + _CHARACTERS_AHEAD], width
            ):
                yield first, stop
                first = after
        yield first, end
        begin = end if gap is None else gap.end()


def _stops_early(line: str, rest: str, width: int) -> bool:
    """Check whether a line ends well before the margin, and the next starts like a sentence."""
    word = (rest.split(maxsplit=1) or ["?"])[0]  # "?": nothing but white space as far as one looks
    room = width - len(line) - 1 - len(word)
    return room > _LINE_SLACK and not word[0].islower() and line[-1] not in ",;:-‐–—"


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    block = text[start:end]
    tokens = token_spans(block)
    forms = [block[lo:hi] for lo, hi in tokens]
    gaps = [a[1] < b[0] for a, b in pairwise(tokens)] + [True]
    onward = _past_opening(forms)
    first = stop = depth = 0  # depth: how many « are open in the sentence
    quoted = False
    for last, form in enumerate(forms):
        close = form in _CLOSING and (not gaps[last - 1] or _closes_late(form, depth, gaps[last]))
        if last > first and close:
            quoted |= form in _QUOTES
        else:
            stop, quoted = last, False  # no mark that closes after `stop`
        depth += (form == "«") - (form == "»")
        if last + 1 < len(forms):
            if not gaps[last] or _closes_late(forms[last + 1], depth, gaps[last + 1]):
                continue
            if not _ends(forms, first, stop, onward[last + 1], quoted=quoted):
                continue
        yield start + tokens[first][0], start + tokens[last][1]
        first, depth = last + 1, 0


def _past_opening(forms: list[str]) -> list[int]:
    """Return for each token the first from there on that opens nothing, or the last of all."""
    places = list(range(len(forms)))
    for k in range(len(forms) - 2, -1, -1):
        if forms[k] in _OPENING:
            places[k] = places[k + 1]
    return places


def _closes_late(form: str, depth: int, gap: bool) -> bool:
    """Check whether a mark with a space before it still closes a bracket or quotation.

    The mark is a `»` where `«` is open, or a closing mark of Penn treebanks, if a space (the gap)
    is after it, too.
    """
    return (form == "»" and depth > 0) or (form in _PENN_CLOSING and gap)


def _ends(forms: list[str], first: int, stop: int, after: int, *, quoted: bool) -> bool:
    """Decide whether a sentence ends at a token.

    The sentence begins with token `first`, and may end with token `stop`; `after` is the first
    token after both that is not a quotation mark, bracket or the like. `quoted` says that a
    quotation mark closes right after `stop`.
    """
    onward = forms[after]
    if onward[0].islower() or onward[0] in _INNER:
        return False
    form = forms[stop]
    if _STOP.fullmatch(form):
        if stop == first or (stop == first + 1 and form == "." and _numbers(forms[first])):
            return False
        return not (quoted and form[-1] in "?!" and _is_said(forms, after))
    if form.endswith(".") and len(form) > 1 and any(char.isalpha() for char in form):
        return _abbreviation_ends(form[:-1].lower(), onward)
    return False


def _numbers(form: str) -> bool:
    """Check whether a word can number an item of a list."""
    return len(form) <= 2 or not any(char.isalpha() for char in form)


def _abbreviation_ends(stem: str, onward: str) -> bool:
    """Decide whether an abbreviation ends the sentence before a word."""
    if stem in _NEVER_LAST or not onward[0].isupper():
        return False
    if stem in _TIMES:
        return onward.lower().rstrip(".") not in _AFTER_TIMES
    return stem == "etc" or onward.lower() in _STARTERS


def _is_said(forms: list[str], after: int) -> bool:
    """Check whether a name and a verb of saying follow."""
    name = after
    while name < min(len(forms), after + 5) and forms[name][0].isupper():
        name += 1
    return after < name < len(forms) and forms[name] in _SAYING


# From the words of a sentence back to its text: where space stands, and where it does not.
#
# The words are those of the Penn treebank and of tokenizers in its manner: `do n't`, `Milan 's`, a
# mark a word, brackets as `-LRB-` and the like, quotation marks as `` and ''. The rules are those
# of English print. What they cannot know, they take as the commoner case:
#
# - a dash of two hyphens, and a long one, has space on both sides (`2002 -- A plane`), a short dash
#   has none between figures (`10–12`, `$5–$6`), a hyphen and a slash none between words
#   (`well-known`);
# - a straight quotation mark closes if one of its kind is open, or at the end, else it opens;
# - an ellipsis stands at the word before it; `can not` is `cannot`; a full stop is not written
#   after that of an abbreviation (`at 5 p.m.`).
#
# A caller who has the source text knows more: `gaps_of` reads from it which words have space
# between them, and these gaps override the rules.

_PLAIN = {**BRACKETS, "``": '"', "''": '"', "`": "'", "\\/": "/", "\\*": "*"}
# Other spellings of a word in the text that it was taken from.
_SPELT = {'"': ("``", "''", "“", "”", "„", "«", "»"), "'": ("`",), "...": ("…",), "--": ("—",)}
_STRAIGHT = str.maketrans("’‘", "''")
_LEFT = frozenset(",.;:?!%)]}”’»…‰°™®") | {"...", "?!", "!?", "!!", "??"}
_RIGHT = frozenset("([{“‘„«¿¡")
_MONEY = frozenset("$£€¥#") | {"US$", "C$", "A$", "HK$", "NT$"}
_SHORT = re.compile(r"(?:n['’]t|['’](?:s|d|m|re|ve|ll))\Z", re.IGNORECASE)
_OPENED = re.compile(r"['’‘](?!(?:t|em|til|cause|n|round|\d)\b)\w", re.IGNORECASE)
_ENDS_IN_STOP = re.compile(r".*[^\W\d_].*\.\Z", re.DOTALL)
_JOINED_WORDS = frozenset(
    {
        *(("can", "not"), ("gon", "na"), ("got", "ta"), ("wan", "na"), ("gim", "me")),
        *(("lem", "me"), ("d'", "ye"), ("'t", "is"), ("'t", "was"), ("more", "'n")),
    }
)


def detokenize(words: Sequence[str], *, gaps: Sequence[bool | None] | None = None) -> str:
    r"""Write words as text.

    Parameters
    ----------
    words : sequence of str
        The words of one sentence.
    gaps : sequence of bool or None, optional
        For each two neighbours, whether space stands between them; None if that is not known,
        which is left to the rules.

    Raises
    ------
    InputError
        When there is not one gap for each two neighbours, or the words are one string.

    Examples
    --------
    >>> detokenize("`` I do n't , '' he said ( twice ) , `` owe $ 5 . ''".split())
    '"I don\'t," he said (twice), "owe $5."'
    >>> detokenize("Milan 's towers and the sisters ' 32-story high - rise".split())
    "Milan's towers and the sisters' 32-story high-rise"
    >>> detokenize(["high", "-", "rise"], gaps=[True, True])
    'high - rise'

    """
    check_list("the words", words, "a list of words, as words.split()")
    known = [None] * max(len(words) - 1, 0) if gaps is None else list(gaps)
    if len(known) != max(len(words) - 1, 0):
        raise InputError(
            f"{len(known)} gaps for {len(words)} words: want one for each two neighbours"
        )
    around = [None, *known, None]
    opens = _opening(words, around)
    parts: list[str] = []
    for place, word in enumerate(words):
        if (
            place
            and word == "."
            and around[place] is None
            and _ENDS_IN_STOP.match(words[place - 1])
        ):
            continue
        space = around[place]
        if place and space is None:
            space = _spaced(words, place, opens)
        parts.append(f"{' ' if space else ''}{plain(word)}")
    return "".join(parts)


def plain(word: str) -> str:
    """Return a word without the escapes of the Penn treebank: -LRB- is (, `` is a straight mark."""
    return _PLAIN.get(word, word)


def gaps_of(words: Sequence[str], text: str) -> list[bool | None]:
    """Return for each two neighbours whether space stands between them in the text.

    None stands where the text does not tell: a word is not found, something else is between, or
    the text is nothing but the words with spaces between.

    Examples
    --------
    >>> gaps_of(["well", "-", "known", ",", "is", "n't"], "Is well-known, isn't")
    [False, False, False, True, False]
    >>> gaps_of(["so", ",", "well"], "so , well")
    [None, None]

    """
    if text == " ".join(words):
        return [None] * max(len(words) - 1, 0)
    places: list[tuple[int, int] | None] = []
    at, text = 0, text.translate(_STRAIGHT).translate(PARTING)
    for word in words:
        occurrence = _next_occurrence(word, text, at)
        places.append(occurrence)
        at = occurrence[1] if occurrence else at
    gaps: list[bool | None] = []
    for left, right in pairwise(places):
        if left is None or right is None or text[left[1] : right[0]].strip():
            gaps.append(None)
        else:
            gaps.append(left[1] < right[0])
    return gaps


def _next_occurrence(word: str, text: str, at: int) -> tuple[int, int] | None:
    """Find the next occurrence of a word, in any of its spellings."""
    word = word.translate(_STRAIGHT)
    spellings = {word, plain(word), *_SPELT.get(plain(word), ())}
    while at < len(text) and text[at].isspace():
        at += 1
    matching = [spelt for spelt in spellings if text.startswith(spelt, at)]
    if matching:
        return at, at + max(map(len, matching))
    later = [(place, -len(spelt)) for spelt in spellings if (place := text.find(spelt, at)) >= 0]
    if not later:
        return None
    place, minus = min(later)
    return place, place - minus


def _opening(words: Sequence[str], around: Sequence[bool | None]) -> list[bool | None]:
    """Return of each quotation mark whether it opens; None for every other word."""
    out: list[bool | None] = [None] * len(words)
    depth = {'"': 0, "'": 0}
    for place, word in enumerate(words):
        if word in {"``", "`"}:
            out[place] = True
        elif word == "''":
            out[place] = False
        elif word in depth:
            before, after = around[place], around[place + 1]
            if before is not None and after is not None and before != after:
                out[place] = before
            elif depth[word] or place == len(words) - 1:
                out[place] = False
            else:
                out[place] = word == '"' or not _possessive(words, place)
        elif _OPENED.match(word) and not _SHORT.match(word):
            depth["'"] += 1
            continue
        if out[place] is not None:
            mark = plain(word)
            depth[mark] = max(depth[mark] + (1 if out[place] else -1), 0)
    return out


def _possessive(words: Sequence[str], place: int) -> bool:
    """Whether a straight apostrophe that nothing is open for belongs to the word before it."""
    return place > 0 and words[place - 1][-1:].casefold() in {"s", "x", "z"}


def _spaced(words: Sequence[str], place: int, opens: Sequence[bool | None]) -> bool:
    """Whether the rules want space before the word at a place."""
    left, right = plain(words[place - 1]), plain(words[place])
    if opens[place] is False or opens[place - 1] is True:
        return False
    if opens[place] is True:
        return left not in _RIGHT
    if right in _LEFT or left in _RIGHT or _SHORT.match(right):
        return False
    if left in _MONEY and right[:1].isdigit():
        return False
    if (left.casefold(), right.casefold()) in _JOINED_WORDS:
        return False
    return not (_tied(words, place) or (place > 1 and _tied(words, place - 1)))


def _tied(words: Sequence[str], place: int) -> bool:
    """Whether the mark at a place ties its neighbours together."""
    if not 0 < place < len(words) - 1:
        return False
    mark, left, right = plain(words[place]), plain(words[place - 1]), plain(words[place + 1])
    if right in _MONEY and place + 2 < len(words):
        ranged = left[-1:].isdigit() and words[place + 2][:1].isdigit()
        return ranged and mark in {"-", "–", "‐"}
    if mark in {"-", "/", "‐"}:
        return left[-1:].isalnum() and right[:1].isalnum()
    return mark == "–" and left[-1:].isdigit() and right[:1].isdigit()
