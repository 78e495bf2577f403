"""Recognises English by the share of function words: in running English about every second word is
among spaCy's stop words, in other languages and in lists far fewer are (`results/language.json`).
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path

import numpy as np

from adhominem.arrays import Floats
from adhominem.instrument.text.tokenised import Tokenised

MIN_SHARE = 0.2


@cache
def _function_words() -> frozenset[str]:
    """spaCy's stop words, read from its file: importing it would load all of spaCy."""
    spacy = find_spec("spacy")
    assert spacy is not None and spacy.origin is not None
    file = Path(spacy.origin).parent / "lang" / "en" / "stop_words.py"
    return frozenset(run_path(str(file))["STOP_WORDS"])


def english_share(texts: Tokenised) -> Floats:
    """Share of function words among the words in letters, for each text."""
    is_word = np.array([word[0].isalpha() or word[0] == "'" for word in texts.types], dtype=bool)
    is_known = np.array([word.lower() in _function_words() for word in texts.types], dtype=bool)
    return texts.count_types(is_known) / np.maximum(texts.count_types(is_word), 1)
