"""Tables and figures of an analysis: every figure in its place, and no word gets out of its own."""

import math
from pathlib import Path
from typing import Any

from adhominem.instrument.report.plain_text import markdown_code, markdown_table
from adhominem.laboratory.evaluation.analysis import EDGES, summarise
from adhominem.laboratory.report.analysis import (
    analysis_figures,
    analysis_text,
    stability_figures,
    stability_text,
)
from adhominem.laboratory.report.figures import save_figures

Report = dict[str, Any]


def interval(value: float) -> dict[str, float]:
    return {"value": value, "low": value - 0.1, "high": value + 0.1}


def row(name: str, lift: float = 2.0) -> Report:
    return {"name": name, "tokens": 40, "share": 0.02, "top_share": 0.1, "lift": interval(lift)}


def corpus(**changes: Any) -> Report:
    matched = {
        name: interval(0.5)
        for name in ("before", "after", "difference", "attended_more", "sentence_difference")
    }
    words = [
        {"word": word, "times": 9, "share": 0.02, "chosen": 0.5}
        for word in ("$$", "|", "`", "日本", "wife", "\x1b[2J")
    ]
    return {
        "name": "hotels.pairs.jsonl.gz",
        "texts": 50,
        "authors": 40,
        "tokens": 2000,
        "on_markers": 0.12,
        "top": {"of_each": 5, "tokens": 250, "words": words},
        "categories": [row("slang"), row("any misspelling", 3), row("“definitely”, misspelt", 0.5)],
        "parts_of_speech": [row("noun")],
        "kinds": [row("function word")],
        "vocabulary": [row("not known")],
        "matched": [{"name": "misspelt word", "matches": 30, **matched}],
        "places": {
            "fewest_sentences": 5,
            "texts": 20,
            "rows": [{"name": "last sentence", "lift": interval(1.5), "highest": 0.25}],
            "highest_by_chance": 0.1,
        },
        **changes,
    }


def test_all_figures_are_told() -> None:
    told = analysis_text({"tagger": "rules", "corpora": [corpus()]})
    for words in (
        "50 texts by 40 authors",
        "10.00 % of the five most attended words of each text are misspelt, of all words 2.00 %",
        "“definitely” are 10.00 % of the five most attended words (the paper: 0.13 %)",
        "| slang | 40 | 2.00 | 10.00 | 2.00 (1.90 to 2.10) |",
        "part of speech by rules",
        "| misspelt word | 30 | 0.50 | 0.50 | +0.50 (+0.40 to +0.60) | 50 | +0.50",
        "| last sentence | 1.50 (1.40 to 1.60) | 25.0 |",
        "a sentence is the most attended one in 10.0 %",
    ):
        assert words in told
    assert "\x1b" not in told


def test_little_to_tell() -> None:
    none = {"fewest_sentences": 5, "texts": 0, "rows": [], "highest_by_chance": None}
    told = analysis_text(
        {"tagger": "rules", "corpora": [corpus(categories=[], matched=[], places=none)]}
    )
    assert "No misspelt form of “definitely” occurs" in told
    assert "No habit occurs often enough" in told
    assert "No text has 5 sentences" in told


def test_tables_keep_their_columns_whatever_the_word() -> None:
    table = markdown_table(
        ["word", "times"], [[markdown_code(word), "1"] for word in ("|", "`", "a`|", "x")]
    )
    for line in table.splitlines():
        assert line.replace("\\|", "").count("|") == 3


def stability() -> Report:
    import numpy as np

    taus = np.stack([np.linspace(0.3, 0.5, 21), np.full(21, 0.001)], axis=1)
    part = summarise(taus)
    models = [
        {"name": name, "words": part, "padded_words": part, "sentences": part}
        for name in ("fold-1", "random weights")
    ]
    nothing = summarise(taus[:0])
    models.append(
        {"name": "short", "words": nothing, "padded_words": nothing, "sentences": nothing}
    )
    return {"edges": EDGES, "corpora": [{"name": "hotels", "fold": 0, "against": models}]}


def test_stability_stands_beside_the_paper() -> None:
    told = stability_text(stability())
    deviation = math.sqrt(sum((0.01 * (i - 10)) ** 2 for i in range(21)) / 20)
    assert "### hotels, fold 0" in told
    assert f"| fold-1 | 21 | 0.400 ± {deviation:.3f} | 100.0 | 100.0 |" in told
    assert "| short | 0 | - | - | - | - | - | - |" in told
    assert "0.836 to 0.853" in told


def test_figures_are_drawn(tmp_path: Path) -> None:
    made = analysis_figures({"corpora": [corpus(), corpus(name="blogs.jsonl")]})
    assert set(made) == {"top-words-hotels", "top-words-blogs", "lift"}
    paths = save_figures(made | stability_figures(stability()), tmp_path)
    assert len(paths) == 8
    assert all(path.stat().st_size > 2000 for path in paths)
    again = save_figures(
        {"lift": analysis_figures({"corpora": [corpus()]})["lift"]}, tmp_path / "a"
    )
    once = save_figures({"lift": analysis_figures({"corpora": [corpus()]})["lift"]}, tmp_path / "b")
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in once]
