"""Words that are not standard English, each explained by one category.

A word is looked up in the hand-made lists first, then tried as a foreign word and as a new
formation. If no dictionary has it, it may be drawn out, two words written as one or, as a last
resort, a misspelling. Unexplained words and capitalised ones in a sentence are taken for names.

A word written as two ("story teller") is found in a list of compounds that are seldom written
apart. The tokenizer divides "dont" as it divides "don't", so a contraction without its apostrophe
is two tokens; "its", "were" and the like are words themselves and are not found.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from adhominem.instrument.linguistics import lexicon, spelling, unlisted_words
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens, is_capitalised

MISSPELT = ("substituted characters", "missing characters", "surplus characters")
_LISTS_WITH_INTENDED = {
    "faulty compound spelling": "fused",
    "alternative spelling": "respellings",
    "unusual abbreviation": "clippings",
}
_LISTS = {"interjection": "interjections", "slang": "slang"}
_NOT_HYPHENATED = (*MISSPELT, "neologism", "faulty compound spelling")
_CONTRACTED = {"nt": "n't", "m": "'m", "ve": "'ve", "re": "'re", "s": "'s", "ll": "'ll"}
_BEFORE_S = frozenset(("that", "what", "he", "she", "there", "here", "where", "who", "how"))
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
            explained = _explain_capitalised(word.lower(), is_first=tokens.first[i])
        else:
            continue
        if explained and not _is_part(tokens, i, explained.category):
            yield tokens.hit(explained.category, i, intended=explained.intended)


def find_divided_words(tokens: TextTokens) -> Iterator[Hit]:
    """Words that are two tokens: faulty separations, gon-na and got-ta, missing apostrophes."""
    respelt = lexicon.pairs_of("respellings")
    for i, j in tokens.neighbours():
        first, second = tokens.words[i], tokens.words[j]
        if not tokens.adjoins(i):
            compound = lexicon.compounds().get(f"{first.lower()} {second}")
            if compound and tokens.text[tokens.ends[i] : tokens.starts[j]].isspace():
                yield tokens.hit("faulty separate spelling", i, j, intended=compound)
            continue
        if intended := respelt.get(f"{first}{second}".lower()):
            yield tokens.hit("alternative spelling", i, j, intended=intended)
        ending = _CONTRACTED.get(second.lower())
        if ending and first.isalpha() and (ending != "'s" or first.lower() in _BEFORE_S):
            intended = "I" + ending if first == "i" else first + ending
            yield tokens.hit("missing characters", i, j, intended=intended)


def _is_part(tokens: TextTokens, i: int, category: str) -> bool:
    """Whether a word is part of a hyphenated word, or a foreign word of a name: Campo dei Fiori."""
    if category == "foreign word":
        return any(is_capitalised(word) for word in tokens.words[max(i - 1, 0) : i + 2])
    return category in _NOT_HYPHENATED and tokens.is_hyphenated(i)


def _explain_capitalised(word: str, *, is_first: bool) -> Explained | None:
    """Explain a word that was capitalised and is as likely a name if no dictionary has it."""
    explained = explain(word)
    if explained is None or explained.category in ("foreign word", "neologism"):
        return None
    if explained.category == "faulty compound spelling" and word not in lexicon.pairs_of("fused"):
        return None
    intended = explained.intended or ""
    is_clear_mistake = (
        is_first
        and len(word) >= _MIN_LETTERS
        and lexicon.level(intended) <= lexicon.COMMON
        and spelling.distance(word, intended) <= _MAX_DISTANCE
    )
    return None if explained.category in MISSPELT and not is_clear_mistake else explained


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
        intended = unlisted_words.with_g(word)
        return Explained("alternative spelling", intended) if intended else None
    if unlisted_words.is_foreign(word):
        return Explained("foreign word", lexicon.accented().get(word))
    if unlisted_words.is_new_formation(word):
        return Explained("neologism")
    listed = lexicon.pairs_of("misspellings").get(word)
    if (lexicon.is_known(word) or unlisted_words.is_regular_form(word)) and not listed:
        return None
    if intended := unlisted_words.without_drawn_letters(word) or unlisted_words.with_g(word):
        return Explained("alternative spelling", intended)
    if not (listed or spelling.near_word(word)) and (intended := unlisted_words.two_words(word)):
        return Explained("faulty compound spelling", intended)
    if intended := listed or spelling.intended_word(word):
        return Explained(f"{spelling.kind_of_mistake(word, intended)} characters", intended)
    return None
