"""Ways in which a word that no dictionary lists comes about; all words are in lower case.

Foreign words are listed everyday words of several languages, loan words that English writes with
accents, with or without them ("cloisonne"), and words in letters that English does not have.

Regular forms ("graspings", "yappiness") are neither mistakes nor new. Endings before which mistakes
are frequent ("layed", "truely", "balconys") are left to the spelling detector.

New formations are common words with a productive prefix or suffix. With the freest suffixes a word
is new even if large dictionaries list it ("cartoonish"); with the others it must be unlisted and
not a near miss of a listed word.

Words may be spelt as they sound ("sooo", "livin'"), or be two common words in one ("alot").
"""

import re
import unicodedata
from itertools import product
from operator import mul

from adhominem.instrument.linguistics import lexicon
from adhominem.instrument.linguistics.lexicon import COMMON, RARE, STANDARD, level, word_set
from adhominem.instrument.linguistics.spelling import near_word

_NATURALISED = 50  # level up to which a loan word is English: cafe, café, decor
_SIBILANTS = ("s", "x", "z", "ch", "sh")
_FREEST = ("ish", "esque", "licious", "tastic", "aholic", "zilla", "fest", "athon")
_SUFFIXES = ("iness", "ness", "able", "ier", "iest", "less", "wise")
_PREFIXES = word_set("un re pre non anti semi pseudo mini mega uber ultra hyper")
_MIN_BASE = 4  # letters
_RUN = re.compile(r"(.)\1{2,}")
_SHORT = word_set("a as at be by do go he if in is it me my no of on or so to up us we")
_MIN_PART = 3  # letters of either of two words, unless it is one of the short ones


def is_foreign(word: str) -> bool:
    if word in lexicon.words_of("foreign"):
        return True
    if _loan_level(lexicon.without_accents(word)) <= _NATURALISED:
        return False
    if word.isascii():
        return word in lexicon.accented() and _loan_level(word.removesuffix("s")) > _NATURALISED
    # Letters of several scripts in one word result from a wrong decoding.
    scripts = {unicodedata.name(char, "?").split()[0] for char in word}
    return len(word) > 1 and len(scripts) == 1


def _loan_level(word: str) -> int:
    """The level of a word without accents, or of its spelling with accents if that is lower."""
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
        if word.endswith("y") and not _is_slip(word[:-1]):
            bases.append(word[:-1])
    is_formed = any(_is_base(base, COMMON) for base in bases)
    return is_formed and (word_level == RARE or near_word(word) in (None, *bases))


def _is_slip(base: str) -> bool:
    """Whether a final y is a mistake or part of -ly: particulary, noisey."""
    return base[-1] in "ely" or level(f"{base}ly") < lexicon.UNLISTED


def _is_base(base: str, max_level: int) -> bool:
    return len(base) >= _MIN_BASE and level(base) <= max_level


def with_g(word: str) -> str | None:
    """The word with its final g, if it is known; the tokenizer may have left the apostrophe."""
    intended = word.removesuffix("'") + "g"
    return intended if intended.endswith("ing") and level(intended) <= COMMON else None


def without_drawn_letters(word: str) -> str | None:
    """The word with runs of three or more letters reduced to one or two; None if unknown."""
    pieces = _RUN.split(word)
    letters = pieces[1::2]
    if not 0 < len(letters) <= 4:
        return None
    candidates = []
    for lengths in product((1, 2), repeat=len(letters)):
        pieces[1::2] = map(mul, letters, lengths)
        shorter = "".join(pieces)
        candidates.append((level(shorter), -len(shorter), shorter, lengths))
    best, _, intended, lengths = min(candidates)  # the longer of equally common words: too, not to
    runs = zip(_RUN.finditer(word), lengths, strict=True)
    is_drawn = len(intended) > 1 and all(len(run[0]) > length + 1 for run, length in runs)
    return intended if is_drawn and best <= STANDARD else None


def two_words(word: str) -> str | None:
    """Split a word into two common words, or return None.

    Of several splits the one with the more common rarer word is taken: light switches, not lights
    witches.
    """
    ranks = lexicon.ranks()
    splits = [
        (max(ranks[first], ranks[second]), f"{first} {second}")
        for first, second in ((word[:at], word[at:]) for at in range(1, len(word)))
        if _is_part(first) and _is_part(second) and second != "a"
    ]
    return min(splits)[1] if splits else None


def _is_part(word: str) -> bool:
    return word in _SHORT or (len(word) >= _MIN_PART and level(word) <= COMMON)
