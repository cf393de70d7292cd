"""Warnings of `bitext align` about languages, and about texts that seem not to be translations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeAlias
from unicodedata import name

import numpy as np

from bitext.align.sentences.bead_types import are_excerpts, length_ratio
from bitext.align.sentences.evidence.times import TimeMap
from bitext.align.sentences.relatedness import (
    WrongLanguageSides,
    are_related,
    disagree,
    vectors_fit,
    vectors_reading,
)
from bitext.cli.align.request import AlignRequest, Place
from bitext.errors import many
from bitext.formats.io.source import Notes
from bitext.formats.languages import (
    finds,
    named_language,
    named_languages,
    unknown_languages,
    unusual_code,
)
from bitext.formats.subtitles.times import clock
from bitext.model import Alignment, Note, Text
from bitext.model.languages import main_language, names_of_letters
from bitext.segment.sentences import (
    are_near,
    language_of_words,
    languages_of_sentences,
    other_language,
)
from bitext.segment.sentences.running_text import (
    are_broken_within_sentences,
    end_within_lines,
    have_inner_ends,
    have_several,
    may_be_running_text,
    width_of_lines,
)

if TYPE_CHECKING:
    from bitext.align.sentences.vectors import SentenceVectors
    from bitext.cli.align.inputs import FilePair
    from bitext.cli.align.texts import TextPair

# The languages of the options against the names of the files and the scripts of the texts.

_MIN_SCRIPT_LETTERS = 50  # letters of a text that show its script, set by hand
_SCRIPT_SAMPLE = 2000  # letters of a text that are examined, set by hand
_SCRIPT_SHARE = 0.2  # of the letters at least are of the scripts of the language, set by hand


def language_notes(
    files: Sequence[FilePair], request: AlignRequest, place: Place | None, *, declared: bool = False
) -> Iterator[str]:
    """Yield warnings about languages that are unknown, or differ from the names of the files.

    `files` are the files of the texts, of which the first pair is examined. `declared` is true if
    the first texts declare their languages.
    """
    options = [("--src-lang", request.src_lang), ("--tgt-lang", request.tgt_lang)]
    codes = [main_language(code) for _, code in options]
    if place is not None and place.known.keeps.languages:
        for option, code in options:
            if fault := unusual_code(code):
                yield f"{option} {code}: {fault}"
    if not files or files[0].tgt is None:
        return
    names = files[0].src, files[0].tgt
    if not all(codes):
        unknown = not (declared or any(named_languages(*names)))
        if unknown and place is not None and place.known.names_languages:
            yield f"{names[0]}: {unknown_languages()}"
        return
    endings = [named_language(file) for file in names]
    if [*map(main_language, endings)] == codes[::-1] != codes:
        yield (
            f"{names[0]} and {names[1]}: their names say {endings[0]} and {endings[1]}, and "
            f"--src-lang {request.src_lang} --tgt-lang {request.tgt_lang} the other way round: "
            f"exchange two of them"
        )
        return
    for file, ending, code, (option, named) in zip(names, endings, codes, options, strict=True):
        main = main_language(ending)
        is_same = finds(main, code) or finds(code, main)  # also .no for nb, and .iw for he
        if ending and len(code) == len(main) and not is_same:
            yield f"{file}: its name says {ending}, and {option} {named}: is it misspelt?"


def script_notes(pair: TextPair, request: AlignRequest) -> Iterator[str]:
    """Yield a warning about a text with few letters of the scripts of its language."""
    options = ("--src-lang", request.src_lang), ("--tgt-lang", request.tgt_lang)
    for text, named, (option, code) in zip(
        (pair.src, pair.tgt), _names(pair), options, strict=True
    ):
        scripts = names_of_letters(code)
        letters = list(
            islice(filter(str.isalpha, chain.from_iterable(text.segments())), _SCRIPT_SAMPLE)
        )
        if not scripts or len(letters) < _MIN_SCRIPT_LETTERS:
            continue
        in_script = sum(name(letter, "").startswith(scripts) for letter in letters)
        if in_script < _SCRIPT_SHARE * len(letters):
            yield (
                f"{named}: has hardly any letters of {option} {code}: are the two texts "
                f"exchanged, or the two languages?"
            )


_WORDS_SAMPLE = 2000  # sentences of a text whose words identify its language, set by hand


def word_notes(pairs: Sequence[TextPair], *, split: bool) -> Iterator[str]:
    """Yield warnings about texts whose words are in other languages than their own.

    Pairs after the first one with such a text are given as a number. With `split` the texts were
    split by the rules of their languages, where another note names such a text: only exchanged
    texts are warned of then.
    """
    warned = (warning for pair in pairs if (warning := other_languages(pair, split=split)))
    yield from filter(None, [next(warned, "")])
    if further_pairs := sum(1 for _ in warned):
        texts = many(further_pairs, "other pair")
        yield f"{texts} of texts with words of other languages than they are given as"


def other_languages(pair: TextPair, *, split: bool) -> str:
    """Return the warning about a pair of texts; empty if words and languages agree."""
    names = _names(pair)
    named = [each for each in zip((pair.src, pair.tgt), names, strict=True) if each[0].lang]
    others = [
        other_language(list(islice(text.segments(), _WORDS_SAMPLE)), text.lang) for text, _ in named
    ]
    if len(named) == 2 and others == [main_language(text.lang) for text, _ in named[::-1]]:
        return (
            f"{' and '.join(names)}: their words are those of {others[0]} and {others[1]}, and "
            f"they are given as {pair.src.lang} and {pair.tgt.lang}: exchange the two texts, or "
            f"the two languages"
        )
    if split or pair.document:
        return ""
    return "; ".join(
        f"{name_of_text}: its words are those of {other}, and it is given as {text.lang} "
        f"(--src-lang, --tgt-lang)"
        for (text, name_of_text), other in zip(named, others, strict=True)
        if other
    )


def with_identified_languages(
    pairs: list[TextPair], place: Place | None, notes: Notes
) -> list[TextPair]:
    """Return pairs of texts with missing languages identified by their words.

    Languages are identified only for formats whose files name them, and for two files whose names
    have them. In one file each side has one language: where the identified ones differ, none is
    taken. A folder as output `place` has a file for each pair. `notes` gets the languages that were
    identified, if the files will name them.
    """
    if place is None:
        return pairs
    if not place.known.names_languages:
        if not _has_languages(place.output):
            return pairs
        notes = Notes()
    is_shared = not place.output.endswith("/")
    langs = [_identified(pairs, side, notes, is_shared=is_shared) for side in (0, 1)]
    for k, both in enumerate(zip(*langs, strict=True)):
        pair = pairs[k]
        if main_language(both[0]) == main_language(both[1]) != "":
            if not all(text.lang for text in pair.whole):
                kind = f"texts of which both are in {both[0]} by their words, so no language"
                notes.add(f"{kind} is taken from them (--src-lang, --tgt-lang)", pair.name)
            continue
        for side, lang in enumerate(both):
            whole = pairs[k].whole[side]
            if lang and not whole.lang and len(whole):
                kind = f"texts taken for {lang} by their words (--src-lang, --tgt-lang name others)"
                notes.add(kind, whole.name or pair.name)
                pairs[k] = pairs[k].in_language(side, lang)
    return pairs


def _has_languages(output: str) -> bool:
    """Check whether an output is two files whose names have languages."""
    src, comma, tgt = output.partition(",")
    return bool(comma) and all(named_languages(src, tgt))


def _identified(pairs: list[TextPair], side: int, notes: Notes, *, is_shared: bool) -> list[str]:
    """Return the language of one side of each pair; in one file all have the same or none."""
    langs = [_language_by_words(pair, side) for pair in pairs]
    known = [*dict.fromkeys(filter(None, langs))]
    if not is_shared or not known:
        return langs
    if len({main_language(code) for code in known}) > 1:
        if any(not pair.whole[side].lang for pair in pairs):
            kind = f"texts whose words are of several languages ({', '.join(known)}), so none is"
            path = pairs[0].whole[side].name or pairs[0].name
            notes.add(f"{kind} taken for the {('source', 'target')[side]}", path)
        return [pair.whole[side].lang for pair in pairs]
    return [code or known[0] for code in langs]


def _language_by_words(pair: TextPair, side: int) -> str:
    """Return the language of one side of a pair, identified where no other source has one."""
    text = pair.whole[side]
    return text.lang or language_of_words(list(text.segments()))


# Texts that seem not to be translations of each other.

_EXCERPTS, _PARTS = "texts that are excerpts", "texts of which the other one lacks a part"
PARTIAL = frozenset((_EXCERPTS, _PARTS))
"""The kinds of the warnings about a text that translates a part of the other one."""

# Thresholds are set by hand; scripts/bench/alignment_doubts.py counts right and wrong warnings.
_MAX_UNALIGNED = 0.5  # of the sentences without a partner, above which texts are doubted
_LINES = 2000  # lines that show how a text is divided
_LONG_LINE = 500  # characters, more than a sentence usually has
_LONG_RATIO = 5  # median length of lines against that of the other side
_SPREAD, _SHORTEST = 60, 20  # sentences whose language is identified, about; characters of each
_FEWEST_IDENTIFIED = 8  # sentences of a text of which the language is known
_MOST_SINGLE = 0.8  # 1-1 beads for each sentence of the longer text, above which it is one text
_LEAST_OF_OTHER = 0.15  # share of sentences in the language of the other text, at least
_LOW_PROBABILITY = 0.4  # mean of the beads, below which texts are doubted
_LEXICAL_METHODS = (None, "lexical", "embedding")
_MIN_EXCERPT_BEADS = 3  # fewer may be there by chance
_MIN_EXCERPT_PROBABILITY = 0.6  # mean of the beads of an excerpt
_MIN_SENTENCES = 10  # of both texts, up to which shares say nothing
# Sentences in a row without a partner at least, and their share of the text: by hand. Of the texts
# of alignment_quality.py the longest such run is 36 of 554 (7 %)
_MIN_MISSING, _MIN_MISSING_SHARE = 20, 0.2
_MIN_COPIED = 0.8  # of 1-1 beads with the same sentence twice, as of texts that are not translated
_COMPARED = 1000  # 1-1 beads that are compared
_MIN_COMPARED = 5  # 1-1 beads
_DIGESTED = 1 << 12  # sentences of which a digest is made at once: memory only
_MOST_REMEMBERED = 50_000  # texts, of which each takes some 500 bytes
_MOST_ALONE = 3  # warnings of a kind that have a line each, so that they hide no other notes


Warnings: TypeAlias = list[tuple[str, str]]
"""The warnings about a pair of texts: the kind of each, and its words."""


class RepeatedTexts:
    """Files with the text of an earlier one, each beside another text than that.

    A text is known by a digest; the first `_MOST_REMEMBERED` of each side are remembered.
    """

    def __init__(self) -> None:
        self._first: tuple[dict[str, tuple[str, str]], ...] = ({}, {})  # name, digest of the other
        self._again: tuple[list[str], ...] = ([], [])

    def add(self, names: Sequence[str], digests: Sequence[str]) -> None:
        """Compare the texts of a pair with those before; `digests` as `text_digests` gives them."""
        for side, digest in enumerate(digests):
            known = self._first[side]
            short = int(digest.partition(":")[0]) <= _MIN_SENTENCES  # which may come again
            if short or (digest not in known and len(known) >= _MOST_REMEMBERED):
                continue
            name, other = known.setdefault(digest, (names[side], digests[1 - side]))
            if name != names[side] and other != digests[1 - side]:
                self._again[side].append(f"{name} and {names[side]}")

    def notes(self) -> Iterator[str]:
        """Yield a warning for each side with such files."""
        for side, named in enumerate(self._again):
            if named:
                other = ("target", "source")[side]
                kind = f"files that repeat another one, beside another {other} (copied by mistake?)"
                yield str(Note(kind, len(named), named[0]))


def text_digests(pair: TextPair) -> list[str]:
    """Return the number of sentences of each text with a digest of them: `12:0f...`."""
    return [_digest(text) for text in pair.whole]


def _digest(text: Text) -> str:
    digest = blake2b(digest_size=8)
    sentences = text.segments()
    while some := list(islice(sentences, _DIGESTED)):
        digest.update("\n".join([*some, ""]).encode("utf-8", "surrogatepass"))
    return f"{len(text)}:{digest.hexdigest()}"


def repeated_texts(pairs: Iterable[TextPair]) -> Iterator[str]:
    """Yield a warning about texts of two files that are equal, beside texts that differ."""
    repeated = RepeatedTexts()
    for pair in pairs:
        repeated.add(_names(pair), text_digests(pair))
    yield from repeated.notes()


def warning_lines(warnings: Iterable[Warnings], *, verbose: bool) -> list[str]:
    """Word the warnings about texts; many of a kind are one line, unless it is to be `verbose`."""
    kinds: dict[str, list[str]] = {}
    for kind, line in chain.from_iterable(warnings):
        kinds.setdefault(kind, []).append(line)
    lines = []
    for kind, of_kind in kinds.items():
        together = len(of_kind) > _MOST_ALONE and not verbose
        lines += [str(Note(kind, len(of_kind), of_kind[0]))] if together else of_kind
    return lines


def input_warnings(
    pair: TextPair,
    alignment: Alignment,
    request: AlignRequest,
    *,
    wrong_language: WrongLanguageSides | None = None,
    vectors: tuple[SentenceVectors, SentenceVectors] | None = None,
    time_map: TimeMap | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield warnings about a pair of texts: the kind of each, and its words.

    `alignment` has all beads of the texts. `wrong_language` are the sides in the language of the
    other side, by the rest of the corpus. `vectors` and `time_map` are those that the alignment
    uses, if any.
    """
    empty = list(_empty_texts(pair))
    yield from empty
    if not empty:
        yield from _times(pair, request, time_map)
        if not request.split:
            yield from _broken_lines(pair)
        # One fault brings the others with it: the first that fits is the cause.
        warning = (
            _both_languages(pair, alignment)
            or _undivided_text(pair, sentences=request.sentences or request.split)
            or _copied_text(pair, alignment)
            or _wrong_language(pair, wrong_language)
            or _misplaced_rows(pair, vectors)
            or _unrelated_texts(pair, alignment, request)
            or _unrelated_vectors(pair, alignment, vectors)
            or _missing_part(pair, alignment, request)
        )
        if warning is not None:
            yield warning


def _unrelated_texts(
    pair: TextPair, alignment: Alignment, request: AlignRequest
) -> tuple[str, str] | None:
    """Return a warning about texts that may not be translations of each other, or an excerpt."""
    total = len(pair.src) + len(pair.tgt)
    if total <= _MIN_SENTENCES:
        return None
    both = (alignment.src.lengths > 0) & (alignment.tgt.lengths > 0)
    unaligned = total - int(alignment.src.lengths[both].sum() + alignment.tgt.lengths[both].sum())
    if unaligned > _MAX_UNALIGNED * total:
        excerpt = _excerpt(pair, alignment) if request.method in _LEXICAL_METHODS else None
        if excerpt is not None:
            return _EXCERPTS, excerpt
        warning, remedy = f"{unaligned:,} of {total:,} sentences have no partner", ""
    else:
        if alignment.scores is None:  # of a program or a plug-in
            related = False if disagree(pair.src, pair.tgt, alignment) else None
        else:
            words = request.method in _LEXICAL_METHODS
            related = are_related(pair.src, pair.tgt, alignment, words=words)
        sure = 1.0 if alignment.scores is None else float(alignment.scores.mean())
        if related is False:
            warning = "sentences fit hardly better as they are aligned than anywhere else"
            remedy = f" If so, {_remedy(request)}"
        elif related is None and sure < _LOW_PROBABILITY and request.method in _LEXICAL_METHODS:
            warning, remedy = f"the mean probability of its beads is only {sure:.2f}", ""
        else:
            return None
    warning = f"{pair.name}: {warning}: are {_names_of_both(pair)} translations of each other?"
    return "texts that may not be translations", warning + remedy


def _misplaced_rows(
    pair: TextPair, vectors: tuple[SentenceVectors, SentenceVectors] | None
) -> tuple[str, str] | None:
    """Return a warning about vectors whose rows seem to be in another order than the sentences."""
    if vectors is None:
        return None
    src, tgt = vectors
    reading = vectors_reading(src, tgt, (pair.src, pair.tgt))
    if reading is None:
        return None
    warning = (
        f"{pair.name}: rows of {src.name} and {tgt.name} that are close belong to sentences of "
        f"different lengths"
    )
    if reading.exchanged:
        remedy = f"are they exchanged (--vectors {tgt.name} {src.name})?"
    else:
        remedy = "was one line too many or too few encoded?"
    return "vectors of other sentences", f"{warning}: {remedy}"


def _unrelated_vectors(
    pair: TextPair, alignment: Alignment, vectors: tuple[SentenceVectors, SentenceVectors] | None
) -> tuple[str, str] | None:
    """Return a warning about vectors that are no nearer for aligned sentences than for others."""
    if vectors is None:
        return None
    src, tgt = vectors
    if vectors_fit(src, tgt, alignment):
        return None
    warning = "the vectors of aligned sentences are no nearer than those of others"
    question = f"are {src.name} and {tgt.name} of these texts, by one encoder?"
    return "vectors of other sentences", f"{pair.name}: {warning}: {question}"


def _excerpt(pair: TextPair, alignment: Alignment) -> str | None:
    """Return a warning about a text that is clearly a part of the other one."""
    sides = zip((pair.src, pair.tgt), (alignment.src, alignment.tgt), _names(pair), strict=True)
    (short, short_rows, short_name), (long, long_rows, long_name) = sorted(
        sides, key=lambda side: len(side[0])
    )
    if not are_excerpts(len(long) / len(short), length_ratio([short], [long])):
        return None
    both = (short_rows.lengths > 0) & (long_rows.lengths > 0)
    if short_rows.lengths[both].sum() < _MAX_UNALIGNED * len(short):
        return None
    if alignment.scores is None or both.sum() < _MIN_EXCERPT_BEADS:
        return None
    if float(alignment.scores[both].mean()) < _MIN_EXCERPT_PROBABILITY or disagree(
        pair.src, pair.tgt, alignment
    ):
        return None
    remark = f"{len(long) - int(long_rows.lengths[both].sum()):,} of {len(long):,} sentences of "
    remark += f"{long_name} have no partner"
    return f"{pair.name}: {short_name} seems to be an excerpt: {remark}"


def _missing_part(
    pair: TextPair, alignment: Alignment, request: AlignRequest
) -> tuple[str, str] | None:
    """Return a warning about a text of which the other one lacks a large part in a row."""
    if alignment.scores is None or request.method not in _LEXICAL_METHODS:
        return None
    both = (alignment.src.lengths > 0) & (alignment.tgt.lengths > 0)
    names = _names(pair)
    for side, rows in enumerate((alignment.src, alignment.tgt)):
        alone = np.repeat(~both, rows.lengths)
        least = max(_MIN_MISSING, _MIN_MISSING_SHARE * len(alone))
        if np.count_nonzero(alone) < least:  # most texts
            continue
        edges = np.flatnonzero(np.diff(alone, prepend=False, append=False)).reshape(-1, 2)
        if int(np.diff(edges).max(initial=0)) < least:
            continue
        first, end = edges[int(np.diff(edges).argmax())].tolist()
        if np.repeat(alignment.scores, rows.lengths)[first:end].mean() < _MIN_EXCERPT_PROBABILITY:
            continue
        places, whole = pair.places[side], pair.whole[side]
        begin, last = (k if places is None else int(places[k]) for k in (first, end - 1))
        return _PARTS, (
            f"{pair.name}: sentences {begin + 1:,} to {last + 1:,} of the {len(whole):,} of "
            f"{names[side]} have no partner: does {names[1 - side]} lack them?"
        )
    return None


def _remedy(request: AlignRequest) -> str:
    """Return a remedy for a doubtful alignment of texts that are translations."""
    if request.method not in _LEXICAL_METHODS:
        return "--method lexical may find them"
    given = (request.dictionary, request.vectors, request.encoder)
    return "the alignment is of little use" if any(given) else "a dictionary or vectors may help"


def _names_of_both(pair: TextPair) -> str:
    """Return the names of both texts; words for the sides where one file has both."""
    if pair.src.name == pair.tgt.name:
        return "its source and its target"
    return " and ".join(_names(pair))


def _names(pair: TextPair) -> tuple[str, str]:
    """Return the name of each text; the side and the file where one file has both."""
    src, tgt = pair.src.name, pair.tgt.name
    if src == tgt:
        of = f" of {src or pair.name}"
        return f"the source{of}", f"the target{of}"
    return src or "the source", tgt or "the target"


def _empty_texts(pair: TextPair) -> Iterator[tuple[str, str]]:
    sides = (pair.src, "source"), (pair.tgt, "target")
    for (text, side), named in zip(sides, _names(pair), strict=True):
        if not len(text):
            yield "texts that are empty", f"{named}: is empty: no {side} sentence to align"
        elif not any(sentence.strip() for sentence in text.segments()):
            lines = many(len(text), "empty line")
            yield "texts that are empty", f"{named}: has only {lines}: no {side} sentence to align"


# How the times of two subtitles go together.

_SAME_RATE = 5e-4  # the least difference of rates in a note: 1.8 seconds an hour
_SAME_TIME = 0.1  # seconds: the least shift in a note


def _times(
    pair: TextPair, request: AlignRequest, time_map: TimeMap | None
) -> Iterator[tuple[str, str]]:
    """Yield a note on how the times of two texts go together, if both have some."""
    src, tgt = pair.src.times, pair.tgt.times
    if src is None or tgt is None or request.no_times or request.is_external:
        return
    if time_map is None:
        yield (
            "subtitles whose times do not fit, or are too few: aligned by their words",
            f"{pair.name}: the times of both sides do not fit, or are too few: aligned by words",
        )
        return
    begin = float(np.nanmin(src[:, 0]))
    shift = float(time_map.of(np.array([begin]))[0]) - begin
    findings = []
    if abs(time_map.rate - 1) > _SAME_RATE:
        percent = f"{abs(time_map.rate - 1) * 100:.1f} %"
        findings.append(f"runs {percent} {'slower' if time_map.rate > 1 else 'faster'}")
    if abs(shift) >= _SAME_TIME:
        findings.append(f"begins {abs(shift):.1f} s {'later' if shift > 0 else 'earlier'}")
    for cut, more in zip(time_map.cuts.tolist(), np.diff(time_map.offsets).tolist(), strict=True):
        time = clock(cut).partition(",")[0]
        findings.append(
            f"has {abs(more):.1f} s {'more' if more > 0 else 'less'} at {time} of the source"
        )
    words = " and ".join(
        [", ".join(findings[:-1]), findings[-1]] if len(findings) > 1 else findings
    )
    note = (
        f"{pair.name}: the target {words or 'has the times of the source'}, within "
        f"{time_map.scales[0]:.2f} s: evidence for beads (--no-times: by words alone)"
    )
    yield ("subtitles aligned by their times, too (--no-times: by words alone)", note)


def _broken_lines(pair: TextPair) -> Iterator[tuple[str, str]]:
    """Yield a warning about lines that are wrapped at a width, not at ends of sentences."""
    for text, named, split in zip(pair.whole, _names(pair), pair.split, strict=True):
        if split:
            continue
        lines = list(text.segments(0, min(len(text), _LINES)))
        may_run = _may_run(text)
        width = width_of_lines(lines) if may_run else None
        is_broken = width is not None or (may_run and are_broken_within_sentences(lines))
        if is_broken or end_within_lines(lines):
            at_width = "" if width is None else f" at {many(width, 'character')}"
            warning = f"{named}: its lines seem to be broken{at_width}, not where"
            remedy = "is it running text? --split makes sentences of it"
            yield "texts whose lines are broken", f"{warning} sentences end: {remedy}"


def _may_run(text: Text) -> bool:
    """Check whether a text may be running text, which its reader knows of most short texts."""
    return len(text) > _LINES or text.fact(may_be_running_text)


def _both_languages(pair: TextPair, alignment: Alignment) -> tuple[str, str] | None:
    """Return a warning about a text of which a part is in the language of the other text."""
    # Sentences in the language of the other text have no partner, or none of their own.
    single = int(((alignment.src.lengths == 1) & (alignment.tgt.lengths == 1)).sum())
    if single > _MOST_SINGLE * max(len(pair.src), len(pair.tgt)):
        return None
    counts = [languages_of_sentences(_spread(text)) for text in (pair.src, pair.tgt)]
    if any(each.total() < _FEWEST_IDENTIFIED for each in counts):
        return None
    langs = [each.most_common(1)[0][0] for each in counts]
    # Where most sentences of both texts are in one language, more of another one show two texts.
    least = _LEAST_OF_OTHER * (2 if langs[0] == langs[1] else 1)
    for own, other, named in zip(counts, langs[::-1], _names(pair), strict=True):
        lang = next((each for each, _ in own.most_common(2) if each != other), other)
        if not are_near(lang, other) and min(own[lang], own[other]) >= least * own.total():
            warning = f"{named}: has sentences in {lang} and in {other}, the language of the"
            kind = "texts that are partly in the language of the other text"
            return kind, f"{warning} other text: is it both texts? Give that in {lang} alone"
    return None


def _spread(text: Text) -> Iterator[str]:
    """Yield some sentences of a text, from its beginning to its end, short ones left out."""
    step = len(text) // _SPREAD | 1  # odd: languages may alternate
    for k in range(0, len(text), step):
        sentence = next(text.segments(k, k + 1))
        if len(sentence) >= _SHORTEST:
            yield sentence


def _undivided_text(pair: TextPair, *, sentences: bool) -> tuple[str, str] | None:
    """Return a warning about a text whose lines have several sentences each.

    Its lines are long and those of the other side are not, or sentences end within most of them;
    or, if the lines are not said to be `sentences`, most lines of both texts have two.
    """
    sides = [
        (text, _median_length(text), named)
        for text, named in zip((pair.src, pair.tgt), _names(pair), strict=True)
    ]
    (_, short, _), (text, long, named) = sorted(sides, key=lambda side: side[1])
    returns = [side for side in sides if all("\r" in line.strip() for line in side[0].segments())]
    if returns:
        text, long, named = returns[0]
        remedy = "lines seem to end with a carriage return alone: make line feeds of them"
    elif long >= max(_LONG_LINE, _LONG_RATIO * short) or (
        _may_run(text) and have_inner_ends(_Lines(text))
    ):
        remedy = "is it running text? One sentence a line is wanted, or --split for both texts"
    elif not sentences and all(map(_has_several, (pair.src, pair.tgt))):
        warning = f"{pair.name}: most lines of both texts have several sentences"
        remedy = "is it running text? --split makes sentences of it"
        return "texts that are not divided", f"{warning}: {remedy}"
    else:
        return None
    lines = many(len(text), "line")
    warning = f"{named}: has {lines} of about {long:,} characters"
    return "texts that are not divided", f"{warning}: {remedy}"


def _has_several(text: Text) -> bool:
    if text.times is not None or not _may_run(text):
        return False
    return have_several(list(text.segments(0, min(len(text), _LINES))))


def _median_length(text: Text) -> int:
    """Return the median length of lines, which one line of a megabyte does not change."""
    middle = (len(text) - 1) // 2
    lengths = np.fromiter(map(len, text.segments()), dtype=np.int64, count=len(text))
    return int(np.partition(lengths, middle)[middle])


class _Lines(Collection[str]):
    """The segments of a text, which are cut from it when they are used."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def __len__(self) -> int:
        return len(self._text)

    def __iter__(self) -> Iterator[str]:
        return self._text.segments()

    def __contains__(self, line: object) -> bool:
        return any(line == one for one in self)


def _copied_text(pair: TextPair, alignment: Alignment) -> tuple[str, str] | None:
    """Return a warning about texts that are the same, in part or as a whole."""
    single = (alignment.src.lengths == 1) & (alignment.tgt.lengths == 1)
    places = single.nonzero()[0]
    places = places[:: -(-len(places) // _COMPARED) or 1]
    texts = [
        _sentences_at(text, rows.idx[rows.ptr[places]].tolist())
        for text, rows in ((pair.src, alignment.src), (pair.tgt, alignment.tgt))
    ]
    beads = [both for both in zip(*texts, strict=True) if any(map(str.isalpha, both[0]))]
    same = sum(one == other for one, other in beads)
    if len(beads) < _MIN_COMPARED or same < _MIN_COPIED * len(beads):
        return None
    warning = (
        f"{pair.name}: {same:,} of {len(beads):,} sentences are the same in {_names_of_both(pair)}"
    )
    if same == len(beads) and single.all():
        warning = f"{pair.name}: {_names_of_both(pair)} are the same text"
    return "texts that are not translated", f"{warning}: name the translation"


def _sentences_at(text: Text, places: list[int]) -> list[str]:
    """Return the sentences at ascending places, in one pass over the text."""
    ascending = iter(places)
    next_start = next(ascending, -1)
    sentences = []
    for k, sentence in enumerate(text.segments()):
        if k == next_start:
            sentences.append(sentence.strip())
            next_start = next(ascending, -1)
    return sentences


def _wrong_language(pair: TextPair, sides: WrongLanguageSides | None) -> tuple[str, str] | None:
    """Return a warning about texts in the language of the other side of the corpus."""
    if sides is None or not (sides.src or sides.tgt):
        return None
    src, tgt = _names(pair)
    kind = "texts that seem to be in the language of the other side"
    if sides.src and sides.tgt:
        warning = f"{src} has the words of the other targets, and {tgt} those of the other sources"
        return kind, f"{pair.name}: {warning}: exchange the two, and align again"
    name, others = (src, "targets") if sides.src else (tgt, "sources")
    return kind, f"{pair.name}: {name} has the words of the other {others}: is it the right text?"
