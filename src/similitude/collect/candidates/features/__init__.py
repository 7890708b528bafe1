"""Features: what can be said of a pair of texts, vectorised over blocks of pairs.

>>> from similitude.collect.candidates.features import make_feature
>>> make_feature("iou").meaning
'words in both texts / words in either, without stop words'
"""

from similitude.collect.candidates.features import (
    columns,
    lengths,
    named_types,
    negations,
    richness,
    systems,
    vectors,
    word_bags,
)
from similitude.collect.candidates.features.catalogue import FEATURES, catalogue, make_feature
from similitude.collect.candidates.features.columns import PairColumn, TextColumn
from similitude.collect.candidates.features.described_pairs import DescribedPairs, Values
from similitude.collect.candidates.features.feature import Feature, Kind
from similitude.collect.candidates.features.pair_scorer import PairScorer
from similitude.collect.candidates.features.property_folder import PropertyFolder
from similitude.collect.candidates.features.systems import SystemScore
from similitude.collect.candidates.features.text_properties import TextProperties, TextProperty

__all__ = [
    "FEATURES",
    "DescribedPairs",
    "Feature",
    "Kind",
    "PairColumn",
    "PairScorer",
    "PropertyFolder",
    "SystemScore",
    "TextColumn",
    "TextProperties",
    "TextProperty",
    "Values",
    "catalogue",
    "columns",
    "lengths",
    "make_feature",
    "named_types",
    "negations",
    "richness",
    "systems",
    "vectors",
    "word_bags",
]
