"""Settings of the server, and limits on requests."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from adhominem.documents.file_texts import FileLimits

LOOPBACK = frozenset(("127.0.0.1", "localhost", "::1"))


@dataclass(frozen=True, slots=True)
class Limits(FileLimits):
    """Limits on requests. `FileLimits` apply to uploaded files; `max_rows` also to a corpus for
    adaptation, `max_case` also to a request that becomes a job."""

    max_body: int = 32 * 1024 * 1024  # bytes of one request, and of one uploaded file
    max_bodies: int = 128 * 1024 * 1024  # bytes of all requests being read or answered
    max_texts: int = 1000  # texts in one request
    max_characters: int = 1_000_000  # of all texts of a request that is not a job
    max_attacked: int = 20_000  # characters of texts in which the fewest edits are searched
    seconds: float = 60.0  # for one request
    max_waiting: int = 64  # quick requests that wait for the network
    max_slow: int = 16  # slow requests that wait for the network
    max_queued: int = 4_000_000  # characters of the texts of waiting requests
    max_batch: int = 64  # pairs that are read together
    max_quick: int = 50_000  # characters of the texts of a quick request
    max_jobs: int = 4  # jobs that wait or run, and finished jobs that are kept
    keep_seconds: float = 900.0  # how long a finished job is kept after the last request for it
    max_models: int = 3  # loaded at a time
    max_references: int = 4  # sets of reference texts that are kept


@dataclass(frozen=True, slots=True)
class Settings:
    host: str = "127.0.0.1"  # address to listen at; any but the loopback needs a token
    names: tuple[str, ...] = ()  # further names of the server
    token: str | None = None
    model: str | None = None  # default model
    models: Path | None = None  # folder of further and of adapted models; None for a temporary one
    limits: Limits = field(default_factory=Limits)
    root: str = ""  # path of the server behind a proxy, such as /adhominem
    log: Callable[[str], None] | None = None  # takes a line for each request, without its texts

    @property
    def is_local(self) -> bool:
        return self.host in LOOPBACK
