"""Removes HTML tags and entities, and the brackets of Amazon's dumps.

Only names of HTML elements count as tags, so that `<3`, `a < b > c` and `a <b and c> d` are kept.
"""

from __future__ import annotations

import html
import re

_ELEMENTS = (
    "abbr|a|big|blockquote|br|b|center|cite|code|dd|del|div|dl|dt|em|font|h[1-6r]|img|ins|i|link|"
    "li|ol|pre|p|q|script|small|span|strike|strong|style|sub|sup|s|table|tbody|td|thead|th|tr|tt|"
    "ul|u"
)
_BREAKS = {"br", "p", "div", "li", "tr", "hr", "ul", "ol", "table", "blockquote", "pre", "dt"}
# The attributes of a tag have an equals sign; "if a <b and c> d" has none.
_TAG = re.compile(
    rf"<(/?)({_ELEMENTS})\b(?:\s[^<>=]{{0,100}}+=[^<>]{{0,2000}}+|\s{{0,100}}+/?)>", re.IGNORECASE
)
_HIDDEN = re.compile(
    r"<(script|style)\b[^<>]{0,2000}>(?:[^<]|<(?!/?\1\b)){0,100000}+</\1\s*>"
    r"|<!--(?:[^<-]|<(?!!--)|-(?!->)){0,10000}+-->",
    re.IGNORECASE,
)
_PRODUCT = re.compile(r"\[\[(?:ASIN:\w{10} ?([^\[\]]{0,300})|VIDEOID:[^\[\]]{0,100})\]\]")
_HUGE = re.compile(r"&#[0-9]{1000,};?")  # more digits than html.unescape can read
_SIGNS = ("<", "&", "[[")


def strip_markup(text: str) -> str:
    """Return the text as a reader of the page saw it."""
    if not any(sign in text for sign in _SIGNS):
        return text
    plain = _HIDDEN.sub(" ", text) if "<" in text else text
    plain = _TAG.sub(_tag, plain)
    plain = _PRODUCT.sub(lambda match: match[1] or "", plain)
    return html.unescape(_HUGE.sub("\ufffd", plain)) if "&" in plain else plain


def _tag(match: re.Match[str]) -> str:
    return "\n" if match[2].lower() in _BREAKS else ""
