"""Training sentences and the word list of a prepared corpus, for `subword_vectors.py`.

    python experiments/export_sentences.py runs/paper/prepared -o runs/paper

writes sentences.txt (one sentence per line, tokens separated by spaces, words outside the
vocabulary left out) and words.txt (the vocabulary, one word per line), from the documents of
training authors. `--most-tokens N` takes random documents of each genre, up to N tokens, so that no
genre dominates; `--without GENRE...` leaves genres out.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from adhominem.instrument.text.vocabulary import LINE_BREAK, RESERVED_WORDS, SENTENCE_END, UNKNOWN
from adhominem.laboratory.experiment.prepare import Prepared, load_prepared


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prepared", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--most-tokens", type=int, metavar="N")
    parser.add_argument("--without", nargs="*", default=[], metavar="GENRE")
    arguments = parser.parse_args()
    prepared = load_prepared(arguments.prepared)
    words = np.array(prepared.vocabulary.words, dtype=object)
    skipped = [UNKNOWN, RESERVED_WORDS.index(LINE_BREAK)]
    end = RESERVED_WORDS.index(SENTENCE_END)
    training = _choose_documents(prepared, arguments.most_tokens, arguments.without)
    with (arguments.output / "sentences.txt").open("w", encoding="utf-8") as file:
        for documents in np.array_split(training, 200):
            part = prepared.corpus.select(documents)
            numbers = part.type_words[part.tokens]
            tokens = words[numbers[~np.isin(numbers, skipped)]]
            tokens[tokens == words[end]] = "\n"
            file.write(" ".join(tokens.tolist()).replace(" \n ", "\n").replace(" \n", "\n"))
    (arguments.output / "words.txt").write_text("\n".join(words.tolist()) + "\n", encoding="utf-8")


def _choose_documents(
    prepared: Prepared, most_tokens: int | None, without: Sequence[str]
) -> npt.NDArray[np.int64]:
    """Indices of the documents to read."""
    corpus, rng = prepared.corpus, np.random.default_rng(0)
    parts = []
    for number, genre in enumerate(prepared.genres):
        if genre in without:
            continue
        documents = prepared.labels.indices("train", number)
        if most_tokens is not None:
            documents = rng.permutation(documents)
            edges = corpus.lines[corpus.documents]
            n_tokens = np.cumsum(edges[documents + 1] - edges[documents])
            documents = np.sort(documents[: np.searchsorted(n_tokens, most_tokens)])
        parts.append(documents)
    return np.concatenate(parts)


if __name__ == "__main__":
    main()
