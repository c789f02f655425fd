"""Insurance, even money and surrender: what is offered between the two deals."""

from __future__ import annotations

from croupier.game.hand import Bar, is_natural
from croupier.game.moves import surrender_bar
from croupier.game.offers import (
    insurable,
    opens_even_money,
    opens_insurance,
    opens_surrender,
    split_ends_insurance,
    surrender_closed,
)
from croupier.money import at_odds, dollars, part_of
from croupier.rulebook.wager import MAIN
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import Actor
from croupier.table.run import Run, refuse_barred
from croupier.table.state import Bet, Box, State, active, decider, present


def insurance_limit(state: State, bet: Bet) -> int:
    """The most that the bettor may insure for."""
    return part_of(bet.stake, state.rules.insurance_share)


def insurance_step(state: State) -> int:
    """Insurance is made in multiples of so many cents."""
    share = state.rules.insurance_step_share
    if share is None:
        return state.rules.house.insurance_step or state.rules.house.smallest_chip // 2
    return part_of(state.rules.house.smallest_chip, share)


def insurable_yet(state: State, bet: Bet) -> int:
    """What a bettor may still insure for, in the steps in which insurance is laid."""
    left = insurance_limit(state, bet) - bet.insurance
    return left - left % insurance_step(state)


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


def away_bar(state: State, box: Box, player: str) -> Bar | None:
    """One who is excluded or absent decides nothing, nor does one whose wager is void."""
    if player in state.people.excluded:
        return Bar("exclusion", f"{player} is excluded from the game")
    if player in box.absent:
        return Bar("absent_draws_to", f"{player} has been reported absent, and not back")
    if any(bet.void for bet in box.bets if bet.player == player):
        return Bar("void_wager", f"{player}'s wager is void")
    return None


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
    """Is there anything to offer before the subsequent deal? Most first cards of a dealer open nothing."""
    rules, first = state.rules, first_rank(state)
    if not (opens_surrender(rules, first) or opens_insurance(rules, first) or opens_even_money(rules, first)):
        return False
    return any(
        may_surrender(state, box)
        or any(may_insure(state, box, bet) or may_take_even_money(state, box, bet) for bet in box.bets)
        for box in active(state)
    )


def _find_bet(state: State, number: int, player: str) -> tuple[Box, Bet] | None:
    if 1 <= number <= len(state.boxes):
        box = state.box(number)
        for bet in box.bets:
            if bet.player == player:
                return box, bet
    return None


def insure(run: Run, command: cmd.Insure) -> None:
    refuse_barred(command, bars_insurance(run.state, command, run.by))
    basis = ("insurance_upcards", "insurance_for", "insurance_share", "insurance_line")
    player, amount = run.by.name, command.amount
    run.emit(ev.InsurancePlaced(player=player, box=command.box, amount=amount, basis=basis))


def bars_insurance(state: State, command: cmd.Insure, by: Actor) -> Bar | None:
    """What bars a bettor from insuring a box for so much."""
    found = _find_bet(state, command.box, by.name)
    if found is None:
        return Bar("insurance_for", f"{by.name} has no wager on box {command.box}")
    box, bet = found
    return (
        _insurable_bar(state, box, by.name)
        or away_bar(state, box, by.name)
        or _insured_bar(state, box, bet, command)
    )


def _insurable_bar(state: State, box: Box, player: str) -> Bar | None:
    """What bars insurance to everybody on the box: the cards, or the time."""
    rules, first = state.rules, first_rank(state)
    if not opens_insurance(rules, first):
        return Bar("insurance_upcards", f"the dealer's first card is {first or 'not dealt'}")
    if split_ends_insurance(rules) and any(hand.split for hand in box.hands):
        return Bar("no_insurance_after_split", "the hand has been separated")
    if box.hands and not insurable(rules, natural=holds_natural(state, box)):
        return _not_open_bar(box, player)
    if not insurance_is_open(state):
        return Bar("insurance_closes", "it is not, or no longer, the time for insurance")
    return None


def _not_open_bar(box: Box, player: str) -> Bar:
    return Bar("insurance_for", f"insurance is not open to {player} on box {box.number}")


def _insured_bar(state: State, box: Box, bet: Bet, command: cmd.Insure) -> Bar | None:
    """What bars the amount, its place, or what this bettor has left to insure."""
    amount, step = command.amount, insurance_step(state)
    limit = insurance_limit(state, bet) - bet.insurance
    if not 0 < amount <= limit:
        return Bar("insurance_share", f"{dollars(amount)} is not within {dollars(limit)}")
    if not may_insure(state, box, bet):
        return _not_open_bar(box, bet.player)
    if command.place != "insurance line":
        why = f"insurance goes on the insurance line, not in the {command.place}"
        return Bar("insurance_line", why)
    if amount % step:
        return Bar("insurance_step_share", f"{dollars(amount)} is no multiple of {dollars(step)}")
    return None


def take_even_money(run: Run, command: cmd.TakeEvenMoney) -> None:
    state, player = run.state, run.by.name
    refuse_barred(command, bars_even_money(state, command, run.by))
    stake = next(stake for stake in state.hand(command.box, 1).stakes if stake.player == player)
    run.emit(
        ev.Settled(
            box=command.box,
            hand=1,
            player=player,
            wager=MAIN,
            stake=stake.total,
            net=at_odds(stake.total, state.rules.even_money_pays),
            end="paid",
            basis=("even_money_pays", "even_money_upcards", "interim_settlement"),
        )
    )


def bars_even_money(state: State, command: cmd.TakeEvenMoney, by: Actor) -> Bar | None:
    """What bars a bettor from having a natural paid at once."""
    found = _find_bet(state, command.box, by.name)
    if found is None:
        return Bar("even_money_upcards", f"{by.name} has no wager on box {command.box}")
    box, bet = found
    bar = away_bar(state, box, by.name)
    if bar or (state.stage == "offers" and may_take_even_money(state, box, bet)):
        return bar
    return Bar("even_money_upcards", _even_money_words(state, box))


def _even_money_words(state: State, box: Box) -> str:
    """Why a natural is not paid at once here: the game, the dealer's card, the cards, or the time."""
    upcards = state.rules.even_money_upcards
    if not upcards:
        return "this game has no even money"
    if not opens_even_money(state.rules, first_rank(state)):
        return f"even money is open against {', '.join(upcards)} alone"
    return "it is past" if holds_natural(state, box) else "even money is for a natural"


def surrender(run: Run, command: cmd.Surrender) -> None:
    refuse_barred(command, bars_surrender(run.state, command, run.by))
    run.emit(
        ev.HandSurrendered(box=command.box, basis=("surrender_button", "surrender", "surrender_binds_box"))
    )


def bars_surrender(state: State, command: cmd.Surrender, by: Actor) -> Bar | None:
    """What bars a player from giving up a box."""
    bar = surrender_closed(state.rules, first_rank(state))
    if bar:
        return bar
    found = _find_bet(state, command.box, by.name)
    if found is None:
        return Bar("surrender", f"{by.name} has no wager on box {command.box}")
    box, owner = found[0], decider(state, found[0])
    bar = away_bar(state, box, by.name)
    if bar:
        return bar
    if by.name != owner:
        return Bar("surrender_by_decider", f"{owner or 'nobody'} decides for box {box.number}")
    if state.stage == "offers" and may_surrender(state, box):
        return None
    return Bar("surrender", "surrender is for the first two cards, before the subsequent deal")
