"""Every command of every document is run, in order, and prints what the document says; what cannot be run is listed."""

import doctest
import getpass
import json
import os
import re
import shutil
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from document_files import MAKERS, OF_A_PAGE, Shelf, names_in, provide
from documented_commands import (
    BEFORE,
    CHANGES,
    FINDS,
    NOT_RUN,
    OTHER_PROGRAMS,
    Elsewhere,
    in_one_line,
    read_words,
    smaller,
    written_folder,
)
from endpoint_server import Asked, EndpointServer

from website.console_snippets import BLOCK, PROGRAMS, Command, File, shell_steps

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PATHS = {
    path.relative_to(DOCS).as_posix() if path.is_relative_to(DOCS) else path.name: path
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md")))
}
STEPS = {name: list(shell_steps(path.read_text(encoding="utf-8"))) for name, path in PATHS.items()}
LIKE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PASSWORD = "a long password for tests"


def commands(name: str) -> list[Command]:
    return [step for step in STEPS[name] if isinstance(step, Command)]


def ours(name: str) -> list[Command]:
    return [each for each in commands(name) if each.program == "similitude"]


def not_run(page: str, command: Command) -> Elsewhere | None:
    line = in_one_line(command.words)
    return NOT_RUN.get(f"{page}: {line}") or NOT_RUN.get(line)


@pytest.fixture(scope="session")
def shelf(tiny_bert, tiny_language_model, tmp_path_factory) -> Shelf:
    return Shelf(tiny_bert, tiny_language_model, tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def endpoint():
    with EndpointServer(answer=says) as running:
        yield running


def says(asked: Asked) -> str:
    """Two conditions to whoever wants some, else a score."""
    wants_conditions = any("High:" in message["content"] for message in asked.body.get("messages", ()))
    number = len(asked.prompt) % 5 + 1
    return f"High: the colour of {number}\nLow: the size of {number}" if wants_conditions else f"{number}"


@pytest.fixture
def reader(monkeypatch, tmp_path):
    """A reader at a keyboard: no browser opens, and passwords are typed."""
    for name in list(os.environ):
        if name.startswith("OPENAI_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setattr("similitude.cli.questions.can_ask", lambda *_: True)
    monkeypatch.setattr(getpass, "getpass", lambda *_, **__: PASSWORD)
    monkeypatch.setattr("webbrowser.open", lambda *_, **__: True)
    monkeypatch.setenv("HOME", str(tmp_path.parent / f"{tmp_path.name}-home"))


def faults(command: Command, done) -> str:
    """What is wrong with how a command ended; empty if nothing is."""
    printed = done.stdout + done.stderr
    is_error = bool(re.search(r"^error:", command.output, re.MULTILINE))
    is_error |= in_one_line(command.words) in FINDS
    if "Traceback" in printed:
        return "a traceback"
    if bool(done.returncode) != is_error:
        return f"ended with {done.returncode}"
    if command.output.strip() and not doctest.OutputChecker().check_output(command.output, printed, LIKE):
        return "another output"
    return ""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("page", [name for name in PATHS if ours(name)])
def test_every_command_of_a_document_runs(page, similitude, shelf, endpoint, reader, tmp_path):
    wrong = []
    for step in STEPS[page]:
        if isinstance(step, File):
            (tmp_path / step.name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / step.name).write_text(step.text, encoding="utf-8")
            continue
        if step.program != "similitude":
            continue
        elsewhere = not_run(page, step)
        words = step.words if elsewhere is None else (elsewhere.instead or "").split()
        if not words:
            continue
        words = smaller(words, endpoint.url)
        earlier = BEFORE.get(in_one_line(step.words), "").split()
        provide(page, tmp_path, [*read_words(words), *earlier], shelf)
        if earlier:
            similitude(*earlier)
        if (folder := written_folder(words)) is not None:
            shutil.rmtree(tmp_path / folder, ignore_errors=True)
        done = similitude(*words)
        if said := faults(step, done):
            wrong.append(f"$ {in_one_line(words)}\n{said}:\n{done.stdout}{done.stderr}")
    assert not wrong, "\n\n".join(wrong)


def other_programs(name: str) -> list[Command]:
    return [each for each in commands(name) if each.program != "similitude"]


def test_every_line_of_a_block_of_commands_starts_a_program_that_is_known():
    unknown = {
        (name, each.line) for name in PATHS for each in other_programs(name) if each.program not in OTHER_PROGRAMS
    }
    assert unknown == set()


def test_output_stands_below_its_command():
    """A block without a name that is not one of commands shows nothing that we print."""
    for name, path in PATHS.items():
        blocks = [part for part in BLOCK.finditer(path.read_text(encoding="utf-8")) if part["language"] == ""]
        for lines in (part["block"].splitlines() for part in blocks):
            is_commands = lines[0].split()[0] in PROGRAMS
            looks = [
                line for line in lines if re.match(r"(error: |\$ | *───)", line) or line.split()[:1] == ["similitude"]
            ]
            assert is_commands or not looks, f"{name}: {looks[0]!r} needs a block 'console' with its command"


def test_what_the_tables_name_is_shown_somewhere():
    shown = {in_one_line(each.words) for name in PATHS for each in ours(name)}
    named = {f"{name}: {in_one_line(each.words)}" for name in PATHS for each in ours(name)}
    assert {line for line in (*NOT_RUN, *FINDS, *BEFORE) if line not in shown | named} == set()
    assert set(OTHER_PROGRAMS) == {each.program for name in PATHS for each in other_programs(name)}
    words = [word for name in PATHS for each in ours(name) for word in (*each.words, *instead_words(name, each))]
    assert [pattern for pattern, _ in CHANGES if not any(re.search(pattern, word) for word in words)] == []


def instead_words(name: str, command: Command) -> list[str]:
    found = not_run(name, command)
    return [] if found is None or found.instead is None else found.instead.split()


def test_files_that_are_made_are_named_somewhere():
    named = {page: {*names_in(line_and_python(page))} for page in PATHS}
    assert set(MAKERS) - set().union(*named.values()) == STAND_INS
    assert [(page, name) for page, name in OF_A_PAGE if name not in named[page]] == []


STAND_INS = {"talking", "sts", "srv/similitude/studies"}
"""Names that only the commands that are run here have."""


def line_and_python(name: str) -> list[str]:
    """The commands of a page, and its blocks of Python and TOML."""
    parts = [part for part in BLOCK.finditer(PATHS[name].read_text(encoding="utf-8")) if part["block"]]
    blocks = [part["block"] for part in parts if part["language"] in {"python", "toml"}]
    return [*(each.line for each in commands(name)), *blocks]


CATALOGUE = json.loads(
    (ROOT / "src" / "similitude" / "cli" / "catalogue" / "commands.json").read_text(encoding="utf-8")
)
EVERYWHERE = {"--help", "--help-all", "--no-color", "--version"}


def unknown_words(words: list[str]) -> list[str]:
    """The command or the options of a line that the command line does not know."""
    name = next((" ".join(words[:size]) for size in (3, 2, 1) if " ".join(words[:size]) in CATALOGUE), None)
    if name is None:
        is_group = any(each.startswith(f"{words[0]} ") for each in CATALOGUE) if words else True
        return [] if is_group or words[0].startswith("-") else words[:1]
    known = {option for each in CATALOGUE[name]["options"] for option in each["names"]} | EVERYWHERE
    given = [word.partition("=")[0] for word in words if re.match(r"--?[a-zA-Z]", word)]
    return [f"{name} {option}" for option in given if option not in known]


def started_by(command: Command) -> list[str] | None:
    """The words of a command of ours that another program starts."""
    found = re.search(r"(?:-m|\S/bin/)[ ]?similitude (annotate|train) ", " ".join(command.words))
    return None if found is None else command.words[command.words.index(found[1]) :]


def test_commands_that_are_not_run_have_only_options_that_exist():
    lines = [each.words for name in PATHS for each in ours(name) if not_run(name, each)]
    lines += [words for name in PATHS for each in other_programs(name) if (words := started_by(each))]
    assert len(lines) >= len(NOT_RUN) + 2
    assert [word for words in lines for word in unknown_words(words)] == []


def test_an_option_that_does_not_exist_would_be_found():
    assert unknown_words(["evaluate", "pairs.csv", "--metric", "spearman"]) == ["evaluate --metric"]
    assert unknown_words(["evalute", "pairs.csv"]) == ["evalute"]


def test_targets_scripts_and_extras_of_other_programs_exist():
    every = [each for name in PATHS for each in other_programs(name)]
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    made = {each.words[0] for each in every if each.program == "make"}
    scripts = {each.words[0] for each in every if each.program == "python"}
    named = {extra for each in every for word in each.words for extra in _extras(word)}
    assert made, scripts
    assert made <= set(targets)
    assert [script for script in scripts if not (ROOT / script).is_file()] == []
    assert {"annotate", "workbook"} <= named <= set(extras)


def test_documents_install_from_a_clone_until_an_index_has_the_package():
    documents = [
        ROOT / "README.md",
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "docs").rglob("*.ipynb"),
        *(ROOT / "studies").rglob("*.toml"),
    ]
    installs = [
        line for each in documents for line in each.read_text(encoding="utf-8").splitlines() if "pip install" in line
    ]
    assert len(installs) > 20
    assert [
        line
        for line in installs
        if re.search(r"\Wsimilitude(\[|$|\s)", line.partition("pip install")[2]) and "--no-index" not in line
    ] == []


def _extras(word: str) -> list[str]:
    found = re.fullmatch(r"\S*[./\w]\[([\w,]+)\]", word)
    return found[1].split(",") if found else []


def test_another_output_or_another_end_would_be_noticed():
    shown = Command("similitude evaluate pears.csv", "error: no such file\n")
    printed = SimpleNamespace(stdout="", stderr="error: no such thing\n", returncode=2)
    assert faults(shown, printed) == "another output"
    assert faults(shown, SimpleNamespace(stdout="", stderr="error: no such file\n", returncode=0)) == "ended with 0"
    assert faults(Command("similitude demo", ""), SimpleNamespace(stdout="", stderr="Traceback", returncode=0))
