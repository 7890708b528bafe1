"""Reading texts for candidate pairs, and the vectors and pairs that come with them."""

from similitude.data.reading.texts.given_pairs import GivenPairs, read_pairs
from similitude.data.reading.texts.reader import read_texts
from similitude.data.reading.texts.vectors import read_vectors, unit_vectors

__all__ = ["GivenPairs", "read_pairs", "read_texts", "read_vectors", "unit_vectors"]
