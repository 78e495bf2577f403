"""Settings of the server, and limits on what it accepts."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from adhominem.instrument.documents.file_texts import FileLimits

LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))


@dataclass(frozen=True, slots=True)
class Limits(FileLimits):
    """How much one request may ask for; `FileLimits` are those of an uploaded file, of a corpus to
    adapt to (`max_rows`) and of a request that becomes a job (`max_case`)."""

    max_body: int = 32 * 1024 * 1024  # bytes of one request, and of one uploaded file
    max_bodies: int = 128 * 1024 * 1024  # bytes of all requests being read or answered
    max_texts: int = 1000  # texts in one request
    max_characters: int = 1_000_000  # of all texts of a request that is answered at once
    max_attacked: int = 20_000  # characters of texts in which the fewest edits are searched
    seconds: float = 60.0  # for one request
    max_waiting: int = 64  # requests that wait for the network
    max_slow: int = 16  # of them those that take long
    max_queued: int = 4_000_000  # characters of the texts of waiting requests
    max_batch: int = 64  # pairs that are read together
    max_quick: int = 50_000  # characters beyond which work is slow
    max_jobs: int = 4  # that wait or run, and as many finished ones are kept
    keep_seconds: float = 900.0  # for which a finished job is kept after it was last asked for
    max_models: int = 3  # loaded at a time
    max_references: int = 4  # sets of reference texts that are kept


@dataclass(frozen=True, slots=True)
class Settings:
    """
    host     where it listens; anywhere but on this machine alone needs a token
    names    further names under which it may be reached
    model    the one that is used where a request names none
    models   folder of further models, where adapted ones are kept; None for this process only
    root     path below which a proxy offers the server, such as /adhominem; "" for none
    log      takes a line for each request, in which there is nothing of a text
    """

    host: str = "127.0.0.1"
    names: tuple[str, ...] = ()
    token: str | None = None
    model: str | None = None
    models: Path | None = None
    limits: Limits = field(default_factory=Limits)
    root: str = ""
    log: Callable[[str], None] | None = None

    @property
    def is_local(self) -> bool:
        return self.host in LOOPBACK
