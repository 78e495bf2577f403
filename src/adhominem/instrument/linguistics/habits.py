"""The categories of linguistic habits, one row each, in the order of the paper's section IV-E, and
the search for all habits of a text.

A new category takes two files: its detector and a row here. Detectors get the tokens of a text and
yield hits; one detector may serve several categories. A category that `data/reference.json` does
not count yet is treated as unlisted, that is, as rarer than everything counted there.

The form of a hit is the way it is written, without differences that say nothing about the writer:
that both texts write "definately" says more than that both contain mistakes. Categories whose words
depend on the topic (names, acronyms) or can be any word (a verb in first position) have no forms.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from adhominem.instrument.linguistics import capitals, names, punctuation, variants, verb_first
from adhominem.instrument.linguistics.nonstandard_words import (
    find_divided_words,
    find_nonstandard_words,
)
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens, read_tokens
from adhominem.instrument.text.tokenised import Tokenised

_QUOTES = str.maketrans("’‘“”", "''\"\"")  # the keyboard decides which one is written
_DRAWN = re.compile(r"(.)\1{2,}", re.DOTALL)
_CLOSING = frozenset(")]}")  # implied by the opening brackets
_MAX_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Category:
    """A category of linguistic habits.

    group         heading in section IV-E of the paper
    description   what it is, in one line
    example       a text that contains it
    detector      finds its hits; None for repeated mistakes, which follow from the other hits
    form          makes the form of a hit that two texts are compared by; None if only the category
                  is compared
    edit          the kind of edit that corrects a hit (`rewrites.py`); None if there is none
    is_mistake    whether hits are mistakes that can be repeated
    is_frequent   whether hits are too frequent to be numbered in a report
    experimental  whether fewer than seven in ten hits judged by hand were right
                  (`results/detector-precision.json`); such a category is no evidence
    """

    name: str
    group: str
    description: str
    example: str
    detector: Callable[[TextTokens], Iterator[Hit]] | None
    form: Callable[[str], str | None] | None = None
    edit: str | None = None
    is_mistake: bool = False
    is_frequent: bool = False
    experimental: bool = False

    @property
    def summary(self) -> str:
        return f"{self.description}: {self.example}"


def word_form(surface: str) -> str | None:
    """A word or mark in small letters, with drawn-out letters reduced to three."""
    if surface in _CLOSING:
        return None
    form = " ".join(surface.lower().translate(_QUOTES).split())
    return _DRAWN.sub(r"\1\1\1", form)[:_MAX_LENGTH]


def run_form(surface: str) -> str:
    """A run of marks, whatever its length: ... for full stops, !! for exclamation marks, !? for a
    mixture."""
    marks = "".join(char for char in surface.replace("…", "...") if not char.isalnum())
    kinds = "".join(dict.fromkeys(marks.replace(" ", "").replace("\t", "")))
    return {".": "..."}.get(kinds, kinds * 2 if len(kinds) == 1 else "".join(sorted(kinds)))


def pronoun_form(surface: str) -> str | None:
    """The pronoun i in small letters, the only word without its capital that is a form."""
    return "i" if surface == "i" else None


# fmt: off
CATEGORIES = (
    Category("punctuation mark", "Punctuation",
             "a comma, dash, bracket, colon or other mark except the full stop", "(well, really)",
             punctuation.find_marks, word_form, is_frequent=True),
    Category("accumulated punctuation", "Punctuation", "several marks in succession", "so... yes?!",
             punctuation.find_accumulated_marks, run_form, edit="punctuation"),
    Category("special character", "Punctuation", "a sign instead of a word, or an emoji",
             "tweak & bend", punctuation.find_special_characters, word_form, edit="sign"),
    Category("accumulated special characters", "Punctuation", "several signs in succession",
             "A++++++", punctuation.find_accumulated_special_characters, run_form),
    Category("missing white space", "Punctuation", "no space after a mark or before a bracket",
             "book.5", punctuation.find_missing_spaces, edit="punctuation"),
    Category("substituted characters", "Characters", "wrong letters, or letters in the wrong order",
             "deffinatly", find_nonstandard_words, word_form, edit="spelling", is_mistake=True),
    Category("missing characters", "Characters", "missing letters or a missing apostrophe",
             "clasics, dont", find_nonstandard_words, word_form, edit="spelling", is_mistake=True),
    Category("surplus characters", "Characters", "superfluous letters",
             "amazone", find_nonstandard_words, word_form, edit="spelling", is_mistake=True),
    Category("lower for upper case", "Capitalisation", "a small letter instead of a capital",
             "Then i left", capitals.find_lower_for_upper, pronoun_form, edit="case"),
    Category("upper for lower case", "Capitalisation", "a capital letter in a common word",
             "It has 5 Stars", names.find_names, experimental=True),
    Category("continuous capitals", "Capitalisation", "words in capitals throughout",
             "TOTALLY AWESOME", capitals.find_continuous_capitals, edit="case"),
    Category("faulty compound spelling", "Compound and separate spelling",
             "two words written as one", "ripoff",
             find_nonstandard_words, word_form, edit="spelling", is_mistake=True),
    Category("faulty separate spelling", "Compound and separate spelling",
             "one word written as two", "story teller",
             find_divided_words, word_form, edit="spelling", is_mistake=True),
    Category("acronym", "Acronyms and abbreviations", "a word of initials",
             "OMG", capitals.find_acronyms),
    Category("abbreviation without full stop", "Acronyms and abbreviations",
             "an abbreviation without its full stop", "Mr",
             capitals.find_abbreviations_without_stop, word_form, edit="abbreviation"),
    Category("unusual abbreviation", "Acronyms and abbreviations", "an unusual short form",
             "def", find_nonstandard_words, word_form, edit="abbreviation"),
    Category("British spelling", "Varieties and foreign languages",
             "a word in its British spelling", "favourite", variants.find_varieties),
    Category("American spelling", "Varieties and foreign languages",
             "a word in its American spelling", "favorite", variants.find_varieties),
    Category("foreign word", "Varieties and foreign languages", "a word of another language",
             "cloisonne", find_nonstandard_words),
    Category("interjection", "Style", "an interjection or particle that is rarely written",
             "hah", find_nonstandard_words, word_form),
    Category("slang", "Style", "a colloquial word",
             "thingamajig", find_nonstandard_words, word_form),
    Category("alternative spelling", "Style", "a word spelt as it sounds or drawn out",
             "frikkin, sooo", find_nonstandard_words, word_form, edit="spelling"),
    Category("neologism", "Style", "a newly formed word",
             "cartoonish", find_nonstandard_words, word_form),
    Category("verb in first position", "Syntax", "a statement without a subject",
             "Will definitely read more", verb_first.find_verbs_first),
    Category("proper noun", "Proper nouns", "a name",
             "Mrs Kuklinski", names.find_names, is_frequent=True),
    Category("name as common noun", "Proper nouns", "a name written like a common noun",
             "superman", names.find_names_as_nouns),
    Category("misspelt proper noun", "Proper nouns", "a misspelt name",
             "by Steven Speilberg", names.find_misspelt_names, experimental=True),
    Category("similar expression", "Further features", "one of two similar expressions",
             "straightforward", variants.find_similar_expressions, word_form),
    Category("noun with digits", "Further features", "digits and a noun in one word",
             "7-year", punctuation.find_nouns_with_digits),
    Category("repeated mistake", "Further features", "the same mistake several times in a text",
             "alot and alot", None),
)
# fmt: on

CATEGORY = {category.name: category for category in CATEGORIES}
_DETECTORS = tuple(dict.fromkeys(row.detector for row in CATEGORIES if row.detector is not None))


@dataclass(frozen=True, slots=True)
class Habits:
    """The hits of one text, sorted by position, and its number of tokens."""

    hits: tuple[Hit, ...]
    n_tokens: int


def find_habits(text: str, tokenised: Tokenised | None = None, *, document: int = 0) -> Habits:
    """Find the habits of a text.

    tokenised, document  tokens that were read before, and the index of the text among them
    """
    tokens = read_tokens(text, tokenised, document=document)
    hits = {hit for detector in _DETECTORS for hit in detector(tokens)}
    # Misspelt names cannot be repeated: a rare name that is taken for one occurs many times.
    mistakes = [hit for hit in hits if CATEGORY[hit.category].is_mistake]
    times = Counter(hit.surface.lower() for hit in mistakes)
    hits.update(
        replace(hit, category="repeated mistake")
        for hit in mistakes
        if times[hit.surface.lower()] > 1
    )
    in_order = sorted(hits, key=lambda hit: (hit.start, hit.end, hit.category, hit.intended or ""))
    return Habits(tuple(in_order), len(tokens.words))
