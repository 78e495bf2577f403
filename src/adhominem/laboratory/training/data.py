"""What a run learns from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.corpus.pairs import PairTable


@dataclass(frozen=True, slots=True)
class TrainingData:
    """A corpus, the training pairs of each epoch, the development pairs of each genre, and a
    teacher's features of every document, where there is one."""

    corpus: Encoded
    draw: Callable[[int], PairTable]
    dev: Mapping[str, PairTable]
    taught: npt.NDArray[np.float16] | None = None
