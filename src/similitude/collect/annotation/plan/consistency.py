"""Checks of a whole plan: contradictions between its parts, and notes for the leader."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.work import Asked
from similitude.collect.annotation.tasks import AnnotationTask
from similitude.collect.annotation.text_languages import needed_languages
from similitude.data.plural import counted
from similitude.errors import InputError

__all__ = ["Misfit", "check_questions", "misfits", "notes_on"]


class Misfit(NamedTuple):
    """Two parts of a plan that contradict each other: where, what is wrong, and the remedy."""

    path: tuple[str | int, ...]
    what: str
    remedy: str


def misfits(plan: StudyPlan, task: AnnotationTask) -> list[Misfit]:
    """All contradictions in a plan."""
    return [found for check in CHECKS if (found := check(plan, task)) is not None]


def _has_questions(plan: StudyPlan, _: AnnotationTask) -> Misfit | None:
    if plan.items is None and plan.follows is None:
        remedy = 'name a file of items: items = "items.jsonl", or an earlier study: [follows] study = "..."'
        return Misfit(("items",), "the study has no items", remedy)
    return None


def _taken_items_are_asked_about(plan: StudyPlan, task: AnnotationTask) -> Misfit | None:
    if plan.follows is None:
        return None
    if task.several_items:
        what = f"a {task.name} question is about several items, and an earlier study gives them one by one"
        return Misfit(("follows",), what, "rate or verify them")
    if plan.questions is not None:
        what = "a design names its items in advance, and those of an earlier study come later"
        return Misfit(("questions",), what, "leave questions out")
    return None


def _scale_has_use(plan: StudyPlan, task: AnnotationTask) -> Misfit | None:
    if plan.scale is None or plan.scale == task.scale:
        return None
    has = "no scale" if task.scale is None else "a scale of its own"
    return Misfit(("scale",), f"a {task.name} study has {has}", "leave [scale] out")


def _known_answers_exist(plan: StudyPlan, task: AnnotationTask) -> Misfit | None:
    if task.checkable:
        return None
    for part in ("gold", "training", "second_round"):
        if getattr(plan, part) is not None:
            what = f"code cannot tell whether {task.name} answers are right, so [{part}] has no meaning"
            return Misfit((part,), what, "use [qualification] with review = true, and read what was written")
    if plan.qualification is not None and not plan.qualification.review:
        return Misfit(("qualification",), "code cannot tell who passed", "set review = true")
    return None


def _listed_items_are_asked_about(plan: StudyPlan, task: AnnotationTask) -> Misfit | None:
    listed = plan.second_round is not None and plan.second_round.items is not None
    if listed and task.several_items:
        what = f"a {task.name} question is about several items, so single ones cannot be listed"
        return Misfit(("second_round", "items"), what, "leave items out, and give a spread")
    return None


def _gold_is_there(plan: StudyPlan, _: AnnotationTask) -> Misfit | None:
    if plan.batch.gold_share > 0 and plan.gold is None:
        return Misfit(
            ("batch", "gold_share"), "gold_share is set, but there are no gold questions", "add [gold] questions = ..."
        )
    if plan.gold is not None and plan.batch.gold_share == 0:
        return Misfit(("gold",), "the gold questions are never asked", "set gold_share under [batch]")
    return None


def _pages_fit(plan: StudyPlan, _: AnnotationTask) -> Misfit | None:
    if plan.batch.per_page > plan.batch.questions:
        return Misfit(("batch", "per_page"), "a page holds more questions than a batch", "lower per_page")
    return None


def _languages_fit(plan: StudyPlan, _: AnnotationTask) -> Misfit | None:
    for part in ("title", "guidelines", "consent"):
        for language in getattr(plan, part):
            if language not in plan.languages:
                return Misfit((part, language), f"'{language}' is not among the languages", "add it to languages")
    return None


def _examples_fit(plan: StudyPlan, task: AnnotationTask) -> Misfit | None:
    for place, example in enumerate(plan.example):
        unknown = [name for name in example.answer if name not in task.fields]
        if unknown or not example.answer:
            what = f"an example's answer has {', '.join(unknown) or 'nothing'}"
            return Misfit(("example", place), what, f"a {task.name} answer has {', '.join(task.fields)}")
        if task.several_items and len(example.options) < 2:
            return Misfit(("example", place), "an example without options", 'options = ["...", "..."]')
        if not task.several_items and example.right is None:
            return Misfit(("example", place), "an example without its second text", 'right = "..."')
    return None


CHECKS: tuple[Callable[[StudyPlan, AnnotationTask], Misfit | None], ...] = (
    _has_questions,
    _taken_items_are_asked_about,
    _scale_has_use,
    _known_answers_exist,
    _listed_items_are_asked_about,
    _gold_is_there,
    _pages_fit,
    _languages_fit,
    _examples_fit,
)


def check_questions(task: AnnotationTask, asked: Sequence[Asked], *, more_come: bool = False) -> None:
    """Check that the task can ask every question, and that names are unique.

    Args:
        task: the task.
        asked: the questions.
        more_come: whether an earlier study will give questions, so that there may be none yet.

    Raises:
        InputError: a question cannot be asked, two have the same name, or there are none.
    """
    for question, where in asked:
        faults = task.faults(question)
        if faults:
            what = f"question '{question.key}': {faults[0]}"
            raise InputError(what, where=where, remedy="correct the question, or leave it out")
    names = Counter(each.question.key for each in asked)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise InputError(f"question '{twice[0]}' appears twice", remedy="give every question its own name")
    if not more_come and not any(each.question.kind == "work" for each in asked):
        raise InputError("the study has no questions", remedy="give it at least one item")


def notes_on(plan: StudyPlan, asked: Sequence[Asked]) -> list[str]:
    """Notes on a valid plan that may surprise its leader."""
    count = Counter(each.question.kind for each in asked)
    notes = [f"no guidelines in '{language}'" for language in plan.languages if language not in plan.guidelines]
    if not plan.consent:
        notes.append("no consent text: people agree to a general one")
    if not plan.example:
        notes.append("no worked example: GiCCS and C-STS show one before the work")
    if plan.access.pool is not None:
        notes.append(
            f"only people in the pool '{plan.access.pool}' may take part: a study with [qualification] pool = "
            f"'{plan.access.pool}' admits them to it, or a leader does"
        )
    if plan.second_round is not None and plan.second_round.listed:
        notes.append(
            f"{len(plan.second_round.listed):,} listed questions go to {plan.second_round.judgements} more people"
        )
    if plan.training is not None and count["training"] < plan.training.rounds:
        notes.append(f"{count['training']} training questions for {plan.training.rounds} rounds: fewer are held")
    notes += _notes_on_languages(asked)
    if plan.gold is not None:
        work = count["work"] if plan.batch.most is None else min(count["work"], plan.batch.most)
        planned = round(work * plan.batch.gold_share / (1 - plan.batch.gold_share - plan.batch.repeat_share))
        if count["gold"] < planned:
            notes.append(
                f"{counted(count['gold'], 'gold question')}, and none is asked twice: someone who answers everything "
                f"should get {planned}, so later batches have fewer than gold_share"
            )
        if count["gold"] < plan.gold.after:
            notes.append(
                f"{count['gold']} gold questions, fewer than after = {plan.gold.after}: nobody is ever stopped"
            )
    return notes


def _notes_on_languages(asked: Sequence[Asked]) -> list[str]:
    """Languages of the work in which training, test or gold questions are missing: people get what they read."""
    spoken: dict[str, set[str]] = defaultdict(set)
    for each in asked:
        spoken[each.question.kind] |= set((needed_languages(each.question.items) or "").split(",")) - {""}
    return [
        f"no {kind} questions in '{language}': people who read only that language get none"
        for kind in ("training", "qualification", "gold")
        if spoken.get(kind)
        for language in sorted(spoken["work"] - spoken[kind])
    ]
