"""One record: JSON and Python dictionaries alike, nothing executed, every fault with a reason."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adhominem.rows import (
    RecordError,
    author_field,
    parse_object,
    storable,
    text_field,
    topic_field,
    type_name,
)

PROPERTY = settings(max_examples=120)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = SCALARS | st.lists(SCALARS, max_size=4) | st.dictionaries(st.text(), SCALARS, max_size=3)
SURROGATES = st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF)
ANY_TEXT = st.text(SURROGATES | st.characters() | st.sampled_from("\ufeff😀"))


def reason(data: bytes) -> str:
    with pytest.raises(RecordError) as caught:
        parse_object(data)
    return caught.value.reason


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4))
@PROPERTY
def test_json_and_python_write_the_same_object(record: dict[str, Any]) -> None:
    assert parse_object(json.dumps(record).encode()) == record
    assert parse_object(json.dumps(record, ensure_ascii=False).encode()) == record
    assert parse_object(f" {record!r}\n".encode()) == record


@pytest.mark.parametrize(
    "line",
    [
        '{"a": "it\'s\\n5\\"", "b": true, "c": null, "d": [1, 2.5]}',
        "{'a': 'it\\'s\\n5\"', 'b': True, 'c': None, 'd': [1, 2.5]}",
        "{u'a': u'it\\'s\\n5\"', u'b': True, u'c': None, u'd': [1, 2.5]}",
        "{u\"a\": \"it's\\n5\\\"\", 'b': True, 'c': None, 'd': [1, 2.5],}",
    ],
)
def test_the_spellings_of_old_dumps_are_read_alike(line: str) -> None:
    assert parse_object(line.encode()) == {"a": "it's\n5\"", "b": True, "c": None, "d": [1, 2.5]}


def test_an_odd_escape_warns_nobody() -> None:
    assert parse_object(b"{'a': 'c:\\data'}") == {"a": "c:\\data"}


@pytest.mark.parametrize(
    "code", ["open({!r}, 'w')", "__import__('pathlib').Path({!r}).touch()", "f'{{open({!r})}}'"]
)
def test_nothing_in_a_line_is_ever_called(tmp_path: Path, code: str) -> None:
    path = tmp_path / "touched"
    line = f"{{'a': {code.format(str(path))}}}"
    assert reason(line.encode()) == "not JSON"
    assert not path.exists()


BOMBS = {
    "lists": "{'a': " + "[" * 100_000,
    "closed lists": "{'a': " + "[" * 100_000 + "]" * 100_000 + "}",
    "objects": '{"a": ' * 100_000,
    "dictionaries": "{'a': " * 100_000,
    "signs": "{'a': " + "-" * 100_000 + "1}",
    "sums": "{'a': " + "1+" * 20_000 + "1}",
    "powers": "{'a': " + "9**" * 20_000 + "9}",
    "calls": "{'a': x" + "()" * 20_000 + "}",
    "choices": "{'a': " + "1 if 1 else " * 20_000 + "1}",
    "long number": "{'a': " + "9" * 5_000 + "}",
    "wide": "{'a': [" + "0," * 1_000_000 + "]}",
    "unhashable": "{'a': {[]: 1}}",
    "NUL": "{'a': '\0'}",
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_rejected_like_any_other_line(bomb: str) -> None:
    assert reason(BOMBS[bomb].encode()) == "not JSON"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"hello", "not JSON"),
        (b"{a: 1}", "not JSON"),
        (b'{"a": 1', "not JSON"),
        (b'{"a": 1} {"a": 2}', "not JSON"),
        (b"[1]", "not an object"),
        (b'"a"', "not an object"),
        (b"null", "not an object"),
        (b"{'a', 'b'}", "not an object"),
        (b'{"a": "\xff"}', "invalid UTF-8"),
        (b"\xed\xa0\x80", "invalid UTF-8"),
    ],
)
def test_what_is_no_object_says_why(line: bytes, expected: str) -> None:
    assert reason(line) == expected


def test_invalid_bytes_are_named_with_their_place() -> None:
    with pytest.raises(RecordError) as caught:
        parse_object(b'{"a": "\xff"}')
    assert caught.value.detail == "byte 0xff at 7: invalid start byte"


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({}, "missing {}"),
        ({"x": None}, "missing {}"),
        ({"x": True}, "wrong type"),
        ({"x": 1.5}, "wrong type"),
        ({"x": ["a"]}, "wrong type"),
        ({"x": {}}, "wrong type"),
        ({"x": b"a"}, "wrong type"),
    ],
)
def test_a_field_that_cannot_be_used_is_refused(record: dict[str, Any], expected: str) -> None:
    for read, role in ((author_field, "author"), (text_field, "text")):
        with pytest.raises(RecordError) as caught:
            read(record, "x")
        assert caught.value.reason == expected.format(role)
        assert "'x'" in caught.value.detail


def test_authors_and_topics_may_be_numbers_and_texts_may_not() -> None:
    assert author_field({"x": 12}, "x") == topic_field({"x": 12}, "x") == "12"
    with pytest.raises(RecordError, match="wrong type"):
        text_field({"x": 12}, "x")


@pytest.mark.parametrize("value", ["", "  \n"])
def test_an_empty_author_is_none_but_an_empty_topic_does_no_harm(value: str) -> None:
    with pytest.raises(RecordError, match="missing author"):
        author_field({"x": value}, "x")
    assert topic_field({"x": value}, "x") is None
    assert text_field({"x": value}, "x") == value


def test_a_topic_need_not_be_there() -> None:
    assert topic_field({}, "x") is topic_field({"x": None}, "x") is None
    with pytest.raises(RecordError, match="wrong type"):
        topic_field({"x": [1]}, "x")


def test_a_number_too_long_to_be_written_names_nobody() -> None:
    record = parse_object(b"{'x': 0x" + b"f" * 5000 + b"}")
    for read in (author_field, topic_field, text_field):
        with pytest.raises(RecordError, match="wrong type"):
            read(record, "x")


def slow_sound(text: str) -> str:
    def join(match: re.Match[str]) -> str:
        high, low = map(ord, match[0])
        return chr(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00)

    paired = re.sub("[\ud800-\udbff][\udc00-\udfff]", join, text)
    return re.sub("[\ud800-\udfff]", "\ufffd", paired)


@given(ANY_TEXT)
@example("\ud83d\ude00 \ude00\ud83d \ud83d")
@PROPERTY
def test_every_text_becomes_storable_and_sound_ones_stay(text: str) -> None:
    assert storable(text) == slow_sound(text)
    storable(text).encode("utf-8")


@given(ANY_TEXT)
@PROPERTY
def test_surrogates_do_not_get_past_the_fields(text: str) -> None:
    for line in (json.dumps({"x": text}), repr({"x": text})):
        record = parse_object(line.encode())
        assert text_field(record, "x") == slow_sound(text)
        assert topic_field(record, "x") == (slow_sound(text).strip() or None)


def test_kinds_of_values_have_plain_names() -> None:
    values: list[Any] = [True, 1, 0.5, "a", None, [], (), {}, b""]
    assert ", ".join(map(type_name, values)) == (
        "true or false, a number, a number, a text, null, a list, a list, an object, bytes"
    )
