"""The errors of Croupier. Each says in one sentence what was given and what is allowed."""

from __future__ import annotations


class ParseError(ValueError):
    """Text that is not what it claims to be: a card, an amount, a command, a log line."""


class DoesNotHold(ParseError):
    """A record that is not what it claims: a log whose chain is broken or that the rules do not bear out.

    A simulated round that the table does not bear out is one too.
    """


class RulebookError(ValueError):
    """A rulebook, or a house's choice under one, that does not hold together.

    `clauses` are the citations of the clauses that forbid it, where a clause does.
    """

    def __init__(self, message: str, clauses: tuple[str, ...] = ()) -> None:
        super().__init__(f"{message} [{', '.join(clauses)}]" if clauses else message)
        self.clauses = clauses


class Refused(ValueError):
    """A command that the rules forbid now. Nothing has changed.

    `provision` names the rule in the engine's terms; the rulebook turns it into a clause. `provisions`
    has those that would forbid it as well behind it, and `state` is the table at which it was asked.
    """

    state: object = None

    def __init__(self, provision: str, what: str, why: str, *also: str) -> None:
        super().__init__(f"{what} refused: {why}")
        self.provision = provision
        self.provisions = (provision, *also)
        self.what = what
        self.why = why


class StoreError(ValueError):
    """What cannot be put on record, a disk being full or a file or database gone. Nothing has changed."""

    def __init__(self, file: str, error: Exception) -> None:
        why = getattr(error, "strerror", None) or str(error).strip().partition("\n")[0]
        super().__init__(
            f"{file}: cannot be written: {why}; "
            "the table stands where it stood, and the command can be given again"
        )
