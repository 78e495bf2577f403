"""A reader whose attention is known beforehand: every word has a weight of its own."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from adhominem.instrument.network.attended_texts import AttendedTexts
from adhominem.instrument.text.tokenise import tokenise

_WORDS = (  # noqa: SIM905
    "the room was definately clean , and we loved it & the staff ! i dont know why seperate beds "
    "cost more ; Rome is GREAT because breakfast cuz view recieve beautiful ..."
).split()


@dataclass(frozen=True)
class Looking:
    """A tenth of every line falls on its marker; a line is a sentence and weighs `of_line` of its
    place and the number of lines of its text."""

    weights: Mapping[str, float] = field(default_factory=dict)
    of_line: Callable[[int, int], float] = lambda *_: 1.0
    unknown: frozenset[str] = frozenset()
    noise: int = 0

    def attention(self, texts: Sequence[str]) -> AttendedTexts:
        read = tokenise(texts)
        n_lines = len(read.sentences) - 1
        line = np.repeat(np.arange(n_lines), np.diff(read.sentences))
        raw = np.array([self._weight(place, word) for place, word in enumerate(read.words())])
        counts = np.diff(read.documents)
        share = np.array([self.of_line(i, int(n)) for n in counts for i in range(n)])
        owner = np.repeat(np.arange(read.n_documents), counts)
        return AttendedTexts(
            texts=read,
            word_attention=0.9 * raw / np.bincount(line, weights=raw, minlength=n_lines)[line],
            line=line,
            line_attention=share / np.bincount(owner, weights=share, minlength=len(counts))[owner],
            line_documents=read.documents,
            is_known=np.array([word not in self.unknown for word in read.words()], dtype=bool),
        )

    def randomised(self, *, seed: int) -> "Looking":
        return Looking(noise=seed)

    def _weight(self, place: int, word: str) -> float:
        if self.noise:
            return random.Random(f"{self.noise} {place} {word}").random()
        return self.weights.get(word, 1.0)


def some_texts(n: int, *, seed: int, n_sentences: int = 6) -> list[str]:
    rng = random.Random(seed)
    return [
        " ".join(
            " ".join(rng.choices(_WORDS, k=rng.randint(3, 9))).capitalize() + "."
            for _ in range(rng.randint(1, n_sentences))
        )
        for _ in range(n)
    ]
