"""Two standard spellings or expressions of which a writer prefers one.

Forms in -ize count as American although Oxford uses them too; words that are British in another
sense ("check", "tire") and names ("Rockefeller Center") do not count. Of similar expressions
("every day", "everyday") either one is a hit, without regard to the context.
"""

from collections.abc import Iterator

from adhominem.instrument.linguistics.lexicon import similar, varieties
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens


def find_varieties(tokens: TextTokens) -> Iterator[Hit]:
    british, american = varieties()
    for i, word in enumerate(tokens.words):
        lower = word.lower()
        if word[1:].islower() and word != lower and not tokens.opens[i]:
            continue  # a name
        if lower in british:
            yield tokens.hit("British spelling", i, intended=british[lower])
        elif lower in american:
            yield tokens.hit("American spelling", i, intended=american[lower])


def find_similar_expressions(tokens: TextTokens) -> Iterator[Hit]:
    other_of = similar()
    for i, word in enumerate(tokens.words):
        is_noun = word == "while" and tokens.words[i - 1 : i] == ("a",)
        if not is_noun and (other := other_of.get((word.lower(),))):
            yield tokens.hit("similar expression", i, intended=other)
    for i, j in tokens.neighbours():
        words = (tokens.words[i].lower(), tokens.words[j].lower())
        if other := other_of.get(("".join(words),) if tokens.adjoins(i) else words):
            yield tokens.hit("similar expression", i, j, intended=other)
