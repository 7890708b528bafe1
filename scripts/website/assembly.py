"""The source of the site: documents, notebooks, reference pages and settings, put together in one folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from website.links import DOCS, PAGES, placed_links
from website.navigation import toctrees
from website.notebook_pages import notebook_page
from website.reference_pages import reference_pages
from website.tutorials import NOTEBOOKS, tutorial_names, write_archive

HERE = Path(__file__).parent
SITE_NOTES = {
    "measures.md": "The [reference of measures](reference/measures.md) has the formula of each.",
    "systems.md": "The [reference of systems](reference/systems.md) has all arguments of each.",
    "data.md": "The [reference of formats](reference/formats.md) lists formats, recipes and checks on one page.",
    "studies.md": "The [reference of TOML files](reference/toml.md) has all keys.",
    "candidates.md": "The [reference of TOML files](reference/toml.md) has all keys of a plan.",
    "python.md": "The [interface in full](reference/api.md) has all arguments, attributes and methods.",
}
"""What a page says of a reference page, which only the site has."""
NOT_SEARCHED = {"changelog.md"}
"""Pages that have nearly every word, and answer no question."""


def assemble(site: Path) -> None:
    """Write everything that Sphinx reads into a folder, which is emptied first.

    Raises:
        MissingTargetError: a document links to a file that does not exist.
    """
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(HERE / "static", site / "_static")
    shutil.copytree(HERE / "root", site / "_root")
    shutil.copyfile(HERE / "conf.py", site / "conf.py")
    _copy_images(site)
    for document in [*sorted(DOCS.rglob("*.md")), *PAGES]:
        _write_document(document, site)
    for name in tutorial_names():
        _write_tutorial(name, site)
    for page, text in reference_pages():
        _write(site / page, text)
    with (site / "index.md").open("a", encoding="utf-8") as index:
        index.write("\n" + "\n".join(toctrees(site)))


def _copy_images(site: Path) -> None:
    for image in [*DOCS.glob("*.png"), *DOCS.glob("*.svg")]:
        shutil.copyfile(image, site / image.name)


def _write_document(document: Path, site: Path) -> None:
    page = PAGES.get(document) or document.relative_to(DOCS).as_posix()
    if document.name == "README.md" and page == "index.md":
        return  # docs/index.md is the first page of the site; links to the README lead there
    text = placed_links(document.read_text(encoding="utf-8"), document=document, page=page, site=site)
    if note := SITE_NOTES.get(page):
        title, _, rest = text.partition("\n")
        text = f"{title}\n\n:::{{tip}}\n{note}\n:::\n{rest}"
    if page in NOT_SEARCHED:
        text = f"---\nnosearch: true\n---\n\n{text}"
    _write(site / page, text)


def _write_tutorial(name: str, site: Path) -> None:
    path, page = NOTEBOOKS / f"{name}.ipynb", f"notebooks/{name}.md"
    write_archive(name, site / "notebooks" / f"{name}.zip")
    text = notebook_page(path, f"{name}.zip")
    _write(site / page, placed_links(text, document=path, page=page, site=site))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
