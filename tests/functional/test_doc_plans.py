"""TOML and JSON in documents: every block is read by what it is written for, or another test reads it."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the extra 'annotate' is not installed")

from similitude.collect.annotation.plan.models import StudyPlan as AnnotationPlan
from similitude.evaluate.tasks.reading.card import TaskCard
from similitude.study.candidates.plan import CandidatesPlan
from similitude.study.five_settings.plan import FiveSettingsPlan
from similitude.study.prompt_grid.plan import ScorePlan
from similitude.study.study_plan import StudyPlan
from similitude.study.suite.plan import SuitePlan
from similitude.study.sweep.plan import SweepPlan
from website.console_snippets import BLOCK

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
Plan = dict[str, Any]


def annotation(plan: Plan) -> object:
    """A study's file, or some of its tables."""
    least = {"name": "s", "task": "rating", "items": "items.csv", "questions": "plan.jsonl", "judgements": 1}
    return AnnotationPlan.model_validate({key: value for key, value in least.items() if key not in plan} | plan)


def stage(plan: Plan) -> object:
    """A study that follows another has no items of its own."""
    return AnnotationPlan.model_validate(plan)


def candidates(plan: Plan) -> object:
    return CandidatesPlan.model_validate({"texts": {"data": "texts.txt"}} | plan)


def five_settings(plan: Plan) -> object:
    return FiveSettingsPlan.model_validate({"name": "mine"} | plan)


def prompt_grid(plan: Plan) -> object:
    return ScorePlan.model_validate({"name": "mine"} | plan)


def trained_system(plan: Plan) -> object:
    """A system of a table, as the page shows it alone."""
    least = {"name": "t", "layout": "systems", "data": ["sample:opinions"], "measures": ["spearman"]}
    made = {"name": "mine", "data": {"STS-B": "sample:opinions"}} | plan
    return StudyPlan.model_validate(made | {"tables": [least | plan["tables"]]})


def sweep(plan: Plan) -> object:
    return SweepPlan.model_validate({"name": "mine"} | plan)


READERS: dict[tuple[str, str], Callable[[Plan], object]] = {
    ("annotation.md", 'name = "how-similar'): annotation,
    ("annotation.md", 'name = "which-reply'): annotation,
    ("annotation.md", "comments = true"): annotation,
    ("annotation.md", "[survey]"): annotation,
    ("annotation.md", "[access.prolific]"): annotation,
    ("annotation.md", "[reading]"): annotation,
    ("annotation.md", "[access]"): annotation,
    ("asking.md", 'items = "pool.csv"'): annotation,
    ("candidates.md", 'name = "captions"'): candidates,
    ("candidates.md", "[select.over]"): candidates,
    ("five-settings.md", "data = "): five_settings,
    ("prompt-grid.md", 'ask = "scores"'): prompt_grid,
    ("stages.md", 'name = "verify"'): stage,
    ("stages.md", "[qualification]"): annotation,
    ("studies.md", 'name = "mine"'): StudyPlan.model_validate,
    ("studies.md", "[tables.systems.mine]"): trained_system,
    ("suites.md", 'name = "support"'): SuitePlan.model_validate,
    ("suspects.md", "[second_round]"): annotation,
    ("tasks.md", 'kind = "deduplication"'): TaskCard.model_validate,
    ("training.md", 'data = "csts/train.csv"'): sweep,
}
"""By page and beginning: what reads the block."""

ELSEWHERE = {
    ("recipes.md", 'name = "kettles"'): "tests/data/test_reading_recipes.py",
    ("recipes.md", "[files]"): "tests/data/test_reading_recipes.py",
    ("recipes.md", "[turns]"): "tests/data/test_reading_recipes.py",
    ("study-file.md", '{"item": "pair-1"'): "tests/collect/test_study_file_docs.py",
    ("study-file.md", '{"items": ["reply-1"'): "tests/collect/test_study_file_docs.py",
    ("study-file.md", '{"left": "A red ball."'): "tests/collect/test_study_file_docs.py",
}
"""Blocks that another test reads. A block after a comment ``file:`` is read by the commands below it."""


def blocks() -> list[tuple[str, str]]:
    """Page and text of every block that is no file of its page."""
    return [
        (path.relative_to(DOCS).as_posix(), part["block"])
        for path in sorted(DOCS.rglob("*.md"))
        for part in BLOCK.finditer(path.read_text(encoding="utf-8"))
        if part["language"] in {"toml", "json"}
    ]


def key_of(page: str, text: str) -> tuple[str, str] | None:
    return next((key for key in (*READERS, *ELSEWHERE) if key[0] == page and text.startswith(key[1])), None)


def test_every_block_is_read_and_every_entry_is_shown():
    keys = [key_of(page, text) for page, text in blocks()]
    assert [block for block, key in zip(blocks(), keys, strict=True) if key is None] == []
    assert sorted(keys) == sorted((*READERS, *ELSEWHERE))
    assert [place for place in ELSEWHERE.values() if not (ROOT / place).is_file()] == []


@pytest.mark.parametrize("key", READERS, ids=lambda key: f"{key[0]} {key[1]}")
def test_a_block_is_what_it_is_said_to_be(key):
    (text,) = [text for page, text in blocks() if key_of(page, text) == key]
    assert READERS[key](tomllib.loads(text))


@pytest.mark.parametrize("key", READERS, ids=lambda key: f"{key[0]} {key[1]}")
def test_a_key_that_does_not_exist_would_be_found(key):
    (text,) = [text for page, text in blocks() if key_of(page, text) == key]
    with pytest.raises(ValueError, match="no_such_key"):
        READERS[key](tomllib.loads(text) | {"no_such_key": 1})
