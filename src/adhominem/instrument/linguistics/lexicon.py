"""The word lists of the detectors in `data/`, each read once.

The level of a word tells how common it is, from 10 (the thousand most common words) to 70 (words of
large dictionaries), as in SCOWL. `data/SOURCES.md` names the source of each list.
"""

import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import permutations, product

COMMON, STANDARD, RARE, UNLISTED = 35, 60, 70, 100


def word_set(words: str) -> frozenset[str]:
    """The words of a string."""
    return frozenset(words.split())


def _read(name: str) -> str:
    return (files(__package__) / "data" / f"{name}.txt").read_text(encoding="utf-8")


@cache
def words_of(name: str) -> frozenset[str]:
    """A list of single words."""
    return word_set(_read(name))


@cache
def pairs_of(name: str) -> Mapping[str, str]:
    """A list with a word and its standard spelling on each line."""
    return dict(line.split(" ", 1) for line in _read(name).splitlines())


@cache
def word_groups_of(name: str) -> Mapping[str, frozenset[str]]:
    """A list with the name of a group, a colon and words on each line."""
    groups: dict[str, frozenset[str]] = {}
    for line in _read(name).splitlines():
        group, _, words = line.partition(":")
        groups[group] = groups.get(group, frozenset()) | word_set(words)
    return groups


@cache
def levels() -> Mapping[str, int]:
    """The level of every word in lower case, the most common words first."""
    levels: dict[str, int] = {}
    for line in _read("words").splitlines():
        number, *words = line.split()
        for word in words:
            levels.setdefault(word, int(number))
    for word in words_of("modern"):
        levels[word] = min(levels.get(word, UNLISTED), COMMON + 5)
    return levels


@cache
def ranks() -> Mapping[str, int]:
    """The position of each word from the most common to the rarest, counted from 1."""
    return {word: rank for rank, word in enumerate(levels(), 1)}


def level(word: str) -> int:
    return levels().get(word, UNLISTED)


def is_known(word: str) -> bool:
    """Whether any list has the word, in lower case, as a word, a name or an abbreviation."""
    return word in levels() or word in only_names() or word in accented() or word in _others()


@cache
def _others() -> frozenset[str]:
    lists = ("rare_words", "rare_names", "short", "acronyms", "name_nouns", "brands")
    return frozenset(word.lower() for name in lists for word in words_of(name))


@cache
def only_names() -> Mapping[str, str]:
    """Names by their spelling in lower case, if that is not a word."""
    names = sorted(name for name in words_of("names") if len(name) > 1)
    return {name.lower(): name for name in names if name.lower() not in levels()}


@cache
def compounds() -> Mapping[str, str]:
    """Compounds by their spelling with a space."""
    return {pair: pair.replace(" ", "") for pair in _read("compounds").splitlines()}


@cache
def varieties() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """British to American spellings, and American to British ones."""
    british: dict[str, str] = {}
    american: dict[str, str] = {}
    for line in _read("varieties").splitlines():
        word, other, *both = line.split()
        british[word] = other
        if not both:
            american.setdefault(other, word)
    return british, american


@cache
def similar() -> Mapping[tuple[str, ...], str]:
    """The similar expression of each expression, which is given by its words."""
    pairs = [line.split(" / ") for line in _read("similar").splitlines()]
    return {tuple(one.split()): other for pair in pairs for one, other in permutations(pair)}


@cache
def confused() -> Mapping[tuple[str, ...], tuple[int, int, str]]:
    """Expressions with confused words: the positions of the first and last confused word, which are
    marked by an asterisk in the list, and the intended words."""
    found = {}
    for line in _read("confused").splitlines():
        expression, _, intended = line.partition(" / ")
        parts = expression.split()
        marked = [i for i, part in enumerate(parts) if part.endswith("*")]
        for words in product(*(part.removesuffix("*").split("|") for part in parts)):
            found[words] = (marked[0], marked[-1], intended.format(words[0]))
    return found


@cache
def accented() -> Mapping[str, str]:
    """Words with accents by their spelling without accents: cloisonne, cloisonné."""
    return {without_accents(word): word for word in levels() if not word.isascii()}


def without_accents(word: str) -> str:
    return unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode()
