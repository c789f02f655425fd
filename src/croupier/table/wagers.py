"""Seats, boxes, wagers and limits: everything up to "no more bets"."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from croupier.errors import ParseError
from croupier.game.hand import Bar
from croupier.money import dollars
from croupier.rulebook.choose import whole_cents
from croupier.rulebook.hours import is_within, minutes
from croupier.rulebook.wager import MAIN, UNDER_MINIMUM, WagerName
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import STAFF, Actor
from croupier.table.chips import undecided
from croupier.table.commands import Command
from croupier.table.run import Run, refuse, refuse_barred, stage_bar
from croupier.table.shoe import failed_shoe_bar, final_ground
from croupier.table.state import Bet, Box, Held, Side, State, active, bets_closed, bets_open


def open_betting(run: Run, command: cmd.OpenBetting) -> None:
    refuse_barred(command, bars_opening(run.state, command, run.by))
    run.emit(ev.BettingOpened(round=run.state.round + 1, basis=("betting_opens",)))


def bars_opening(state: State, command: cmd.OpenBetting, by: Actor) -> Bar | None:
    """What bars an invitation to bet."""
    if state.stage == "closed":
        ground = final_ground(state) if state.final_left == 0 else "closing_needs_notice"
        return Bar(ground, "the table is closed")
    bar = failed_shoe_bar(state) or stage_bar(state, "new_shoe", "idle")
    if bar or not (command.at or state.rules.house.hours):
        return bar
    return hours_bar(state, command.at)


def hours_bar(state: State, at: str) -> Bar | None:
    """What bars that which is no time of day, or outside the hours of gaming where such are kept."""
    hours = state.rules.house.hours
    try:
        minutes(at)
    except ParseError as error:
        return Bar("hours", str(error))
    if hours and not is_within(hours, at):
        return Bar("hours", f"{at} is not within the hours of gaming, {hours}")
    return None


def require_box(state: State, command: Command, number: int) -> Box:
    refuse_barred(command, box_bar(state, number))
    return state.box(number)


def box_bar(state: State, number: int) -> Bar | None:
    if 1 <= number <= len(state.boxes):
        return None
    return Bar("box", f"there is no box {number}; the layout has 1 to {len(state.boxes)}")


# Seats


def seats_of(state: State, player: str) -> set[int]:
    return {box.number for box in state.boxes if box.seat == player}


def bets_of(state: State, player: str) -> set[int]:
    """The boxes on which the player has chips."""
    laid = [box for box in state.boxes if box.bets or box.loose]
    return {box.number for box in laid for bet in box.lying if bet.player == player}


def boxes_of(state: State, player: str) -> set[int]:
    """The boxes on which the player sits or bets."""
    return seats_of(state, player) | bets_of(state, player)


# Names under which nobody plays.
BANK = STAFF | {"banker", "bank"}


def welcome_bar(state: State, player: str) -> Bar | None:
    """What bars one who may not play here at all."""
    if not player.strip():
        return Bar("box", "a player needs a name")
    if player in BANK:
        return Bar("bank_does_not_play", f"the {player} does not play")
    if player in state.people.excluded:
        return Bar("exclusion", f"{player} is excluded from the game")
    return None


def several_bar(state: State, player: str, boxes: Callable[[State, str], set[int]], box: int) -> Bar | None:
    """What bars a box beside those that the player has, where the house lets nobody have several."""
    if state.rules.several_boxes != "house" or state.rules.house.several_boxes:
        return None
    elsewhere = boxes(state, player) - {box}
    if not elsewhere:
        return None
    return Bar("several_boxes", f"{player} is on box {min(elsewhere)} and may hold only one")


def sit(run: Run, command: cmd.Sit) -> None:
    state, player = run.state, run.by.name
    box = require_box(state, command, command.box)
    bar = welcome_bar(state, player) or several_bar(state, player, seats_of, command.box)
    refuse_barred(command, bar)
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
    refuse_barred(command, bars_wager(state, command, run.by))
    box = state.box(command.box)
    bet = box.bet_of(player)
    main = _main(state, command, box, bet)
    if main.under and (player, MAIN) in state.people.warned:
        _hand_back(run, command)
        return
    sides = {name: _side(state, name, bet, added) for name, added in command.sides.items()}
    _lay(run, command, box, main, sides)


def bars_wager(state: State, command: cmd.Wager, by: Actor) -> Bar | None:
    """What bars a wager with its side bets."""
    bar = _unopened_bar(state) or box_bar(state, command.box)
    if bar:
        return bar
    box = state.box(command.box)
    return (
        welcome_bar(state, by.name)
        or several_bar(state, by.name, bets_of, command.box)
        or _tender_bar(state, command.tender)
        or _offered_bar(state, command.sides)
        or held_bar(state, box, by.name)
        or _amounts_bar(state, command, box, box.bet_of(by.name))
    )


def _unopened_bar(state: State) -> Bar | None:
    if bets_open(state):
        return None
    not_yet = Bar("betting_opens", f"not while the table is at the stage '{state.stage}'")
    return _closed_bar(state) or not_yet


def _tender_bar(state: State, tender: str) -> Bar | None:
    if not state.rules.chips_only or tender == "chips":
        return None
    return Bar("chips_only", f"wagers are made with chips, not {tender}")


def _amounts_bar(state: State, command: cmd.Wager, box: Box, bet: Bet) -> Bar | None:
    """What bars the amounts; with a main wager that is handed back its side bets go back unasked."""
    if command.stake or not command.sides:
        bar = room_bar(state, box, bet.player) or stake_bar(state, box, bet, command.stake)
        if bar or not command.sides:
            return bar
    main = _main(state, command, box, bet)
    if main.under and (bet.player, MAIN) in state.people.warned:
        return None
    bars = (_side_bar(state, name, bet, main, added) for name, added in command.sides.items())
    return next(filter(None, bars), None)


def _lay(run: Run, command: cmd.Wager, box: Box, main: Laid, sides: dict[str, Laid]) -> None:
    """Lay everything down that is not handed back, and warn of what is below a minimum."""
    player, warned = run.by.name, run.state.people.warned
    under: list[str] = [MAIN] if main.under else []
    under += [name for name, laid in sides.items() if laid.under]
    back = [name for name in under if (player, name) in warned] if under else []
    lying = {name: laid for name, laid in sides.items() if name not in back} if back else sides
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
    for name in under:
        if name not in back:
            run.emit(ev.PlayerWarned(player=player, wager=WagerName(name), basis=("under_minimum",)))
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
        if box.bets and any(bet.player != player for bet in box.bets):
            basis.append("bettors_per_box")
    if main.over:
        basis += ["over_maximum", "maximum_for"]
    elif sides and any(laid.over for laid in sides.values()):
        basis.append("over_maximum")
    for name in sides:
        basis += [f"side_bets.{name}.{part}" for part in ("box", "offered_as", "stake")]
    return tuple(basis)


def _hand_back(run: Run, command: cmd.Wager) -> None:
    """A further wager below the minimum goes back, the side bets laid with it as well."""
    run.emit(
        ev.WagerReturned(
            player=run.by.name,
            box=command.box,
            wager=UNDER_MINIMUM,
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
            wager=WagerName(name),
            amount=command.sides[name],
            unlaid=True,
            basis=basis,
        )
    )


# The main wager


def _main(state: State, command: cmd.Wager, box: Box, bet: Bet) -> Laid:
    """What the command adds to the main wager."""
    if not command.stake:
        return Laid(0)
    total = bet.stake + bet.over + command.stake
    in_play = min(total, most_in_play(state, box, bet.player))
    return Laid(in_play - bet.stake, total - in_play - bet.over, total < state.terms.minimum)


def stake_bar(state: State, box: Box, bet: Bet, stake: int) -> Bar | None:
    """What bars chips of so much, added to what the bettor has in play on the box."""
    total = bet.stake + bet.over + stake
    return (
        _minimum_bar(state, bet.player, total)
        or _multiple_bar(state, stake, total)
        or _limits_bar(state, box, bet, total)
    )


def _limits_bar(state: State, box: Box, bet: Bet, total: int) -> Bar | None:
    """What bars a wager of so much in all by the limits of the table and the box."""
    if total < state.terms.minimum and state.rules.under_minimum == "refuse":
        return Bar(
            "under_minimum", f"{dollars(total)} is below the minimum of {dollars(state.terms.minimum)}"
        )
    most = most_in_play(state, box, bet.player)
    in_play = min(total, most)
    if total > most and (state.rules.over_maximum == "refuse" or in_play <= 0):
        return Bar("over_maximum", f"{dollars(total)} is above the maximum of {dollars(most)}")
    return _raised_total_bar(state, box, bet.player, in_play)


def _multiple_bar(state: State, stake: int, total: int) -> Bar | None:
    """A wager is a multiple of what is displayed; below the minimum it is what chips can make."""
    multiples, proper = state.rules.wager_multiples, total >= state.terms.minimum
    step = state.rules.house.multiple if proper else chip_step(state, state.terms.minimum)
    if stake <= 0:
        return Bar("wager_multiples", "a wager is more than nothing")
    if multiples and total % step:
        return Bar("wager_multiples", f"{dollars(total)} is not a multiple of {dollars(step)}")
    displayed = multiples and proper  # the house's multiple pays so
    if not displayed and total % whole_cents(state.rules):
        return Bar("wager_multiples", f"{dollars(total)} does not pay in whole cents")
    return None


def chip_step(state: State, minimum: int) -> int:
    """Chips make multiples of the smallest one, or whole dollars where the minimum is below it."""
    chip = state.rules.house.smallest_chip
    return chip if chip <= minimum else 100


def room_bar(state: State, box: Box, player: str) -> Bar | None:
    """What bars one more bettor from the box, or any but the one for whom it is raised."""
    others = len([bet for bet in box.bets if bet.player != player])
    most = state.rules.bettors_per_box
    uncapped = box.raised_to and state.rules.raised_box_bettors == "any"
    if others >= most and not uncapped:
        why = f"{others} bettors are on box {box.number}, the most allowed is {most}"
        return Bar("bettors_per_box", why)
    sole = state.rules.raised_limit == "sole" and box.raised_to
    if sole and box.raised_for != player:
        return Bar("raised_limit", f"box {box.number} is raised for {box.raised_for} alone")
    return None


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


def _raised_total_bar(state: State, box: Box, player: str, in_play: int) -> Bar | None:
    room = raised_room(state, box, player)
    if room is None or in_play <= room:
        return None
    why = f"{dollars(in_play)} on box {box.number} would pass its limit: {dollars(max(room, 0))} is left"
    return Bar("raised_box_shared", why)


def held(state: State, player: str) -> Held | None:
    """The order that holds a late or lapsed bettor, if there is one."""
    for order in state.people.held:
        if order.player == player:
            return order
    return None


def held_bar(state: State, box: Box, player: str) -> Bar | None:
    order = held(state, player)
    if order is None or not order.first_box or box.number == 1:
        return None
    return Bar("late_bettor_held_to", f"{player} is held to the first box until a new shoe")


def _minimum_bar(state: State, player: str, total: int) -> Bar | None:
    order = held(state, player)
    if order is None or not order.minimum or total == state.terms.minimum:
        return None
    why = f"{player} is held to the minimum of {dollars(state.terms.minimum)} until a new shoe"
    return Bar("late_bettor_held_to", why)


# Side bets


def _offered_bar(state: State, sides: Iterable[str]) -> Bar | None:
    for name in sides:
        bet = state.rules.side_bets.get(name)
        if bet is None:
            return Bar("features", f"this game has no side bet called {name}")
        if bet.offered_as not in state.terms.offered_on:
            return Bar(f"side_bets.{name}.offered_as", f"{name} is not offered at this table")
    return None


def _side(state: State, name: str, bet: Bet, added: int) -> Laid:
    """What so many chips add to a side bet."""
    terms = state.rules.side_bets[name]
    if terms.stake != "limits":
        return Laid(added)
    offer = state.rules.house.side_bets[terms.offered_as]
    laid = _side_of(bet, name)
    total = laid.stake + laid.over + added
    in_play = min(total, offer.maximum)
    return Laid(in_play - laid.stake, total - in_play - laid.over, total < offer.minimum)


def _side_of(bet: Bet, name: str) -> Side:
    """The side bet as it lies, or nothing of it."""
    return next((side for side in bet.sides if side.name == name), Side(name=name, stake=0))


def _side_bar(state: State, name: str, bet: Bet, laid: Laid, added: int) -> Bar | None:
    """What bars so many chips on a side bet, beside the main wager with what is laid on it now."""
    terms, main = state.rules.side_bets[name], bet.stake + laid.stake
    if added <= 0:
        return Bar(f"side_bets.{name}.stake", f"{dollars(added)} is no stake")
    if not main and terms.alone == "refused":
        why = f"{name} needs a main wager of the same player on the box"
        return Bar(f"side_bets.{name}.alone", why)
    lying = _side_of(bet, name)
    return _side_total_bar(state, name, lying.stake + lying.over + added, main)


def _side_total_bar(state: State, name: str, total: int, main: int) -> Bar | None:
    """What bars a side bet of so much in all beside a main wager."""
    terms, provision = state.rules.side_bets[name], f"side_bets.{name}.stake"
    offer = state.rules.house.side_bets[terms.offered_as]
    if terms.stake == "approved_amount" and total != offer.amount:
        return Bar(provision, f"a {name} stake is {dollars(offer.amount)}, not {dollars(total)}")
    if terms.stake == "up_to_main" and main and total > main:
        return Bar(provision, f"a {name} stake may not exceed the main wager of {dollars(main)}")
    if any(total * row.pays % 1 for row in terms.rows.values()):
        return Bar(provision, f"{dollars(total)} on {name} does not pay in whole cents")
    step = chip_step(state, offer.minimum)
    if terms.stake == "limits" and state.rules.wager_multiples and total % step:
        return Bar("wager_multiples", f"{dollars(total)} is not a multiple of {dollars(step)}")
    return None


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
            ev.WagerReturned(
                player=bet.player, box=box.number, wager=WagerName(side.name), amount=amount, basis=basis
            )
        )


# Until bets close


def _closed_bar(state: State) -> Bar | None:
    if not bets_closed(state):
        return None
    return Bar("wagers_locked" if state.dealt else "no_more_bets", "no more bets")


def take_back(run: Run, command: cmd.TakeBack) -> None:
    refuse_barred(command, bars_taking_back(run.state, command, run.by))
    box = run.state.box(command.box)
    give_back(run, box, box.bet_of(run.by.name), "betting_opens")


def bars_taking_back(state: State, command: cmd.TakeBack, by: Actor) -> Bar | None:
    """What bars a bettor from taking back all that lies on a box."""
    bar = box_bar(state, command.box) or _closed_bar(state)
    if bar:
        return bar
    if by.name in state.people.excluded:
        return Bar("exclusion", f"{by.name} is excluded: the wager plays out, or is voided")
    if not bets_open(state) or not state.box(command.box).bet_of(by.name).chips:
        return Bar("betting_opens", f"{by.name} has no wager on box {command.box}")
    return None


def give_back(run: Run, box: Box, bet: Bet, *basis: str) -> None:
    """All that a player has laid on a box goes back, as no card has been dealt."""
    if not bet.stake:
        _return_sides(run, box, bet, *basis)
        return
    run.emit(ev.WagerReturned(player=bet.player, box=box.number, wager=MAIN, amount=bet.chips, basis=basis))


def announce_no_more_bets(run: Run, command: cmd.AnnounceNoMoreBets) -> None:
    refuse_barred(command, bars_no_more_bets(run.state, command, run.by))
    boxes = tuple(box.number for box in active(run.state))
    run.emit(ev.NoMoreBets(boxes=boxes, basis=("no_more_bets", "boxes_needed")))


def bars_no_more_bets(state: State, command: cmd.AnnounceNoMoreBets, by: Actor) -> Bar | None:
    """What bars the end of the bets."""
    bar = stage_bar(state, "betting_opens", "betting") or failed_shoe_bar(state)
    boxes, needed = len(active(state)), state.rules.boxes_needed
    if bar or boxes >= needed:
        return bar
    ground = "boxes_needed" if boxes or needed > 1 else "betting_opens"
    wagers = f"{boxes or 'no'} {'box has a wager' if boxes == 1 else 'boxes have a wager'}"
    return Bar(ground, f"{wagers}, and a round needs {needed}")
