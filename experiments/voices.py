"""How often a side of several texts is said to have more than one voice: sides by one development
author, and piles of texts by as many authors.

    python experiments/voices.py adhominem --corpora runs/corpora -o results/voices.json
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import adhominem
from adhominem.instrument.neural import NeuralVerifier
from adhominem.laboratory.corpus.store import Corpus

DEV = 1
MOST_AUTHORS = 60  # of a kind
FEWEST, MOST = 4, 8  # texts of a side
SEED = 5


def measure(model: str, corpora: Path, kind: str) -> dict[str, list[float]]:
    """The voice of each true side and of each pile, with the kind not stated; see `Limits`."""
    verifier = adhominem.load(model)
    assert isinstance(verifier, NeuralVerifier)
    corpus = Corpus.open(corpora / kind)
    labels = corpus.labels
    rows = np.flatnonzero((labels.splits == DEV) & ~labels.copied)
    texts: dict[int, list[int]] = {}
    for row in np.random.default_rng(SEED).permutation(rows):
        texts.setdefault(int(labels.authors[row]), []).append(int(row))
    sides = [own[:MOST] for own in texts.values() if len(own) >= FEWEST][:MOST_AUTHORS]
    piles = [
        [sides[(i + j) % len(sides)][j % 2] for j in range(min(len(side), len(sides)))]
        for i, side in enumerate(sides)
    ]
    wanted = sorted({row for side in sides for row in side})
    documents = corpus.documents(np.array(wanted, dtype=np.int64))
    read = dict(zip(wanted, verifier.read([documents[row].text for row in wanted]), strict=True))
    return {
        name: [
            voice
            for side in group
            if len(side) >= FEWEST
            and (voice := verifier.voice([read[row] for row in side], None)) is not None
        ]
        for name, group in (("one author", sides), ("several authors", piles))
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    verifier = adhominem.load(args.model)
    assert isinstance(verifier, NeuralVerifier) and verifier.views_ is not None
    kinds = list(verifier.views_.kinds.names)
    with ProcessPoolExecutor(2) as pool:
        found = list(pool.map(partial(measure, args.model, args.corpora), kinds))
    report: dict[str, Any] = {"model": verifier.identity and verifier.identity.sha256}
    for name in ("one author", "several authors"):
        voices = np.array([voice for kind in found for voice in kind[name]])
        refused = float((voices < verifier.views_.min_voice).mean())
        report[name] = {"sides": len(voices), "refused": refused}
    args.output.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
