"""Aligning a corpus by jobs: learn from a sample of the texts, then align all of them.

A `LearnTask` goes over a sample of the corpus, some texts at a time: it aligns these together, and
returns statistics (`bitext.align.sentences.corpus`), which add up to the `Knowledge`. An
`AlignTask` goes over all texts; the alignment of a text depends on this text and the knowledge
alone. A `Desk` reads the texts and writes the alignments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from bitext.align.sentences import alignment_of
from bitext.align.sentences.aligner import SentenceAligner
from bitext.align.sentences.corpus import (
    CorpusStatistics,
    CorpusWords,
    pretrained_aligner,
    taught_aligner,
    taught_path,
    teacher_of,
    text_statistics,
)
from bitext.align.sentences.evidence import Evidence
from bitext.align.sentences.evidence.times import TimeMap
from bitext.align.sentences.knowledge import (
    Knowledge,
    KnownWords,
    LexiconIndex,
    is_turned,
    knowledge_of_lines,
)
from bitext.align.sentences.lexical import Vocabulary, words_of
from bitext.align.sentences.lexical.lexicon import BEGINNING, Lexicon, inflected
from bitext.align.sentences.lexical.word_links import WordPairs
from bitext.align.sentences.lockstep import SimilarRequest, Steps, alone, answers_to
from bitext.align.sentences.options import ExternalAligner, SentenceOptions, named
from bitext.align.sentences.relatedness import (
    CorpusLanguages,
    WrongLanguageSides,
    share_is_known,
)
from bitext.align.sentences.state import prepare_task
from bitext.align.sentences.texts import PairMemory, SentencePair
from bitext.errors import BitextError, OptionError, remedy
from bitext.formats.dictionaries import Dictionary, read_dictionary
from bitext.formats.io.source import Notes, open_source
from bitext.jobs.command_aligner import CommandAligner
from bitext.jobs.task import CommandTask, Result
from bitext.model import Alignment, Text

# A dictionary is indexed, so that a search for its entries in a text takes time by the text alone.

# A dictionary is turned round if the other direction has more than twice as many entries in the
# texts, and this many more; set by hand.
_CLEAR_MARGIN = 5
_Entry = tuple[str, str, float]


class DictionaryIndex:
    """The entries of a dictionary by the beginning of the first of their words.

    Examples
    --------
    >>> from bitext.align.sentences.lexical import Vocabulary
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

    def occurring(
        self, src: Vocabulary, tgt: Vocabulary, notes: Notes | None = None
    ) -> list[_Entry]:
        """Return the entries that occur in two texts, from source to target.

        A word occurs if the text has it, or another word with the same first four letters, which
        may be an inflection. If clearly more entries occur without inflection when source and
        target are exchanged, they are exchanged, with a note in `notes`.
        """
        words = _Words(src), _Words(tgt)
        forward, turned = list(self._matches(0, *words)), list(self._matches(1, *words))
        as_given, as_turned = (
            sum(self._is_exact(k, side, *words) for k in matches)
            for side, matches in enumerate((forward, turned))
        )
        if as_turned <= 2 * as_given + _CLEAR_MARGIN:
            return [self._entries[k] for k in forward]
        if notes is not None:
            notes.add("dictionaries in the wrong direction, used exchanged", self.path)
        return [(b, a, weight) for a, b, weight in (self._entries[k] for k in turned)]

    def _matches(self, side: int, src: _Words, tgt: _Words) -> Iterator[int]:
        """Yield the entries with words of `side` in the source, and of the other in the target."""
        first = self._first[side]
        candidates = sorted(k for prefix in src.prefixes for k in first.get(prefix, ()))
        for k in candidates:
            words = self._words[k]
            if all(map(src.has, words[side])) and all(map(tgt.has, words[1 - side])):
                yield k

    def _is_exact(self, k: int, side: int, src: _Words, tgt: _Words) -> bool:
        """Check whether all words of an entry occur uninflected."""
        words = self._words[k]
        return src.forms.issuperset(words[side]) and tgt.forms.issuperset(words[1 - side])


class _Words:
    """The words of a text, and their prefixes."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.forms = set(vocabulary.forms)
        self.prefixes = {form[:BEGINNING] for form in self.forms}

    def has(self, word: str) -> bool:
        """Check for a word or a possible inflection of it."""
        return word in self.forms or (len(word) >= BEGINNING and word[:BEGINNING] in self.prefixes)


# Points of a table: texts with larger ones gain nothing from lockstep with others, and would be in
# memory together. Speed and memory only.
_IN_STEP = 1 << 17
# Share of the words of a text that are words of its language in the corpus that was learned from,
# at least. Texts of other kinds have .17 or more; those in other languages .11 at most.
_LEAST_KNOWN = 0.15
_FEWEST_LEARNED = 500  # words of a corpus, repeated ones too, that show its language: by trials
_CACHED = ("known", "entries", "usual", "words")  # properties of `Recipe` that read files
# Sentences that a worker holds in memory: twice the smallest sample, of both sides.
_MAX_SENTENCES = 20_000
# The texts that this process has learned from, which it may be given to align.
_learned = PairMemory(_MAX_SENTENCES)


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
    """The reader of texts and writer of alignments in a worker; desks are pickled."""

    def prepare(self) -> None:
        """Prepare the desk once in each worker."""

    def read(self, item: Any, notes: Notes) -> TextsRead:
        """Return the texts of a document; add notes on their faults to `notes`."""
        ...

    def evidence(
        self, item: Any, texts: Any, options: SentenceOptions
    ) -> Callable[[int], Sequence[Evidence]] | None:
        """Return further evidence of the texts, as vectors; `None` without any."""
        ...

    def write(
        self,
        item: Any,
        texts: Any,
        found: Alignment,
        notes: Notes,
        *,
        wrong_language: WrongLanguageSides | None = None,
        time_map: TimeMap | None = None,
    ) -> dict[str, Any]:
        """Write an alignment; return its counts and files as a JSON value."""
        ...

    def stands(self, item: Any, value: Any) -> bool:
        """Check whether the output is unchanged since it was written."""
        ...


def read_knowledge(path: str) -> tuple[Lexicon, Knowledge | None]:
    """Return the lexicon of a file, and the knowledge learned with it, if the file has it.

    Raises `FormatError` when a line is malformed, with its number.
    """
    with open_source(path) as source:
        lines = (line for _, line in source.stream_lines())
        return knowledge_of_lines(lines, path=source.path)


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The method, options and resources for aligning the texts of a corpus."""

    method: str
    options: SentenceOptions
    lexicon: str = ""  # a file of knowledge, or of a lexicon alone; empty: none
    # Files of dictionaries, whose entries are used for texts in which they occur.
    dictionaries: tuple[str, ...] = ()
    encoding: str = "utf-8"  # the encoding of dictionaries without a declaration
    langs: tuple[str, str] = ("", "")  # the two languages of dictionaries that have more than two

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the contents of files, which are large: each worker reads them itself."""
        return {name: value for name, value in vars(self).items() if name not in _CACHED}

    @cached_property
    def known(self) -> tuple[LexiconIndex | None, Knowledge | None]:
        """The lexicon and the knowledge, read once.

        Raises `OptionError` when the knowledge is of a method with another model of lengths.
        """
        if not self.lexicon:
            return None, None
        lexicon, knowledge = read_knowledge(self.lexicon)
        own_method = named(self.method)
        if knowledge is not None:
            method_learned = named(knowledge.method)
            if (own_method.unit, own_method.poisson) != (
                method_learned.unit,
                method_learned.poisson,
            ):
                raise OptionError(
                    f"{remedy(f'lexicon {self.lexicon}')}: was learned by "
                    f"{remedy(f'method {knowledge.method}')}, and this is {self.method}, whose "
                    f"lengths are others: learn it anew ({remedy('learn-only', command='align')})"
                )
        return LexiconIndex(lexicon), knowledge

    @cached_property
    def entries(self) -> list[DictionaryIndex]:
        """The dictionaries, read once."""
        return [
            DictionaryIndex(read_dictionary(path, encoding=self.encoding, langs=self.langs))
            for path in self.dictionaries
        ]

    @cached_property
    def usual(self) -> CorpusLanguages:
        """The most frequent words of the sources and of the targets."""
        knowledge = self.known[1]
        words = ({}, {}) if knowledge is None else map(KnownWords.most_frequent, knowledge.words)
        return CorpusLanguages(*words)

    @cached_property
    def words(self) -> CorpusWords | None:
        """The words of the corpus, for texts that taught it; None if these need others, too."""
        index, knowledge = self.known
        if index is None or knowledge is None or self.dictionaries:
            return None
        return CorpusWords(knowledge, index) if CorpusWords.suffice(knowledge) else None

    def unknown_language(self, pair: SentencePair) -> int | None:
        """Return the side of a text pair whose language the knowledge is not of, if any."""
        knowledge = self.known[1]
        if knowledge is None or min(words.total for words in knowledge.words) < _FEWEST_LEARNED:
            return None
        for number, side in enumerate((pair.src, pair.tgt)):
            both = knowledge.words[number], knowledge.words[1 - number]  # its own language first
            if not any(share_is_known(side, words.counts, _LEAST_KNOWN) for words in both):
                return number
        return None

    def prepare(self) -> None:
        """Read the lexicon and the dictionaries."""
        _ = self.known, self.entries

    def steps(
        self,
        src: Text,
        tgt: Text,
        more: Callable[[int], Sequence[Evidence]] | None = None,
        *,
        notes: Notes | None = None,
    ) -> Steps[tuple[SentenceAligner, WrongLanguageSides]]:
        """Return the aligner of two texts as a search in steps; it has run when the steps end.

        With it come the sides in the language of the other side. `more` makes further evidence, as
        in `SentenceAligner`. `notes` gets notes on dictionaries and a lexicon in the wrong
        direction.
        """
        index, options = self.known[0], self.options.for_texts([(src, tgt)])
        pair = _learned.pair(src, tgt)
        words = pair.src.vocabulary, pair.tgt.vocabulary
        matches = [each.occurring(*words, notes) for each in self.entries]
        lexicons = [inflected(Lexicon.of_entries(each), *words) for each in matches if each]
        turned = index is not None and is_turned(index.lexicon, *words)
        unknown, wrong_language = self.unknown_language(pair), WrongLanguageSides(False, False)
        if unknown is None:  # words of an unknown language that are alike by chance say nothing
            wrong_language = self.usual.wrong_language(pair)
        # If both sides are in the language of the other, another note says so.
        if turned and notes is not None and not all(wrong_language):
            notes.add(
                "texts for which the lexicon is in the wrong direction",
                f"{src.name}: exchange SRC and TGT, or learn it anew",
            )
        if notes is not None and unknown is not None:
            notes.add(
                "texts with hardly any word of the lexicon",
                f"{(src, tgt)[unknown].name}: is the text, or the lexicon, of another language?",
            )
        aligner = yield from self._aligner(pair, options, lexicons, more)
        if len(src) * len(tgt) > _IN_STEP:
            aligner.run()
        else:
            yield from aligner.steps()
        return aligner, wrong_language

    def _aligner(
        self,
        pair: SentencePair,
        options: SentenceOptions,
        given: list[WordPairs],
        more: Callable[[int], Sequence[Evidence]] | None,
    ) -> Steps[SentenceAligner]:
        """Prepare the aligner of two texts; `given` are dictionaries in their words."""
        index, knowledge = self.known
        method, words = named(self.method), (pair.src.vocabulary, pair.tgt.vocabulary)
        if knowledge is not None and self.words is not None and more is None:
            path = taught_path(pair, method, options, knowledge)
            if path is not None:
                return taught_aligner(
                    pair, path, method, options, known=knowledge, words=self.words
                )
        arguments: dict[str, Any] = {"given": given, "more": more}
        if method.words:
            arguments["similar"] = yield SimilarRequest(*words)
        if knowledge is not None and index is not None:
            return pretrained_aligner(
                pair, method, options, known=knowledge, lexicon=index, **arguments
            )
        given += [] if index is None else [index.onto(*words)]
        return SentenceAligner(prepare_task([pair], method, options, **arguments))

    def teacher(self, texts: Sequence[tuple[Text, Text]]) -> SentenceAligner:
        """Return the aligner of several text pairs, which learn from each other, after its run."""
        index, _ = self.known
        words = Vocabulary(), Vocabulary()
        pairs = [_learned.pair(*pair, hold=True).renumbered(words) for pair in texts]
        matches = [each.occurring(*words) for each in self.entries]
        lexicons = [inflected(Lexicon.of_entries(each), *words) for each in matches if each]
        lexicons += [] if index is None else [index.onto(*words)]
        options = self.options.for_texts(texts)
        aligner = teacher_of(pairs, named(self.method), options, given=lexicons)
        aligner.run()
        return aligner


@dataclass(kw_only=True)
class _Aligning(CommandTask):
    """Base class of both tasks."""

    recipe: Recipe
    desk: Desk

    def prepare(self) -> None:
        """Read the lexicon and the dictionaries."""
        self.recipe.prepare()
        self.desk.prepare()


class Lessons(NamedTuple):
    """Statistics learned from a corpus."""

    knowledge: Knowledge
    texts: int  # the number of text pairs that were learned from
    failed: list[tuple[str, str]]  # the names of those that could not be read or aligned, and why


@dataclass(kw_only=True)
class LearnTask(_Aligning):
    """Learn a `Knowledge` from texts; an item is some documents, which are aligned together."""

    def work(self, item: Sequence[Any]) -> Any:
        """Return the statistics of some documents, and why others have none."""
        read: list[tuple[str, TextsRead]] = []
        failed: list[tuple[str, str]] = []
        for document in item:
            try:
                read.append((document.name, self.desk.read(document, Notes())))
            except BitextError as error:
                failed.append((document.name, str(error)))
        return {"lessons": list(self._statistics(read, failed)), "failed": failed}

    def _statistics(
        self, read: Sequence[tuple[str, TextsRead]], failed: list[tuple[str, str]]
    ) -> Iterator[dict[str, Any]]:
        """Yield the statistics of texts: of each by itself where they cannot be aligned together.

        The names of texts that cannot be aligned are added to `failed`, with the reason.
        """
        if not read:
            return
        try:
            statistics = text_statistics(
                self.recipe.teacher([(one.src, one.tgt) for _, one in read])
            )
        except BitextError as error:
            if len(read) == 1:
                failed.append((read[0][0], str(error)))
                return
        else:
            yield statistics
            return
        for one in read:
            yield from self._statistics([one], failed)

    def assemble(self, results: Iterable[Result]) -> Lessons:
        """Return the knowledge from the statistics of all documents that did not fail."""
        recipe = self.recipe
        learner = CorpusStatistics(recipe.method, named(recipe.method), recipe.options)
        failed: list[tuple[str, str]] = []
        for result in results:
            if not result.failed:
                failed += map(tuple, result.value["failed"])
                for lesson in result.value["lessons"]:
                    learner.add(lesson)
        words = learner.vocabularies
        for index in recipe.entries:
            learner.give(Lexicon.of_entries(index.occurring(*words)))
        if recipe.lexicon:
            lexicon, knowledge = read_knowledge(recipe.lexicon)
            if knowledge is None:  # else it comes from these texts, whose statistics replace it
                learner.give(lexicon)
        return Lessons(learner.learned(), learner.texts, failed)


def align_externally(
    aligner: CommandAligner | ExternalAligner, src: Text, tgt: Text, notes: Notes
) -> Alignment:
    """Align two texts by a program or a plug-in; the notes of a program are added to `notes`."""
    if isinstance(aligner, CommandAligner):
        return aligner(src, tgt, notes)
    return aligner(src, tgt)


@dataclass(kw_only=True)
class AlignTask(_Aligning):
    """Align texts; the worker writes them."""

    gather: Callable[[Iterable[Result]], Any]  # makes the output from the results
    external: CommandAligner | ExternalAligner | None = None  # aligns in place of the recipe

    def __getstate__(self) -> dict[str, Any]:
        """Leave out `gather`, which only the parent process calls."""
        return {**self.__dict__, "gather": None}

    @property
    def is_in_step(self) -> bool:
        """Whether documents take less time in lockstep: not those of a program or a plug-in."""
        return self.external is None

    def work(self, item: Any) -> Any:
        """Align a document, and write it."""
        return alone(self.work_in_steps(item))

    def work_in_steps(self, item: Any) -> Steps[Any]:
        """Align a document, and write it, in steps."""
        notes = Notes()
        texts = self.desk.read(item, notes)
        if self.external is not None:
            alignment = align_externally(self.external, texts.src, texts.tgt, notes)
            return self.desk.write(item, texts, alignment, notes)
        options = self.recipe.options.for_texts([(texts.src, texts.tgt)])
        evidence = self.desk.evidence(item, texts, options)
        aligner, wrong_language = yield from self.recipe.steps(
            texts.src, texts.tgt, evidence, notes=notes
        )
        return self.desk.write(
            item,
            texts,
            alignment_of(aligner, 0),
            notes,
            wrong_language=wrong_language,
            time_map=aligner.state.time_maps.get(0),
        )

    def answers(self, requests: Mapping[int, Any]) -> Mapping[int, Any]:
        """Search for paths, and compute posteriors, of several documents together."""
        return answers_to(requests)

    def stands(self, item: Any, value: Any) -> bool:
        """Check whether the output is unchanged since it was written."""
        return self.desk.stands(item, value)

    def assemble(self, results: Iterable[Result]) -> Any:
        """Return the output that `gather` makes from the results."""
        return self.gather(results)
