"""The REST API for questions, answers, decisions, people and charts: what the leader's pages show, as JSON."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query

from similitude.collect.annotation.answer_records import QuestionSearch, QuestionSort, QuestionState
from similitude.collect.annotation.answer_spread import field_spreads
from similitude.collect.annotation.records import Kind
from similitude.collect.annotation.store import (
    decide,
    list_questions,
    question_detail,
    read_person,
    take_back_decision,
)
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.routes.answer_models import (
    ChartModel,
    DecideModel,
    DecisionModel,
    PersonWorkModel,
    QuestionListModel,
    QuestionModel,
    TakeBackModel,
)
from similitude.collect.annotation.web.routes.api import ERRORS
from similitude.collect.annotation.web.routes.charts import ChartName, chart_rows
from similitude.collect.annotation.web.visit import CurrentVisit, RowNumber

__all__ = ["pages"]

pages = Routes(Role.TOKEN, prefix="/api/v1", scope="export")

Count = Annotated[int | None, Query(ge=0, le=2**31 - 1)]
Word = Annotated[str | None, Query(max_length=200)]


@pages.get("/questions", response_model=QuestionListModel, responses=ERRORS)
def read_questions(
    visit: CurrentVisit,
    words: Annotated[str, Query(max_length=500, description="Words that the texts have, or their beginnings.")] = "",
    kind: Kind = "work",
    state: QuestionState | None = None,
    language: Word = None,
    group: Word = None,
    least: Count = None,
    most: Count = None,
    apart: Annotated[float | None, Query(description="The least disagreement.", allow_inf_nan=False)] = None,
    decided: bool | None = None,
    sort: QuestionSort = "order",
    after: Annotated[str, Query(max_length=500, description="The `next` of the page before.")] = "",
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> QuestionListModel:
    """Questions with their answers and disagreement, page by page."""
    visit.services.charts.refresh()
    search = QuestionSearch(
        words=words, kind=kind, state=state, language=language, group=group, least=least, most=most, apart=apart,
        decided=decided, sort=sort, after=after,
    )  # fmt: skip
    return QuestionListModel.of(list_questions(visit.database, search, limit=limit))


@pages.get("/questions/{number}", response_model=QuestionModel, responses=ERRORS)
def read_question(visit: CurrentVisit, number: RowNumber) -> QuestionModel:
    """One question with all its answers, versions and decisions."""
    detail = question_detail(visit.database, number)
    return QuestionModel.of_detail(detail, field_spreads(visit.study.task, detail.wording.shown, detail.values))


@pages.post(
    "/questions/{number}/decisions", scope="manage", status_code=201, response_model=DecisionModel, responses=ERRORS
)
def decide_question(visit: CurrentVisit, number: RowNumber, given: DecideModel) -> DecisionModel:
    """Decide a question: an answer as its export has it, with a reason. People's answers stay."""
    made = decide(visit.database, number, given.fields, reason=given.reason, now=visit.now, by=visit.by)
    return DecisionModel.of(made)


@pages.post("/questions/{number}/decisions/take-back", scope="manage", response_model=DecisionModel, responses=ERRORS)
def take_back(visit: CurrentVisit, number: RowNumber, given: TakeBackModel) -> DecisionModel:
    """Take back the decision that holds; it stays in the history."""
    return DecisionModel.of(take_back_decision(visit.database, number, reason=given.reason, now=visit.now, by=visit.by))


@pages.get("/people/{pseudonym}/answers", response_model=PersonWorkModel, responses=ERRORS)
def read_work(
    visit: CurrentVisit,
    pseudonym: Annotated[str, Path(max_length=100, description="The annotator's random name.")],
    limit: Annotated[int, Query(ge=0, le=5000, description="How many answers, the latest first.")] = 500,
) -> PersonWorkModel:
    """One person's answers, speed, habits, gold and repeats."""
    return PersonWorkModel.of_person(read_person(visit.database, pseudonym), limit)


@pages.get("/charts/{name}", scope="read", response_model=ChartModel, responses=ERRORS)
def read_chart(visit: CurrentVisit, name: ChartName) -> ChartModel:
    """The numbers of one chart; "computing" until they are known for the first time."""
    rows: list[dict[str, Any]] = list(chart_rows(visit, name))
    charts = visit.services.charts
    source: Any = charts.counts if name in ("progress", "seconds") else charts.agreement
    return ChartModel(state="absent" if source is None else source.look().state, rows=rows)
