"""Packs a corpus and the folds of experiments that are to be trained on another machine.

    python experiments/pack_folds.py runs/corpora/hotels --vectors glove.txt -o runs/bundle \\
        experiments/compared/seed-3/adhominem.toml:0 experiments/compared/seed-3/hrsn.toml:0

Each argument is an experiment and a fold, the most important first. `vectors.vec` beside the bundle
has the rounded vectors; the cross-validation that goes on with the trained weights needs that file.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import folds_bundle as bundle

from adhominem.files import whole_folder
from adhominem.instrument.text.settings import TextSettings
from adhominem.instrument.text.tokenised import Tokenised
from adhominem.instrument.text.vocabulary import RESERVED_WORDS, Vocabulary
from adhominem.laboratory.corpus.labels import Labels
from adhominem.laboratory.corpus.store import Corpus
from adhominem.laboratory.experiment import read_experiment
from adhominem.laboratory.experiment.word_vectors import read_text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("runs", nargs="+", metavar="EXPERIMENT:FOLD")
    parser.add_argument("--vectors", type=Path, required=True, help="GloVe text")
    parser.add_argument("--parts", type=int, default=1, help="files that the tokens are put in")
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    corpus = Corpus.open(arguments.corpus)
    experiments = []
    for run in arguments.runs:
        path, _, fold = run.rpartition(":")
        experiments.append(replace(read_experiment(Path(path)), fold=int(fold)))
    with whole_folder(arguments.output) as target:
        texts = bundle.write_texts(target, corpus.tokenised(), corpus.labels, parts=arguments.parts)
        keys = list(dict.fromkeys((own.fold or 0, own.text) for own in experiments))
        vocabularies = [fit_vocabulary(texts, corpus.labels, *key) for key in keys]
        words = {word for own in vocabularies for word in own.words} - set(RESERVED_WORDS)
        spellings = {spelling for word in words for spelling in (word, word.lower())}
        bundle.write_vectors(target, read_text(arguments.vectors, spellings))
        runs = [
            {
                "folder": f"{corpus.folder.name}-{own.seed}/{own.name}/fold-{own.fold}",
                "corpus": corpus.folder.name,
                "experiment": own.to_dict(),
                "vocabulary": keys.index((own.fold or 0, own.text)),
            }
            for own in experiments
        ]
        bundle.write_runs(target, runs, vocabularies, texts)
    bundle.unpack_vectors(arguments.output, arguments.output.with_name("vectors.vec"))
    for path in sorted(arguments.output.iterdir()):
        print(f"{path.stat().st_size:>12,} {path.name}")


def fit_vocabulary(texts: Tokenised, labels: Labels, fold: int, text: TextSettings) -> Vocabulary:
    """Return the vocabulary of a turn, as the preparation of a run fits it."""
    own = labels.for_fold(fold)
    training = own.indices("train")
    chosen = texts.select(training)
    return Vocabulary.fit(
        chosen.counts(),
        min_word_count=text.min_word_count,
        min_character_count=text.min_character_count,
        authors=chosen.author_counts(own.authors[training]),
        min_word_authors=text.min_word_authors,
    )


if __name__ == "__main__":
    main()
