"""Recognises English by the share of function words: in running English about every second word is
among spaCy's stop words, in other languages and in lists far fewer are (`results/language.json`).
"""

import numpy as np

from adhominem.arrays import Floats
from adhominem.instrument.text.tokenised import Tokenised

MIN_SHARE = 0.2


def english_share(texts: Tokenised) -> Floats:
    """Share of function words among the words in letters, for each text."""
    if not texts.types:
        return np.zeros(texts.n_documents)
    from spacy.lang.en.stop_words import STOP_WORDS  # whoever has read a word has loaded spaCy

    is_word = np.array([word[0].isalpha() or word[0] == "'" for word in texts.types], dtype=bool)
    is_known = np.array([word.lower() in STOP_WORDS for word in texts.types], dtype=bool)
    return texts.count_types(is_known) / np.maximum(texts.count_types(is_word), 1)
