"""The corpus: hostile and foreign files, each with the outcome that it must have."""

from __future__ import annotations

from .case import Case
from .corpus_bytes import BYTES
from .corpus_containers import CONTAINERS
from .corpus_judgements import JUDGEMENTS
from .corpus_judgements_foreign import FOREIGN
from .corpus_layouts import LAYOUTS
from .corpus_objects import OBJECTS, TASKS
from .corpus_predictions import PREDICTIONS
from .corpus_published import PUBLISHED
from .corpus_values import VALUES

__all__ = ["CASES"]

CASES: list[Case] = [
    *LAYOUTS,
    *VALUES,
    *PUBLISHED,
    *BYTES,
    *CONTAINERS,
    *JUDGEMENTS,
    *FOREIGN,
    *PREDICTIONS,
    *OBJECTS,
    *TASKS,
]
