"""Saves and loads model folders: settings and tables as JSON, arrays as safetensors.

model.json           method, settings, calibration, measured errors, sha256 of the other files and
                     of its own content
<table>.json         vocabulary and the like
weights.safetensors  arrays
README.md            the model card
"""

import hashlib
import json
import os
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from adhominem.errors import InputError, ModelError, NotFittedError
from adhominem.files import read_regular, read_sealed, sealed_json, whole_folder, write_whole
from adhominem.instrument import model_schema
from adhominem.instrument.evidence.calibration import Calibration
from adhominem.instrument.evidence.limits import kind_labels
from adhominem.instrument.model_schema import record_from
from adhominem.instrument.verifier import ModelState, Verifier
from adhominem.records import Faithfulness, ModelIdentity, TrackRecord

FORMAT = 2
DEFAULT = "adhominem"
CARD = "README.md"
_WEIGHTS = "weights.safetensors"
_MAX_BYTES, _MAX_JSON = 1 << 31, 1 << 26  # of a file of a model; of model.json and the card
_INVALID = (  # raised while a model is built from an invalid folder
    *(ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError),
    *(RecursionError, TypeError, ValueError),
)
# All methods by name. The laboratory is needed for all but the network.
VERIFIERS = {
    "aveer": "adhominem.laboratory.verifiers.aveer:AVeer",
    "glad": "adhominem.laboratory.verifiers.glad:Glad",
    "ppm": "adhominem.laboratory.verifiers.compression:Compression",
    "chance": "adhominem.laboratory.verifiers.cosine:Chance",
    "delta": "adhominem.laboratory.verifiers.cosine:CosineDelta",
    "feature-difference": "adhominem.laboratory.verifiers.feature_difference:FeatureDifference",
    "imposters": "adhominem.laboratory.verifiers.imposters:Imposters",
    "lambda-g": "adhominem.laboratory.verifiers.lambda_g:LambdaG",
    "neural": "adhominem.instrument.neural:NeuralVerifier",
    "pan-distance": "adhominem.laboratory.verifiers.cosine:PanDistance",
}


def shipped_models() -> dict[str, Path]:
    """The models inside the package, by name."""
    folder = Path(str(files("adhominem"))) / "models"
    return {path.parent.name: path.parent for path in sorted(folder.glob("*/model.json"))}


def load(model: str | Path | None = None) -> Verifier:
    """The shipped default model, another shipped one by name, or the model in a folder.

    >>> load().identity.name
    'adhominem'
    """
    return load_model(model_path(DEFAULT if model is None else model))


def model_path(model: str | Path) -> Path:
    """The folder of a model, given by its path or by the name of a shipped model."""
    return shipped_models().get(str(model), Path(model))


def describe_model(model: str | Path) -> tuple[dict[str, Any], str]:
    """The content of model.json with hash, folder, size and genre labels; and the model card."""
    folder = model_path(model)
    description = _description(folder)
    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    card = folder / CARD
    words = read_regular(card, most=_MAX_JSON) if card.exists() else b""
    labels = {}
    if (expected := description["files"].get("views.json")) is not None:
        try:
            views = json.loads(_read_checked(folder, "views.json", expected))
            labels = kind_labels(views["names"], views["labels"])
        except _INVALID as error:
            raise ModelError(f"{folder} is not a whole model ({error}): copy it again") from None
    facts = {"sha256": _identity(description).sha256, "folder": str(folder)}
    content = {**description, **facts, "megabytes": size / 1e6, "labels": labels}
    return content, words.decode("utf-8", "replace")


def save_model(verifier: Verifier, folder: Path, *, name: str, version: str, card: str) -> None:
    from safetensors.numpy import save

    if verifier.calibration_ is None:
        raise NotFittedError(f"this {verifier.kind} verifier is not fitted: fit it before saving")
    state = verifier.state()
    content = {f"{table}.json": _json(rows) for table, rows in state.tables.items()}
    content[_WEIGHTS] = save(state.arrays)
    description = {
        "format": FORMAT,
        "name": name,
        "version": version,
        "kind": verifier.kind,
        "settings": state.settings,
        "calibration": verifier.calibration_.to_dict(),
        "calibrations": {g: c.to_dict() for g, c in verifier.calibrations_.items()},
        "tau_s": verifier.tau_s,
        "tau_d": verifier.tau_d,
        "experience": [asdict(row) for row in verifier.track_record_],
        "faithfulness": [asdict(row) for row in verifier.faithfulness_],
        "files": {file: hashlib.sha256(data).hexdigest() for file, data in content.items()},
    }
    with whole_folder(folder) as target:
        for file, data in content.items():
            (target / file).write_bytes(data)
        (target / CARD).write_text(card, encoding="utf-8")
        (target / "model.json").write_bytes(sealed_json(description))
    verifier.identity = _identity(description)


def load_model(folder: Path) -> Verifier:
    from safetensors import SafetensorError
    from safetensors.numpy import load as load_arrays

    description = _description(folder)
    hashes = description["files"].items()
    content = {file: _read_checked(folder, file, expected) for file, expected in hashes}
    try:
        state = ModelState(
            settings=description["settings"],
            tables={f[:-5]: json.loads(d) for f, d in content.items() if f.endswith(".json")},
            arrays=load_arrays(content[_WEIGHTS]),
        )
        model_schema.check_arrays(state.arrays)
        if description["kind"] == "neural":
            model_schema.check_network(state.settings, state.tables["vocabulary"], state.arrays)
        verifier = verifier_class(description["kind"])()
        verifier.restore(state)
        verifier.calibration_ = record_from(Calibration, description["calibration"])
        known = description["calibrations"].items()
        verifier.calibrations_ = {genre: record_from(Calibration, own) for genre, own in known}
        verifier.tau_s, verifier.tau_d = description["tau_s"], description["tau_d"]
        records, tests = description["experience"], description["faithfulness"]
        verifier.track_record_ = tuple(record_from(TrackRecord, row) for row in records)
        verifier.faithfulness_ = tuple(record_from(Faithfulness, row) for row in tests)
        verifier.identity = _identity(description)
    except (*_INVALID, SafetensorError) as error:
        problem = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise ModelError(f"{folder} is not a whole model ({problem}): copy it again") from None
    return verifier


def _description(folder: Path) -> dict[str, Any]:
    path = folder / "model.json"
    if not os.path.exists(path):  # noqa: PTH110  also False for a name that is too long
        names = ", ".join(shipped_models()) or "none"
        problem = f"{folder} is not a model folder (no model.json)"
        raise ModelError(f"{problem}: shipped models are {names}")
    try:
        description = read_sealed(read_regular(path, most=_MAX_JSON))
        if description["format"] == FORMAT:
            model_schema.check_description(description)
    except (InputError, *_INVALID) as error:
        raise ModelError(f"{path} cannot be read ({error}): copy the model again") from None
    if (other := description["format"]) != FORMAT:
        found = f"{folder} has format {other!r:.20}, this version reads {FORMAT}"
        raise ModelError(f"{found}: update adhominem")
    return description


def _read_checked(folder: Path, file: str, expected: str) -> bytes:
    try:
        data = read_regular(folder / file, most=_MAX_BYTES)
    except InputError as error:
        raise ModelError(f"{error}: copy the model again") from None
    found = hashlib.sha256(data).hexdigest()
    if found != expected:
        hashes = f"its sha256 is {found[:12]}..., model.json says {expected[:12]}..."
        raise ModelError(f"{folder / file} is damaged: {hashes}; copy the model again")
    return data


def store_faithfulness(model: str | Path, rows: tuple[Faithfulness, ...]) -> None:
    """Store measured faithfulness of explanations in a model folder; its identity stays."""
    folder = model_path(model)
    description = _description(folder) | {"faithfulness": [asdict(row) for row in rows]}
    write_whole(folder / "model.json", sealed_json(description))


def _identity(description: dict[str, Any]) -> ModelIdentity:
    """Name, version and a hash of all fields but the faithfulness of explanations."""
    covered = {key: value for key, value in description.items() if key != "faithfulness"}
    digest = hashlib.sha256(_json(covered, indent=2)).hexdigest()
    return ModelIdentity(description["name"], description["version"], digest)


def _json(value: Any, *, indent: int | None = None) -> bytes:
    return json.dumps(value, indent=indent).encode() + b"\n"


def verifier_class(kind: str) -> type[Verifier]:
    """The class of the method with this name, imported when it is first used."""
    if kind not in VERIFIERS:
        raise ModelError(f"unknown method '{kind}': known are {', '.join(sorted(VERIFIERS))}")
    found: type[Verifier] = resolve_name(VERIFIERS[kind])
    return found
