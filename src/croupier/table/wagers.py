"""Seats, boxes, wagers and limits: everything up to "no more bets"."""

from __future__ import annotations

from croupier.money import dollars
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.commands import Command
from croupier.table.run import Run, handles, refuse, require_stage
from croupier.table.state import Box, State, active, round_in_progress


def is_open_at(hours: str, at: str) -> bool:
    """Does the time of day lie within the hours, which may run past midnight?"""
    start, end = hours.split("-")
    return start <= at < end if start < end else at >= start or at < end


@handles(cmd.OpenBetting)
def open_betting(run: Run, command: cmd.OpenBetting) -> None:
    state = run.state
    if state.stage == "closed":
        ground = "final_rounds" if state.final_left == 0 else "closing_needs_notice"
        refuse(ground, command, "the table is closed")
    if state.shoe.failed and (state.rules.malfunction_replaced == "after_round" or state.shoe.shuffle_due):
        refuse("shoe_replaced", command, "the failed shoe must be replaced first")
    require_stage(state, command, "new_shoe", "idle")
    hours = state.rules.house.hours
    if hours and not (command.at and is_open_at(hours, command.at)):
        refuse(
            "hours", command, f"{command.at or 'no time of day'} is not within the hours of gaming, {hours}"
        )
    run.emit(ev.BettingOpened(round=state.round + 1, basis=("betting_opens",)))


def require_box(state: State, command: Command, number: int) -> Box:
    if not 1 <= number <= len(state.boxes):
        refuse("box", command, f"there is no box {number}; the layout has 1 to {len(state.boxes)}")
    return state.box(number)


def boxes_of(state: State, player: str) -> set[int]:
    """The boxes on which the player sits or bets."""
    return {
        box.number
        for box in state.boxes
        if box.seat == player or any(bet.player == player for bet in box.bets)
    }


STAFF = frozenset({"dealer", "banker", "supervisor", "operator", "regulator", "bank"})


def check_welcome(state: State, command: Command, player: str, box: int) -> None:
    """Refuse one who may not play at this box."""
    if not player.strip():
        refuse("box", command, "a player needs a name")
    if player in STAFF:
        refuse("bank_does_not_play", command, f"the {player} does not play")
    if player in state.people.excluded:
        refuse("exclusion", command, f"{player} is excluded from the game")
    elsewhere = boxes_of(state, player) - {box}
    if elsewhere and state.rules.several_boxes == "house" and not state.rules.house.several_boxes:
        refuse("several_boxes", command, f"{player} is on box {min(elsewhere)} and may hold only one")


@handles(cmd.Sit)
def sit(run: Run, command: cmd.Sit) -> None:
    state = run.state
    box = require_box(state, command, command.box)
    check_welcome(state, command, command.player, command.box)
    if box.seat:
        refuse("box", command, f"the seat at box {command.box} is {box.seat}'s")
    run.emit(ev.SeatTaken(player=command.player, box=command.box, basis=("box",)))


@handles(cmd.Leave)
def leave(run: Run, command: cmd.Leave) -> None:
    state = run.state
    box = require_box(state, command, command.box)
    if box.seat != command.player:
        refuse("box", command, f"{command.player} does not sit at box {command.box}")
    if any(bet.player == command.player for bet in box.bets):
        ground = "wagers_locked" if round_in_progress(state) else "box"
        refuse(ground, command, f"{command.player} has a wager on box {command.box}")
    run.emit(ev.SeatLeft(player=command.player, box=command.box, basis=("box",)))


@handles(cmd.Wager)
def wager(run: Run, command: cmd.Wager) -> None:
    state = run.state
    _refuse_in_round(state, command)
    require_stage(state, command, "betting_opens", "betting")
    box = require_box(state, command, command.box)
    player = command.player
    check_welcome(state, command, player, command.box)
    if state.rules.chips_only and command.tender != "chips":
        refuse("chips_only", command, f"wagers are made with chips, not {command.tender}")
    own = next((bet.stake for bet in box.bets if bet.player == player), 0)
    _check_offered(state, command)
    if command.sides and not command.stake:
        _add_sides(run, command, own)
        return
    _check_sides(state, command, command.stake)
    _check_box(state, command, box)
    _check_held(state, command)
    multiple = state.rules.house.multiple
    if command.stake <= 0 or (state.rules.wager_multiples and command.stake % multiple):
        refuse(
            "wager_multiples", command, f"{dollars(command.stake)} is not a multiple of {dollars(multiple)}"
        )
    if command.stake < state.minimum:
        _under_minimum(run, command)
    else:
        _place(run, command, box)


def _check_box(state: State, command: cmd.Wager, box: Box) -> None:
    player = command.player
    if any(bet.player == player for bet in box.bets):
        refuse("box", command, f"{player} has a wager on box {box.number} already")
    if len(box.bets) >= state.rules.bettors_per_box:
        most = state.rules.bettors_per_box
        refuse(
            "bettors_per_box",
            command,
            f"{len(box.bets)} bettors are on box {box.number}, the most allowed is {most}",
        )
    if box.sole and box.sole != player and state.rules.raised_limit == "sole":
        refuse("raised_limit", command, f"box {box.number} is raised for {box.sole} alone")
    if box.bets and box.raised_to and state.rules.raised_limit == "shared":
        total = sum(bet.stake for bet in box.bets) + command.stake
        if total > box.raised_to:
            why = f"{dollars(total)} on box {box.number} would pass its limit of {dollars(box.raised_to)}"
            refuse("raised_box_shared", command, why)


def _check_held(state: State, command: cmd.Wager) -> None:
    for held in state.people.held:
        if held.player != command.player:
            continue
        if held.minimum and command.stake != state.minimum:
            why = f"{held.player} is held to the minimum of {dollars(state.minimum)} until a new shoe"
            refuse("late_bettor_held_to", command, why)
        if held.first_box and command.box != 1:
            refuse("late_bettor_held_to", command, f"{held.player} is held to the first box until a new shoe")


def _under_minimum(run: Run, command: cmd.Wager) -> None:
    state = run.state
    least = dollars(state.minimum)
    if state.rules.under_minimum == "refuse":
        refuse("under_minimum", command, f"{dollars(command.stake)} is below the minimum of {least}")
    basis = ("under_minimum",)
    warned_now = any(bet.under for box in state.boxes for bet in box.bets if bet.player == command.player)
    if command.player in state.people.warned and not warned_now:
        run.emit(
            ev.WagerReturned(
                player=command.player,
                box=command.box,
                wager="under minimum",
                amount=command.stake,
                basis=basis,
            )
        )
        _return_sides(run, command)
        return
    run.emit(
        ev.WagerPlaced(
            player=command.player,
            box=command.box,
            stake=command.stake,
            sides=command.sides,
            under=True,
            basis=("box", "chips_only", "under_minimum"),
        )
    )
    run.emit(ev.PlayerWarned(player=command.player, basis=basis))


def _place(run: Run, command: cmd.Wager, box: Box) -> None:
    state = run.state
    most = max(box.raised_to, state.maximum)
    over = max(command.stake - most, 0)
    if over and state.rules.over_maximum == "refuse":
        refuse("over_maximum", command, f"{dollars(command.stake)} is above the maximum of {dollars(most)}")
    basis: tuple[str, ...] = ("box", "chips_only", "wager_before_cards", "bank_held_by_licensee")
    if len(boxes_of(state, command.player) | {command.box}) > 1:
        basis = (*basis, "several_boxes")
    if over:
        basis = (*basis, "over_maximum")
    if box.raised_to:
        basis = (*basis, "raised_limit", "raised_box_shared")
    if box.bets:
        basis = (*basis, "bettors_per_box")
    basis = (*basis, *_side_basis(command))
    run.emit(
        ev.WagerPlaced(
            player=command.player,
            box=command.box,
            stake=command.stake - over,
            over=over,
            sides=command.sides,
            basis=basis,
        )
    )


# Side bets at the time of wagering


def _check_offered(state: State, command: cmd.Wager) -> None:
    for name in command.sides:
        bet = state.rules.side_bets.get(name)
        if bet is None:
            refuse("features", command, f"this game has no side bet called {name}")
        if bet.offered_as not in state.offered_on:
            refuse(f"side_bets.{name}.offered_as", command, f"{name} is not offered at this table")


def _check_sides(state: State, command: cmd.Wager, main: int) -> None:
    """Refuse a side bet whose stake does not fit its terms or the main wager."""
    for name, stake in command.sides.items():
        bet = state.rules.side_bets[name]
        provision = f"side_bets.{name}.stake"
        terms = state.rules.house.side_bets.get(bet.offered_as)
        if stake <= 0:
            refuse(provision, command, f"{dollars(stake)} is no stake")
        if bet.stake == "approved_amount" and terms and stake != terms.amount:
            refuse(provision, command, f"a {name} stake is {dollars(terms.amount)}, not {dollars(stake)}")
        if bet.stake == "limits" and terms and not terms.minimum <= stake <= terms.maximum:
            least, most = dollars(terms.minimum), dollars(terms.maximum)
            refuse(provision, command, f"a {name} stake is {least} to {most}, not {dollars(stake)}")
        if any(stake * row.pays % 1 for row in bet.rows.values()):
            refuse(provision, command, f"{dollars(stake)} on {name} does not pay in whole cents")
        if bet.stake == "up_to_main" and stake > main:
            refuse(provision, command, f"a {name} stake may not exceed the main wager of {dollars(main)}")


def _add_sides(run: Run, command: cmd.Wager, main: int) -> None:
    """Side bets without a stake: they join the player's wager on the box, or are void without one."""
    state = run.state
    if main:
        _check_sides(state, command, main)
        own = [bet for bet in state.box(command.box).bets if bet.player == command.player]
        if any(side.name in command.sides for bet in own for side in bet.sides):
            refuse("box", command, f"{command.player} has that side bet already")
        basis = _side_basis(command)
        run.emit(
            ev.WagerPlaced(player=command.player, box=command.box, stake=0, sides=command.sides, basis=basis)
        )
        return
    for name in command.sides:
        if state.rules.side_bets[name].alone == "refused":
            why = f"{name} needs a main wager of the same player on the box"
            refuse(f"side_bets.{name}.alone", command, why)
    _return_sides(run, command)


def _side_basis(command: cmd.Wager) -> tuple[str, ...]:
    parts = ("box", "offered_as", "stake")
    return tuple(f"side_bets.{name}.{part}" for name in command.sides for part in parts)


def _return_sides(run: Run, command: cmd.Wager) -> None:
    """Side bets without a main wager in play are void and go back."""
    for name, stake in command.sides.items():
        basis = (f"side_bets.{name}.alone", "void")
        run.emit(
            ev.WagerReturned(player=command.player, box=command.box, wager=name, amount=stake, basis=basis)
        )


def _refuse_in_round(state: State, command: Command) -> None:
    if round_in_progress(state):
        begun = state.dealt or state.stage != "dealing"
        refuse("wagers_locked" if begun else "no_more_bets", command, "no more bets")


@handles(cmd.TakeBack)
def take_back(run: Run, command: cmd.TakeBack) -> None:
    state = run.state
    box = require_box(state, command, command.box)
    _refuse_in_round(state, command)
    bet = next((bet for bet in box.bets if bet.player == command.player), None)
    if bet is None or state.stage != "betting":
        refuse("betting_opens", command, f"{command.player} has no wager on box {command.box}")
    amount = bet.stake + bet.over + sum(side.stake for side in bet.sides)
    run.emit(
        ev.WagerReturned(
            player=command.player, box=command.box, wager="main", amount=amount, basis=("betting_opens",)
        )
    )


@handles(cmd.AnnounceNoMoreBets)
def announce_no_more_bets(run: Run, command: cmd.AnnounceNoMoreBets) -> None:
    state = run.state
    require_stage(state, command, "betting_opens", "betting")
    boxes = tuple(box.number for box in active(state))
    if len(boxes) < state.rules.boxes_needed:
        ground = "boxes_needed" if boxes else "betting_opens"
        refuse(ground, command, f"{len(boxes)} box(es) with a wager, {state.rules.boxes_needed} needed")
    run.emit(ev.NoMoreBets(boxes=boxes, basis=("no_more_bets", "boxes_needed")))
