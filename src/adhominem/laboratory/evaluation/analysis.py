"""Which words a network attends to, and whether another network attends to the same words.

The former is the paper's linguistic analysis, section IV-E. The agreement of two models, section
IV-D, is Kendall's tau of the weights of equation (12), computed for each text: with C concordant
and D discordant pairs among n tokens without ties,

    tau = (C - D) / (n (n - 1) / 2)

Tokens are matched by their position in the text, so the models may have different vocabularies and
line lengths; markers are left out. Sentences are compared in the same way, by the mean attention of
their lines.

A network that reads padded texts has a grid of 40 lines of 20 tokens. The m empty cells have weight
0 in both models, below all n tokens, and so add n m concordant pairs. If they are counted too (the
paper does not say), tau is larger: (P tau + n m) / (P + n m) with P = n (n - 1) / 2.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import kendalltau

from adhominem.arrays import Floats, Integers
from adhominem.instrument.feature_verifier import FeatureVerifier, require_features
from adhominem.instrument.linguistics.habits import find_habits
from adhominem.instrument.network.attended_texts import AttendedTexts
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.evaluation import attention_lift as lift
from adhominem.laboratory.evaluation import token_labels as labels
from adhominem.laboratory.evaluation.answers import Progress, in_blocks
from adhominem.laboratory.evaluation.attention_lift import sentence_values
from adhominem.laboratory.evaluation.evaluate import describe_model
from adhominem.laboratory.evaluation.text_samples import SampleSettings, TextSample, sample_texts

Report = dict[str, Any]
EDGES = tuple(round(-1 + 0.02 * i, 2) for i in range(101))
FEWEST = {"words": 10, "sentences": 5}  # shorter texts are not compared
RANDOM = "random weights"
_GRID = 40 * 20  # cells of the paper's network
_NO_ATTENTION = "a {kind} model has no attention to analyse: give one of an adhominem network"


def analyse_corpora(
    verifier: Verifier,
    paths: Sequence[Path],
    settings: SampleSettings,
    tagger: str,
    *,
    progress: Progress = None,
) -> Report:
    """Analyses the attention of a model on a sample of each corpus; JSON data without texts."""
    network = require_features(verifier, _NO_ATTENTION)
    tag = labels.tagger_named(tagger)
    samples = [sample_texts(path, settings) for path in paths]
    return {
        "model": describe_model(verifier),
        "seed": settings.seed,
        "tagger": tagger,
        "corpora": [analyse(network, sample, tag, progress=progress) for sample in samples],
    }


def analyse(
    verifier: FeatureVerifier,
    sample: TextSample,
    tagger: labels.Tagger,
    *,
    progress: Progress = None,
) -> Report:
    """Analyses the attention to one sample; returns JSON data with intervals over authors."""
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
    matches = [*lift.match_words(verifier, attended, texts, habits)]
    is_top = lift.mark_top(attended)
    words = lift.top_rows(attended, is_top)
    on_words = np.bincount(attended.owner, weights=attended.weights, minlength=len(texts))
    return {
        **sample.source,
        "tokens": len(is_top),
        "on_markers": float(np.mean(1 - on_words)),
        "top": {"of_each": lift.TOP, "tokens": int(is_top.sum()), "words": words},
        **{n: lift.lift_rows(attended, is_top, *group, authors) for n, group in groups.items()},
        "places": lift.position_rows(attended, authors),
        "matched": lift.matched_rows(matches, authors),
    }


def compare_models(
    verifier: Verifier,
    others: Mapping[str, Verifier],
    paths: Sequence[Path],
    settings: SampleSettings,
    *,
    progress: Progress = None,
) -> Report:
    """Agreement of a model with other models and with random weights, as JSON data."""
    reference = require_features(verifier, _NO_ATTENTION)
    compared = [require_features(other, _NO_ATTENTION) for other in others.values()]
    names = [{"name": name, "model": describe_model(other)} for name, other in others.items()]
    names.append({"name": RANDOM, "model": None})
    corpora = []
    for path in paths:
        sample = sample_texts(path, settings)
        taus = measure_stability(reference, compared, sample, seed=settings.seed, progress=progress)
        against = [{**name, **own} for name, own in zip(names, taus, strict=True)]
        corpora.append({**sample.source, "against": against})
    model = describe_model(verifier)
    return {"model": model, "seed": settings.seed, "edges": EDGES, "corpora": corpora}


def measure_stability(
    reference: FeatureVerifier,
    others: Sequence[FeatureVerifier],
    sample: TextSample,
    *,
    seed: int = 1,
    progress: Progress = None,
) -> list[Report]:
    """Agreement with each other model and, last, with random weights, as JSON data."""
    attended = reference.attention(sample.texts)
    compared = [*others, reference.randomised(seed=seed)]
    return [
        {
            name: summarise(taus, histogram=name == "words")
            for name, taus in compare_attention(attended, other.attention(sample.texts)).items()
        }
        for [other] in in_blocks(compared, 1, progress)
    ]


def compare_attention(one: AttendedTexts, other: AttendedTexts) -> dict[str, Floats]:
    """(texts, 2) arrays of tau and its p-value; NaN for a text that is too short."""
    weights = {
        "words": (one.weights, other.weights, one.documents),
        "sentences": (sentence_values(one)[0], sentence_values(other)[0], one.texts.documents),
    }
    taus = {name: np.full((one.texts.n_documents, 2), np.nan) for name in weights}
    for name, (left, right, edges) in weights.items():
        for text, (start, end) in enumerate(pairwise(edges.tolist())):
            if end - start >= FEWEST[name]:
                taus[name][text] = kendalltau(left[start:end], right[start:end])
    padded = pad(taus["words"], np.diff(one.documents))
    return {"words": taus["words"], "padded_words": padded, "sentences": taus["sentences"]}


def pad(taus: Floats, n_tokens: Integers) -> Floats:
    """Taus that also count the empty cells of a padded grid."""
    pairs = n_tokens * (n_tokens - 1) / 2
    with_empty = n_tokens * np.maximum(_GRID - n_tokens, 0)
    with np.errstate(invalid="ignore"):
        padded = (pairs * taus[:, 0] + with_empty) / (pairs + with_empty)
    return np.stack([padded, taus[:, 1]], axis=1)


def summarise(taus: Floats, *, histogram: bool = True) -> Report:
    """Mean, spread and significance over the texts, as JSON data."""
    tau, p = taus[np.isfinite(taus[:, 0])].T
    if not len(tau):
        return {"texts": 0}
    return {
        "texts": len(tau),
        "mean": float(tau.mean()),
        "deviation": float(tau.std(ddof=1)) if len(tau) > 1 else 0.0,
        "lowest": float(tau.min()),
        "below_05": float(np.mean(p < 0.05)),
        "below_01": float(np.mean(p <= 0.01)),
        **({"histogram": np.histogram(tau, EDGES)[0].tolist()} if histogram else {}),
    }
