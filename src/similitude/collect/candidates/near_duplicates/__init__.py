"""Near-duplicates: texts that say the same in nearly the same characters, of which one is kept."""

from similitude.collect.candidates.near_duplicates.clusters import Clusters
from similitude.collect.candidates.near_duplicates.duplicates_step import duplicates_step
from similitude.collect.candidates.near_duplicates.search import DuplicateSearch, near_duplicates

__all__ = ["Clusters", "DuplicateSearch", "duplicates_step", "near_duplicates"]
