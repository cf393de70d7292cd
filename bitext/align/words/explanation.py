"""Explanation of the syntactic match of two words, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from operator import index
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from bitext.align.words.aligning import WordAligner, iob_score, trimmed
from bitext.align.words.options import WordOptions, choose
from bitext.errors import InputError, many
from bitext.model import Sentence, Token


class TagMatch(NamedTuple):
    """Two tags and their score: 1 identical, 0 the same constituent, -1 otherwise."""

    src: str
    tgt: str
    score: int

    def __str__(self) -> str:
        return f"{self.src} / {self.tgt}: {_signed(self.score)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WordMatch:
    """The match of one word of a sentence with one of another."""

    # `src`, `tgt`: the words.
    src: Token
    tgt: Token
    # `src_index`, `tgt_index`: the indices of the words in their sentences, from 0.
    src_index: int
    tgt_index: int
    options: WordOptions  # the options of the alignment
    # `src_normal`, `tgt_normal`: the normalised forms.
    src_normal: str
    tgt_normal: str
    # `src_left_out`, `tgt_left_out`: the reason to leave a word out: `comma` or `stop word`.
    src_left_out: str | None
    tgt_left_out: str | None
    # `same_form`, `same_pos`: whether the normalised forms, and the parts of speech, are the same.
    same_form: bool
    same_pos: bool
    # The chunks; None without syntax, like all further attributes of syntax.
    chunks: TagMatch | None
    # The pairs of tags of the trimmed traces, from their ends backwards, up to the shorter one.
    traces: tuple[TagMatch, ...]
    length_difference: int  # the difference of the lengths of the trimmed traces
    score: Fraction | None  # chunks + weight * (traces - length_difference)
    # `src_position`, `tgt_position`: the relative positions of the words in their sentences, above
    # 0 and up to 1.
    src_position: Fraction | None
    tgt_position: Fraction | None
    matches: bool  # whether the two words match
    reason: str  # the deciding reason
    # `src_partner`, `tgt_partner`: the word of the other sentence that each is aligned with.
    src_partner: int | None
    tgt_partner: int | None

    @property
    def aligned(self) -> bool:
        """Whether the two words are aligned with each other."""
        return self.src_partner == self.tgt_index

    def lines(self) -> list[str]:
        """Return the steps, one a line, for the terminal."""
        src, tgt = self.src, self.tgt
        first = f"word {self.src_index + 1} of the first sentence, {_word_label(src)}"
        out = [f"{first}, and word {self.tgt_index + 1} of the second, {_word_label(tgt)}"]
        for side, left_out in (("first", self.src_left_out), ("second", self.tgt_left_out)):
            if left_out:
                out.append(f"  left out: the {side} is a {left_out}")
        out.append(f"  form: {self.src_normal!r} and {self.tgt_normal!r}, {_same(self.same_form)}")
        if self.chunks is not None and self.score is not None:
            out += self._syntax_lines(self.chunks, self.score)
        out.append(f"  {'match' if self.matches else 'no match'}: {self.reason}")
        out.append(f"  {self._partners()}")
        return out

    def _syntax_lines(self, chunks: TagMatch, score: Fraction) -> list[str]:
        weight, tag_scores = self.options.weight, sum(tag.score for tag in self.traces)
        out = [f"  part of speech: {self.src.pos} and {self.tgt.pos}, {_same(self.same_pos)}"]
        for side, token in (("first", self.src), ("second", self.tgt)):
            inner = "/".join(trimmed(token.trace)) or "nothing"
            out.append(f"  trace of the {side}: {'/'.join(token.trace) or 'none'}; inside: {inner}")
        out.append(f"  chunks: {chunks}")
        out += [f"  traces, {n} from the end: {tag}" for n, tag in enumerate(self.traces, start=2)]
        if not self.traces:
            out.append("  traces: nothing to compare, 0")
        out.append(f"  lengths of the traces differ by {self.length_difference}")
        out.append(
            f"  score: {chunks.score} + {weight} * ({tag_scores}) - {weight} * "
            f"{self.length_difference} = {score}"
        )
        if self.src_position is not None and self.tgt_position is not None:
            apart = abs(self.src_position - self.tgt_position)
            allowed = "below" if self.options.figure4 else "at most"
            out.append(
                f"  positions: {self.src_position} and {self.tgt_position}, {apart} apart; "
                f"want {allowed} {self.options.limit}"
            )
        return out

    def _partners(self) -> str:
        if self.aligned:
            return "aligned with each other"
        partners = [
            f"the {side} is aligned with "
            + ("no word" if partner is None else f"word {partner + 1}")
            for side, partner in (("first", self.src_partner), ("second", self.tgt_partner))
        ]
        return f"not aligned with each other: {', '.join(partners)}"

    def __str__(self) -> str:
        return "\n".join(self.lines())


def explain(
    src: Sentence,
    tgt: Sentence,
    src_index: int,
    tgt_index: int,
    *,
    preset: str | WordOptions = "V4",
    **options: Any,
) -> WordMatch:
    """Explain whether and why two words of two sentences match.

    Parameters
    ----------
    src, tgt : Sentence
    src_index, tgt_index : int
        The indices of the words, from 0; negative ones are refused.
    preset, **options
        As for `align_words`.

    Raises
    ------
    InputError
        When an argument is not a `Sentence`, has no such word, or lacks syntax for the preset.
    OptionError
        As of `align_words`.

    Examples
    --------
    >>> from bitext.model import Sentence
    >>> print(explain(Sentence(["Milan", "burns"]), Sentence(["In", "milan"]), 0, 1, preset="V1"))
    word 1 of the first sentence, 'Milan', and word 2 of the second, 'milan'
      form: 'milan' and 'milan', the same
      match: the forms are the same
      aligned with each other

    """
    chosen = choose(preset, **options)
    one = np.array([0])
    word_pairs = WordAligner([src, tgt], chosen).pairs(one, one + 1)
    src_index = _word("first", "src_index", src, src_index)
    tgt_index = _word("second", "tgt_index", tgt, tgt_index)
    aligned = dict(zip(word_pairs.src.tolist(), word_pairs.tgt.tolist(), strict=True))
    first, second = src[src_index], tgt[tgt_index]
    left_out = [chosen.left_out(token.form, token.pos) for token in (first, second)]
    normal_form = chosen.normal
    normal = [normal_form(token.form) for token in (first, second)]
    chunks = score = positions = None
    traces: tuple[TagMatch, ...] = ()
    difference = 0
    if chosen.syntax:
        chunks = TagMatch(first.iob, second.iob, iob_score(first.iob, second.iob))
        traces, difference = _traces(trimmed(first.trace), trimmed(second.trace))
        score = chunks.score + chosen.weight * (sum(tag.score for tag in traces) - difference)
        positions = (Fraction(src_index + 1, len(src)), Fraction(tgt_index + 1, len(tgt)))
    reason = _objection(chosen, left_out, normal, (first.pos, second.pos), score, positions)
    agreed = "forms, parts of speech, syntax and positions agree"
    return WordMatch(
        src=first,
        tgt=second,
        src_index=src_index,
        tgt_index=tgt_index,
        options=chosen,
        src_normal=normal[0],
        tgt_normal=normal[1],
        src_left_out=left_out[0],
        tgt_left_out=left_out[1],
        same_form=normal[0] == normal[1],
        same_pos=first.pos == second.pos,
        chunks=chunks,
        traces=traces,
        length_difference=difference,
        score=score,
        src_position=positions and positions[0],
        tgt_position=positions and positions[1],
        matches=reason is None,
        reason=reason or (agreed if chosen.syntax else "the forms are the same"),
        src_partner=aligned.get(src_index),
        tgt_partner={second: first for first, second in aligned.items()}.get(tgt_index),
    )


def _word(side: str, option: str, sentence: Sentence, given: object) -> int:
    """Return the index of a word as an int; check its range."""
    position = index(given) if isinstance(given, SupportsIndex) else -1
    if position < 0:
        raise InputError(
            f"{option} is {given!r:.40}: want the index of a word of the {side} sentence, a whole "
            f"number from 0 to {len(sentence) - 1}"
        )
    if position >= len(sentence):
        raise InputError(
            f"the {side} sentence has {many(len(sentence), 'word')} and no word {position + 1}: "
            f"want one from 1 to {len(sentence)}"
        )
    return position


def _traces(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[tuple[TagMatch, ...], int]:
    """Compare traces from their ends; return pairs of tags and the difference in length."""
    pairs = list(zip_longest(reversed(first), reversed(second)))
    both = tuple(
        TagMatch(a, b, iob_score(a, b)) for a, b in pairs if a is not None and b is not None
    )
    return both, len(pairs) - len(both)


def _objection(
    options: WordOptions,
    left_out: list[str | None],
    normal: list[str],
    pos: tuple[str, str],
    score: Fraction | None,
    positions: tuple[Fraction, Fraction] | None,
) -> str | None:
    """Return the first reason against a match, or None."""
    if any(left_out):
        return f"a {left_out[0] or left_out[1]} is never aligned"
    if normal[0] != normal[1]:
        return "the forms differ"
    if score is None or positions is None:
        return None
    if pos[0] != pos[1]:
        return "the parts of speech differ"
    if score < Fraction(options.match_threshold):
        return f"the score {score} is below {options.match_threshold}"
    apart = abs(positions[0] - positions[1])
    if options.too_far(apart):
        return f"the positions are {apart} apart"
    return None


def _word_label(token: Token) -> str:
    return repr(token.form) + (f" ({token.pos}, {token.iob})" if token.pos and token.iob else "")


def _same(same: bool) -> str:
    return "the same" if same else "not the same"


def _signed(score: int) -> str:
    return f"{score:+d}" if score else "0"
