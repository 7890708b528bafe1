"""Commands that documents show are run, and print what the documents say; those that cannot be run exist."""

import doctest
import json
import re
from pathlib import Path

import pytest

from website.console_snippets import Command, File, steps

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
RUN = ["first-steps.md", "how-to.md", "troubleshooting.md", "concepts/agreement.md", "concepts/intervals.md"]
"""Documents whose commands are run; in the others, commands need data or models that a reader has."""
LIKE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.slow
@pytest.mark.parametrize("name", RUN)
def test_commands_print_what_the_document_says(name, similitude, tmp_path):
    text = (DOCS / name).read_text(encoding="utf-8")
    assert any(isinstance(step, Command) for step in steps(text))
    checker = doctest.OutputChecker()
    for step in steps(text):
        if isinstance(step, File):
            (tmp_path / step.name).write_text(step.text, encoding="utf-8")
            continue
        shown = similitude(*step.words)
        printed = shown.stdout + shown.stderr
        assert "Traceback" not in printed
        assert checker.check_output(step.output, printed, LIKE), f"$ {step.line}\n{printed}"


def test_all_commands_of_those_documents_are_found():
    texts = [(DOCS / name).read_text(encoding="utf-8") for name in RUN]
    assert sum(text.count("\n$ ") for text in texts) == sum(
        isinstance(step, Command) for text in texts for step in steps(text)
    )


def test_another_output_would_be_noticed():
    assert not doctest.OutputChecker().check_output("error: no such file\n", "error: no such thing\n", LIKE)


CATALOGUE = json.loads(
    (ROOT / "src" / "similitude" / "cli" / "catalogue" / "commands.json").read_text(encoding="utf-8")
)
EVERYWHERE = {"--help", "--help-all", "--no-color", "--version"}
SHOWN = re.compile(r"^(?:\$ |!)?similitude ((?:.*\\\n)*.*)$", re.MULTILINE)


def unknown_words(line: str) -> list[str]:
    """The command or the options of a line that the command line does not know."""
    words = line.replace("\\\n", " ").partition("  #")[0].split()
    name = next((" ".join(words[:size]) for size in (3, 2, 1) if " ".join(words[:size]) in CATALOGUE), None)
    if name is None:
        is_group = any(each.startswith(f"{words[0]} ") for each in CATALOGUE) if words else True
        return [] if is_group or words[0].startswith("-") else words[:1]
    known = {option for each in CATALOGUE[name]["options"] for option in each["names"]} | EVERYWHERE
    given = [word.partition("=")[0] for word in words if re.match(r"--?[a-zA-Z]", word)]
    return [f"{name} {option}" for option in given if option not in known]


@pytest.mark.parametrize("path", [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))], ids=lambda path: path.name)
def test_every_command_and_option_that_a_document_shows_exists(path):
    blocks = re.findall(r"^```(?:sh|console)?\n(.*?)^```", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    if path.name == "troubleshooting.md":
        blocks = [block for block in blocks if "error: no option" not in block]
    assert [word for block in blocks for line in SHOWN.findall(block) for word in unknown_words(line)] == []


def test_an_option_that_does_not_exist_would_be_found():
    assert unknown_words("evaluate pairs.csv --metric spearman") == ["evaluate --metric"]
    assert unknown_words("evalute pairs.csv") == ["evalute"]
