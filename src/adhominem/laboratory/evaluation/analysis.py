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
from adhominem.laboratory.evaluation import attention_lift as lift
from adhominem.laboratory.evaluation import token_labels as labels
from adhominem.laboratory.evaluation.answers import Progress, in_blocks
from adhominem.laboratory.evaluation.evaluate import describe_model
from adhominem.laboratory.evaluation.matched_words import Match, match_words, matched_rows
from adhominem.laboratory.evaluation.text_samples import SampleSettings, TextSample, sample_texts

_GROUPS = {
    "categories": labels.CATEGORY_NAMES,
    "parts_of_speech": labels.CLASSES,
    "kinds": labels.KINDS,
    "vocabulary": labels.VOCABULARY,
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
    tag = labels.tagger_named(tagger)
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
    tagger: labels.Tagger,
    *,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """All figures of one sample, ready for JSON; intervals are by resampling authors."""
    counts = _Counts(labels.topic_words(tokenise(sample.texts)), tagger)
    for texts in in_blocks(sample.texts, _BLOCK, progress):
        counts.add(verifier, texts)
    return {**sample.source, **counts.summary(sample.authors)}


class _Counts:
    """Counts over blocks of texts, which are not kept in memory."""

    def __init__(self, topics: frozenset[str], tagger: labels.Tagger) -> None:
        self._topics, self._tagger = topics, tagger
        self._tallies: dict[str, list[lift.Tally]] = {name: [] for name in (*_GROUPS, "positions")}
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
        is_top = lift.mark_top(attended)
        classes = labels.label_classes(attended, habits, self._tagger)
        labelled = {
            "categories": labels.label_categories(attended, habits),
            "parts_of_speech": classes,
            "kinds": labels.label_kinds(attended, classes, self._topics),
            "vocabulary": labels.label_vocabulary(attended),
        }
        owner, n_texts = attended.owner, len(texts)
        values = lift.relative_weights(attended.weights, owner, n_texts)
        for name, own in labelled.items():
            size = {"n_texts": n_texts, "n_labels": len(_GROUPS[name])}
            self._tallies[name].append(lift.tally(values, owner, is_top, own, **size))
        self._tallies["positions"].append(lift.tally_positions(attended))
        times, texts_with = lift.count_top(attended, is_top)
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
        totals = {"n_tokens": n_tokens, "n_top": n_top}
        tallies = {name: lift.Tally.join(parts) for name, parts in self._tallies.items()}
        words = lift.top_rows(self._times, self._texts_with, self._occurrences, n_top)
        return {
            "tokens": n_tokens,
            "on_markers": float(np.mean(self._on_markers)),
            "top": {"of_each": lift.TOP, "tokens": n_top, "words": words},
            **{
                name: lift.lift_rows(names, tallies[name], authors, **totals)
                for name, names in _GROUPS.items()
            },
            "places": self._positions(tallies["positions"], authors),
            "matched": matched_rows(self._matches, authors),
        }

    def _positions(self, counted: lift.Tally, authors: Sequence[str]) -> dict[str, Any]:
        """Lift by position of the sentence, how often each position is the most attended of its
        text, and how often one sentence is by chance."""
        long = np.array([n for n in self._sentences if n >= lift.FEWEST_SENTENCES], np.float64)
        lifts = lift.resampled_means(counted.sums, counted.counts, authors)
        return {
            "fewest_sentences": lift.FEWEST_SENTENCES,
            "texts": len(long),
            "rows": [
                {"name": name, "lift": mean, "highest": float(top.sum() / max(len(long), 1))}
                for name, mean, top in zip(lift.POSITIONS, lifts, counted.top.T, strict=True)
            ],
            "highest_by_chance": float(np.mean(1 / long)) if len(long) else None,
        }
