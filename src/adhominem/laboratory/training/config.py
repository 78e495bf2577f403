"""The settings of one training run; the defaults are the published ones."""

from __future__ import annotations

from dataclasses import dataclass

OBJECTIVES = ("pairs", "authors")


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """`batch_pairs` is the global batch: several processes share it.

    objective           "pairs" is the paper's: labelled pairs and two thresholds. "authors": every
                        pair is of one author, and the other authors of its batch are the negatives
    temperature         of the "authors" objective: squared distances are divided by it
    topic_share         of its batches (or blocks) that stay within one topic
    block_pairs         authors in a block: a batch is made of blocks of one genre each, and only
                        the authors of a block are each other's negatives; 0: a batch is one block,
                        and a genre with too few authors to fill it is not learnt from
    genre_power         blocks are drawn from genres by this power of their number of authors
    epoch_steps         steps between two measurements, where there are blocks
    shortest_stretch    a document is read from a random line on, at least this share of it
    unknown_share       of the tokens that are hidden behind the unknown token
    content_share       of the documents in which content words are hidden: each with a probability
                        that is drawn anew for every document, evenly from 0 to 1
    teacher_share       of the "authors" objective that teachers set: other models whose distances
                        between the documents of a batch are to be met
    average             decay of the running mean of the weights that is measured and kept; 0: none
    """

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
    objective: str = "pairs"
    temperature: float = 1.0
    topic_share: float = 0.5
    block_pairs: int = 0
    genre_power: float = 0.5
    epoch_steps: int = 250
    shortest_stretch: float = 1.0
    unknown_share: float = 0.0
    content_share: float = 0.0
    teacher_share: float = 0.0
    average: float = 0.0
