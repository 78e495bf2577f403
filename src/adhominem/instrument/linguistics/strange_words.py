"""Words that are not standard English, each explained in one way only.

A word is looked up in the hand-made lists first, then tried as a foreign word and as a new
formation. If no dictionary has it, it may have drawn-out letters, be two words written as one or,
at last, a misspelling. Words that none of these explains (names of all kinds) give nothing, and
so do words with a capital letter inside a sentence, which are taken for names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from adhominem.instrument.linguistics import lexicon
from adhominem.instrument.linguistics.compounds import two_words
from adhominem.instrument.linguistics.drawn_out import without_drawn_letters
from adhominem.instrument.linguistics.edits import distance, kind_of_mistake
from adhominem.instrument.linguistics.foreign import is_foreign, with_accents
from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.neologisms import is_new_formation
from adhominem.instrument.linguistics.regular_forms import is_regular_form
from adhominem.instrument.linguistics.spelling import intended_word, near_word
from adhominem.instrument.linguistics.words_read import WordsRead, is_capitalised

MISSPELT = ("substituted characters", "missing characters", "surplus characters")
_WITH_MEANING = {
    "faulty compound spelling": "fused",
    "alternative spelling": "respellings",
    "unusual abbreviation": "clippings",
}
_NEAR, _LONG = 1.2, 8  # price and letters of a mistake that is no name, though with a capital
_OPEN = (*MISSPELT, "neologism", "faulty compound spelling")  # no parts of hyphenated words
_WITHOUT = {"interjection": "interjections", "slang": "slang"}


@dataclass(frozen=True, slots=True)
class Explained:
    category: str
    intended: str | None = None


def find_strange_words(read: WordsRead) -> Iterator[Hit]:
    for i, word in enumerate(read.words):
        if word.islower():
            explained = explain(word)
        elif read.opens[i] and word[1:].islower():
            explained = _explain_capitalised(word, begins=read.first[i])
        else:
            continue
        if explained and not _is_part(read, i, explained.category):
            yield read.hit(explained.category, i, intended=explained.intended)
    respelt = lexicon.pairs_of("respellings")
    for i, j in read.neighbours():  # the tokenizer divides gon-na and got-ta
        word = f"{read.words[i]}{read.words[j]}".lower()
        if word in respelt and read.adjoins(i):
            yield read.hit("alternative spelling", i, j, intended=respelt[word])


def _with_g(word: str) -> str | None:
    """Livin' is living; the tokenizer leaves the apostrophe on some of them."""
    meant = word.removesuffix("'") + "g"
    is_dropped = meant.endswith("ing") and lexicon.level(meant) <= lexicon.COMMON
    return meant if is_dropped else None


def _is_part(read: WordsRead, i: int, category: str) -> bool:
    """Of a hyphenated word, or a foreign word of a name: Campo dei Fiori."""
    if category == "foreign word":
        return any(is_capitalised(word) for word in read.words[max(i - 1, 0) : i + 2])
    return category in _OPEN and read.hyphenated(i)


def _explain_capitalised(word: str, *, begins: bool) -> Explained | None:
    """The first word of a sentence, which is as likely a name when it is in no dictionary."""
    lower = word.lower()
    explained = explain(lower)
    if explained is None or explained.category in ("foreign word", "neologism"):
        return None
    if explained.category in MISSPELT:
        is_mistake = begins and len(word) >= _LONG and _is_mistake(lower, str(explained.intended))
        return explained if is_mistake else None
    if explained.category == "faulty compound spelling" and lower not in lexicon.pairs_of("fused"):
        return None
    return explained


def _is_mistake(word: str, meant: str) -> bool:
    return lexicon.level(meant) <= lexicon.COMMON and distance(word, meant) <= _NEAR


@lru_cache(maxsize=200_000)
def explain(word: str) -> Explained | None:
    """For a word in lower case."""
    for category, name in _WITH_MEANING.items():
        if word in lexicon.pairs_of(name):
            return Explained(category, lexicon.pairs_of(name)[word])
    for category, name in _WITHOUT.items():
        if word in lexicon.words_of(name):
            return Explained(category)
    if not word.isalpha():
        meant = _with_g(word)
        return Explained("alternative spelling", meant) if meant else None
    if is_foreign(word):
        return Explained("foreign word", with_accents(word))
    if is_new_formation(word):
        return Explained("neologism")
    listed = lexicon.pairs_of("misspellings").get(word)
    if (lexicon.is_known(word) or is_regular_form(word)) and not listed:
        return None
    if meant := without_drawn_letters(word) or _with_g(word):
        return Explained("alternative spelling", meant)
    if not (listed or near_word(word)) and (meant := two_words(word)):
        return Explained("faulty compound spelling", meant)
    if meant := listed or intended_word(word):
        return Explained(f"{kind_of_mistake(word, meant)} characters", meant)
    return None
