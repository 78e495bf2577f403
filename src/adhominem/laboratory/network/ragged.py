"""The forward pass of the networks over batches without padding, made for a GPU.

Letters as in `model.py`, and N for the tokens of the batch. Word and sentence levels may be in half
precision; metric layer, distances and losses are in single precision. In half precision on a GPU,
LSTMs and attention run as Triton kernels (`kernels.py`), otherwise as torch operations over padded
sequences.
"""

from importlib.util import find_spec

import torch
from torch import Tensor, nn

from adhominem.laboratory.network import model as paper
from adhominem.laboratory.network.batches import RaggedBatch, Sequences
from adhominem.laboratory.network.hrsn import HRSN
from adhominem.laboratory.network.model import Masks, Output, SiameseNetwork, rows

_HAS_TRITON = find_spec("triton") is not None
# Bytes of shared memory that a block of the kernels needs, by the largest hidden size.
_ON_CHIP = {64: 110_000, 128: 227_000}

Pooled = tuple[Tensor | None, Tensor]  # (N,) weights without a gradient, (S, D) weighted sums


def read_ragged(
    network: SiameseNetwork,
    batch: RaggedBatch,
    masks: Masks | None = None,
    *,
    dtype: torch.dtype = torch.float32,
) -> Output:
    """Return the same as `network(batch.padded(), masks)`, except that attention is flat: (N,) for
    words and (L,) for sentences. `dtype` is the precision of both LSTMs."""
    table = network.words(batch.words)  # (U, D_w)
    if isinstance(network, paper.AdHominem):
        table = torch.cat([table, spell(network.characters, batch.characters)], dim=1)
    elif not isinstance(network, HRSN):
        raise TypeError(f"no ragged form of {type(network).__name__}: expected AdHominem or HRSN")
    x_w = _tokens(table, batch, masks, dtype)  # (N, D_w + D_r)
    h_w = ragged_lstm(network.words_to_sentence, x_w, batch.lines)  # (N, 2 D_s)
    alpha_w, x_s = _pool(network, "word_attention", h_w, batch.lines)  # (N,), (L, 2 D_s)
    if masks is not None:
        x_s = x_s * rows(masks.sentences, batch.documents.owner)
    h_s = ragged_lstm(network.sentences_to_document, x_s.to(dtype), batch.documents)
    alpha_s, x_d = _pool(network, "sentence_attention", h_s, batch.documents)  # (L,), (B, 2 D_d)
    if masks is not None and network.metric is not None:
        x_d = x_d * masks.documents
    return Output(network.features(x_d), alpha_w, alpha_s)


def _pool(network: SiameseNetwork, name: str, h: Tensor, sequences: Sequences) -> Pooled:
    """Pool each sequence by the attention of that name, or to its last state if there is none."""
    attention = getattr(network, name, None)
    if attention is None:
        return None, _single(h.index_select(0, sequences.starts[1:] - 1))
    return attend(attention, h, sequences)


def _tokens(table: Tensor, batch: RaggedBatch, masks: Masks | None, dtype: torch.dtype) -> Tensor:
    """Return the vector of each token from the table of distinct words. A mask is 0 or a constant;
    the constant is applied to the table, so that masking is exact in half precision."""
    spare = -table.shape[1] % 8 if can_fuse(table.device, dtype) else 0
    if masks is None:
        return rows(nn.functional.pad(table, (0, spare)).to(dtype), batch.tokens)
    table = nn.functional.pad(table * masks.words.amax(), (0, spare)).to(dtype)
    kept = nn.functional.pad(masks.words != 0, (0, spare)).to(dtype)  # (L, D_x)
    return rows(table, batch.tokens) * rows(kept, batch.lines.owner)


def spell(module: paper.CharactersToWord, characters: Tensor) -> Tensor:
    """Equations (1) and (2) with the convolution as one matrix product over all windows."""
    h, T_c = module.h, characters.shape[1]
    x = module.embedding(nn.functional.pad(characters, (0, h - 1)))  # (U, T_c + h - 1, D_c)
    windows = torch.cat([x[:, i : i + T_c] for i in range(h)], dim=2)  # (U, T_c, h D_c)
    W = module.convolution.weight.transpose(1, 2).flatten(1)  # (D_r, h D_c)
    c = torch.tanh(nn.functional.linear(windows, W, module.convolution.bias))  # (U, T_c, D_r)
    absent = (characters == 0).unsqueeze(2)  # (U, T_c, 1)
    r = c.masked_fill(absent, -2.0).amax(dim=1)  # (U, D_r)
    return r.masked_fill(absent.all(dim=1), 0.0)


def attend(attention: paper.Attention, h: Tensor, sequences: Sequences) -> Pooled:
    """Equations (4) and (6); weights and sums have at least single precision."""
    W, b = (p.to(h.dtype) for p in (attention.project.weight, attention.project.bias))
    u = torch.tanh(nn.functional.linear(h, W, b))  # (N, D_a)
    scores = nn.functional.linear(u, attention.v.weight.to(h.dtype)).squeeze(1)  # (N,)
    if not can_fuse(h.device, h.dtype):
        return padded_pool(scores, h, sequences)
    from adhominem.laboratory.network.kernels import Pool

    alpha, x = Pool.apply(scores.float(), h, sequences.starts, sequences.longest)  # type: ignore[no-untyped-call]
    return alpha, x


def padded_pool(scores: Tensor, h: Tensor, sequences: Sequences) -> Pooled:
    """Softmax and weighted sum of attention in torch, over padded sequences."""
    padding = sequences.padded()
    padded = padding.pad(_single(scores))  # (S, T)
    least = torch.finfo(padded.dtype).min  # finite: a sequence without steps must not give NaN
    steps = torch.arange(sequences.longest, device=h.device)
    absent = steps >= sequences.lengths.unsqueeze(1)  # (S, T)
    alpha = torch.softmax(padded.masked_fill(absent, least), dim=1)
    x = (alpha.to(h.dtype).unsqueeze(1) @ padding.pad(h)).squeeze(1)  # (S, D)
    return alpha.detach().flatten()[padding.slots], _single(x)


def _single(x: Tensor) -> Tensor:
    """Return x in single precision, or unchanged if it is double."""
    return x.to(torch.promote_types(x.dtype, torch.float32))


def ragged_lstm(lstm: nn.LSTM, x: Tensor, sequences: Sequences) -> Tensor:
    """Return the hidden states of all rows: (N, D_in) -> (N, directions * D)."""
    run = fused_lstm if is_fused(lstm, x.device, x.dtype) else padded_lstm
    return run(lstm, x, sequences)


def is_fused(lstm: nn.LSTM, device: torch.device, dtype: torch.dtype) -> bool:
    """Whether the kernels run this LSTM; its weights and a block of states must fit on the chip."""
    if not can_fuse(device, dtype):
        return False
    has = getattr(torch.cuda.get_device_properties(device), "shared_memory_per_block_optin", 0)
    return any(lstm.hidden_size <= D and size <= has for D, size in _ON_CHIP.items())


def can_fuse(device: torch.device, dtype: torch.dtype) -> bool:
    """Whether Triton kernels run on this device in this precision."""
    half = dtype in (torch.bfloat16, torch.float16)
    return device.type == "cuda" and half and _HAS_TRITON


def padded_lstm(lstm: nn.LSTM, x: Tensor, sequences: Sequences) -> Tensor:
    """Run the LSTM in torch over padded sequences; the backward direction reads them reversed."""
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
    """Run the LSTM as a kernel, with units of 0 up to a hidden size that is a power of 2."""
    from adhominem.laboratory.network.kernels import Recurrence

    D, ends = lstm.hidden_size, _ends(lstm)
    width = max(16, 1 << (D - 1).bit_length())
    spare = width - D

    def gates(name: str, *padding: int) -> Tensor:
        stacked = torch.stack([getattr(lstm, f"{name}_l0{end}") for end in ends])
        by_gate = stacked.view(len(ends), 4, D, *stacked.shape[2:])
        is_padded = spare or any(padding)
        return nn.functional.pad(by_gate, (*padding, 0, spare)) if is_padded else by_gate

    # Matrix products are slow unless rows are multiples of 16 bytes.
    W_x = gates("weight_ih", 0, x.shape[1] - lstm.input_size).flatten(0, 2).to(x.dtype)
    W_h = gates("weight_hh", 0, spare).to(x.dtype)
    bias = (gates("bias_ih") + gates("bias_hh")).flatten().to(x.dtype)
    a = nn.functional.linear(x, W_x, bias).view(len(x), len(ends), 4, width)
    order = sequences.lengths.argsort(descending=True, stable=True)
    h: Tensor = Recurrence.apply(a, W_h, sequences.starts, order)  # type: ignore[no-untyped-call]
    return (h[:, :, :D] if spare else h).flatten(1)


def _ends(lstm: nn.LSTM) -> list[str]:
    return ["", "_reverse"] if lstm.bidirectional else [""]
