"""The text of a Rich Text Format file (RTF 1.9)."""

from __future__ import annotations

import re

from adhominem.errors import InputError

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?[0-9]{1,10})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])"
    rb"|[\r\n]+|([^\\{}\r\n]+)",
    re.DOTALL,
)
_WORDS = {
    **{"par": "\n", "line": "\n", "page": "\n", "sect": "\n", "row": "\n", "tab": "\t"},
    **{"cell": "\t", "emdash": "\u2014", "endash": "\u2013", "bullet": "\u2022"},
    **{"lquote": "\u2018", "rquote": "\u2019", "ldblquote": "\u201c", "rdblquote": "\u201d"},
}
_SYMBOLS = {b"~": "\u00a0", b"_": "-", b"\n": "\n", b"\r": "\n"}
_SYMBOLS |= {sign: sign.decode() for sign in (b"\\", b"{", b"}")}
# Groups that are not text of the document.
_HIDDEN = frozenset(
    (
        *("fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "footer"),
        *("headerl", "headerr", "headerf", "footerl", "footerr", "footerf", "footnote"),
        *("annotation", "fldinst", "listtable", "listoverridetable", "deleted", "themedata"),
    )
)


def rtf_text(data: bytes, name: str) -> str:
    """The text, without headers, footers, footnotes, comments and deleted text."""
    if not data.lstrip().startswith(b"{\\rtf"):
        raise InputError(f"{name} is not a whole rtf file: save it again")
    codepage = re.search(rb"\\ansicpg([0-9]{3,5})", data)
    encoding = f"cp{codepage[1].decode()}" if codepage else "cp1252"
    try:
        b"".decode(encoding)
    except LookupError:
        encoding = "cp1252"
    return _text(data, encoding)


def _text(data: bytes, encoding: str) -> str:
    pieces: list[str] = []
    waiting = bytearray()  # bytes of characters, of which one may take two
    groups: list[tuple[bool, int]] = []
    is_hidden, fallback, skip = False, 1, 0  # characters that stand for a Unicode one are skipped

    def write(text: str) -> None:
        if waiting:
            pieces.append(waiting.decode(encoding, "replace"))
            waiting.clear()
        pieces.append(text)

    for token in _TOKEN.finditer(data):
        word, number, code, symbol, brace, run = token.groups()
        if brace == b"{":
            groups.append((is_hidden, fallback))
        elif brace and groups:
            is_hidden, fallback = groups.pop()
        elif symbol == b"*" or (word and word.decode() in _HIDDEN and number != b"0"):
            is_hidden = True
        elif is_hidden:
            continue
        elif word == b"uc":
            fallback = int(number or 1)
        elif word == b"u":
            write(chr(int(number or 32) % 0x10000 or 32))
            skip = fallback
        elif word:
            write(_WORDS.get(word.decode(), ""))
        elif symbol:
            write(_SYMBOLS.get(symbol, ""))
        else:
            content = bytes.fromhex(code.decode()) if code else (run or b"")
            waiting += content[skip:]
            skip = max(skip - len(content), 0)
    write("")
    text = "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.strip("\n")
