"""The page of a case: whole, escaped, and drawn where the numbers say."""

from __future__ import annotations

import base64
import io
import json
import re
from itertools import combinations
from operator import itemgetter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.bench.case.drawing import TREE_WIDTH, dendrogram, map_points, matrix_picture
from adhominem.bench.case.page import (
    case_page,
    case_text,
    cell_words,
    groups_of,
    links_of,
)
from adhominem.bench.case.reproduce import reproduction_text


def made_case(n: int, **changes: Any) -> dict[str, Any]:
    """Texts in a row, each further from the next; the last one is not judged."""
    places = np.cumsum(np.arange(n)) / n
    llr = 2 - np.abs(np.subtract.outer(places, places))
    llr[-1], llr[:, -1] = 0, 0
    verdict = np.where(llr > 0, "same", "different").astype(object)
    verdict[-1], verdict[:, -1] = "undecided", "undecided"
    merges = [[0, 1, 0.2, 2]] + [[n + i, i + 2, 0.5 + i, i + 3] for i in range(n - 2)]
    return {
        "names": [f"text <{i}>" for i in range(n)],
        "authors": [None] * n,
        "doubts": [[]] * (n - 1) + [["the text has 1 token"]],
        "llr": [
            [None if i == j else v for j, v in enumerate(r)] for i, r in enumerate(llr.tolist())
        ],
        "reliable": [[False] * n] * n,
        "verdict": verdict.tolist(),
        "order": list(range(n)),
        "merges": merges,
        "neutral": 2.0,
        "map": [[i / n, -i / n] for i in range(n)],
        "groups": [0, 0, *range(1, n - 1)],
        "questioned": None,
        "ranking": None,
        "model": {"name": "x", "version": "1", "sha256": "ab"},
        "readings": [{"tokens": 20, "unknown": 0}] * n,
        "hashes": ["cd"] * n,
        "track_records": [],
        "labels": {},
        "copied": [[False] * n] * n,
        "summary": {
            **{"texts": n, "pairs": n * (n - 1) // 2, "not_judged": 1, "groups": [2]},
            **{"same": 1, "different": 2, "undecided": n - 1, "reliable": 0},
        },
        **changes,
    }


@pytest.mark.parametrize("n", [2, 24, 60])
def test_everything_is_escaped_and_nothing_comes_from_outside(n: int) -> None:
    page = case_page(made_case(n))
    assert "text <0>" not in page
    assert "text &lt;0&gt;" in page
    assert "<script" not in page
    assert not re.findall(r'(?:src|href)="(?!data:image/png)', page)
    assert page.count("<circle") == n
    assert page.count('<path class="branch') == n - 1
    assert page.count('<img src="data:image/png') == 1
    assert ('class="numbers"' in page) == (n <= 24)
    assert "the text has 1 token" in page


def test_a_name_cannot_reorder_its_neighbours() -> None:
    """What turns the direction of writing is shown by its name, and every name stands apart."""
    names = ["evil\u202egnp.exe", "two\u2067", "שלום 1"]
    page = case_page(made_case(3, names=names, questioned=names[0]))
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", page)
    assert "<bdi>evil[U+202E]gnp.exe</bdi>" in page
    assert "<bdi>שלום 1</bdi>" in page


def test_the_picture_has_a_pixel_for_each_pair() -> None:
    import matplotlib.image

    case = made_case(30)
    case["order"] = case["order"][::-1]
    data = base64.b64decode(matrix_picture(case).partition(",")[2])
    pixels = matplotlib.image.imread(io.BytesIO(data), format="png")
    assert pixels.shape == (30, 30, 4)
    for row, i in enumerate(case["order"]):
        for column, j in enumerate(case["order"]):
            llr = case["llr"][i][j]
            red, _, blue, alpha = pixels[row, column]
            if llr is None or case["verdict"][i][j] == "undecided":
                assert alpha == pytest.approx(0.25 if llr is None else 0.12, abs=0.005)
                continue
            assert alpha == pytest.approx(0.75 * abs(llr) / _largest(case), abs=0.005)
            assert (blue > red) == (llr > 0)


def test_cells_have_a_gap_and_are_smaller_where_they_are_not_reliable() -> None:
    import matplotlib.image

    case = made_case(3, reliable=[[False, True, False]] * 3)
    data = base64.b64decode(matrix_picture(case, 20).partition(",")[2])
    alpha = matplotlib.image.imread(io.BytesIO(data), format="png")[..., 3]
    assert alpha.shape == (60, 60)
    assert (np.count_nonzero(alpha[:20, 20:40]), np.count_nonzero(alpha[20:40, :20])) == (
        19 * 19,
        11 * 11,
    )


def _largest(case: dict[str, Any]) -> float:
    return max(abs(v) for row in case["llr"] for v in row if v is not None)


def test_branches_meet_at_their_height() -> None:
    tree = dendrogram(made_case(5))
    meets = [float(re.findall(r"H([\d.]+)V", path)[0]) for path, _ in tree["branches"]]
    expected = [TREE_WIDTH * (1 - h / 2.5) for h in (0.2, 0.5, 1.5, 2.5)]
    assert meets == pytest.approx(expected, abs=0.1)
    assert [mean > 0 for _, mean in tree["branches"]] == [True, True, True, False]
    assert tree["neutral"] == pytest.approx(TREE_WIDTH * (1 - 2 / 2.5))
    assert (pytest.approx(tree["neutral"] / TREE_WIDTH), "0") in tree["ticks"]
    assert float(re.findall(r"M[\d.]+ ([\d.]+)", tree["branches"][0][0])[0]) == 8


def test_rows() -> None:
    case = made_case(5)
    together, alone = groups_of(case)
    assert together == [{"names": ["text <0>", "text <1>"], "left_out": 0}]
    assert alone == ["text <2>", "text <3>", "text <4>"]
    links = links_of(case)
    strengths = [link["llr"] for link in links]
    assert strengths == sorted(strengths, reverse=True)
    assert (links[0]["i"], links[0]["j"]) == (0, 1)
    assert strengths[-1] > 0


def test_words_of_every_cell() -> None:
    case = made_case(4, order=[2, 0, 1, 3])
    cells = json.loads(cell_words(case))
    assert cells["names"] == ["text <2>", "text <0>", "text <1>", "text <3>"]
    words = [[cells["words"][letter] for letter in row] for row in cells["letters"]]
    assert [words[i][i] for i in range(4)] == [""] * 4
    assert words[0][3] == "undecided"
    assert words[1][2] == "moderate support for one author"
    assert cells["llr"][1][2] == 1.75


def test_reproduction_in_words() -> None:
    done = {"numbers": 9, "exact": 9, "differences": [], "version": None}
    assert reproduction_text(done) == "The same: all 9 numbers are equal to the last digit."
    assert "9 numbers 7 are" in reproduction_text({**done, "exact": 7})
    assert "version 0.0" in reproduction_text({**done, "version": "0.0"})
    wrong = [{"place": f"llr[{i}]\x1b", "before": i, "now": "x" * 99} for i in range(30)]
    text = reproduction_text({**done, "differences": wrong})
    assert text.startswith("Not the same: 30 places differ.")
    assert "and 10 more" in text and "\x1b" not in text
    assert max(map(len, text.splitlines())) < 120


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=1, max_size=12))
def test_no_name_on_the_map_covers_another(places: list[tuple[float, float]]) -> None:
    case = {
        "names": [f"text {i}" for i in range(len(places))],
        "map": [*places[:-1], places[0]],
        "authors": [None] * len(places),
        "groups": [0] * len(places),
        "summary": {"groups": [len(places)]},
        "questioned": None,
    }
    found = map_points(case)
    boxes = []
    for point in filter(itemgetter("label"), found):
        label, width = point["label"], 6.8 * len(point["name"])
        left = label["x"] - {"start": 0, "middle": width / 2, "end": width}[label["anchor"]]
        boxes.append((left, label["y"] - 11, left + width, label["y"] + 3))
    boxes += [(p["x"] - 6, p["y"] - 6, p["x"] + 6, p["y"] + 6) for p in found]
    labels = len(boxes) - len(found)
    for (i, one), (_, other) in combinations(enumerate(boxes), 2):
        beside = one[2] < other[0] or other[2] < one[0]
        assert i >= labels or beside or one[3] < other[1] or other[3] < one[1]


def test_copied_text_is_said_and_not_called_reliable() -> None:
    copied = [[False, True, False], [True, False, False], [False] * 3]
    case = made_case(3, copied=copied, reliable=[[False, False, True]] * 3)
    assert ", copied text" in case_text(case)
    assert links_of(case)[0]["words"].endswith(", copied text")
    assert "copied text, reliable" not in case_text(case)
    assert ", copied text" in case_page(case)


def test_kinds_of_a_case_are_shown_in_words() -> None:
    readings = [{"tokens": 20, "unknown": 0, "recognised": "van"}] * 2
    case = made_case(2, readings=readings, labels={"van": "van club forum (van)"})
    assert "nearest to van club forum (van)" in case_text(case)
    assert "nearest to van club forum (van)" in case_page(case)
