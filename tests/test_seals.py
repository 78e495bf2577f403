"""Hashes of JSON objects over their own content."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.files import SEAL, read_sealed, sealed_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)  # fmt: skip


@given(content=st.dictionaries(st.text(max_size=5).filter(SEAL.__ne__), VALUES, max_size=5))
def test_what_was_sealed_is_read(content: dict[str, Any]) -> None:
    assert read_sealed(sealed_json(content)) == content


def test_keys_and_order_do_not_matter() -> None:
    one, other = ({"b": {2: (1, 2)}, "a": 0}, {"a": 0, "b": {"2": [1, 2]}})
    seals = [json.loads(sealed_json(content))[SEAL] for content in (one, other)]
    assert seals[0] == seals[1]


def test_every_flipped_bit_is_refused_or_without_effect() -> None:
    content = {"name": "one", "slope": 1.25, "rows": [1, 2, {"deep": None}], "on": True}
    data = sealed_json(content)
    draws = random.Random(1)
    for _ in range(500):
        place, bit = draws.randrange(len(data)), draws.randrange(8)
        flipped = data[:place] + bytes([data[place] ^ (1 << bit)]) + data[place + 1 :]
        try:
            read = read_sealed(flipped)
        except ValueError:
            continue
        assert {name: read[name] for name in content} == content


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("[]", "expected a JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": NaN}', "not a finite number"),
        ('{"a": -Infinity}', "not a finite number"),
        (b'{"a": "\xff"}', "decode"),
        ('{"a": 1, "content_sha256": "0"}', "was changed"),
        ('{"a": 1, "content_shb256": "0"}', "has no content_sha256"),
        ("{}", "has no content_sha256"),
    ],
)
def test_what_is_not_sealed_is_a_value_error(data: str | bytes, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read_sealed(data)
