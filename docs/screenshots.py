"""Takes the pictures of the workbench in docs/images again, from the sample case.

adhominem serve --no-browser &
python docs/screenshots.py http://127.0.0.1:8017/
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from adhominem.instrument.report.printing import find_browser

IMAGES = Path(__file__).parent / "images"


def keep(page: Page, name: str, height: int) -> None:
    page.mouse.move(2, 400)
    page.set_viewport_size({"width": 1280, "height": height})
    page.wait_for_timeout(400)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    few = picture.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=4, dither=Image.Dither.NONE)
    few.save(IMAGES / f"{name}.png", optimize=True)
    print(f"{name}: {(IMAGES / f'{name}.png').stat().st_size // 1000} kB")


def take(page: Page) -> None:
    page.click("#welcome-start")
    page.click("#guide .primary")
    page.wait_for_selector(".result")
    page.click("#guide .quiet-button")
    page.evaluate("scrollTo(0, 0)")
    keep(page, "workbench", 1180)
    page.click("label[for=layer-habits]")
    page.locator(".heat b").filter(has_text="cuz").first.click()
    page.evaluate("document.querySelector('.heatmaps').scrollIntoView()")
    keep(page, "concordance", 900)
    page.goto(page.url.split("#")[0] + "#whatif")
    page.locator(".undo").last.locator(".change").wait_for()
    page.locator(".undo", has_text="& → and").click()
    page.wait_for_selector(".changes .changed")
    expect(page.locator(".undo", has_text="& → and")).to_have_count(0)
    expect(page.locator(".undo:not(:has(.change))")).to_have_count(0, timeout=60_000)
    page.evaluate("document.querySelector('.whatif-maps').scrollIntoView()")
    keep(page, "whatif", 1180)
    page.goto(page.url.split("#")[0] + "#case")
    page.click("#case-start")
    page.wait_for_selector(".cluster")
    page.evaluate("document.querySelector('.ranking').scrollIntoView()")
    keep(page, "case", 1000)


def main(address: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        page = browser.new_page(
            viewport={"width": 1280, "height": 900}, color_scheme="light", reduced_motion="reduce"
        )
        page.set_default_timeout(120_000)
        page.goto(address)
        page.wait_for_selector("html[data-ready]")
        IMAGES.mkdir(exist_ok=True)
        take(page)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
