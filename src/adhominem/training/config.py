"""The settings of one training run; the defaults are the published ones."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """`batch_pairs` is the global batch: several processes share it."""

    epochs: int = 30
    batch_pairs: int = 32
    learning_rate: float = 1.5e-3
    restart_steps: int = 300
    clip_norm: float = 5.0
    patience: int = 5
    max_lines: int = 40
    tau_s: float = 1.0
    tau_d: float = 3.0
    checkpoint_steps: int = 500
