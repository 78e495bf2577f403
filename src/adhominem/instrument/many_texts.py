"""Methods of a verifier for many texts: columns in, a table or an array out, in blocks."""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from adhominem.arrays import Singles
from adhominem.checks import check_sides, check_texts
from adhominem.errors import InputError, MissingExtraError
from adhominem.instrument.evidence.decision import Decisions
from adhominem.instrument.evidence.matrix import Progress, quiet
from adhominem.records import Decision, Pair, Texts

if TYPE_CHECKING:
    from adhominem.instrument.evidence.attribution import Ranking

_BLOCK = 512  # pairs or texts
_LIBRARIES = ("pandas", "polars")
ProgressOption = Progress | bool


class ManyTexts(ABC):
    """The methods of a verifier for columns of texts."""

    @abstractmethod
    def decide(self, pairs: Sequence[Pair], *, distinct: bool = False) -> Decisions:
        """Verdict, score and reliability of each pair."""

    def verify_pairs(
        self, lefts: Any, rights: Any, *, genre: str | None = None, progress: ProgressOption = False
    ) -> Any:
        """`verify` each row of two columns; returns a table of pandas or polars.

        The table is of the library of the columns and has their index; for lists, it is of any
        library that is installed.

        lefts, rights   lists or columns of equal length; a row is a text or a list of texts
        progress        True shows a bar; a function is called with the rows done and all rows

        >>> adhominem.load().verify_pairs(["Too short."], ["To be judged."]).verdict[0]
        'undecided'
        """
        one, other = check_sides(lefts, "lefts"), check_sides(rights, "rights")
        if len(one) != len(other):
            raise InputError(f"lefts has {len(one):,} rows and rights {len(other):,}: give as many")
        library = _library_of(lefts)
        table: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
        for block in _blocks(len(one), progress):
            pairs = [Pair.of_texts(one[i], other[i], genre) for i in block]
            decisions = list(self.decide(pairs, distinct=True))
            for name, value in _COLUMNS.items():
                table[name] += map(value, decisions)
        index = {"index": lefts.index} if type(lefts).__module__.startswith("pandas") else {}
        return library.DataFrame(table, **index)

    def encode(self: Any, texts: Any, *, progress: ProgressOption = False) -> Singles:
        """Document features of a list or a column of texts, (texts, width); NaN for a text without
        tokens. Features of texts by one author are near each other.

        >>> adhominem.load().encode(["We loved it!!", "Never again."]).shape[0]
        2
        """
        from adhominem.instrument.feature_verifier import require_features

        network = require_features(self, "a {kind} model has no features")
        checked = check_texts(texts)
        parts = [network.features([checked[i] for i in b]) for b in _blocks(len(checked), progress)]
        return np.concatenate(parts) if parts else network.features([])

    def search(
        self: Any,
        questioned: Texts,
        candidates: Mapping[str, Sequence[str]] | Sequence[str],
        *,
        top: int = 20,
        prior: float = 0.5,
        genre: str | None = None,
    ) -> "Ranking":
        """The most probable authors of a text, best first, with "none of these" among the answers.

        candidates   texts by the name of their author, or a list of texts, named by their indices
        prior        probability beforehand that one of them wrote it

        >>> adhominem.load().search("Too short.", {"smith": ["To be judged."]}).none
        1.0
        """
        from adhominem.instrument.evidence.attribution import rank

        if not isinstance(candidates, Mapping):
            texts = check_texts(candidates, "candidates")
            candidates = {str(place): [text] for place, text in enumerate(texts)}
        return rank(self, questioned, candidates, prior=prior, genre=genre).best(top)


_COLUMNS: dict[str, Callable[[Decision], Any]] = {
    "verdict": attrgetter("verdict.value"),
    **{name: attrgetter(name) for name in ("score", "llr", "reliable", "distance")},
    **{f"{side}_tokens": attrgetter(f"{side}.tokens") for side in ("left", "right")},
    "reasons": lambda decision: "; ".join(map(str, decision.reasons)),
    "notes": lambda decision: "; ".join(map(str, decision.notes)),
}


def _blocks(total: int, progress: ProgressOption) -> Iterator[range]:
    """Yield blocks of indices and call `progress` after each; True shows a bar on stderr."""
    starts = range(0, total, _BLOCK)
    blocks: Iterable[range] = [range(start, min(start + _BLOCK, total)) for start in starts]
    if progress is True:
        from rich.console import Console
        from rich.progress import track

        blocks = track(list(blocks), "reading", console=Console(stderr=True))
    for block in blocks:
        yield block
        (progress if callable(progress) else quiet)(block.stop, total)


def _library_of(column: Any) -> Any:
    """The library of a column; for lists and arrays pandas, or polars where pandas is missing."""
    own = type(column).__module__.partition(".")[0]
    for name in (own,) if own in _LIBRARIES else _LIBRARIES:
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError:
            continue
    raise MissingExtraError("neither pandas nor polars is installed: pip install pandas")
