"""Labelled pairs of texts whose authors tried to hide: the Extended Brennan-Greenstadt corpus.

    python experiments/disguised_pairs.py ebg.parquet -o runs/disguise
    adhominem model evaluate adhominem runs/disguise/obfuscation.pairs.jsonl.gz
    adhominem model robustness adhominem runs/disguise/normal.pairs.jsonl.gz

A file for each kind of questioned text: normal, obfuscation (the author hides) and imitation (the
author writes like somebody else). On the left stand normal texts of an author, on the right a text
of the kind by the same author, and one by the next author.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pyarrow import parquet

from adhominem.instrument.pair_files import write_pairs
from adhominem.records import Document, Pair

KINDS = ("normal", "obfuscation", "imitation")
KNOWN = 3  # normal texts of each author on the left

Texts = Mapping[str, Mapping[str, Sequence[Document]]]


def read_texts(path: Path) -> Texts:
    """By author and kind, in the order of the file."""
    found: dict[str, dict[str, list[Document]]] = defaultdict(lambda: defaultdict(list))
    for row in parquet.read_table(path, columns=["author", "kind", "text"]).to_pylist():
        found[row["author"]][row["kind"]].append(Document(row["text"], author=row["author"]))
    return found


def pairs_of(texts: Texts, kind: str) -> Iterator[Pair]:
    authors = sorted(author for author in texts if texts[author][kind])
    for i, author in enumerate(authors):
        for number, known in enumerate(texts[author]["normal"][:KNOWN]):
            for other in (author, authors[(i + 1) % len(authors)]):
                # The last normal text is never among the known ones.
                questioned = texts[other][kind][-1]
                yield Pair(
                    (known,),
                    (questioned,),
                    same_author=author == other,
                    id=f"{kind}-{i}-{number}-{author == other}",
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texts", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    texts = read_texts(arguments.texts)
    for kind in KINDS:
        path = arguments.output / f"{kind}.pairs.jsonl.gz"
        print(path, write_pairs(pairs_of(texts, kind), path))


if __name__ == "__main__":
    main()
