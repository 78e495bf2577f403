"""An experiment file (TOML) to settings; a key that nobody knows is an error, not a shrug."""

from __future__ import annotations

import dataclasses
import json
import math
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from adhominem.corpus.build.settings import BuildSettings
from adhominem.corpus.readers.sources import Columns
from adhominem.errors import ExperimentError
from adhominem.training.config import OBJECTIVES, TrainingConfig

_T = TypeVar("_T")
_NOUNS = {
    "int | None": "a whole number",
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "dict[str, Any]": "a table",
}
_MAY_BE_ZERO = {
    *("seed", "fold", "tau_s", "min_word_count", "min_character_count", "min_word_authors"),
    *("topic_share", "unknown_share", "content_share", "teacher_share", "average"),
    *("block_pairs", "genre_power"),
}


@dataclass(frozen=True, slots=True)
class CorpusSettings:
    """How documents are made into a corpus; a corpus that is built already brings its own.
    `topic` names the column of topics; "" for a file that has none."""

    author: str = "author"
    topic: str = "topic"
    text: str = "text"
    english_only: bool = True
    min_tokens: int = 80
    max_tokens: int = 1000
    min_documents: int = 2
    max_documents: int = 100

    def build_settings(self, *, seed: int) -> BuildSettings:
        names = {
            name: getattr(self, name)
            for name in ("author", "topic", "text")
            if getattr(self, name) != name
        }
        return BuildSettings(
            columns=Columns(**names),
            english_only=self.english_only,
            min_tokens=self.min_tokens,
            max_tokens=self.max_tokens,
            min_documents=self.min_documents,
            max_documents=self.max_documents,
            seed=seed,
        )


@dataclass(frozen=True, slots=True)
class TextSettings:
    max_words: int = 20
    max_characters: int = 15
    min_word_count: int = 20
    min_character_count: int = 100
    min_word_authors: int = 1


@dataclass(frozen=True, slots=True)
class PairSettings:
    """Pairs of each (a, c) cell in one turn of a cross-validation. A network trains on all pairs,
    drawn anew for every epoch."""

    train: int = 1500
    dev: int = 500
    test: int = 2000


@dataclass(frozen=True, slots=True)
class Experiment:
    """`method` names a compared method and `settings` its options; the other tables from `text` on
    are for the networks. `fold` says which turn of a cross-validation it is, if it is one;
    `network` holds `kind` ("adhominem" or "hrsn") and sizes of that network's configuration;
    `about` says for the model card where the data come from and on which terms."""

    name: str
    about: str = ""
    seed: int = 1
    fold: int | None = None
    version: str = "1"
    method: str = "neural"
    settings: dict[str, Any] = field(default_factory=dict)
    pairs: PairSettings = PairSettings()
    corpus: CorpusSettings = CorpusSettings()
    text: TextSettings = TextSettings()
    network: dict[str, Any] = field(default_factory=dict)
    training: TrainingConfig = TrainingConfig()

    def as_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def read_experiment(path: Path) -> Experiment:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ExperimentError(f"{path}: no such experiment file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ExperimentError(f"{path} is not a readable TOML file: {error}") from None
    return _experiment(content, path)


def stored_experiment(path: Path) -> Experiment:
    """What a run folder says of itself."""
    try:
        return _experiment(json.loads(path.read_text(encoding="utf-8")), path)
    except (OSError, ValueError) as error:
        raise ExperimentError(f"{path} is not the experiment of a run: {error}") from None


def _experiment(content: dict[str, Any], path: Path) -> Experiment:
    if "name" not in content:
        raise ExperimentError(f"{path} has no 'name': give the model a name")
    sections = {
        "pairs": PairSettings,
        "corpus": CorpusSettings,
        "text": TextSettings,
        "training": TrainingConfig,
    }
    for section, kind in sections.items():
        if section in content:
            content[section] = _fill(kind, content[section], f"{path}, [{section}]")
    experiment = _fill(Experiment, content, str(path))
    _check_together(experiment, path)
    return experiment


def _check_together(experiment: Experiment, path: Path) -> None:
    corpus, text, training = experiment.corpus, experiment.text, experiment.training
    for wrong, problem in (
        (not experiment.name, "'name' is empty: give the model a name"),
        (corpus.min_tokens > corpus.max_tokens, "min_tokens is above max_tokens"),
        (text.max_words < 2, "max_words is below 2: a line holds a word and its end"),
        (training.tau_s >= training.tau_d, "tau_s is not below tau_d"),
        (
            training.objective not in OBJECTIVES,
            f"objective is '{training.objective}', expected {' or '.join(OBJECTIVES)}",
        ),
        (
            max(training.unknown_share, training.average) >= 1
            or max(training.topic_share, training.content_share) > 1
            or max(training.shortest_stretch, training.teacher_share) > 1,
            "unknown_share and average must be below 1, other shares up to 1",
        ),
    ):
        if wrong:
            raise ExperimentError(f"{path}: {problem}")


def _fill(kind: type[_T], values: dict[str, Any], where: str) -> _T:
    if not isinstance(values, dict):
        raise ExperimentError(f"{where} is {values!r}, expected a table of settings")
    known = {f.name for f in dataclasses.fields(kind)}  # type: ignore[arg-type]
    unknown = sorted(set(values) - known)
    if unknown:
        raise ExperimentError(
            f"{where}: unknown {', '.join(unknown)}; known are {', '.join(sorted(known))}"
        )
    filled = kind(**values)
    for f in dataclasses.fields(filled):  # type: ignore[arg-type]
        _check(f.name, getattr(filled, f.name), f.type, where)
    return filled


def _check(name: str, value: Any, expected: Any, where: str) -> None:
    """Numbers of the right kind, and none that is negative, infinite or (where it counts) zero."""
    kinds: dict[Any, tuple[type, ...]] = {
        **{"int": (int,), "float": (int, float), "bool": (bool,)},
        **{"str": (str,), "dict[str, Any]": (dict,), "int | None": (int, type(None))},
    }
    if expected not in kinds:
        return
    if not isinstance(value, kinds[expected]) or isinstance(value, bool) != (expected == "bool"):
        raise ExperimentError(f"{where}: {name} is {value!r}, expected {_NOUNS[expected]}")
    if (
        isinstance(value, int | float)
        and expected != "bool"
        and not (math.isfinite(value) and value >= 0 and (value > 0 or name in _MAY_BE_ZERO))
    ):
        raise ExperimentError(f"{where}: {name} is {value!r}, expected a number above 0")
