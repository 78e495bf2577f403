"""A map of the texts: points that are near each other where the evidence speaks for one author.

Classical scaling sets the points out, t-SNE then keeps neighbours together. The same table gives
the same map. Distances on it are for the eye; the numbers are in the table.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
_FEWEST = 8  # texts for which neighbourhoods mean something


def draw_map(llr: Floats) -> Floats:
    """(n, 2), centred and within -1 and 1; the diagonal of the table is not looked at."""
    n = len(llr)
    distance = np.nanmax(llr) - llr
    np.fill_diagonal(distance, 0)
    points = _classical(distance)
    if n >= _FEWEST and np.ptp(points) > 0:
        points = _neighbours(distance, points)
    points = points - points.mean(axis=0)
    largest = np.abs(points).max()
    scaled: Floats = points / largest if largest > 0 else points
    return scaled


def _classical(distance: Floats) -> Floats:
    """Torgerson's scaling: the two largest axes of the doubly centred squares."""
    squares = np.square(distance)
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    values, vectors = np.linalg.eigh(-centred / 2)
    axes = vectors[:, ::-1][:, :2]
    # Either sign is right: the one that makes the largest entry positive is always the same.
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), range(axes.shape[1])])
    points: Floats = axes * signs * np.sqrt(np.maximum(values[::-1][:2], 0))
    return points


def _neighbours(distance: Floats, start: Floats) -> Floats:
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # sums over several threads differ from run to run
        points: Floats = TSNE(
            metric="precomputed",
            init=1e-4 * start / start[:, 0].std(),
            perplexity=min(30.0, (len(start) - 1) / 3),
            max_iter=500,
            random_state=0,
        ).fit_transform(distance)
    return points.astype(np.float64)
