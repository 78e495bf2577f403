"""A statement that begins with its verb and has no subject: "Will definitely read more".

The first words of a sentence decide; an adverb may come first. Commands look alike, so verbs count
only in forms that commands do not have, or that reviewers use of themselves ("Love it", "Hope to
return"). Questions and inversions ("Had we known") have the subject after the verb. Participles at
the beginning ("Located near ...") are ignored, at the cost of a few correct hits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from adhominem.instrument.linguistics.lexicon import word_groups_of
from adhominem.instrument.linguistics.text_tokens import Hit, TextTokens


def find_verbs_first(tokens: TextTokens) -> Iterator[Hit]:
    lists = word_groups_of("verb_first")
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
    """Whether a word is the verb of a statement without a subject, given the word after it."""
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
