"""The page in a real browser, where there is one."""

import subprocess
from io import BytesIO
from pathlib import Path

import pytest

import similitude as sim
from similitude.report.page import report_page

CHROMIUM = Path("/usr/bin/chromium")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"needs {CHROMIUM}")
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--hide-scrollbars")


@pytest.fixture
def browse(tmp_path):
    def call(*options: str) -> subprocess.CompletedProcess[str]:
        profile = f"--user-data-dir={tmp_path / 'profile'}"
        url = (tmp_path / "page.html").as_uri()
        return subprocess.run(
            [CHROMIUM, *OPTIONS, profile, *options, url], capture_output=True, text=True, timeout=300, check=False
        )

    return call


@pytest.mark.slow
def test_the_script_runs_under_the_policy_and_the_page_prints(hostile, browse, tmp_path):
    (tmp_path / "page.html").write_text(report_page(hostile), encoding="utf-8")
    shown = browse("--enable-logging=stderr", "--v=0", "--dump-dom")
    assert '<button type="button">rank</button>' in shown.stdout, "sorting is there once the script has run"
    assert "Content Security Policy" not in shown.stderr
    assert "alert" not in shown.stdout.replace("&lt;script&gt;alert(", "").replace("onerror=alert(1)&gt;", "")
    browse(f"--print-to-pdf={tmp_path / 'page.pdf'}", "--no-pdf-header-footer")
    assert (tmp_path / "page.pdf").read_bytes()[:5] == b"%PDF-"


@pytest.fixture(scope="module")
def many(tmp_path_factory) -> str:
    systems = {
        "short": "levenshtein",
        "a name that is as long as the name of an encoder with its prompt and its precision": "char-ngram-cosine(n=3)",
        "tfidf": "tfidf-cosine",
        "ratio": "length-ratio",
    }
    run = sim.run("sample:opinions", systems, ["spearman", "pearson", "kendall", "mse", "mae"])
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(report_page(run), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def phone(browser, many):
    page = browser.new_page(viewport={"width": 375, "height": 800})
    page.goto(many)
    yield page
    page.close()


def shown_rows(page) -> list[str]:
    rows = page.locator("#ranking tbody tr[data-system]:visible")
    return [row.get_attribute("data-system") for row in rows.all()]


@pytest.mark.slow
def test_a_filter_hides_systems_everywhere_and_says_so(phone):
    everyone = shown_rows(phone)
    assert "short" in everyone
    assert len(everyone) == 4
    phone.get_by_label("filter systems").fill("T")
    assert {"short", "tfidf", "ratio"} <= set(shown_rows(phone))
    phone.get_by_label("filter systems").fill("tfi")
    assert set(shown_rows(phone)) & {"short", "tfidf", "ratio"} == {"tfidf"}
    assert phone.get_by_role("status").inner_text() == "1 of 4 systems are shown"
    assert phone.locator("#scatter .panel:visible").count() == 1
    plot = phone.locator("svg.intervals:visible").first
    tops = [float(row.get_attribute("y")) for row in plot.locator("svg.row:visible").all()]
    assert tops == [0, 55, 110, 165], "no gaps: one system above the human ceiling"
    assert float(plot.get_attribute("height")) == 4 * 55 + 22
    phone.get_by_label("filter systems").fill("")
    assert shown_rows(phone) == everyone


@pytest.mark.slow
def test_single_systems_are_hidden_and_shown_again(phone):
    phone.get_by_text("Hide systems").click()
    phone.get_by_role("checkbox", name="tfidf").uncheck()
    assert "tfidf" not in shown_rows(phone)
    phone.get_by_role("button", name="hide all").click()
    assert not set(shown_rows(phone)) & {"short", "ratio"}
    phone.get_by_role("button", name="show all").click()
    assert len(shown_rows(phone)) == 4


@pytest.mark.slow
def test_the_measure_is_chosen_for_figure_and_table(phone):
    assert phone.locator(".option:visible").count() == 1
    phone.locator(".options select").select_option("mae")
    assert phone.locator(".option:visible").get_attribute("data-name") == "mae"
    column = phone.locator("#ranking thead th[data-name=mae]")
    assert column.get_attribute("aria-sort") == "ascending", "a smaller error is better"
    cells = phone.locator("#ranking tbody tr[data-system] td:last-child").all()
    figures = [float(cell.get_attribute("data-value")) for cell in cells if cell.get_attribute("data-value")]
    assert figures == sorted(figures)


@pytest.mark.slow
def test_the_page_fits_a_phone_and_names_stay_in_sight(phone):
    assert phone.evaluate("document.documentElement.scrollWidth") == 375
    table = phone.locator("#standing .scroll").first
    table.evaluate("element => { element.scrollLeft = 400; element.scrollTop = 200 }")
    left = table.evaluate("element => element.getBoundingClientRect().left")
    name = phone.locator("#ranking tbody th").nth(3).bounding_box()
    assert abs(name["x"] - left) < 1
    assert name["width"] < 0.5 * 375
    texts = phone.locator("svg.intervals:visible svg.row").first.locator("text").all()
    (one, other) = (text.bounding_box() for text in texts)
    assert other["y"] - one["y"] >= 15, "a long name stands above its figure"


def lines_at(picture, x: float, top: float, bottom: float) -> list[int]:
    """The rows of pixels that are not of the ground."""
    return [y for y in range(int(top), int(bottom)) if min(picture.getpixel((int(x), y))) < 240]


@pytest.mark.slow
def test_the_lines_between_rows_go_through_under_the_names_that_stay_in_sight(phone):
    image = pytest.importorskip("PIL.Image", reason="the extra 'images' is not installed")
    rows = [phone.locator("#ranking tbody tr").nth(at) for at in range(4)]
    first, last = rows[0].bounding_box(), rows[3].bounding_box()
    name, rank = rows[0].locator("th").bounding_box(), rows[0].locator("td").first.bounding_box()
    picture = image.open(BytesIO(phone.screenshot(full_page=True))).convert("RGB")
    ends = first["y"] + 4, last["y"] + last["height"] + 2
    beside = lines_at(picture, rank["x"] + 2, *ends)
    assert len(beside) == 4
    assert lines_at(picture, name["x"] + 2, *ends) == beside


@pytest.mark.slow
def test_raw_data_is_behind_buttons(phone):
    with phone.expect_download() as caught:
        phone.get_by_role("button", name="download figures.csv").click()
    lines = caught.value.path().read_text().splitlines()
    assert lines[0].startswith("data,judged_by,system,name,measure,value")
    assert len(lines) == 1 + (4 + 1) * 5  # the mean stands beside four systems
    with phone.expect_download() as caught:
        phone.get_by_role("button", name="download predictions.csv").click()
    assert len(caught.value.path().read_text().splitlines()) == 61
