"""The text of a PDF, page by page."""

from __future__ import annotations

import io

from adhominem.errors import InputError
from adhominem.extras import optional_imports

_MOST_PAGES = 1000


def pdf_text(data: bytes, name: str, notes: list[str]) -> str:
    with optional_imports():
        from pypdf import PdfReader
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(f"{name} is locked by a password: save it without one")
        n_pages = len(reader.pages)
        text = "\n".join(page.extract_text() for page in reader.pages[:_MOST_PAGES])
    except InputError:
        raise
    except Exception as error:  # a broken file makes pypdf stumble in many ways
        raise InputError(f"{name} cannot be read as pdf ({type(error).__name__})") from None
    if not text.strip():
        raise InputError(f"{name} holds no text: is it a scan?")
    if n_pages > _MOST_PAGES:
        notes.append(f"Only the first {_MOST_PAGES:,} pages of {name} were read.")
    notes.append(f"{name} is a pdf: look whether its lines and words were read rightly.")
    return text
