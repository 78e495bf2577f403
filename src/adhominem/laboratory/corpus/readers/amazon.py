"""McAuley's dumps of Amazon reviews: one review per line, the category in the file name.

The dumps of 2014 and 2018 call their fields `reviewerID` and `reviewText`, that of 2023 `user_id`
and `text`. A category field in the review itself comes first, then the product's entry in a
metadata file given beside the reviews, then the name of the file (`reviews_Books_5.json.gz`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adhominem.laboratory.corpus.readers.rows import Found, author_field, sound, text_field

_NAMES = (("reviewerID", "reviewText"), ("user_id", "text"))
_PRODUCT = ("parent_asin", "asin")
_CATEGORY = ("main_category", "main_cat", "category", "categories")
_REVIEW_ONLY = {"reviewText", "reviewerID", "user_id", "overall", "helpful_vote"}


def is_review(record: Mapping[str, Any]) -> bool:
    return any(name in record for name in _PRODUCT) and bool(
        {"reviewerID", "user_id"} & set(record)
    )


def is_metadata(record: Mapping[str, Any]) -> bool:
    return any(name in record for name in _PRODUCT) and not _REVIEW_ONLY & set(record)


def read_review(
    record: dict[str, Any], line: int, *, category: str, categories: Mapping[str, str]
) -> Found:
    author, text = next((n for n in _NAMES if n[0] in record), _NAMES[0])
    return Found(
        author=author_field(record, author),
        topic=_category(record) or _by_product(record, categories) or category,
        text=text_field(record, text),
        line=line,
    )


def product_category(record: Mapping[str, Any]) -> tuple[str, str] | None:
    """The product of a metadata record and its main category."""
    product = _product(record)
    category = _category(record)
    return (product, category) if product and category else None


def category_of_file(path: Path) -> str:
    """reviews_Movies_and_TV_5.json.gz is about "Movies and TV"."""
    name = path.name.split(".")[0]
    name = re.sub(r"^(reviews|Reviews|kcore)_", "", name)
    name = re.sub(r"_(5|10)$", "", name)
    return sound(name.replace("_", " ").strip() or path.name)


def _product(record: Mapping[str, Any]) -> str | None:
    product = next((record[name] for name in _PRODUCT if name in record), None)
    return product if isinstance(product, str) else None


def _by_product(record: Mapping[str, Any], categories: Mapping[str, str]) -> str | None:
    product = _product(record) if categories else None
    return categories.get(product) if product else None


def _category(record: Mapping[str, Any]) -> str | None:
    """The outermost one where there is a path of categories, or several paths."""
    value = next((record[name] for name in _CATEGORY if record.get(name)), None)
    while isinstance(value, list | tuple):
        value = value[0] if value else None
    return sound(value).strip() or None if isinstance(value, str) else None
