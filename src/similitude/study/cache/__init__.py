"""Where vectors, and answers of language models, are kept from one run to the next."""

from similitude.study.cache.answers import AnswerStore, KeptAnswers
from similitude.study.cache.location import cache_folder, cache_limit, usual_answers, usual_cache
from similitude.study.cache.store import KeptModel, VectorStore

__all__ = [
    "AnswerStore",
    "KeptAnswers",
    "KeptModel",
    "VectorStore",
    "cache_folder",
    "cache_limit",
    "usual_answers",
    "usual_cache",
]
