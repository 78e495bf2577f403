"""A small corpus of a domain that no model of these tests has met."""

from __future__ import annotations

from types import ModuleType

import pytest

from adhominem.laboratory.corpus import CorpusSettings
from adhominem.laboratory.corpus.build import build_corpus
from adhominem.laboratory.corpus.build.engine import Engine
from adhominem.laboratory.corpus.store import Corpus


@pytest.fixture(scope="session")
def domain(tmp_path_factory: pytest.TempPathFactory, corpora: ModuleType) -> Corpus:
    folder = tmp_path_factory.mktemp("domain")
    source = corpora.save_reviews(corpora.make_reviews(60, seed=8), folder / "reviews.jsonl")
    settings = CorpusSettings(min_tokens=20, english_only=False)
    build_corpus([str(source)], folder / "corpus", settings, engine=Engine(workers=1))
    return Corpus.open(folder / "corpus")
