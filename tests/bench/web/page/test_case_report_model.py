"""Many texts, files to hand over, and the model."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Download, Page, Route, expect

Compare = Callable[..., None]
GoTo = Callable[[str], None]
VERDICT = re.compile("Probably the same author|Probably different authors|Inconclusive|Cannot say")


def case_of_20(sample: Any) -> bytes:
    """Texts of the sample's writers, made of their own sentences."""
    rng = random.Random(1)
    sentences: dict[str, list[str]] = {}
    for one in sample["case"]:
        if one["author"]:
            own = re.split(r"(?<=[.!?]) +|\n+", one["text"])
            sentences.setdefault(one["author"], []).extend(own)
    rows = io.StringIO()
    table = csv.writer(rows)
    table.writerow(["id", "author", "text"])
    for i in range(20):
        author = list(sentences)[i % len(sentences)]
        table.writerow([f"text{i}", author, " ".join(rng.sample(sentences[author], 10))])
    return rows.getvalue().encode()


def test_a_case_of_20_texts(page: Page, go_to: GoTo, sample: Any) -> None:
    go_to("case")
    page.set_input_files(
        "#case-files", {"name": "case.csv", "mimeType": "text/csv", "buffer": case_of_20(sample)}
    )
    expect(page.locator("caption", has_text="20 texts of 3 known authors")).to_be_visible()
    page.locator("input[name=questioned]").nth(3).check()
    page.fill("[aria-label='Author of text3']", "")
    page.click("#case-start")
    expect(page.locator(".cluster .matrix img")).to_be_visible()
    expect(page.locator(".row-labels li")).to_have_count(20)
    expect(page.locator(".dendrogram path")).to_have_count(19)
    expect(page.locator(".author-map .point")).to_have_count(20)
    expect(page.locator(".ranking tbody tr")).to_have_count(4)
    page.focus(".cluster .matrix")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#matrix-words")).to_contain_text(" and ")
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text(VERDICT)


def test_a_cancelled_case_keeps_its_texts(page: Page, go_to: GoTo) -> None:
    go_to("case")
    page.click("#case-input >> text=Use the sample case")
    running = {"state": "running", "done": 3, "total": 21, "error": None, "result": None}
    page.route("**/api/cases", lambda route: route.fulfill(json={"job": "x"}))
    page.route("**/api/jobs/x", lambda route: route.fulfill(json=running))
    page.click("#case-start")
    expect(page.locator("#case-progress")).to_contain_text("3 of 21")
    page.click("#case-progress >> text=Cancel")
    expect(page.locator("#notices")).to_contain_text("cancelled")
    expect(page.locator("#case-start")).to_be_visible()


def saved(page: Page, id: str) -> tuple[str, bytes]:
    with page.expect_download() as waiting:
        page.click(id)
    download: Download = waiting.value
    return download.suggested_filename, Path(download.path()).read_bytes()


def test_files_to_hand_over(page: Page, compare: Compare, go_to: GoTo, sample: Any) -> None:
    go_to("report")
    expect(page.locator("#report-body")).to_contain_text("No comparison yet.")
    go_to("compare")
    compare()
    verdict = page.locator("#verdict").inner_text()
    go_to("report")
    name, content = saved(page, "#save-html")
    assert name.endswith(".html")
    assert verdict in content.decode()
    page.fill("#report-pair input[name=case]", "17/26 <b>")
    name, content = saved(page, "#save-html")
    assert "17/26 &lt;b&gt;" in content.decode()
    name, content = saved(page, "#save-json")
    assert json.loads(content)["left"][0]["text"] == sample["left"][0]
    name, content = saved(page, "#save-bundle")
    assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None
    name, content = saved(page, "#save-pdf")
    assert content.startswith(b"%PDF")


def test_a_case_to_hand_over(page: Page, go_to: GoTo) -> None:
    go_to("case")
    page.click("#case-input >> text=Use the sample case")
    page.click("#case-start")
    page.click("#case-result >> text=Report")
    page.fill("#report-case input[name=examiner]", "R. <Marlow>")
    name, content = saved(page, "#save-case-html")
    assert name == "adhominem-case.html"
    for told in ("R. &lt;Marlow&gt;", "wren-1", "anonymous", "7 texts, each against every other"):
        assert told in content.decode()
    name, content = saved(page, "#save-case-json")
    assert json.loads(content)["questioned"] == "anonymous"
    name, content = saved(page, "#save-case-pdf")
    assert name == "adhominem-case.pdf" and content.startswith(b"%PDF")


def test_the_model_and_its_card(page: Page, go_to: GoTo) -> None:
    go_to("model")
    expect(page.locator("input[name=model]:checked")).to_have_count(1)
    page.click(".model-card summary")
    expect(page.locator(".model-card table").first).to_be_visible()
    expect(page.locator("#adapt-start")).to_be_disabled()


def test_a_method_is_chosen_beside_the_texts(page: Page) -> None:
    expect(page.locator("#model-chip")).to_contain_text("adhominem")
    expect(page.locator("#method")).to_be_hidden()
    asked = []

    def add_one(route: Route) -> None:
        answer = route.fetch()
        if "html" in answer.headers["content-type"]:
            route.fulfill(response=answer)
            return
        content = answer.json()
        other = {**content["models"][0], "name": "my-delta", "kind": "delta"}
        route.fulfill(json={**content, "models": [*content["models"], other]})

    page.route("**/api/models", add_one)
    page.route("**/api/explain", lambda route: asked.append(route.request.post_data_json))
    page.reload()
    page.select_option("#method", label="my-delta (delta)")
    expect(page.locator("#model-chip")).to_contain_text("my-delta")
    page.fill("#left-text-0", "one")
    page.fill("#right-text-0", "two")
    with page.expect_request("**/api/explain"):
        page.click("#compare-button")
    assert asked[0]["model"] == "my-delta"
