"""The columns of a corpus on disk, and the way between them and arrays.

A document is a row: who wrote it on what, its text, its tokens as words, the place of each token
in the text, and the lengths of its sentences. Any parquet reader can open it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow
import pyarrow.compute
from pyarrow import parquet

from adhominem.corpus.folds import SPLITS
from adhominem.corpus.pairs import PairSampler, PairTable
from adhominem.errors import InputError
from adhominem.records import Document
from adhominem.text.tokenised import Tokenised, join, offsets

MANIFEST = "manifest.json"
QUARANTINE = "quarantine.jsonl"
FORMAT = "adhominem-corpus-1"
ROW_GROUP = 2_000  # documents
_WORDS = pyarrow.list_(pyarrow.dictionary(pyarrow.int32(), pyarrow.string()))
_NUMBERS = pyarrow.list_(pyarrow.int32())
TOKENS = pyarrow.schema(
    [("tokens", _WORDS), ("starts", _NUMBERS), ("ends", _NUMBERS), ("sentences", _NUMBERS)]
)


def token_columns(texts: Tokenised) -> dict[str, pyarrow.Array]:
    """The columns of TOKENS for every document."""
    edges = texts.sentences[texts.documents]
    words = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array(texts.tokens, pyarrow.int32()), pyarrow.array(texts.types, pyarrow.string())
    )
    lengths = np.diff(texts.sentences)
    return {
        "tokens": _lists(edges, words),
        "starts": _lists(edges, texts.starts),
        "ends": _lists(edges, texts.ends),
        "sentences": _lists(texts.documents, lengths),
    }


def _lists(edges: npt.NDArray[np.int64], values: Any) -> pyarrow.ListArray:
    if isinstance(values, np.ndarray):
        values = pyarrow.array(values.astype(np.int32))
    return pyarrow.ListArray.from_arrays(pyarrow.array(edges, pyarrow.int32()), values)


def read_tokens(table: pyarrow.Table) -> Tokenised:
    """The way back from TOKENS; types are numbered in the order in which they appear."""
    columns = {name: table.column(name).combine_chunks() for name in TOKENS.names}
    words = columns["tokens"].flatten()
    if not pyarrow.types.is_dictionary(words.type):
        words = pyarrow.compute.dictionary_encode(words)
    sentences = offsets(columns["sentences"].flatten().to_numpy(zero_copy_only=False))
    return Tokenised(
        types=tuple(words.dictionary.to_pylist()),
        tokens=words.indices.to_numpy(zero_copy_only=False).astype(np.int32),
        starts=columns["starts"].flatten().to_numpy(zero_copy_only=False),
        ends=columns["ends"].flatten().to_numpy(zero_copy_only=False),
        sentences=sentences,
        documents=offsets(
            pyarrow.compute.list_value_length(columns["sentences"]).to_numpy(zero_copy_only=False)
        ),
    )


def write_table(table: pyarrow.Table, path: Path) -> None:
    """Through a temporary name: the file is whole or not there."""
    temporary = path.with_name(f".{path.name}.part")
    parquet.write_table(
        table, temporary, compression="zstd", row_group_size=ROW_GROUP, **WRITE_OPTIONS
    )
    temporary.replace(path)


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


@dataclass(frozen=True)
class Corpus:
    """A corpus on disk. Small columns are read whole, documents part by part."""

    folder: Path

    @classmethod
    def open(cls, folder: Path) -> Corpus:
        corpus = cls(folder)
        if corpus.manifest.get("format") != FORMAT:
            raise InputError(f"{folder} is not a corpus of this version: build it again")
        if [path.name for path in corpus.files] != corpus.manifest["store"]["files"]:
            raise InputError(f"{folder} lacks files that its manifest names: build it again")
        return corpus

    @cached_property
    def manifest(self) -> dict[str, Any]:
        path = self.folder / MANIFEST
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise InputError(
                f"{self.folder} is not a corpus, it has no {MANIFEST}: build one with "
                "'adhominem corpus build'"
            ) from None
        except (OSError, ValueError) as error:
            raise InputError(f"{path} cannot be read: {error}") from None
        return dict(content)

    @cached_property
    def files(self) -> list[Path]:
        return sorted((self.folder / "documents").glob("*.parquet"))

    def tables(self, columns: Sequence[str]) -> Iterator[pyarrow.Table]:
        """The chosen columns, file by file."""
        for path in self.files:
            try:
                yield parquet.read_table(path, columns=list(columns))
            except (pyarrow.ArrowException, OSError) as error:
                raise InputError(f"{path} is damaged: {error}; build the corpus again") from None

    def column(self, name: str) -> list[Any]:
        return [value for table in self.tables([name]) for value in table.column(0).to_pylist()]

    @cached_property
    def authors(self) -> npt.NDArray[np.int64]:
        """A number for the author of each document."""
        return np.unique(np.array(self.column("author"), dtype=object), return_inverse=True)[1]

    @cached_property
    def topics(self) -> npt.NDArray[np.int64]:
        """A number for the topic of each document, -1 where it has none."""
        topics = self.column("topic")
        numbers = {topic: i for i, topic in enumerate(sorted({t for t in topics if t is not None}))}
        return np.array([numbers.get(topic, -1) for topic in topics], dtype=np.int64)

    @cached_property
    def splits(self) -> npt.NDArray[np.int8]:
        return np.array(self.column("split"), dtype=np.int8)

    @cached_property
    def folds(self) -> npt.NDArray[np.int8]:
        return np.array(self.column("fold"), dtype=np.int8)

    @cached_property
    def copied(self) -> npt.NDArray[np.bool_]:
        """Documents that another author has as well; no pair is made of them."""
        return np.array(self.column("copied"), dtype=bool)

    def places(self, split: str) -> npt.NDArray[np.int64]:
        """Documents of train, dev or test."""
        return np.flatnonzero(self.splits == SPLITS.index(split))

    def draw(self, places: npt.NDArray[np.int64], *, seed: int, epoch: int) -> PairTable:
        """Pairs of the documents at these places; a function of (seed, epoch) alone."""
        places = places[~self.copied[places]]
        topics = self.topics[places]
        if len(np.unique(topics[topics >= 0])) > 1:
            places = places[topics >= 0]
            table = PairSampler(self.authors[places], self.topics[places], seed).draw(epoch)
        else:
            table = PairSampler(self.authors[places], None, seed).draw(epoch)
        return PairTable(
            places[table.left], places[table.right], table.same_author, table.same_topic
        )

    def documents(self, places: npt.NDArray[np.int64]) -> dict[int, Document]:
        """The documents at these places, file by file."""
        wanted = np.unique(places)
        found: dict[int, Document] = {}
        first = 0
        for table in self.tables(["id", "author", "topic", "text"]):
            chosen = wanted[(wanted >= first) & (wanted < first + len(table))]
            rows = table.take(pyarrow.array(chosen - first)).to_pylist()
            found |= {int(p): Document(**row) for p, row in zip(chosen, rows, strict=True)}
            first += len(table)
        return found

    def tokenised(self) -> Tokenised:
        """All documents as numbers of word types."""
        return join([read_tokens(table) for table in self.tables(TOKENS.names)])
