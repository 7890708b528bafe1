"""Words of texts: tokens, lemmas, lexical richness, and the overlap of two texts."""

from __future__ import annotations

from similitude.data.addresses import open_benchmark
from similitude.data.any_form import in_any_form
from similitude.inspect.words import (
    bare_words,
    lemmas_of,
    mtld,
    plain_words,
    richness,
    rttr,
    whitespace_tokens,
    word_overlap,
)
from similitude.inspect.words import describe_texts as describe_benchmark

__all__ = [
    "bare_words",
    "describe_texts",
    "lemmas_of",
    "mtld",
    "plain_words",
    "richness",
    "rttr",
    "whitespace_tokens",
    "word_overlap",
]


describe_texts = in_any_form(open_benchmark, describe_benchmark)
