"""Characters that are neither letters, digits nor punctuation, one at a time and accumulated.

Emojis and emoticons are among them. What stands inside a web or mail address is not counted, nor
what comes of a text that was decoded wrongly ("donâ€™t").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache

from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.words_read import WordsRead
from adhominem.instrument.text.normalise import UNIVERSAL

_AMONG_PUNCTUATION = frozenset("&%#@*/\\_†‡§¶•")
_EMOTICON = re.compile(r"[:;=][-'^o]?[()\[\]DPpO/\\|*3]+|[(\[][-'^]?[:;=]|<3+|\^[_.]?\^")
_BROKEN = re.compile(r"[âÃÂ][^\w\s]{1,2}")
# The same character twice and more, with what it is attached to: A++++++.
_ACCUMULATED = re.compile(r"\w{0,20}([&%#@*/\\+=<>|~^$£€])\1+")


def find_special_characters(read: WordsRead) -> Iterator[Hit]:
    hits = find_accumulated_special_characters(read)
    broken = {place for match in _BROKEN.finditer(read.text) for place in range(*match.span())}
    skipped = broken.union(*(hit.places for hit in hits))
    for i, word in enumerate(read.words):
        if word == "<emoji>" or _EMOTICON.fullmatch(word):
            yield read.hit("special character", i)
        elif not (word.isalnum() or is_sign(word)):
            for place, char in enumerate(read.text[read.starts[i] : read.ends[i]], read.starts[i]):
                if is_special(char) and place not in skipped:
                    yield read.stretch("special character", place, place + 1)


def find_accumulated_special_characters(read: WordsRead) -> Iterator[Hit]:
    for match in _ACCUMULATED.finditer(read.plain):
        yield read.stretch("accumulated special characters", *match.span())


@lru_cache(maxsize=100_000)
def is_sign(word: str) -> bool:
    """One thing, though written with several characters: an emoticon, an address."""
    return word in UNIVERSAL.values() or _EMOTICON.fullmatch(word) is not None


@cache
def is_special(char: str) -> bool:
    return char in _AMONG_PUNCTUATION or unicodedata.category(char)[0] == "S"
