"""Detects names and uses of capitals: proper nouns, superfluous and missing capitals, acronyms.

A run of capitalised words inside a sentence is a name if it contains a known name, an unknown word
or at least two words. The capital of a single common word is superfluous if the word before it does
not introduce a name ("this Hotel", but not "the Strip"); so are the capitals of a heading with
function words ("Great Hotel If You Get In"). A misspelt name is an unknown capitalised word one
easy edit away from a listed name; rare names ("Daniele") are false hits.

A capital is missing in "i", at the beginning of a sentence (not after an ellipsis) and in names
that are not ordinary words. Acronyms are words of initials in capitals ("TV", "U.S.") and, in any
case, acronyms of chats ("lol"); other words in capitals are emphasis, next to which only listed
acronyms count.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from adhominem.instrument.linguistics import lexicon
from adhominem.instrument.linguistics.lexicon import STANDARD, level, only_names, word_set, words_of
from adhominem.instrument.linguistics.nonstandard_words import explain
from adhominem.instrument.linguistics.spelling import distance, one_edit
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens, is_capitalised

_TITLES = word_set("Mr Mrs Ms Miss Dr Prof Sir Lord Lady Saint St Mr. Mrs. Ms. Dr. Prof. St.")
_LINKS = word_set("of de la del della di du des van von le el")
_FUNCTION = words_of("heading_words")
_QUOTED = (("'",), ('"',), ("(",))
_MAX_NO_HEADING = 3  # a heading has more capitalised words
_MIN_LETTERS, _MIN_FOR_VOWEL, _MAX_LETTERS = 7, 8, 25  # of a misspelt name
_WRONG_VOWEL, _WRONG_ORDER = 0.6, 0.5  # largest distance with a wrong vowel, and without
_ENDS = frozenset(".!?")
_INITIALS = re.compile(r"[A-Z]{2,5}s?|(?:[A-Z]\.){2,5}|[A-Z]&[A-Z]s?|[A-Z]/[A-Z]")
_ROMAN = re.compile(r"M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})")
_ORDINARY_WORDS = frozenset(("OK", "AM", "PM", "NO", "SO"))


def find_names(tokens: TextTokens) -> Iterator[Hit]:
    for run in _runs(tokens):
        names = {i for i in run if _is_name(tokens, i)}
        is_title = tokens.words[run[0] - 1 : run[0]] in _QUOTED
        has_function_word = not _FUNCTION.isdisjoint(tokens.words[i] for i in run[1:-1])
        if len(run) > _MAX_NO_HEADING and has_function_word and not names and not is_title:
            yield tokens.hit("upper for lower case", run[0], run[-1])
            continue
        content = [i for i in run if tokens.words[i] not in _FUNCTION]
        inside = [i for i in content if not tokens.opens[i]]
        if names.intersection(content) or len(inside) > 1:
            start = next(i for i in content if not tokens.opens[i] or i in names)
            yield tokens.hit("proper noun", start, content[-1])
        elif inside and len(content) == 1:
            before, word, *after = tokens.words[inside[0] - 1 : inside[0] + 2]
            is_led = before.isdigit() or before in words_of("before_no_name")
            is_numbered = after and after[0][0].isdigit()  # Room 110
            if is_led and not is_numbered and level(word.lower()) < lexicon.COMMON:
                yield tokens.hit("upper for lower case", inside[0], intended=word.lower())


def _runs(tokens: TextTokens) -> Iterator[tuple[int, ...]]:
    """Yield runs of capitalised words, perhaps with linking words: Place de la Concorde."""
    run: list[int] = []
    for i, word in enumerate(tokens.words):
        if is_capitalised(word):
            links = tokens.words[run[-1] + 1 : i] if run else ()
            if run and (tokens.opens[i] or len(links) > 2 or not _LINKS.issuperset(links)):
                yield tuple(run)
                run = []
            run.append(i)
    if run:
        yield tuple(run)


def _is_name(tokens: TextTokens, i: int) -> bool:
    word, lower = tokens.words[i], tokens.words[i].lower()
    is_listed = word in words_of("names")
    if tokens.opens[i]:
        is_listed = lower in only_names() and len(word) > 2
    # Not in the dictionary, no slang, no interjection and no mistake.
    is_no_word = len(lower) > 2 and level(lower) > lexicon.RARE and explain(lower) is None
    return is_listed or word in _TITLES or is_no_word


def find_odd_names(tokens: TextTokens) -> Iterator[Hit]:
    """Find misspelt names, and names written like common nouns."""
    for i, word in enumerate(tokens.words):
        if is_capitalised(word) and not tokens.opens[i] and (intended := _intended_name(word)):
            yield tokens.hit("misspelt proper noun", i, intended=intended)
        if word in words_of("name_nouns"):
            yield tokens.hit("name as common noun", i, intended=word.capitalize())


@lru_cache(maxsize=100_000)
def _intended_name(word: str) -> str | None:
    """The listed name that is one easy edit away from a capitalised word."""
    lower = word.lower()
    is_tried = _MIN_LETTERS <= len(word) <= _MAX_LETTERS and word.isascii()
    if not is_tried or lexicon.is_known(lower):
        return None
    most = _WRONG_VOWEL if len(word) >= _MIN_FOR_VOWEL else _WRONG_ORDER
    names = [name for name in only_names().keys() & one_edit(lower) if name[-1] == lower[-1]]
    near = [(cost, only_names()[name]) for name in names if (cost := distance(lower, name)) <= most]
    return min(near)[1] if near else None


def find_lower_for_upper(tokens: TextTokens) -> Iterator[Hit]:
    names = only_names()
    for i, word in enumerate(tokens.words):
        if not word.islower() or not word.isalpha():
            continue
        before = tokens.words[max(i - 2, 0) : i]
        is_begun = tokens.first[i] and (not before or before[-1] in _ENDS)
        if len(before) == 2:  # the stop may belong to an abbreviation or a number
            stopped = before[0]
            is_begun &= f"{stopped}." not in words_of("full_stops") and not stopped[-1].isdigit()
        if word == "i" or word in words_of("calendar") or (is_begun and word[0] != word[0].upper()):
            yield tokens.hit("lower for upper case", i, intended=word[0].upper() + word[1:])
        elif len(word) > 3 and word in names and word not in words_of("name_nouns"):
            yield tokens.hit("lower for upper case", i, intended=names[word])


def find_continuous_capitals(tokens: TextTokens) -> Iterator[Hit]:
    """Find runs of words in capitals with at least one word that is not an acronym."""
    upper = [i for i, word in enumerate(tokens.words) if word.isalpha() and word.isupper()]
    for _, group in groupby(enumerate(upper), key=lambda item: item[1] - item[0]):
        run = [i for _, i in group]
        if shouted := [i for i in run if _is_shouted(tokens.words[i])]:
            first = next(i for i in run if len(tokens.words[i]) > 1 or i == shouted[0])
            yield tokens.hit("continuous capitals", first, shouted[-1])


@lru_cache(maxsize=100_000)
def _is_shouted(word: str) -> bool:
    """Whether an ordinary word is in capitals: longer than an acronym, or too common to be one."""
    rarest = STANDARD if len(word) > 3 else 10 if len(word) == 3 else 0
    return word.isupper() and word not in words_of("short") and level(word.lower()) <= rarest


def find_acronyms(tokens: TextTokens) -> Iterator[Hit]:
    shouted = {i for i, word in enumerate(tokens.words) if _is_shouted(word)}
    for i, word in enumerate(tokens.words):
        is_initials = (
            _INITIALS.fullmatch(word)
            and not _ROMAN.fullmatch(word)
            and word not in _ORDINARY_WORDS
            and (level(word.lower()) > STANDARD or word in words_of("short"))
            and not shouted & {i - 1, i, i + 1}
        )
        if is_initials or word.lower() in words_of("acronyms"):
            yield tokens.hit("acronym", i)


def find_abbreviations_without_stop(tokens: TextTokens) -> Iterator[Hit]:
    for i, word in enumerate(tokens.words):
        intended = f"{word}."
        if intended in words_of("full_stops") and not tokens.text.startswith(".", tokens.ends[i]):
            yield tokens.hit("abbreviation without full stop", i, intended=intended)
