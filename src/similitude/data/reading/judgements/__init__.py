"""Reading judgements: file formats, recognition, and checks of every answer."""

from similitude.data.reading.judgements.catalogue import JUDGEMENT_FORMATS
from similitude.data.reading.judgements.format import JudgementFormat, JudgementSource, describe_judgement_formats
from similitude.data.reading.judgements.known_items import items_beside
from similitude.data.reading.judgements.reader import judgements_of_benchmark, read_judgements
from similitude.data.reading.judgements.recognition import recognise_judgements

__all__ = [
    "JUDGEMENT_FORMATS",
    "JudgementFormat",
    "JudgementSource",
    "describe_judgement_formats",
    "items_beside",
    "judgements_of_benchmark",
    "read_judgements",
    "recognise_judgements",
]
