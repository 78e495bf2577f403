"""An nn.LSTM over flat sequences, without packing: the hidden states of every row.

On a GPU in half precision the recurrence is one kernel (`kernels.py`). Otherwise torch's own LSTM
runs over padded sequences, the backward direction over sequences in reverse order.
"""

from __future__ import annotations

from importlib.util import find_spec

import torch
from torch import Tensor, nn

from adhominem.laboratory.network.sequences import Sequences

_HAS_TRITON = find_spec("triton") is not None
# Bytes that a block of the kernels holds on the chip, by the widest state.
_ON_CHIP = {64: 110_000, 128: 227_000}


def ragged_lstm(lstm: nn.LSTM, x: Tensor, sequences: Sequences) -> Tensor:
    """Hidden states of every row: (N, D_in) -> (N, directions * D)."""
    run = fused_lstm if is_fused(lstm, x.device, x.dtype) else padded_lstm
    return run(lstm, x, sequences)


def is_fused(lstm: nn.LSTM, device: torch.device, dtype: torch.dtype) -> bool:
    """Whether the kernels run this LSTM on this device."""
    return can_fuse(device, dtype) and _fits(device, lstm.hidden_size)


def can_fuse(device: torch.device, dtype: torch.dtype) -> bool:
    """Whether Triton kernels run on this device, in this precision."""
    half = dtype in (torch.bfloat16, torch.float16)
    return device.type == "cuda" and half and _HAS_TRITON


def _fits(device: torch.device, D: int) -> bool:
    """Whether the recurrent weights and the state of a block fit on the chip of the GPU."""
    has = getattr(torch.cuda.get_device_properties(device), "shared_memory_per_block_optin", 0)
    return any(widest >= D and size <= has for widest, size in _ON_CHIP.items())


def padded_lstm(lstm: nn.LSTM, x: Tensor, sequences: Sequences) -> Tensor:
    """The LSTM of torch over padded sequences."""
    states = []
    for end in _ends(lstm):
        padding = sequences.padded(backwards=end != "")
        weights = [
            getattr(lstm, f"{name}_l0{end}").to(x.dtype)
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        ]
        nothing = x.new_zeros(1, sequences.n, lstm.hidden_size)
        h = torch.lstm(
            *(padding.pad(x), (nothing, nothing), weights, True, 1, 0.0, lstm.training, False, True)
        )[0]
        states.append(padding.flatten(h))
    return torch.cat(states, dim=1)


def fused_lstm(lstm: nn.LSTM, x: Tensor, sequences: Sequences) -> Tensor:
    """The LSTM as a kernel. The size of the state is padded to a power of 2; what is added to the
    state stays 0."""
    from adhominem.laboratory.network.kernels import Recurrence

    D, ends = lstm.hidden_size, _ends(lstm)
    width = max(16, 1 << (D - 1).bit_length())
    spare = width - D

    def gates(name: str, *padding: int) -> Tensor:
        stacked = torch.stack([getattr(lstm, f"{name}_l0{end}") for end in ends])
        by_gate = stacked.view(len(ends), 4, D, *stacked.shape[2:])
        return (
            nn.functional.pad(by_gate, (*padding, 0, spare)) if spare or any(padding) else by_gate
        )

    # Rows of whole 16 bytes: matrix products of other widths are slow.
    W_x = gates("weight_ih", 0, x.shape[1] - lstm.input_size).flatten(0, 2).to(x.dtype)
    W_h = gates("weight_hh", 0, spare).to(x.dtype)
    bias = (gates("bias_ih") + gates("bias_hh")).flatten().to(x.dtype)
    a = nn.functional.linear(x, W_x, bias).view(len(x), len(ends), 4, width)
    order = sequences.lengths.argsort(descending=True, stable=True)
    h: Tensor = Recurrence.apply(a, W_h, sequences.starts, order)  # type: ignore[no-untyped-call]
    return (h[:, :, :D] if spare else h).flatten(1)


def _ends(lstm: nn.LSTM) -> list[str]:
    return ["", "_reverse"] if lstm.bidirectional else [""]
