"""Contractions without their apostrophe: "dont", "im", "thats", a missing character.

The tokenizer divides them as it divides "don't", so two tokens without a space are looked at.
"its", "were", "well" and the like are words of their own and cannot be told without grammar.
"""

from __future__ import annotations

from collections.abc import Iterator

from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.words_read import WordsRead

_ENDINGS = {"nt": "n't", "m": "'m", "ve": "'ve", "re": "'re", "s": "'s", "ll": "'ll"}
_BEFORE_S = frozenset(("that", "what", "he", "she", "there", "here", "where", "who", "how"))


def find_missing_apostrophes(read: WordsRead) -> Iterator[Hit]:
    for i, j in read.neighbours():
        ending = _ENDINGS.get(read.words[j].lower())
        first = read.words[i]
        if ending is None or not first.isalpha() or not read.adjoins(i):
            continue
        if ending == "'s" and first.lower() not in _BEFORE_S:
            continue
        meant = "I" + ending if first == "i" else first + ending
        yield read.hit("missing characters", i, j, intended=meant)
