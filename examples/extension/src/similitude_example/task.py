"""An annotation task: two buttons. Its page is ``task.html`` and its texts are ``task.toml``, beside this file."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from similitude.extend import Answer, InterfaceTexts, PairTask, Problem, RatingScale, Read, Shown

CHOICES = {"same": 1.0, "different": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class SameOrDifferent(PairTask):
    """The texts mean the same (1), or they do not (0)."""

    name: ClassVar[str] = "same-or-different"
    fields: ClassVar[tuple[str, ...]] = ("value",)
    judgement_kind: ClassVar = "rating"
    scale: ClassVar = RatingScale(low=0, high=1)

    def read(self, items: Any, form: Mapping[str, str]) -> Read:
        chosen = CHOICES.get(form.get("value", ""))
        return Read(None, (Problem("value", "missing"),)) if chosen is None else Read({"value": chosen})

    def form(self, answer: Answer) -> dict[str, str]:
        return {"value": _word(answer)}

    def in_words(self, shown: Shown, answer: Answer, texts: InterfaceTexts) -> str:
        return texts(f"same_or_different.{_word(answer)}")

    def spread(self, answers: Sequence[Answer]) -> float:
        same = sum(answer["value"] for answer in answers)
        return math.nan if len(answers) < 2 else 1 - max(same, len(answers) - same) / len(answers)


def _word(answer: Answer) -> str:
    return "same" if answer["value"] else "different"
