"""Nearest neighbours of texts by their vectors: exact for few texts, by cells for many, exact on a GPU for any."""

from similitude.collect.candidates.neighbours.device_search import check_device
from similitude.collect.candidates.neighbours.exact_lists import exact_pairs
from similitude.collect.candidates.neighbours.index import NeighbourIndex, open_index
from similitude.collect.candidates.neighbours.index_build import build_index
from similitude.collect.candidates.neighbours.neighbour_lists import NeighbourLists, RowPairs, open_lists
from similitude.collect.candidates.neighbours.recall import pair_recall
from similitude.collect.candidates.neighbours.restrictions import Restrictions
from similitude.collect.candidates.neighbours.search import find_neighbours
from similitude.collect.candidates.neighbours.settings import SearchSettings

__all__ = [
    "NeighbourIndex",
    "NeighbourLists",
    "Restrictions",
    "RowPairs",
    "SearchSettings",
    "build_index",
    "check_device",
    "exact_pairs",
    "find_neighbours",
    "open_index",
    "open_lists",
    "pair_recall",
]
