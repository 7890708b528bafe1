"""The port, the same for every adapter."""

import errno

import engine_tasks
import numpy as np
import pytest

from similitude.errors import FullDiskError, InputError, UnknownNameError
from similitude.study.engines import LocalEngine


def test_every_piece_is_run_once_and_reported_with_its_result(engine):
    told = []
    engine.run(engine_tasks.square, range(7), lambda piece, result: told.append((piece, result)))
    assert sorted(told) == [(0, 0), (1, 1), (2, 4), (3, 9), (4, 16), (5, 25), (6, 36)]


def test_no_pieces_are_no_work(engine):
    engine.run(engine_tasks.square, [], lambda piece, result: pytest.fail("nothing was asked"))


def test_a_failing_piece_does_not_lose_the_others_and_the_first_error_is_raised(engine):
    told = {}
    with pytest.raises(InputError) as caught:
        engine.run(engine_tasks.square_but_not_of_odd, range(7), told.__setitem__)
    assert told == {0: 0, 2: 4, 4: 16, 6: 36}
    assert str(caught.value) == "pieces.txt: 1 is odd; give even ones"  # the first in order, not the first in time
    assert caught.value.__notes__ == [
        "3 of 7 pieces failed; others: pieces.txt: 3 is odd; give even ones; pieces.txt: 5 is odd; give even ones"
    ]


def test_one_failure_needs_no_note(engine):
    with pytest.raises(InputError) as caught:
        engine.run(engine_tasks.square_but_not_of_odd, range(3), lambda piece, result: None)
    assert not hasattr(caught.value, "__notes__")


def test_an_error_whose_class_takes_other_arguments_comes_back_whole(engine):
    with pytest.raises(UnknownNameError) as caught:
        engine.run(engine_tasks.unknown_name, [1], lambda piece, result: None)
    assert str(caught.value) == "no colour named 'gren1'; did you mean 'green'? known: green, red"
    assert caught.value.name == "gren1"


def test_a_function_of_the_callers_own_is_a_task(engine):
    offset, told = 10, {}
    engine.run(lambda piece: piece + offset, [1, 2], told.__setitem__)
    assert told == {1: 11, 2: 12}


def test_a_piece_may_be_an_array(engine):
    told = []
    engine.run(np.sum, [np.arange(3), np.arange(5)], lambda piece, result: told.append((len(piece), int(result))))
    assert sorted(told) == [(3, 3), (5, 10)]


def test_relative_paths_mean_the_same_for_workers(engine, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = {}
    engine.run(engine_tasks.working_folder, [0, 1], told.__setitem__)
    assert set(told.values()) == {str(tmp_path)}


def test_a_piece_computes_on_one_thread(engine):
    told = {}
    engine.run(engine_tasks.threads_of_blas, [0], told.__setitem__)
    assert set(told[0]) == {1}


@pytest.mark.parametrize("is_bare", [False, True])
def test_on_a_full_disk_the_rest_is_not_started(engine, tmp_path, is_bare):
    told = {}
    with pytest.raises(FullDiskError, match="the disk is full; free some space, and run the same command again"):
        engine.run(engine_tasks.FillsDisk(tmp_path, 2, is_bare), range(20), told.__setitem__)
    started = len(list(tmp_path.glob("started-*")))
    assert {0, 1} <= set(told)
    assert 3 <= started <= 2 + 2 * engine.workers
    assert not list(tmp_path.glob("*.tmp"))


def test_an_error_of_the_caller_stops_the_run_at_once(engine):
    told = []

    def done(piece, result):
        told.append(piece)
        raise OSError(errno.EIO, "broken")

    with pytest.raises(OSError, match="broken"):
        engine.run(engine_tasks.square, range(50), done)
    assert len(told) == 1


def test_a_folder_that_workers_share_passes_and_stays_as_it_was(engine, tmp_path):
    engine.check_folder(tmp_path)
    assert not list(tmp_path.iterdir())


def test_threads_work_side_by_side():
    from threading import Barrier

    together = Barrier(2, timeout=10)
    told = {}
    LocalEngine(2).run(lambda piece: together.wait() >= 0, [0, 1], told.__setitem__)
    assert told == {0: True, 1: True}


def test_one_worker_keeps_to_the_order_and_the_calling_thread():
    from threading import current_thread, main_thread

    told = []
    LocalEngine().run(lambda piece: current_thread() is main_thread(), [3, 1, 2], lambda *pair: told.append(pair))
    assert told == [(3, True), (1, True), (2, True)]


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_drops_the_pieces_that_have_not_started(workers):
    started = []

    def interrupted(piece, result):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        LocalEngine(workers).run(started.append, range(50), interrupted)
    assert len(started) <= 2 * workers
