"""Reads plain text, PDF (by pypdf) and Rich Text Format (RTF 1.9)."""

import codecs
import io
import logging
import re
from contextlib import suppress

from adhominem.errors import InputError, optional_imports

_MAX_PAGES = 1000
_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?[0-9]{1,10})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])"
    rb"|[\r\n]+|([^\\{}\r\n]+)",
    re.DOTALL,
)
_WORDS = dict.fromkeys((b"par", b"line", b"page", b"sect", b"row", b"\n", b"\r"), "\n")
_WORDS |= {b"tab": "\t", b"cell": "\t", b"emdash": "—", b"endash": "–", b"bullet": "•"}
_WORDS |= {b"lquote": "‘", b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”", b"_": "-"}
_WORDS |= {b"\\": "\\", b"{": "{", b"}": "}", b"~": "\xa0"}
# Groups that are not text of the document.
_HIDDEN = frozenset(
    b"* fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl "
    b"footerr footerf footnote annotation fldinst listtable listoverridetable deleted".split()
)


def decode(data: bytes, name: str, notes: list[str], encoding: str | None = None) -> str:
    """Decode a text and unify line ends; by default as UTF-8 or, failing that, Windows-1252."""
    marked = next((e for mark, e in _MARKS.items() if data.startswith(mark)), "utf-8")
    given = marked if encoding is None else encoding
    try:
        if codecs.lookup(given).name == "utf-8" and b"\0" in data:
            raise InputError(f"{name} is a binary file: save it as txt, docx, html or pdf first")
        text = data.decode(given)
    except UnicodeDecodeError as error:
        if encoding is not None:
            place = f"byte 0x{data[error.start]:02x} at {error.start}"
            advice = "name its encoding, for instance --encoding cp1252"
            raise InputError(f"{name} is not {encoding} text ({place}): {advice}") from None
        text = data.decode("cp1252", "replace")
        notes.append(f"{name} is not UTF-8 and was read as Windows-1252: look at its letters.")
    except LookupError:
        raise InputError(f"unknown encoding '{encoding}': try utf-8, cp1252 or utf-16") from None
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def pdf_text(data: bytes, name: str, notes: list[str]) -> str:
    with optional_imports("save its text as txt"):
        from pypdf import PdfReader
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it warns of every odd byte
    if not data:
        raise InputError(f"{name} is empty")
    try:
        reader = PdfReader(io.BytesIO(data))
        is_open = not reader.is_encrypted
        with suppress(Exception):  # a cipher that pypdf does not support counts as locked
            is_open = is_open or bool(reader.decrypt(""))
        if not is_open:
            raise InputError(f"{name} is locked by a password: save it without one")
        n_pages = len(reader.pages)
        pages = [page.extract_text() for page in reader.pages[:_MAX_PAGES]]
    except InputError:
        raise
    except Exception as error:  # pypdf raises many kinds of errors on broken files
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


def rtf_text(data: bytes, name: str, _notes: list[str]) -> str:
    """The text without headers, footers, footnotes, comments and deleted text."""
    if not data.lstrip().startswith(b"{\\rtf"):
        raise InputError(f"{name} is not a whole rtf file: save it again")
    encoding = "cp1252"
    if found := re.search(rb"\\ansicpg([0-9]{3,5})", data):
        with suppress(LookupError):
            encoding = codecs.lookup(f"cp{found[1].decode()}").name
    pieces: list[str] = []
    waiting = bytearray()  # a character may have two bytes
    groups: list[tuple[bool, int]] = []
    is_hidden, fallback, skip = False, 1, 0  # fallback bytes after a Unicode character are skipped
    for word, number, code, symbol, brace, run in _TOKEN.findall(data):
        if brace == b"{":
            groups.append((is_hidden, fallback))
        elif brace:
            is_hidden, fallback = groups.pop() if groups else (False, 1)
        elif (word or symbol) in _HIDDEN and number != b"0":
            is_hidden = True
        elif is_hidden:
            continue
        elif word == b"uc":
            fallback = int(number or 1)
        elif word or symbol:
            pieces.append(waiting.decode(encoding, "replace"))
            waiting.clear()
            is_unicode = word == b"u" and number
            spelt = chr(int(number) % 0x10000 or 32) if is_unicode else None
            pieces.append(spelt or _WORDS.get(word or symbol, ""))
            skip = fallback if is_unicode else skip
        else:
            content = bytes.fromhex(code.decode()) or run
            waiting += content[skip:]
            skip = max(skip - len(content), 0)
    pieces.append(waiting.decode(encoding, "replace"))
    joined = "".join(pieces).encode("utf-16", "surrogatepass")
    return joined.decode("utf-16", "replace").strip("\n")
