"""Writes the card of the shipped model from its corpora and from results/kinds.json.

python experiments/card.py --corpora runs/corpora
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import adhominem
from adhominem.files import write_whole
from adhominem.instrument.model_folder import CARD, DEFAULT, shipped_models
from adhominem.instrument.report.plain_text import markdown_table
from adhominem.laboratory.corpus.store import Corpus

RESULTS = Path(__file__).parents[1] / "results"
LABELS = Path(__file__).with_name("kind_labels.json")
SHORT = 50  # words
TEXT = """# adhominem, version {version}

The AdHominem network with three views beside it (sequences of four characters, masked tokens, pairs
of characters). It compares two English texts and says whether one author wrote both.

## Data

The network learnt from training authors of the kinds below, except `amazon`, whose authors had a
part in the calibration only. `hotels` is the LARA crawl (H. Wang, University of Illinois),
`blogs` and `blogs_new_authors` the Blog Authorship Corpus (Schler et al. 2006), `imdb` film
reviews (Seroussi et al.), `amazon` product reviews (J. McAuley); the others are public mailing
lists, forums, chats, speeches, news and fiction. Research use: terms differ by source and mostly
are not stated. The texts belong to the people who wrote them and are not part of this model,
which holds words, weights and statistics. No author is in two of training, development and test.
GloVe word vectors are in the public domain.

{data}

## How well it does

Two single texts of test authors, equally many pairs by one author and by two. Everything was chosen
and fitted on other authors. An undecided pair counts as half an error.

{figures}

Networks that had never seen a kind, {unseen} kinds in turn, had {unknown:.1f} % error in the mean
where it was read as the nearest kind that they knew, {reference:.1f} % with 300 reference texts.

## Where not to trust it

- **Kinds of text it has not seen**, with nothing stated: strangers who write alike are taken for
  one author. Give reference texts.
- **Ghost-written and edited texts** (press releases, speeches): offices have a style, too.
- **Short texts**: of the answers on texts of fewer than {words} words {short:.0f} % are wrong.
- **Two kinds of text against each other** (a mail and an essay): no test has paired them, and a
  note says so.
- **People who hide or imitate a style**: two texts of one author then look like those of two.
- **Languages other than English**, learners' English and texts before 1900: hardly tested.
- It is evidence of style, to be weighed beside other evidence. It proves nothing about a person.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, required=True)
    args = parser.parse_args()
    labels = json.loads(LABELS.read_text(encoding="utf-8"))
    report = json.loads((RESULTS / "kinds.json").read_text(encoding="utf-8"))
    stated, plain = report["stated"]["kinds"], report["not stated"]["kinds"]
    data, figures = [], []
    for name in stated:
        corpus = Corpus.open(args.corpora / name).labels
        data.append(
            [labels[name], name, f"{len(corpus.authors):,}", f"{corpus.authors.max() + 1:,}"]
        )
        row = stated[name]
        error, low, high = (f"{100 * row[key]:.1f}" for key in ("error", "low", "high"))
        figures.append(
            [
                *(
                    labels[name],
                    str(row["pairs"]),
                    f"{error} ({low} to {high})",
                    f"{row['auc']:.3f}",
                ),
                *(f"{row['cllr']:.3f}", f"{100 * plain[name]['error']:.1f}"),
            ]
        )
    heads = ["kind", "pairs", "error % (95 % interval)", "AUC", "Cllr", "kind not stated: error %"]
    identity = adhominem.load().identity
    assert identity is not None
    few = [row for row in report["not stated"]["by words"] if row["to"] <= SHORT]
    card = TEXT.format(
        version=identity.version,
        data=markdown_table(["kind", "name", "texts", "authors"], data),
        figures=markdown_table(heads, figures),
        words=SHORT,
        short=100 * sum(row["error"] * row["pairs"] for row in few) / sum(r["pairs"] for r in few),
        unseen=len(report["unknown kind"]["kinds"]),
        unknown=100 * report["unknown kind"]["mean"]["error"],
        reference=100 * report["reference texts"]["mean"]["error"],
    )
    write_whole(shipped_models()[DEFAULT] / CARD, card)


if __name__ == "__main__":
    main()
