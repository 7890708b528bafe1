"""Every command whose work can take long tells its listener what it does, and counts what can be counted."""

import pytest

from similitude.cli import progress
from similitude.cli.app import run
from similitude.cli.patience import PlainLines
from similitude.data.counted_work import WorkCounter, counted_work, uncounted_work

WORK = "sample:opinions"
WORDS = "the quick brown fox jumps over a lazy dog while seven cats watch from an old wooden fence at the river"
COUNTED = {
    f"data check {WORK}": ["checks"],
    "data stats sample:dialogues": ["splitting texts into words", "richness", "parts"],
    f"evaluate {WORK} -s use -m spearman --folder run": ["encoding", "resampling"],
    f"choose {WORK} -s levenshtein -s jaro --cardinality 1:1 --interest all --information value --folder run": [
        "resampling"
    ],
    f"reliability {WORK} --resamples 20 --repeats 5": ["agreement", "split-half"],
    f"gold {WORK} --out gold.jsonl --resamples 20": ["agreement"],
    "task deduplication sample:deduplication -s levenshtein --resamples 20": ["resampling"],
    f"predictiveness {WORK} -t sample:text-reuse -s levenshtein -s jaro --resamples 20": ["tasks"],
    f"data suspects {WORK}": ["encoding", "forecasting labels by fold"],
    "candidates texts.txt --items 3 --out found": ["vectors", "pairs", "filters"],
}
NAMED = {
    f"publish {WORK} --name mine --language en --license MIT --split dev=0.5,test=0.5 --out release": [
        "splits of 60 items",
        "leaks between splits",
        "cards, tables and archive",
    ],
    "gold sample:dialogues --method plackett-luce": ["fitting plackett-luce to 600 answers"],
    "data stats sample:dialogues": ["looking up lemmas", "overlap of words"],
    f"data suspects {WORK}": ["fitting a mixture of right and wrong labels to 60 labels"],
    "design best-worst sample:dialogues --out plan.jsonl": ["laying out", "checking the plan of", "writing"],
    f"design rating {WORK} --out plan.jsonl": ["laying out 60 questions", "checking the plan of 60 questions"],
    f"predictiveness {WORK} -t sample:text-reuse -s levenshtein -s jaro --resamples 20": ["resampling"],
}


@pytest.fixture
def told(monkeypatch, tmp_path):
    """Runs a command and returns what its listeners were told."""
    heard: list[tuple[str, int, int]] = []

    class Ear(PlainLines):
        def progress(self, stage: str, done: int, total: int) -> None:
            heard.append((stage, done, total))

    monkeypatch.setattr(progress, "PlainLines", Ear)
    monkeypatch.setenv("SIMILITUDE_CACHE", "off")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts.txt").write_text("".join(f"{WORDS[n : n + 40]}\n" for n in range(0, 60, 6)))

    def call(words: str) -> list[tuple[str, int, int]]:
        heard.clear()
        assert not run(words.split())
        return list(heard)

    return call


@pytest.mark.parametrize("words", COUNTED)
def test_what_can_be_counted_is_counted_to_its_end(words, told):
    heard = told(words)
    for stage in COUNTED[words]:
        counts = [(done, total) for name, done, total in heard if name.endswith(stage) or name.startswith(stage)]
        assert counts, f"nothing was told of {stage}: {sorted({name for name, *_ in heard})}"
        done, total = counts[-1]
        assert 0 < done <= total


@pytest.mark.parametrize("words", NAMED)
def test_what_cannot_be_counted_has_a_name(words, told):
    heard = told(words)
    for stage in NAMED[words]:
        assert [each for each in heard if each[0].startswith(stage) and each[1:] == (0, 0)], heard


class Ear:
    def __init__(self) -> None:
        self.heard: list[tuple[str, int, int]] = []

    def progress(self, stage: str, done: int, total: int) -> None:
        self.heard.append((stage, done, total))

    def note(self, text: str) -> None:
        """Nothing."""


def test_a_long_loop_is_told_of_now_and_then_and_at_its_end():
    ear = Ear()
    assert sum(counted_work(range(1001), ear, "rows", 1001)) == 500_500
    assert ear.heard[0] == ("rows", 0, 1001)
    assert ear.heard[-1] == ("rows", 1001, 1001)
    assert len(ear.heard) == 2 + 1001 // 5  # told every 1001 // 200 = 5 rows, and of the last one


def test_nobody_need_listen():
    assert list(counted_work("ab", None, "letters", 2)) == ["a", "b"]
    uncounted_work(None, "work")
    WorkCounter(None, "work", 5).add(3)
