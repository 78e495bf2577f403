"""The paper's linguistic analysis (section IV-E): which words a network attends to."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.instrument.feature_verifier import FeatureVerifier, require_features
from adhominem.instrument.linguistics.habits import find_habits
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.evaluation import attention_lift as lift
from adhominem.laboratory.evaluation import token_labels as labels
from adhominem.laboratory.evaluation.answers import Progress, in_blocks
from adhominem.laboratory.evaluation.evaluate import describe_model
from adhominem.laboratory.evaluation.matched_words import match_words, matched_rows
from adhominem.laboratory.evaluation.text_samples import SampleSettings, TextSample, sample_texts


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
    texts, authors = sample.texts, sample.authors
    habits = [find_habits(text) for [text] in in_blocks(texts, 1, progress)]
    attended = verifier.attention(texts)
    classes = labels.label_classes(attended, habits, tagger)
    groups = {
        "categories": (labels.CATEGORY_NAMES, labels.label_categories(attended, habits)),
        "parts_of_speech": (labels.CLASSES, classes),
        "kinds": (labels.KINDS, labels.label_kinds(attended, classes)),
        "vocabulary": (labels.VOCABULARY, labels.label_vocabulary(attended)),
    }
    is_top = lift.mark_top(attended)
    words = lift.top_rows(attended, is_top)
    values = lift.relative_weights(attended.weights, attended.owner, len(texts))
    on_words = np.bincount(attended.owner, weights=attended.weights, minlength=len(texts))
    return {
        **sample.source,
        "tokens": len(is_top),
        "on_markers": float(np.mean(1 - on_words)),
        "top": {"of_each": lift.TOP, "tokens": int(is_top.sum()), "words": words},
        **{
            name: lift.lift_rows(
                names, lift.tally(values, attended.owner, is_top, own, len(texts)), authors, is_top
            )
            for name, (names, own) in groups.items()
        },
        "places": lift.position_rows(attended, authors),
        "matched": matched_rows([*match_words(verifier, attended, texts, habits)], authors),
    }
