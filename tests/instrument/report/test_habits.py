"""The parts of the report that speak of habits: nothing of a text gets out of its place."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adhominem.instrument.linguistics.habits import find_habits
from adhominem.instrument.report.as_json import audit_trail, explanation_dict
from adhominem.instrument.report.habit_report import finding_table, habit_report
from adhominem.instrument.report.heatmap import make_marks
from adhominem.instrument.report.html import html_page
from adhominem.instrument.report.layout import in_context
from adhominem.instrument.report.scales import verbal_scale
from adhominem.instrument.report.terminal import terminal_text
from adhominem.instrument.report.wording import support_words
from adhominem.records import Explanation, TextExplanation

Explain = Callable[..., Explanation]
TAGS = frozenset(
    (
        *("html", "head", "meta", "title", "style", "body", "header", "main", "section", "footer"),
        *(
            "article",
            "div",
            "span",
            "p",
            "ul",
            "ol",
            "li",
            "dl",
            "dt",
            "dd",
            "h1",
            "h2",
            "h3",
            "h4",
        ),
        *("strong", "b", "i", "u", "bdi", "br", "sub", "sup", "code", "table", "caption", "thead"),
        *("colgroup", "col", "tbody", "tr", "th", "td", "input", "label", "details", "summary"),
    )
)
HOSTILE = [
    '<script>alert("1")</script> cuz <img src=x onerror=alert(1)> & </td></table> definately',
    "<<<<< >>>>> && ++++ \"quoted\" '</style>' {{ 7 * 7 }} {% raw %} &lt; &amp;amp; definately cuz",
    "\u202e right \u2067 to left cuz \x1b[2J definately \x00 \ud800 & ]]> <!-- -->",
]


class _Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.comments: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


@pytest.mark.parametrize("left", HOSTILE)
@pytest.mark.parametrize("right", HOSTILE)
def test_hostile_texts_stay_text(explain: Explain, left: str, right: str) -> None:
    page = html_page(explain(left, right))
    page.encode("utf-8")
    parsed = _Tags(page)
    assert {tag for tag, _ in parsed.tags} <= TAGS
    assert not parsed.comments
    assert not [name for _, attributes in parsed.tags for name in attributes if name[:2] == "on"]
    assert 'class="finding"' in page
    told = terminal_text(explain(left, right), colour=False)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", told)


@settings(max_examples=60)
@given(
    left=st.lists(st.sampled_from([*"<>&\"'/=;-!?", "cuz", "w/", "definately", " ", "\n"])).map(
        "".join
    )
)
def test_any_signs_stay_text(explain: Explain, left: str) -> None:
    parsed = _Tags(html_page(explain(left, left)))
    assert {tag for tag, _ in parsed.tags} <= TAGS
    assert not parsed.comments


@pytest.mark.parametrize(
    "text",
    [
        "word " * 30_000,
        "ABSOLUTELY AWESOME cuz & " * 7_000,
        "<b>&amp;</b> " * 10_000,
        "a" * 300_000,
        "&" * 300_000,
        "日本語のテキスト。" * 5_000,
    ],
)
def test_pages_stay_below_a_megabyte_and_say_what_they_leave_out(
    explain: Explain, text: str
) -> None:
    page = html_page(explain(text, text))
    assert len(page.encode("utf-8")) < 1_000_000
    assert page.count("Left out here are") == 2


def test_every_hit_is_marked_and_in_the_key(explain: Explain) -> None:
    text = "We left cuz it was definately seperate & far"
    page = html_page(explain(text, "some other text"))
    marked = [a for tag, a in _Tags(page).tags if "habit" in str(a.get("class")).split()]
    titles = [str(a["title"]).split("; ", 1)[1] for a in marked]
    assert "alternative spelling (because)" in titles
    assert "substituted characters (definitely)" in titles
    number = next(a["data-n"] for a in marked if "(because)" in str(a["title"]))
    assert f"<sup>{number}</sup>alternative spelling (1)" in page
    assert f"<sup>{number}</sup>&nbsp;<b>alternative spelling</b>" in page


@settings(max_examples=150)
@given(
    parts=st.lists(st.sampled_from(["cuz", " ", "story teller", "&", "!!", "WE WENT", "a"])),
    cuts=st.lists(st.integers(0, 5), max_size=60),
)
def test_marks_cover_the_hits_and_nothing_else(parts: list[str], cuts: list[int]) -> None:
    text = "".join(parts)
    lengths = [*cuts, max(len(text) - sum(cuts), 0)]
    hits = find_habits(text).hits
    numbers = {hit.category: i for i, hit in enumerate(hits)}
    start = 0
    for length, (title, _, _) in zip(lengths, make_marks(lengths, hits, numbers), strict=True):
        end = start + length
        inside = [hit for hit in hits if hit.start < end and hit.end > start and length]
        assert bool(title) == bool(inside)
        start = end


def test_signed_layer_is_there_when_words_carry_contributions(explain: Explain) -> None:
    plain = explain()
    assert 'id="signed"' not in html_page(plain)
    [text] = plain.left
    words = [replace(word, contribution=0.1 * (-1) ** i) for i, word in enumerate(text.words)]
    sentences = [replace(sentence, contribution=0.25) for sentence in text.sentences]
    signed = replace(text, words=tuple(words), sentences=tuple(sentences))
    page = html_page(replace(plain, left=(signed,), contributions="occlusion"))
    assert 'id="signed"' in page
    assert 'data-total="+0.25"' in page
    spots = [a for tag, a in _Tags(page).tags if tag in "bi" and "--c" in str(a.get("style"))]
    assert ["for" in str(a.get("class")).split() for a in spots] == [
        (word.contribution or 0) > 0 for word in words
    ]
    assert "part of log10 LR +0.1000" in str(spots[0]["title"])


def test_table_has_counts_rates_and_the_reference(explain: Explain) -> None:
    report = habit_report(explain("We left cuz & cuz", "It was cuz"))
    rows = {row.category.name: row for row in report.rows}
    row = rows["alternative spelling"]
    assert (row.left.count, row.right.count) == (2, 1)
    assert row.left.per_thousand == pytest.approx(1000 * 2 / 5)
    assert row.usual == report.reference.categories["alternative spelling"].per_thousand
    assert set(rows).isdisjoint(report.absent)
    assert [row.number for row in report.rows] == list(range(1, len(report.rows) + 1))


def carrying(explanation: Explanation, seed: int = 0) -> Explanation:
    """The same with contributions that are all different."""
    rng = random.Random(seed)

    def signed(text: TextExplanation) -> TextExplanation:
        words = [
            replace(word, contribution=rng.uniform(-1, 1) if word.end > word.start else 0.0)
            for word in text.words
        ]
        return replace(text, words=tuple(words))

    left, right = (tuple(map(signed, side)) for side in (explanation.left, explanation.right))
    return replace(explanation, left=left, right=right, contributions="occlusion")


@settings(max_examples=60)
@given(
    parts=st.lists(st.sampled_from(["cuz", "story teller", "&", "!!", "WE WENT", "a", "cuz&&w/"])),
    seed=st.integers(0, 99),
)
def test_habits_carry_the_sum_of_their_words(explain: Explain, parts: list[str], seed: int) -> None:
    explanation = carrying(explain(" ".join(parts), "some cuz"), seed)
    [text] = explanation.left
    report = habit_report(explanation)
    [found] = report.left_contributions
    if found is None:
        assert not any(word.end > word.start for word in text.words)
        return
    hits = report.left.habits[0].hits
    for hit, carried in zip(hits, found.hits, strict=True):
        own = [w.contribution or 0 for w in text.words if w.start < hit.end and w.end > hit.start]
        assert carried == pytest.approx(sum(own), abs=1e-9)
    for row in report.rows:
        touched = {
            i
            for hit in hits
            for i, word in enumerate(text.words)
            if hit.category == row.category.name and word.start < hit.end and word.end > hit.start
        }
        expected = sum(text.words[i].contribution or 0 for i in touched)
        assert row.left.contribution == pytest.approx(expected, abs=1e-9)


def test_what_habits_carry_is_told_in_every_form(explain: Explain) -> None:
    plain = explain("We left cuz & cuz", "It was cuz")
    explanation = carrying(plain)
    [row] = [r for r in habit_report(explanation).rows if r.category.name == "alternative spelling"]
    left, right = (f"{value.contribution:+.2f}" for value in (row.left, row.right))
    told = terminal_text(explanation, colour=False)
    line = next(line for line in told.splitlines() if line.startswith("alternative spelling"))
    assert left.replace("-", "−") in line and right.replace("-", "−") in line
    page = html_page(explanation)
    assert f"<td>{left.replace('-', '−')}</td>" in page
    assert "A word can be in several categories" in page
    habits = explanation_dict(explanation)["habits"]
    rows = {r["name"]: r for r in habits["categories"]}
    assert rows["alternative spelling"]["left"]["contribution"] == row.left.contribution
    assert rows["special character"]["right"]["contribution"] == 0
    cuz = [hit["contribution"] for hit in habits["left"][0] if hit["surface"] == "cuz"]
    assert sum(cuz) == pytest.approx(row.left.contribution)
    without = explanation_dict(plain)["habits"]
    assert {hit["contribution"] for hit in without["left"][0]} == {None}
    assert {r["left"]["contribution"] for r in without["categories"]} == {None}
    assert "several categories" not in html_page(plain)
    assert "carry" not in terminal_text(plain, colour=False)


def test_concordance_shows_the_place_and_how_many_more(explain: Explain) -> None:
    report = habit_report(explain("cuz one. " * 5, "then cuz"))
    rows, _ = finding_table(report.findings.shared, report)
    [row] = [row for row in rows if row["words"].startswith("“cuz”")]
    assert [side for side, _ in row["lines"]] == ["known"] * 3 + ["questioned"]
    assert row["lines_left_out"] == 2
    assert {context.own for _, context in row["lines"]} == {"cuz"}
    assert row["lines"][-1][1].before == "then "


@given(text=st.text(max_size=80), start=st.integers(0, 80), length=st.integers(0, 80))
def test_context_is_of_the_text(text: str, start: int, length: int) -> None:
    start = min(start, len(text))
    end = min(start + length, len(text))
    found = in_context(text, start, end, around=10)
    assert text[:start].endswith(found.before.removeprefix("…") if start > 10 else found.before)
    assert len(found.before) <= 11 and len(found.after) <= 11 and len(found.own) <= 41


@given(llr=st.floats(allow_nan=True, allow_infinity=True))
def test_verbal_scale_says_what_the_words_say(llr: float) -> None:
    [step] = [step for step in verbal_scale(llr) if step.is_reached]
    words = support_words(llr)
    if step.side == "neither":
        assert words == "no support either way"
    else:
        authors = {"one": "one author", "two": "two authors"}[step.side]
        assert words == f"{step.words} support for {authors}"


def test_audit_trail_names_the_texts_the_model_and_the_versions(explain: Explain) -> None:
    explanation = explain("one \ud800", "two")
    trail = audit_trail(explanation)
    expected = hashlib.sha256("one \ud800".encode("utf-8", "surrogatepass")).hexdigest()
    assert trail["known text, sha256"] == expected
    assert trail["model, sha256"] == "0123456789abcdef" * 4
    assert len(trail["reference rates, sha256"]) == 64
    page = html_page(explanation)
    assert all(value in page for value in trail.values())
    several = replace(explanation, left=explanation.left * 2)
    assert "known text 2, sha256" in audit_trail(several)


def test_terminal_and_json_tell_the_habits(explain: Explain) -> None:
    explanation = explain("We left cuz & so on", "They came cuz it rained")
    told = terminal_text(explanation, colour=False)
    for words in ("Shared habits", "“cuz” for “because”", "Distinctive habits", "Audit trail"):
        assert words in told
    from adhominem.instrument.report.render import render

    habits = json.loads(render(explanation, form="json"))["habits"]
    [cuz] = [one for one in habits["shared"] if one["form"] == "cuz"]
    assert cuz["left"] == {"count": 1, "first": [{"document": 0, "start": 8, "end": 11}]}
    assert {hit["surface"] for hit in habits["left"][0]} >= {"cuz", "&"}
