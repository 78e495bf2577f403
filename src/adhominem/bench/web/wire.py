"""The requests as they come over the wire, with their bounds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from adhominem.bench.web.settings import Limits
from adhominem.records import Pair

_BOUNDS = Limits()
Text = Annotated[str, Field(max_length=_BOUNDS.max_case)]
Side = Annotated[list[Text], Field(min_length=1, max_length=_BOUNDS.max_texts)]
ModelName = Annotated[str | None, Field(max_length=64)]
GenreName = Annotated[str | None, Field(max_length=64)]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class Request(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Judged(Request):
    """By a model, as texts of a genre of that model where their kind is known."""

    model: ModelName = None
    genre: GenreName = None


class Compared(Judged):
    """Two sides, each the texts of one author."""

    left: Side
    right: Side

    @property
    def texts(self) -> Iterable[str]:
        return (*self.left, *self.right)

    @property
    def pair(self) -> Pair:
        return Pair.of_texts(self.left, self.right, self.genre)


class Explained(Compared):
    """`contributions` of words take a second or two; without them there is the attention alone."""

    contributions: bool = True
    habits: bool = True


class Texts(Request):
    texts: Side
    model: ModelName = None


class Candidate(Request):
    name: Name
    texts: Side


class Ranked(Judged):
    questioned: Side
    candidates: Annotated[list[Candidate], Field(min_length=1, max_length=_BOUNDS.max_texts)]

    @property
    def texts(self) -> Iterable[str]:
        return (*self.questioned, *(text for one in self.candidates for text in one.texts))


class Edited(Request):
    text: Text


class Attacked(Compared):
    """Edited is text `index` of `side`, counted from 0."""

    side: Literal["left", "right"] = "left"
    index: Annotated[int, Field(ge=0)] = 0
    budget: Annotated[int, Field(ge=1, le=50)] = 10


class NamedText(Request):
    name: Name
    author: Annotated[str | None, Field(max_length=200)] = None
    text: Text


class Case(Judged):
    """Texts against each other; `questioned` is the name of one whose author is sought."""

    texts: Annotated[list[NamedText], Field(min_length=2, max_length=_BOUNDS.max_texts)]
    questioned: Name | None = None


class Reported(Compared):
    form: Literal["html", "json", "pdf"] = "html"


class PairBundle(Compared):
    kind: Literal["pair"]


class CaseBundle(Case):
    kind: Literal["case"]


Bundled = Annotated[PairBundle | CaseBundle, Field(discriminator="kind")]


class Row(Request):
    author: Name
    text: Text
    topic: Annotated[str | None, Field(max_length=200)] = None


class Adaptation(Request):
    """`only_calibrate` leaves the network as it is."""

    model: ModelName = None
    rows: Annotated[list[Row], Field(min_length=1, max_length=_BOUNDS.max_rows)]
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
    only_calibrate: bool = False
