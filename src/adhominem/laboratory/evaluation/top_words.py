"""The five words of each text that are attended most, counted over all texts (the paper's figure
of the most frequent ones)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from adhominem.instrument.network.attended_texts import AttendedTexts
from adhominem.laboratory.evaluation.lift import Booleans

TOP = 5
_SHOWN = 40
_FEWEST = 5  # texts that must have a word among their five: rarer ones may tell whose text it is


def mark_top(attended: AttendedTexts) -> Booleans:
    """The five tokens with the largest weights of each text; of equals the first."""
    order = np.lexsort((-attended.weights, attended.owner))
    rank = np.arange(len(order)) - attended.documents[attended.owner[order]]
    is_top = np.zeros(len(order), dtype=bool)
    is_top[order[rank < TOP]] = True
    return is_top


def count_top(attended: AttendedTexts, is_top: Booleans) -> tuple[Counter[str], Counter[str]]:
    """How often each word is among the five, and in how many texts."""
    words = [attended.texts.types[token] for token in attended.texts.tokens[is_top]]
    texts = set(zip(words, attended.owner[is_top].tolist(), strict=True))
    return Counter(words), Counter(word for word, _ in texts)


def top_rows(
    times: Counter[str], texts: Counter[str], occurrences: Counter[str], n_top: int
) -> Sequence[dict[str, Any]]:
    """The most frequent words, ready for JSON: `share` of all that are among the five, `chosen` of
    the occurrences of the word itself."""
    common = [(word, n) for word, n in times.items() if texts[word] >= _FEWEST]
    common.sort(key=lambda item: (-item[1], item[0]))
    return [
        {"word": word, "times": n, "share": n / n_top, "chosen": n / occurrences[word]}
        for word, n in common[:_SHOWN]
    ]
