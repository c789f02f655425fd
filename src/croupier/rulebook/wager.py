"""What events and records call a wager. Any name but these is a side bet's, which the rulebook gives it."""

from __future__ import annotations

from typing import Final, NewType

WagerName = NewType("WagerName", str)

MAIN: Final = WagerName("main")
INSURANCE: Final = WagerName("insurance")
SUPER_BONUS: Final = WagerName("super_bonus")
UNDER_MINIMUM: Final = WagerName("under minimum")  # a further wager below the minimum, which goes back unlaid
KEPT: Final = WagerName("kept")  # what is kept of the wagers of a round that does not count

NOT_SIDE_BETS = frozenset({MAIN, INSURANCE, SUPER_BONUS, UNDER_MINIMUM, KEPT})
