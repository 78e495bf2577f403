"""A corpus in words and numbers, for the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def funnel_text(manifest: Mapping[str, Any]) -> str:
    """The steps of the build and what each left, then what is to be known before use."""
    steps = manifest["funnel"]
    width = max(len(step["step"]) for step in steps)
    lines = [f"{'':{width}}  {'removed':>11}  {'left':>11}"]
    lines += [
        f"{step['step']:{width}}  {step['removed']:>11,}  {step['left']:>11,}" for step in steps
    ]
    lines.append("")
    documents, authors = manifest["documents"]["total"], manifest["authors"]["total"]
    lines.append(f"{documents:,} documents by {authors:,} authors")
    lines += [f"warning: {warning}" for warning in manifest["warnings"]]
    return "\n".join(lines)
