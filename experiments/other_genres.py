"""A model on texts of which it knows nothing: PAN's problems, people who hide.

    python experiments/other_genres.py MODEL --pan pan15_en_train pan13_en_train \
        --hidden ebg.parquet -o results/other-genres.json

PAN's problems are taken whole. Of the people who tried to hide or to imitate
a style (Brennan and Greenstadt), three ordinary texts of an author are the known side, and the text
in question is another ordinary one, an obfuscated one or an imitation; once by the same author and
once by the next one in the list. A set of one kind of text is judged alone, and once more with its
own texts as reference texts, those of the pair in question left out.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from pan_problems import read_problems
from pyarrow import parquet

import adhominem
from adhominem.files import write_whole
from adhominem.instrument.feature_verifier import FeatureVerifier
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.evaluation.answers import judge
from adhominem.laboratory.evaluation.evaluate import evaluate
from adhominem.records import Document, Pair

KNOWN = 3  # ordinary texts
POOLED = ("pan", "ebg")  # several sets together
ENOUGH = 100  # texts of a set that can be its own reference


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--pan", type=Path, nargs="*", default=[])
    parser.add_argument("--hidden", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    verifier = adhominem.load(arguments.model)
    assert isinstance(verifier, FeatureVerifier)
    sets = {folder.resolve().name: read_problems(folder) for folder in arguments.pan}
    if sets:
        sets = {"pan": [pair for pairs in sets.values() for pair in pairs], **sets}
    if arguments.hidden:
        sets |= _hidden(arguments.hidden)
    report: dict[str, Any] = {"model": verifier.identity.sha256 if verifier.identity else None}
    quoted: dict[str, Any] = {}
    for name, pairs in sets.items():
        report[name] = evaluate(judge(verifier, pairs), intervals=True)
        texts = _texts(pairs)
        if name not in POOLED and len(texts) >= ENOUGH:
            referring = verifier.with_reference(texts)
            report[name]["own_reference"] = evaluate(judge(referring, pairs), intervals=True)
        quoted[name] = _quoted(verifier, pairs, report[name]["error"])
        for title, own in ((name, report[name]), ("itself", report[name].get("own_reference"))):
            if own:
                figures = ", ".join(f"{key} {own[key]:.3f}" for key in ("error", "auc", "cllr"))
                print(f"{title}: {len(pairs)} pairs, {figures}, {own['undecided']} undecided")
    report["quoted"] = quoted
    write_whole(arguments.output, json.dumps(report, indent=2) + "\n")


def _texts(pairs: list[Pair]) -> list[str]:
    documents = (document for pair in pairs for document in (*pair.left, *pair.right))
    return list(dict.fromkeys(document.text for document in documents))


def _quoted(verifier: Verifier, pairs: list[Pair], error: float) -> dict[str, Any]:
    """The mean of the intervals that the verdicts quote, and whether the true error is inside."""
    records = [decision.track_record for decision in verifier.decide(pairs)]
    ends = [(row.low, row.high) for row in records if row and row.low is not None]
    if not ends:
        return {"low": None, "high": None, "error": error, "inside": None}
    low, high = (float(end) for end in np.mean(ends, axis=0))
    return {"low": low, "high": high, "error": error, "inside": low <= error <= high}


def _hidden(path: Path) -> dict[str, list[Pair]]:
    texts: dict[str, dict[str, list[Document]]] = defaultdict(lambda: defaultdict(list))
    for row in parquet.read_table(path).to_pylist():
        texts[row["kind"]][row["author"]].append(Document(row["text"], row["author"]))
    ordinary = texts["normal"]
    authors = sorted(author for author, documents in ordinary.items() if len(documents) > KNOWN)
    sets = {}
    for kind in ("normal", "obfuscation", "imitation"):
        pairs = []
        for author, stranger in zip(authors, authors[1:] + authors[:1], strict=True):
            questioned = texts[kind][author][KNOWN if kind == "normal" else 0 :]
            for document in questioned:
                for known in (author, stranger):
                    side = tuple(ordinary[known][:KNOWN])
                    pairs.append(Pair(side, (document,), known == author, id=str(len(pairs))))
        sets[f"ebg {kind}"] = pairs
    return {"ebg": [pair for pairs in sets.values() for pair in pairs], **sets}


if __name__ == "__main__":
    main()
