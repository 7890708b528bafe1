"""An assessment of a set of judgements: everything that the reliability command and page show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from similitude.data.addresses import BenchmarkData, JudgementData, open_judgements
from similitude.data.frames import Tabular
from similitude.data.judgements import Judgements
from similitude.data.keywords import as_names, record_of
from similitude.data.listeners import with_progress_bar
from similitude.data.number_arguments import check_numbers, check_seed, check_whole_numbers
from similitude.data.plural import agreeing, listed
from similitude.data.protocols import Listener
from similitude.data.provenance import Provenance
from similitude.data.shown import Shown
from similitude.errors import SimilitudeError, UnknownKeyError
from similitude.gold.aggregation import Acceptance, accept_items, make_gold
from similitude.gold.aggregation.rejections import applies_were_asked
from similitude.gold.reliability.agreement import Agreement
from similitude.gold.reliability.agreement_by_label import agreement_by, labels_of
from similitude.gold.reliability.agreement_figures import agreement_figures
from similitude.gold.reliability.annotator_checks import GoldAnswers
from similitude.gold.reliability.annotator_table import annotator_table
from similitude.gold.reliability.bootstrap import LEVEL, RESAMPLES, Resampling
from similitude.gold.reliability.categories import Weights
from similitude.gold.reliability.component_table import Components, ComponentTable, component_table
from similitude.gold.reliability.contention import contention
from similitude.gold.reliability.estimate import Estimate
from similitude.gold.reliability.expert_check import ExpertCheck, expert_check
from similitude.gold.reliability.groups import group_opinions, groups_of
from similitude.gold.reliability.growth import Growth, divergence_growth, growth_over_orders
from similitude.gold.reliability.item_agreement import item_agreement
from similitude.gold.reliability.named_raters import number_of_raters
from similitude.gold.reliability.opinion_figures import RELIABILITY, opinion_figures
from similitude.gold.reliability.rater_plan import RaterPlan, RaterTargets, plan_raters
from similitude.gold.reliability.reference_answers import ReferenceData, gold_answers_from, verdicts_from
from similitude.gold.reliability.rounds import rounds_of
from similitude.gold.reliability.split_half import USUAL_HALVES, Halving
from similitude.gold.reliability.tuple_plan import TuplePlan, plan_tuples

__all__ = ["Assessment", "assess", "reading_record", "rows_of"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Assessment(Shown, Tabular):
    """The reliability of a set of judgements.

    Attributes:
        agreement: figures of agreement.
        opinions: figures on how far opinions differ, and on what a system can reach.
        by_label: figures of agreement by source or other labels; empty if none were asked for.
        labels: the columns that the labels come from.
        annotators: one row per annotator; None where they are unnamed.
        contention: one row per item, for ratings.
        growth: mean and spread as raters are added, over random orders; None where there are too few ratings.
        divergence: KL between first and second round as raters are added; None without a second round.
        groups: one row per item and group of raters, where there are several groups: mean and sigma.
        expert: where an expert's verdict contradicts the score; None without an expert.
        plan: how many raters, or annotations per tuple, are enough; None where the answers do not allow a plan.
        per_item: one row per item, or per tuple: how far its answers agree.
        components: items by their number of effective components; None if not asked for.
        verification: how many say that the question applies to each item, and which items most reject; None if nobody
            was asked.
        level: confidence level.
        seed: the seed of everything random.
        halving: how answers were split for split-half reliability.
        notes: what could not be computed, and why.

    >>> import similitude as sim
    >>> found = sim.reliability("sample:opinions", resamples=0)
    >>> found.annotators.columns[:4], found.plan.raters.value
    (['annotator', 'answers', 'items', 'seconds'], 7.0)
    """

    judgements: Judgements
    agreement: tuple[Agreement, ...]
    opinions: tuple[Agreement, ...]
    by_label: Mapping[str, Sequence[Agreement]]
    labels: tuple[str, ...]
    annotators: pl.DataFrame | None
    contention: pl.DataFrame | None
    growth: Growth | None
    divergence: Growth | None
    groups: pl.DataFrame | None
    expert: ExpertCheck | None
    plan: RaterPlan | TuplePlan | None
    per_item: pl.DataFrame | None
    components: ComponentTable | None
    verification: Acceptance | None
    level: float
    seed: int
    halving: Halving
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        figures = [one for one in self.agreement if one.estimate.is_defined][:1]
        shown = "".join(f"; {one.name} {_short(one.estimate)}" for one in figures)
        return f"<Assessment of {repr(self.judgements)[1:-1]}{shown}>"

    def __getitem__(self, name: str) -> Estimate:
        """A figure by its name, with value, low, high and reason: ``assessment["split-half, Spearman"]``.

        Raises:
            UnknownKeyError: there is no such figure; the message lists those there are.
        """
        figures = {one.name: one.estimate for one in (*self.agreement, *self.opinions)}
        if name not in figures:
            raise UnknownKeyError("figure", str(name), figures)
        return figures[name]

    def rows(self) -> Iterator[dict[str, Any]]:
        """The figures, one row each; those for a label of ``by`` name it."""
        for part, figures in (("agreement", self.agreement), ("opinions", self.opinions)):
            yield from ({"part": part, "label": None, **_figure(one)} for one in figures)
        for label, of_label in self.by_label.items():
            yield from ({"part": "agreement", "label": label, **_figure(one)} for one in of_label)

    def to_dict(self) -> dict[str, Any]:
        """The same as `record`."""
        return self.record()

    def record(self) -> dict[str, Any]:
        """Everything, ready for JSON; undefined figures are null, with the reason."""
        asked = self.judgements
        return {
            "judgements": {
                "name": asked.name,
                "kind": asked.kind,
                "answers": len(asked),
                "items": len(asked.judged),
                "annotators": number_of_raters(asked),
                "categories": list(asked.categories) or None,
                "scale": None if asked.scale is None else str(asked.scale),
                "judged_by": asked.provenance.judged_by,
                "superseded": 0 if asked.superseded is None else asked.superseded.height,
                **reading_record(asked.provenance),
            },
            "level": self.level,
            "seed": self.seed,
            "halving": asdict(self.halving),
            "agreement": [_figure(one) for one in self.agreement],
            "opinions": [_figure(one) for one in self.opinions],
            "by_label": {label: [_figure(one) for one in figures] for label, figures in self.by_label.items()},
            "annotators": rows_of(self.annotators),
            "contention": rows_of(self.contention),
            "growth": rows_of(None if self.growth is None else self.growth.curve),
            "divergence": rows_of(None if self.divergence is None else self.divergence.curve),
            "groups": rows_of(self.groups),
            "expert": None if self.expert is None else _expert(self.expert),
            "plan": None if self.plan is None else {"table": rows_of(self.plan.table), "notes": list(self.plan.notes)},
            "per_item": rows_of(self.per_item),
            "effective_components": None if self.components is None else _components(self.components),
            "applies": None if self.verification is None else rows_of(self.verification.shares),
            "rejected": None if self.verification is None else rows_of(self.verification.rejected),
            "notes": list(self.notes),
        }


@with_progress_bar
def assess(
    data: Judgements | JudgementData,
    *,
    by: str | Sequence[str] = (),
    items: BenchmarkData | None = None,
    gold_answers: ReferenceData | None = None,
    expert: ReferenceData | None = None,
    targets: RaterTargets | Mapping[str, float | None] | None = None,
    reliability: float = RELIABILITY,
    weights: Weights | None = None,
    components: Components | None = None,
    resamples: int = RESAMPLES,
    halving: Halving | Mapping[str, Any] = USUAL_HALVES,
    level: float = LEVEL,
    seed: int = 0,
    listener: Listener | None = None,
    quiet: bool = False,
) -> Assessment:
    """Assess judgements. Parts that they do not support are left out, and a note says why.

    Args:
        data: answers of any kind: judgements, or what `similitude.read_judgements` takes.
        by: item columns by which to break agreement down: "source", "turns" and so on.
        items: the texts of the items, if the answers do not have them: what `similitude.read` takes.
        gold_answers: correct answers to some questions, to check annotators with: a mapping, or a table with question
            and value, or with question, best and worst.
        expert: item id -> "high" or "low", from an expert who has not seen the scores, or a table with item and
            verdict; needs the items' texts.
        targets: of the plan for ratings, such as ``{"mean_error": 0.05}``; see `RaterTargets`.
        reliability: target of the plan for best-worst scores.
        weights: how far two different labels agree, for ratings with few values; by default quadratic.
        components: Gaussians of the mixture for effective components, for ratings; None to leave them out.
        resamples: number of bootstrap resamples; 0 for no intervals.
        halving: how answers are split for split-half reliability, such as ``{"repeats": 1000}``; see `Halving`.
        level: confidence level.
        seed: the same seed gives the same figures.
        listener: is told the progress.
        quiet: show no progress bar.

    Raises:
        InputError: an answer, or a correct one, is not valid.
        ArgumentError: an argument is not valid.

    >>> import similitude as sim
    >>> found = sim.reliability("sample:opinions", resamples=0)
    >>> found.agreement[0].name, round(found.agreement[0].estimate.value, 2)
    ("Krippendorff's alpha, interval", 0.82)
    """
    check_numbers(level=level, reliability=reliability)
    check_whole_numbers(resamples=resamples)
    check_seed(seed)
    judgements = open_judgements(data) if items is None else open_judgements(data, items=items)
    by = as_names("by", by)
    correct = None if gold_answers is None else gold_answers_from(gold_answers, judgements.kind)
    verdicts = None if expert is None else verdicts_from(expert)
    targets, halving = record_of(RaterTargets, targets, "targets"), record_of(Halving, halving, "halving")
    usual = Resampling(resamples=resamples, level=level, seed=seed)
    own = replace(usual, rng=np.random.default_rng([seed, 1])).spawn(4)
    is_rating, has_rounds, has_groups = judgements.kind == "rating", _has_rounds(judgements), _has_groups(judgements)
    planning = _Attempts("plan", 1, listener)
    attempt = _Attempts("annotators and items", 2 + 2 * is_rating + has_rounds + has_groups, listener)
    agreement = agreement_figures(judgements, halving=halving, resampling=usual, weights=weights, listener=listener)
    plan = planning(lambda: _plan(judgements, targets, reliability, own[3]))
    known = None if isinstance(plan, TuplePlan) and reliability != RELIABILITY else plan
    opinions = opinion_figures(judgements, plan=known, resampling=own[0], listener=listener)
    by_label: Mapping[str, Sequence[Agreement]] = {}
    if by:
        labels = labels_of(judgements, *by)
        by_label = agreement_by(judgements, labels, halving=halving, resampling=usual, listener=listener)
    attempt.notes += _unasked(judgements, correct or {})
    return Assessment(
        judgements=judgements,
        agreement=tuple(agreement),
        opinions=tuple(opinions),
        by_label=by_label,
        labels=tuple(by),
        annotators=attempt(lambda: annotator_table(judgements, gold_answers=correct, resampling=own[1])),
        contention=attempt(lambda: contention(judgements)) if is_rating else None,
        growth=attempt(lambda: growth_over_orders(judgements, rng=own[2].generator, level=level))
        if is_rating
        else None,
        divergence=attempt(lambda: divergence_growth(judgements)) if has_rounds else None,
        groups=attempt(lambda: group_opinions(judgements)) if has_groups else None,
        expert=None if verdicts is None else _expert_check(judgements, verdicts, usual),
        plan=plan,
        per_item=attempt(lambda: item_agreement(judgements)),
        components=None if components is None else component_table(judgements, components, np.random.default_rng(seed)),
        verification=accept_items(judgements, keep_rejected=True) if applies_were_asked(judgements) else None,
        level=level,
        seed=seed,
        halving=halving,
        notes=(*attempt.notes, *planning.notes),
    )


def _expert_check(judgements: Judgements, verdicts: Mapping[str, str], resampling: Resampling) -> ExpertCheck:
    """The verdicts against the scores of all items, rejected ones too: the expert may have judged them."""
    return expert_check(make_gold(judgements, keep_rejected=True), verdicts, resampling=resampling)


def _unasked(judgements: Judgements, gold_answers: GoldAnswers) -> list[str]:
    """A note on gold questions that nobody answered."""
    asked = set(judgements.frame["question"])
    asked |= set() if judgements.kind == "best-worst" else set(judgements.frame["item"])
    unknown = [question for question in gold_answers if question not in asked]
    was = agreeing(len(unknown), "gold question", "was", "were")
    return [f"{was} not answered by anybody: {listed(unknown)}"] if unknown else []


def _plan(
    judgements: Judgements, targets: RaterTargets | None, reliability: float, resampling: Resampling
) -> RaterPlan | TuplePlan | None:
    if judgements.kind == "rating":
        return plan_raters(judgements, targets=targets, resampling=resampling)
    if judgements.kind == "best-worst":
        return plan_tuples(judgements, reliability=reliability, resampling=resampling)
    return None


class _Attempts:
    """Computes parts that judgements may not support, notes why they do not, and tells the progress."""

    def __init__(self, stage: str, parts: int, listener: Listener | None) -> None:
        self.notes: list[str] = []
        self._stage, self._parts, self._listener, self._done = stage, parts, listener, 0

    def __call__(self, part: Any) -> Any:
        try:
            return part()
        except SimilitudeError as error:
            self.notes.append(str(error))
            return None
        finally:
            self._done += 1
            if self._listener is not None:
                self._listener.progress(self._stage, self._done, self._parts)


def _has_rounds(judgements: Judgements) -> bool:
    return judgements.kind == "rating" and len(rounds_of(judgements)) > 1


def _has_groups(judgements: Judgements) -> bool:
    return judgements.kind == "rating" and len(groups_of(judgements)) > 1


def reading_record(origin: Provenance) -> dict[str, Any]:
    """How files were understood, what is likely to be wrong, and what was left out, ready for JSON."""
    return {
        "files": list(origin.files),
        "format": origin.format,
        "notes": list(origin.notes),
        "warnings": list(origin.warnings),
        "readings": [_plain(asdict(reading)) for reading in origin.readings],
        "left_out": [{"where": one.where, "why": one.why} for one in origin.skipped],
    }


def _plain(record: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in record.items()}


def _expert(found: ExpertCheck) -> dict[str, Any]:
    return {
        "border": found.border,
        "checked": found.checked,
        "undecided": found.undecided,
        "unasked": found.unasked,
        "agreement": _number(found.agreement.value),
        "kappa": _number(found.kappa.value),
        "contradictions": rows_of(found.contradictions),
    }


def _components(found: ComponentTable) -> dict[str, Any]:
    return {
        "components": found.components,
        "table": rows_of(found.table),
        "likelier_than_one": _number(found.likelier),
        "items": rows_of(found.items),
        "notes": list(found.notes),
    }


def _short(estimate: Estimate) -> str:
    ends = f" [{estimate.low:.2f}, {estimate.high:.2f}]" if math.isfinite(estimate.low) else ""
    return f"{estimate.value:.3f}{ends}"


def _figure(one: Agreement) -> dict[str, Any]:
    estimate = one.estimate
    return {
        "name": one.name,
        "value": _number(estimate.value),
        "low": _number(estimate.low),
        "high": _number(estimate.high),
        "standard_error": _number(one.standard_error),
        "by_chance": _number(one.by_chance),
        "reason": estimate.reason,
        "what": one.what,
        "units": one.n_units,
        "raters": one.n_raters,
    }


def rows_of(table: pl.DataFrame | None) -> list[dict[str, Any]] | None:
    """A table as rows for JSON; nan becomes null."""
    if table is None:
        return None
    return [{name: _number(value) for name, value in row.items()} for row in table.iter_rows(named=True)]


def _number(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
