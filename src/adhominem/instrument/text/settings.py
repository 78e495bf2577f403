"""Settings of the text that a network reads; the defaults are the paper's."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextSettings:
    """
    max_words             words of a line; a longer sentence continues on the next line
    max_characters        characters of a word that are read
    min_word_count        rarer words and characters are not in the vocabulary, which is counted on
    min_character_count   training authors
    min_word_authors      nor are words that fewer authors use
    """

    max_words: int = 20
    max_characters: int = 15
    min_word_count: int = 20
    min_character_count: int = 100
    min_word_authors: int = 1


PAPER = TextSettings()
