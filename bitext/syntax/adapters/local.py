"""Parsers in this process: the taggers of nltk, spaCy and others, with our chunks; benepar.

**nltk**: a tagger with our own grammar of chunks, without trees.

The tagger is nltk's averaged perceptron, which needs nltk's data `averaged_perceptron_tagger_eng`;
they are never downloaded without a request. Brackets are given as they are in text.

The tests train a tagger of nltk's own from a few sentences, write it as nltk writes it, and run
over that; the published data are not in the package index, and were not to be had for the tests.

**spaCy**: its tagger with noun chunks, and the Berkeley neural parser (benepar) within it.

Both keep the words of the sentence: a document is made of them, and spaCy's own tokenizer is not
run. Brackets are given as they are in text, `(` for `-LRB-`, and white space within a word as `_`.

* `SpacyParser` makes no trees. Noun phrases are spaCy's noun chunks, cut before a possessive `'s`;
  the other chunks come from the tags by the grammar of `chunk_grammar`.
* `BeneparParser` makes trees. Its models bring their own tagger, so a blank spaCy pipeline is
  enough around them; `pipeline=` puts a full one there.

Which tests are real: the spaCy adapter runs over a trained English model, and benepar over a small
model of its own kind that the test trains from a few sentences, where these packages are
installed; elsewhere both are tested over stand-ins that answer in the same form. The published
benepar models are not in the package index, and were not to be had for the tests.

benepar 0.2 cannot load its published models with transformers 5 or later; the extra sees to that.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitext.errors import InputError, brief, import_extra, many
from bitext.model.sentence import Sentence
from bitext.paths import is_file, is_folder
from bitext.syntax.adapters import at_least_one, escaped, numbered, plain, with_chunks, with_tree

if TYPE_CHECKING:
    from bitext.syntax.english import EnglishParser

# The reranking parser of Charniak and Johnson (BLLIP), through the package `bllipparser`.
#
# A model is a folder, or the name of one that `python -m bllipparser.ModelFetcher` has put into
# its own place. A process can load one model only, and a sentence has at most 399 words: both are
# limits of that parser.
#
# Tests: if the package is installed, its own classes of trees and sentences are used around a
# stand-in for the model; elsewhere all of it is a stand-in. The models are not in the package
# index, so no test has run over them.

_PLACE = Path("~/.local/share/bllipparser")
_FILES = ("terms.txt", "pSgT.txt")  # of the first stage; without them the parser would crash


class BllipParser:
    """Parse with `bllipparser`.

    Parameters
    ----------
    model : str, default "WSJ-PTB3"
        The folder of a unified model, or the name of one that was fetched.

    """

    name = "bllip"

    def __init__(self, *, model: str = "WSJ-PTB3") -> None:
        self._model = model

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence with its tree."""
        parser = self._loaded
        for name, sentence in numbered(sentences):
            place = f"parser bllip ({self._model}): {name}"
            words = [escaped(form) for form in sentence.forms]
            try:
                parses = parser.parse(words)
            except (RuntimeError, ValueError) as error:
                raise InputError(
                    f"{place}: {many(len(words), 'word')}, and no tree: {brief(error)}: "
                    f"leave the sentence out, or cut it"
                ) from error
            if not len(parses):
                raise InputError(f"{place}: no tree found: leave the sentence out, or cut it")
            yield with_tree(sentence, str(parses[0].ptb_parse), place=place, sent=words)

    @cached_property
    def _loaded(self) -> Any:
        package = import_extra("bllipparser", what="parser bllip", extra="bllip")
        places = (Path(self._model), _PLACE.expanduser() / self._model)
        folder = next((p for p in places if is_folder(p / "parser")), None)
        if folder is None:
            raise InputError(
                f"parser bllip: no model {self._model!r}, nor {places[1]}: want the folder of a "
                f"unified model, or bring one: python -m bllipparser.ModelFetcher -i {self._model}"
            )
        for name in _FILES:
            if not is_file(folder / "parser" / name):
                raise InputError(
                    f"parser bllip: {folder} has no parser/{name}: want a whole unified model: "
                    f"fetch it anew"
                )
        try:
            return package.RerankingParser.from_unified_model_dir(str(folder))
        except (OSError, RuntimeError, ValueError) as error:
            raise InputError(
                f"parser bllip: the model in {folder} cannot be loaded: {brief(error)}: want one "
                f"model a process, and a whole one"
            ) from error


# The built-in parser of English, as one of the parsers.
#
# The model is part of the package, so the tests run the parser itself.

# Words of one sentence: no writer's, but of a file without line ends. Time is linear in words, some
# milliseconds each (ENGLISH.md), so that such a file would take minutes without a word.
MOST_WORDS = 10_000


class BuiltinParser:
    """Parse English with the model of the package.

    A sentence whose words all have tags of the Penn treebank keeps them, and its tree is over
    them; words with tags that the model lacks, as NFP of OntoNotes, get their tags from the model.
    If a word has none, or one of another set, as the universal tags of CoNLL-U, so does the whole
    sentence.

    Examples
    --------
    >>> BuiltinParser().name
    'english'

    """

    name = "english"

    def __init__(self) -> None:
        self._loaded: EnglishParser | None = None

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence with its tree.

        Raises `InputError` when a sentence has more than 10,000 words.
        """
        if not sentences:
            return
        named = numbered(sentences)
        for name, sentence in named:
            if len(sentence) > MOST_WORDS:
                raise InputError(
                    f"parser english: {name} has {len(sentence):,} words, and {MOST_WORDS:,} are "
                    f"parsed at the most: is it running text? Give a sentence a line"
                )
        if self._loaded is None:
            from bitext.syntax.english import EnglishParser

            self._loaded = EnglishParser()
        words = [[plain(form) for form in sentence.forms] for sentence in sentences]
        tags = [[token.pos for token in sentence] for sentence in sentences]
        trees = self._loaded.parse_tokens(words, tags=tags)
        for (name, sentence), tree in zip(named, trees, strict=True):
            yield with_tree(sentence, tree, place=f"parser english: {name}")


# Chunks from parts of speech alone: a grammar for nltk's `RegexpParser`.
#
# The chunks are those of CoNLL-2000: they do not nest, end with their head, and a possessive `'s`
# begins the noun phrase that follows it. The tags are those of the Penn treebank, or of OntoNotes,
# which has a few more. A grammar over tags does not see words, so `that` before a clause is a PP
# here, where the conversion of trees says SBAR; ADJP stands for predicates only, and particles and
# conjunctions of several words follow the tag. With trees none of this is needed.

# Rules are tried from the first to the last, each on what the ones before it left alone.
_PART = r"<\$|\#|CD|JJ.*|VBN|NN.*|FW|HYPH|AFX|ADD>"  # what may stand in a noun phrase
_END = "<NN.*|CD|FW|ADD>"
_NOUN = rf"""
NP:
    {{<PDT>?<DT|PRP\$|WP\$|POS><RB.*|AFX>*(<VBG>|{_PART}<CC>?)*{_END}}}
    {{(<RB.*|AFX>+(?=<JJ.*|CD|VBN>))?({_PART}<CC>?)*{_END}}}
    {{<DT|PRP\$|WP\$|POS><RB.*>*<JJ.*|VBN|VBG>+}}
    {{<PDT>?<DT|PRP|PRP\$|WP|WP\$|WDT|EX>}}
"""
_OTHER = """
VP: {<MD|TO|VB.*>(<RB.*>*<MD|TO|VB.*>)*(<CC><VB.*>)*}
ADJP: {<RB.*>*<JJ.*>(<HYPH>?<JJ.*|VBN>)*(<CC><JJ.*>)*}
PP: {<IN|TO>}
PRT: {<RP>}
ADVP: {<RB.*|WRB>+}
INTJ: {<UH>+}
LST: {<LS>}
"""


def chunk(tags: Sequence[str], *, nouns: Iterable[tuple[int, int]] | None = None) -> list[str]:
    """Return the chunk of each word: `B-XP` for the first one of a chunk, then `I-XP`; `O` outside.

    `tags` has the part of speech of each word. `nouns` are noun phrases that are known already, as
    first word and last word + 1, in order and apart; by default they are found like the rest.

    Examples
    --------
    >>> chunk(["DT", "NN", "POS", "NN", "MD", "RB", "VB", "IN", "NNP", "."])
    ['B-NP', 'I-NP', 'B-NP', 'I-NP', 'B-VP', 'I-VP', 'I-VP', 'B-PP', 'B-NP', 'O']
    >>> chunk(["NN", "VBZ", "JJ", "NN"], nouns=[(0, 1)])
    ['B-NP', 'B-VP', 'B-ADJP', 'O']

    """
    from nltk.tree import Tree

    leaves: list[Any] = [(str(at), _cleaned(tag)) for at, tag in enumerate(tags)]
    parser = _parser(_OTHER if nouns is not None else _NOUN + _OTHER)
    out = ["O"] * len(tags)
    for stretch in _stretches(leaves if nouns is None else _grouped(leaves, nouns)):
        for node in parser.parse(Tree("S", stretch)):
            if isinstance(node, Tree):
                for place, (at, _) in enumerate(node):
                    out[int(at)] = f"{'I' if place else 'B'}-{node.label()}"
    return out


def _stretches(nodes: list[Any]) -> Iterator[list[Any]]:
    """Cut long sentences after marks, and anywhere if need be: rules cost the square of a run."""
    begin = 0
    for at, node in enumerate(nodes, start=1):
        long = at - begin
        if long >= _LONG_STRETCH_WORDS or (
            long >= _LONG_STRETCH_WORDS // 4
            and isinstance(node, tuple)
            and node[1] in {",", ".", ":"}
        ):
            yield nodes[begin:at]
            begin = at
    if begin < len(nodes):
        yield nodes[begin:]


@cache
def _parser(grammar: str) -> Any:
    from nltk.chunk.regexp import RegexpParser

    return RegexpParser(grammar, root_label="S")


def _cleaned(tag: str) -> str:
    """Remove the characters from a tag that the chunk grammar uses itself."""
    return tag.translate(_GRAMMAR_CHARACTERS) or "XX"


_LONG_STRETCH_WORDS = 120  # words of a stretch without marks
_MARKS = {",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP"}
_GRAMMAR_CHARACTERS = str.maketrans("<>{}", "____")


def _grouped(leaves: list[Any], nouns: Iterable[tuple[int, int]]) -> list[Any]:
    """Put noun phrases, less marks at their ends, under nodes; a possessive begins a new one."""
    from nltk.tree import Tree

    out: list[Any] = []
    at = 0
    for first, end in nouns:
        out += leaves[at:first]
        while first < end and leaves[first][1] in _MARKS:
            out.append(leaves[first])
            first += 1
        stop = end
        while first < stop and leaves[stop - 1][1] in _MARKS:
            stop -= 1
        begins = [first, *(i for i in range(first + 1, stop) if leaves[i][1] == "POS"), stop]
        out += [Tree("NP", leaves[i:j]) for i, j in pairwise(begins) if i < j]
        out += leaves[stop:end]
        at = end
    return out + leaves[at:]


_DATA = "averaged_perceptron_tagger"


class NltkParser:
    """Tag with nltk, and chunk.

    Parameters
    ----------
    model : str, default "eng"
        The language of the tagger, as in the name of nltk's data `averaged_perceptron_tagger_eng`;
        the grammar of chunks is for tags of the Penn treebank.

    """

    name = "nltk"

    def __init__(self, *, model: str = "eng") -> None:
        self._model = model

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence with parts of speech and chunks."""
        tagger = self._loaded
        for name, sentence in numbered(sentences):
            words = [plain(form) for form in sentence.forms]
            tags = [tag for _, tag in tagger.tag(words)]
            yield with_chunks(sentence, tags, chunk(tags), place=f"parser nltk: {name}")

    @cached_property
    def _loaded(self) -> Any:
        from nltk.tag.perceptron import PerceptronTagger

        data = f"{_DATA}_{self._model}"
        try:
            return PerceptronTagger(lang=self._model)
        except LookupError as error:
            raise InputError(
                f"parser nltk: the data {data!r} are missing: bring them: "
                f"python -m nltk.downloader {data}"
            ) from error
        except (OSError, ValueError, KeyError) as error:
            raise InputError(
                f"parser nltk: the data {data!r} cannot be read: {brief(error)}: bring them anew: "
                f"python -m nltk.downloader --force {data}"
            ) from error


# Stanza's constituency parser.
#
# The words are passed on unchanged (`tokenize_pretokenized`), brackets as in text, white space
# within a word as `_`. The parts of speech are those of the treebank (`xpos`) where the models
# have them, also where the trees of a model have universal ones. Nothing is ever downloaded: the
# models have to be in Stanza's folder.
#
# Tests: where Stanza is installed, its own pipeline runs over small models that the test trains
# from a few sentences; elsewhere a stand-in returns output of the same form. The published models
# are not in the package index, so no test has run over them.

_STEPS = "tokenize,pos,constituency"


class StanzaParser:
    """Parse with Stanza.

    Parameters
    ----------
    model : str, default "default"
        The package of models, as Stanza names them: `default`, `default_accurate`, ...
    language : str, default "en"
        The language, by its code.
    folder : str, optional
        Where the models lie; default: Stanza's own place.
    batch : int, default 64
        The sentences that are worked on at once.

    """

    name = "stanza"

    def __init__(
        self,
        *,
        model: str = "default",
        language: str = "en",
        folder: str | None = None,
        batch: int = 64,
    ) -> None:
        self._model = model
        self._language = language
        self._folder = folder
        self._batch = at_least_one(self.name, "batch", batch)

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence with its tree."""
        named, pipeline = numbered(sentences), self._loaded
        shown = f"parser stanza ({self._language}, {self._model})"
        for start in range(0, len(named), self._batch):
            part = named[start : start + self._batch]
            words = [_words(sentence) for _, sentence in part]
            answers = pipeline(words).sentences
            if len(answers) != len(part):
                raise InputError(
                    f"{shown}: {len(answers)} sentences for {len(part)} from {part[0][0]} on: "
                    f"want a pipeline that splits none"
                )
            for (name, sentence), answer, sent in zip(part, answers, words, strict=True):
                if answer.constituency is None:
                    raise InputError(
                        f"{shown}: {name}: no tree, for the package has no constituency parser: "
                        f"want one that has, as default"
                    )
                # "_O" is Stanza's word for one line, with _ for the spaces in words.
                yield with_tree(
                    sentence,
                    format(answer.constituency, "_O"),
                    place=f"{shown}: {name}",
                    sent=sent,
                    tags=_penn(answer, len(sentence)),
                )

    @cached_property
    def _loaded(self) -> Any:
        stanza = import_extra("stanza", what="parser stanza", extra="stanza")
        folder = {} if self._folder is None else {"dir": self._folder}
        try:
            return stanza.Pipeline(
                self._language,
                package=self._model,
                processors=_STEPS,
                tokenize_pretokenized=True,
                download_method=None,
                logging_level="ERROR",
                **folder,
            )
        except (OSError, ValueError, KeyError) as error:
            where = "" if self._folder is None else f", model_dir={self._folder!r}"
            raise InputError(
                f"parser stanza: no models {self._model!r} for {self._language!r} "
                f"({brief(error, width=120)}): bring them: python -c "
                f'"import stanza; stanza.download({self._language!r}, package={self._model!r}, '
                f'processors={_STEPS!r}{where})"'
            ) from error


def _penn(answer: Any, words: int) -> list[str] | None:
    """Return the tags of the treebank; some models have the universal ones in their trees."""
    tags = [word.xpos for word in answer.words]
    return tags if len(tags) == words and all(tags) else None


class SpacyParser:
    """Tag with a spaCy model, and chunk.

    Parameters
    ----------
    model : str, default "en_core_web_sm"
        The name of an installed model, or the folder of one; it needs a tagger and a dependency
        parser.
    batch : int, default 64
        The sentences that are worked on at once.

    """

    name = "spacy"

    def __init__(self, *, model: str = "en_core_web_sm", batch: int = 64) -> None:
        self._model = model
        self._batch = at_least_one(self.name, "batch", batch)

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence with parts of speech and chunks."""
        named = numbered(sentences)
        texts = (_document(self._loaded, sentence) for sentence in sentences)
        for (name, sentence), text in zip(
            named, self._loaded.pipe(texts, batch_size=self._batch), strict=True
        ):
            place = f"parser spacy ({self._model}): {name}"
            tags = [token.tag_ for token in text]
            yield with_chunks(sentence, tags, chunk(tags, nouns=self._nouns(text)), place=place)

    @cached_property
    def _loaded(self) -> Any:
        return _load(self._model, name=self.name, extra="spacy")

    def _nouns(self, text: Any) -> list[tuple[int, int]]:
        """Return the noun chunks; refuse a model that has none."""
        if text.has_annotation("TAG") and text.has_annotation("DEP"):
            try:
                return [(span.start, span.end) for span in text.noun_chunks]
            except NotImplementedError as error:
                raise InputError(
                    f"parser spacy: spaCy knows no noun chunks for the language of "
                    f"{self._model!r}: want a model of a language that has them, as en_core_web_sm"
                ) from error
        raise InputError(
            f"parser spacy: the model {self._model!r} gives no parts of speech or no dependencies "
            f"(its parts: {', '.join(self._loaded.pipe_names) or 'none'}): want one with a tagger "
            f"and a parser, as en_core_web_sm"
        )


class BeneparParser:
    """Parse with benepar.

    Parameters
    ----------
    model : str, default "benepar_en3"
        The name of a downloaded model, or the path of one.
    pipeline : str, optional
        The spaCy model that benepar is added to; default: a blank English pipeline.
    batch : int, default 64
        The sentences that are worked on at once.

    """

    name = "benepar"

    def __init__(
        self, *, model: str = "benepar_en3", pipeline: str | None = None, batch: int = 64
    ) -> None:
        self._model = model
        self._pipeline = pipeline
        self._batch = at_least_one(self.name, "batch", batch)

    def parse(self, sentences: Sequence[Sentence]) -> Iterator[Sentence]:
        """Yield each sentence with its tree."""
        named = numbered(sentences)
        texts = (_document(self._loaded, sentence) for sentence in sentences)
        answers = self._loaded.pipe(texts, batch_size=self._batch)
        for name, sentence in named:
            place = f"parser benepar ({self._model}): {name}"
            try:
                text = next(answers)
                tree = text[:]._.parse_string
            except (ValueError, RecursionError) as error:
                # Longer than the model's longest, or deeper than its writer of brackets goes.
                raise InputError(
                    f"{place}: {many(len(sentence), 'word')}, and no tree: {brief(error)}: "
                    f"leave the sentence out, or cut it"
                ) from error
            yield with_tree(sentence, tree, place=place, sent=_words(sentence))

    @cached_property
    def _loaded(self) -> Any:
        spacy = import_extra("spacy", what="parser benepar", extra="benepar")
        import_extra("benepar", what="parser benepar", extra="benepar")
        nlp = (
            spacy.blank("en")
            if self._pipeline is None
            else _load(self._pipeline, name=self.name, extra="benepar")
        )
        try:
            nlp.add_pipe("benepar", config={"model": self._model})
        except (LookupError, OSError) as error:
            raise InputError(
                f"parser benepar: no model {self._model!r}: want a downloaded one, or the path of "
                f'one: python -c "import benepar; benepar.download({self._model!r})"'
            ) from error
        except (AttributeError, ImportError, TypeError) as error:
            raise InputError(
                f"parser benepar: the packages that are installed do not go together "
                f"({brief(error)}): benepar 0.2 wants transformers below 5: "
                f"pip install 'bitext[benepar]'"
            ) from error
        return nlp


def _load(model: str, *, name: str, extra: str) -> Any:
    spacy = import_extra("spacy", what=f"parser {name}", extra=extra)
    try:
        return spacy.load(model)
    except OSError as error:
        raise InputError(
            f"parser {name}: spaCy has no model {model!r}: want an installed one, or the folder "
            f"of one: python -m spacy download {model}"
        ) from error


def _document(nlp: Any, sentence: Sentence) -> Any:
    """Make a spaCy document of the words, one sentence, with the spaces of its text."""
    forms = _words(sentence)
    starts = [True] + [False] * (len(forms) - 1)
    kind = importlib.import_module("spacy.tokens").Doc
    return kind(nlp.vocab, words=forms, spaces=_spaces(sentence), sent_starts=starts)


def _words(sentence: Sentence) -> list[str]:
    return ["_".join(plain(form).split()) or "_" for form in sentence.forms]


def _spaces(sentence: Sentence) -> list[bool]:
    """Mark the words with a space after them in the text; all, where the text does not fit."""
    text, at = sentence.text, 0
    ends: list[int] = []
    begins: list[int] = []
    for form in sentence.forms:
        start = text.find(form, at)
        if start < 0 or text[at:start].strip():
            return [True] * len(sentence)
        begins.append(start)
        at = start + len(form)
        ends.append(at)
    return [*(e < b for e, b in zip(ends[:-1], begins[1:], strict=True)), False]
