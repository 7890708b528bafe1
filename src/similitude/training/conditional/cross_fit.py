"""Cross-fitted teachers of a similarity model, as users ask for them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from similitude.training.conditional.request import SimilarityRequest
from similitude.training.fold_teachers import DEFAULT_COUNT, DEFAULT_WEIGHT, Teachers

__all__ = ["CrossFit"]


@dataclass(frozen=True, kw_only=True)
class CrossFit:
    """Cross-fitted teachers, trained on folds of the data before the model itself.

    Attributes:
        cross_fit: train N models on folds first and learn from their scores too. By default 3 for a bi-encoder with
            conditions and at least 300 pairs, else 0. 0 trains one model only, four times as fast.
        teacher_weight: the weight of their scores; gold has the rest.
    """

    cross_fit: int | None = None
    teacher_weight: float = DEFAULT_WEIGHT

    def applied(self, request: SimilarityRequest) -> SimilarityRequest:
        """The request with these teachers."""
        shape, is_weighed = request.architecture, self.teacher_weight != DEFAULT_WEIGHT
        may_be_usual = shape.encoding == "bi" and shape.reads == "all"
        if self.cross_fit is None and may_be_usual and not is_weighed:
            return replace(request, default_teachers=True)
        usual = DEFAULT_COUNT if is_weighed and shape.reads != "sentences" else 0
        count = usual if self.cross_fit is None else self.cross_fit
        return replace(request, teachers=Teachers(count=count, weight=self.teacher_weight))
