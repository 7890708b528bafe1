"""Near-duplicates: texts that say the same in nearly the same characters, of which one is kept."""

from similitude.collect.candidates.near_duplicates.clusters import Clusters
from similitude.collect.candidates.near_duplicates.search import DuplicateSearch, near_duplicates

__all__ = ["Clusters", "DuplicateSearch", "near_duplicates"]
