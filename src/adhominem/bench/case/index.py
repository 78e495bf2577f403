"""An index: the features of the texts of each candidate, stored on disk, and the search in it.

index.json           format, model, counts, sha256 of the other files and of its own content
features.npy         a row for each candidate, float32, read by memory map
candidates.parquet   names, and the columns of `Reading`

No text is stored. An index belongs to one model, by its hash. The search is exact: every candidate
is weighed as by `attribution.rank`, in blocks of rows; the decisions about the best are then made
from their features in full precision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Floats, Integers, Singles
from adhominem.bench.case.texts import KnownTexts
from adhominem.errors import InputError, ModelError, optional_imports
from adhominem.files import read_sealed, sealed_json, sha256, whole_folder
from adhominem.instrument.evidence import attribution
from adhominem.instrument.evidence.attribution import EVEN, Candidate, Ranking
from adhominem.instrument.evidence.decision import decide
from adhominem.instrument.evidence.matrix import Progress, quiet
from adhominem.instrument.evidence.sides import Sides
from adhominem.instrument.feature_verifier import FeatureVerifier, require_features
from adhominem.instrument.network.side import ReadText
from adhominem.instrument.verifier import Verifier
from adhominem.records import Reading

if TYPE_CHECKING:
    import pyarrow

FORMAT = "adhominem-index-4"
DESCRIPTION, FEATURES, CANDIDATES = "index.json", "features.npy", "candidates.parquet"
_BLOCK = 4096  # texts that are read together
_ROWS = 2048  # that fit a core's cache
_KINDS = ("genre", "recognised")
_READ = ("tokens", "unknown", "english", "out_of_domain", "stretches", "norm", "voice")


@dataclass(frozen=True, slots=True)
class Index:
    """Names, features and counts of the candidates, a row each."""

    names: pyarrow.ChunkedArray
    features: Singles
    sides: Sides

    def __len__(self) -> int:
        return len(self.features)

    def name(self, place: int) -> str:
        return str(self.names[place].as_py())

    def with_genre(self, genre: str) -> Index:
        """A copy in which every candidate has a stated genre."""
        return replace(self, sides=self.sides.with_genre(genre))


def write_index(
    verifier: Verifier, known: KnownTexts, folder: Path, progress: Progress = quiet
) -> None:
    """Reads all texts. The folder appears whole or not at all."""
    with optional_imports():
        from pyarrow import parquet
    network = reader_of(verifier)
    n, total = len(known.names), sum(known.n_texts)
    if not n:
        raise InputError("no candidates: give the texts of one author at least")
    readings: list[Reading | None] = [None] * n
    with whole_folder(folder) as target:
        with (target / FEATURES).open("wb") as features:  # no map: a full disk would kill it
            start = 0
            for place, row, reading in _joined(network, known, lambda done: progress(done, total)):
                values = row.astype("<f4")
                if not start:
                    header = {"descr": "<f4", "fortran_order": False, "shape": (n, len(values))}
                    np.lib.format.write_array_header_1_0(features, header)
                    start = features.tell()
                features.seek(start + place * values.nbytes)
                features.write(values.tobytes())
                readings[place] = reading
        read = [reading for reading in readings if reading is not None]
        parquet.write_table(_table(known.names, read), target / CANDIDATES)
        description = {
            "format": FORMAT,
            "model": asdict(network.identity) if network.identity else None,
            "limits": _limits(network),
            "candidates": n,
            "texts": total,
            "sha256": {name: sha256(target / name) for name in (FEATURES, CANDIDATES)},
        }
        (target / DESCRIPTION).write_bytes(sealed_json(description))


def open_index(folder: Path, verifier: Verifier) -> Index:
    """Opens an index for the model that it was made with."""
    with optional_imports():
        import pyarrow
        from pyarrow import parquet
    try:
        description = read_sealed((folder / DESCRIPTION).read_bytes())
        if description["format"] != FORMAT:
            raise ValueError(f"format {description['format']}")
        for name in (FEATURES, CANDIDATES):
            if sha256(folder / name) != description["sha256"][name]:
                raise ValueError(f"{name} was changed after it was written")
        table = parquet.read_table(folder / CANDIDATES)
        features = np.load(folder / FEATURES, mmap_mode="r", allow_pickle=False)
        if features.shape[0] != len(table) or features.dtype != np.float32:
            raise ValueError("features and candidates do not fit")
        model, limits = description["model"], description["limits"]
        index = _index(table, features)
    except (OSError, ValueError, KeyError, TypeError, EOFError, pyarrow.ArrowException) as error:
        problem = str(error).splitlines()[0][:100]
        raise InputError(f"{folder} is not a whole index ({problem}): index again") from None
    network = reader_of(verifier)
    if network.identity is None or model != asdict(network.identity):
        made = "a model that was never saved" if model is None else f"{model['name']!r:.60}"
        raise ModelError(f"{folder} was made with {made}, not with this model: index again")
    if limits != _limits(network):
        raise ModelError(f"{folder} was made with other limits on texts: index again")
    return index


def reader_of(verifier: Verifier) -> FeatureVerifier:
    network = require_features(verifier, "a {kind} model has no features to keep: use a network")
    network.calibrations()
    return network


def _joined(
    network: FeatureVerifier, known: KnownTexts, progress: Callable[[int], None]
) -> Iterator[tuple[int, Floats, Reading]]:
    """Yields each candidate as soon as the last of its texts is read."""
    waiting: dict[int, list[ReadText]] = {}
    texts, done = iter(known.texts), 0
    while block := list(islice(texts, _BLOCK)):
        for (place, _), read in zip(block, network.read([text for _, text in block]), strict=True):
            waiting.setdefault(place, []).append(read)
            if len(waiting[place]) == known.n_texts[place]:
                yield place, *network.join(waiting.pop(place))
        done += len(block)
        progress(done)


def _table(names: Sequence[str], read: Sequence[Reading]) -> pyarrow.Table:
    import pyarrow

    columns: dict[str, Any] = {name: [getattr(reading, name) for reading in read] for name in _READ}
    for name in ("english", "voice"):
        columns[name] = pyarrow.array(columns[name], pyarrow.float64())
    for name in _KINDS:
        columns[name] = pyarrow.array([getattr(one, name) for one in read], pyarrow.string())
    return pyarrow.table({"name": [_storable(name) for name in names], **columns})


def _storable(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()


def _index(table: pyarrow.Table, features: Singles) -> Index:
    import pyarrow

    def column(name: str) -> npt.NDArray[Any]:
        values: npt.NDArray[Any] = table[name].to_numpy()
        return values

    from pyarrow import compute

    genres = sorted({name for kind in _KINDS for name in table[kind].unique().to_pylist() if name})
    known = pyarrow.array(genres, pyarrow.string())
    codes = {
        kind: compute.index_in(table[kind], known).fill_null(-1).to_numpy().astype(np.int64)
        for kind in _KINDS
    }
    sides = Sides(genres=tuple(genres), **codes, **{name: column(name) for name in _READ})
    return Index(table["name"], features, sides)


def _limits(verifier: Verifier) -> dict[str, float]:
    names = ("min_tokens", "max_unknown", "min_english")
    return {name: getattr(verifier, name) for name in names}


def search(
    verifier: Verifier,
    questioned: str | Sequence[str],
    index: Index,
    *,
    top: int = 20,
    prior: float = EVEN,
    genre: str | None = None,
) -> Ranking:
    """The `top` candidates; `prior` and `genre` as in `attribution.rank`."""
    if top < 1:
        raise InputError(f"{top} candidates were asked for: ask for one at least")
    network = reader_of(verifier)
    texts = [questioned] if isinstance(questioned, str) else list(questioned)
    features, reading = network.join(network.read(texts))
    if genre is not None:
        index = index.with_genre(network.check_genre(genre))
        reading = reading.with_genre(genre)
    one, calibrations, limits = Sides.of([reading]), network.calibrations(), network.limits()
    similarity, llr = np.empty(len(index)), np.empty(len(index))
    judged = np.empty(len(index), dtype=bool)
    single = features.astype(np.float32)
    for start in range(0, len(index), _ROWS):
        rows = slice(start, start + _ROWS)
        sides = index.sides.select(rows)
        similarity[rows], _ = network.similarity(index.features[rows], single, sides, one)
        decisions = decide(similarity[rows], (sides, one), calibrations, limits)
        llr[rows], judged[rows] = decisions.llr, decisions.judged
    probabilities, none = attribution.posterior(llr, judged, prior)
    best = _best(probabilities, similarity, top)
    sides = index.sides.select(best)
    exact, terms = network.similarity(index.features[best].astype(np.float64), features, sides, one)
    apart = network.distance(index.features[best].astype(np.float64), features)
    decisions = decide(exact, (sides, one), calibrations, limits, terms=terms, distance=apart)
    found = [
        Candidate(index.name(row), decision, float(probabilities[row]))
        for row, decision in zip(best.tolist(), decisions, strict=True)
    ]
    found.sort(key=attribution.in_order)
    listed = sum(candidate.probability for candidate in found)
    return Ranking(
        tuple(found),
        none,
        attribution.answer_of(found, none),
        n_others=len(index) - len(found),
        others=max(float(probabilities.sum()) - listed, 0.0),
        prior=prior,
    )


def _best(probabilities: Floats, similarity: Floats, top: int) -> Integers:
    """The most probable, of equally probable ones the most alike."""
    last = max(len(probabilities) - top, 0)
    places = np.flatnonzero(probabilities >= np.partition(probabilities, last)[last])
    order = np.lexsort((-similarity[places], -probabilities[places]))[:top]
    best: Integers = places[order]
    return best
