from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.instrument.report import html, layers, wording
from adhominem.instrument.report.as_json import audit_trail
from adhominem.instrument.report.habit_report import habit_report
from adhominem.instrument.report.html import html_page
from adhominem.instrument.report.palette import DARK, LIGHT, Palette, Rgb
from adhominem.instrument.report.terminal import terminal_text
from adhominem.instrument.report.wording import weight_words
from adhominem.records import (
    Decision,
    Explanation,
    ModelIdentity,
    Reason,
    Sentence,
    TextExplanation,
    Verdict,
    Word,
)

Decide = Callable[..., Decision]
Explain = Callable[..., Explanation]


class _Page(HTMLParser):
    """The texts of the heat maps, the titles of their words, and every tag with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.heats: list[str] = []
        self.titles: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        if attributes.get("class") == "heat":
            self.heats.append("")
            self._open.append(tag)
        elif self._open:
            self._open.append(tag)
            if tag in ("b", "i"):
                self.titles.append(attributes["title"] or "")

    def handle_endtag(self, tag: str) -> None:
        if self._open:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open:
            self.heats[-1] += data


def _shown(text: str) -> str:
    text = re.sub("[\x00\ud800-\udfff]", "\ufffd", text)
    turning = "[\u202a-\u202e\u2066-\u2069]"  # get names, so that they turn nothing
    return re.sub(turning, lambda found: f"[U+{ord(found[0]):04X}]", text)


@st.composite
def _any_text(draw: st.DrawFn) -> TextExplanation:
    """Any string and any spans: out of order, overlapping, of no width, beyond their sentence."""
    text = draw(st.text(st.characters(exclude_categories=()), max_size=60))
    spans = st.tuples(*2 * [st.integers(0, len(text))]).map(sorted)
    weights = st.floats(0, 1)
    sentences = []
    for _ in range(draw(st.integers(1, 4))):
        start, end = draw(spans)
        sentences.append(Sentence(start, end, draw(weights)))
    words = []
    for _ in range(draw(st.integers(0, 8))):
        start, end = draw(spans)
        token = draw(st.sampled_from(["<sentence-end>", "<line-break>", "w", "<b>"]))
        sentence = draw(st.integers(0, len(sentences) - 1))
        words.append(Word(token, start, end, draw(weights), sentence))
    return TextExplanation(text, tuple(words), tuple(sentences))


@given(left=_any_text(), right=_any_text(), method=st.sampled_from(["attention", "occlusion"]))
def test_original_texts_stand_in_the_page(
    explain: Explain, left: TextExplanation, right: TextExplanation, method: str
) -> None:
    page = html_page(explain(left, right, method=method))
    page.encode("utf-8")
    parsed = _Page(page)
    assert parsed.heats == [_shown(left.text), _shown(right.text)]
    assert len(parsed.titles) == len(left.words) + len(right.words)


def test_every_document_of_a_side_is_shown(explain: Explain) -> None:
    one, other = explain("first text", "second text"), explain("third one", "fourth")
    several = Explanation(one.decision, "attention", one.left + other.left, one.right)
    page = html_page(several)
    assert _Page(page).heats == ["first text", "third one", "second text"]
    assert "Document 2 of 2" in page


def test_every_weight_appears(explain: Explain) -> None:
    explanation = explain("a b c\nd e", "f")
    titles = _Page(html_page(explanation)).titles
    expected = []
    for side in (explanation.left[0], explanation.right[0]):
        for word in side.words:
            sentence = side.sentences[word.sentence].weight
            numbers = (word.weight, sentence, word.weight * sentence)
            one, two, product = (weight_words(number, sign=False) for number in numbers)
            expected.append(f"word {one} × sentence {two} = {product}")
    told = [re.sub(r"^<sentence-end> |; .*", "", title) for title in titles]
    assert told == expected


def test_markup_in_a_text_arrives_escaped(explain: Explain, decide: Decide) -> None:
    nasty = '<script>alert("1")</script> </div> "><img/src=x> {{ 7 * 7 }} &amp;'
    decision = decide(
        Verdict.UNDECIDED, reasons=(Reason(nasty, nasty),), model=ModelIdentity(nasty, nasty, nasty)
    )
    page = html_page(explain(nasty, nasty, decision=decision))
    parsed = _Page(page)
    assert parsed.heats == [nasty, nasty]
    assert not {"script", "img"} & {tag for tag, _ in parsed.tags}
    assert "<script" not in page


def test_a_text_cannot_turn_the_page_around(explain: Explain) -> None:
    page = html_page(explain("He wrote \u202eback\u2067wards today.", "Nothing \u200eodd."))
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", page)
    assert "[U+202E]" in page and "\u200e" in page


def test_page_needs_nothing_from_outside(explain: Explain) -> None:
    tags = _Page(html_page(explain())).tags
    policy = [a["content"] for tag, a in tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]
    assert not {"script", "link", "img", "iframe", "a", "form"} & {tag for tag, _ in tags}
    assert not [a for _, a in tags if "src" in a or "href" in a]
    assert "url(" not in html_page(explain())


def test_lone_surrogates_and_nul_are_replaced(explain: Explain) -> None:
    page = html_page(explain("a\ud800b \x00c", "\udfff"))
    assert _Page(page).heats == ["a\ufffdb \ufffdc", "\ufffd"]
    page.encode("utf-8")


def test_markers_are_glyphs_of_the_style_sheet(explain: Explain) -> None:
    text = TextExplanation(
        "one two",
        (
            Word("one", 0, 3, 0.5, 0),
            Word("<line-break>", 3, 3, 0.1, 0),
            Word("two", 4, 7, 0.3, 1),
            Word("<sentence-end>", 7, 7, 0.1, 1),
        ),
        (Sentence(0, 3, 0.5), Sentence(4, 7, 0.5)),
    )
    parsed = _Page(html_page(explain(text)))
    assert parsed.heats[0] == "one two"
    glyphs = [a["class"] for tag, a in parsed.tags if tag == "i" and "style" in a]
    assert glyphs[:2] == ["break", "end"]


def test_heat_is_a_share_of_the_largest_weight(explain: Explain) -> None:
    text = TextExplanation(
        "a b c",
        (Word("a", 0, 1, 0.8, 0), Word("b", 2, 3, 0.4, 0), Word("c", 4, 5, 0.0, 0)),
        (Sentence(0, 5, 1.0),),
    )
    tags = _Page(html_page(explain(text))).tags
    styles = [a["style"] for _, a in tags if "--w" in str(a.get("style"))]
    assert styles[:3] == ["--p:1;--w:1", "--p:0.5;--w:0.5", "--p:0;--w:0"]


def test_occlusion_tells_the_directions_apart(explain: Explain) -> None:
    text = TextExplanation(
        "a b",
        (Word("a", 0, 1, -0.25, 0), Word("b", 2, 3, 0.125, 0)),
        (Sentence(0, 3, -0.5),),
    )
    page = html_page(explain(text, method="occlusion"))
    words = [a for tag, a in _Page(page).tags if tag == "b" and "title" in a]
    assert str(words[0]["title"]).startswith("word −0.2500, its sentence −0.5000")
    assert "together" in str(words[0]["class"])
    assert words[1]["title"] == "word +0.1250, its sentence −0.5000"
    assert "class" not in words[1]


def test_unknown_methods_are_refused(explain: Explain) -> None:
    with pytest.raises(ValueError, match="'gradient' cannot be drawn; known are 'attention'"):
        html_page(explain(method="gradient"))


def test_long_texts_are_cut_and_the_page_says_so(explain: Explain) -> None:
    text = "\n".join(" ".join(["word"] * 20) for _ in range(1500))
    page = html_page(explain(text, text))
    assert page.count("Shown are the first 2,000 words. Left out here are 28,000 more words") == 2
    assert len(page.encode("utf-8")) < 1_000_000
    assert all(len(heat.split()) == 2_000 for heat in _Page(page).heats)


def test_short_texts_are_whole_and_the_page_says_nothing(explain: Explain) -> None:
    assert "Left out here" not in html_page(explain())


@given(distance=st.floats(0, 1e6), tau_s=st.floats(0, 5), gap=st.floats(0.01, 5))
def test_needle_stays_on_the_axis(
    explain: Explain, decide: Decide, distance: float, tau_s: float, gap: float
) -> None:
    decision = decide(distance=distance, tau_s=tau_s, tau_d=tau_s + gap)
    tags = _Page(html_page(explain(decision=decision))).tags
    [needle] = [a["style"] or "" for tag, a in tags if a.get("class") == "needle"]
    assert 0 <= float(needle.removeprefix("left:").removesuffix("%")) <= 100


def test_decision_is_told(explain: Explain, decide: Decide) -> None:
    page = html_page(explain())
    for told in ("0.930", "+1.12", "moderate support for one author", "distance 0.83", "High"):
        assert told in page
    assert "120 tokens read, 3 of them unknown" in page
    assert f"{'0123456789abcdef' * 4}</code>" in page
    low = decide(
        Verdict.UNDECIDED, reliable=False, distance=2.0, reasons=(Reason("too_short", "too short"),)
    )
    page = html_page(explain(decision=low))
    for told in ("Cannot say", "too short", "Low", "were not judged"):
        assert told in page
    unsure = decide(Verdict.SAME, reliable=False, distance=2.0)
    assert "inside the band" in html_page(explain(decision=unsure))


def test_methods_without_distance_or_model_have_a_page(explain: Explain, decide: Decide) -> None:
    bare = decide(distance=None, tau_s=None, tau_d=None, model=None)
    page = html_page(explain(decision=bare))
    assert "<code>not stated</code>" in page
    assert 'class="needle"' not in page


def test_heaviest_words_are_grouped_by_type_and_told_in_words(explain: Explain) -> None:
    explanation = explain("tea & toast & jam & so", "other words")
    [text] = explanation.left
    carried = [replace(word, contribution=0.2 if word.text == "&" else 0.01) for word in text.words]
    explanation = replace(explanation, left=(replace(text, words=tuple(carried)),))
    page = html_page(explanation)
    assert '<b dir="auto">&amp;</b> ×3' in page and "+0.60" in page
    assert "“&amp;” (×3, +0.60)" in page.split("Findings in words</h2>")[1]
    assert "& ×3 +0.60" in terminal_text(explanation, colour=False)


def test_the_texts_come_first_without_colours(explain: Explain) -> None:
    tags = _Page(html_page(explain())).tags
    checked = [a["id"] for tag, a in tags if tag == "input" and "checked" in a]
    assert checked == ["plain"]


def test_the_page_is_made_of_its_fragments(explain: Explain) -> None:
    explanation = explain("We left cuz & so on", "They came cuz it rained")
    report = habit_report(explanation)
    fragments = (
        html.fragment("evidence_scale", explanation.decision.llr),
        html.fragment("distance_scale", explanation.decision),
        html.fragment("result", explanation.decision),
        html.heat_maps(explanation, report, plain=True),
        html.fragment("habit_tables", report),
        html.fragment("how_to_read", explanation),
        html.fragment("limits", wording.track_record_words(explanation.decision)),
        html.fragment("glossary"),
        html.fragment("audit", audit_trail(explanation)),
    )
    page = html_page(explanation)
    for fragment in fragments:
        assert fragment.strip()
        assert fragment in page


def test_heat_maps_of_one_page_have_buttons_of_their_own(explain: Explain) -> None:
    explanation = explain()
    report = habit_report(explanation)
    maps = [html.heat_maps(explanation, report, prefix=prefix) for prefix in ("a-", "b-")]
    ids = [a["id"] for page in maps for tag, a in _Page(page).tags if tag == "input"]
    assert len(ids) == len(set(ids)) == 8


def test_heat_maps_without_habits_have_no_layer_of_habits(explain: Explain) -> None:
    page = html.heat_maps(explain("We left cuz it rained", "cuz"))
    assert 'id="words"' in page
    assert 'id="habits"' not in page
    assert not [a for _, a in _Page(page).tags if "habit" in str(a.get("class"))]


def test_style_sheet_of_fragments_leaves_the_page_alone() -> None:
    assert "body {" in html.style_sheet()
    alone = html.style_sheet(page=False)
    assert "body {" not in alone
    assert ":root" not in alone
    assert ".layer-words:checked" in alone


def test_a_layer_is_one_row(explain: Explain, monkeypatch: pytest.MonkeyPatch) -> None:
    measure = layers.Measure("length", lambda item, _: float(item.end - item.start), "blue")
    row = layers.Layer("length", "Length", measure, measure, "z", "long", "long", "Length", "How.")
    rows = (*layers.layers_for("attention"), row)
    monkeypatch.setattr(layers, "layers_for", lambda _: rows)
    explanation = explain("a bcd", "e")
    page = html_page(explanation)
    assert 'id="length" class="layer-length"' in page
    assert re.search(r'<b class="long" title="[^"]*; length 3.0000" style="[^"]*;--z:1"', page)
    assert 'data-long="500%"' in page
    assert '<span class="key in-length">length 0<span class="ramp blue"></span>3.0000' in page
    assert '<th scope="col">Length</th>' in page
    assert "<p>How.</p>" in page
    assert "length" in terminal_text(explanation, colour=False)


def test_same_input_gives_the_same_bytes(explain: Explain) -> None:
    assert html_page(explain()) == html_page(explain())


def blend(colour: Rgb, ground: Rgb, alpha: float) -> Rgb:
    r, g, b = (round(alpha * c + (1 - alpha) * p) for c, p in zip(colour, ground, strict=True))
    return r, g, b


def contrast(one: Rgb, other: Rgb) -> float:
    """Contrast ratio of WCAG 2, from 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Rgb) -> float:
    r, g, b = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (value / 255 for value in colour)
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_ink_is_readable_on_every_shade(palette: Palette) -> None:
    for colour in (palette.red, palette.blue):
        for step in range(21):
            ground = blend(colour, palette.paper, palette.cap * step / 20)
            assert contrast(palette.ink, ground) >= 4.5
    for ground in (palette.paper, palette.ground):
        assert contrast(palette.muted, ground) >= 4.5


def test_contrast_is_that_of_wcag() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((118, 118, 118), (255, 255, 255)) == pytest.approx(4.54, abs=0.005)
