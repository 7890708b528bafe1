"""Take the screenshots in docs/candidates.md: what each step kept, and both sides of a filter's border.

Run ``make screenshot``. You need Chromium and playwright.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

import similitude as sim

DOCS = Path(__file__).parents[1] / "docs"
FILTERS = ["cosine >= 0.6", "iou <= 0.12", "length_ratio >= 0.7"]
WIDTH = 760


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        found = sim.candidates("sample:world", filters=FILTERS, items=200, select={"spread": "cosine"}, out="mine")
        page = found.report(Path(folder) / "index.html")
        with sync_playwright() as running:
            browser = running.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            shown = browser.new_page(viewport={"width": WIDTH, "height": 900})
            shown.goto(page.as_uri())
            take(shown, "candidates-steps.png", "h1", "#kept figure")
            take(
                shown,
                "candidates-border.png",
                "#filters h3:nth-of-type(2)",
                "#filters .border:nth-of-type(2) li:nth-child(2)",
            )
            browser.close()


def take(shown: Page, name: str, first: str, last: str) -> None:
    """From the top of one element to the bottom of another."""
    top = shown.locator(first).first.bounding_box()
    bottom = shown.locator(last).first.bounding_box()
    assert top is not None
    assert bottom is not None
    height = bottom["y"] + bottom["height"] - top["y"] + 24
    clip = {"x": 0, "y": top["y"] - 12, "width": WIDTH, "height": height}
    shown.screenshot(path=DOCS / name, full_page=True, clip=clip)  # type: ignore[arg-type]
    print(f"written: {name}")


if __name__ == "__main__":
    main()
