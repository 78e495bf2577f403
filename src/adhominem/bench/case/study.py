"""Analyses a case: the evidence between every two texts, groups of texts, a map, and a ranking of
candidates for the questioned text.

Memory for n texts, besides the texts and the model: 50 kilobytes per text for the vectors of the
shipped model while pairs are compared, seven bytes for each of the n x n answers of a large case,
and twelve more while the texts are grouped.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

import numpy as np

from adhominem.arrays import Floats, Integers, Reals
from adhominem.bench.case.plane import draw_map
from adhominem.bench.case.texts import NamedText, candidates, check_texts
from adhominem.bench.case.tree import Tree, grow_tree, leaf_order
from adhominem.instrument.evidence.attribution import Ranking, rank
from adhominem.instrument.evidence.decision import track_record_of
from adhominem.instrument.evidence.matrix import MOST_EXACT, EvidenceMatrix, Progress, quiet
from adhominem.instrument.report.as_json import ranking_dict
from adhominem.instrument.verifier import Verifier
from adhominem.records import Document

MOST_DRAWN = MOST_EXACT  # texts of a case that is drawn whole, with all its numbers
_LINKED = 100  # texts with the strongest links, including both ends of the 50 strongest


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of `study`; row i of every table is text i."""

    verifier: Verifier
    texts: tuple[NamedText, ...]
    evidence: EvidenceMatrix
    tree: Tree
    order: tuple[int, ...]  # texts that are drawn, in the order of the leaves of the tree
    map: Floats  # points of the texts; NaN if they are not drawn
    questioned: str | None  # name of the questioned text
    ranking: Ranking | None  # candidates for the questioned text
    genre: str | None  # stated genre of all texts
    summary: dict[str, Any]  # counts of the whole case

    @property
    def names(self) -> list[str]:
        return [text.name for text in self.texts]

    @property
    def drawn_in_part(self) -> bool:
        return len(self.order) < len(self.texts)

    def drawn(self) -> Self:
        """The drawn texts as a case of their own, with the summary of the whole case."""
        if not self.drawn_in_part:
            return self
        texts = np.sort(self.order)
        place = {text: number for number, text in enumerate(texts.tolist())}
        return replace(
            self,
            texts=tuple(self.texts[i] for i in texts),
            evidence=self.evidence.select(texts),
            tree=self.tree.part(texts.tolist()),
            order=tuple(place[text] for text in self.order),
            map=self.map[texts],
        )


def study(
    verifier: Verifier,
    texts: Sequence[NamedText],
    questioned: str | None = None,
    progress: Progress = quiet,
    *,
    genre: str | None = None,
    own_reference: bool = False,
) -> CaseResult:
    """Compare every two texts.

    progress        called at intervals with the work done and all work; may raise to stop the work
    genre           genre of all texts, if known
    own_reference   whether the other texts of the case are the reference texts of each pair: for
                    many texts of one kind by many authors; slower, as each pair is judged alone
    """
    check_texts(texts, questioned)
    sides = [(Document(text.text),) for text in texts]
    if own_reference:
        verifier = verifier.with_reference([text.text for text in texts])
        evidence = Verifier.matrix(verifier, sides, progress, genre=genre)
    else:
        verifier = verifier.leaving_out(sides)
        evidence = verifier.matrix(sides, progress, genre=genre)
    # Sorted by name, so that ties (many pairs reach the bounds of the likelihood ratio) are broken
    # in the same way for any order of the texts.
    names = [text.name for text in texts]
    by_name = np.array(sorted(range(len(names)), key=names.__getitem__))
    llr = evidence.llr[np.ix_(by_name, by_name)]
    tree = grow_tree(llr, min_llr=verifier.min_llr)
    place = None if questioned is None else sorted(names).index(questioned)
    drawn = choose_drawn(llr, tree.groups, place)
    llr = llr[np.ix_(drawn, drawn)].astype(np.float64)
    order = by_name[drawn[leaf_order(llr, tree.part(drawn.tolist()))]]
    points = np.full((len(texts), 2), np.nan)
    points[by_name[drawn]] = draw_map(llr)
    tree = tree.renumbered(by_name.tolist())
    ranking = None
    if questioned is not None:
        text = texts[names.index(questioned)].text
        ranking = rank(verifier, text, candidates(texts, questioned), genre=genre)
    figures = (tree, tuple(order.tolist()), points)
    asked, summary = (questioned, ranking, genre), summarise(evidence, tree.groups)
    return CaseResult(verifier, tuple(texts), evidence, *figures, *asked, summary)


def summarise(evidence: EvidenceMatrix, groups: Sequence[int]) -> dict[str, Any]:
    """Counts of a whole case: texts, texts not judged, pairs by verdict, reliable answers, and the
    sizes of the groups of two texts or more, the largest first."""
    n, decided = len(groups), evidence.decided
    tables = (decided & (evidence.llr > 0), decided, evidence.reliable)
    n_same, n_decided, n_reliable = (int(np.count_nonzero(table)) // 2 for table in tables)
    n_pairs = n * (n - 1) // 2
    return {
        "texts": n,
        "not_judged": sum(map(bool, evidence.doubts)),
        "pairs": n_pairs,
        "same": n_same,
        "different": n_decided - n_same,
        "undecided": n_pairs - n_decided,
        "reliable": n_reliable,
        "groups": [size for _, size in Counter(groups).most_common() if size > 1],
    }


def choose_drawn(llr: Reals, groups: Sequence[int], questioned: int | None = None) -> Integers:
    """The indices of the texts to draw, in ascending order: all texts, or for a large case the
    questioned text and its nearest texts, the texts with the strongest links, the largest groups,
    and single texts by their strongest link."""
    n = len(llr)
    if n <= MOST_DRAWN:
        return np.arange(n)
    strongest = np.fmax.reduce(llr, axis=1)
    sizes = Counter(groups)
    group = np.array([own if sizes[own] > 1 else n for own in groups])
    chosen: list[int] = []
    if questioned is not None:  # NaN, which a text has with itself, comes last
        chosen = [questioned, *np.argsort(-llr[questioned], kind="stable")[:_LINKED]]
    chosen += [*np.argsort(-strongest, kind="stable")[:_LINKED], *np.lexsort((-strongest, group))]
    return np.sort(list(dict.fromkeys(chosen))[:MOST_DRAWN])


def case_dict(result: CaseResult) -> dict[str, Any]:
    """Plain values for JSON. A merge is [node, node, height, texts]; its mean log10 LR is `neutral`
    - height. `map` is null for a text that is not drawn. `track_records` has the errors on test
    pairs of these genres and lengths. Only a case that is drawn whole has tables of all pairs;
    their `llr` is null for a text and itself, 0 for undecided pairs."""
    evidence, tree, n = result.evidence, result.tree, len(result.texts)
    tables = {}
    if not result.drawn_in_part:
        tables = {
            "llr": [[None if math.isnan(x) else x for x in row] for row in evidence.llr.tolist()],
            "reliable": evidence.reliable.tolist(),
            "copied": evidence.copied.tolist(),
            "verdict": [[evidence.verdict(i, j).value for j in range(n)] for i in range(n)],
        }
    records, model = result.verifier.limits().track_records, result.verifier.identity
    encoded = [text.text.encode("utf-8", "surrogatepass") for text in result.texts]
    # A record depends on the shorter text.
    quoted = {track_record_of(records, reading, reading) for reading in evidence.readings}
    return {
        "names": result.names,
        "authors": [text.author for text in result.texts],
        "readings": [asdict(reading) for reading in evidence.readings],
        "doubts": [[str(doubt) for doubt in doubts] for doubts in evidence.doubts],
        **tables,
        "order": list(result.order),
        "merges": [[m.left, m.right, m.height, m.size] for m in tree.merges],
        "neutral": tree.neutral,
        "map": [None if math.isnan(point[0]) else point for point in result.map.tolist()],
        "groups": list(tree.groups),
        "questioned": result.questioned,
        "genre": result.genre,
        "ranking": None if result.ranking is None else ranking_dict(result.ranking),
        "model": None if model is None else asdict(model),
        "hashes": [hashlib.sha256(text).hexdigest() for text in encoded],
        "track_records": [asdict(record) for record in records if record in quoted],
        "labels": dict(result.verifier.kind_labels()),
        "summary": result.summary,
    }
