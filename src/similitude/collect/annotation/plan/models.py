"""The study as it is planned, validated: what stands in the TOML file, with the texts that it names."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from similitude.collect.annotation.rating_scale import RatingScale
from similitude.collect.annotation.records import Language
from similitude.collect.annotation.tasks import ANNOTATION_TASKS, AnnotationTask, TaskSettings

__all__ = [
    "Access",
    "BatchPlan",
    "Example",
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
    """A part of the plan: frozen, and a name that is not known is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class BatchPlan(_Part):
    """How work is dealt.

    Attributes:
        questions: in a batch, gold and repeats included.
        minutes: after which unanswered questions go back; every answer begins them anew.
        gold_share: of the questions dealt to an annotator are gold.
        repeat_share: of the questions dealt to an annotator they have answered before.
        per_page: questions shown on one page.
        most: work questions that one annotator may answer; None: no limit.
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
    """Questions with known answers among the work: annotators below ``stop_below`` after ``after`` of them stop."""

    questions: str
    stop_below: Share = 0.7
    after: Annotated[int, Field(ge=1)] = 10
    tolerance: Annotated[float, Field(gt=0)] = 0.5


class TrainingPlan(_Part):
    """Training with feedback, in the way of USTS 3.2.

    Each annotator gets at most ``limit`` questions, in ``rounds`` rounds of equal size. An answer is right where it
    lies less than ``tolerance`` from the known one; the right answer is shown at once, then comes another question.
    After the last round those with a share of right answers of at least ``pass`` over all rounds go on.
    """

    questions: str
    rounds: Annotated[int, Field(ge=1, le=20)] = 3
    limit: Annotated[int, Field(ge=1)] = 15
    tolerance: Annotated[float, Field(gt=0)] = 0.5
    pass_: Share = Field(default=0.75, alias="pass")

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class QualificationPlan(_Part):
    """A test before the work. With ``review`` a leader reads the answers and decides; else the share right does."""

    questions: str
    pass_: Share = Field(default=0.8, alias="pass")
    tolerance: Annotated[float, Field(gt=0)] = 0.5
    review: bool = False

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class SecondRound(_Part):
    """Which questions are put to ``judgements`` more annotators once their first round is over.

    Attributes:
        spread: those whose first-round answers spread wider; 0.5 where no items are listed, else nobody's.
        judgements: how many more annotators.
        items: those about the listed items, whatever the first round said. In the file, the name of a CSV or JSONL
            file with a column ``id``, or a list of ids; here, the names of the questions.
    """

    spread: Annotated[float, Field(ge=0)] | None = 0.5
    judgements: Annotated[int, Field(ge=1)] = 15
    items: str | tuple[str, ...] | None = None

    @model_validator(mode="before")
    @classmethod
    def _listed_alone(cls, written: Any) -> Any:
        """Whoever lists items, and says nothing of a spread, means those items and no others."""
        if isinstance(written, dict) and written.get("items") is not None and "spread" not in written:
            return {**written, "spread": None}
        return written

    @property
    def listed(self) -> frozenset[str]:
        """The names of the listed questions."""
        return frozenset() if self.items is None or isinstance(self.items, str) else frozenset(self.items)


class Prolific(_Part):
    """Entry from Prolific; annotators are sent back to ``completion_url``."""

    completion_url: str
    stopped_url: str | None = None


class MTurk(_Part):
    """Entry from Mechanical Turk as an external question; ``sandbox`` submits to the sandbox."""

    sandbox: bool = False


class Access(_Part):
    """Who may come in: by invitation always; ``open`` lets anyone; ``limit`` is the most annotators in all."""

    open: bool = False
    limit: Annotated[int, Field(ge=1)] | None = None
    prolific: Prolific | None = None
    mturk: MTurk | None = None


class Example(_Part):
    """A worked example for the instructions.

    ``answer`` uses the form's fields: ``{best = 1, worst = 3}`` (numbers of options, from 1), ``{value = 4}``,
    ``{applies = true, value = 1}``, ``{alike = "...", differ = "..."}``. ``why`` explains it.
    ``language``: shown in that interface language only; None: in all.
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
    """A whole study. In the file ``guidelines`` and ``consent`` name Markdown files; here they hold the texts."""

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
    access: Access = Access()

    def annotation_task(self) -> AnnotationTask:
        """The task that the study names, with what the study sets of it.

        Raises:
            UnknownNameError: no annotation task has that name.
            ArgumentError: its arguments do not fit.

        >>> StudyPlan(name="colours", task="verification").annotation_task().fields
        ('applies', 'value')
        """
        settings = TaskSettings(scale=self.scale, tuple_size=self.tuple_size, seed=self.seed)
        return ANNOTATION_TASKS.make(self.task).for_study(settings)

    def text(self, part: Literal["title", "guidelines", "consent"], language: str) -> str:
        """A text in this language, else in the study's first that has it, else empty (for the title: the name)."""
        texts: dict[Any, str] = getattr(self, part)
        found = [texts[each] for each in (language, *self.languages, *texts) if each in texts]
        return found[0] if found else self.name if part == "title" else ""

    def examples(self, language: str) -> tuple[Example, ...]:
        """The worked examples for this interface language."""
        return tuple(example for example in self.example if example.language in (None, language))
