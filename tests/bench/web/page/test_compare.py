"""Compare: texts in, the answer out, by mouse and by keyboard."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Dialog, Page, Route, expect

Compare = Callable[..., None]
GoTo = Callable[[str], None]
VERDICT = re.compile("Probably the same author|Probably different authors|Inconclusive|Cannot say")
HOSTILE = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'> & \U0001f600"


def test_the_first_visit_walks_through_the_sample_case(page: Page, sample: Any) -> None:
    expect(page.locator("#welcome")).to_contain_text(sample["title"])
    page.click("#welcome-start")
    expect(page.locator("#right-text-0")).to_have_value(sample["right"][0])
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


def test_paste_and_read_the_answer(page: Page, compare: Compare, sample: Any) -> None:
    compare()
    result = page.locator(".result")
    expect(result).to_contain_text("Errors on texts like these.")
    expect(result.locator(".evidence-scale li.reached")).to_have_count(1)
    expect(page.locator(".heat")).to_have_count(2)
    assert page.locator(".heat").first.inner_text().startswith(sample["left"][0][:5])
    expect(page.locator("#said")).to_have_text(VERDICT)


def test_several_known_texts(page: Page, compare: Compare, sample: Any) -> None:
    page.click("#left-input >> text=Add another text")
    page.fill("#left-text-1", sample["left"][1])
    compare()
    expect(page.locator(".side").first.locator(".heat")).to_have_count(2)
    expect(page.locator("#asked")).to_contain_text("2 texts")


def test_layers(page: Page, compare: Compare) -> None:
    compare()
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


def test_hover_and_concordance(page: Page, compare: Compare) -> None:
    compare()
    word = page.locator(".heat b").filter(has_text=re.compile("^cuz$")).first
    word.hover()
    expect(page.locator("#detail")).to_contain_text(re.compile(r"word [\d.]+ × sentence [\d.]+ ="))
    word.click()
    lines = page.locator("#concordance tbody tr")
    expect(lines).to_have_count(2)
    assert lines.locator("th").all_inner_texts() == ["Known", "Questioned"]
    page.fill("#concordance input", "w/")
    expect(page.locator("#concordance [role=status]")).to_have_text(
        "2 places: known 1, questioned 1"
    )


def test_by_keyboard_alone(page: Page, sample: Any) -> None:
    page.focus("#left-text-0")
    page.keyboard.insert_text(sample["left"][0])
    page.focus("#right-text-0")
    page.keyboard.insert_text(sample["right"][0])
    page.keyboard.press("Control+Enter")
    expect(page.locator("#verdict")).to_be_focused()
    page.focus("label[for=layer-both] >> xpath=preceding-sibling::input[1]")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#layer-words")).to_be_checked()
    heat = page.locator(".heat").first
    for _ in range(4):
        page.keyboard.press("Tab")
        if heat.evaluate("node => node === document.activeElement"):
            break
    page.keyboard.press("ArrowRight")
    expect(page.locator("#said")).to_contain_text(re.compile(r"word \S+ × sentence"))
    page.keyboard.press("Enter")
    expect(page.locator("#concordance")).to_be_visible()
    page.focus("#concordance input")
    page.keyboard.press("Escape")
    expect(page.locator("#concordance")).to_be_hidden()
    expect(heat).to_be_focused()


def test_markup_in_a_text_is_text(page: Page, compare: Compare, go_to: GoTo, sample: Any) -> None:
    left, right = f"{HOSTILE} {sample['left'][0]}", f"{HOSTILE} {sample['right'][0]}"
    compare(left, right)
    assert "<script>window.hacked = 1</script>" in page.locator(".heat").first.inner_text()
    assert page.locator("#answer script, #answer img").count() == 0
    page.locator(".heat b").filter(has_text="cuz").first.click()
    go_to("whatif")
    expect(page.locator(".undo").first).to_be_visible()
    assert page.locator(".over").input_value() == right
    assert page.evaluate("window.hacked") is None


def test_colours_are_remembered(page: Page) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.click("#theme")
    page.click("#theme")
    assert page.evaluate(ground) != light
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate(ground) != light


def test_clear_can_be_undone(page: Page) -> None:
    page.fill("#left-text-0", "One text of mine.")
    page.click("#clear-button")
    expect(page.locator("#left-text-0")).to_have_value("")
    page.click("#notices button:has-text('Undo')")
    expect(page.locator("#left-text-0")).to_have_value("One text of mine.")
    expect(page.locator("#notices")).to_be_empty()


def test_a_file_that_was_changed_by_hand_is_named_so(
    page: Page, go_to: GoTo, sample: Any, tmp_path: Path
) -> None:
    for name in ("letter", "card"):
        (tmp_path / f"{name}.txt").write_text(sample["left"][0], encoding="utf-8")
    files = [tmp_path / "letter.txt"]
    page.set_input_files("#left-files", files)
    page.set_input_files("#right-files", [tmp_path / "card.txt"])
    expect(page.locator("#left-text-0")).not_to_have_value("")
    expect(page.locator("#right-text-0")).not_to_have_value("")
    page.fill("#right-text-0", sample["right"][0])
    page.click("#compare-button")
    expect(page.locator("#verdict")).to_have_text(VERDICT)
    go_to("report")
    with page.expect_download() as waiting:
        page.click("#save-html")
    content = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert "card.txt, edited" in content
    assert "letter.txt" in content and "letter.txt, edited" not in content


def test_leaving_with_texts_asks_first(browser: Browser, address: str) -> None:
    """A page with texts of one's own asks before it is closed; an empty one does not."""
    context = browser.new_context()
    for text, asks in (("", False), ("A text of my own.", True)):
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("html[data-ready]")
        page.fill("#left-text-0", text)
        page.click("#left-text-0")  # a page that nobody touched may not ask
        dialogs: list[str] = []

        def seen(dialog: Dialog, dialogs: list[str] = dialogs) -> None:
            dialogs.append(dialog.type)
            dialog.accept()

        page.on("dialog", seen)
        page.goto("about:blank")
        assert dialogs == (["beforeunload"] if asks else [])
    context.close()


def test_reference_texts_by_hand_and_from_files(
    page: Page, compare: Compare, references: list[str], tmp_path: Path
) -> None:
    field = page.locator("#reference")
    field.locator("summary").click()
    page.fill("#reference-text", "\n\n".join(references[:9]))
    page.locator("#reference-text").blur()
    words = page.locator("#reference-words")
    expect(words).to_contain_text("9 reference texts are long enough: at least 50 are needed")
    expect(page.locator("#kind")).to_be_enabled()
    lines = tmp_path / "others.jsonl"
    lines.write_text("".join(json.dumps({"text": text}) + "\n" for text in references[9:]))
    page.set_input_files("#reference-files", lines)
    expect(words).to_have_text(f"{len(references)} of {len(references)} texts are used.")
    expect(page.locator("#kind")).to_be_disabled()
    compare()
    told = f"{len(references)} reference texts are the standard of comparison"
    expect(page.locator(".result")).to_contain_text(told)
    page.click("#change-texts")
    page.click("#reference-clear")
    expect(page.locator("#verdict")).to_have_text(VERDICT)  # asked again without them
    expect(page.locator(".result")).not_to_contain_text(told)


def test_reference_texts_that_the_server_forgot(
    page: Page, compare: Compare, references: list[str]
) -> None:
    page.click("#reference summary")
    page.fill("#reference-text", "\n\n".join(references))
    expect(page.locator("#reference-words")).to_be_empty()
    forgotten = []

    def forget(route: Route) -> None:
        if forgotten:  # a route that ends after one request may hold the next one back
            return route.continue_()
        forgotten.append(route)
        answer = {"error": "the reference texts are not kept here: give them again"}
        return route.fulfill(status=404, json=answer)

    page.route("**/api/explain", forget)
    compare()
    assert len(forgotten) == 1
    told = "reference texts are the standard of comparison"
    expect(page.locator(".result")).to_contain_text(told)
