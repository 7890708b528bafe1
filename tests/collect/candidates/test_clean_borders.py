"""The texts that a page shows at the borders of cleaning."""

from similitude.collect.candidates.clean import CleanRules, clean, clean_step
from similitude.data.texts import Texts


def test_the_nearest_texts_are_shown_on_both_sides_of_each_border():
    texts = Texts.from_list(["x" * length for length in range(1, 41)])
    step = clean_step([clean(texts, CleanRules(characters="15..30")).tally])
    shown = {
        (border, is_kept): [one.value for one in step.examples if one.border == border and one.is_kept is is_kept]
        for border in ("under 15 characters", "over 30 characters")
        for is_kept in (True, False)
    }
    assert {side: values[:3] for side, values in shown.items()} == {
        ("under 15 characters", True): [15, 16, 17],
        ("under 15 characters", False): [14, 13, 12],
        ("over 30 characters", True): [30, 29, 28],
        ("over 30 characters", False): [31, 32, 33],
    }
