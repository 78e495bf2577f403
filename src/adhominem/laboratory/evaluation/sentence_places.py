"""Attention by the place of a sentence in its text: the first, the last, and fifths of the way.

A sentence has the mean attention of its lines over the mean line of the text. The paper finds that
"the last sentence of a review is frequently marked".
"""

from __future__ import annotations

import numpy as np

from adhominem.instrument.network.attended_texts import AttendedTexts
from adhominem.laboratory.evaluation.lift import (
    Floats,
    Integers,
    Members,
    Tally,
    relative_weights,
    tally,
)

FIFTHS = ("first fifth", "second fifth", "third fifth", "fourth fifth", "last fifth")
PLACES = ("first sentence", "last sentence", *FIFTHS)
FEWEST = 5  # sentences that a text must have


def sentence_values(attended: AttendedTexts) -> tuple[Floats, Integers]:
    """The relative attention of every sentence, and its text."""
    texts = attended.texts
    n_sentences = len(texts.sentences) - 1
    sentence_of_token = np.repeat(np.arange(n_sentences), np.diff(texts.sentences))
    _, first = np.unique(attended.line, return_index=True)
    sentence_of_line = sentence_of_token[first]
    lines_of = np.diff(attended.line_documents)
    owner_of_line = np.repeat(np.arange(texts.n_documents), lines_of)
    relative = relative_weights(attended.line_attention, owner_of_line, texts.n_documents)
    mean = np.bincount(sentence_of_line, weights=relative, minlength=n_sentences) / np.bincount(
        sentence_of_line, minlength=n_sentences
    )
    owner = np.repeat(np.arange(texts.n_documents), np.diff(texts.documents))
    return mean, owner


def tally_places(attended: AttendedTexts) -> Tally:
    """Its `top` counts sentences that are the highest of their text, of texts with enough."""
    values, owner = sentence_values(attended)
    n_texts = attended.texts.n_documents
    number = np.arange(len(owner)) - attended.texts.documents[owner]
    count = np.diff(attended.texts.documents)[owner]
    highest = np.full(n_texts, -np.inf)
    np.maximum.at(highest, owner, values)
    labels = [
        np.where(number == 0, 0, -1),
        np.where(number == count - 1, 1, -1),
        2 + np.minimum((2 * number + 1) * len(FIFTHS) // (2 * count), len(FIFTHS) - 1),
    ]
    token = np.concatenate([np.arange(len(owner))] * len(labels))
    label = np.concatenate(labels)
    kept = (label >= 0) & (count[token] >= FEWEST)
    return tally(
        values,
        owner,
        values == highest[owner],
        Members(token[kept], label[kept]),
        n_texts=n_texts,
        n_labels=len(PLACES),
    )
