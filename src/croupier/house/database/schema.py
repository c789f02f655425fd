"""The tables of the database, the same for SQLite and PostgreSQL.

Rows of `lines`, `requests`, `shoes` and `entries` are only ever added. A line is the text that a log would
have: sealed, its hash at its end, the header as number 1.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

REVISION = "0002"  # the last of the migrations

metadata = MetaData()

# `owner` conducts the table, and `term` is one higher with every owner: who has lost it writes no more.
# `last` is the number of its last line, `leased` until when nobody else takes it up (seconds of the epoch).
tables = Table(
    "tables",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("rulebook", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("opened", String, nullable=False),
    Column("closed", String, nullable=False, server_default=""),
    Column("owner", String, nullable=False, server_default=""),
    Column("term", Integer, nullable=False, server_default="0"),
    Column("last", Integer, nullable=False),
    Column("leased", Double, nullable=False, server_default="0"),
)

lines = Table(
    "lines",
    metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("hash", String(64), nullable=False),
)

# What was asked under an id and answered, with the lines that it made: `last` is before `first` if none.
requests = Table(
    "requests",
    metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("asker", String, primary_key=True),
    Column("request", String, primary_key=True),
    Column("first", Integer, nullable=False),
    Column("last", Integer, nullable=False),
    Column("answer", LargeBinary, nullable=False),
)

# An order as it was made, the next card first, from the `after`th command on. What was cut and drawn since
# follows from the lines. `commitment` is the hash of salt and cards, for everybody to see.
shoes = Table(
    "shoes",
    metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("after", Integer, primary_key=True, autoincrement=False),
    Column("cards", Text, nullable=False),
    Column("salt", String(64), nullable=False),
    Column("commitment", String(64), nullable=False),
)

# A table as its `after`th command left it: one for each, in place of the one before. It can be done without.
glimpses = Table(
    "glimpses",
    metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("after", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
)

# `place` and what belongs to it: a purse is a holder's, a float a table's, chips are both's.
accounts = Table(
    "accounts",
    metadata,
    Column("name", String, primary_key=True),
    Column("place", String, nullable=False),
    Column("table_id", ForeignKey("tables.id")),
    Column("holder", String, nullable=False, server_default=""),
)

# The entries of a transaction sum to zero. `line` is the one of the table that moved the money, if one did.
entries = Table(
    "entries",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("transaction_id", String(32), nullable=False),
    Column("account", ForeignKey("accounts.name"), nullable=False),
    Column("cents", BigInteger, CheckConstraint("cents <> 0"), nullable=False),
    Column("why", String, nullable=False),
    Column("table_id", ForeignKey("tables.id")),
    Column("line", Integer),
    Column("at", String, nullable=False),
    Index("entries_by_account", "account"),
    Index("entries_by_table", "table_id"),
)

# `folded` is the name as names are compared. Newcomers have no password.
people = Table(
    "people",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("folded", String, nullable=False, unique=True),
    Column("password", String),
    Column("role", String, nullable=False),
    Column("since", String, nullable=False),
)

# Of a token only its hash is kept; `expires` in seconds of the epoch.
sessions = Table(
    "sessions",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("person", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("expires", BigInteger, nullable=False),
)

# The operator's link, until it is used: its token's hash. There is one at the most.
links = Table(
    "links",
    metadata,
    Column("token", String(64), primary_key=True),
)
