"""Settings that no corpus can be built with are refused at once."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from adhominem.errors import InputError
from adhominem.laboratory.corpus import CorpusSettings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("min_tokens", 0),
        ("max_tokens", 79),
        ("min_documents", 0),
        ("max_documents", 1),
        ("train", -0.1),
        ("train", 0.95),
        ("train", float("nan")),
        ("dev", -0.1),
        ("dev", float("nan")),
        ("folds", 1),
        ("folds", 1000),
        ("seed", -1),
        ("seed", 2**64),
    ],
)
def test_a_wrong_value_is_one_line_that_names_it(name: str, value: Any) -> None:
    with pytest.raises(InputError) as caught:
        CorpusSettings(**{name: value})
    assert name in str(caught.value)
    assert str(value) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_largest_values_are_taken() -> None:
    CorpusSettings(train=0.9, dev=0.1, seed=2**64 - 1, folds=100)
    CorpusSettings(train=0, dev=0)


def test_settings_survive_the_way_through_json() -> None:
    settings = CorpusSettings(author="who", topic="", text="what", seed=7, english_only=False)
    assert CorpusSettings(**json.loads(json.dumps(asdict(settings)))) == settings
