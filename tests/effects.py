"""What is known of shoes and counts: published figures with their sources, and the same simulated."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from croupier.exact import solve
from croupier.rulebook import Rules, load
from croupier.rulebook.study import study
from croupier.simulate import game_of, simulate
from croupier.simulate.betting import Limits, best_bets, figures, rounds_of
from croupier.simulate.counting import read_system

AMERICAN = "dealer_natural_takes=original"  # a hole card is looked at before anybody plays

# What a continuous shuffler takes off the house's edge against a cutting card, by decks, of a wager. Michael
# Shackelford, The Wizard of Odds, "Cut Card Effect" (blackjack appendix 10), by simulation. He says neither
# where his cutting card lies nor all of the rules. With ours one deck comes out at 0.0014, over 10^9 rounds.
CUTTING_CARD = {1: 0.00113, 2: 0.00063, 4: 0.00034, 6: 0.00020, 8: 0.00014}

# SCOREs of Hi-Lo by decks dealt of six and spread: the dealer hits soft 17, late surrender, no doubles after
# splits, everything played, the best bets of the spread. Norman Wattenberger, Modern Blackjack, "Tables of
# tables" for six decks (qfit.com), made with CVCX. We have them second-hand, rounded to a tenth, from a list
# of sources that names that page; it says "6D H17 LS", and with doubles after splits they would be larger by
# a third and more. Which indices were played is not said there: here Schlesinger's Illustrious 18 and Fab 4.
SCORES = {(4.0, 12): 7.4, (4.5, 8): 8.0, (4.5, 12): 14.3, (5.0, 12): 26.8}
SCORED_GAME = AMERICAN, "soft_17=hit", "surrender=late", "double_after_split=false"
SCORED_SYSTEM = Path(__file__).parent / "known" / "hi-lo-h17-ls.toml"


class Measured(NamedTuple):
    value: float
    error: float


def american(*settings: str, decks: int) -> Rules:
    return study(load("act-blackjack-2003"), (AMERICAN, *settings), decks).rules


def cutting_card_effect(decks: int, *, rounds: int, seed: int) -> Measured:
    """What a cutting card at three quarters costs a flat bettor a round, against a shoe that is always fresh.

    The latter is solved, so that the error is that of one simulation.
    """
    rules = american(decks=decks)
    found = simulate(game_of(rules, seed=seed, penetration=0.75, post_split="total"), rounds=rounds)
    return Measured(float(solve(rules, post_split="total").ev) - found.ev, found.se)


def scores(dealt: float, *, rounds: int, seed: int) -> dict[int, Measured]:
    """The SCORE of the best bets of each published spread where so many of six decks are dealt."""
    rules = study(load("act-blackjack-2003"), SCORED_GAME, 6).rules
    system = read_system(str(SCORED_SYSTEM))
    game = game_of(rules, seed=seed, penetration=dealt / 6, post_split="total", system=system)
    played = rounds_of(simulate(game, rounds=rounds))
    found = {}
    for spread in (spread for decks, spread in SCORES if decks == dealt):
        best = figures(played, best_bets(played, 10_000, Limits(spread=spread)))
        found[spread] = Measured(best.score or 0.0, 2e6 * best.win * best.se / best.deviation**2)
    return found
