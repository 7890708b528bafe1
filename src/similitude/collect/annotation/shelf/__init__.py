"""Many studies in one folder: which there are, and the database of each."""

from similitude.collect.annotation.shelf.folder_backup import backup_folder, restore_folder
from similitude.collect.annotation.shelf.slugs import free_slug, is_slug
from similitude.collect.annotation.shelf.study_databases import StudyDatabases
from similitude.collect.annotation.shelf.study_shelf import ShelvedStudy, StudyShelf

__all__ = ["ShelvedStudy", "StudyDatabases", "StudyShelf", "backup_folder", "free_slug", "is_slug", "restore_folder"]
