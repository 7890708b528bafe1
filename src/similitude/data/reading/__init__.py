"""Reading benchmarks: file formats, recognition, and checks of every row."""

from similitude.data.reading.catalogue import FORMATS
from similitude.data.reading.column_names import ALIASES
from similitude.data.reading.format import BenchmarkSource, Format, describe_formats
from similitude.data.reading.reader import OnError, read
from similitude.data.reading.recognition import recognise
from similitude.data.reading.sniffer import Sniffer

__all__ = [
    "ALIASES",
    "FORMATS",
    "BenchmarkSource",
    "Format",
    "OnError",
    "Sniffer",
    "describe_formats",
    "read",
    "recognise",
]
