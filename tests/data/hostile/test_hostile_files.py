"""Every file of the corpus is read right or refused with one clear line; nothing hangs and nothing crashes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from .case import Case, Reads, Refuses
from .corpus import CASES
from .doors import Outcome, benchmark_facts, outcomes

FIRST = ("scores", "lefts", "rights", "ids", "sources")
"""Facts of which the first are looked at."""

FIGURES = ("agreement", "gold", "figures")
"""Facts that are numbers by name, compared to three digits."""

READ = [case for case in CASES if case.door == "benchmark" and isinstance(case.expected, Reads) and not case.apart]


@pytest.fixture(autouse=True)
def _no_colours_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("SIMILITUDE_CACHE", "off")


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case.door}: {case.name}") for case in CASES])
def test_hostile_file(case: Case, tmp_path: Path) -> None:
    wrong = [line for outcome in outcomes(case, tmp_path) for line in faults(case, outcome)]
    assert not wrong, "\n" + "\n".join(wrong)


def test_every_row_of_the_table_has_a_name_of_its_own() -> None:
    names = [(case.door, case.name) for case in CASES]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in READ])
def test_what_was_read_is_the_same_after_conversion(case: Case, tmp_path: Path, monkeypatch) -> None:
    import similitude as sim

    monkeypatch.chdir(tmp_path)
    first = sim.read(case.make(tmp_path), **case.options)
    before = {name: value for name, value in benchmark_facts(first).items() if name != "says"}
    if before["origin"] == "format":  # the file that is written declares the scale
        before["origin"] = "declared"
    for suffix in (".jsonl", ".csv", ".parquet"):
        again = benchmark_facts(sim.read(sim.write(first, tmp_path / f"converted{suffix}")))
        assert {name: again[name] for name in before} == before, suffix


def faults(case: Case, outcome: Outcome) -> Iterator[str]:
    """What is wrong with an outcome, the worst first."""
    if outcome.crash:
        kind = "HANG" if "hangs" in outcome.crash else "TRACEBACK" if "traceback" in outcome.crash else "UNCLEAR"
        yield f"{kind} {outcome.entrance}: {outcome.crash}"
    elif outcome.error is None:
        yield from _misread(case, outcome)
    else:
        yield from _unclear(case, outcome, outcome.error)


def _misread(case: Case, outcome: Outcome) -> Iterator[str]:
    if isinstance(case.expected, Refuses):
        shown = {name: _short(value) for name, value in outcome.facts.items()}
        yield f"SILENT {outcome.entrance}: read as {shown}, should be refused with {case.expected.patterns}"
        return
    for name, wanted in vars(case.expected).items():
        if (wanted in (None, (), {}) and name != "raters") or name not in outcome.facts:
            continue
        if not _same(name, wanted, outcome.facts[name]):
            found = outcome.facts[name][: len(wanted)] if name in FIRST else _short(outcome.facts[name])
            kind = "UNSAID" if name == "says" else "SILENT"
            yield f"{kind} {outcome.entrance}: {name} is {found}, should be {wanted}"


def _same(name: str, wanted: Any, found: Any) -> bool:
    if name in FIGURES:
        return all(_has_figure(found, figure, value) for figure, value in wanted.items())
    if name == "scores":
        return len(found) >= len(wanted) and all(map(_close, wanted, found))
    if name in FIRST:
        return tuple(found[: len(wanted)]) == wanted
    if name == "says":
        return all(any(re.search(pattern, said, re.IGNORECASE) for said in found) for pattern in wanted)
    return bool(wanted is None or found == wanted)


def _has_figure(found: Mapping[str, float | None], figure: str, wanted: float) -> bool:
    value = next((value for name, value in found.items() if name.startswith(figure)), None)
    return value is not None and abs(value - wanted) < 6e-4


def _close(wanted: float | None, found: float | None) -> bool:
    if wanted is None or found is None:
        return wanted is found
    return math.isclose(wanted, found, rel_tol=1e-9, abs_tol=1e-12)


def _unclear(case: Case, outcome: Outcome, error: str) -> Iterator[str]:
    if isinstance(case.expected, Reads):
        yield f"REFUSED {outcome.entrance}: {error}"
        return
    name = outcome.file if case.expected.name is None else case.expected.name
    lacking = [pattern for pattern in case.expected.patterns if not re.search(pattern, error, re.IGNORECASE)]
    lacking += [name] if name not in error else []
    if lacking:
        yield f"UNCLEAR {outcome.entrance}: '{error}' lacks {', '.join(lacking)}"


def _short(value: Any) -> Any:
    return f"{str(value)[:160]}..." if len(str(value)) > 160 else value
