"""Tokens of chunks: runs of characters between two spaces.

spaCy's blank English tokenizer splits each distinct chunk once and on its own, so the tokens of a
text do not depend on texts read before.
"""

import sys
import unicodedata
from collections.abc import Iterable
from functools import cache, cached_property
from typing import Any

from adhominem.instrument.text.normalise import UNIVERSAL
from adhominem.instrument.text.vocabulary import RESERVED_WORDS

SPACE, BLANK_LINE = "", "\n"  # tokens that stand for white space and are not words
# Kinds of tokens: other punctuation, marks that end a sentence, white space; 0 for words.
IS_PUNCTUATION, IS_MARK, IS_SPACE, IS_BLANK_LINE = 1, 2, 4, 12


class ChunkCache:
    """The tokens of each chunk and the kind of each token. White space is a token here, because a
    sentence ends between a mark and white space."""

    def __init__(self) -> None:
        self._words: dict[int, str] = {}  # by their hash in spaCy's string store
        self.tokens: dict[str, tuple[str, ...]] = {SPACE: (SPACE,), BLANK_LINE: (BLANK_LINE,)}
        self.kinds = {SPACE: IS_SPACE, BLANK_LINE: IS_BLANK_LINE, ",": IS_PUNCTUATION, ".": IS_MARK}

    def add(self, chunks: Iterable[str]) -> None:
        """Tokenise the chunks that are not in the cache yet."""
        for chunk in {chunk.lstrip("\n"): None for chunk in chunks if chunk not in self.tokens}:
            if not self._is_plain(chunk):
                tokenizer, _, _ = self._english
                read = tokenizer(chunk)
                numbers = read.to_array("ORTH").tolist()
                words = (self._words.get(n) or self._word(read, n) for n in numbers)
                self.tokens[chunk] = tuple(words)
        for chunk in chunks:
            if chunk not in self.tokens:
                self.tokens[chunk] = (BLANK_LINE, *self.tokens[chunk.lstrip("\n")])

    def _is_plain(self, chunk: str) -> bool:
        """Store the tokens of a chunk that needs no tokenizer: a word of ASCII letters, perhaps
        with a comma or full stop, and no exception of the tokenizer. False for other chunks."""
        mark = chunk[-1:] if chunk[-1:] in (",", ".") else ""
        word = chunk[: len(chunk) - len(mark)]
        is_word = word.isascii() and word.isalpha()
        _, _, exceptions = self._english
        is_initial = mark and (len(word) < 2 or not word[-1].islower())
        if not is_word or is_initial or not exceptions.isdisjoint((chunk, word)):
            return False
        self.tokens[chunk] = (word, mark) if mark else (word,)
        self.kinds.setdefault(word, 0)
        return True

    def _word(self, read: Any, number: int) -> str:
        """Look up a token in spaCy's string store; remember it and its kind."""
        text = read.vocab.strings[number]
        # A text may contain the spelling of a reserved word, which must not become that word.
        spelt = f"\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}{text[1:]}"
        word: str = UNIVERSAL.get(text, spelt if text in RESERVED_WORDS else text)
        self._words[number] = word
        _, marks, _ = self._english
        if text in marks or (text.startswith("..") and not text.strip(".")):
            self.kinds[word] = IS_MARK
        else:
            is_punctuation = all(unicodedata.category(char)[0] == "P" for char in text)
            self.kinds[word] = IS_PUNCTUATION if is_punctuation else 0
        return word

    @cached_property
    def _english(self) -> tuple[Any, frozenset[str], frozenset[str]]:
        """spaCy's English tokenizer, the marks that end a sentence, and the tokenizer's exceptions.
        torch is hidden while spaCy is imported, because importing it takes seconds."""
        is_hidden = "torch" not in sys.modules
        if is_hidden:
            sys.modules["torch"] = None  # type: ignore[assignment]
        try:
            from spacy import util
            from spacy.lang.en import English
            from spacy.pipeline import Sentencizer
            from spacy.tokenizer import Tokenizer  # type: ignore[import-not-found]
            from spacy.vocab import Vocab
        finally:
            if is_hidden:
                del sys.modules["torch"]
        rules = English.Defaults
        tokenizer = Tokenizer(
            Vocab(),
            rules=rules.tokenizer_exceptions,
            prefix_search=util.compile_prefix_regex(rules.prefixes or []).search,
            suffix_search=util.compile_suffix_regex(rules.suffixes or []).search,
            infix_finditer=util.compile_infix_regex(rules.infixes or []).finditer,
            token_match=rules.token_match,
            url_match=rules.url_match,
        )
        marks = frozenset(Sentencizer.default_punct_chars)
        return tokenizer, marks, frozenset(rules.tokenizer_exceptions)


@cache
def chunk_cache() -> ChunkCache:
    """The cache of this process."""
    return ChunkCache()
