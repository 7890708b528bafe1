"""What models write when they are asked for a letter, and what is read."""

import re

import pytest

from similitude.systems.prompted.letter_reader import read_letter

OPTIONS = ["A cat sleeps.", "A dog barks.", "It rains."]
A, B, C = range(3)

ANSWERS = {
    "B": (B, "letter"),
    "b": (B, "letter"),
    " (B) ": (B, "letter"),
    "B.": (B, "letter"),
    "B. A dog barks.": (B, "letter"),
    "**C**": (C, "letter"),
    "Ｂ": (B, "letter"),
    "B\nBecause ...": (B, "letter"),
    "The answer is B": (B, "labelled"),
    "The correct option is (C), since it rains.": (C, "subject"),
    "Antwort: B": (B, "labelled"),
    "答案：B": (B, "labelled"),
    "答案是B。": (B, "subject"),
    "It rains.": (C, "option"),
    "A dog barks": (B, "option"),
    "I would choose C.": (C, "subject"),
    "<think>A? B?</think>C": (C, "letter"),
    "A? B.</think>C": (C, "letter"),
    "A is wrong, so C": (C, "standing"),
    "A is not similar, C is": (C, "subject"),
    "A ist falsch, C passt": (C, "subject"),
    "A不对，C对": (C, "subject"),
    "": (None, "none"),
    "D": (None, "none"),
    "Either A. or B.": (None, "none"),
    "I'm not sure.": (None, "none"),
    "A cat sleeps. A dog barks.": (None, "none"),
    "A difficult question": (None, "none"),
    "Answer: A dog ran home": (None, "none"),
    "C is the closest": (C, "subject"),
    "C ist am ähnlichsten": (C, "subject"),
    "选C": (C, "labelled"),
    "\\boxed{C}": (C, "marked"),
    "\\boxed{\\text{C}}": (C, "marked"),
    "<answer>C</answer>": (C, "marked"),
    '{"answer": "C"}': (C, "marked"),
    "我选C。": (C, "labelled"),
    "应选C": (C, "labelled"),
    "C选项": (C, "labelled"),
    "选项C": (C, "labelled"),
    "答案为C": (C, "subject"),
    "故选C": (C, "labelled"),
    "我认为C最相似": (C, "subject"),
    "最接近的是C": (C, "subject"),
    "A和C都接近": (None, "none"),
    "The answer is A or C": (None, "none"),
    "A, B": (None, "none"),
    "A, because it sleeps": (A, "letter"),
    "The answer is A because it sleeps": (A, "labelled"),
    "The answer is A.": (A, "labelled"),
    "Answer: a": (A, "labelled"),
    "Answer: a dog": (None, "none"),
    "the answer is a difficult one": (None, "none"),
    "not A but C": (C, "standing"),
    "nicht A, sondern C": (C, "standing"),
    "不是A，而是C": (C, "subject"),
    "Ich nehme C": (C, "subject"),
    "Ich würde C wählen": (C, "subject"),
    "Am nächsten kommt C.": (C, "subject"),
    "Die richtige Antwort lautet C": (C, "labelled"),
    "Antwort C": (C, "labelled"),
    "Möglichkeit C": (C, "labelled"),
    "Option C is best": (C, "labelled"),
    "Answer: C. Option A is wrong.": (C, "labelled"),
    "C) It rains.": (C, "letter"),
    "C - it rains": (C, "letter"),
    "C – it rains": (C, "letter"),
    "A-levels are hard": (None, "none"),
    "B: dog": (B, "letter"),
    "The best is **C**.": (C, "subject"),
    "I'd go with (B).": (B, "subject"),
    "Answer: B because of the dog": (B, "labelled"),
    "A is closest": (A, "subject"),
    "A cat sleeps": (A, "option"),
    "It rains a lot in concatenated words": (C, "text"),
    "brains": (None, "none"),
    "itrains": (None, "none"),
    "The answer is not A. The answer is C.": (C, "labelled"),
    "C\n\nDialog:\nÄußerung 1: x\nAntwort: A": (C, "letter"),
    "Answer: C\n\nQuestion: foo\nAnswer: A": (C, "labelled"),
    "C。": (C, "letter"),
    "C，因为下雨": (C, "letter"),
    "C是最接近的": (C, "subject"),
    "答案：C. 因为": (C, "labelled"),
    "选择B": (B, "labelled"),
    "正确选项是B": (B, "subject"),
    "Both A and C are close.": (None, "none"),
    "None of them": (None, "none"),
    "I think the answer is B": (B, "labelled"),
    "**Answer:** B": (B, "labelled"),
    "Answer: **B**": (B, "labelled"),
    "Answer:\nB": (B, "labelled"),
    "B)": (B, "letter"),
    "[B]": (B, "letter"),
    "'B'": (B, "letter"),
    "B!": (B, "letter"),
    "Ⓑ": (B, "letter"),
    "Antwort: (B) Ein Hund": (B, "labelled"),
    "Ich entscheide mich für B, weil": (B, "subject"),
    "I choose B because": (B, "subject"),
    "A: It sleeps": (A, "letter"),
    "Plan B failed": (None, "none"),
    "He takes vitamin C every day": (None, "none"),
    "Answer: B flat": (B, "labelled"),
    "选A或B": (None, "none"),
    "Answer: A and B": (None, "none"),
    "Neither A nor B, but C": (C, "standing"),
    "the closest is b": (None, "none"),
    "A": (A, "letter"),
    "a)": (A, "letter"),
    "a.": (A, "letter"),
    "A dog barks. That is B.": (B, "subject"),
    "B oder C": (None, "none"),
    "答案：（B）": (B, "labelled"),
    "B、": (B, "letter"),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_letters_are_read(answer):
    read = read_letter(answer, OPTIONS)
    assert (read.place, read.rule) == ANSWERS[answer]


def test_the_table_is_long_enough():
    assert len(ANSWERS) >= 100


@pytest.mark.parametrize("answer", ["B", "(B)", "**B**", "Answer: B", "A dog barks.", "B. A dog barks.", "答案：B"])
def test_a_letter_and_little_else(answer):
    assert not read_letter(answer, OPTIONS).is_prose


@pytest.mark.parametrize(
    "answer", ["B, because dogs bark", "I choose B.", "B is the closest", "No idea", "我认为B最相似"]
)
def test_more_than_a_letter_is_prose(answer):
    assert read_letter(answer, OPTIONS).is_prose


@pytest.mark.parametrize(
    ("answer", "options", "place"),
    [
        ("concatenate", ["cat", "dog"], None),
        ("The cat.", ["cat", "dog"], 0),
        ("A dog barks loudly", ["A dog barks", "A dog barks loudly"], 1),
        ("I mean: a dog barks loudly.", ["A dog barks", "A dog barks loudly"], 1),
        ("意思是下雨了", ["下雨", "下雨了", "天晴"], 1),
        ("Answer: a dog barks", ["It rains", "A dog barks"], 1),
        ("A", ["b", "a"], 0),  # a letter is a letter, whatever the options say
    ],
)
def test_texts_of_options_match_whole(answer, options, place):
    assert read_letter(answer, options).place == place


def test_ten_options_and_the_word_i():
    options = [f"text {number}" for number in range(10)]
    assert read_letter("I think the answer is C", options).place == 2
    assert read_letter("I", options).place == 8


class TestPattern:
    pattern = re.compile(r"final: (\w)")

    def test_comes_first(self):
        assert read_letter("A, but final: C", OPTIONS, self.pattern)[:2] == (2, "pattern")

    @pytest.mark.parametrize("answer", ["A", "final: x", ""])
    def test_alone_decides(self, answer):
        assert read_letter(answer, OPTIONS, self.pattern)[:2] == (None, "none")


def test_a_model_that_cannot_stop_does_no_harm():
    assert read_letter("A or B or " * 3000, OPTIONS).place is None
    assert read_letter("answer " * 5000 + "B", OPTIONS).place == 1
