"""Validates a model folder, which may come from anybody, before a model is built from it.

Records are built by the annotations of their classes. Numbers must be finite and of a sensible
size, so that no later computation overflows.
"""

import math
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")
_MAX_NUMBER = 1e9
_MAX_STRING = 10_000  # characters of any string but the characters of a vocabulary
_MAX_DEPTH = 20  # levels of a JSON value
_FILE = re.compile(r"[A-Za-z0-9_-]{1,50}\.(json|safetensors)")
_HASH = re.compile(r"[0-9a-f]{64}")
_FIELDS: dict[str, Any] = {  # of model.json
    **dict.fromkeys(("name", "version", "kind"), str),
    **dict.fromkeys(("settings", "calibration", "calibrations", "files"), dict),
    **dict.fromkeys(("tau_s", "tau_d"), float | None),
    **dict.fromkeys(("experience", "faithfulness"), list),
}
_COUNTS = {"max_words": 1000, "max_characters": 1000, "max_lines": 10_000}  # largest value of each


def check_description(content: Mapping[str, Any]) -> None:
    """Raise ValueError, TypeError or KeyError unless model.json has valid fields."""
    _check_value(content)
    if unknown := content.keys() - _FIELDS.keys() - {"format"}:
        raise ValueError(f"{min(unknown)!r:.60} is no field of this version")
    for name, kind in _FIELDS.items():
        _converted(kind, content[name], name)
    for name, digest in content["files"].items():
        if not _FILE.fullmatch(name) or not _HASH.fullmatch(_typed(str, digest, name)):
            raise ValueError(f"no file of a model: {name!r:.60}")


def check_network(
    settings: Mapping[str, Any], vocabulary: Any, arrays: Mapping[str, npt.NDArray[Any]]
) -> None:
    """Check limits, vocabulary, genres and sizes of a network; not the shapes of its weights."""
    words = _typed(list, _typed(dict, vocabulary, "vocabulary")["words"], "words")
    characters = _typed(str, vocabulary["characters"], "characters")
    if not all(isinstance(word, str) and len(word) <= _MAX_STRING for word in words):
        raise TypeError("the vocabulary has an entry that is not a word")
    read = {**settings, **_typed(dict, settings["training"], "training")}
    for name, largest in _COUNTS.items():
        if not 1 <= _converted(int, read[name], name) <= largest:
            raise ValueError(f"{name} is {read[name]}, expected 1 to {largest}")
    sizes = _typed(dict, settings["sizes"], "sizes")
    if not all(isinstance(size, int | float | None) for size in sizes.values()):
        raise TypeError("the sizes are not numbers")
    stated = sizes["n_words"], sizes["n_characters"]
    if stated != (len(words), 2 + len(characters)):
        raise ValueError(f"vocabulary and sizes {stated} do not fit")
    if "genres" in settings:
        genres = _typed(dict, settings["genres"], "genres")
        shape = (len(_typed(list, genres["names"], "names")), len(words))
        limits = [_converted(float, each, "limits") for each in genres["limits"]]
        if arrays["genres.bits"].shape != shape or len(limits) != shape[0]:
            raise ValueError("genres and word frequencies do not fit")


def check_arrays(arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ValueError(f"{name:.60} holds a number that is not finite")


def record_from(cls: type[T], content: Any) -> T:
    """Return a dataclass with the values of a JSON object, by the types of its fields."""
    hints, values = typing.get_type_hints(cls), _typed(dict, content, cls.__name__)
    known = {field.name: field for field in fields(cls)}  # type: ignore[arg-type]
    if unknown := values.keys() - known.keys():
        raise ValueError(f"unknown {min(unknown)!r:.60}; known are {', '.join(sorted(known))}")
    for name, field in known.items():
        if name not in values and field.default is MISSING and field.default_factory is MISSING:
            raise KeyError(name)
    return cls(**{name: _converted(hints[name], value, name) for name, value in values.items()})


def _converted(kind: Any, value: Any, name: str) -> Any:
    """Convert a JSON value to the type of an annotation."""
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        kinds = [k for k in typing.get_args(kind) if k is not type(None)]
        if value is None and len(kinds) < len(typing.get_args(kind)):
            return None
        return _converted(kinds[0], value, name)
    if is_dataclass(kind) and isinstance(kind, type):
        return record_from(kind, value)
    if typing.get_origin(kind) is tuple:
        inner = typing.get_args(kind)[0]
        return tuple(_converted(inner, each, name) for each in _typed(list, value, name))
    if typing.get_origin(kind) is dict:
        return _typed(dict, value, name)
    if kind is Path:
        return Path(_typed(str, value, name))
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return _typed(kind, value, name)


def _typed(kind: type[T], value: Any, name: str) -> T:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise TypeError(f"{name:.60} is {type(value).__name__}, expected {kind.__name__}")
    return value


def _check_value(value: Any, depth: int = 0) -> None:
    """Check the numbers, strings and depth of a JSON value."""
    if depth > _MAX_DEPTH:
        raise ValueError("it is nested too deeply")
    if isinstance(value, str) and len(value) > _MAX_STRING:
        raise ValueError(f"a string of {len(value):,} characters")
    if isinstance(value, int | float) and not (math.isfinite(value) and abs(value) <= _MAX_NUMBER):
        raise ValueError(f"a number of {value:.3g}, expected at most {_MAX_NUMBER:g}")
    if isinstance(value, dict | list):
        for each in [*value, *value.values()] if isinstance(value, dict) else value:
            _check_value(each, depth + 1)
