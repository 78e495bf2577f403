"""Training sentences and the word list of a prepared corpus, for `subword_vectors.py`.

    python experiments/export_sentences.py runs/paper/prepared -o runs/paper

writes sentences.txt (one sentence per line, tokens separated by spaces, words outside the
vocabulary left out) and words.txt (the vocabulary, one word per line). Training authors only.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from adhominem.instrument.text.vocabulary import RESERVED_WORDS, UNKNOWN
from adhominem.instrument.text.windows import LINE_BREAK, SENTENCE_END
from adhominem.laboratory.experiment.prepare import load_prepared


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prepared", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    prepared = load_prepared(arguments.prepared)
    words = np.array(prepared.vocabulary.words, dtype=object)
    skipped = [UNKNOWN, RESERVED_WORDS.index(LINE_BREAK)]
    end = RESERVED_WORDS.index(SENTENCE_END)
    training = prepared.labels.indices("train")
    with (arguments.output / "sentences.txt").open("w", encoding="utf-8") as file:
        for documents in np.array_split(training, 200):
            part = prepared.corpus.select(documents)
            numbers = part.type_words[part.tokens]
            tokens = words[numbers[~np.isin(numbers, skipped)]]
            tokens[tokens == words[end]] = "\n"
            file.write(" ".join(tokens.tolist()).replace(" \n ", "\n").replace(" \n", "\n"))
    (arguments.output / "words.txt").write_text("\n".join(words.tolist()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
