"""What type checkers see of the public names. `make types` checks this file; nothing runs it."""

from typing import Any, assert_type

import similitude as sim


def front_door(frame: Any, left: list[str]) -> None:
    """Each call with the type of its result."""
    assert_type(sim.read(frame), sim.Benchmark)
    assert_type(sim.read_judgements(frame), sim.Judgements)
    assert_type(sim.gold(frame), sim.Benchmark)
    assert_type(sim.gold(frame, method="plackett-luce"), sim.Benchmark)
    assert_type(sim.reliability(frame), sim.Assessment)
    assert_type(sim.run(frame, ["levenshtein"], ["spearman"]), sim.Run)
    model = sim.train.conditional(frame, model="m", out="folder", architecture="tri", epochs=2)
    assert_type(model, sim.train.Model)
    assert_type(model.evaluate(frame, ["spearman"]), sim.Run)
    sim.train.conditional(frame, model="m", architecture="quad")  # type: ignore[arg-type]
    sim.train.conditional(frame, model="m", epoch=2)  # type: ignore[call-arg]
    assert_type(sim.agreement.krippendorff_alpha(frame).value, float)
    assert_type(sim.agreement.gwet([[1, 2], [1, 2]]).value, float)
    assert_type(sim.words.rttr(left), float)
    assert_type(sim.testing.contracts(), str)
    raise sim.errors.ArgumentError("an error", remedy="a remedy")
