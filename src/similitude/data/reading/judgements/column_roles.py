"""What the columns of a wide table may be, by their names and values: raters, row numbers, times, ids and so on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.cell_values import NO_VALUE
from similitude.data.reading.codes import is_running_number
from similitude.data.reading.column_types import NUMBER, cast
from similitude.data.reading.judgements.column_types import leading_number
from similitude.data.reading.judgements.time_stamps import is_moment

__all__ = [
    "FORM_TIMES",
    "GENERIC_KEYS",
    "ITEM_KEYS",
    "PERSON_KEYS",
    "RATER_KEYS",
    "WideColumn",
    "blanked",
    "is_no_rater",
    "named_like_categories",
    "named_like_persons",
    "named_like_questions",
    "named_like_raters",
    "named_like_units",
    "plain",
    "wide_columns",
]

MISSING = ("", "none", *NO_VALUE)
"""Values, in lower case, that mean that there is no rating."""

ROWS = 4
"""A column must number at least as many rows to be taken for a row number."""

LABELS = 20
"""A scale has no more labels than this."""

LARGE = 1000
"""Different whole numbers above this are ids."""

RATER_KEYS = ("annotator", "annotator_id", "annotators", "worker", "worker_id", "workerid", "workers", "rater",
              "rater_id", "raters", "coder", "coder_id", "coders", "judge", "judge_id", "judges", "observer",
              "observers", "labeler", "labeller", "assessor", "evaluator", "reviewer", "turker", "participant",
              "participant_id", "respondent", "respondent_id", "user", "user_id", "username", "user_name",
              "email", "e_mail", "email_address", "e_mail_adresse", "e_mail_address", "response_id", "responseid",
              "prolific_pid", "prolific_id", "prolificid", "participantid", "participant_private_id", "annotateur",
              "évaluateur", "evaluateur", "juge", "codeur", "kodierer", "bewerter", "gutachter", "teilnehmer",
              "proband", "anotador", "evaluador", "juez", "participante", "annotatore", "valutatore",
              "beoordelaar")  # fmt: skip
"""Names of a column that says who rated in each row."""

PERSON_KEYS = ("subject", "subject_id", "subjects", "person", "student", "patient", "patient_id", "child", "speaker",
               "candidate")  # fmt: skip
"""Names of a column of people who may have rated or may have been rated."""

ITEM_KEYS = ("item", "item_id", "itemid", "items", "unit", "units", "unit_id", "task", "task_id", "pair", "pair_id",
             "pairid", "pair_no", "pair_nr", "pairs", "instance", "instance_id", "question", "question_id", "qid",
             "doc", "doc_id", "docid", "document", "sentence", "sentence_id", "sent_id", "text", "text_id", "utterance",
             "example", "example_id", "segment", "segment_id", "image", "image_id", "essay", "essay_id", "object",
             "stimulus", "stimuli", "word", "phrase", "tweet", "tweet_id", "article", "film", "song",
             "product")  # fmt: skip
"""Names of a column that says which item each row is about."""

FORM_TIMES = ("timestamp", "zeitstempel", "submitdate", "submit_date", "date_submitted", "datestamp", "startdate",
              "start_date", "started_at", "start_time", "enddate", "end_date", "completion_time", "completed_at",
              "submitted_at", "recordeddate", "recorded_date", "horodateur", "marca_temporal")  # fmt: skip
"""Names of the time stamps that forms give to every answer."""

GENERIC_KEYS = ("id", "ids", "uuid", "idx", "index", "no", "no.", "nr", "nr.", "nos", "num", "number", "#", "row",
                "rows", "row_id", "rowid", "row_no", "row_number", "rownum", "unnamed:_0", "sno", "s.no", "s.no.",
                "s_no", "sl_no", "sr_no", "level_0", "n°", "nº", "№", "lfd._nr.", "lfd._nr", "lfd_nr", "lfdnr", "line",
                "line_no", "case", "case_id", "cases", "record", "record_id", "entry", "key", "name", "obs",
                "")  # fmt: skip
"""Names of a column that names or numbers the rows, whatever they are."""

NO_RATER = re.compile(
    r"^(mean|average|avg|median|std|sd|sigma|var|variance|score|gold|count|n|total|sum|min|max|age|year|length|len|"
    r"split|fold|majority|final|time|seconds?|secs?|minutes?|duration|date|day|month|hour|timestamp|start(ed)?|end(ed)?|"
    r"finish(ed)?|submitted|created|updated|completed|elapsed|rt|latency|batch|hit|assignment|page|block|trial|order|"
    r"position|rank|version|seed|conf|confidence|p|prob|probability|logit|weight|loss|freq|frequency|words|tokens|chars|"
    r"characters|agreement|alpha|kappa|entropy|correct|accuracy|zip|gender|sex|geschlecht|alter|years|postcode|lat|lon|latitude|longitude|"
    r"adjudicat\w*|consensus|predict\w*|pred|aggregated?|ground[\s_-]?truth|truth|reference|progress|lastpage|last_page|list|group|range|diff|difference|education|income|experience|native|fluency_level|ip|ipaddress|q_[a-z]+)([\s_.-].*)?$"
)
"""Names of numeric columns that are no ratings."""

NO_RATER_ENDING = re.compile(
    r".*(?<!:)[\s_.-](id|ids|no|nr|time|seconds|secs|ms|at|date|duration|len|length|count|index|hash|prob|prediction|pred|predicted)$"
)
CAMEL_ID = re.compile(r".*[A-Za-z](Id|ID)$")
SUMMARY = re.compile(
    r".*\b(mean|average|avg|median|std|sd|rt|ms|msec|sec|mittelwert|durchschnitt|dauer|zeit|summe|alter|jahr|moyenne|"
    r"durée|promedio|media)\b"
)

RATER = re.compile(
    r"^(r|rater|raters|kodierer|bewerter|annotateur|juge|codeur|anotador|juez|gutachter|标注员|a|ann|anno|annot|annotator|coder|worker|observer|obs|judge|participant|expert|evaluator|assessor|"
    r"labeler|labeller|rating|score|reviewer|reader|grader|scorer|marker|examiner|doctor|physician|radiologist|"
    r"pathologist|clinician|turker|crowd|referee|respondent|user|human)[\s_.-]*(\d+|[a-z])?$"
)
PERSON = re.compile(r"^(subject|student|person|teacher|patient|child)[\s_.-]*(\d+|[a-z])$")
UNIT = re.compile(
    r"^(u|unit|item|i|q|question|task|pair|s|sent|sentence|doc|document|example|instance|text|utterance|image|essay|"
    r"segment|tweet|stimulus|word|frage|paar)(?:[\s_.-]*\d+)+$"
)
QUESTION = re.compile(r"^(?:.*\?\s*|.*\?\s*\[.+\]|[a-z]*\d*q\d+\s*\[.+\]|q\d+[.:]\s.*)$", re.DOTALL)
"""A question, a row of a grid of questions, or a numbered question with its text."""

CATEGORY = re.compile(
    r"^(n_|num_|#\s*)?(positive|negative|neutral|mixed|pos|neg|neu|yes|no|maybe|unsure|unclear|entailment|contradiction|"
    r"entailed|true|false|agree|disagree|strongly_agree|strongly_disagree|similar|different|not_similar|relevant|"
    r"irrelevant|not_relevant|\d_?stars?|stars?_\d|other|tie|ja|nein|vielleicht|offensive|not_offensive|hate|toxic|not_toxic)(_count)?$"
)
"""Names of categories, above columns of counts."""

NUMBERED = re.compile(r".*(\d+|[\s_.-][a-z])$")


@dataclass(frozen=True)
class WideColumn:
    """One column of a wide table.

    Attributes:
        name: its name.
        texts: its values; null where there is none.
    """

    name: str
    texts: pl.Series

    @cached_property
    def given(self) -> pl.Series:
        """The values that mean something."""
        return blanked(self.texts).drop_nulls()

    @cached_property
    def share(self) -> float:
        """The share of values that are numbers."""
        return float(np.isfinite(self._cast).mean()) if len(self.given) else 0.0

    @property
    def numbers(self) -> NDArray[np.float64]:
        """The values that are numbers."""
        return self._cast[np.isfinite(self._cast)]

    @property
    def filled(self) -> NDArray[np.float64]:
        """All values as numbers; 0 where there is none."""
        return self._as_numbers(blanked(self.texts)).fill_null(0.0).to_numpy()

    @cached_property
    def _cast(self) -> NDArray[np.float64]:
        return self._as_numbers(self.given).fill_null(float("nan")).to_numpy()

    def _as_numbers(self, texts: pl.Series) -> pl.Series:
        """Numbers, also those before the words of a scale: ``5 - very much``."""
        numbers = cast(texts, NUMBER).values
        if self.given.n_unique() > LABELS or numbers.null_count() == texts.null_count():
            return numbers
        worded = leading_number(texts)
        return worded if worded.null_count() == texts.null_count() else numbers

    @cached_property
    def is_running(self) -> bool:
        """Whether the column numbers the rows."""
        complete = self.share == 1 and len(self.given) == len(self.texts)
        return complete and is_running_number(self.numbers, ROWS)

    @cached_property
    def is_id(self) -> bool:
        """Whether the values are large whole numbers, all different."""
        whole = self.share == 1 and bool((self.numbers % 1 == 0).all())
        distinct = len(np.unique(self.numbers)) == len(self.numbers)
        return whole and distinct and len(self.numbers) >= ROWS and bool(self.numbers.min() >= LARGE)

    @cached_property
    def is_moment(self) -> bool:
        """Whether the values are dates, clock times or Unix times."""
        return is_moment(self.given)

    @cached_property
    def holds_objects(self) -> bool:
        """Whether a value is an object as JSON writes it, such as the answers that a tool keeps in one cell."""
        return bool(self.given.str.contains(r"^\s*\{").any())

    @cached_property
    def is_constant(self) -> bool:
        """Whether all values are the same."""
        return self.given.n_unique() == 1


def blanked(column: pl.Series, words: Sequence[str] = MISSING) -> pl.Series:
    """The column with null for values, in lower case, that mean that there is no rating."""
    missing = pl.col("it").str.strip_chars().str.to_lowercase().is_in(list(words))
    return column.to_frame("it").select(pl.when(~missing).then("it")).to_series().alias(column.name)


def plain(name: str) -> str:
    """A name in lower case, with underscores for spaces and hyphens."""
    return re.sub(r"[\s_-]+", "_", name.strip().lower())


def is_no_rater(name: str) -> bool:
    """Whether a name says that the column holds something else than the ratings of one rater."""
    lower = name.strip().lower()
    if RATER.match(lower) and NUMBERED.match(lower):
        return False
    return bool(
        NO_RATER.match(lower)
        or NO_RATER.match(plain(name))
        or NO_RATER_ENDING.match(lower)
        or SUMMARY.match(lower)
        or CAMEL_ID.match(name.strip())
    )


def named_like_raters(names: Sequence[str]) -> bool:
    """Whether all names are those of raters: rater1, coder_A, r2."""
    return _all_like(RATER, names)


def named_like_persons(names: Sequence[str]) -> bool:
    """Whether all names are those of people who may be raters or items: subject1, student 2."""
    return _all_like(PERSON, names)


def named_like_units(names: Sequence[str]) -> bool:
    """Whether all names are those of items: q1, item_2, s3."""
    return _all_like(UNIT, names)


def named_like_categories(names: Sequence[str]) -> bool:
    """Whether all names are those of categories: yes, no, neutral."""
    return bool(names) and all(CATEGORY.match(plain(name)) for name in names)


def named_like_questions(names: Sequence[str]) -> bool:
    """Whether all names are questions: How similar are they?, How similar? [pair 1], Q1: the pair."""
    return _all_like(QUESTION, names)


def _all_like(pattern: re.Pattern[str], names: Sequence[str]) -> bool:
    return bool(names) and all(pattern.match(name.strip().lower()) for name in names)


def wide_columns(texts: Mapping[str, pl.Series]) -> dict[str, WideColumn]:
    """All columns of a table."""
    return {name: WideColumn(name, values) for name, values in texts.items()}
