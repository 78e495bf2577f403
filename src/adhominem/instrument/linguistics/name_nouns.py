"""Names of two words written like a common noun: "superman", "facebook".

The paper's "proper nouns vs. determinative compounds": in lower case nothing says that a compound
is a name, so they are listed.
"""

from __future__ import annotations

from collections.abc import Iterator

from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.lexicon import words_of
from adhominem.instrument.linguistics.words_read import WordsRead


def find_names_as_nouns(read: WordsRead) -> Iterator[Hit]:
    listed = words_of("name_nouns")
    for i, word in enumerate(read.words):
        if word in listed:
            yield read.hit("name as common noun", i, intended=word.capitalize())
