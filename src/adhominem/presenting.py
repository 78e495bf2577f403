"""Answers that programs and notebooks can show; the report does the work."""

from __future__ import annotations

from typing import Any


class Presented:
    """Base of answers. `to_dict` gives what `--json` prints, and notebooks show the report."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The answer as dictionaries, lists, strings, numbers and None."""
        from adhominem.instrument.report.notebook import to_dict

        return to_dict(self)

    def _repr_html_(self) -> str:
        from adhominem.instrument.report.notebook import to_html

        return to_html(self)
