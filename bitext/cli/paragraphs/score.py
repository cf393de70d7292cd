"""`bitext paragraphs score`: methods and models against known paragraphs."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from bitext.cli.common import (
    FIGURES,
    LOOK,
    SAMPLING,
    Parser,
    SampledRequest,
    add_groups,
    add_output,
    check_page,
    deliver,
    deliver_figure,
    print_notes,
    protected_outputs,
    refuse_inputs,
    style_of,
)
from bitext.cli.console import Progress
from bitext.cli.paragraphs.files import INPUTS, READING, Reader, groups_of, held_out, texts_of
from bitext.cli.paragraphs.train import (
    TRAINING,
    LearningRequest,
    check_method,
    features_of,
    methods_using,
    scores_of,
    seen_notes,
    tuning_notes,
)
from bitext.cli.request import request_of
from bitext.errors import InputError, MissingExtraError, OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitext.cli.paragraphs.files import Books
    from bitext.model import Text
    from bitext.reports.paragraphs import ParagraphScores
    from bitext.segment.segmenter import ParagraphSegmenter

__all__ = ["run"]

_EPILOG = f"""\
{INPUTS}
methods
  majority          no break, or one before each sentence: what is more frequent
  quotes            breaks before and behind quotations
  svm, boosting     each sentence by itself (scikit-learn)
  crf               a linear-chain CRF (python-crfsuite)
  max-margin-chain  a max-margin chain of two labels
  semi-markov       the max-margin semi-Markov model

They are trained on --train, or on the first part of each book of IN (--split); the last is scored.
The first sentence of a chapter is left out. Others are tested against the first method named.

examples:
  bitext paragraphs score test.tsv --model novels.model
  bitext paragraphs score books/ --methods all --split 72/21/7
  bitext paragraphs score test.tsv --methods all --train books/ --tune
  bitext paragraphs score test.tsv --methods quotes,semi-markov --train train.tsv --features paper
  bitext paragraphs score test.tsv --model novels.model --html scores.html
"""
_WHAT: list[tuple[str, dict[str, Any], str]] = [
    (
        "--model",
        {"action": "append", "default": [], "metavar": "NAME"},
        "a model that ships (en, de), or a file; repeats (default: that of --lang, else en)",
    ),
    ("--methods", {"default": "", "metavar": "NAMES"}, "methods with commas, or all"),
    (
        "--train",
        {"action": "append", "default": [], "metavar": "FILE"},
        "texts that methods are trained on; repeats",
    ),
    (
        "--split",
        {"metavar": "SHARES"},
        (
            "train on the first share of each book, score the last, as 72/21/7 or 80/20; a share "
            "between is for --tune and --tune-offset"
        ),
    ),
    (
        "--dev",
        {"action": "append", "default": [], "metavar": "FILE"},
        "texts that --tune and --tune-offset choose on, with --train; repeats",
    ),
]
_SHOWING: list[tuple[str, dict[str, Any], str]] = [
    *LOOK,
    (
        "--html",
        {"metavar": "FILE"},
        "write a page too: a table to sort, bars with intervals; - is standard output",
    ),
]


class _Plan(NamedTuple):
    """The style of output, the methods to score, and the shares of the parts of books."""

    style: str
    methods: list[str]
    shares: list[float]


class ScoreRequest(LearningRequest, SampledRequest):
    """The request of `bitext paragraphs score`; the fields are its options."""

    draws: ClassVar[bool] = True
    model: tuple[str, ...] = ()
    methods: str = ""
    train: tuple[str, ...] = ()
    dev: tuple[str, ...] = ()
    split: str | None = None

    def resolve(self) -> _Plan:
        """Check options and paths before any work; return the plan."""
        style = style_of(self)
        check_page(self, printed=bool(self.json or self.format))
        refuse_inputs([*self.inputs, *self.train, *self.dev, *self.model], self)
        methods, shares = self._methods(), _shares(self.split)
        self._check(methods)
        self.check_reading()
        return _Plan(style, methods, shares)

    def _methods(self) -> list[str]:
        from bitext.segment.segmenter import METHODS

        if self.methods.strip() == "all":
            return list(METHODS)
        names = [name.strip() for name in self.methods.split(",") if name.strip()]
        for name in names:
            check_method(name)
        return list(dict.fromkeys(names))

    def _check(self, methods: list[str]) -> None:
        from bitext.scoring.common import check_sampling
        from bitext.segment.segmenter import METHODS

        learning = [name for name in methods if METHODS[name].learns]
        if self.split and self.train:
            raise OptionError("--train and --split exclude each other: give one")
        if learning and not (self.split or self.train):
            raise OptionError(
                f"--methods {', '.join(learning)}: are trained before: give --train FILES or "
                f"--split 72/21/7"
            )
        if self.train and not methods:
            raise OptionError("--train is for --methods: name some, or all")
        if self.dev and not (self.train and (self.tune or self.tune_offset)):
            raise OptionError("--dev is for --train with --tune or --tune-offset: give both")
        self.check_tuning()
        given = {
            "--features": self.features != "default",
            "--longest": self.longest is not None,
            "--cost": self.cost is not None,
            "--tune": self.tune,
            "--tune-offset": self.tune_offset,
        }
        for option in (option for option, is_given in given.items() if is_given):
            using = methods_using(option)
            if not set(using) & set(methods):
                raise OptionError(f"{option} is for --methods {', '.join(using)}: name one of them")
        if self.tune_offset and not (self.dev or (self.split and self.split.count("/") == 2)):
            raise OptionError(
                "--tune-offset needs a share between, or texts: give --split as 72/21/7, or --dev"
            )
        models = self.model or (() if methods else ("en",))
        seeded = bool(set(methods_using("--seed")) & set(methods))
        systems = [*dict.fromkeys(models), *methods]
        check_sampling(self.sampling(), systems, called="--model or --methods", seeded=seeded)


def run(arguments: Sequence[str]) -> int:
    """Score methods and models; return the exit status."""
    request = request_of(ScoreRequest, _parser(), arguments)
    style, methods, shares = request.resolve()
    reader = Reader(request)
    with protected_outputs(request):
        books = reader.books(request.inputs)
        learned = reader.books(request.train) if request.train else books
        development = reader.books(request.dev) if request.dev else {}
    parts = held_out(books, shares) if shares else [books]
    texts = texts_of(parts[-1])
    if not texts:
        raise InputError("no text is left to score: give more, or a greater last share (--split)")
    if shares:
        learned, *between = parts[:-1]
        development = between[0] if between else {}
    segmenters, notes = _loaded(request, reader.lang)
    more, lacking = _trained(methods, learned, texts_of(development), texts, request)
    segmenters |= more
    if not segmenters:
        raise InputError(f"no method is left to score: {'; '.join(lacking)}")
    scores = scores_of(
        texts,
        segmenters,
        request.sampling(),
    )
    notes += [*lacking, *map(str, reader.notes.all()), *scores.sampling_notes()]
    print_notes(notes, request)
    if request.html is not None:
        _write_page(scores, notes, request.html)
        if request.html == request.output == "-":
            return 0
    if style in FIGURES:
        from bitext.reports.plots import plot_results

        drawing = plot_results(scores.results(), intervals=request.look.intervals)
        deliver_figure(drawing, request, style)
    elif style == "json":
        deliver(json.dumps(scores.to_json(), ensure_ascii=False) + "\n", request)
    elif style == "tsv":
        deliver(scores.flat_table().render(style), request)
    else:
        from bitext.reports.table import beside

        if style == "latex":
            table = scores.results().render(style, request.look)
        else:
            table = scores.table(request.look).render(style)
        deliver(f"{beside(scores.caption(), style)}\n{table}", request)
    return 0


def _write_page(scores: ParagraphScores, notes: Sequence[str], page: str) -> None:
    from bitext.formats.io.output import write_whole
    from bitext.reports.paragraphs import paragraph_page

    with write_whole(page) as out:
        out.write(paragraph_page(scores, notes=notes))


_NOT_SAMPLING = {"--zero-division", "--seed", "--pairs"}


def _parser() -> Parser:
    parser = Parser(
        prog="bitext paragraphs score",
        description="Score methods and models of paragraphs.",
        epilog=_EPILOG,
    )
    parser.add_argument("inputs", metavar="IN", nargs="+", help="texts whose paragraphs are known")
    sampling = [row for row in SAMPLING if row[0] not in _NOT_SAMPLING]
    add_groups(
        parser,
        {
            "what": _WHAT,
            "training": TRAINING,
            "reading": READING,
            "sampling": sampling,
            "showing": _SHOWING,
        },
    )
    add_output(parser, figures=True)
    return parser


def _shares(given: str | None) -> list[float]:
    if given is None:
        return []
    try:
        parts = [float(part) for part in given.split("/")]
    except ValueError:
        parts = []
    if len(parts) not in {2, 3} or not all(0 < part < float("inf") for part in parts):
        raise OptionError(f"--split {given!r}: want two or three shares above 0, as 72/21/7")
    return [part / sum(parts) for part in parts]


def _loaded(request: ScoreRequest, lang: str) -> tuple[dict[str, ParagraphSegmenter], list[str]]:
    """Load the models of --model, by name; return them and notes."""
    from bitext.cli.paragraphs.split import load_model

    if not request.model and request.methods:
        return {}, []
    segmenters, notes = {}, []
    for name in request.model or (None,):
        segmenter, _, note = load_model(name, lang)
        segmenters[name or lang or "en"] = segmenter
        notes.append(note)
    return segmenters, notes


def _trained(
    methods: list[str],
    learned: Books,
    dev: list[Text],
    scored: list[Text],
    request: ScoreRequest,
) -> tuple[dict[str, ParagraphSegmenter], list[str]]:
    """Train the methods; return them by name, and notes.

    Of --methods all, methods without their package are left out with a note.
    """
    from bitext.segment.segmenter import METHODS, ParagraphSegmenter

    segmenters: dict[str, ParagraphSegmenter] = {}
    notes = []
    train = texts_of(learned)
    if not train and any(METHODS[name].learns for name in methods):
        raise InputError("no text is left to train on: give more, or a greater first share")
    progress = Progress("methods trained", len(methods), quiet=request.quiet or not methods)
    with closing(progress.over(methods)) as names:
        for name in names:
            tuned = METHODS[name].tuned is not None
            segmenter = ParagraphSegmenter(
                name,
                features=features_of(request.features),
                cost=request.cost if name in methods_using("--cost") else None,
                longest=request.longest,
                offset="tuned" if tuned and request.tune_offset else 0.0,
                tune=tuned and request.tune,
                seed=request.seed,
            )
            tunes = segmenter.tune or segmenter.offset == "tuned"
            try:
                segmenter.fit(train, held_out=dev if tunes else (), groups=groups_of(learned))
            except MissingExtraError as error:
                if request.methods.strip() != "all":
                    raise
                notes.append(f"{name} is left out: {error}")
                continue
            segmenters[name] = segmenter
            notes += [f"{name}: {note}" for note in segmenter.notes_]
    notes += tuning_notes(segmenters)
    if any(METHODS[name].learns for name in methods):
        notes += seen_notes(train, dev, "held-out texts")
        notes += seen_notes(train, scored, "scored texts")
    return segmenters, notes
