"""Checks the workbench for barriers with axe-core: every view and state, light and dark, wide and
narrow.

    make browser
    adhominem serve --no-browser &
    python benchmarks/workbench_accessibility.py .local/axe/node_modules/axe-core/axe.min.js \\
        http://127.0.0.1:8017/ -o results/workbench_accessibility.json
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from adhominem.instrument.report.render import find_browser

SCHEMES, WIDTHS = ("light", "dark"), (1280, 360)
CHECK = """async () => {
  const { violations, passes } = await axe.run();
  const { scrollWidth, clientWidth } = document.documentElement;
  return {
    passed: passes.length,
    too_wide: Math.max(0, scrollWidth - clientWidth),
    findings: violations.map((found) => ({
      rule: found.id,
      impact: found.impact,
      places: found.nodes.length,
      first: found.nodes[0].html.slice(0, 160),
    })),
  };
}"""


def states(page: Page) -> Iterator[str]:
    """Walks through the page; the name of each state while it is shown."""
    page.wait_for_selector("html[data-ready]")
    yield "first visit"
    page.click("#compare-button")
    page.wait_for_selector(".notice")
    yield "error"
    page.click("#welcome-start")
    page.wait_for_selector("#guide .primary")
    yield "guide"
    page.click("#guide .primary")
    page.wait_for_selector(".result")
    page.click("#guide .quiet-button")
    yield "answer"
    for layer in ("words", "sentences", "signed", "habits"):
        page.click(f"label[for=layer-{layer}]")
        yield layer
    for details in page.locator("#answer details summary").all():
        details.click()
    yield "details"
    page.locator(".heat b").first.click()
    page.wait_for_selector("#concordance tr")
    yield "concordance"
    page.goto(page.url.split("#")[0] + "#whatif")
    page.wait_for_selector(".undo")
    yield "what if"
    page.click("text=Undo all")
    page.wait_for_selector(".changes .changed")
    page.fill("#budget", "2")
    page.click("text=Find the fewest")
    page.wait_for_selector(".found ol, .found .note")
    yield "edits"
    page.goto(page.url.split("#")[0] + "#case")
    yield "case"
    page.click("#case-start")
    page.wait_for_selector(".cluster")
    yield "case result"
    page.goto(page.url.split("#")[0] + "#report")
    yield "report"
    page.goto(page.url.split("#")[0] + "#model")
    page.click(".model-card summary")
    yield "model"
    page.goto(page.url.split("#")[0] + "#compare")
    page.click("text=Change the texts")
    page.fill("#right-text-0", "Nice room.")
    page.click("#compare-button")
    page.wait_for_selector(".reasons")
    yield "undecided"


def check(browser: Browser, address: str, axe: str, scheme: Any, width: int) -> Iterator[Any]:
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
        reduced_motion="reduce",
        bypass_csp=True,  # the page itself allows no script but its own
    )
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(address)
    page.evaluate(axe)
    for state in states(page):
        yield {"state": state, "scheme": scheme, "width": width, **page.evaluate(CHECK)}
    context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("axe", type=Path)
    parser.add_argument("address")
    parser.add_argument("-o", "--output", type=Path, required=True)
    asked = parser.parse_args()
    axe = asked.axe.read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        checks = [
            found
            for scheme in SCHEMES
            for width in WIDTHS
            for found in check(browser, asked.address, axe, scheme, width)
        ]
        version = json.loads(asked.axe.with_name("package.json").read_bytes())["version"]
        browser.close()
    report = {"axe": version, "checks": checks}
    asked.output.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(f"{len(checks)} checks, {sum(bool(one['findings']) for one in checks)} with findings")


if __name__ == "__main__":
    main()
