"""Everything that must hold before a release: what is built, what it says of itself, and where its links lead.

Run ``make release-check``. It builds the source distribution from a copy of the tree, and the wheel from that source
distribution, without a network; then it checks both, the citation, the changelog, the notices and the links. Each check
gives the problems that it finds; the exit code is 1 if there are any.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import yaml

ROOT = Path(__file__).parents[1]
UNWANTED = (".git", ".venv*", "runs", "build", "dist", "site", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis")
IN_SDIST = (
    "docs/install.md",
    "docs/demo.svg",
    "tests/conftest.py",
    "scripts/smoke.py",
    "evidence/MANIFEST.toml",
    ".containerignore",
)
CITATION_FIELDS = ("authors", "cff-version", "message", "title")
"""What version 1.2.0 of the schema requires."""
MOST_BYTES = {".whl": 4_000_000, ".gz": 20_000_000}
PACKAGE_LICENCE = re.compile(r"^- ([\w-]+(?:, [\w-]+)*) \([^)]*\):\s+([\w .-]+?)\.(?:\s|$)", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)|<(https?://[^>\s]+)>")


class Built(NamedTuple):
    """A source distribution and the wheel that was built from it."""

    sdist: Path
    wheel: Path


def build(dist: Path) -> Built:
    """Build both from a copy of the tree, so that nothing is written into it."""
    dist.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*UNWANTED), symlinks=True)
        sdist = dist / _backend(copy, "sdist", dist)
        with tarfile.open(sdist) as archive:
            archive.extractall(Path(folder), filter="data")
        unpacked = Path(folder) / sdist.name.removesuffix(".tar.gz")
        return Built(sdist, dist / _backend(unpacked, "wheel", dist))


def _backend(tree: Path, kind: str, dist: Path) -> str:
    code = f"from setuptools import build_meta; print(build_meta.build_{kind}({str(dist.resolve())!r}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tree, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the {kind} could not be built:\n{done.stdout}\n{done.stderr}")
    return done.stdout.splitlines()[-1]


def wheel_problems(wheel: Path) -> Iterator[str]:
    """The wheel holds the whole package and nothing else."""
    source = ROOT / "src"
    wanted = {path.relative_to(source).as_posix() for path in (source / "similitude").rglob("*") if path.is_file()}
    wanted = {name for name in wanted if "__pycache__" not in name}
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
        notices = [name for name in archive.namelist() if name.endswith(("licenses/LICENSE", "licenses/NOTICE"))]
    yield from (f"{name} is not in the wheel: name it in package-data" for name in sorted(wanted - held))
    yield from (f"{name} is in the wheel, but not in the package" for name in sorted(held - wanted))
    if len(notices) != 2:
        yield f"LICENSE and NOTICE should be in the wheel, and it has {notices}"


def sdist_problems(sdist: Path) -> Iterator[str]:
    """The source distribution holds docs, tests and data."""
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    documents = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")}
    yield from (f"{name} is not in the sdist: see MANIFEST.in" for name in sorted({*IN_SDIST, *documents} - held))


def size_problems(built: Built) -> Iterator[str]:
    """Neither file has grown beyond what a release should be."""
    for path in built:
        if path.stat().st_size > MOST_BYTES[path.suffix]:
            yield f"{path.name} has {path.stat().st_size:,} bytes, more than {MOST_BYTES[path.suffix]:,}"


def twine_problems(built: Built) -> Iterator[str]:
    """PyPI would take both and could show the README."""
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, built)]
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode or done.stdout.count("PASSED") != len(built):
        yield f"twine check: {done.stdout}{done.stderr}"


def installed_problems(wheel: Path) -> Iterator[str]:
    """What is installed from the wheel works without the repository, on the real sample."""
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:  # a wheel is installed by unpacking it
            archive.extractall(folder)
        environment = {**os.environ, "PYTHONPATH": folder, "SIMILITUDE_CACHE": "off"}
        command = [sys.executable, "-m", "similitude", "evaluate", "sample:home-de", "-s", "levenshtein", "-m", "mae"]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
        )
    if done.returncode or "1,127 items" not in done.stdout:
        yield f"the installed package does not evaluate sample:home-de: {done.stdout}{done.stderr}"


def citation_problems(text: str, version: str) -> Iterator[str]:
    """CITATION.cff has what its schema requires, and is about this version."""
    said = yaml.safe_load(text)
    yield from (f"CITATION.cff has no '{field}'" for field in CITATION_FIELDS if not said.get(field))
    for author in said.get("authors") or ():
        if not author.get("name") and not author.get("family-names"):
            yield f"CITATION.cff: an author has neither name nor family-names: {author}"
    if str(said.get("version")) != version:
        yield f"CITATION.cff is about version {said.get('version')}, not {version}"


def changelog_problems(text: str, version: str, released: str) -> Iterator[str]:
    """The changelog has this version, with the date of the citation, before all others."""
    heads = re.findall(r"^## \[(.+?)\](?: - (\S+))?", text, flags=re.MULTILINE)
    dated = [head for head in heads if head[0] != "Unreleased"]
    if not dated or dated[0] != (version, released):
        yield f"CHANGELOG.md should have '## [{version}] - {released}' before all other releases; it has {dated[:2]}"


def notice_problems(text: str) -> Iterator[str]:
    """Each installed package that NOTICE names has the licence in its metadata that NOTICE states."""
    for names, licence in re.findall(
        r"^- ([\w-]+(?:, [\w-]+)*) \([^)]*\):\s+([\w .-]+?)\.(?:\s|$)", text, re.MULTILINE
    ):
        for name in names.split(", "):
            try:
                said = metadata.metadata(name)
            except metadata.PackageNotFoundError:
                continue
            stated = " ".join(filter(None, (said["License-Expression"], said["License"])))
            if licence not in stated:
                yield f"NOTICE says {licence} of {name}, whose metadata says {stated or 'nothing'}"


def readme_problems(text: str, home: str) -> Iterator[str]:
    """Links of the README work on PyPI: they are absolute or anchors, and those to our own files lead to files."""
    raw = home.replace("https://github.com/", "https://raw.githubusercontent.com/")
    for link in _links(text):
        if not link.startswith(("https://", "#")):
            yield f"README.md: the link {link} is not absolute, and PyPI shows it broken"
        for base in (f"{home}/blob/main/", f"{home}/tree/main/", f"{raw}/main/"):
            path = link.removeprefix(base).partition("#")[0]
            if link.startswith(base) and not (ROOT / path).exists():
                yield f"README.md: {link} leads to {path}, which is not there"


def relative_link_problems(root: Path = ROOT) -> Iterator[str]:
    """Links of other documents that are relative lead to files."""
    for document in (*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))):
        for link in _links(re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)):
            path = link.partition("#")[0]
            if path and "://" not in path and not path.startswith("mailto:") and not (document.parent / path).exists():
                yield f"{document.relative_to(root)}: {link} leads nowhere"


def _links(text: str) -> list[str]:
    return [first or second for first, second in LINK.findall(re.sub(r"`[^`\n]*`", "", text))]


def document_problems() -> Iterator[str]:
    """Everything that is checked without building."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = _version()
    citation, changelog, notice, readme = (
        (ROOT / name).read_text(encoding="utf-8") for name in ("CITATION.cff", "CHANGELOG.md", "NOTICE", "README.md")
    )
    yield from citation_problems(citation, version)
    yield from changelog_problems(changelog, version, str(yaml.safe_load(citation)["date-released"]))
    yield from notice_problems(notice)
    yield from readme_problems(readme, project["urls"]["Repository"])
    yield from relative_link_problems()


def built_problems(built: Built) -> Iterator[str]:
    """Everything that is checked of what was built."""
    yield from wheel_problems(built.wheel)
    yield from sdist_problems(built.sdist)
    yield from size_problems(built)
    yield from twine_problems(built)
    yield from installed_problems(built.wheel)


def _version() -> str:
    text = (ROOT / "src" / "similitude" / "_version.py").read_text(encoding="utf-8")
    return re.findall(r'__version__ = "(.+)"', text)[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="where the two files are written")
    asked = parser.parse_args()
    built = build(asked.dist)
    for path in built:
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")
    problems = [*document_problems(), *built_problems(built)]
    for problem in problems:
        print(f"problem: {problem}")
    print(f"similitude {_version()}: {'not ready' if problems else 'ready to be released'}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
