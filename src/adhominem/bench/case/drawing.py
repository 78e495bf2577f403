"""The figures of a case as coordinates and pixels: dendrogram, matrix of evidence, map."""

import base64
import math
import struct
import zlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from adhominem.instrument.report.palette import LIGHT
from adhominem.instrument.report.wording import signed

Case = Mapping[str, Any]  # made by `study.case_dict`
Box = tuple[float, float, float, float]  # left, top, right, bottom
TREE_WIDTH, ROW = 380, 16  # of the dendrogram, and the height of a leaf
MAP_WIDTH, MAP_HEIGHT, _MARGIN = 480, 400, 56
_MAX_LABELS, _MAX_LINKS = 45, 80  # texts of a map that has names, and lines between texts
_LETTER = 6.8  # width of a letter on the map
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}  # share of a name that is left of its x
_MIN_PEAK = 2.0  # log10 LR; weaker evidence never has the full colour
_SELF, _UNDECIDED = 0.25, 0.12  # opacity of cells without a verdict


def dendrogram(case: Case) -> dict[str, Any]:
    """The tree, with the leaves at the right.

    branches   for each merge its SVG path, and the mean log10 LR between the texts of both branches
    ticks      positions as shares of the width, and their log10 LR
    neutral    x of the mean log10 LR 0
    """
    n, neutral = len(case["names"]), case["neutral"]
    end = max([1.15 * neutral, *(merge[2] for merge in case["merges"])]) or 1.0
    nodes = {text: (float(TREE_WIDTH), ROW * (row + 0.5)) for row, text in enumerate(case["order"])}
    branches = []
    for node, (left, right, height, _) in enumerate(case["merges"], n):
        x = TREE_WIDTH * (1 - height / end)
        (one_x, one_y), (other_x, other_y) = nodes[left], nodes[right]
        path = f"M{one_x:.1f} {one_y:.1f}H{x:.1f}V{other_y:.1f}H{other_x:.1f}"
        branches.append((path, neutral - height))
        nodes[node] = (x, (one_y + other_y) / 2)
    step = max(1, round(end / 6))
    values = range(math.floor(neutral), math.ceil(neutral - end) - 1, -1)
    shown = [value for value in values if value % step == 0]
    ticks = [(1 - (neutral - v) / end, signed(v, 0) if v else "0") for v in shown]
    return {"branches": branches, "ticks": ticks, "neutral": TREE_WIDTH * (1 - neutral / end)}


def map_points(case: Case) -> list[dict[str, Any]]:
    """The texts on the map: name, x and y, group (None if single) and label (None if hidden)."""
    sizes = group_sizes(case)
    wide, high = MAP_WIDTH / 2, MAP_HEIGHT / 2
    places = [(wide + x * (wide - _MARGIN), high - y * (high - _MARGIN)) for x, y in case["map"]]
    radii = [13 if name == case["questioned"] else 7 for name in case["names"]]
    taken = [(x - r, y - r, x + r, y + r) for (x, y), r in zip(places, radii, strict=True)]
    points = []
    for i, (name, group) in enumerate(zip(case["names"], case["groups"], strict=True)):
        label, (x, y) = None, places[i]
        if len(places) <= _MAX_LABELS:
            label = _free_label(len(shorten(name)), x, y, radii[i] + 4, taken)
        own = group if sizes[group] > 1 else None
        points.append({"name": name, "x": x, "y": y, "group": own, "label": label})
    return points


def group_sizes(case: Case) -> Counter[int]:
    """The number of texts of each group in the whole case, also if only a part of it is drawn."""
    largest = dict[int, int](enumerate(case["summary"]["groups"]))  # they are numbered by size
    return Counter[int](case["groups"]) | Counter(largest)


def _free_label(
    n_letters: int, x: float, y: float, off: int, taken: list[Box]
) -> dict[str, Any] | None:
    """Find a free place for the name of a point beside, below or above it, and add its box to
    `taken`; None if there is no free place. `anchor` is the SVG text-anchor."""
    width = _LETTER * n_letters
    for label_x, label_y, anchor in (
        (x + off, y + 4, "start"),
        (x - off, y + 4, "end"),
        (x, y + off + 11, "middle"),
        (x, y - off - 2, "middle"),
        (x + off, y + 18, "start"),
        (x + off, y - 10, "start"),
    ):
        left, top, bottom = label_x - _ANCHORS[anchor] * width, label_y - 11, label_y + 3
        right = left + width
        is_free = all(r < left or right < a or b < top or bottom < t for a, t, r, b in taken)
        if is_free and left > 0 and right < MAP_WIDTH:
            taken.append((left, top, right, bottom))
            return {"x": label_x, "y": label_y, "anchor": anchor}
    return None


def map_links(case: Case) -> list[list[int]]:
    """Pairs of texts with reliable evidence for one author; empty if there are too many texts."""
    linked = np.triu((np.array(case["verdict"]) == "same") & np.array(case["reliable"]), 1)
    return np.argwhere(linked).tolist() if len(linked) <= _MAX_LINKS else []


def peak(case: Case) -> float:
    """The log10 LR that has the full colour."""
    found = (abs(float(llr)) for row in case["llr"] for llr in row if llr is not None)
    return max(_MIN_PEAK, *found)


def matrix_picture(case: Case, cell: int = 1) -> str:
    """The matrix in the order of the leaves as a PNG in a data URL: blue for one author, vermilion
    for two, grey if undecided. Cells of 8 pixels or more have a gap, and unreliable ones are
    smaller."""
    order = np.ix_(case["order"], case["order"])
    llr = np.array(case["llr"], dtype=np.float64)[order]
    decided = (np.array(case["verdict"], dtype=str)[order] != "undecided") & ~np.isnan(llr)
    colours = np.where((llr > 0)[..., None], LIGHT.blue, LIGHT.red)
    opacity = LIGHT.cap * np.minimum(np.abs(np.nan_to_num(llr)) / peak(case), 1)
    opacity = np.where(decided, opacity, np.where(np.isnan(llr), _SELF, _UNDECIDED))
    colours = np.where(decided[..., None], colours, LIGHT.muted)
    pixels = np.concatenate([colours, np.rint(255 * opacity)[..., None]], axis=2).astype(np.uint8)
    pixels = pixels.repeat(cell, axis=0).repeat(cell, axis=1)
    if cell >= 8:
        reliable = np.array(case["reliable"], dtype=bool)[order] | ~decided
        large = reliable.repeat(cell, axis=0).repeat(cell, axis=1)
        place = np.arange(len(pixels)) % cell
        inset = np.minimum(place, cell - 2 - place)
        inset = np.minimum.outer(inset, inset)
        pixels[(inset < 0) | (~large & (inset < cell // 5))] = 0
    return _png(pixels)


def _png(pixels: npt.NDArray[np.uint8]) -> str:
    height, width, _ = pixels.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n"
    for chunk in (b"IHDR" + head, b"IDAT" + zlib.compress(rows.tobytes(), 9), b"IEND"):
        png += struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"


def shorten(name: str, most: int = 30) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
