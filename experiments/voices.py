"""Sides of many texts: how well they are judged, and whether each is said to have one voice.

    python experiments/voices.py adhominem --corpora runs/corpora -o results/voices.json

Verdicts are measured on test authors with 2 to 50 texts on each side. Few authors have that many
whole texts, so texts are also the single messages of chats, tweets and text messages, and passages
of whole sentences. Both halves of an author come from different texts; an author gives one pair
with himself and one with the next author of the kind. Voices are measured on development authors:
sides by one author, and piles of texts by as many authors.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from measure_kinds import TEST, figures, load

import adhominem
from adhominem.instrument.neural import NeuralVerifier
from adhominem.instrument.text.tokenise import tokenise
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.evaluation.answers import Answers, collect
from adhominem.records import Document, Pair

DEV = 1
MOST_AUTHORS = 60  # of a kind
FEWEST, MOST = 4, 8  # texts of a side whose voice is measured
SEED = 5
NUMBERS = (2, 4, 8, 16, 50)  # texts of a side
WHOLE, MESSAGES, PASSAGES = "whole texts", "messages", "passages"
PROLIFIC = {WHOLE: 20, MESSAGES: 80, PASSAGES: 20}  # test authors of a kind, those with most texts
BUNDLED = ("congress_tweets", "fcc_gitter", "komodo_discord", "nus_sms")  # lines are messages
PASSAGE = 40  # tokens at least
CONDITIONS = ("not stated", "stated")


def measure_many(model: Path, corpora: Path, kind: str) -> dict[tuple[str, int, str], Answers]:
    """Answers on test authors of one kind by what a text is, number of texts and condition."""
    verifier = load(model)
    answers = {}
    for unit in (WHOLE, MESSAGES if kind in BUNDLED else PASSAGES):
        halves = list(divide(Corpus.open(corpora / kind), unit, TEST))
        for n in NUMBERS:
            able = [own for own in halves if min(map(len, own)) >= n]
            pairs = pair_up(able, n)
            for condition in CONDITIONS if len(able) > 1 else ():
                genre = kind if condition == "stated" else None
                told = [Pair(p.left, p.right, p.same_author, genre=genre) for p in pairs]
                answers[unit, n, condition] = collect(told, verifier.decide(told))
    return answers


def pair_up(authors: list[tuple[list[Document], list[Document]]], n: int) -> list[Pair]:
    """Each author with himself and with the next one, `n` texts on a side."""
    following = authors[1:] + authors[:1]
    same = [Pair(tuple(a[:n]), tuple(b[:n]), True) for a, b in authors]
    different = zip(authors, following, strict=True)
    return same + [Pair(tuple(a[:n]), tuple(b[:n]), False) for (a, _), (_, b) in different]


def divide(
    corpus: Corpus, unit: str, split: int
) -> Iterator[tuple[list[Document], list[Document]]]:
    """The texts of each author of a split in two halves of about equal size, the most prolific
    authors first; passages and messages of one text are in one half."""
    rng = np.random.default_rng(SEED)
    labels = corpus.labels
    rows = np.flatnonzero((labels.splits == split) & ~labels.copied)
    documents = corpus.documents(rows)
    authors: dict[int, tuple[list[Document], list[Document]]] = {}
    for row in rng.permutation(rows):
        halves = authors.setdefault(int(labels.authors[row]), ([], []))
        document = documents[int(row)]
        smaller = halves[len(halves[0]) > len(halves[1])]
        smaller += [Document(text, document.author) for text in _cut(document.text, unit)]
    prolific = sorted(authors.values(), key=lambda own: -min(map(len, own)))[: PROLIFIC[unit]]
    for half in (half for own in prolific for half in own):
        rng.shuffle(half)  # type: ignore[arg-type]
    yield from prolific


def _cut(text: str, unit: str) -> list[str]:
    if unit == WHOLE:
        return [text]
    if unit == MESSAGES:
        return [line for line in text.splitlines() if len(line.split()) > 2]
    tokens = tokenise([text])
    ends = [0]
    for end in tokens.sentences[1:]:
        if end - ends[-1] >= PASSAGE:
            ends.append(int(end))
    edges = [int(tokens.starts[end]) for end in ends[:-1]] + [len(text)]
    return [text[start:end] for start, end in pairwise(edges)]


def measure_voices(model: str, corpora: Path, kind: str) -> dict[str, list[float]]:
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


def _many_texts(found: list[dict[tuple[str, int, str], Answers]]) -> list[dict[str, Any]]:
    """Figures over all kinds, a row for each unit, number of texts and condition."""
    rows = []
    for unit in (WHOLE, MESSAGES, PASSAGES):
        for n in NUMBERS:
            for condition in CONDITIONS:
                own = [one[unit, n, condition] for one in found if (unit, n, condition) in one]
                row = {"texts are": unit, "texts": n, "kind": condition, "kinds": len(own)}
                row["authors"] = sum(len(one) for one in own) // 2
                rows.append(row | (figures(Answers.join(own)) if own else {"pairs": 0}))
    return rows


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
        many = list(pool.map(partial(measure_many, args.model, args.corpora), kinds))
        found = list(pool.map(partial(measure_voices, args.model, args.corpora), kinds))
    report: dict[str, Any] = {"model": verifier.identity and verifier.identity.sha256}
    for name in ("one author", "several authors"):
        voices = np.array([voice for kind in found for voice in kind[name]])
        refused = float((voices < verifier.views_.min_voice).mean())
        report[name] = {"sides": len(voices), "refused": refused}
    report["many texts"] = _many_texts(many)
    args.output.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
