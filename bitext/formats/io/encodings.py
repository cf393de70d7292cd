"""Encodings of texts: names of encodings are checked, and encodings detected from first bytes."""

from __future__ import annotations

import codecs
from collections import Counter
from itertools import combinations, pairwise

from bitext.errors import OptionError, remedy
from bitext.lazy import late_pattern

_BOMS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}

# Byte order without a mark, as on Windows; Python uses that of the machine, or refuses the text.
_UNMARKED = {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}
_LATIN_NAME = late_pattern(r"(?i)\blatin[-_ ](\d{1,2})\Z")  # Python knows `latin2`, not `latin-2`
_NOT_OF_TEXTS = {"utf-7", "idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"}
_SIDES = ("src", "tgt")
# Set by hand, as the other thresholds here: letters of other encodings hardly ever form five
# valid sequences of UTF-8.
_FEWEST = 5  # non-ASCII letters that are evidence for UTF-8
_MIN_SHARE = 0.8  # least share of non-ASCII bytes in valid sequences, for text that is UTF-8 twice
_OF_UTF_8 = late_pattern(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
# The first bytes of such sequences (U+00C2 to U+00F4 before another letter), read as Latin-1 or
# Windows-1252 and written as UTF-8: cheap to count.
_LATIN_LEADS = late_pattern(rb"\xc3[\x82-\xb4](?=[\xc2-\xf4])")
# Letters of Windows-1252 at the codes where Latin-1 has control characters.
_WINDOWS = {
    ord(bytes([byte]).decode("cp1252")): byte
    for byte in range(0x80, 0xA0)
    if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
# Pages of Windows for the languages of each page of ISO 8859.
_PAGES = {
    "iso8859-1": "cp1252",
    "iso8859-2": "cp1250",
    "iso8859-5": "cp1251",
    "iso8859-6": "cp1256",
    "iso8859-7": "cp1253",
    "iso8859-8": "cp1255",
    "iso8859-9": "cp1254",
    "iso8859-13": "cp1257",
    "iso8859-15": "cp1252",
}
_WESTERN = frozenset(("iso8859-1", "iso8859-15", "cp1252"))
CYRILLIC = ("cp1251", "koi8-r", "iso8859-5", "cp866", "mac-cyrillic")
# The letters of KOI8-U (є і ї ґ) within words, which in KOI8-R are lines of frames.
_UKRAINIAN = late_pattern(
    rb"[\xc0-\xff][\xa4\xa6\xa7\xad\xb4\xb6\xb7\xbd]|[\xa4\xa6\xa7\xad\xb4\xb6\xb7\xbd][\xc0-\xff]"
)
# Lines of frames in both; words in frames of KOI8-R look like Ukrainian ones.
_FRAMES = late_pattern(rb"[\x80-\x8a\xa0-\xa2\xa5\xa8-\xac\xaf-\xb2\xb5\xb8-\xbc\xbe]")
# The letters і and ї of CP1125 after consonants, and ї before letters: in CP866 these are ў, which
# stands after vowels alone, and a bullet.
_UKRAINIAN_DOS = late_pattern(
    rb"[\xa1-\xa4\xa6\xa7\xaa-\xad\xaf\xe0-\xe2\xe4-\xe8][\xf7\xf9]|\xf9[\xa0-\xaf\xe0-\xef]"
)
_FREQUENT = frozenset("оаеинтсрвл")  # more than half of the letters of texts in Cyrillic script
# Pages of languages in Latin script, of which the first that fits is taken; those of DOS and of
# Macintosh are what spreadsheets write as CSV.
_LATIN = ("cp1252", "cp1250", "iso8859-2", "cp1254", "cp1257", "mac-roman", "cp850", "cp852")
_COMPARED = frozenset((*_WESTERN, *CYRILLIC, *_LATIN, "iso8859-9", "iso8859-13"))
# The letters beyond ASCII of languages in Latin script.
_ALPHABETS = """
German:äöüß French:àâæçèéêëîïôœùûüÿ Spanish:áéíñóúü Portuguese:àáâãçéêíóôõúü Italian:àèéìíîòóùú
Catalan:àçèéíïòóúü Dutch:àáèéêëíïóöüç Danish:åæøéèêóòôà Swedish:åäöéà Icelandic:áéíðóúýþæöø
Estonian:äõöüšž Czech:áčďéěíňóřšťúůýž Slovak:áäčďéíĺľňóôŕšťúýž Polish:ąćęłńóśźż
Hungarian:áéíóöőúüű Croatian:čćđšž Romanian:ăâîşţșț Turkish:âçğıîöşüû Lithuanian:ąčęėįšųūž
Latvian:āčēģīķļņōšūž Turkmen:äçňöşüýž Kurdish:çêîşû Welsh:áâêëîïôöûŵŷ Breton:âêéñôùûü
"""
_LETTERS_OF = {
    language: frozenset(letters)
    for language, _, letters in (each.partition(":") for each in _ALPHABETS.split())
}
_LETTERS = late_pattern(
    # Letters, except for ordinals; signs between two letters; small numbers before one, except for
    # halves; capitals after a small letter.
    r"(?=[^\x00-\x7f])(?:(?P<capital>(?<=[a-zß-ÿĀ-ſа-я])[^\W\d_\x00-\x7f](?=[a-zß-ÿа-я]))"
    r"|(?P<letter>[^\W\d_a-zA-Zªºµ¹²³¼½¾])"
    r"|(?P<sign>(?<=[^\W\d_])[^\w\s\x00-\x7f’‘´·\xad–—…-]|(?<!\d)[¹²³¼¾])(?=[^\W\d_¹²³¼½¾]))"
)
_MAX_MISFIT = 0.01  # of letters of the right page that no alphabet has, as those of names
_MIN_MISFIT = 0.05  # ... of a wrong page; both set by hand, and tried on texts in 90 languages
_CONTROLS = late_pattern(rb"[\x80-\x84\x86-\x9f]")  # 0x85 ends lines on some machines
_BEYOND = late_pattern(rb"[\x80-\xff]")
_IN_ROWS = late_pattern(rb"[\xc0-\xff]{3,}")
# Pages of languages in other scripts: each with its language, the characters that are frequent in
# it, and their share of all characters beyond ASCII; shares are rounded down, from texts of some
# thousand characters.
_KANA = frozenset(map(chr, range(0x3041, 0x30FD)))
_HANGUL = frozenset("이다는에의을가고를한은지도로사서어자기하나리대시그있었인아")
_HAN = frozenset("的一是不了在人有我他这个们中来上大为和国到说时要就会也你没去")
_TRADITIONAL = frozenset("的一是不了在人有我他這個們中來上大為和國到說時要就會也你沒去")
_FREQUENT_OF: tuple[tuple[str, str, frozenset[str], float], ...] = (
    ("shift_jis", "Japanese", _KANA, 0.5),
    ("euc_jp", "Japanese", _KANA, 0.5),
    ("cp949", "Korean", _HANGUL, 0.35),
    ("gb18030", "Chinese", _HAN, 0.2),
    ("big5", "Chinese", _TRADITIONAL, 0.2),
    ("cp1253", "Greek", frozenset("αοιετσνηρπκμάίόές"), 0.7),
    ("cp1255", "Hebrew", frozenset("יוהלאמתרבשנ"), 0.7),
    ("cp1256", "Arabic", frozenset("اليمونرتبهع"), 0.65),
    ("iso8859-6", "Arabic", frozenset("اليمونرتبهع"), 0.65),
    ("cp874", "Thai", frozenset("านรอกเงมยวลดทตะั่้ี"), 0.6),
    *((page, "Russian", _FREQUENT, 0.6) for page in CYRILLIC),
)
_SINGLE_PAGES = frozenset((*CYRILLIC, "cp1253", "cp1255", "cp1256", "iso8859-6", "cp874"))
_ADJACENT = late_pattern(rb"[\x80-\xff]{3,}")
_FEWEST_OF_WORDS = 15  # bytes beside each other that are evidence for another script
_MOST_FOREIGN = 1 << 12  # bytes that are examined for the page of another script
_CHINESE = late_pattern(rb"[\x80-\xff]{4}(?:\xa1[\xa2\xa3]|\xa3[\xa1\xac\xbf])")  # 、。！，？
_JAPANESE = late_pattern(rb"(?:[\x82\x83][\x40-\xfc]){3}")  # kana
_EXAMINED = 1 << 10  # bytes at the head of a file that are examined for UTF-16
_SQLITE = b"SQLite format 3\0"
_FEWEST_NULS = 8  # NUL bytes that are evidence for UTF-16
_FEWEST_LETTERS = 32  # characters of UTF-8, in which UTF-16 hardly decodes by chance
_HIGH_BYTES = bytes(range(9))  # of the scripts up to U+08FF in UTF-16: control characters in UTF-8
_HIGH_SHARE = 0.75  # of them in the high bytes of text; the others are those of punctuation
_STATEFUL = ("utf-8-sig", "iso2022", "hz")  # the meaning of a byte depends on earlier ones


def check_encodings(name: str) -> str:
    """Normalize one encoding, or one for each side, as `src=latin-1,tgt=utf-8`.

    Raises `OptionError` when Python does not know one, or it is given for anything but the two
    sides.

    Examples
    --------
    >>> check_encodings("latin-1"), check_encodings("tgt=latin-1")
    ('iso8859-1', 'tgt=iso8859-1')

    """
    if not isinstance(name, str) or "=" not in name:
        return check_encoding(name)
    encodings: dict[str, str] = {}
    for item in name.split(","):
        side, equals, encoding = (part.strip() for part in item.partition("="))
        if side not in _SIDES or not equals or side in encodings:
            raise OptionError(
                f"encoding {name!r}: want one for all files, as latin-1, or one for a side or "
                f"each, as src=latin-1,tgt=utf-8"
            )
        encodings[side] = check_encoding(encoding)
    return ",".join(f"{side}={encoding}" for side, encoding in encodings.items())


def encoding_of(name: str, side: str) -> str:
    """Return the encoding of a side, `src` or `tgt`; UTF-8 where only the other side has one.

    For a file of neither side, `side` is empty and `name` has to be a single encoding.

    Examples
    --------
    >>> encoding_of("tgt=latin-1", "tgt"), encoding_of("tgt=latin-1", "src"), encoding_of("a", "")
    ('latin-1', 'utf-8', 'a')

    """
    if "=" not in name:
        return name
    sides = dict(item.split("=", 1) for item in name.split(","))
    return sides.get(side, "utf-8")


def exchanged(name: str) -> str:
    """Return encodings of sides with the two sides exchanged."""
    if "=" not in name:
        return name
    return ",".join(
        f"{'tgt' if item.startswith('src') else 'src'}{item[3:]}" for item in name.split(",")
    )


def check_encoding(name: str) -> str:
    """Normalize an encoding of text that Python knows.

    Raises `OptionError` when Python does not know it, or when it could smuggle in markup (UTF-7).
    """
    if not isinstance(name, str):
        raise OptionError(f"encoding {name!r:.40} is not known: want one as utf-8, latin-1")
    if name.startswith(("src=", "tgt=")):
        raise OptionError(
            f"encoding {name!r} is for the two sides of a bitext in two files, and here is one "
            f"file: name one encoding, as {name.partition('=')[2].partition(',')[0]}"
        )
    try:
        info = codecs.lookup(_LATIN_NAME.sub(r"latin\1", name))
    except (LookupError, ValueError):  # ValueError for NUL characters in the name
        raise OptionError(f"encoding {name!r} is not known: want one as utf-8, latin-1") from None
    if not getattr(info, "_is_text_encoding", True) or info.name in _NOT_OF_TEXTS:
        raise OptionError(f"encoding {name!r} is not for text files: want one as utf-8, latin-1")
    return info.name


def mark_of(head: bytes, encoding: str) -> tuple[bytes, str]:
    r"""Return the byte order mark at the head of a file, if any, and the resulting encoding.

    Examples
    --------
    >>> mark_of(b"\xff\xfea\x00", "utf-8")
    (b'\xff\xfe', 'utf-16-le')
    >>> mark_of(b"a", "utf-16")
    (b'', 'utf-16-le')

    """
    bom = next((mark for mark in _BOMS if head.startswith(mark)), b"")
    return bom, _BOMS.get(bom) or _UNMARKED.get(encoding, encoding)


def as_utf_8(head: bytes, encoding: str = "utf-8") -> bytes:
    r"""Return the head of a file in UTF-8 if its mark or its encoding is UTF-16 or UTF-32.

    Without a mark the head has to have NUL bytes, and none when it is decoded: the encoding may be
    that of another file.

    Examples
    --------
    >>> as_utf_8(b"\xff\xfea\x00\n\x00"), as_utf_8(b"a\x00", "utf-16-le"), as_utf_8(b"a", "utf-16")
    (b'a\n', b'a', b'a')

    """
    mark, codec = mark_of(head, encoding)
    if not codec.startswith(("utf-16", "utf-32")):
        return head
    text = head[len(mark) :].decode(codec, "ignore")
    return text.encode() if mark or (b"\0" in head and "\0" not in text) else head


def is_by_lines(encoding: str) -> bool:
    """Check whether lines can be decoded one by one: the byte of LF always ends a line."""
    return "\n".encode(encoding) == b"\n" and not encoding.startswith(_STATEFUL)


def is_utf_8(head: bytes) -> bool:
    r"""Detect UTF-8 without a byte order mark by the non-ASCII letters in the head of a file.

    Examples
    --------
    >>> accents = "à é è ô ü"
    >>> is_utf_8(accents.encode()), is_utf_8(accents.encode("latin-1")), is_utf_8(b"a e e o u")
    (True, False, False)
    >>> is_utf_8(accents.encode("utf-8-sig"))
    False

    """
    if any(head.startswith(mark) for mark in _BOMS):
        return False
    return sum(not letter.isascii() for letter in _utf_8_text(head)) >= _FEWEST


def _utf_8_text(head: bytes) -> str:
    """Decode the head of a file, which may be cut in a letter; return "" if it is not UTF-8."""
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return ""


def misread_utf_8(head: bytes, encoding: str) -> bool:
    r"""Detect UTF-8 in the head of a file for which another `encoding` is given.

    Text in a single-byte encoding is hardly ever valid UTF-8 by chance; in multi-byte encodings
    some letters are.

    Examples
    --------
    >>> misread_utf_8("é".encode(), "latin-1"), misread_utf_8("é".encode(), "utf-8")
    (True, False)
    >>> misread_utf_8("été".encode("latin-1"), "latin-1")
    False

    """
    codec = codecs.lookup(encoding).name
    if codec.startswith(("utf", "ascii")) or any(head.startswith(mark) for mark in _BOMS):
        return False
    beyond = sum(byte > 0x7F for byte in head)
    sequences = _OF_UTF_8.findall(head)
    valid = sum(map(len, sequences))
    single = len(bytes(range(256)).decode(codec, "replace")) == 256
    if single and valid and valid >= beyond - 3:  # the head may be cut within a letter
        return valid == beyond or len(sequences) >= _FEWEST
    return len(sequences) >= _FEWEST and valid >= (_MIN_SHARE if single else 1) * beyond


def likelier_page(head: bytes, encoding: str) -> str:
    r"""Return the code page of Windows that the head of a file seems to be in; empty for none.

    A file in a page of ISO 8859 has no bytes 0x80 to 0x9f, which are letters and quotation marks in
    the page of Windows for the same languages. In Western languages letters with accents stand
    alone: three in a row are those of another script.

    Examples
    --------
    >>> likelier_page(b"\x93Yes\x94", "latin-1"), likelier_page(b"\x93Yes\x94", "cp1252")
    ('cp1252', '')
    >>> likelier_page("Привет, мир".encode("cp1251"), "latin-1")
    'cp1251'

    """
    codec = codecs.lookup(encoding).name
    if codec in _WESTERN and (page := _foreign_page(head)[0]):
        return page
    if codec in _WESTERN and are_foreign_letters(head):
        return _cyrillic_page(head) or "cp1251"
    if codec in _COMPARED and (page := _fitting_page(head, codec)):
        return page
    page = _PAGES.get(codec, "")
    return page if page and _CONTROLS.search(head) else ""


def _foreign_page(part: bytes) -> tuple[str, str]:
    """Return the page and the language of bytes of a script that is not Latin; may be empty.

    In a page with a byte for each letter, the letters of words are beside each other, as letters
    beyond ASCII in Latin script hardly are.
    """
    first = _BEYOND.search(part)
    part = part[first.start() :][:_MOST_FOREIGN] if first else b""
    beyond = len(_BEYOND.findall(part))
    of_words = sum(map(len, _ADJACENT.findall(part))) >= max(_FEWEST_OF_WORDS, 0.75 * beyond)
    found: dict[tuple[str, str], float] = {}
    for page, language, frequent, usual in _FREQUENT_OF:
        single = page in _SINGLE_PAGES
        if single and not of_words:
            continue
        characters = _characters(part, page)
        known = [char for char in characters if char in frequent]
        wrong = characters.count("\ufffd")  # one where the part was cut within a character
        if wrong <= 1 + len(characters) // 100 and len({*known}) >= (_FEWEST if single else 3):
            found[page, language] = len(known) / len(characters) / usual
    best = max(found, key=found.__getitem__, default=("", ""))
    if found.get(best, 0) <= 0.5:
        return "", ""
    page = _ukrainian_page(best[0], part)
    return (page, "Ukrainian") if page else best


def _ukrainian_page(page: str, part: bytes) -> str:
    """Return the page for Ukrainian that shares most letters with a page; empty for others."""
    if page == "koi8-r":
        least = max(_FEWEST, 5 * len(_FRAMES.findall(part)))
        return "koi8-u" if len(_UKRAINIAN.findall(part)) >= least else ""
    dos = page == "cp866" and len(_UKRAINIAN_DOS.findall(part)) >= _FEWEST
    return "cp1125" if dos else ""


def _characters(part: bytes, page: str) -> list[str]:
    """Return the characters beyond ASCII of bytes in a page, as small letters.

    In another page of the same script small letters may be capitals, so they stay where many
    capitals follow small letters.
    """
    text = part.decode(page, "replace")
    within = sum(one.islower() and other.isupper() for one, other in pairwise(text))
    return [char for char in (text if within > len(text) // 100 else text.lower()) if char > "\x7f"]


def _cyrillic_page(part: bytes, used: str = "") -> str:
    """Return the page in which bytes have the frequent letters of Cyrillic script; may be empty.

    It is empty, too, where they have a third of them in the page `used`.
    """
    shares = {}
    for page in dict.fromkeys((used or CYRILLIC[0], *CYRILLIC)):
        beyond = _characters(part, page)
        shares[page] = sum(char in _FREQUENT for char in beyond) / max(len(beyond), _FEWEST)
    best = max(shares, key=lambda page: shares[page])
    if shares[best] > 0.4 and (page := _ukrainian_page(best, part)):
        return page  # which has the other letters, too
    return best if shares[best] > 0.4 and shares.get(used, 0) < shares[best] / 2 else ""


def _letters(part: bytes, page: str) -> dict[str, int]:
    """Count the letters and signs beyond ASCII of a text in a page."""
    counts: dict[str, int] = {}
    groups = Counter(_LETTERS.findall(part.decode(page, "replace")))
    for (capital, letter, sign), number in groups.items():
        # A capital within a word is in no alphabet.
        char = (capital or letter or sign).lower()[:1] if capital == capital.lower() else ""
        if not char.isascii() or not char:
            counts[char] = counts.get(char, 0) + number
    return counts


def _outside(counts: dict[str, int], *alphabets: frozenset[str]) -> int:
    """Count the letters that none of the alphabets has."""
    known = frozenset().union(*alphabets)
    return sum(number for letter, number in counts.items() if letter not in known)


def _outside_best(counts: dict[str, int], languages: int = 1) -> int:
    """Count the letters that so many languages with the most of them lack."""
    return min(_outside(counts, *those) for those in combinations(_LETTERS_OF.values(), languages))


def _fitting_page(part: bytes, codec: str) -> str:
    """Return the page in which bytes have letters of one language or two; empty for `codec`."""
    if codec in CYRILLIC:
        return _cyrillic_page(part, codec)
    if len(_BEYOND.findall(part)) < _FEWEST:
        return ""
    used = _letters(part, codec)
    every = sum(used.values())
    for languages in (1, 2):
        if every < _FEWEST or _outside_best(used, languages) < max(3, _MIN_MISFIT * every):
            return ""
        found = {page: _outside_best(_letters(part, page), languages) for page in _LATIN}
        page = min(found, key=found.__getitem__)
        if found[page] <= _MAX_MISFIT * every:
            return page
    return ""


def _central_page(part: bytes) -> tuple[str, str]:
    """Return the page and the language of bytes in another page than the Western; may be empty."""
    if len(_BEYOND.findall(part)) < _FEWEST:
        return "", ""
    found = {page: _letters(part, page) for page in _LATIN}
    page = min(found, key=lambda page: _outside_best(found[page]))
    every = sum(found[page].values())
    if page == _LATIN[0] or not _FEWEST <= every >= _outside_best(found[page]) / _MAX_MISFIT:
        return "", ""
    return page, min(_LETTERS_OF, key=lambda name: _outside(found[page], _LETTERS_OF[name]))


def are_foreign_letters(part: bytes) -> bool:
    """Test non-ASCII bytes for long runs, as of letters of other scripts."""
    beyond = len(_BEYOND.findall(part))
    in_rows = sum(map(len, _IN_ROWS.findall(part)))
    return in_rows >= max(_FEWEST, beyond / 2)


def is_utf_8_twice(head: bytes) -> bool:
    """Detect UTF-8 that was read as Latin-1 or Windows-1252 and written as UTF-8 again.

    Examples
    --------
    >>> once = "à é è ô ü “œ”".encode()
    >>> is_utf_8_twice(once), is_utf_8_twice(once.decode("latin-1").encode())
    (False, True)

    """
    if len(_LATIN_LEADS.findall(head)) < _FEWEST:
        return False
    text = _utf_8_text(head)
    read = text.translate(_WINDOWS).encode("latin-1", "replace")
    sequences = _OF_UTF_8.findall(read)
    beyond = sum(not letter.isascii() for letter in text)
    return len(sequences) >= _FEWEST and sum(map(len, sequences)) >= _MIN_SHARE * beyond


def page_of_garbled(text: str) -> str:
    """Return the page in which a text was that was read as Windows-1252; empty for other texts.

    Examples
    --------
    >>> czech = "Příliš žluťoučký kůň úpěl ďábelské ódy."
    >>> page_of_garbled(czech.encode("iso8859-2").decode("latin-1")), page_of_garbled(czech)
    ('iso8859-2', '')

    """
    try:
        read = text.encode("cp1252")
    except UnicodeEncodeError:  # also of the control characters at the five free places
        try:
            read = text.translate(_WINDOWS).encode("latin-1")
        except UnicodeEncodeError:
            return ""
    if are_foreign_letters(read):
        return _foreign_page(read)[0] or _cyrillic_page(read)
    return _fitting_page(read, "cp1252")


def utf_16_ends(part: str | bytes) -> str:
    """Return the byte order of UTF-16 without a mark, `le` or `be`; empty for other text.

    In UTF-16 each letter of Latin script has a NUL byte, always on the same side.

    Examples
    --------
    >>> utf_16_ends("Hello.".encode("utf-16-le")), utf_16_ends("Hello.")
    ('le', '')

    """
    nul = "\0" if isinstance(part, str) else 0
    parities = [k % 2 for k, char in enumerate(part) if char == nul]
    if len(parities) <= len(part) // 4 or len({*parities}) > 1:
        return ""
    return "le" if parities[0] else "be"


def _ends_of_high_bytes(begin: bytes) -> str:
    """Return the byte order of UTF-16 in scripts such as Cyrillic; empty for other text.

    The low bytes of Cyrillic letters are ASCII, so that such text is valid UTF-8 as well.
    """
    begin = begin.replace(b"\0\1", b" \1").replace(b"\1\0", b"\1 ")  # Ā (U+0100)
    sides = (begin[::2], begin[1::2])
    shares = [1 - len(side.translate(None, _HIGH_BYTES)) / max(1, len(side)) for side in sides]
    for high, low, ends in ((1, 0, "le"), (0, 1, "be")):
        if shares[high] >= _HIGH_SHARE and shares[low] <= 1 - _HIGH_SHARE and 0 not in sides[low]:
            return ends
    return ""


def database_note(head: bytes) -> str:
    """Return the error of a file that is a database, as projects are; empty for others."""
    if not head.startswith(_SQLITE):
        return ""
    return (
        "is a database, as a project of bitext edit: 'bitext convert FILE.bitext OUT' writes what "
        "it holds as files"
    )


def unmarked_utf_16(head: bytes, side: str = "", encoding: str = "") -> str:
    """Return the error of a file that begins as UTF-16 without a mark; empty for none.

    In UTF-16, as the `encoding` may be, it is an error only in the other byte order. A database has
    as many NUL bytes: the error of a project of `bitext edit` names it as such.
    """
    if told := database_note(head):
        return told
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ""
    begin = head[:_EXAMINED]
    # Of Chinese in UTF-16 hardly a character is two letters of ASCII, or one of UTF-8.
    text = _utf_8_text(begin) if encoding.startswith("utf-16") else ""
    if len(text) >= _FEWEST_LETTERS and "\0" not in text:
        return f"is UTF-8, and not UTF-16: read it so ({encoding_option(side, 'utf-8')})"
    if len(begin) - len(begin.translate(None, _HIGH_BYTES)) < _FEWEST_NULS:
        return ""
    nuls = begin.count(0)
    ends = utf_16_ends(begin) if nuls >= _FEWEST_NULS else ""
    ends = ends or _ends_of_high_bytes(begin)
    if encoding.startswith("utf-16") and ends in {"", encoding[-2:]}:
        return ""
    if not ends:
        if nuls < max(_FEWEST_NULS, len(begin) // 3):
            return ""
        # A missing or surplus byte changes the parity; but no text has so many NULs.
        return "has a NUL byte for each letter, as damaged UTF-16 has: give the file as it was made"
    return (
        f"has NUL bytes, as UTF-16 has without a byte order mark: read it with "
        f"{encoding_option(side, f'utf-16-{ends}')}, or convert it to UTF-8"
    )


def name_encoding(side: str = "", part: bytes = b"", around: bytes = b"") -> str:
    """Word the advice for a file that is not in the encoding in which it was read.

    `part` is the part that cannot be decoded, which may show that it is in no Western language;
    `around` is more of the file.
    """
    le, be = around.count(b"\n\0"), around.count(b"\0\n")
    if le != be:  # the only NUL bytes of Chinese text in UTF-16 are those of marks and line ends
        page, language = f"utf-16-{'le' if le > be else 'be'}", "UTF-16 without a mark"
    elif (foreign := _foreign_page(around or part))[0]:
        page, language = foreign
    elif _CHINESE.search(part):
        page, language = "gb18030", "Chinese"
    elif _JAPANESE.search(part):
        page, language = "shift_jis", "Japanese"
    elif are_foreign_letters(part):
        page = _cyrillic_page(around or part) or "cp1251"
        language = "Ukrainian" if page in {"koi8-u", "cp1125"} else "Russian"
    else:
        page, language = _central_page(around)
    if page:
        way = f"as {encoding_option(side, page)} for {language}"
    elif _CONTROLS.search(part):
        way = encoding_option(side, "cp1252")
    else:
        way = encoding_option(side, "latin-1") if side else remedy("encoding")
    return f"name the encoding of the file ({way}) or convert it to UTF-8"


def encoding_option(side: str, encoding: str) -> str:
    """Return the name of the option that reads a file, or the text of a side, in an encoding.

    Examples
    --------
    >>> encoding_option("tgt", "cp1252"), encoding_option("", "cp1252")
    ("encoding='tgt=cp1252'", "encoding='cp1252'")

    """
    return remedy(f"encoding {side}={encoding}" if side else f"encoding {encoding}")
