"""What makes more of the labels: other wordings, dropped conditions, agreement of raters and of passes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from similitude.errors import ArgumentError

__all__ = ["Augmentation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Augmentation:
    """Changes of the training items that make labels worth more; all are off by default.

    Attributes:
        rewording: the probability that a condition is shown in other words of the same meaning, by English rules.
        condition_dropout: the probability that a pair is shown without its conditions; the target is then the mean of
            its labels. Every pair must have two conditions.
        rater_agreement: the correlation between two raters' answers. Targets are what another rater would answer on
            average, so they lie nearer to the mean; 1 leaves labels as they are.
        consistency: the weight of the squared difference between two passes over each item, each with a dropout and
            wording of its own. This takes twice as long; 0 for one pass.

    >>> Augmentation(rewording=0.5).record()
    {'rewording': 0.5}
    """

    rewording: float = 0.0
    condition_dropout: float = 0.0
    rater_agreement: float = 1.0
    consistency: float = 0.0

    def __post_init__(self) -> None:
        checks = (
            ("rewording", 0 <= self.rewording <= 1, "a probability, from 0 to 1"),
            ("condition_dropout", 0 <= self.condition_dropout < 1, "a probability, from 0 to less than 1"),
            ("rater_agreement", 0 < self.rater_agreement <= 1, "a correlation above 0 and at most 1"),
            ("consistency", 0 <= self.consistency < float("inf"), "a weight of 0 or more"),
        )
        for name, is_valid, valid in checks:
            if not is_valid:
                written = name.replace("_", "-")
                raise ArgumentError(f"{written} {getattr(self, name):g} is not valid", remedy=f"give {valid}")

    @property
    def changes_inputs(self) -> bool:
        """Whether items are shown in other ways than as they are."""
        return bool(self.rewording or self.condition_dropout or self.consistency)

    def record(self) -> dict[str, Any]:
        """What is not off, ready for JSON; so plans without augmentation are those from before there was any."""
        off = {field.name: field.default for field in dataclasses.fields(self)}
        return {name: value for name, value in dataclasses.asdict(self).items() if value != off[name]}
