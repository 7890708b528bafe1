"""The sections of a study's TOML file, as validated models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from similitude.collect.annotation.interface_languages import Language
from similitude.collect.annotation.plan.participation import BreakPlan, SkipPlan
from similitude.collect.annotation.plan.survey import Survey
from similitude.collect.annotation.rating_scale import RatingScale
from similitude.collect.annotation.tasks import ANNOTATION_TASKS, AnnotationTask, TaskSettings

__all__ = [
    "Access",
    "BatchPlan",
    "Example",
    "Follows",
    "GoldPlan",
    "MTurk",
    "Prolific",
    "QualificationPlan",
    "SecondRound",
    "StudyPlan",
    "TrainingPlan",
]

Share = Annotated[float, Field(ge=0, le=1)]
Texts = dict[Language, str]


class _Part(BaseModel):
    """A part of the plan. It is frozen, and unknown names are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class BatchPlan(_Part):
    """How work is given out in batches.

    Attributes:
        questions: how many a batch holds, gold and repeats included.
        minutes: after this time without an answer, the unanswered questions go to others.
        gold_share: the share of an annotator's questions that are gold.
        repeat_share: the share of an annotator's questions that they have answered before.
        per_page: how many questions one page shows.
        most: how many work questions one annotator may answer; None means no limit.
    """

    questions: Annotated[int, Field(ge=1, le=500)] = 20
    minutes: Annotated[float, Field(gt=0)] = 60
    gold_share: Share = 0.0
    repeat_share: Share = 0.0
    per_page: Annotated[int, Field(ge=1, le=20)] = 1
    most: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _leaves_room(self) -> BatchPlan:
        if self.gold_share + self.repeat_share > 0.8:
            raise ValueError("gold_share and repeat_share leave less than a fifth for work")
        return self


class GoldPlan(_Part):
    """Known answers among the work. After ``after`` of them, annotators below ``stop_below`` are stopped."""

    questions: str
    stop_below: Share = 0.7
    after: Annotated[int, Field(ge=1)] = 10
    tolerance: Annotated[float, Field(gt=0)] = 0.5


class TrainingPlan(_Part):
    """Training with feedback, as in USTS 3.2.

    Each annotator gets at most ``limit`` questions, in ``rounds`` rounds of equal size. An answer is right if it is
    less than ``tolerance`` from the known one. The right answer is shown after each question. Annotators continue if
    their share of right answers over all rounds is at least ``pass``.
    """

    questions: str
    rounds: Annotated[int, Field(ge=1, le=20)] = 3
    limit: Annotated[int, Field(ge=1)] = 15
    tolerance: Annotated[float, Field(gt=0)] = 0.5
    pass_: Share = Field(default=0.75, alias="pass")

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


PoolName = Annotated[str, Field(pattern=r"^[\w][\w.-]{0,49}$")]


class QualificationPlan(_Part):
    """A test before the work. The share of right answers decides, or with ``review`` a leader who reads them.

    With ``pool``, studies share the result: who passed in one study takes no second test, and who failed is not
    admitted again.
    """

    questions: str
    pass_: Share = Field(default=0.8, alias="pass")
    tolerance: Annotated[float, Field(gt=0)] = 0.5
    review: bool = False
    pool: PoolName | None = None

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class SecondRound(_Part):
    """Which questions ``judgements`` more annotators answer once the first round is over.

    Attributes:
        spread: questions whose answers spread wider than this. By default 0.5, or none where items are listed.
        judgements: how many more annotators.
        items: questions about these items, whatever the first round says. In the TOML file this is the name of a CSV or
        JSONL file with a column ``id``, or a list of ids; here it holds the names of the questions.
    """

    spread: Annotated[float, Field(ge=0)] | None = 0.5
    judgements: Annotated[int, Field(ge=1)] = 15
    items: str | tuple[str, ...] | None = None

    @model_validator(mode="before")
    @classmethod
    def _listed_alone(cls, written: Any) -> Any:
        """A list of items without a spread means those items and no others."""
        if isinstance(written, dict) and written.get("items") is not None and "spread" not in written:
            return {**written, "spread": None}
        return written

    @property
    def listed(self) -> frozenset[str]:
        """The names of the listed questions."""
        return frozenset() if self.items is None or isinstance(self.items, str) else frozenset(self.items)


class Follows(_Part):
    """The earlier study whose results become the questions of this one.

    Attributes:
        study: its folder's name beside this study's folder, or the path of its TOML file.
        takes: "conditions" takes what people wrote in a conditions study, two items for each answer; "accepted" takes
        the items of a verification study that most people did not reject; "contentious" takes the items whose first
        answers spread wider than ``spread``, as in the second round of USTS.
        when: "they come" takes each result as soon as it is final; "closed" waits until the earlier study is closed.
        spread: the standard deviation above which an item is contentious.
    """

    study: Annotated[str, Field(min_length=1, max_length=500)]
    takes: Literal["conditions", "accepted", "contentious"] = "conditions"
    when: Literal["they come", "closed"] = "they come"
    spread: Annotated[float, Field(ge=0)] = 0.5


class Prolific(_Part):
    """Entry from Prolific. Annotators return to ``completion_url`` at the end."""

    completion_url: str
    stopped_url: str | None = None


class MTurk(_Part):
    """Entry from Mechanical Turk as an external question; ``sandbox`` submits to the sandbox."""

    sandbox: bool = False


class Access(_Part):
    """Who may take part: people with an invitation, and with ``open`` anyone, up to ``limit`` annotators.

    With ``pool``, only people who passed the qualification of that pool.
    """

    open: bool = False
    limit: Annotated[int, Field(ge=1)] | None = None
    pool: PoolName | None = None
    prolific: Prolific | None = None
    mturk: MTurk | None = None


class Example(_Part):
    """A worked example for the instructions.

    ``context`` holds the turns of a dialogue before ``left``; it may end with ``left``, as in files of items.
    ``answer`` uses the form's fields: ``{best = 1, worst = 3}`` (numbers of options, from 1), ``{value = 4}``,
    ``{applies = true, value = 1}``, ``{alike = "...", differ = "..."}``. ``why`` explains it.
    With ``language`` it is shown in that interface language only.
    """

    left: str
    right: str | None = None
    context: tuple[str, ...] = ()
    condition: str | None = None
    options: tuple[str, ...] = ()
    answer: dict[str, Any]
    why: str = ""
    language: Language | None = None


class StudyPlan(_Part):
    """A whole study. In the TOML file ``guidelines`` and ``consent`` name Markdown files; here they hold the texts."""

    name: Annotated[str, Field(pattern=r"^[\w][\w .-]{0,99}$")]
    task: Annotated[str, Field(min_length=1, max_length=200)]
    items: str | None = None
    questions: str | None = None
    judgements: Annotated[int, Field(ge=1, le=1000)] = 5
    languages: Annotated[tuple[Language, ...], Field(min_length=1)] = ("en",)
    seed: int = 1
    shuffle: bool = True
    tuple_size: Annotated[int, Field(ge=2, le=9)] = 4
    contact: str | None = None
    title: Texts = Field(default_factory=dict)
    guidelines: Texts = Field(default_factory=dict)
    consent: Texts = Field(default_factory=dict)
    example: tuple[Example, ...] = ()
    scale: RatingScale | None = None
    batch: BatchPlan = BatchPlan()
    gold: GoldPlan | None = None
    training: TrainingPlan | None = None
    qualification: QualificationPlan | None = None
    second_round: SecondRound | None = None
    follows: Follows | None = None
    access: Access = Access()
    skip: SkipPlan = SkipPlan()
    breaks: BreakPlan = BreakPlan()
    comments: bool = True
    survey: Survey = Survey()

    def annotation_task(self) -> AnnotationTask:
        """The study's task, with the study's settings.

        Raises:
            UnknownNameError: no annotation task has that name.
            ArgumentError: its arguments do not fit.

        >>> StudyPlan(name="colours", task="verification").annotation_task().fields
        ('applies', 'value')
        """
        settings = TaskSettings(scale=self.scale, tuple_size=self.tuple_size, seed=self.seed)
        return ANNOTATION_TASKS.make(self.task).for_study(settings)

    def text(self, part: Literal["title", "guidelines", "consent"], language: str) -> str:
        """A text in this language or the first that has it; else the name for a title, and nothing for the others."""
        texts: dict[Any, str] = getattr(self, part)
        found = [texts[each] for each in (language, *self.languages, *texts) if each in texts]
        return found[0] if found else self.name if part == "title" else ""

    def examples(self, language: str) -> tuple[Example, ...]:
        """The worked examples for this interface language."""
        return tuple(example for example in self.example if example.language in (None, language))
