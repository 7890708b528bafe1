"""Texts that share rare words and phrases."""

from similitude.collect.candidates.shared_words.ngrams import NGrams, ngrams_of
from similitude.collect.candidates.shared_words.rare_ngrams import RareNGrams, rare_ngrams, sharing_pairs
from similitude.collect.candidates.shared_words.search import find_sharing_texts

__all__ = ["NGrams", "RareNGrams", "find_sharing_texts", "ngrams_of", "rare_ngrams", "sharing_pairs"]
