"""Alembic migrations, oldest first under ``versions``; run from code by `store.migrating`."""
