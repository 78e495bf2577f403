"""Amazon's reviews: the fields of three dumps, and where the category comes from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adhominem.laboratory.corpus.readers.amazon import (
    category_of_file,
    is_metadata,
    is_review,
    product_category,
    read_review,
)
from adhominem.laboratory.corpus.readers.reader import RawDocument
from adhominem.rows import RecordError

DUMP_2014 = {
    **{"reviewerID": "A1", "asin": "B1", "reviewerName": "Bob", "helpful": [2, 3]},
    **{"reviewText": "Good.", "overall": 5.0, "summary": "Yes", "unixReviewTime": 1252800000},
}
DUMP_2018 = {
    **{"overall": 5.0, "verified": True, "reviewTime": "09 1, 2016", "reviewerID": "A1"},
    **{"asin": "B1", "style": {"Size:": " 5"}, "reviewText": "Good.", "vote": "2"},
}
DUMP_2023 = {
    **{"rating": 5.0, "title": "Yes", "text": "Good.", "images": [], "asin": "B1"},
    **{"parent_asin": "B0", "user_id": "A1", "helpful_vote": 0, "verified_purchase": True},
}
DUMPS = [DUMP_2014, DUMP_2018, DUMP_2023]
METADATA: list[dict[str, Any]] = [
    {"asin": "B1", "categories": [["Books", "Novels"], ["Gifts"]], "price": 3.0},
    {"asin": "B1", "category": ["Books", "Novels"], "main_cat": "Books"},
    {"parent_asin": "B1", "main_category": "Books", "title": "It", "categories": ["x"]},
]


@pytest.mark.parametrize("record", DUMPS)
def test_the_reviews_of_all_dumps_are_read_alike(record: dict[str, Any]) -> None:
    assert is_review(record) and not is_metadata(record)
    found = read_review(record, 7, "Books", {})
    assert found == RawDocument("A1", "Books", "Good.", 7)


@pytest.mark.parametrize("record", METADATA)
def test_the_metadata_of_all_dumps_are_read_alike(record: dict[str, Any]) -> None:
    assert is_metadata(record) and not is_review(record)
    assert product_category(record) == ("B1", "Books")


@pytest.mark.parametrize("record", DUMPS)
def test_the_review_comes_before_the_metadata_and_these_before_the_file(
    record: dict[str, Any],
) -> None:
    product = record.get("parent_asin", record["asin"])

    def topic(record: dict[str, Any], categories: dict[str, str]) -> str | None:
        return read_review(record, 1, "file", categories).topic

    known = {product: "metadata"}
    assert topic({**record, "main_category": "own"}, known) == "own"
    assert topic({**record, "category": [["own"], "x"]}, known) == "own"
    assert topic(record, known) == "metadata"
    assert topic({**record, "main_category": None, "category": [[]]}, known) == "metadata"
    assert topic(record, {"other": "metadata"}) == "file"
    assert topic({**record, "asin": 5, "parent_asin": None}, known) == "file"


@pytest.mark.parametrize(
    "record",
    [
        {"asin": "B1"},
        {"categories": [["Books"]]},
        {"asin": "B1", "categories": []},
        {"asin": "B1", "category": [[]], "main_cat": ""},
        {"asin": 1, "category": "Books"},
        {"asin": "B1", "category": " "},
        {"asin": "B1", "category": 5},
    ],
)
def test_metadata_without_a_product_or_a_category_say_nothing(record: dict[str, Any]) -> None:
    assert product_category(record) is None


@pytest.mark.parametrize("record", DUMPS)
def test_a_review_without_author_or_text_is_refused(record: dict[str, Any]) -> None:
    for missing, role in ((("reviewerID", "user_id"), "author"), (("reviewText", "text"), "text")):
        rest = {name: value for name, value in record.items() if name not in missing}
        with pytest.raises(RecordError) as caught:
            read_review(rest, 1, "x", {})
        assert caught.value.reason == f"missing {role}"


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("reviews_Movies_and_TV_5.json.gz", "Movies and TV"),
        ("reviews_Books.json.gz", "Books"),
        ("Movies_and_TV_5.json.gz", "Movies and TV"),
        ("kcore_5.json.gz", "5"),
        ("All_Beauty.jsonl.gz", "All Beauty"),
        ("CDs_and_Vinyl_10.json", "CDs and Vinyl"),
        ("Kindle_Store", "Kindle Store"),
        ("reviews_.json", "reviews_.json"),
        (".json", ".json"),
        ("\udcff.json", "\ufffd"),
    ],
)
def test_the_name_of_the_file_gives_the_category(name: str, category: str) -> None:
    assert category_of_file(Path("some/folder") / name) == category
