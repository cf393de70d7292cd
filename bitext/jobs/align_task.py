"""Aligning a corpus by jobs: some texts teach what is known of all, then each is aligned with it.

A `LearnTask` goes over a sample of the corpus: each text is aligned with what is known by then,
and gives a lesson (`bitext.align.sentences.corpus`); all lessons make what is known. An
`AlignTask` goes over all texts; what it does with one depends on this text and on what is known
alone. How texts are read and written is told by a `Desk`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from bitext.align.sentences import alignment_of
from bitext.align.sentences.aligner import SentenceAligner
from bitext.align.sentences.corpus import (
    CorpusStatistics,
    Knowledge,
    LexiconIndex,
    is_turned,
    knowledge_of_lines,
    pretrained_aligner,
    text_statistics,
)
from bitext.align.sentences.lexical.lexicon import BEGINNING, Lexicon, inflected
from bitext.align.sentences.lexical.vocabulary import Vocabulary, words_of
from bitext.align.sentences.options import SentenceOptions, choose_options, named
from bitext.align.sentences.state import prepare_task
from bitext.align.sentences.texts import SentencePair
from bitext.align.sentences.wrong_language import (
    LanguageWords,
    frequent_words,
    misplaced_in,
    occurrences,
)
from bitext.errors import OptionError
from bitext.formats.dictionaries import read_dictionary
from bitext.formats.io.source import Notes, open_source
from bitext.jobs.task import CommandTask
from bitext.option_names import remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitext.align.sentences.evidence import Evidence
    from bitext.align.sentences.wrong_language import MisplacedSides
    from bitext.formats.dictionaries import Dictionary
    from bitext.jobs.task import Result
    from bitext.model import Alignment, Text

__all__ = [
    "AlignTask",
    "Desk",
    "DictionaryIndex",
    "LearnTask",
    "Recipe",
    "TextsRead",
    "read_knowledge",
]


# A dictionary of which what occurs in a text is found in time that the text takes alone.

_CLEAR = 5  # pairs that the other direction must have more than twice as many
_Entry = tuple[str, str, float]


class DictionaryIndex:
    """The entries of a dictionary by the beginning of the first of their words.

    Parameters
    ----------
    dictionary : Dictionary

    Examples
    --------
    >>> from bitext.align.sentences.lexical.vocabulary import Vocabulary
    >>> from bitext.formats.dictionaries import Dictionary
    >>> index = DictionaryIndex(Dictionary(("Hund", "das Haus"), ("chien", "la maison")))
    >>> index.occurring(Vocabulary(["haus", "das"]), Vocabulary(["maison", "la", "chien"]))
    [('das Haus', 'la maison', 1.0)]

    """

    def __init__(self, dictionary: Dictionary) -> None:
        self.path = dictionary.path
        self._entries = list(dictionary)
        self._words = [(tuple(words_of(a)), tuple(words_of(b))) for a, b, _ in self._entries]
        self._first: tuple[dict[str, list[int]], dict[str, list[int]]] = ({}, {})
        for k, pair in enumerate(self._words):
            for first, words in zip(self._first, pair, strict=True):
                if words:
                    first.setdefault(words[0][:BEGINNING], []).append(k)

    @classmethod
    def load(cls, path: str, *, encoding: str = "utf-8") -> DictionaryIndex:
        """Read a dictionary; raises what `read_dictionary` does."""
        return cls(read_dictionary(path, encoding=encoding))

    def occurring(
        self, src: Vocabulary, tgt: Vocabulary, notes: Notes | None = None
    ) -> list[_Entry]:
        """Return the entries that occur in two texts, from source to target.

        A word occurs where the text has it, or one that begins with the same four letters: it may
        be another form. Where clearly more entries occur as they are when source and target are
        exchanged, they are; `notes` takes that.
        """
        held = _Held(src), _Held(tgt)
        given, turned = list(self._found(0, *held)), list(self._found(1, *held))
        as_given, as_turned = (
            sum(self._stands(k, side, *held) for k in found)
            for side, found in enumerate((given, turned))
        )
        if as_turned <= 2 * as_given + _CLEAR:
            return [self._entries[k] for k in given]
        if notes is not None:
            notes.add("dictionaries in the wrong direction, used exchanged", self.path)
        return [(b, a, weight) for a, b, weight in (self._entries[k] for k in turned)]

    def _found(self, side: int, src: _Held, tgt: _Held) -> Iterator[int]:
        """Yield the entries of which a side may occur in the source, the other in the target."""
        first = self._first[side]
        fits = sorted(k for begin in src.begun for k in first.get(begin, ()))
        for k in fits:
            words = self._words[k]
            if all(map(src.has, words[side])) and all(map(tgt.has, words[1 - side])):
                yield k

    def _stands(self, k: int, side: int, src: _Held, tgt: _Held) -> bool:
        """Tell whether an entry occurs with all of its words as they are."""
        words = self._words[k]
        return src.forms.issuperset(words[side]) and tgt.forms.issuperset(words[1 - side])


class _Held:
    """The words of a text, and what they begin with."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.forms = set(vocabulary.forms)
        self.begun = {form[:BEGINNING] for form in self.forms}

    def has(self, word: str) -> bool:
        """Tell whether a word occurs, or another form of it may."""
        return word in self.forms or (len(word) >= BEGINNING and word[:BEGINNING] in self.begun)


_READ = ("known", "entries", "usual")


class TextsRead(Protocol):
    """Two texts to be aligned."""

    @property
    def src(self) -> Text:
        """The source."""
        ...

    @property
    def tgt(self) -> Text:
        """The target."""
        ...


class Desk(Protocol):
    """How texts are read and alignments written, in a worker; it is pickled."""

    def prepare(self) -> None:
        """Make ready, once in each worker."""

    def read(self, item: Any, notes: Notes) -> TextsRead:
        """Return the texts of a document; `notes` takes what is odd."""
        ...

    def evidence(
        self, item: Any, texts: Any, options: SentenceOptions
    ) -> Callable[[int], Sequence[Evidence]] | None:
        """Return further evidence of the texts, as vectors; `None` where there is none."""
        ...

    def write(
        self,
        item: Any,
        texts: Any,
        found: Alignment,
        notes: Notes,
        *,
        misplaced: MisplacedSides | None = None,
    ) -> dict[str, Any]:
        """Write an alignment; return what is told of it, as for JSON."""
        ...

    def stands(self, item: Any, value: Any) -> bool:
        """Tell whether what was written is still there."""
        ...


def read_knowledge(path: str) -> tuple[Lexicon, Knowledge | None]:
    """Return the lexicon of a file, and what else was learned with it, if the file tells.

    Raises
    ------
    FormatError
        When a line is not as it is written, with its number.

    """
    with open_source(path) as source:
        lines = (line for _, line in source.stream_lines())
        return knowledge_of_lines(lines, path=source.path)


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How the texts of a corpus are aligned.

    Attributes
    ----------
    method : str
    options : SentenceOptions
    lexicon : str
        A file: what is known, or a lexicon only; empty: nothing is.
    dictionaries : tuple of str
        Files; what of them occurs in a text is used for it.
    encoding : str
        Of dictionaries that do not tell.

    """

    method: str
    options: SentenceOptions
    lexicon: str = ""
    dictionaries: tuple[str, ...] = ()
    encoding: str = "utf-8"

    def __getstate__(self) -> dict[str, Any]:
        """Leave what was read where it is: it is large, and read where it is wanted."""
        return {name: value for name, value in vars(self).items() if name not in _READ}

    @cached_property
    def known(self) -> tuple[LexiconIndex | None, Knowledge | None]:
        """What is known, read once.

        Raises
        ------
        OptionError
            When it was learned by a method that counts lengths otherwise.

        """
        if not self.lexicon:
            return None, None
        lexicon, known = read_knowledge(self.lexicon)
        mine = named(self.method)
        if known is not None:
            theirs = named(known.method)
            if (mine.unit, mine.poisson) != (theirs.unit, theirs.poisson):
                raise OptionError(
                    f"{remedy(f'lexicon {self.lexicon}')}: was learned by "
                    f"{remedy(f'method {known.method}')}, and this is {self.method}, whose lengths "
                    f"are others: learn it anew ({remedy('learn-only', command='align')})"
                )
        return LexiconIndex(lexicon), known

    @cached_property
    def entries(self) -> list[DictionaryIndex]:
        """The dictionaries, read once."""
        return [DictionaryIndex.load(path, encoding=self.encoding) for path in self.dictionaries]

    @cached_property
    def usual(self) -> tuple[LanguageWords, LanguageWords]:
        """The words that sources and targets have most often."""
        known = self.known[1]
        if known is None:
            return LanguageWords(), LanguageWords()
        src, tgt = (LanguageWords(words.most_frequent()) for words in known.words)
        return src, tgt

    def misplaced(self, pair: SentencePair) -> MisplacedSides:
        """Tell which sides of a text pair are in the language of the other side."""
        src, tgt = (frequent_words(side, side.vocabulary.forms) for side in (pair.src, pair.tgt))
        # The text may be one of those that were learned from, or all of them.
        sources, targets = (
            usual.without(occurrences(side, usual))
            for side, usual in zip((pair.src, pair.tgt), self.usual, strict=True)
        )
        return misplaced_in((src, tgt), sources, targets)

    def prepare(self) -> None:
        """Read the files."""
        _ = self.known, self.entries

    def aligner(
        self,
        src: Text,
        tgt: Text,
        more: Callable[[int], Sequence[Evidence]] | None = None,
        *,
        learns: bool = True,
        notes: Notes | None = None,
    ) -> SentenceAligner:
        """Return what has aligned two texts.

        Parameters
        ----------
        src, tgt : Text
        more : callable, optional
            As in `SentenceAligner`.
        learns : bool
            Whether the text learns from itself where nothing but a lexicon is known.
        notes : Notes, optional
            Takes what is odd.

        """
        index, known = self.known
        method, options = named(self.method), self.options.for_texts([(src, tgt)])
        words = Vocabulary(), Vocabulary()
        pair = SentencePair(src, tgt, vocabularies=words)
        found = [each.occurring(*words, notes) for each in self.entries]
        given = [inflected(Lexicon.of_entries(each), *words) for each in found if each]
        turned = index is not None and is_turned(index.lexicon, *words)
        # A text whose sides are exchanged is told as such.
        if turned and notes is not None and not all(self.misplaced(pair)):
            notes.add(
                "texts for which the lexicon is in the wrong direction",
                f"{src.name}: exchange SRC and TGT, or learn it anew",
            )
        made: SentenceAligner
        if known is not None and index is not None:
            how: dict[str, Any] = {"known": known, "lexicon": index, "given": given, "more": more}
            made = pretrained_aligner(pair, method, options, **how)
        else:
            given += [] if index is None else [index.onto(*words)]
            if not learns:
                options = choose_options(options, {"rounds": 1})
            made = SentenceAligner(prepare_task([pair], method, options, given=given, more=more))
        made.run()
        return made


@dataclass(kw_only=True)
class _Aligning(CommandTask):
    """What both tasks have.

    Attributes
    ----------
    recipe : Recipe
    desk : Desk
    run, presentation : dict
        As of `CommandTask`.

    """

    recipe: Recipe
    desk: Desk

    def prepare(self) -> None:
        """Read what is known."""
        self.recipe.prepare()
        self.desk.prepare()


@dataclass(kw_only=True)
class LearnTask(_Aligning):
    """Learns from texts: what comes out is a `Knowledge`."""

    def work(self, item: Any) -> Any:
        """Return the lesson of a document."""
        texts = self.desk.read(item, Notes())
        return text_statistics(self.recipe.aligner(texts.src, texts.tgt, learns=False))

    def assemble(self, results: Iterable[Result]) -> Knowledge:
        """Return what all lessons make known; what failed teaches nothing."""
        recipe = self.recipe
        learner = CorpusStatistics(recipe.method, named(recipe.method), recipe.options)
        for result in results:
            if not result.failed:
                learner.add(result.value)
        words = learner.vocabularies
        for index in recipe.entries:
            learner.give(Lexicon.of_entries(index.occurring(*words)))
        if recipe.lexicon:
            lexicon, known = read_knowledge(recipe.lexicon)
            if known is None:  # else it is of these texts, and they tell it anew
                learner.give(lexicon)
        return learner.learned()


@dataclass(kw_only=True)
class AlignTask(_Aligning):
    """Aligns texts, and writes them where the work is.

    Attributes
    ----------
    gather : callable
        Makes the output of the results.

    """

    gather: Callable[[Iterable[Result]], Any]

    def __getstate__(self) -> dict[str, Any]:
        """Leave at home what only the one who asked can call."""
        return {**self.__dict__, "gather": None}

    def work(self, item: Any) -> Any:
        """Align a document and write it."""
        notes = Notes()
        texts = self.desk.read(item, notes)
        options = self.recipe.options.for_texts([(texts.src, texts.tgt)])
        more = self.desk.evidence(item, texts, options)
        aligner = self.recipe.aligner(texts.src, texts.tgt, more, notes=notes)
        misplaced = self.recipe.misplaced(aligner.pairs[0])
        return self.desk.write(item, texts, alignment_of(aligner, 0), notes, misplaced=misplaced)

    def stands(self, item: Any, value: Any) -> bool:
        """Tell whether the output is still there."""
        return self.desk.stands(item, value)

    def assemble(self, results: Iterable[Result]) -> Any:
        """Gather the results."""
        return self.gather(results)
