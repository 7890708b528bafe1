"""The versions that a record states."""

from importlib.metadata import PackageNotFoundError

from similitude._version import __version__
from similitude.data import versions


def test_our_own_version_is_known_without_an_installation(monkeypatch):
    def missing(package):
        raise PackageNotFoundError(package)

    monkeypatch.setattr(versions, "distribution", missing)
    versions._version.cache_clear()
    found = versions.versions()
    versions._version.cache_clear()
    assert set(found) == {"python", "similitude"}
    assert found["similitude"] == __version__


def test_packages_that_change_results_are_named():
    found = versions.versions()
    assert list(found)[:2] == ["python", "similitude"]
    assert {"numpy", "polars", "scipy"} <= set(found)
