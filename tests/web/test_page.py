"""The workbench in a real browser, as people use it: by mouse, by keyboard, with bad luck."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Download, Page, Route, expect, sync_playwright

SAMPLE = json.loads(
    (Path(__file__).parents[2] / "src/adhominem/web/page/sample/sample.json").read_bytes()
)
VERDICT = re.compile("Probably the same author|Probably different authors|Cannot say")
HOSTILE = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'> & \U0001f600"
HEIGHTS = """
  document.querySelector(".copy").getBoundingClientRect().height
    - document.querySelector(".over").scrollHeight
"""
SLOW = 60_000
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
BROWSER = next((path for name in BROWSERS if (path := shutil.which(name))), None)
pytestmark = pytest.mark.skipif(
    BROWSER is None, reason="no browser is installed here: see `make browser`"
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [sys.executable, "-m", "adhominem", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        said = []
        for line in server.stderr:
            said.append(line)
            if found := re.search(r"http://\S+", line):
                yield found[0]
                break
        else:
            pytest.fail("".join(said))
        server.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A first visit. No script may fail and nothing may be refused by the security policy."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(SLOW)
    expect.set_options(timeout=SLOW)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("console", lambda said: wrong.append(said.text) if "Policy" in said.text else None)
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    yield page
    context.close()
    assert not wrong


def put_in(page: Page, left: str, right: str) -> None:
    page.fill("#left-text-0", left)
    page.fill("#right-text-0", right)
    page.click("#compare-button")


def compare(page: Page, left: str = SAMPLE["left"][0], right: str = SAMPLE["right"][0]) -> None:
    put_in(page, left, right)
    expect(page.locator("#verdict")).to_have_text(VERDICT)


def go_to(page: Page, view: str) -> None:
    page.click(f".masthead nav a[href='#{view}']")


def changed(page: Page) -> dict[str, list[str]]:
    """What the strip above the text shows, by name; before and after where they differ."""
    rows = page.locator(".changes > div").all()
    return {
        row.locator("dt").inner_text(): row.locator(".was, .is").all_inner_texts() for row in rows
    }


def test_the_first_visit_walks_through_the_sample_case(page: Page) -> None:
    expect(page.locator("#welcome")).to_contain_text(SAMPLE["title"])
    page.click("#welcome-start")
    expect(page.locator("#right-text-0")).to_have_value(SAMPLE["right"][0])
    next_button = page.locator("#guide .primary")
    seen = []
    for _ in range(6):
        next_button.click()
        expect(page.locator(".guided").first).to_be_visible()
        seen.append(page.evaluate("location.hash"))
    assert seen == ["#compare", "#compare", "#compare", "#whatif", "#case", "#report"]
    next_button.click()
    expect(page.locator("#guide")).to_be_hidden()
    page.goto(page.url.split("#")[0])
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#welcome")).to_be_hidden()


def test_paste_and_read_the_answer(page: Page) -> None:
    compare(page)
    result = page.locator(".result")
    expect(result).to_contain_text("Errors on texts like these.")
    expect(result.locator(".evidence-scale li.reached")).to_have_count(1)
    expect(page.locator(".heat")).to_have_count(2)
    assert page.locator(".heat").first.inner_text().startswith(SAMPLE["left"][0][:5])
    expect(page.locator("#said")).to_have_text(VERDICT)


def test_several_known_texts(page: Page) -> None:
    page.click("#left-input >> text=Add another text")
    page.fill("#left-text-1", SAMPLE["left"][1])
    compare(page)
    expect(page.locator(".side").first.locator(".heat")).to_have_count(2)
    expect(page.locator("#asked")).to_contain_text("2 texts")


def test_layers(page: Page) -> None:
    compare(page)
    word = page.locator(".heat b").filter(has_text=re.compile("^cuz$")).first
    colours = set()
    for layer in ("both", "words", "signed", "habits"):
        page.click(f"label[for=layer-{layer}]")
        colours.add(word.evaluate("node => getComputedStyle(node).backgroundColor"))
    assert len(colours) == 4
    expect(word).to_have_class(re.compile("habit"))
    sentence = page.locator(".heat .sentence").first
    page.click("label[for=layer-sentences]")
    assert sentence.evaluate("node => getComputedStyle(node).backgroundColor") != "rgba(0, 0, 0, 0)"


def test_hover_and_concordance(page: Page) -> None:
    compare(page)
    word = page.locator(".heat b").filter(has_text=re.compile("^cuz$")).first
    word.hover()
    expect(page.locator("#detail")).to_contain_text("word × sentence")
    word.click()
    lines = page.locator("#concordance tbody tr")
    expect(lines).to_have_count(2)
    assert lines.locator("th").all_inner_texts() == ["Known", "Questioned"]
    page.fill("#concordance input", "w/")
    expect(page.locator("#concordance [role=status]")).to_have_text(
        "2 places: known 1, questioned 1"
    )


def test_by_keyboard_alone(page: Page) -> None:
    page.focus("#left-text-0")
    page.keyboard.insert_text(SAMPLE["left"][0])
    page.focus("#right-text-0")
    page.keyboard.insert_text(SAMPLE["right"][0])
    page.keyboard.press("Control+Enter")
    expect(page.locator("#verdict")).to_be_focused()
    page.focus("label[for=layer-both] >> xpath=preceding-sibling::input[1]")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".heatmaps").first).to_have_attribute("data-layer", "words")
    heat = page.locator(".heat").first
    for _ in range(4):
        page.keyboard.press("Tab")
        if heat.evaluate("node => node === document.activeElement"):
            break
    page.keyboard.press("ArrowRight")
    expect(page.locator("#said")).to_contain_text("its sentence")
    page.keyboard.press("Enter")
    expect(page.locator("#concordance")).to_be_visible()
    page.focus("#concordance input")
    page.keyboard.press("Escape")
    expect(page.locator("#concordance")).to_be_hidden()
    expect(heat).to_be_focused()


def test_edit_and_see_the_change(page: Page) -> None:
    compare(page)
    go_to(page, "whatif")
    expect(page.locator(".undo").first).to_be_visible()
    assert all(len(shown) == 1 for shown in changed(page).values())
    area = page.locator(".over")
    area.press("Control+Home")
    page.keyboard.insert_text("I should add that the linen, whilst plain, was of good quality. ")
    expect(page.locator(".changes .changed").first).to_be_visible()
    before, after = changed(page)["Distance"]
    assert before != after
    expect(page.locator(".under b[data-word=linen]")).to_have_count(1)
    assert abs(page.evaluate(HEIGHTS)) < 2, "colours and text break their lines alike"
    page.click("text=Start again")
    expect(page.locator(".changes .changed")).to_have_count(0)


def test_undo_a_habit(page: Page) -> None:
    compare(page)
    go_to(page, "whatif")
    undo = page.locator(".undo", has_text="cuz → because")
    undo.click()
    expect(undo).to_have_count(0)
    assert page.locator(".over").input_value() == SAMPLE["right"][0].replace("cuz", "because")
    page.click("text=Step back")
    expect(undo).to_have_count(1)
    expect(undo.locator(".change")).to_have_text(re.compile(r"\d"))
    assert page.locator(".over").input_value() == SAMPLE["right"][0]


def test_the_fewest_edits(page: Page) -> None:
    page.click("#left-input >> text=Add another text")
    page.fill("#left-text-1", SAMPLE["left"][1])
    compare(page)
    go_to(page, "whatif")
    page.fill("#budget", "2")
    page.click("text=Find the fewest edits")
    found = page.locator(".found")
    expect(found).to_contain_text(re.compile("[Tt]he verdict|No edit"))
    if found.locator("ol").count():
        page.click("text=Make these edits")
        expect(page.locator(".changes .changed").first).to_be_visible()


def case_of_20() -> bytes:
    """Texts of the sample's writers, made of their own sentences."""
    rng = random.Random(1)
    sentences: dict[str, list[str]] = {}
    for one in SAMPLE["case"]:
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


def test_a_case_of_20_texts(page: Page) -> None:
    go_to(page, "case")
    page.set_input_files(
        "#case-files", {"name": "case.csv", "mimeType": "text/csv", "buffer": case_of_20()}
    )
    expect(page.locator("caption", has_text="20 texts of 3 known authors")).to_be_visible()
    page.locator("input[name=questioned]").nth(3).check()
    page.fill("[aria-label='Author of text3']", "")
    page.click("#case-start")
    expect(page.locator(".cluster canvas")).to_be_visible()
    expect(page.locator(".row-labels li")).to_have_count(20)
    expect(page.locator(".dendrogram path")).to_have_count(19)
    expect(page.locator(".author-map .point")).to_have_count(20)
    expect(page.locator(".ranking tbody tr")).to_have_count(4)
    page.focus(".cluster canvas")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#matrix-words")).to_contain_text(" and ")
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text(VERDICT)


def saved(page: Page, id: str) -> tuple[str, bytes]:
    with page.expect_download() as waiting:
        page.click(id)
    download: Download = waiting.value
    return download.suggested_filename, Path(download.path()).read_bytes()


def test_files_to_hand_over(page: Page) -> None:
    go_to(page, "report")
    expect(page.locator("#report-body")).to_contain_text("No comparison yet.")
    go_to(page, "compare")
    compare(page)
    verdict = page.locator("#verdict").inner_text()
    go_to(page, "report")
    name, content = saved(page, "#save-html")
    assert name.endswith(".html")
    assert verdict in content.decode()
    name, content = saved(page, "#save-json")
    assert json.loads(content)["left"][0]["text"] == SAMPLE["left"][0]
    name, content = saved(page, "#save-bundle")
    assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None
    name, content = saved(page, "#save-pdf")
    assert content.startswith(b"%PDF")


def test_markup_in_a_text_is_text(page: Page) -> None:
    left, right = f"{HOSTILE} {SAMPLE['left'][0]}", f"{HOSTILE} {SAMPLE['right'][0]}"
    compare(page, left, right)
    assert "<script>window.hacked = 1</script>" in page.locator(".heat").first.inner_text()
    assert page.locator("#answer script, #answer img").count() == 0
    page.locator(".heat b").filter(has_text="cuz").first.click()
    go_to(page, "whatif")
    expect(page.locator(".undo").first).to_be_visible()
    assert page.locator(".over").input_value() == right
    assert page.evaluate("window.hacked") is None


def test_too_short_and_empty(page: Page) -> None:
    page.click("#compare-button")
    expect(page.locator("#notices")).to_contain_text("no known text")
    compare(page, "Nice room.", SAMPLE["right"][0])
    expect(page.locator("#verdict")).to_have_text("Cannot say")
    expect(page.locator(".result .reasons")).to_contain_text("at least")
    page.click("text=Change the texts")
    expect(page.locator("#left-text-0")).to_have_value("Nice room.")


def test_a_busy_server_is_asked_again(page: Page) -> None:
    times: list[int] = []

    def answer(route: Route) -> None:
        times.append(1)
        if len(times) > 1:
            route.continue_()
        else:
            route.fulfill(status=503, headers={"Retry-After": "1"}, json={"error": "busy"})

    page.route("**/api/explain", answer)
    put_in(page, SAMPLE["left"][0], SAMPLE["right"][0])
    expect(page.locator(".notice.busy")).to_be_visible()
    expect(page.locator("#verdict")).to_have_text(VERDICT)
    expect(page.locator(".notice")).to_have_count(0)


@pytest.mark.parametrize(
    ("status", "words"),
    [(None, "does not answer"), (413, "it is too large"), (504, "it took too long")],
)
def test_errors_are_told_and_texts_kept(page: Page, status: int | None, words: str) -> None:
    def answer(route: Route) -> None:
        if status is None:
            route.abort()
        else:
            route.fulfill(status=status, json={"error": words})

    page.route("**/api/explain", answer)
    put_in(page, "one text", "another")
    expect(page.locator(".notice.error")).to_contain_text(words, ignore_case=True)
    expect(page.locator("#left-text-0")).to_have_value("one text")
    expect(page.locator("#left-text-0")).to_be_visible()


def test_a_file_that_is_not_what_it_says(page: Page) -> None:
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    broken: Any = {"name": "letter.docx", "mimeType": kind, "buffer": b"PK\x03\x04 broken"}
    good: Any = {"name": "note.txt", "mimeType": "text/plain", "buffer": b"A text in a file."}
    page.set_input_files("#left-files", [broken, good])
    expect(page.locator("#notices")).to_contain_text("letter.docx")
    expect(page.locator("#left-text-0")).to_have_value("A text in a file.")


def test_a_cancelled_case_keeps_its_texts(page: Page) -> None:
    go_to(page, "case")
    page.click("#case-input >> text=Use the sample case")
    running = {"state": "running", "done": 3, "total": 21, "error": None, "result": None}
    page.route("**/api/cases", lambda route: route.fulfill(json={"job": "x"}))
    page.route("**/api/jobs/x", lambda route: route.fulfill(json=running))
    page.click("#case-start")
    expect(page.locator("#case-progress")).to_contain_text("3 of 21")
    page.click("#case-progress >> text=Cancel")
    expect(page.locator("#notices")).to_contain_text("cancelled")
    expect(page.locator("#case-start")).to_be_visible()


def test_the_model_and_its_card(page: Page) -> None:
    go_to(page, "model")
    expect(page.locator("input[name=model]:checked")).to_have_count(1)
    page.click(".model-card summary")
    expect(page.locator(".model-card table").first).to_be_visible()
    expect(page.locator("#adapt-start")).to_be_disabled()


def test_colours_are_remembered(page: Page) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.click("#theme")
    page.click("#theme")
    assert page.evaluate(ground) != light
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate(ground) != light
