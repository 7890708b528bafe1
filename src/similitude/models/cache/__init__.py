"""Caches on disk: vectors of encoders and answers of language models."""

from similitude.models.cache.answer_store import AnswerStore, KeptAnswers
from similitude.models.cache.location import (
    Caches,
    cache_folder,
    cache_limit,
    default_caches,
    usual_answers,
    usual_cache,
)
from similitude.models.cache.vector_store import KeptModel, VectorStore

__all__ = [
    "AnswerStore",
    "Caches",
    "KeptAnswers",
    "KeptModel",
    "VectorStore",
    "cache_folder",
    "cache_limit",
    "default_caches",
    "usual_answers",
    "usual_cache",
]
