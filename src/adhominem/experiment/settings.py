"""An experiment file (TOML) to settings; a key that nobody knows is an error, not a shrug."""

from __future__ import annotations

import dataclasses
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from adhominem.errors import ExperimentError
from adhominem.training.config import TrainingConfig

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class CorpusSettings:
    """`topic` names the column of topics; "" for a corpus that has none."""

    author: str = "author"
    topic: str = "topic"
    text: str = "text"
    min_tokens: int = 80
    max_tokens: int = 1000
    min_documents: int = 2


@dataclass(frozen=True, slots=True)
class TextSettings:
    max_words: int = 20
    max_characters: int = 15
    min_word_count: int = 20
    min_character_count: int = 100


@dataclass(frozen=True, slots=True)
class Experiment:
    """`network` holds `kind` ("adhominem" or "hrsn") and sizes of that network's configuration;
    `about` says for the model card where the data come from and on which terms."""

    name: str
    about: str = ""
    seed: int = 1
    version: str = "1"
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
    if "name" not in content:
        raise ExperimentError(f"{path} has no 'name': give the model a name")
    sections = {"corpus": CorpusSettings, "text": TextSettings, "training": TrainingConfig}
    for section, kind in sections.items():
        if section in content:
            content[section] = _fill(kind, content[section], f"{path}, [{section}]")
    return _fill(Experiment, content, str(path))


def _fill(kind: type[_T], values: dict[str, Any], where: str) -> _T:
    known = {f.name for f in dataclasses.fields(kind)}  # type: ignore[arg-type]
    unknown = sorted(set(values) - known)
    if unknown:
        raise ExperimentError(
            f"{where}: unknown {', '.join(unknown)}; known are {', '.join(sorted(known))}"
        )
    return kind(**values)
