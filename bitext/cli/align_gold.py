"""What `bitext align --gold` tells: the alignments held against those made by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.cli.common import columns_of
from bitext.errors import FormatError, InputError, OptionError
from bitext.paths import is_file
from bitext.remedies import renamed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from bitext.cli.align_texts import TextPair
    from bitext.metrics.evaluation import Evaluation
    from bitext.model import Bitext

__all__ = ["Gold"]


@dataclass(slots=True)
class Gold:
    """Gold standards by the names of their texts, and what is scored against them.

    Attributes
    ----------
    path : str
        A file or a folder.
    single : bool
        Whether one text is aligned: a file of any name is then its gold standard.
    langs : pair of str
        The codes of the languages, where they are told: gold standards may be named with them.
    missing : list of str
        Texts without a gold standard.
    notes : list of str
        What is odd in the others.

    """

    path: str
    single: bool
    langs: tuple[str, str]
    missing: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _entries: dict[str, str] = field(default_factory=dict)
    _read: dict[int, Bitext] = field(default_factory=dict)
    _evaluation: Evaluation | None = None
    _system: str = ""

    @classmethod
    def asked(
        cls, options: argparse.Namespace, pairs: Sequence[TextPair], system: str
    ) -> Gold | None:
        """Read the gold standards that the options name, before the work; `None` without.

        Raises
        ------
        InputError
            When there is none for any of the texts, or one is of other texts.

        """
        if not options.gold:
            return None
        from bitext.formats.corpus import open_corpus
        from bitext.formats.registry import by_name
        from bitext.metrics.evaluation import Evaluation
        from bitext.metrics.options import Options

        if options.split:
            raise OptionError(
                "--gold is over sentences that are there, and --split makes others: leave one out"
            )
        known = by_name(options.gold_from) if options.gold_from else None
        with renamed("from", option="gold-from"):  # --from is that of the texts
            corpus = open_corpus(options.gold, known=known)
        langs = options.src_lang, options.tgt_lang
        made = cls(options.gold, len(pairs) == 1, langs)
        made._entries = {name: entry.path for name, entry in corpus.entries.items()}
        made._evaluation = Evaluation([system], Options(resamples=0))
        for number, pair in enumerate(pairs):
            path = made._find(pair.name)
            if path is None:
                made.missing.append(pair.name)
            else:
                gold = made._read[number] = _gold_of(path, pair, options)
                made.notes += [f"gold standard: {note}" for note in gold.notes]
        if not made._read:
            some = next(iter(corpus.entries))
            if is_file(options.gold):
                raise InputError(
                    f"{options.gold}: is one file, and {len(pairs)} texts are aligned: name a "
                    f"folder with a gold standard for each, by its name"
                )
            raise InputError(
                f"{options.gold}: has no gold standard named {pairs[0].name!r}, but {some!r}; name "
                f"the files alike"
            )
        return made

    def _find(self, name: str) -> str | None:
        if self.single and len(self._entries) == 1:
            return next(iter(self._entries.values()))
        with_langs = f"{name}.{'-'.join(self.langs)}"
        found = (self._entries.get(each) for each in (name, with_langs, Path(name).name))
        return next(filter(None, found), None)

    def add(self, number: int, hyp: Bitext) -> float | None:
        """Score the alignment of a text; return its F1 at alignment level, `None` without gold."""
        gold = self._read.pop(number, None)
        if gold is None or self._evaluation is None:
            return None
        compared = self._evaluation.add(gold, [hyp], hyp.name)
        from bitext.metrics.arcade import counts_of

        return counts_of(compared[0], "alignment").f1

    def swapped(self) -> list[str]:
        """Return a note where the gold standards seem to be of the other direction."""
        found = self._evaluation.swapped_systems() if self._evaluation else {}
        return [
            f"{self.path}: fits better with source and target exchanged: sentence F1 is "
            f"{given:.4f} as given, {other:.4f} exchanged"
            for given, other in found.values()
        ]

    def rendered(self, style: str) -> str:
        """Return the figures as a table: for a program one a line, with counts."""
        from bitext.reports import scores

        if self._evaluation is None:
            return ""
        many = len(self._evaluation.texts) > 1
        make = scores.flat_table if style == "tsv" else scores.score_table
        return make(self._evaluation, ("micro",), texts=many).render(style)

    def to_json(self) -> dict[str, Any]:
        """Return the figures as JSON."""
        from bitext.reports.scores import to_json

        return {} if self._evaluation is None else to_json(self._evaluation)


def _gold_of(path: str, pair: TextPair, options: argparse.Namespace) -> Bitext:
    """Return the gold standard of a text."""
    from bitext.formats import read_all
    from bitext.formats.coverage import check_coverage

    given: dict[str, Any] = {
        "format": options.gold_from,
        "encoding": options.encoding,
        "drafts": options.drafts,
        "columns": columns_of(options),
    }
    try:
        with renamed("from", option="gold-from"):
            golds = [check_coverage(gold) for gold in read_all(path, over=pair.whole, **given)]
    except (FormatError, InputError) as error:
        told, other, _ = str(error).partition("; give the text")
        if not other:
            raise
        raise InputError(f"{told}; name the gold standard of these two texts") from None
    if len(golds) != 1:
        raise InputError(
            f"{path}: holds {len(golds)} document pairs where the gold standard of "
            f"{pair.name!r} is wanted; name one file a text"
        )
    return golds[0]
