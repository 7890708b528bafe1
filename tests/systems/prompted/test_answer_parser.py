"""What real models write when they are asked for a number, and what is read."""

import numpy as np
import pytest

from similitude.data import Item, Scale
from similitude.systems.prompted.answer_parser import read_score, replacement

FIVE, UNIT, AROUND_ZERO = Scale(low=1, high=5), Scale(low=0, high=1), Scale(low=-1, high=1)

BARE = {
    "4": 4.0,
    "4.0": 4.0,
    " 4\n": 4.0,
    "4.": 4.0,
    "4.0.": 4.0,
    "4..": 4.0,
    "...4": 4.0,
    "4!": 4.0,
    ".5": 0.5,
    "~4": 4.0,
    "≈3.5": 3.5,
    "-4": 4.0,  # the scale does not go below 0: the minus is a dash
    "- 4": 4.0,
    "(4)": 4.0,
    "**4**": 4.0,
    "`4`": 4.0,
    '"4"': 4.0,
    "[4]": 4.0,
    "\\boxed{4}": 4.0,
    "$4$": 4.0,
    "<answer>4</answer>": 4.0,
    '{"score": 4}': 4.0,
    "Score: 4": 4.0,
    "Score: 4.": 4.0,
    "Score: **4.5**": 4.5,
    "Score - 4": 4.0,
    "Score = 3.5": 3.5,
    "Output: 2": 2.0,
    "Answer: 2": 2.0,
    "4 points": 4.0,
    "4/5": 4.0,
    "4 / 5": 4.0,
    "4.5/5.0": 4.5,
    "4 out of 5": 4.0,
    "Rating: 4/5 stars": 4.0,
    "8/10": 8.0,  # off the scale, read as it is
    "80%": 80.0,
    "3,5": 3.5,
    "3,5 Punkte": 3.5,
    "4 von 5": 4.0,
    "Bewertung: 4,0": 4.0,
    "Punktzahl: 3": 3.0,
    "3½": 3.5,
    "½": 0.5,
    "４": 4.0,
    "４．５": 4.5,
    "得分：４．５": 4.5,
    "٤": 4.0,
    "٣٫٥": 3.5,
    "४": 4.0,
    "④": 4.0,
    "4️⃣": 4.0,
    "4。": 4.0,
    "4分": 4.0,
    "评分：4分": 4.0,
    "五": 5.0,
    "五。": 5.0,
    "四分": 4.0,
    "三点五": 3.5,
    "三點五": 3.5,
    "三分半": 3.5,
    "两分": 2.0,
    "十": 10.0,
    "评分：五": 5.0,
    "评分是三": 3.0,
    "相似度三点五": 3.5,
    "<think>Perhaps 2, perhaps 3.</think>\n4": 4.0,
}

PROSE = {
    "The Answer is 2.0.": 2.0,  # the paper's own example
    "I'd give it a 4.": 4.0,
    "4 (four)": 4.0,
    "4 - because 2 men are in both": 4.0,
    "4\n\nExplanation: both are about dogs.": 4.0,
    "1. The two sentences are alike": 1.0,
    "On a scale from 1 to 5, I would say 4.": 4.0,
    "Score (1-5): 4": 4.0,
    "4 (on a scale of 1 to 5)": 4.0,
    "Out of 5, I'd give 4": 4.0,
    "a score of 4 because 2 dogs": 4.0,
    "It's 4, as 2 dogs run": 4.0,
    "Sentence 1 and sentence 2 are similar: 4": 4.0,
    "Sentence 1 is about 2 dogs. Score: 3": 3.0,
    "Sentences 1 and 2 share their topic: 3": 3.0,
    "Die Sätze 1 und 2 sind ähnlich, also 4": 4.0,
    "First I thought Score: 3. But no. Score: 4": 4.0,
    "GPT4 says 3": 3.0,
    "3-4": 3.0,
    "4,5,3": 4.0,
    "4.5.2": 4.5,
    "Satz 1 und Satz 2: 4": 4.0,
    "Ich würde 3 von 5 Punkten geben, weil 2 Hunde": 3.0,
    "Die Ähnlichkeit beträgt 4": 4.0,
    "我给四分。": 4.0,
    "满分5分，得4分": 4.0,
    "4分（满分5分）": 4.0,
    "评分（1到5）：4": 4.0,
    "第1句和第2句相似，4分": 4.0,
}

INVALID = (
    "",
    "   \n",
    "N/A",
    "nan",
    "inf",
    "four",
    "Vier",
    "I cannot say.",
    "Ⅳ",
    "★★★★",
    "1-5",
    "Please give a number from 1 to 5.",
    "<think>maybe 2 or 3, let me",
    "意思十分相似",
    "意思是一样的",
    "一样",
    "第一句和第二句说的是一回事",
    "五分之四",
    "5" * 400,
)


@pytest.mark.parametrize("answer", BARE)
def test_a_number_and_little_else(answer: str):
    assert read_score(answer, FIVE) == (BARE[answer], False)


@pytest.mark.parametrize("answer", PROSE)
def test_a_number_in_prose(answer: str):
    assert read_score(answer, FIVE) == (PROSE[answer], True)


@pytest.mark.parametrize("answer", INVALID)
def test_no_number(answer: str):
    assert read_score(answer, FIVE).value is None


def test_the_table_is_long_enough():
    assert len(BARE) + len(PROSE) + len(INVALID) >= 60


@pytest.mark.parametrize(
    ("answer", "scale", "value"),
    [
        ("-0.5", AROUND_ZERO, -0.5),
        ("Score: −0.5", AROUND_ZERO, -0.5),
        ("from -1 to 1: 0.3", AROUND_ZERO, 0.3),
        ("0,75", UNIT, 0.75),
        ("0.8", UNIT, 0.8),
        ("between 0 and 1", UNIT, None),
        ("0 to 5", FIVE, 0.0),  # not the ends of this scale: a range, of which the first counts
    ],
)
def test_other_scales(answer: str, scale: Scale, value: float | None):
    assert read_score(answer, scale).value == value


@pytest.mark.parametrize(
    ("answer", "value"),
    [("1 2 3 " * 3000, 1), ("score:" + " " * 30000 + "x 4", 4), ("五" * 30000, None), ("<think>" * 9000 + "4", None)],
)
def test_a_model_that_cannot_stop_does_no_harm(answer: str, value: float | None):
    """In linear time: the second took minutes when labels were looked for far from the number."""
    assert read_score(answer, FIVE).value == value


class TestReplacement:
    item = Item(id="1", left="a cat", right="a dog")

    def test_lies_on_the_scale_and_is_drawn_evenly(self):
        drawn = np.array([replacement(self.item, FIVE, seed) for seed in range(2000)])
        assert drawn.min() >= 1
        assert drawn.max() <= 5
        # U[1, 5]: mean 3 with standard error 1.155 / sqrt(2000) = 0.026, standard deviation 4 / sqrt(12) = 1.155
        assert drawn.mean() == pytest.approx(3, abs=0.1)
        assert drawn.std() == pytest.approx(1.155, abs=0.05)

    def test_follows_from_seed_and_content_alone(self):
        same = Item(id="another id", left="a cat", right="a dog", split="test")
        assert replacement(self.item, FIVE, 0) == replacement(same, FIVE, 0)
        assert replacement(self.item, FIVE, 0) != replacement(self.item, FIVE, 1)
        other = Item(id="1", left="a cat", right="a dog", condition="size")
        assert replacement(self.item, FIVE, 0) != replacement(other, FIVE, 0)
