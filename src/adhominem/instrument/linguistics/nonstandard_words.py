"""Words that are not standard English, each explained by one category.

A word is looked up in the hand-made lists first, then tried as a foreign word and as a new
formation. If no dictionary has it, it may be drawn out, two words written as one or, as a last
resort, a misspelling. Unexplained words, which are mostly names, are not hits; nor are capitalised
words inside a sentence, which are taken to be names.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from adhominem.instrument.linguistics import lexicon, respellings, spelling
from adhominem.instrument.linguistics.compounds import two_words
from adhominem.instrument.linguistics.foreign import is_foreign
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens, is_capitalised
from adhominem.instrument.linguistics.word_formation import is_new_formation, is_regular_form

MISSPELT = ("substituted characters", "missing characters", "surplus characters")
_LISTS_WITH_INTENDED = {
    "faulty compound spelling": "fused",
    "alternative spelling": "respellings",
    "unusual abbreviation": "clippings",
}
_LISTS = {"interjection": "interjections", "slang": "slang"}
_NOT_HYPHENATED = (*MISSPELT, "neologism", "faulty compound spelling")
# A capitalised word is a mistake, not a name, if it is this near to a word and this long.
_MAX_DISTANCE, _MIN_LETTERS = 1.2, 8


class Explained(NamedTuple):
    category: str
    intended: str | None = None


def find_nonstandard_words(tokens: TextTokens) -> Iterator[Hit]:
    for i, word in enumerate(tokens.words):
        if word.islower():
            explained = explain(word)
        elif tokens.opens[i] and word[1:].islower():
            explained = _explain_capitalised(word, is_first=tokens.first[i])
        else:
            continue
        if explained and not _is_part(tokens, i, explained.category):
            yield tokens.hit(explained.category, i, intended=explained.intended)
    respelt = lexicon.pairs_of("respellings")
    for i, j in tokens.neighbours():  # the tokenizer divides gon-na and got-ta
        word = f"{tokens.words[i]}{tokens.words[j]}".lower()
        if word in respelt and tokens.adjoins(i):
            yield tokens.hit("alternative spelling", i, j, intended=respelt[word])
    yield from respellings.find_missing_apostrophes(tokens)


def _is_part(tokens: TextTokens, i: int, category: str) -> bool:
    """Whether a word is part of a hyphenated word, or a foreign word of a name: Campo dei Fiori."""
    if category == "foreign word":
        return any(is_capitalised(word) for word in tokens.words[max(i - 1, 0) : i + 2])
    return category in _NOT_HYPHENATED and tokens.is_hyphenated(i)


def _explain_capitalised(word: str, *, is_first: bool) -> Explained | None:
    """Explain a capitalised word, which is as likely a name if no dictionary has it."""
    lower = word.lower()
    explained = explain(lower)
    if explained is None or explained.category in ("foreign word", "neologism"):
        return None
    if explained.category in MISSPELT:
        is_mistake = is_first and _is_clear_mistake(lower, str(explained.intended))
        return explained if is_mistake else None
    if explained.category == "faulty compound spelling" and lower not in lexicon.pairs_of("fused"):
        return None
    return explained


def _is_clear_mistake(word: str, intended: str) -> bool:
    is_common = lexicon.level(intended) <= lexicon.COMMON
    return (
        len(word) >= _MIN_LETTERS
        and is_common
        and spelling.distance(word, intended) <= _MAX_DISTANCE
    )


@lru_cache(maxsize=200_000)
def explain(word: str) -> Explained | None:
    """The category and the intended word of a word in lower case; None if it is standard."""
    for category, name in _LISTS_WITH_INTENDED.items():
        if word in lexicon.pairs_of(name):
            return Explained(category, lexicon.pairs_of(name)[word])
    for category, name in _LISTS.items():
        if word in lexicon.words_of(name):
            return Explained(category)
    if not word.isalpha():
        intended = respellings.with_g(word)
        return Explained("alternative spelling", intended) if intended else None
    if is_foreign(word):
        return Explained("foreign word", lexicon.accented().get(word))
    if is_new_formation(word):
        return Explained("neologism")
    listed = lexicon.pairs_of("misspellings").get(word)
    if (lexicon.is_known(word) or is_regular_form(word)) and not listed:
        return None
    if intended := respellings.without_drawn_letters(word) or respellings.with_g(word):
        return Explained("alternative spelling", intended)
    if not (listed or spelling.near_word(word)) and (intended := two_words(word)):
        return Explained("faulty compound spelling", intended)
    if intended := listed or spelling.intended_word(word):
        return Explained(f"{spelling.kind_of_mistake(word, intended)} characters", intended)
    return None
