"""The words that the detectors know: lists beside this file, read once.

How common a word is says its level in SCOWL, from 10 (the thousand most common) to 70 (in large
dictionaries only). `data/SOURCES.md` says where each list comes from.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files
from types import MappingProxyType

COMMON, STANDARD, RARE, UNLISTED = 35, 60, 70, 100
Pairs = MappingProxyType[str, str]


def word_set(words: str) -> frozenset[str]:
    """A short list that stands beside its only use."""
    return frozenset(words.split())


def _text(name: str) -> str:
    return (files(__package__) / "data" / f"{name}.txt").read_text(encoding="utf-8")


@cache
def words_of(name: str) -> frozenset[str]:
    """A list of single words."""
    return word_set(_text(name))


@cache
def pairs_of(name: str) -> Pairs:
    """A list of lines, each a word and what is meant by it."""
    lines = (line.partition(" ") for line in _text(name).splitlines())
    return MappingProxyType({word: meant for word, _, meant in lines})


@cache
def levels() -> MappingProxyType[str, int]:
    """All words in lower case with their levels; the first mention is the most common."""
    found: dict[str, int] = {}
    for line in _text("words").splitlines():
        level, *words = line.split()
        for word in words:
            found.setdefault(word, int(level))
    for word in words_of("modern"):
        found[word] = min(found.get(word, UNLISTED), COMMON + 5)
    return MappingProxyType(found)


@cache
def ranks() -> MappingProxyType[str, int]:
    """The place of each word from the most common to the rarest, from 1."""
    return MappingProxyType({word: rank for rank, word in enumerate(levels(), 1)})


def level(word: str) -> int:
    """Of a word in lower case."""
    return levels().get(word, UNLISTED)


def is_known(word: str) -> bool:
    """Whether any list has the word, in lower case, as a word, a name or a shortening."""
    return word in levels() or word in only_names() or word in _others() or word in accented()


@cache
def _others() -> frozenset[str]:
    lists = ("rare_words", "rare_names", "short", "acronyms", "name_nouns", "brands")
    return frozenset(word.lower() for name in lists for word in words_of(name))


@cache
def names() -> frozenset[str]:
    """Proper nouns, with a capital letter."""
    return frozenset(word for word in words_of("names") if len(word) > 1)


@cache
def only_names() -> Pairs:
    """Lower case to the name, where the lower case is no word."""
    known = levels()
    return MappingProxyType(
        {name.lower(): name for name in sorted(names()) if name.lower() not in known}
    )


@cache
def compounds() -> Pairs:
    """Two words with a space between them to the one word that they ought to be."""
    return MappingProxyType(
        {pair: pair.replace(" ", "") for pair in _text("compounds").splitlines()}
    )


@cache
def varieties() -> tuple[Pairs, Pairs]:
    """British to American, and American to British."""
    british: dict[str, str] = {}
    american: dict[str, str] = {}
    for line in _text("varieties").splitlines():
        word, other, *both = line.split()
        british[word] = other
        if not both:
            american.setdefault(other, word)
    return MappingProxyType(british), MappingProxyType(american)


@cache
def similar() -> MappingProxyType[tuple[str, ...], str]:
    """The words of an expression to the other one of the pair."""
    found: dict[tuple[str, ...], str] = {}
    for line in _text("similar").splitlines():
        one, other = line.split(" / ")
        found[tuple(one.split())] = other
        found[tuple(other.split())] = one
    return MappingProxyType(found)


@cache
def accented() -> Pairs:
    """Words with accents by their spelling without: cloisonne to cloisonné."""
    found = {without_accents(word): word for word in levels() if not word.isascii()}
    return MappingProxyType(found)


def without_accents(word: str) -> str:
    return unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode()
