"""What real models write when they are asked for a number, and what is read."""

import re

import numpy as np
import pytest

from similitude.data import Item, Scale
from similitude.systems.prompted.answer_parser import read_as_in_csts, read_score, replacement

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
    "Score = 3.5": 3.5,
    "Output: 2": 2.0,
    "Answer: 2": 2.0,
    "4 points": 4.0,
    "4/5": 4.0,
    "4 / 5": 4.0,
    "4.5/5.0": 4.5,
    "4 out of 5": 4.0,
    "Rating: 4/5 stars": 4.0,
    "3,5": 3.5,
    "3,5 Punkte": 3.5,
    "4 von 5": 4.0,
    "Bewertung: 4,0": 4.0,
    "Punktzahl: 3": 3.0,
    "3½": 3.5,
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
    "评分：五": 5.0,
    "评分是三": 3.0,
    "<think>Perhaps 2, perhaps 3.</think>\n4": 4.0,
}

PROSE = {
    "The Answer is 2.0.": 2.0,  # the paper's own example
    "I'd give it a 4.": 4.0,
    "4 (four)": 4.0,
    "4\n\nExplanation: both are about dogs.": 4.0,
    "1. The two sentences are alike": 1.0,
    "On a scale from 1 to 5, I would say 4.": 4.0,
    "Score (1-5): 4": 4.0,
    "4 (on a scale of 1 to 5)": 4.0,
    "Out of 5, I'd give 4": 4.0,
    "Sentence 1 and sentence 2 are similar: 4": 4.0,
    "Sentence 1 is about 2 dogs. Score: 3": 3.0,
    "Sentences 1 and 2 share their topic: 3": 3.0,
    "Die Sätze 1 und 2 sind ähnlich, also 4": 4.0,
    "First I thought Score: 3. But no. Score: 4": 4.0,
    "GPT4 says 3": 3.0,
    "Satz 1 und Satz 2: 4": 4.0,
    "Die Ähnlichkeit beträgt 4": 4.0,
    "我给四分。": 4.0,
    "评分（1到5）：4": 4.0,
    "第1句和第2句相似，4分": 4.0,
}

KIN = {
    # (the score, whether there is more in the answer, the rule)
    "Score: <3>": (3.0, False, "marked"),
    "3 ½": (3.5, False, "only"),
    "3 1/2": (3.5, False, "only"),
    "3 and a half": (3.5, False, "only"),
    "3分半": (3.5, False, "only"),
    "3点5分": (3.5, False, "only"),
    "3,5/5": (3.5, False, "only"),
    "80% similar, so 4": (4.0, True, "only"),
    '{"score": 3, "explanation": "a score of 5 would need the same"}': (3.0, True, "marked"),
    '{"reasoning": "Score 2 would be too low", "score": 3}': (3.0, True, "marked"),
    "<answer>4</answer> because 2 dogs": (4.0, True, "marked"),
    "We have 2 dogs. Thus \\boxed{4}": (4.0, True, "marked"),
    "#### 4": (4.0, False, "marked"),
    "3\n\nText 1: A cat\nText 2: A dog\nScore: 5": (3.0, True, "only"),
    "Score: 3\n\nText 1: A cat\nText 2: A dog\nScore: 5": (3.0, True, "marked"),
    "Sentence 1: dogs.\nSentence 2: cats.\nScore: 2": (2.0, True, "marked"),
    "1. Both mention dogs.\n2. The colour differs.\nScore: 3": (3.0, True, "marked"),
    "Score/5: 3": (3.0, True, "only"),
    "Stufe 4": (4.0, True, "only"),
    "属于第4级": (4.0, True, "only"),
    "等级：4": (4.0, False, "marked"),
    "Level 4": (4.0, True, "only"),
    "Score: [3]": (3.0, False, "marked"),
    "Score: {3}": (3.0, False, "marked"),
    "**Score:** 3": (3.0, False, "marked"),
    "Score: _3_": (3.0, False, "marked"),
    "3 out of 5 facts agree. Score: 2": (2.0, True, "marked"),
    "4 stars out of 5": (4.0, False, "only"),
    "★ 4": (4.0, False, "only"),
    "The score is: 3 out of 5.": (3.0, True, "marked"),
    "3.": (3.0, False, "only"),
    "3)": (3.0, False, "only"),
    "≥3": (3.0, False, "only"),
    "I'd rate it 3": (3.0, True, "only"),
    "I would rate this pair as a 2 out of 5.": (2.0, True, "only"),
    "The sentences share 2 words": (2.0, True, "only"),
    "Score: 4 (not 5)": (4.0, True, "marked"),
    "Score: not 5, 4": (4.0, True, "marked"),
    "分数：三": (3.0, False, "marked"),
    "Score: 3\nScore: 3": (3.0, True, "marked"),
    "score=4;confidence=0.9": (4.0, True, "marked"),
    '"4"': (4.0, False, "only"),
    "4 / 5\n": (4.0, False, "only"),
    "Answer: 4 out of 5 (1 = unrelated, 5 = same)": (4.0, True, "marked"),
    "我打三分": (3.0, True, "only"),
    "3 of 5": (3.0, False, "only"),
    "3 von 5 Punkten": (3.0, False, "only"),
    "3 Punkte von 5": (3.0, False, "only"),
    "Note: 3": (3.0, False, "marked"),
    "No. 3": (3.0, True, "only"),
    "Similarity: 3 - somewhat alike, 2 details differ": (3.0, True, "marked"),
    "Scale 1-5: 3": (3.0, True, "only"),
    "1–5: 3": (3.0, True, "only"),
    "3.0/5.0": (3.0, False, "only"),
    "3.50": (3.5, False, "only"),
    "03": (3.0, False, "only"),
    "+3": (3.0, False, "only"),
    "=3": (3.0, False, "only"),
    "三分。": (3.0, False, "only"),
    "3，因为两句都提到狗": (3.0, True, "only"),
    "相似度为3.5（满分5）": (3.5, True, "marked"),
    "Perhaps 3?\n2\nNo.</think>4": (4.0, False, "only"),  # the prompt began the thought
    '{"score": 4, "max_score": 5}': (4.0, True, "marked"),
    '{"similarity_score": 3, "confidence_score": 0.9}': (3.0, True, "marked"),
    "These 2 sentences are alike, so I rate them 4.": (4.0, True, "only"),
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

NO_ANSWER_ON_THIS_SCALE = (
    ".5",
    "8/10",
    "80%",
    "½",
    "十",
    "4 - because 2 men are in both",
    "a score of 4 because 2 dogs",
    "It's 4, as 2 dogs run",
    "3-4",
    "4,5,3",
    "4.5.2",
    "Ich würde 3 von 5 Punkten geben, weil 2 Hunde",
    "满分5分，得4分",
    "4分（满分5分）",
    "not 5 but 2",
    "(1 = unrelated, 5 = the same): 3",
    "5分满分，给3分",
    "nicht 5, sondern 2",
    "不是5，而是2",
    "2 rather than 5",
    "It is not a 5, it's a 2.",
    "less than 5, so 4",
    "from 1 (unrelated) to 5 (the same): 3",
    "1 being unrelated and 5 identical, I'd say 4",
    "1分表示完全不相关，5分表示完全相同，我认为是3分",
    "Both mention 2 dogs and 3 men.\n\n4",
    "Both texts mention 2 dogs, so I give it a 4",
    "2 dogs vs 3 dogs: 4",
    "两句话都提到了2只狗，4分",
    "A score of 5 would need the same dog; I give 3",
    "Text 1: A cat.\nText 2: A dog.\nScore:",
    "1. Both mention dogs.\n2. The colour differs.\n\nI would say 3.",
    "out of 5",
    "/5",
    "On a 5-point scale: 3",
    "Auf einer 5-Punkte-Skala: 3",
    "5分制，3分",
    "扣1分，给4分",
    "Ich gebe 3 Punkte, weil 2 Hunde fehlen",
    "Beide Sätze nennen 2 Hunde, daher vergebe ich 4",
    "more than 3, but less than 5: 4",
    "Bewertung (1 = unähnlich, 5 = gleich): 3",
    "评分（1=无关，5=相同）：3",
    "满分5分，我打3.5分",
    "3分（共5分）",
    "Sentence 1",
    "第1句",
    "句子1和句子2",
    "5 would be too high, 4",
    "Zwischen 3 und 4, eher 4",
    "四分（满分五分）",
    "给5分中的3分",
    "5 (identical) to 1 (unrelated): 2",
    "I think it's a 2, maybe a 3.",
    "打5分不合适，应打3分",
    "相似度：60%，即3分",
    "I'm sorry, but I can't rate the similarity of these 2 sentences.",
    "Ich kann diese 2 Texte nicht bewerten.",
    "我无法比较这2个句子。",
)


@pytest.mark.parametrize("answer", BARE)
def test_a_number_and_little_else(answer: str):
    assert read_score(answer, FIVE)[:2] == (BARE[answer], False)


@pytest.mark.parametrize("answer", PROSE)
def test_a_number_in_prose(answer: str):
    assert read_score(answer, FIVE)[:2] == (PROSE[answer], True)


@pytest.mark.parametrize("answer", KIN)
def test_the_rule_that_reads_it(answer: str):
    assert read_score(answer, FIVE) == KIN[answer]


@pytest.mark.parametrize("answer", INVALID)
def test_no_number(answer: str):
    assert read_score(answer, FIVE).value is None


@pytest.mark.parametrize("answer", NO_ANSWER_ON_THIS_SCALE)
def test_ranges_several_candidates_and_numbers_off_the_scale_are_invalid(answer: str):
    assert read_score(answer, FIVE)[::2] == (None, "none")


def test_the_paper_drops_all_but_digits_and_points_and_keeps_what_is_off_the_scale():
    """C-STS, appendix A.3; its example is the first."""
    found = {"The Answer is 2.0.": 2.0, "7": 7.0, "4/5": 45.0, "3-4": 34.0, "4.0.": 4.0, "none": None, "4.5.2": None}
    assert {answer: read_as_in_csts(answer).value for answer in found} == found


def test_the_table_is_long_enough():
    assert len(BARE) + len(PROSE) + len(INVALID) >= 60
    assert len(KIN) >= 60


class TestPattern:
    pattern = re.compile(r"final[^0-9]*([0-9.,]+)")

    def test_comes_first(self):
        assert read_score("Score: 5, final mark 2,5", FIVE, self.pattern) == (2.5, False, "pattern")

    def test_alone_decides(self):
        assert read_score("Score: 5", FIVE, self.pattern) == (None, True, "none")

    def test_all_that_matches_counts_without_a_group(self):
        assert read_score("4 of 5, 80 %", Scale(low=0, high=100), re.compile(r"[0-9]+ %")).value == 80

    def test_a_number_off_the_scale_is_invalid(self):
        assert read_score("final: 8", FIVE, self.pattern) == (None, True, "none")


@pytest.mark.parametrize(
    ("answer", "scale", "value"),
    [
        ("-0.5", AROUND_ZERO, -0.5),
        ("Score: −0.5", AROUND_ZERO, -0.5),
        ("from -1 to 1: 0.3", AROUND_ZERO, 0.3),
        ("minus 0.5", AROUND_ZERO, -0.5),
        ("Minus 1", AROUND_ZERO, -1.0),
        ("负0.5", AROUND_ZERO, -0.5),
        ("1 minus 0.5", AROUND_ZERO, None),
        ("1 - 0.5", AROUND_ZERO, None),
        ("0,75", UNIT, 0.75),
        ("0.8", UNIT, 0.8),
        ("80 %", UNIT, 0.8),
        ("The similarity is 72.5%.", UNIT, 0.725),
        ('{"score": "80%"}', UNIT, 0.8),
        ("0.7 (80 % sure)", UNIT, None),
        ("80 %", Scale(low=0, high=100), 80.0),
        ("between 0 and 1", UNIT, None),
        ("0 to 5", FIVE, None),  # not the ends of this scale: a range
        ("4/10", Scale(low=0, high=5), None),  # a fraction with another denominator
        ("Score: 4/10", Scale(low=0, high=5), None),
        ("4/10", Scale(low=0, high=10), 4.0),
        ("3 or 4", Scale(low=0, high=5), None),
        ("I think 7, or rather 4", FIVE, 4.0),
        ("Score: 8, since 3 dogs are there", FIVE, None),
    ],
)
def test_other_scales(answer: str, scale: Scale, value: float | None):
    assert read_score(answer, scale).value == value


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("1 2 3 " * 1000, None),
        ("score:" + " " * 30000 + "x 4", 4),
        ("五" * 30000, None),
        ("<think>" * 9000 + "4", None),
    ],
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
