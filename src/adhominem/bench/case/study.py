"""A case studied: the evidence between every two texts, their groups, a map, and the candidates
for the questioned text."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from adhominem.arrays import Floats
from adhominem.bench.case.plane import draw_map
from adhominem.bench.case.texts import NamedText, candidates, check_texts
from adhominem.bench.case.tree import Tree, grow_tree
from adhominem.instrument.evidence.attribution import Ranking, rank
from adhominem.instrument.evidence.decision import track_record_of
from adhominem.instrument.evidence.matrix import EvidenceMatrix, Progress, quiet
from adhominem.instrument.report.as_json import ranking_dict
from adhominem.instrument.verifier import Verifier
from adhominem.records import Document


@dataclass(frozen=True, slots=True)
class CaseResult:
    """Row i of every table is text i. `ranking` has the candidates for the questioned text, if any;
    `genre` is the kind of all texts, where it was stated."""

    verifier: Verifier
    texts: tuple[NamedText, ...]
    evidence: EvidenceMatrix
    tree: Tree
    map: Floats
    questioned: str | None
    ranking: Ranking | None
    genre: str | None


def study(
    verifier: Verifier,
    texts: Sequence[NamedText],
    questioned: str | None = None,
    progress: Progress = quiet,
    *,
    genre: str | None = None,
    own_reference: bool = False,
) -> CaseResult:
    """Compares every two texts.

    progress        called with the work done and all work now and then; may raise to stop it
    genre           the kind of all texts, where it is known
    own_reference   whether the other texts of the case are the reference texts of each pair: for
                    many texts of one kind by many authors; takes longer, as each pair
                    is judged on its own
    """
    check_texts(texts, questioned)
    sides = [(Document(text.text),) for text in texts]
    if own_reference:
        verifier = verifier.with_reference([text.text for text in texts])
        evidence = Verifier.matrix(verifier, sides, progress, genre=genre)
    else:
        verifier = verifier.leaving_out(sides)
        evidence = verifier.matrix(sides, progress, genre=genre)
    # By name, so that of equal evidence (many pairs reach the bounds of the likelihood ratio) the
    # same comes first whatever the order of the texts.
    by_name = sorted(range(len(texts)), key=lambda i: texts[i].name)
    llr = evidence.llr[np.ix_(by_name, by_name)]
    tree = grow_tree(llr, min_llr=verifier.min_llr).renumbered(by_name)
    points = np.empty((len(texts), 2))
    points[by_name] = draw_map(llr)
    ranking = None
    if questioned is not None:
        text = next(text.text for text in texts if text.name == questioned)
        ranking = rank(verifier, text, candidates(texts, questioned), genre=genre)
    return CaseResult(verifier, tuple(texts), evidence, tree, points, questioned, ranking, genre)


def case_dict(result: CaseResult) -> dict[str, Any]:
    """As plain values for JSON. `llr` is null for a text and itself, 0 for an undecided pair. A
    merge is [node, node, height, texts]; its mean log10 LR is `neutral` - height."""
    evidence, tree, n = result.evidence, result.tree, len(result.texts)
    records, model = result.verifier.limits().track_records, result.verifier.identity
    encoded = [text.text.encode("utf-8", "surrogatepass") for text in result.texts]
    # A record depends on the shorter text.
    quoted = {track_record_of(records, reading, reading) for reading in evidence.readings}
    return {
        "names": [text.name for text in result.texts],
        "authors": [text.author for text in result.texts],
        "readings": [asdict(reading) for reading in evidence.readings],
        "doubts": [[str(doubt) for doubt in doubts] for doubts in evidence.doubts],
        "llr": [
            [None if i == j else value for j, value in enumerate(row)]
            for i, row in enumerate(evidence.llr.tolist())
        ],
        "reliable": evidence.reliable.tolist(),
        "copied": evidence.copied.tolist(),
        "verdict": [[evidence.verdict(i, j).value for j in range(n)] for i in range(n)],
        "order": list(tree.order),
        "merges": [[m.left, m.right, m.height, m.size] for m in tree.merges],
        "neutral": tree.neutral,
        "map": result.map.tolist(),
        "groups": list(tree.groups),
        "questioned": result.questioned,
        "genre": result.genre,
        "ranking": None if result.ranking is None else ranking_dict(result.ranking),
        "model": None if model is None else asdict(model),
        "hashes": [hashlib.sha256(text).hexdigest() for text in encoded],
        "track_records": [asdict(record) for record in records if record in quoted],
        "labels": dict(result.verifier.kind_labels()),
    }
