"""Judgements: wide, long, best-worst, pairs, categories and counts, as people keep them and as tools export them.

Where figures are published, they are those of the publication; where not, they were computed by hand, apart from our
own code, and the way is given.
"""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import polars as pl

from .builders import csv_of, gzipped, json_lines, parquet_bytes, raw, several, text
from .case import Case, Expected, Make, Reads, Refuses

__all__ = ["JUDGEMENTS", "judgements"]


def judgements(name: str, make: Make, expected: Expected, apart: bool = False, **options: Any) -> Case:
    """A case for the door of judgements."""
    return Case(name=name, door="judgements", make=make, expected=expected, options=options, apart=apart)


# --- wide -------------------------------------------------------------------------------------------------------------

# Krippendorff (2011), Computing Krippendorff's alpha-reliability: four observers, twelve units, 41 values;
# nominal .743, interval .849.
OBSERVED = {
    "coder_A": ["1", "2", "3", "3", "2", "1", "4", "1", "2", ".", ".", "."],
    "coder_B": ["1", "2", "3", "3", "2", "2", "4", "1", "2", "5", ".", "3"],
    "coder_C": [".", "3", "3", "3", "2", "3", "4", "2", "2", "5", "1", "."],
    "coder_D": ["1", "2", "3", "3", "2", "4", "4", "1", "2", "5", "1", "."],
}
FOUR = Reads(
    kind="rating",
    items=12,
    answers=41,
    raters=("coder_A", "coder_B", "coder_C", "coder_D"),
    agreement={"Krippendorff's alpha, nominal": 0.743, "Krippendorff's alpha, interval": 0.849},
)
WHICH = Refuses("--column raters=A,B,C")
NUMBERS = (
    "Units",
    "No.",
    "Nr",
    "#",
    "row",
    "Unnamed: 0",
    "qid",
    "docid",
    "pair_no",
    "sno",
    "",
    "序号",
    "Lfd. Nr.",
    "S.No",
)


def _units(key: str, *, missing: str = "", start: int = 1, separator: str = ",") -> Make:
    """The published example with a row for each unit and a running number under this name."""
    rows = [
        (at, *(missing if value == "." else value for value in row))
        for at, row in enumerate(zip(*OBSERVED.values(), strict=True), start=start)
    ]
    return text("wide.csv", csv_of(rows, (key, *OBSERVED), separator))


def _observers(key: str, *units: str, missing: str = "") -> Make:
    """The published example with a row for each observer."""
    rows = [(name, *(missing if value == "." else value for value in row)) for name, row in OBSERVED.items()]
    return text("wide.csv", csv_of(rows, (key, *(units or map(str, range(1, 13))))))


UNITS = _observers("", *(f"u{at}" for at in range(1, 13)), missing="NA")


# Shrout and Fleiss (1979), table 2: six subjects, four judges; ICC(1,1) .17, ICC(2,1) .29, ICC(3,1) .71.
SHROUT = [(1, 9, 2, 5, 8), (2, 6, 1, 3, 2), (3, 8, 4, 6, 8), (4, 7, 1, 2, 6), (5, 10, 5, 6, 9), (6, 6, 2, 4, 7)]
SIX = Reads(kind="rating", items=6, answers=24, agreement={"ICC(1,1)": 0.166, "ICC(2,1)": 0.290, "ICC(3,1)": 0.715})


def _shrout(*header: str) -> Make:
    return text("icc.csv", csv_of(SHROUT, header))


TIMES = [("p1", 3, 4, 12.5, 30.1), ("p2", 1, 2, 8.0, 11.9), ("p3", 5, 5, 22.7, 9.4), ("p4", 2, 1, 14.0, 10.6)]
TWO = Reads(kind="rating", items=4, answers=8, raters=("rater1", "rater2"))


def _times(ann: str, bob: str) -> Make:
    return text("wide.csv", csv_of(TIMES, ("item", "rater1", "rater2", ann, bob)))


MITTELWERT = text(
    "wide.csv",
    csv_of([(*row[:3], (row[1] + row[2]) / 2) for row in TIMES], ("item", "rater1", "rater2", "Mittelwert")),
)

WIDE = [
    *(judgements(f"a running number called '{key}'", _units(key), FOUR) for key in NUMBERS),
    judgements("a running number from 0", _units("which", start=0), FOUR),
    judgements("a running number from 101", _units("nummer", start=101), FOUR),
    judgements("units named", _units("item"), FOUR),
    *(
        judgements(f"'{code}' for no rating", _units("item", missing=code), FOUR)
        for code in (".", "*", "NA", "#N/A", "n/a", "-")
    ),
    *(
        judgements(f"{code} for no rating", _units("item", missing=code), Refuses(code, "--missing"))
        for code in ("99", "-1", "-9", "999")
    ),
    *(
        judgements(f"{code} for no rating, said", _units("item", missing=code), FOUR, missing=(code,))
        for code in ("99", "-1", "0")
    ),
    judgements("semicolons", _units("item", separator=";"), FOUR),
    judgements("tabs", _units("item", separator="\t"), FOUR),
    judgements("observers in rows", _observers("observer"), WHICH),
    judgements("observers in rows, said", _observers("observer"), FOUR, columns={"units": "1*,2,3,4,5,6,7,8,9"}),
    judgements("observers in rows under units", UNITS, Refuses("--column units=A,B,C")),
    judgements("observers in rows under units, said", UNITS, FOUR, columns={"units": "u*"}),
    judgements("observers in rows under an unknown name", _observers("wer"), WHICH),
    judgements(
        "packed",
        raw(
            "wide.csv.gz",
            gzipped(
                csv_of([("p1", 3, 4), ("p2", 1, 2), ("p3", 5, 5), ("p4", 2, 1)], ("item", "rater1", "rater2")).encode()
            ),
        ),
        TWO,
    ),
    judgements("subjects in rows, raters in columns", _shrout("Subject", "Rater1", "Rater2", "Rater3", "Rater4"), SIX),
    judgements(
        "subjects in rows, judges in columns", _shrout("subject", "Judge 1", "Judge 2", "Judge 3", "Judge 4"), SIX
    ),
    judgements("subjects in rows, names in columns", _shrout("Subject", "ann", "bob", "cem", "dee"), WHICH),
    judgements(
        "participants in rows, raters in columns",
        _shrout("Participant", "Rater_A", "Rater_B", "Rater_C", "Rater_D"),
        SIX,
    ),
    judgements("initials of raters", _shrout("Participant", "R1", "R2", "R3", "R4"), WHICH),
    judgements(
        "initials of raters, said", _shrout("Participant", "R1", "R2", "R3", "R4"), SIX, columns={"raters": "R?"}
    ),
    judgements("patients in rows", _shrout("patient", "dr_a", "dr_b", "dr_c", "dr_d"), WHICH),
    judgements("times beside ratings", _times("Dauer A", "Dauer B"), TWO),
    *(
        judgements(
            f"times of raters beside ratings: {ann}", _times(ann, bob), Refuses(ann.split(" ")[0], "raters=A,B,C")
        )
        for ann, bob in (
            ("rater1_time", "rater2_time"),
            ("time_rater1", "time_rater2"),
            ("rater1_seconds", "rater2_seconds"),
            ("rater1 rt (ms)", "rater2 rt (ms)"),
        )
    ),
    judgements("times of raters, said", _times("rater1_time", "rater2_time"), TWO, columns={"raters": "rater1,rater2"}),
    judgements(
        "epochs beside ratings",
        text(
            "wide.csv",
            csv_of(
                [(*row[:3], 1_700_000_000 + at) for at, row in enumerate(TIMES)],
                ("item", "rater1", "rater2", "timestamp"),
            ),
        ),
        TWO,
    ),
    judgements(
        "a mean beside ratings",
        text(
            "wide.csv",
            csv_of([(*row[:3], (row[1] + row[2]) / 2) for row in TIMES], ("item", "rater1", "rater2", "Mean")),
        ),
        TWO,
    ),
    judgements("a mean under another name beside ratings", MITTELWERT, Refuses("Mittelwert", "--column raters=A,B,C")),
    judgements("a mean under another name beside ratings, said", MITTELWERT, TWO, columns={"raters": "rater*"}),
    judgements(
        "a mean below ratings",
        text("wide.csv", csv_of([*(row[:3] for row in TIMES), ("Mean", 2.75, 3.0)], ("item", "rater1", "rater2"))),
        TWO,
    ),
    judgements(
        "two raters with one name",
        text("wide.csv", csv_of([row[:4] for row in TIMES], ("item", "rater1", "rater1", "rater2"))),
        Refuses("rater1"),
    ),
    judgements(
        "an item given twice",
        text("wide.csv", csv_of([("p1", 3, 4), ("p2", 1, 2), ("p1", 5, 5)], ("item", "rater1", "rater2"))),
        Reads(gold={"p1": 5.0, "p2": 1.5}, says=("earlier|last|repeat|again",)),
    ),
    judgements(
        "decimal commas",
        text("wide.csv", csv_of([("p1", "3,5", "4,0"), ("p2", "1,0", "2,5")], ("item", "rater1", "rater2"), ";")),
        Refuses("line 2", "--decimal"),
    ),
    judgements(
        "decimal commas, said",
        text("wide.csv", csv_of([("p1", "3,5", "4,0"), ("p2", "1,0", "2,5")], ("item", "rater1", "rater2"), ";")),
        Reads(answers=4, gold={"p1": 3.75, "p2": 1.75}),
        decimal=",",
    ),
    judgements(
        "a rating far off",
        text("wide.csv", csv_of([*TIMES, ("p5", 44, 4, 1, 1)], ("item", "rater1", "rater2", "rater3", "rater4"))),
        Reads(says=("44",)),
    ),
    judgements(
        "three headers, as Qualtrics writes them",
        text(
            "q.csv",
            "StartDate,Duration (in seconds),ResponseId,Q1,Q2,Q3\n"
            "Start Date,Duration (in seconds),Response ID,How similar?,How similar?,How similar?\n"
            '"{""ImportId"":""startDate""}","{""ImportId"":""duration""}","{""ImportId"":""_recordId""}",'
            '"{""ImportId"":""QID1""}","{""ImportId"":""QID2""}","{""ImportId"":""QID3""}"\n'
            "2024-05-01 10:00:00,312,R_1,4,2,5\n2024-05-01 11:00:00,280,R_2,3,2,4\n2024-05-02 09:00:00,401,R_3,5,1,5\n",
        ),
        Reads(kind="rating", items=3, answers=9, raters=("R_1", "R_2", "R_3"), says=("Qualtrics",)),
        columns={"units": "Q?", "annotator": "ResponseId"},
    ),
    judgements(
        "answers to a form of Google",
        text(
            "form.csv",
            "Timestamp,Email Address,Pair 1,Pair 2,Pair 3\n"
            "2024/05/01 10:00:00,a@x.org,4,2,5\n2024/05/01 11:00:00,b@x.org,3,2,4\n2024/05/02 09:00:00,c@x.org,5,1,5\n",
        ),
        Reads(kind="rating", items=3, answers=9, raters=("a@x.org", "b@x.org", "c@x.org")),
        columns={"units": "Pair ?"},
    ),
]

PEOPLE = [("r1", 24, 1, 3, 5, 2), ("r2", 31, 2, 4, 5, 1), ("r3", 45, 1, 2, 4, 2), ("r4", 28, 2, 3, 5, 1)]
THREE = Reads(kind="rating", items=3, answers=12, raters=("r1", "r2", "r3", "r4"))
WIDE += [
    judgements(
        f"{age} and {sex} of people beside their ratings",
        text("wide.csv", csv_of(PEOPLE, ("participant", age, sex, "q1", "q2", "q3"))),
        THREE,
        columns={"units": "q1,q2,q3"},
    )
    for age, sex in (("age", "gender"), ("Alter", "Geschlecht"), ("Years of education", "Sex"))
]
WIDE += [
    judgements(
        f"a running number called '{key}' behind the ratings",
        text(
            "wide.csv",
            csv_of([(*row[:3], at) for at, row in enumerate(TIMES, start=1)], ("item", "rater1", "rater2", key)),
        ),
        outcome,
    )
    for key, outcome in (("line", WHICH), ("order", WHICH), ("timestamp", TWO))
]
WIDE += [
    judgements(
        "a column of one value beside ratings",
        text("wide.csv", csv_of([(*row[:3], 2024) for row in TIMES], ("item", "rater1", "rater2", "jahr"))),
        TWO,
    ),
    judgements(
        "a column of lengths of texts beside ratings",
        text(
            "wide.csv",
            csv_of([(*row[:3], 40 + 17 * at) for at, row in enumerate(TIMES)], ("item", "rater1", "rater2", "chars")),
        ),
        TWO,
    ),
]

# --- long -------------------------------------------------------------------------------------------------------------

LONG = "item,annotator,value\n"
JOSE = [unicodedata.normalize(form, "José") for form in ("NFC", "NFD")]
# Two items by two people: item a gets 2 and 4, item b 5 and 3; means 3 and 4.
SMALL = LONG + "a,ann,2\na,bob,4\nb,ann,5\nb,bob,3\n"
MEANS = Reads(kind="rating", items=2, answers=4, raters=("ann", "bob"), gold={"a": 3.0, "b": 4.0})
FRAME = pl.DataFrame({"item": ["a", "a", "b", "b"], "annotator": ["ann", "bob"] * 2, "value": [2, 4, 5, 3]})
RANDOM_ORDER = "b,bob,3\na,ann,2\nb,ann,5\na,bob,4\n"

LONGS = [
    judgements("long", text("l.csv", SMALL), MEANS),
    judgements("long, in another order", text("l.csv", LONG + RANDOM_ORDER), MEANS),
    judgements(
        "long, with an index",
        text("l.csv", ",item,annotator,value\n0,a,ann,2\n1,a,bob,4\n2,b,ann,5\n3,b,bob,3\n"),
        MEANS,
    ),
    judgements("long, as Parquet", raw("l.parquet", parquet_bytes(FRAME)), MEANS),
    judgements(
        "long, as an array",
        text(
            "l.json",
            '[{"item":"a","annotator":"ann","value":2},{"item":"a","annotator":"bob","value":4},'
            '{"item":"b","annotator":"ann","value":5},{"item":"b","annotator":"bob","value":3}]',
        ),
        MEANS,
    ),
    judgements("long, without a header", text("l.csv", SMALL.removeprefix(LONG)), Refuses("--column|--header")),
    judgements(
        "long, with times",
        text(
            "l.csv",
            "item,annotator,value,seconds,timestamp\na,ann,2,9,1700000001\na,bob,4,8,1700000002\n"
            "b,ann,5,7,1700000003\nb,bob,3,6,1700000004\n",
        ),
        MEANS,
    ),
    judgements("a blank behind a name", text("l.csv", LONG + "a,ann,2\na,bob,4\nb,ann ,5\nb, bob,3\n"), MEANS),
    judgements("a blank behind an item", text("l.csv", LONG + "a,ann,2\na ,bob,4\nb,ann,5\n b,bob,3\n"), MEANS),
    judgements(
        "one name in two Unicode forms",
        text("l.csv", LONG + f"a,{JOSE[0]},2\na,bob,4\nb,{JOSE[1]},5\nb,bob,3\n"),
        Reads(items=2, answers=4, raters=("José", "bob"), gold={"a": 3.0, "b": 4.0}),
    ),
    judgements(
        "names that differ in their capitals",
        text("l.csv", LONG + "a,Ann,2\na,bob,4\nb,ann,5\nb,Bob,3\n"),
        Reads(items=2, answers=4, says=("Ann",)),
    ),
    judgements(
        "people as numbers and as floats",
        text("l.csv", LONG + "a,1,2\na,2,4\nb,1.0,5\nb,2.0,3\n"),
        Reads(items=2, answers=4, raters=("1", "2"), gold={"a": 3.0, "b": 4.0}),
    ),
    judgements(
        "a second answer: the last counts",
        text("l.csv", SMALL + "a,ann,4\n"),
        Reads(
            items=2,
            answers=4,
            raters=("ann", "bob"),
            gold={"a": 4.0, "b": 4.0},
            says=("earlier|last|again|several|superseded",),
        ),
    ),
    judgements("a second answer that is the same", text("l.csv", SMALL + "a,ann,2\n"), MEANS),
    judgements(
        "a row number called value",
        text("l.csv", "item,annotator,value,rating\na,ann,1,2\na,bob,2,4\nb,ann,3,5\nb,bob,4,3\n"),
        Refuses("value", "rating", "--column value="),
    ),
    judgements(
        "99 for no answer",
        text("l.csv", SMALL + "c,ann,99\nc,bob,3\n"),
        Refuses("line 6", "--missing"),
    ),
    judgements(
        "99 for no answer, said",
        text("l.csv", SMALL + "c,ann,99\nc,bob,3\n"),
        Reads(answers=5, gold={"a": 3.0, "c": 3.0}),
        missing=("99",),
    ),
    judgements(
        "-1 for no answer",
        text("l.csv", SMALL + "c,ann,-1\nc,bob,3\n"),
        Refuses("line 6", "--missing"),
    ),
    judgements(
        "an empty answer",
        text("l.csv", SMALL + "c,ann,\nc,bob,3\n"),
        Refuses("line 6"),
    ),
    judgements(
        "an answer of NA",
        text("l.csv", SMALL + "c,ann,NA\nc,bob,3\n"),
        Refuses("line 6", "--missing"),
    ),
    judgements("an infinite answer", text("l.csv", SMALL + "c,ann,inf\n"), Refuses("line 6", "inf")),
    judgements("an answer of 1e26", text("l.csv", SMALL + "c,ann,1e26\n"), Refuses("line 6", "1e\\+?26")),
    judgements(
        "nobody is named",
        text("l.csv", "item,annotator,value\na,,2\na,,4\nb,,5\nb,,3\n"),
        Reads(answers=4, raters=(), gold={"a": 3.0, "b": 4.0}),
    ),
    judgements("somebody is not named", text("l.csv", SMALL + "c,,3\n"), Refuses("line 6", "annotator")),
    judgements("a NUL in a name", raw("l.csv", SMALL.encode() + b"c,a\0nn,3\n"), Refuses("line 6", "NUL")),
    judgements(
        "a key given twice",
        text(
            "l.jsonl", '{"item":"a","annotator":"ann","value":2,"value":4}\n{"item":"a","annotator":"bob","value":3}\n'
        ),
        Refuses("line 1", "value"),
    ),
    judgements(
        "an answer left out where that was asked for",
        text("l.csv", SMALL + "c,ann,much\n"),
        Reads(items=2, answers=4, gold={"a": 3.0, "b": 4.0}, says=("line 6",)),
        on_error="skip",
    ),
    judgements(
        "scores instead of judgements",
        text("l.csv", "id,sentence1,sentence2,score\n1,a,b,3\n2,c,d,4\n"),
        Refuses("judgements|rating|scores"),
    ),
    judgements(
        "confidence beside ratings",
        text("l.csv", "item,annotator,similarity,confidence\na,ann,2,90\na,bob,4,80\nb,ann,5,70\nb,bob,3,99\n"),
        MEANS,
    ),
    judgements(
        "two questions about each item",
        text("l.csv", "item,annotator,similarity,relatedness\na,ann,2,1\na,bob,4,1\nb,ann,5,2\nb,bob,3,2\n"),
        Refuses("similarity", "relatedness", "--column value="),
    ),
    judgements(
        "items of two files with the same names",
        several(text("one.csv", SMALL), text("two.csv", LONG + "a,cem,5\n")),
        Reads(items=2, answers=5, raters=("ann", "bob", "cem")),
    ),
    judgements(
        "an answer with its meaning",
        text("l.csv", LONG + "a,ann,4 - very similar\na,bob,5 - the same\nb,ann,1 - different\nb,bob,1 - different\n"),
        Reads(items=2, answers=4),
    ),
]

# --- unnamed lists ----------------------------------------------------------------------------------------------------

LISTS = json_lines(
    [
        {"id": f"p{at}", "sentence1": f"left {at}", "sentence2": f"right {at}", "ratings": ratings}
        for at, ratings in enumerate([[1, 2, 2], [5, 4, 5], [3, 3, 1], [0, 1, 0]])
    ]
)
UNNAMED = [
    judgements(
        "lists of ratings without names",
        text("lists.jsonl", LISTS),
        Reads(items=4, answers=12, raters=(), gold={"p0": 5 / 3, "p1": 14 / 3}),
    ),
    judgements(
        "lists of ratings whose places are people",
        text("lists.jsonl", LISTS),
        Reads(items=4, answers=12, raters=("1", "2", "3")),
        positions_are_people=True,
    ),
    judgements(
        "lists of ratings of different lengths",
        text("lists.jsonl", LISTS.replace("[0, 1, 0]", "[0, 1]")),
        Reads(items=4, answers=11, raters=()),
    ),
    judgements(
        "lists of different lengths whose places are people",
        text("lists.jsonl", LISTS.replace("[0, 1, 0]", "[0, 1]")),
        Reads(items=4, answers=11, raters=("1", "2", "3")),
        positions_are_people=True,
    ),
    judgements(
        "lists of ratings in cells",
        text("lists.csv", 'id,sentence1,sentence2,ratings\np0,a,b,"[1, 2, 2]"\np1,c,d,"[5, 4, 5]"\n'),
        Reads(items=2, answers=6, raters=()),
    ),
    judgements(
        "a list with null",
        text("lists.jsonl", LISTS.replace("[0, 1, 0]", "[0, null, 0]")),
        Refuses("line 4"),
    ),
    judgements(
        "a list with NaN",
        text("lists.jsonl", LISTS.replace("[0, 1, 0]", "[0, NaN, 0]")),
        Refuses("line 4"),
    ),
    judgements(
        "a list with -1",
        text("lists.jsonl", LISTS.replace("[0, 1, 0]", "[0, -1, 0]")),
        Refuses("line 4|-1", "--missing"),
    ),
]

# --- best-worst -------------------------------------------------------------------------------------------------------

# Tuples (ant bee cow dog), (bee cow ant dog), (dog ant cow bee) with best ant, bee, ant and worst dog, dog, cow; each
# item is shown three times, so counting gives ant (2-0)/3, bee (1-0)/3, cow (0-1)/3, dog (0-2)/3.
COUNTED = Reads(kind="best-worst", items=4, answers=3, gold={"ant": 2 / 3, "bee": 1 / 3, "cow": -1 / 3, "dog": -2 / 3})
TUPLES = (("ant", "bee", "cow", "dog"), ("bee", "cow", "ant", "dog"), ("dog", "ant", "cow", "bee"))
ANSWERS = (("ant", "dog"), ("bee", "dog"), ("ant", "cow"))
BEST_WORST = ("Item1", "Item2", "Item3", "Item4", "Best", "Worst")
POSITIONS = Refuses("--positions-from")


def _tuples(answers: Any, header: tuple[str, ...] = BEST_WORST) -> Make:
    return text("bws.csv", csv_of([(*shown, *given) for shown, given in zip(TUPLES, answers, strict=True)], header))


def _places(start: int) -> list[tuple[int, ...]]:
    return [tuple(shown.index(item) + start for item in given) for shown, given in zip(TUPLES, ANSWERS, strict=True)]


NUMBERED = [(3, 1, 4, 2, 3, 1), (1, 2, 3, 4, 4, 2), (4, 3, 2, 1, 2, 1)]
"""Items are called 1 to 4, so an answer may be the name of an item or a place."""

LETTERED = [("b", "a", "d", "c", "b", "a"), ("a", "b", "c", "d", "d", "b"), ("d", "c", "b", "a", "b", "a")]
"""Items are called a to d, so an answer may be the name of an item or the letter of a place."""

BWS = [
    judgements("best and worst by name", _tuples(ANSWERS), COUNTED),
    judgements("best and worst by place from 1", _tuples(_places(1)), COUNTED),  # a 4 is among them
    judgements("best and worst by place from 0", _tuples(_places(0)), COUNTED),  # a 0 is among them
    judgements("best and worst by place from 0, said", _tuples(_places(0)), COUNTED, positions_from=0),
    judgements("best and worst by place from 1, said", _tuples(_places(1)), COUNTED, positions_from=1),
    judgements("places from 0 said to be from 1", _tuples(_places(0)), Refuses("line 2", "0"), positions_from=1),
    judgements("places from 1 said to be from 0", _tuples(_places(1)), Refuses("line 2", "4"), positions_from=0),
    judgements("places that fit both ways", _tuples([(1, 3), (2, 3), (2, 1)]), POSITIONS),
    judgements(
        "places that fit both ways, said to be from 0",
        _tuples([(1, 3), (2, 3), (2, 1)]),
        # bee over dog, ant over dog, cow over ant: ant is best once and worst once
        Reads(gold={"ant": 0.0, "bee": 1 / 3, "cow": 1 / 3, "dog": -2 / 3}),
        positions_from=0,
    ),
    judgements("names that may be places", text("bws.csv", csv_of(NUMBERED, BEST_WORST)), Refuses("--answers-are")),
    judgements(
        "names that may be letters of places",
        text("bws.csv", csv_of(LETTERED, BEST_WORST)),
        Refuses("--positions-from|position"),
    ),
    judgements(
        "best and worst as letters",
        _tuples([("A", "D"), ("A", "D"), ("B", "C")]),
        COUNTED,
    ),
    judgements(
        "best and worst as names of columns",
        _tuples([("Item1", "Item4"), ("Item1", "Item4"), ("Item2", "Item3")]),
        COUNTED,
    ),
    judgements(
        "an answer that was not shown",
        _tuples([("ant", "dog"), ("eel", "dog"), ("ant", "cow")]),
        Refuses("line 3", "eel"),
    ),
    judgements("a place beyond the tuple", _tuples([(1, 4), (1, 5), (2, 3)]), Refuses("line 3", "5")),
    judgements("no best answer", _tuples([("ant", "dog"), ("", "dog"), ("ant", "cow")]), Refuses("line 3", "best")),
    judgements(
        "one item best and worst",
        _tuples([("ant", "ant"), *ANSWERS[1:]]),
        Reads(says=("both best and worst",)),
    ),
    judgements(
        "one item twice in a tuple",
        text("bws.csv", csv_of([("ant", "bee", "ant", "dog", "ant", "dog"), (*TUPLES[1], *ANSWERS[1])], BEST_WORST)),
        Reads(answers=2, says=("repeats an item",)),
    ),
    judgements(
        "an answer left out where that was asked for, best-worst",
        _tuples([("ant", "dog"), ("eel", "dog"), ("ant", "cow")]),
        Reads(answers=2, says=("line 3",)),
        on_error="skip",
    ),
    judgements("most and least similar", _tuples(ANSWERS, (*BEST_WORST[:4], "Most similar", "Least similar")), COUNTED),
    judgements("blanks around names", _tuples([("ant ", "dog"), (" bee", "dog "), ("ant", "cow")]), COUNTED),
    judgements(
        "an index called item",
        text(
            "bws.csv",
            csv_of(
                [(at, *shown, *given) for at, (shown, given) in enumerate(zip(TUPLES, ANSWERS, strict=True), start=1)],
                ("item", *BEST_WORST),
            ),
        ),
        COUNTED,
    ),
]

# --- pairs ------------------------------------------------------------------------------------------------------------

# Ant beats bee and cow, bee beats cow: each is shown twice; ant (2-0)/2, bee (1-1)/2, cow (0-2)/2.
BEATEN = Reads(kind="best-worst", items=3, answers=3, gold={"ant": 1.0, "bee": 0.0, "cow": -1.0})


def _pairs(header: str, *answers: str, shown: tuple[str, ...] = ("ant,bee", "cow,ant", "bee,cow")) -> Make:
    return text(
        "p.csv", f"{header}\n" + "".join(f"{pair},{answer}\n" for pair, answer in zip(shown, answers, strict=True))
    )


PAIRS = [
    judgements("pairs with a winner", _pairs("item_a,item_b,winner", "ant", "ant", "bee"), BEATEN),
    judgements("pairs as winner and loser", text("p.csv", "winner,loser\nant,bee\nant,cow\nbee,cow\n"), BEATEN),
    judgements(
        "pairs with a winner by place",
        _pairs("item1,item2,winner", "1", "2", "1"),
        BEATEN,
    ),
    judgements(
        "pairs with a winner by place from 0",
        _pairs("item1,item2,winner", "0", "1", "0"),
        BEATEN,
    ),
    judgements(
        "pairs with the winner as a letter",
        _pairs("option_a,option_b,choice", "A", "B", "A"),
        BEATEN,
    ),
    judgements(
        "pairs with a tie",
        _pairs("item_a,item_b,winner", "ant", "tie", "bee"),
        Reads(says=("tie",)),
    ),
    judgements("pairs as best and worst", _pairs("Item1,Item2,Best,Worst", "ant,bee", "ant,cow", "bee,cow"), BEATEN),
]

# --- categories and counts --------------------------------------------------------------------------------------------

# Fleiss' kappa of this table of ten subjects, fourteen raters and five categories is .210 (P = .378, Pe = .213).
FLEISS = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)
COUNTS = Reads(kind="category", items=10, answers=140, raters=(), agreement={"Fleiss' kappa": 0.210})
COUNTS_ASKED = Refuses("count|--format|--column|--kind")
# Two raters, fifty items: both yes 20, yes and no 5, no and yes 10, both no 15. Krippendorff's alpha, nominal: of 100
# values 55 are yes; observed disagreement 30/100, expected 2*55*45/(100*99) = .5; alpha = 1 - .3/.5 = .4.
COHEN = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
AGREED = Reads(
    kind="category", items=50, answers=100, raters=("x", "y"), agreement={"Krippendorff's alpha, nominal": 0.4}
)


def _counts(header: tuple[str, ...], *, key: bool = True, total: bool = False) -> Make:
    rows = [(*((f"s{at}",) if key else ()), *row, *((14,) if total else ())) for at, row in enumerate(FLEISS, start=1)]
    return text("counts.csv", csv_of(rows, header))


def _words(yes: str, no: str, *, long: bool = True) -> Make:
    said = {"yes": yes, "no": no}
    if long:
        rows = [
            (f"i{at}", name, said[one]) for at, row in enumerate(COHEN) for name, one in zip("xy", row, strict=True)
        ]
        return text("words.csv", csv_of(rows, ("item", "annotator", "label")))
    return text(
        "words.csv", csv_of([(f"i{at}", said[x], said[y]) for at, (x, y) in enumerate(COHEN)], ("item", "x", "y"))
    )


CATEGORIES = [
    judgements("counts of categories", _counts(("subject", "1", "2", "3", "4", "5")), COUNTS_ASKED),
    judgements("counts of named categories", _counts(("item", "none", "slight", "some", "much", "full")), COUNTS_ASKED),
    judgements(
        "counts of categories without names of items",
        _counts(("cat1", "cat2", "cat3", "cat4", "cat5"), key=False),
        COUNTS_ASKED,
    ),
    judgements(
        "counts of categories with their sum",
        _counts(("item", "none", "slight", "some", "much", "full", "total"), total=True),
        COUNTS_ASKED,
    ),
    judgements("yes and no", _words("yes", "no"), AGREED),
    judgements("agree and disagree", _words("agree", "disagree"), AGREED),
    judgements("a and b", _words("a", "b"), AGREED),
    judgements("diagnoses", _words("Depression", "Persönlichkeitsstörung"), AGREED),
    judgements("true and false", _words("True", "False"), AGREED),
    judgements("words in a matrix", _words("similar", "different", long=False), COUNTS_ASKED),
    judgements(
        "words in a matrix, said",
        _words("similar", "different", long=False),
        AGREED,
        columns={"raters": "x,y"},
    ),
    judgements(
        "words in order",
        _words("low", "high"),
        Reads(kind="rating", items=50, answers=100, agreement={"Krippendorff's alpha, interval": 0.4}),
        categories=("high", "low"),
    ),
    judgements(
        "a word that is not among the categories",
        _words("low", "high"),
        Refuses("line", "high", "low|medium"),
        categories=("low", "medium"),
    ),
    judgements(
        "yes and Yes",
        text("words.csv", "item,annotator,label\na,x,yes\na,y,Yes\nb,x,no\nb,y,no\n"),
        Reads(kind="category", agreement={"Krippendorff's alpha, nominal": 1.0}),
    ),
    judgements(
        "words and numbers",
        text("words.csv", "item,annotator,label\na,x,yes\na,y,1\nb,x,no\nb,y,0\n"),
        Refuses("line", "yes|1"),
    ),
]

# --- exports ----------------------------------------------------------------------------------------------------------


def _studio(person: int, rating: int) -> dict[str, Any]:
    """One person's rating as Label Studio writes it."""
    result = {"type": "rating", "from_name": "sim", "to_name": "t", "value": {"rating": rating}}
    return {"completed_by": person, "was_cancelled": False, "result": [result]}


EXPORTS = [
    judgements(
        "Prodigy",
        text(
            "prodigy.jsonl",
            json_lines(
                [
                    {"text": "a", "meta": {"id": "p1"}, "accept": ["3"], "_annotator_id": "db-ann"},
                    {"text": "a", "meta": {"id": "p1"}, "accept": ["4"], "_annotator_id": "db-bob"},
                ]
            ),
        ),
        Refuses("--column item=NAME --column annotator=NAME --column value=NAME"),
    ),
    judgements(
        "Prodigy with hashes",
        text(
            "prodigy.jsonl",
            json_lines(
                [
                    {
                        "text": f"text {i}",
                        "_input_hash": -1000 - 7 * i,
                        "_task_hash": 2000 + 31 * i,
                        "accept": [str(1 + (i + k) % 5)],
                        "_annotator_id": f"db-{k}",
                        "_timestamp": 1700000000 + i,
                    }
                    for i in range(6)
                    for k in range(2)
                ]
            ),
        ),
        Refuses("--column item=NAME --column annotator=NAME --column value=NAME"),
    ),
    judgements(
        "Argilla",
        text(
            "argilla.json",
            json.dumps(
                [
                    {
                        "id": f"r{i}",
                        "fields": {"text1": f"a {i}", "text2": f"b {i}"},
                        "metadata": {},
                        "suggestions": {},
                        "responses": {"similarity": [{"value": 4, "user_id": "ann", "status": "submitted"}]},
                        "status": "completed",
                    }
                    for i in range(4)
                ]
            ),
        ),
        Refuses("not recognised", "--column item=NAME --column annotator=NAME --column value=NAME"),
    ),
    judgements(
        "doccano",
        text(
            "doccano.jsonl",
            json_lines(
                [
                    {"id": 1, "text": "a", "label": ["similar"], "Comments": []},
                    {"id": 2, "text": "b", "label": ["different"], "Comments": []},
                ]
            ),
        ),
        Refuses("annotator|--column|--format|not recognised|label"),
    ),
    judgements(
        "a batch of Mechanical Turk with rejected work",
        text(
            "batch.csv",
            csv_of(
                [
                    ("H1", "A1", "W1", "Approved", "p1", 4),
                    ("H1", "A2", "W2", "Submitted", "p1", 2),
                    ("H1", "A3", "W3", "Rejected", "p1", 5),
                    ("H2", "A4", "W1", "Approved", "p2", 1),
                    ("H2", "A5", "W2", "Approved", "p2", 1),
                ],
                ("HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "Input.id", "Answer.similarity"),
            ),
        ),
        Reads(answers=4, raters=("W1", "W2"), says=("reject",)),
    ),
    judgements(
        "an export of Label Studio",
        text("ls.json", json.dumps([{"id": 1, "data": {"id": "p1"}, "annotations": [_studio(3, 4), _studio(5, 2)]}])),
        Reads(answers=2, raters=("3", "5")),
    ),
    judgements("Parquet cut off", raw("j.parquet", parquet_bytes(FRAME)[:120]), Refuses("Parquet")),
    judgements(
        "a page that says 404",
        text("j.csv", "<!DOCTYPE html>\n<html><body>404</body></html>\n"),
        Refuses("HTML|web page"),
    ),
    judgements(
        "a pointer of Git LFS",
        text("j.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n"),
        Refuses("LFS"),
    ),
    judgements("0 bytes", raw("j.csv", b""), Refuses("empty")),
    judgements("a header and no rows", text("j.csv", LONG), Refuses("no rows|no judgements|empty")),
]

JUDGEMENTS = [*WIDE, *LONGS, *UNNAMED, *BWS, *PAIRS, *CATEGORIES, *EXPORTS]
