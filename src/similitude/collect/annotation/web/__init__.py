"""The pages and the API of the annotation server."""

from similitude.collect.annotation.web.agreement_track import Comparisons, PairFigure, Pairs
from similitude.collect.annotation.web.analysis import Analyse, Figure
from similitude.collect.annotation.web.app import create_app
from similitude.collect.annotation.web.server_options import ServerOptions

__all__ = ["Analyse", "Comparisons", "Figure", "PairFigure", "Pairs", "ServerOptions", "create_app"]
