"""Multiple choice as a system: an item's score is the model's preference for it within its group."""

# No postponed annotations here: the registry reads them off this module.
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.read_answer import ReadAnswer, kind_of
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.models.language.answer_cache import ask, score_choices
from similitude.models.language.protocol import (
    GenerationSettings,
    LanguageModel,
    Message,
    ModelAnswer,
    ModelChoice,
    ModelQuestion,
)
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.pairwise import UNIT
from similitude.systems.prompted.choice_template import read_choice_template
from similitude.systems.prompted.cost_estimate import CostEstimate, Prices, estimate_cost
from similitude.systems.prompted.expected_score import ALTERNATIVES
from similitude.systems.prompted.language_model_system import LanguageModelSystem, file_fingerprint
from similitude.systems.prompted.letter_reader import read_letter
from similitude.systems.prompted.multiple_choice import (
    LETTERS,
    ChoiceGroup,
    ChoicePrompter,
    Orders,
    groups_of,
    orders_of,
)
from similitude.systems.prompted.option_scores import (
    ChoiceBy,
    missing_likelihoods,
    scores_from_first_tokens,
    scores_from_letter,
    scores_from_likelihoods,
)
from similitude.systems.prompted.paper_templates import template_fingerprint
from similitude.systems.prompted.position_bias import PositionBias, position_bias
from similitude.systems.prompted.prompt_window import ContextWindow, FittedPrompts, Prompt, PromptDraft
from similitude.systems.prompted.skipped_items import marked_as_skipped, skipped_notes
from similitude.systems.prompted.tally import CUT, AnswerTally

__all__ = ["Chosen", "MultipleChoice"]

Array = NDArray[np.float64]


class Chosen(NamedTuple):
    """The result of multiple choice.

    Attributes:
        predictions: one score per item: the model's preference for it.
        bias: how often each position was chosen; None if there was no choice.
        tally: statistics of the answers.
    """

    predictions: Predictions
    bias: PositionBias | None
    tally: AnswerTally


class _Ordered(NamedTuple):
    """A question with its options in one order."""

    group: ChoiceGroup
    order: tuple[int, ...]


class _Favour(NamedTuple):
    """What the model prefers in one ordered question.

    Attributes:
        by_position: the preference for each position; None if no option was named.
        read: the answer and how it was read; None if the model weighed given texts.
    """

    by_position: Array | None
    read: ReadAnswer | None = None


class _Plan(NamedTuple):
    """The requests: one question, or one choice, for each order of each group."""

    ordered: list[_Ordered]
    questions: list[ModelQuestion]
    choices: list[ModelChoice]
    notes: list[str]
    skipped: frozenset[int] = frozenset()


@SYSTEMS.register("choice")
@dataclass(frozen=True)
class MultipleChoice(LanguageModelSystem):
    """The option of a group that a language model considers closest in meaning (GiCCS 5.1.2).

    Other systems score an item by itself. Here the items of a group are the options of one question, so a score depends
    on the other options of the group, but not on other groups or on the order of rows. If a group lacks some of its
    items, the question is asked without them, and a note says so.

    Attributes:
        by: "sum": the log-likelihood of the option's text after the question; "token" and "character": the same per
            token or per character; "letter": the probability of its letter; "answer": whether the model answers with
            its letter.
        dialogue: whether the prompt includes the earlier turns, or only the last one.
        orders: the orders of the options that scores are averaged over: a number; "rotations", in which every option is
            at every position once; or "file", the order of the rows, once, as in the paper. There a position may tell
            the answer.
        template: the question of a paper (giccs), or a file with the user's own; see
            `similitude.systems.prompted.choice_template`.
        longest: maximum tokens of an answer, with by=answer.

    The other arguments are those of `similitude.systems.prompted.language_model_system.LanguageModelSystem`.
    """

    name: ClassVar[str] = "choice"
    summary: ClassVar[str] = "preference of a language model for each text of a group, by closeness in meaning"

    by: ChoiceBy = field(default="sum", kw_only=True)
    dialogue: bool = field(default=True, kw_only=True)
    orders: Orders = field(default="rotations", kw_only=True)
    template: str | None = field(default=None, kw_only=True)
    longest: int = field(default=16, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, value in (("orders", self.orders), ("longest", self.longest)):
            if isinstance(value, int) and value < 1:
                raise ArgumentError(f"{name}={value} is not valid for '{self.name}'", remedy="give 1 or more")

    @property
    def range(self) -> Scale | None:
        """0 to 1 for shares and probabilities; None for log-likelihoods, which are unbounded."""
        return UNIT if self.by in ("letter", "answer") else None

    @property
    def reads(self) -> frozenset[str]:
        """The context, if the prompt includes it; never the condition."""
        return frozenset({"context"}) if self.dialogue else frozenset()

    @property
    def needs_file_order(self) -> bool:
        """Whether the order of rows counts, so that items must not come in random order."""
        return self.orders == "file"

    def material(self) -> list[str]:
        """Fingerprints of our texts and of the template."""
        named = (
            [] if self.template is None else [template_fingerprint(self.template) or file_fingerprint(self.template)]
        )
        return [*super().material(), *named]

    def score(self, items: Items) -> Predictions:
        """The model's preference for each item within its group, in order."""
        return self.choose(items).predictions

    def choose(self, items: Items) -> Chosen:
        """The predictions of `score`, the position bias, and statistics of the answers."""
        model = self.language_model
        plan = self._plan(items, model)
        for text in plan.notes:
            self.note(text)
        found, tally = self._favours(plan, model)
        scores, unread = _by_item(len(items), plan.ordered, found)
        bias = position_bias([one.by_position for one in found if one.by_position is not None])
        for text in tally.notes("named no option, so each option got an equal share"):
            self.note(text)
        if bias is not None:
            self.note(bias.sentence())
        is_asked = bool(plan.questions)
        answers = _answers_by_item(len(items), plan.ordered, found) if is_asked else None
        predictions = Predictions(scores, invalid=unread if is_asked else None, answers=answers)
        return Chosen(marked_as_skipped(predictions, plan.skipped), bias, tally)

    def estimate(self, items: Items) -> CostEstimate:
        """The requests and cost of scoring these items. Only the abilities of an endpoint are tested."""
        model = self.language_model
        plan = self._plan(items, model)
        return estimate_cost(
            model, [*plan.questions, *plan.choices], self.answers, Prices(self.price_in, self.price_out)
        )

    def _plan(self, items: Items, model: LanguageModel) -> _Plan:
        groups = groups_of(items)
        ordered = [_Ordered(group, order) for group in groups for order in orders_of(group, self.orders, self.seed)]
        by_likelihood = self.by != "answer" and model.scores_choices
        if not by_likelihood and self.by not in ("letter", "answer"):
            raise missing_likelihoods(self.by)
        questioner = ChoicePrompter(
            form=self.form_for(model, by_likelihood=by_likelihood),
            language=self.language,
            dialogue=self.dialogue,
            letters=self.by in ("letter", "answer"),
            template=None if self.template is None else read_choice_template(self.template),
        )
        prompts, notes, long = self._fit(ordered, questioner, model)
        lost = {ordered[place].group.name for place in long}
        pairs = zip(prompts, ordered, strict=True)
        kept = [(prompt, one) for prompt, one in pairs if one.group.name not in lost]
        skipped = frozenset(place for group in groups if group.name in lost for place in group.places)
        notes = [*_incomplete(groups), *notes, *skipped_notes(lost, len(groups), "questions", model)]
        prompts, ordered = [prompt for prompt, _ in kept], [one for _, one in kept]
        if by_likelihood:
            choices = [
                ModelChoice(messages=prompt, options=questioner.answers(*one), about=one.group.name)
                for prompt, one in zip(prompts, ordered, strict=True)
            ]
            return _Plan(ordered, [], choices, notes, skipped)
        asked = [self._question(prompt, one) for prompt, one in zip(prompts, ordered, strict=True)]
        return _Plan(ordered, asked, [], notes, skipped)

    def _question(self, prompt: Prompt, asked: _Ordered) -> ModelQuestion:
        about = asked.group.name
        if self.by == "letter":
            one_token = GenerationSettings(longest=1)
            return ModelQuestion(messages=prompt, settings=one_token, alternatives=ALTERNATIVES, about=about)
        settings = GenerationSettings(longest=self.longest, stop=self.stop or ())
        allowed = tuple(LETTERS[: len(asked.order)])
        return ModelQuestion(messages=prompt, settings=settings, allowed=allowed, about=about)

    def _fit(self, ordered: Sequence[_Ordered], questioner: ChoicePrompter, model: LanguageModel) -> FittedPrompts:
        rooms = self._rooms(ordered, questioner, model)
        drafts = [PromptDraft(questioner.prompt(*one), one.group.name, rooms[one.group.name]) for one in ordered]
        return ContextWindow(model=model, overlong=self.overlong).fit(
            drafts, lambda place: questioner.shorter(*ordered[place])
        )

    def _rooms(self, ordered: Sequence[_Ordered], questioner: ChoicePrompter, model: LanguageModel) -> dict[str, int]:
        """Maximum tokens of an answer in each group: those of its longest option, if texts are scored."""
        if questioner.letters or model.window is None:
            return {one.group.name: self.longest for one in ordered}
        groups = {one.group.name: one.group for one in ordered}
        return {
            name: max(model.count_tokens([(Message("assistant", option),) for option in group.options]))
            for name, group in groups.items()
        }

    def _favours(self, plan: _Plan, model: LanguageModel) -> tuple[list[_Favour], AnswerTally]:
        """For each ordered question, the preference for each position."""
        options = [[one.group.options[option] for option in one.order] for one in plan.ordered]
        if plan.choices:
            weighed = score_choices(model, plan.choices, self.answers, self.listener)
            favours = [
                _Favour(scores_from_likelihoods(self.by, found, texts))
                for found, texts in zip(weighed, options, strict=True)
            ]
            return favours, AnswerTally()
        answers = ask(model, plan.questions, self.answers, self.listener)
        if self.by == "letter" and answers and not any(answer.first for answer in answers):
            raise ArgumentError(
                "by=letter needs token probabilities, and this endpoint returns none", remedy="use by=answer"
            )
        found = [self._answered(answer, texts) for answer, texts in zip(answers, options, strict=True)]
        tally = AnswerTally.of(answers, [one.read for one in found if one.read is not None])
        return found, tally if self.by == "answer" else replace(tally, cut=0)

    def _answered(self, answer: ModelAnswer, texts: Sequence[str]) -> _Favour:
        if self.by == "answer":
            read, is_cut = read_letter(answer.text, texts, self._pattern), answer.finish == CUT
            kind = kind_of(read.place, is_prose=read.is_prose)
            return _Favour(scores_from_letter(read, len(texts)), ReadAnswer(answer.text, read.rule, kind, None, is_cut))
        shares = scores_from_first_tokens(answer, LETTERS[: len(texts)])
        kind = "none" if shares is None else "valid"
        return _Favour(shares, ReadAnswer(answer.text, "first tokens", kind))


def _by_item(number: int, ordered: Sequence[_Ordered], found: Sequence[_Favour]) -> tuple[Array, Array]:
    """Means over orders by item, and the share of orders in which no option was named."""
    sums, orders, unread = np.zeros(number), np.zeros(number), np.zeros(number)
    for (group, order), favour in zip(ordered, found, strict=True):
        places = np.array(group.places)
        sums[places] += _by_option(order, favour)[list(group.option_of)]
        orders[places] += 1
        unread[places] += favour.by_position is None
    return sums / np.maximum(orders, 1), unread / np.maximum(orders, 1)


def _by_option(order: Sequence[int], favour: _Favour) -> Array:
    """The preference for each option; an equal share of each if none was named."""
    by_option = np.full(len(order), 1 / len(order))
    if favour.by_position is not None:
        by_option[list(order)] = favour.by_position
    return by_option


def _answers_by_item(
    number: int, ordered: Sequence[_Ordered], found: Sequence[_Favour]
) -> tuple[tuple[ReadAnswer, ...], ...]:
    """The answers to the question that each item is an option of, each with the item's share of it."""
    answers: list[list[ReadAnswer]] = [[] for _ in range(number)]
    for (group, order), favour in zip(ordered, found, strict=True):
        if favour.read is None:
            continue
        shares = _by_option(order, favour) if favour.by_position is not None else None
        for place, option in zip(group.places, group.option_of, strict=True):
            value = None if shares is None else float(shares[option])
            answers[place].append(favour.read._replace(value=value))
    return tuple(tuple(own) for own in answers)


def _incomplete(groups: Sequence[ChoiceGroup]) -> list[str]:
    """A note if some groups have fewer options than most."""
    sizes = Counter(len(group.options) for group in groups)
    usual = max(sizes, key=lambda size: (sizes[size], size), default=0)
    fewer = sum(count for size, count in sizes.items() if size < usual)
    if not fewer:
        return []
    return [f"{fewer:,} of {len(groups):,} groups have fewer than {usual} options and are used as they are"]
