"""Texts to be analysed: so many of a corpus or of a file of pairs, drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.corpus.folds import SPLITS
from adhominem.errors import InputError
from adhominem.evaluation.on_pairs import read_labelled
from adhominem.files import sha256
from adhominem.records import Document


@dataclass(frozen=True, slots=True)
class DrawnTexts:
    """`authors` are empty where they are not known; `source` says where the texts come from."""

    texts: tuple[str, ...]
    authors: tuple[str, ...]
    source: dict[str, Any]

    def __len__(self) -> int:
        return len(self.texts)


def draw_texts(
    path: Path, most: int, *, seed: int, split: str = "test", fold: int | None = None
) -> DrawnTexts:
    """Of a corpus the authors of one split, or of one fold where that is given; of a file of pairs
    all that are in it, each text once."""
    if path.is_dir():
        documents, about = _of_corpus(path, most, seed, split, fold)
    else:
        documents, about = _of_pairs(path, most, seed), {"sha256": sha256(path)}
    if not documents:
        raise InputError(f"{path} has no texts to analyse: give another corpus, split or fold")
    authors = tuple(document.author or "" for document in documents)
    texts = tuple(document.text for document in documents)
    counts = {"texts": len(texts), "authors": len(set(authors) - {""})}
    return DrawnTexts(texts, authors, {"name": path.resolve().name, **about, **counts})


def _of_corpus(
    path: Path, most: int, seed: int, split: str, fold: int | None
) -> tuple[list[Document], dict[str, Any]]:
    from adhominem.corpus.store import MANIFEST, Corpus

    corpus = Corpus.open(path)
    about: dict[str, Any] = {"sha256": sha256(path / MANIFEST)}
    about |= {"split": split} if fold is None else {"fold": fold}
    labels = corpus.labels
    chosen = labels.splits == SPLITS.index(split) if fold is None else labels.folds == fold
    places = np.flatnonzero(chosen & ~labels.copied)
    found = corpus.documents(places[_some(len(places), most, seed)])
    return [found[place] for place in sorted(found)], about


def _of_pairs(path: Path, most: int, seed: int) -> list[Document]:
    distinct = {
        document.text: document
        for pair in read_labelled(path)
        for side in (pair.left, pair.right)
        for document in side
    }
    documents = list(distinct.values())
    return [documents[i] for i in _some(len(documents), most, seed)]


def _some(n: int, most: int, seed: int) -> Sequence[int]:
    """In their order."""
    chosen: list[int] = np.sort(np.random.default_rng(seed).permutation(n)[:most]).tolist()
    return chosen
