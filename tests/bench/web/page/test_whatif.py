"""What if: a text is edited, and the answer follows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

Compare = Callable[..., None]
GoTo = Callable[[str], None]
HEIGHTS = """
  document.querySelector(".copy").getBoundingClientRect().height
    - document.querySelector(".over").scrollHeight
"""


def changed(page: Page) -> dict[str, list[str]]:
    """What the strip above the text shows, by name; before and after where they differ."""
    rows = page.locator(".changes > div").all()
    return {
        row.locator("dt").inner_text(): row.locator(".was, .is").all_inner_texts() for row in rows
    }


def test_the_kind_of_text_goes_along_and_edits_stay(
    page: Page, compare: Compare, go_to: GoTo
) -> None:
    asked = []
    page.on("request", lambda request: asked.append(request.post_data or ""))
    kinds = page.locator("#kind option")
    expect(kinds.nth(1)).to_be_attached()
    kind = kinds.nth(1).get_attribute("value") or ""
    assert kinds.nth(1).inner_text().endswith(f" ({kind})")
    page.select_option("#kind", kind)
    compare()
    assert json.loads(asked[-1])["genre"] == kind
    go_to("whatif")
    page.click("text=Undo all")
    expect(page.locator(".changes .changed").first).to_be_visible()
    edited = page.locator(".over").input_value()
    with page.expect_response(lambda answer: "/api/explain" in answer.url):
        page.select_option("#whatif-kind", "")
    expect(page.locator(".notice")).to_have_count(0)
    expect(page.locator(".over")).to_have_value(edited)
    assert page.locator("#kind").input_value() == ""


def test_edit_and_see_the_change(page: Page, compare: Compare, go_to: GoTo) -> None:
    compare()
    go_to("whatif")
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


def test_undo_a_habit(page: Page, compare: Compare, go_to: GoTo, sample: Any) -> None:
    compare()
    go_to("whatif")
    undo = page.locator(".undo", has_text="cuz → because")
    undo.click()
    expect(undo).to_have_count(0)
    assert page.locator(".over").input_value() == sample["right"][0].replace("cuz", "because")
    page.click("text=Step back")
    expect(undo).to_have_count(1)
    expect(undo.locator(".change")).to_have_text(re.compile(r"\d"))
    assert page.locator(".over").input_value() == sample["right"][0]


def test_the_fewest_edits(page: Page, compare: Compare, go_to: GoTo, sample: Any) -> None:
    page.click("#left-input >> text=Add another text")
    page.fill("#left-text-1", sample["left"][1])
    compare()
    go_to("whatif")
    page.fill("#budget", "2")
    page.click("text=Find the fewest edits")
    found = page.locator(".found")
    expect(found).to_contain_text(re.compile("[Tt]he verdict|No edit"))
    if found.locator("ol").count():
        page.click("text=Make these edits")
        expect(page.locator(".changes .changed").first).to_be_visible()
