"""The fragments of the page: the report's own HTML, escaped, without inline style or script."""

from __future__ import annotations

import json
import re
import time
from html.parser import HTMLParser

import httpx
import pytest

from adhominem.bench.web import fragments
from adhominem.bench.web.fragments import answer_fragment
from adhominem.bench.web.workbench import Workbench
from adhominem.instrument.linguistics.rewrites import find_edits

Sides = dict[str, list[str]]
HTML = {"Accept": "text/html"}
HOSTILE = '<script>alert(1)</script> "quoted" \' style="color:red" & </div> {{ 7 * 7 }} '


class _Parsed(HTMLParser):
    """The text of every heat map and all attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.heats: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._depth = 0
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if self._depth or dict(attrs).get("class") == "heat":
            self.heats += [""] * (not self._depth)
            self._depth += 1

    def handle_endtag(self, tag: str) -> None:
        del tag
        self._depth -= bool(self._depth)

    def handle_data(self, data: str) -> None:
        if self._depth:
            self.heats[-1] += data


def parsed(answer: httpx.Response) -> _Parsed:
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    found = _Parsed(answer.text)
    for tag, attributes in found.tags:
        assert tag != "script"
        assert not [name for name in attributes if name == "style" or name.startswith("on")]
    return found


def layers_of(found: _Parsed) -> list[str | None]:
    return [attributes["id"] for tag, attributes in found.tags if tag == "input"]


def test_an_answer_is_the_report_s(client: httpx.Client, pair: Sides) -> None:
    hostile = {side: [HOSTILE + texts[0]] for side, texts in pair.items()}
    answer = client.post("/api/explain", json=hostile, headers=HTML)
    found = parsed(answer)
    assert found.heats == [hostile["left"][0], hostile["right"][0]]
    report = client.post("/api/report", json=hostile).text
    section = re.compile(r'<section class="card result.*?</section>', re.DOTALL)
    styled = section.findall(report)[0].replace(' style="', ' data-style="')
    assert section.findall(answer.text) == [styled]
    layers = ("both", "words", "sentences", "signed", "habits")
    assert layers_of(found) == [f"layer-{layer}" for layer in layers]
    assert "Known text" in answer.text and "Questioned text" in answer.text


def test_an_answer_without_contributions_and_habits(client: httpx.Client, pair: Sides) -> None:
    asked = {**pair, "contributions": False, "habits": False}
    found = parsed(client.post("/api/explain", json=asked, headers=HTML))
    assert found.heats == [*pair["left"], *pair["right"]]
    assert layers_of(found) == ["layer-both", "layer-words", "layer-sentences"]
    decision = client.post("/api/verify", json=pair).json()["decision"]
    values = [float(a["data-value"] or "") for _, a in found.tags if "data-value" in a]
    assert values == pytest.approx([decision["llr"], decision["distance"]])


def test_reasons_name_the_sides_of_the_page(client: httpx.Client, pair: Sides) -> None:
    answer = client.post("/api/explain", json={**pair, "right": ["Nice room."]}, headers=HTML)
    assert "the questioned side has 3 tokens" in answer.text
    assert "several short texts count together" in answer.text
    assert "evidence-scale" not in answer.text


def test_edits(client: httpx.Client, pair: Sides) -> None:
    [text] = pair["right"]
    found = parsed(client.post("/api/edits", json={"text": text}, headers=HTML))
    every, *groups = [json.loads(a["data-edits"] or "") for _, a in found.tags if "data-edits" in a]
    assert every == [[edit.start, edit.end, edit.new] for edit in find_edits(text)]
    assert sorted(edit for group in groups for edit in group) == sorted(every)
    empty = client.post("/api/edits", json={"text": ""}, headers=HTML)
    assert "data-edits" not in empty.text


def test_attack(client: httpx.Client, pair: Sides) -> None:
    asked = {**pair, "side": "right", "budget": 1}
    expected = client.post("/api/attack", json=asked).json()
    found = parsed(client.post("/api/attack", json=asked, headers=HTML))
    [made] = [a["data-text"] for _, a in found.tags if "data-text" in a]
    assert made == expected["text"]


def test_a_case(client: httpx.Client) -> None:
    sample = client.get("/api/sample").json()
    texts = [{**text, "name": f"<b>{text['name']}"} for text in sample["case"]]
    job = client.post("/api/cases", json={"texts": texts}).json()["job"]
    while (state := client.get(f"/api/jobs/{job}").json())["state"] in ("queued", "running"):
        time.sleep(0.02)
    assert state["state"] == "done"
    answer = client.get(f"/api/jobs/{job}", headers=HTML)
    found = parsed(answer)
    [cells] = [json.loads(a["data-cells"] or "") for _, a in found.tags if "data-cells" in a]
    order = state["result"]["order"]
    assert cells["names"] == [texts[i]["name"] for i in order]
    assert cells["llr"][0][1] == pytest.approx(state["result"]["llr"][order[0]][order[1]], abs=0.01)
    assert sum("data-index" in a for _, a in found.tags) == 2 * len(texts)


def test_models(client: httpx.Client) -> None:
    names = [model["name"] for model in client.get("/api/models").json()["models"]]
    answer = client.get("/api/models", headers=HTML)
    found = parsed(answer)
    assert [a["value"] for tag, a in found.tags if tag == "input"] == names
    assert "<h3>adhominem" in answer.text and "<a " not in answer.text


def test_a_card_brings_no_markup() -> None:
    card = "# <b>x</b>\n\n<script>alert(1)</script> [words](https://example.org) **bold**\n"
    made = fragments.markdown(card)
    assert "<script" not in made and "<b>" not in made and "example.org" not in made
    assert "words <strong>bold</strong>" in made and "<h3>" in made


def test_every_answer_has_the_same_parts(bench: Workbench, pair: Sides) -> None:
    """What the script takes out of an answer, for a method with attention and without."""
    verifier = bench.models.load(None)
    explanation = verifier.explain_texts(**pair)
    page = answer_fragment(explanation, None)
    for part in ('class="changes"', "data-said", 'class="card result', 'class="heatmaps"'):
        assert page.count(part) == 1
