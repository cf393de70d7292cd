"""Quality of word links in texts unlike the gold standards: changed words, few pairs, dictionaries.

    python scripts/bench/link_languages.py DATA [--cache FOLDER] [--no-peer] [--report FILE]

DATA is that of `link_quality.py`. Gold links are at hand for two pairs of languages only. Other
kinds of languages are made from them: the words of the side that is not English are changed as
`CHANGES` says, and the gold links with them. The changes are drawn with fixed seeds. eflomal links
the same files, unless `--no-peer` is given; of its six symmetrisations the best is shown, chosen by
the gold standard.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import zlib
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from environments import environment
from link_quality import as_table, gold_of, run, scored, texts

from bitext import WordLinks
from bitext.align import Lexicon, link_corpus, link_words

if TYPE_CHECKING:
    from collections.abc import Callable

    Piece = tuple[list[int], str]  # positions of the words that a new word has, and the new word
    Change = Callable[[list[str], random.Random], list[Piece]]
    Links = dict[tuple[int, int], bool]  # whether a link is sure

_ENGLISH = {"enfr": 0, "roen": 1}  # which side is English
_SHORT = 3  # letters of a word that is taken for a function word
_SUFFIXES = ("", "en", "ille", "ssa", "ta", "mme", "ksi", "nko")
_PREFIXES = ("", "ku", "wa", "m", "ni", "ka", "si", "tu")
_LETTERS = ("bcdfghjklmnpqrstvwxz", "aeiou")
_CYRILLIC = dict(zip("abcdefghijklmnopqrstuvwxyz", "абцдефгхийклмнопярстуввхыз", strict=True))
_SEEDS = range(5)
_SIZES = (100, 200)
_CAPTIONS = 29_000
_TEXT = """\
# Word links of other kinds of languages, of few pairs, and with dictionaries

Made by `python scripts/bench/link_languages.py DATA`. AER in percent, of `bitext.align.link_words`
with its defaults, and of eflomal by the best of six symmetrisations, **chosen by the gold
standard**. The two were run apart (`--no-peer` leaves eflomal out).

## Languages made by changes

Gold links are at hand for English and French (447 pairs) and Romanian and English (248). The words
of French and Romanian are changed, and the gold links with them, so that they behave as those of
languages of other kinds do.

{changes}

## Few pairs

Mean AER of {seeds} samples, with the 95 % interval of the mean (t distribution).

{samples}

## With a dictionary

A lexicon of 29,000 captions in English and French, learned by `link_corpus`, which knows nothing of
the domain: as `lexicon`, and its {entries} entries with a probability of 0.3 at least both ways as
`dictionary`.

{dictionaries}

## The lexicon that is learned

The lexicon of {half} captions in English and French, held against a dictionary that was not given:
{known} entries, the word pairs that eflomal links at least five times in the other captions (in
both directions), and with 0.3 at least of the links of both words. Of each source word in both, the
words with the highest probability are looked up.

{lexicon}
"""


def main() -> None:
    """Measure all tables, and write the report."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, default=Path("~/.cache/bitext-bench").expanduser())
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--report", type=Path)
    chosen = parser.parse_args()
    programs = None if chosen.no_peer else environment("links", chosen.cache)
    parts = {
        "changes": change_table(changed_sets(chosen.data), programs),
        "samples": sample_table(chosen.data, programs),
        "seeds": str(len(_SEEDS)),
        **dictionary_tables(chosen.data, programs),
    }
    report = _TEXT
    for name, part in parts.items():
        report = report.replace(f"{{{name}}}", part)
    print(report)
    if chosen.report:
        chosen.report.write_text(report, encoding="utf-8")


class Pairs(NamedTuple):
    """Tokenised sentence pairs with gold links."""

    src: list[list[str]]
    tgt: list[list[str]]
    gold: list[Links]

    def links(self) -> WordLinks:
        """Return the gold links."""
        lines = [
            " ".join(f"{i}{'-' if sure else 'p'}{j}" for (i, j), sure in sorted(links.items()))
            for links in self.gold
        ]
        return WordLinks.parse(lines)

    def sample(self, size: int, seed: int) -> Pairs:
        """Draw pairs without replacement, in their order."""
        draw = random.Random(seed)  # noqa: S311 - no secret
        chosen = sorted(draw.sample(range(len(self.src)), size))
        src, tgt = ([side[k] for k in chosen] for side in (self.src, self.tgt))
        return Pairs(src, tgt, [self.gold[k] for k in chosen])

    def changed(self, change: Change, side: int) -> Pairs:
        """Change the words of a side, and the links with them."""
        draw = random.Random(1)  # noqa: S311 - no secret
        sides = [self.src, self.tgt]
        words, gold = [], []
        for sentence, links in zip(sides[side], self.gold, strict=True):
            pieces = change(sentence, draw)
            words.append([word for _, word in pieces])
            mine: Links = {}
            for place, (olds, _) in enumerate(pieces):
                for link, sure in links.items():
                    if link[side] in olds:
                        key = (place, link[1]) if side == 0 else (link[0], place)
                        mine[key] = mine.get(key, False) or sure
            gold.append(mine)
        sides[side] = words
        return Pairs(sides[0], sides[1], gold)


def gold_pairs(data: Path, name: str) -> Pairs:
    """Return a gold standard."""
    src, tgt = ([line.split() for line in side] for side in texts(data, name, 0))
    gold = gold_of(data, name)
    links: list[Links] = [{} for _ in src]
    sure = [True] * gold.src.size if gold.sure is None else gold.sure.tolist()
    for pair, i, j, known in zip(
        gold.pair.tolist(), gold.src.tolist(), gold.tgt.tolist(), sure, strict=True
    ):
        links[pair][i, j] = links[pair].get((i, j), False) or known
    return Pairs(src, tgt, links)


def changed_sets(data: Path) -> dict[str, list[Pairs]]:
    """Return each change of each gold standard."""
    known = {name: gold_pairs(data, name) for name in _ENGLISH}
    return {
        label: [known[name].changed(change, 1 - _ENGLISH[name]) for name in known]
        for label, change in CHANGES.items()
    }


def change_table(sets: dict[str, list[Pairs]], programs: Path | None) -> str:
    """Return the table of changes."""
    rows = []
    for label, both in sets.items():
        row = [label]
        for pairs in both:
            row.append(f"{own_aer(pairs):.1f}")
            row.append(f"{peer_aer(pairs, programs):.1f}")
        print(*row, flush=True)
        rows.append(row)
    names = [f"{name}, {tool}" for name in _ENGLISH for tool in ("link_words", "eflomal")]
    return as_table(["change", *names], rows)


def sample_table(data: Path, programs: Path | None) -> str:
    """Return the table of samples."""
    rows = []
    for name in _ENGLISH:
        pairs = gold_pairs(data, name)
        for size in _SIZES:
            drawn = [pairs.sample(size, seed) for seed in _SEEDS]
            own = interval([own_aer(each) for each in drawn])
            peer = interval([peer_aer(each, programs) for each in drawn])
            rows.append([f"{size} {name}", own, peer])
            print(*rows[-1], flush=True)
    return as_table(["pairs", "link_words", "eflomal"], rows)


def interval(values: list[float]) -> str:
    """Return the mean with its 95 % interval, of five values."""
    if any(map(math.isnan, values)):
        return "-"
    quantile = 2.776  # of the t distribution with 4 degrees of freedom
    half = quantile * statistics.stdev(values) / math.sqrt(len(values))
    return f"{statistics.mean(values):.1f} ± {half:.1f}"


def own_aer(pairs: Pairs) -> float:
    """Return the AER of `link_words`."""
    return 100 * scored(pairs.links(), [link_words(pairs.src, pairs.tgt)])[0]


def peer_aer(pairs: Pairs, programs: Path | None) -> float:
    """Return the AER of eflomal by its best symmetrisation; `nan` without programs."""
    if programs is None:
        return math.nan
    return 100 * scored(pairs.links(), peer_links(pairs.src, pairs.tgt, programs))[0]


def peer_links(src: list[list[str]], tgt: list[list[str]], programs: Path) -> list[WordLinks]:
    """Link sentence pairs by eflomal, in both directions."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        for name, side in (("src", src), ("tgt", tgt)):
            lines = "".join(f"{' '.join(words)}\n" for words in side)
            (folder / name).write_text(lines, encoding="utf-8")
        links = run("eflomal", programs, folder)[2]
        if links is None:
            raise SystemExit("eflomal did not end within its CPU seconds")
        return links


def dictionary_tables(data: Path, programs: Path | None) -> dict[str, str]:
    """Return what dictionaries help, and how good the learned lexicon is."""
    size = len(gold_pairs(data, "enfr").src)
    captions = [[line.split() for line in side[size:]] for side in texts(data, "enfr", _CAPTIONS)]
    lexicon = link_corpus(*captions).lexicon
    entries = [
        (src, tgt)
        for src, tgt, forward, backward in entries_of(lexicon)
        if min(forward, backward) >= 0.3
    ]
    rows = []
    for pairs in (gold_pairs(data, "enfr").sample(100, 0), gold_pairs(data, "enfr")):
        gold = pairs.links()
        given: tuple[dict[str, object], ...] = ({}, {"lexicon": lexicon}, {"dictionary": entries})
        figures = [
            scored(gold, [link_words(pairs.src, pairs.tgt, **each)])[0]  # type: ignore[arg-type]
            for each in given
        ]
        rows.append([f"{len(pairs.src)} enfr", *(f"{100 * figure:.1f}" for figure in figures)])
        print(*rows[-1], flush=True)
    half = _CAPTIONS // 2
    found = {"entries": f"{len(entries):,}", "half": f"{half:,}", "known": "0", "lexicon": "-"}
    if programs is not None:
        learned = link_corpus(*(side[:half] for side in captions)).lexicon
        known = peer_dictionary([side[half:] for side in captions], programs)
        found["known"] = f"{len(known):,}"
        found["lexicon"] = lexicon_table(learned, known)
    header = ["pairs", "alone", "lexicon", "dictionary"]
    return {"dictionaries": as_table(header, rows), **found}


def entries_of(lexicon: Lexicon) -> list[tuple[str, str, float, float]]:
    """Return the entries of a lexicon with their probabilities."""
    rows = (line.split("\t") for line in lexicon.lines() if not line.startswith("#"))
    return [(row[0], row[1], float(row[2]), float(row[3])) for row in rows if len(row) >= 4]


def peer_dictionary(sides: list[list[list[str]]], programs: Path) -> set[tuple[str, str]]:
    """Return the word pairs that eflomal links often."""
    forward, reverse = peer_links(sides[0], sides[1], programs)
    counts: Counter[tuple[str, str]] = Counter()
    for src, tgt, one, other in zip(*sides, forward, reverse, strict=True):
        both = set.intersection(
            *({*zip(each.src.tolist(), each.tgt.tolist(), strict=True)} for each in (one, other))
        )
        counts.update((src[i], tgt[j]) for i, j in both)
    totals = [Counter[str](), Counter[str]()]
    for pair, count in counts.items():
        for total, word in zip(totals, pair, strict=True):
            total[word] += count
    return {
        pair
        for pair, count in counts.items()
        if count >= 5 and min(count / totals[0][pair[0]], count / totals[1][pair[1]]) >= 0.3
    }


def lexicon_table(learned: Lexicon, known: set[tuple[str, str]]) -> str:
    """Return precision at the first place, and recall at more places."""
    translations: dict[str, list[tuple[float, str]]] = {}
    for src, tgt, forward, _ in entries_of(learned):
        translations.setdefault(src, []).append((-forward, tgt))
    ranked = {src: [tgt for _, tgt in sorted(words)] for src, words in translations.items()}
    in_both = {src for src, _ in known} & ranked.keys()
    first = sum((src, ranked[src][0]) in known for src in in_both)
    entries = [pair for pair in known if pair[0] in in_both]
    rows = [
        ["source words of the dictionary in the lexicon",
         f"{100 * len(in_both) / len({src for src, _ in known}):.1f} %"],
        ["first translation in the dictionary", f"{100 * first / len(in_both):.1f} %"],
    ]  # fmt: skip
    for places in (1, 3, 10):
        met = sum(tgt in ranked[src][:places] for src, tgt in entries)
        rows.append([f"entries among the first {places}", f"{100 * met / len(entries):.1f} %"])
    return as_table(["what", "share"], rows)


def is_word(word: str) -> bool:
    """Whether a token is no number and no mark."""
    return word[0].isalpha()


def hashed(*parts: str) -> int:
    """Return a number that is always the same for the same strings."""
    return zlib.crc32("|".join(parts).encode())


def invented(word: str) -> str:
    """Return a string of syllables for a word, the same each time."""
    if not is_word(word):
        return word
    draw = random.Random(hashed("syllables", word))  # noqa: S311 - no secret
    return "".join(draw.choice(_LETTERS[k % 2]) for k in range(max(2, min(len(word), 9))))


def ideographs(word: str) -> str:
    """Return one of 300 ideographs for a short word, and two of 1,500 others for a longer one."""
    if not is_word(word):
        return word
    if len(word) <= _SHORT:
        return chr(0x4E00 + hashed("short", word) % 300)
    return "".join(chr(0x4E00 + 300 + hashed(part, word) % 1500) for part in ("first", "second"))


def _same(words: list[str], _draw: random.Random) -> list[Piece]:
    return [([k], word) for k, word in enumerate(words)]


def _unrelated(words: list[str], _draw: random.Random) -> list[Piece]:
    return [([k], invented(word)) for k, word in enumerate(words)]


def _turned(words: list[str], _draw: random.Random) -> list[Piece]:
    return [([k], words[k]) for k in range(len(words) - 1, -1, -1)]


def _chunks_turned(words: list[str], _draw: random.Random) -> list[Piece]:
    chunks = [range(begin, min(begin + 3, len(words))) for begin in range(0, len(words), 3)]
    return [([k], words[k]) for chunk in reversed(chunks) for k in chunk]


def _verbs_last(words: list[str], _draw: random.Random) -> list[Piece]:
    order: list[int] = []
    for begin in range(0, len(words), 8):
        clause = range(begin, min(begin + 8, len(words)))
        moved = {begin + 1, begin + 2}
        order += [k for k in clause if k not in moved] + [k for k in clause if k in moved]
    return [([k], words[k]) for k in order]


def _without_short(words: list[str], _draw: random.Random) -> list[Piece]:
    left = [([k], word) for k, word in enumerate(words) if not is_word(word) or len(word) > _SHORT]
    return left or [([0], words[0])]


def _short_behind(words: list[str], _draw: random.Random) -> list[Piece]:
    pieces: list[Piece] = []
    for k, word in enumerate(words):
        if pieces and is_word(word) and len(word) <= _SHORT and is_word(pieces[-1][1]):
            pieces[-1] = ([*pieces[-1][0], k], pieces[-1][1] + word)
        else:
            pieces.append(([k], word))
    return pieces


def _short_before(words: list[str], _draw: random.Random) -> list[Piece]:
    pieces: list[Piece] = []
    held: list[int] = []
    for k, word in enumerate(words):
        if is_word(word) and len(word) <= _SHORT and is_word(words[min(k + 1, len(words) - 1)]):
            held.append(k)
            if k + 1 < len(words):
                continue
            held.pop()
        pieces.append(([*held, k], "".join(words[h] for h in held) + word))
        held = []
    return pieces


def _joined(words: list[str], draw: random.Random) -> list[Piece]:
    pieces: list[Piece] = []
    k = 0
    while k < len(words):
        end = k + 1
        if is_word(words[k]):
            most = k + draw.choice([2, 3, 4])
            while end < min(most, len(words)) and is_word(words[end]):
                end += 1
        pieces.append(([*range(k, end)], "".join(invented(word) for word in words[k:end])))
        k = end
    return pieces


def _suffixes(words: list[str], draw: random.Random) -> list[Piece]:
    return [
        ([k], word + draw.choice(_SUFFIXES) if is_word(word) and len(word) > _SHORT else word)
        for k, word in enumerate(words)
    ]


def _prefixes(words: list[str], draw: random.Random) -> list[Piece]:
    pieces: list[Piece] = []
    for k, word in enumerate(words):
        long = is_word(word) and len(word) > _SHORT
        pieces.append(([k], (draw.choice(_PREFIXES) if long else "") + invented(word)))
    return pieces


def _characters(words: list[str], _draw: random.Random) -> list[Piece]:
    return [
        ([k], part)
        for k, word in enumerate(words)
        for part in (ideographs(word) if is_word(word) else [word])
    ]


def _split(words: list[str], _draw: random.Random) -> list[Piece]:
    pieces: list[Piece] = []
    for k, word in enumerate(words):
        middle = len(word) // 2 if is_word(word) and len(word) > 5 else len(word)
        pieces += [([k], part) for part in (word[:middle], word[middle:]) if part]
    return pieces


def _cyrillic(words: list[str], _draw: random.Random) -> list[Piece]:
    return [
        ([k], "".join(_CYRILLIC.get(letter, letter) for letter in word))
        for k, word in enumerate(words)
    ]


def _without_vowels(words: list[str], _draw: random.Random) -> list[Piece]:
    pieces = []
    for k, word in enumerate(words):
        bare = "".join(letter for letter in word if letter not in "aeiou") or word
        pieces.append(([k], "".join(_CYRILLIC.get(letter, letter) for letter in bare)))
    return pieces


CHANGES: dict[str, Change] = {
    "none": _same,
    "unrelated words (random syllables)": _unrelated,
    "words in reverse order": _turned,
    "chunks of three words in reverse order": _chunks_turned,
    "second and third word of eight at their end": _verbs_last,
    "no words of up to three letters": _without_short,
    "short words joined to the word before": _short_behind,
    "short words joined to the word behind": _short_before,
    "two to four unrelated words in one": _joined,
    "one of eight suffixes at random": _suffixes,
    "unrelated, one of eight prefixes at random": _prefixes,
    "one or two ideographs a word, each a token": _characters,
    "long words in two tokens": _split,
    "another script": _cyrillic,
    "another script without vowels": _without_vowels,
}

if __name__ == "__main__":
    main()
