"""Lines of a sentence; a loop over words is the witness."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.instrument.text.encode import line_lengths

LENGTHS = st.lists(st.integers(1, 90), max_size=30)
MAX_WORDS = st.integers(2, 40)
PROPERTY = settings(max_examples=150)


def slow_lines(sentence_lengths: list[int], max_words: int) -> list[tuple[int, bool]]:
    """Fills line after line, word by word, and leaves the last place for the marker."""
    lines = []
    for length in sentence_lengths:
        words = 0
        for _ in range(length):
            if words == max_words - 1:
                lines.append((words, False))
                words = 0
            words += 1
        lines.append((words, True))
    return lines


def lines(sentence_lengths: list[int], max_words: int) -> list[tuple[int, bool]]:
    lengths, is_end = line_lengths(np.array(sentence_lengths, dtype=np.int64), max_words)
    return list(zip(lengths.tolist(), is_end.tolist(), strict=True))


@given(LENGTHS, MAX_WORDS)
@PROPERTY
def test_lines_are_those_of_a_loop(sentence_lengths: list[int], max_words: int) -> None:
    assert lines(sentence_lengths, max_words) == slow_lines(sentence_lengths, max_words)


@given(LENGTHS, MAX_WORDS)
@PROPERTY
def test_lines_with_marker_fit_and_give_the_sentence_back(
    sentence_lengths: list[int], max_words: int
) -> None:
    found = lines(sentence_lengths, max_words)
    assert all(0 < words < max_words for words, _ in found)
    assert sum(is_end for _, is_end in found) == len(sentence_lengths)
    sentence, again = 0, []
    for words, is_end in found:
        sentence += words
        if is_end:
            again.append(sentence)
            sentence = 0
    assert again == sentence_lengths
    assert sentence == 0


@pytest.mark.parametrize(
    ("n_words", "expected"),
    [
        (1, [(1, True)]),
        (19, [(19, True)]),
        (20, [(19, False), (1, True)]),
        (38, [(19, False), (19, True)]),
        (39, [(19, False), (19, False), (1, True)]),
    ],
)
def test_the_marker_counts_among_twenty(n_words: int, expected: list[tuple[int, bool]]) -> None:
    assert lines([n_words], 20) == expected


def test_no_sentence_has_no_line() -> None:
    assert lines([], 20) == []
