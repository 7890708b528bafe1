"""Commands that documents show are run, and print what the documents say."""

import doctest
from pathlib import Path

import pytest

from website.console_snippets import Command, File, steps

DOCS = Path(__file__).parents[2] / "docs"
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
