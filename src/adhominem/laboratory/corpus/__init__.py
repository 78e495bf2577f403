"""Settings of a corpus. A corpus depends on its sources, these settings and nothing else."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from adhominem.errors import InputError
from adhominem.instrument.text.settings import PAPER

Progress = Callable[[str, int, int], None]  # called with the stage, tasks done, tasks in all


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the fields of a general file, as far as the user gave them; None stands for
    "author", "topic" and "text". With an empty topic, topics are not read."""

    author: str | None = None
    topic: str | None = None
    text: str | None = None

    @property
    def names(self) -> tuple[str, str, str]:
        topic = "topic" if self.topic is None else self.topic
        return self.author or "author", topic, self.text or "text"

    @property
    def given(self) -> bool:
        """Whether the user named a field, so that the file is read as a general one."""
        return self.author is not None or self.text is not None


@dataclass(frozen=True, slots=True)
class CorpusSettings:
    """How documents become a corpus; for the first three settings see Columns."""

    author: str | None = None
    topic: str | None = None
    text: str | None = None
    english_only: bool = True  # drop texts with too few English function words
    min_tokens: int = 80  # of a document (the paper: 80 and 1000)
    max_tokens: int = 1000
    min_documents: int = 2  # of an author
    max_documents: int = 100  # of an author; of more, the seed decides which are kept
    repeated_share: float = 0.1  # of 5-grams that makes documents of one author near duplicates
    copied_share: float = 0.25  # of 8-grams that makes documents of two authors copies
    train: float = 0.8  # share of the authors; those of neither share are for testing
    dev: float = 0.1
    folds: int = 5  # for cross-validation
    min_word_count: int = PAPER.min_word_count  # of words that count as vocabulary
    min_character_count: int = PAPER.min_character_count
    seed: int = 1  # decides splits, folds and caps

    def __post_init__(self) -> None:
        for name, least, most in (
            ("min_tokens", 1, math.inf),
            ("max_tokens", self.min_tokens, math.inf),
            ("min_documents", 1, math.inf),
            ("max_documents", self.min_documents, math.inf),
            ("folds", 2, 100),
            ("seed", 0, 2**64 - 1),
        ):
            if not least <= (value := getattr(self, name)) <= most:
                expected = f"{least} or more" if most == math.inf else f"{least} to {most}"
                raise InputError(f"{name} is {value}, expected {expected}")
        if not (min(self.train, self.dev) >= 0 and self.train + self.dev <= 1):
            shares = f"{self.train} and {self.dev}"
            raise InputError(f"train and dev are {shares}, expected shares of at most 1 together")

    @property
    def columns(self) -> Columns:
        return Columns(self.author, self.topic, self.text)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON values, as the manifest of a corpus has them."""
        content = asdict(self)
        columns = {name: content.pop(name) for name in ("author", "topic", "text")}
        return {"columns": columns, **content}
