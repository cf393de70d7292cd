"""The alignment of texts that are held in memory, and what is printed of it."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.align.sentences import alignment_of
from bitext.align.sentences.aligner import BeadExplanation, SentenceAligner, explain_bead
from bitext.cli.align.folders import pair_report
from bitext.cli.align.inputs import Inputs, find_pairs
from bitext.cli.align.outputs import (
    BeadTotals,
    FilteredAlignment,
    dropped_note,
    filter_alignment,
    find_outputs,
    name_notes,
    refuse_documents,
    refuse_forbidden,
    reported_losses,
    write,
)
from bitext.cli.align.request import AlignFiles, AlignRequest, Place
from bitext.cli.align.running import AlignRun, align_externally, save_lexicon
from bitext.cli.align.texts import TextPair, TextReader
from bitext.cli.align.warnings import (
    Warnings,
    language_notes,
    repeated_texts,
    script_notes,
    warning_lines,
    with_identified_languages,
    word_notes,
)
from bitext.cli.common import json_line, write_file
from bitext.cli.console import release_freed_memory, write_out
from bitext.cli.leftovers import notes_on_leftovers
from bitext.errors import FormatError, InputError, OptionError, few, many, renamed
from bitext.formats import read_all
from bitext.formats.io.source import Notes
from bitext.formats.languages import finds, named_languages, two_codes
from bitext.formats.registry import by_name
from bitext.model import Alignment, Bisegment, Bitext, Text
from bitext.paths import is_file

if TYPE_CHECKING:
    from bitext.metrics.evaluation.alignments import Evaluation


def align(request: AlignRequest, files: AlignFiles) -> int:
    """Align the texts of files, write and print what is requested; return the exit status."""
    start_time = time.monotonic()
    place, notes, read_notes = files.place, [*files.notes], Notes()
    if any(each.tgt is not None for each in files.pairs):
        notes += request.notes_beside_texts()
    reader = TextReader(request, read_notes, place)
    pairs = [pair for each in files.pairs for pair in reader.pairs(each)]
    pairs = with_identified_languages(pairs, place, read_notes)
    outputs = _outputs(place, pairs, files, request, notes)
    _check_texts(pairs, request, place)
    external = request.external_aligner()
    align_run = None if external else AlignRun.prepare(request, pairs, read_notes, notes)
    gold = GoldScores.read(request, pairs, request.aligner)
    aligner = None if align_run is None else align_run.align()
    if aligner is not None and request.explain is not None:
        request.print_notes([*notes, *map(str, read_notes.all())], most=9)
        return _print(explanation(aligner, pairs[0], request.explain))
    alignments, warnings = _alignments(request, pairs, align_run, aligner, read_notes)
    if not request.save_lexicon:
        aligner = None  # what it holds of long texts is as much as outputs take
        release_freed_memory()
    filtered, totals = _filtered(pairs, alignments, request)
    bitexts = [each.bitext for each in filtered]
    if dropped := totals.dropped:
        notes.append(dropped_note(request, dropped))
    if gold:
        _score_texts(gold, bitexts, request)
    losses = _write_all(filtered, place, outputs, request, read_notes)
    if request.save_lexicon and aligner is not None:
        save_lexicon(aligner, request.save_lexicon)
    summary = totals.summary(time.monotonic() - start_time)
    declared = bool(pairs) and all(text.lang for text in pairs[0].whole)
    notes += language_notes(files.pairs, request, place, declared=declared)
    doubts = [*script_notes(pairs[0], request)] if pairs else []
    notes += doubts or word_notes(pairs, split=request.split)
    notes += repeated_texts(pairs)
    notes += name_notes(place) if place is not None else ()
    notes += warning_lines(warnings, verbose=request.verbose)
    if place is not None:
        notes += [f"lost: {note}" for note in reported_losses(place, losses, request)]
    notes += _gold_notes(gold) if gold else []
    notes += map(str, read_notes.all())
    request.print_notes([summary, *notes], most=9)
    if request.json:
        document = _document(request.aligner, pairs, filtered, outputs, place)
        for text, of_text in zip(document["texts"], warnings, strict=True):
            text["notes"] = [line for _, line in of_text]
        document |= {"scores": gold.to_json()} if gold else {}
        document["notes"] = notes
        return _print(json_line(document, allow_nan=False))
    if gold:
        return _print(gold.rendered(_style(request)))
    is_printed = place is None and request.html != "-"
    return _print(bead_table(filtered, _style(request))) if is_printed else 0


def _alignments(
    request: AlignRequest,
    pairs: list[TextPair],
    align_run: AlignRun | None,
    aligner: SentenceAligner | None,
    read_notes: Notes,
) -> tuple[list[Alignment], list[Warnings]]:
    """Return the alignment of each text, by a program if there is no aligner, and warnings."""
    if align_run is None or aligner is None:
        aligned = align_externally(request, pairs, read_notes)
        return aligned.alignments, aligned.warnings
    alignments = [alignment_of(aligner, k) for k in range(len(pairs))]
    return alignments, align_run.input_warnings(aligner, alignments)


def aligned_pairs(
    request: AlignRequest, pairs: list[TextPair], read_notes: Notes, notes: list[str]
) -> tuple[list[FilteredAlignment], BeadTotals, list[Warnings]]:
    """Align texts for another command, by a method of `bitext`; return alignments and warnings.

    `read_notes` and `notes` are as in `AlignRun.prepare`.
    """
    align_run = AlignRun.prepare(request, pairs, read_notes, notes)
    aligner = align_run.align()
    alignments = [alignment_of(aligner, k) for k in range(len(pairs))]
    filtered, totals = _filtered(pairs, alignments, request)
    return filtered, totals, align_run.input_warnings(aligner, alignments)


def show_pairs(request: AlignRequest, inputs: Inputs) -> int:
    """Print the pairs of files of a dry run; return the exit status."""
    pairs = find_pairs(inputs)
    count = many(len(pairs.rows), "pair")
    request.print_notes([f"{count} of texts", *pairs.notes], most=9)
    return _print(pair_report(pairs, _style(request), as_json=request.json))


def _outputs(
    place: Place | None,
    pairs: list[TextPair],
    files: AlignFiles,
    request: AlignRequest,
    notes: list[str],
) -> list[str]:
    """Return the output of each text, none if beads are printed; add notes on their folder."""
    if place is None:
        return []
    outputs = find_outputs(place, [pair.name for pair in pairs], files.inputs, request)
    if place.output.endswith("/"):
        given = request.src, request.tgt
        notes += notes_on_leftovers(request, outputs, given, place.known)
    return outputs


def _write_all(
    filtered: list[FilteredAlignment],
    place: Place | None,
    outputs: list[str],
    request: AlignRequest,
    notes: Notes,
) -> Notes:
    """Write the outputs and the pages; return the losses of the outputs."""
    losses = Notes()
    if place is not None:
        write([each.bitext for each in filtered], place, outputs, request, losses, notes)
    _write_pages(filtered, request)
    return losses


def _write_pages(filtered: Sequence[FilteredAlignment], request: AlignRequest) -> None:
    """Write the page of one text, or a folder with a page for each and an index (--html)."""
    place = request.html
    if place is None:
        return
    from bitext.reports.alignment.page import BitextPages, bitext_page
    from bitext.reports.pages import Folder, names_folder

    if names_folder(place):
        with Folder(place) as folder:
            pages = BitextPages(folder, score="" if request.is_external else "probability")
            for each in filtered:
                pages.add(each.bitext, each.bitext.name, empty=each.empty)
            pages.finish("Aligned texts")
        return
    ((bitext, *_),) = filtered
    write_file(place, bitext_page(bitext, name=bitext.name))


def _check_texts(pairs: list[TextPair], request: AlignRequest, place: Place | None) -> None:
    """Refuse texts that the format cannot hold, or --explain cannot explain."""
    if place is not None:
        for pair in pairs:
            refuse_documents(pair, place, request)
        refuse_forbidden([text for pair in pairs for text in pair.whole], place, request)
    if request.explain is not None and len(pairs) != 1:
        raise OptionError(f"--explain is for one text, and there are {len(pairs)}: name one")
    for pair in pairs:
        for text in (pair.src, pair.tgt):
            if not len(text) and request.explain is not None:
                raise InputError(f"{text.name}: is empty, so there is nothing to explain")


def _filtered(
    pairs: list[TextPair], alignments: list[Alignment], request: AlignRequest
) -> tuple[list[FilteredAlignment], BeadTotals]:
    """Return the alignments without improbable beads, and the totals of all."""
    totals = BeadTotals(score="score" if request.is_external else "probability")
    filtered = [filter_alignment(*each, request) for each in zip(pairs, alignments, strict=True)]
    for alignment in filtered:
        totals.add(alignment.counts())
    return filtered, totals


def _score_texts(gold: GoldScores, bitexts: list[Bitext], request: AlignRequest) -> None:
    """Score each text; with --verbose print its F1 at once."""
    for place, bitext in enumerate(bitexts):
        f1 = gold.add(place, bitext)
        if request.verbose and f1 is not None:
            request.print_notes([f"{bitext.name}: F1 {f1:.4f} at alignment level"])
            if sys.stderr is not None:
                sys.stderr.flush()


def _gold_notes(gold: GoldScores) -> list[str]:
    """Return the notes on gold standards, and the names of texts without one."""
    notes = [*gold.notes, *gold.swapped()]
    if gold.missing:
        count = many(len(gold.missing), "text")
        notes.append(f"{count} without a gold standard: {few(gold.missing)}")
    return notes


def _document(
    method: str,
    pairs: list[TextPair],
    alignments: list[FilteredAlignment],
    outputs: list[str],
    place: Place | None,
) -> dict[str, Any]:
    texts = [
        {
            "text": bitext.name,
            "src": pair.src.name,
            "tgt": pair.tgt.name,
            "sentences": [len(pair.src), len(pair.tgt)],
            "beads": bitext.alignment.bead_types(),
            "output": outputs[k] if outputs else None,
        }
        for k, (pair, (bitext, *_)) in enumerate(zip(pairs, alignments, strict=True))
    ]
    rows = {} if place is not None else {"rows": list(bead_rows(alignments))}
    return {"schema": "bitext.align/1", "method": method, "texts": texts, **rows}


def _style(request: AlignRequest) -> str:
    terminal = sys.stdout is not None and sys.stdout.isatty()
    return str(request.format or ("table" if terminal else "tsv"))


def _print(text: str) -> int:
    write_out([text])
    return 0


# The beads as rows of JSON, and as a table that fits the terminal.

_DEFAULT_WIDTH = 100  # columns of an output that is not a terminal, set by hand
_MIN_TEXT_WIDTH = 16  # columns of each text at least, set by hand


def bead_rows(alignments: Sequence[FilteredAlignment]) -> Iterator[dict[str, Any]]:
    """Yield a row for each bead, with its number in the text, as `--explain` takes it.

    Beads are counted from 1, improbable ones included.
    """
    for bitext, numbers, *_ in alignments:
        src, tgt = bitext.src, bitext.tgt
        if src is None or tgt is None:
            continue
        texts = [list(side.segments()) for side in (src, tgt)]
        names = [side.ids for side in (src, tgt)]
        scores = bitext.alignment.scores
        for k, bead in enumerate(bitext.alignment):
            yield {
                "text": bitext.name,
                "bead": numbers[k],
                "type": bead.type,
                "score": None if scores is None else round(float(scores[k]), 4),
                "src": [names[0][s] for s in bead.src],
                "tgt": [names[1][t] for t in bead.tgt],
                "src_text": [texts[0][s] for s in bead.src],
                "tgt_text": [texts[1][t] for t in bead.tgt],
            }


def bead_table(alignments: Sequence[FilteredAlignment], style: str) -> str:
    """Return the beads as a table, with texts shortened to the width of a terminal."""
    from bitext.reports.table import Table, number

    named = ["text"] if len(alignments) > 1 else []
    head = [*named, "bead", "type", "score", "src", "tgt", "source text", "target text"]
    table = Table(head, right={len(named), len(named) + 2}, quiet=set(range(len(named))))
    rows = list(bead_rows(alignments))
    room = _text_width(rows, named) if style == "table" else 0
    for row in rows:
        score = "-" if row["score"] is None else number(row["score"])
        texts = [_shorten(" ".join(row[side]), room) for side in ("src_text", "tgt_text")]
        ids = [_shorten(" ".join(row[side]), 40 if room else 0) or "-" for side in ("src", "tgt")]
        name = [row["text"]] if named else []
        table.rows.append([*name, str(row["bead"]), row["type"], score, *ids, *texts])
    return table.render(style)


def _text_width(rows: list[dict[str, Any]], named: list[str]) -> int:
    """Return the width in columns of each of the two texts."""
    wide = (
        shutil.get_terminal_size((_DEFAULT_WIDTH, 24)).columns
        if sys.stdout.isatty()
        else _DEFAULT_WIDTH
    )
    taken = 2 * (6 + len(named)) + len("bead  type") + len("0.0000")
    for column in (*named, "src", "tgt"):
        cells = (row[column] if column == "text" else " ".join(row[column]) for row in rows)
        taken += min(40, max((len(cell) for cell in cells), default=0))
    return max(_MIN_TEXT_WIDTH, (wide - taken) // 2)


def _shorten(text: str, room: int) -> str:
    """Shorten a text to a width in columns; 0 for no limit."""
    if not room or len(text) * 2 <= room:
        return text
    from bitext.reports.table import width

    text = text[: room + 1]
    if width(text) <= room:
        return text
    while width(text) > room - 1:
        text = text[:-1]
    return f"{text}…"


# The explanation of a bead (--explain): its probability, its scores, and the next best beads.


def explanation(aligner: SentenceAligner, pair: TextPair, number: int) -> str:
    """Explain why bead `number`, from 1, is part of the alignment of a text.

    The last run of the aligner must be over this text. Raises `OptionError` when the alignment has
    fewer beads.
    """
    from bitext.reports.table import printable

    placed = pair.on_whole(alignment_of(aligner, 0))
    beads = len(placed.aligned)
    if number > beads:
        raise OptionError(f"--explain {number}: the alignment has beads 1 to {beads}")
    head = f"bead {number} of {beads}: "
    if not placed.aligned[number - 1]:
        shown = _bead_ids(placed.alignment[number - 1], pair.whole)
        return f"{head}{shown}, empty: set aside before the texts were aligned\n"
    reasons = explain_bead(aligner, int(placed.aligned[:number].sum()) - 1)
    lines = [f"{head}{_bead_of_whole(reasons.bead, pair)}, probability {reasons.posterior:.4f}"]
    for side, text, members in (
        ("source", pair.src, reasons.bead.src),
        ("target", pair.tgt, reasons.bead.tgt),
    ):
        lines += [f"  {side}  {printable(text[k].text or '')}" for k in members]
    lines += ["", "what it scores (natural logarithms; above 0 counts for it)"]
    lines.append(
        f"  {'kind ' + reasons.bead.type:<12} {reasons.prior:z8.2f}  how frequent such beads are"
    )
    for name, value in reasons.parts:
        comment = ""
        if name == "length" and all(reasons.lengths):
            (src, tgt), expected = reasons.lengths, reasons.expected
            comment = f"  source {src:,.0f}, target {tgt:,.0f} (expected {expected:,.0f})"
        if name == "place":
            comment = "  in or beside a passage that one side lacks, or the end of a paragraph"
        lines.append(f"  {name:<12} {value:z8.2f}{comment}")
    lines += _word_lines(reasons)
    lines += ["", _alternative(reasons, pair)]
    return "\n".join(lines) + "\n"


def _word_lines(reasons: BeadExplanation) -> list[str]:
    """Return a table of the words with the greatest scores, for the bead and against it."""
    if not reasons.words:
        return []
    from bitext.reports.table import Table

    table = Table(["word", "side", "explained by", "adds"], right={3})
    for word in reasons.words:
        side = {"src": "source", "tgt": "target"}[word.side]
        table.rows.append([word.word, side, word.by or "-", f"{word.gain:+z.2f}"])
    rendered = table.render("table").rstrip("\n").split("\n")
    return ["", "the words that count most", *(f"  {line}" for line in rendered)]


def _alternative(reasons: BeadExplanation, pair: TextPair) -> str:
    if isinf(reasons.lost) or not reasons.instead:
        return "there is no other way to align this place"
    others = ", ".join(_bead_of_whole(bead, pair) for bead in reasons.instead)
    return f"without it: {others}; the alignment would lose {reasons.lost:z.2f}"


def _bead_of_whole(bead: Bisegment, pair: TextPair) -> str:
    """Return the ids of a bead in the whole texts, with blank lines and empty sentences."""
    src, tgt = (
        members if places is None else tuple(places[list(members)].tolist())
        for members, places in zip(bead, pair.places, strict=True)
    )
    return _bead_ids(Bisegment(src, tgt), pair.whole)


def _bead_ids(bead: Bisegment, texts: tuple[Text, Text]) -> str:
    """Return the ids of the sentences of a bead, as `4 5 : 4 (2-1)`."""
    sides = (
        " ".join(text[k].id for k in members) or "-"
        for text, members in zip(texts, bead, strict=True)
    )
    return f"{' : '.join(sides)} ({bead.type})"


# The scores of alignments against gold standards (--gold).


@dataclass(slots=True)
class GoldScores:
    """Gold standards by the names of their texts, and the scores of alignments against them."""

    path: str  # the file or the folder of the gold standards
    single: bool  # whether one text is aligned: its gold standard is then a file of any name
    # The codes of the languages, which names of gold standards may end with; empty if unknown.
    langs: tuple[str, str]
    missing: list[str] = field(default_factory=list)  # texts without a gold standard
    notes: list[str] = field(default_factory=list)  # notes of reading the gold standards
    _entries: dict[str, str] = field(default_factory=dict)
    _read: dict[int, Bitext] = field(default_factory=dict)
    _evaluation: Evaluation | None = None

    @classmethod
    def read(
        cls, request: AlignRequest, pairs: Sequence[TextPair], system: str
    ) -> GoldScores | None:
        """Read the gold standards (--gold) before the work; `None` if none are wanted.

        Raises `InputError` when no text has a gold standard, or a gold standard is of other texts.
        """
        if not request.gold:
            return None
        from bitext.formats.corpora import open_corpus
        from bitext.metrics.evaluation import Options
        from bitext.metrics.evaluation.alignments import Evaluation

        if request.split:
            raise OptionError(
                "--gold is for the sentences as they are, and --split makes others: leave one out"
            )
        if document := next(filter(None, (pair.document for pair in pairs)), ""):
            raise OptionError(
                f"--gold is for the sentences as they are, and those of {document} are split from "
                f"a document: leave --gold out"
            )
        known = by_name(request.gold_from) if request.gold_from else None
        with renamed("from", option="gold-from"):  # --from is the format of the texts
            corpus = open_corpus(request.gold, known=known)
        scores = cls(request.gold, len(pairs) == 1, request.languages)
        scores._entries = {name: entry.path for name, entry in corpus.entries.items()}
        scores._evaluation = Evaluation([system], Options(resamples=0))
        for place, pair in enumerate(pairs):
            path = scores._find(pair.name)
            if path is None:
                scores.missing.append(pair.name)
            else:
                gold = scores._read[place] = _read_gold(path, pair, request)
                scores.notes += [f"gold standard: {note}" for note in gold.notes]
                scores.notes += _other_languages(path, pair)
        if not scores._read:
            example = next(iter(corpus.entries))
            if is_file(request.gold):
                raise InputError(
                    f"{request.gold}: is one file, and {len(pairs)} texts are aligned: name a "
                    f"folder with a gold standard for each, by its name"
                )
            raise InputError(
                f"{request.gold}: has no gold standard named {pairs[0].name!r}, but {example!r}; "
                f"name the files alike"
            )
        return scores

    def _find(self, name: str) -> str | None:
        if self.single and len(self._entries) == 1:
            return next(iter(self._entries.values()))
        with_langs = f"{name}.{'-'.join(self.langs)}"
        paths = (self._entries.get(each) for each in (name, with_langs, Path(name).name))
        return next(filter(None, paths), None)

    def add(self, number: int, hyp: Bitext) -> float | None:
        """Score the alignment of a text; return its F1 of beads, `None` without gold standard."""
        gold = self._read.pop(number, None)
        if gold is None or self._evaluation is None:
            return None
        compared = self._evaluation.add(gold, [hyp], hyp.name)
        from bitext.metrics.arcade import counts_of

        return counts_of(compared[0], "alignment").f1

    def swapped(self) -> list[str]:
        """Return a note where the gold standards fit better with source and target exchanged."""
        systems = self._evaluation.swapped_systems() if self._evaluation else {}
        return [
            f"{self.path}: fits better with source and target exchanged: sentence F1 is "
            f"{given:.4f} as given, {other:.4f} exchanged"
            for given, other in systems.values()
        ]

    def rendered(self, style: str) -> str:
        """Return the scores as a table; in TSV one score per line, with counts."""
        from bitext.reports.scores import figures

        if self._evaluation is None:
            return ""
        many = len(self._evaluation.texts) > 1
        table_of = figures.flat_table if style == "tsv" else figures.score_table
        return table_of(self._evaluation, ("micro",), texts=many).render(style)

    def to_json(self) -> dict[str, Any]:
        """Return the scores as for JSON."""
        from bitext.reports.scores.figures import to_json

        return {} if self._evaluation is None else to_json(self._evaluation)


def _other_languages(path: str, pair: TextPair) -> list[str]:
    """Return a note where the name of a gold standard has other languages than the texts."""
    src, tgt = pair.src, pair.tgt
    named, own = two_codes(path), (src.lang, tgt.lang)
    own = own if all(own) else named_languages(src.name, tgt.name)
    if not (all(named) and all(own)):
        return []
    if any(
        all(finds(one, code) or finds(code, one) for one, code in zip(named, codes, strict=True))
        for codes in (own, own[::-1])
    ):
        return []
    languages = f"{' and '.join(named)}, and the texts are of {' and '.join(own)}"
    return [f"{path}: is by its name of {languages}: is it the gold standard of other texts?"]


def _read_gold(path: str, pair: TextPair, request: AlignRequest) -> Bitext:
    from bitext.formats.positions import check_coverage

    given: dict[str, Any] = {
        "format": request.gold_from,
        "encoding": request.encoding,
        "drafts": request.drafts,
        "columns": request.table_columns(),
    }
    try:
        with renamed("from", option="gold-from"):
            golds = [check_coverage(gold) for gold in read_all(path, over=pair.whole, **given)]
    except (FormatError, InputError) as error:
        # The remedy of a reader is an option that `align` has not: name ours in its place.
        fault, remedy, _ = str(error).partition("; give the text")
        if not remedy:
            raise
        raise InputError(f"{fault}; name the gold standard of these two texts") from None
    if len(golds) != 1:
        raise InputError(
            f"{path}: holds {many(len(golds), 'document pair')} where the gold standard of "
            f"{pair.name!r} is wanted; name one file a text"
        )
    return golds[0]
