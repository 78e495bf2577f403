"""Answers that programs and notebooks can show; the report does the work."""

from typing import Any

_FRAME = '<iframe srcdoc="{}" sandbox width="100%" height="{}" style="border: 0"></iframe>'


class Presented:
    """Base of `Decision`, `Explanation` and `Ranking`. Notebooks show the report."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """What `--json` prints: dictionaries, lists, strings, numbers and None."""
        from adhominem.instrument.report import as_json

        name = f"{type(self).__name__.lower()}_dict"  # decision_dict for a Decision
        content: dict[str, Any] = getattr(as_json, name)(self)
        return content

    def _repr_html_(self) -> str:
        """The page in a frame, in which its style stays."""
        from markupsafe import Markup

        from adhominem.instrument.report import html, render

        me: Any = self
        name = type(self).__name__
        if name == "Ranking":
            return str(Markup("<pre>{}</pre>").format(render.ranking_text(me)))
        if name == "Explanation":
            return str(Markup(_FRAME).format(html.html_page(me), 900))
        card = f"<style>{html.style_sheet()}</style>{html.fragment('result', me)}"
        return str(Markup(_FRAME).format(card, 900))
