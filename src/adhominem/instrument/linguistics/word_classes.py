"""Parts of speech by rules, for figures over many texts: roughly right, without a trained tagger.

Function words, numbers and signs are told by lists. Of the others the dictionary says what a word
can be, by the forms that it has beside it ("walk": "walked", "walking"; "clean": "cleanly"), and
its ending; where it can be several things the word before decides, and the word behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from adhominem.instrument.linguistics.lexicon import STANDARD, level, word_set, words_of

FUNCTION = ("pronoun", "determiner", "preposition", "conjunction", "auxiliary", "particle")
CONTENT = ("noun", "proper noun", "verb", "adjective", "adverb")
CLASSES = (*CONTENT, *FUNCTION, "number", "interjection", "sign")

_CLOSED = {
    "pronoun": word_set(
        "i me mine myself you yours yourself he him himself she her hers herself it itself we us "
        "ours ourselves they them theirs themselves who whom whose what which someone somebody "
        "something anyone anybody anything everyone everybody everything nobody nothing none there"
    ),
    "determiner": word_set(
        "the a an this that these those my your his its our their some any no every each either "
        "neither both all another such many much few several other more most less"
    ),
    "preposition": word_set(
        "of in on at by for from with without about into onto over under between among through "
        "during before after above below near behind beside besides across along around against "
        "within toward towards upon off out up down per via except despite as than like"
    ),
    "conjunction": word_set(
        "and or but nor so because although though while whereas if unless until since when where "
        "whether how why whenever once"
    ),
    "auxiliary": word_set(
        "be am is are was were been being have has had having do does did done can could will "
        "would shall should may might must ca wo 'm 're 've 'll 'd cannot"
    ),
    "particle": word_set("not n't nt to 's '"),
    "number": word_set(
        "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty "
        "hundred thousand million first second third"
    ),
    "adverb": word_set(
        "very too quite rather really just only also even still always never ever often again "
        "here now then well maybe perhaps almost already soon yet back away else together "
        "sometimes however instead far enough later ago anyway today tomorrow yesterday"
    ),
    "adjective": word_set(
        "good great nice big small large little old new own same bad best better worst free full "
        "high low long short clean lovely friendly lonely early daily ugly silly main huge next "
        "last able"
    ),
    "verb": word_set(
        "went gone got gotten made took taken came saw seen said told found gave given left paid "
        "felt knew known thought kept let put met sat ate eaten bought brought spent stood lost "
        "won heard held ran read slept spoke drove written wrote chose chosen began became cost "
        "set sent built fell woke understood meant caught taught dealt forgot go get make take "
        "come see say tell find give leave know think keep eat buy bring hear write choose become "
        "begin"
    ),
}
_CLASS_OF = {word: name for name, words in _CLOSED.items() for word in words}
_NOUN_ENDINGS = ("tion", "sion", "ment", "ness", "ity", "ance", "ence", "ship", "ism", "hood")
_ADJECTIVE_ENDINGS = ("ful", "ous", "able", "ible", "less", "ish", "ic", "ive")
_NOUN_BEFORE = frozenset(("determiner", "adjective", "number", "preposition", "possessive"))
_VERB_BEFORE = frozenset(("pronoun", "auxiliary", "particle", "adverb"))
_BE = word_set("be am is are was were been being 'm 're very too so quite really")


def classify(words: Sequence[str], is_name: Sequence[bool]) -> list[str]:
    """One of CLASSES for each word of a text; `is_name` says which belong to a name."""
    found: list[str] = []
    for i, word in enumerate(words):
        lower = word.lower()
        if is_name[i] and word[:1].isalpha():
            found.append("proper noun")
        elif known := _known(lower):
            found.append(known)
        else:
            before = words[i - 1].lower() if i else ""
            after = words[i + 1].lower() if i + 1 < len(words) else ""
            found.append(_choose(can_be(lower), before, found[-1] if found else "", after))
    return found


def _known(word: str) -> str | None:
    if word in _CLASS_OF:
        return _CLASS_OF[word]
    if word[:1].isdigit():
        return "number"
    if not any(char.isalpha() for char in word) or word[:1] == "<":
        return "sign"
    return "interjection" if word in words_of("interjections") else None


def _choose(possible: frozenset[str], before: str, class_before: str, after: str) -> str:
    if len(possible) == 1:
        return next(iter(possible))
    leads_to_noun = class_before in _NOUN_BEFORE
    if "adjective" in possible and (
        before in _BE or (leads_to_noun and _known(after) is None and after)
    ):
        return "adjective"
    if "verb" in possible and ("noun" not in possible or class_before in _VERB_BEFORE):
        return "verb"
    return "noun" if "noun" in possible else "adjective"


@lru_cache(maxsize=200_000)
def can_be(word: str) -> frozenset[str]:
    """The content classes that a word in lower case may have."""
    if word.endswith("ly") and len(word) > 4:
        return frozenset(("adverb",))
    if word.endswith(_NOUN_ENDINGS) or word.removesuffix("s").endswith(_NOUN_ENDINGS):
        return frozenset(("noun",))
    if word.endswith(_ADJECTIVE_ENDINGS):
        return frozenset(("adjective",))
    found = set()
    if word.endswith("ed") and len(word) > 4:
        found |= {"verb", "adjective"}
    elif word.endswith("ing") and len(word) > 5:
        found |= {"verb", "noun"}
    else:
        base = word.removesuffix("s")
        if _is_verb(base) or _is_verb(word):
            found.add("verb")
        if _has(word, "ly") or (_has(word, "er") and _has(word, "est")):
            found.add("adjective")
        if word != base or _has(word, "s") or _has(word, "es") or not found:
            found.add("noun")
    return frozenset(found)


def _is_verb(word: str) -> bool:
    stem = word.removesuffix("e")
    return _has(stem, "ing") and _has(stem, "ed")


def _has(word: str, ending: str) -> bool:
    """The dictionary has the form, perhaps with a doubled letter or i for y."""
    forms = {word + ending, word + word[-1:] + ending, word.removesuffix("y") + "i" + ending}
    return any(level(form) < STANDARD for form in forms)
