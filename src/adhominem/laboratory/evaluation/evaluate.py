"""Reports on answers to labelled pairs: overall, by cell, by length, and of several methods.

A report is JSON data; an undefined value is None.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.files import sha256
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.evaluation.answers import Answers, align, cells_of
from adhominem.laboratory.evaluation.intervals import exchange_p, interval, resample
from adhominem.laboratory.evaluation.measures import AUC, ERROR, MEASURES
from adhominem.records import TrackRecord

BANDS = (0, 50, 100, 150, 200, 300, 500, 1000)  # tokens of the shorter side
_FEWEST_OF_A_KIND = 30  # a kind with fewer pairs in a band does not widen its interval
_ENOUGH = 100  # pairs of a band that a model quotes


def evaluate(answers: Answers, *, intervals: bool = False) -> dict[str, Any]:
    """Every measure over all pairs, with intervals if asked for; error and AUC of subsets."""
    report: dict[str, Any] = {
        "pairs": len(answers),
        "undecided": int(answers.undecided.sum()),
        **{measure.name: measure.of(answers) for measure in MEASURES},
        "high_reliability": _at_high_reliability(answers),
    }
    if answers.same_topic is not None:
        report["hard_half"] = _brief(answers.select(answers.same_author != answers.same_topic))
    report["cells"] = {}
    for name, chosen in cells_of(answers).items():
        cell = answers.select(chosen)
        figures = {"pairs": len(cell), "error": ERROR.of(cell)}
        report["cells"][name] = {**figures, "high_reliability": _at_high_reliability(cell)}
    report["bands"] = [
        {"from": low, "to": high, **_brief(band)}
        for low, high, band in bands_of(answers, BANDS)
        if len(band)
    ]
    if intervals:
        resampled = resample({"": answers})[""]
        report["intervals"] = {name: interval(drawn) for name, drawn in resampled.items()}
    return dict(_without_nan(report))


def bands_of(answers: Answers, edges: Sequence[int]) -> Iterator[tuple[int, int | None, Answers]]:
    """Lower bound, exclusive upper bound (None for the last) and answers of each length band."""
    for low, high in zip(edges, [*edges[1:], None], strict=True):
        chosen = (answers.tokens >= low) & (answers.tokens < (high or np.inf))
        yield low, high, answers.select(chosen)


def compare_methods(answers: Mapping[str, Answers], *, seed: int = 0) -> dict[str, Any]:
    """The report of every method, lowest error first, and differences to the best method."""
    aligned = align(answers)
    resampled = resample(aligned, seed=seed)
    rows: dict[str, dict[str, Any]] = {}
    for name, own in aligned.items():
        rows[name] = evaluate(own)
        rows[name]["intervals"] = {key: interval(drawn) for key, drawn in resampled[name].items()}
        if folds := by_fold(own):
            rows[name]["folds"] = folds
    best, *others = order = sorted(rows, key=lambda name: (rows[name]["error"], name))
    differences = {
        name: interval(resampled[name]["error"] - resampled[best]["error"])
        | {"p": exchange_p(aligned[name], aligned[best], seed=seed)}
        for name in others
    }
    cells = {name: int(cell.sum()) for name, cell in cells_of(aligned[best]).items()}
    methods = {name: rows[name] for name in order}
    figures = {"cells": cells, "methods": methods, "difference_to_best": differences}
    return dict(_without_nan({"pairs": len(aligned[best]), **figures}))


def track_records(
    answers: Answers, genre: str | None, kinds: Sequence[Answers] = ()
) -> list[TrackRecord]:
    """Error rates of a genre that a model quotes beside its verdicts, by the length of the shorter
    side. A length band with too few pairs is merged with its neighbour. Given the answers for
    several kinds of text, the quoted interval spans the intervals of all kinds."""
    tokens = answers.tokens
    if len(answers) < _ENOUGH:
        return []
    edges = [int(tokens.min())]
    for edge in BANDS:
        below = np.sum((tokens >= edges[-1]) & (tokens < edge))
        if min(below, np.sum(tokens >= edge)) >= _ENOUGH:
            edges.append(edge)
    records = []
    of_kinds = [[part for *_, part in bands_of(kind, edges)] for kind in kinds]
    for i, (shortest, longest, band) in enumerate(bands_of(answers, edges)):
        sure = band.select(band.reliable)
        wrong = (band.llr > 0) != band.same_author
        parts = [own[i] for own in of_kinds if len(own[i]) >= _FEWEST_OF_A_KIND] or [band]
        lows, highs = zip(*map(error_interval, parts), strict=True)
        records.append(
            TrackRecord(
                genre=genre,
                shortest=shortest,
                longest=longest,
                pairs=len(band),
                error=ERROR.of(band),
                reliable_share=len(sure) / len(band),
                reliable_error=ERROR.of(sure) if len(sure) else None,
                low=min(lows),
                high=max(highs),
                false_same=mean_of(wrong[~band.same_author & ~band.undecided]),
                false_different=mean_of(wrong[band.same_author & ~band.undecided]),
                kinds=len(parts),
            )
        )
    return records


def error_interval(answers: Answers) -> tuple[float, float]:
    """Clopper-Pearson 95 % interval of the error; an undecided pair is half an error."""
    from scipy.stats import beta

    n, wrong = len(answers), ERROR.of(answers) * len(answers)
    low = beta.ppf(0.025, wrong, n - wrong + 1) if wrong > 0 else 0.0
    high = beta.ppf(0.975, wrong + 1, n - wrong) if wrong < n else 1.0
    return float(low), float(high)


def mean_of(values: npt.NDArray[Any]) -> float | None:
    """The mean, or None without values."""
    return float(np.mean(values)) if len(values) else None


def describe_model(verifier: Verifier) -> dict[str, Any] | None:
    """Name, version and hash of the model; None if it was never saved."""
    return None if verifier.identity is None else asdict(verifier.identity)


def describe_source(verifier: Verifier, path: Path) -> dict[str, Any]:
    """Identity of the model and of the file of pairs behind a report."""
    pairs_file = {"name": path.name, "sha256": sha256(path)}
    return {"model": describe_model(verifier), "pairs_file": pairs_file}


def _without_nan(report: Any) -> Any:
    """The report with None for NaN, which JSON does not have."""
    if isinstance(report, dict):
        return {name: _without_nan(part) for name, part in report.items()}
    if isinstance(report, list):
        return [_without_nan(part) for part in report]
    return None if isinstance(report, float) and np.isnan(report) else report


def _brief(answers: Answers) -> dict[str, float]:
    return {"pairs": len(answers), **{m.name: m.of(answers) for m in (ERROR, AUC)}}


def _at_high_reliability(answers: Answers) -> dict[str, float]:
    share = float(answers.reliable.sum() / max(len(answers), 1))
    return {"share": share, "error": ERROR.of(answers.select(answers.reliable))}


def by_fold(answers: Answers) -> dict[str, Any] | None:
    """Error of each fold of a cross-validation; pair ids start with the number of the fold."""
    matches = [re.match(r"fold-(\d+)-", str(pair)) for pair in answers.ids]
    if not all(matches):
        return None
    fold = np.array([int(match[1]) for match in matches if match])
    errors = [ERROR.of(answers.select(fold == k)) for k in np.unique(fold)]
    deviation = float(np.std(errors, ddof=1)) if len(errors) > 1 else 0.0
    return {"error": errors, "mean": float(np.mean(errors)), "deviation": deviation}
