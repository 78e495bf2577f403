"""Digits and a noun in one word: "7-year", "5star", "room12".

Ordinals, times and units ("2nd", "10am", "30km") are not nouns, and everybody writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from adhominem.instrument.linguistics.lexicon import STANDARD, level, word_set
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens

_NO_NOUNS = word_set("and are but for from mid not plus post pre that the this was were with")
_JOINED = re.compile(
    r"(?<![\w.,:/$€£#@+-])"
    r"(?:\d{1,4}(?:-?(?P<behind>[^\W\d_]{3,20}))|(?P<before>[^\W\d_]{3,20})-?\d{1,4}(?![\w.,-]))"
    r"(?!\w)"
)


def find_nouns_with_digits(tokens: TextTokens) -> Iterator[Hit]:
    for match in _JOINED.finditer(tokens.plain):
        noun = match["behind"] or match["before"]
        if level(noun.lower()) <= STANDARD and noun.lower() not in _NO_NOUNS and not noun.isupper():
            yield tokens.hit_between("noun with digits", *match.span())
