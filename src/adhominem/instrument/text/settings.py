"""Settings of the text that a network reads; the defaults are the paper's."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextSettings:
    max_words: int = 20  # tokens of a line; a longer sentence continues on the next line
    max_characters: int = 15  # characters read of each word
    min_word_count: int = 20  # least occurrences of a word of the vocabulary in training texts
    min_character_count: int = 100  # least occurrences of a character
    min_word_authors: int = 1  # least number of training authors who use a word


PAPER = TextSettings()
