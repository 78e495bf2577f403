"""Experiment files (TOML) with checked names, types and values."""

import json
import math
import tomllib
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from adhominem.errors import ExperimentError, InputError
from adhominem.instrument.model_schema import record_from
from adhominem.instrument.text.settings import TextSettings
from adhominem.laboratory.corpus import CorpusSettings
from adhominem.laboratory.training import OBJECTIVES, TrainingConfig

_MAY_BE_ZERO = {
    *("seed", "fold", "tau_s", "min_word_count", "min_character_count", "min_word_authors"),
    *("topic_share", "unknown_share", "content_share", "teacher_share", "average"),
    *("block_pairs", "genre_power"),
}


@dataclass(frozen=True, slots=True)
class PairSettings:
    """Largest numbers of pairs per (a, c) cell and fold in a cross-validation. A network trains on
    all training pairs."""

    train: int = 1500
    dev: int = 500
    test: int = 2000
    draws: int = 1  # most draws of training pairs, if one draw gives too few


@dataclass(frozen=True, slots=True)
class Experiment:
    """Settings of an experiment; the tables from `corpus` on are for networks."""

    name: str
    about: str = ""  # origin and licence of the data, for the model card
    seed: int = 1
    fold: int | None = None  # test fold of a cross-validation; None outside of one
    version: str = "1"
    method: str = "neural"  # "neural" for a network, or the name of a compared method
    settings: dict[str, Any] = field(default_factory=dict)  # of a compared method
    pairs: PairSettings = PairSettings()
    corpus: CorpusSettings = CorpusSettings()  # for documents; a built corpus has its own settings
    text: TextSettings = TextSettings()
    network: dict[str, Any] = field(default_factory=dict)  # sizes and `kind`, default "adhominem"
    training: TrainingConfig = TrainingConfig()

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON values for a run folder."""
        content = asdict(self)
        del content["corpus"]["seed"]  # it stands at the top
        content["training"]["left_out"] = list(self.training.left_out)
        return content


def read_experiment(path: Path) -> Experiment:
    """Return the settings in an experiment file."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ExperimentError(f"{path}: no such experiment file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ExperimentError(f"{path} is not a readable TOML file: {error}") from None
    return _experiment(content, path)


def stored_experiment(path: Path) -> Experiment:
    """Return the experiment of a run folder."""
    try:
        return _experiment(json.loads(path.read_text(encoding="utf-8")), path)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise ExperimentError(f"{path} is not the experiment of a run: {error}") from None


def _experiment(content: dict[str, Any], path: Path) -> Experiment:
    """Return the experiment in a table after checking names, types and values."""
    if "name" not in content:
        raise ExperimentError(f"{path} has no 'name': give the model a name")
    if isinstance(corpus := content.get("corpus"), dict) and "seed" in corpus:
        raise ExperimentError(f"{path}: seed is under [corpus], expected at the top of the file")
    try:
        experiment = record_from(Experiment, content)
    except (InputError, TypeError, ValueError) as error:
        raise ExperimentError(f"{path}: {error}") from None
    text, training = experiment.text, experiment.training
    for part in (experiment, experiment.pairs, experiment.corpus, text, training):
        for name in (own.name for own in fields(part)):
            value = getattr(part, name)
            if type(value) in (int, float) and not (
                0 < value < math.inf or (value == 0 and name in _MAY_BE_ZERO)
            ):
                raise ExperimentError(f"{path}: {name} is {value!r}, expected a number above 0")
    names = ("topic_share", "content_share", "shortest_stretch", "teacher_share")
    share = max(getattr(training, name) for name in names)
    problems = {
        "'name' is empty: give the model a name": not experiment.name,
        "max_words is below 2: a line holds a word and its end": text.max_words < 2,
        "tau_s is not below tau_d": training.tau_s >= training.tau_d,
        f"objective is '{training.objective}', expected {' or '.join(OBJECTIVES)}": (
            training.objective not in OBJECTIVES
        ),
        "unknown_share and average must be below 1, other shares up to 1": (
            max(training.unknown_share, training.average) >= 1 or share > 1
        ),
    }
    for problem, is_present in problems.items():
        if is_present:
            raise ExperimentError(f"{path}: {problem}")
    return experiment
