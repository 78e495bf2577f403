"""The colours of the page: vermilion and blue, which colour-blind readers can tell apart."""

from typing import NamedTuple

Rgb = tuple[int, int, int]


class Palette(NamedTuple):
    ink: Rgb
    muted: Rgb
    paper: Rgb
    ground: Rgb
    line: Rgb
    red: Rgb
    blue: Rgb
    cap: float = 0.75  # opacity of the strongest heat, on which ink has a contrast of 4.5


LIGHT = Palette(
    ink=(22, 24, 29),
    muted=(87, 93, 104),
    paper=(255, 255, 255),
    ground=(244, 243, 240),
    line=(220, 218, 212),
    red=(214, 48, 29),
    blue=(0, 114, 178),
)
DARK = Palette(
    ink=(236, 237, 240),
    muted=(163, 169, 180),
    paper=(27, 30, 36),
    ground=(18, 20, 24),
    line=(56, 61, 71),
    red=(224, 62, 40),
    blue=(20, 124, 190),
)
