"""The parts of the site that need no generator: links, notebooks as pages, docstrings, navigation."""

import doctest
import importlib
import json

import pytest

from website.links import DOCS, ROOT, MissingTargetError, placed_links
from website.navigation import toctrees
from website.notebook_pages import notebook_page

DOCUMENT = DOCS / "studies.md"


@pytest.mark.parametrize("name", ["docstring_markdown", "public_examples", "accessible_pages", "navigation"])
def test_examples_of_modules_are_right(name):
    done = doctest.testmod(importlib.import_module(f"website.{name}"))
    assert (done.failed, done.attempted > 0) == (0, True)


def placed(text: str, site, page: str = "studies.md") -> str:
    return placed_links(text, document=DOCUMENT, page=page, site=site)


def test_links_lead_to_pages_to_copies_and_to_lists_of_files(tmp_path):
    assert placed("[a](gold.md#x) [b](../CONTRIBUTING.md#y)", tmp_path) == "[a](gold.md#x) [b](contributing.md#y)"
    assert placed("[n](notebooks/paper.ipynb)", tmp_path) == "[n](notebooks/paper.md)"
    assert placed("[s](../studies/usts.toml)", tmp_path) == "[s](files/studies/usts.toml)"
    copy = tmp_path / "files" / "studies" / "usts.toml"
    assert copy.read_bytes() == (ROOT / "studies" / "usts.toml").read_bytes()
    assert placed("[d](../examples/deployment)", tmp_path) == "[d](files/examples-deployment.md)"
    assert "nginx.conf" in (tmp_path / "files" / "examples-deployment.md").read_text(encoding="utf-8")


def test_addresses_and_code_stay_as_they_are(tmp_path):
    for text in ("[a](https://example.org/x)", "```\n[a](nowhere.md)\n```", "![a](picture.png)"):
        assert placed(text, tmp_path) == text


def test_a_link_to_nothing_is_refused(tmp_path):
    with pytest.raises(MissingTargetError, match=r"docs/studies.md links to nowhere.md, which does not exist"):
        placed("[a](nowhere.md)", tmp_path)


def test_a_notebook_becomes_a_page(tmp_path):
    code = [
        ("!similitude demo", {"output_type": "stream", "text": ["\x1b[1mdone\x1b[0m\n"]}),
        ("%%writefile a.toml\nb = 1", {"output_type": "stream", "text": "Writing a.toml\n"}),
        ("run", {"output_type": "execute_result", "data": {"text/html": "<b>1</b>", "text/plain": "1"}}),
    ]
    cells = [{"cell_type": "markdown", "source": ["# Title\n", "Text."]}]
    cells += [{"cell_type": "code", "source": [source], "outputs": [output]} for source, output in code]
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    page = notebook_page(path, "a.zip")
    assert page.startswith("# Title\n\n:::{admonition}")
    for part in ("<a.zip>", "$ similitude demo", "\ndone\n", ":caption: a.toml\n\nb = 1", "<b>1</b></div>"):
        assert part in page


def test_a_page_that_is_not_there_is_left_out_of_the_navigation(tmp_path):
    (tmp_path / "gold.md").write_text("# Gold\n")
    written = "".join(toctrees(tmp_path))
    assert "Gold <gold>" in written
    assert "reliability" not in written
