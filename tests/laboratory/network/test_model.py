"""The network against a slow NumPy forward pass, written from the equations with plain loops."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from adhominem.instrument.network.stretches import LineRanges
from adhominem.instrument.text.encode import Encoded
from adhominem.laboratory.network import build_network
from adhominem.laboratory.network.batches import Collator
from adhominem.laboratory.network.model import (
    AdHominem,
    Batch,
    Masks,
    Output,
    SiameseNetwork,
    combined_attention,
    distance,
    double_threshold_loss,
    draw_mask,
)

Vector = npt.NDArray[np.float64]
Word = tuple[int, tuple[int, ...]]
Document = list[list[Word]]
Write = Callable[[Sequence[Sequence[int]], int], list[Document]]
Encode = Callable[[Sequence[Document]], Encoded]
Roughen = Callable[..., SiameseNetwork]

LINE_LENGTHS = [[3, 6, 1], [1], [5], [2, 2, 2, 7, 1, 4], [1, 9], [4, 3, 3, 1]]
HRSN_SIZES = {"n_words": 30, "n_characters": 12, "D_w": 9, "D_s": 5, "D_d": 6}


@dataclass(frozen=True)
class Slow:
    features: Vector
    word_attention: list[Vector]
    sentence_attention: Vector


@dataclass(frozen=True)
class SlowMasks:
    """What each step of a sequence is multiplied by."""

    words: Sequence[Vector]
    sentences: Vector
    documents: Vector


def slow_adhominem(
    network: SiameseNetwork, document: Document, masks: SlowMasks | None = None
) -> Slow:
    w = weights(network)
    x_s, word_attention = [], []
    for k, line in enumerate(document):
        x_w = []
        for number, characters in line:
            r = slow_spelling(w, characters, network.config.h)
            x_w.append(np.concatenate([w["words.weight"][number], r]))
        if masks is not None:
            x_w = [x * masks.words[k] for x in x_w]
        h_w = slow_both_directions(w, "words_to_sentence", x_w)
        alpha_w, sentence = slow_attention(w, "word_attention", h_w)
        word_attention.append(alpha_w)
        x_s.append(sentence)
    if masks is not None:
        x_s = [x * masks.sentences for x in x_s]
    h_s = slow_both_directions(w, "sentences_to_document", x_s)
    alpha_s, x_d = slow_attention(w, "sentence_attention", h_s)
    if masks is not None:
        x_d = x_d * masks.documents
    y = np.tanh(w["metric.weight"] @ x_d + w["metric.bias"])
    return Slow(y, word_attention, alpha_s)


def slow_hrsn(
    network: SiameseNetwork, document: Document, masks: SlowMasks | None = None
) -> Vector:
    w = weights(network)
    x_s = []
    for k, line in enumerate(document):
        x_w = [w["words.weight"][number] for number, _ in line]
        if masks is not None:
            x_w = [x * masks.words[k] for x in x_w]
        x_s.append(slow_lstm(w, "words_to_sentence", "", x_w)[-1])
    if masks is not None:
        x_s = [x * masks.sentences for x in x_s]
    y = slow_lstm(w, "sentences_to_document", "", x_s)[-1]
    if "metric.weight" not in w:
        return y
    if masks is not None:
        y = y * masks.documents
    return np.tanh(w["metric.weight"] @ y + w["metric.bias"])


def slow_spelling(w: dict[str, Vector], characters: Sequence[int], h: int) -> Vector:
    W, b = w["characters.convolution.weight"], w["characters.convolution.bias"]
    r = np.full(len(b), -np.inf)
    for i in range(len(characters)):
        total = b.copy()
        for k in range(h):
            if i + k < len(characters):
                total += W[:, :, k] @ w["characters.embedding.weight"][characters[i + k]]
        for n in range(len(r)):
            r[n] = max(r[n], np.tanh(total[n]))
    return r if len(characters) else np.zeros(len(b))


def slow_lstm(w: dict[str, Vector], name: str, end: str, xs: Sequence[Vector]) -> list[Vector]:
    W, U = w[f"{name}.weight_ih_l0{end}"], w[f"{name}.weight_hh_l0{end}"]
    b = w[f"{name}.bias_ih_l0{end}"] + w[f"{name}.bias_hh_l0{end}"]
    D = U.shape[1]
    h, c = np.zeros(D), np.zeros(D)
    states = []
    for x in xs:
        total = W @ x + U @ h + b
        i = sigmoid(total[0 * D : 1 * D])
        f = sigmoid(total[1 * D : 2 * D])
        g = np.tanh(total[2 * D : 3 * D])
        o = sigmoid(total[3 * D : 4 * D])
        c = f * c + i * g
        h = o * np.tanh(c)
        states.append(h)
    return states


def slow_both_directions(w: dict[str, Vector], name: str, xs: Sequence[Vector]) -> list[Vector]:
    forward = slow_lstm(w, name, "", xs)
    backward = slow_lstm(w, name, "_reverse", xs[::-1])[::-1]
    return [np.concatenate(both) for both in zip(forward, backward, strict=True)]


def slow_attention(w: dict[str, Vector], name: str, hs: Sequence[Vector]) -> tuple[Vector, Vector]:
    scores = []
    for h in hs:
        u = np.tanh(w[f"{name}.project.weight"] @ h + w[f"{name}.project.bias"])
        scores.append(float(w[f"{name}.v.weight"][0] @ u))
    total = sum(np.exp(score) for score in scores)
    alpha = np.array([np.exp(score) / total for score in scores])
    x = np.zeros_like(hs[0])
    for a, h in zip(alpha, hs, strict=True):
        x += a * h
    return alpha, x


def sigmoid(x: Vector) -> Vector:
    return 1 / (1 + np.exp(-x))


def weights(network: SiameseNetwork) -> dict[str, Vector]:
    return {name: p.detach().double().numpy() for name, p in network.named_parameters()}


def batch_of(corpus: Encoded, chosen: Sequence[int] | None = None) -> Batch:
    """The chosen documents in that order, or all of them."""
    documents = np.arange(corpus.n_documents) if chosen is None else np.array(chosen)
    first = corpus.documents[documents]
    count = corpus.documents[documents + 1] - first
    return Collator(corpus, torch.device("cpu")).batch(LineRanges(first, count)).padded()


def by_document(values: torch.Tensor, batch: Batch) -> list[Vector]:
    """Rows of the lines, document by document, without the padding of the batch's lines."""
    rows = iter(values.detach().double().numpy())
    return [np.stack([next(rows) for _ in range(n)]) for n in batch.document_lengths]


@pytest.fixture
def network(sizes: dict[str, int], roughen: Roughen) -> SiameseNetwork:
    return roughen(build_network("adhominem", sizes, seed=3))


@pytest.fixture
def documents(write: Write) -> list[Document]:
    return write(LINE_LENGTHS, 1)


@pytest.fixture
def corpus(documents: list[Document], encode: Encode) -> Encoded:
    return encode(documents)


def check_forward(
    network: SiameseNetwork, batch: Batch, documents: list[Document], tolerance: float = 1e-5
) -> None:
    output = network(batch)
    assert output.features.dtype == torch.float32
    all_words = by_document(output.word_attention, batch)
    for b, document in enumerate(documents):
        slow = slow_adhominem(network, document)
        np.testing.assert_allclose(output.features[b].detach(), slow.features, atol=tolerance)
        sentence_attention = output.sentence_attention[b].detach()[: len(document)]
        np.testing.assert_allclose(sentence_attention, slow.sentence_attention, atol=tolerance)
        for k, line in enumerate(document):
            word_attention = all_words[b][k][: len(line)]
            np.testing.assert_allclose(word_attention, slow.word_attention[k], atol=tolerance)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_forward_pass_equals_the_slow_one_with_fresh_weights(
    seed: int, sizes: dict[str, int], write: Write, encode: Encode
) -> None:
    documents = write(LINE_LENGTHS, seed)
    network = build_network("adhominem", sizes, seed=seed)
    check_forward(network, batch_of(encode(documents)), documents)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_forward_pass_equals_the_slow_one_with_rough_weights(
    seed: int, sizes: dict[str, int], write: Write, encode: Encode, roughen: Roughen
) -> None:
    documents = write(LINE_LENGTHS, seed)
    network = roughen(build_network("adhominem", sizes, seed=seed), seed)
    check_forward(network, batch_of(encode(documents)), documents)


def test_forward_pass_equals_the_slow_one_with_published_sizes(
    write: Write, encode: Encode
) -> None:
    documents = write([[4, 2, 7], [1], [3, 5]], 5)
    network = build_network("adhominem", {"n_words": 30, "n_characters": 12}, seed=4)
    check_forward(network, batch_of(encode(documents)), documents)


def test_documents_of_the_witness_have_the_hard_words(documents: list[Document]) -> None:
    lengths = {len(word) for document in documents for line in document for _, word in line}
    assert lengths == set(range(8))  # none, shorter than h = 4, as long, longer


@pytest.mark.parametrize(
    "word", [(5, ()), (5, (3,)), (5, (3, 4, 9)), (5, (3, 4, 9, 1)), (5, (1, 1, 1, 1, 1))]
)
def test_a_document_of_one_word(word: Word, network: SiameseNetwork, encode: Encode) -> None:
    documents = [[[word]]]
    batch = batch_of(encode(documents))
    check_forward(network, batch, documents)
    output = network(batch)
    assert output.word_attention.item() == output.sentence_attention.item() == 1


def test_a_spelling_counts_whatever_the_word_and_none_is_zero(network: AdHominem) -> None:
    r = network.characters(torch.tensor([[1, 2, 0], [0, 0, 0], [1, 2, 0]]))
    assert torch.equal(r[0], r[2])
    assert not r[1].any()
    assert r[0].all()


def test_attention_sums_to_one_and_is_exactly_zero_on_padding(
    network: SiameseNetwork, corpus: Encoded
) -> None:
    batch = batch_of(corpus)
    output = network(batch)
    for attention, lengths in (
        (output.word_attention, batch.line_lengths),
        (output.sentence_attention, batch.document_lengths),
    ):
        padding = torch.arange(attention.shape[1]) >= lengths.unsqueeze(1)
        assert padding.any()
        assert (attention[padding] == 0).all()
        assert (attention[~padding] > 0).all()
        np.testing.assert_allclose(attention.sum(dim=1).detach(), 1, atol=1e-6)


def test_combined_attention_sums_to_one_over_a_document(
    network: SiameseNetwork, corpus: Encoded
) -> None:
    batch = batch_of(corpus)
    with torch.no_grad():
        output = network(batch)
    lines = torch.split(output.word_attention, batch.document_lengths.tolist())
    for b, words in enumerate(lines):
        both = combined_attention(words, output.sentence_attention[b, : len(words)])
        assert both.shape == words.shape
        assert float(both.sum()) == pytest.approx(1, abs=1e-6)
        j, k = both.shape[1] // 2, len(words) - 1
        assert float(both[k, j]) == pytest.approx(
            float(words[k, j]) * float(output.sentence_attention[b, k])
        )


@pytest.mark.parametrize("kind", ["adhominem", "hrsn"])
def test_features_do_not_depend_on_batch_mates_or_their_order(
    kind: str, sizes: dict[str, int], corpus: Encoded, roughen: Roughen
) -> None:
    network = roughen(build_network(kind, sizes if kind == "adhominem" else HRSN_SIZES, seed=1))
    n = corpus.n_documents
    alone = torch.cat([network(batch_of(corpus, [b])).features for b in range(n)]).detach()
    for order in ([*range(n)], [*range(n)][::-1], [4, 0, 1], [3, 1], [1, 5, 2, 1, 3, 0]):
        together = network(batch_of(corpus, order)).features.detach()
        np.testing.assert_allclose(together, alone[order], atol=1e-6)


def test_attention_does_not_depend_on_batch_mates(network: SiameseNetwork, corpus: Encoded) -> None:
    together = network(batch_of(corpus))
    place = 0
    for b, lengths in enumerate(LINE_LENGTHS):
        alone = network(batch_of(corpus, [b]))
        np.testing.assert_allclose(
            together.sentence_attention[b, : len(lengths)].detach(),
            alone.sentence_attention[0].detach(),
            atol=1e-6,
        )
        for k, length in enumerate(lengths):
            np.testing.assert_allclose(
                together.word_attention[place, :length].detach(),
                alone.word_attention[k, :length].detach(),
                atol=1e-6,
            )
            place += 1


@pytest.mark.parametrize("kind", ["adhominem", "hrsn"])
def test_left_and_right_are_read_alike(kind: str, sizes: dict[str, int], corpus: Encoded) -> None:
    network = build_network(kind, sizes if kind == "adhominem" else HRSN_SIZES, seed=1)
    pairs = [(0, 3), (2, 2), (3, 0)]
    y = network(batch_of(corpus, [*itertools.chain(*pairs)])).features
    d = distance(y[0::2], y[1::2]).detach()
    np.testing.assert_allclose(y[0].detach(), y[5].detach(), atol=1e-6)
    assert float(d[0]) == pytest.approx(float(d[2]), abs=1e-6)
    assert float(d[1]) == pytest.approx(0, abs=1e-6)


def test_gradient_of_a_batch_is_the_sum_over_its_documents(
    sizes: dict[str, int], corpus: Encoded, roughen: Roughen
) -> None:
    """Padding repeats the last word of a line; it must not be learned from twice."""
    network = roughen(build_network("adhominem", {**sizes, "train_words": True}, seed=1)).double()

    def gradients(chosen: Sequence[int]) -> list[torch.Tensor]:
        y = network(batch_of(corpus, chosen)).features
        return list(torch.autograd.grad((y**2).sum(), list(network.parameters())))

    together = gradients(range(corpus.n_documents))
    one_by_one = [gradients([b]) for b in range(corpus.n_documents)]
    for whole, *parts in zip(together, *one_by_one, strict=True):
        torch.testing.assert_close(whole, sum(parts), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kind", ["adhominem", "hrsn"])
def test_gradient_of_the_whole_network_by_finite_differences(
    kind: str, sizes: dict[str, int], corpus: Encoded, roughen: Roughen
) -> None:
    sizes = {**(sizes if kind == "adhominem" else HRSN_SIZES), "train_words": True}
    network = roughen(build_network(kind, sizes, seed=2)).double()
    batch = batch_of(corpus)
    same = torch.tensor([True, False, False])
    direction = torch.Generator().manual_seed(7)

    def loss() -> torch.Tensor:
        y = network(batch).features
        return double_threshold_loss(distance(y[0::2], y[1::2]), same, 0.5, 9.0).sum()

    parameters = dict(network.named_parameters())
    gradient = torch.autograd.grad(loss(), list(parameters.values()))
    for (name, parameter), slope in zip(parameters.items(), gradient, strict=True):
        step = torch.randn(parameter.shape, generator=direction, dtype=torch.float64)
        if name in ("words.weight", "characters.embedding.weight"):
            step[0] = 0  # padding is not learned
        ends = []
        for sign in (1, -1):
            with torch.no_grad():
                parameter += sign * 1e-6 * step
                ends.append(float(loss()))
                parameter -= sign * 1e-6 * step
        expected = (ends[0] - ends[1]) / 2e-6
        assert float((slope * step).sum()) == pytest.approx(expected, rel=1e-5, abs=1e-7), name


def slow_loss(y_1: Vector, y_2: Vector, same: bool, tau_s: float, tau_d: float) -> float:
    total = 0.0
    for a, b in zip(y_1, y_2, strict=True):
        total += (a - b) ** 2
    d = total**0.5
    if same:
        return (d - tau_s) ** 2 if d > tau_s else 0.0
    return (tau_d - d) ** 2 if d < tau_d else 0.0


@pytest.mark.parametrize(("tau_s", "tau_d"), [(1.0, 3.0), (0.5, 1.2)])
def test_loss_and_its_gradient_equal_a_slow_loop(tau_s: float, tau_d: float) -> None:
    rng = np.random.default_rng(0)
    y = rng.normal(0, 1, (2, 40, 4)) * rng.uniform(0.1, 1.5, (1, 40, 1))
    same = rng.random(40) < 0.5
    y_1, y_2 = (torch.tensor(side, requires_grad=True) for side in y)
    loss = double_threshold_loss(distance(y_1, y_2), torch.from_numpy(same), tau_s, tau_d)
    slow = [slow_loss(y[0, n], y[1, n], same[n], tau_s, tau_d) for n in range(40)]
    np.testing.assert_allclose(loss.detach(), slow, rtol=1e-12)
    assert 0 < np.count_nonzero(slow) < 40
    for side, gradient in enumerate(torch.autograd.grad(loss.sum(), [y_1, y_2])):
        for n, k in np.ndindex(40, 4):
            ends = []
            for sign in (1, -1):
                moved = y[:, n].copy()
                moved[side, k] += sign * 1e-6
                ends.append(slow_loss(moved[0], moved[1], same[n], tau_s, tau_d))
            expected = (ends[0] - ends[1]) / 2e-6
            assert float(gradient[n, k]) == pytest.approx(expected, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize(
    ("d", "same"),
    [(0.0, True), (0.4, True), (1.0, True), (3.0, False), (3.1, False), (7.0, False)],
)
def test_gradient_is_exactly_zero_beyond_the_thresholds(d: float, same: bool) -> None:
    y_1 = torch.tensor([[d, 0.0, 0.0]], requires_grad=True)
    y_2 = torch.zeros(1, 3, requires_grad=True)
    loss = double_threshold_loss(distance(y_1, y_2), torch.tensor([same]))
    loss.sum().backward()
    assert float(loss.detach()) == 0
    assert not y_1.grad.any()
    assert not y_2.grad.any()


@pytest.mark.parametrize(("d", "same"), [(1.01, True), (2.99, False), (2.0, True), (2.0, False)])
def test_gradient_is_there_between_the_thresholds(d: float, same: bool) -> None:
    y_1 = torch.tensor([[d, 0.0]], requires_grad=True)
    double_threshold_loss(distance(y_1, torch.zeros(1, 2)), torch.tensor([same])).sum().backward()
    assert (y_1.grad[0, 0] > 0) == same
    assert y_1.grad[0, 1] == 0


@pytest.mark.parametrize("same", [True, False])
def test_gradient_is_finite_at_distance_zero(same: bool) -> None:
    y_1 = torch.ones(1, 4, requires_grad=True)
    y_2 = torch.ones(1, 4, requires_grad=True)
    loss = double_threshold_loss(distance(y_1, y_2), torch.tensor([same]))
    loss.sum().backward()
    assert float(loss.detach()) == (0 if same else 9)
    assert not y_1.grad.any()
    assert not y_2.grad.any()


def test_an_easy_pair_teaches_the_network_nothing(network: SiameseNetwork, corpus: Encoded) -> None:
    y = network(batch_of(corpus, [0, 3])).features
    d = distance(y[:1], y[1:])
    tau_s = d.item() + 1
    loss = double_threshold_loss(d, torch.tensor([True]), tau_s, tau_s + 1)
    loss.sum().backward()
    gradients = [p.grad for p in network.parameters() if p.grad is not None]
    assert gradients
    assert not any(gradient.any() for gradient in gradients)


def test_dropout_multiplies_every_step_of_a_sequence_by_one_mask(
    network: SiameseNetwork, corpus: Encoded, documents: list[Document]
) -> None:
    n_lines = len(corpus.lines) - 1
    masks = network.draw_masks(n_lines, len(documents), torch.Generator().manual_seed(1))
    output = network(batch_of(corpus), masks)
    for b, document in enumerate(documents):
        slow = slow_adhominem(network, document, slow_masks(masks, corpus, b))
        np.testing.assert_allclose(output.features[b].detach(), slow.features, atol=1e-5)


@pytest.mark.parametrize("D_f", [60, 0])
def test_dropout_of_hrsn_likewise(
    D_f: int, corpus: Encoded, documents: list[Document], roughen: Roughen
) -> None:
    network = roughen(build_network("hrsn", {**HRSN_SIZES, "D_f": D_f}, seed=1))
    n_lines = len(corpus.lines) - 1
    masks = network.draw_masks(n_lines, len(documents), torch.Generator().manual_seed(1))
    output = network(batch_of(corpus), masks)
    for b, document in enumerate(documents):
        slow = slow_hrsn(network, document, slow_masks(masks, corpus, b))
        np.testing.assert_allclose(output.features[b].detach(), slow, atol=1e-5)


def slow_masks(masks: Masks, corpus: Encoded, b: int) -> SlowMasks:
    lines = range(corpus.documents[b], corpus.documents[b + 1])
    return SlowMasks(
        words=[masks.words[k].double().numpy() for k in lines],
        sentences=masks.sentences[b].double().numpy(),
        documents=masks.documents[b].double().numpy(),
    )


@pytest.mark.parametrize("dropout", [0.0, 0.1, 0.3, 0.5])
def test_a_mask_keeps_the_mean(dropout: float) -> None:
    mask = draw_mask(400, 500, dropout, torch.Generator().manual_seed(0))
    assert mask.dtype == torch.float32
    assert set(mask.unique().tolist()) <= {0.0, float(np.float32(1 / (1 - dropout)))}
    assert float(mask.mean()) == pytest.approx(1, abs=0.01)
    assert float((mask == 0).float().mean()) == pytest.approx(dropout, abs=0.01)


@pytest.mark.parametrize("kind", ["adhominem", "hrsn"])
def test_masks_depend_on_the_generator_alone(kind: str, sizes: dict[str, int]) -> None:
    network = build_network(kind, sizes if kind == "adhominem" else HRSN_SIZES)

    def draw(seed: int) -> Masks:
        return network.draw_masks(7, 3, torch.Generator().manual_seed(seed))

    before = torch.get_rng_state()
    one, again, other = draw(1), draw(1), draw(2)
    assert torch.equal(torch.get_rng_state(), before)
    for field in fields(Masks):
        mask = getattr(one, field.name)
        assert torch.equal(mask, getattr(again, field.name))
        assert not torch.equal(mask, getattr(other, field.name))
        assert len(mask) == (7 if field.name == "words" else 3)


@pytest.mark.parametrize("kind", ["adhominem", "hrsn"])
def test_nothing_is_dropped_without_masks(
    kind: str, sizes: dict[str, int], corpus: Encoded
) -> None:
    network = build_network(kind, sizes if kind == "adhominem" else HRSN_SIZES)
    batch = batch_of(corpus)
    evaluated = network.eval()(batch).features
    assert torch.equal(network.train()(batch).features, evaluated)
    without = build_network(
        kind, {**(sizes if kind == "adhominem" else HRSN_SIZES), "dropout": 0.0}
    )
    masks = without.draw_masks(len(corpus.lines) - 1, corpus.n_documents, torch.Generator())
    torch.testing.assert_close(without(batch, masks).features, evaluated)


@pytest.mark.parametrize("kind", ["adhominem", "hrsn"])
def test_biases_are_zero_but_for_the_forget_gate(kind: str, sizes: dict[str, int]) -> None:
    sizes = {**(sizes if kind == "adhominem" else HRSN_SIZES), "forget_bias": 1.75}
    network = build_network(kind, sizes)
    seen = 0
    for lstm in (m for m in network.modules() if isinstance(m, torch.nn.LSTM)):
        D = lstm.hidden_size
        for end in ("", "_reverse") if lstm.bidirectional else ("",):
            total = getattr(lstm, f"bias_ih_l0{end}") + getattr(lstm, f"bias_hh_l0{end}")
            expected = torch.zeros(4 * D)
            expected[D : 2 * D] = 1.75
            assert torch.equal(total.detach(), expected)
            seen += 1
    assert seen == (4 if kind == "adhominem" else 2)


@pytest.mark.parametrize("kind", ["adhominem", "hrsn"])
@pytest.mark.parametrize("train_words", [False, True])
def test_the_word_table_is_frozen_unless_asked_for(
    kind: str, train_words: bool, sizes: dict[str, int], corpus: Encoded
) -> None:
    sizes = {**(sizes if kind == "adhominem" else HRSN_SIZES), "train_words": train_words}
    network = build_network(kind, sizes)
    (network(batch_of(corpus)).features ** 2).sum().backward()
    table = network.words.weight
    assert table.requires_grad == train_words
    if train_words:
        read = torch.from_numpy(np.unique(corpus.type_words))
        assert table.grad is not None
        assert set(table.grad.any(dim=1).nonzero().flatten().tolist()) == set(read.tolist())
    else:
        assert table.grad is None
    for name, parameter in network.named_parameters():
        if name != "words.weight":
            assert parameter.grad is not None, name
            assert parameter.grad.any(), name


def test_padding_rows_stay_zero_through_training(sizes: dict[str, int], corpus: Encoded) -> None:
    network = build_network("adhominem", {**sizes, "train_words": True})
    assert isinstance(network, AdHominem)
    optimiser = torch.optim.Adam(network.parameters(), lr=0.1)
    for _ in range(3):
        optimiser.zero_grad()
        (network(batch_of(corpus)).features ** 2).sum().backward()
        optimiser.step()
    assert not network.words.weight[0].any()
    assert not network.characters.embedding.weight[0].any()
    assert network.characters.embedding.weight[1:].all()


@pytest.mark.parametrize("D_f", [60, 0])
@pytest.mark.parametrize("rough", [False, True])
def test_hrsn_equals_the_slow_one(
    D_f: int, rough: bool, corpus: Encoded, documents: list[Document], roughen: Roughen
) -> None:
    network = build_network("hrsn", {**HRSN_SIZES, "D_f": D_f}, seed=6)
    if rough:
        roughen(network)
    output: Output = network(batch_of(corpus))
    assert output.word_attention is output.sentence_attention is None
    assert output.features.shape == (len(documents), D_f or HRSN_SIZES["D_d"])
    for b, document in enumerate(documents):
        np.testing.assert_allclose(
            output.features[b].detach(), slow_hrsn(network, document), atol=1e-5
        )


def test_hrsn_with_published_sizes(write: Write, encode: Encode) -> None:
    documents = write([[4, 2, 7], [1], [3, 5]], 5)
    sizes: dict[str, Any] = {"n_words": 30, "n_characters": 12}
    network = build_network("hrsn", sizes, seed=4)
    y = network(batch_of(encode(documents))).features.detach()
    assert y.shape == (3, 60)
    np.testing.assert_allclose(y, [slow_hrsn(network, d) for d in documents], atol=1e-5)
