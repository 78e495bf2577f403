"""The models of the server, by name, and the reference texts of users. Requests never name a
folder."""

import hashlib
import re
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from adhominem.bench.web.replies import RefusedError
from adhominem.bench.web.settings import Settings
from adhominem.errors import InputError, ModelError
from adhominem.instrument.model_folder import DEFAULT, describe_model, load_model, shipped_models
from adhominem.instrument.verifier import Verifier

NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}"


class Models:
    """Loads models when they are first needed; drops the least recently used ones."""

    def __init__(self, settings: Settings) -> None:
        self._max_loaded = settings.limits.max_models
        self._loaded: OrderedDict[str, Verifier] = OrderedDict()
        self._loading = threading.Lock()
        self._folder = settings.models
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self.current = settings.model or DEFAULT
        self.path(self.current)

    def close(self) -> None:
        if self._temporary is not None:
            self._temporary.cleanup()

    def paths(self) -> dict[str, Path]:
        """Model folders by name; a model in the folder of the settings replaces a shipped one."""
        found = [] if self._folder is None else sorted(self._folder.glob("*/model.json"))
        own = {path.parent.name: path.parent for path in found}
        return shipped_models() | {name: own[name] for name in own if re.fullmatch(NAME, name)}

    def path(self, name: str | None) -> Path:
        paths = self.paths()
        if (name or self.current) not in paths:
            raise InputError(f"there is no model of this name: {', '.join(paths)} are known")
        return paths[name or self.current]

    def loaded(self, name: str | None) -> Verifier | None:
        """The model if it is loaded, else None."""
        name = name or self.current
        verifier = self._loaded.get(name)
        if verifier is not None:
            self._loaded.move_to_end(name)
        return verifier

    def load(self, name: str | None) -> Verifier:
        with self._loading:
            verifier = self.loaded(name)
            if verifier is None:
                verifier = load_model(self.path(name))
                self._loaded[name or self.current] = verifier
                while len(self._loaded) > self._max_loaded:
                    self._loaded.popitem(last=False)
        return verifier

    def described(self) -> list[dict[str, Any]]:
        return [_described(name, path) for name, path in self.paths().items()]

    def folder_for(self, name: str) -> Path:
        """The folder for a new model of this name."""
        if not re.fullmatch(NAME, name):
            allowed = "at most 64 letters, digits, dots, dashes and underscores"
            raise InputError(f"a model's name has {allowed}, and begins with a letter or digit")
        if name in self.paths():
            raise InputError(f"there is a model '{name}' already: choose another name")
        if self._folder is None:
            self._temporary = tempfile.TemporaryDirectory(prefix="adhominem-models-")
            self._folder = Path(self._temporary.name)
        return self._folder / name


def _described(name: str, path: Path) -> dict[str, Any]:
    try:
        description, card = describe_model(path)
    except ModelError as error:
        return {"name": name, "error": str(error)}
    settings = description["settings"]
    genres = settings.get("genres", {})
    return {
        **{key: description[key] for key in ("version", "sha256", "kind")},
        "name": name,
        "genres": list(description["calibrations"]),
        "labels": description["labels"],
        "detectable": settings.get("detectable", genres.get("on_sight", [])),
        "card": card,
        "figures": {
            "megabytes": description["megabytes"],
            "track_record": description["experience"],
            "faithfulness": description["faithfulness"],
        },
    }


class References:
    """Verifiers with reference texts, by model and hash of the texts; drops the oldest ones."""

    def __init__(self, max_kept: int) -> None:
        self._max_kept = max_kept
        self._kept: dict[tuple[str, str], Verifier] = {}

    def add(self, model: str, verifier: Verifier, texts: Sequence[str]) -> tuple[str, Verifier]:
        """The name for later requests, the same for any order of the texts, and the verifier."""
        parts = (text.encode("utf-8", "surrogatepass") for text in sorted(set(texts)))
        name = hashlib.sha256(b"\0".join(parts)).hexdigest()
        found = self._kept.pop((model, name), None) or verifier.with_reference(texts)
        self._kept[model, name] = found
        for oldest in list(self._kept)[: -self._max_kept]:
            del self._kept[oldest]
        return name, found

    def get(self, model: str, name: str) -> Verifier:
        found = self._kept.get((model, name))
        if found is None:
            raise RefusedError(404, "these reference texts are not kept: give them again")
        return found
