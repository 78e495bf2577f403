"""An index: the features of the texts of each candidate, stored on disk, and the search in it.

index.json           format, model, genre, counts, sha256 of the other files and of its own content
features.npy         a row for each candidate, float32, read by memory map
shingles.bin         hashes of the word sequences of each candidate, uint32, to tell copies
candidates.parquet   names, the columns of `Reading`, and the place of the hashes

No text is stored. An index belongs to one model, by its hash. The search is exact: every candidate
is weighed as by `attribution.rank`, in blocks of rows; the decisions about the best are then made
from their features in full precision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adhominem.arrays import Floats, Integers, Singles
from adhominem.bench.case.texts import KnownTexts
from adhominem.errors import InputError, ModelError, optional_imports
from adhominem.files import read_sealed, sealed_json, sha256, whole_folder
from adhominem.instrument.evidence import attribution
from adhominem.instrument.evidence.attribution import EVEN, Candidate, Ranking
from adhominem.instrument.evidence.copies import are_copies, shingles
from adhominem.instrument.evidence.decision import decide
from adhominem.instrument.evidence.matrix import Progress, quiet
from adhominem.instrument.evidence.sides import Sides
from adhominem.instrument.feature_verifier import FeatureVerifier, require_features
from adhominem.instrument.network.side import ReadText
from adhominem.instrument.verifier import Verifier
from adhominem.instrument.views.kinds import REFERENCE
from adhominem.records import Document, Reading

if TYPE_CHECKING:
    import pyarrow

FORMAT = "adhominem-index-5"
DESCRIPTION = "index.json"
_FILES = FEATURES, SHINGLES, CANDIDATES = "features.npy", "shingles.bin", "candidates.parquet"
_BLOCK = 4096  # texts that are read together
_ROWS = 2048  # that fit a core's cache
_KINDS, _SPAN = ("genre", "recognised"), ("first_shingle", "after_shingles")
_READ = ("tokens", "unknown", "english", "out_of_domain", "stretches", "norm", "voice")


@dataclass(frozen=True, slots=True)
class Index:
    """Names, features and counts of the candidates, a row each.

    genre      genre of all candidates, if it was stated
    hashes     file of the hashes of word sequences
    spans      where in it those of each candidate begin and end, (n, 2)
    """

    names: pyarrow.ChunkedArray
    features: Singles
    sides: Sides
    genre: str | None
    hashes: Path
    spans: Integers

    def __len__(self) -> int:
        return len(self.features)

    def name(self, place: int) -> str:
        return str(self.names[place].as_py())

    def has_copy(self, place: int, own: set[int]) -> bool:
        """Whether the texts of a candidate are copies of texts with these shingles."""
        start, end = self.spans[place].tolist()
        stored = np.fromfile(self.hashes, "<u4", end - start, offset=4 * start)
        return are_copies(set(stored.tolist()), own)


def write_index(
    verifier: Verifier,
    known: KnownTexts,
    folder: Path,
    progress: Progress = quiet,
    *,
    genre: str | None = None,
) -> None:
    """Reads all texts, as texts of the stated genre if there is one. The folder appears whole or
    not at all."""
    with optional_imports():
        from pyarrow import parquet
    network = reader_of(verifier)
    genre = genre and network.check_genre(genre)
    n, total = len(known.names), sum(known.n_texts)
    if not n:
        raise InputError("no candidates: give the texts of one author at least")
    readings: list[Reading | None] = [None] * n
    spans = np.zeros((n, 2), dtype=np.int64)
    with whole_folder(folder) as target:
        with (
            (target / FEATURES).open("wb") as features,  # no map: a full disk would kill it
            (target / SHINGLES).open("wb") as hashes,
        ):
            start = end = 0
            joined = _joined(network, known, genre, lambda done: progress(done, total))
            for place, own, row, reading in joined:
                values = row.astype("<f4")
                if not start:
                    header = {"descr": "<f4", "fortran_order": False, "shape": (n, len(values))}
                    np.lib.format.write_array_header_1_0(features, header)
                    start = features.tell()
                features.seek(start + place * values.nbytes)
                features.write(values.tobytes())
                readings[place], spans[place] = reading, (end, end + len(own))
                hashes.write(np.array(sorted(own), dtype="<u4").tobytes())
                end += len(own)
        read = [reading for reading in readings if reading is not None]
        parquet.write_table(_table(known.names, read, spans), target / CANDIDATES)
        description = {
            "format": FORMAT,
            "model": asdict(network.identity) if network.identity else None,
            "limits": _limits(network),
            "genre": genre,
            "candidates": n,
            "texts": total,
            "sha256": {name: sha256(target / name) for name in _FILES},
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
        for name in _FILES:
            if sha256(folder / name) != description["sha256"][name]:
                raise ValueError(f"{name} was changed after it was written")
        table = parquet.read_table(folder / CANDIDATES)
        features = np.load(folder / FEATURES, mmap_mode="r", allow_pickle=False)
        if features.shape[0] != len(table) or features.dtype != np.float32:
            raise ValueError("features and candidates do not fit")
        model, limits = description["model"], description["limits"]
        spans = np.stack([table[name].to_numpy() for name in _SPAN], axis=1)
        genre, hashes = description["genre"], folder / SHINGLES
        index = Index(table["name"], features, _sides(table), genre, hashes, spans)
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
    if REFERENCE in network.calibrations():
        raise InputError("an index has no reference texts: rank the texts or leave out --reference")
    return network


def _joined(
    network: FeatureVerifier,
    known: KnownTexts,
    genre: str | None,
    progress: Callable[[int], None],
) -> Iterator[tuple[int, set[int], Floats, Reading]]:
    """Yields each candidate as soon as the last of its texts is read."""
    waiting: dict[int, list[ReadText]] = {}
    own: dict[int, set[int]] = {}
    texts, done = iter(known.texts), 0
    while block := list(islice(texts, _BLOCK)):
        reads = network.read([text for _, text in block])
        for (place, text), read in zip(block, reads, strict=True):
            waiting.setdefault(place, []).append(read)
            own.setdefault(place, set()).update(shingles([Document(text)]))
            if len(waiting[place]) == known.n_texts[place]:
                yield place, own.pop(place), *network.side(waiting.pop(place), genre)
        done += len(block)
        progress(done)


def _table(names: Sequence[str], read: Sequence[Reading], spans: Integers) -> pyarrow.Table:
    import pyarrow

    columns: dict[str, Any] = {name: [getattr(reading, name) for reading in read] for name in _READ}
    for name in ("english", "voice"):
        columns[name] = pyarrow.array(columns[name], pyarrow.float64())
    for name in _KINDS:
        columns[name] = pyarrow.array([getattr(one, name) for one in read], pyarrow.string())
    storable = [name.encode("utf-8", "backslashreplace").decode() for name in names]
    columns |= dict(zip(_SPAN, spans.T, strict=True))
    return pyarrow.table({"name": storable, **columns})


def _sides(table: pyarrow.Table) -> Sides:
    import pyarrow
    from pyarrow import compute

    genres = sorted({name for kind in _KINDS for name in table[kind].unique().to_pylist() if name})
    known = pyarrow.array(genres, pyarrow.string())
    codes = {
        kind: compute.index_in(table[kind], known).fill_null(-1).to_numpy().astype(np.int64)
        for kind in _KINDS
    }
    return Sides(genres=tuple(genres), **codes, **{name: table[name].to_numpy() for name in _READ})


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
    """The `top` candidates; `prior` and `genre` as in `attribution.rank`. The genre must be the one
    that the index was made with."""
    if top < 1:
        raise InputError(f"{top} candidates were asked for: ask for one at least")
    network = reader_of(verifier)
    texts = [questioned] if isinstance(questioned, str) else list(questioned)
    if genre != index.genre:
        made = "without a genre" if index.genre is None else f"with --genre {index.genre}"
        raise InputError(f"the index was made {made}: search it {made}, or index again")
    features, reading = network.side(network.read(texts), genre)
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
    own = shingles(map(Document, texts))
    decisions = decisions.with_copies([index.has_copy(row, own) for row in best.tolist()])
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
