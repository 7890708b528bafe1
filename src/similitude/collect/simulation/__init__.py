"""Simulated annotators: a documented, seeded model of how people judge."""

from similitude.collect.simulation.annotators import Annotators, PerceivedScores
from similitude.collect.simulation.best_worst import judge_best_worst
from similitude.collect.simulation.ratings import judge_ratings

__all__ = ["Annotators", "PerceivedScores", "judge_best_worst", "judge_ratings"]
