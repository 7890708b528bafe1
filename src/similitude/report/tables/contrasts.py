"""Systems against a baseline on the first measure: difference, p-value, effect size and verdict."""

from __future__ import annotations

import math
from collections.abc import Iterator

from similitude.evaluate.significance import Contrast, Decision
from similitude.report.notation import DASH, p_value_text
from similitude.report.tables.table import Table, TableCell, TableColumn, caption
from similitude.study.runs import Run

__all__ = ["baseline_label", "contrast_table", "signed_text"]

EFFECTS = {
    "q": "q is Cohen's: the difference on Fisher's z scale (.1 small, .3 medium, .5 large)",
    "d_z": "d_z is Cohen's: the mean difference in standard deviations of the items' (.2 small, .5 medium, .8 large)",
}


def contrast_table(run: Run) -> Table | None:
    """Each system against the baseline, best first; None without a baseline, or if nothing can be compared with it."""
    decision = run.decisions[0]
    if decision is None or not decision.contrasts:
        return None
    return Table(
        name="against",
        caption=caption(run, " ".join(_caption(run, decision))),
        columns=tuple(_columns(run, decision)),
        rows=tuple(tuple(_row(run, decision, one)) for one in decision.contrasts),
    )


def baseline_label(run: Run) -> str:
    """What tables call the baseline."""
    return next((record.label for record in run.systems if record.identity == run.against), "")


def _columns(run: Run, decision: Decision) -> Iterator[TableColumn]:
    yield TableColumn(head="system", is_number=False, is_header=True)
    yield TableColumn(head="difference", meaning=f"in {run.measures[0]}, less {baseline_label(run)}")
    if any(one.effect for one in decision.contrasts):
        yield TableColumn(head=_effect_name(decision), meaning="standardised difference")
    yield TableColumn(head="p", meaning="for all pairs of systems together")
    if decision.margin is not None:
        yield TableColumn(head=f"p worse by {decision.margin:g}", meaning="of being worse by the margin or more")
        yield TableColumn(head=f"p differs by {decision.margin:g}", meaning="of differing by the margin or more")
    yield TableColumn(head="verdict", is_number=False)


def _row(run: Run, decision: Decision, one: Contrast) -> Iterator[TableCell]:
    yield TableCell(text=run.row_labels[one.system], is_code=one.system < len(run.systems))
    ends = one.interval
    shown = "" if math.isnan(ends.low) else f"[{signed_text(ends.low)}, {signed_text(ends.high)}]"
    yield TableCell(text=signed_text(one.difference), value=one.difference, interval=shown)
    if any(each.effect for each in decision.contrasts):
        yield (
            TableCell(text=DASH)
            if one.effect is None
            else TableCell(text=signed_text(one.effect.value, 2), value=one.effect.value)
        )
    yield TableCell(text=p_value_text(one.p_value, is_floor=one.is_floor), value=one.p_value)
    for p_value in (one.not_worse_p_value, one.equivalent_p_value):
        if p_value is not None:
            yield TableCell(text=p_value_text(p_value), value=p_value)
    yield TableCell(text=_verdict(decision, one), is_best=one.verdict == "better")


def _verdict(decision: Decision, one: Contrast) -> str:
    """``better``, or ``undecided, not worse by 0.01``."""
    within = ""
    if one.is_equivalent(decision.level):
        within = f", equivalent within {decision.margin:g}"
    elif one.is_not_worse(decision.level) and one.verdict != "better":
        within = f", not worse by {decision.margin:g}"
    return f"{one.verdict}{within}"


def signed_text(value: float, digits: int = 3) -> str:
    """A number with its sign; none for 0.

    >>> signed_text(0.0123), signed_text(-0.00001)
    ('+0.012', '0.000')
    """
    rounded = round(value, digits)
    return f"{rounded:+.{digits}f}" if rounded else f"{0:.{digits}f}"


def _effect_name(decision: Decision) -> str:
    return next(one.effect.name for one in decision.contrasts if one.effect)


def _caption(run: Run, decision: Decision) -> Iterator[str]:
    number, level = len(decision.contrasts), f"{100 * decision.level:g} %"
    baseline = baseline_label(run)
    yield f"Systems against {baseline} on {run.measures[0]}, best first. Differences are less {baseline}, with"
    if number == 1:
        yield f"the {level} interval."
    else:
        yield f"{level} intervals; intervals, p and verdicts are for all pairs of systems together."
    if any(one.effect for one in decision.contrasts):
        yield f"{EFFECTS[_effect_name(decision)]}."
    if decision.margin is not None:
        yield "The margin is tested one-sided (not worse), and on both sides (equivalent)."
    needed = [one for one in decision.contrasts if one.more_units is not None]
    if needed:
        yield _needed_words(run, needed)


def _needed_words(run: Run, needed: list[Contrast]) -> str:
    units = "items" if run.confidence is None or run.confidence.groups is None else "groups"
    shown = ", ".join(f"about {one.more_units:,} ({run.row_labels[one.system]})" for one in needed[:3])
    more = f", and more for {len(needed) - 3} others" if len(needed) > 3 else ""
    return f"More {units} that would decide with a chance of 80 %, if the difference is as seen: {shown}{more}."
