"""Where vectors are kept from one run to the next."""

from similitude.study.cache.location import cache_folder, cache_limit, usual_cache
from similitude.study.cache.store import KeptModel, VectorStore

__all__ = ["KeptModel", "VectorStore", "cache_folder", "cache_limit", "usual_cache"]
