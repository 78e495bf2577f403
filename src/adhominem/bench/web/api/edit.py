"""What if a text were written otherwise?"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter

from adhominem.bench.web.answer import Answer
from adhominem.bench.web.bench import Bench
from adhominem.bench.web.replies import AttackReply, EditsReply
from adhominem.bench.web.wire import Attacked, Edited
from adhominem.bench.web.words import words_about
from adhominem.instrument.explain.whatif import attack
from adhominem.instrument.linguistics.rewrites import find_edits
from adhominem.instrument.report.as_json import what_if_dict

router = APIRouter(prefix="/api", tags=["what if"])


@router.post("/edits", response_model=EditsReply)
async def edits(asked: Edited, bench: Bench) -> Answer:
    """The edits that undo a habit each and keep the meaning."""
    size = bench.measure([asked.text])
    found = await bench.queue.call(lambda: find_edits(asked.text), size=size, quick=True)
    return Answer({"edits": [asdict(edit) for edit in found]})


@router.post("/attack", response_model=AttackReply)
async def fewest_edits(asked: Attacked, bench: Bench) -> Answer:
    """The fewest edits of one side that were found to move the verdict."""
    size = bench.measure(asked.texts, most=bench.settings.limits.max_attacked)
    verifier = await bench.judge(asked)

    def work() -> dict[str, Any]:
        found = attack(
            verifier,
            asked.left,
            asked.right,
            side=asked.side,
            budget=asked.budget,
            index=asked.index,
            genre=asked.genre,
            contributions=False,
        )
        return {
            **what_if_dict(found),
            "words_before": words_about(found.before.decision, found.before),
            "words_after": words_about(found.after.decision, found.after),
        }

    return Answer(await bench.queue.call(work, size=size))
