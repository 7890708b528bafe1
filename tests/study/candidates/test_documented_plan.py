"""The plan in docs/candidates.md has every key that a plan may have, and no other."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from similitude.collect.candidates.filters import Names, make_filters
from similitude.data.scale import Scale
from similitude.errors import UnknownNameError
from similitude.study.candidates.plan import CandidatesPlan

ROOT = Path(__file__).parents[3]
DOCS = (ROOT / "docs" / "candidates.md").read_text(encoding="utf-8")
(PLAN,) = re.findall(r'```toml\n(name = "captions"\n.*?)```', DOCS, re.DOTALL)
WHOLE = tomllib.loads(re.sub(r"^# (\w+ = )", r"\1", PLAN, flags=re.MULTILINE))


def parts() -> dict[str, set[str]]:
    """The keys of each part, as the plan's model has them."""
    fields = CandidatesPlan.model_fields
    annotations = {name: field.annotation for name, field in fields.items()}
    models = {name: getattr(kind, "__args__", (kind,))[0] for name, kind in annotations.items()}
    return {name: set(model.model_fields) for name, model in models.items() if hasattr(model, "model_fields")}


def test_every_part_is_documented():
    assert {name for name, value in WHOLE.items() if isinstance(value, dict)} == set(parts())
    assert set(WHOLE) == set(CandidatesPlan.model_fields)


@pytest.mark.parametrize("part", parts())
def test_every_key_of_a_part_is_documented(part):
    assert set(WHOLE[part]) == parts()[part]


def test_the_documented_plan_is_valid():
    assert CandidatesPlan.model_validate(tomllib.loads(PLAN)).select.items == 3000


def test_the_plans_of_papers_are_listed_and_valid():
    files = sorted(path.name for path in (ROOT / "studies").glob("candidates-*.toml"))
    assert len(files) >= 6
    for name in files:
        assert f"(../studies/{name})" in DOCS, name
        assert CandidatesPlan.read(ROOT / "studies" / name).name == name.removeprefix("candidates-").removesuffix(
            ".toml"
        )


def documented_filters() -> list[str]:
    (block,) = re.findall(r"```\n(iou <= 0\.12\n.*?)```", DOCS, re.DOTALL)
    return [line.partition("#")[0].strip() for line in block.splitlines()]


@dataclass(frozen=True)
class Systems:
    """Knows the names of three systems, and needs no model."""

    ranged: tuple[str, ...] = ("use", "levenshtein", "uncertain")

    def names(self):
        return list(self.ranged)

    def range_of(self, written):
        name = written.partition("(")[0]
        if name not in self.ranged:
            raise UnknownNameError("system", name, self.ranged)
        return Scale(low=0.0, high=1.0)


@pytest.mark.parametrize("written", documented_filters())
def test_every_documented_filter_can_be_read(written):
    labels = ("label", "label1", "label2", "label3")
    (read,) = make_filters([written], Names(labels, ("domain", "source", "language"), Systems()))
    assert read.text == written
