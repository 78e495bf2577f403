"""JSON in ASCII, so that even a lone surrogate can be written and read back."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import JSONResponse


class Answer(JSONResponse):
    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()
