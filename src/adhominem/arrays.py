"""NumPy array types for annotations, and a base class for tables of arrays."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Self

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Reals = npt.NDArray[np.floating[Any]]  # of either precision
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]
Objects = npt.NDArray[np.object_]


class Rows:
    """Base of frozen dataclasses whose fields are columns: arrays of equal length, or None."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(self._columns()[0])

    def select(self, chosen: slice | npt.NDArray[Any]) -> Self:
        """Return the rows of a slice, of indices or of a boolean mask."""
        return type(self)(*(None if c is None else c[chosen] for c in self._columns()))

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Concatenate tables; a column that is None in one of them is None."""
        columns = zip(*(part._columns() for part in parts), strict=True)
        return cls(*(None if any(c is None for c in cs) else np.concatenate(cs) for cs in columns))

    def _columns(self) -> list[Any]:
        return [getattr(self, field.name) for field in fields(self)]  # type: ignore[arg-type]
