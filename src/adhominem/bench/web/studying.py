"""A case as it came over the wire, studied; and the bundles that repeat a result."""

from __future__ import annotations

from typing import Any

from adhominem.bench.case.as_json import case_dict
from adhominem.bench.case.bundle import case_bundle, pair_bundle
from adhominem.bench.case.study import CaseResult, study
from adhominem.bench.case.texts import NamedText
from adhominem.bench.web.jobs import Progress
from adhominem.bench.web.wire import Case, CaseBundle, PairBundle
from adhominem.instrument.verifier import Verifier
from adhominem.pausing import pause


def study_case(verifier: Verifier, asked: Case, progress: Progress) -> dict[str, Any]:
    return case_dict(_study(verifier, asked, progress))


def bundle_of(verifier: Verifier, asked: PairBundle | CaseBundle) -> bytes:
    if isinstance(asked, PairBundle):
        decision = verifier.verify(asked.left, asked.right, genre=asked.genre)
        return pair_bundle(asked.left, asked.right, decision, genre=asked.genre)
    return case_bundle(_named(asked), _study(verifier, asked, lambda *_: pause()))


def _study(verifier: Verifier, asked: Case, progress: Progress) -> CaseResult:
    return study(verifier, _named(asked), asked.questioned, progress, genre=asked.genre)


def _named(asked: Case) -> list[NamedText]:
    return [NamedText(text.name, text.text, text.author) for text in asked.texts]
