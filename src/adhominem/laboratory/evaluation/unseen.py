"""Documents of authors that a model never saw, for the paper's map of them (its figure 4)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.errors import InputError
from adhominem.laboratory.corpus.store import Corpus

N_AUTHORS, N_DOCUMENTS = 20, 25


def features_of_unseen(
    verifier: Any, folder: Path, *, seed: int = 0
) -> tuple[npt.NDArray[np.float32], list[int]]:
    """Features of up to 25 documents of each of the 20 test authors who have most, and the number
    of the author of each."""
    if not hasattr(verifier, "features"):
        raise InputError(f"{verifier.kind} has no document features to map: leave --corpus out")
    corpus = Corpus.open(folder)
    places = corpus.labels.indices("test")
    names, author, counts = np.unique(
        corpus.labels.authors[places], return_inverse=True, return_counts=True
    )
    if len(names) < 2:
        raise InputError(f"{folder} has {len(names)} test authors: a map needs two or more")
    rng = np.random.default_rng(seed)
    chosen = np.lexsort((rng.permutation(len(names)), -counts))[:N_AUTHORS]
    shown, numbers = [], []
    for number, which in enumerate(chosen):
        own = rng.permutation(places[author == which])[:N_DOCUMENTS]
        shown += own.tolist()
        numbers += [number] * len(own)
    documents = corpus.documents(np.array(shown))
    return verifier.features([documents[place].text for place in shown]), numbers
