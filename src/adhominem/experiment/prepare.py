"""A corpus to integers on disk: count, encode, draw the pairs to be measured on.

The folder holds all that training needs and the development and test pairs as texts, so that any
verifier can be measured on the very same pairs. It appears whole or not at all.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adhominem.corpus.author_pairs import draw_author_pairs
from adhominem.corpus.labels import Labels
from adhominem.corpus.pair_files import write_pairs
from adhominem.corpus.pairs import PairTable
from adhominem.errors import ExperimentError
from adhominem.experiment.settings import Experiment
from adhominem.files import whole_folder
from adhominem.text.encode import Encoded, encode
from adhominem.text.vocabulary import Vocabulary
from adhominem.training.config import TrainingConfig

if TYPE_CHECKING:
    from adhominem.corpus.store import Corpus

_MEASURED = ("dev", "test")


@dataclass(frozen=True, slots=True)
class Prepared:
    corpus: Encoded
    vocabulary: Vocabulary
    labels: Labels

    def draw(self, split: str, *, seed: int, epoch: int) -> PairTable:
        """Pairs of the documents of one split, as places in the whole corpus."""
        return self.labels.draw(self.labels.places(split), seed=seed, epoch=epoch)

    def draw_training(self, config: TrainingConfig, *, seed: int, epoch: int) -> PairTable:
        """What an epoch learns from, by the objective."""
        if config.objective == "pairs":
            return self.draw("train", seed=seed, epoch=epoch)
        places = self.labels.places("train")
        places = places[~self.labels.copied[places]]
        table = draw_author_pairs(
            self.labels.authors[places],
            self.labels.topics[places],
            batch=config.batch_pairs,
            topic_share=config.topic_share,
            seed=seed,
            epoch=epoch,
        )
        return PairTable(
            places[table.left], places[table.right], table.same_author, table.same_topic
        )


def prepare(experiment: Experiment, corpus: Corpus, folder: Path) -> None:
    tokenised = corpus.tokenised()
    labels = corpus.labels
    if experiment.fold is not None:
        labels = labels.for_fold(experiment.fold)
    vocabulary = Vocabulary.fit(
        tokenised.select(labels.places("train")).counts(),
        min_word_count=experiment.text.min_word_count,
        min_character_count=experiment.text.min_character_count,
    )
    encoded = encode(
        tokenised,
        vocabulary,
        max_words=experiment.text.max_words,
        max_characters=experiment.text.max_characters,
    )
    prepared = Prepared(encoded, vocabulary, labels)
    manifest = {
        "experiment": experiment.name,
        "seed": experiment.seed,
        "fold": experiment.fold,
        "text": asdict(experiment.text),
        "corpus": {
            name: corpus.manifest[name]
            for name in ("settings", "sources", "funnel", "documents", "authors", "tokens")
        },
        "vocabulary": {"words": vocabulary.n_words, "characters": vocabulary.n_characters},
    }
    with whole_folder(folder) as target:
        _save(prepared, target)
        for split in _MEASURED:
            table = prepared.draw(split, seed=experiment.seed, epoch=0)
            manifest[f"{split}_pairs"] = len(table)
            places = np.concatenate([table.left, table.right])
            pairs = table.pairs(corpus.documents(places), prefix=split)
            write_pairs(pairs, target / f"{split}.pairs.jsonl.gz")
        (target / "manifest.json").write_text(json.dumps(manifest, indent=2))


def _save(prepared: Prepared, folder: Path) -> None:
    arrays: dict[str, Any] = {f: getattr(prepared.corpus, f) for f in Encoded.__slots__}
    arrays |= {f.name: getattr(prepared.labels, f.name) for f in fields(Labels)}
    np.savez(folder / "corpus.npz", **arrays)
    content = {"words": prepared.vocabulary.words, "characters": prepared.vocabulary.characters}
    (folder / "vocabulary.json").write_text(json.dumps(content), encoding="utf-8")


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
    except (OSError, KeyError, ValueError, TypeError, zipfile.BadZipFile) as error:
        raise ExperimentError(f"{folder} is not a prepared corpus ({error}): remove it") from None
    return Prepared(corpus, vocabulary, labels)
