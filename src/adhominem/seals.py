"""JSON objects that carry a hash of their own content, for files that are read again.

Any damage to such a file is noticed when it is read. The hash protects against accidents: whoever
means to change a file can write a new hash as well.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, NoReturn

SEAL = "content_sha256"


def seal(content: dict[str, Any]) -> dict[str, Any]:
    """Return the object with its hash added."""
    content = json.loads(json.dumps(content))  # as it will be read
    return {**content, SEAL: _digest(content)}


def sealed_json(content: dict[str, Any], *, indent: int = 2) -> bytes:
    """Return the object with its hash as JSON."""
    return json.dumps(seal(content), indent=indent).encode() + b"\n"


def read_sealed(data: bytes | str) -> dict[str, Any]:
    """Return the object in JSON, without its hash. Raise ValueError if it is no object, holds a
    number that is not finite, or has another hash; files of older versions have none."""
    try:
        content = json.loads(data, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(content, dict):
        raise ValueError("expected a JSON object")
    found = content.pop(SEAL, None)
    if found is not None and found != _digest(content):
        raise ValueError("its content was changed after it was written")
    return content


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _refuse(number: str) -> NoReturn:
    raise ValueError(f"{number} is not a finite number")
