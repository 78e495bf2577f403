"""Prepares a smaller run: fewer authors of large kinds, fewer and shorter documents.

    python experiments/trim_prepared.py runs/shipped -o runs/small

For networks that only have to say how a network does on kinds that it has never seen, and for
machines that little can be sent to. Test authors are left out; word types that no longer occur too.
"""

from __future__ import annotations

import argparse
import json
import shutil
from dataclasses import fields
from pathlib import Path

import numpy as np

from adhominem.arrays import Integers
from adhominem.files import whole_folder
from adhominem.instrument.text.encode import Encoded
from adhominem.instrument.text.tokenised import take_ranges
from adhominem.laboratory.corpus.labels import SPLITS, Labels
from adhominem.laboratory.experiment.prepare import load_prepared
from adhominem.laboratory.experiment.run import RunFolder


def choose(labels: Labels, *, authors: int, texts: int, seed: int) -> Integers:
    """Documents of training and development authors: at most so many training authors of a genre,
    and so many documents of each author."""
    rng = np.random.default_rng(seed)
    chosen = np.zeros(len(labels), dtype=bool)
    for genre in np.unique(labels.genres):
        for split in ("train", "dev"):
            rows = rng.permutation(labels.indices(split, genre))
            rows = rows[~labels.copied[rows]]
            rows = rows[np.argsort(labels.authors[rows], kind="stable")]
            own, first, count = np.unique(
                labels.authors[rows], return_index=True, return_counts=True
            )
            nth = np.arange(len(rows)) - np.repeat(first, count)
            kept = rng.permutation(own[count > 1])[: authors if split == "train" else authors // 8]
            chosen[rows[(nth < texts) & np.isin(labels.authors[rows], kept)]] = True
    return np.flatnonzero(chosen)


def shorten(corpus: Encoded, documents: Integers, *, lines: int) -> Encoded:
    """These documents, each cut to its first lines, and the word types that they have."""
    corpus = corpus.select(documents)
    count = np.diff(corpus.documents)
    in_document = np.arange(len(corpus.lines) - 1) - np.repeat(corpus.documents[:-1], count)
    kept = np.flatnonzero(in_document < lines)
    tokens, line_starts = take_ranges(corpus.lines, kept)
    types, renumbered = np.unique(corpus.tokens[tokens], return_inverse=True)
    characters, type_starts = take_ranges(corpus.type_starts, types)
    return Encoded(
        type_words=corpus.type_words[types],
        type_characters=corpus.type_characters[characters],
        type_starts=type_starts,
        tokens=renumbered.astype(np.int32),
        lines=line_starts,
        documents=np.append(0, np.cumsum(np.minimum(count, lines))),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, help="prepared run")
    parser.add_argument("--authors", type=int, default=26_000, help="training authors of a genre")
    parser.add_argument("--texts", type=int, default=24, help="documents of an author")
    parser.add_argument("--lines", type=int, default=36, help="lines of a document")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    run, small = RunFolder(args.run), RunFolder(args.output)
    prepared = load_prepared(run.prepared)
    chosen = choose(prepared.labels, authors=args.authors, texts=args.texts, seed=args.seed)
    corpus = shorten(prepared.corpus, chosen, lines=args.lines)
    labels = {f.name: getattr(prepared.labels, f.name)[chosen] for f in fields(Labels)}
    small.path.mkdir(parents=True)
    with whole_folder(small.prepared) as target:
        arrays = {name: getattr(corpus, name) for name in Encoded.__slots__}
        np.savez(target / "corpus.npz", **arrays, **labels)
        for name in ("vocabulary.json", "genres.json", "manifest.json"):
            shutil.copy(run.prepared / name, target / name)
    shutil.copytree(run.vectors, small.vectors)
    shutil.copy(run.inputs, small.inputs)
    own = {split: int((labels["splits"] == i).sum()) for i, split in enumerate(SPLITS)}
    print(json.dumps({"documents": own, "tokens": len(corpus.tokens)}))


if __name__ == "__main__":
    main()
