"""Makes files to convert, and the answers: a TMX, and links with documents in the layout of OPUS.

Words are made of syllables in several scripts. Every text has the number of its unit in it, as the
word `u17`, so that what a tool made of a unit is found again wherever it stands. The same seed and
size give the same files. The kinds of units of a TMX:

| kind | share | what is in it |
| --- | --- | --- |
| `p` | | plain text |
| `r` | about 16 % | references: named, decimal, hexadecimal, quotation marks |
| `e` | about 1 % | text that looks escaped, as `&lt;`, and so is escaped twice in the file |
| `c` | 10 % | inline codes: `bpt`/`ept`, `ph`, `it`, `hi`, `ut`, nested ones, `sub` |
"""

from __future__ import annotations

import gzip
import json
import random
from itertools import count
from typing import IO, TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["Made", "make_links", "make_tmx"]

CODES = 0.10  # the share of units with inline codes
EXTRAS = 0.10  # of units with a tuid, props, a note and dates, where files are mixed

_POOL = 1500  # texts a script
_SCRIPTS = (  # first and second letters of syllables, and how often the script comes
    ("bcdfghklmnprstvz", "aeiou", 60),
    ("bcdfglmnprstvçñ", "aeiouéèàôû", 20),
    ("бвгдзклмнпрст", "аеиоуяю", 8),
    ("βγδθκλμνπρστ", "αεηιουώ", 4),
    ("بتجدرسعفقكلمن", "اوي", 4),
    ("कखगजतदनपबमरल", "ािीुे", 2),
    ("東西南北山川日月天地", "人大小上下中国文字語", 2),
)
_SIGNS = (  # in the file, and what it says
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("a&gt;b", "a>b"),
    ("R&amp;D", "R&D"),
    ("&#233;t&#xE9;", "été"),
    ("&#x1F600;", "😀"),
    ("&quot;x&quot;", '"x"'),
    ('"y"', '"y"'),
    ("l&apos;o", "l'o"),
)
_TWICE = (("&amp;lt;b&amp;gt;", "&lt;b&gt;"), ("&amp;amp;", "&amp;"), ("&amp;eacute;", "&eacute;"))

_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4">
  <header creationtool="made" creationtoolversion="1" segtype="sentence" o-tmf="none"\
 adminlang="en" srclang="en" datatype="plaintext"/>
  <body>
"""
_FOOT = "  </body>\n</tmx>\n"


class Made(NamedTuple):
    """What was made, and what it says.

    Attributes
    ----------
    path : Path
        The TMX, or the file of links.
    answers : tuple of Path
        One file a side, a line a unit.
    kinds : Path
        The kind of each unit, a letter each.
    units : int
        How many there are.

    """

    path: Path
    answers: tuple[Path, Path]
    kinds: Path
    units: int


class _Said(NamedTuple):
    """A text as it stands in the file, as it is meant, and its kind."""

    file: str
    plain: str
    kind: str


class _Texts:
    """Draws texts from a pool of made ones."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)  # noqa: S311 - made data
        self._weights = [often for _, _, often in _SCRIPTS]
        pools = [[self._sentence(self._words(k)) for _ in range(_POOL)] for k in range(7)]
        # Drawn from one long list: scripts as often as they are wanted.
        self._all = [pools[k] for k in self._rng.choices(range(7), self._weights, k=200)]

    def _words(self, script: int) -> list[str]:
        first, second, _ = _SCRIPTS[script]
        rng = self._rng
        return [
            "".join(rng.choice(first) + rng.choice(second) for _ in range(rng.randint(1, 4)))
            for _ in range(rng.randint(5, 26))
        ]

    def _sentence(self, words: list[str]) -> _Said:
        rng = self._rng
        kind = "p"
        plain = list(words)
        signs = () if rng.random() >= 0.1 else _TWICE if rng.random() < 0.06 else _SIGNS
        for file, said in rng.sample(signs, min(len(signs), rng.randint(1, 3))):
            at = rng.randrange(len(words))
            words.insert(at, file)
            plain.insert(at, said)
            kind = "e" if signs is _TWICE else "r"
        return _Said(" ".join(words) + ".", " ".join(plain) + ".", kind)

    def draw(self) -> _Said:
        pool = self._all[int(self._rng.random() * 200)]
        return pool[int(self._rng.random() * _POOL)]


# Each takes two parts of a text, and gives them with codes about or between them.
_CODED: tuple[Callable[[str, str], str], ...] = (
    lambda a, b: f'<bpt i="1" type="bold">&lt;b&gt;</bpt>{a}<ept i="1">&lt;/b&gt;</ept> {b}',
    lambda a, b: f'{a} <bpt i="1" x="1">&lt;a href="x"&gt;</bpt>{b}<ept i="1">&lt;/a&gt;</ept>',
    lambda a, b: f'{a}<ph x="1" type="br">&lt;br/&gt;</ph> {b}',
    lambda a, b: f'<ph x="1"/>{a} {b}',
    lambda a, b: f'{a} {b}<ph x="1" assoc="p">{{1}}</ph>',
    lambda a, b: f'<it pos="begin" x="1">&lt;i&gt;</it>{a} {b}',
    lambda a, b: f'{a}<it pos="end">&lt;/i&gt;</it> {b}',
    lambda a, b: f'{a} <hi type="term" x="1">{b}</hi>',
    lambda a, b: f"<hi>{a}</hi> {b}",
    lambda a, b: f"{a}<ut>{{\\b0 </ut> {b}",
    lambda a, b: f'<hi type="a">{a} <hi type="b">{b}</hi></hi>',
    lambda a, b: (
        '<bpt i="1">&lt;p&gt;</bpt><bpt i="2">&lt;b&gt;</bpt>'
        f'<hi>{a}</hi><ept i="2">&lt;/b&gt;</ept> {b}<ept i="1">&lt;/p&gt;</ept>'
    ),
    lambda a, b: f'{a}<ph x="1">&lt;img alt="<sub datatype="html">A text</sub>"/&gt;</ph> {b}',
    lambda a, b: (
        f'{a} <bpt i="1">&lt;a title="<sub>Its <ph x="3">&amp;nbsp;</ph>title</sub>"&gt;</bpt>{b}'
        '<ept i="1">&lt;/a&gt;</ept>'
    ),
)


def _coded(said: str, rng: random.Random) -> str:
    words = said.split(" ")
    at = rng.randrange(1, len(words))
    return rng.choice(_CODED)(" ".join(words[:at]), " ".join(words[at:]))


def make_tmx(folder: Path, size: int, *, mixed: bool = True, seed: int = 1) -> Made:
    """Make a TMX of about `size` bytes in a folder, with its answers; once only.

    All its units are laid out alike but for their inline codes, unless it is `mixed`.
    """
    out = Made(
        folder / "big.tmx", (folder / "answer.en", folder / "answer.fr"), folder / "kinds", 0
    )
    note = {"size": size, "seed": seed, "made": 1} | ({} if mixed else {"mixed": mixed})
    return _once(folder, note, out, lambda: _write_tmx(out, size, seed, EXTRAS * mixed))


def _write_tmx(made: Made, size: int, seed: int, share: float) -> int:
    texts, rng = _Texts(seed), random.Random(seed + 1)  # noqa: S311 - made data
    written = unit = 0
    with (
        made.path.open("w", encoding="utf-8", newline="") as tmx,
        made.answers[0].open("w", encoding="utf-8", newline="") as en,
        made.answers[1].open("w", encoding="utf-8", newline="") as fr,
        made.kinds.open("w", encoding="ascii", newline="") as kinds,
    ):
        tmx.write(_HEAD)
        while written < size:
            src, tgt = texts.draw(), texts.draw()
            in_file = [f"u{unit} {src.file}", f"u{unit} {tgt.file}"]
            kind = max(src.kind, tgt.kind, key="pre".index)
            if rng.random() < CODES:
                kind = "c"
                sides = rng.choice(((0, 1), (0, 1), (0, 1), (0,), (1,)))
                for side in sides:
                    in_file[side] = _coded(in_file[side], rng)
            en.write(f"u{unit} {src.plain}\n")
            fr.write(f"u{unit} {tgt.plain}\n")
            kinds.write(kind)
            text = _tu(unit, in_file, extras=rng.random() < share)
            tmx.write(text)
            written += len(text.encode())
            unit += 1
        tmx.write(_FOOT)
    return unit


def _tu(unit: int, sides: list[str], *, extras: bool) -> str:
    if not extras:
        return (
            f'    <tu>\n      <tuv xml:lang="en"><seg>{sides[0]}</seg></tuv>\n'
            f'      <tuv xml:lang="fr"><seg>{sides[1]}</seg></tuv>\n    </tu>\n'
        )
    return (
        f'    <tu tuid="t{unit}" creationdate="20240101T000000Z">\n'
        f'      <note>About {unit}</note>\n      <prop type="x-domain">made &amp; up</prop>\n'
        f'      <tuv xml:lang="en" creationid="me"><seg>{sides[0]}</seg></tuv>\n'
        f'      <tuv xml:lang="fr"><prop type="x-by">me</prop><seg>{sides[1]}</seg></tuv>\n'
        "    </tu>\n"
    )


_BEADS = ((1, 1), (2, 1), (1, 2), (1, 0), (0, 1), (2, 2), (3, 1))
_OFTEN = (84, 4, 4, 2.5, 2.5, 2, 1)  # in a hundred


def make_links(folder: Path, links: int, layout: str, *, seed: int = 1) -> Made:
    """Make a file of links of that many, and its documents in `en` and `fr`; once only.

    Documents are "plain" or "gzipped", or "tokenised": plain, with an element a token.
    """
    packed, tokens = layout == "gzipped", layout == "tokenised"
    name = "links.xml.gz" if packed else "links.xml"
    out = Made(folder / name, (folder / "answer.en", folder / "answer.fr"), folder / "kinds", 0)
    note = {"links": links, "packed": packed, "tokens": tokens, "seed": seed, "made": 2}
    return _once(
        folder, note, out, lambda: _write_links(out, links, seed, packed=packed, tokens=tokens)
    )


def _write_links(made: Made, links: int, seed: int, *, packed: bool, tokens: bool) -> int:
    texts, rng = _Texts(seed), random.Random(seed + 1)  # noqa: S311 - made data
    folder, ending = made.path.parent, ".xml.gz" if packed else ".xml"
    for lang in ("en", "fr"):
        (folder / lang).mkdir(exist_ok=True)
    unit = 0
    with (
        _opened(made.path) as file,
        made.answers[0].open("w", encoding="utf-8", newline="") as en,
        made.answers[1].open("w", encoding="utf-8", newline="") as fr,
        made.kinds.open("w", encoding="ascii", newline="") as kinds,
    ):
        file.write('<?xml version="1.0" encoding="utf-8"?>\n')
        file.write('<!DOCTYPE cesAlign PUBLIC "-//CES//DTD XML cesAlign//EN" "">\n')
        file.write('<cesAlign version="1.0">\n')
        for number in count(1):
            length = min(links - unit, int(rng.lognormvariate(8, 0.8)) + 50)
            if length <= 0:
                break
            names = [f"{lang}/{number:04}{ending}" for lang in ("en", "fr")]
            file.write(f'<linkGrp targType="s" fromDoc="{names[0]}" toDoc="{names[1]}">\n')
            with _opened(folder / names[0]) as src, _opened(folder / names[1]) as tgt:
                documents = (_Document(src, tokens=tokens), _Document(tgt, tokens=tokens))
                for _ in range(length):
                    bead = rng.choices(_BEADS, _OFTEN)[0]
                    halves, said = [], []
                    for document, size in zip(documents, bead, strict=True):
                        drawn = [texts.draw() for _ in range(size)]
                        ids = [document.add(f"u{unit} {text.file}", rng) for text in drawn]
                        halves.append(" ".join(ids))
                        said.append(" ".join(f"u{unit} {text.plain}" for text in drawn))
                    file.write(
                        f'<link certainty="{rng.random():.6f}" xtargets="{";".join(halves)}" '
                        f'id="SL{unit}" />\n'
                    )
                    en.write(said[0] + "\n")
                    fr.write(said[1] + "\n")
                    kinds.write("1" if bead == (1, 1) else "0" if 0 in bead else "n")
                    unit += 1
                for document in documents:
                    document.end()
            file.write("</linkGrp>\n")
        file.write("</cesAlign>\n")
    return unit


def _opened(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "wt", encoding="utf-8", newline="")
    return path.open("w", encoding="utf-8", newline="")


class _Document:
    """A document of OPUS: sentences in paragraphs, ids `paragraph.sentence`.

    Its kind is "raw", or "xml" where there is an element a token.
    """

    def __init__(self, out: IO[str], *, tokens: bool) -> None:
        self._out, self._tokens = out, tokens
        self._paragraph, self._sentence, self._left = 0, 0, 0
        out.write('<?xml version="1.0" encoding="utf-8"?>\n<text>\n')

    def add(self, text: str, rng: random.Random) -> str:
        if not self._left:
            self._out.write("</p>\n" if self._paragraph else "")
            self._paragraph += 1
            self._sentence, self._left = 0, rng.randint(1, 8)
            self._out.write(f'<p id="{self._paragraph}">\n')
        self._sentence += 1
        self._left -= 1
        name = f"{self._paragraph}.{self._sentence}"
        if self._tokens:
            words = (f'  <w id="w{name}.{k}">{w}</w>\n' for k, w in enumerate(text.split(" "), 1))
            text = "".join(("\n", *words))
        self._out.write(f'<s id="{name}">{text}</s>\n')
        return name

    def end(self) -> None:
        self._out.write("</p>\n</text>\n" if self._paragraph else "</text>\n")


def _once(folder: Path, note: dict[str, int], out: Made, write: Callable[[], int]) -> Made:
    """Write files unless the note beside them says that they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / "made.json"
    known = json.loads(place.read_text(encoding="utf-8")) if place.exists() else {}
    if known.get("note") != note:
        units = write()
        known = {"note": note, "units": units}
        place.write_text(json.dumps(known), encoding="utf-8")
    return out._replace(units=known["units"])


def parts_of(made: Made) -> Iterator[Path]:
    """Yield the files that a conversion has to read."""
    yield made.path
    for lang in ("en", "fr"):
        yield from sorted((made.path.parent / lang).glob("*.xml*"))
