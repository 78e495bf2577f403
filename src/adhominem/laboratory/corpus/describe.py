"""A corpus in numbers: what the paper says of its own, and what is to be known before use."""

from __future__ import annotations

from typing import Any

import numpy as np

from adhominem.laboratory.corpus.leaks import Progress, find_leaks
from adhominem.laboratory.corpus.store import Corpus

_MOST_TOPICS = 40  # listed by name


def describe_corpus(corpus: Corpus, progress: Progress = lambda *_: None) -> dict[str, Any]:
    manifest, labels = corpus.manifest, corpus.labels
    tokens = np.array(corpus.label("n_tokens"))
    per_author = np.bincount(labels.authors)
    topics = manifest["topics"]
    return {
        "name": corpus.folder.resolve().name,
        "documents": manifest["documents"],
        "authors": manifest["authors"],
        "tokens": {**manifest["tokens"], **_quantiles(tokens), "histogram": _histogram(tokens)},
        "documents_per_author": {
            "mean": float(per_author.mean()),
            "deviation": float(per_author.std()),
            **_quantiles(per_author),
            "counts": {int(n): int(c) for n, c in enumerate(np.bincount(per_author)) if c},
        },
        "vocabulary": manifest["vocabulary"],
        "cuts": {k: manifest["settings"][k] for k in ("min_word_count", "min_character_count")},
        "topics": {
            "total": len(topics),
            "without": manifest["without_topic"],
            "largest": dict(list(topics.items())[:_MOST_TOPICS]),
        },
        "pairs": manifest["pairs"],
        "folds": {
            "documents": np.bincount(labels.folds).tolist(),
            "authors": [
                len(np.unique(labels.authors[labels.folds == fold]))
                for fold in range(manifest["settings"]["folds"])
            ],
        },
        "funnel": manifest["funnel"],
        "rejected": manifest["rejected"],
        "warnings": manifest["warnings"],
        "sources": manifest["sources"],
        "leaks": find_leaks(corpus, progress),
    }


def without_texts(description: dict[str, Any]) -> dict[str, Any]:
    """The same without a word out of the corpus, to be shown to those who may not see it."""
    leaks = {
        name: {key: value for key, value in found.items() if key != "examples"}
        | ({"examples": []} if "examples" in found else {})
        for name, found in description["leaks"].items()
    }
    return {**description, "leaks": leaks}


def _quantiles(values: np.ndarray[Any, Any]) -> dict[str, float]:
    low, median, high = np.quantile(values, [0, 0.5, 1])
    return {"least": float(low), "median": float(median), "most": float(high)}


def _histogram(tokens: np.ndarray[Any, Any]) -> dict[str, list[float]]:
    counts, edges = np.histogram(tokens, bins=min(40, max(1, len(np.unique(tokens)))))
    return {"counts": counts.tolist(), "edges": edges.tolist()}
