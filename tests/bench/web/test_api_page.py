"""The reference page names the routes that there are."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi import FastAPI

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "api.md"


def test_every_route_is_on_the_page(app: FastAPI) -> None:
    named = set(re.findall(r"^\| `(\w+) (\S+)` \|", PAGE.read_text(), flags=re.MULTILINE))
    paths = app.openapi()["paths"]
    assert named == {(method.upper(), path) for path in paths for method in paths[path]}


def test_every_field_on_the_page_is_asked_for(app: FastAPI) -> None:
    schema = app.openapi()
    rows = re.findall(r"^\| `POST (\S+)` \| (.*?) \|", PAGE.read_text(), flags=re.MULTILINE)
    for path, asked in rows:
        body = schema["paths"][path]["post"]["requestBody"]["content"].get("application/json")
        if body is None or "$ref" not in body["schema"]:
            continue
        name = body["schema"]["$ref"].rpartition("/")[2]
        fields = set(schema["components"]["schemas"][name]["properties"])
        assert set(re.findall(r"`(\w+)`", asked)) == fields - {"model", "genre", "reference"}, path


def test_every_status_on_the_page_is_described(app: FastAPI) -> None:
    errors = PAGE.read_text().partition("## Errors")[2].partition("##")[0]
    statuses = set(re.findall(r"\b([45]\d\d)\b", errors))
    assert statuses == set(app.openapi()["paths"]["/api/verify"]["post"]["responses"]) - {"200"}
