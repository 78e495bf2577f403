"""An index on disk for `search`: the features of each candidate.

index.json         format, model, genre, counts, sha256 of the shards and of its own content
00000.parquet ...  shards; a row for each candidate: name, number of texts, columns of `Reading`,
                   features of the network, hashes of word 5-grams to find copies, and the vector
                   that is searched, as `bytes` and `scales`; the profile in it also as numbers
quarantine.jsonl   lines that could not be read, and why

Numbers of the vector are signed bytes, with a half-precision scale for each run of 64 numbers. No
text is stored. An index belongs to one model, identified by its hash.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Reals, Singles
from adhominem.errors import InputError, ModelError, optional_imports
from adhominem.files import read_sealed, sealed_json, sha256, whole_file, whole_folder
from adhominem.instrument.evidence.copies import shingles
from adhominem.instrument.evidence.sides import Sides
from adhominem.instrument.feature_verifier import FeatureVerifier, require_features
from adhominem.instrument.verifier import Verifier
from adhominem.instrument.views.kinds import REFERENCE
from adhominem.records import Document

if TYPE_CHECKING:
    import pyarrow

Candidates = Iterable[tuple[str, Sequence[str]]]  # names and texts
FORMAT = "adhominem-index-8"
DESCRIPTION, QUARANTINE = "index.json", "quarantine.jsonl"
SHARD = "{:05d}.parquet"
_TEXTS = 2048  # read together
_ROWS = 512  # candidates of a row group, which are compared together; fits into the cache
RUN = 64  # numbers with a common scale
_PLAIN = ("features", "profile", "bytes", "scales")  # columns that are not compressed
_KINDS = ("genre", "recognised")
_PERHAPS = ("english", "voice", "self_similarity")
_READ = ("tokens", "unknown", "out_of_domain", "stretches", "norm", *_PERHAPS)


@dataclass(frozen=True, slots=True)
class Block:
    """A row group of a shard; its first candidate has the number `start`. `profile` is the part of
    a vector that is kept exactly: probabilities of kinds follow from small differences."""

    path: Path
    metadata: Any
    group: int
    start: int
    profile: slice

    def read(self, columns: Sequence[str]) -> "pyarrow.Table":
        from pyarrow import parquet

        with parquet.ParquetFile(self.path, memory_map=True, metadata=self.metadata) as file:
            return file.read_row_group(self.group, columns=list(columns), use_threads=False)

    def vectors(self, rows: Sequence[int] | None = None) -> tuple[Singles, Sides]:
        """The vectors and readings of all candidates, or of some rows."""
        table = self.read(["bytes", "scales", "profile", *_KINDS, *_READ])
        table = table if rows is None else table.take(rows)
        vectors = dequantise(table["bytes"], table["scales"])
        profiles = table["profile"].combine_chunks().flatten().to_numpy()
        vectors[:, self.profile] = profiles.reshape(len(table), -1)
        return vectors, _sides(table)


@dataclass(frozen=True, slots=True)
class Index:
    """An index that is read block by block."""

    blocks: tuple[Block, ...]
    n: int  # number of candidates
    genre: str | None  # stated genre of all candidates

    def __len__(self) -> int:
        return self.n


def quantise(vectors: Reals) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float16]]:
    """Quantise vectors (n, width) to bytes, padded with zeros to whole runs, and scales of runs."""
    n, width = vectors.shape
    single = vectors.astype(np.float32)
    runs = np.pad(single, ((0, 0), (0, -width % RUN))).reshape(n, -1, RUN)
    scales = (np.abs(runs).max(axis=-1) / 127).astype("<f2")
    runs /= np.where(scales == 0, 1, scales).astype(np.float32)[..., None]
    values = np.nan_to_num(np.rint(runs))  # the scale of a run with NaN is NaN
    return values.clip(-127, 127).astype(np.int8).reshape(n, -1), scales


def dequantise(data: "pyarrow.ChunkedArray", scales: "pyarrow.ChunkedArray") -> Singles:
    """The vectors of stored bytes and scales, padded with zeros."""
    factors = _stored(scales, "<f2")[..., None].astype(np.float32)
    vectors = _stored(data, "i1").astype(np.float32).reshape(*factors.shape[:2], RUN)
    vectors *= factors
    return vectors.reshape(len(factors), -1)


def write_shard(
    network: FeatureVerifier, candidates: Candidates, path: Path, genre: str | None = None
) -> dict[str, Any]:
    """Read candidates and write them as a shard, if there are any; return counts."""
    from pyarrow import parquet

    rows = _rows(network, candidates, genre)
    tables = map(_table, iter(lambda: list(islice(rows, _ROWS)), []))
    counts = {"candidates": 0, "texts": 0}
    if (first := next(tables, None)) is None:
        return counts
    plain = {name: "NONE" if name in _PLAIN else "ZSTD" for name in first.schema.names}
    options = {"use_dictionary": [*_KINDS], "write_statistics": False, "compression": plain}
    with whole_file(path) as file, parquet.ParquetWriter(file, first.schema, **options) as writer:
        for table in chain([first], tables):
            writer.write_table(table)
            counts["candidates"] += len(table)
            counts["texts"] += sum(table["texts"].to_pylist())
    return counts


def write_index(
    verifier: Verifier, known: Candidates, folder: Path, genre: str | None = None
) -> dict[str, Any]:
    """Write an index of one shard; return counts."""
    network = reader_of(verifier)
    genre = genre and network.check_genre(genre)
    with whole_folder(folder) as target:
        counts = write_shard(network, known, target / SHARD.format(0), genre)
        if not counts["candidates"]:
            raise InputError("no candidates: give the texts of one author at least")
        describe(network, target, counts, genre)
    return counts


def describe(
    network: FeatureVerifier, target: Path, counts: Mapping[str, Any], genre: str | None
) -> None:
    """Write the description of an index whose shards are written."""
    description = {
        "format": FORMAT,
        "model": asdict(network.identity) if network.identity else None,
        "genre": genre,
        **counts,
        "sha256": {path.name: sha256(path) for path in sorted(target.glob("*.parquet"))},
    }
    (target / DESCRIPTION).write_bytes(sealed_json(description))


def open_index(folder: Path, verifier: Verifier) -> Index:
    """Open an index that was made with this model."""
    with optional_imports():
        import pyarrow
        from pyarrow import parquet
    network = reader_of(verifier)
    try:
        description = read_sealed((folder / DESCRIPTION).read_bytes())
        if description["format"] != FORMAT:
            raise ValueError(f"format {description['format']}, now {FORMAT}")
        blocks: list[Block] = []
        n = 0
        for name, expected in description["sha256"].items():
            if sha256(folder / name) != expected:
                raise ValueError(f"{name} was changed after it was written")
            metadata = parquet.read_metadata(folder / name)
            for group in range(metadata.num_row_groups):
                blocks.append(Block(folder / name, metadata, group, n, network.profile))
                n += metadata.row_group(group).num_rows
        if n != description["candidates"]:
            raise ValueError("shards and candidates do not fit")
        model, index = description["model"], Index(tuple(blocks), n, description["genre"])
    except (OSError, ValueError, KeyError, TypeError, EOFError, pyarrow.ArrowException) as error:
        problem = str(error).splitlines()[0][:100]
        raise InputError(f"{folder} is not a whole index ({problem}): index again") from None
    if network.identity is None or model != asdict(network.identity):
        made = "a model that was never saved" if model is None else f"{model['name']!r:.60}"
        raise ModelError(f"{folder} was made with {made}, not with this model: index again")
    return index


def reader_of(verifier: Verifier) -> FeatureVerifier:
    network = require_features(verifier, "a {kind} model has no features to keep: use a network")
    if REFERENCE in network.calibrations():
        raise InputError("an index has no reference texts: rank the texts or leave out --reference")
    return network


def _rows(
    network: FeatureVerifier, candidates: Candidates, genre: str | None
) -> Iterator[dict[str, Any]]:
    """Yield the row of each candidate; texts are read in blocks."""
    waiting = iter(candidates)
    while one := next(waiting, None):
        block, size = [one], len(one[1])
        while size < _TEXTS and (another := next(waiting, None)):
            block.append(another)
            size += len(another[1])
        reads = iter(network.read([text for _, texts in block for text in texts]))
        for name, texts in block:
            own = list(islice(reads, len(texts)))
            vector, reading = network.side(own, genre)
            data, scales = quantise(vector[None])
            yield {
                "name": name.encode("utf-8", "backslashreplace").decode(),
                "texts": len(texts),
                **{field: getattr(reading, field) for field in (*_KINDS, *_READ)},
                "shingles": sorted(shingles(map(Document, texts))),
                "features": vector[: len(own[0].features)].astype(np.float32),
                "profile": vector[network.profile].astype(np.float32),
                "bytes": data.tobytes(),
                "scales": scales.tobytes(),
            }


def _table(rows: Sequence[dict[str, Any]]) -> "pyarrow.Table":
    import pyarrow

    one = rows[0]
    kinds = {
        **dict.fromkeys(_KINDS, pyarrow.string()),
        **dict.fromkeys(_PERHAPS, pyarrow.float64()),
        "shingles": pyarrow.list_(pyarrow.uint32()),
        "features": pyarrow.list_(pyarrow.float32(), len(one["features"])),
        "profile": pyarrow.list_(pyarrow.float32(), len(one["profile"]) or -1),
        **{name: pyarrow.binary(len(one[name])) for name in ("bytes", "scales")},
    }
    columns = {name: [row[name] for row in rows] for name in one}
    arrays = {name: pyarrow.array(values, kinds.get(name)) for name, values in columns.items()}
    return pyarrow.table(arrays)


def _stored(column: "pyarrow.ChunkedArray", kind: str) -> npt.NDArray[Any]:
    """The rows of a binary column of fixed length as an array."""
    values = column.combine_chunks()
    return np.frombuffer(values.buffers()[1], kind).reshape(len(values), -1)


def _sides(table: "pyarrow.Table") -> Sides:
    import pyarrow
    from pyarrow import compute

    genres = sorted({name for kind in _KINDS for name in table[kind].unique().to_pylist() if name})
    known = pyarrow.array(genres, pyarrow.string())
    codes = {kind: compute.index_in(table[kind], known).fill_null(-1) for kind in _KINDS}
    columns = {kind: column.to_numpy().astype(np.int64) for kind, column in codes.items()}
    return Sides(tuple(genres), **columns, **{name: table[name].to_numpy() for name in _READ})
