"""All formats of judgements, registered in the order in which those of equal priority are tried."""

from __future__ import annotations

from similitude.data.reading.judgements.format import JUDGEMENT_FORMATS
from similitude.data.reading.judgements.formats.benchmark_file import benchmark_file
from similitude.data.reading.judgements.formats.best_worst import best_worst_csv
from similitude.data.reading.judgements.formats.label_studio import label_studio
from similitude.data.reading.judgements.formats.long_ratings import ratings_long
from similitude.data.reading.judgements.formats.mturk import mturk
from similitude.data.reading.judgements.formats.native import judgements_jsonl
from similitude.data.reading.judgements.formats.pairs import comparison_pairs
from similitude.data.reading.judgements.formats.potato import potato
from similitude.data.reading.judgements.formats.wide_ratings import ratings_wide

__all__ = ["JUDGEMENT_FORMATS"]

JUDGEMENT_FORMATS.register("judgements-jsonl")(judgements_jsonl)
JUDGEMENT_FORMATS.register("label-studio", "labelstudio")(label_studio)
JUDGEMENT_FORMATS.register("potato")(potato)
JUDGEMENT_FORMATS.register("mturk")(mturk)
JUDGEMENT_FORMATS.register("best-worst-csv", "best-worst", "bws")(best_worst_csv)
JUDGEMENT_FORMATS.register("pairs", "pairwise", "comparisons")(comparison_pairs)
JUDGEMENT_FORMATS.register("benchmark")(benchmark_file)
JUDGEMENT_FORMATS.register("ratings-long", "long")(ratings_long)
JUDGEMENT_FORMATS.register("ratings-wide", "wide")(ratings_wide)
