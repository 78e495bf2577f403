"""A corpus on disk, and the conversion between its columns and arrays.

documents/*.parquet   a row per document: id, author, topic, text, its tokens as words, the position
                      of each token in the text, and the lengths of its sentences
labels.parquet        a row per document in the same order: author, topic, number of tokens, split,
                      fold, and whether another author has the same text
copies.parquet        pairs of documents (rows of labels.parquet) that two authors share
types.parquet         how often the training authors use each word
quarantine.jsonl      every line that could not be read, its position and the reason
dropped.parquet       every document that a step dropped, its position and the step
manifest.json         counts of all steps, settings, versions, hashes of sources and files; the hash
                      of a file is checked when it is read
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow
import pyarrow.compute
from pyarrow import parquet

from adhominem.arrays import Integers
from adhominem.errors import InputError
from adhominem.files import read_sealed, sha256, whole_file
from adhominem.instrument.text.tokenised import Tokenised, join, offsets
from adhominem.laboratory.corpus.labels import Labels
from adhominem.laboratory.corpus.pairs import PairTable, Sides, make_pairs
from adhominem.records import Document, Pair

MANIFEST = "manifest.json"
LABELS = "labels.parquet"
COPIES = "copies.parquet"
QUARANTINE = "quarantine.jsonl"
FORMAT = "adhominem-corpus-1"
ROW_GROUP = 2_000  # documents
_WORDS = pyarrow.list_(pyarrow.dictionary(pyarrow.int32(), pyarrow.string()))
_NUMBERS = pyarrow.list_(pyarrow.int32())
TOKENS = pyarrow.schema(
    [("tokens", _WORDS), ("starts", _NUMBERS), ("ends", _NUMBERS), ("sentences", _NUMBERS)]
)


def token_columns(texts: Tokenised) -> dict[str, pyarrow.Array]:
    """Return the columns of TOKENS for every document."""
    edges = texts.sentences[texts.documents]
    tokens, starts, ends, lengths = (
        pyarrow.array(values, pyarrow.int32())
        for values in (texts.tokens, texts.starts, texts.ends, np.diff(texts.sentences))
    )
    types = pyarrow.array(texts.types, pyarrow.string())
    words = pyarrow.DictionaryArray.from_arrays(tokens, types)
    columns = [(edges, words), (edges, starts), (edges, ends), (texts.documents, lengths)]
    return {
        name: pyarrow.ListArray.from_arrays(pyarrow.array(bounds, pyarrow.int32()), values)
        for name, (bounds, values) in zip(TOKENS.names, columns, strict=True)
    }


def read_tokens(table: pyarrow.Table) -> Tokenised:
    """The inverse of `token_columns`; types are numbered in the order in which they appear."""
    columns = [table.column(name).combine_chunks() for name in TOKENS.names]
    n_sentences = pyarrow.compute.list_value_length(columns[3])
    words, *numbers = (column.flatten() for column in columns)
    if not pyarrow.types.is_dictionary(words.type):
        words = pyarrow.compute.dictionary_encode(words)
    tokens, starts, ends, lengths, counts = (
        values.to_numpy(zero_copy_only=False) for values in (words.indices, *numbers, n_sentences)
    )
    return Tokenised(
        types=tuple(words.dictionary.to_pylist()),
        tokens=tokens.astype(np.int32),
        starts=starts,
        ends=ends,
        sentences=offsets(lengths),
        documents=offsets(counts),
    )


def write_table(table: pyarrow.Table, path: Path) -> None:
    """Write a table as the parquet files of a corpus are written."""
    options = {"compression": "zstd", "row_group_size": ROW_GROUP, **WRITE_OPTIONS}
    with whole_file(path) as file:
        parquet.write_table(table, file, **options)


WRITE_OPTIONS: dict[str, Any] = {
    "use_dictionary": ["author", "topic", "tokens.list.element"],
    "column_encoding": {
        "starts.list.element": "DELTA_BINARY_PACKED",
        "ends.list.element": "DELTA_BINARY_PACKED",
    },
    "dictionary_pagesize_limit": 16 * 1024 * 1024,
    "store_schema": False,
    "write_statistics": False,
}


def labels_of(table: pyarrow.Table) -> Labels:
    """Return the labels in columns, with numbers for authors and topics, as one genre."""
    columns = {name: table.column(name).to_pylist() for name in table.column_names}
    topics = columns["topic"]
    numbers = {topic: i for i, topic in enumerate(sorted(set(topics) - {None}))}
    return Labels(
        authors=np.unique(np.array(columns["author"], dtype=object), return_inverse=True)[1],
        topics=np.array([numbers.get(topic, -1) for topic in topics], dtype=np.int64),
        splits=np.array(columns["split"], dtype=np.int8),
        folds=np.array(columns["fold"], dtype=np.int8),
        copied=np.array(columns["copied"], dtype=bool),
        genres=np.zeros(len(topics), dtype=np.int64),
    )


@dataclass(frozen=True)
class Corpus:
    """A corpus on disk. Labels are read at once, documents file by file."""

    folder: Path

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Return the corpus in a folder, after checking its version and its files."""
        corpus = cls(folder)
        parts = [corpus.manifest.get(name, {}) for name in ("files", "store")]
        is_known = corpus.manifest.get("format") == FORMAT
        if not is_known or not all(isinstance(part, dict) for part in parts):
            raise InputError(f"{folder} is not a corpus of this version: build it again")
        if [path.name for path in corpus.files] != list(parts[1]):
            raise InputError(f"{folder} lacks files that its manifest names: build it again")
        return corpus

    @cached_property
    def manifest(self) -> dict[str, Any]:
        path = self.folder / MANIFEST
        try:
            return read_sealed(path.read_bytes())
        except FileNotFoundError:
            raise InputError(
                f"{self.folder} is not a corpus, it has no {MANIFEST}: build one with "
                "'adhominem corpus build'"
            ) from None
        except (OSError, ValueError) as error:
            raise InputError(f"{path} cannot be read: {error}") from None

    @cached_property
    def files(self) -> list[Path]:
        return sorted((self.folder / "documents").glob("*.parquet"))

    @cached_property
    def _checked(self) -> set[Path]:
        """Files whose hash is known to be that of the manifest."""
        return set()

    def read(self, path: Path, columns: Sequence[str]) -> pyarrow.Table:
        """Return columns of one of the files, after checking its hash."""
        try:
            expected = (self.manifest.get("files", {}) | self.manifest["store"]).get(path.name)
            if expected and path not in self._checked and sha256(path) != expected:
                raise ValueError("it was changed after it was written")
            self._checked.add(path)
            return parquet.read_table(path, columns=list(columns)).select(columns)
        except (pyarrow.ArrowException, OSError, KeyError, ValueError) as error:
            problem = str(error).splitlines()[0]
            raise InputError(f"{path} is damaged ({problem}): build the corpus again") from None

    def tables(self, columns: Sequence[str]) -> Iterator[pyarrow.Table]:
        """Yield the given columns of the documents, file by file."""
        return (self.read(path, columns) for path in self.files)

    def label(self, name: str) -> list[Any]:
        """Return one label of every document: author, topic, n_tokens, split, fold or copied."""
        return list(self.read(self.folder / LABELS, [name]).column(name).to_pylist())

    @cached_property
    def labels(self) -> Labels:
        columns = ("author", "topic", "split", "fold", "copied")
        return labels_of(self.read(self.folder / LABELS, columns))

    def documents(self, indices: Integers) -> dict[int, Document]:
        """Return the documents with these indices."""
        wanted = np.unique(indices)
        documents: dict[int, Document] = {}
        first = 0
        for table in self.tables(["id", "author", "topic", "text"]):
            chosen = wanted[(wanted >= first) & (wanted < first + len(table))]
            rows = table.take(pyarrow.array(chosen - first)).to_pylist()
            documents |= {int(i): Document(**row) for i, row in zip(chosen, rows, strict=True)}
            first += len(table)
        return documents

    def pairs(self, drawn: PairTable | list[Sides], *, prefix: str) -> list[Pair]:
        """Return drawn pairs with their documents."""
        sides = drawn.sides() if isinstance(drawn, PairTable) else drawn
        parts = [np.zeros(0, np.int64), *(i for side in sides for i in (side.left, side.right))]
        return make_pairs(sides, self.documents(np.concatenate(parts)), prefix=prefix)

    def tokenised(self) -> Tokenised:
        """Return all documents as numbers of word types."""
        return join([read_tokens(table) for table in self.tables(TOKENS.names)])
