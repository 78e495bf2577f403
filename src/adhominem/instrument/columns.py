"""Many texts at once: columns in, a table or an array out, in blocks of bounded memory."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from adhominem.arrays import Singles
from adhominem.checks import check_column, check_side, check_texts
from adhominem.errors import InputError, MissingExtraError
from adhominem.instrument.evidence.matrix import Progress
from adhominem.instrument.feature_verifier import require_features
from adhominem.instrument.verifier import Verifier
from adhominem.records import Decision, Pair

_BLOCK = 512  # pairs or texts
_LIBRARIES = ("pandas", "polars")


def verify_pairs(
    verifier: Verifier, lefts: Any, rights: Any, *, genre: str | None, progress: Progress | bool
) -> Any:
    """See `Verifier.verify_pairs`."""
    columns = {"lefts": check_column(lefts, "lefts"), "rights": check_column(rights, "rights")}
    one, other = columns.values()
    if len(one) != len(other):
        raise InputError(f"lefts has {len(one):,} rows and rights {len(other):,}: give as many")
    for name, column in columns.items():
        for row, side in enumerate(column):
            if not check_side(side, f"{name}[{row}]"):
                raise InputError(f"{name}[{row}] is an empty list: give at least one text")
    library = _library_of(lefts)
    rows = [
        _row(decision)
        for start, stop in _blocks(len(one), progress)
        for decision in verifier.decide(
            [Pair.of_texts(one[i], other[i], genre) for i in range(start, stop)], distinct=True
        )
    ]
    table = {name: [row[i] for row in rows] for i, name in enumerate(_COLUMNS)}
    is_series = library.__name__ == "pandas" and hasattr(lefts, "index") and hasattr(lefts, "loc")
    return library.DataFrame(table, index=lefts.index) if is_series else library.DataFrame(table)


def encode(verifier: Verifier, texts: Any, *, progress: Progress | bool) -> Singles:
    """See `Verifier.encode`."""
    network = require_features(verifier, "a {kind} model has no features: load a network")
    checked = check_texts(texts)
    parts = [network.features(checked[i:j]) for i, j in _blocks(len(checked), progress)]
    return np.concatenate(parts) if parts else network.features([])


_COLUMNS = (
    *("verdict", "score", "llr", "reliable", "distance"),
    *("left_tokens", "right_tokens", "reasons", "notes"),
)


def _row(decision: Decision) -> tuple[Any, ...]:
    return (
        decision.verdict.value,
        *(decision.score, decision.llr, decision.reliable, decision.distance),
        *(decision.left.tokens, decision.right.tokens),
        "; ".join(map(str, decision.reasons)),
        "; ".join(map(str, decision.notes)),
    )


def _blocks(total: int, progress: Progress | bool) -> Iterator[tuple[int, int]]:
    """Starts and ends of blocks; `progress` is told after each, True shows a bar on stderr."""
    blocks = [(start, min(start + _BLOCK, total)) for start in range(0, total, _BLOCK)]
    if progress is True:
        from rich.console import Console
        from rich.progress import Progress as Bar

        with Bar(console=Console(stderr=True)) as bar:
            task = bar.add_task("reading", total=total)
            yield from _told(blocks, lambda done, _: bar.update(task, completed=done), total)
    else:
        yield from _told(blocks, progress or (lambda *_: None), total)


def _told(
    blocks: list[tuple[int, int]], progress: Progress, total: int
) -> Iterator[tuple[int, int]]:
    for start, stop in blocks:
        yield start, stop
        progress(stop, total)


def _library_of(column: Any) -> Any:
    """The library of a column; for lists and arrays pandas, or polars where pandas is missing."""
    own = type(column).__module__.partition(".")[0]
    for name in (own,) if own in _LIBRARIES else _LIBRARIES:
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError:
            continue
    raise MissingExtraError("neither pandas nor polars is installed: pip install pandas")
