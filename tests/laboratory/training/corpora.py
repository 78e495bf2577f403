"""Small made-up corpora: authors differ in habits of spelling and marks, topics in their nouns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from adhominem.records import Document

TOPICS = {
    topic: words.split()
    for topic, words in (
        ("hotels", "room lobby breakfast pool towel lift view bed desk porter suite terrace"),
        ("books", "chapter plot cover hero ending page style author dialogue volume print story"),
        ("phones", "screen battery camera cable speaker button case charger signal app lens box"),
    )
}
HABITS = (
    ("and", "&"),
    ("because", "cuz"),
    ("very", "soooo"),
    ("I", "we"),
    (".", "!!"),
    ("however", "tho"),
)
VERBS, QUALITIES = (
    words.split()
    for words in (
        "liked saw used found tried kept loved left bought got wanted took needed gave",
        "good bad old new small large clean cheap plain bright dark slow quick odd warm",
    )
)

# A small experiment; the settings of its training follow.
EXPERIMENT = """
name = "tiny"
seed = 5
[corpus]
min_tokens = 20
[text]
min_word_count = 2
min_character_count = 2
[network]
D_c = 4
D_r = 4
D_w = 8
D_s = 6
D_d = 6
D_a = 6
D_f = 5
train_words = true
dropout = 0.2
[training]
"""


def make_reviews(
    n_authors: int, *, n_documents: int = 4, n_sentences: tuple[int, int] = (5, 8), seed: int = 1
) -> list[Document]:
    """Each author writes twice on one topic and once on each other, in turn."""
    rng = np.random.default_rng(seed)
    topics = list(TOPICS)
    reviews = []
    for author in range(n_authors):
        habits = rng.integers(0, 2, len(HABITS))
        for number in range(n_documents):
            topic = topics[(author + number) % len(topics)]
            n = int(rng.integers(n_sentences[0], n_sentences[1] + 1))
            text = write_text(rng, topic, habits, n)
            reviews.append(Document(text, author=f"author-{author:03}", topic=topic))
    return reviews


def write_text(
    rng: np.random.Generator, topic: str, habits: Sequence[int], n_sentences: int
) -> str:
    both, why, much, who, end, but = (HABITS[i][choice] for i, choice in enumerate(habits))
    sentences = []
    for _ in range(n_sentences):
        one, other = rng.choice(TOPICS[topic], 2)
        verb = rng.choice(VERBS)
        first, second, third = rng.choice(QUALITIES, 3)
        sentences.append(
            rng.choice(
                [
                    f"{who} {verb} {first} {one} {both} {second} {other}{end}",
                    f"{one} {much} {first} {why} {second} {other} {third}{end}",
                    f"{who} {verb} {much} {first} {one}, {but} {second} {other}{end}",
                ]
            )
        )
    return " ".join(sentences)


def save_reviews(reviews: Sequence[Document], path: Path) -> Path:
    rows = [{"author": r.author, "topic": r.topic, "text": r.text} for r in reviews]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
