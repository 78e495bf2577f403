"""Corpora to integers on disk: the vocabulary, encoded documents, labels and the pairs to measure.

Several corpora are learnt from as one, each a genre with the name of its folder. No pair crosses
genres, and each genre is measured on its own. Nothing is learnt from an unseen corpus: its authors
are for development and test only, and show how a network does on an unknown genre. The prepared
folder has all that training needs, and the development and test pairs as texts
(dev/GENRE.pairs.jsonl.gz, and GENRE.several.pairs.jsonl.gz with several texts on a side), so that
every verifier can be measured on the same pairs.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.arrays import Integers
from adhominem.errors import ExperimentError
from adhominem.files import whole_folder
from adhominem.instrument.pair_files import write_pairs
from adhominem.instrument.text.encode import Encoded, encode
from adhominem.instrument.text.tokenised import join
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.laboratory.corpus.author_pairs import AuthorSampler
from adhominem.laboratory.corpus.labels import Labels, join_labels
from adhominem.laboratory.corpus.pairs import (
    PairTable,
    Sides,
    draw_sides,
    join_distinct,
    pairs_of_sides,
)
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.experiment.settings import Experiment
from adhominem.laboratory.training.config import TrainingConfig

_ENOUGH = 2000  # pairs of a cell
_MOST_DRAWS = 20
_DESCRIBED = ("settings", "sources", "funnel", "documents", "authors", "tokens")


@dataclass(frozen=True, slots=True)
class Prepared:
    """Documents of one or more genres, encoded for a network."""

    corpus: Encoded
    vocabulary: Vocabulary
    labels: Labels
    genres: tuple[str, ...]

    def draw(self, split: str, *, seed: int, epoch: int) -> dict[str, PairTable]:
        """Return the pairs of a split by genre."""
        return {
            genre: self.labels.draw(self.labels.indices(split, number), seed=seed, epoch=epoch)
            for number, genre in enumerate(self.genres)
        }

    def measured(self, split: str, *, seed: int) -> dict[str, PairTable]:
        """Return the pairs by genre for calibration and test: those of one draw, or of several
        draws, each pair once, if one gives few."""
        tables = {}
        for number, genre in enumerate(self.genres):
            documents = self.labels.indices(split, number)
            table = self.labels.draw(documents, seed=seed, epoch=0)
            for epoch in range(1, _MOST_DRAWS):
                if min(table.cells().values()) >= _ENOUGH:
                    break
                drawn = self.labels.draw(documents, seed=seed, epoch=epoch)
                table = join_distinct([table, drawn])
            tables[genre] = table.at_most(min(table.cells().values()))
        return tables

    def sides(self, split: str, *, seed: int) -> dict[str, list[Sides]]:
        """Return pairs by genre with several documents on a side."""
        drawn = {}
        for number, genre in enumerate(self.genres):
            documents = self._not_copied(self.labels.indices(split, number))
            sides: list[Sides] = []
            for epoch in range(_MOST_DRAWS):
                authors = self.labels.authors[documents]
                sides += draw_sides(documents, authors, seed=seed, epoch=epoch)
                if not sides or len(sides) >= 2 * _ENOUGH:
                    break
            drawn[genre] = sides[: 4 * _ENOUGH]
        return drawn

    def training_draws(self, config: TrainingConfig, *, seed: int) -> Callable[[int], PairTable]:
        """Return a function from the number of an epoch to its training pairs, as the objective
        needs them."""
        if config.objective == "pairs":
            return partial(self._draw_pairs, seed=seed)
        documents = self._not_copied(self.labels.indices("train"))
        authors, topics, genres = (
            numbers[documents]
            for numbers in (self.labels.authors, self.labels.topics, self.labels.genres)
        )
        sampler = AuthorSampler(authors, topics, genres, topic_share=config.topic_share)

        def draw(epoch: int) -> PairTable:
            if not config.block_pairs:
                table = sampler.batches(config.batch_pairs, seed=seed, epoch=epoch)
            else:
                table = sampler.blocks(
                    config.epoch_steps * config.batch_pairs,
                    size=config.block_pairs,
                    power=config.genre_power,
                    seed=seed,
                    epoch=epoch,
                )
            return table.renumber(documents)

        return draw

    def _draw_pairs(self, epoch: int, *, seed: int) -> PairTable:
        tables = [*self.draw("train", seed=seed, epoch=epoch).values()]
        if len(tables) == 1:
            return tables[0]
        joined = PairTable.join(tables)
        return joined.select(np.random.default_rng([seed, 5, epoch]).permutation(len(joined)))

    def _not_copied(self, documents: Integers) -> Integers:
        return documents[~self.labels.copied[documents]]


def prepare(
    experiment: Experiment, learnt: Sequence[Corpus], folder: Path, *, unseen: Sequence[Corpus] = ()
) -> None:
    """Write the prepared folder of corpora to learn from and of unseen ones."""
    corpora = [*learnt, *unseen]
    genres = tuple(corpus.folder.resolve().name for corpus in corpora)
    if len(set(genres)) < len(genres):
        raise ExperimentError(
            f"corpora named {', '.join(genres)}: each is a genre, give each a name of its own"
        )
    tokenised = join([corpus.tokenised() for corpus in corpora])
    labels = _labels(experiment, learnt, unseen)
    text, training = experiment.text, labels.indices("train")
    training_texts = tokenised.select(training)
    vocabulary = Vocabulary.fit(
        training_texts.counts(),
        min_word_count=text.min_word_count,
        min_character_count=text.min_character_count,
        authors=training_texts.author_counts(labels.authors[training]),
        min_word_authors=text.min_word_authors,
    )
    encoded = encode(
        tokenised, vocabulary, max_words=text.max_words, max_characters=text.max_characters
    )
    prepared = Prepared(encoded, vocabulary, labels, genres)
    manifest = {
        "experiment": experiment.name,
        "seed": experiment.seed,
        "fold": experiment.fold,
        "text": asdict(text),
        "corpora": {
            genre: {name: corpus.manifest[name] for name in _DESCRIBED}
            for genre, corpus in zip(genres, corpora, strict=True)
        },
        "unseen": [corpus.folder.resolve().name for corpus in unseen],
        "vocabulary": {"words": vocabulary.n_words, "characters": vocabulary.n_characters},
    }
    with whole_folder(folder) as target:
        _save(prepared, target)
        for split in ("dev", "test"):
            tables = prepared.measured(split, seed=experiment.seed)
            manifest[f"{split}_pairs"] = {genre: len(table) for genre, table in tables.items()}
            sides = prepared.sides(split, seed=experiment.seed)
            manifest[f"{split}_several_pairs"] = {g: len(drawn) for g, drawn in sides.items()}
            (target / split).mkdir()
            first = 0
            for corpus, (genre, table) in zip(corpora, tables.items(), strict=True):
                own = replace(table, left=table.left - first, right=table.right - first)
                pairs = corpus.pairs(own, prefix=f"{genre}-{split}")
                write_pairs(pairs, pairs_file(target, split, genre))
                _write_sides(sides[genre], corpus, first, several_file(target, split, genre))
                first += len(corpus.labels.authors)
        (target / "manifest.json").write_text(json.dumps(manifest, indent=2))


def _labels(experiment: Experiment, learnt: Sequence[Corpus], unseen: Sequence[Corpus]) -> Labels:
    fold = experiment.fold
    parts = [c.labels if fold is None else c.labels.for_fold(fold) for c in (*learnt, *unseen)]
    for i in range(len(learnt), len(parts)):
        parts[i] = parts[i].without_training()
    return join_labels(parts)


def pairs_file(folder: Path, split: str, genre: str) -> Path:
    return folder / split / f"{genre}.pairs.jsonl.gz"


def several_file(folder: Path, split: str, genre: str) -> Path:
    return folder / split / f"{genre}.several.pairs.jsonl.gz"


def _write_sides(sides: list[Sides], corpus: Corpus, first: int, path: Path) -> None:
    """`first` is the index of the corpus's first document among those of all corpora."""
    own = [Sides(side.left - first, side.right - first, side.same_author) for side in sides]
    indices = [np.zeros(0, np.int64), *(i for side in own for i in (side.left, side.right))]
    documents = corpus.documents(np.concatenate(indices))
    write_pairs(pairs_of_sides(own, documents, prefix=path.name.partition(".")[0]), path)


def _save(prepared: Prepared, folder: Path) -> None:
    arrays: dict[str, Any] = {f: getattr(prepared.corpus, f) for f in Encoded.__slots__}
    arrays |= {f.name: getattr(prepared.labels, f.name) for f in fields(Labels)}
    np.savez(folder / "corpus.npz", **arrays)
    content = {"words": prepared.vocabulary.words, "characters": prepared.vocabulary.characters}
    (folder / "vocabulary.json").write_text(json.dumps(content), encoding="utf-8")
    (folder / "genres.json").write_text(json.dumps(prepared.genres), encoding="utf-8")


def load_prepared(folder: Path) -> Prepared:
    """Return the documents in a prepared folder."""
    try:
        with (
            (folder / "corpus.npz").open("rb") as file,
            np.load(file, allow_pickle=False) as arrays,
        ):
            corpus = Encoded(**{f: arrays[f] for f in Encoded.__slots__})
            labels = Labels(**{f.name: arrays[f.name] for f in fields(Labels)})
        words = json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))
        vocabulary = Vocabulary(tuple(words["words"]), words["characters"])
        genres = tuple(json.loads((folder / "genres.json").read_text(encoding="utf-8")))
    except (OSError, KeyError, ValueError, TypeError, zipfile.BadZipFile) as error:
        raise ExperimentError(f"{folder} is not a prepared corpus ({error}): remove it") from None
    return Prepared(corpus, vocabulary, labels, genres)
