"""Evidence: numeric features of a pair that a model can learn from beside its encoder."""

from similitude.systems.evidence.evidence import Evidence, fit_evidence
from similitude.systems.evidence.sources import model_of, system_of

__all__ = ["Evidence", "fit_evidence", "model_of", "system_of"]
