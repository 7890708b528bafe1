"""The sections of a study's TOML file, as validated models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from similitude.collect.annotation.interface_languages import Language
from similitude.collect.annotation.plan.participation import BreakPlan, SkipPlan
from similitude.collect.annotation.plan.pay import PayPlan
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
    "ReadingPlan",
    "SecondRound",
    "StudyPlan",
    "TrainingPlan",
]

Share = Annotated[float, Field(ge=0, le=1)]
Texts = dict[Language, str]


class _Part(BaseModel):
    """A part of the plan. It is frozen, and unknown names are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ReadingPlan(_Part):
    """How the file of items is read, where its content leaves a choice: the arguments of `similitude.read`.

    Attributes:
        format: the name of a format or a reading recipe.
        columns: our columns to the file's: ``{left = "first", right = "second"}``; an empty name leaves ours out.
        encoding: the encoding of a text file.
        separator: the separator of fields, such as ``";"`` or a tab.
        header: whether the first row holds the names of columns.
        decimal: the character before the decimals of a number.
        missing: codes for values that are missing.
        sheet: the sheet of a workbook.
        on_error: "skip" leaves bad rows out.
    """

    format: str | None = None
    columns: dict[str, str] = Field(default_factory=dict)
    encoding: str = "utf-8"
    separator: str | None = None
    header: bool | None = None
    decimal: Literal[".", ","] = "."
    missing: tuple[str, ...] = ()
    sheet: str | None = None
    on_error: Literal["stop", "skip"] = "stop"

    def arguments(self) -> dict[str, Any]:
        """The arguments that differ from their defaults."""
        return self.model_dump(exclude_defaults=True)


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
    """Known answers among the work.

    Attributes:
        questions: the file of the questions with their right answers.
        stop_below: annotators with a smaller share of right answers are told and stopped.
        after: how many answers it takes before anybody is stopped.
        tolerance: a rating is right if it is less than this from the known one.
    """

    questions: str
    stop_below: Share = 0.7
    after: Annotated[int, Field(ge=1)] = 10
    tolerance: Annotated[float, Field(gt=0)] = 0.5


class TrainingPlan(_Part):
    """Training with feedback, as in USTS 3.2: the right answer is shown after each question.

    Attributes:
        questions: the file of the questions with their right answers.
        rounds: how many rounds of equal size there are.
        limit: how many questions each annotator gets at most.
        tolerance: a rating is right if it is less than this from the known one.
        pass: annotators continue if their share of right answers over all rounds is at least this.
    """

    questions: str
    rounds: Annotated[int, Field(ge=1, le=20)] = 3
    limit: Annotated[int, Field(ge=1)] = 15
    tolerance: Annotated[float, Field(gt=0)] = 0.5
    pass_: Share = Field(default=0.75, alias="pass")

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


PoolName = Annotated[str, Field(pattern=r"^[\w][\w.-]{0,49}$")]


class QualificationPlan(_Part):
    """A test before the work.

    Attributes:
        questions: the file of the questions with their right answers.
        pass: the share of right answers that is needed.
        tolerance: a rating is right if it is less than this from the known one.
        review: a leader reads the answers and decides, instead of the share.
        pool: studies with the same pool share the result: who passed in one takes no second test, and who failed is
        not admitted again.
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
    """Entry from Prolific. Once a key or a secret is set, links without a valid signature are refused.

    Attributes:
        completion_url: the address, with a code of your Prolific study, to which people return at the end.
        early_url: the same for those who finish early; by default ``completion_url``.
        stopped_url: for those whom a threshold stopped; by default ``completion_url``.
        screened_url: for those who did not pass training or the test; by default ``stopped_url``.
        study: the STUDY_ID that links must carry; any if it is not set.
        jwks: the file of Prolific's public keys, for its secured study links; here it holds the file's text.
        public_key: a PEM file with one public key instead; here it holds the file's text.
        audience: the address of your server as Prolific signs it (``aud``); needed with a key.
        issuer: who signs (``iss``).
        secret: the secret of links that you sign yourself, with HMAC-SHA256.
        secret_file: a file that holds the secret, so that it does not stand in the TOML file.
    """

    completion_url: str
    early_url: str | None = None
    stopped_url: str | None = None
    screened_url: str | None = None
    study: str | None = None
    jwks: str | None = None
    public_key: str | None = None
    audience: str | None = None
    issuer: str = "https://www.prolific.com"
    secret: str | None = Field(default=None, min_length=16, repr=False)
    secret_file: str | None = None

    @model_validator(mode="after")
    def _key_has_audience(self) -> Prolific:
        if (self.jwks or self.public_key) and not self.audience:
            raise ValueError("a key needs its audience, the address of your server: audience = 'https://...'")
        return self

    @property
    def signed(self) -> bool:
        """Whether links must be signed."""
        return bool(self.jwks or self.public_key or self.secret)


class MTurk(_Part):
    """Entry from Mechanical Turk as an external question.

    Attributes:
        sandbox: work is submitted to the sandbox.
        batches: batches of work per assignment; then the assignment is submitted, and a worker may take another one.
            None means that one assignment holds all that a worker does.
    """

    sandbox: bool = False
    batches: Annotated[int, Field(ge=1, le=1000)] | None = None


class Access(_Part):
    """Who may take part, beside people with an invitation.

    Attributes:
        open: anyone may enter, at ``/open``.
        limit: how many annotators there may be.
        keep_platform_ids: leaders can read people's ids on Prolific or MTurk, and annotators are told so; otherwise
        only hashes are kept, by which a pasted id is found.
        pool: only people who passed the qualification of this pool.
        prolific: entry from Prolific.
        mturk: entry from Mechanical Turk.
    """

    open: bool = False
    limit: Annotated[int, Field(ge=1)] | None = None
    keep_platform_ids: bool = False
    pool: PoolName | None = None
    prolific: Prolific | None = None
    mturk: MTurk | None = None


class Example(_Part):
    """A worked example for the instructions.

    Attributes:
        left: the first text.
        right: the second text.
        context: the turns of a dialogue before ``left``; it may end with ``left``, as in files of items.
        condition: the respect in which to compare.
        options: the texts to choose from.
        answer: the form's fields: ``{best = 1, worst = 3}`` (numbers of options, from 1), ``{value = 4}``,
        ``{applies = true, value = 1}``, ``{alike = "...", differ = "..."}``.
        why: explains the answer.
        language: the one interface language in which the example is shown.
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
    """A whole study. In the TOML file ``guidelines`` and ``consent`` name Markdown files; here they hold the texts.

    Attributes:
        name: the name of the study; a database holds one study.
        task: what people are asked: "best-worst", "rating", "conditions", "verification", or a task of a package.
        items: the file of the items, in any format that Similitude reads, or ``sample:NAME``.
        reading: how that file is read, where its content leaves a choice.
        questions: a design, from ``similitude design``; without one the task asks its own questions.
        judgements: how many people answer each question; a design brings its own number.
        languages: of the interface; the browser chooses among them, and the first is the default.
        seed: makes the order of questions and options reproducible.
        shuffle: whether the options of a question are shown in random order.
        tuple_size: texts per question of a best-worst study without a design.
        contact: whom annotators can write to.
        title: the title of the study, by language.
        guidelines: the Markdown file of the instructions, by language.
        consent: the Markdown file of what people agree to, by language.
        example: worked examples.
        scale: the scale of ratings.
        batch: how work is given out.
        gold: known answers among the work.
        training: training with feedback.
        qualification: a test before the work.
        second_round: more judgements of some questions.
        follows: the study whose results become the questions of this one.
        access: who may take part.
        pay: what people earn.
        skip: whether questions can be skipped.
        breaks: whether breaks can be announced.
        comments: whether people can comment on questions.
        survey: questions about the people, before and after the work.
    """

    name: Annotated[str, Field(pattern=r"^[\w][\w .-]{0,99}$")]
    task: Annotated[str, Field(min_length=1, max_length=200)]
    items: str | None = None
    reading: ReadingPlan = ReadingPlan()
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
    pay: PayPlan | None = None
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
