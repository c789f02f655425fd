"""Tables as they stood once, and until when a server conducts a table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("tables", sa.Column("leased", sa.Double, nullable=False, server_default="0"))
    op.create_table(
        "glimpses",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("after", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
