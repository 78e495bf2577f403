"""Random samples of the texts of a corpus or of a file of pairs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.errors import InputError
from adhominem.files import sha256
from adhominem.laboratory.corpus.labels import SPLITS
from adhominem.laboratory.corpus.store import MANIFEST, Corpus
from adhominem.laboratory.evaluation.answers import documents_of, draw, read_labelled

_MOST_AUTHORS = 20  # on a map
_FEWEST_DOCUMENTS, _MOST_DOCUMENTS = 10, 25  # of each author on a map


@dataclass(frozen=True, slots=True)
class SampleSettings:
    most: int = 2000  # texts
    seed: int = 1
    split: str = "test"  # of a corpus
    fold: int | None = None  # instead of a split


@dataclass(frozen=True, slots=True)
class TextSample:
    """Texts, their authors ("" if unknown) and a description of their source for reports."""

    texts: tuple[str, ...]
    authors: tuple[str, ...]
    source: dict[str, Any]


def sample_texts(path: Path, settings: SampleSettings) -> TextSample:
    """A sample of a corpus (a folder) or of the distinct texts of a file of pairs."""
    if path.is_dir():
        if settings.split not in SPLITS:
            raise InputError(f"split is '{settings.split}', expected {', '.join(SPLITS)}")
        corpus, fold = Corpus.open(path), settings.fold
        numbers = corpus.labels.indices(settings.split, fold=fold)
        numbers = numbers[~corpus.labels.copied[numbers]].tolist()
        chosen = draw(numbers, settings.most, seed=settings.seed)
        documents = [*corpus.documents(np.array(chosen, int)).values()]
        part = {"split": settings.split} if fold is None else {"fold": fold}
        about: dict[str, Any] = {"sha256": sha256(path / MANIFEST), **part}
    else:
        distinct = {document.text: document for document in documents_of(read_labelled(path))}
        documents = draw([*distinct.values()], settings.most, seed=settings.seed)
        about = {"sha256": sha256(path)}
    if not documents:
        raise InputError(f"{path} has no texts to analyse: give another corpus, split or fold")
    authors = tuple(document.author or "" for document in documents)
    texts = tuple(document.text for document in documents)
    counts = {"texts": len(texts), "authors": len(set(authors) - {""})}
    return TextSample(texts, authors, {"name": path.resolve().name, **about, **counts})


def sample_unseen_authors(folder: Path, *, seed: int = 0) -> tuple[list[str], list[int]]:
    """Up to 25 texts of each of 20 test authors, and the author of each text as an integer (the
    paper's figure 4): random authors with ten texts or more, or else those with the most texts."""
    corpus = Corpus.open(folder)
    numbers = corpus.labels.indices("test")
    authors = corpus.labels.authors[numbers]
    names, author, counts = np.unique(authors, return_inverse=True, return_counts=True)
    if len(names) < 2:
        raise InputError(f"{folder} has {len(names)} test authors: a map needs two or more")
    rng = np.random.default_rng(seed)
    fewest = min(_FEWEST_DOCUMENTS, np.sort(counts)[-_MOST_AUTHORS:][0])
    chosen = rng.permutation(np.flatnonzero(counts >= fewest))[:_MOST_AUTHORS]
    own = [rng.permutation(numbers[author == one])[:_MOST_DOCUMENTS].tolist() for one in chosen]
    documents = corpus.documents(np.concatenate(own))
    texts = [documents[number].text for part in own for number in part]
    return texts, [i for i, part in enumerate(own) for _ in part]
