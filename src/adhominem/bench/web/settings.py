"""What the server is told when it starts, and how much it takes on."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))


@dataclass(frozen=True, slots=True)
class Limits:
    """
    max_body         bytes of one request, and of one uploaded file
    max_bodies       bytes of all requests that are being read or answered
    max_texts        texts in one request ...
    max_rows         ... and in an uploaded file or a corpus to adapt to
    max_characters   of all texts of a request that is answered at once ...
    max_case         ... and of one that becomes a job
    max_attacked     of a text in which the fewest edits are searched
    seconds          for one request
    max_waiting      requests that wait for the network ...
    max_slow         ... those of them that take long ...
    max_queued       ... and the characters of their texts
    max_batch        pairs that are read together ...
    max_quick        ... and the characters beyond which work is slow
    max_jobs         that wait or run, and as many finished ones are kept ...
    keep_seconds     ... for so long after they were last asked for
    max_unpacked     bytes that an archive may unpack to ...
    max_ratio        ... and how many times its own size
    max_models       loaded at a time
    """

    max_body: int = 32 * 1024 * 1024
    max_bodies: int = 128 * 1024 * 1024
    max_texts: int = 1000
    max_rows: int = 20_000
    max_characters: int = 1_000_000
    max_case: int = 10_000_000
    max_attacked: int = 20_000
    seconds: float = 60.0
    max_waiting: int = 64
    max_slow: int = 16
    max_queued: int = 4_000_000
    max_batch: int = 64
    max_quick: int = 50_000
    max_jobs: int = 4
    keep_seconds: float = 900.0
    max_unpacked: int = 64 * 1024 * 1024
    max_ratio: float = 100.0
    max_models: int = 3


@dataclass(frozen=True, slots=True)
class Settings:
    """
    host     where it listens; anywhere but on this machine alone needs a token
    names    further names under which it may be reached
    model    the one that is used where a request names none
    models   folder of further models, where adapted ones are kept; None for this process only
    """

    host: str = "127.0.0.1"
    names: tuple[str, ...] = ()
    token: str | None = None
    model: str | None = None
    models: Path | None = None
    limits: Limits = field(default_factory=Limits)

    @property
    def is_local(self) -> bool:
        return self.host in LOOPBACK
