"""Statistics of a benchmark's texts: tokens, lemmas, lexical richness, word overlap, lengths, repetitions."""

from similitude.inspect.words.description import describe_texts
from similitude.inspect.words.distribution import Distribution, NumberSummary
from similitude.inspect.words.lemmas import lemmas_of
from similitude.inspect.words.overlap import overlap_tokens, word_overlap, word_overlaps
from similitude.inspect.words.richness import Richness, mtld, richness, rttr
from similitude.inspect.words.statistics import PartStatistics, TextStatistics
from similitude.inspect.words.tokens import bare_words, plain_words, tokens_of, whitespace_tokens

__all__ = [
    "Distribution",
    "NumberSummary",
    "PartStatistics",
    "Richness",
    "TextStatistics",
    "bare_words",
    "describe_texts",
    "lemmas_of",
    "mtld",
    "overlap_tokens",
    "plain_words",
    "richness",
    "rttr",
    "tokens_of",
    "whitespace_tokens",
    "word_overlap",
    "word_overlaps",
]
