"""The subsequent deal: what the boxes decide."""

from __future__ import annotations

from croupier.cards import Card
from croupier.game.hand import Bar, hand_total
from croupier.game.moves import card_bar, double_bar, split_bar, stand_bar
from croupier.money import dollars
from croupier.rulebook.wager import MAIN
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import Actor
from croupier.table.deal import begin_play, lay, place_name
from croupier.table.offers import away_bar
from croupier.table.run import Run, refuse_barred
from croupier.table.settle import circumstances
from croupier.table.shoe import any_card_bar, card_target, is_held, leaves_shoe, unloaded_bar
from croupier.table.sidebets import settle_sides
from croupier.table.state import Box, BoxHand, Move, State, decider, present, turn
from croupier.table.turns import carry_out, lapse, still_asked, who_may_join

# What a bettor may answer where the decider splits or doubles.
Answering = cmd.Split | cmd.Ride | cmd.Double | cmd.Stay


def close_offers(run: Run, command: cmd.CloseOffers) -> None:
    refuse_barred(command, bars_closing(run.state, command, run.by))
    begin_play(run)


def bars_closing(state: State, command: cmd.CloseOffers, by: Actor) -> Bar | None:
    return None if state.stage == "offers" else Bar("insurance_closes", "nothing is on offer")


# Who may decide, and when


def hand_bar(state: State, number: int, hand_number: int) -> Bar | None:
    """What bars everything about a hand that is not there."""
    if 1 <= number <= len(state.boxes) and 1 <= hand_number <= len(state.box(number).hands):
        return None
    return Bar("turns", f"there is no hand {place_name(number, hand_number)} in play")


def turn_bar(state: State, number: int, hand_number: int) -> Bar | None:
    """It is this hand's turn, and a decision of it is due."""
    place = turn(state)
    if place == (number, hand_number):
        waits = state.hand(*place).calls
        return Bar("subsequent_deal", "a card is to be dealt first") if waits else None
    if place is None:
        ground = {"dealing": "initial_deal", "offers": "subsequent_deal"}.get(state.stage, "turns")
        return Bar(ground, f"the table is at the stage '{state.stage}'")
    if place[0] == number:
        return Bar("first_hand_first", f"hand {place_name(*place)} is to be completed first")
    return Bar("turns", f"the turn is with {place_name(*place)}")


def decision_bar(state: State, box: Box, number: int) -> Bar | None:
    """A decision of this hand is due, and not the answers to one."""
    bar, hand = turn_bar(state, box.number, number), box.hands[number - 1]
    if bar or not hand.asked:
        return bar
    waiting = ", ".join(still_asked(state, box, hand))
    why = f"a {hand.asked} is under way: {waiting} still to answer"
    return Bar(answer_ground(state, hand.asked), why)


def decider_bar(state: State, box: Box, hand: BoxHand, player: str) -> Bar | None:
    """What bars one who does not decide for the hand."""
    owner = decider(state, box, hand)
    bar = away_bar(state, box, player)
    if bar or (player == owner and player):
        return bar
    if not owner:
        return nobody_bar(box)
    if any(bet.player == player for bet in box.bets):
        return Bar(decided_by(box, owner), f"{owner} decides for box {box.number}, not {player}")
    return Bar("no_influence", f"{player} has no wager on box {box.number}")


def nobody_bar(box: Box) -> Bar:
    return Bar("absent_draws_to", f"nobody is there to decide for box {box.number}")


def decided_by(box: Box, player: str) -> str:
    """The ground on which a player decides for a box."""
    return "decider_seated" if box.seated == player else "decider_nearest"


# Hit and stand


def hit(run: Run, command: cmd.Hit) -> None:
    refuse_barred(command, bars_hit(run.state, command, run.by))
    player, box = run.by.name, run.state.box(command.box)
    basis = ("may_draw", decided_by(box, player), "turns")
    run.emit(ev.CardCalled(box=box.number, hand=command.hand, player=player, basis=basis))


def bars_hit(state: State, command: cmd.Hit, by: Actor) -> Bar | None:
    """What bars a player from calling a card."""
    bar = hand_bar(state, command.box, command.hand)
    if bar:
        return bar
    box, hand = state.box(command.box), state.hand(command.box, command.hand)
    return (
        card_bar(state.rules, hand)
        or decision_bar(state, box, command.hand)
        or decider_bar(state, box, hand, by.name)
    )


def stand(run: Run, command: cmd.Stand) -> None:
    state, player = run.state, run.by.name
    refuse_barred(command, bars_stand(state, command, run.by))
    _, soft = hand_total(state.rules, state.hand(command.box, command.hand))
    ground = decided_by(state.box(command.box), player)
    basis = ("may_stand", ground, "soft_total" if soft else "hard_total")
    run.emit(ev.HandStood(box=command.box, hand=command.hand, player=player, basis=basis))
    settle_sides(run, command.box, final=True)


def bars_stand(state: State, command: cmd.Stand, by: Actor) -> Bar | None:
    """What bars a player from taking no further card."""
    bar = hand_bar(state, command.box, command.hand)
    if bar:
        return bar
    box, hand = state.box(command.box), state.hand(command.box, command.hand)
    return (
        decision_bar(state, box, command.hand)
        or decider_bar(state, box, hand, by.name)
        or stand_bar(state.rules, hand)
    )


# Split


def split(run: Run, command: cmd.Split) -> None:
    refuse_barred(command, bars_split(run.state, command, run.by))
    _join(run, command, "split", run.state.hand(command.box, command.hand).stake_of(run.by.name))


def bars_split(state: State, command: cmd.Split, by: Actor) -> Bar | None:
    """What bars a player from splitting, or from joining a split with so much."""
    bar = hand_bar(state, command.box, command.hand)
    if bar:
        return bar
    box, hand = state.box(command.box), state.hand(command.box, command.hand)
    by_cards = split_bar(state.rules, hand, len(box.hands)) if hand.asked != "split" else None
    return (
        by_cards
        or _own_turn_bar(state, command, by, "split", "split_by_decider")
        or _riding_bar(state, box, hand)
        or _equal_bar(hand, by.name, command.amount)
    )


def _riding_bar(state: State, box: Box, hand: BoxHand) -> Bar | None:
    """What bars a split in which somebody could only ride, where nobody may."""
    if hand.asked or state.rules.riders != "none":
        return None
    riding = {stake.player for stake in hand.stakes if stake.lives} - set(who_may_join(state, box, hand))
    why = f"{', '.join(sorted(riding))} cannot split, and all do or nobody"
    return Bar("riders", why) if riding else None


def _equal_bar(hand: BoxHand, player: str, amount: int | None) -> Bar | None:
    stake = hand.stake_of(player)
    if amount is None or amount == stake:
        return None
    return Bar("split_needs_equal", f"{player} must add {dollars(stake)}, not {dollars(amount)}")


def ride(run: Run, command: cmd.Ride) -> None:
    refuse_barred(command, bars_ride(run.state, command, run.by))
    _join(run, command, "split", 0)


def bars_ride(state: State, command: cmd.Ride, by: Actor) -> Bar | None:
    """What bars a bettor from riding on a split."""
    bar = hand_bar(state, command.box, command.hand) or _asked_bar(state, command, by, "split")
    if not bar and state.rules.riders == "none":
        return Bar("riders", "everybody on the hand splits, or nobody")
    return bar


def stay(run: Run, command: cmd.Stay) -> None:
    """Not to split is to ride, and where nobody may ride the split lapses."""
    state = run.state
    refuse_barred(command, bars_stay(state, command, run.by))
    move = state.hand(command.box, command.hand).asked
    if move == "split" and state.rules.riders == "none":
        lapse(run, state.box(command.box), command.hand, "riders")
    else:
        _join(run, command, move, 0)


def bars_stay(state: State, command: cmd.Stay, by: Actor) -> Bar | None:
    """What bars a bettor from adding nothing."""
    bar = hand_bar(state, command.box, command.hand)
    return bar or _asked_bar(state, command, by, state.hand(command.box, command.hand).asked)


def _own_turn_bar(
    state: State, command: cmd.Split | cmd.Double, by: Actor, move: Move, ground: str
) -> Bar | None:
    """Only the decider elects a move; the others on the hand answer, each for their own money."""
    box, hand = state.box(command.box), state.hand(command.box, command.hand)
    if hand.asked:
        return _asked_bar(state, command, by, move)
    bar = turn_bar(state, command.box, command.hand) or away_bar(state, box, by.name)
    owner = decider(state, box, hand)
    if bar or (owner == by.name and owner in who_may_join(state, box, hand)):
        return bar
    if not owner:
        return nobody_bar(box)
    if by.name not in who_may_join(state, box, hand):
        return Bar("box", f"{by.name} has no wager on this hand")
    return Bar(ground, f"{owner} decides for box {box.number} and has not chosen to {move}")


def _asked_bar(state: State, command: Answering, by: Actor, move: Move) -> Bar | None:
    """The player is asked to answer this move, and has not answered yet."""
    box, hand = state.box(command.box), state.hand(command.box, command.hand)
    bar = turn_bar(state, command.box, command.hand) or away_bar(state, box, by.name)
    if bar:
        return bar
    if not move or hand.asked != move:
        return Bar("turns", f"nobody is asked about a {move or 'split or double'}")
    if by.name in still_asked(state, box, hand):
        return None
    return Bar(answer_ground(state, move), f"{by.name} has answered, or has no wager on this hand")


def answer_ground(state: State, move: Move) -> str:
    """The provision under which the others on a hand answer."""
    if move == "double":
        return "one_card_binds_all"
    return "riders" if state.rules.riders == "none" else "others_choose_at_split"


def _join(run: Run, command: Answering, move: Move, amount: int) -> None:
    """Put an answer on record, and carry the move out where it was the last."""
    player, box = run.by.name, run.state.box(command.box)
    number, hand = command.hand, box.hands[command.hand - 1]
    if hand.asked:
        ground = "one_card_binds_all"
        if move == "split":
            ground = "others_split" if amount else "riders"
        answer = ev.MoveAnswered(player=player, box=box.number, hand=number, amount=amount, basis=(ground,))
        run.emit(answer)
    elif len(who_may_join(run.state, box, hand)) == 1:
        carry_out(run, box, number, move, {player: amount})
    else:
        may = "may_split" if move == "split" else "may_double"
        basis = (may, decided_by(box, player))
        run.emit(
            ev.MoveElected(player=player, box=box.number, hand=number, move=move, amount=amount, basis=basis)
        )


# Double


def double_step(state: State, hand: BoxHand, player: str) -> int:
    """A double is made in multiples of so many cents; one in full always fits."""
    full = hand.stake_of(player)
    if state.rules.double_amount == "equal":
        return full
    return state.rules.house.multiple if state.rules.wager_multiples else 1


def amount_bar(state: State, hand: BoxHand, player: str, amount: int) -> Bar | None:
    """What bars a bettor from doubling by so much."""
    full = hand.stake_of(player)
    if amount == full:
        return None
    if state.rules.double_amount == "equal" or not 0 < amount < full:
        bound = "exactly" if state.rules.double_amount == "equal" else "up to"
        return Bar("double_amount", f"{player} may add {bound} {dollars(full)}, not {dollars(amount)}")
    step = double_step(state, hand, player)
    if amount % step:
        return Bar("double_amount", f"{dollars(amount)} is not a multiple of {dollars(step)}")
    return None


def double(run: Run, command: cmd.Double) -> None:
    refuse_barred(command, bars_double(run.state, command, run.by))
    hand = run.state.hand(command.box, command.hand)
    _join(run, command, "double", hand.stake_of(run.by.name) if command.amount is None else command.amount)


def bars_double(state: State, command: cmd.Double, by: Actor) -> Bar | None:
    """What bars a player from doubling, or from joining a double, by so much."""
    bar = hand_bar(state, command.box, command.hand)
    if bar:
        return bar
    hand = state.hand(command.box, command.hand)
    by_cards = double_bar(state.rules, hand) if hand.asked != "double" else None
    bar = by_cards or _own_turn_bar(state, command, by, "double", "double_by_decider")
    if bar or command.amount is None:
        return bar
    return amount_bar(state, hand, by.name, command.amount)


def forfeit(run: Run, command: cmd.Forfeit) -> None:
    state = run.state
    refuse_barred(command, bars_forfeit(state, command, run.by))
    box, hand = state.box(command.box), state.hand(command.box, command.hand)
    stake = next(stake for stake in hand.stakes if stake.player == run.by.name)
    run.emit(
        ev.Settled(
            box=command.box,
            hand=command.hand,
            player=stake.player,
            wager=MAIN,
            stake=stake.total,
            net=-stake.original,
            end="forfeited",
            basis=("forfeit", *circumstances(state, box, hand, stake)),
        )
    )


def bars_forfeit(state: State, command: cmd.Forfeit, by: Actor) -> Bar | None:
    """What bars a player from giving up the original wager of a double."""
    if not state.rules.forfeit:
        return Bar("forfeit", "the rules know no forfeit of a double")
    number, hand_number = command.box, command.hand
    bar = hand_bar(state, number, hand_number) or away_bar(state, state.box(number), by.name)
    if bar:
        return bar
    hand = state.hand(number, hand_number)
    stake = next((stake for stake in hand.stakes if stake.player == by.name), None)
    if stake is None or not stake.doubled:
        return Bar("forfeit", f"{by.name} has no double on hand {place_name(number, hand_number)}")
    if not stake.lives:
        return Bar("forfeit", "the wager is decided already")
    if hand.calls or state.stage not in ("playing", "dealer") or len(state.dealer) > 1:
        return Bar("forfeit", "a forfeit comes after the double's card and before the dealer's second")
    return None


# Absence


def report_absent(run: Run, command: cmd.ReportAbsent) -> None:
    state = run.state
    refuse_barred(command, bars_absence(state, command, run.by))
    box, hand = state.box(command.box), state.hand(command.box, command.hand)
    player = command.player or _asked_now(state, box, hand)
    others = [other for other in present(state, box, hand) if other != player]
    basis = ("absent_draws_to",) if not others else ("decider", "absent_draws_to")
    run.emit(
        ev.PlayerAbsent(player=player, box=box.number, hand=command.hand, unattended=not others, basis=basis)
    )


def bars_absence(state: State, command: cmd.ReportAbsent, by: Actor) -> Bar | None:
    """What bars a report that one who decides, or is named, is not there."""
    bar = hand_bar(state, command.box, command.hand)
    if not bar and state.stage != "offers":
        bar = turn_bar(state, command.box, command.hand)
    if bar:
        return bar
    box, hand = state.box(command.box), state.hand(command.box, command.hand)
    if command.player and command.player not in present(state, box, hand):
        return Bar("absent_draws_to", f"{command.player} does not decide here, or is away already")
    if hand.unattended:
        return Bar("absent_draws_to", f"that nobody is there for box {box.number} has been reported")
    return None


def _asked_now(state: State, box: Box, hand: BoxHand) -> str:
    """Whose answer the hand waits for; where nobody may decide, whose stake it is."""
    waiting = still_asked(state, box, hand) if hand.asked else []
    return waiting[0] if waiting else decider(state, box, hand) or hand.stakes[0].player


def player_returns(run: Run, command: cmd.Return) -> None:
    refuse_barred(command, bars_return(run.state, command, run.by))
    run.emit(ev.PlayerReturned(player=command.player, basis=("absent_draws_to",)))


def bars_return(state: State, command: cmd.Return, by: Actor) -> Bar | None:
    """What bars a report that one who was absent is back."""
    if command.player in state.people.excluded:
        return Bar("exclusion", f"{command.player} is excluded from the game")
    if any(command.player in box.absent for box in state.boxes):
        return None
    return Bar("absent_draws_to", f"{command.player} has not been reported absent")


def overdraw_dealer(run: Run, command: cmd.OverdrawDealer) -> None:
    """A card with the dealer that was due elsewhere goes there; one that was due nowhere is burnt."""
    refuse_barred(command, bars_overdraw(run.state, command, run.by))
    target = _due_elsewhere(run.state, command.card)
    if target is not None:
        lay(run, command.card, target, laid_on="dealer")
        return
    held = is_held(run.state, command.card)
    leaves_shoe(run, ev.CardBurnt(card=command.card, held=held, basis=("dealer_overdraw", "burn")))


def bars_overdraw(state: State, command: cmd.OverdrawDealer, by: Actor) -> Bar | None:
    """What bars a card too many from lying with the dealer."""
    if state.rules.dealer_overdraw == "none":
        return Bar("dealer_overdraw", "the rules provide nothing for a card too many to the dealer")
    bar = unloaded_bar(state) or any_card_bar(state, command.card)
    if bar:
        return bar
    target = _due_elsewhere(state, command.card)
    if target == (0, 0):
        return Bar("dealer_overdraw", "no card was drawn to the dealer against the rules")
    if target is not None and state.rules.misplaced_card == "none":
        return Bar("misplaced_card", "the rules provide nothing for a misplaced card")
    return None


def _due_elsewhere(state: State, card: Card) -> tuple[int, int] | None:
    """Where a card that lies with the dealer was due, if it was the next."""
    return card_target(state) if is_held(state, card) or not state.shoe.held else None
