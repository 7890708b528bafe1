"""Links of documents that leave docs/: on the site they lead to a page of their own or to a copy of the file."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = {
    ROOT / "CONTRIBUTING.md": "contributing.md",
    ROOT / "CHANGELOG.md": "changelog.md",
    ROOT / "evidence" / "README.md": "evidence-data.md",
    ROOT / "README.md": "index.md",
}
"""Documents outside of docs/, and the pages that they become."""
LINK = re.compile(r"(?<!!)(\[[^\]\n]*\]\()([^)\s#]+)(#[^)\s]*)?(\))")
FENCE = re.compile(r"^(```|~~~).*?^\1[ ]*$", re.DOTALL | re.MULTILINE)


class MissingTargetError(Exception):
    """A document links to a file that does not exist."""


def placed_links(text: str, *, document: Path, page: str, site: Path) -> str:
    """The text of a document with links that work on the site; files that it links to are copied there.

    Args:
        text: Markdown.
        document: where it lies in the repository.
        page: where it will lie, relative to the site's source.
        site: the source of the site.

    Raises:
        MissingTargetError: a link leads nowhere.
    """

    def placed(found: re.Match[str]) -> str:
        start, address, anchor, end = found.groups()
        if ":" in address:
            return found[0]
        target = (document.parent / address).resolve()
        if not target.exists():
            raise MissingTargetError(f"{document.relative_to(ROOT)} links to {address}, which does not exist")
        return f"{start}{relative(_place(target, site), page)}{anchor or ''}{end}"

    return _outside_fences(text, lambda part: LINK.sub(placed, part))


def relative(target: str, page: str) -> str:
    """The address of a file of the site as seen from a page."""
    return PurePosixPath(os.path.relpath(target, PurePosixPath(page).parent)).as_posix()


def _place(target: Path, site: Path) -> str:
    """Where a file or a folder of the repository lies on the site."""
    if target in PAGES:
        return PAGES[target]
    if target.is_relative_to(DOCS):
        shown = target.relative_to(DOCS)
        return str(shown.with_suffix(".md") if shown.suffix == ".ipynb" else shown)
    return _folder_page(target, site) if target.is_dir() else _copied(target, site)


def _copied(file: Path, site: Path) -> str:
    """A copy of a file under its own path; one without an ending is a text."""
    place = f"files/{file.relative_to(ROOT)}" + ("" if file.suffix else ".txt")
    (site / place).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, site / place)
    return place


def _folder_page(folder: Path, site: Path) -> str:
    """A page that lists the files of a folder."""
    files = sorted(each for each in folder.iterdir() if each.is_file() and not each.name.startswith("."))
    page = f"files/{'-'.join(folder.relative_to(ROOT).parts)}.md"
    lines = [f"- [`{each.name}`]({relative(_copied(each, site), page)})" for each in files]
    written = f"---\norphan: true\n---\n\n# `{folder.relative_to(ROOT)}/`\n\n" + "\n".join(lines) + "\n"
    (site / page).write_text(written, encoding="utf-8")
    return page


def _outside_fences(text: str, change: Callable[[str], str]) -> str:
    """The text, changed everywhere but in blocks of code."""
    parts, last = [], 0
    for fence in FENCE.finditer(text):
        parts += [change(text[last : fence.start()]), fence[0]]
        last = fence.end()
    return "".join([*parts, change(text[last:])])
