"""Parts of speech, by rules or by a spaCy pipeline that is installed.

The rules are approximate and meant for counts over many texts. Lists determine function words,
numbers and signs. For other words the ending and the related forms in the dictionary ("walk":
"walked", "walking"; "clean": "cleanly") determine the possible classes; if there are several, the
words before and after decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache

from adhominem.errors import InputError
from adhominem.instrument.linguistics import lexicon

FUNCTION = ("pronoun", "determiner", "preposition", "conjunction", "auxiliary", "particle")
CONTENT = ("noun", "proper noun", "verb", "adjective", "adverb")
CLASSES = (*CONTENT, *FUNCTION, "number", "interjection", "sign")
RULES = "rules"
Tagger = Callable[[Sequence[str], Sequence[bool]], list[str]]

_NOUN_ENDINGS = ("tion", "sion", "ment", "ness", "ity", "ance", "ence", "ship", "ism", "hood")
_ADJECTIVE_ENDINGS = ("ful", "ous", "able", "ible", "less", "ish", "ic", "ive")
_NOUN_BEFORE = frozenset(("determiner", "adjective", "number", "preposition", "possessive"))
_VERB_BEFORE = frozenset(("pronoun", "auxiliary", "particle", "adverb"))
_BE = lexicon.word_set("be am is are was were been being 'm 're very too so quite really")
_CLASS_OF_SPACY = {
    **{"NOUN": "noun", "PROPN": "proper noun", "VERB": "verb", "ADJ": "adjective"},
    **{"ADV": "adverb", "PRON": "pronoun", "DET": "determiner", "ADP": "preposition"},
    **{"CCONJ": "conjunction", "SCONJ": "conjunction", "AUX": "auxiliary", "PART": "particle"},
    **{"NUM": "number", "INTJ": "interjection"},
}


def tagger_named(name: str) -> Tagger:
    """The tagger "rules", or the one of an installed spaCy pipeline."""
    return classify if name == RULES else _spacy_tagger(name)


def _spacy_tagger(name: str) -> Tagger:
    import spacy
    from spacy.tokens import Doc

    try:
        pipeline = spacy.load(name, exclude=["ner", "parser"])
    except OSError:
        raise InputError(
            f"no spaCy pipeline '{name}' is installed: install it, or use --tagger {RULES}"
        ) from None

    def tag(words: Sequence[str], is_name: Sequence[bool]) -> list[str]:
        del is_name  # the pipeline recognises names itself
        tagged = pipeline(Doc(pipeline.vocab, words=list(words)))
        if len(tagged) and not any(token.pos_ for token in tagged):
            raise InputError(f"the spaCy pipeline '{name}' tags no parts of speech: use another")
        return [_CLASS_OF_SPACY.get(token.pos_, "sign") for token in tagged]

    return tag


def classify(words: Sequence[str], is_name: Sequence[bool]) -> list[str]:
    """One of CLASSES for each word of a text; `is_name` says which words belong to a name."""
    classes: list[str] = []
    for i, word in enumerate(words):
        lower = word.lower()
        if is_name[i] and word[:1].isalpha():
            classes.append("proper noun")
        elif known := _listed_class(lower):
            classes.append(known)
        else:
            before = words[i - 1].lower() if i else ""
            after = words[i + 1].lower() if i + 1 < len(words) else ""
            class_before = classes[-1] if classes else ""
            classes.append(_choose(_possible_classes(lower), before, class_before, after))
    return classes


@cache
def _class_of() -> Mapping[str, str]:
    groups = lexicon.word_groups_of("word_classes")
    return {word: name for name, words in groups.items() for word in words}


def _listed_class(word: str) -> str | None:
    if word in _class_of():
        return _class_of()[word]
    if word[:1].isdigit():
        return "number"
    if not any(char.isalpha() for char in word) or word[:1] == "<":
        return "sign"
    return "interjection" if word in lexicon.words_of("interjections") else None


def _choose(possible: frozenset[str], before: str, class_before: str, after: str) -> str:
    if len(possible) == 1:
        return next(iter(possible))
    precedes_noun = class_before in _NOUN_BEFORE and after and _listed_class(after) is None
    if "adjective" in possible and (before in _BE or precedes_noun):
        return "adjective"
    if "verb" in possible and ("noun" not in possible or class_before in _VERB_BEFORE):
        return "verb"
    return "noun" if "noun" in possible else "adjective"


@lru_cache(maxsize=200_000)
def _possible_classes(word: str) -> frozenset[str]:
    """The content classes that a word in lower case can have."""
    if word.endswith("ly") and len(word) > 4:
        return frozenset(("adverb",))
    if word.endswith(_NOUN_ENDINGS) or word.removesuffix("s").endswith(_NOUN_ENDINGS):
        return frozenset(("noun",))
    if word.endswith(_ADJECTIVE_ENDINGS):
        return frozenset(("adjective",))
    if word.endswith("ed") and len(word) > 4:
        return frozenset(("verb", "adjective"))
    if word.endswith("ing") and len(word) > 5:
        return frozenset(("verb", "noun"))
    base = word.removesuffix("s")
    classes = set()
    if _is_verb(base) or _is_verb(word):
        classes.add("verb")
    if _has_form(word, "ly") or (_has_form(word, "er") and _has_form(word, "est")):
        classes.add("adjective")
    if word != base or _has_form(word, "s") or _has_form(word, "es") or not classes:
        classes.add("noun")
    return frozenset(classes)


def _is_verb(word: str) -> bool:
    stem = word.removesuffix("e")
    return _has_form(stem, "ing") and _has_form(stem, "ed")


def _has_form(word: str, ending: str) -> bool:
    """Whether the dictionary has the form, perhaps with a doubled letter or i for y."""
    forms = {word + ending, word + word[-1:] + ending, word.removesuffix("y") + "i" + ending}
    return any(lexicon.level(form) < lexicon.STANDARD for form in forms)
