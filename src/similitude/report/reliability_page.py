"""The reliability of judgements as a page."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import polars as pl

from similitude.drawing import Curve, Figure, Panel, curve_plot, histogram_of, scatter
from similitude.drawing.axes import Frame, Span
from similitude.gold.aggregation import Acceptance
from similitude.gold.reliability.assessment import Assessment
from similitude.report.page.sheet import Section, Sheet
from similitude.report.reading_lines import reading_lines
from similitude.report.reliability import (
    about_judgements,
    agreement_table,
    annotator_listing,
    component_listing,
    estimate_words,
    expert_table,
    label_table,
    left_out_words,
    plan_table,
    rejection_tables,
    simulated_words,
)

__all__ = ["reliability_sheet"]

MOST_LEFT_OUT = 20


def reliability_sheet(found: Assessment) -> Sheet:
    """The assessment as a page."""
    asked = found.judgements
    sections = [_agreement_section(found), _opinion_section(found)]
    if found.annotators is not None:
        words = () if found.annotators["flags"].list.len().sum() else ("No annotator stands out.",)
        table = annotator_listing(found.annotators)
        sections.append(Section(name="annotators", title="Annotators", words=words, tables=(table,)))
    if found.expert is not None:
        sections.append(Section(name="expert", title="Expert check", tables=(expert_table(found.expert),)))
    if found.verification is not None:
        sections.append(_verification_section(found.verification))
    if (plan := _plan_section(found)) is not None:
        sections.append(plan)
    sections.append(_provenance_section(found))
    return Sheet(
        kind="reliability",
        name=asked.name,
        about=about_judgements(asked),
        summary=_summary(found),
        simulated=simulated_words(asked),
        sections=tuple(sections),
    )


def _summary(found: Assessment) -> str:
    """The two or three main figures."""
    wanted = ("alpha", "split-half, Spearman", "against the rest, Pearson")
    every = [*found.agreement, *found.opinions]
    firsts = [next((one for one in every if part in one.name), None) for part in wanted]
    told = [f"{one.name}: {estimate_words(one.estimate)}" for one in firsts if one is not None]
    return f"{'; '.join(told)}."


def _agreement_section(found: Assessment) -> Section:
    tables = [agreement_table("agreement", "Agreement among annotators", found.agreement, found.level)]
    if found.by_label:
        tables.append(label_table(found))
    return Section(name="agreement", title="Agreement", tables=tuple(tables))


def _opinion_section(found: Assessment) -> Section:
    figures = []
    if found.contention is not None:
        figures.append(_contention_figure(found))
    if found.growth is not None:
        figures += _growth_figures(found)
    if found.divergence is not None:
        curve = found.divergence.curve
        one = Curve(name="KL(first || second)", x=curve["raters"].to_list(), y=_floats(curve["kl"]))
        svg = curve_plot("KL between rounds as raters are added", [one], x_name="raters of the second round")
        words = f"First round against the first raters of the second, mean of {found.divergence.items:,} items."
        figures.append(Figure((Panel("", "", svg),), words))
    if found.groups is not None:
        figures.append(_group_figure(found.groups))
    tables = [agreement_table("opinions", "Opinions", found.opinions, found.level)]
    if found.components is not None:
        tables.append(component_listing(found.components))
    return Section(name="opinions", title="Opinions", figures=tuple(figures), tables=tuple(tables))


def _contention_figure(found: Assessment) -> Figure:
    """Distributions of mean and standard deviation in the first round."""
    table = found.contention
    assert table is not None
    panels = []
    for name, title in (("mean", "mean of the ratings"), ("sigma", "standard deviation of the ratings")):
        values = np.array([value for value in _floats(table[name]) if not math.isnan(value)])
        if values.size:
            panels.append(Panel(title, "", histogram_of(f"Distribution of the {title}", values)))
    number = int(table["contentious"].sum() or 0)
    words = f"Items by mean and by disagreement in the first round; {number:,} of {table.height:,} are contentious."
    return Figure(tuple(panels), words)


def _growth_figures(found: Assessment) -> Iterator[Figure]:
    grown = found.growth
    assert grown is not None
    curve = grown.curve
    for name, title in (("mean", "mean over items"), ("sigma", "mean standard deviation")):
        one = Curve(
            name=title,
            x=curve["raters"].to_list(),
            y=_floats(curve[name]),
            low=_floats(curve[f"{name}_low"]),
            high=_floats(curve[f"{name}_high"]),
        )
        svg = curve_plot(f"{title} as raters are added", [one], x_name="raters", height=150)
        words = f"{title.capitalize()} as raters are added, over random orders of raters; {grown.items:,} items. "
        yield Figure((Panel("", "", svg),), f"{words}The band holds {found.level:.0%} of the orders.")


def _group_figure(table: pl.DataFrame) -> Figure:
    """USTS figure 7: mean and standard deviation of every item, one panel per group of raters."""
    known = table.drop_nulls(["mean", "sigma"]).filter(pl.col("sigma").is_not_nan())
    frame = Frame(x=_reach(known["mean"]), y=_reach(known["sigma"]), left=30)
    panels = tuple(
        Panel(
            str(name),
            f"{part.height:,} items",
            scatter(
                f"Mean and standard deviation of each item's ratings by {name}",
                frame,
                part["mean"].to_numpy(),
                part["sigma"].to_numpy(),
                has_diagonal=False,
            ),
        )
        for (name,), part in known.partition_by("group", as_dict=True, maintain_order=True).items()
    )
    return Figure(panels, "Each item by the mean (across) and the standard deviation (up) of a group's ratings.")


def _reach(values: pl.Series) -> Span:
    low, high = (float(end) for end in (values.min(), values.max()))  # type: ignore[arg-type]
    return Span(low, high if high > low else low + 1.0)


def _plan_section(found: Assessment) -> Section | None:
    plan = found.plan
    if plan is None or not plan.table.height:
        return None
    table = plan.table
    x = table.columns[0]
    names = [name for name in table.columns if f"{name}_low" in table.columns]
    curves = [
        Curve(
            name=name.replace("_", " "),
            x=[float(value) for value in table[x].to_list()],
            y=_floats(table[name]),
            low=_floats(table[f"{name}_low"]),
            high=_floats(table[f"{name}_high"]),
        )
        for name in names
    ]
    svg = curve_plot("Expected precision with more answers", curves, x_name=x)
    figure = Figure((Panel("", "", svg),), "Expected precision with more answers; bands are intervals.")
    return Section(name="plan", title="How many are enough", figures=(figure,), tables=(plan_table(found),))


def _verification_section(found: Acceptance) -> Section:
    """Which items most annotators reject."""
    assert found.rejected is not None
    words = found.notes or ("No item is rejected by most annotators.",)
    tables = tuple(rejection_tables(found.rejected))
    return Section(name="verification", title="Verification", words=words, tables=tables)


def _provenance_section(found: Assessment) -> Section:
    origin = found.judgements.provenance
    facts = [("files", ", ".join(origin.files)), ("format", origin.format), ("judged by", origin.judged_by or "")]
    readings = [line for reading in origin.readings for line in reading_lines(reading)]
    warnings = (f"Warning: {warning}" for warning in origin.warnings)
    words = (*warnings, *left_out_words(origin, MOST_LEFT_OUT), *origin.notes, *found.notes)
    return Section(
        name="provenance",
        title="Provenance",
        words=words,
        facts=tuple((name, value) for name, value in (*facts, *readings) if value),
    )


def _floats(series: pl.Series) -> list[float]:
    return [math.nan if value is None else float(value) for value in series.to_list()]
