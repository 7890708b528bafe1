import pytest

from similitude.errors import ArgumentError
from similitude.models.loaded_model import ModelChangedError, ModelSlot, until_unchanged


def test_a_model_is_loaded_once_a_state_and_given_up_for_another():
    slot, loads = ModelSlot(), []

    def load():
        loads.append(slot._held)
        return len(loads)

    assert [slot.get(state, load, lambda state=state: state) for state in "aabba"] == [1, 1, 2, 2, 3]
    assert loads == [None] * 3  # the memory was free before the next one came
    slot.clear()
    assert slot.get("a", load, lambda: "a") == 4


def test_a_change_while_loading_is_noticed_and_nothing_is_kept():
    slot = ModelSlot()
    with pytest.raises(ModelChangedError):
        slot.get("a", lambda: 1, lambda: "b")
    assert slot.get("a", lambda: 2, lambda: "a") == 2


def test_an_error_while_the_files_change_is_no_error_yet():
    def fail():
        raise ValueError("half a file")

    with pytest.raises(ModelChangedError):
        ModelSlot().get("a", fail, lambda: "b")
    with pytest.raises(ValueError, match="half a file"):
        ModelSlot().get("a", fail, lambda: "a")


@pytest.mark.parametrize(("changes", "is_enough"), [(0, True), (3, True), (4, False)])
def test_it_is_tried_four_times(changes, is_enough):
    left = [changes]

    def work():
        if left[0]:
            left[0] -= 1
            raise ModelChangedError
        return "done"

    if is_enough:
        assert until_unchanged(work, "model 'x'") == "done"
    else:
        with pytest.raises(ArgumentError, match="model 'x': its files changed while it was loaded or used, 4 times"):
            until_unchanged(work, "model 'x'")
