"""The running text of a Word document: paragraphs, tabs and breaks of its main part.

Read by expat from the unpacked XML. A document type, which alone can declare entities, is refused.
What is deleted but still tracked is another element and not read; nor are field codes.
"""

from __future__ import annotations

from xml.parsers import expat

from adhominem.bench.web.settings import Limits
from adhominem.bench.web.uploads.archive import Archive
from adhominem.errors import InputError

_WORD = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main ",
    "http://purl.oclc.org/ooxml/wordprocessingml/main ",
)
_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_PLAIN = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def docx_text(data: bytes, name: str, limits: Limits) -> str:
    xml = Archive(data, name, limits).read_named("word/document.xml")
    reader = _Reader(name)
    try:
        reader.parser.Parse(xml, True)
    except expat.ExpatError as error:
        raise InputError(f"{name} is not a whole docx file ({error}): save it again") from None
    return "".join(reader.pieces).strip("\n")


class _Reader:
    def __init__(self, name: str) -> None:
        self.pieces: list[str] = []
        self._name = name
        self._reads = False
        self._fallbacks = 0  # of drawings, whose text was read before
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.StartDoctypeDeclHandler = self._refuse

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        del attributes
        if element == _FALLBACK:
            self._fallbacks += 1
        if self._fallbacks:
            return
        local = _local(element)
        self._reads = local == "t"
        if local in _PLAIN:
            self.pieces.append(_PLAIN[local])

    def _end(self, element: str) -> None:
        self._reads = False
        if element == _FALLBACK:
            self._fallbacks -= 1
        elif _local(element) == "p" and not self._fallbacks:
            self.pieces.append("\n")

    def _characters(self, data: str) -> None:
        if self._reads:
            self.pieces.append(data)

    def _refuse(self, *_: object) -> None:
        raise InputError(f"{self._name} declares a document type, as no Word document does")


def _local(element: str) -> str | None:
    return next((element[len(space) :] for space in _WORD if element.startswith(space)), None)
