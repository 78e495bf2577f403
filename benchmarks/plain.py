"""The network in plain padded form: the same equations and weights, the way they are usually typed.

A batch is padded to its longest document and its longest line, every token of it (padding too) has
its characters convolved, and nn.LSTM runs over the padded tensors. Padding is masked in the
attention. The backward direction would read padding before the words, so each sequence is turned
round within its length, run through an LSTM of its own and turned back: the features are then
those of `adhominem.laboratory.network.model.AdHominem`, and the two can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from torch import Tensor, nn

from adhominem.instrument.network.stretches import LineRanges
from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.network.batches import pad_characters
from adhominem.laboratory.network.model import (
    AdHominem,
    Attention,
    CharactersToWord,
    Masks,
    NetworkConfig,
    draw_mask,
)


@dataclass(frozen=True, slots=True)
class PlainBatch:
    """0 wherever there is nothing."""

    words: Tensor  # (B, T_s, T_w)
    characters: Tensor  # (B, T_s, T_w, T_c)
    line_lengths: Tensor  # (B, T_s)
    document_lengths: Tensor  # (B,)


class PlainCollator:
    def __init__(self, corpus: Encoded) -> None:
        self._corpus = corpus
        self._characters = pad_characters(corpus)

    def batch(self, ranges: LineRanges) -> PlainBatch:
        corpus = self._corpus
        step = np.arange(ranges.count.max())
        has_line = step < ranges.count[:, None]  # (B, T_s)
        line = np.where(has_line, ranges.first[:, None] + step, 0)
        lengths = np.where(has_line, corpus.lines[line + 1] - corpus.lines[line], 0)
        step = np.arange(lengths.max())
        has_word = step < lengths[:, :, None]  # (B, T_s, T_w)
        token = np.where(has_word, corpus.lines[line][:, :, None] + step, 0)
        types = corpus.tokens[token]
        characters = self._characters[types]
        characters[~has_word] = 0
        return PlainBatch(
            words=torch.from_numpy(np.where(has_word, corpus.type_words[types], 0)),
            characters=torch.from_numpy(characters),
            line_lengths=torch.from_numpy(lengths),
            document_lengths=torch.from_numpy(ranges.count),
        )


class PlainAdHominem(nn.Module):
    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.characters = CharactersToWord(config)
        self.words = nn.Embedding(config.n_words, config.D_w, padding_idx=0)
        self.words.weight.requires_grad_(config.train_words)
        self.words_to_sentence = PlainLSTM(config.D_w + config.D_r, config.D_s)
        self.word_attention = PlainAttention(2 * config.D_s, config.D_a)
        self.sentences_to_document = PlainLSTM(2 * config.D_s, config.D_d)
        self.sentence_attention = PlainAttention(2 * config.D_d, config.D_a)
        self.metric = nn.Linear(2 * config.D_d, config.D_f)

    @classmethod
    def like(cls, network: AdHominem) -> Self:
        """A plain network with the same weights."""
        plain = cls(network.config)
        plain.characters.load_state_dict(network.characters.state_dict())
        plain.words.load_state_dict(network.words.state_dict())
        plain.words_to_sentence.load(network.words_to_sentence)
        plain.word_attention.load_state_dict(network.word_attention.state_dict())
        plain.sentences_to_document.load(network.sentences_to_document)
        plain.sentence_attention.load_state_dict(network.sentence_attention.state_dict())
        plain.metric.load_state_dict(network.metric.state_dict())
        return plain

    def forward(self, batch: PlainBatch, masks: Masks | None = None) -> Tensor:
        B, T_s, T_w = batch.words.shape
        r = self.characters(batch.characters.flatten(0, 2)).view(B * T_s, T_w, -1)
        x_w = torch.cat([self.words(batch.words.flatten(0, 1)), r], dim=2)
        if masks is not None:
            x_w = x_w * masks.words.unsqueeze(1)
        lengths = batch.line_lengths.flatten()
        h_w = self.words_to_sentence(x_w, lengths)  # (B T_s, T_w, 2 D_s)
        x_s = self.word_attention(h_w, lengths).view(B, T_s, -1)
        if masks is not None:
            x_s = x_s * masks.sentences.unsqueeze(1)
        h_s = self.sentences_to_document(x_s, batch.document_lengths)  # (B, T_s, 2 D_d)
        x_d = self.sentence_attention(h_s, batch.document_lengths)
        if masks is not None:
            x_d = x_d * masks.documents
        y: Tensor = torch.tanh(self.metric(x_d))
        return y

    def draw_masks(self, batch: PlainBatch, generator: torch.Generator) -> Masks:
        c = self.config
        B, T_s, _ = batch.words.shape
        return Masks(
            words=draw_mask(B * T_s, c.D_w + c.D_r, c.dropout, generator),
            sentences=draw_mask(B, 2 * c.D_s, c.dropout, generator),
            documents=draw_mask(B, 2 * c.D_d, c.dropout, generator),
        )


class PlainAttention(Attention):
    def forward(self, h: Tensor, lengths: Tensor) -> Tensor:  # type: ignore[override]
        # A line of padding has no words at all, and must not give NaN.
        present = torch.arange(h.shape[1]) < lengths.clamp(min=1).unsqueeze(1)
        return super().forward(h, present)[1]


class PlainLSTM(nn.Module):
    def __init__(self, D_in: int, D_out: int) -> None:
        super().__init__()
        self.onward = nn.LSTM(D_in, D_out, batch_first=True)
        self.backward_ = nn.LSTM(D_in, D_out, batch_first=True)

    def load(self, lstm: nn.LSTM) -> None:
        weights = lstm.state_dict()
        end = "_reverse"
        self.onward.load_state_dict({k: v for k, v in weights.items() if not k.endswith(end)})
        self.backward_.load_state_dict(
            {k.removesuffix(end): v for k, v in weights.items() if k.endswith(end)}
        )

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        turned = _turned(lengths, x.shape[1])
        h = self.backward_(_turn(x, turned))[0]
        return torch.cat([self.onward(x)[0], _turn(h, turned)], dim=2)


def _turned(lengths: Tensor, n_steps: int) -> Tensor:
    """Places of the steps of each sequence from its end to its start; padding stays where it is."""
    steps = torch.arange(n_steps)
    lengths = lengths.unsqueeze(1)
    return torch.where(steps < lengths, lengths - 1 - steps, steps)  # (N, T)


def _turn(x: Tensor, turned: Tensor) -> Tensor:
    places = turned + x.shape[1] * torch.arange(len(x)).unsqueeze(1)
    return nn.functional.embedding(places, x.flatten(0, 1))
