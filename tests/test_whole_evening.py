"""An evening at a full table, typed at the desk as a dealer would: mishaps, slips and a dispute."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from croupier.record import Strike, read_log, replay

OPENING = """
as supervisor s1
as dealer d1
p1 sits 1
p2 sits 2
p3 sits 3
p4 sits 4
p5 sits 5
p6 sits 6
p7 sits 7



150
60
5c
"""

# A card burnt in error, one face up, one laid on the wrong hand, one drawn in error, a player who has gone,
# and one card too many for the dealer; box 7 had a seven, and a six was typed.
ROUND_1 = """
25 25 10 10 50 25 10
p8 bets 20 on 3
p9 bets 10 on 3

burnt 2c
Th9s8c7d6h5s4c
Kd^
9h5d6d
8d on 5
9d5hTs6c
strike 42 why=box 7 had a seven
7c
s
error Kc
s
p
p
n

3d
4h
s
s
d
9c
6 absent
2h
4s
s
7s2d
overdraw 4c


p6 returns
open-dispute by=p1 about='the dealer had 18, not 22'
rule dispute=1 award=25
"""

# Everybody bets the same again; what was typed for the dealer's card was another, noticed two cards later.
ROUND_2 = """
same

9c8h7hTd9sKh5c
6sQd2h
strike 91 why=the card of the dealer was the queen
Qd
2h3hAs8h9d4d6s
d
9h
7c
s
sss
Td
5d
s
7d


quit
"""


def croupier(*words: str, folder: Path, typed: str = "") -> str:
    command = [sys.executable, "-m", "croupier", *words]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_an_evening_is_typed_in_replays_and_explains(tmp_path: Path) -> None:
    typed = OPENING.lstrip() + ROUND_1 + ROUND_2.lstrip()
    shown = croupier("deal", "--plain", "--table", "table 4", "--log", "t.log", folder=tmp_path, typed=typed)
    refused = [line for line in shown.splitlines() if " refused: " in line or "Not carried out" in line]
    assert refused == ["Return refused: p6 has not been reported absent [act-blackjack-2003 14.7]"]

    log = read_log(tmp_path / "t.log")
    assert log.last_hash in shown
    strikes = [line for line in log.lines if isinstance(line, Strike)]
    assert [(strike.strike, strike.by.name) for strike in strikes] == [(42, "s1"), (91, "s1")]
    state = replay(log).state
    assert (state.round, state.stage) == (2, "idle")
    won = {"p1": 50, "p2": 0, "p3": 10, "p4": 0, "p5": 150, "p6": -50, "p7": -20, "p8": 20, "p9": 20}
    assert state.won == {name: 100 * amount for name, amount in won.items()}

    report = json.loads(croupier("replay", "t.log", "--json", "--expect", log.last_hash, folder=tmp_path))
    assert report["holds"]
    told = croupier("explain", "t.log", "--refusals", folder=tmp_path)
    for clause in ("14.1", "14.2", "14.3", "14.4", "14.7", "16.6"):
        assert clause in told
    for words in (
        "struck",
        "box 7 had a seven",
        "the dealer had 18, not 22",
        "s1 (supervisor)",
        "d1 (dealer)",
    ):
        assert words in told
    croupier("explain", "t.log", "--html", "evening.html", folder=tmp_path)
    page = (tmp_path / "evening.html").read_text()
    assert "table 4" in page
    assert "the card of the dealer was the queen" in page
