"""A corpus on disk, and the conversion between its columns and arrays.

documents/*.parquet   one row per document: id, author, topic, text, tokens as words, start and end
                      of each token in the text, lengths of sentences
labels.parquet        one row per document in the same order: author, topic, number of tokens,
                      split, fold, and whether it is a copy of another author's text
copies.parquet        pairs of documents (rows of labels.parquet) of two authors with the same text
types.parquet         frequency of each word in the texts of the training authors
quarantine.jsonl      lines that could not be read, with position and reason
dropped.parquet       documents that were dropped, with position and step
manifest.json         counts of all steps, settings, versions, hashes of sources and files; the hash
                      of a file is checked when it is read
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
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
from adhominem.laboratory.corpus.pairs import PairTable, SidePair, make_pairs
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
    """Return tokenised documents as columns of the schema TOKENS."""
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
    """Return the tokenised documents of a table; the inverse of `token_columns`."""
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
    """Write a table as a parquet file with the options of a corpus."""
    with whole_file(path) as file:
        parquet.write_table(
            table, file, compression="zstd", row_group_size=ROW_GROUP, **WRITE_OPTIONS
        )


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
    """Return the labels of a table as arrays, with numbers for authors and topics."""
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
    """A corpus on disk. Labels are read whole, documents file by file."""

    folder: Path
    _checked: set[Path] = field(default_factory=set, init=False, repr=False, compare=False)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Return the corpus in a folder after checking its version and the names of its files."""
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

    def read(self, path: Path, columns: Sequence[str]) -> pyarrow.Table:
        """Return columns of a file; its hash is checked when it is read for the first time."""
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
        """Return a column of labels.parquet: author, topic, n_tokens, split, fold or copied."""
        return list(self.read(self.folder / LABELS, [name]).column(name).to_pylist())

    @cached_property
    def labels(self) -> Labels:
        columns = ("author", "topic", "split", "fold", "copied")
        return labels_of(self.read(self.folder / LABELS, columns))

    def documents(self, indices: Integers) -> dict[int, Document]:
        """Return the documents with these indices, by index."""
        wanted = np.unique(indices)
        documents: dict[int, Document] = {}
        first = 0
        for table in self.tables(["id", "author", "topic", "text"]):
            chosen = wanted[(wanted >= first) & (wanted < first + len(table))]
            rows = table.take(pyarrow.array(chosen - first)).to_pylist()
            documents |= {int(i): Document(**row) for i, row in zip(chosen, rows, strict=True)}
            first += len(table)
        return documents

    def pairs(self, drawn: PairTable | list[SidePair], *, prefix: str) -> list[Pair]:
        """Return drawn pairs with their documents."""
        pairs = drawn.side_pairs() if isinstance(drawn, PairTable) else drawn
        indices = [np.zeros(0, np.int64), *(i for pair in pairs for i in (pair.left, pair.right))]
        return make_pairs(pairs, self.documents(np.concatenate(indices)), prefix=prefix)

    def tokenised(self) -> Tokenised:
        """Return the tokens of all documents."""
        return join([read_tokens(table) for table in self.tables(TOKENS.names)])
