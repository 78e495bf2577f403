r"""How many hits of each detector are right, judged by a reader on real texts.

    python experiments/detector_precision.py draw reviews.parquet --seed 1 -o .local/hits.tsv
    python experiments/detector_precision.py count .local/hits.tsv \
        -o results/detector-precision.json

`draw` takes up to 50 hits of each category from random texts, one hit of a category a text, and
writes them with their surroundings. In between a reader sets the first column: 1 where the hit
is what its category says (and what is given as intended was meant), 0 where not. `count` refuses
a file with unjudged lines and writes the verdicts and the counts that follow from them: rows and
places alone, none of the text. Several files are counted together; where two of them hold the same
category of the same corpus, the later one stands, so that an improved detector is judged on a new
draw.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections import defaultdict
from pathlib import Path

from pyarrow import parquet

from adhominem.instrument.linguistics.habits import CATEGORIES, find_habits

PLACE = ("row", "start", "end", "verdict")
MOST_HITS, MOST_TEXTS, AROUND = 50, 12_000, 60
COLUMNS = (
    *("verdict", "category", "corpus", "seed", "row", "start", "end"),
    *("surface", "intended", "context"),
)


def draw(corpus: Path, *, seed: int, categories: frozenset[str]) -> list[dict[str, object]]:
    texts = parquet.read_table(corpus, columns=["text"]).column("text")
    rng = random.Random(seed)
    drawn: dict[str, list[dict[str, object]]] = defaultdict(list)
    wanted = set(categories)
    for row in rng.sample(range(len(texts)), min(MOST_TEXTS, len(texts))):
        text = texts[row].as_py()
        hits = list(find_habits(text).hits)
        rng.shuffle(hits)
        for hit in {hit.category: hit for hit in hits if hit.category in wanted}.values():
            around = text[max(hit.start - AROUND, 0) : hit.start], text[hit.end :][:AROUND]
            values = (
                *("", hit.category, corpus.stem, seed, row, hit.start, hit.end),
                *(hit.surface, hit.intended or "", f">>{hit.surface}<<".join(around)),
            )
            drawn[hit.category].append(dict(zip(COLUMNS, values, strict=True)))
            if len(drawn[hit.category]) == MOST_HITS:
                wanted.remove(hit.category)
        if not wanted:
            break
    return [line for category in CATEGORIES for line in drawn[category.name]]


def count(lines: list[dict[str, str]]) -> list[dict[str, object]]:
    """One entry for each category and corpus: the verdicts, and what they add up to."""
    unjudged = sum(line["verdict"] not in ("0", "1") for line in lines)
    if unjudged:
        raise SystemExit(f"{unjudged} hits are not judged: set the first column to 0 or 1")
    judged: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    for line in lines:
        judged[line["category"], line["corpus"]].append(line)
    entries = []
    for category in CATEGORIES:
        for (name, corpus), own in judged.items():
            if name != category.name:
                continue
            own = [line for line in own if line["seed"] == own[-1]["seed"]]
            right = sum(line["verdict"] == "1" for line in own)
            places = [[int(line[column]) for column in PLACE] for line in own]
            entries.append(
                {
                    "category": name,
                    "corpus": corpus,
                    "seed": int(own[-1]["seed"]),
                    "judged": len(own),
                    "right": right,
                    "precision": round(right / len(own), 2),
                    "hits": sorted(places),
                }
            )
    return entries


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def write_lines(path: Path, lines: list[dict[str, object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t")
        writer.writeheader()
        writer.writerows(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    drawing = verbs.add_parser("draw")
    drawing.add_argument("corpus", type=Path)
    drawing.add_argument("--seed", type=int, default=1)
    drawing.add_argument("--category", action="append", help="all of them if none is named")
    drawing.add_argument("-o", "--output", type=Path, required=True)
    counting = verbs.add_parser("count")
    counting.add_argument("judged", type=Path, nargs="+")
    counting.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    if arguments.verb == "draw":
        chosen = frozenset(arguments.category or (category.name for category in CATEGORIES))
        lines = draw(arguments.corpus, seed=arguments.seed, categories=chosen)
        write_lines(arguments.output, lines)
    else:
        judged = [line for path in arguments.judged for line in read(path)]
        entries = ",\n  ".join(map(json.dumps, count(judged)))
        columns = json.dumps(PLACE)
        content = f'{{\n "columns of hits": {columns},\n "categories": [\n  {entries}\n ]\n}}\n'
        arguments.output.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
