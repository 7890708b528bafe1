"""String systems, which need no model."""

from similitude.systems.strings import (
    common_sequences,
    edit_distance,
    length_ratio,
    monge_elkan,
    ngram_overlap,
    string_tiling,
    tfidf,
    word_cosine,
)

__all__ = [
    "common_sequences",
    "edit_distance",
    "length_ratio",
    "monge_elkan",
    "ngram_overlap",
    "string_tiling",
    "tfidf",
    "word_cosine",
]
