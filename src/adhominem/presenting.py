"""Conversion of results for programs (dictionaries) and notebooks (HTML)."""

from typing import Any

_FRAME = '<iframe srcdoc="{}" sandbox width="100%" height="900" style="border: 0"></iframe>'


class Presented:
    """Base of `Decision`, `Explanation` and `Ranking`. Notebooks show the report."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The content that `--json` prints: dictionaries, lists, strings, numbers and None."""
        from adhominem.instrument.report import as_json

        name = f"{type(self).__name__.lower()}_dict"  # decision_dict for a Decision
        content: dict[str, Any] = getattr(as_json, name)(self)
        return content

    def _repr_html_(self) -> str:
        """The page in a frame, so that its style does not affect the notebook."""
        from markupsafe import Markup

        from adhominem.instrument.report import html, render

        result: Any = self
        name = type(self).__name__
        if name == "Ranking":
            return str(Markup("<pre>{}</pre>").format(render.ranking_text(result)))
        if name == "Explanation":
            return str(Markup(_FRAME).format(html.html_page(result)))
        card = f"<style>{html.style_sheet()}</style>{html.fragment('result', result)}"
        return str(Markup(_FRAME).format(card))
