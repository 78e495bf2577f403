"""What a corpus is made by. Every setting changes its bytes; nothing else does but the sources."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from adhominem.errors import InputError
from adhominem.laboratory.corpus.readers.sources import Columns


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """
    columns                 of csv, jsonl and parquet sources
    english_only            drop texts with too few English function words
    min_tokens, max_tokens  of a document (the paper: 80 and 1000)
    min_documents           of an author; max_documents are kept of each, drawn by the seed
    repeated_share          of word 5-grams that makes a near duplicate of one author's documents
    copied_share            of word 8-grams that makes a copy between authors
    train, dev              shares of the authors; the rest are for testing
    folds                   for cross-validation
    min_word_count          token types and characters below are cut (the paper: 20 and 100),
    min_character_count     counted on training authors
    """

    columns: Columns = Columns()
    english_only: bool = True
    min_tokens: int = 80
    max_tokens: int = 1000
    min_documents: int = 2
    max_documents: int = 100
    repeated_share: float = 0.1
    copied_share: float = 0.25
    train: float = 0.8
    dev: float = 0.1
    folds: int = 5
    min_word_count: int = 20
    min_character_count: int = 100
    seed: int = 1

    def __post_init__(self) -> None:
        for wrong, problem in (
            (self.min_tokens < 1, f"min_tokens is {self.min_tokens}, expected 1 or more"),
            (
                self.max_tokens < self.min_tokens,
                f"max_tokens is {self.max_tokens}, below min_tokens ({self.min_tokens})",
            ),
            (self.min_documents < 1, f"min_documents is {self.min_documents}, expected 1 or more"),
            (
                self.max_documents < self.min_documents,
                f"max_documents is {self.max_documents}, below min_documents "
                f"({self.min_documents})",
            ),
            (
                not (min(self.train, self.dev) >= 0 and self.train + self.dev <= 1),
                f"train and dev are {self.train} and {self.dev}: shares that add up to 1 at most",
            ),
            (not 2 <= self.folds <= 100, f"folds is {self.folds}, expected 2 to 100"),
            (
                not 0 <= self.seed < 2**64,
                f"seed is {self.seed}, expected 0 or more and below 2**64",
            ),
        ):
            if wrong:
                raise InputError(problem)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> BuildSettings:
        return cls(**{**content, "columns": Columns(**content["columns"])})
