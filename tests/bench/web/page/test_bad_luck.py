"""What the page says when something is wrong, and that no text is lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

Compare = Callable[..., None]
VERDICT = re.compile("Probably the same author|Probably different authors|Inconclusive|Cannot say")


def test_too_short_and_empty(page: Page, compare: Compare, sample: Any) -> None:
    page.click("#compare-button")
    expect(page.locator("#notices")).to_contain_text("no known text")
    compare("Nice room.", sample["right"][0])
    expect(page.locator("#verdict")).to_have_text("Cannot say")
    expect(page.locator(".result .reasons")).to_contain_text("at least")
    page.click("text=Change the texts")
    expect(page.locator("#left-text-0")).to_have_value("Nice room.")


def test_a_busy_server_is_asked_again(page: Page, put_in: Compare, sample: Any) -> None:
    times: list[int] = []

    def answer(route: Route) -> None:
        times.append(1)
        if len(times) > 1:
            route.continue_()
        else:
            route.fulfill(status=503, headers={"Retry-After": "1"}, json={"error": "busy"})

    page.route("**/api/explain", answer)
    put_in(sample["left"][0], sample["right"][0])
    expect(page.locator(".notice.busy")).to_be_visible()
    expect(page.locator("#verdict")).to_have_text(VERDICT)
    expect(page.locator(".notice")).to_have_count(0)


@pytest.mark.parametrize(
    ("status", "words"),
    [(None, "does not answer"), (413, "it is too large"), (504, "it took too long")],
)
def test_errors_are_told_and_texts_kept(
    page: Page, status: int | None, words: str, put_in: Compare
) -> None:
    def answer(route: Route) -> None:
        if status is None:
            route.abort()
        else:
            route.fulfill(status=status, json={"error": words})

    page.route("**/api/explain", answer)
    put_in("one text", "another")
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


def test_what_others_wrote_in_a_mail_is_shown_and_can_be_put_back(page: Page) -> None:
    mail = b"From: a@example.org\n\nMy own words.\n\n> your words\n> <b>here</b>\n"
    page.set_input_files(
        "#left-files", {"name": "a.eml", "mimeType": "message/rfc822", "buffer": mail}
    )
    expect(page.locator("#left-text-0")).to_have_value("My own words.")
    found = page.locator("#left-input .passages")
    expect(found.locator("summary")).to_have_text("Left out: 1 × quoted reply")
    expect(page.locator("#notices")).to_contain_text("Left out of a.eml: 1 quoted reply")
    found.locator("summary").click()
    expect(found.locator("blockquote")).to_have_text("> your words\n> <b>here</b>")
    found.get_by_text("Put back").click()
    expect(page.locator("#left-text-0")).to_have_value(re.compile("your words"))
    expect(found.locator("summary")).to_have_text("Kept: 1 × quoted reply")
