"""Alembic's way in: the migrations are carried out in the transaction of whoever opens the database."""

from __future__ import annotations

from alembic import context

from croupier.house.database.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
