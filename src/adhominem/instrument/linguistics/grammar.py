"""Detects non-standard grammar ("would of", "has took", "we seen"), statements without a subject,
British and American spellings, and similar expressions ("every day", "everyday").

`data/confused.txt` lists expressions with a word that is confused with another of the same sound,
and `data/participles.txt` past forms that cannot follow "have". A statement may begin with its verb
or with an adverb and its verb ("Will definitely read more"). Commands look alike, so verbs count
only in forms that commands do not have, or that reviewers use about themselves ("Love it").

Forms in -ize count as American although Oxford uses them too; words that are British in another
sense ("check", "tire") and names ("Rockefeller Center") do not count. Both of two similar
expressions are hits, whatever the context.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from adhominem.instrument.linguistics import lexicon
from adhominem.instrument.linguistics.lexicon import word_set
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
    expressions, participles = lexicon.confused(), lexicon.pairs_of("participles")
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
    """Whether a listed expression is correct by the next word: "would of course", "then, but"."""
    following = words[last + 1] if last + 1 < len(words) else "."
    if words[last] == "of":
        return following in ("course", "the") or words[max(last - 2, 0)] in _DETERMINERS
    return words[last] == "then" and not following[0].isalnum()


def find_verbs_first(tokens: TextTokens) -> Iterator[Hit]:
    lists = lexicon.word_groups_of("verb_first")
    begins = [i for i, is_first in enumerate(tokens.first) if is_first]
    for begin, end in pairwise([*begins, len(tokens.words)]):
        words = [word.lower() for word in tokens.words[begin:end]]
        # A mark inside brackets (really!) does not end the sentence.
        goes_on = tokens.words[begin].islower() and tokens.words[begin - 1 : begin] == (")",)
        if len(words) < 3 or "?" in words[-2:] or goes_on:
            continue
        verb = int(words[0] in lists["adverb"])
        is_name = tokens.words[begin + verb + 1][0].isupper()  # Will Smith
        following = (word for word in words[verb + 1 :] if word not in lists["negation"])
        if not is_name and _is_verb(words[verb], next(following, "?"), lists):
            last = begin + verb
            last += tokens.adjoins(last) and words[verb + 1] in lists["negation"]
            yield tokens.hit("verb in first position", begin, last)


def _is_verb(word: str, following: str, lists: Mapping[str, frozenset[str]]) -> bool:
    """Whether a word is the verb of a statement without subject, given the following word."""
    is_subject = following in lists["subject"]
    if word == "have":
        return following in ("been", "to", "had", "never") or following.endswith("ed")
    if word == "had":
        return not is_subject or following in ("the", "this", "my", "our")
    if word in lists["auxiliary"]:
        return not is_subject and following.isalpha()
    if word in lists["participle"]:
        return following in lists["object"]
    return word in lists["statement"]


def find_varieties(tokens: TextTokens) -> Iterator[Hit]:
    british, american = lexicon.varieties()
    for i, word in enumerate(tokens.words):
        lower = word.lower()
        if word[1:].islower() and word != lower and not tokens.opens[i]:
            continue  # a name
        if lower in british:
            yield tokens.hit("British spelling", i, intended=british[lower])
        elif lower in american:
            yield tokens.hit("American spelling", i, intended=american[lower])


def find_similar_expressions(tokens: TextTokens) -> Iterator[Hit]:
    other_of = lexicon.similar()
    for i, word in enumerate(tokens.words):
        is_noun = word == "while" and tokens.words[i - 1 : i] == ("a",)
        if not is_noun and (other := other_of.get((word.lower(),))):
            yield tokens.hit("similar expression", i, intended=other)
    for i, j in tokens.neighbours():
        words = (tokens.words[i].lower(), tokens.words[j].lower())
        if other := other_of.get(("".join(words),) if tokens.adjoins(i) else words):
            yield tokens.hit("similar expression", i, j, intended=other)
