"""Exact nearest neighbours on a GPU."""

from similitude.collect.candidates.gpu_neighbours.exact_search import DeviceNeighbours, DeviceRows, exact_neighbours

__all__ = ["DeviceNeighbours", "DeviceRows", "exact_neighbours"]
