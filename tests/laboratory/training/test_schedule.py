"""torch's own schedule is the witness."""

from __future__ import annotations

import pytest
import torch

from adhominem.laboratory.training import TrainingConfig
from adhominem.laboratory.training.loop import cosine_restarts


@pytest.mark.parametrize("period", [1, 2, 7, 300])
def test_rate_is_that_of_torch(period: int) -> None:
    highest = TrainingConfig().learning_rate
    optimiser = torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))], lr=highest)
    witness = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimiser, T_0=period)
    for step in range(2 * period + 3):
        rate = cosine_restarts(step, highest=highest, period=period)
        assert rate == pytest.approx(optimiser.param_groups[0]["lr"], rel=1e-9, abs=1e-15)
        optimiser.step()
        witness.step()


def test_rate_begins_at_the_highest_and_restarts_there() -> None:
    rates = [cosine_restarts(step, highest=0.5, period=300) for step in range(301)]
    assert rates[0] == rates[300] == 0.5
    assert rates[:300] == sorted(rates[:300], reverse=True)
    assert 0 < rates[299] < 1e-4
