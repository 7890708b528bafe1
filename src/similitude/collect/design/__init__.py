"""Designs: best-worst tuples with guarantees, pages and batches, and the order that each annotator sees."""

from similitude.collect.design.batches import BatchMix, in_batches
from similitude.collect.design.best_worst import BestWorstDesign, best_worst_tuples
from similitude.collect.design.design import DESIGN_SCHEMA, Design, PlannedQuestion
from similitude.collect.design.effort import Effort, effort_of
from similitude.collect.design.files import read_design, write_design
from similitude.collect.design.guarantees import Guarantees, check_tuples
from similitude.collect.design.layout import BatchLayout, check_layout
from similitude.collect.design.pages import in_pages
from similitude.collect.design.planner import plan_best_worst, plan_ratings
from similitude.collect.design.presentation import PresentedQuestion, presentation, show
from similitude.collect.design.request import TupleRequest
from similitude.collect.design.subjects import Subjects, read_subjects
from similitude.collect.design.summary import Summary, summarise

__all__ = [
    "DESIGN_SCHEMA",
    "BatchLayout",
    "BatchMix",
    "BestWorstDesign",
    "Design",
    "Effort",
    "Guarantees",
    "PlannedQuestion",
    "PresentedQuestion",
    "Subjects",
    "Summary",
    "TupleRequest",
    "best_worst_tuples",
    "check_layout",
    "check_tuples",
    "effort_of",
    "in_batches",
    "in_pages",
    "plan_best_worst",
    "plan_ratings",
    "presentation",
    "read_design",
    "read_subjects",
    "show",
    "summarise",
    "write_design",
]
