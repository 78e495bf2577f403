"""How frequent each habit is in texts of many authors: the reference for shared habits.

    python experiments/reference_rates.py runs/corpora/hotels runs/corpora/blogs runs/corpora/reddit

Reads one text of each training author, chosen by a seed, of at most so many authors for each
corpus, and writes linguistics/data/reference.json: tokens read, hits of each category
in a thousand tokens, the share of texts that show it, and the share of texts with each form that at
least five authors use.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from adhominem.instrument.linguistics.findings import form_of
from adhominem.instrument.linguistics.habits import CATEGORIES, find_habits
from adhominem.laboratory.corpus.store import Corpus

TARGET = Path(__file__).parents[1] / "src/adhominem/instrument/linguistics/data/reference.json"
TRAINING, AUTHORS, FEWEST, SEED = 0, 4000, 5, 1


def one_text_each(corpus: Corpus) -> list[str]:
    """Of at most `AUTHORS` training authors, in the order of the corpus."""
    authors = np.array(corpus.label("author"), dtype=object)
    training = np.flatnonzero(np.array(corpus.label("split")) == TRAINING)
    shuffled = np.random.default_rng(SEED).permutation(training)
    _, first = np.unique(authors[shuffled].astype(str), return_index=True)
    chosen = shuffled[np.sort(first)[:AUTHORS]]
    found = corpus.documents(chosen)
    return [found[place].text for place in sorted(found)]


def rates_of(texts: list[str]) -> dict[str, Any]:
    tokens = 0
    hits: Counter[str] = Counter()
    texts_with: Counter[str] = Counter()
    texts_with_form: Counter[tuple[str, str]] = Counter()
    for text in texts:
        habits = find_habits(text)
        tokens += habits.n_tokens
        hits.update(hit.category for hit in habits.hits)
        texts_with.update({hit.category for hit in habits.hits})
        texts_with_form.update(
            {(hit.category, form) for hit in habits.hits if (form := form_of(hit))}
        )
    return {
        "texts": len(texts),
        "tokens": tokens,
        "categories": {
            category.name: {
                "per_thousand": round(1000 * hits[category.name] / tokens, 4),
                "share": round(texts_with[category.name] / len(texts), 5),
                "forms": {
                    form: round(count / len(texts), 5)
                    for (name, form), count in sorted(texts_with_form.items())
                    if name == category.name and count >= FEWEST
                },
            }
            for category in CATEGORIES
        },
    }


def main(folders: list[Path]) -> None:
    genres = {}
    for folder in folders:
        genres[folder.name] = rates_of(one_text_each(Corpus.open(folder)))
        print(folder.name, genres[folder.name]["texts"], genres[folder.name]["tokens"])
    reference = {
        "source": f"one text of each of at most {AUTHORS:,} training authors of each corpus, "
        f"seed {SEED}; forms of at least {FEWEST} authors",
        "rarest": FEWEST / AUTHORS,
        "genres": genres,
    }
    TARGET.write_text(json.dumps(reference, indent=1, ensure_ascii=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main([Path(folder) for folder in sys.argv[1:]])
