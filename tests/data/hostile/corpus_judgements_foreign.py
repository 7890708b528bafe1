"""Judgements as other people's programs write them: statistics packages, survey tools, crowds and annotation tools."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from .agreement import interval_alpha, nominal_alpha
from .builders import csv_of, json_lines, several, text
from .case import Case, Make, Reads, Refuses
from .corpus_judgements import judgements

__all__ = ["FOREIGN"]

Rows = Sequence[Sequence[Any]]


def asked(name: str, make: Make, reads: Reads, *patterns: str, **options: Any) -> list[Case]:
    """A file that is refused with an error that names the flag, and read right with it."""
    return [judgements(name, make, Refuses(*patterns)), judgements(f"{name}, said", make, reads, **options)]


def columns_of(rows: Rows) -> list[list[Any]]:
    """The answers of each item where items are in columns."""
    return [[value for value in column if value not in ("", None)] for column in zip(*rows, strict=True)]


def numbers(rows: Rows, **more: Any) -> Reads:
    """The facts of a table of ratings with an item in each row."""
    given = [[float(value) for value in row if value not in ("", None)] for row in rows]
    figures = {
        "Krippendorff's alpha, nominal": nominal_alpha(given),
        "Krippendorff's alpha, interval": interval_alpha(given),
    }
    return Reads(kind="rating", items=len(given), answers=sum(map(len, given)), agreement=figures, **more)


def words(rows: Rows, **more: Any) -> Reads:
    """The facts of a table of categories with an item in each row."""
    figures = {"Krippendorff's alpha, nominal": nominal_alpha(rows)}
    return Reads(kind="category", items=len(rows), answers=sum(map(len, rows)), agreement=figures, **more)


# --- statistics packages ----------------------------------------------------------------------------------------------

SCORED = [(3, 3, 2), (3, 6, 1), (3, 4, 4), (4, 6, 4), (5, 2, 3), (5, 4, 2), (2, 2, 1), (3, 4, 6), (5, 3, 1), (2, 3, 1)]
RATED = numbers(SCORED, raters=("rater1", "rater2", "rater3"))
NAMED = ("rater1", "rater2", "rater3")
BY_NAME = numbers(SCORED, raters=NAMED)


def r_table(rows: Rows, header: Sequence[str]) -> str:
    """What R's write.csv gives: quoted names, and row names from 1 under an empty name."""
    head = ",".join(f'"{name}"' for name in ("", *header))
    body = (",".join([f'"{at}"', *map(r_cell, row)]) for at, row in enumerate(rows, start=1))
    return "\n".join([head, *body]) + "\n"


def r_cell(value: Any) -> str:
    """A cell as R writes it."""
    return "NA" if value is None else f'"{value}"' if isinstance(value, str) else str(value)


DISEASES = {1: "1. Depression", 2: "2. Personality Disorder", 3: "3. Schizophrenia", 4: "4. Neurosis", 5: "5. Other"}
CODES = [(4, 4, 4, 4), (2, 2, 5, 5), (2, 3, 3, 3), (5, 5, 5, 5), (2, 2, 4, 4), (1, 1, 3, 3), (3, 3, 3, 5), (1, 1, 3, 4)]
DIAGNOSED = [[DISEASES[code] for code in row] for row in CODES]
PLAIN = [[DISEASES[code][3:] for code in row] for row in CODES]
GRADES = [("1st grade", "1st grade")] * 5 + [
    ("2nd grade", "3rd grade"),
    ("3rd grade", "3rd grade"),
    ("4th grade", "2nd grade"),
]
GAPS = [
    (1, 1, None),
    (2, 2, 3),
    (3, 3, 3),
    (3, 3, 3),
    (2, 2, 2),
    (1, 2, 3),
    (4, 4, 4),
    (1, 1, 2),
    (2, 2, 2),
    (None, 5, 5),
]
RATERS = ("rater1", "rater2", "rater3")
FOUR = ("rater1", "rater2", "rater3", "rater4")

PACKAGES = [
    judgements("R: anxiety", text("anxiety.csv", r_table(SCORED, RATERS)), RATED),
    judgements("R: anxiety, without row names", text("anxiety.csv", csv_of(SCORED, RATERS)), RATED),
    judgements("R: write.table", text("a.txt", csv_of(SCORED, RATERS, "\t")), RATED),
    judgements("R: gaps as NA", text("g.csv", r_table(GAPS, RATERS)), numbers(GAPS, raters=RATERS)),
    judgements("R: diagnoses", text("d.csv", r_table(PLAIN, FOUR)), words(PLAIN, raters=FOUR)),
    *asked(
        "R: numbered diagnoses",
        text("d.csv", r_table(DIAGNOSED, FOUR)),
        words(DIAGNOSED, raters=FOUR),
        "--kind category",
        "--kind rating",
        kind="category",
    ),
    *asked(
        "R: vision",
        text("v.csv", r_table(GRADES, ("r.eye", "l.eye"))),
        words(GRADES, raters=("l.eye", "r.eye")),
        "--column raters=A,B,C",
        columns={"raters": "r.eye,l.eye"},
    ),
    *asked(
        "SPSS: observers in columns",
        text("h.csv", csv_of([["." if v is None else v for v in row] for row in GAPS], ("obs1", "obs2", "obs3"))),
        numbers(GAPS, raters=("obs1", "obs2", "obs3")),
        "--column raters=A,B,C",
        columns={"raters": "obs*"},
    ),
    judgements(
        "SPSS: labels, with case numbers",
        text(
            "s.csv",
            csv_of(
                [
                    (at, *(("Disagree", "Neutral", "Agree")[value % 3] for value in row))
                    for at, row in enumerate(SCORED, start=1)
                ],
                ("CaseID", "coder_a", "coder_b", "coder_c"),
            ),
        ),
        words([[value % 3 for value in row] for row in SCORED], raters=("coder_a", "coder_b", "coder_c")),
    ),
    judgements(
        "a sum under a foreign name",
        text(
            "w.csv", csv_of([(f"i{at}", *row, sum(row)) for at, row in enumerate(SCORED)], ("item", *NAMED, "Ergebnis"))
        ),
        BY_NAME,
    ),
    *asked(
        "a rounded mean under a foreign name",
        text(
            "w.csv",
            csv_of([(f"i{at}", *row, f"{sum(row) / 3:.2f}") for at, row in enumerate(SCORED)], ("item", *NAMED, "M")),
        ),
        BY_NAME,
        "M",
        "--column raters=A,B,C",
        columns={"raters": "rater*"},
    ),
    *asked(
        "a mean before the ratings",
        text(
            "w.csv",
            csv_of([(f"i{at}", f"{sum(row) / 3:.2f}", *row) for at, row in enumerate(SCORED)], ("item", "MOS", *NAMED)),
        ),
        BY_NAME,
        "MOS",
        "--column raters=A,B,C",
        columns={"raters": "rater*"},
    ),
    judgements(
        "sums, means and deviations below the ratings",
        text(
            "w.csv",
            csv_of([(f"i{at}", *row) for at, row in enumerate(SCORED)], ("item", *NAMED))
            + "Sum,35,37,25\nAverage,3.5,3.7,2.5\nSD,1.18,1.42,1.72\n",
        ),
        BY_NAME,
    ),
    judgements(
        "a mean below the ratings without a name",
        text("w.csv", csv_of([(f"i{at}", *row) for at, row in enumerate(SCORED)], ("item", *NAMED)) + ",3.5,3.7,2.5\n"),
        BY_NAME,
    ),
    judgements(
        "a blank row before the mean",
        text(
            "w.csv",
            csv_of([(f"i{at}", *row) for at, row in enumerate(SCORED)], ("item", *NAMED))
            + ",,,\nMittelwert,3.5,3.7,2.5\n",
        ),
        BY_NAME,
    ),
    judgements(
        "an item called mean",
        text(
            "w.csv",
            csv_of([("kind", 5, 4), ("cruel", 1, 2), ("nice", 4, 4), ("mean", 1, 1)], ("word", "rater1", "rater2")),
        ),
        numbers([(5, 4), (1, 2), (4, 4), (1, 1)]),
    ),
    judgements(
        "blank rows between items",
        text("w.csv", "item,rater1,rater2\ni1,1,2\n,,\ni2,3,3\n\ni3,5,4\n"),
        numbers([(1, 2), (3, 3), (5, 4)]),
    ),
]

# --- cross tables -----------------------------------------------------------------------------------------------------

CROSSED = Refuses("cross table", "--kind table")
CROSS_TABLES = [
    judgements("a cross table of yes and no", text("k.csv", ",yes,no\nyes,20,5\nno,10,15\n"), CROSSED),
    judgements(
        "a cross table of two raters' names", text("k.csv", ",B: yes,B: no\nA: yes,20,5\nA: no,10,15\n"), CROSSED
    ),
    judgements(
        "a cross table with sums",
        text("k.csv", "Rater1,Yes,No,Total\nYes,20,5,25\nNo,10,15,25\nTotal,30,20,50\n"),
        CROSSED,
    ),
    judgements("a cross table of numbers", text("k.csv", ",1,2,3\n1,20,5,2\n2,10,15,3\n3,1,2,9\n"), CROSSED),
    judgements("a cross table under a name", text("k.csv", "x,a,b,c\na,9,1,0\nb,2,8,3\nc,0,1,7\n"), CROSSED),
    judgements(
        "as many raters as items",
        text("w.csv", "item,rater1,rater2,rater3\n1,4,5,4\n2,1,2,1\n3,3,3,2\n"),
        numbers([(4, 5, 4), (1, 2, 1), (3, 3, 2)], raters=NAMED),
    ),
]

# --- surveys ----------------------------------------------------------------------------------------------------------

# Four people answer about three items; by item: (4 3 5 4), (2 2 1 2), (5 4 5 3).
ANSWERED = [(4, 2, 5), (3, 2, 4), (5, 1, 5), (4, 2, 3)]
MAILS = ("a@x.org", "b@x.org", "c@x.org", "d@x.org")
STAMPS = ("2024/05/01 10:00:00", "2024/05/01 11:00:00", "2024/05/02 09:00:00", "2024/05/02 09:30:00")
SURVEYED = numbers(columns_of(ANSWERED))
LABELS = {1: "1 - Not at all", 2: "2", 3: "3", 4: "4", 5: "5 - Very much"}
AGREE = {1: "Strongly disagree", 2: "Disagree", 3: "Neutral", 4: "Agree", 5: "Strongly agree"}
IN_WORDS = [[AGREE[value] for value in row] for row in ANSWERED]


def survey(header: str, before: Sequence[Sequence[Any]], rows: Rows = ANSWERED) -> Make:
    """A table with a row for each person."""
    body = csv_of([(*first, *row) for first, row in zip(before, rows, strict=True)], header.split("|"))
    return text("survey.csv", body)


STAMPED = [(stamp,) for stamp in STAMPS]
SURVEYS = [
    judgements(
        "Google Forms: questions in full",
        survey("Timestamp|How similar is pair 1?|How similar is pair 2?|How similar is pair 3?", STAMPED),
        SURVEYED,
        columns={"units": "How*"},
    ),
    judgements(
        "Google Forms: a grid",
        survey("Timestamp|How similar? [pair 1]|How similar? [pair 2]|How similar? [pair 3]", STAMPED),
        SURVEYED,
        columns={"units": "How*"},
    ),
    judgements(
        "Google Forms: phrases",
        survey("Timestamp|Rate the first pair|Rate the second pair|Rate the third pair", STAMPED),
        SURVEYED,
        columns={"units": "Rate*"},
    ),
    judgements(
        "Google Forms: age and mail",
        survey(
            "Timestamp|Email Address|Age|Q1|Q2|Q3",
            [(stamp, mail, age) for stamp, mail, age in zip(STAMPS, MAILS, (24, 31, 28, 45), strict=True)],
        ),
        numbers(columns_of(ANSWERED), raters=MAILS),
        columns={"units": "Q*"},
    ),
    judgements(
        "Google Forms: a scale with words at its ends",
        survey(
            "Timestamp|Username|Q1|Q2|Q3",
            list(zip(STAMPS, MAILS, strict=True)),
            [[LABELS[v] for v in r] for r in ANSWERED],
        ),
        numbers(columns_of(ANSWERED), raters=MAILS),
        columns={"units": "Q*"},
    ),
    *(
        judgements(f"a form, {name}", survey(header, STAMPED), Refuses("--column units=A,B,C"))
        for name, header in (
            ("questions in full", "Timestamp|How old are you?|How similar is pair 2?|How similar is pair 3?"),
            ("questions by number", "Timestamp|Q1|Q2|Q3"),
            ("items by number", "Timestamp|item1|item2|item3"),
        )
    ),
    *asked(
        "Google Forms: short names",
        survey("Timestamp|coffee|tea|milk", STAMPED),
        SURVEYED,
        "--column units=A,B,C",
        columns={"units": "coffee,tea,milk"},
    ),
    judgements(
        "Qualtrics without its second header",
        survey(
            "StartDate|EndDate|Progress|Duration (in seconds)|Finished|ResponseId|Q1_1|Q1_2|Q1_3",
            [("2024-05-01 10:00:00", "2024-05-01 10:05:00", 100, 300 + at, 1, f"R_{at}") for at in range(4)],
        ),
        numbers(columns_of(ANSWERED), raters=("R_0", "R_1", "R_2", "R_3")),
        columns={"units": "Q*", "annotator": "ResponseId"},
    ),
    judgements(
        "SurveyMonkey",
        survey(
            "Respondent ID|Collector ID|Start Date|End Date|IP Address|Q1|Q2|Q3",
            [(114000000 + at, 4001, "05/13/2024 10:00:00 AM", "05/13/2024 10:05:00 AM", "10.0.0.1") for at in range(4)],
        ),
        SURVEYED,
        columns={"units": "Q*", "annotator": "Respondent ID"},
    ),
    judgements(
        "LimeSurvey",
        survey(
            "id|submitdate|lastpage|startlanguage|seed|G1Q1[SQ001]|G1Q1[SQ002]|G1Q1[SQ003]",
            [(at, f"2024-05-0{at} 10:00:00", 3, "en", 812345 + 77 * at) for at in range(1, 5)],
        ),
        SURVEYED,
        columns={"units": "G1Q1*", "annotator": "id"},
    ),
    judgements(
        "a survey in words",
        survey("participant|Q1|Q2|Q3", [(f"p{at}",) for at in range(4)], IN_WORDS),
        words(columns_of(IN_WORDS), raters=("p0", "p1", "p2", "p3")),
        columns={"units": "Q*"},
    ),
    judgements(
        "a survey in words with their order",
        survey("participant|Q1|Q2|Q3", [(f"p{at}",) for at in range(4)], IN_WORDS),
        numbers([[value - 1 for value in row] for row in columns_of(ANSWERED)]),
        categories=tuple(AGREE.values()),
        columns={"units": "Q*"},
    ),
    judgements(
        "Prolific",
        survey(
            "Submission id|Participant id|Status|Started at|Time taken|Age|Sex|q1|q2|q3",
            [(f"{at}ab", f"5f{at}", "APPROVED", "2024-05-01T10:00:00Z", 300 + at, 30 + at, "Male") for at in range(4)],
        ),
        numbers(columns_of(ANSWERED), raters=("5f0", "5f1", "5f2", "5f3")),
        columns={"units": "q*"},
    ),
    judgements(
        "half points",
        survey(
            "rater|item1|item2|item3", [(f"p{at}",) for at in range(4)], [[v - 0.5 for v in row] for row in ANSWERED]
        ),
        numbers([[value - 0.5 for value in row] for row in columns_of(ANSWERED)]),
        columns={"units": "item*"},
    ),
]

# --- crowds -----------------------------------------------------------------------------------------------------------

LONG = [(f"t{item}", f"w{who}", value) for item, row in enumerate(SCORED) for who, value in enumerate(row)]
CROWD = numbers(SCORED, raters=("w0", "w1", "w2"))
CATS = [[("cat", "dog", "cow")[value % 3] for value in row] for row in SCORED]
LONG_CATS = [(f"t{item}", f"w{who}", value) for item, row in enumerate(CATS) for who, value in enumerate(row)]
CRITERIA = [
    (item, who, asked, value + shift)
    for item, who, value in LONG
    for shift, asked in enumerate(("fluency", "adequacy"))
]
BY_QUESTION = [(item, asked, who, value) for item, who, asked, value in CRITERIA]


def long(header: str, rows: Rows, name: str = "l.csv", separator: str = ",") -> Make:
    """A table with an answer in each row."""
    return text(name, csv_of(rows, header.split("|"), separator))


CROWDS = [
    judgements("crowd-kit", long("task|worker|label", LONG_CATS), words(CATS, raters=("w0", "w1", "w2"))),
    judgements("crowd-kit with numbers", long("task|worker|label", LONG), CROWD),
    judgements(
        "Toloka",
        long("INPUT:id|OUTPUT:result|ASSIGNMENT:worker_id", [(i, v, w) for i, w, v in LONG], "t.tsv", "\t"),
        Refuses("--column item=NAME", "--column value=NAME"),
    ),
    judgements(
        "Toloka, said",
        long("INPUT:id|OUTPUT:result|ASSIGNMENT:worker_id", [(i, v, w) for i, w, v in LONG], "t.tsv", "\t"),
        CROWD,
        columns={"item": "INPUT:id", "value": "OUTPUT:result", "annotator": "ASSIGNMENT:worker_id"},
    ),
    judgements(
        "Mechanical Turk: one question",
        long(
            "HITId|AssignmentId|WorkerId|AssignmentStatus|Input.id|Answer.q1",
            [(f"H{i}", f"A{i}{w}", w, "Approved", i, v) for i, w, v in LONG],
        ),
        CROWD,
    ),
    judgements(
        "numbers for people and items",
        long("item|rater|rating", [(i[1:], w[1:], v) for i, w, v in LONG]),
        numbers(SCORED, raters=("0", "1", "2")),
    ),
    judgements(
        "people as floats in one of two files",
        several(
            text("one.csv", csv_of([(i, w[1:], v) for i, w, v in LONG[:15]], ("item", "rater", "rating"))),
            text("two.csv", csv_of([(i, f"{w[1:]}.0", v) for i, w, v in LONG[15:]], ("item", "rater", "rating"))),
        ),
        numbers(SCORED, raters=("0", "1", "2"), says=("'0.0' and '0' are one annotator",)),
    ),
    judgements(
        "a column of dates",
        long("item|rater|rating|date", [(*row, f"2024-05-{at % 28 + 1:02d}") for at, row in enumerate(LONG)]),
        CROWD,
    ),
    *asked(
        "criteria in a column",
        long("item|annotator|dimension|rating", CRITERIA),
        CROWD,
        "line 2",
        "dimension",
        "--where NAME=VALUE",
        where={"dimension": "fluency"},
    ),
    *asked(
        "criteria called question",
        long("item|question|annotator|rating", BY_QUESTION),
        CROWD,
        "question",
        "--where NAME=VALUE",
        where={"question": "fluency"},
    ),
    *asked(
        "criteria that are rounds",
        long("item|annotator|pass|rating", CRITERIA),
        Reads(kind="rating", items=10, answers=60),
        "--column round=NAME",
        columns={"round": "pass"},
    ),
    judgements(
        "control items in batches",
        long("item|annotator|batch|rating", [*((i, w, 1, v) for i, w, v in LONG), ("t0", "w0", 2, 3)]),
        CROWD,
    ),
    *asked(
        "two columns of answers",
        long("item|annotator|label|score", [(*row, 100 - at) for at, row in enumerate(LONG)]),
        CROWD,
        "label",
        "score",
        "--column value=NAME",
        columns={"value": "label"},
    ),
    judgements(
        "a model's answer beside the rating",
        long(
            "item|annotator|rating|response",
            [(*row, f"a long answer of a model, number {at}") for at, row in enumerate(LONG)],
        ),
        CROWD,
    ),
    judgements(
        "yes, Yes and YES",
        long(
            "item|annotator|label",
            [
                ("a", "x", "yes"),
                ("a", "y", "Yes"),
                ("b", "x", "no"),
                ("b", "y", "NO "),
                ("c", "x", "YES"),
                ("c", "y", "yes"),
            ],
        ),
        words([("yes", "yes"), ("no", "no"), ("yes", "yes")], says=("differ only in case; read as one",)),
    ),
    judgements(
        "one file twice",
        several(long("item|annotator|rating", LONG, "one.csv"), long("item|annotator|rating", LONG, "copy.csv")),
        Refuses("copy.csv: holds the same 30 answers as one.csv", name="copy.csv"),
    ),
    judgements(
        "the same people in two files",
        several(
            long("item|annotator|rating", [(i, w, 7 - v) for i, w, v in LONG], "one.csv"),
            long("item|annotator|rating", LONG, "two.csv"),
        ),
        numbers(SCORED, says=("one.csv and two.csv: .* two different answers",)),
    ),
    judgements(
        "dates with the month or the day first",
        long(
            "item|annotator|rating|time",
            [
                ("a", "x", 1, "02/03/2024"),
                ("a", "x", 5, "03/02/2024"),
                ("a", "y", 4, "02/03/2024"),
                ("b", "x", 2, "02/03/2024"),
                ("b", "y", 2, "02/03/2024"),
            ],
        ),
        Refuses("two ways", "--column time="),
    ),
    judgements(
        "raters with slashes in their names",
        text(
            "l.jsonl",
            json_lines(
                [
                    {"id": "p1", "sentence1": "a", "sentence2": "b", "ratings": [1, 2], "raters": ["x/1", "y/1"]},
                    {"id": "p2", "sentence1": "c", "sentence2": "d", "ratings": [4, 5], "raters": ["x/1", "y/1"]},
                ]
            ),
        ),
        numbers([(1, 2), (4, 5)], raters=("x/1", "y/1")),
    ),
]

# --- annotation tools -------------------------------------------------------------------------------------------------

PRODIGY = text(
    "p.jsonl",
    json_lines(
        [
            {
                "text": f"text {i}",
                "id": i,
                "rating": v,
                "_annotator_id": f"db-{w}",
                "answer": "accept",
                "_timestamp": 1700000000 + at,
            }
            for at, (i, w, v) in enumerate(LONG)
        ]
    ),
)

TOOLS = [
    judgements(
        "Prodigy with ratings",
        PRODIGY,
        numbers(SCORED, raters=("db-w0", "db-w1", "db-w2")),
    ),
    judgements(
        "Prodigy with ratings, said",
        PRODIGY,
        numbers(SCORED, raters=("db-w0", "db-w1", "db-w2")),
        columns={"annotator": "_annotator_id", "value": "rating", "item": "id"},
    ),
    judgements(
        "Label Studio: JSON-MIN",
        text(
            "ls.json",
            json.dumps(
                [
                    {
                        "id": at,
                        "pair_id": i,
                        "similarity": v,
                        "annotator": int(w[1:]),
                        "annotation_id": at,
                        "created_at": "2024-05-01T10:00:00Z",
                        "updated_at": "2024-05-01T10:00:00Z",
                        "lead_time": 4.2,
                    }
                    for at, (i, w, v) in enumerate(LONG)
                ]
            ),
        ),
        numbers(SCORED, raters=("0", "1", "2")),
    ),
    judgements(
        "Label Studio: CSV",
        long(
            "annotation_id|annotator|created_at|id|lead_time|pair|similarity|updated_at",
            [
                (at, w, "2024-05-01T10:00:00Z", i[1:], 3.5, f"text {i}", v, "2024-05-01T10:00:00Z")
                for at, (i, w, v) in enumerate(LONG)
            ],
        ),
        CROWD,
    ),
    judgements(
        "ChaosNLI",
        text(
            "c.jsonl",
            json_lines(
                [
                    {"uid": "a", "label_counter": {"e": 60, "n": 40}, "majority_label": "e"},
                    {"uid": "b", "label_counter": {"c": 90, "n": 10}, "majority_label": "c"},
                ]
            ),
        ),
        Refuses("label_counter|not recognised|--column"),
    ),
    judgements(
        "counts of entailment",
        long(
            "uid|entailment|neutral|contradiction",
            [("a", 60, 40, 0), ("b", 0, 10, 90), ("c", 30, 30, 40), ("d", 100, 0, 0)],
        ),
        Refuses("--kind counts"),
    ),
    judgements(
        "counts of entailment, said",
        long(
            "uid|entailment|neutral|contradiction",
            [("a", 60, 40, 0), ("b", 0, 10, 90), ("c", 30, 30, 40), ("d", 100, 0, 0)],
        ),
        Reads(kind="category", items=4, answers=400, raters=()),
        kind="counts",
    ),
    judgements(
        "essays with two raters and their sum",
        long(
            "essay_id|essay_set|rater1_domain1|rater2_domain1|domain1_score",
            [(at, 1, row[0], row[1], row[0] + row[1]) for at, row in enumerate(SCORED, start=1)],
        ),
        Refuses("--column"),
    ),
    judgements(
        "raw ratings of sentence pairs",
        long(
            "sentence1|sentence2|rater1|rater2|rater3",
            [(f"left {at}", f"right {at}", *row) for at, row in enumerate(SCORED)],
        ),
        RATED,
    ),
    *asked(
        "raw ratings of sentence pairs with their mean",
        long(
            "pair_id|sentence1|sentence2|A1|A2|A3|mean_score",
            [(at, f"left {at}", f"right {at}", *row, f"{sum(row) / 3:.3f}") for at, row in enumerate(SCORED)],
        ),
        numbers(SCORED, raters=("A1", "A2", "A3")),
        "--column raters=A,B,C",
        columns={"raters": "A?"},
    ),
    judgements(
        "a similarity between raters",
        text("m.csv", ",rater1,rater2,rater3\nrater1,1.0,0.8,0.7\nrater2,0.8,1.0,0.6\nrater3,0.7,0.6,1.0\n"),
        Refuses("same names"),
    ),
]

# --- best-worst and pairs ---------------------------------------------------------------------------------------------

SHOWN = (("ant", "bee", "cow", "dog"), ("bee", "cow", "ant", "dog"), ("dog", "ant", "cow", "bee"))
CHOSEN = (("ant", "dog"), ("bee", "dog"), ("ant", "cow"))
COUNTED = Reads(kind="best-worst", items=4, answers=3, gold={"ant": 2 / 3, "bee": 1 / 3, "cow": -1 / 3, "dog": -2 / 3})
TUPLES = [(*shown, *given) for shown, given in zip(SHOWN, CHOSEN, strict=True)]
DIGITS = [(3, 1, 4, 2, 3, 1), (1, 2, 3, 4, 4, 2), (4, 3, 2, 1, 2, 1)]
DIGIT_HEAD = "Item1|Item2|Item3|Item4|Best|Worst"
MAXDIFF = [(f"r{at}", 1, at, *shown, *given) for at, (shown, given) in enumerate(zip(SHOWN, CHOSEN, strict=True))]

CHOICES = [
    judgements("NRC", long("Term1|Term2|Term3|Term4|BestTerm|WorstTerm", TUPLES), COUNTED),
    judgements("Ruddit", long("Item1|Item2|Item3|Item4|BestItem|WorstItem", TUPLES), COUNTED),
    judgements("most and least", long("option1|option2|option3|option4|most|least", TUPLES), COUNTED),
    judgements(
        "MaxDiff of Sawtooth",
        long("sys_RespNum|Version|Set|Item1|Item2|Item3|Item4|Best|Worst", MAXDIFF),
        Reads(kind="best-worst", items=4, gold=COUNTED.gold),
    ),
    judgements(
        "numbers for items, answers are names",
        long(DIGIT_HEAD, DIGITS),
        # best 3, 4, 2 and worst 1, 2, 1; each item is shown three times
        Reads(gold={"1": -2 / 3, "2": 0.0, "3": 1 / 3, "4": 1 / 3}),
        answers_are="names",
    ),
    judgements(
        "numbers for items, answers are positions",
        long(DIGIT_HEAD, DIGITS),
        # best 4, 4, 3 and worst 3, 2, 4
        Reads(gold={"1": 0.0, "2": -1 / 3, "3": 0.0, "4": 1 / 3}),
        answers_are="positions",
    ),
    *asked(
        "items called a and b",
        long("item_a|item_b|winner", [("b", "a", "a"), ("a", "b", "a"), ("b", "a", "b")]),
        Reads(kind="best-worst", gold={"a": 1 / 3, "b": -1 / 3}),
        "--answers-are",
        answers_are="names",
    ),
    judgements(
        "an arena",
        long(
            "question_id|model_a|model_b|winner|judge|turn",
            [
                (1, "x", "y", "model_a", "u", 1),
                (2, "x", "y", "model_a", "u", 1),
                (3, "y", "z", "model_b", "u", 1),
                (4, "x", "z", "tie", "u", 1),
            ],
        ),
        # x beats y twice, z beats y once; the tie is left out
        Reads(kind="best-worst", answers=3, gold={"x": 1.0, "y": -1.0, "z": 1.0}),
    ),
    *asked(
        "pairs with two criteria",
        long(
            "item_a|item_b|winner|annotator|criterion",
            [
                row
                for one, other, won, lost in (("ant", "bee", "ant", "bee"), ("bee", "cow", "bee", "cow"))
                for row in ((one, other, won, "x", "style"), (one, other, lost, "x", "facts"))
            ],
        ),
        Reads(kind="best-worst", answers=2, gold={"ant": 1.0, "bee": 0.0, "cow": -1.0}),
        "criterion",
        "--where NAME=VALUE",
        where={"criterion": "style"},
    ),
]

# --- what stands beside answers ---------------------------------------------------------------------------------------


def beside(name: str, *cells: Any) -> Make:
    """Two raters with a further column, whose cells repeat."""
    rows = [(f"i{at}", *row[:2], cells[at % len(cells)]) for at, row in enumerate(SCORED)]
    return text("w.csv", csv_of(rows, ("item", "rater1", "rater2", name)))


TWO = numbers([row[:2] for row in SCORED], raters=("rater1", "rater2"))
SURE = [(f"i{at}", row[0], at % 3 + 1, row[1], at % 2 + 1) for at, row in enumerate(SCORED)]
KODED = [(at, *row) for at, row in enumerate(SCORED, start=1)]
VERDICTS = [(i, w, ("yes", "no", "NA")[v % 3]) for i, w, v in LONG]
VOTES = [[("yes", "no")[v % 3] for v in row if v % 3 < 2] for row in SCORED]
BESIDE = [
    judgements("a column called 'gold'", beside("gold", 3, 1, 4), TWO),
    judgements("confidence in percent", beside("confidence", 90, 80, 70), TWO),
    *(
        case
        for name in ("adjudicated", "consensus", "model_prediction", "Ground truth", "frequency", "confidence")
        for case in asked(
            f"a column called '{name}' with such values",
            beside(name, 3, 1, 4),
            TWO,
            name,
            "--column raters=A,B,C",
            columns={"raters": "rater*"},
        )
    ),
    *asked(
        "how sure each rater was",
        long("item|rater1|rater1_conf|rater2|rater2_conf", SURE),
        TWO,
        "rater1_conf",
        "--column raters=A,B,C",
        columns={"raters": "rater1,rater2"},
    ),
    *asked(
        "a column of one number",
        beside("w", 3),
        TWO,
        "--column raters=A,B,C",
        columns={"raters": "rater1,rater2"},
    ),
    *asked(
        "German names of coders",
        long("Nr|Kodierer1|Kodierer2|Kodierer3", KODED, separator=";"),
        numbers(SCORED),
        "--column raters=A,B,C",
        columns={"raters": "Kodierer*"},
    ),
    judgements("German names of columns", long("Paar|Bewerter|Wert", LONG, separator=";"), CROWD),
    *(
        case
        for nobody in ("GOLD", "mean", "majority vote", "adjudicator")
        for case in asked(
            f"an annotator called {nobody}",
            long("item|annotator|label", [*LONG, *((f"t{item}", nobody, 3) for item in range(10))]),
            CROWD,
            nobody,
            f"--where 'annotator!={nobody}'",
            where={"annotator!": nobody},
        )
    ),
    *asked(
        "ids of rows beside texts",
        long("id|text|rater|rating", [(at, *row) for at, row in enumerate(LONG)]),
        CROWD,
        "--column item=NAME",
        columns={"item": "text"},
    ),
    *asked(
        "ids of rows beside pairs",
        long(
            "id|sentence1|sentence2|rater|rating",
            [(at, f"left {i}", f"right {i}", w, v) for at, (i, w, v) in enumerate(LONG)],
        ),
        CROWD,
        "--column item=",
        columns={"item": ""},
    ),
    *asked(
        "NA among words",
        long("item|annotator|label", VERDICTS),
        Reads(
            kind="category",
            answers=sum(map(len, VOTES)),
            agreement={"Krippendorff's alpha, nominal": nominal_alpha(VOTES)},
        ),
        "NA",
        "--missing NA",
        missing=("NA",),
    ),
    *asked(
        "counts that differ from row to row",
        long("item|positive|neutral|negative", [("a", 3, 2, 0), ("b", 5, 1, 0), ("c", 1, 4, 2), ("d", 2, 2, 2)]),
        Reads(kind="category", items=4, answers=24, raters=()),
        "--kind counts",
        kind="counts",
    ),
    *asked(
        "two questions to two raters in columns",
        long("item|sim_1|sim_2|rel_1|rel_2", [(f"i{at}", *row, row[0]) for at, row in enumerate(SCORED)]),
        numbers([row[:2] for row in SCORED], raters=("sim_1", "sim_2")),
        "--column raters=A,B,C",
        columns={"raters": "sim_1,sim_2"},
    ),
    judgements(
        "criteria in columns",
        long("item|fluency|adequacy|coherence", [(f"i{at}", *row) for at, row in enumerate(SCORED)]),
        Refuses("coherence", "--column raters=A,B,C"),
    ),
    judgements(
        "scores of two models",
        long("model_a|model_b|score_a|score_b", [("x", "y", 7, 8), ("y", "z", 6, 9), ("x", "z", 5, 9)]),
        Refuses("model_a", "--column raters=A,B,C"),
    ),
    judgements(
        "best and worst of each item",
        long(
            "set|item|best|worst",
            [(1, "ant", 1, 0), (1, "bee", 0, 0), (1, "cow", 0, 1), (2, "ant", 0, 1), (2, "bee", 1, 0)],
        ),
        Refuses("not recognised", "worst"),
    ),
    judgements(
        "one label in each list",
        text(
            "l.jsonl",
            json_lines([{"item": i, "annotator": w, "label": [("cat", "dog", "cow")[v % 3]]} for i, w, v in LONG]),
        ),
        words(CATS, raters=("w0", "w1", "w2")),
    ),
    judgements(
        "several labels in a list",
        text(
            "l.jsonl",
            json_lines([{"item": i, "annotator": w, "label": ["cat", "dog"][: v % 2 + 1]} for i, w, v in LONG]),
        ),
        Refuses("several labels", "--kind category"),
    ),
    *asked(
        "people in an object of objects",
        text("j.json", json.dumps({"ann": {"i1": 3, "i2": 4}, "bob": {"i1": 2, "i2": 5}})),
        numbers([(3, 2), (4, 5)], raters=("ann", "bob")),
        "--column units=A,B,C",
        columns={"units": "i?", "annotator": "id"},
    ),
]


# --- names and values that mislead ------------------------------------------------------------------------------------

SHARES = [("0.2", "0.4", "0.4"), ("0.0", "1.0", "0.0"), ("0.6", "0.2", "0.2"), ("0.33", "0.33", "0.33")]
WORDY = [(f"i{at}", *row) for at, row in enumerate(SCORED)]
MODELS = [("x", "y", "a"), ("y", "z", "b"), ("x", "z", "0"), ("z", "x", "a"), ("z", "y", "0")]
LABELLED = [(f"i{at // 3}", f"w{at % 3}", ("joy", "fear", "joy|fear")[(at + at // 3) % 3]) for at in range(18)]
SIGNS = [("+", "-", "+"), ("-", "-", "-"), ("+", "+", "+"), ("-", "+", "-"), ("+", "+", "-")]
RECURRING = [(at, "same" if at < 3 else f"t{at}", *row) for at, row in enumerate(SCORED)]
BY_RATER = [(f"w{at}", *row) for at, row in enumerate(zip(*SCORED[:5], strict=True))]

MISLEADING = [
    *(
        judgements(
            f"a rater called {name}", long(f"item|Anna|Ben|{name}", WORDY), Refuses(name, "--column raters=A,B,C")
        )
        for name in ("Max", "N", "MS", "Alpha")
    ),
    judgements(
        "a rater called Max, said",
        long("item|Anna|Ben|Max", WORDY),
        numbers(SCORED, raters=("Anna", "Ben", "Max")),
        columns={"raters": "Anna,Ben,Max"},
    ),
    *(
        judgements(
            f"a column called {name} beside raters",
            long(f"item|rater1|rater2|rater3|{name}", [(*row, at % 4 + 1) for at, row in enumerate(WORDY)]),
            Refuses(name, "--column raters=A,B,C"),
        )
        for name in ("max", "list", "range", "difficulty", "Peter", "level", "agg", "GT")
    ),
    judgements(
        "a column called group beside raters",
        long("item|rater1|rater2|rater3|group", [(*row, at % 2 + 1) for at, row in enumerate(WORDY)]),
        BY_NAME,
    ),
    judgements("words that are times", long("rater|dog|day|cat|house|hour", BY_RATER), Refuses("units=A,B,C")),
    judgements(
        "words that are times, said",
        long("rater|dog|day|cat|house|hour", BY_RATER),
        numbers(SCORED[:5], raters=("w0", "w1", "w2")),
        columns={"units": "dog,day,cat,house,hour"},
    ),
    judgements(
        "occasions in columns", long("item|time1|time2", [row[:3] for row in WORDY]), Refuses("time1", "raters=A,B,C")
    ),
    judgements(
        "shares of answers",
        long("item|pos|neg|neu", [(f"i{at}", *row) for at, row in enumerate(SHARES)]),
        Refuses("pos", "raters=A,B,C"),
    ),
    judgements(
        "counts of stars",
        long("item|1 star|2 stars|3 stars", [(f"i{at}", *row) for at, row in enumerate(SCORED)]),
        Refuses("1 star", "--kind counts"),
    ),
    judgements("sets of labels in cells", long("item|annotator|label", LABELLED), Refuses("several labels", "--kind")),
    *asked(
        "plus and minus in columns",
        long("item|rater1|rater2|rater3", [(f"i{at}", *row) for at, row in enumerate(SIGNS)]),
        words(SIGNS, raters=NAMED),
        "'-'",
        "--kind category",
        kind="category",
    ),
    *asked(
        "ids beside texts that recur",
        long("id|text|ann|bob|cem", RECURRING),
        numbers(SCORED, raters=("ann", "bob", "cem")),
        "--column raters=A,B,C",
        columns={"raters": "ann,bob,cem"},
    ),
    judgements("0 for a tie beside letters", long("model_a|model_b|winner", MODELS), Refuses("tie", "--missing")),
    judgements(
        "best and worst called max and min",
        long("item1|item2|item3|item4|max|min", TUPLES),
        Refuses("max", "not recognised"),
    ),
    judgements(
        "ids that recur in two languages",
        long("lang|item|annotator|rating", [(tongue, *row) for tongue in ("en", "de") for row in LONG]),
        Refuses("'lang'", "--where"),
    ),
    judgements(
        "French names and numbers for people",
        long("evaluateur|phrase|note", [(w[1:], f"p{i}", v) for i, w, v in LONG]),
        Refuses("evaluateur", "--column value"),
    ),
]


def _all() -> Iterator[Case]:
    for group in (PACKAGES, CROSS_TABLES, SURVEYS, CROWDS, TOOLS, CHOICES, BESIDE, MISLEADING):
        for each in group:
            yield Case(
                name=f"foreign, {each.name}",
                door=each.door,
                make=each.make,
                expected=each.expected,
                options=each.options,
            )


FOREIGN = list(_all())
