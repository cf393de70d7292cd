import json

import pytest

from bitext.errors import FormatError
from bitext.formats.line_files import parsed, shown, unfit


def error(message):
    return FormatError(message, path="a.json", line=3)


def test_values_come_out_as_they_are():
    value = {"a": [1, None, "x", {"a": True}], "b": {}}
    assert parsed(json.dumps(value), error) == value


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[{"a": 1, "b": 2, "b": 2}]', "^a.json line 3: an object has the key 'b' twice"),
        ("[" * 100_000, "line 3: is JSON beyond all limits"),
        ("9" * 10_000, "line 3: is JSON beyond all limits"),
    ],
)
def test_what_is_refused(text, told):
    with pytest.raises(FormatError, match=told):
        parsed(text, error)


def test_what_is_no_json_is_left_to_the_reader():
    with pytest.raises(json.JSONDecodeError, match="Expecting value"):
        parsed("fog", error)


@pytest.mark.parametrize("sign", ["\0", "\x07", "\x0b", "\x1b", "\x7f"])
def test_control_characters(sign):
    assert unfit(f"Fog{sign}") == f"the control character {sign!a}"


def test_what_is_text():
    assert unfit("Fog\tfell\r\n\u00a0\u2028\u0085\U0001f32b") is None
    assert unfit("\udc80") == "half of a surrogate pair"


def test_values_are_shown_short():
    assert shown(None) == "null"
    assert shown(["fog"] * 20) == '["fog", "fog", "fog", "fog", "fog", "fo…'
