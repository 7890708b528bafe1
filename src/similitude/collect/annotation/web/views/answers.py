"""An answer in words, in the interface's language: for the overview, the feedback and the worked examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from similitude.collect.annotation.plan import StudyPlan
from similitude.collect.annotation.records import Shown
from similitude.collect.annotation.web.language import Texts
from similitude.collect.annotation.web.views.scales import point_label

__all__ = ["answer_in_words"]

Answer = Mapping[str, Any]


def answer_in_words(plan: StudyPlan, shown: Shown, answer: Answer, texts: Texts) -> str:
    """What was answered, or expected, as a sentence."""
    return _WORDS[plan.task](plan, shown, answer, texts)


def _best_worst(plan: StudyPlan, shown: Shown, answer: Answer, texts: Texts) -> str:
    by_id = {option.id: option.text for option in shown.options}
    # Of a question with a known answer, sometimes only the best or only the worst is known.
    parts = [("best_worst.most_of", answer.get("best")), ("best_worst.least_of", answer.get("worst"))]
    return " · ".join(texts(key, option=by_id.get(chosen, chosen)) for key, chosen in parts if chosen is not None)


def _rating(plan: StudyPlan, shown: Shown, answer: Answer, texts: Texts) -> str:
    return point_label(plan, answer["value"], texts.language)


def _conditions(plan: StudyPlan, shown: Shown, answer: Answer, texts: Texts) -> str:
    return texts("conditions.answer", alike=answer["alike"], differ=answer["differ"])


def _verification(plan: StudyPlan, shown: Shown, answer: Answer, texts: Texts) -> str:
    if not answer["applies"]:
        return texts("verification.answer_not")
    return texts("verification.answer", value=point_label(plan, answer["value"], texts.language))


_WORDS: Mapping[str, Callable[[StudyPlan, Shown, Answer, Texts], str]] = {
    "best-worst": _best_worst,
    "rating": _rating,
    "conditions": _conditions,
    "verification": _verification,
}
