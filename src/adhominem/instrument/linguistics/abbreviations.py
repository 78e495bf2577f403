"""Abbreviations that are usually written with a full stop, without it: "Mr Rochester".

British usage drops it after "Mr" and "Dr"; that is a habit as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.lexicon import words_of
from adhominem.instrument.linguistics.words_read import WordsRead


def find_abbreviations_without_stop(read: WordsRead) -> Iterator[Hit]:
    known = words_of("full_stops")
    for i, word in enumerate(read.words):
        meant = f"{word}."
        if meant in known and read.text[read.ends[i] : read.ends[i] + 1] != ".":
            yield read.hit("abbreviation without full stop", i, intended=meant)
