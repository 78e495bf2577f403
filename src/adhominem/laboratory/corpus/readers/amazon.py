"""McAuley's dumps of Amazon reviews: one review per line, one file per category.

The dumps of 2014 and 2018 have the fields `reviewerID` and `reviewText`, that of 2023 `user_id`
and `text`. The topic is the category in the review, else that of the product in a metadata file,
else that in the file name (`reviews_Books_5.json.gz`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

from adhominem.laboratory.corpus.readers.plain_files import LineFile
from adhominem.laboratory.corpus.readers.reader import Head, RawDocument, Shard, Source
from adhominem.laboratory.corpus.store import write_table
from adhominem.lines import iterate_lines, open_bytes
from adhominem.rows import RecordError, author_field, parse_object, storable, text_field

_FIELDS = (("reviewerID", "reviewText"), ("user_id", "text"))  # author and text
_PRODUCT = ("parent_asin", "asin")
_CATEGORY = ("main_category", "main_cat", "category", "categories")
METADATA = "metadata"  # format of files with the categories of products
_REVIEW_ONLY = {"reviewerID", "user_id", "reviewText", "overall", "helpful_vote"}


class AmazonReviews(LineFile):
    """A file of reviews. Its companions are metadata files, which `split` turns into a table."""

    name = "amazon"

    def sniffs(self, path: Path, head: Head) -> bool:
        return is_review(head.special)

    def complete(self, source: Source, others: Sequence[Source]) -> Source:
        return replace(source, companions=tuple(s.path for s in others if s.format == METADATA))

    def split(self, source: Source, folder: Path, shard_bytes: int) -> Iterator[Shard]:
        if source.companions:
            table = folder / "products.parquet"
            if not table.exists():
                _write_products(source.companions, table)
            source = replace(source, companions=(table,))
        return super().split(source, folder, shard_bytes)

    def documents(self, record: dict[str, Any], line: int, source: Source) -> list[RawDocument]:
        category, products = category_of_file(source.path), _read_products(source.companions)
        return [read_review(record, line, category, products)]


def is_review(record: Mapping[str, Any]) -> bool:
    return bool(record.keys() & set(_PRODUCT) and record.keys() & {"reviewerID", "user_id"})


def is_metadata(record: Mapping[str, Any]) -> bool:
    return bool(record.keys() & set(_PRODUCT)) and not record.keys() & _REVIEW_ONLY


def read_review(
    record: dict[str, Any], line: int, category: str, products: Mapping[str, str]
) -> RawDocument:
    """Return the document of a review, given the category of the file and those of products."""
    author, text = next((fields for fields in _FIELDS if fields[0] in record), _FIELDS[0])
    topic = _category(record) or products.get(_product(record) or "") or category
    return RawDocument(author_field(record, author), topic, text_field(record, text), line)


def product_category(record: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the product of a metadata record and its main category, if it has both."""
    product, category = _product(record), _category(record)
    return (product, category) if product and category else None


@lru_cache(maxsize=1)
def category_of_file(path: Path) -> str:
    """Return the category in a file name: "Movies and TV" for reviews_Movies_and_TV_5.json.gz."""
    name = re.sub(r"^(reviews|Reviews|kcore)_|_(5|10)$", "", path.name.split(".")[0])
    return storable(name.replace("_", " ").strip() or path.name)


def _product(record: Mapping[str, Any]) -> str | None:
    product = next((record[name] for name in _PRODUCT if name in record), None)
    return product if isinstance(product, str) else None


def _category(record: Mapping[str, Any]) -> str | None:
    """Return the category of a record; of a path or list of categories, the first."""
    value = next((record[name] for name in _CATEGORY if record.get(name)), None)
    while isinstance(value, list | tuple):
        value = value[0] if value else None
    return storable(value).strip() or None if isinstance(value, str) else None


def _write_products(metadata: Sequence[Path], table: Path) -> None:
    categories: dict[str, str] = {}
    for path in metadata:
        with open_bytes(path) as stream:
            for line in iterate_lines(stream):
                with suppress(RecordError):
                    if found := product_category(parse_object(line.data)):
                        categories.setdefault(*found)
    schema = pyarrow.schema([("product", pyarrow.string()), ("category", pyarrow.string())])
    columns = [list(categories), list(categories.values())]
    write_table(pyarrow.table(columns, schema=schema), table)


@lru_cache(maxsize=1)
def _read_products(companions: tuple[Path, ...]) -> dict[str, str]:
    tables = [parquet.read_table(path) for path in companions]
    return {row["product"]: row["category"] for table in tables for row in table.to_pylist()}
