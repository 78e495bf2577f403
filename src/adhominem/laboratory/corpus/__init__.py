"""Settings of a corpus; the same sources and settings give the same corpus."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from adhominem.errors import InputError

Progress = Callable[[str, int, int], None]  # called with the stage, tasks done and their total


@dataclass(frozen=True, slots=True)
class Columns:
    """Names of the fields of a general file; None means the default, "author", "topic" or "text".
    An empty topic means that topics are not read."""

    author: str | None = None
    topic: str | None = None
    text: str | None = None

    @property
    def names(self) -> tuple[str, str, str]:
        topic = "topic" if self.topic is None else self.topic
        return self.author or "author", topic, self.text or "text"

    @property
    def given(self) -> bool:
        """Whether the user named a field; the file is then read as a general one."""
        return self.author is not None or self.text is not None


@dataclass(frozen=True, slots=True)
class CorpusSettings:
    """How documents become a corpus; the first three settings are those of Columns."""

    author: str | None = None
    topic: str | None = None
    text: str | None = None
    english_only: bool = True  # drop texts with too few English function words
    min_tokens: int = 80  # of a document (the paper: 80 and 1000)
    max_tokens: int = 1000
    min_documents: int = 2  # of an author
    max_documents: int = 100  # of an author; the seed decides which ones are kept
    repeated_share: float = 0.1  # above this share of 5-grams, texts of an author are duplicates
    copied_share: float = 0.25  # above this share of 8-grams, texts of two authors are copies
    train: float = 0.8  # share of the authors; the rest after train and dev are for testing
    dev: float = 0.1
    folds: int = 5  # for cross-validation
    seed: int = 1  # of splits, folds and the cap per author

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
        """Return the settings as JSON values for the manifest of a corpus."""
        content = asdict(self)
        return {"columns": {n: content.pop(n) for n in ("author", "topic", "text")}, **content}
