"""Robustness of a verifier's answers to edits of the left side of each pair.

One kind of edit at a time is made wherever possible, and finally all kinds together.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.instrument.linguistics.rewrites import KINDS, find_edits, rewrite
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.evaluation import answers as judged
from adhominem.laboratory.evaluation.answers import Answers, Progress
from adhominem.laboratory.evaluation.evaluate import describe_source, mean_of
from adhominem.laboratory.evaluation.measures import ERROR
from adhominem.records import Pair

ALL = "all"


def measure_robustness_files(
    verifier: Verifier,
    paths: Sequence[Path],
    *,
    most: int | None = None,
    progress: Progress = None,
) -> dict[str, Any]:
    """Robustness on at most `most` evenly spaced pairs of each file, as JSON data."""
    sources, files = [describe_source(verifier, path) for path in paths], []
    for path, source in zip(paths, sources, strict=True):
        pairs = judged.read_labelled(path)
        if most is not None and most < len(pairs):
            pairs = [pairs[i * len(pairs) // most] for i in range(most)]
        measured = measure_robustness(verifier, pairs, progress=progress)
        files.append({**source["pairs_file"], **measured})
    return {"model": sources[0]["model"], "files": files}


def measure_robustness(
    verifier: Verifier, pairs: Sequence[Pair], *, progress: Progress = None
) -> dict[str, Any]:
    """Errors without edits, and a row for each kind of edit and for all kinds together: errors of
    all pairs before and after, and the share of edited pairs whose verdict changed. "same" and
    "different" are the mean changes of log10 LR over edited pairs of one author and of two authors,
    None without such pairs."""
    edits = [[find_edits(document.text) for document in pair.left] for pair in pairs]
    before = judged.collect(pairs, verifier.decide(pairs))
    rows = []
    for [kind] in judged.in_blocks((*KINDS, ALL), 1, progress):
        chosen = [[[e for e in text if kind in (ALL, e.kind)] for text in pair] for pair in edits]
        counts = np.array([sum(map(len, pair)) for pair in chosen])
        changed, edited = np.flatnonzero(counts), []
        for i in changed.tolist():
            both = zip(pairs[i].left, chosen[i], strict=True)
            texts = tuple(replace(d, text=rewrite(d.text, own).text) for d, own in both)
            edited.append(replace(pairs[i], left=texts))
        old = before.select(changed)
        new = judged.collect(edited, verifier.decide(edited)) if edited else old
        change = new.llr - old.llr
        rows.append(
            {
                "kind": kind,
                "pairs": len(pairs),
                "edited": len(changed),
                "edits": mean_of(counts[changed]) or 0.0,
                "error_before": ERROR.of(before),
                "error": ERROR.of(Answers.join([before.select(counts == 0), new])),
                "moved": mean_of(np.sign(new.score - 0.5) != np.sign(old.score - 0.5)) or 0.0,
                "same": mean_of(change[old.same_author]),
                "different": mean_of(change[~old.same_author]),
            }
        )
    same = before.same_author
    parts = {"same_author": before.select(same), "different_authors": before.select(~same)}
    return {
        "pairs": len(before),
        "error": ERROR.of(before),
        "error_by_truth": {k: ERROR.of(p) if len(p) else None for k, p in parts.items()},
        "undecided": int(np.sum(before.undecided)),
        "edits": rows,
    }
