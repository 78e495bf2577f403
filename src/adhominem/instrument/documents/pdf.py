"""The text of a PDF file, by pypdf."""

import io
import logging
from contextlib import suppress

from adhominem.errors import InputError, optional_imports

_MAX_PAGES = 1000


def pdf_text(data: bytes, name: str, notes: list[str]) -> str:
    with optional_imports("save its text as txt"):
        from pypdf import PdfReader
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # of every odd byte it meets
    if not data:
        raise InputError(f"{name} is empty")
    try:
        reader = PdfReader(io.BytesIO(data))
        is_open = not reader.is_encrypted
        with suppress(Exception):  # of ciphers that pypdf lacks, which count as locked
            is_open = is_open or bool(reader.decrypt(""))
        if not is_open:
            raise InputError(f"{name} is locked by a password: save it without one")
        n_pages = len(reader.pages)
        pages = [page.extract_text() for page in reader.pages[:_MAX_PAGES]]
    except InputError:
        raise
    except Exception as error:  # a broken file makes pypdf stumble in many ways
        raise InputError(f"{name} cannot be read as pdf ({type(error).__name__})") from None
    empty = sum(not page.strip() for page in pages)
    if empty == len(pages):
        raise InputError(f"{name} holds no text: is it a scan?")
    if empty:
        notes.append(f"{empty:,} of {n_pages:,} pages of {name} hold no text: are they scans?")
    if n_pages > _MAX_PAGES:
        notes.append(f"Only the first {_MAX_PAGES:,} pages of {name} were read.")
    notes.append(f"{name} is a pdf: look whether its lines and words were read rightly.")
    return "\n".join(pages)
