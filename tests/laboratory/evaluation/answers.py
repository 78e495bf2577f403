"""Made-up answers for the tests of this folder."""

import numpy as np

from adhominem.laboratory.evaluation.answers import Answers, llr_of


def make_answers(
    n: int = 300, *, seed: int = 0, skill: float = 0.2, prefix: str = "pair", n_authors: int = 60
) -> Answers:
    """Pairs depend on n and n_authors alone, the scores on seed and skill."""
    fixed = np.random.default_rng(n)
    same = fixed.random(n) < 0.5
    authors = fixed.integers(0, n_authors, (n, 2))
    authors[same, 1] = authors[same, 0]
    authors[~same & (authors[:, 0] == authors[:, 1]), 1] += 1
    rng = np.random.default_rng(seed)
    score = np.clip(rng.normal(0.5 + skill * (2 * same - 1), 0.25), 0.02, 0.98)
    score[:3] = 0.5
    return Answers(
        ids=np.array([f"{prefix}-{i}" for i in range(n)], dtype=object),
        score=score,
        llr=llr_of(score),
        reliable=(score > 0.9) | (score < 0.1),
        undecided=score == 0.5,
        same_author=same,
        same_topic=fixed.random(n) < 0.5,
        authors=authors.astype(str).astype(object),
        tokens=fixed.integers(30, 900, n),
    )
