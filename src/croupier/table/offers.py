"""Insurance, even money and surrender: what is offered between the two deals."""

from __future__ import annotations

from croupier.game.hand import is_natural
from croupier.game.moves import surrender_bar
from croupier.game.offers import (
    insurable,
    opens_even_money,
    opens_insurance,
    split_ends_insurance,
    surrender_closed,
)
from croupier.money import at_odds, dollars
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.commands import Command
from croupier.table.run import Run, refuse, refuse_barred
from croupier.table.state import Bet, Box, State, active, decider, present


def insurance_limit(state: State, bet: Bet) -> int:
    """The most that the bettor may insure for."""
    return int(bet.stake * state.rules.insurance_share)


def insurance_step(state: State) -> int:
    """Insurance is made in multiples of so many cents."""
    share = state.rules.insurance_step_share
    if share is None:
        return state.rules.house.insurance_step or state.rules.house.smallest_chip // 2
    return int(state.rules.house.smallest_chip * share)


def holds_natural(state: State, box: Box) -> bool:
    return bool(box.hands) and is_natural(state.rules, box.hands[0])


def may_insure(state: State, box: Box, bet: Bet) -> bool:
    """Is insurance open to this bettor by the cards, whatever the time?"""
    rules = state.rules
    if not opens_insurance(rules, first_rank(state)):
        return False
    if "insurance" in rules.house.withhold or bet.player not in present(state, box):
        return False
    if bet.insurance + insurance_step(state) > insurance_limit(state, bet):
        return False
    if opens_even_money(rules, first_rank(state)) and not _has_live_stake(box, bet):
        return False
    if split_ends_insurance(rules) and any(hand.split for hand in box.hands):
        return False
    return insurable(rules, natural=holds_natural(state, box))


def refuse_away(state: State, command: Command, box: Box, player: str) -> None:
    """One who is excluded or absent decides nothing, nor does one whose wager is void."""
    if player in state.people.excluded:
        refuse("exclusion", command, f"{player} is excluded from the game")
    if player in box.absent:
        refuse("absent_draws_to", command, f"{player} has been reported absent, and not back")
    if any(bet.void for bet in box.bets if bet.player == player):
        refuse("void_wager", command, f"{player}'s wager is void")


def insurance_is_open(state: State) -> bool:
    """Is it the time for insurance?"""
    if state.rules.insurance_until == "second_card":
        return state.stage in ("dealing", "offers", "playing", "dealer") and len(state.dealer) == 1
    return state.stage == "offers"


def _has_live_stake(box: Box, bet: Bet) -> bool:
    return any(stake.player == bet.player and stake.lives for hand in box.hands for stake in hand.stakes)


def may_take_even_money(state: State, box: Box, bet: Bet) -> bool:
    return (
        opens_even_money(state.rules, first_rank(state))
        and holds_natural(state, box)
        and _has_live_stake(box, bet)
        and bet.player in present(state, box)
    )


def first_rank(state: State) -> str:
    """The rank of the dealer's first card, "" before it is dealt."""
    return state.upcard[0] if state.upcard else ""


def may_surrender(state: State, box: Box) -> bool:
    if not box.hands or surrender_bar(state.rules, box.hands[0], len(box.hands), first_rank(state)):
        return False
    hand = box.hands[0]
    return hand.lives and not (hand.done or hand.calls) and bool(decider(state, box))


def offers_open(state: State) -> bool:
    """Is there anything to offer before the subsequent deal?"""
    return any(
        may_surrender(state, box)
        or any(may_insure(state, box, bet) or may_take_even_money(state, box, bet) for bet in box.bets)
        for box in active(state)
    )


def _find_bet(state: State, command: Command, box: int, player: str, ground: str) -> tuple[Box, Bet]:
    if 1 <= box <= len(state.boxes):
        for bet in state.box(box).bets:
            if bet.player == player:
                return state.box(box), bet
    refuse(ground, command, f"{player} has no wager on box {box}")


def insure(run: Run, command: cmd.Insure) -> None:
    state, player = run.state, run.by.name
    rules = state.rules
    box, bet = _find_bet(state, command, command.box, player, "insurance_for")
    if not opens_insurance(rules, first_rank(state)):
        upcard = first_rank(state) or "not dealt"
        refuse("insurance_upcards", command, f"the dealer's first card is {upcard}")
    if split_ends_insurance(rules) and any(hand.split for hand in box.hands):
        refuse("no_insurance_after_split", command, "the hand has been separated")
    if box.hands and not insurable(rules, natural=holds_natural(state, box)):
        refuse("insurance_for", command, f"insurance is not open to {player} on box {command.box}")
    if not insurance_is_open(state):
        refuse("insurance_closes", command, "it is not, or no longer, the time for insurance")
    refuse_away(state, command, box, bet.player)
    limit = insurance_limit(state, bet) - bet.insurance
    if not 0 < command.amount <= limit:
        refuse("insurance_share", command, f"{dollars(command.amount)} is not within {dollars(limit)}")
    if not may_insure(state, box, bet):
        refuse("insurance_for", command, f"insurance is not open to {player} on box {command.box}")
    if command.place != "insurance line":
        refuse("insurance_line", command, f"insurance goes on the insurance line, not in the {command.place}")
    step = insurance_step(state)
    if command.amount % step:
        refuse(
            "insurance_step_share", command, f"{dollars(command.amount)} is no multiple of {dollars(step)}"
        )
    basis = ("insurance_upcards", "insurance_for", "insurance_share", "insurance_line")
    run.emit(ev.InsurancePlaced(player=player, box=command.box, amount=command.amount, basis=basis))


def take_even_money(run: Run, command: cmd.TakeEvenMoney) -> None:
    state, player = run.state, run.by.name
    box, bet = _find_bet(state, command, command.box, player, "even_money_upcards")
    refuse_away(state, command, box, bet.player)
    if state.stage != "offers" or not may_take_even_money(state, box, bet):
        refuse("even_money_upcards", command, "even money is for a natural against the named first card")
    stake = next(stake for stake in box.hands[0].stakes if stake.player == player)
    run.emit(
        ev.Settled(
            box=command.box,
            hand=1,
            player=player,
            wager="main",
            stake=stake.total,
            net=at_odds(stake.total, state.rules.even_money_pays),
            end="paid",
            basis=("even_money_pays", "even_money_upcards", "interim_settlement"),
        )
    )


def surrender(run: Run, command: cmd.Surrender) -> None:
    state, player = run.state, run.by.name
    refuse_barred(command, surrender_closed(state.rules, first_rank(state)))
    box, bet = _find_bet(state, command, command.box, player, "surrender")
    refuse_away(state, command, box, bet.player)
    if player != decider(state, box):
        refuse(
            "surrender_by_decider",
            command,
            f"{decider(state, box) or 'nobody'} decides for box {command.box}",
        )
    if state.stage != "offers" or not may_surrender(state, box):
        refuse("surrender", command, "surrender is for the first two cards, before the subsequent deal")
    run.emit(
        ev.HandSurrendered(box=command.box, basis=("surrender_button", "surrender", "surrender_binds_box"))
    )
