"""Where the lines and points of a case are drawn, in the units of the drawing."""

from __future__ import annotations

import base64
import struct
import zlib
from collections import Counter
from dataclasses import dataclass

from adhominem.bench.case.rows import Case
from adhominem.instrument.report.palette import LIGHT

ROW = 16  # height of a leaf
_WIDTH = 420  # of the tree without its names
_SHOWN = 30  # characters of a name
_MAP = 100
_LABEL = 5  # height of a name on the map ...
_LETTER = 2.5  # ... and the width of a letter


@dataclass(frozen=True, slots=True)
class Leaf:
    name: str
    shown: str
    y: float
    questioned: bool


@dataclass(frozen=True, slots=True)
class Dendrogram:
    """Each path joins two branches; `neutral` is where the mean evidence speaks for neither."""

    leaves: tuple[Leaf, ...]
    paths: tuple[str, ...]
    ticks: tuple[tuple[float, str], ...]
    neutral: float
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Dot:
    name: str
    shown: str
    x: float
    y: float
    label_y: float
    group: int | None
    questioned: bool


def dendrogram(case: Case) -> Dendrogram:
    """Leaves at the left, one below the other; the farther right two branches meet, the less the
    evidence speaks for one author."""
    names, order = case["names"], case["order"]
    end = max([case["neutral"], *(merge[2] for merge in case["merges"])]) or 1.0
    places = {text: (0.0, ROW * (row + 0.5)) for row, text in enumerate(order)}
    paths = []
    for node, (left, right, height, _) in enumerate(case["merges"], len(names)):
        x = _WIDTH * height / end
        (one_x, one_y), (other_x, other_y) = places[left], places[right]
        paths.append(f"M{one_x:.1f} {one_y:.1f}H{x:.1f}V{other_y:.1f}H{other_x:.1f}")
        places[node] = (x, (one_y + other_y) / 2)
    top, bottom = case["neutral"], case["neutral"] - end
    ticks = [
        (_WIDTH * (top - value) / end, f"{value:+d}".replace("-", "−") if value else "0")
        for value in range(int(top), int(bottom) - 1, -1)
        if bottom <= value
    ]
    leaves = tuple(
        Leaf(names[t], shorten(names[t]), places[t][1], names[t] == case["questioned"])
        for t in order
    )
    neutral = _WIDTH * top / end
    return Dendrogram(leaves, tuple(paths), tuple(ticks), neutral, _WIDTH, ROW * len(names))


def dots(case: Case) -> tuple[Dot, ...]:
    """On a square of 2 * _MAP; the group has a number from 1, None for a text alone."""
    sizes: Counter[int] = Counter(case["groups"])
    places = [(_MAP * x, -_MAP * y) for x, y in case["map"]]
    labels = _beside_each_other(places, [shorten(name) for name in case["names"]])
    return tuple(
        Dot(
            name,
            shorten(name),
            *place,
            label,
            group + 1 if sizes[group] > 1 else None,
            name == case["questioned"],
        )
        for name, place, label, group in zip(
            case["names"], places, labels, case["groups"], strict=True
        )
    )


def _beside_each_other(places: list[tuple[float, float]], shown: list[str]) -> list[float]:
    """The height of each name, moved down where it would cover another."""
    heights = [y for _, y in places]
    done: list[int] = []
    for i in sorted(range(len(places)), key=lambda i: (places[i][1], i)):
        for j in done:
            left, right = sorted((i, j), key=lambda k: places[k][0])
            meet = places[right][0] < places[left][0] + _LETTER * len(shown[left])
            if meet and abs(heights[i] - heights[j]) < _LABEL:
                heights[i] = heights[j] + _LABEL
        done.append(i)
        done.sort(key=lambda k: heights[k])
    return heights


def shorten(name: str) -> str:
    return name if len(name) <= _SHOWN else f"{name[: _SHOWN - 1]}…"


def strength(llr: float | None, peak: float) -> float:
    """From 0 for no colour to 1 for the largest evidence."""
    return 0.0 if llr is None else min(abs(llr) / peak, 1.0)


def largest(case: Case) -> float:
    return max([1e-9, *(abs(float(llr)) for row in case["llr"] for llr in row if llr is not None)])


def picture(case: Case) -> str:
    """The matrix in the order of the leaves, a pixel for each pair, as the URL of a PNG: blue for
    one author, vermilion for two, transparent for neither."""
    peak, order = largest(case), case["order"]
    cap = LIGHT.cap * 255
    rows = bytearray()
    for i in order:
        rows.append(0)
        for j in order:
            llr = case["llr"][i][j]
            colour = LIGHT.blue if (llr or 0) > 0 else LIGHT.red
            rows += bytes((*colour, round(cap * strength(llr, peak))))
    n = len(order)
    png = b"\x89PNG\r\n\x1a\n"
    for kind, data in (
        (b"IHDR", struct.pack(">IIBBBBB", n, n, 8, 6, 0, 0, 0)),
        (b"IDAT", zlib.compress(bytes(rows), 9)),
        (b"IEND", b""),
    ):
        png += struct.pack(">I", len(data)) + kind + data
        png += struct.pack(">I", zlib.crc32(kind + data))
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"
