"""A network with its vocabulary on disk: the word table as bytes, everything else as it is."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from adhominem.errors import NotFittedError
from adhominem.instrument.evidence.genres import Genres
from adhominem.instrument.text.vocabulary import Vocabulary
from adhominem.instrument.verifier import ModelState
from adhominem.laboratory.network.build import describe_network, network_of_weights
from adhominem.laboratory.network.model import SiameseNetwork
from adhominem.laboratory.training.config import TrainingConfig

if TYPE_CHECKING:
    from adhominem.instrument.neural import NeuralVerifier

_SCALES = "words.scales"
_GENRES = "genres.bits"


def network_state(verifier: NeuralVerifier) -> ModelState:
    if verifier.network_ is None or verifier.vocabulary_ is None:
        raise NotFittedError("this neural verifier is not fitted: there is nothing to save")
    arrays = {name: t.cpu().numpy() for name, t in verifier.network_.state_dict().items()}
    arrays["words.weight"], arrays[_SCALES] = _to_bytes(arrays["words.weight"])
    settings = {
        **describe_network(verifier.network_),
        **verifier.text_settings(),
        "training": asdict(verifier.training),
        "seed": verifier.seed,
    }
    vocabulary = {
        "words": verifier.vocabulary_.words,
        "characters": verifier.vocabulary_.characters,
    }
    if verifier.genres_ is not None:
        settings["genres"] = {
            "names": verifier.genres_.names,
            "limits": verifier.genres_.limits,
            "on_sight": verifier.genres_.detectable,
        }
        arrays[_GENRES] = verifier.genres_.bits.astype(np.float16)
    return ModelState(settings, {"vocabulary": vocabulary}, arrays)


def restore_network(verifier: NeuralVerifier, state: ModelState) -> None:
    import torch

    settings = state.settings
    verifier.network, verifier.sizes = settings["kind"], settings["sizes"]
    verifier.training = TrainingConfig(**settings["training"])
    verifier.max_words, verifier.max_characters = settings["max_words"], settings["max_characters"]
    verifier.seed = settings["seed"]
    vocabulary = state.tables["vocabulary"]
    verifier.vocabulary_ = Vocabulary(tuple(vocabulary["words"]), vocabulary["characters"])
    weights = {name: torch.tensor(a, dtype=torch.float32) for name, a in state.arrays.items()}
    if "genres" in settings:
        names, limits = settings["genres"]["names"], settings["genres"]["limits"]
        detectable = settings["genres"]["on_sight"]
        bits = weights.pop(_GENRES).numpy()
        verifier.genres_ = Genres(tuple(names), bits, tuple(limits), tuple(detectable))
    try:
        weights["words.weight"] *= weights.pop(_SCALES)
        verifier.network_ = network_of_weights(verifier.network, verifier.sizes, weights)
    except RuntimeError as error:
        raise ValueError(f"weights do not fit the network: {error}") from None


def round_words(network: SiameseNetwork) -> None:
    """The word table as it will be saved, so that a model is measured as it is used."""
    import torch

    steps, scales = _to_bytes(network.words.weight.detach().cpu().numpy())
    with torch.no_grad():
        network.words.weight.copy_(torch.from_numpy(steps.astype(np.float32) * scales))


def _to_bytes(table: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Each row as whole numbers up to 127 and their scale: a quarter of the largest table, and no
    score moves by more than a hundredth."""
    scales = np.abs(table).max(axis=1, keepdims=True) / 127
    steps = np.round(table / np.where(scales == 0, 1, scales))
    return steps.astype(np.int8), scales.astype(np.float32)
