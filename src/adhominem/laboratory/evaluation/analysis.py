"""The paper's linguistic analysis (section IV-E) by machine: what does a network look at?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from adhominem.instrument.linguistics.habits import find_habits
from adhominem.instrument.network.attended_texts import AttendedTexts
from adhominem.instrument.text.tokenise import tokenise
from adhominem.laboratory.evaluation.drawn_texts import DrawnTexts
from adhominem.laboratory.evaluation.lift import (
    Booleans,
    Floats,
    Members,
    Tally,
    join_tallies,
    lift_rows,
    mean_rows,
    relative_weights,
    tally,
)
from adhominem.laboratory.evaluation.matched_words import (
    Attending,
    Match,
    match_words,
    matched_rows,
)
from adhominem.laboratory.evaluation.sentence_places import FEWEST, PLACES, tally_places
from adhominem.laboratory.evaluation.token_labels import (
    CATEGORY_NAMES,
    KINDS,
    VOCABULARY,
    category_members,
    class_members,
    kind_members,
    vocabulary_members,
)
from adhominem.laboratory.evaluation.top_words import TOP, count_top, mark_top, top_rows
from adhominem.laboratory.evaluation.topic_words import topic_words
from adhominem.laboratory.evaluation.word_classes import CLASSES, Tagger

Progress = Callable[[int, int], None]
_GROUPS = {
    "categories": CATEGORY_NAMES,
    "parts_of_speech": CLASSES,
    "kinds": KINDS,
    "vocabulary": VOCABULARY,
}
_BLOCK = 128  # texts


def analyse(
    verifier: Attending,
    drawn: DrawnTexts,
    tagger: Tagger,
    *,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """All figures of one sample of texts, ready for JSON; intervals are by drawing authors."""
    part = _Parts(topic_words(tokenise(drawn.texts)), tagger)
    for start in range(0, len(drawn), _BLOCK):
        part.read(verifier, drawn.texts[start : start + _BLOCK])
        if progress:
            progress(min(start + _BLOCK, len(drawn)), len(drawn))
    return {**drawn.source, **part.summary(drawn.authors)}


class _Parts:
    """Counts block by block, so that of many texts only sums stay in memory."""

    def __init__(self, topics: frozenset[str], tagger: Tagger) -> None:
        self._topics, self._tagger = topics, tagger
        self._tallies: dict[str, list[Tally]] = {name: [] for name in (*_GROUPS, "places")}
        self._matches: list[Match] = []
        self._times: Counter[str] = Counter()
        self._texts_with: Counter[str] = Counter()
        self._occurrences: Counter[str] = Counter()
        self._sentences: list[int] = []
        self._on_markers: list[float] = []

    def read(self, verifier: Attending, texts: Sequence[str]) -> None:
        attended = verifier.attention(texts)
        habits = [find_habits(text) for text in texts]
        is_top = mark_top(attended)
        classes = class_members(attended, habits, self._tagger)
        members = {
            "categories": category_members(attended, habits),
            "parts_of_speech": classes,
            "kinds": kind_members(attended, classes, self._topics),
            "vocabulary": vocabulary_members(attended),
        }
        values = relative_weights(attended.weights, attended.owner, len(texts))
        for name, own in members.items():
            self._tallies[name].append(_tally(values, attended, is_top, own, len(_GROUPS[name])))
        self._tallies["places"].append(tally_places(attended))
        times, texts_with = count_top(attended, is_top)
        self._times += times
        self._texts_with += texts_with
        self._occurrences.update(attended.texts.counts())
        self._sentences += np.diff(attended.texts.documents).tolist()
        on_words = np.bincount(attended.owner, weights=attended.weights, minlength=len(texts))
        self._on_markers += (1 - on_words).tolist()
        first = len(self._sentences) - len(texts)
        self._matches += [
            replace(match, owner=first + match.owner)
            for match in match_words(verifier, attended, texts, habits)
        ]

    def summary(self, authors: Sequence[str]) -> dict[str, Any]:
        n_tokens, n_top = self._occurrences.total(), self._times.total()
        rows = {
            name: lift_rows(
                labels, join_tallies(self._tallies[name]), authors, n_tokens=n_tokens, n_top=n_top
            )
            for name, labels in _GROUPS.items()
        }
        return {
            "tokens": n_tokens,
            "on_markers": float(np.mean(self._on_markers)),
            "top": {
                "of_each": TOP,
                "tokens": n_top,
                "words": top_rows(self._times, self._texts_with, self._occurrences, n_top),
            },
            **rows,
            "places": self._places(authors),
            "matched": matched_rows(self._matches, authors),
        }

    def _places(self, authors: Sequence[str]) -> dict[str, Any]:
        """Sentences by place; how often each is the highest of its text, and what chance gives."""
        found = join_tallies(self._tallies["places"])
        long = np.array([n for n in self._sentences if n >= FEWEST], dtype=np.float64)
        lifts = mean_rows(found.sums, found.counts, authors)
        return {
            "fewest_sentences": FEWEST,
            "texts": len(long),
            "rows": [
                {"name": name, "lift": lift, "highest": float(top.sum() / max(len(long), 1))}
                for name, lift, top in zip(PLACES, lifts, found.top.T, strict=True)
            ],
            "highest_by_chance": float(np.mean(1 / long)) if len(long) else None,
        }


def _tally(
    values: Floats, attended: AttendedTexts, is_top: Booleans, members: Members, n_labels: int
) -> Tally:
    n_texts = attended.texts.n_documents
    return tally(values, attended.owner, is_top, members, n_texts=n_texts, n_labels=n_labels)
