"""HRSN, the predecessor of AdHominem (Boenninghoff et al., ICASSP 2019), with the same signature.

The last states of one-directional LSTMs from words to sentence and from sentences to document; no
characters, no attention; the same loss. It was published with a metric layer of 60 (the default
here) and without one (`D_f = 0`).
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence

from adhominem.laboratory.network import model
from adhominem.laboratory.network.model import Batch, Masks, Output, SiameseNetwork


@dataclass(frozen=True, slots=True)
class HRSNConfig:
    n_words: int
    n_characters: int
    D_w: int = 300
    D_s: int = 100
    D_d: int = 100
    D_f: int = 60
    dropout: float = 0.3
    forget_bias: float = 2.5
    train_words: bool = False


class HRSN(SiameseNetwork):
    config: HRSNConfig

    def __init__(self, config: HRSNConfig) -> None:
        super().__init__()
        self.config = config
        self.words = nn.Embedding(config.n_words, config.D_w, padding_idx=0)
        self.words.weight.requires_grad_(config.train_words)
        self.words_to_sentence = model.set_forget_bias(
            nn.LSTM(config.D_w, config.D_s, batch_first=True), config.forget_bias
        )
        self.sentences_to_document = model.set_forget_bias(
            nn.LSTM(config.D_s, config.D_d, batch_first=True), config.forget_bias
        )
        self.metric = nn.Linear(config.D_d, config.D_f) if config.D_f else None

    def forward(self, batch: Batch, masks: Masks | None = None) -> Output:
        x_w = model.rows(self.words(batch.words), batch.tokens)  # (L, T_w, D_w)
        if masks is not None:
            x_w = x_w * masks.words.unsqueeze(1)
        x_s = _last_state(self.words_to_sentence, x_w, batch.line_lengths)  # (L, D_s)
        x_s = model.rows(x_s, batch.lines)  # (B, T_s, D_s)
        if masks is not None:
            x_s = x_s * masks.sentences.unsqueeze(1)
        y = _last_state(self.sentences_to_document, x_s, batch.document_lengths)  # (B, D_d)
        if masks is not None and self.metric is not None:
            y = y * masks.documents
        return Output(self.features(y), None, None)

    def features(self, y: Tensor) -> Tensor:
        return y if self.metric is None else torch.tanh(self.metric(y))  # (B, D_f)


def _last_state(lstm: nn.LSTM, x: Tensor, lengths: Tensor) -> Tensor:
    """Return the hidden state after the last step of each sequence."""
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    state: Tensor = lstm(packed)[1][0]  # (1, N, D)
    return state.squeeze(0)
