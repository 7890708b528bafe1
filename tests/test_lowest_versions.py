"""Lower bounds of pyproject.toml are versions that ``make oldest`` installs, and CONTRIBUTING.md says were tested."""

import re
import tomllib
from pathlib import Path

import pytest

import oldest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TOOLS = {"bench", "docs", "test"}
"""Extras for people who work on Similitude, of which constraints.txt has the versions that are tested."""

BOUND = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?>=([\w.]+)")


def bounds() -> list[tuple[str, str]]:
    extras = PROJECT["optional-dependencies"]
    lines = [*PROJECT["dependencies"], *(line for name in extras if name not in TOOLS for line in extras[name])]
    return sorted({match.groups() for line in lines if (match := BOUND.match(line))})


def test_every_extra_is_installed_by_one_of_the_two_groups():
    groups = {*oldest.WITHOUT_TORCH.extras, *oldest.WITH_TORCH.extras}
    assert groups == set(PROJECT["optional-dependencies"]) - TOOLS


@pytest.mark.parametrize(("name", "version"), bounds(), ids=" ".join)
def test_a_bound_is_a_version_that_was_tested(name, version):
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## The lowest versions")[2]
    tested = re.findall(rf"\b{re.escape(name.replace('.', '-'))} ([\d.]+\d)", section.partition("\n## ")[0])
    assert any(f"{each}.".startswith(f"{version}.") for each in tested), f"{name}>={version}, but tested: {tested}"


@pytest.mark.parametrize("group", [oldest.WITHOUT_TORCH, oldest.WITH_TORCH], ids=["without torch", "with torch"])
def test_what_is_run_and_left_out_exists(group):
    for name in (*group.tests, *group.left_out):
        file, *inside = name.split("::")
        assert (ROOT / "tests" / file).exists(), name
        assert not inside or f"def {inside[-1]}" in (ROOT / "tests" / file).read_text(encoding="utf-8"), name
