"""Records that programs and notebooks can show; the report does the work."""

from __future__ import annotations

from typing import Any


class Presented:
    """Base of answers. `to_dict` gives what `--json` prints, a notebook shows the report."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain values: dictionaries, lists, strings, numbers and None."""
        from adhominem.instrument.report.as_json import record_dict

        return record_dict(self)

    def _repr_html_(self) -> str:
        from adhominem.instrument.report.notebook import record_html

        return record_html(self)
