"""The bodies of requests, with limits on their values."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from adhominem.bench.web.models import NAME
from adhominem.bench.web.settings import Limits
from adhominem.instrument.explain import BUDGET, MAX_BUDGET
from adhominem.instrument.report.cover import Cover
from adhominem.records import Pair

_LIMITS = Limits()
Text = Annotated[str, Field(max_length=_LIMITS.max_case)]
Side = Annotated[list[Text], Field(min_length=1, max_length=_LIMITS.max_texts)]
Choice = Annotated[str | None, Field(max_length=64)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Stated = Annotated[str, Field(max_length=200)]
OptionalName = Annotated[str | None, Field(max_length=200)]


class Request(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ModelRequest(Request):
    """`model` and `genre` are names; `reference` is the name of reference texts given before."""

    model: Choice = None
    genre: Choice = None
    reference: Choice = None

    @property
    def strings(self) -> Iterable[str]:
        """All texts of the request."""
        raise NotImplementedError


class PairRequest(ModelRequest):
    """Two sides, each the texts of one author."""

    left: Side
    right: Side

    @property
    def strings(self) -> Iterable[str]:
        return (*self.left, *self.right)

    @property
    def pair(self) -> Pair:
        return Pair.of_texts(self.left, self.right, self.genre)


class ExplainRequest(PairRequest):
    """`contributions` of words take a second or two; without them there is only attention."""

    contributions: bool = True
    habits: bool = True


class TextsRequest(Request):
    texts: Side
    model: Choice = None


class Candidate(Request):
    name: Name
    texts: Side


class RankRequest(ModelRequest):
    questioned: Side
    candidates: Annotated[list[Candidate], Field(min_length=1, max_length=_LIMITS.max_texts)]

    @property
    def strings(self) -> Iterable[str]:
        return (*self.questioned, *(text for one in self.candidates for text in one.texts))


class EditsRequest(Request):
    text: Text


class AttackRequest(PairRequest):
    """Text `index` of `side`, counted from 0, is edited."""

    side: Literal["left", "right"] = "left"
    index: Annotated[int, Field(ge=0)] = 0
    budget: Annotated[int, Field(ge=1, le=MAX_BUDGET)] = BUDGET


class CaseText(Request):
    name: Name
    author: OptionalName = None
    text: Text


class CaseRequest(ModelRequest):
    """`questioned` is the name of the questioned text."""

    texts: Annotated[list[CaseText], Field(min_length=2, max_length=_LIMITS.max_texts)]
    questioned: Name | None = None

    @property
    def strings(self) -> Iterable[str]:
        return (text.text for text in self.texts)


class CoverRequest(Request):
    """Statements of a person about a report, and the names of the texts."""

    title: Stated = ""
    case: Stated = ""
    examiner: Stated = ""
    date: Stated = ""
    left: Annotated[tuple[Stated, ...], Field(strict=False, max_length=_LIMITS.max_texts)] = ()
    right: Annotated[tuple[Stated, ...], Field(strict=False, max_length=_LIMITS.max_texts)] = ()

    @property
    def stated(self) -> Cover:
        return Cover(**self.model_dump())


Form = Literal["html", "json", "pdf"]


class ReportRequest(PairRequest):
    form: Form = "html"
    cover: CoverRequest = CoverRequest()


class CaseReportRequest(CaseRequest):
    form: Form = "html"
    cover: CoverRequest = CoverRequest()


class PairBundle(PairRequest):
    kind: Literal["pair"]


class CaseBundle(CaseRequest):
    kind: Literal["case"]


BundleRequest = Annotated[PairBundle | CaseBundle, Field(discriminator="kind")]


class Row(Request):
    author: Name
    text: Text
    topic: OptionalName = None


class AdaptationRequest(Request):
    """`only_calibrate` leaves the network as it is."""

    model: Choice = None
    rows: Annotated[list[Row], Field(min_length=1, max_length=_LIMITS.max_rows)]
    name: Annotated[str, Field(pattern=f"^{NAME}$")]
    only_calibrate: bool = False
