"""The command line. Each command lives in a module of its own, imported when it is called."""

from __future__ import annotations

import io
import os
import sys
from typing import NoReturn

from cyclopts import App, CycloptsError

import croupier
from croupier.cli.output import INTERRUPTED, remark
from croupier.cli.terminal import is_terminal
from croupier.errors import DoesNotHold, ParseError, Refused, RulebookError, StoreError

app = App(
    name="croupier",
    help="Casino blackjack and pontoon, conducted clause by clause as the law says.",
    version=croupier.__version__,
    suppress_keyboard_interrupt=False,  # `main` says that it was interrupted
)
# In the order in which a newcomer needs them.
COMMANDS = (
    ("play", "play:play", "Play at a table in the terminal."),
    ("serve", "serve:serve", "Serve tables to browsers: play alone or with others, deal, look rounds up."),
    (
        "deal",
        "deal:deal",
        "Run a real table: type in the cards as they fall.\n\nInside, `help` lists what can be typed.",
    ),
    ("explain", "explain:explain", "Tell a log in plain words, with clauses."),
    ("replay", "logs:replay", "Verify a log and rebuild the table it leaves."),
    (
        "check",
        "check:check",
        "Run rounds written as cases, and clause tests, against the rules.\n\n"
        "Exit status 0 only if all pass; the last line is `N passed, M failed`.",
    ),
    ("case", "logs:case", "Write a round of a log out as a case."),
    ("solve", "solve:solve", "Solve a game exactly: its edge and its best play."),
    (
        "simulate",
        "simulate:simulate",
        "Play a game many times: its edge, and how sure that is.",
    ),
    ("bet", "bet:bet", "Ask a stored run about bets: what they win, what they risk, which are best."),
    ("count", "count:count", "Derive a count for a game: tags, indices, and how well each system does."),
    ("ceiling", "ceiling:ceiling", "What a perfect player could win, and what share of it each count has."),
    ("compare", "compare:compare", "Compare two rulebooks: what differs, and what each rule is worth."),
    (
        "sheet",
        "sheet:sheet",
        "Write the report on a game's mathematics, as a laboratory files it: one page of HTML, or data.",
    ),
    ("rules", "rules:app", "List, show and compare rulebooks; coverage of their clauses."),
)
for number, (name, home, words) in enumerate(COMMANDS):
    app.command(f"croupier.cli.{home}", name=name, help=words, sort_key=number)


def run() -> object:
    """The command that was asked for; without one the menu, on a terminal, or the help."""
    if len(sys.argv) == 1 and is_terminal():
        from croupier.cli.menu import choose

        return choose()
    if len(sys.argv) == 1 or sys.argv[1].startswith("-"):  # no command waits for what only the help shows
        app.register_install_completion_command(help="Install completion for this shell.")
    return app(exit_on_error=False, print_error=False, result_action="return_value")


DOES_NOT_HOLD = 1
BAD_INPUT = 2


def main() -> NoReturn:
    """Run the command line: bad input is one sentence on standard error and exit status 2.

    A log that does not hold is one sentence and status 1.
    """
    _open_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter shows a question mark
    try:
        status = run()
    except CycloptsError as error:
        fail(" ".join(str(error).split()))
    except DoesNotHold as error:
        fail(str(error), DOES_NOT_HOLD)
    except (ParseError, RulebookError, Refused, StoreError) as error:
        fail(str(error))
    except KeyboardInterrupt:
        fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # Whoever reads our output has seen enough; keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        fail(f"{error.filename or 'a file'}: {error.strerror}")
    except RecursionError:
        fail("the input is nested too deeply")
    sys.exit(status if isinstance(status, int) else 0)


def _open_streams() -> None:
    """A stream that was closed is one that ends at once, or takes in everything; output must go somewhere."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        fail("standard output is closed")


def fail(message: str, status: int = BAD_INPUT) -> NoReturn:
    remark(f"croupier: {message}")
    sys.exit(status)
