"""Train models in Python: ``model = sim.train.conditional(df, model="all-MiniLM-L6-v2", out="my-model")``.

Every function takes data in any form that `similitude.read` takes, and the options of its command as keywords. It
returns a `Model`: a system with a folder, a card and ``evaluate``. If a training is stopped, the same call resumes it.
"""

from similitude.lazy_names import refuse_call
from similitude.study.model import Model
from similitude.study.model import load_model as load
from similitude.train.opinions import gaussian_process, uncertain
from similitude.train.similarity import conditional, pairs
from similitude.train.studies import five_settings, sweep

__all__ = ["Model", "conditional", "five_settings", "gaussian_process", "load", "pairs", "sweep", "uncertain"]

refuse_call(__name__, "similitude.train.pairs(data, model=...), or conditional, uncertain, gaussian_process")
