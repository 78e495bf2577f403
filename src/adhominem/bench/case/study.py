"""A case studied: the evidence between every two texts, their groups, a map, and the candidates
for the questioned text."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
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
from adhominem.records import Document, ModelIdentity, Reading, TrackRecord


@dataclass(frozen=True, slots=True)
class CaseResult:
    """Row i of every table is text i. `ranking` has the candidates for the questioned text and is
    None where no text is questioned; `genre` is the kind of all texts, where it was stated;
    `track_records` are the errors on test pairs of these kinds and lengths; `labels` are words for
    the kinds, by name."""

    names: tuple[str, ...]
    authors: tuple[str | None, ...]
    evidence: EvidenceMatrix
    tree: Tree
    map: Floats
    questioned: str | None
    ranking: Ranking | None
    model: ModelIdentity | None
    genre: str | None = None
    track_records: tuple[TrackRecord, ...] = ()
    sha256: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)


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
    return CaseResult(
        tuple(text.name for text in texts),
        tuple(text.author for text in texts),
        evidence,
        tree,
        points,
        questioned,
        ranking,
        verifier.identity,
        genre,
        _track_records(verifier.limits().track_records, evidence.readings),
        tuple(
            hashlib.sha256(text.text.encode("utf-8", "surrogatepass")).hexdigest() for text in texts
        ),
        verifier.kind_labels(),
    )


def _track_records(
    records: Sequence[TrackRecord], readings: Sequence[Reading]
) -> tuple[TrackRecord, ...]:
    """The records that any two of these texts have; they depend on the shorter text."""
    found = {track_record_of(records, reading, reading) for reading in readings}
    return tuple(record for record in records if record in found)


def case_dict(result: CaseResult) -> dict[str, Any]:
    """As plain values for JSON. `llr` is null for a text and itself, 0 for a pair that is
    undecided. A merge is [node, node, height, texts]; its mean log10 LR is `neutral` - height."""
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
        "model": None if result.model is None else asdict(result.model),
        "hashes": list(result.sha256),
        "track_records": [asdict(record) for record in result.track_records],
        "labels": dict(result.labels),
    }
