"""The answers as OpenAPI describes them; `report/as_json.py` and `case/as_json.py` make them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

from adhominem.bench.web.jobs import State
from adhominem.records import Faithfulness, ModelIdentity, Reading, TrackRecord, Verdict


class Problem(BaseModel):
    """What came, what was expected, what to do, in one line."""

    error: str


class Decision(BaseModel):
    """`score` is P(same author) at equal priors, `llr` the log10 likelihood ratio."""

    verdict: Verdict
    score: float | None
    llr: float | None
    distance: float | None
    tau_s: float | None
    tau_d: float | None
    reliable: bool
    reasons: list[str]
    left: Reading
    right: Reading
    track_record: TrackRecord | None
    model: ModelIdentity | None


class Step(BaseModel):
    words: str
    side: Literal["two", "neither", "one"]
    is_reached: bool


class DistanceScale(BaseModel):
    needle: float
    tau_s: float
    tau_d: float
    end: float


class Context(BaseModel):
    before: str
    own: str
    after: str


class ContextLine(BaseModel):
    side: Literal["left", "right"]
    context: Context


class Finding(BaseModel):
    words: str
    category: str
    use: str
    share: str
    lines: list[ContextLine]
    lines_left_out: int


class Findings(BaseModel):
    rows: list[Finding]
    left_out: int


class CategoryWords(BaseModel):
    name: str
    description: str


class HabitWords(BaseModel):
    reference: str
    shared: Findings
    distinctive: Findings
    categories: list[CategoryWords]
    absent: list[str]


class ReadingWords(BaseModel):
    left: str
    right: str


class Words(BaseModel):
    """The same sentences as in the report."""

    verdict: str
    score: str
    llr: str
    support: str
    ratio: str
    reliability: str
    track_record: str
    faithfulness: str | None
    readings: ReadingWords
    scale: list[Step]
    distance_scale: DistanceScale | None
    habits: HabitWords | None


class Verified(BaseModel):
    decision: Decision
    words: Words


class Word(BaseModel):
    text: str
    start: int
    end: int
    weight: float | None
    sentence: int
    contribution: float | None


class Sentence(BaseModel):
    start: int
    end: int
    weight: float | None
    contribution: float | None


class ReadText(BaseModel):
    text: str
    words: list[Word]
    sentences: list[Sentence]


class Explanation(BaseModel):
    decision: Decision
    method: str
    contributions: str | None
    faithfulness: Faithfulness | None
    left: list[ReadText]
    right: list[ReadText]
    habits: dict[str, Any] | None
    audit: dict[str, str]


class ExplainedReply(BaseModel):
    explanation: Explanation
    words: Words


class FeaturesReply(BaseModel):
    features: list[list[float] | None]
    readings: list[Reading]


class RankedCandidate(Decision):
    name: str
    probability: float


class RankedReply(BaseModel):
    """`none` is the probability that it was none of them."""

    answer: str | None
    none: float
    candidates: list[RankedCandidate]


class Edit(BaseModel):
    start: int
    end: int
    kind: str
    old: str
    new: str


class EditsReply(BaseModel):
    edits: list[Edit]


class AttackReply(EditsReply):
    side: Literal["left", "right"]
    moved: bool
    budget: int
    tried: int
    before: Decision
    after: Decision
    text: str
    words_before: Words
    words_after: Words


class UploadedText(BaseModel):
    name: str
    author: str | None
    topic: str | None
    text: str


class ReadReply(BaseModel):
    texts: list[UploadedText]
    notes: list[str]


class Started(BaseModel):
    job: str


class JobReply(BaseModel):
    """`result` is what a case or an adaptation has found, null until then."""

    state: State
    done: int
    total: int
    error: str | None
    result: dict[str, Any] | None


class Figures(BaseModel):
    megabytes: float
    track_record: list[TrackRecord]
    faithfulness: list[Faithfulness]


class Model(BaseModel):
    name: str
    version: str
    sha256: str
    kind: str
    genres: list[str]
    detectable: list[str]
    card: str
    figures: Figures


class DamagedModel(BaseModel):
    name: str
    error: str


class ModelsReply(BaseModel):
    current: str
    models: list[Model | DamagedModel]


class SampleText(BaseModel):
    name: str
    author: str | None
    text: str


class SampleReply(BaseModel):
    title: str
    story: str
    left: list[str]
    right: list[str]
    case: list[SampleText]
    questioned: str


class LimitsReply(BaseModel):
    max_body: int
    max_texts: int
    max_rows: int
    max_characters: int
    max_case: int
    max_attacked: int
    seconds: float
    min_tokens: int
    verbal_edges: list[float]
    verbal_words: list[str]
    forms: list[str]
    pdf_report: bool
