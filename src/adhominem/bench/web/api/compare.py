"""Two sides compared, and several candidates ranked."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from fastapi import APIRouter

from adhominem.bench.web.answer import Answer
from adhominem.bench.web.bench import Bench
from adhominem.bench.web.replies import ExplainedReply, FeaturesReply, RankedReply, Verified
from adhominem.bench.web.wire import Compared, Explained, Ranked, Texts
from adhominem.bench.web.words import words_about
from adhominem.errors import InputError
from adhominem.instrument.evidence.attribution import rank
from adhominem.instrument.feature_verifier import require_features
from adhominem.instrument.report.as_json import (
    decision_dict,
    explanation_dict,
    habits_dict,
    ranking_dict,
)
from adhominem.instrument.report.habit_report import habit_report
from adhominem.records import Pair

router = APIRouter(prefix="/api", tags=["compare"])


@router.post("/verify", response_model=Verified)
async def verify(asked: Compared, bench: Bench) -> Answer:
    """Did one author write both sides?"""
    bench.measure(asked.texts)
    verifier, pair = await bench.judge(asked), asked.pair
    decision = await bench.queue.decide(verifier, pair)
    return Answer({"decision": decision_dict(decision), "words": words_about(decision)})


@router.post("/explain", response_model=ExplainedReply)
async def explain(asked: Explained, bench: Bench) -> Answer:
    """The decision with the weight of every word."""
    size = bench.measure(asked.texts)
    verifier, pair = await bench.judge(asked), asked.pair

    def work() -> Answer:
        explanation = verifier.explain(pair, contributions=asked.contributions)
        habits = habit_report(explanation) if asked.habits else None
        told = explanation_dict(explanation, habits=False)
        return Answer(
            {
                "explanation": told | {"habits": habits and habits_dict(habits)},
                "words": words_about(explanation.decision, explanation, habits),
            }
        )

    is_quick = not asked.contributions
    return await bench.queue.call(work, size=size, quick=is_quick)


@router.post("/features", response_model=FeaturesReply)
async def features(asked: Texts, bench: Bench) -> Answer:
    """The vector of each text, null for one without words, and what was read of it."""
    size = bench.measure(asked.texts)
    verifier = await bench.verifier(asked.model)
    network = require_features(
        verifier, "a {kind} model has no document features: choose a network"
    )

    def work() -> dict[str, Any]:
        vectors = network.features(asked.texts)
        pairs = [Pair.of_texts(text, text) for text in asked.texts]
        return {
            "features": [row.tolist() if np.isfinite(row).all() else None for row in vectors],
            "readings": [asdict(decision.left) for decision in verifier.decide(pairs)],
        }

    return Answer(await bench.queue.call(work, size=size))


@router.post("/rank", response_model=RankedReply)
async def rank_candidates(asked: Ranked, bench: Bench) -> Answer:
    """Which of several candidates wrote the questioned texts, if any of them did."""
    size = bench.measure(asked.texts)
    verifier = await bench.judge(asked)
    known = {candidate.name: candidate.texts for candidate in asked.candidates}
    if len(known) < len(asked.candidates):
        raise InputError("two candidates have the same name: put their texts together")

    def work() -> dict[str, Any]:
        return ranking_dict(rank(verifier, asked.questioned, known, genre=asked.genre))

    return Answer(await bench.queue.call(work, size=size))
