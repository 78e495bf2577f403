"""Parts of speech by rules, by a spaCy pipeline, and words of a topic."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adhominem.errors import InputError
from adhominem.instrument.text.tokenise import tokenise
from adhominem.laboratory.evaluation.token_labels import (
    CLASSES,
    classify,
    tagger_named,
    topic_words,
)

SENTENCES = {
    "We/pronoun stayed/verb at/preposition the/determiner old/adjective hotel/noun ./sign",
    "The/determiner staff/noun were/auxiliary very/adverb friendly/adjective !/sign",
    "They/pronoun offer/verb a/determiner shuttle/noun to/particle the/determiner airport/noun",
    "I/pronoun definitely/adverb recommend/verb this/determiner quiet/adjective place/noun",
    "My/determiner two/number bags/noun and/conjunction 3/number coats/noun",
    "It/pronoun is/auxiliary n't/particle a/determiner beautiful/adjective station/noun",
    "haha/interjection we/pronoun walked/verb quickly/adverb",
}


@pytest.mark.parametrize("sentence", sorted(SENTENCES))
def test_plain_sentences(sentence: str) -> None:
    words, classes = zip(*(pair.rsplit("/", 1) for pair in sentence.split()), strict=True)
    assert classify(words, [False] * len(words)) == list(classes)


def test_names_are_told_by_whoever_finds_them() -> None:
    assert classify(["Rome", ",", "Paris"], [True, True, False])[:2] == ["proper noun", "sign"]


@given(st.lists(st.text(min_size=1, max_size=6), max_size=20), st.booleans())
def test_every_word_has_a_class(words: list[str], name: bool) -> None:
    found = classify(words, [name] * len(words))
    assert len(found) == len(words)
    assert set(found) <= set(CLASSES)


def test_a_spacy_pipeline_is_used_if_it_is_there(tmp_path: Path) -> None:
    import spacy

    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("attribute_ruler")
    ruler.add([[{"LOWER": "walk"}]], {"POS": "VERB"})  # type: ignore[attr-defined]
    ruler.add([[{"LOWER": "home"}]], {"POS": "NOUN"})  # type: ignore[attr-defined]
    pipeline.to_disk(tmp_path / "tagger")
    tag = tagger_named(str(tmp_path / "tagger"))
    assert tag(["walk", "home", "?"], [True] * 3) == ["verb", "noun", "sign"]
    assert tag([], []) == []
    spacy.blank("en").to_disk(tmp_path / "empty")
    with pytest.raises(InputError, match="tags no parts of speech"):
        tagger_named(str(tmp_path / "empty"))(["walk"], [False])
    with pytest.raises(InputError, match="no spaCy pipeline 'en_none' is installed"):
        tagger_named("en_none")


def test_topic_words_stand_together() -> None:
    """Both words occur 60 times in 100 texts, one of them ten times in each of six."""
    texts = ["whale " * 10 + "so" if i < 6 else f"other {i}" for i in range(100)]
    texts = [f"{text} {'table' if i % 5 < 3 else ''}" for i, text in enumerate(texts)]
    assert topic_words(tokenise(texts)) == {"whale"}
    assert topic_words(tokenise([])) == frozenset()
