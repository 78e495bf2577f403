"""Labels of tokens: linguistic category, part of speech, function or topic word, in vocabulary.

Parts of speech come from an installed spaCy pipeline or from approximate rules, meant for counts
over many texts. The rules use lists of function words, numbers and signs; for other words, the
ending, related forms in the dictionary ("walk": "walked") and, if these are ambiguous, the context.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np

from adhominem.arrays import Integers
from adhominem.errors import InputError
from adhominem.instrument.linguistics import lexicon
from adhominem.instrument.linguistics.habits import CATEGORIES, Habits
from adhominem.instrument.linguistics.nonstandard_words import MISSPELT
from adhominem.instrument.network.attended_texts import AttendedTexts
from adhominem.instrument.text.tokenised import Tokenised

MISSPELLING = "any misspelling"
DEFINITELY = "“definitely”, misspelt"
CATEGORY_NAMES = (*(category.name for category in CATEGORIES), MISSPELLING, DEFINITELY)
KINDS = ("function word", "topic word", "other content word", "number, sign or interjection")
VOCABULARY = ("known to the model", "not known")
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
_MIN_TEXTS = 5  # texts with a topic word
_MIN_RESIDUAL = 0.4  # residual idf of a topic word in bits


@dataclass(frozen=True, slots=True)
class Labelled:
    """Token `token[i]` has the label `label[i]`, below `n_labels`; a token may have several."""

    token: Integers
    label: Integers
    n_labels: int


def label_categories(attended: AttendedTexts, habits: Sequence[Habits]) -> Labelled:
    """Tokens with the category of every habit that overlaps them."""
    number = {name: i for i, name in enumerate(CATEGORY_NAMES)}
    labels: set[tuple[int, int]] = set()
    for text, own in enumerate(habits):
        for hit in own.hits:
            tokens = attended.tokens_at(text, hit.start, hit.end)
            names = [hit.category] + [MISSPELLING] * (hit.category in MISSPELT)
            if hit.category in MISSPELT and (hit.intended or "").lower() == "definitely":
                names.append(DEFINITELY)
            labels.update((t, number[n]) for n in names for t in range(tokens.start, tokens.stop))
    pairs = np.array(sorted(labels), dtype=np.int64).reshape(-1, 2)
    return Labelled(pairs[:, 0], pairs[:, 1], len(CATEGORY_NAMES))


def label_classes(attended: AttendedTexts, habits: Sequence[Habits], tagger: Tagger) -> Labelled:
    """Every token with its part of speech."""
    words = attended.texts.words()
    is_name = np.zeros(len(words), dtype=bool)
    for text, own in enumerate(habits):
        for hit in own.hits:
            if hit.category == "proper noun":
                is_name[attended.tokens_at(text, hit.start, hit.end)] = True
    number = {name: i for i, name in enumerate(CLASSES)}
    labels = [
        number[name]
        for first, last in pairwise(attended.documents.tolist())
        for name in tagger(words[first:last], is_name[first:last].tolist())
    ]
    return Labelled(np.arange(len(words)), np.array(labels, dtype=np.int64), len(CLASSES))


def label_kinds(attended: AttendedTexts, classes: Labelled) -> Labelled:
    """Every token as function word, topic word of the sample, other content word, or none."""
    topics = topic_words(attended.texts)
    is_topic = np.array([word.lower() in topics for word in attended.texts.types], dtype=bool)
    is_function = classes.label >= len(CONTENT)
    is_no_word = classes.label >= len(CONTENT) + len(FUNCTION)
    label = np.select([is_no_word, is_function, is_topic[attended.texts.tokens]], [3, 0, 1], 2)
    return Labelled(classes.token, label.astype(np.int64), len(KINDS))


def label_vocabulary(attended: AttendedTexts) -> Labelled:
    label = (~attended.is_known).astype(np.int64)
    return Labelled(np.arange(len(label)), label, len(VOCABULARY))


def topic_words(texts: Tokenised) -> frozenset[str]:
    """Lower-cased words with a large residual inverse document frequency (Church & Gale 1995): they
    are concentrated in few texts, which repeat them. A word with c occurrences is expected in
    N (1 - exp(-c / N)) of N texts; its residual idf is log2 of expected over observed texts."""
    numbers: dict[str, int] = {}
    lower = np.array([numbers.setdefault(w.lower(), len(numbers)) for w in texts.types], np.int64)
    words, n, tokens = list(numbers), texts.n_documents, lower[texts.tokens]
    occurrences = np.bincount(tokens, minlength=len(words))
    owner = np.repeat(np.arange(n), texts.n_tokens)
    in_texts = np.bincount(np.unique(tokens * n + owner) // max(n, 1), minlength=len(words))
    with np.errstate(divide="ignore", invalid="ignore"):
        residual = np.log2(n * -np.expm1(-occurrences / max(n, 1)) / in_texts)
    chosen = np.flatnonzero((in_texts >= _MIN_TEXTS) & (residual >= _MIN_RESIDUAL))
    return frozenset(words[i] for i in chosen if words[i].isalpha())


def tagger_named(name: str) -> Tagger:
    """The rule-based tagger ("rules"), or the tagger of an installed spaCy pipeline."""
    if name == RULES:
        return classify
    import spacy
    from spacy.tokens import Doc

    try:
        pipeline = spacy.load(name, exclude=["ner", "parser"])
    except OSError:
        problem = f"no spaCy pipeline '{name}' is installed"
        raise InputError(f"{problem}: install it, or use --tagger {RULES}") from None

    def tag(words: Sequence[str], is_name: Sequence[bool]) -> list[str]:
        del is_name  # the pipeline recognises names itself
        tagged = pipeline(Doc(pipeline.vocab, words=list(words)))
        if len(tagged) and not any(token.pos_ for token in tagged):
            raise InputError(f"the spaCy pipeline '{name}' tags no parts of speech: use another")
        return [_CLASS_OF_SPACY.get(token.pos_, "sign") for token in tagged]

    return tag


def classify(words: Sequence[str], is_name: Sequence[bool]) -> list[str]:
    """One of CLASSES for each word of a text; `is_name` marks words that belong to a name."""
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
    if known := _class_of().get(word):
        return known
    if word[:1].isdigit():
        return "number"
    if not any(map(str.isalpha, word)) or word[:1] == "<":
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
