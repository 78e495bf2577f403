"""Names of NumPy array types for annotations."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Reals = npt.NDArray[np.floating[Any]]  # of either precision
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]
Objects = npt.NDArray[np.object_]
