"""Punctuation marks, one at a time and accumulated.

The full stop is left out: everybody writes it. Commas, dashes, brackets, colons, quotation marks,
exclamation and question marks are a matter of habit.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.special_characters import is_sign, is_special
from adhominem.instrument.linguistics.words_read import WordsRead

# One mark again and again, perhaps with spaces between, or exclamation and question marks mixed.
_ACCUMULATED = re.compile(r"([.,;:!?–—-])(?:[ \t]?\1)+(?:[ \t]?[!?])*|[!?](?:[ \t]?[!?])+|…")


def find_marks(read: WordsRead) -> Iterator[Hit]:
    accumulated = {place for hit in find_accumulated_marks(read) for place in hit.places}
    for i, word in enumerate(read.words):
        if not (word[0].isalnum() or word[-1].isalnum() or is_sign(word)):
            for place in range(read.starts[i], read.ends[i]):
                if is_mark(read.text[place]) and place not in accumulated:
                    yield read.stretch("punctuation mark", place, place + 1)


def find_accumulated_marks(read: WordsRead) -> Iterator[Hit]:
    for match in _ACCUMULATED.finditer(read.plain):
        yield read.stretch("accumulated punctuation", *match.span())


@cache
def is_mark(char: str) -> bool:
    return char != "." and unicodedata.category(char)[0] == "P" and not is_special(char)
