"""Character references in plain text are seen as the characters that they stand for."""

from __future__ import annotations

import html

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.sentences import align_sentences
from bitext.align.sentences.cleaning import unescaped, without_references
from bitext.align.sentences.vectors import encode
from bitext.model import Text
from reference.translated_texts import sentences


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("R&amp;D &lt; 3 &quot;x&quot;", 'R&D < 3 "x"'),
        ("l&apos;eau l&#39;eau", "l'eau l'eau"),
        ("&eacute;t&#233;&#xE9;&#Xe9;", "étééé"),
        ("&#128512;", "\U0001f600"),
        ("a & b; AT&T; x&copy=1", "a & b; AT&T; x&copy=1"),
        ("&nosuchname; &#; &#x; &;", "&nosuchname; &#; &#x; &;"),
        ("&amp;lt;", "&lt;"),
        ("&#0;&#xD800;&#9999999;", "\ufffd\ufffd\ufffd"),
        ("", ""),
    ],
)
def test_references_are_characters(line, seen):
    assert unescaped(line) == seen


@given(st.text(st.characters(exclude_categories=["Cn", "Cs"]), max_size=20))
def test_what_was_escaped_is_seen_again(line):
    # HTML has no references to what is no character, as U+FFFE.
    assert unescaped(html.escape(line)) == line
    named = "".join(f"&#{ord(c)};" if c >= "\xa0" else c for c in html.escape(line))
    assert unescaped(named) == line


def test_a_text_without_references_is_seen_as_it_is():
    text = Text(["salt & pepper", "1 < 2"])
    assert without_references(text) is text
    seen = without_references(Text(["a", "&amp;", "b"]))
    assert (len(seen), list(seen.segments(1)), list(seen.segments(0, 1))) == (3, ["&", "b"], ["a"])


def test_an_alignment_with_references_is_that_without():
    src, tgt = map(list, zip(*sentences(60, seed=4), strict=True))
    escaped = ["".join(c if c == " " else f"&#{ord(c)};" for c in line) for line in tgt]
    wanted = align_sentences(Text(src), Text(tgt))
    assert align_sentences(Text(src), Text(escaped)) == wanted
    assert align_sentences(Text([f"<p>{x}</p>" for x in src]), Text(tgt)) == wanted
    assert align_sentences(Text([f"&lt;p&gt;{x}&lt;/p&gt;" for x in src]), Text(tgt)) == wanted


def test_encoders_read_the_characters_without_tags():
    def encoder(texts):
        assert texts == ["é"]
        return np.ones((1, 2))

    assert encode(encoder, ["&eacute;", "é", "<b>é</b>"]).shape == (3, 2)
