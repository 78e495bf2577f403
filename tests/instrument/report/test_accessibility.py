"""What axe-core found on the pages (`benchmarks/accessibility.mjs`): nothing serious."""

from __future__ import annotations

import json
from pathlib import Path

RESULT = Path(__file__).parents[3] / "results" / "accessibility.json"


def test_no_barriers_in_any_layer_scheme_or_width() -> None:
    report = json.loads(RESULT.read_text())
    assert {page["page"] for page in report["pages"]} == {"report.html", "whatif.html"}
    for page in report["pages"]:
        assert page["bytes"] < 1_000_000
        seen = {(c["layer"], c["scheme"], c["width"], c["media"]) for c in page["checks"]}
        layers = ("both", "words", "sentences", "signed", "habits")
        assert {(layer, "dark", 390, "screen") for layer in layers} <= seen
        assert {(layer, "light", 800, "print") for layer in layers} <= seen
        for check in page["checks"]:
            assert not [f for f in check["findings"] if f["impact"] in ("serious", "critical")]
            assert check["too_wide"] == 0
