"""The paper's linguistic analysis (section IV-E): which words a network attends to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.instrument.feature_verifier import FeatureVerifier, require_features
from adhominem.instrument.linguistics.habits import find_habits
from adhominem.instrument.text.tokenise import tokenise
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.evaluation.answers import Progress
from adhominem.laboratory.evaluation.attention_lift import (
    FEWEST_SENTENCES,
    POSITIONS,
    TOP,
    Tally,
    count_top,
    join_tallies,
    lift_rows,
    mark_top,
    relative_weights,
    resampled_means,
    tally,
    tally_positions,
    top_rows,
)
from adhominem.laboratory.evaluation.evaluate import describe_model
from adhominem.laboratory.evaluation.matched_words import Match, match_words, matched_rows
from adhominem.laboratory.evaluation.text_samples import SampleSettings, TextSample, sample_texts
from adhominem.laboratory.evaluation.token_labels import (
    CATEGORY_NAMES,
    KINDS,
    VOCABULARY,
    label_categories,
    label_classes,
    label_kinds,
    label_vocabulary,
)
from adhominem.laboratory.evaluation.topic_words import topic_words
from adhominem.laboratory.evaluation.word_classes import CLASSES, Tagger, tagger_named

_GROUPS = {
    "categories": CATEGORY_NAMES,
    "parts_of_speech": CLASSES,
    "kinds": KINDS,
    "vocabulary": VOCABULARY,
}
_BLOCK = 128  # texts


def analyse_corpora(
    verifier: Verifier,
    paths: Sequence[Path],
    settings: SampleSettings,
    tagger: str,
    *,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The attention of a model on a sample of each corpus or file of pairs, ready for JSON. It
    holds no text, and only words that several authors use."""
    network = require_attention(verifier)
    tag = tagger_named(tagger)
    samples = [sample_texts(path, settings) for path in paths]
    return {
        "model": describe_model(verifier),
        "seed": settings.seed,
        "tagger": tagger,
        "corpora": [analyse(network, sample, tag, progress=progress) for sample in samples],
    }


def require_attention(verifier: Verifier) -> FeatureVerifier:
    """The verifier itself, or a ModelError if its method has no attention."""
    return require_features(
        verifier, "a {kind} model has no attention to analyse: give one of an adhominem network"
    )


def analyse(
    verifier: FeatureVerifier,
    sample: TextSample,
    tagger: Tagger,
    *,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """All figures of one sample, ready for JSON; intervals are by resampling authors."""
    counts = _Counts(topic_words(tokenise(sample.texts)), tagger)
    for start in range(0, len(sample), _BLOCK):
        counts.add(verifier, sample.texts[start : start + _BLOCK])
        if progress:
            progress(min(start + _BLOCK, len(sample)), len(sample))
    return {**sample.source, **counts.summary(sample.authors)}


class _Counts:
    """Counts over blocks of texts, which are not kept in memory."""

    def __init__(self, topics: frozenset[str], tagger: Tagger) -> None:
        self._topics, self._tagger = topics, tagger
        self._tallies: dict[str, list[Tally]] = {name: [] for name in (*_GROUPS, "positions")}
        self._matches: list[Match] = []
        self._times: Counter[str] = Counter()
        self._texts_with: Counter[str] = Counter()
        self._occurrences: Counter[str] = Counter()
        self._sentences: list[int] = []
        self._on_markers: list[float] = []

    def add(self, verifier: FeatureVerifier, texts: Sequence[str]) -> None:
        """Counts a block of texts."""
        attended = verifier.attention(texts)
        habits = [find_habits(text) for text in texts]
        is_top = mark_top(attended)
        classes = label_classes(attended, habits, self._tagger)
        labels = {
            "categories": label_categories(attended, habits),
            "parts_of_speech": classes,
            "kinds": label_kinds(attended, classes, self._topics),
            "vocabulary": label_vocabulary(attended),
        }
        owner, n_texts = attended.owner, len(texts)
        values = relative_weights(attended.weights, owner, n_texts)
        for name, own in labels.items():
            n_labels = len(_GROUPS[name])
            self._tallies[name].append(
                tally(values, owner, is_top, own, n_texts=n_texts, n_labels=n_labels)
            )
        self._tallies["positions"].append(tally_positions(attended))
        times, texts_with = count_top(attended, is_top)
        self._times += times
        self._texts_with += texts_with
        self._occurrences.update(attended.texts.counts())
        on_words = np.bincount(owner, weights=attended.weights, minlength=n_texts)
        self._on_markers += (1 - on_words).tolist()
        first = len(self._sentences)
        self._sentences += np.diff(attended.texts.documents).tolist()
        self._matches += [
            replace(match, owner=first + match.owner)
            for match in match_words(verifier, attended, texts, habits)
        ]

    def summary(self, authors: Sequence[str]) -> dict[str, Any]:
        """The figures over all blocks; `authors` has one entry for each text."""
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
            "places": self._positions(authors),
            "matched": matched_rows(self._matches, authors),
        }

    def _positions(self, authors: Sequence[str]) -> dict[str, Any]:
        """Lift by position of the sentence, how often each position is the most attended of its
        text, and how often one sentence is by chance."""
        counted = join_tallies(self._tallies["positions"])
        long = np.array([n for n in self._sentences if n >= FEWEST_SENTENCES], dtype=np.float64)
        lifts = resampled_means(counted.sums, counted.counts, authors)
        return {
            "fewest_sentences": FEWEST_SENTENCES,
            "texts": len(long),
            "rows": [
                {"name": name, "lift": lift, "highest": float(top.sum() / max(len(long), 1))}
                for name, lift, top in zip(POSITIONS, lifts, counted.top.T, strict=True)
            ],
            "highest_by_chance": float(np.mean(1 / long)) if len(long) else None,
        }
