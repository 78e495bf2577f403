"""A statement that begins with its verb, the subject left out: "Will definitely read more".

Known by the first words of a sentence. Commands look alike, so verbs count only in forms that no
command has, or that reviews use of the writer ("Love it", "Hope to return"); questions and
inversions ("Had we known") are told by the subject behind the verb. Participles at the beginning
("Located near ...") are passed over, and with them some true hits. An adverb may go first.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from adhominem.instrument.linguistics.hit import Hit
from adhominem.instrument.linguistics.lexicon import word_set
from adhominem.instrument.linguistics.words_read import WordsRead

_ADVERBS = word_set(
    "absolutely actually also always certainly definitely even highly just never only probably "
    "really still strongly thoroughly totally truly"
)
_MODALS = word_set("will would can could should must might ca wo")
_AUXILIARIES = word_set("was were is are am has had did does have")
_PAST = word_set(
    "arrived ate bought came chose decided enjoyed expected felt found gave got heard hoped knew "
    "liked loved met needed ordered paid preferred read received requested returned said saw spent "
    "stayed thought took tried visited walked wanted watched went wished wondered"
)
_STATES = word_set("love loved recommend hope hoping guess wish enjoyed")
_THIRD = word_set(
    "seems seemed looks looked makes made needs feels sounds gives includes lacks comes keeps gets "
    "tastes smells"
)
_PARTICIPLES = word_set(
    "asked booked called found made paid read heard expected decided met requested"
)
_NEGATIONS = word_set("n't nt not")
_SUBJECTS = word_set(
    "i you he she it we they this that these those there the my your our his her their one anyone "
    "everyone somebody someone nobody people who what which"
)
_OBJECTS = word_set("a an the this that it them us our my to for all some no")


def find_verbs_first(read: WordsRead) -> Iterator[Hit]:
    begins = [i for i, is_first in enumerate(read.first) if is_first]
    for begin, end in pairwise([*begins, len(read.words)]):
        words = [word.lower() for word in read.words[begin:end]]
        if len(words) < 3 or "?" in words[-2:] or _goes_on(read, begin):
            continue
        place = int(words[0] in _ADVERBS)
        is_name = read.words[begin + place + 1][0].isupper()  # Will Smith
        if not is_name and _is_verb(words[place], words[place + 1 :]):
            last = begin + place
            last += read.adjoins(last) and words[place + 1] in _NEGATIONS
            yield read.hit("verb in first position", begin, last)


def _goes_on(read: WordsRead, i: int) -> bool:
    """A bracket with a mark of its own (really!) ends no sentence."""
    return read.words[i].islower() and read.words[i - 1 : i] == (")",)


def _is_verb(word: str, rest: list[str]) -> bool:
    following = next((other for other in rest if other not in _NEGATIONS), "?")
    if word in _MODALS:
        return following not in _SUBJECTS and following.isalpha()
    if word == "have":
        return following in ("been", "to", "had", "never") or following.endswith("ed")
    if word == "had":
        return following not in _SUBJECTS or following in ("the", "this", "my", "our")
    if word in _AUXILIARIES:
        return following not in _SUBJECTS and following.isalpha()
    if word in _PARTICIPLES:
        return following in _OBJECTS
    return word in _PAST or word in _STATES or word in _THIRD
