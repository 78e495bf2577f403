"""A case as it came over the wire, studied."""

from __future__ import annotations

from typing import Any

from adhominem.case.as_json import case_dict
from adhominem.case.study import study
from adhominem.case.texts import NamedText
from adhominem.verifier import Verifier
from adhominem.web.jobs import Progress
from adhominem.web.wire import Case


def named_texts(asked: Case) -> list[NamedText]:
    return [NamedText(text.name, text.text, text.author) for text in asked.texts]


def study_case(verifier: Verifier, asked: Case, progress: Progress) -> dict[str, Any]:
    return case_dict(study(verifier, named_texts(asked), asked.questioned, progress))


def bundle_of(verifier: Verifier, asked: Any) -> bytes:
    from adhominem.errors import InputError

    raise InputError("not yet built")
