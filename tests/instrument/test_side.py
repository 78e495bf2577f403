"""Several texts as one side."""

from __future__ import annotations

import numpy as np
import pytest

from adhominem.instrument.network.side import ReadText, join_texts


def read(features: list[float], tokens: int, english: float) -> ReadText:
    return ReadText(np.array(features, np.float32), tokens, 1, 0, english, np.zeros(0))


def test_a_side_is_the_mean_of_its_texts_by_tokens() -> None:
    texts = [read([1.0, 0.0], 30, 0.4), read([0.0, 2.0], 10, 0.8), read([9.0, 9.0], 0, 0.0)]
    vector, reading = join_texts(texts, None, has_unit_length=False)
    np.testing.assert_allclose(vector, [0.75, 0.5])
    assert reading.english == pytest.approx(0.5)
    assert (reading.tokens, reading.stretches) == (40, 2)
    unit, _ = join_texts(texts, None, has_unit_length=True)
    np.testing.assert_allclose(unit, vector / np.hypot(*vector), rtol=1e-6)
