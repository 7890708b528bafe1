"""The figures of a study of GiCCS stand where the paper prints them."""

import itertools

import pytest

from similitude.report.papers.giccs import DOUBTED
from similitude.report.papers.printed_figures import printed_figures
from similitude.report.papers.template import placed_figures
from similitude.study.study_run import StudyTable
from similitude.study.tables.table_keys import StudyFigure

PRINTED = {figure.place: figure for figure in printed_figures("giccs")}
SOURCES, TURNS = ("BAS SmartKom", "CROWDSS", "all"), ("3", "5", "all")
DOMAINS = [f"find_{name}" for name in ("restaurant", "cinema", "hotel", "navigation", "touristAttraction", "tvProgram")]
ENCODERS = {row for table, row, _ in PRINTED if table == "Table 5"}


def by(first, second, *figures, data="annotated"):
    """Where a table of data has figures: divided by two columns, by the first of them, and not at all."""
    names = (first[0], second[0])
    for values in itertools.product(first[1], second[1]):
        if values[0] != "all" or values[1] == "all":
            for figure in figures:
                yield {"data": data, **dict(zip(names, values, strict=True)), **figure}


AGREEMENT = [
    *({"figure": "alpha", "of": of} for of in ("combined", "by_position", "by_item")),
    *({"figure": "strong_agreement", "of": of} for of in ("best", "worst")),
]
WORDS = [
    *({"figure": figure, "of": of} for figure in ("rttr", "mtld") for of in ("pooled", "dialogue", "text")),
    *({"figure": figure} for figure in ("tokens", "lemmas", "turn_length")),
]
PLACES = {
    "Table 1": [*by(("source", SOURCES), ("turns", TURNS), *AGREEMENT)],
    "Table 2": [*by(("turns", TURNS), ("domain", [*DOMAINS, "all"]), *WORDS)],
    "Table 3": [
        *by(
            ("source", SOURCES),
            ("turns", TURNS),
            *({"figure": "split_half", "of": of} for of in ("spearman", "pearson")),
        )
    ],
    "Table 4": [{"data": "GiCCS", "figure": "score", "of": of} for of in (*DOUBTED, "Ja. / Nein.")],
    "Table 5": [
        {"system": system, "data": "GiCCS", "measure": measure}
        for system in sorted(ENCODERS)
        for measure in ("pearson", "spearman")
    ],
    "Table 6": [
        {"model": "mGPT", "by": "sum", "dialogue": dialogue, "part": part, "measure": measure}
        for dialogue in ("true", "false")
        for part in ("3-turn", "5-turn")
        for measure in ("accuracy", "ndcg")
    ],
}
NOT_NUMBERS = {"Expert evaluation"}


def placed(name, places):
    figures = tuple(StudyFigure(at=at, value=0.5) for at in places)
    return list(placed_figures("giccs", StudyTable(name=name, title="", layout="x", keys={}, figures=figures)))


@pytest.mark.parametrize("table", PLACES)
def test_every_printed_figure_has_its_place_and_no_other_is_made(table):
    found = placed(table, PLACES[table])
    ours = [(each.row, each.column) for each in found]
    theirs = {(row, column) for where, row, column in PRINTED if where == table and column not in NOT_NUMBERS}
    assert sorted(ours) == sorted(theirs)


def test_strong_agreement_is_a_percentage_and_alpha_is_not():
    found = {each.column: each.value for each in placed("Table 1", PLACES["Table 1"])}
    assert found == {"alpha": 0.5, "best": 50, "worst": 50}


def test_alpha_of_other_data_is_not_beside_that_of_giccs():
    [found] = placed(
        "Table 1", [{"data": "sample", "source": "all", "turns": "all", "figure": "alpha", "of": "combined"}]
    )
    assert (found.row, found.column) == ("sample", "alpha")


def test_systems_that_joined_and_other_ways_to_choose_stand_in_table_6():
    at = {"part": "3-turn", "measure": "accuracy"}
    joined = {**at, "model": "mine", "by": "", "dialogue": ""}
    letters = {**at, "model": "mGPT", "by": "letter", "dialogue": "true"}
    assert [(each.row, each.column) for each in placed("Table 6", [joined, letters])] == [
        ("mine", "3-turn"),
        ("mGPT, by letter", "3-turn, w/ context"),
    ]
