"""The Python interface, from the docstrings of all public names."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from public_names import NAMESPACES, PublicName, public_names

TITLES = {
    "": "similitude",
    "train": "similitude.train",
    "agreement": "similitude.agreement",
    "words": "similitude.words",
    "testing": "similitude.testing",
    "errors": "similitude.errors",
    "extend": "similitude.extend",
}


def api_pages() -> Iterator[tuple[str, str]]:
    """The page of each namespace, and the page that lists them."""
    pages = [(name, f"api-{name or 'similitude'}") for name in ("", *NAMESPACES)]
    listed = "\n".join(page for _, page in pages)
    yield "reference/api.md", f"{INTRO}\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n"
    for namespace, page in pages:
        entries = "\n\n".join(_entry(each, namespace) for each in public_names(namespace))
        yield f"reference/{page}.md", f"# `{TITLES[namespace]}`\n\n```{{eval-rst}}\n{entries}\n```\n"


INTRO = """# Python interface, in full

*These pages are written from the docstrings of all public names when the site is built.*

[Python](../python.md) has the same names with an example of each; here are all arguments, attributes and methods.
"""


def _entry(public: PublicName, namespace: str) -> str:
    """What autodoc is told about a public name; one that is also in ``similitude`` is indexed there."""
    again = "\n   :no-index:" if namespace and any(public.value is each.value for each in public_names()) else ""
    path = public.path.replace("sim.", "similitude.", 1)
    if public.documented is not public.value:
        return _function_behind(public, path)
    if public.is_class:
        return f".. autoclass:: {path}\n   :members:\n   :inherited-members: BaseModel, Exception, tuple{again}"
    kind = "autofunction" if public.is_function else "autodata"
    return f".. {kind}:: {path}{again}"


def _function_behind(public: PublicName, path: str) -> str:
    """A package that can be called, such as ``similitude.gold``: the function's docstring under the package's name."""
    from sphinx.ext.napoleon import Config, GoogleDocstring

    text = str(GoogleDocstring(inspect.getdoc(public.documented) or "", Config(napoleon_use_param=True)))
    body = "\n".join(f"   {line}" for line in text.splitlines())
    signature = str(inspect.signature(public.documented)).replace("'", "")
    return f".. py:function:: {path}{signature}\n\n{body}"
