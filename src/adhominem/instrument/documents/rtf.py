"""The text of a Rich Text Format file (RTF 1.9)."""

import codecs
import re
from contextlib import suppress

from adhominem.errors import InputError

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


def rtf_text(data: bytes, name: str, _notes: list[str]) -> str:
    """The text, without headers, footers, footnotes, comments and deleted text."""
    if not data.lstrip().startswith(b"{\\rtf"):
        raise InputError(f"{name} is not a whole rtf file: save it again")
    encoding = "cp1252"
    if found := re.search(rb"\\ansicpg([0-9]{3,5})", data):
        with suppress(LookupError):
            encoding = codecs.lookup(f"cp{found[1].decode()}").name
    pieces: list[str] = []
    waiting = bytearray()  # of one character there may be two bytes
    groups: list[tuple[bool, int]] = []
    is_hidden, fallback, skip = False, 1, 0  # bytes that stand for a Unicode character are skipped
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
