"""How well subtitles are aligned with their times as evidence, and without.

    python scripts/bench/subtitles.py [--data FOLDER] [--seeds N] [--report FILE]

The subtitles of `fixtures/subtitles`, and the same condensed as subtitlers condense: of the target
some short cues are left out, and some neighbours joined to one cue ('- Yes. - No.'). FOLDER has
gold standards, as for alignment_quality.py; its texts get times as a film might have them: of each
bead as long as its characters need at 15 a second, with noise, and pauses between; the sentences of
a side share that time by their lengths, and most starts and ends have a jitter.

The times of the target are then changed: shifted, at another rate, cut (a target with two breaks
and without some seconds), with more jitter, and without any relation to those of the source: of a
text with other lengths, in equal steps, or of the first half of the film only. Figures are F1 of
beads, micro over the texts and seeds.

A second table is of sentences that are cut into cues of about 45 characters, each side at other
words: aligned cue by cue, and as sentences that are joined from the cues (`bitext align --split`).
Figures are F1 of characters, over the sentences of the gold standard.
"""

from __future__ import annotations

import argparse
import random
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from alignment_quality import documents, texts_of
from results import made_today

from bitext import Alignment, Bitext, read
from bitext.align.sentences import align_sentences
from bitext.errors import InputError
from bitext.formats.io.source import open_source
from bitext.formats.subtitles import read_subtitles, runs_of_speech
from bitext.formats.subtitles.times import interpolated
from bitext.metrics import arcade
from bitext.model import Counts, Text
from bitext.reports.table import Table
from bitext.segment.sentences.running_text import split_sentences
from bitext.segment.sentences.splitter import SentenceSplitter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Times = NDArray[np.float64]

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "subtitles"
CUE = 45  # characters of a cue
SPEED = 15  # characters that are read in a second
FILM = 24000 / 1001  # frames a second


class Case(NamedTuple):
    """Two texts with times, and their beads."""

    src: Text
    tgt: Text
    gold: Alignment

    def score(self, *, times: bool) -> Counts:
        """Return the counts of beads of an alignment."""
        hyp = align_sentences(self.src, self.tgt, time_weight=float(times))
        gold = Bitext(self.src, self.tgt, self.gold)
        return arcade(gold, Bitext(self.src, self.tgt, hyp))["alignment"]


def times_of(text: Text) -> Times:
    """Return the times of a text that has some."""
    if text.times is None:
        raise InputError(f"{text.name}: has no times")
    return text.times


def lock() -> Case:
    """Read the subtitles of this repository."""
    texts = []
    for lang in ("en", "de"):
        with open_source(str(FIXTURES / f"lock.{lang}.srt")) as source:
            texts.append(read_subtitles(source, lang))
    gold = read(str(FIXTURES / "lock.align"), src=texts[0], tgt=texts[1])
    return Case(texts[0], texts[1], gold.alignment)


def condensed(case: Case, seed: int) -> Case:
    """Leave out some short cues of the target, and join some neighbours."""
    chance = random.Random(seed)  # noqa: S311 - texts, not secrets
    cues = list(case.tgt.segments())
    times = times_of(case.tgt)
    beads: list[tuple[list[int], list[int]]] = []
    texts: list[str] = []
    spans: list[tuple[float, float]] = []
    joins = False
    for src, tgt in case.gold:
        if not tgt or (len(cues[tgt[0]]) < 16 and chance.random() < 0.15):
            beads.append((list(src), []))
            joins = False
            continue
        text = " ".join(cues[k] for k in tgt)
        start, end = float(times[tgt[0], 0]), float(times[tgt[-1], 1])
        near = bool(spans) and start - spans[-1][1] < 1
        if joins and near and src and beads[-1][0] and beads[-1][1]:
            texts[-1] = f"- {texts[-1]} - {text}"
            spans[-1] = spans[-1][0], end
            beads[-1][0].extend(src)
            joins = False
            continue
        texts.append(text)
        spans.append((start, end))
        beads.append((list(src), [len(texts) - 1]))
        joins = len(text) < 30 and chance.random() < 0.2
    return Case(case.src, Text(texts, times=spans, lang="de"), Alignment(beads))


def timed(src: Text, tgt: Text, gold: Alignment, seed: int, *, jitter: float = 0.1) -> Case:
    """Give the sentences of a gold standard the times that a film might have."""
    chance = random.Random(seed)  # noqa: S311 - texts, not secrets
    sides = [(text, text.lengths(), np.full((len(text), 2), np.nan)) for text in (src, tgt)]
    now = 12.0
    for bead in gold:
        letters = max(
            int(lengths[list(part)].sum())
            for part, (_, lengths, _) in zip((bead.src, bead.tgt), sides, strict=True)
        )
        end = now + max(0.9, letters / SPEED * chance.lognormvariate(0, 0.25))
        for part, (_, lengths, times) in zip((bead.src, bead.tgt), sides, strict=True):
            first = now + (chance.gauss(0, jitter) if chance.random() < 0.6 else 0.0)
            last = max(first + 0.5, end + chance.gauss(0, 3 * jitter))
            share = np.cumsum([0, *np.maximum(lengths[list(part)], 1)]) / max(
                int(np.maximum(lengths[list(part)], 1).sum()), 1
            )
            for k, begin, until in zip(part, share[:-1], share[1:], strict=True):
                times[k] = first + (last - first) * begin, first + (last - first) * until
        now = end + (
            chance.uniform(0.05, 0.3) if chance.random() < 0.6 else chance.expovariate(1 / 3)
        )
    (one, _, its), (other, _, theirs) = sides
    return Case(one.with_times(np.maximum(its, 0)), other.with_times(np.maximum(theirs, 0)), gold)


def changed(case: Case, seed: int) -> Iterator[tuple[str, Case]]:
    """Yield a case with other times of the target, and what was changed."""
    times = times_of(case.tgt)
    end = float(np.nanmax(times))
    cut = times + 0.0
    for share, seconds in ((0.3, 150), (0.55, 90), (0.8, -4)):
        cut[cut[:, 0] > end * share] += seconds
    chance = np.random.default_rng(seed)
    moved = times + chance.laplace(0, 0.4, times.shape)
    steps = chance.lognormal(1, 0.6, len(times)).cumsum()
    other = np.stack([steps, steps + 1], axis=1) * end / max(steps[-1], 1)
    half = np.where(times > end / 2, other, times)
    every = np.arange(len(times)) * 2.0
    for name, new in (
        ("as they are", times),
        ("shifted by 37 s", times + 37),
        ("at 25 / 23.976, 4 s later", times * 25 / FILM + 4),
        ("at 0.97, 60 s later", times * 0.97 + 60),
        ("cut at 3 places", cut),
        ("cut, at 24 / 25", cut * 24 / 25),
        ("with a jitter of 0.4 s", moved),
        ("unrelated", other),
        ("unrelated from the middle on", half),
        ("in steps of 2 s", np.stack([every, every + 1.9], axis=1)),
    ):
        new = np.maximum(new, 0)
        new[:, 1] = np.fmax(new[:, 1], new[:, 0])
        yield name, case._replace(tgt=case.tgt.with_times(new.round(3)))


def in_cues(text: Text, seed: int) -> Text:
    """Cut the sentences of a text into cues, which share their times by their characters."""
    chance = random.Random(seed)  # noqa: S311 - texts, not secrets
    cues: list[str] = []
    spans: list[tuple[float, float]] = []
    for sentence, (start, end) in zip(text.segments(), times_of(text).tolist(), strict=True):
        words = sentence.split()
        number = -(-len(sentence) // CUE) if len(words) > 5 else 1
        at = [round(len(words) * k / number) + chance.randint(-1, 1) for k in range(1, number)]
        borders = sorted({0, len(words), *(min(max(k, 1), len(words) - 1) for k in at)})
        parts = [" ".join(words[i:j]) for i, j in pairwise(borders)] or [""]
        shares = np.cumsum([0, *(len(part) + 1 for part in parts)])
        edges = start + (end - start) * shares / shares[-1]
        cues += parts
        spans += list(pairwise(edges.tolist()))
    return Text(cues, times=spans, lang=text.lang)


def as_sentences(cues: Text, lang: str) -> Text:
    """Join cues to sentences, as `bitext align --split` does."""
    splitter = SentenceSplitter(lang)
    segments, sizes = list(cues.segments()), cues.lengths()
    sentences: list[str] = []
    times = []
    for first, last in runs_of_speech(cues):
        spans = split_sentences("\n".join(segments[first:last]), splitter)
        sentences += spans.sentences
        within = times_of(cues)[first:last], sizes[first:last]
        times.append(interpolated(*within, spans.starts, spans.ends))
    return Text(sentences, times=np.concatenate(times), lang=cues.lang)


def table_of_sentences(options: argparse.Namespace) -> Table:
    """Return F1 of characters for cues and for the sentences joined from them."""
    made = Table(["set", "text", "cues", "sentences"], right={2, 3}, quiet={0})
    for name in options.sets if options.data else ():
        for doc in documents(options.data / name):
            case = timed(*texts_of(doc), doc.gold.alignment, 1)
            src, tgt = (
                Text([" ".join(sentence.split()) for sentence in text.segments()])
                for text in (case.src, case.tgt)
            )
            gold = Bitext(src, tgt, case.gold)
            cues = in_cues(case.src, 1), in_cues(case.tgt, 2)
            joined = [as_sentences(*each) for each in zip(cues, doc.langs, strict=True)]
            scores = [
                arcade(gold, Bitext(one, other, align_sentences(one, other)))["character"].f1
                for one, other in (cues, joined)
            ]
            made.rows.append([name, doc.name, *(f"{score:.3f}" for score in scores)])
            print(*made.rows[-1], sep="\t", flush=True)
    return made


def cases(options: argparse.Namespace) -> dict[str, list[list[tuple[str, Case]]]]:
    """Return the changed cases of each set: a list for each text and seed."""
    sets = {"lock": [list(changed(lock(), 1))]}
    seeds = range(1, options.seeds + 1)
    sets["lock, condensed"] = [list(changed(condensed(lock(), seed), seed)) for seed in seeds]
    for name in options.sets if options.data else ():
        sets[name] = [
            list(changed(timed(*texts_of(doc), doc.gold.alignment, seed), seed))
            for doc in documents(options.data / name)
            for seed in seeds
        ]
    return sets


def table(options: argparse.Namespace) -> Table:
    """Return a row for each set and change of times."""
    made = Table(["set", "times of the target", "without", "with"], right={2, 3}, quiet={0})
    for name, texts in cases(options).items():
        none = Counts(0, 0, 0, 0)
        without = sum((every[0][1].score(times=False) for every in texts), none)
        for k, (change, _) in enumerate(texts[0]):
            scores = sum((every[k][1].score(times=True) for every in texts), none)
            made.rows.append([name, change, f"{without.f1:.3f}", f"{scores.f1:.3f}"])
            print(*made.rows[-1], sep="\t", flush=True)
    return made


def main() -> None:
    """Print the figures, or write the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="a folder of gold standards")
    parser.add_argument("--sets", nargs="*", default=["parice", "text+berg"])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    made = [table(options), table_of_sentences(options)]
    if options.report:
        command = "scripts/bench/subtitles.py --data gold"
        head = (
            "# Subtitles: F1 of beads with times, and without\n\n"
            f"Made by `{command}`, whose docstring tells what is\n"
            f"measured; {made_today()}.\n\n"
        )
        options.report.write_text(
            head
            + "\n## Sentences over several cues\n\n".join(each.render("markdown") for each in made),
            encoding="utf-8",
        )


if __name__ == "__main__":
    main()
