"""Texts to be analysed: so many of a corpus or of a file of pairs, drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.errors import InputError
from adhominem.files import sha256
from adhominem.laboratory.corpus.labels import SPLITS
from adhominem.laboratory.evaluation.on_pairs import read_labelled
from adhominem.records import Document


@dataclass(frozen=True, slots=True)
class Choice:
    """So many texts at most of each source; of a corpus those by authors of one split, or of one
    fold where that is given."""

    most: int = 2000
    seed: int = 1
    split: str = "test"
    fold: int | None = None


@dataclass(frozen=True, slots=True)
class DrawnTexts:
    """`authors` are empty where they are not known; `source` says where the texts come from."""

    texts: tuple[str, ...]
    authors: tuple[str, ...]
    source: dict[str, Any]

    def __len__(self) -> int:
        return len(self.texts)


def draw_texts(path: Path, choice: Choice) -> DrawnTexts:
    """Of a file of pairs each text once."""
    if path.is_dir():
        documents, about = _of_corpus(path, choice)
    else:
        documents, about = _of_pairs(path, choice), {"sha256": sha256(path)}
    if not documents:
        raise InputError(f"{path} has no texts to analyse: give another corpus, split or fold")
    authors = tuple(document.author or "" for document in documents)
    texts = tuple(document.text for document in documents)
    counts = {"texts": len(texts), "authors": len(set(authors) - {""})}
    return DrawnTexts(texts, authors, {"name": path.resolve().name, **about, **counts})


def _of_corpus(path: Path, choice: Choice) -> tuple[list[Document], dict[str, Any]]:
    from adhominem.laboratory.corpus.store import MANIFEST, Corpus

    corpus = Corpus.open(path)
    labels, fold = corpus.labels, choice.fold
    chosen = labels.folds == fold if fold is not None else labels.splits == _number(choice.split)
    places = np.flatnonzero(chosen & ~labels.copied)
    found = corpus.documents(places[_some(len(places), choice)])
    part = {"split": choice.split} if fold is None else {"fold": fold}
    about = {"sha256": sha256(path / MANIFEST), **part}
    return [found[place] for place in sorted(found)], about


def _number(split: str) -> int:
    if split not in SPLITS:
        raise InputError(f"split is '{split}', expected {', '.join(SPLITS)}")
    return SPLITS.index(split)


def _of_pairs(path: Path, choice: Choice) -> list[Document]:
    distinct = {
        document.text: document
        for pair in read_labelled(path)
        for side in (pair.left, pair.right)
        for document in side
    }
    documents = list(distinct.values())
    return [documents[i] for i in _some(len(documents), choice)]


def _some(n: int, choice: Choice) -> Sequence[int]:
    """In their order."""
    shuffled = np.random.default_rng(choice.seed).permutation(n)
    chosen: list[int] = np.sort(shuffled[: choice.most]).tolist()
    return chosen
