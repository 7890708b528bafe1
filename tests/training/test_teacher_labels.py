"""Labels in the folder of a training: asked for once, the same to the last bit, and named when damaged."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest
from teacher_fakes import DATA, TEACHER, Teacher, unrated

from similitude.errors import RunError
from similitude.training import teacher_labels as taught_labels
from similitude.training.splits import SeveralData
from similitude.training.teacher import TeacherLabels, Teaching, label_pairs

pytestmark = pytest.mark.usefixtures("teacher")


class TestAskedOnce:
    def first(self, folder: Path) -> TeacherLabels:
        return label_pairs(DATA, Teaching("test-teacher(by_length=true, sigma=0.3)", 9), folder)

    def test_a_second_call_reads_the_same_labels_to_the_last_bit(self, tmp_path):
        before = self.first(tmp_path)
        assert [len(items) for items in Teacher.asked] == [1, 9], "one item to see whether it will do, then all"
        Teacher.asked.clear()
        again = self.first(tmp_path)
        assert not Teacher.asked
        assert again.benchmark.frame.equals(before.benchmark.frame)
        assert again.benchmark.fingerprint == before.benchmark.fingerprint
        assert (again.record, again.note) == (before.record, before.note)

    def test_the_file_is_for_everybody(self, tmp_path):
        lesson = self.first(tmp_path)
        table = pl.read_csv(tmp_path / "runs" / "taught.csv")
        assert table.columns == ["id", "left", "right", "score", "sigma"]
        assert table["score"].to_list() == lesson.benchmark.gold.scores.tolist()
        assert table["sigma"].to_list() == [0.15] * 9

    def test_texts_of_all_kinds_come_back(self, tmp_path):
        pool = unrated(['say "no",\r\nor yes', " blank ", "-1.5"], ["null", "a\nb", "\t# 5"])
        before = label_pairs(DATA, Teaching(TEACHER), tmp_path, unlabelled=pool)
        assert label_pairs(DATA, Teaching(TEACHER), tmp_path, unlabelled=pool).benchmark.frame.equals(
            before.benchmark.frame
        )
        assert before.benchmark.items.lefts == pool.items.lefts

    def test_killed_between_the_files_it_asks_again(self, tmp_path):
        before = self.first(tmp_path)
        (tmp_path / "runs" / "taught.json").unlink()
        Teacher.asked.clear()
        assert self.first(tmp_path).benchmark.frame.equals(before.benchmark.frame)
        assert [len(items) for items in Teacher.asked] == [1, 9]

    @pytest.mark.parametrize(
        ("name", "options"),
        [
            ("teacher", {"teaching": Teaching("test-teacher(mean=7, sigma=2)", 9)}),
            ("pairs", {"teaching": Teaching(TEACHER, 8)}),
            ("seed", {"seed": 1}),
            ("unlabelled", {"unlabelled": unrated(["a"], ["b"])}),
            ("validation", {"data": SeveralData(DATA.train, DATA.train[1:])}),
            ("train", {"data": SeveralData(DATA.train[:1], DATA.validation)}),
        ],
    )
    def test_another_teaching_is_refused(self, tmp_path, name, options):
        usual = {"data": DATA, "teaching": Teaching(TEACHER, 9), "folder": tmp_path}
        label_pairs(**usual)
        wanted = rf"taught\.csv: holds labels made from other inputs \(they differ in: {name}\); choose another"
        with pytest.raises(RunError, match=wanted):
            label_pairs(**(usual | options))

    def test_another_model_under_the_same_name_is_refused(self, tmp_path, monkeypatch):
        self.first(tmp_path)
        monkeypatch.setattr(Teacher, "model", "second")
        with pytest.raises(RunError, match="they differ in: model"):
            self.first(tmp_path)

    def test_damaged_labels_are_named(self, tmp_path):
        self.first(tmp_path)
        labels, about = (tmp_path / "runs" / name for name in ("taught.csv", "taught.json"))
        whole = about.read_text()
        about.write_text(whole.replace('"left_out": 0', '"left_out": 1'))
        with pytest.raises(RunError, match=r"taught\.csv: the teacher's labels are damaged; delete .*taught\.json"):
            self.first(tmp_path)
        for damage in (whole[:-40], "[]", "{}"):
            about.write_text(damage)
            with pytest.raises(RunError, match=r"taught\.json: the teacher's labels are damaged; delete"):
                self.first(tmp_path)
        about.write_text(whole)
        labels.write_text(labels.read_text()[:-3])
        with pytest.raises(RunError, match=r"taught\.csv: the teacher's labels are damaged; delete .*taught\.json"):
            self.first(tmp_path)
        labels.unlink()
        with pytest.raises(RunError, match=r"taught\.csv: the teacher's labels are missing; delete .*taught\.json"):
            self.first(tmp_path)


def test_of_several_processes_one_asks_and_the_others_wait(tmp_path, monkeypatch):
    monkeypatch.setattr(taught_labels, "LOOK_SECONDS", 0.01)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(label_pairs, DATA, Teaching(TEACHER, 4), tmp_path, asks=False)
        time.sleep(0.1)
        assert not waiting.done()
        assert not Teacher.asked
        asking = label_pairs(DATA, Teaching(TEACHER, 4), tmp_path)
        asked = len(Teacher.asked)
        assert waiting.result(timeout=10).benchmark.frame.equals(asking.benchmark.frame)
    assert len(Teacher.asked) == asked > 0
