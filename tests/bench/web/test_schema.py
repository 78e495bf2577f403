"""Requests made from the server's own description, sound and unsound: never an internal error, and
every answer is as described."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from adhominem.bench.web.app import create_app

CHECKS = [
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
]
SCHEMA = schemathesis.openapi.from_dict(create_app().openapi())
OPERATIONS = [found.ok() for found in SCHEMA.get_all_operations()]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_every_answer_is_as_described(
    client: httpx.Client, operation: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")  # printing is another test's
    strategies = [operation.as_strategy(generation_mode=m) for m in schemathesis.GenerationMode]

    @settings(
        max_examples=10,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of(strategies))
    def ask(case: schemathesis.Case) -> None:
        kwargs = case.as_transport_kwargs(base_url="http://127.0.0.1:8017")
        kwargs["headers"] = {**kwargs["headers"], "X-Adhominem": "1"}
        kwargs.pop("cookies", None)
        if "data" in kwargs:
            kwargs["content"] = kwargs.pop("data")
        answer = client.request(**kwargs)
        assert answer.status_code != 500
        case.validate_response(answer, checks=CHECKS)

    ask()
