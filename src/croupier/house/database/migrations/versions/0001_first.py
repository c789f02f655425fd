"""The first schema: tables, lines, requests, shoes, accounts, entries, people, sessions, links."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("rulebook", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("opened", sa.String, nullable=False),
        sa.Column("closed", sa.String, nullable=False, server_default=""),
        sa.Column("owner", sa.String, nullable=False, server_default=""),
        sa.Column("term", sa.Integer, nullable=False, server_default="0"),
        sa.Column("last", sa.Integer, nullable=False),
    )
    op.create_table(
        "lines",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
    )
    op.create_table(
        "requests",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("asker", sa.String, primary_key=True),
        sa.Column("request", sa.String, primary_key=True),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "shoes",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("after", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("cards", sa.Text, nullable=False),
        sa.Column("salt", sa.String(64), nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
    )
    op.create_table(
        "accounts",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("place", sa.String, nullable=False),
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id")),
        sa.Column("holder", sa.String, nullable=False, server_default=""),
    )
    op.create_table(
        "entries",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("transaction_id", sa.String(32), nullable=False),
        sa.Column("account", sa.String, sa.ForeignKey("accounts.name"), nullable=False),
        sa.Column("cents", sa.BigInteger, sa.CheckConstraint("cents <> 0"), nullable=False),
        sa.Column("why", sa.String, nullable=False),
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id")),
        sa.Column("line", sa.Integer),
        sa.Column("at", sa.String, nullable=False),
    )
    op.create_index("entries_by_account", "entries", ["account"])
    op.create_index("entries_by_table", "entries", ["table_id"])
    op.create_table(
        "people",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("folded", sa.String, nullable=False, unique=True),
        sa.Column("password", sa.String),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("since", sa.String, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column(
            "person", sa.Integer, sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True
        ),
        sa.Column("expires", sa.BigInteger, nullable=False),
    )
    op.create_table("links", sa.Column("token", sa.String(64), primary_key=True))
