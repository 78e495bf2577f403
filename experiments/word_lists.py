"""Writes the word lists of `adhominem.instrument.linguistics` that are derived from others.

    python experiments/word_lists.py scowl/final symspellpy/

SCOWL 2020.12.07 (Debian: /usr/share/dict/scowl) says how common a word is and whether it is
American or British, the lists of pairs of words in symspellpy 6.10 which two words are often
written apart. The files of both are named in `data/SOURCES.md`, with their terms.
"""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

from adhominem.instrument.linguistics.lexicon import word_set

DATA = Path(__file__).parents[1] / "src" / "adhominem" / "instrument" / "linguistics" / "data"
LEVELS = (10, 20, 35, 40, 50, 55, 60, 70)
RARE = (80,)  # names and words that are known but never meant
REGIONS = ("english", "american", "british", "british_z")
# British to American, tried in this order at every place and at all places at once.
RULES = (
    *("our or", "is iz", "ys yz", "re er", "ll l", "l ll", "ogue og", "enc ens", "ae e", "oe e"),
    *("mme m", "ou o", "aero air", "ey ay", "pp p", "que ck", "sc sk", "mou mu", "draught draft"),
    *("plough plow", "sulph sulf", "tyre tire", "cheque check", "ium um", "oeuvre euver", "gg g"),
    *("ellery elry", "storey story", "kerb curb", "pyj paj", "ph f"),
)
NO_VARIETY = word_set(  # the rules would lead to another word
    "prise prised prises prising learned among spelled spoiled dreamed rouble roubles haem"
)
# Words before and behind which another word is no part of a compound.
LOOSE_FIRST = word_set(
    "the and but for not was has had her his our its are all who she you they them this that may "
    "can own too one two ten six now how why let see put got get off per via nor yet due him any "
    "use new old bad red hot big far low top mid main very more most less much many such only "
    "just even been being were will here there these those full sin pro con men man did does "
    "set sat ran run age"
)
LOOSE_SECOND = word_set(
    "out off down over back away through about all able ally ate ion ions age ages ing ent ant "
    "ends ted tic ness less ward wards ship ships ties fully ably like along under hers long "
    "ability red led ring rings sing king tern her hen his one two ten ear ears era its"
)
APART = ("sign posted", "out line", "left most")


def read(
    folder: Path, kind: str, regions: Iterable[str], levels: Iterable[int] = LEVELS
) -> dict[str, int]:
    """Each word with the lowest level at which it is listed; no genitives."""
    found: dict[str, int] = {}
    for level in levels:
        for region in regions:
            path = folder / f"{region}-{kind}.{level}"
            for word in path.read_text(encoding="utf-8").split() if path.exists() else ():
                if word.isalpha():
                    found.setdefault(word, level)
    return found


def varieties(folder: Path, words: dict[str, int]) -> Iterator[str]:
    """British and American spelling; `both` where the American one is British in other senses."""
    american = read(folder, "words", ["american"])
    british = read(folder, "words", ["british"])
    for word in sorted(british):
        if word in american or word in NO_VARIETY or british[word] > 60:
            continue
        for rule in RULES:
            old, new = rule.split()
            places = [match.start() for match in re.finditer(old, word)]
            changed = [word[:at] + new + word[at + len(old) :] for at in places]
            other = next((o for o in [*changed, word.replace(old, new)] if o in words), None)
            if other in (None, *british) or (rule == "is iz" and other not in american):
                continue
            if len(word) > 3:
                yield f"{word} {other}{'' if other in american else ' both'}"
                break


def frequencies(folder: Path, name: str) -> dict[str, int]:
    """How often a word, or a pair of words written as one, was counted."""
    (path,) = folder.glob(f"{name}_en_*.txt")
    rows = (line.split() for line in path.read_text(encoding="utf-8-sig").splitlines())
    return {"".join(words): int(count) for *words, count in rows}


def compounds(
    words: dict[str, int], counts: dict[str, int], apart: dict[str, int]
) -> Iterator[str]:
    """Words of two words that are seldom written apart."""
    for word in sorted(words):
        if words[word] > 50 or counts.get(word, 0) < max(100_000, apart.get(word, 0)):
            continue
        for at in range(3, len(word) - 2):
            first, second = word[:at], word[at:]
            if first in LOOSE_FIRST or second in LOOSE_SECOND:
                continue
            if f"{first} {second}" in APART:
                continue
            if words.get(first, 99) <= 35 and words.get(second, 99) <= 35:
                yield f"{first} {second}"


def write(name: str, lines: Iterable[str]) -> None:
    (DATA / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def by_level(words: dict[str, int], counts: dict[str, int]) -> Iterator[str]:
    """Each level in lines, the most frequent words first."""
    for level in LEVELS:
        chosen = sorted(word for word in words if words[word] == level)
        chosen.sort(key=lambda word: -counts.get(word, 0))
        yield from textwrap.wrap(
            " ".join(chosen), 100, initial_indent=f"{level} ", subsequent_indent=f"{level} "
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scowl", type=Path, help="folder with english-words.10 and the like")
    parser.add_argument("frequencies", type=Path, help="folder with symspellpy's dictionaries")
    arguments = parser.parse_args()
    words = read(arguments.scowl, "words", REGIONS)
    rare = read(arguments.scowl, "words", ["variant_1", "variant_2"])
    words = {**dict.fromkeys(rare, 70), **words}
    names = read(arguments.scowl, "upper", REGIONS) | read(arguments.scowl, "proper-names", REGIONS)
    short = read(arguments.scowl, "abbreviations", REGIONS)
    counts = frequencies(arguments.frequencies, "frequency_dictionary")
    apart = frequencies(arguments.frequencies, "frequency_bigramdictionary")
    write("words.txt", by_level(words, counts))
    write("names.txt", textwrap.wrap(" ".join(sorted(names)), 100))
    rare_names = read(arguments.scowl, "proper-names", REGIONS, RARE).keys() - names.keys()
    write("rare_names.txt", textwrap.wrap(" ".join(sorted(rare_names)), 100))
    rare_words = read(arguments.scowl, "words", REGIONS, RARE).keys() - words.keys()
    write("rare_words.txt", textwrap.wrap(" ".join(sorted(rare_words)), 100))
    write("short.txt", textwrap.wrap(" ".join(sorted(short)), 100))
    write("varieties.txt", varieties(arguments.scowl, words))
    write("compounds.txt", compounds(words, counts, apart))


if __name__ == "__main__":
    main()
