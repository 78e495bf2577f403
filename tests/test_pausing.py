"""Work pauses only where somebody asked for it, and ends where they say so."""

import numpy as np
import pytest

import adhominem
from adhominem.instrument.explain.whatif import attack
from adhominem.pausing import pause, pausing


def test_nobody_asked() -> None:
    pause()


def test_only_inside_the_block() -> None:
    calls: list[int] = []
    with pausing(lambda: calls.append(1)):
        pause()
        with pausing(lambda: calls.append(2)):
            pause()
        pause()
    pause()
    assert calls == [1, 2, 1]


def test_explanations_and_searches_pause_and_can_be_ended(samples: tuple[str, str]) -> None:
    verifier = adhominem.load()
    left, right = (" ".join(text.split()[:60]) for text in samples)
    calls: list[int] = []
    undisturbed = verifier.explain_texts(left, right)
    with pausing(lambda: calls.append(1)):
        assert verifier.explain_texts(left, right) == undisturbed
    assert len(calls) >= 3
    calls.clear()
    with pausing(lambda: calls.append(1)):
        attack(verifier, *samples, side="left", budget=1)
    assert calls

    def stop() -> None:
        raise KeyboardInterrupt

    with pausing(stop), pytest.raises(KeyboardInterrupt):
        verifier.explain_texts(left, right)
    again = verifier.explain_texts(left, right)
    assert np.isclose(again.decision.llr, undisturbed.decision.llr)
