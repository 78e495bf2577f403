"""Trains subword vectors (fastText skip-gram, case kept) and writes those of a list of words.

    python experiments/subword_vectors.py --sentences hotels.txt --words words.txt -o hotels.vec

The sentences stand one on a line, their tokens separated by spaces; the words one on a line. A
word that is rarer than `--min-count` gets the mean of its n-grams, one without n-grams no row.
With one worker the same files and seed give the same bytes; with more, threads write into the
same rows and runs differ a little.

Cost, at the defaults on 2 million tokens of hotel reviews: 160,000 tokens/s an epoch on two idle
cores, 90,000 beside another busy job, so 57 million tokens take 6 to 11 minutes an epoch.
"""

from __future__ import annotations

import argparse
import logging
import sys
import time
from pathlib import Path

from adhominem.files import whole_file


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sentences", type=Path, required=True, metavar="FILE")
    parser.add_argument("--words", type=Path, required=True, metavar="FILE")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.vec")
    parser.add_argument("--vector-size", type=int, default=200)
    parser.add_argument("--window", type=int, default=5)
    parser.add_argument("--min-count", type=int, default=5)
    parser.add_argument("--bucket", type=int, default=200_000)
    parser.add_argument("--minn", type=int, default=3)
    parser.add_argument("--maxn", type=int, default=6)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    subword_vectors(**vars(parser.parse_args()))


def subword_vectors(
    sentences: Path,
    words: Path,
    output: Path,
    *,
    vector_size: int = 200,
    window: int = 5,
    min_count: int = 5,
    bucket: int = 200_000,
    minn: int = 3,
    maxn: int = 6,
    epochs: int = 2,
    workers: int = 2,
    seed: int = 0,
) -> None:
    for path in (sentences, words):
        if not path.is_file():
            sys.exit(f"{path} is not a file: give one with a sentence, or a word, on each line")
    if not output.parent.is_dir():
        sys.exit(f"{output.parent} is not a folder: make it, or give another -o")
    try:
        from gensim.models import FastText
    except ImportError:
        sys.exit("gensim is not installed: pip install gensim")

    logging.basicConfig(stream=sys.stderr, format="%(message)s", level=logging.WARNING)
    logging.getLogger("gensim.models.word2vec").setLevel(logging.INFO)
    model = FastText(
        sg=1, vector_size=vector_size, window=window, min_count=min_count, bucket=bucket,
        min_n=minn, max_n=maxn, workers=workers, seed=seed,
    )  # fmt: skip
    model.build_vocab(corpus_file=str(sentences), progress_per=500_000)
    if not len(model.wv):
        sys.exit(
            f"{sentences} has no word {min_count} times: give more text or a lower --min-count"
        )
    begun = time.perf_counter()
    model.train(
        corpus_file=str(sentences), total_examples=model.corpus_count,
        total_words=model.corpus_total_words, epochs=epochs, report_delay=10,
    )  # fmt: skip
    seconds = time.perf_counter() - begun
    rate = epochs * model.corpus_total_words / seconds
    print(f"{epochs} epochs in {seconds:.0f} s, {rate:,.0f} tokens/s", file=sys.stderr)

    wanted = dict.fromkeys(words.read_text(encoding="utf-8").split("\n"))
    writable = [w for w in wanted if len(w.split()) == 1 and w in model.wv]
    rows = {w: row for w in writable if (row := model.wv[w]).any()}
    with whole_file(output) as file:
        file.write(f"{len(rows)} {vector_size}\n".encode())
        for word, row in rows.items():
            file.write(f"{word} {' '.join(f'{value:.6g}' for value in row)}\n".encode())
    n_known = sum(word in model.wv.key_to_index for word in rows)
    print(f"{output}: {len(rows)} words, {n_known} of them trained", file=sys.stderr)


if __name__ == "__main__":
    main()
