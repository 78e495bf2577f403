"""Expressions with a twin that is written or used almost alike, of which a writer prefers one.

Either of the two is a hit, with the other as intended; both are standard somewhere. Whether the
context asks for one of them ("every day", "everyday") is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.lexicon import similar
from adhominem.instrument.linguistics.words_read import WordsRead


def find_similar_expressions(read: WordsRead) -> Iterator[Hit]:
    known = similar()
    for i, word in enumerate(read.words):
        is_noun = word == "while" and read.words[i - 1 : i] == ("a",)
        if not is_noun and (other := known.get((word.lower(),))):
            yield read.hit("similar expression", i, intended=other)
    for i, j in read.neighbours():
        words = (read.words[i].lower(), read.words[j].lower())
        if other := known.get(("".join(words),) if read.adjoins(i) else words):
            yield read.hit("similar expression", i, j, intended=other)
