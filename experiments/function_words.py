"""The share of English function words in English corpora and in other languages.

    python experiments/function_words.py reviews.parquet blogs.parquet -o results/language.json

by which `corpus build` judges whether a text is English. Other languages: spaCy's own example
sentences. Of each parquet file with a column `text` the texts of 80 tokens and more are taken.
"""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path

import numpy as np
from pyarrow import parquet

from adhominem.instrument.text.language import MIN_SHARE, english_share
from adhominem.instrument.text.tokenise import tokenise

LANGUAGES = (
    *("de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "pl", "ru", "tr", "fi", "ro"),
    *("id", "ca", "cs", "hr", "zh"),
)
N_TEXTS, MIN_TOKENS = 6000, 80


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    others = {}
    for code in LANGUAGES:
        sentences = importlib.import_module(f"spacy.lang.{code}.examples").sentences
        others[code] = round(float(english_share(tokenise([" ".join(sentences)]))[0]), 3)
    english = {}
    for path in arguments.files:
        batch = next(parquet.ParquetFile(path).iter_batches(N_TEXTS, columns=["text"]))
        texts = tokenise(batch.column(0).to_pylist())
        share = english_share(texts)[texts.n_tokens >= MIN_TOKENS]
        english[path.stem] = {
            "texts": len(share),
            "below": int(np.sum(share < MIN_SHARE)),
            "one_in_a_hundred_below": round(float(np.quantile(share, 0.01)), 3),
            "median": round(float(np.median(share)), 3),
        }
    content = {"limit": MIN_SHARE, "english": english, "other_languages": others}
    arguments.output.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
