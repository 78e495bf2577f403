"""The cover of a report: the case, the examiner, and the texts compared."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from adhominem.instrument.report.wording import SIDES
from adhominem.records import Explanation


@dataclass(frozen=True, slots=True)
class Cover:
    """Statements of a person about a report, without effect on the result. The date is not set
    automatically, so that the same question gives the same bytes."""

    title: str = ""
    case: str = ""
    examiner: str = ""
    date: str = ""
    left: tuple[str, ...] = ()  # names of the texts, for example of their files
    right: tuple[str, ...] = ()

    @property
    def running_head(self) -> str:
        """The line at the top of every printed page."""
        return " · ".join(filter(None, (self.title or "Authorship report", self.case, self.date)))


def compared_texts(explanation: Explanation, cover: Cover = Cover()) -> Iterator[dict[str, Any]]:
    """The given texts of both sides, with name ("" if there is none) and hash of the UTF-8 bytes;
    repeated texts are included."""
    for side, side_name in SIDES.items():
        texts = [text.text for text in getattr(explanation, side)]
        if explanation.given is not None:
            texts = [document.text for document in getattr(explanation.given, side)]
        for i, (text, name) in enumerate(zip_longest(texts, getattr(cover, side), fillvalue="")):
            digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
            label = f"{side_name} text" + (f" {i + 1}" if len(texts) > 1 else "")
            own = {"side": side_name, "label": label, "name": name}
            yield {**own, "characters": len(text), "sha256": digest}
