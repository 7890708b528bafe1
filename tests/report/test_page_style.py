"""Contrast by WCAG 2.2: 4.5 for text, 3 for what figures are drawn with, in both schemes."""

import pytest

from similitude.drawing import stylesheet
from similitude.report.page.sheet import page_style

STYLE = page_style()


def schemes() -> dict[str, dict[str, str]]:
    return dict(zip(("light", "dark"), stylesheet.schemes(), strict=True))


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(scheme):
    colours = schemes()[scheme]
    pairs = [(ink, ground) for ink in ("text", "muted", "accent", "gold") for ground in ("ground", "panel")]
    pairs += [("text", f"shade-{depth}") for depth in range(1, 6)] + [("warn", "warn-ground")]
    for ink, ground in pairs:
        assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_lines_can_be_seen(scheme):
    colours = schemes()[scheme]
    for line in (f"line-{number}" for number in range(1, 8)):
        assert contrast(colours[line], colours["ground"]) >= 3, line


def test_both_schemes_name_the_same_colours():
    light, dark = schemes().values()
    assert set(light) == set(dark)


def test_print_is_never_dark():
    assert "@media screen and (prefers-color-scheme: dark)" in STYLE
    assert STYLE.count("prefers-color-scheme") == 1
    assert "break-inside: avoid" in STYLE[STYLE.index("@media print") :]
