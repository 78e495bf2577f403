"""All there is to say of a case: the evidence between every two texts, which belong together, where
they lie on a map, and who may have written the questioned one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adhominem.bench.case.plane import draw_map
from adhominem.bench.case.texts import NamedText, candidates, check_texts
from adhominem.bench.case.tree import Tree, grow_tree
from adhominem.instrument.evidence.attribution import Ranking, rank
from adhominem.instrument.evidence.matrix import EvidenceMatrix, Progress, quiet
from adhominem.instrument.verifier import Verifier
from adhominem.records import Document, ModelIdentity


@dataclass(frozen=True, slots=True)
class CaseResult:
    """Row i of every table is text i. `ranking` is of the candidates for the questioned text, None
    where none is questioned; `genre` is the kind of all texts, where it was said."""

    names: tuple[str, ...]
    authors: tuple[str | None, ...]
    evidence: EvidenceMatrix
    tree: Tree
    map: npt.NDArray[np.float64]
    questioned: str | None
    ranking: Ranking | None
    model: ModelIdentity | None
    genre: str | None = None


def study(
    verifier: Verifier,
    texts: Sequence[NamedText],
    questioned: str | None = None,
    progress: Progress = quiet,
    *,
    genre: str | None = None,
) -> CaseResult:
    """`progress(done, total)` is told now and then, and may raise to stop the work. `genre` where
    the kind of all texts is known."""
    check_texts(texts, questioned)
    evidence = verifier.matrix([(Document(text.text),) for text in texts], progress, genre=genre)
    # By name, so that of equal evidence (many pairs reach the bounds of the likelihood ratio) the
    # same comes first whatever the order of the texts.
    by_name = sorted(range(len(texts)), key=lambda place: texts[place].name)
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
    )
