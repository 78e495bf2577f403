"""Exceptions, a tree under AdhominemError, and errors for missing optional packages."""

from collections.abc import Iterator
from contextlib import contextmanager

# Importable names, by the extra of pyproject.toml that installs them.
PACKAGES = {
    "lab": (
        *("daft", "gensim", "lir", "matplotlib", "pyarrow", "scipy", "sklearn", "threadpoolctl"),
        *("torch", "zstandard"),
    ),
    "pdf": ("pypdf",),
    "bench": ("fastapi", "pydantic", "starlette", "uvicorn"),
    "cluster": ("ray",),
}


class AdhominemError(Exception):
    """Base of all errors that the package raises on purpose. The message is one line for the user:
    what was given, what was expected, what to do.

    >>> adhominem.load().verify("one text", None)
    Traceback (most recent call last):
    adhominem.errors.InputError: right is missing (None): give a text or a list of texts
    """


class InputError(AdhominemError):
    """A text, a file or a line that cannot be read."""


class OutputError(AdhominemError):
    """A file or folder that cannot be written."""


class ModelError(AdhominemError):
    """A model folder that is missing, damaged or of another format."""


class NotFittedError(AdhominemError):
    """A verifier that is used before it is fitted or loaded."""


class ExperimentError(AdhominemError):
    """An invalid experiment file, or a run folder of another experiment."""


class MissingExtraError(AdhominemError):
    """An optional package that is not installed."""


@contextmanager
def optional_imports(alternative: str = "") -> Iterator[None]:
    """Turn a failed import of an optional package into a MissingExtraError. `alternative` is advice
    for users without the package, for example "use --workers 1"."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        extra = next((extra for extra, names in PACKAGES.items() if package in names), None)
        if extra is None:
            raise
        hint = f", or {alternative}" if alternative else ""
        command = f'pip install "adhominem[{extra}]"'
        raise MissingExtraError(f"{package} is not installed: {command}{hint}") from None
