"""`bitext paragraphs train` and `score`: models from texts with paragraphs; methods compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from bitext.cli.common import FIGURES, LOOK, SAMPLING, Parser, add_output, refuse_place, write_file
from bitext.cli.console import Progress
from bitext.cli.option_tables import add_groups, option_of, options_of
from bitext.cli.paragraphs.files import (
    INPUTS,
    READING,
    Books,
    BooksRequest,
    Reader,
    groups_of,
    held_out,
    texts_of,
)
from bitext.cli.request import SampledRequest, request_of
from bitext.errors import InputError, MissingExtraError, OptionError, did_you_mean, many
from bitext.paths import is_folder, is_there, unwritable

if TYPE_CHECKING:
    from bitext.metrics.evaluation import Sampling
    from bitext.model import Text
    from bitext.reports.paragraphs import ParagraphScores
    from bitext.segment.features.groups import FeatureOptions
    from bitext.segment.segmenter import ParagraphSegmenter
    from bitext.segment.training import PassReport, TrainingState

_EPILOG = f"""\
{INPUTS}
Plain text is split into sentences without its breaks, so that these do not give the answer away; a
note counts the paragraphs that start within a sentence and are lost.

--features takes a preset (default; paper, that of Shi et al. 2007), groups of features with commas,
or a preset with groups to leave out: --features default,-topic-shift. 'bitext paragraphs show
MODEL' lists the groups.

examples:
  bitext paragraphs train novels/ -o novels.model --lang en --dev-share 0.1
  bitext paragraphs train novels/ -o novels.model --tune   # on each third of the books in turn
  bitext paragraphs train train.tsv -o m.model --dev dev.tsv --tune-offset --passes 20
  bitext paragraphs train big/ -o big.model --resume big.state   # goes on where it was stopped
"""

# Methods that use --longest, and those that do not use --features. For other options see
# `method_options`.
_OF_LENGTHS = ["max-margin-chain", "semi-markov"]
_OF_RULES = ["majority", "quotes"]

TRAINING = options_of("""
    --features SET  the features (default: 'default'; see below)
    --longest M:whole
        the most sentences of a paragraph, up to 1000 (default: of training, within 30 to 300)
    --seed N:whole  the seed of the order of texts (0)
    --cost C:number  the weight of errors on the training texts against regularisation
    --tune-offset  choose the cost of a break that gives the best F1 on held-out texts
    --tune
        also choose C (crf: L2, boosting: rounds) by this F1; without held-out texts, each third of
        the training books is held out in turn
""")
_MODEL = [
    option_of("-o --output MODEL", "write it there", required=True, dest="model"),
    *options_of("""
        --method NAME
            semi-markov (default), or a rival: 'bitext paragraphs score --help' lists them
        --solver {auto,cutting-plane,bcfw}  the method of training (default: bcfw from 20 texts on)
        --passes N:whole  the largest number of passes over the texts
        --resume FILE
            save the state of training in FILE after each pass, and continue from FILE if it exists
    """),
]
_DEV = options_of("""
    --dev FILE ...  texts for scoring the model, not for training; repeats
    --dev-share SHARE:number  use this share at the end of each book in place of --dev, as 0.1
""")
_OUTPUT = options_of("""
    --json  print one JSON document
    --format {table,tsv,markdown,latex}
        how the scores are printed (default: table on a terminal, tsv elsewhere)
    -q --quiet  no notes and no progress
    -v --verbose  every note, not a few
""")


class LearningRequest(BooksRequest):
    """The options of training."""

    features: str = "default"
    longest: int | None = None
    seed: int = 0
    cost: float | None = None
    tune_offset: bool = False
    tune: bool = False

    def check_tuning(self) -> None:
        """Refuse options that --tune chooses."""
        if self.tune:
            self.refuse("--cost --tune-offset", "--tune replaces OPTION: leave it out")


class TrainRequest(LearningRequest):
    """The request of `bitext paragraphs train`; the fields are its options."""

    model: str
    method: str = "semi-markov"
    solver: str = "auto"
    passes: int | None = None
    resume: str | None = None
    dev: tuple[str, ...] = ()
    dev_share: float = 0.0

    def resolve(self) -> tuple[str, str | FeatureOptions]:
        """Check options and paths before any work; return the style of scores, and the features."""
        style = self.style()
        if not 0.0 <= self.dev_share < 1.0:
            raise OptionError(f"--dev-share {self.dev_share:g}: want a share below 1, as 0.1")
        self.refuse_both("--dev", "--dev-share")
        if self.tune_offset and not (self.dev or self.dev_share):
            raise OptionError("--tune-offset needs held-out texts: give --dev or --dev-share")
        if self.model in {"", "-"}:
            raise OptionError("-o names no file: a model needs one")
        refuse_place(self.model)
        from bitext.formats.io.output import refuse_clashes

        single = [name for name in (*self.inputs, *self.dev) if not is_folder(name)]
        refuse_clashes(single, [self.model, *([self.resume] if self.resume else [])])
        self._check_training()
        if self.resume and self.method != "semi-markov":
            raise OptionError(f"--resume is for semi-markov, and --method is {self.method}")
        if self.resume and self.tune:
            raise OptionError("--tune trains many models, and --resume is of one: leave one out")
        features = features_of(self.features)
        self.check_reading()
        return style, features

    def _check_training(self) -> None:
        """Refuse options of training that the method does not use, and fewer passes than 1."""
        from bitext.segment.segmenter import method_options

        method_options(self.method)  # refuses an unknown one
        self.check_tuning()
        self.refuse_below(passes=1)
        for name in self.given(
            *("--solver", "--cost", "--passes", "--longest", "--features", "--tune"),
            "--tune-offset",
        ):
            using = methods_using(name)
            if self.method not in using:
                raise OptionError(
                    f"{name} is for {', '.join(using)}, and --method is {self.method}: leave it out"
                )


def run(arguments: Sequence[str]) -> int:
    """Train a model; return the exit status."""
    request = request_of(TrainRequest, _parser(), arguments)
    style, features = request.resolve()
    from bitext.formats.io.output import protect_outputs

    reader = Reader(request)
    with protect_outputs(filter(None, (request.model, request.resume))):
        books = reader.books(request.inputs)
        others = reader.books(request.dev)
    learned = books
    if not request.dev:
        learned, others = held_out(books, (1 - request.dev_share, request.dev_share))
    texts, dev = texts_of(learned), texts_of(others)
    if not texts:
        raise InputError("nothing is left to learn from: give more text, or a smaller --dev-share")

    from bitext.segment.segmenter import ParagraphSegmenter

    segmenter = ParagraphSegmenter(
        request.method,
        features=features,
        solver=request.solver,
        cost=request.cost,
        passes=request.passes,
        longest=request.longest,
        offset="tuned" if request.tune_offset else 0.0,
        tune=request.tune,
        seed=request.seed,
    )
    _fit(segmenter, texts, dev, groups_of(learned), request)
    scores = scores_of(dev, {request.method: segmenter}) if dev else None
    _fill_card(segmenter, [*books], reader.lang, scores)
    try:
        segmenter.save(request.model)
    except OSError as error:
        raise unwritable(request.model, error) from None
    card = segmenter.card_

    counted = [many(card[f"{noun}s"], noun) for noun in ("text", "sentence", "paragraph")]
    summary = "learned from {}, {} and {}: ".format(*counted)
    summary += f"{many(segmenter.features_.size, 'feature')}, "
    summary += f"paragraphs of up to {many(segmenter.longest_, 'sentence')}"
    notes = [summary, *_training_notes(card), *segmenter.notes_, *map(str, reader.notes.all())]
    notes += tuning_notes({request.method: segmenter})
    notes += seen_notes(texts, dev, "held-out texts")
    request.print_notes(notes, most=8)
    if style == "json":
        document = {"schema": "bitext.paragraphs-train/1", "model": request.model, "card": card}
        request.deliver_json(document, default=float)
    elif scores is not None:
        table = scores.flat_table() if style == "tsv" else scores.table()
        request.deliver(table.render(style))
    return 0


def features_of(given: str) -> str | FeatureOptions:
    """Return the features of --features: a preset, groups, or a preset with groups more or less.

    Raises `OptionError` when a name is neither a preset nor a group; the message names the nearest.
    """
    from dataclasses import replace

    from bitext.segment.features.groups import GROUPS, PRESETS, FeatureOptions

    items = [item.strip() for item in given.split(",") if item.strip()]
    if len(items) == 1 and items[0] in PRESETS:
        return items[0]
    for name in (item.removeprefix("-").removeprefix("+") for item in items):
        if name not in GROUPS and name not in PRESETS:
            hint = did_you_mean(name, [*GROUPS, *PRESETS])
            raise OptionError(f"--features {name!r} is none; {hint}there are {', '.join(GROUPS)}")
    if not items:
        raise OptionError("--features names none: want 'default', 'paper', or groups")
    base = items[0] if items[0] in PRESETS else "default"
    if any(item in PRESETS for item in items[1:]):
        raise OptionError(f"--features {given!r}: want one preset, at the beginning")
    bare = items[0] not in PRESETS and items[0][0] not in "-+"
    groups = [] if bare else list(PRESETS[base].groups)
    for item in items[items[0] in PRESETS :]:
        name = item.removeprefix("-").removeprefix("+")
        if item.startswith("-"):
            groups = [group for group in groups if group != name]
        elif name not in groups:
            groups.append(name)
    return replace(PRESETS[base] if not bare else FeatureOptions(), groups=tuple(groups))


def scores_of(
    texts: Sequence[Text],
    segmenters: dict[str, ParagraphSegmenter],
    sampling: Sampling | None = None,
) -> ParagraphScores:
    """Score segmenters on texts with known paragraphs."""
    from bitext.metrics.evaluation import Sampling
    from bitext.model import Segmentation
    from bitext.reports.paragraphs import score_paragraphs

    golds = [text.paragraphs or Segmentation([len(text)]) for text in texts]
    hyps = {name: list(each.predict_many(texts)) for name, each in segmenters.items()}
    return score_paragraphs(golds, hyps, Sampling(resamples=0) if sampling is None else sampling)


def _parser() -> Parser:
    parser = Parser(
        prog="bitext paragraphs train", description="Make a model of paragraphs.", epilog=_EPILOG
    )
    parser.add_argument(
        "inputs", metavar="IN", nargs="+", help="texts or documents, folders of them, or -"
    )
    groups = {"model": _MODEL, "training": TRAINING, "held-out texts": _DEV, "reading": READING}
    add_groups(parser, {**groups, "output": _OUTPUT})
    parser.set_defaults(output="-")
    return parser


def methods_using(name: str) -> list[str]:
    """Return the methods that use an option of training, as `--cost`."""
    from bitext.segment.segmenter import METHODS, method_options

    if name == "--longest":
        return _OF_LENGTHS
    if name in {"--tune", "--tune-offset"}:
        return [method for method, kind in METHODS.items() if kind.tuned is not None]
    if name == "--features":
        return [method for method in METHODS if method not in _OF_RULES]
    return [method for method in METHODS if name[2:] in method_options(method)]


def _fit(
    segmenter: ParagraphSegmenter,
    texts: list[Text],
    dev: list[Text],
    groups: list[str],
    request: TrainRequest,
) -> None:
    with Progress("passes", quiet=request.quiet) as progress:
        progress.show(f"features of {sum(map(len, texts)):,} sentences ...")
        segmenter.fit(
            texts,
            held_out=dev if request.tune_offset or request.tune else (),
            groups=groups,
            on_pass=_watch(progress, request.resume),
            state=_state(request.resume),
        )


def _state(path: str | None) -> TrainingState | None:
    if not path or not is_there(path):
        return None
    from bitext.segment.training import load_state

    try:
        return load_state(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None


def _watch(progress: Progress, resume: str | None) -> Callable[[PassReport], None]:
    def show(report: PassReport) -> None:
        gap = report.gap / report.primal if report.primal > 0 else 0.0
        progress.show(f"pass {report.number:,}: duality gap {gap:.2%} of {report.primal:,.2f}")
        if resume:
            from bitext.segment.training import save_state

            try:
                save_state(resume, report.state())
            except OSError as error:
                raise unwritable(resume, error) from None

    return show


def _fill_card(
    segmenter: ParagraphSegmenter, paths: list[str], lang: str, scores: ParagraphScores | None
) -> None:
    """Add version, data, language and held-out scores to the card of a model."""
    import bitext

    card = segmenter.card_
    card["bitext"] = bitext.__version__
    card["data"] = [Path(path).name for path in paths]
    if lang:
        card["lang"] = lang
    if scores is not None:
        # JSON has no nan: undefined figures are left out.
        figures = {row.figure: row.value for row in scores.rows if row.value == row.value}
        card["held-out"] = {
            "texts": scores.chapters,
            "decisions": scores.decisions,
            "breaks": scores.breaks,
            **figures,
        }


def _training_notes(card: dict[str, Any]) -> list[str]:
    lines = []
    if training := card.get("training"):
        gap = training["gap"] / training["primal"] if training["primal"] > 0 else 0.0
        how = "converged" if training["converged"] else "stopped"
        lines.append(
            f"{training['solver']} {how} after {training['passes']:,} passes, duality gap {gap:.2%}"
        )
    return lines


def seen_notes(learned: Iterable[Text], held_out: Iterable[Text], what: str) -> list[str]:
    """Return a note of the held-out texts that are learned from, too, of which figures flatter."""
    seen = {tuple(text.segments()) for text in learned}
    number = sum(tuple(text.segments()) in seen for text in held_out)
    return [f"{what} that are learned from, too: {number}; figures of them flatter"] * bool(number)


def tuning_notes(segmenters: dict[str, ParagraphSegmenter]) -> list[str]:
    """List the values tuned for each method, and the books that were held out in turn."""
    notes, folds = [], []
    for name, segmenter in segmenters.items():
        if choice := segmenter.card_.get("tuning"):
            option = {"cost": "C", "l2": "L2"}.get(choice["option"], choice["option"])
            chosen = f"{option} {choice['value']:g}, offset {choice['offset']:+.2f}"
            notes.append(f"{name}: {chosen} chosen, F1 {choice['f1']:.4f} on held-out texts")
            folds = choice["folds"]
        elif choice := segmenter.card_.get("offset"):
            chosen = f"offset {choice['value']:+.2f}"
            notes.append(f"{name}: {chosen} chosen, F1 {choice['f1']:.4f} on held-out texts")
    if folds:
        listed = "; ".join(", ".join(Path(book).stem for book in fold) for fold in folds)
        notes.append(f"held out in turn for that: {listed}")
    return notes


# `bitext paragraphs score`: methods and models against known paragraphs.


_SCORE_EPILOG = f"""\
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
_WHAT = options_of("""
    --model NAME ...
        a model of bitext (en, de), or a file; repeats (default: that of --lang, else en)
    --methods NAMES  methods, separated by commas, or all
    --train FILE ...  texts that methods are trained on; repeats
    --split SHARES
        train on the first share of each book, score the last, as 72/21/7 or 80/20; a share between
        is for --tune and --tune-offset
    --dev FILE ...  texts that --tune and --tune-offset choose on, with --train; repeats
""")
_SHOWING = [
    *LOOK,
    *options_of("""
        --html FILE  also write a page: a table to sort, bars with intervals; - is standard output
    """),
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
        style = self.style()
        self.refuse_undrawn(style)
        self.check_page()
        self.refuse_inputs([*self.inputs, *self.train, *self.dev, *self.model])
        methods, shares = self._methods(), _shares(self.split)
        self._check(methods)
        self.check_reading()
        return _Plan(style, methods, shares)

    def _methods(self) -> list[str]:
        from bitext.segment.segmenter import METHODS, method_options

        if self.methods.strip() == "all":
            return list(METHODS)
        names = [name.strip() for name in self.methods.split(",") if name.strip()]
        for name in names:
            method_options(name)  # refuses an unknown one
        return list(dict.fromkeys(names))

    def _check(self, methods: list[str]) -> None:
        from bitext.scoring.common import check_sampling
        from bitext.segment.segmenter import METHODS

        learning = [name for name in methods if METHODS[name].learns]
        self.refuse_both("--train", "--split")
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
        for option in self.given("--features", "--longest", "--cost", "--tune", "--tune-offset"):
            using = methods_using(option)
            if not set(using) & set(methods):
                raise OptionError(f"{option} is for --methods {', '.join(using)}: name one of them")
        if self.tune_offset and not (self.dev or (self.split and self.split.count("/") == 2)):
            raise OptionError(
                "--tune-offset needs a share between, or texts: give --split as 72/21/7, or --dev"
            )
        models = self.model or (() if methods else ("en",))
        systems = [*dict.fromkeys(models), *methods]
        called, seeded = "--model or --methods", _are_seeded(methods)
        check_sampling(self.sampling(), systems, called=called, seeded=seeded)


def _are_seeded(methods: Sequence[str]) -> bool:
    """Check whether the training of a method depends on the seed."""
    return not set(methods_using("--seed")).isdisjoint(methods)


def run_score(arguments: Sequence[str]) -> int:
    """Score methods and models; return the exit status."""
    request = request_of(ScoreRequest, _score_parser(), arguments)
    style, methods, shares = request.resolve()
    reader = Reader(request)
    with request.protected_outputs():
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
    trained, untrained = _trained(methods, learned, texts_of(development), texts, request)
    segmenters |= trained
    if not segmenters:
        raise InputError(f"no method is left to score: {'; '.join(untrained)}")
    scores = scores_of(texts, segmenters, request.sampling())
    notes += [*untrained, *map(str, reader.notes.all())]
    notes += scores.sampling_notes(seeded=_are_seeded(methods))
    if not scores.breaks:
        other = reader.by_line or request.sentences
        lines = "" if other else " (a paragraph a line: --layout lines)"
        notes.append(f"no scored text has a paragraph break, so there is none to find{lines}")
    request.print_notes(notes)
    if request.html is not None:
        from bitext.reports.paragraphs import paragraph_page

        write_file(request.html, paragraph_page(scores, notes=notes))
        if request.html == request.output == "-":
            return 0
    if style in FIGURES:
        from bitext.reports.plots import plot_results, write_plot

        drawing = plot_results(scores.results(), intervals=request.look.intervals)
        write_plot(drawing, request.output, style)
    elif style == "json":
        request.deliver_json(scores.to_json())
    elif style == "tsv":
        request.deliver(scores.flat_table().render(style))
    else:
        from bitext.reports.table import beside

        if style == "latex":
            table = scores.results().render(style, request.look)
        else:
            table = scores.table(request.look).render(style)
        request.deliver(f"{beside(scores.caption(), style)}\n{table}")
    return 0


_NOT_SAMPLING = {"--zero-division", "--seed", "--pairs"}


def _score_parser() -> Parser:
    parser = Parser(
        prog="bitext paragraphs score",
        description="Score methods and models of paragraphs.",
        epilog=_SCORE_EPILOG,
    )
    parser.add_argument("inputs", metavar="IN", nargs="+", help="texts whose paragraphs are known")
    sampling = [row for row in SAMPLING if row[0] not in _NOT_SAMPLING]
    add_groups(
        parser,
        {
            "models and methods": _WHAT,
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
    from bitext.cli.paragraphs import load_model

    if not request.model and request.methods:
        return {}, []
    segmenters, notes = {}, []
    for name in request.model or (None,):
        segmenter, _, note = load_model(name, lang)
        segmenters[name or lang or "en"] = segmenter
        notes.append(note)
    return segmenters, notes


def _trained(
    methods: list[str], learned: Books, dev: list[Text], scored: list[Text], request: ScoreRequest
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
