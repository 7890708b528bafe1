"""The prompted system: a language model is told what to do, and asked how alike two texts are."""

# No postponed annotations here: the registry reads them off this module.
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from similitude.data.item import Item, Items
from similitude.data.judgements import Judgements
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.models.language.answer_cache import ask, score_choices
from similitude.models.language.protocol import GenerationSettings, LanguageModel
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.prompted.answer_scores import (
    ScoredAnswers,
    score_by_answer,
    score_by_expectation,
    score_by_raters,
)
from similitude.systems.prompted.cost_estimate import CostEstimate, Prices, estimate_cost
from similitude.systems.prompted.expected_score import level_texts, levels_of
from similitude.systems.prompted.language_model_system import LanguageModelSystem, file_fingerprint
from similitude.systems.prompted.prompt_template import read_template
from similitude.systems.prompted.prompt_window import ContextWindow, PromptWindow
from similitude.systems.prompted.prompts import Instruction, Prompter, written_score
from similitude.systems.prompted.question_plan import Planner, QuestionPlan
from similitude.systems.prompted.shots import Shots, open_pool
from similitude.systems.prompted.simulated_raters import BUILT_IN, judgements_of, read_personas
from similitude.systems.prompted.translations import language_of, translation_for

__all__ = ["By", "Prompted"]

By = Literal["answer", "expected", "raters"]

LEVEL_TOKENS = 8
"""Room that is kept for a level after the prompt."""


@SYSTEMS.register("prompted")
@dataclass(frozen=True)
class Prompted(LanguageModelSystem):
    """A language model's own judgement of how alike two texts are: as it says it, expects it, or as raters would.

    Attributes:
        by: "answer" reads the number off what the model says; "expected" is the mean over the scale's levels, each
            weighed by its probability, with its standard deviation; "raters" is the mean and spread over several
            simulated raters, whose ratings are the samples.
        instruction: none, short or long.
        template: a file with the user's own prompt, in place of ours.
        shots: examples before each query.
        examples: the data that they are drawn from: what `similitude.read` takes.
        examples_split: of it; none is "train" where there is one.
        scale: that the model answers on; predictions are mapped from it to that of the gold.
        levels: the answers that are weighed with by=expected; none is the scale's whole numbers.
        raters: how many, with by=raters.
        personas: "built-in", a file with one a line, or none for the same question again.
        context: whether the earlier turns of a dialogue are told.
        condition: whether the condition is told.
        temperature: of answers; none is 0, and 1 with by=raters.
        top_p: tokens are drawn from the likeliest that together have this probability.
        longest: tokens of an answer at most.

    The other arguments are those of `similitude.systems.prompted.language_model_system.AskingSystem`.

    References:
        Deshpande et al. (2023), C-STS, 4.2 and appendices A.3 and B; Wang et al. (2023), USTS, 7.
    """

    name: ClassVar[str] = "prompted"
    summary: ClassVar[str] = "what a language model says when it is asked how alike both texts are"

    by: By = field(default="answer", kw_only=True)
    instruction: Instruction = field(default="short", kw_only=True)
    template: str | None = field(default=None, kw_only=True)
    shots: int = field(default=0, kw_only=True)
    examples: str | None = field(default=None, kw_only=True)
    examples_split: str | None = field(default=None, kw_only=True)
    scale: str = field(default="1..5", kw_only=True)
    levels: tuple[float, ...] | None = field(default=None, kw_only=True)
    raters: int = field(default=10, kw_only=True)
    personas: str | None = field(default=BUILT_IN, kw_only=True)
    context: bool = field(default=True, kw_only=True)
    condition: bool = field(default=True, kw_only=True)
    temperature: float | None = field(default=None, kw_only=True)
    top_p: float = field(default=1.0, kw_only=True)
    longest: int = field(default=20, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        Scale.parse(self.scale)
        valid = (
            ("shots", self.shots >= 0, "0 or more"),
            ("raters", self.raters >= 1, "1 or more"),
            ("longest", self.longest >= 1, "1 or more"),
            ("temperature", self.temperature is None or self.temperature >= 0, "0 or more"),
            ("top_p", 0 < self.top_p <= 1, "more than 0 and at most 1"),
        )
        for name, is_valid, remedy in valid:
            if not is_valid:
                what = f"{name}={getattr(self, name)} is not valid for '{self.name}'"
                raise ArgumentError(what, remedy=f"give {remedy}")
        for what, remedy in self._contradictions():
            raise ArgumentError(f"'{self.name}' cannot be made so: {what}", remedy=remedy)

    @property
    def asked_scale(self) -> Scale:
        """The scale that the model answers on."""
        return replace(Scale.parse(self.scale), origin="system")

    @property
    def range(self) -> Scale | None:
        """The scale that the model answers on."""
        return self.asked_scale

    @property
    def reads(self) -> frozenset[str]:
        """What the model is told."""
        flags = {"context": self.context, "condition": self.condition}
        return frozenset(name for name, is_told in flags.items() if is_told)

    def score(self, items: Items) -> Predictions:
        """One score an item, in order, on the scale that was asked for."""
        return self.judge(items).predictions

    def judge(self, items: Items) -> ScoredAnswers:
        """What `score` gives, and what became of the answers."""
        model = self.language_model
        plan, asked = self._plan(items, model), list(items)
        for text in plan.notes:
            self.note(text)
        if self.by == "expected":
            weighed = score_choices(model, plan.choices, self.answers, self.listener) if plan.choices else None
            found = weighed or ask(model, plan.questions, self.answers, self.listener)
            judged = score_by_expectation(asked, self._levels, found, self.asked_scale, self.seed)
        else:
            answers = ask(model, plan.questions, self.answers, self.listener)
            if self.by == "raters":
                judged = score_by_raters(asked, answers, self.raters, self.asked_scale, self.seed)
            else:
                judged = score_by_answer(asked, answers, self.asked_scale, self.seed)
        for text in (*judged.tally.notes(), *judged.notes):
            self.note(text)
        return judged

    def judgements(self, items: Items) -> Judgements:
        """What simulated raters say, laid out as people's ratings are, so that the same code adds them up.

        Raises:
            ArgumentError: the system asks no raters.
        """
        return judgements_of(items, self.score(items), scale=self.asked_scale, name=str(self.identity))

    def estimate(self, items: Items) -> CostEstimate:
        """What scoring these items would ask, and cost. Nothing is asked but, of an endpoint, what it can do."""
        model = self.language_model
        plan = self._plan(items, model)
        return estimate_cost(
            model, [*plan.questions, *plan.choices], self.answers, Prices(self.price_in, self.price_out)
        )

    def material(self) -> list[str]:
        """Our texts, the examples, the template, the personas."""
        made = super().material()
        if self.shots and self.examples is not None:
            made.append(open_pool(self.examples, self.examples_split).fingerprint)
        personas = self.personas if self.by == "raters" and self.personas != BUILT_IN else None
        return [*made, *(file_fingerprint(path) for path in (self.template, personas) if path is not None)]

    def _plan(self, items: Items, model: LanguageModel) -> QuestionPlan:
        told = [self._told(item) for item in items]
        if self.by == "answer":
            return self._planner(model).one_each(told)
        if self.by == "raters":
            return self._planner(model).by_raters(told, self.raters, self._personas_for())
        if model.scores_choices:
            return self._planner(model, by_likelihood=True).between_levels(told, self._levels)
        return self._planner(model).by_first_token(told, self._levels)

    def _planner(self, model: LanguageModel, *, by_likelihood: bool = False) -> Planner:
        usual, form = 1.0 if self.by == "raters" else 0.0, self.form_for(model, by_likelihood=by_likelihood)
        settings = GenerationSettings(
            temperature=usual if self.temperature is None else self.temperature,
            top_p=self.top_p,
            longest=self.longest,
            stop=("\n\n",) if form == "text" else (),
        )
        prompter = Prompter(
            scale=self.asked_scale,
            instruction=self.instruction,
            form=form,
            language=self.language,
            template=None if self.template is None else read_template(self.template),
            decimals=self.by != "expected",
        )
        prompt_window = PromptWindow(
            prompter=prompter,
            shots=self._shots(),
            window=ContextWindow(model=model, overlong=self.overlong),
            room=LEVEL_TOKENS if by_likelihood else self.longest,
        )
        return Planner(prompt_window=prompt_window, settings=settings, seed=self.seed)

    def _shots(self) -> Shots | None:
        if not self.shots or self.examples is None:
            return None
        pool, scale = open_pool(self.examples, self.examples_split), self.asked_scale

        def write(score: float) -> str:
            mapped = scale.at((score - pool.scale.low) / pool.scale.width)
            if self.by != "expected":
                return written_score(mapped, scale)
            texts = dict(zip(self._levels, level_texts(self._levels), strict=True))
            return texts[min(texts, key=lambda level: abs(level - mapped))]

        return Shots(pool, self.shots, self.seed, write)

    @property
    def _levels(self) -> tuple[float, ...]:
        return levels_of(self.asked_scale, self.levels)

    def _told(self, item: Item) -> Item:
        context = item.context if self.context else None
        return replace(item, context=context, condition=item.condition if self.condition else None)

    def _personas_for(self) -> Callable[[Item], Sequence[str]]:
        if self.personas is None:
            return lambda item: ()
        if self.personas == BUILT_IN:
            return lambda item: translation_for(self.language or language_of(item)).personas
        personas = read_personas(self.personas)
        return lambda item: personas

    def _contradictions(self) -> Iterator[tuple[str, str]]:
        """What cannot be meant, each with its remedy."""
        if self.shots and self.examples is None:
            yield f"{self.shots} shots need data to draw them from", "give examples=FILE, whose gold is known"
        if self.template is not None and self.instruction != "short":
            yield "a template says the instruction itself", "leave out instruction, or template"
        if self.levels is not None and self.by != "expected":
            yield "levels are for by=expected", "leave them out, or give by=expected"
        if self.by == "expected":
            levels_of(self.asked_scale, self.levels)
