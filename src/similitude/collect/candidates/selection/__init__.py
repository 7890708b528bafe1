"""Selection: pairs spread over what is known of them, contentious or diverse ones, each draw seeded and explained."""

from similitude.collect.candidates.selection.request import STRATUM, SelectionRequest
from similitude.collect.candidates.selection.selection import Selection, select, to_measure

__all__ = ["STRATUM", "Selection", "SelectionRequest", "select", "to_measure"]
