"""Two sides compared, candidates ranked, texts edited."""

from dataclasses import asdict
from typing import Any

import numpy as np
from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from adhominem.bench.web import fragments, wire
from adhominem.bench.web.replies import HTML, Answer, AsHtml
from adhominem.bench.web.workbench import Bench
from adhominem.errors import InputError
from adhominem.instrument.evidence.attribution import rank
from adhominem.instrument.explain.whatif import attack
from adhominem.instrument.feature_verifier import require_features
from adhominem.instrument.linguistics.rewrites import find_edits
from adhominem.instrument.report import as_json
from adhominem.instrument.report.habit_report import habit_report
from adhominem.instrument.report.wording import decision_words, faithfulness_words
from adhominem.instrument.verifier import Verifier

router = APIRouter(prefix="/api", tags=["compare"])


@router.post("/verify")
async def verify(request: wire.PairRequest, bench: Bench) -> Response:
    """Did one author write both sides?"""
    bench.measure(request.strings)
    decision = await bench.queue.decide(await bench.verifier_for(request), request.pair)
    return Answer({"decision": as_json.decision_dict(decision), "words": decision_words(decision)})


@router.post("/explain", responses=HTML)
async def explain(request: wire.ExplainRequest, bench: Bench, as_html: AsHtml) -> Response:
    """The decision with the weight of every word."""

    def work(verifier: Verifier) -> Response:
        explanation = verifier.explain(request.pair, contributions=request.contributions)
        if as_html:
            habits = habit_report(explanation) if request.habits else None
            return HTMLResponse(fragments.answer_fragment(explanation, habits))
        content = as_json.explanation_dict(explanation, habits=request.habits)
        words = {"faithfulness": faithfulness_words(explanation)}
        words |= decision_words(explanation.decision)
        return Answer({"explanation": content, "words": words})

    return await bench.ask(request, work, quick=not request.contributions)


@router.post("/features")
async def features(request: wire.TextsRequest, bench: Bench) -> Response:
    """The vector of each text, null for one without words, and the counts of the text."""
    size = bench.measure(request.texts)
    problem = "a {kind} model has no document features: choose a network"
    verifier = require_features(await bench.verifier(request.model), problem)

    def work() -> dict[str, Any]:
        read = verifier.read(request.texts)
        vectors = [text.features for text in read]
        return {
            "features": [row.tolist() if np.isfinite(row).all() else None for row in vectors],
            "readings": [asdict(verifier.join([text])[1]) for text in read],
        }

    return Answer(await bench.queue.call(work, size=size))


@router.post("/references")
async def give_references(request: wire.TextsRequest, bench: Bench) -> Response:
    """Reference texts of the same kind, 50 or more; kept for requests that name them."""
    size = bench.measure(request.texts)
    model, verifier = request.model or bench.models.current, await bench.verifier(request.model)

    def work() -> dict[str, Any]:
        name, referring = bench.references.add(model, verifier, request.texts)
        return {"reference": name, "used": sum(referring.limits().references.values())}

    return Answer(await bench.queue.call(work, size=size))


@router.post("/rank")
async def rank_candidates(request: wire.RankRequest, bench: Bench) -> Response:
    """Which of several candidates wrote the questioned texts, if any of them did."""
    known = {candidate.name: candidate.texts for candidate in request.candidates}
    if len(known) < len(request.candidates):
        raise InputError("two candidates have the same name: put their texts together")

    def work(verifier: Verifier) -> dict[str, Any]:
        return as_json.ranking_dict(rank(verifier, request.questioned, known, genre=request.genre))

    return Answer(await bench.ask(request, work))


@router.post("/edits", responses=HTML)
async def edits(request: wire.EditsRequest, bench: Bench, as_html: AsHtml) -> Response:
    """Edits that undo a habit each and keep the meaning."""
    size = bench.measure([request.text])
    found = await bench.queue.call(lambda: find_edits(request.text), size=size, quick=True)
    if as_html:
        return HTMLResponse(fragments.edits_fragment(found))
    return Answer({"edits": [asdict(edit) for edit in found]})


@router.post("/attack", responses=HTML)
async def fewest_edits(request: wire.AttackRequest, bench: Bench, as_html: AsHtml) -> Response:
    """The fewest edits of one text that were found to change the verdict."""

    def work(verifier: Verifier) -> Response:
        chosen = request.model_dump(include={"side", "index", "budget", "genre"})
        found = attack(verifier, request.left, request.right, **chosen, contributions=False)
        if as_html:
            return HTMLResponse(fragments.fragment("attack", found=found))
        both = {"words_before": found.before.decision, "words_after": found.after.decision}
        words = {name: decision_words(decision) for name, decision in both.items()}
        return Answer({**as_json.what_if_dict(found), **words})

    return await bench.ask(request, work, most=bench.settings.limits.max_attacked)
