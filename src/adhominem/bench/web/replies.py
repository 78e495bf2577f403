"""Answers: JSON and its description for OpenAPI, HTML fragments, and unforeseen errors."""

import json
import sys
import traceback
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import Depends, Header
from pydantic import BaseModel
from starlette.responses import JSONResponse

from adhominem import records
from adhominem.bench.case.texts import NamedText
from adhominem.bench.web.settings import Limits
from adhominem.instrument.documents.read import FORMS
from adhominem.instrument.linguistics.rewrites import Edit
from adhominem.instrument.verifier import Verifier


class Answer(JSONResponse):
    """JSON in ASCII, so that even a lone surrogate can be written and read back."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def _wants_html(accept: Annotated[str, Header(include_in_schema=False)] = "") -> bool:
    return accept.partition(";")[0].strip() == "text/html"


# Whether a request asks for the report's HTML fragment (Accept: text/html) instead of JSON.
AsHtml = Annotated[bool, Depends(_wants_html)]
HTML: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/html": {"schema": {"type": "string"}}}}
}


def complain(error: BaseException) -> str:
    """Print kind and position of an unforeseen error, no text; return the line for the user."""
    frames = traceback.extract_tb(error.__traceback__)
    position = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "an unknown position"
    print(f"adhominem: {type(error).__name__} at {position}", file=sys.stderr, flush=True)
    return "something went wrong inside the server: its terminal says where"


class Problem(BaseModel):
    """What came, what was expected, what to do, in one line."""

    error: str


class DecisionReply(BaseModel):
    """`score` is P(same author) at equal priors, `llr` the log10 likelihood ratio."""

    verdict: records.Verdict
    score: float | None
    llr: float | None
    distance: float | None
    tau_s: float | None
    tau_d: float | None
    terms: list[records.Term]
    reliable: bool
    reasons: list[str]
    reason_codes: list[str]
    notes: list[str]
    note_codes: list[str]
    left: records.Reading
    right: records.Reading
    track_record: records.TrackRecord | None
    model: records.ModelIdentity | None


class VerifyReply(BaseModel):
    """`words` are the sentences of the report about the decision."""

    decision: DecisionReply
    words: dict[str, str]


class ExplanationReply(BaseModel):
    decision: DecisionReply
    method: str
    contributions: str | None
    faithfulness: records.Faithfulness | None
    left: list[records.TextExplanation]
    right: list[records.TextExplanation]
    habits: dict[str, Any] | None
    audit: dict[str, str]


class ExplainReply(BaseModel):
    explanation: ExplanationReply
    words: dict[str, str]


class FeaturesReply(BaseModel):
    features: list[list[float] | None]
    readings: list[records.Reading]


class ReferenceReply(BaseModel):
    """`reference` is for later requests; `used` texts were long enough and no copies."""

    reference: str
    used: int


class CandidateReply(DecisionReply):
    name: str
    probability: float


class RankReply(BaseModel):
    """`none` is the probability that it was none of them."""

    answer: str | None
    none: float
    candidates: list[CandidateReply]


class EditsReply(BaseModel):
    edits: list[Edit]


class AttackReply(EditsReply):
    side: Literal["left", "right"]
    moved: bool
    budget: int
    tried: int
    before: DecisionReply
    after: DecisionReply
    text: str
    words_before: dict[str, str]
    words_after: dict[str, str]


State = Literal["queued", "running", "done", "failed", "cancelled"]


class Started(BaseModel):
    job: str


class JobReply(BaseModel):
    """`result` is that of a case or an adaptation, null until it is done."""

    state: State
    done: int
    total: int
    error: str | None
    result: dict[str, Any] | None


class Figures(BaseModel):
    megabytes: float
    track_record: list[records.TrackRecord]
    faithfulness: list[records.Faithfulness]


class ModelReply(BaseModel):
    """Of a damaged model only `name` and `error`."""

    name: str
    error: str | None = None
    version: str | None = None
    sha256: str | None = None
    kind: str | None = None
    genres: list[str] = []
    labels: dict[str, str] = {}
    detectable: list[str] = []
    card: str | None = None
    figures: Figures | None = None


class ModelsReply(BaseModel):
    current: str
    models: list[ModelReply]


class SampleReply(BaseModel):
    title: str
    story: str
    left: list[str]
    right: list[str]
    case: list[NamedText]
    questioned: str


@dataclass(frozen=True, slots=True)
class LimitsReply(Limits):
    min_tokens: int = Verifier.min_tokens
    forms: tuple[str, ...] = FORMS
    pdf_report: bool = False
