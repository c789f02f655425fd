"""What the house keeps: tables and their lines, orders of shoes, money, people; in SQLite or PostgreSQL.

schema      the tables of the database; `migrations` bring an older one up to it
connect     a database opened: brought up to date, one server's, and durable
writer      one thread writes, and what waits is written in one commit
ledger      accounts, and transactions that sum to zero: a fold of what the lines of a table move
staged      what one request does at a table, gathered until it is written
glimpse     a table as it stood once, from which it is taken up without all of its lines
tables      tables opened, and taken up again where their lines leave them
people      who plays and who holds an office: names, passwords, sessions, the operator's link
database    all of it, opened together

A server decides a request at once and tells of it when it is written:

    database = Database.open("data")                     # a directory (SQLite), or postgresql://…
    table = database.tables.new(book, settings, name="Table 1")       # or .reopen(number)
    if (known := table.answered(asker, request_id)):     # a repeated request does nothing twice
        return known.answer
    with table.request(asker, request_id) as request:    # what breaks out of this has not happened
        try:
            request.give(command, by)
            table.conductor.carry_on()
        except Refused as refused:                       # is on record, like all that was given
            ...
    request.send(answer, done)   # done(None): written, tell request.told; done(error): nothing has happened

Requests of one table are made one after another: the next is begun when `done` was called for the last.
"""

from croupier.house.database.database import Database
from croupier.house.database.ledger import CASHIER, HOUSE, Account, Takings, Transaction
from croupier.house.database.people import Person
from croupier.house.database.staged import Answered, KeptTable, Lost, Request
from croupier.house.database.tables import Elsewhere, Listed

__all__ = [
    "CASHIER",
    "HOUSE",
    "Account",
    "Answered",
    "Database",
    "Elsewhere",
    "KeptTable",
    "Listed",
    "Lost",
    "Person",
    "Request",
    "Takings",
    "Transaction",
]
