"""The weights of a trained network, arranged for reading without torch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from adhominem.arrays import Integers, Singles
from adhominem.instrument.network.layer import Layer, product

WORDS, SCALES = "words.weight", "words.scales"


@dataclass(frozen=True, slots=True)
class Spelling:
    """Equations (1) and (2): a convolution over the characters of a word, and its maximum."""

    embedding: Singles  # (n_characters, D_c)
    kernel: Singles  # (h D_c, D_r)
    bias: Singles  # (D_r,)

    def read(self, characters: npt.NDArray[np.int32], starts: Integers) -> Singles:
        """Vectors of words with the characters `starts[u]:starts[u + 1]`, or zeros without any."""
        h = len(self.kernel) // self.embedding.shape[1]
        lengths = np.diff(starts)
        owner = np.repeat(np.arange(len(lengths)), lengths)
        window = np.arange(len(characters))[:, None] + np.arange(h)
        inside = window < starts[1:][owner][:, None]
        numbers = np.where(inside, np.append(characters, 0)[np.minimum(window, len(characters))], 0)
        windows = self.embedding[numbers].reshape(len(characters), len(self.kernel))
        c = product(windows, self.kernel)
        words = np.zeros((len(lengths), len(self.bias)), np.float32)
        spelt = lengths > 0
        if spelt.any():
            words[spelt] = np.maximum.reduceat(c, starts[:-1][spelt], axis=0) + self.bias
            words[spelt] = np.tanh(words[spelt])  # tanh is monotonic, so it may follow the maximum
        return words


@dataclass(frozen=True, slots=True)
class Network:
    words: npt.NDArray[Any]  # (n_words, D_w), floats, or bytes to be multiplied by `scales`
    scales: Singles  # (n_words, 1)
    spelling: Spelling | None  # None for networks that do not read characters
    line_layer: Layer
    document_layer: Layer
    metric: tuple[Singles, Singles] | None  # W and b of the last layer: (D_in, D_f), (D_f,)
    unit_length: bool

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]], sizes: Mapping[str, Any]) -> Self:
        """Build a network from the arrays of a model folder, which have torch's names."""
        floats = {name: np.asarray(a, np.float32) for name, a in arrays.items() if name != WORDS}
        words = arrays[WORDS]
        spelling, metric = None, None
        if "characters.embedding.weight" in floats:
            kernel = floats["characters.convolution.weight"]  # (D_r, D_c, h)
            spelling = Spelling(
                floats["characters.embedding.weight"],
                np.ascontiguousarray(kernel.transpose(2, 1, 0).reshape(-1, len(kernel))),
                floats["characters.convolution.bias"],
            )
        if "metric.weight" in floats:
            metric = np.ascontiguousarray(floats["metric.weight"].T), floats["metric.bias"]
        network = cls(
            words=words,
            scales=floats.get(SCALES, np.ones((len(words), 1), np.float32)),
            spelling=spelling,
            line_layer=Layer.from_torch(floats, "words_to_sentence", "word_attention"),
            document_layer=Layer.from_torch(floats, "sentences_to_document", "sentence_attention"),
            metric=metric,
            unit_length=bool(sizes.get("unit_length", False)),
        )
        network._check(sizes)
        return network

    def _check(self, sizes: Mapping[str, Any]) -> None:
        """Raise a ValueError if an array does not have the size that the model states."""
        D_s, D_d = sizes["D_s"], sizes["D_d"]
        D_x = sizes["D_w"] + (0 if self.spelling is None else len(self.spelling.bias))
        lines, documents = self.line_layer, self.document_layer
        expected: dict[str, tuple[Any, Any]] = {
            "words": (self.words.shape, (sizes["n_words"], sizes["D_w"])),
            "scales": (self.scales.shape, (sizes["n_words"], 1)),
            "words to sentence": (lines.inputs.shape[1:], (D_x, 4 * D_s)),
            "sentences to document": (documents.inputs.shape[1:], (lines.width, 4 * D_d)),
            "features": (self.n_features, sizes["D_f"] or documents.width),
        }
        for name, layer, D in (("line", lines, D_s), ("text", documents, D_d)):
            expected[f"{name} bias"] = layer.bias.shape[1:], (1, 4 * D)
            expected[f"{name} steps"] = layer.recurrent.shape[1:], (D, 4 * D)
            if (a := layer.attention) is not None:
                expected[f"{name} attention"] = a.project.shape[1:], (D, len(a.v))
                expected[f"{name} attention bias"] = a.bias.shape, a.v.shape
        if self.metric is not None:
            expected["metric"] = self.metric[0].shape, (documents.width, sizes["D_f"])
        if (spelling := self.spelling) is not None:
            D_c, D_r = sizes["D_c"], sizes["D_r"]
            expected["characters"] = spelling.embedding.shape, (sizes["n_characters"], D_c)
            expected["convolution"] = spelling.kernel.shape, (sizes["h"] * D_c, D_r)
            expected["convolution bias"] = spelling.bias.shape, (D_r,)
        for name, (shape, wanted) in expected.items():
            if shape != wanted:
                raise ValueError(f"weights do not fit the network: {name} {shape}, not {wanted}")

    @property
    def has_attention(self) -> bool:
        return self.line_layer.attention is not None

    @property
    def n_features(self) -> int:
        return self.document_layer.width if self.metric is None else len(self.metric[1])

    def word_gates(
        self, words: npt.NDArray[np.int32], characters: npt.NDArray[np.int32], starts: Integers
    ) -> Singles:
        """The gate table of word types, from their vocabulary numbers and their characters."""
        x = self.words[words] * self.scales[words]  # (U, D_w)
        if self.spelling is not None:
            x = np.concatenate([x, self.spelling.read(characters, starts)], axis=1)
        return self.line_layer.gates(x)

    def features(self, documents: Singles) -> Singles:
        """Equation (7): y = tanh(W x + b) for document vectors (B, D_in)."""
        if self.metric is None:
            return documents
        y: Singles = np.tanh(product(documents, self.metric[0]) + self.metric[1])
        return unit_length(y) if self.unit_length else y


def unit_length(features: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Scale rows to length 1; rows of zeros stay."""
    lengths = np.linalg.norm(features, axis=-1, keepdims=True)
    scaled: npt.NDArray[Any] = features / np.where(lengths == 0, 1, lengths)
    return scaled
