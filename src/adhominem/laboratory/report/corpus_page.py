"""A corpus as one self-contained page: no script, nothing from outside, everything escaped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from adhominem.instrument.report.html import environment, showable
from adhominem.laboratory.report.charts import (
    documents_per_author_chart,
    funnel_chart,
    histogram_chart,
)
from adhominem.laboratory.report.corpus_text import (
    leak_examples,
    leak_rows,
    pair_rows,
    summary_rows,
)


def corpus_page(description: Mapping[str, Any]) -> str:
    histogram = description["tokens"]["histogram"]
    page = (
        environment("adhominem.laboratory.report")
        .get_template("corpus.html.jinja")
        .render(
            name=description["name"],
            warnings=description["warnings"],
            summary=summary_rows(description),
            pairs=pair_rows(description["pairs"]),
            leaks=leak_rows(description["leaks"]),
            examples=leak_examples(description["leaks"]),
            rejected=description["rejected"],
            topics=description["topics"]["largest"],
            sources=description["sources"],
            # Markup: drawn here, of numbers and fixed words alone.
            tokens_chart=Markup(
                histogram_chart(histogram["counts"], histogram["edges"], label="tokens")
            ),
            authors_chart=Markup(
                documents_per_author_chart(description["documents_per_author"]["counts"])
            ),
            funnel_chart=Markup(funnel_chart(description["funnel"])),
        )
    )
    return showable(page)
