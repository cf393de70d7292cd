"""`bitext paragraphs score`: methods and models against known paragraphs."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

from bitext.cli.common import (
    SAMPLING,
    Parser,
    add_groups,
    add_output,
    check_page,
    check_sampling,
    deliver,
    protected_outputs,
    refuse_inputs,
    style_of,
    tell,
)
from bitext.cli.console import Progress
from bitext.cli.paragraphs.files import INPUTS, READING, Reader, held_out
from bitext.cli.paragraphs.train import (
    TRAINING,
    check_method,
    features_of,
    methods_using,
    scores_of,
)
from bitext.errors import InputError, MissingExtraError, OptionError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

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
            "between is for --tune-offset"
        ),
    ),
]
_SHOWING: list[tuple[str, dict[str, Any], str]] = [
    (
        "--html",
        {"metavar": "FILE"},
        "write a page too: a table to sort, bars with intervals; - is standard output",
    ),
]


def run(arguments: Sequence[str]) -> int:
    """Score."""
    options = _parser().parse_args(arguments)
    style = style_of(options)
    check_page(options, printed=bool(options.json or options.format))
    refuse_inputs([*options.inputs, *options.train, *options.model], options)
    methods = _methods(options)
    shares = _shares(options.split)
    _check(options, methods)
    reader = Reader(options)
    with protected_outputs(options):
        books = reader.books(options.inputs)
        learned = reader.books(options.train) if options.train else {}
    parts = held_out(books, shares) if shares else [[t for c in books.values() for t in c]]
    texts = parts[-1]
    if not texts:
        raise InputError("no text is left to score: give more, or a greater last share (--split)")
    train, dev = parts[0], [text for part in parts[1:-1] for text in part]
    if options.train:
        train = [text for chapters in learned.values() for text in chapters]
    segmenters, notes = _loaded(options, reader.lang)
    more, lacking = _trained(methods, train, dev, options)
    segmenters |= more
    if not segmenters:
        raise InputError(f"no method is left to score: {'; '.join(lacking)}")
    found = scores_of(
        texts,
        segmenters,
        resamples=options.resamples,
        level=options.confidence,
        seed=options.seed,
        test=options.test,
    )
    told = [*notes, *lacking, *map(str, reader.notes.all()), *found.sampling_notes()]
    tell(told, options)
    if options.html is not None:
        _write_page(found, told, options)
        if options.html == options.output == "-":
            return 0
    if style == "json":
        deliver(json.dumps(found.to_json(), ensure_ascii=False) + "\n", options)
    elif style == "tsv":
        deliver(found.flat_table().render(style), options)
    else:
        from bitext.reports.table import beside

        deliver(f"{beside(found.caption(), style)}\n{found.table().render(style)}", options)
    return 0


def _write_page(found: ParagraphScores, notes: Sequence[str], options: argparse.Namespace) -> None:
    from bitext.formats.io.output import write_whole
    from bitext.reports.paragraphs import paragraph_page

    with write_whole(options.html) as out:
        out.write(paragraph_page(found, notes=notes))


def _parser() -> Parser:
    parser = Parser(
        prog="bitext paragraphs score",
        description="Score methods and models of paragraphs.",
        epilog=_EPILOG,
    )
    parser.add_argument("inputs", metavar="IN", nargs="+", help="texts whose paragraphs are known")
    sampling = [row for row in SAMPLING if row[0] not in {"--zero-division", "--seed"}]
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
    add_output(parser)
    return parser


def _methods(options: argparse.Namespace) -> list[str]:
    from bitext.segment.methods import METHODS

    if options.methods.strip() == "all":
        return list(METHODS)
    names = [name.strip() for name in options.methods.split(",") if name.strip()]
    for name in names:
        check_method(name)
    return list(dict.fromkeys(names))


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


def _check(options: argparse.Namespace, methods: list[str]) -> None:
    from bitext.segment.methods import METHODS

    learning = [name for name in methods if METHODS[name].learns]
    if options.split and options.train:
        raise OptionError("--train and --split exclude each other: give one")
    if learning and not (options.split or options.train):
        raise OptionError(
            f"--methods {', '.join(learning)}: are trained before: give --train FILES or "
            f"--split 72/21/7"
        )
    if options.train and not methods:
        raise OptionError("--train is for --methods: name some, or all")
    given = {
        "--features": options.features != "default",
        "--longest": options.longest is not None,
        "--tune-offset": options.tune_offset,
    }
    for option in (option for option, is_given in given.items() if is_given):
        using = methods_using(option)
        if not set(using) & set(methods):
            raise OptionError(f"{option} is for --methods {', '.join(using)}: name one of them")
    if options.tune_offset and not (options.split and options.split.count("/") == 2):
        raise OptionError("--tune-offset needs a share between: give --split as 72/21/7")
    models = options.model or ([] if methods else ["en"])
    seeded = bool(set(methods_using("--seed")) & set(methods))
    systems = [*dict.fromkeys(models), *methods]
    check_sampling(options, systems, called="--model or --methods", seeded=seeded)


def _loaded(
    options: argparse.Namespace, lang: str
) -> tuple[dict[str, ParagraphSegmenter], list[str]]:
    """Return the models asked for, by the names given."""
    from bitext.cli.paragraphs.split import load_model

    if not options.model and options.methods:
        return {}, []
    found, notes = {}, []
    for name in options.model or [None]:
        segmenter, _, told = load_model(name, lang)
        found[name or lang or "en"] = segmenter
        notes.append(told)
    return found, notes


def _trained(
    methods: list[str], train: list[Text], dev: list[Text], options: argparse.Namespace
) -> tuple[dict[str, ParagraphSegmenter], list[str]]:
    """Return the methods, trained, and notes on those that lack a package, of all."""
    from bitext.segment.methods import METHODS
    from bitext.segment.segmenter import ParagraphSegmenter

    found: dict[str, ParagraphSegmenter] = {}
    lacking = []
    if not train and any(METHODS[name].learns for name in methods):
        raise InputError("no text is left to train on: give more, or a greater first share")
    progress = Progress("methods trained", len(methods), quiet=options.quiet or not methods)
    with closing(progress.over(methods)) as names:
        for name in names:
            tuned = options.tune_offset and name == "semi-markov"
            segmenter = ParagraphSegmenter(
                name,
                features=features_of(options.features),
                longest=options.longest,
                offset="tuned" if tuned else 0.0,
                seed=options.seed,
            )
            try:
                segmenter.fit(train, held_out=dev if tuned else ())
            except MissingExtraError as error:
                if options.methods.strip() != "all":
                    raise
                lacking.append(f"{name} is left out: {error}")
                continue
            found[name] = segmenter
            lacking += [f"{name}: {note}" for note in segmenter.notes_]
    return found, lacking
