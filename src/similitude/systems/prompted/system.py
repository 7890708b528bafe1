"""The prompted system: a language model is asked how similar two texts are."""

# No postponed annotations here: the registry reads them off this module.
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, Literal

from similitude.data.item import Item, Items
from similitude.data.judgements import Judgements
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.models.language.answer_cache import ask, score_choices
from similitude.models.language.protocol import GenerationSettings, LanguageModel
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.prompted.answer_parser import read_as_in_csts, read_score
from similitude.systems.prompted.answer_scores import (
    Instead,
    Reader,
    ScoredAnswers,
    Unread,
    score_by_answer,
    score_by_expectation,
    score_by_raters,
)
from similitude.systems.prompted.cost_estimate import CostEstimate, Prices, estimate_cost
from similitude.systems.prompted.expected_score import level_texts, levels_of
from similitude.systems.prompted.language_model_system import LanguageModelSystem, file_fingerprint
from similitude.systems.prompted.paper_templates import PAPER_TEMPLATES, template_fingerprint
from similitude.systems.prompted.prompt_template import Template, read_template
from similitude.systems.prompted.prompt_window import ContextWindow, PromptWindow
from similitude.systems.prompted.prompts import Instruction, Prompter, written_score
from similitude.systems.prompted.question_plan import Planner, QuestionPlan
from similitude.systems.prompted.shots import Shots, open_pool
from similitude.systems.prompted.simulated_raters import BUILT_IN, judgements_of, read_personas
from similitude.systems.prompted.skipped_items import skipped_notes, with_skipped
from similitude.systems.prompted.translations import language_of, translation_for

__all__ = ["By", "Prompted"]

By = Literal["answer", "expected", "raters"]

LEVEL_TOKENS = 8
"""Tokens reserved for a level after the prompt."""


@SYSTEMS.register("prompted")
@dataclass(frozen=True)
class Prompted(LanguageModelSystem):
    """Similarity as judged by a language model: its answer, its expected score, or the mean of simulated raters.

    Attributes:
        by: "answer" parses the number in the model's answer; "expected" is the mean over the scale's levels, weighted
            by their probabilities, with its standard deviation; "raters" is the mean and standard deviation over
            several simulated raters, whose ratings are the samples.
        template: the prompt of a paper (csts-none, csts-short, csts-long), or a file with the user's own.
        shots: the number of examples before each query.
        examples: the data to draw examples from: anything `similitude.read` takes.
        examples_split: the split of that data; None for "train" if it exists.
        scale: the scale of the model's answers; predictions are mapped from it to the gold scale.
        levels: the levels scored with by=expected or allowed with constrained=true; None for the scale's integers.
        constrained: whether the model may answer with nothing but a level. Local models always can; an endpoint is told
            in the way that ``constrain`` names, and where it knows none, a note says so.
        raters: the number of raters, with by=raters.
        personas: "built-in", a file with one persona per line, or None to repeat the same question.
        context: whether prompts include the earlier turns of a dialogue.
        condition: whether prompts include the condition.
        temperature: the sampling temperature; None is 0, and 1 with by=raters.
        top_p: tokens are sampled from the likeliest ones that together have this probability.
        longest: maximum tokens of an answer.
        unread: what an answer without a score is replaced by: a random "draw" from the scale, as in C-STS, which every
            resample of an interval repeats, or the "middle" of the scale.

    The other arguments are those of `similitude.systems.prompted.language_model_system.LanguageModelSystem`.

    References:
        Deshpande et al. (2023), C-STS, 4.2 and appendices A.3 and B; Wang et al. (2023), USTS, 7.
    """

    name: ClassVar[str] = "prompted"
    summary: ClassVar[str] = "similarity as judged by a language model that is asked for it"

    by: By = field(default="answer", kw_only=True)
    instruction: Instruction = field(default="short", kw_only=True)
    template: str | None = field(default=None, kw_only=True)
    shots: int = field(default=0, kw_only=True)
    examples: str | None = field(default=None, kw_only=True)
    examples_split: str | None = field(default=None, kw_only=True)
    scale: str = field(default="1..5", kw_only=True)
    levels: tuple[float, ...] | None = field(default=None, kw_only=True)
    constrained: bool = field(default=False, kw_only=True)
    raters: int = field(default=10, kw_only=True)
    personas: str | None = field(default=BUILT_IN, kw_only=True)
    context: bool = field(default=True, kw_only=True)
    condition: bool = field(default=True, kw_only=True)
    temperature: float | None = field(default=None, kw_only=True)
    top_p: float = field(default=1.0, kw_only=True)
    longest: int = field(default=20, kw_only=True)
    unread: Unread = field(default="draw", kw_only=True)

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
            raise ArgumentError(f"cannot make system '{self.name}': {what}", remedy=remedy)

    @property
    def asked_scale(self) -> Scale:
        """The scale of the model's answers."""
        return replace(Scale.parse(self.scale), origin="system")

    @property
    def range(self) -> Scale | None:
        """The scale of the model's answers."""
        return self.asked_scale

    @property
    def reads(self) -> frozenset[str]:
        """The columns that prompts include."""
        flags = {"context": self.context, "condition": self.condition}
        return frozenset(name for name, is_told in flags.items() if is_told)

    def score(self, items: Items) -> Predictions:
        """One score per item, in order, on the scale of the answers."""
        return self.judge(items).predictions

    def judge(self, items: Items) -> ScoredAnswers:
        """The predictions of `score`, and statistics of the answers."""
        model = self.language_model
        plan = self._plan(items, model)
        asked = [item for place, item in enumerate(items) if place not in plan.skipped]
        for text in (*plan.notes, *skipped_notes(plan.skipped, len(items), "items", model)):
            self.note(text)
        if self.by == "expected":
            weighed = score_choices(model, plan.choices, self.answers, self.listener) if plan.choices else None
            found = weighed or ask(model, plan.questions, self.answers, self.listener)
            judged = score_by_expectation(asked, self._levels, found, self.asked_scale, self._instead)
        else:
            answers = ask(model, plan.questions, self.answers, self.listener)
            if self.by == "raters":
                judged = score_by_raters(asked, answers, self.raters, self.asked_scale, self._instead, self._reader)
            else:
                judged = score_by_answer(asked, answers, self.asked_scale, self._instead, self._reader)
        instead = "a random draw from the scale" if self.unread == "draw" else "the middle of the scale"
        for text in (
            *judged.tally.notes(f"contained no number on the scale and were replaced by {instead}"),
            *judged.notes,
        ):
            self.note(text)
        if plan.skipped:
            return judged._replace(predictions=with_skipped(judged.predictions, plan.skipped))
        return judged

    def judgements(self, items: Items) -> Judgements:
        """The ratings of simulated raters as judgements, so that the same code aggregates them as human ratings.

        Raises:
            ArgumentError: the system uses no raters.
        """
        return judgements_of(items, self.score(items), scale=self.asked_scale, name=str(self.identity))

    def estimate(self, items: Items) -> CostEstimate:
        """The requests and cost of scoring these items. Only the abilities of an endpoint are tested."""
        model = self.language_model
        plan = self._plan(items, model)
        return estimate_cost(
            model, [*plan.questions, *plan.choices], self.answers, Prices(self.price_in, self.price_out)
        )

    def material(self) -> list[str]:
        """Fingerprints of our texts, the examples, the template and the personas."""
        made = super().material()
        if self.shots and self.examples is not None:
            made.append(open_pool(self.examples, self.examples_split).fingerprint)
        personas = self.personas if self.by == "raters" and self.personas != BUILT_IN else None
        named = (
            [] if self.template is None else [template_fingerprint(self.template) or file_fingerprint(self.template)]
        )
        return [*made, *named, *([] if personas is None else [file_fingerprint(personas)])]

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
            stop=self.stops_for(form),
        )
        prompter = Prompter(
            scale=self.asked_scale,
            instruction=self.instruction,
            form=form,
            language=self.language,
            template=self._template,
            decimals=self.by != "expected",
        )
        prompt_window = PromptWindow(
            prompter=prompter,
            shots=self._shots(),
            window=ContextWindow(model=model, overlong=self.overlong),
            room=LEVEL_TOKENS if by_likelihood else self.longest,
        )
        allowed = level_texts(self._levels) if self.constrained else ()
        return Planner(prompt_window=prompt_window, settings=settings, seed=self.seed, allowed=allowed)

    def _shots(self) -> Shots | None:
        if not self.shots or self.examples is None:
            return None
        pool, scale, template = open_pool(self.examples, self.examples_split), self.asked_scale, self._template

        def write(score: float) -> str:
            mapped = scale.at((score - pool.scale.low) / pool.scale.width)
            if self.by != "expected":
                return written_score(mapped, scale, None if template is None else template.score_digits)
            texts = dict(zip(self._levels, level_texts(self._levels), strict=True))
            return texts[min(texts, key=lambda level: abs(level - mapped))]

        return Shots(pool, self.shots, self.seed, write)

    @property
    def _template(self) -> Template | None:
        return None if self.template is None else read_template(self.template)

    @property
    def _reader(self) -> Reader:
        """The paper's own rule for its templates, unless the user has a pattern."""
        if self.pattern is None and self.template in PAPER_TEMPLATES:
            return read_as_in_csts
        return partial(read_score, scale=self.asked_scale, pattern=self._pattern)

    @property
    def _instead(self) -> Instead:
        return Instead(self.unread, self.seed)

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
        """Contradictory arguments, each with a remedy."""
        if self.shots and self.examples is None:
            yield f"{self.shots} shots need data to draw examples from", "give examples=FILE with gold"
        if self.template is not None and self.instruction != "short":
            yield "a template contains its own instruction", "leave out instruction or template"
        if self.levels is not None and self.by != "expected" and not self.constrained:
            remedy = "leave them out, or use by=expected or constrained=true"
            yield "levels apply to by=expected and to constrained=true", remedy
        if self.constrained and self.by == "expected":
            yield "by=expected weighs the levels and needs no constraint", "leave out constrained, or use by=answer"
        if self.by == "expected" or self.constrained:
            levels_of(self.asked_scale, self.levels)
