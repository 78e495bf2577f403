"""The interface of all methods.

A method computes similarities. Calibration and decision rule are the same for all methods, so their
scores mean the same. Methods that can be trained are in the laboratory.
"""

import importlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Floats, Singles
from adhominem.checks import check_sides, check_texts
from adhominem.errors import InputError, MissingExtraError, ModelError, NotFittedError
from adhominem.instrument.evidence.calibration import Calibration
from adhominem.instrument.evidence.copies import distinct_pair
from adhominem.instrument.evidence.decision import Calibrations, Decisions, decide
from adhominem.instrument.evidence.limits import Limits
from adhominem.instrument.evidence.matrix import EvidenceMatrix, Progress, matrix_of_pairs, quiet
from adhominem.instrument.evidence.sides import Sides
from adhominem.records import (
    Decision,
    Document,
    Explanation,
    Faithfulness,
    ModelIdentity,
    Pair,
    Reading,
    Reason,
    Texts,
    TrackRecord,
)

if TYPE_CHECKING:
    from adhominem.instrument.evidence.attribution import Ranking

ManySides = Sequence[Sequence[Document]]
ProgressOption = Progress | bool
_BLOCK = 512  # pairs or texts
_LIBRARIES = ("pandas", "polars")


@dataclass(frozen=True, slots=True)
class ModelState:
    """Learned state of a verifier for disk: settings and tables for JSON, and arrays."""

    settings: dict[str, Any]
    tables: dict[str, Any]
    arrays: dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Comparisons:
    similarity: Floats  # NaN where there is nothing to compare
    left: tuple[Reading, ...]
    right: tuple[Reading, ...]
    terms: Floats | None = None  # term of each view in the similarity, (n, views)
    distance: Floats | None = None  # distances of the features

    @classmethod
    def of_counts(
        cls, similarity: npt.ArrayLike, left: Iterable[int], right: Iterable[int]
    ) -> Self:
        """For methods that know only the number of tokens of each side."""
        one, other = (tuple(Reading(int(n), 0) for n in side) for side in (left, right))
        return cls(np.asarray(similarity, dtype=np.float64), one, other)


class Verifier(ABC):
    """Decides whether two sides, each of one text or more, have the same author.

    >>> "hotels" in adhominem.load().calibrations_
    True
    """

    kind: ClassVar[str]
    has_distance: bool = False  # this and the next six as in `Limits`
    min_tokens: int = 20
    max_unknown: float = 0.5
    min_english: float = 0.15
    min_llr: float = 0.05
    min_voice: float = -np.inf
    tau_s: float | None = None
    tau_d: float | None = None
    identity: ModelIdentity | None = None  # None until the model is saved or loaded
    calibration_: Calibration | None = None  # for texts of unknown genre
    calibrations_: Mapping[str, Calibration] = MappingProxyType({})  # by genre
    track_record_: tuple[TrackRecord, ...] = ()  # errors on held-out pairs
    faithfulness_: tuple[Faithfulness, ...] = ()  # test results of explanations

    def score(self, pairs: Sequence[Pair]) -> Floats:
        """P(same author) at equal priors for each pair; 0.5 where the method cannot say.

        >>> adhominem.load().score([Pair.of_texts("Too short.", "To be judged.")])
        array([0.5])
        """
        scores: Floats = 1 / (1 + 10.0 ** -self.decide(pairs).llr)
        return scores

    def decide(self, pairs: Sequence[Pair], *, distinct: bool = False) -> Decisions:
        """Verdict, score and reliability of each pair, as columns whose `[i]` is a Decision.

        distinct   whether to leave out repeated and copied text, as `verify` and `explain` do

        >>> pairs = [Pair.of_texts("Too short.", "To be judged.")]
        >>> [decision.verdict.value for decision in adhominem.load().decide(pairs)]
        ['undecided']
        """
        calibrations = self.calibrations()
        check_pairs(pairs)
        for genre in {pair.genre for pair in pairs} - {None}:
            self.check_genre(str(genre))
        notes: Sequence[tuple[Reason, ...]] = ()
        if distinct and pairs:
            pairs, notes = zip(*map(distinct_pair, pairs), strict=True)
        compared = self.compare(pairs)

        def sides(readings: Sequence[Reading]) -> Sides:
            rows = zip(pairs, readings, strict=True)
            return Sides.of([r if p.genre is None else replace(r, genre=p.genre) for p, r in rows])

        both = sides(compared.left), sides(compared.right)
        columns = compared.terms, compared.distance
        return decide(compared.similarity, both, calibrations, self.limits(), notes, *columns)

    def verify(self, left: Texts, right: Texts, *, genre: str | None = None) -> Decision:
        """Compares two texts, or two lists of texts, each list by one author. Repeated text counts
        once, and texts that stand on both sides are left out; the notes of the answer say so.

        genre   a genre of the model, if the kind of the texts is known

        >>> adhominem.load().verify(["Too", "short."], "To be judged.", genre="hotels").verdict
        <Verdict.UNDECIDED: 'undecided'>
        """
        return self.decide([Pair.of_texts(left, right, genre)], distinct=True)[0]

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

    def encode(self, texts: Any, *, progress: ProgressOption = False) -> Singles:
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
        self,
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

    def matrix(
        self, sides: ManySides, progress: Progress = quiet, *, genre: str | None = None
    ) -> EvidenceMatrix:
        """Decide about every two of these sides. `progress(done, total)` is called at intervals and
        may raise an exception to stop the work.

        >>> sides = [(Document("Too short."),), (Document("To be judged."),)]
        >>> adhominem.load().matrix(sides).verdict(0, 1)
        <Verdict.UNDECIDED: 'undecided'>
        """
        self.calibrations()
        return matrix_of_pairs(self.decide, sides, self.limits(), progress, genre=genre)

    def explain(self, pair: Pair, *, contributions: bool = True) -> Explanation:
        """Explain a decision by the weights of words and sentences, by default from removing each
        of them in turn.

        contributions   False skips the contributions of words if the method can do without

        >>> adhominem.load().explain(Pair.of_texts("Too short.", "To be judged.")).method
        'attention'
        """
        from adhominem.instrument.explain.occlusion import explain_by_occlusion

        del contributions
        return explain_by_occlusion(self, pair)

    def explain_texts(self, left: Texts, right: Texts, *, genre: str | None = None) -> Explanation:
        """`explain` for two texts, or two lists of texts.

        >>> adhominem.load().explain_texts("Too short.", "To be judged.").left[0].words[0].text
        'Too'
        """
        return self.explain(Pair.of_texts(left, right, genre))

    def save(self, folder: Path | str, *, name: str, version: str = "1", card: str = "") -> None:
        """Write a model folder, which `adhominem.load` reads.

        >>> adhominem.load().save("my-model", name="mine")
        """
        from adhominem.instrument.model_folder import save_model

        save_model(self, Path(folder), name=name, version=version, card=card)

    def with_reference(self, texts: Sequence[str]) -> Self:  # noqa: ARG002
        """A copy that standardises features by reference texts, if the method can."""
        raise ModelError(f"a {self.kind} model has no use for reference texts")

    def calibrations(self) -> Calibrations:
        """The calibrations by genre, with None for texts of unknown genre."""
        if self.calibration_ is None:
            raise NotFittedError(f"this {self.kind} verifier is not fitted: call fit() or load one")
        unknown: dict[str | None, Calibration] = {None: self.calibration_}
        return unknown | dict(self.calibrations_)

    def limits(self) -> Limits:
        """Limits of this verifier, and facts that its decisions quote."""
        own = ("min_tokens", "max_unknown", "min_english", "min_llr", "min_voice", "tau_s", "tau_d")
        return Limits(
            **{name: getattr(self, name) for name in (*own, "has_distance")},
            term_names=self.term_names(),
            track_records=self.track_record_,
            model=self.identity,
            labels=self.kind_labels(),
        )

    def leaving_out(self, sides: Iterable[Iterable[Document]]) -> Self:  # noqa: ARG002
        """This verifier, or a copy without the reference texts that are in these sides."""
        return self

    def detectable_genres(self) -> Collection[str]:
        """Genres that are detected if none is stated."""
        return ()

    def kind_labels(self) -> Mapping[str, str]:
        """Labels of kinds of text, by name; empty if there are only names."""
        return {}

    def term_names(self) -> tuple[str, ...]:
        """Names of the views whose terms add up to the similarity."""
        return ()

    def check_genre(self, genre: str) -> str:
        """Return the genre; raise an InputError if the model does not have it."""
        if genre not in self.calibrations_:
            labels, names = self.kind_labels(), sorted(self.calibrations_)
            meant = get_close_matches(genre, names, n=3) or names
            known = ", ".join(labels.get(name, name) for name in meant) or "none, leave it out"
            more = "" if len(meant) == len(names) else f", among {len(names)} genres"
            raise InputError(f"genre '{genre}' is not known to the model: it knows {known}{more}")
        return genre

    def __repr__(self) -> str:
        one = self.identity
        model = "not saved" if one is None else f"{one.name!r}, version {one.version!r}"
        return f"<{type(self).__name__}: {model}>"

    @abstractmethod
    def compare(self, pairs: Sequence[Pair]) -> Comparisons:
        """Similarities of pairs, larger for more alike, and readings of their sides."""

    @abstractmethod
    def state(self) -> ModelState:
        """The learned state, to be saved in a model folder."""

    @abstractmethod
    def restore(self, state: ModelState) -> None:
        """Take over a learned state from a model folder."""


def check_pairs(pairs: Sequence[Pair]) -> None:
    """Raise an InputError if a side has no text at all."""
    for pair in pairs:
        if not (pair.left and pair.right):
            name = "right" if pair.left else "left"
            raise InputError(f"the {name} side has no text: give at least one")


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
