"""Optional packages: a missing one is an error that names the pip command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from adhominem.errors import MissingExtraError

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


@contextmanager
def optional_imports(alternative: str = "") -> Iterator[None]:
    """Turn a failed import of an optional package into a MissingExtraError.

    `alternative` says what to do without the package, for example "use --workers 1".
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        extra = next((extra for extra, names in PACKAGES.items() if package in names), None)
        if extra is None:
            raise
        hint = f", or {alternative}" if alternative else ""
        raise MissingExtraError(
            f'{package} is not installed: pip install "adhominem[{extra}]"{hint}'
        ) from None
