"""The features of a side out of those of its stretches, for several variants of it at once.

Letters of the shapes: V variants, S stretches, B documents, D_f features. A document is the mean of
its stretches by tokens, a side the mean of its documents by words; both are brought back to length
1 where the network's features have that.
"""

from __future__ import annotations

from torch import Tensor, nn


def join_stretches(
    y: Tensor, tokens: Tensor, n_lines: Tensor, owner: Tensor, *, unit_length: bool
) -> Tensor:
    """y (V, S, D_f), tokens and n_lines (V, S), owner (S,) to (V, D_f); NaN without a word."""
    B = int(owner.max()) + 1
    zeros = y.new_zeros(len(y), B)
    in_document = zeros.index_add(1, owner, tokens)  # (V, B)
    share = tokens / in_document[:, owner].clamp(min=1)  # (V, S)
    documents = y.new_zeros(len(y), B, y.shape[2]).index_add(1, owner, y * share.unsqueeze(2))
    if unit_length:
        documents = nn.functional.normalize(documents, dim=2)  # (V, B, D_f)
    words = zeros.index_add(1, owner, tokens - n_lines)  # (V, B); each line has a marker
    side = (documents * (words / words.sum(dim=1, keepdim=True)).unsqueeze(2)).sum(dim=1)
    return nn.functional.normalize(side, dim=1) if unit_length else side
