"""An evaluation as a table for people."""

from __future__ import annotations

from typing import Any


def evaluation_table(report: dict[str, Any]) -> str:
    """Plain Markdown, which reads well on a terminal too."""
    rows = [("all", report), *report["cells"].items()]
    lines = [
        "| pairs (a: same author, c: same topic) | number | error % | at high reliability: "
        "share % | error % |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, part in rows:
        sure = part["high_reliability"]
        lines.append(
            f"| {name} | {part['pairs']} | {_percent(part['error'])} | {_percent(sure['share'])} "
            f"| {_percent(sure['error'])} |"
        )
    lines += [
        "",
        f"AUC {_three(report['auc'])}, Cllr {_three(report['cllr'])}, "
        f"Brier {_three(report['brier'])}, "
        f"{report['undecided']} undecided.",
    ]
    if "intervals" in report:
        lines.append(_intervals(report["intervals"]))
    if "hard_half" in report:
        hard = report["hard_half"]
        lines.append(
            f"Hard half (same author on another topic, different authors on the same): "
            f"error {_percent(hard['error'])} %, AUC {_three(hard['auc'])}."
        )
    return "\n".join(lines)


def _intervals(found: dict[str, dict[str, float | None]]) -> str:
    error, auc, cllr = (found[name] for name in ("error", "auc", "cllr"))
    return (
        f"95 % intervals, authors drawn anew: error {_percent(error['low'])} to "
        f"{_percent(error['high'])} %, AUC {_three(auc['low'])} to {_three(auc['high'])}, "
        f"Cllr {_three(cllr['low'])} to {_three(cllr['high'])}."
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}"


def _three(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
