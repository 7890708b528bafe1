"""Outputs in an executed notebook, and in a browser as JupyterLab and VS Code show them."""

import os
from pathlib import Path

import pytest

import similitude as sim

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

SLOW_SYSTEM = """
import time
import similitude as sim

class Slow:
    summary, reads, range = "waits", frozenset(), sim.Scale(low=0, high=1)
    identity = sim.system("levenshtein").identity
    def __init__(self, listener=None):
        self.listener = listener
    def with_listener(self, listener):
        return Slow(listener)
    def score(self, items):
        for done in range(12):
            self.listener.progress("waiting <long>", done, 12)
            time.sleep(0.1)
        self.listener.note("a <note>")
        return sim.system("levenshtein").score(items)
"""


def executed(*sources: str):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    return [cell.outputs for cell in notebook.cells]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the kernel's own event loops and sockets
class TestKernel:
    def test_a_run_is_shown_as_html_and_its_bar_leaves_the_notes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(sim.__file__).parents[1]), *_paths()]))
        run = 'run = sim.run("sample:opinions", {"slow": Slow(), "lengths": "length-ratio"}, ["mae"], resamples=0'
        _, (bar, result), (quiet,), (figure,) = executed(
            SLOW_SYSTEM, f"{run})\nrun", f"{run}, quiet=True)\nrun", 'run["slow", "mae"]'
        )
        assert bar.output_type == "display_data"
        assert bar.data["text/plain"] == "note: a <note>"
        assert bar.data["text/html"] == '<div style="opacity:.75">note: a &lt;note&gt;</div>'
        assert result.output_type == "execute_result"
        assert "<table" in result.data["text/html"]
        assert result.data["text/plain"].startswith("<Run on 'sample:opinions': 2 systems")
        assert quiet.data == result.data, "nothing else is shown"
        assert figure.data["text/plain"] == "1.442"


def _paths() -> list[str]:
    return [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]


@pytest.fixture
def page_of(browser, tmp_path):
    """A page with outputs, as a notebook lays them into its document; scripts run after their tables."""
    pages = []

    def show(*outputs: str, body: str = "", width: int = 1200, dark: bool = False, script: bool = True):
        outside = '<table id="other"><tbody><tr><th>x</th><td>1</td></tr></tbody></table><p id="words">outside</p>'
        path = tmp_path / "notebook.html"
        path.write_text(
            f"<!DOCTYPE html><meta charset=utf-8><body {body}>{outside}{''.join(outputs)}", encoding="utf-8"
        )
        scheme = "dark" if dark else "light"
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script
        )
        pages.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        page.on("request", lambda request: request.url.startswith("file:") or pytest.fail(request.url))
        page.goto(path.as_uri())
        return page

    yield show
    for context in pages:
        context.close()


def colour(page, selector: str, name: str = "color") -> str:
    return page.eval_on_selector(selector, f"(element) => getComputedStyle(element).{name}")


LIGHT, DARK = "rgb(28, 29, 32)", "rgb(233, 231, 226)"
OUTPUT = "[class^=similitude-]"


@pytest.mark.slow
class TestBrowser:
    def test_each_output_is_sorted_by_itself(self, opinions, page_of):
        page = page_of(opinions._repr_html_(), opinions._repr_html_())
        first, second = page.locator(OUTPUT).nth(0), page.locator(OUTPUT).nth(1)
        before = second.locator("tbody th").all_inner_texts()
        assert page.locator("th button").count() == 2 * 6, "each head has one button, though two scripts ran"
        first.locator("th button", has_text="system").click()
        after = first.locator("tbody th").all_inner_texts()
        assert after == sorted(after, key=str.lower) != before
        assert second.locator("tbody th").all_inner_texts() == before
        first.locator("th button", has_text="mae").click()
        figures = first.locator("tbody tr td:nth-child(5)").evaluate_all("(cells) => cells.map((c) => c.dataset.value)")
        known = [float(value) for value in figures if value]
        assert known == sorted(known)

    def test_without_a_script_everything_is_there(self, opinions, page_of):
        page = page_of(opinions._repr_html_(), script=False)
        assert page.locator("tbody tr").count() > 4
        assert page.locator("th button").count() == 0

    @pytest.mark.parametrize(
        ("body", "dark", "expected"),
        [
            ("", False, LIGHT),
            ("", True, DARK),
            ('data-jp-theme-light="false"', False, DARK),
            ('data-jp-theme-light="true"', True, LIGHT),
            ('class="vscode-dark"', False, DARK),
            ('class="vscode-light"', True, LIGHT),
            ('class="vscode-high-contrast"', False, DARK),
            ('class="vscode-high-contrast vscode-high-contrast-light"', True, LIGHT),
        ],
    )
    def test_the_theme_of_the_notebook_counts_before_that_of_the_reader(self, opinions, page_of, body, dark, expected):
        page = page_of(opinions._repr_html_(), body=body, dark=dark)
        assert colour(page, OUTPUT) == expected
        ground = "rgb(21, 23, 27)" if expected == DARK else "rgb(255, 255, 255)"
        assert colour(page, OUTPUT, "backgroundColor") == ground

    def test_the_ground_of_the_notebook_is_taken(self, opinions, page_of):
        page = page_of(opinions._repr_html_(), body='style="--jp-layout-color0: rgb(17, 17, 17)"')
        assert colour(page, OUTPUT, "backgroundColor") == "rgb(17, 17, 17)"

    def test_nothing_outside_changes(self, opinions, page_of):
        names = ("padding", "borderBottomWidth", "color", "fontSize", "textAlign", "fontWeight", "margin")
        plain, beside = page_of(), page_of(opinions._repr_html_(), opinions.plot()._repr_html_())
        for selector in ("#other", "#other th", "#other td", "#words", "body"):
            for name in names:
                assert colour(plain, selector, name) == colour(beside, selector, name), (selector, name)

    def test_a_phone_needs_no_sideways_scrolling_of_the_page(self, opinions, hostile, page_of):
        shown = [
            opinions,
            hostile,
            opinions.plot(),
            opinions.plot("ranks"),
            opinions.disagreements(3),
            hostile.disagreements(9),
        ]
        page = page_of(*(one._repr_html_() for one in shown), width=390)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.locator("caption").first.bounding_box()["width"] <= 390
