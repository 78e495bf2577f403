"""Detects words that are not standard English, and assigns each to one category.

A word is looked up in hand-made lists first. Then it may be foreign: in lists of everyday foreign
words, a loan word with or without its accents ("cloisonne"), or in letters that English does not
have. Or it is a new formation: a common word with a productive affix that is not listed and not
near a listed word, or one with a very free suffix ("cartoonish"). A word that is in no dictionary
and no regular form ("graspings") may be spelt as it sounds ("sooo", "livin'"), two words written as
one ("alot") or, as a last resort, misspelt, also before endings ("layed", "truely", "balconys").
Unexplained words and capitalised words inside a sentence are taken for names.

A word written as two ("story teller") is found in a list of compounds that are seldom written
apart. The tokenizer splits "dont" as it splits "don't", so a contraction without its apostrophe is
two tokens; "its", "were" and the like are words themselves and are not found.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from operator import mul
from typing import NamedTuple

from adhominem.instrument.linguistics import lexicon, spelling
from adhominem.instrument.linguistics.lexicon import COMMON, RARE, STANDARD, level, word_set
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
# A capitalised word that is this near to a word, and this long, is a mistake and not a name.
_MAX_DISTANCE, _MIN_LETTERS = 1.2, 8
_NATURALISED = 50  # loan words up to this level are English: cafe, café, decor
_SIBILANTS = ("s", "x", "z", "ch", "sh")
_FREEST = ("ish", "esque", "licious", "tastic", "aholic", "zilla", "fest", "athon")
_SUFFIXES = ("iness", "ness", "able", "ier", "iest", "less", "wise")
_PREFIXES = word_set("un re pre non anti semi pseudo mini mega uber ultra hyper")
_MIN_BASE = 4  # letters
_RUN = re.compile(r"(.)\1{2,}")
_SHORT = word_set("a as at be by do go he if in is it me my no of on or so to up us we")
_MIN_PART = 3  # letters of each of two words written as one, unless it is in _SHORT


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
        if not explained:
            continue
        start, end = tokens.starts[i], tokens.ends[i]
        around = tokens.text[max(start - 1, 0) : start], tokens.text[end : end + 1]
        is_hyphenated = explained.category in _NOT_HYPHENATED and "-" in around
        neighbours = tokens.words[max(i - 1, 0) : i + 2]  # of a foreign word: Campo dei Fiori
        is_name = explained.category == "foreign word" and any(map(is_capitalised, neighbours))
        if not is_hyphenated and not is_name:
            yield tokens.hit(explained.category, i, intended=explained.intended)


def find_divided_words(tokens: TextTokens) -> Iterator[Hit]:
    """Find words that are two tokens: words written apart, gon-na, and missing apostrophes."""
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


def _explain_capitalised(word: str, *, is_first: bool) -> Explained | None:
    """`explain` for a capitalised word, which is more likely a name if it is in no dictionary."""
    explained = explain(word)
    if explained is None or explained.category in ("foreign word", "neologism"):
        return None
    if explained.category == "faulty compound spelling" and word not in lexicon.pairs_of("fused"):
        return None
    intended = explained.intended or ""
    is_clear_mistake = (
        is_first
        and len(word) >= _MIN_LETTERS
        and level(intended) <= COMMON
        and spelling.distance(word, intended) <= _MAX_DISTANCE
    )
    return None if explained.category in MISSPELT and not is_clear_mistake else explained


@lru_cache(maxsize=200_000)
def explain(word: str) -> Explained | None:
    """The category and the standard form of a word in lower case; None if it is standard."""
    for category, name in _LISTS_WITH_INTENDED.items():
        if word in lexicon.pairs_of(name):
            return Explained(category, lexicon.pairs_of(name)[word])
    for category, name in _LISTS.items():
        if word in lexicon.words_of(name):
            return Explained(category)
    if not word.isalpha():
        intended = with_g(word)
        return Explained("alternative spelling", intended) if intended else None
    if is_foreign(word):
        return Explained("foreign word", lexicon.accented().get(word))
    if is_new_formation(word):
        return Explained("neologism")
    listed = lexicon.pairs_of("misspellings").get(word)
    if (lexicon.is_known(word) or is_regular_form(word)) and not listed:
        return None
    if intended := without_drawn_letters(word) or with_g(word):
        return Explained("alternative spelling", intended)
    if not (listed or spelling.near_word(word)) and (intended := two_words(word)):
        return Explained("faulty compound spelling", intended)
    if intended := listed or spelling.intended_word(word):
        return Explained(f"{spelling.kind_of_mistake(word, intended)} characters", intended)
    return None


def is_foreign(word: str) -> bool:
    if word in lexicon.words_of("foreign"):
        return True
    if _loan_level(lexicon.without_accents(word)) <= _NATURALISED:
        return False
    if word.isascii():
        return word in lexicon.accented() and _loan_level(word.removesuffix("s")) > _NATURALISED
    # A word with letters of several scripts was decoded wrongly.
    scripts = {unicodedata.name(char, "?").split()[0] for char in word}
    return len(word) > 1 and len(scripts) == 1


def _loan_level(word: str) -> int:
    """The level of a word without accents or of its spelling with accents, whichever is lower."""
    return min(level(word), level(lexicon.accented().get(word, word)))


def is_regular_form(word: str) -> bool:
    if word.endswith("iness"):
        return _is_base(word.removesuffix("iness") + "y", RARE)
    if word.endswith(("er", "ers")):
        return _is_base(word.removesuffix("s").removesuffix("er"), RARE)
    one = word.removesuffix("s")
    changes = one.endswith(_SIBILANTS) or (one.endswith("y") and one[-2:-1] not in "aeiou")
    return one != word and not changes and _is_base(one, RARE)


def is_new_formation(word: str) -> bool:
    word_level = level(word)
    if word_level < RARE or word in lexicon.only_names():
        return False
    bases = [word.removesuffix(suffix) for suffix in _FREEST if word.endswith(suffix)]
    if word_level > RARE and not lexicon.is_known(word):
        bases += [word.removesuffix(suffix) for suffix in _SUFFIXES if word.endswith(suffix)]
        bases = [base for base in bases if not base.endswith("y")]  # quirkyness is misspelt
        bases += [word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix)]
        # A final y may be a mistake or part of -ly: noisey, particulary.
        is_slip = word[-2:-1] in "ely" or level(f"{word[:-1]}ly") < lexicon.UNLISTED
        if word.endswith("y") and not is_slip:
            bases.append(word[:-1])
    is_formed = any(_is_base(base, COMMON) for base in bases)
    return is_formed and (word_level == RARE or spelling.near_word(word) in (None, *bases))


def _is_base(base: str, max_level: int) -> bool:
    return len(base) >= _MIN_BASE and level(base) <= max_level


def with_g(word: str) -> str | None:
    """The word with its final g ("livin'"), if that is a common word."""
    intended = word.removesuffix("'") + "g"
    return intended if intended.endswith("ing") and level(intended) <= COMMON else None


def without_drawn_letters(word: str) -> str | None:
    """The word with runs of three or more equal letters shortened; None if that is no word."""
    pieces = _RUN.split(word)
    letters = pieces[1::2]
    if not 0 < len(letters) <= 4:
        return None
    candidates = []
    for lengths in product((1, 2), repeat=len(letters)):
        pieces[1::2] = map(mul, letters, lengths)
        shorter = "".join(pieces)
        candidates.append((level(shorter), -len(shorter), shorter, lengths))
    best, _, intended, lengths = min(candidates)  # of equally common words the longer: "too"
    runs = zip(_RUN.finditer(word), lengths, strict=True)
    is_drawn = len(intended) > 1 and all(len(run[0]) > length + 1 for run, length in runs)
    return intended if is_drawn and best <= STANDARD else None


def two_words(word: str) -> str | None:
    """Split a word into two common words, if possible. The best split has the most common rarer
    word: light switches, not lights witches."""
    ranks = lexicon.ranks()
    splits = [
        (max(ranks[first], ranks[second]), f"{first} {second}")
        for first, second in ((word[:at], word[at:]) for at in range(1, len(word)))
        if _can_be_part(first) and _can_be_part(second) and second != "a"
    ]
    return min(splits)[1] if splits else None


def _can_be_part(word: str) -> bool:
    return word in _SHORT or (len(word) >= _MIN_PART and level(word) <= COMMON)
