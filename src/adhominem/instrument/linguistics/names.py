"""Proper nouns, and capitals that no name explains.

A run of words with capital letters inside a sentence is a name if one of them is a known name or
no word at all, or if there are two. A common word with a capital on its own is a capital too many
if the word before leads to no name ("5 Stars", "this Hotel", but not "the Strip"), and so are
those of a heading, which has small words among the others ("Great Hotel If You Get In").
"""

from __future__ import annotations

from collections.abc import Iterator

from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.lexicon import (
    COMMON,
    RARE,
    level,
    names,
    only_names,
    word_set,
)
from adhominem.instrument.linguistics.strange_words import explain
from adhominem.instrument.linguistics.words_read import WordsRead, is_capitalised

_TITLES = word_set("Mr Mrs Ms Miss Dr Prof Sir Lord Lady Saint St Mr. Mrs. Ms. Dr. Prof. St.")
_LINKS = word_set("of de la del della di du des van von le el")
_FUNCTION = word_set(
    "The A An And Or But In On At To For With From By As Is Was Are Were We You It My Our This "
    "That Not No So If He She They There These Those What When Where Why How Who Which While After "
    "Also Just All Its His Her Their Very Would Will Have Had Has Do Did Be Been"
)
_BEFORE_NO_NAME = word_set(
    "this that these those my our your his her their another every each any no some very so really "
    "too good great nice excellent better best right wonderful lovely beautiful clean friendly"
)
_QUOTED = (("'",), ('"',), ("(",))
_HEADING = 3  # words with capitals, small ones among them, are no heading yet


def find_names(read: WordsRead) -> Iterator[Hit]:
    for run in _runs(read):
        if _is_heading(read, run):
            yield read.hit("upper for lower case", run[0], run[-1])
            continue
        places = [i for i in run if read.words[i] not in _FUNCTION]
        inside = [i for i in places if not read.opens[i]]
        if any(_is_name(read, i) for i in places) or len(inside) > 1:
            start = next(i for i in places if not read.opens[i] or _is_name(read, i))
            yield read.hit("proper noun", start, places[-1])
        elif inside and len(places) == 1 and _is_capital_too_many(read, inside[0]):
            word = read.words[inside[0]]
            yield read.hit("upper for lower case", inside[0], intended=word.lower())


def _is_heading(read: WordsRead, run: tuple[int, ...]) -> bool:
    """Not between quotation marks or brackets, where titles stand."""
    is_title = read.words[run[0] - 1 : run[0]] in _QUOTED
    small = any(read.words[i] in _FUNCTION for i in run[1:-1])
    return small and len(run) > _HEADING and not (is_title or any(_is_name(read, i) for i in run))


def _runs(read: WordsRead) -> Iterator[tuple[int, ...]]:
    """Words with capitals on end, or with a small link between them: Place de la Concorde."""
    run: list[int] = []
    for i, word in enumerate(read.words):
        if is_capitalised(word):
            links = read.words[run[-1] + 1 : i] if run else ()
            if run and (read.opens[i] or len(links) > 2 or not _LINKS.issuperset(links)):
                yield tuple(run)
                run = []
            run.append(i)
    if run:
        yield tuple(run)


def _is_name(read: WordsRead, i: int) -> bool:
    word = read.words[i]
    listed = word.lower() in only_names() and len(word) > 2 if read.opens[i] else word in names()
    return listed or word in _TITLES or _is_no_word(word.lower())


def _is_no_word(word: str) -> bool:
    """Not in the dictionary, and no slang, exclamation or mistake either."""
    return len(word) > 2 and level(word) > RARE and explain(word) is None


def _is_capital_too_many(read: WordsRead, i: int) -> bool:
    """A common word behind a number or a word that leads to no name, and without a number of its
    own (Room 110)."""
    before, word, after = read.words[i - 1], read.words[i], read.words[i + 1 : i + 2]
    is_led = before.isdigit() or before in _BEFORE_NO_NAME
    is_numbered = any(following[0].isdigit() for following in after)
    return is_led and not is_numbered and level(word.lower()) < COMMON
