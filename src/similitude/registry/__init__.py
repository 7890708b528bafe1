"""One generic registry: a name, written as users write it, to the thing that it names.

A thing is written ``name``, ``name@cut``, or ``name(argument, key=value)``: ``pearson``, ``ndcg@10``,
``hmean(pearson, f1_low)``, ``char-ngram-cosine(n=3)``. `parse` turns that text into a `Spec`, and `Registry.make` turns
a `Spec` into the thing. Other packages join by entry points in the registry's group; a class in a file of one's own is
written ``path/to/file.py:Name``.
"""

from similitude.registry.contract import subclass_registry
from similitude.registry.registry import READ, Maker, Registry
from similitude.registry.spec import Spec, parse, spec_of

__all__ = ["READ", "Maker", "Registry", "Spec", "parse", "spec_of", "subclass_registry"]
