"""How sentences begin and end, in several languages and in odd texts."""

from bitext.segment.tokens import Beginning, Close, Ending, Shape, Tokens, punctuation


def of(*sentences):
    return punctuation(Tokens(sentences))


def names(kinds, codes):
    return [kinds(code).name for code in codes.tolist()]


def test_endings_look_through_quotation_marks_and_brackets():
    found = of(
        "Yes.", "No?”", "(Oh!)", "Well…", "Well...", "He said:", "but;", "so,", "and—", "end"
    )
    expected = "FULL_STOP QUESTION EXCLAMATION ELLIPSIS ELLIPSIS COLON SEMICOLON COMMA DASH WORD"
    assert names(Ending, found.ending) == expected.split()


def test_beginnings():
    found = of("“Yes,", "“Go on.”", "—¿Qué?—dijo él.", "- Quoi ?", "-5 degrees", "Plain.", "", "  ")
    expected = "OPENING AGAIN DASH DASH PLAIN PLAIN NOTHING NOTHING"
    assert names(Beginning, found.beginning) == expected.split()


def test_closing_marks_at_the_end():
    found = of("“Yes.”", "»So«.", "“Yes,” he said.", "(“Yes.”)", "He said “", "Well.")
    assert names(Close, found.close[:2]) == ["LAST", "BEFORE"]
    assert names(Close, found.close[2:4]) == ["NONE", "LAST"]
    assert names(Close, found.close[4:]) == ["OPENING", "NONE"]


def test_shapes_of_first_words():
    found = of("I am.", "It is.", "NO way.", "he.", "42 men.", "你好。", "«Да».", "...", "")
    expected = "ONE_CAPITAL CAPITALISED CAPITALS LOWER DIGITS UNCASED CAPITALISED NONE NONE"
    assert names(Shape, found.shape) == expected.split()


def test_quotations_are_followed_through_the_text():
    found = of("“One,” he said, “two.", "Three.", "Four.” “Five.”", "Six.")
    assert found.before.tolist() == [0, 1, 1, 0]
    assert found.after.tolist() == [1, 1, 0, 0]
    assert found.opened.tolist() == [2, 0, 1, 0]
    assert found.closed.tolist() == [1, 0, 2, 0]
    assert found.pairs.tolist() == [1, 0, 1, 0]


def test_where_the_last_quotation_ends():
    tokens = Tokens(["“One,” he said.", "Two.", "“Three.”"])
    tail = punctuation(tokens).tail
    assert tokens.line[tail[0] :].startswith(" he said.")
    assert tail[1] == -1
    assert tail[2] == tokens.ends[2]
