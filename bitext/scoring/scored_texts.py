"""Scores of the texts of a pairing: the options, the choice of scores, and scoring text by text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bitext.errors import InputError, OptionError, named_by_options, remedy
from bitext.formats.columns import SAMPLE
from bitext.formats.corpora import aside_notes
from bitext.formats.header_names import kind_of
from bitext.formats.word_links import OF_LINKS, holds_links
from bitext.metrics.arcade import Comparison
from bitext.metrics.evaluation import Options, Sampling
from bitext.metrics.evaluation.alignments import Evaluation
from bitext.metrics.units import Counter
from bitext.model import Bitext, Note
from bitext.model.word_links import COLUMN
from bitext.reports.scores.page_writers import links_of
from bitext.scoring.common import Showing, unpaired_notes

if TYPE_CHECKING:
    from bitext.formats.corpora.pairing import Pairing, TextSet
    from bitext.jobs import Failure
    from bitext.metrics.evaluation.links import LinkEvaluation, LinkOptions, Misfit

LINKS = "links"  # the granularity of word links


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """The options of scores, of bisegments or of word links; names as on the command line."""

    granularity: tuple[str, ...] | None = None
    alpha: float = 0.5
    sure_only: bool = False
    null: bool = False
    by: str | None = None
    words: Counter = "space"
    characters: Counter = "codepoint"
    also: tuple[str, ...] = ()
    similarity: bool = False
    beads: bool = False
    precision_by_bead: bool = False
    min_matched: float = 0.9
    sampling: Sampling

    def bisegment_options(self) -> Options:
        """Return the options of bisegment scores; refuse those of word links."""
        for option in self._given("alpha", "sure_only", "null", "by"):
            raise OptionError(
                f"{remedy(option)} is for word links, and bisegments are scored: leave it out, or "
                f"ask for links ({_granularity(LINKS)})"
            )
        return Options(
            measures=self.granularity,
            words=self.words,
            characters=self.characters,
            min_matched=self.min_matched,
            also=self.also,
            **asdict(self.sampling),
        )

    def link_options(self) -> LinkOptions:
        """Return the options of word link scores; refuse those of bisegments."""
        from bitext.metrics.evaluation.links import LinkOptions

        measures = self.granularity or (LINKS,)
        if len(measures) > 1:
            raise OptionError(
                f"{_granularity(','.join(measures))}: links are scored by themselves: give "
                f"{_granularity(LINKS)}"
            )
        for option in self._given(
            *("words", "characters", "min_matched", "also", "similarity", "beads"),
            "precision_by_bead",
        ):
            raise OptionError(
                f"{remedy(option)} is for bisegments, and word links are scored: leave it out, or "
                f"{_of_bisegments()}"
            )
        return LinkOptions(
            alpha=self.alpha,
            sure_only=self.sure_only,
            null=self.null,
            by_part=self.by == "part",
            **asdict(self.sampling),
        )

    def _given(self, *names: str) -> Iterator[str]:
        """Yield the keys of the options that differ from their defaults."""
        usual = Scoring(sampling=self.sampling)
        for name in names:
            if getattr(self, name) != getattr(usual, name):
                yield name.replace("_", "-")

    def check_counters(self) -> None:
        """Refuse `words` and `characters` if no granularity counts them."""
        measures = self.granularity
        if measures is None:
            return
        if self.similarity and not {"sentence", "word", "character"} & {*measures}:
            return  # then similarity is at all granularities, which count words and characters
        for name, value, default in (
            ("word", self.words, "space"),
            ("character", self.characters, "codepoint"),
        ):
            if value != default and name not in measures:
                raise OptionError(
                    f"{remedy(f'{name}s {value}')} is for the granularity {name}: add it "
                    f"({_granularity(name)}), or leave {remedy(f'{name}s')} out"
                )


def _granularity(value: str) -> str:
    return f"-g {value}" if named_by_options() else f"granularity={value!r}"


def _of_bisegments() -> str:
    return f"score the bisegments ({_granularity('alignment')}, or another granularity)"


def bases_of(given: Sequence[str], names: Sequence[str]) -> dict[str, int]:
    """Return the first position of word links, 0 or 1, of `gold` and of systems.

    Of `given`, `0` or `1` is the position of the gold standard, `NAME=0` or `NAME=1` that of a
    system; `names` are `gold` and the names of the systems. Raises `OptionError` when a name or a
    number is not allowed, or when a name has two numbers.
    """
    bases: dict[str, int] = {}
    for text in given:
        name, _, base = text.rpartition("=")
        name, option = name or "gold", remedy(f"base {text}")
        if base not in {"0", "1"}:
            raise OptionError(f"{option}: want 0 or 1, or NAME=0 or NAME=1 for one system")
        if name not in names or names.count(name) > 1:
            advice = remedy("names", python="a dictionary")
            fault = f"is the gold standard and a system: name the systems ({advice})"
            if name not in names:
                fault = f"is no system: want gold, or one of {', '.join(names[1:])}"
            raise OptionError(f"{option}: {name} {fault}")
        if bases.setdefault(name, int(base)) != int(base):
            raise OptionError(f"{remedy('base')}: {name} counts from 0 or from 1: say one")
    return bases


def scores_links(measures: Sequence[str] | None, item: TextSet | None) -> tuple[bool, list[str]]:
    """Return `True` where word links are scored, not bisegments, and notes on the choice.

    Word links are scored where `measures` names them, or where it is `None` and all files of a text
    have some.

    Raises `InputError` when only some of the files have word links, and one of these is in a format
    of word links.
    """
    if item is None:
        return measures is not None and LINKS in measures, []
    bitexts = (item.gold, *item.hyps)
    having = [each for each in bitexts if holds_links(each)]
    if measures is not None:
        if LINKS not in measures:
            return False, _notes_on_lines_of_links(bitexts)
        if not having and (advice := _unnamed_links(bitexts)):
            raise InputError(f"there are no word links to score{advice}")
        return True, []
    if not having:
        without = [each for each in bitexts if COLUMN in each.alignment.attributes]
        paths = dict.fromkeys(each.meta.get("path") or each.name for each in without)
        notes = [
            f"bisegments are scored: the column {COLUMN} of {path} holds no word links"
            for path in paths
        ]
        advice = _unnamed_links(bitexts)
        return False, notes + [f"bisegments are scored{advice}"] * bool(advice)
    unlinked = [each for each in bitexts if not holds_links(each) and len(each.alignment)]
    if not unlinked:
        if any(each.meta.get("format") not in OF_LINKS for each in bitexts):
            reason = "word links are scored, as every file has some"
            bisegments = _granularity("alignment")
            return True, [f"{reason}; {bisegments} (or another granularity) scores the bisegments"]
        return True, _notes_on_lone_links(item.gold)
    linked, other_path = (each[0].meta.get("path") or each[0].name for each in (having, unlinked))
    if any(each.meta.get("format") in OF_LINKS for each in having):
        raise InputError(
            f"{linked} has word links and {other_path} has none; give links for all, or "
            f"{_of_bisegments()}{_unnamed_links(unlinked)}"
        )
    return False, [
        f"bisegments are scored and word links are not: {linked} has some and {other_path} has none"
    ]


def _unnamed_links(bitexts: Sequence[Bitext]) -> str:
    """Return the advice to name a column of word links that has another name than `words`."""
    for each in bitexts:
        for name, column in each.alignment.attributes.items():
            cells = [value for value in column[:SAMPLE] if value]
            if name != COLUMN and kind_of(cells) == "word links":
                way = remedy(
                    f"columns src=...,tgt=...,{COLUMN}={re.sub('^col(?=[0-9]+$)', '', name)}"
                )
                path = each.meta.get("path") or each.name
                return f"; the column {name!r} of {path} has word links: name the columns ({way})"
    return ""


_FEWEST = 4  # lines of one link each that may be something else; set by hand


def _notes_on_lone_links(gold: Bitext) -> list[str]:
    """Note a file with one link a line, which may be bisegments of one text, or their types."""
    links = gold.alignment.word_links()
    known = gold.src is not None and gold.src.has_text
    if known or links is None or len(links) < _FEWEST or not (np.diff(links.ptr) == 1).all():
        return []
    note = "every line of the gold standard has one link, scored as a word link of a sentence pair"
    return [f"{note}: {_BISEGMENTS}"]


_BISEGMENTS = "bisegments of a text are [0, 1]:[2] or '1,2 <=> 1'"


def _notes_on_lines_of_links(bitexts: Sequence[Bitext]) -> list[str]:
    """Note files of word links whose lines count as bisegments; refuse them without texts."""
    notes = []
    for each in bitexts:
        if each.meta.get("format") not in OF_LINKS:
            continue
        path = each.meta.get("path") or each.name
        if not (each.src and each.src.has_text):
            raise InputError(
                f"{path}: has word links, a sentence pair a line, and no bisegments to score: "
                f"leave {remedy('granularity')} out, or score links ({_granularity(LINKS)})"
            )
        notes.append(f"{path}: lines of word links, each scored as a bisegment: {_BISEGMENTS}")
    return notes


@dataclass(slots=True, kw_only=True)
class ScoredTexts:
    """The scores of the texts of a pairing, with the notes of their files."""

    evaluation: Evaluation  # the counts of all texts
    pairing: Pairing  # the texts that were scored; its `unpaired` are those without a partner
    notes: Sequence[str]  # the notes on the files
    failures: Sequence[Failure] = ()  # the texts that jobs gave up
    # Of shards, the files of folders that hold no alignment, by folder. `None` otherwise: the
    # pairing has listed the folders.
    aside_by_shards: Mapping[str, Sequence[str]] | None = None

    def all_notes(self, showing: Showing) -> list[str]:
        """Return notes on the files, on the figures, and on texts left out.

        Raises `InputError` when a system seems to have its sides exchanged, or its positions
        shifted.
        """
        evaluation, notes = self.evaluation, list(self.notes)
        if showing.swap_check:
            self._refuse_swapped()
            notes += evaluation.shifted_notes()
        notes += evaluation.matched_notes()
        notes += evaluation.sampling_notes(showing.averages)
        missing = self.pairing.missing
        treatments = {"leave": "left out for all systems", "empty": "taken as nothing proposed"}
        notes += unpaired_notes(self.pairing.unpaired, lacking=treatments.get(missing, ""))
        aside_names, assumptions = self.aside_by_shards, []
        if aside_names is None:
            aside_names, assumptions = self.pairing.aside(), self.pairing.assumptions()
        for path, names in aside_names.items():
            if showing.verbose:
                notes += [f"{path}: {name} holds no alignment" for name in names]
            else:
                notes += aside_notes(path, names)
        notes += assumptions
        if "word" in evaluation.left_out or "character" in evaluation.left_out:
            reason = next(iter(evaluation.left_out.values()))
            notes.append(
                f"word and character granularity left out: {reason} ({remedy('src', 'tgt')})"
            )
        return notes

    def _refuse_swapped(self) -> None:
        evaluation, pairing = self.evaluation, self.pairing
        if (by_links := links_of(evaluation)) is not None:
            self._refuse_misfits(by_links)
            return
        for name, (f1, exchanged) in evaluation.swapped_systems().items():
            swap = remedy(f"swap {name}")
            swapped = name in pairing.swapped
            given_as = f"with {remedy('swap')}".rstrip("=") if swapped else "as given"
            other = "without" if swapped else "exchanged"
            advice = f"leave {swap} out" if swapped else f"score it with {swap}"
            raise InputError(
                f"{pairing.systems[name]}: source and target seem swapped: sentence F1 is "
                f"{f1:.4f} {given_as} and {exchanged:.4f} {other}; {advice}, or score it as it is "
                f"with {_as_it_is()}"
            )

    def _refuse_misfits(self, evaluation: LinkEvaluation) -> None:
        """Refuse systems whose links fit only if sides are exchanged or positions shifted.

        Raises `InputError` with both F1 and the options that read the files the other way.
        """
        pairing = self.pairing
        for misfit in evaluation.misfits():
            name = list(pairing.systems)[misfit.system]
            causes, remedies = [], []
            if misfit.shift:
                causes.append("positions count from another base")
                remedies.append(_base_remedy(misfit, name, pairing))
            if misfit.swapped:
                causes.append("source and target seem exchanged")
                swap = remedy(f"swap {name}")
                remedies.append(f"leave {swap} out" if name in pairing.swapped else swap)
            raise InputError(
                f"{pairing.systems[name]}: {' and '.join(causes)} (F1 {misfit.given:.4f} as given, "
                f"{misfit.other:.4f} otherwise): score with {' and '.join(remedies)}, or as they "
                f"are with {_as_it_is()}"
            )


def _as_it_is() -> str:
    return remedy("no-swap-check", python="no_swap_check=True")


def _base_remedy(misfit: Misfit, name: str, pairing: Pairing) -> str:
    """Return the option by which the positions of gold standard and system meet."""
    raised, lowered = ("gold", name) if misfit.shift > 0 else (name, "gold")
    if name == "gold":  # --base gold=1 would be of the gold standard
        advice = remedy("names NAME", python="a dictionary of the systems")
        return f"{advice} and {_base_remedy(misfit, 'NAME', pairing)}"
    # The positions of `raised` are too high by 1: it counts from 1, unless it has a position 0, or
    # was read so already by --base or as NAACL. Then the other one was lowered wrongly.
    place = {"gold": 0, name: 1}
    has_zero = misfit.zeros[place[raised]]
    is_stated, is_lowered = (
        pairing.bases.get(each, int(misfit.naacl[place[each]])) == 1 for each in (raised, lowered)
    )
    if is_lowered and (has_zero or is_stated):
        return remedy(f"base {lowered}=0")
    return remedy(f"base {raised}=0" if is_stated else f"base {raised}=1")


def evaluation_of(
    pairing: Pairing, options: Options, *, detailed: bool = True, similar: bool = False
) -> Evaluation:
    """Return an evaluation of the systems of a pairing, with no text yet: by the kind of options.

    `detailed` tells whether the breakdown by bead type is collected, `similar` whether the
    bisegment similarity is measured.
    """
    systems, missing, reading = list(pairing.systems), pairing.missing, pairing.reading
    conditions = reading.where if isinstance(reading.where, Sequence) else ()
    selected_by = (*(f"where:{each}" for each in conditions), *["drafts:yes"] * reading.drafts)
    signed: dict[str, Any] = {"missing": missing, "selected_by": selected_by}
    if type(options) is Options:  # and the module of word links need not be imported
        return Evaluation(systems, options, detailed=detailed, similar=similar, **signed)
    from bitext.metrics.evaluation.links import LinkEvaluation

    return LinkEvaluation(systems, cast("LinkOptions", options), **signed)


def score_texts(
    pairing: Pairing,
    scoring: Scoring,
    *,
    detailed: bool = True,
    over: Callable[[Pairing], Iterable[TextSet]] = iter,
    then: Callable[[TextSet, Evaluation, Sequence[Comparison]], None] = lambda *_: None,
) -> ScoredTexts:
    """Read and score text by text.

    The first text decides between bisegments and word links where `scoring` names no granularity.
    `detailed` tells whether the breakdown by bead type is collected. `over` yields the texts of the
    pairing one by one, to show progress. `then` is called with each text when it was scored, and
    with its comparisons.

    Raises `BitextError` when a file cannot be read, no text can be paired, or options and input do
    not fit.
    """
    notes: dict[str, Note] = {}
    items = iter(over(pairing))
    first = next(items)
    by_links, reading_notes = scores_links(scoring.granularity, first)
    options = scoring.link_options() if by_links else scoring.bisegment_options()
    similar = scoring.similarity
    evaluation = evaluation_of(pairing, options, detailed=detailed, similar=similar)
    for item in chain([first], items):
        compared = evaluation.add(item.gold, item.hyps, item.name)
        for role, bitext in zip(
            ("gold", *evaluation.systems), (item.gold, *item.hyps), strict=True
        ):
            for note in bitext.notes:
                add_note(notes, f"{role}: {note.kind}", note.count, note.first)
        then(item, evaluation, compared)
    return ScoredTexts(
        evaluation=evaluation, pairing=pairing, notes=[*reading_notes, *map(str, notes.values())]
    )


def add_note(notes: dict[str, Note], kind: str, count: int, first: str) -> None:
    """Add a note of a text to `notes`, by its kind, which names the role of the text."""
    known = notes.get(kind, Note(kind, 0, first))
    notes[kind] = Note(kind, known.count + count, known.first)
