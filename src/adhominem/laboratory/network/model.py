"""AdHominem, equation by equation (Boenninghoff et al. 2019, section II).

Letters of the shapes below:
    B  documents in the batch          T_s  lines of the longest document
    L  lines (sentences) in the batch  T_w  tokens of the longest line
    U  distinct words in the batch     T_c  characters of the longest word
    D_c characters, D_r character representation, D_w words, D_s sentences, D_d documents,
    D_a attention, D_f features

What depends on the spelling of a word alone (equations 1 and 2) is worked out once for every
distinct word of the batch. Lines and documents of different lengths share a batch through masks
that count tokens, so a document's features do not depend on the others in its batch.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """Sizes of the network; the defaults are the published ones. With `unit_length`, which is ours,
    features have length 1, so that a distance is at most 2."""

    n_words: int
    n_characters: int
    D_c: int = 10
    D_r: int = 20
    h: int = 4
    D_w: int = 300
    D_s: int = 50
    D_d: int = 50
    D_a: int = 50
    D_f: int = 30
    dropout: float = 0.3
    forget_bias: float = 2.5
    train_words: bool = False
    unit_length: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """Documents as integers. Lengths stay on the CPU, where the packing of sequences needs them."""

    words: Tensor  # (U,) vocabulary number of each distinct word
    characters: Tensor  # (U, T_c) character numbers, 0 where there is none
    tokens: Tensor  # (L, T_w) place in the U words
    line_lengths: Tensor  # (L,) tokens, on the CPU
    lines: Tensor  # (B, T_s) place in the L lines
    document_lengths: Tensor  # (B,) lines, on the CPU


@dataclass(frozen=True, slots=True)
class Masks:
    """Variational dropout: one mask per sequence, the same at each of its steps."""

    words: Tensor  # (L, D_w + D_r)
    sentences: Tensor  # (B, 2 D_s)
    documents: Tensor  # (B, 2 D_d)


@dataclass(frozen=True, slots=True)
class Output:
    features: Tensor  # (B, D_f)
    word_attention: Tensor | None  # (L, T_w), exactly 0 on padding
    sentence_attention: Tensor | None  # (B, T_s), exactly 0 on padding


class CharactersToWord(nn.Module):
    """Equations (1) and (2): the spelling of a word as a vector r."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.h = config.h
        self.embedding = nn.Embedding(config.n_characters, config.D_c, padding_idx=0)
        self.convolution = nn.Conv1d(config.D_c, config.D_r, config.h)  # W^c, b^c

    def forward(self, characters: Tensor) -> Tensor:
        """c_i = tanh(W^c x_{i:i+h-1} + b^c)      (1)
        r = max_i c_i                             (2)

        i runs over the characters of the word; windows that reach beyond its end see zeros.
        A word without characters (a marker, a universal token) has r = 0.
        """
        x = self.embedding(nn.functional.pad(characters, (0, self.h - 1)))  # (U, T_c + h - 1, D_c)
        c = torch.tanh(self.convolution(x.transpose(1, 2)))  # (U, D_r, T_c)
        absent = (characters == 0).unsqueeze(1)  # (U, 1, T_c)
        r = c.masked_fill(absent, -2.0).amax(dim=2)  # (U, D_r); tanh is never below -1
        return r.masked_fill(absent.all(dim=2), 0.0)


class Attention(nn.Module):
    """Equations (4) and (6): which steps of a sequence count, and their weighted sum."""

    def __init__(self, D_in: int, D_a: int) -> None:
        super().__init__()
        self.project = nn.Linear(D_in, D_a)  # W^a, b^a
        self.v = nn.Linear(D_a, 1, bias=False)

    def forward(self, h: Tensor, present: Tensor) -> tuple[Tensor, Tensor]:
        """u_j = tanh(W^a h_j + b^a);  alpha_j = softmax_j(v u_j);  x = sum_j alpha_j h_j"""
        u = torch.tanh(self.project(h))  # (N, T, D_a)
        scores = self.v(u).squeeze(-1).masked_fill(~present, -torch.inf)  # (N, T)
        alpha = torch.softmax(scores, dim=1)  # (N, T)
        return alpha, (alpha.unsqueeze(1) @ h).squeeze(1)  # (N, T), (N, D_in)


class SiameseNetwork(nn.Module):
    """What AdHominem and its predecessor have in common: one network that reads both documents."""

    config: Any
    words: nn.Embedding
    words_to_sentence: nn.LSTM
    sentences_to_document: nn.LSTM

    @property
    def n_features(self) -> int:
        size: int = self.config.D_f or self.config.D_d
        return size

    @property
    def has_unit_length(self) -> bool:
        return bool(getattr(self.config, "unit_length", False))

    def draw_masks(self, n_lines: int, n_documents: int, generator: torch.Generator) -> Masks:
        lines, documents = self.words_to_sentence, self.sentences_to_document
        width = documents.hidden_size * (2 if documents.bidirectional else 1)
        return Masks(
            draw_mask(n_lines, lines.input_size, self.config.dropout, generator),
            draw_mask(n_documents, documents.input_size, self.config.dropout, generator),
            draw_mask(n_documents, width, self.config.dropout, generator),
        )


class AdHominem(SiameseNetwork):
    config: NetworkConfig

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.characters = CharactersToWord(config)
        self.words = nn.Embedding(config.n_words, config.D_w, padding_idx=0)
        self.words.weight.requires_grad_(config.train_words)
        D_x = config.D_w + config.D_r
        self.words_to_sentence = bidirectional_lstm(D_x, config.D_s, config.forget_bias)
        self.word_attention = Attention(2 * config.D_s, config.D_a)
        self.sentences_to_document = bidirectional_lstm(
            2 * config.D_s, config.D_d, config.forget_bias
        )
        self.sentence_attention = Attention(2 * config.D_d, config.D_a)
        self.metric = nn.Linear(2 * config.D_d, config.D_f)  # W^f, b^f

    def forward(self, batch: Batch, masks: Masks | None = None) -> Output:
        # Equations (1) and (2), once for each distinct word.
        r = self.characters(batch.characters)  # (U, D_r)
        w = self.words(batch.words)  # (U, D_w)
        x_w = torch.cat([rows(w, batch.tokens), rows(r, batch.tokens)], dim=2)
        # (L, T_w, D_w + D_r)

        # Equation (3): words to sentence.
        if masks is not None:
            x_w = x_w * masks.words.unsqueeze(1)
        h_w = run_lstm(self.words_to_sentence, x_w, batch.line_lengths)  # (L, T_w, 2 D_s)
        # Equation (4).
        alpha_w, x_s = self.word_attention(h_w, _present(batch.line_lengths, batch.tokens))
        # (L, T_w), (L, 2 D_s)

        # Equation (5): sentences to document.
        x_s = rows(x_s, batch.lines)  # (B, T_s, 2 D_s)
        if masks is not None:
            x_s = x_s * masks.sentences.unsqueeze(1)
        h_s = run_lstm(self.sentences_to_document, x_s, batch.document_lengths)  # (B, T_s, 2 D_d)
        # Equation (6).
        alpha_s, x_d = self.sentence_attention(h_s, _present(batch.document_lengths, batch.lines))
        # (B, T_s), (B, 2 D_d)

        # Equation (7).
        if masks is not None:
            x_d = x_d * masks.documents
        return Output(self.features(x_d), alpha_w, alpha_s)

    def features(self, x_d: Tensor) -> Tensor:
        """Equation (7): y = tanh(W^f x^d + b^f)."""
        y = torch.tanh(self.metric(x_d))  # (B, D_f)
        return nn.functional.normalize(y, dim=1) if self.config.unit_length else y


def distance(y_1: Tensor, y_2: Tensor) -> Tensor:
    """Equation (8): d(y_1, y_2) = ||y_1 - y_2||_2. Its gradient at 0 is taken as 0."""
    d: Tensor = torch.linalg.vector_norm(y_1 - y_2, dim=-1)  # (B, D_f), (B, D_f) -> (B,)
    return d


def double_threshold_loss(
    d: Tensor, same_author: Tensor, tau_s: float = 1.0, tau_d: float = 3.0
) -> Tensor:
    """L^s = a max(d - tau_s, 0)^2           (9)
    L^d = (1 - a) max(tau_d - d, 0)^2        (10)
    L = L^s + L^d                            (11)

    One loss for each pair; pairs beyond their threshold have neither loss nor gradient.
    """
    a = same_author.to(d.dtype)  # (B,)
    loss_s = a * torch.clamp(d - tau_s, min=0) ** 2
    loss_d = (1 - a) * torch.clamp(tau_d - d, min=0) ** 2
    return loss_s + loss_d  # (B,)


def combined_attention(word_attention: Tensor, sentence_attention: Tensor) -> Tensor:
    """Equation (12): alpha_{j,k} = alpha^w_{j,k} alpha^s_k, for the lines of one document."""
    return word_attention * sentence_attention.unsqueeze(-1)  # (T_s, T_w), (T_s,) -> (T_s, T_w)


def bidirectional_lstm(D_in: int, D_out: int, forget_bias: float) -> nn.LSTM:
    return set_forget_bias(nn.LSTM(D_in, D_out, batch_first=True, bidirectional=True), forget_bias)


def set_forget_bias(lstm: nn.LSTM, forget_bias: float) -> nn.LSTM:
    """torch keeps two biases and the gates in the order input, forget, cell, output."""
    for name, parameter in lstm.named_parameters():
        if name.startswith("bias"):
            nn.init.zeros_(parameter)
        if name.startswith("bias_ih"):
            nn.init.constant_(parameter[lstm.hidden_size : 2 * lstm.hidden_size], forget_bias)
    return lstm


def run_lstm(lstm: nn.LSTM, x: Tensor, lengths: Tensor) -> Tensor:
    """Hidden states of both directions, each starting at the true end of its sequence."""
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    states, _ = lstm(packed)
    return pad_packed_sequence(states, batch_first=True, total_length=x.shape[1])[0]


def rows(table: Tensor, places: Tensor) -> Tensor:
    """table[places], with the gradient of an embedding: fast where places repeat a thousandfold."""
    return nn.functional.embedding(places, table)


def draw_mask(n: int, size: int, dropout: float, generator: torch.Generator) -> Tensor:
    """Rows of zeros and 1 / (1 - dropout), so that the mean stays what it was."""
    kept = torch.rand(n, size, generator=generator, device=generator.device) >= dropout
    return kept / (1 - dropout)


def _present(lengths: Tensor, like: Tensor) -> Tensor:
    """True where a position belongs to its sequence, False on padding."""
    positions = torch.arange(like.shape[1], device=like.device)
    return positions < lengths.to(like.device, non_blocking=True).unsqueeze(1)  # (N, T)
