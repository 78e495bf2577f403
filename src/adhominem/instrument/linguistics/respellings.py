"""Words spelt as they sound: drawn-out letters ("sooo"), a dropped g ("livin'"), a contraction
without its apostrophe ("dont").

A doubled letter written three times ("misssing") is a slip and not drawn out. The tokenizer divides
"dont" as it divides "don't", so a contraction is two tokens without a space. "its", "were", "well"
and the like are words themselves and cannot be recognised without grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from adhominem.instrument.linguistics.lexicon import COMMON, STANDARD, level
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens

_RUN = re.compile(r"(.)\1{2,}")
_CONTRACTED = {"nt": "n't", "m": "'m", "ve": "'ve", "re": "'re", "s": "'s", "ll": "'ll"}
_BEFORE_S = frozenset(("that", "what", "he", "she", "there", "here", "where", "who", "how"))


def find_missing_apostrophes(tokens: TextTokens) -> Iterator[Hit]:
    for i, j in tokens.neighbours():
        ending = _CONTRACTED.get(tokens.words[j].lower())
        first = tokens.words[i]
        if ending is None or not first.isalpha() or not tokens.adjoins(i):
            continue
        if ending != "'s" or first.lower() in _BEFORE_S:
            intended = "I" + ending if first == "i" else first + ending
            yield tokens.hit("missing characters", i, j, intended=intended)


def with_g(word: str) -> str | None:
    """The word with its final g, if it is known; the tokenizer may have left the apostrophe."""
    intended = word.removesuffix("'") + "g"
    return intended if intended.endswith("ing") and level(intended) <= COMMON else None


def without_drawn_letters(word: str) -> str | None:
    """The word with every run of three or more equal letters reduced to one or two letters; None if
    there is no such run or the result is unknown."""
    runs = _RUN.findall(word)
    if not 0 < len(runs) <= 4:
        return None
    pieces = _RUN.split(word)[::2]
    candidates = []
    for lengths in product((1, 2), repeat=len(runs)):
        letters = [run * length for run, length in zip(runs, lengths, strict=True)]
        shorter = "".join(a + b for a, b in zip(pieces, [*letters, ""], strict=True))
        candidates.append((level(shorter), -len(shorter), shorter, lengths))
    best, _, intended, lengths = min(candidates)  # the longer of equally common words: too, not to
    drawn = zip(_RUN.finditer(word), lengths, strict=True)
    is_drawn = len(intended) > 1 and all(len(run[0]) > length + 1 for run, length in drawn)
    return intended if is_drawn and best <= STANDARD else None
