"""Tables of predictions with column names: ids and scores by usual names, checked against the values."""

from __future__ import annotations

import re

from similitude.data.reading.column_names import ALIASES, find_column, plain_name
from similitude.data.reading.predictions.ids import increases
from similitude.data.reading.predictions.roles import FLAG, Candidates, Roles, ask
from similitude.data.reading.problems import excerpt, listing
from similitude.errors import ColumnError

__all__ = ["headed_roles"]

IDS = (*dict.fromkeys((*ALIASES["id"], "item", "pair", "qid", "query_id", "docid", "doc_id", "example_id", "sample_id",
       "instance_id", "sentence_id", "pair_no", "pairnum", "pair_number", "sid", "uid", "key", "ids")),)  # fmt: skip
ROW_NUMBERS = ("index", "idx", "1", "unnamed:_0", "row", "row_id", "row_number", "no", "no.", "nr", "nr.", "#",
               "number", "num", "n", "sno", "level_0", "line", "position", "rownames", "column_1", "x")  # fmt: skip
"""Names of columns that may hold ids, but often only count the rows."""
EXPLICIT = ("prediction", "predictions", "predicted", "pred", "preds", "y_pred", "y_hat", "yhat", "predicted_score",
            "pred_score", "prediction_score", "predicted_similarity", "system_score", "model_score", "cosine",
            "cosines", "cosine_similarity", "cosine_sim", "cosine_score", "cos_sim", "cos", "output", "outputs",
            "system", "logit", "logits", "probability", "probabilities", "prob", "proba")  # fmt: skip
"""Names of columns that can only hold predictions."""
GENERIC = ("score", "scores", "similarity", "similarities", "sim", "value", "values", "relatedness", "sts",
           "similarity_score", "relatedness_score", "sim_score")  # fmt: skip
"""Names of columns that hold predictions or gold."""
GOLD = ("gold", "gold_score", "goldscore", "gold_label", "label", "labels", "target", "targets", "y", "y_true", "truth",
        "true", "true_score", "reference", "human", "human_score", "golden", "ground_truth", "annotation", "rating",
        "mean_score")  # fmt: skip
SIGMAS = ("sigma", "std", "sd", "stdev", "standard_deviation", "uncertainty", "predicted_sigma")
ID_NAME = re.compile(r"(^|_)ids?(_?[12ab])?$|_(no|nr|number|key)$")
OTHERS = ("confidence", "seconds", "time", "duration", "rank", "length", "len", "tokens", "cost", "fold", "seed",
          "epoch", "split", "year", "batch", "attempt", "distance", "dissimilarity", "euclidean", "euclidean_distance",
          "cosine_distance", "manhattan", "loss", "perplexity")  # fmt: skip
"""Names of columns of numbers that are no scores."""


def headed_roles(candidates: Candidates, named: dict[str, str]) -> Roles:
    """Tell the columns apart by their names, and by their values where names leave it open.

    Raises:
        ColumnError: no column holds scores, or several may.
    """
    score, notes = (named["score"], ()) if "score" in named else _score(candidates)
    ids, more = _ids(candidates, named, score)
    sigma = named.get("sigma")
    if "sigma" not in candidates.chosen:
        sigma = next(iter(candidates.called(SIGMAS, candidates.free([score, ids]))), None)
    return Roles(score=score, id=ids, sigma=sigma, notes=(*notes, *more), sure="score" in named)


def _score(candidates: Candidates) -> tuple[str, tuple[str, ...]]:
    """The column of scores, and notes.

    Raises:
        ColumnError: there is none, or more than one.
    """
    usual = candidates.called((*EXPLICIT, *GENERIC))
    numeric = [name for name in usual if name in candidates.numeric] or usual[:1]
    if len(numeric) > 1:
        raise _several(candidates, numeric)
    others = _unknown_numbers(candidates)
    if numeric:
        may_be_gold = candidates.called(GENERIC, numeric) and not candidates.called(GOLD)
        if others and may_be_gold:
            raise _several(candidates, [*numeric, *others])
        return numeric[0], ()
    if len(others) == 1:
        return others[0], (f"column {excerpt(others[0])} was taken for the scores: the only other column of numbers",)
    if others:
        raise _several(candidates, others, "no column of scores by its name; ")
    raise _no_scores(candidates)


def _several(candidates: Candidates, columns: list[str], before: str = "") -> ColumnError:
    what = f"{before}{len(columns)} columns may hold the predictions: {listing(columns)}"
    return ask(candidates, what)


def _no_scores(candidates: Candidates) -> ColumnError:
    gold = [name for name in candidates.called(GOLD) if name in candidates.numeric]
    about = f" ({excerpt(gold[0])} is a name for gold)" if gold else ""
    what = f"no column of scores{about}; columns there: {listing(candidates.columns)}"
    remedy = f"call it 'score', or name it with {FLAG} score=NAME"
    return ColumnError(what, where=candidates.table.file, remedy=remedy)


def _is_id_name(name: str) -> bool:
    """Whether a name ends like that of an id.

    >>> _is_id_name("Question ID"), _is_id_name("id1"), _is_id_name("valid")
    (True, True, False)
    """
    return ID_NAME.search(plain_name(name)) is not None


def _unknown_numbers(candidates: Candidates) -> list[str]:
    """Columns of numbers whose names say nothing, and whose values are no ids."""
    known = (
        *IDS,
        *ROW_NUMBERS,
        *EXPLICIT,
        *GENERIC,
        *GOLD,
        *SIGMAS,
        *OTHERS,
        *(
            name
            for names in (ALIASES[ours] for ours in ("left", "right", "group", "raters", "rounds", "standard_error"))
            for name in names
        ),
    )
    return [
        name
        for name in candidates.free()
        if name in candidates.numeric and find_column([name], known) is None and not _is_id_name(name)
        if not candidates.match(name).covers
    ]  # fmt: skip


def _ids(candidates: Candidates, named: dict[str, str], score: str) -> tuple[str | None, tuple[str, ...]]:
    """The column of ids, or None if the rows come in the order of the items; and notes."""
    if "id" in candidates.chosen:
        return named.get("id"), ()
    free = candidates.free([score])
    counts = candidates.called(ROW_NUMBERS, free)
    strong = [name for name in candidates.called(IDS, free) if name not in counts]
    like = [name for name in free if name not in (*strong, *counts) and _is_id_name(name)]
    if not strong and (len(like) == 1 or any(candidates.match(name).covers for name in like)):
        strong = like  # of two ids that are not those of the items, each may be the id of a text
    if strong:
        return _best(candidates, strong), ()
    if like:
        raise ask(candidates, f"{listing(like)} are named like ids, and none holds those of the items")
    if counts:
        return _row_number(candidates, counts)
    return _by_values(candidates, free)


def _best(candidates: Candidates, strong: list[str]) -> str:
    """Of several columns with names of ids, the one with the ids of the items."""
    covering = [name for name in strong if candidates.match(name).covers]
    if len({tuple(candidates.match(name).keys) for name in covering}) > 1:
        raise ask(candidates, f"{listing(covering)} all hold ids of the items")
    return covering[0] if covering else max(strong, key=lambda name: candidates.match(name).found)


def _row_number(candidates: Candidates, counts: list[str]) -> tuple[str | None, tuple[str, ...]]:
    """An index is an id where it holds the ids of the items; where it only counts the rows, their order counts.

    Raises:
        ColumnError: it contradicts the order of the rows.
    """
    for name in counts:
        match = candidates.match(name)
        running = increases(candidates.numbers(name)) if name in candidates.numeric else False
        if match.covers and (match.in_order or not running):
            return name, ()
        if match.covers:
            what = f"column {excerpt(name)} counts the rows, and the items have these ids in another order"
            raise ask(candidates, what)
        if name not in candidates.numeric:
            return name, ()
        if not running:
            what = f"column {excerpt(name)} is out of order, and the ids of the items are others"
            raise ask(candidates, what)
    note = f"column {excerpt(counts[0])} counts the rows and is not used; the rows were matched in order"
    return None, (note,)


def _by_values(candidates: Candidates, free: list[str]) -> tuple[str | None, tuple[str, ...]]:
    """A column of any name that holds the ids of the items."""
    found = [name for name in free if candidates.match(name).covers]
    texts = [name for name in found if name not in candidates.numeric]
    if texts:
        return texts[0], (f"column {excerpt(texts[0])} holds the ids of the items",)
    disordered = [name for name in found if not candidates.match(name).in_order]
    if disordered:
        what = f"column {excerpt(disordered[0])} holds the ids of the items in another order, or something else"
        raise ask(candidates, what)
    return None, ()
