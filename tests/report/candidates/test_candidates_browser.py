"""The page of a search on a phone, in the dark and on paper."""

from pathlib import Path

import pytest

from similitude.report.candidates import candidates_sheet
from similitude.report.page.sheet import sheet_page

CHROMIUM = Path("/usr/bin/chromium")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not CHROMIUM.exists(), reason=f"needs {CHROMIUM}")]


@pytest.fixture
def opened(browser, search, tmp_path):
    pages = []

    def open_page(filters: int, width: int, scheme: str = "light"):
        path = tmp_path / "index.html"
        path.write_text(sheet_page(candidates_sheet(search(filters))), encoding="utf-8")
        pages.append(browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme))
        problems: list[str] = []
        pages[-1].on("console", lambda message: problems.append(message.text))
        pages[-1].on("dialog", lambda dialog: problems.append(dialog.message))
        pages[-1].goto(path.as_uri())
        assert problems == []
        return pages[-1]

    yield open_page
    for page in pages:
        page.close()


@pytest.mark.parametrize("filters", [4, 15])
def test_the_page_fits_a_phone_with_everything_unfolded(opened, filters):
    page = opened(filters, 390)
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_names_and_numbers_of_steps_do_not_overlap_on_a_phone(opened):
    page = opened(6, 390)
    for row in page.locator("#kept svg.kept > svg").all():
        name, words = (text.bounding_box() for text in row.locator("text").all())
        is_beside = name["x"] + name["width"] <= words["x"]
        is_above = name["y"] + name["height"] <= words["y"] + 2
        assert is_beside or is_above
        assert name["x"] + name["width"] <= 390


def test_sides_of_a_border_stand_beside_each_other_or_below(opened):
    wide = [one.bounding_box() for one in opened(1, 1200).locator("#filters .border > div").all()]
    assert wide[0]["y"] == wide[1]["y"]
    assert wide[0]["x"] < wide[1]["x"]
    narrow = [one.bounding_box() for one in opened(1, 390).locator("#filters .border > div").all()]
    assert narrow[0]["x"] == narrow[1]["x"]
    assert narrow[0]["y"] < narrow[1]["y"]


def test_each_text_has_the_direction_of_its_script(opened):
    page = opened(1, 1200)
    texts = page.locator("#filters .border p")
    arabic = texts.filter(has_text="مرحبا").first
    assert arabic.evaluate("each => getComputedStyle(each).direction") == "rtl"
    assert texts.filter(has_text="two dogs").first.evaluate("each => getComputedStyle(each).direction") == "ltr"


def test_bars_can_be_seen_in_the_dark(opened):
    fill = "getComputedStyle(document.querySelector('.kept .fill')).fill"
    track = "getComputedStyle(document.querySelector('.kept .track')).fill"
    light, dark = opened(1, 1200), opened(1, 1200, "dark")
    assert light.evaluate(fill) != dark.evaluate(fill)
    assert dark.evaluate(fill) != dark.evaluate(track)


def test_folded_filters_are_printed(opened):
    page = opened(7, 1200)
    example = page.locator("#filters .border p").first
    assert not example.is_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert example.is_visible()
    assert page.pdf()[:5] == b"%PDF-"
