"""Settings of the text that a network reads; the defaults are the paper's."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextSettings:
    max_words: int = 20  # words of a line; a longer sentence continues on the next line
    max_characters: int = 15  # characters of a word that are read
    min_word_count: int = 20  # rarer words, and those of fewer authors, are not in the vocabulary,
    min_character_count: int = 100  # which is counted on training authors
    min_word_authors: int = 1


PAPER = TextSettings()
