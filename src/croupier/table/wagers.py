"""Seats, boxes, wagers and limits: everything up to "no more bets"."""

from __future__ import annotations

from msgspec import Struct

from croupier.errors import ParseError
from croupier.money import dollars
from croupier.rulebook.choose import wager_odds
from croupier.rulebook.hours import is_within, minutes
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import STAFF
from croupier.table.chips import undecided
from croupier.table.commands import Command
from croupier.table.run import Run, refuse, require_stage
from croupier.table.shoe import final_ground, refuse_failed_shoe
from croupier.table.state import Bet, Box, Held, Side, State, active, bets_closed, bets_open


def open_betting(run: Run, command: cmd.OpenBetting) -> None:
    state = run.state
    if state.stage == "closed":
        ground = final_ground(state) if state.final_left == 0 else "closing_needs_notice"
        refuse(ground, command, "the table is closed")
    refuse_failed_shoe(state, command)
    require_stage(state, command, "new_shoe", "idle")
    if command.at or state.rules.house.hours:
        require_hours(state, command, command.at)
    run.emit(ev.BettingOpened(round=state.round + 1, basis=("betting_opens",)))


def require_hours(state: State, command: Command, at: str) -> None:
    """Refuse what is no time of day, and any outside the hours of gaming where such are kept."""
    hours = state.rules.house.hours
    try:
        minutes(at)
    except ParseError as error:
        refuse("hours", command, str(error))
    if hours and not is_within(hours, at):
        refuse("hours", command, f"{at} is not within the hours of gaming, {hours}")


def require_box(state: State, command: Command, number: int) -> Box:
    if not 1 <= number <= len(state.boxes):
        refuse("box", command, f"there is no box {number}; the layout has 1 to {len(state.boxes)}")
    return state.box(number)


# Seats


def seats_of(state: State, player: str) -> set[int]:
    return {box.number for box in state.boxes if box.seat == player}


def bets_of(state: State, player: str) -> set[int]:
    """The boxes on which the player has chips."""
    return {box.number for box in state.boxes if box.lying and player in [bet.player for bet in box.lying]}


def boxes_of(state: State, player: str) -> set[int]:
    """The boxes on which the player sits or bets."""
    return seats_of(state, player) | bets_of(state, player)


# Names under which nobody plays.
BANK = STAFF | {"banker", "bank"}


def check_welcome(state: State, command: Command, player: str, elsewhere: set[int]) -> None:
    """Refuse one who may not play here; `elsewhere` are the boxes that they hold besides."""
    if not player.strip():
        refuse("box", command, "a player needs a name")
    if player in BANK:
        refuse("bank_does_not_play", command, f"the {player} does not play")
    if player in state.people.excluded:
        refuse("exclusion", command, f"{player} is excluded from the game")
    if elsewhere and state.rules.several_boxes == "house" and not state.rules.house.several_boxes:
        refuse("several_boxes", command, f"{player} is on box {min(elsewhere)} and may hold only one")


def sit(run: Run, command: cmd.Sit) -> None:
    state, player = run.state, run.by.name
    box = require_box(state, command, command.box)
    check_welcome(state, command, player, seats_of(state, player) - {command.box})
    if box.seat:
        refuse("box", command, f"the seat at box {command.box} is {box.seat}'s")
    run.emit(ev.SeatTaken(player=player, box=command.box, basis=("box",)))


def leave(run: Run, command: cmd.Leave) -> None:
    state, player = run.state, run.by.name
    box = require_box(state, command, command.box)
    if not player or box.seat != player:
        refuse("box", command, f"{player or 'nobody'} does not sit at box {command.box}")
    if undecided(box, box.bet_of(player)):
        ground = "wagers_locked" if state.dealt else "box"
        refuse(ground, command, f"{player} has a wager on box {command.box}")
    run.emit(ev.SeatLeft(player=player, box=command.box, basis=("box",)))


# Wagers


class Laid(Struct, frozen=True):
    """What a command adds to a wager: in play, above its maximum, and whether it is below its minimum."""

    stake: int
    over: int = 0
    under: bool = False


def wager(run: Run, command: cmd.Wager) -> None:
    state, player = run.state, run.by.name
    _refuse_closed(state, command)
    if not bets_open(state):
        refuse("betting_opens", command, f"not while the table is at the stage '{state.stage}'")
    box = require_box(state, command, command.box)
    check_welcome(state, command, player, bets_of(state, player) - {command.box})
    if state.rules.chips_only and command.tender != "chips":
        refuse("chips_only", command, f"wagers are made with chips, not {command.tender}")
    _check_offered(state, command)
    _check_held(state, command, player)
    bet = box.bet_of(player)
    main = _main(state, command, box, bet) if command.stake or not command.sides else Laid(0)
    if main.under and (player, "main") in state.people.warned:
        _hand_back(run, command)
        return
    sides = {name: _side(state, command, name, bet, bet.stake + main.stake) for name in command.sides}
    _lay(run, command, box, main, sides)


def _lay(run: Run, command: cmd.Wager, box: Box, main: Laid, sides: dict[str, Laid]) -> None:
    """Lay everything down that is not handed back, and warn of what is below a minimum."""
    player, warned = run.by.name, run.state.people.warned
    back = {name for name, laid in sides.items() if laid.under and (player, name) in warned}
    lying = {name: laid for name, laid in sides.items() if name not in back}
    if command.stake or lying:
        run.emit(
            ev.WagerPlaced(
                player=player,
                box=command.box,
                stake=main.stake,
                over=main.over,
                under=main.under,
                sides={name: laid.stake for name, laid in lying.items()},
                sides_over={name: laid.over for name, laid in lying.items() if laid.over},
                basis=_laid_basis(run.state, command, player, box, main, lying),
            )
        )
    for name, laid in {"main": main, **lying}.items():
        if laid.under and (player, name) not in warned:
            run.emit(ev.PlayerWarned(player=player, wager=name, basis=("under_minimum",)))
    for name in sorted(back):
        _return_at_once(run, command, name, "under_minimum")


def _laid_basis(
    state: State, command: cmd.Wager, player: str, box: Box, main: Laid, sides: dict[str, Laid]
) -> tuple[str, ...]:
    basis: list[str] = []
    if command.stake:
        basis += ["box", "chips_only"]
        basis += ["under_minimum"] if main.under else ["wager_before_cards", "bank_held_by_licensee"]
        if bets_of(state, player) - {command.box}:
            basis.append("several_boxes")
        if box.raised_to:
            basis += ["raised_limit", "raised_box_shared"]
        if any(bet.player != player for bet in box.bets):
            basis.append("bettors_per_box")
    if main.over:
        basis += ["over_maximum", "maximum_for"]
    elif any(laid.over for laid in sides.values()):
        basis.append("over_maximum")
    parts = ("box", "offered_as", "stake")
    basis += [f"side_bets.{name}.{part}" for name in sides for part in parts]
    return tuple(basis)


def _hand_back(run: Run, command: cmd.Wager) -> None:
    """A further wager below the minimum goes back, the side bets laid with it as well."""
    run.emit(
        ev.WagerReturned(
            player=run.by.name,
            box=command.box,
            wager="under minimum",
            amount=command.stake,
            unlaid=True,
            basis=("under_minimum",),
        )
    )
    for name in command.sides:
        _return_at_once(run, command, name, f"side_bets.{name}.alone", "void")


def _return_at_once(run: Run, command: cmd.Wager, name: str, *basis: str) -> None:
    run.emit(
        ev.WagerReturned(
            player=run.by.name,
            box=command.box,
            wager=name,
            amount=command.sides[name],
            unlaid=True,
            basis=basis,
        )
    )


# The main wager


def _main(state: State, command: cmd.Wager, box: Box, bet: Bet) -> Laid:
    """What the command adds to the main wager, or a refusal."""
    _check_room(state, command, box, bet.player)
    total = bet.stake + bet.over + command.stake
    _check_held_to_minimum(state, command, bet.player, total)
    under = total < state.terms.minimum
    _check_multiple(state, command, total)
    most = most_in_play(state, box, bet.player)
    in_play = min(total, most)
    if under and state.rules.under_minimum == "refuse":
        least = dollars(state.terms.minimum)
        refuse("under_minimum", command, f"{dollars(total)} is below the minimum of {least}")
    if total > most and (state.rules.over_maximum == "refuse" or in_play <= 0):
        refuse("over_maximum", command, f"{dollars(total)} is above the maximum of {dollars(most)}")
    _check_raised_total(state, command, box, bet.player, in_play)
    for side in bet.sides:
        if state.rules.side_bets[side.name].stake == "up_to_main" and side.stake > in_play:
            why = f"the {side.name} stake of {dollars(side.stake)} would exceed the main wager"
            refuse(f"side_bets.{side.name}.stake", command, why)
    return Laid(in_play - bet.stake, total - in_play - bet.over, under)


def _check_multiple(state: State, command: cmd.Wager, total: int) -> None:
    """A wager is a multiple of what is displayed; below the minimum it is what chips can make."""
    house = state.rules.house
    step = house.multiple if total >= state.terms.minimum else chip_step(state, state.terms.minimum)
    if command.stake <= 0 or (state.rules.wager_multiples and total % step):
        refuse("wager_multiples", command, f"{dollars(total)} is not a multiple of {dollars(step)}")
    displayed = state.rules.wager_multiples and total >= state.terms.minimum  # the house's multiple pays so
    if not displayed and any(total * odds % 1 for odds in wager_odds(state.rules)):
        refuse("wager_multiples", command, f"{dollars(total)} does not pay in whole cents")


def chip_step(state: State, minimum: int) -> int:
    """Chips make multiples of the smallest one, or whole dollars where the minimum is below it."""
    chip = state.rules.house.smallest_chip
    return chip if chip <= minimum else 100


def _check_room(state: State, command: cmd.Wager, box: Box, player: str) -> None:
    others = [bet for bet in box.bets if bet.player != player]
    most = state.rules.bettors_per_box
    uncapped = box.raised_to and state.rules.raised_box_bettors == "any"
    if len(others) >= most and not uncapped:
        why = f"{len(others)} bettors are on box {box.number}, the most allowed is {most}"
        refuse("bettors_per_box", command, why)
    sole = state.rules.raised_limit == "sole" and box.raised_to
    if sole and box.raised_for != player:
        refuse("raised_limit", command, f"box {box.number} is raised for {box.raised_for} alone")


def most_in_play(state: State, box: Box, player: str) -> int:
    """The highest wager of the player on the box that is settled in full."""
    raised = box.raised_to if box.raised_for in ("", player) else 0
    most = max(raised, state.terms.maximum)
    if state.rules.maximum_for == "box":
        most -= sum(bet.stake for bet in box.bets if bet.player != player)
    return most


def raised_room(state: State, box: Box, player: str) -> int | None:
    """What the others on a raised-limit box leave to the player; None where nothing binds the total."""
    if not box.raised_to or state.rules.raised_limit != "shared":
        return None
    others = sum(bet.stake for bet in box.bets if bet.player != player)
    if not others:
        return None
    return (box.raised_to if state.rules.raised_total == "marker" else state.terms.maximum) - others


def _check_raised_total(state: State, command: cmd.Wager, box: Box, player: str, in_play: int) -> None:
    room = raised_room(state, box, player)
    if room is not None and in_play > room:
        why = f"{dollars(in_play)} on box {box.number} would pass its limit: {dollars(max(room, 0))} is left"
        refuse("raised_box_shared", command, why)


def held(state: State, player: str) -> Held | None:
    """The order that holds a late or lapsed bettor, if there is one."""
    for order in state.people.held:
        if order.player == player:
            return order
    return None


def _check_held(state: State, command: cmd.Wager, player: str) -> None:
    order = held(state, player)
    if order is not None and order.first_box and command.box != 1:
        why = f"{player} is held to the first box until a new shoe"
        refuse("late_bettor_held_to", command, why)


def _check_held_to_minimum(state: State, command: cmd.Wager, player: str, total: int) -> None:
    order = held(state, player)
    if order is not None and order.minimum and total != state.terms.minimum:
        why = f"{player} is held to the minimum of {dollars(state.terms.minimum)} until a new shoe"
        refuse("late_bettor_held_to", command, why)


# Side bets


def _check_offered(state: State, command: cmd.Wager) -> None:
    for name in command.sides:
        bet = state.rules.side_bets.get(name)
        if bet is None:
            refuse("features", command, f"this game has no side bet called {name}")
        if bet.offered_as not in state.terms.offered_on:
            refuse(f"side_bets.{name}.offered_as", command, f"{name} is not offered at this table")


def _side(state: State, command: cmd.Wager, name: str, bet: Bet, main: int) -> Laid:
    """What the command adds to a side bet beside a main wager of so much, or a refusal."""
    terms = state.rules.side_bets[name]
    provision = f"side_bets.{name}.stake"
    added = command.sides[name]
    laid = next((side for side in bet.sides if side.name == name), Side(name=name, stake=0))
    total = laid.stake + laid.over + added
    if added <= 0:
        refuse(provision, command, f"{dollars(added)} is no stake")
    if not main and terms.alone == "refused":
        why = f"{name} needs a main wager of the same player on the box"
        refuse(f"side_bets.{name}.alone", command, why)
    offer = state.rules.house.side_bets[terms.offered_as]
    if terms.stake == "approved_amount" and total != offer.amount:
        refuse(provision, command, f"a {name} stake is {dollars(offer.amount)}, not {dollars(total)}")
    if terms.stake == "up_to_main" and main and total > main:
        refuse(provision, command, f"a {name} stake may not exceed the main wager of {dollars(main)}")
    if any(total * row.pays % 1 for row in terms.rows.values()):
        refuse(provision, command, f"{dollars(total)} on {name} does not pay in whole cents")
    if terms.stake != "limits":
        return Laid(added)
    step = chip_step(state, offer.minimum)
    if state.rules.wager_multiples and total % step:
        refuse("wager_multiples", command, f"{dollars(total)} is not a multiple of {dollars(step)}")
    in_play = min(total, offer.maximum)
    return Laid(in_play - laid.stake, total - in_play - laid.over, total < offer.minimum)


def return_loose(run: Run) -> None:
    """At the first card a side bet that no main wager accompanies is void and goes back."""
    for box in run.state.boxes:
        for bet in box.loose:
            _return_sides(run, box, bet)


def _return_sides(run: Run, box: Box, bet: Bet, *grounds: str) -> None:
    for side in bet.sides:
        basis = grounds or (f"side_bets.{side.name}.alone", "void")
        amount = side.stake + side.over
        run.emit(
            ev.WagerReturned(player=bet.player, box=box.number, wager=side.name, amount=amount, basis=basis)
        )


# Until bets close


def _refuse_closed(state: State, command: Command) -> None:
    if bets_closed(state):
        refuse("wagers_locked" if state.dealt else "no_more_bets", command, "no more bets")


def take_back(run: Run, command: cmd.TakeBack) -> None:
    state, player = run.state, run.by.name
    box = require_box(state, command, command.box)
    _refuse_closed(state, command)
    bet = box.bet_of(player)
    if player in state.people.excluded:
        refuse("exclusion", command, f"{player} is excluded: the wager plays out, or is voided")
    if not bets_open(state) or not bet.chips:
        refuse("betting_opens", command, f"{player} has no wager on box {command.box}")
    give_back(run, box, bet, "betting_opens")


def give_back(run: Run, box: Box, bet: Bet, *basis: str) -> None:
    """All that a player has laid on a box goes back, as no card has been dealt."""
    if not bet.stake:
        _return_sides(run, box, bet, *basis)
        return
    run.emit(ev.WagerReturned(player=bet.player, box=box.number, wager="main", amount=bet.chips, basis=basis))


def announce_no_more_bets(run: Run, command: cmd.AnnounceNoMoreBets) -> None:
    state = run.state
    require_stage(state, command, "betting_opens", "betting")
    refuse_failed_shoe(state, command)
    boxes = tuple(box.number for box in active(state))
    if len(boxes) < state.rules.boxes_needed:
        ground = "boxes_needed" if boxes else "betting_opens"
        refuse(ground, command, f"{len(boxes)} box(es) with a wager, {state.rules.boxes_needed} needed")
    run.emit(ev.NoMoreBets(boxes=boxes, basis=("no_more_bets", "boxes_needed")))
