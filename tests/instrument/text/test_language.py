"""English is told from other languages by its function words; spaCy's examples are the witness."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.lang.en.stop_words import STOP_WORDS

from adhominem.instrument.text.language import MIN_SHARE, english_share
from adhominem.instrument.text.tokenise import tokenise

OTHERS = "de fr es it nl pt sv da nb fi pl ro tr cs ru el zh ja ar".split()  # noqa: SIM905
WORDS = st.sampled_from(["the", "The", "of", "hotel", "it", "'s", "n't", "5", "!", ".", "München"])


def examples(code: str) -> str:
    """The file alone: to import a whole language takes seconds."""
    path = Path(spacy.__file__).parent / "lang" / code / "examples.py"
    return " ".join(runpy.run_path(str(path))["sentences"])


def share(text: str) -> float:
    return float(english_share(tokenise([text]))[0])


@pytest.mark.parametrize("code", OTHERS)
def test_other_languages_stay_below_the_threshold(code: str) -> None:
    assert share(examples(code)) < MIN_SHARE


def test_english_lies_well_above_it(samples: tuple[str, str]) -> None:
    for text in (examples("en"), *samples):
        assert share(text) > 1.5 * MIN_SHARE


@given(st.lists(st.lists(WORDS, max_size=12).map(" ".join), max_size=5))
@settings(max_examples=60)
def test_the_share_is_that_of_a_slow_count(texts: list[str]) -> None:
    expected = []
    for text in texts:
        words = [word for word in tokenise([text]).words() if word[0].isalpha() or word[0] == "'"]
        known = [word for word in words if word.lower() in STOP_WORDS]
        expected.append(len(known) / len(words) if words else 0.0)
    np.testing.assert_array_equal(english_share(tokenise(texts)), expected)


@pytest.mark.parametrize("text", ["", "5 $ 12!", "😀😀", "\n\n"])
def test_a_text_without_words_is_not_english(text: str) -> None:
    assert share(text) == 0


def test_no_texts_have_no_shares() -> None:
    assert english_share(tokenise([])).shape == (0,)
