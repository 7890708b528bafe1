"""``make oldest``: its groups cover every extra, and it names the versions that count."""

import tomllib
from pathlib import Path

import pytest

import oldest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GROUPS = (oldest.WITHOUT_TORCH, oldest.WITH_TORCH)


def test_every_extra_of_users_is_in_a_group():
    named = {extra for group in GROUPS for extra in group.extras}
    assert named == {*PROJECT["optional-dependencies"]} - {"test", "bench", "docs"}


@pytest.mark.parametrize("group", GROUPS, ids=["without torch", "with torch"])
def test_what_is_run_and_what_is_left_out_exists(group):
    names = [*group.tests, *(name.partition("::")[0] for name in group.left_out)]
    assert [name for name in names if not (ROOT / "tests" / name).exists()] == []


def test_direct_versions_are_those_of_what_we_ask_for():
    frozen = "numpy==2.0.0\nmarkupsafe==3.0.4\nargon2-cffi==23.1.0\nbackports-zstd==1.0.0\ntorch==2.6.0"
    assert oldest.direct_versions(oldest.WITHOUT_TORCH, frozen) == [
        "numpy==2.0.0",
        "argon2-cffi==23.1.0",
        "backports-zstd==1.0.0",
    ]
    assert "torch==2.6.0" in oldest.direct_versions(oldest.WITH_TORCH, frozen)


def test_every_lower_bound_is_one_that_was_tested():
    """CONTRIBUTING names the lowest version of each direct dependency, and it is the one of pyproject.toml."""
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## The lowest versions")[2]
    table = table.partition("\n## ")[0].lower()
    asked = [*PROJECT["dependencies"], *(line for group in GROUPS for name in group.extras for line in _extra(name))]
    for line in asked:
        name, _, rest = line.partition(">=")
        if rest:
            lowest = rest.split(",")[0].split(";")[0].strip()
            assert f"{name.partition('[')[0].replace('.', '-')} {lowest}" in table, line


def _extra(name: str) -> list[str]:
    lines: list[str] = PROJECT["optional-dependencies"][name]
    return lines
