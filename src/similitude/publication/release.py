"""A release of data: a benchmark with its facts, splits, judgements and figures, ready to be written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from similitude.data.addresses import BenchmarkData, JudgementData, open_benchmark, open_judgements
from similitude.data.benchmark import Benchmark
from similitude.data.counted_work import uncounted_work
from similitude.data.judgements import KEEPS_NONE, Judgements
from similitude.data.plural import counted
from similitude.data.protocols import Listener
from similitude.errors import ArgumentError, InputError
from similitude.inspect.checks.findings import Finding
from similitude.publication.answers import with_facts_of_gold
from similitude.publication.facts import ReleaseFacts, checked_facts, text_of
from similitude.publication.figures import ReleaseFigures, baseline_run, evaluation_split, reliability_figures
from similitude.publication.leaks import leaks_between_splits, refuse_leaks
from similitude.publication.licences import is_licence
from similitude.publication.plan import ReleasePlan
from similitude.publication.pseudonyms import pseudonymised
from similitude.publication.splits import draw_splits, split_shares
from similitude.study.labels import Systems
from similitude.study.runs import Run

__all__ = ["Release", "make_release"]

SPLIT = re.compile(r"\w+")
"""Names of splits that ``datasets`` takes."""
TAKEN = {"all": "of all splits together", "judgements": "of the answers", "answers": "of the answers"}
"""Names that mean something else in a release."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Release:
    """Everything that is published.

    Attributes:
        plan: what was asked for.
        facts: name, version, licence and so on.
        benchmark: the items with their splits.
        judgements: the answers behind gold that are published as a table of their own; None if there are none.
        about: the answers that figures of reliability come from: the same, or those that gold keeps.
        figures: reliability and ceilings.
        baselines: the run of the baselines; None if there are none.
        splits: their names, in order.
        evaluation_split: the split that systems are to be measured on.
        leaks: what occurs in more than one split.
        drawn: how the splits came about, in one sentence.
        texts: instructions, construction and limits, by name.
        notes: what the user should know.
        unnamed: what was given as an object, so that the plan does not name it: data, judgements or baselines.
    """

    plan: ReleasePlan
    facts: ReleaseFacts
    benchmark: Benchmark
    judgements: Judgements | None
    about: Judgements | None
    figures: ReleaseFigures
    baselines: Run | None
    splits: tuple[str, ...]
    evaluation_split: str
    leaks: tuple[Finding, ...]
    drawn: str
    texts: dict[str, str]
    notes: tuple[str, ...]
    unnamed: tuple[str, ...]

    @property
    def is_simulated(self) -> bool:
        """Whether a model of annotators judged, not people."""
        return self.benchmark.is_simulated

    @property
    def annotated_by(self) -> str | None:
        """The hub's word for who annotated; None if that is not known."""
        return "machine-generated" if self.is_simulated else self.plan.annotated_by


def make_release(
    data: BenchmarkData,
    plan: ReleasePlan,
    *,
    judgements: Judgements | JudgementData | None = None,
    systems: Systems = (),
    listener: Listener | None = None,
) -> Release:
    """Check what is asked for, draw splits, and compute the figures of the card.

    Args:
        data: the gold.
        plan: what is asked for.
        judgements: the answers behind gold.
        systems: the baselines.
        listener: is told the progress.

    Raises:
        ArgumentError: something is missing or not valid.
        InputError: the data cannot be read, or its own splits leak.
    """
    _check_use(plan, has_judgements=judgements is not None, has_systems=bool(systems))
    opened = open_benchmark(data, **plan.reading)
    facts = _facts(opened, plan)
    _check_scale(opened)
    reading = plan.judgements_reading | ({"positions_are_people": True} if plan.positions_are_people else {})
    given = None if judgements is None else with_facts_of_gold(_answers(judgements, reading), opened)
    texts = {name: text_of(getattr(plan, name), f"--{name}") for name in ("instructions", "construction", "limits")}
    named = replace(opened, name=facts.name, licence=facts.licence.name)
    uncounted_work(listener, f"splits of {len(named):,} items")
    split, names, drawn = _split(named, plan)
    uncounted_work(listener, "leaks between splits")
    leaks = leaks_between_splits(split)
    if split is named and not plan.allow_leaks:
        refuse_leaks(split, leaks, plan.keep_together)
    given = None if given is None else replace(given, name=facts.name, licence=facts.licence.name)
    if not plan.keep_annotators:
        split, given = pseudonymised(split, given)
    about = given if given is not None else _kept(split, plan.positions_are_people)
    scored = split.frame.drop_nulls("score")["split"].unique()
    chosen = evaluation_split([name for name in names if name in scored] or names, plan.evaluation_split)
    figures = reliability_figures(split, about, seed=plan.seed, listener=listener)
    baselines = None
    if systems:
        baselines = baseline_run(
            split, systems, plan.measures, split=chosen, judgements=about, seed=plan.seed, listener=listener
        )
    return Release(
        plan=plan,
        facts=facts,
        benchmark=split,
        judgements=given if given is not None else (about if split.judgements is not None else None),
        about=about,
        figures=figures,
        baselines=baselines,
        splits=names,
        evaluation_split=chosen,
        leaks=leaks,
        drawn=drawn,
        texts=texts,
        notes=(*_notes(opened, facts, leaks), *figures.notes),
        unnamed=_unnamed(plan, data=True, judgements=judgements is not None, baselines=bool(systems)),
    )


def _unnamed(plan: ReleasePlan, **given: bool) -> tuple[str, ...]:
    return tuple(name for name, is_there in given.items() if is_there and not getattr(plan, name))


def _check_use(plan: ReleasePlan, *, has_judgements: bool, has_systems: bool) -> None:
    """Refuse what would have no effect."""
    if plan.judgements_reading and not has_judgements:
        what = "[judgements_reading] says how judgements are read, and there are none"
        raise ArgumentError(what, remedy="name their file, judgements = 'answers.csv', or leave the table out")
    if plan.measures and not has_systems:
        raise ArgumentError("--measure is for baselines, and there are none", remedy="add --baseline, or leave it out")


def _answers(judgements: Judgements | JudgementData, reading: dict[str, Any]) -> Judgements:
    try:
        return open_judgements(judgements, **reading)
    except InputError as error:
        if "--column" in error.remedy or "--scale" in error.remedy:  # these options say how gold is read
            error.remedy += "; for --judgements, in a plan: the table [judgements_reading]"
        raise


def _facts(benchmark: Benchmark, plan: ReleasePlan) -> ReleaseFacts:
    """The facts of the plan; language and licence may also stand in the data."""
    stated = benchmark.frame["language"].drop_nulls().unique(maintain_order=True).to_list()
    is_whole = benchmark.frame["language"].null_count() == 0
    language = plan.language or (stated if is_whole else [])
    return checked_facts(**plan.facts(), language=language, license=plan.license or benchmark.licence)


def _check_scale(benchmark: Benchmark) -> None:
    scale = benchmark.scale
    if scale is None:
        raise InputError("no item has a score", where=benchmark.name, remedy="publish data with gold")
    if scale.origin == "inferred":
        what = f"the scale {scale} was guessed from the scores, and a release states it"
        error = InputError(what, where=benchmark.name, remedy=f"declare it: --scale {scale}")
        error.reader = "read"
        raise error


def _split(benchmark: Benchmark, plan: ReleasePlan) -> tuple[Benchmark, tuple[str, ...], str]:
    """The benchmark with splits, their names in order, and how they came about."""
    there = tuple(benchmark.splits)
    if plan.by != "random" and plan.split is None:
        what = f"--by '{plan.by}' says how splits are drawn, and --split names none"
        raise ArgumentError(what, remedy="say which: --split train=0.7,dev=0.1,test=0.2")
    if there and not plan.resplit:
        _check_own_splits(benchmark, plan)
        _check_names(there, benchmark.name)
        return benchmark, there, f"The splits ({', '.join(there)}) are those of the data."
    if plan.resplit and plan.split is None:
        raise ArgumentError("--resplit draws new splits", remedy="say which: --split train=0.7,dev=0.1,test=0.2")
    shares = split_shares(plan.split or "test=1")
    _check_names(shares, benchmark.name)
    names = draw_splits(benchmark, shares, plan.by, together=plan.keep_together, seed=plan.seed)
    frame = benchmark.frame.with_columns(split=pl.Series(names, dtype=pl.String))
    return replace(benchmark, frame=frame), tuple(shares), _drawn(plan, shares)


def _check_own_splits(benchmark: Benchmark, plan: ReleasePlan) -> None:
    there = ", ".join(benchmark.splits)
    if plan.split is not None:
        what = f"the data has splits of its own ({there}), and --split asks for others"
        remedy = "leave out --split to keep them, or draw new ones with --resplit"
        raise ArgumentError(what, where=benchmark.name, remedy=remedy)
    without = benchmark.frame["split"].null_count()
    if without:
        what = f"{counted(without, 'item')} of {len(benchmark):,} in no split, though others are in {there}"
        raise InputError(what, where=benchmark.name, remedy="name their split, or draw all anew with --resplit")


def _check_names(splits: Iterable[str], where: str) -> None:
    for name in (names := tuple(splits)):
        if same := [other for other in names if other != name and other.lower() == name.lower()]:
            what = f"the splits '{name}' and '{same[0]}' differ only in case, and so would the names of their files"
            raise InputError(what, where=where, remedy="name them alike if they are one, otherwise apart")
        if not SPLIT.fullmatch(name):
            what = f"the split '{name}' cannot be the name of a file"
            raise InputError(what, where=where, remedy="use letters, digits and underscores")
        if name in TAKEN:
            remedy = "name it otherwise, such as train, dev or test"
            raise InputError(
                f"no split can be called '{name}': that is the name {TAKEN[name]}", where=where, remedy=remedy
            )


def _drawn(plan: ReleasePlan, shares: dict[str, float]) -> str:
    if len(shares) == 1:
        return f"All items are in one split, {next(iter(shares))}."
    how = {
        "random": "at random",
        "group": "at random, by groups, each of which counts once",
        "source": "at random, by sources: all items of one source are in one split",
        "stratified": "at random, with about the same distribution of scores in each",
    }[plan.by]
    kept = "Items of one group" + (", or that share a text," if plan.keep_together == "texts" else " or one pair")
    return f"The splits were drawn {how} (seed {plan.seed}). {kept} are in one split."


def _kept(benchmark: Benchmark, positions_are_people: bool) -> Judgements | None:
    """The judgements that gold keeps; None if there are none."""
    try:
        return Judgements.of_benchmark(benchmark, positions_are_people=positions_are_people)
    except InputError as error:
        if error.what == KEEPS_NONE:
            return None
        raise


def _notes(opened: Benchmark, facts: ReleaseFacts, leaks: tuple[Finding, ...]) -> list[str]:
    notes = [*opened.provenance.warnings, *(one.message for one in leaks)]
    named = {name for one in facts.languages for name in (one.code, one.three, one.tag)}
    stated = opened.frame["language"].drop_nulls().unique(maintain_order=True).to_list()
    if others := [code for code in stated if code not in named]:
        notes.append(f"items state the language {', '.join(others)}, which --language does not name")
    if opened.licence and not is_licence(opened.licence, facts.licence):
        notes.append(f"the data says licence {opened.licence}; it is published under {facts.licence.name}")
    return notes
