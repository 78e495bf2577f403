"""Corpora to integers on disk: count, encode, draw the pairs to be measured on.

Several corpora are learnt from as one, each a genre by the name of its folder: no pair crosses
them, and each is measured on its own. From an unseen one nothing is learnt: its authors are for
development and test alone, and show how a network does on a genre that it does not know. The
prepared folder holds all that training needs and the development and test pairs as texts
(dev/GENRE.pairs.jsonl.gz, and GENRE.several.pairs.jsonl.gz with several texts on a side), so that
any verifier can be measured on the very same pairs. It appears whole or not at all.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from adhominem.corpus.author_blocks import BlockSampler, BlockSettings
from adhominem.corpus.author_pairs import draw_author_pairs
from adhominem.corpus.labels import Labels, join_labels
from adhominem.corpus.pair_files import write_pairs
from adhominem.corpus.pairs import PairTable, join_distinct
from adhominem.corpus.sides import Sides, draw_sides, pairs_of_sides
from adhominem.errors import ExperimentError
from adhominem.experiment.settings import Experiment
from adhominem.files import whole_folder
from adhominem.text.encode import Encoded, encode
from adhominem.text.tokenised import join
from adhominem.text.vocabulary import Vocabulary
from adhominem.training.config import TrainingConfig

if TYPE_CHECKING:
    from adhominem.corpus.store import Corpus

Integers = npt.NDArray[np.int64]
_MEASURED = ("dev", "test")
_ENOUGH = 2000  # pairs of a cell
_MOST_DRAWS = 20
_DESCRIBED = ("settings", "sources", "funnel", "documents", "authors", "tokens")


@dataclass(frozen=True, slots=True)
class Prepared:
    corpus: Encoded
    vocabulary: Vocabulary
    labels: Labels
    genres: tuple[str, ...]

    def draw(self, split: str, *, seed: int, epoch: int) -> dict[str, PairTable]:
        """Pairs of the documents of one split by genre, as places in the whole corpus."""
        return {
            genre: self.labels.draw(self.labels.places(split, number), seed=seed, epoch=epoch)
            for number, genre in enumerate(self.genres)
        }

    def measured(self, split: str, *, seed: int) -> dict[str, PairTable]:
        """The pairs of each genre for calibration and test: those of one draw, where these are few
        those of several, each pair once."""
        return {
            genre: _enough(self.labels, self.labels.places(split, number), seed)
            for number, genre in enumerate(self.genres)
        }

    def sides(self, split: str, *, seed: int) -> dict[str, list[Sides]]:
        """Pairs of each genre with several documents on a side."""
        drawn = {}
        for number, genre in enumerate(self.genres):
            places = self.labels.places(split, number)
            places = places[~self.labels.copied[places]]
            found: list[Sides] = []
            for epoch in range(_MOST_DRAWS):
                found += draw_sides(places, self.labels.authors[places], seed=seed, epoch=epoch)
                if not found or len(found) >= 2 * _ENOUGH:
                    break
            drawn[genre] = found[: 4 * _ENOUGH]
        return drawn

    def draw_training(self, config: TrainingConfig, *, seed: int, epoch: int) -> PairTable:
        """What an epoch learns from, by the objective."""
        return self.training_draws(config, seed=seed)(epoch)

    def training_draws(self, config: TrainingConfig, *, seed: int) -> Callable[[int], PairTable]:
        """The same for many epochs, with what is common to them worked out once."""
        if config.objective == "pairs":
            return lambda epoch: _shuffled(
                [*self.draw("train", seed=seed, epoch=epoch).values()], seed, epoch
            )
        places = self.labels.places("train")
        places = places[~self.labels.copied[places]]
        draw = _author_draws(
            self.labels.authors[places],
            self.labels.topics[places],
            self.labels.genres[places],
            config,
            seed,
        )

        def draw_places(epoch: int) -> PairTable:
            table = draw(epoch)
            return replace(table, left=places[table.left], right=places[table.right])

        return draw_places


def _author_draws(
    authors: Integers, topics: Integers, genres: Integers, config: TrainingConfig, seed: int
) -> Callable[[int], PairTable]:
    if not config.block_pairs:
        return lambda epoch: draw_author_pairs(
            authors,
            topics,
            genres,
            batch=config.batch_pairs,
            topic_share=config.topic_share,
            seed=seed,
            epoch=epoch,
        )
    settings = BlockSettings(config.block_pairs, config.genre_power, config.topic_share)
    sampler = BlockSampler(authors, topics, genres, settings)
    n_pairs = config.epoch_steps * config.batch_pairs
    return lambda epoch: sampler.draw(n_pairs, seed=seed, epoch=epoch)


def _enough(labels: Labels, places: Integers, seed: int) -> PairTable:
    table = labels.draw(places, seed=seed, epoch=0)
    for epoch in range(1, _MOST_DRAWS):
        if min(table.cells().values()) >= _ENOUGH:
            break
        table = join_distinct([table, labels.draw(places, seed=seed, epoch=epoch)])
    return table.at_most(min(table.cells().values()))


def _shuffled(tables: Sequence[PairTable], seed: int, epoch: int) -> PairTable:
    """The pairs of several genres in one order; those of one genre have theirs already."""
    if len(tables) == 1:
        return tables[0]
    left, right, same = (
        np.concatenate([getattr(table, name) for table in tables])
        for name in ("left", "right", "same_author")
    )
    order = np.random.default_rng([seed, 5, epoch]).permutation(len(left))
    return PairTable(left[order], right[order], same[order], None)


def prepare(
    experiment: Experiment,
    learnt: Sequence[Corpus],
    folder: Path,
    *,
    unseen: Sequence[Corpus] = (),
) -> None:
    corpora = [*learnt, *unseen]
    genres = tuple(corpus.folder.resolve().name for corpus in corpora)
    if len(set(genres)) < len(genres):
        raise ExperimentError(
            f"corpora named {', '.join(genres)}: each is a genre, give each a name of its own"
        )
    tokenised = join([corpus.tokenised() for corpus in corpora])
    labels = _labels(experiment, learnt, unseen)
    training = labels.places("train")
    read = tokenised.select(training)
    vocabulary = Vocabulary.fit(
        read.counts(),
        min_word_count=experiment.text.min_word_count,
        min_character_count=experiment.text.min_character_count,
        authors=read.author_counts(labels.authors[training]),
        min_word_authors=experiment.text.min_word_authors,
    )
    encoded = encode(
        tokenised,
        vocabulary,
        max_words=experiment.text.max_words,
        max_characters=experiment.text.max_characters,
    )
    prepared = Prepared(encoded, vocabulary, labels, genres)
    manifest = {
        "experiment": experiment.name,
        "seed": experiment.seed,
        "fold": experiment.fold,
        "text": asdict(experiment.text),
        "corpora": {
            genre: {name: corpus.manifest[name] for name in _DESCRIBED}
            for genre, corpus in zip(genres, corpora, strict=True)
        },
        "unseen": [corpus.folder.resolve().name for corpus in unseen],
        "vocabulary": {"words": vocabulary.n_words, "characters": vocabulary.n_characters},
    }
    with whole_folder(folder) as target:
        _save(prepared, target)
        for split in _MEASURED:
            tables = prepared.measured(split, seed=experiment.seed)
            manifest[f"{split}_pairs"] = {genre: len(table) for genre, table in tables.items()}
            sides = prepared.sides(split, seed=experiment.seed)
            manifest[f"{split}_several_pairs"] = {g: len(drawn) for g, drawn in sides.items()}
            (target / split).mkdir()
            first = 0
            for corpus, (genre, table) in zip(corpora, tables.items(), strict=True):
                own = replace(table, left=table.left - first, right=table.right - first)
                documents = corpus.documents(np.concatenate([own.left, own.right]))
                pairs = own.pairs(documents, prefix=f"{genre}-{split}")
                write_pairs(pairs, pairs_file(target, split, genre))
                _write_sides(sides[genre], corpus, first, several_file(target, split, genre))
                first += len(corpus.labels.authors)
        (target / "manifest.json").write_text(json.dumps(manifest, indent=2))


def _labels(experiment: Experiment, learnt: Sequence[Corpus], unseen: Sequence[Corpus]) -> Labels:
    fold = experiment.fold
    parts = [c.labels if fold is None else c.labels.for_fold(fold) for c in (*learnt, *unseen)]
    return join_labels([*parts[: len(learnt)], *(part.unlearnt() for part in parts[len(learnt) :])])


def pairs_file(folder: Path, split: str, genre: str) -> Path:
    return folder / split / f"{genre}.pairs.jsonl.gz"


def several_file(folder: Path, split: str, genre: str) -> Path:
    return folder / split / f"{genre}.several.pairs.jsonl.gz"


def _write_sides(sides: list[Sides], corpus: Corpus, first: int, path: Path) -> None:
    """`first` is the place of the corpus's first document among those of all corpora."""
    own = [Sides(side.left - first, side.right - first, side.same_author) for side in sides]
    places = [np.zeros(0, np.int64), *(p for side in own for p in (side.left, side.right))]
    documents = corpus.documents(np.concatenate(places))
    write_pairs(pairs_of_sides(own, documents, prefix=path.name.partition(".")[0]), path)


def _save(prepared: Prepared, folder: Path) -> None:
    arrays: dict[str, Any] = {f: getattr(prepared.corpus, f) for f in Encoded.__slots__}
    arrays |= {f.name: getattr(prepared.labels, f.name) for f in fields(Labels)}
    np.savez(folder / "corpus.npz", **arrays)
    content = {"words": prepared.vocabulary.words, "characters": prepared.vocabulary.characters}
    (folder / "vocabulary.json").write_text(json.dumps(content), encoding="utf-8")
    (folder / "genres.json").write_text(json.dumps(prepared.genres), encoding="utf-8")


def load_prepared(folder: Path) -> Prepared:
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
