"""A statement that begins with its verb and has no subject: "Will definitely read more".

The first words of a sentence decide; an adverb may come first. Commands look alike, so verbs count
only in forms that commands do not have, or that reviewers use of themselves ("Love it", "Hope to
return"). Questions and inversions ("Had we known") have the subject after the verb. Participles at
the beginning ("Located near ...") are ignored, at the cost of a few correct hits.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from adhominem.instrument.linguistics.lexicon import word_groups_of
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens


def find_verbs_first(tokens: TextTokens) -> Iterator[Hit]:
    adverbs, negations = _words("adverb"), _words("negation")
    begins = [i for i, is_first in enumerate(tokens.first) if is_first]
    for begin, end in pairwise([*begins, len(tokens.words)]):
        words = [word.lower() for word in tokens.words[begin:end]]
        if len(words) < 3 or "?" in words[-2:] or _continues_sentence(tokens, begin):
            continue
        verb = int(words[0] in adverbs)
        is_name = tokens.words[begin + verb + 1][0].isupper()  # Will Smith
        if not is_name and _is_verb(words[verb], words[verb + 1 :]):
            last = begin + verb
            last += tokens.adjoins(last) and words[verb + 1] in negations
            yield tokens.hit("verb in first position", begin, last)


def _words(group: str) -> frozenset[str]:
    return word_groups_of("verb_first")[group]


def _continues_sentence(tokens: TextTokens, i: int) -> bool:
    """Whether a mark inside brackets (really!) precedes, which does not end the sentence."""
    return tokens.words[i].islower() and tokens.words[i - 1 : i] == (")",)


def _is_verb(word: str, rest: list[str]) -> bool:
    """Whether a word is the verb of a statement without a subject, given the words after it."""
    following = next((other for other in rest if other not in _words("negation")), "?")
    is_subject = following in _words("subject")
    if word == "have":
        return following in ("been", "to", "had", "never") or following.endswith("ed")
    if word == "had":
        return not is_subject or following in ("the", "this", "my", "our")
    if word in _words("auxiliary"):
        return not is_subject and following.isalpha()
    if word in _words("participle"):
        return following in _words("object")
    return word in _words("statement")
