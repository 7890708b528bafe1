"""Alembic migrations, oldest first under ``versions``; run by `store.schema_upgrade`."""
