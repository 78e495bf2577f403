"""Corpora to integers on disk: vocabulary, encoded documents, labels, development and test pairs.

A network is trained on several corpora together; each is a genre with the name of its folder. No
pair crosses genres, and each genre is measured separately. The authors of an unseen corpus are for
development and test only, to measure a network on an unknown genre. The prepared folder has all
that training needs, and the development and test pairs as texts (dev/GENRE.pairs.jsonl.gz, and
GENRE.several.pairs.jsonl.gz with several texts on a side), on which every verifier can be measured.
"""

import json
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.errors import ExperimentError
from adhominem.files import whole_folder
from adhominem.instrument.pair_files import write_pairs
from adhominem.instrument.text.encode import Encoded, encode
from adhominem.instrument.text.tokenised import join
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.laboratory.corpus.author_pairs import AuthorSampler
from adhominem.laboratory.corpus.labels import Labels, join_labels
from adhominem.laboratory.corpus.pairs import PairTable
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.experiment import Experiment
from adhominem.laboratory.training import TrainingConfig

_DESCRIBED = ("settings", "sources", "funnel", "documents", "authors", "tokens")


@dataclass(frozen=True, slots=True)
class Prepared:
    """Documents of one or more genres, encoded for a network."""

    corpus: Encoded
    vocabulary: Vocabulary
    labels: Labels
    genres: tuple[str, ...]

    def draw(self, split: str, *, seed: int, epoch: int) -> dict[str, PairTable]:
        """Draw pairs of a split for each genre."""
        return {
            genre: self.labels.draw(self.labels.indices(split, number), seed=seed, epoch=epoch)
            for number, genre in enumerate(self.genres)
        }

    def training_draws(self, config: TrainingConfig, *, seed: int) -> Callable[[int], PairTable]:
        """Return a function that draws the training pairs of an epoch."""
        if unknown := set(config.left_out) - set(self.genres):
            names = ", ".join(sorted(unknown))
            raise ExperimentError(f"left_out: no corpus is named {names}, expected a genre")
        if config.objective == "pairs":
            return partial(self._draw_pairs, seed=seed, left_out=config.left_out)
        left_out = [self.genres.index(genre) for genre in config.left_out]
        documents = self.labels.indices("train")
        is_learnt = ~self.labels.copied & ~np.isin(self.labels.genres, left_out)
        documents = documents[is_learnt[documents]]
        own = self.labels.select(documents)
        share, power = config.topic_share, config.genre_power
        sampler = AuthorSampler(own.authors, own.topics, own.genres, topic_share=share)
        size = config.block_pairs or config.batch_pairs
        n_pairs = config.epoch_steps * config.batch_pairs
        draw = partial(sampler.draw, n_pairs, size=size, power=power, seed=seed)
        return lambda epoch: draw(epoch=epoch).renumber(documents)

    def _draw_pairs(self, epoch: int, *, seed: int, left_out: Sequence[str]) -> PairTable:
        drawn = self.draw("train", seed=seed, epoch=epoch)
        tables = [table for genre, table in drawn.items() if genre not in left_out]
        if len(tables) == 1:
            return tables[0]
        joined = PairTable.join(tables)
        return joined.select(np.random.default_rng([seed, 5, epoch]).permutation(len(joined)))


def prepare(
    experiment: Experiment, learnt: Sequence[Corpus], folder: Path, *, unseen: Sequence[Corpus] = ()
) -> None:
    """Write the prepared folder, given corpora to train on and unseen ones."""
    corpora = [*learnt, *unseen]
    genres = tuple(corpus.folder.resolve().name for corpus in corpora)
    if len(set(genres)) < len(genres):
        raise ExperimentError(
            f"corpora named {', '.join(genres)}: each is a genre, give each a name of its own"
        )
    tokenised = join([corpus.tokenised() for corpus in corpora])
    fold, seed = experiment.fold, experiment.seed
    parts = [c.labels if fold is None else c.labels.for_fold(fold) for c in corpora]
    parts[len(learnt) :] = [part.without_training() for part in parts[len(learnt) :]]
    labels = join_labels(parts)
    text, training = experiment.text, labels.indices("train")
    training_texts = tokenised.select(training)
    vocabulary = Vocabulary.fit(
        training_texts.counts(),
        min_word_count=text.min_word_count,
        min_character_count=text.min_character_count,
        authors=training_texts.author_counts(labels.authors[training]),
        min_word_authors=text.min_word_authors,
    )
    limits = {"max_words": text.max_words, "max_characters": text.max_characters}
    encoded = encode(tokenised, vocabulary, **limits)
    manifest: dict[str, Any] = {
        "experiment": experiment.name,
        "seed": seed,
        "fold": fold,
        "text": asdict(text),
        "corpora": {
            genre: {name: corpus.manifest[name] for name in _DESCRIBED}
            for genre, corpus in zip(genres, corpora, strict=True)
        },
        "unseen": [corpus.folder.resolve().name for corpus in unseen],
        "vocabulary": {"words": vocabulary.n_words, "characters": vocabulary.n_characters},
    }
    with whole_folder(folder) as target:
        arrays: dict[str, Any] = {name: getattr(encoded, name) for name in Encoded.__slots__}
        arrays |= {field.name: getattr(labels, field.name) for field in fields(Labels)}
        np.savez(target / "corpus.npz", **arrays)
        words = {"words": vocabulary.words, "characters": vocabulary.characters}
        (target / "vocabulary.json").write_text(json.dumps(words), encoding="utf-8")
        (target / "genres.json").write_text(json.dumps(genres), encoding="utf-8")
        for split, (corpus, part, genre) in product(
            ("dev", "test"), zip(corpora, parts, genres, strict=True)
        ):
            (target / split).mkdir(exist_ok=True)
            for several, drawn, prefix in (
                ("", part.draw_several(split, seed=seed), f"{genre}-{split}"),
                ("several_", part.draw_sides(split, seed=seed), genre),
            ):
                manifest.setdefault(f"{split}_{several}pairs", {})[genre] = len(drawn)
                file = pairs_file(target, split, genre, several=bool(several))
                write_pairs(corpus.pairs(drawn, prefix=prefix), file)
        (target / "manifest.json").write_text(json.dumps(manifest, indent=2))


def pairs_file(folder: Path, split: str, genre: str, *, several: bool = False) -> Path:
    """Return the file of pairs with one text, or with several texts, on a side."""
    return folder / split / f"{genre}{'.several' if several else ''}.pairs.jsonl.gz"


def load_prepared(folder: Path) -> Prepared:
    """Return the content of a prepared folder."""
    try:
        file = folder / "corpus.npz"
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            corpus = Encoded(**{f: arrays[f] for f in Encoded.__slots__})
            labels = Labels(**{f.name: arrays[f.name] for f in fields(Labels)})
        words = json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))
        vocabulary = Vocabulary(tuple(words["words"]), words["characters"])
        genres = tuple(json.loads((folder / "genres.json").read_text(encoding="utf-8")))
    except (OSError, KeyError, ValueError, TypeError, zipfile.BadZipFile) as error:
        raise ExperimentError(f"{folder} is not a prepared corpus ({error}): remove it") from None
    return Prepared(corpus, vocabulary, labels, genres)
