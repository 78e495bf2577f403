"""The model card: the data of a model, its errors and its limits."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

from adhominem.instrument.evidence.calibration import Calibration
from adhominem.instrument.verifier import Verifier
from adhominem.laboratory.experiment.settings import Experiment
from adhominem.laboratory.report.evaluation_tables import evaluation_table

_CARD = """# {name}, version {version}

A Siamese network ({kind}) that compares two English texts and says whether one author wrote both.
Written on {date} by `adhominem train`.

## Data

{about}

{corpora}

The texts belong to the people who wrote them and are not part of this model, which holds words and
weights. No author is in two of training, development and test. Near duplicates within an author
were removed.
The vocabulary ({words:,} words, {characters} characters) was counted on training authors alone.
Word vectors: {vectors}.

## How well it does

Measured on pairs of test authors; network and settings were chosen on others. Where there are
topics, in four equal cells by same author (a) and same topic (c):

{tables}

A score is P(same author) at equal prior odds; its log-odds are a likelihood ratio, fitted by
logistic regression on {dev_pairs:,} pairs of development authors and bounded where these pairs
support no more. {reliable}

{calibrations}

{detectable}

## Where not to trust it

- Genres that are in none of the tables: the error rates above do not hold for them. Its answers are
  cautious on texts of unknown genres, but two texts of one such genre look alike to it, and it may
  answer "same author" too often; adapt or calibrate it first.
- Texts shorter than the shortest it was trained on ({shortest} tokens); below {min_tokens} it does
  not answer.
- Other languages than English, translated or machine-written text, several authors in one text.
- Authors who hide or imitate a style: a few changed habits can reverse a verdict.
- As the only evidence against anybody.
"""


def model_card(
    experiment: Experiment, verifier: Verifier, manifest: dict[str, Any], test: dict[str, Any]
) -> str:
    """Return the card of a model as Markdown. `manifest` is that of the prepared corpora, `test`
    has the measures on the test pairs of each genre."""
    calibration = verifier.calibration_
    assert calibration is not None
    corpora = manifest["corpora"]
    settings = [corpus["settings"] for corpus in corpora.values()]
    return _CARD.format(
        name=experiment.name,
        version=experiment.version,
        about=experiment.about,
        kind=experiment.network.get("kind", "adhominem"),
        date=datetime.now(UTC).date().isoformat(),
        corpora="\n".join(
            _corpus(genre, corpus, manifest["unseen"]) for genre, corpus in corpora.items()
        ),
        shortest=min(s["min_tokens"] for s in settings),
        words=manifest["vocabulary"]["words"],
        characters=manifest["vocabulary"]["characters"],
        vectors=_vectors(experiment, manifest),
        tables="\n\n".join(f"### {g}\n\n{evaluation_table(t)}" for g, t in test.items()),
        dev_pairs=sum(manifest["dev_pairs"].values()) + sum(manifest["dev_several_pairs"].values()),
        calibrations=_calibrations({**verifier.calibrations_, "any other": calibration}),
        reliable=_reliable(verifier),
        detectable=_detectable(verifier),
        min_tokens=verifier.min_tokens,
    )


def _reliable(verifier: Verifier) -> str:
    if verifier.tau_s is not None:
        return (
            f"A decision is called reliable at a distance up to {verifier.tau_s} or from "
            f"{verifier.tau_d}."
        )
    return (
        "A decision is called reliable where, on development pairs, fewer than one answer in a "
        "hundred was wrong."
    )


def _detectable(verifier: Verifier) -> str:
    if not verifier.calibrations_:
        return "It knows one genre only."
    known = ", ".join(sorted(verifier.detectable_genres())) or "none"
    return (
        f"Genres that it recognises: {known}. For other genres, state the genre (`--genre`, `genre "
        "given` in the tables); otherwise the last row applies, as it does to texts of unknown "
        "genres. That row was fitted by leaving out each genre in turn: it is flatter than the "
        "others, and bounded by the weakest of them."
    )


def _calibrations(rows: dict[str, Calibration]) -> str:
    """Return a table of the calibrations, for texts of typical length."""
    lines = [
        "| genre | score is 0.5 at a distance of | log10 LR from | to | reliable up to | from |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for genre, row in rows.items():
        sure = (row.sure_different, row.sure_same)
        cells = [f"{-row.neutral:.2f}", f"{row.lowest:.2f}", f"{row.highest:.2f}"]
        cells += ["never" if value is None else f"{value:.2f}" for value in sure]
        lines.append(f"| {genre} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _shares(authors: dict[str, int], *, unseen: bool) -> str:
    if unseen:
        rest = authors["train"] + authors["dev"]
        return f"none for training, {rest:,} for development, {authors['test']:,} for testing"
    return (
        f"{authors['train']:,} for training, {authors['dev']:,} for development, "
        f"{authors['test']:,} for testing"
    )


def _corpus(genre: str, corpus: dict[str, Any], unseen: Collection[str]) -> str:
    documents, authors, tokens = corpus["documents"], corpus["authors"], corpus["tokens"]
    settings = corpus["settings"]
    return (
        f"- **{genre}**: {documents['total']:,} documents by {authors['total']:,} authors "
        f"({_shares(authors, unseen=genre in unseen)}) from {_sources(corpus)}, "
        f"{tokens['mean']:.0f} ± "
        f"{tokens['deviation']:.0f} tokens each ({settings['min_tokens']} to "
        f"{settings['max_tokens']:,})."
    )


def _sources(corpus: dict[str, Any]) -> str:
    named = [f"`{s['name']}` (sha256 {s['sha256'][:12]})" for s in corpus["sources"]]
    return ", ".join(named[:5]) + (f" and {len(named) - 5} more" if len(named) > 5 else "")


def _vectors(experiment: Experiment, manifest: dict[str, Any]) -> str:
    if "vectors" not in manifest:
        return "drawn at random"
    sources = " and ".join(source["file"] for source in manifest["vectors"]["sources"])
    fate = "trained further" if experiment.network.get("train_words") else "frozen"
    return f"{sources}, together {manifest['vectors']['dimensions']} dimensions, {fate}"
