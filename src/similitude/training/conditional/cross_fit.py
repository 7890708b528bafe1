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
        cross_fit: train N models on folds first and learn from their scores too, which takes N + 1 times as long. They
            help with noisy labels of a generated world, and brought nothing on people's labels (C-STS).
        teacher_weight: the weight of their scores, or of those of --teacher, on rated items; gold has the rest. Given
            without --teacher, it means 3 cross-fitted teachers by default.
    """

    cross_fit: int | None = None
    teacher_weight: float = DEFAULT_WEIGHT

    def applied(self, request: SimilarityRequest) -> SimilarityRequest:
        """The request with these teachers."""
        is_weighed = self.teacher_weight != DEFAULT_WEIGHT and request.architecture.reads != "sentences"
        count = (DEFAULT_COUNT if is_weighed else 0) if self.cross_fit is None else self.cross_fit
        return replace(request, teachers=Teachers(count=count, weight=self.teacher_weight))
