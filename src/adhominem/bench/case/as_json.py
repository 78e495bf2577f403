"""A case as a plain dictionary."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from adhominem.bench.case.study import CaseResult
from adhominem.instrument.report.as_json import ranking_dict


def case_dict(result: CaseResult) -> dict[str, Any]:
    """`llr` is null for a text and itself, 0 for a pair that is undecided. A merge is
    [node, node, height, texts]; its mean log10 LR is `neutral` - height."""
    evidence, tree, n = result.evidence, result.tree, len(result.names)
    return {
        "names": list(result.names),
        "authors": list(result.authors),
        "readings": [asdict(reading) for reading in evidence.readings],
        "doubts": [[str(doubt) for doubt in doubts] for doubts in evidence.doubts],
        "llr": [
            [None if i == j else value for j, value in enumerate(row)]
            for i, row in enumerate(evidence.llr.tolist())
        ],
        "reliable": evidence.reliable.tolist(),
        "verdict": [[evidence.verdict(i, j).value for j in range(n)] for i in range(n)],
        "order": list(tree.order),
        "merges": [[m.left, m.right, m.height, m.size] for m in tree.merges],
        "neutral": tree.neutral,
        "map": result.map.tolist(),
        "groups": list(tree.groups),
        "questioned": result.questioned,
        "genre": result.genre,
        "ranking": None if result.ranking is None else ranking_dict(result.ranking),
        "model": None if result.model is None else asdict(result.model),
    }
