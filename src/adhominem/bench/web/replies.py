"""Answers: JSON, HTML fragments where a request asks for them, and errors in one line."""

import json
import sys
import traceback
from typing import Annotated, Any

from fastapi import Depends, Header
from starlette.responses import JSONResponse

from adhominem.errors import AdhominemError, MissingExtraError


class RefusedError(AdhominemError):
    """A refused request, with the HTTP status of the answer."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Answer(JSONResponse):
    """JSON in ASCII, which can encode lone surrogates."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def refusal(error: AdhominemError) -> Answer:
    """The answer with an error message; a busy server adds when to try again."""
    status = 501 if isinstance(error, MissingExtraError) else getattr(error, "status", 422)
    return Answer({"error": str(error)}, status, {"Retry-After": "2"} if status == 503 else None)


def _wants_html(accept: Annotated[str, Header(include_in_schema=False)] = "") -> bool:
    return accept.partition(";")[0].strip() == "text/html"


# Whether a request asks for an HTML fragment (Accept: text/html) instead of JSON.
AsHtml = Annotated[bool, Depends(_wants_html)]
HTML: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/html": {"schema": {"type": "string"}}}}
}


def complain(error: BaseException) -> str:
    """Print type and place of an unexpected error, without texts; return a message for the user."""
    frames = traceback.extract_tb(error.__traceback__)
    position = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "an unknown position"
    print(f"adhominem: {type(error).__name__} at {position}", file=sys.stderr, flush=True)
    return "something went wrong inside the server: its terminal says where"
