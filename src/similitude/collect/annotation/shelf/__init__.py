"""Many studies in one folder: which there are, and the database of each."""

from similitude.collect.annotation.shelf.slugs import free_slug, is_slug
from similitude.collect.annotation.shelf.study_databases import StudyDatabases
from similitude.collect.annotation.shelf.study_shelf import ShelvedStudy, StudyShelf

__all__ = ["ShelvedStudy", "StudyDatabases", "StudyShelf", "free_slug", "is_slug"]
