"""A map of the texts of a case: texts are near each other if the evidence speaks for one author.

Classical scaling gives the initial points for t-SNE. The same table gives the same map. Distances
on the map are an illustration; the numbers are in the table.
"""

import numpy as np

from adhominem.arrays import Floats, Singles
from adhominem.instrument.network.cores import one_blas_thread
from adhominem.pausing import pause

_MIN_TEXTS = 8  # for t-SNE
_STEPS, _EARLY = 500, 250  # of t-SNE, and how many of them are with early exaggeration
_EXAGGERATION = 12.0


def draw_map(llr: Floats) -> Floats:
    """Points (n, 2), centred and between -1 and 1; the diagonal of the table is ignored."""
    distance = np.nanmax(llr) - llr
    np.fill_diagonal(distance, 0)
    points = _classical_scaling(distance)
    if len(llr) >= _MIN_TEXTS and np.ptp(points) > 0:
        with one_blas_thread():
            points = _tsne(distance, points)
    points = points - points.mean(axis=0)
    largest = np.abs(points).max()
    scaled: Floats = points / largest if largest > 0 else points
    return scaled


def _classical_scaling(distance: Floats) -> Floats:
    """Torgerson's scaling: the two largest axes of the doubly centred squares."""
    squares = np.square(distance)
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    axes = vectors[:, ::-1][:, :2]
    # The sign of an axis is arbitrary; a positive largest entry makes it reproducible.
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), range(axes.shape[1])])
    points: Floats = axes * signs * np.sqrt(np.maximum(values[::-1][:2], 0))
    return points


def _tsne(distance: Floats, start: Floats) -> Floats:
    """Exact t-SNE (van der Maaten and Hinton 2008): gradient descent with momentum and gains."""
    n = len(start)
    wanted = _neighbour_probabilities(np.square(distance), min(30.0, (n - 1) / 3))
    points = (1e-4 * start / start[:, 0].std()).astype(np.float32)
    ones = np.ones((n, 1), dtype=np.float32)
    velocity, gains = np.zeros_like(points), np.ones_like(points)
    rate = np.float32(n / 4)  # forces shrink with the number of points
    near = np.empty((n, n), dtype=np.float32)
    pulled = np.empty_like(near)
    for step in range(_STEPS):
        pause()
        pull, momentum = (_EXAGGERATION, 0.5) if step < _EARLY else (1.0, 0.8)
        norms = np.square(points).sum(axis=1)[:, None]
        left, right = np.hstack([points, norms, ones]), np.hstack([-2 * points, ones, norms + 1])
        np.matmul(left, right.T, near)  # 1 + |x - y|^2 as one matrix product
        np.reciprocal(near, near)
        np.fill_diagonal(near, 0)
        total = near.sum()
        np.multiply(wanted, near, pulled)
        np.square(near, near)
        around = np.hstack([ones, points])
        forces = pull * (pulled @ around) - (near @ around) / total
        gradient = 4 * (forces[:, :1] * points - forces[:, 1:])
        gains = np.where(gradient * velocity < 0, gains + 0.2, np.maximum(gains * 0.8, 0.01))
        velocity = np.float32(momentum) * velocity - rate * gains * gradient
        points = points + velocity
    found: Floats = points.astype(np.float64)
    return found


def _neighbour_probabilities(squares: Floats, perplexity: float) -> Singles:
    """Symmetric probabilities (n, n), with a bisection for rows of entropy log(perplexity)."""
    n = len(squares)
    squares = squares - np.where(np.eye(n), np.inf, squares).min(axis=1)[:, None]
    np.fill_diagonal(squares, 0)
    low, high, precision = np.zeros(n), np.full(n, np.inf), np.ones(n)
    rows = squares
    for _ in range(60):
        rows = np.exp(-precision[:, None] * squares)
        np.fill_diagonal(rows, 0)
        total = rows.sum(axis=1)
        entropy = np.log(total) + precision * (rows * squares).sum(axis=1) / total
        too_wide = entropy > np.log(perplexity)
        low, high = np.where(too_wide, precision, low), np.where(too_wide, high, precision)
        precision = np.where(np.isinf(high), 2 * precision, (low + high) / 2)
    rows /= rows.sum(axis=1)[:, None]
    joint: Singles = np.maximum((rows + rows.T) / (2 * n), 1e-12).astype(np.float32)
    return joint
