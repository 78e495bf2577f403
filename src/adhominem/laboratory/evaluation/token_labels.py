"""Labels of tokens: linguistic category, part of speech, function or topic word, known or not."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np

from adhominem.instrument.linguistics.habits import CATEGORIES, Habits
from adhominem.instrument.linguistics.nonstandard_words import MISSPELT
from adhominem.instrument.linguistics.text_tokens import Hit
from adhominem.instrument.network.attended_texts import AttendedTexts
from adhominem.laboratory.evaluation.attention_lift import Labelled
from adhominem.laboratory.evaluation.word_classes import CLASSES, CONTENT, FUNCTION, Tagger

MISSPELLING = "any misspelling"
DEFINITELY = "“definitely”, misspelt"
CATEGORY_NAMES = (*(category.name for category in CATEGORIES), MISSPELLING, DEFINITELY)
KINDS = ("function word", "topic word", "other content word", "number, sign or interjection")
VOCABULARY = ("known to the model", "not known")


def label_categories(attended: AttendedTexts, habits: Sequence[Habits]) -> Labelled:
    """Tokens with the category of every habit that overlaps them."""
    number = {name: i for i, name in enumerate(CATEGORY_NAMES)}
    labels: set[tuple[int, int]] = set()
    for text, own in enumerate(habits):
        for hit in own.hits:
            tokens = attended.tokens_at(text, hit.start, hit.end)
            for name in _names(hit):
                labels.update((t, number[name]) for t in range(tokens.start, tokens.stop))
    pairs = np.array(sorted(labels), dtype=np.int64).reshape(-1, 2)
    return Labelled(pairs[:, 0], pairs[:, 1])


def _names(hit: Hit) -> tuple[str, ...]:
    if hit.category not in MISSPELT:
        return (hit.category,)
    is_definitely = (hit.intended or "").lower() == "definitely"
    return (hit.category, MISSPELLING, *([DEFINITELY] if is_definitely else []))


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
    return Labelled(np.arange(len(words)), np.array(labels, dtype=np.int64))


def label_kinds(attended: AttendedTexts, classes: Labelled, topics: Collection[str]) -> Labelled:
    """Every token as function word, topic word (one of `topics`), other content word, or none."""
    is_topic = np.array([word.lower() in topics for word in attended.texts.types], dtype=bool)
    is_function = classes.label >= len(CONTENT)
    is_no_word = classes.label >= len(CONTENT) + len(FUNCTION)
    label = np.select([is_no_word, is_function, is_topic[attended.texts.tokens]], [3, 0, 1], 2)
    return Labelled(classes.token, label.astype(np.int64))


def label_vocabulary(attended: AttendedTexts) -> Labelled:
    """Every token as known to the model or not."""
    return Labelled(np.arange(len(attended.is_known)), (~attended.is_known).astype(np.int64))
