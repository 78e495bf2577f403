"""JSON in ASCII, so that even a lone surrogate can be written and read back."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response


class Answer(Response):
    media_type = "application/json"

    def __init__(self, content: Any, status_code: int = 200, **options: Any) -> None:
        super().__init__(content, status_code, **options)

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()
