"""British and American spelling of one word.

A hit says which of the two was written and gives the other as intended. Forms in -ize are counted
as American though Oxford writes them too; "check" or "tire", which are British in other senses,
are not counted at all. Names ("Rockefeller Center") are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator

from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.lexicon import varieties
from adhominem.instrument.linguistics.words_read import WordsRead


def find_varieties(read: WordsRead) -> Iterator[Hit]:
    british, american = varieties()
    for i, word in enumerate(read.words):
        lower = word.lower()
        if lower not in british and lower not in american:
            continue
        if word[1:].islower() and word != lower and not read.opens[i]:
            continue
        if lower in british:
            yield read.hit("British spelling", i, intended=british[lower])
        else:
            yield read.hit("American spelling", i, intended=american[lower])
