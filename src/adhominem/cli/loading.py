"""A model for a verb that answers once and ends."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adhominem.instrument.verifier import Verifier


def load_for(texts: tuple[list[str], list[str]], model: str | None) -> Verifier:
    """Meanwhile, the texts are tokenised. What a model imports stays to the end: to look for
    garbage in it, now and once more on leaving, would cost half a second."""
    from adhominem.instrument.text.ahead import tokenising_ahead

    gc.disable()
    try:
        with tokenising_ahead([*texts[0], *texts[1]]):
            from adhominem import load

            return load(model)
    finally:
        gc.freeze()
        gc.enable()
