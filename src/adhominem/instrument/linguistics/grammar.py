"""Forms that standard grammar does not have: "would of", "has took", "we seen", "your not".

`data/confused.txt` lists words that sound alike in places where only the other one can stand: the
words with an asterisk are the hit, and what is meant stands after the slash.
`data/participles.txt` lists past forms that cannot follow a form of "have", and the participles.
Nothing else is tried: without a parser most mistakes look like something that is right elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from adhominem.instrument.linguistics.lexicon import confused, pairs_of, word_set
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens

CATEGORY = "non-standard grammar"
_LONGEST = 3  # tokens of an expression
_HAVE = word_set("have has having 've")
_BETWEEN = word_set("n't not never already also always just even")  # has never went
_SUBJECTS = word_set("i we they he she")
_BARE = {"seen": "saw", "done": "did"}  # we seen
_BEFORE_BARE = word_set("have has had 've 's 'd having n't not ever never be get")
_DETERMINERS = word_set("the a his her its their our my your this that all")


def find_nonstandard_grammar(tokens: TextTokens) -> Iterator[Hit]:
    words = [word.lower() for word in tokens.words]
    expressions, participles = confused(), pairs_of("participles")
    for i, word in enumerate(words):
        goes_on = not any(tokens.first[i + 1 : i + _LONGEST])
        longest_first = (tuple(words[i : i + n]) for n in range(_LONGEST, 1, -1))
        found = next((expressions[one] for one in longest_first if one in expressions), None)
        if found and goes_on and not _is_standard(words, i + found[1]):
            yield tokens.hit(CATEGORY, i + found[0], i + found[1], intended=found[2])
        elif word in _HAVE and goes_on:
            last = i + 1 + (not _BETWEEN.isdisjoint(words[i + 1 : i + 2]))
            if participle := participles.get("".join(words[last : last + 1])):
                before = tokens.text[tokens.starts[i] : tokens.starts[last]]
                yield tokens.hit(CATEGORY, i, last, intended=before + participle)
        elif word in _SUBJECTS and goes_on:
            meant = _BARE.get("".join(words[i + 1 : i + 2]))
            if meant and _BEFORE_BARE.isdisjoint(words[max(i - 1, 0) : i]):
                yield tokens.hit(CATEGORY, i, i + 1, intended=f"{tokens.words[i]} {meant}")


def _is_standard(words: list[str], last: int) -> bool:
    """Whether the words that end at `last` are right after all: "would of course", "the might of",
    "better then, but"."""
    following = words[last + 1] if last + 1 < len(words) else "."
    if words[last] == "of":
        return following in ("course", "the") or words[max(last - 2, 0)] in _DETERMINERS
    return words[last] == "then" and not following[0].isalnum()
