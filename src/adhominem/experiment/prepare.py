"""A corpus file to integers on disk: read, tokenise, clean, split by author, count, encode.

The folder holds all that training needs and the development and test pairs as texts, so that any
verifier can be measured on the very same pairs. It appears whole or not at all.
"""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.corpus.duplicates import near_duplicates
from adhominem.corpus.pairs import PairSampler, PairTable
from adhominem.corpus.read import read_corpus
from adhominem.corpus.split import SPLITS, split_by_author
from adhominem.errors import ExperimentError
from adhominem.experiment.settings import CorpusSettings, Experiment
from adhominem.files import sha256, whole_folder
from adhominem.records import Document
from adhominem.text.encode import Encoded, encode
from adhominem.text.tokenise import tokenise
from adhominem.text.tokenised import Tokenised, join
from adhominem.text.vocabulary import Vocabulary

Progress = Callable[[int, int], None]
_CHUNK = 500  # texts
_EPOCH_OF = {"dev": 0, "test": 0}  # evaluation pairs are one draw from their own documents


@dataclass(frozen=True, slots=True)
class Prepared:
    """`authors`, `topics` and `splits` are numbers for each document of the encoded corpus."""

    corpus: Encoded
    vocabulary: Vocabulary
    authors: npt.NDArray[np.int64]
    topics: npt.NDArray[np.int64] | None
    splits: npt.NDArray[np.int8]

    def draw(self, split: str, *, seed: int, epoch: int) -> PairTable:
        """Pairs of the documents of one split, as places in the whole corpus."""
        places = np.flatnonzero(self.splits == SPLITS.index(split))
        topics = None if self.topics is None else self.topics[places]
        table = PairSampler(self.authors[places], topics, seed).draw(epoch)
        return PairTable(
            places[table.left], places[table.right], table.same_author, table.same_topic
        )


def prepare(
    experiment: Experiment, source: Path, folder: Path, *, workers: int, progress: Progress
) -> None:
    settings = experiment.corpus
    documents = read_corpus(
        source, author=settings.author, topic=settings.topic or None, text=settings.text
    )
    if not documents:
        raise ExperimentError(f"{source} holds no documents: give a corpus with authors")
    tokenised = tokenise_all([document.text for document in documents], workers, progress)
    _, authors = np.unique([str(d.author) for d in documents], return_inverse=True)
    kept, funnel = _clean(tokenised, authors, settings)
    if not len(kept):
        raise ExperimentError(
            f"{source}: no author has {settings.min_documents} documents of {settings.min_tokens} "
            f"to {settings.max_tokens} tokens; lower the limits under [corpus]"
        )
    documents = [documents[i] for i in kept]
    tokenised = tokenised.select(kept)
    splits = split_by_author([str(d.author) for d in documents], seed=experiment.seed)
    training = tokenised.select(np.flatnonzero(splits == SPLITS.index("train")))
    vocabulary = Vocabulary.fit(
        training.counts(),
        min_word_count=experiment.text.min_word_count,
        min_character_count=experiment.text.min_character_count,
    )
    corpus = encode(
        tokenised,
        vocabulary,
        max_words=experiment.text.max_words,
        max_characters=experiment.text.max_characters,
    )
    prepared = Prepared(corpus, vocabulary, authors[kept], _topic_numbers(documents), splits)
    manifest = {
        "experiment": experiment.name,
        "seed": experiment.seed,
        "settings": {"corpus": asdict(settings), "text": asdict(experiment.text)},
        "source": {"file": source.name, "sha256": sha256(source)},
        "funnel": funnel,
        "documents": {s: int(np.sum(splits == i)) for i, s in enumerate(SPLITS)},
        "authors": {s: len(np.unique(authors[kept][splits == i])) for i, s in enumerate(SPLITS)},
        "tokens": {
            "total": int(tokenised.n_tokens.sum()),
            "mean": float(tokenised.n_tokens.mean()),
            "deviation": float(tokenised.n_tokens.std()),
        },
        "vocabulary": {
            "types": len(training.counts()),
            "words": vocabulary.n_words,
            "characters": vocabulary.n_characters,
        },
    }
    with whole_folder(folder) as target:
        _save(prepared, target)
        for split in _EPOCH_OF:
            table = prepared.draw(split, seed=experiment.seed, epoch=0)
            manifest[f"{split}_pairs"] = len(table)
            _save_pairs(table, documents, split, target / f"{split}.pairs.jsonl.gz")
        (target / "manifest.json").write_text(json.dumps(manifest, indent=2))


def tokenise_all(texts: Sequence[str], workers: int, progress: Progress) -> Tokenised:
    chunks = [texts[i : i + _CHUNK] for i in range(0, len(texts), _CHUNK)]
    parts = []
    if workers < 2 or len(chunks) < 2:
        for chunk in chunks:
            parts.append(_tokenise_chunk(chunk))
            progress(min(len(parts) * _CHUNK, len(texts)), len(texts))
        return join(parts)
    with ProcessPoolExecutor(workers) as pool:
        for part in pool.map(_tokenise_chunk, chunks):
            parts.append(part)
            progress(min(len(parts) * _CHUNK, len(texts)), len(texts))
    return join(parts)


def _tokenise_chunk(texts: Sequence[str]) -> Tokenised:
    return tokenise(texts)


def _clean(
    corpus: Tokenised, authors: npt.NDArray[np.int64], settings: CorpusSettings
) -> tuple[npt.NDArray[np.int64], dict[str, int]]:
    """Places of the documents that stay, and how many were left after each step."""
    funnel = {"read": len(authors)}
    fits = (corpus.n_tokens >= settings.min_tokens) & (corpus.n_tokens <= settings.max_tokens)
    kept = np.flatnonzero(fits)
    funnel["right length"] = len(kept)
    chosen = corpus.select(kept)
    repeats = near_duplicates(chosen.tokens, chosen.sentences[chosen.documents], authors[kept])
    kept = kept[~repeats]
    funnel["not a near duplicate"] = len(kept)
    _, author_of, counts = np.unique(authors[kept], return_inverse=True, return_counts=True)
    kept = kept[counts[author_of] >= settings.min_documents]
    funnel["author with enough documents"] = len(kept)
    return kept, funnel


def _topic_numbers(documents: Sequence[Document]) -> npt.NDArray[np.int64] | None:
    topics = [document.topic for document in documents]
    if all(topic is None for topic in topics):
        return None
    _, numbers = np.unique([str(topic) for topic in topics], return_inverse=True)
    return numbers


def _save(prepared: Prepared, folder: Path) -> None:
    arrays: dict[str, Any] = {f: getattr(prepared.corpus, f) for f in Encoded.__slots__}
    arrays |= {"authors": prepared.authors, "splits": prepared.splits}
    if prepared.topics is not None:
        arrays["topics"] = prepared.topics
    np.savez(folder / "corpus.npz", **arrays)
    content = {"words": prepared.vocabulary.words, "characters": prepared.vocabulary.characters}
    (folder / "vocabulary.json").write_text(json.dumps(content), encoding="utf-8")


def _save_pairs(table: PairTable, documents: Sequence[Document], split: str, path: Path) -> None:
    with path.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file:
        for pair in table.pairs(documents, prefix=split):
            line = {
                "id": pair.id,
                "left": pair.left[0].text,
                "right": pair.right[0].text,
                "same_author": pair.same_author,
                "same_topic": pair.same_topic,
                "authors": [pair.left[0].author, pair.right[0].author],
            }
            file.write(json.dumps(line).encode() + b"\n")


def load_prepared(folder: Path) -> Prepared:
    try:
        with (
            (folder / "corpus.npz").open("rb") as file,
            np.load(file, allow_pickle=False) as arrays,
        ):
            corpus = Encoded(**{f: arrays[f] for f in Encoded.__slots__})
            authors, splits = arrays["authors"], arrays["splits"]
            topics = arrays.get("topics")
        words = json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))
        vocabulary = Vocabulary(tuple(words["words"]), words["characters"])
    except (OSError, KeyError, ValueError, TypeError, zipfile.BadZipFile) as error:
        raise ExperimentError(f"{folder} is not a prepared corpus ({error}): remove it") from None
    return Prepared(corpus, vocabulary, authors, topics, splits)
