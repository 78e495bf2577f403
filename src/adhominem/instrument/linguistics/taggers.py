"""Who says which part of speech a word is: our rules, or a spaCy pipeline that is installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from adhominem.errors import InputError
from adhominem.instrument.linguistics.word_classes import classify

RULES = "rules"
Tagger = Callable[[Sequence[str], Sequence[bool]], list[str]]
_CLASS_OF = {
    "NOUN": "noun",
    "PROPN": "proper noun",
    "VERB": "verb",
    "ADJ": "adjective",
    "ADV": "adverb",
    "PRON": "pronoun",
    "DET": "determiner",
    "ADP": "preposition",
    "CCONJ": "conjunction",
    "SCONJ": "conjunction",
    "AUX": "auxiliary",
    "PART": "particle",
    "NUM": "number",
    "INTJ": "interjection",
}


def tagger_named(name: str) -> Tagger:
    return classify if name == RULES else _of_spacy(name)


def _of_spacy(name: str) -> Tagger:
    import spacy
    from spacy.tokens import Doc

    try:
        pipeline = spacy.load(name, exclude=["ner", "parser"])
    except OSError:
        raise InputError(
            f"no spaCy pipeline '{name}' is installed: install it, or use --tagger {RULES}"
        ) from None

    def tag(words: Sequence[str], is_name: Sequence[bool]) -> list[str]:
        del is_name  # it finds names itself
        read = pipeline(Doc(pipeline.vocab, words=list(words)))
        if len(read) and not any(token.pos_ for token in read):
            raise InputError(f"the spaCy pipeline '{name}' tags no parts of speech: use another")
        return [_CLASS_OF.get(token.pos_, "sign") for token in read]

    return tag
