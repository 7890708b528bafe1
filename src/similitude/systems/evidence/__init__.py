"""Numbers that say how two texts compare, for systems that learn from them beside an encoder."""

from similitude.systems.evidence.evidence import Evidence, fit_evidence
from similitude.systems.evidence.sources import model_of

__all__ = ["Evidence", "fit_evidence", "model_of"]
