"""The reference texts that --reference names."""

from pathlib import Path

from adhominem.errors import InputError, optional_imports
from adhominem.instrument.documents.read import FORMS, form_of, read_file


def read_references(path: Path, *, encoding: str = "utf-8") -> list[str]:
    """The reference texts in a folder, in a file, or in the column `text` of a .parquet file."""
    if path.suffix == ".parquet":
        with optional_imports():
            from pyarrow import ArrowException, parquet
        try:
            column = parquet.read_table(path, columns=["text"])["text"].to_pylist()
        except (OSError, KeyError, ArrowException) as error:
            problem = str(error).splitlines()[0][:100]
            raise InputError(f"{path} cannot be read ({problem}): give a column 'text'") from None
        return [text for text in column if isinstance(text, str)]
    files = [path]
    if path.is_dir():
        files = [file for file in sorted(path.rglob("*")) if form_of(file.name) in FORMS]
        if not files:
            raise InputError(f"{path} has no text files: give a folder of reference texts")
    return [text.text for file in files for text in read_file(file, encoding=encoding).texts]
