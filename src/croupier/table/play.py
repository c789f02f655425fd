"""The subsequent deal: what the boxes decide."""

from __future__ import annotations

from croupier.game.hand import Bar, hand_total
from croupier.game.moves import card_bar, double_bar, split_bar, stand_bar
from croupier.money import dollars
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.commands import Command
from croupier.table.deal import begin_play, lay, place_name
from croupier.table.offers import refuse_away
from croupier.table.run import Run, refuse, refuse_barred
from croupier.table.settle import circumstances
from croupier.table.shoe import card_target, check_any_card, leaves_shoe, refuse_before_cards
from croupier.table.sidebets import settle_sides
from croupier.table.state import Box, BoxHand, Move, State, decider, present, turn
from croupier.table.turns import carry_out, lapse, still_asked, who_may_join

# What a bettor may answer where the decider splits or doubles.
Answering = cmd.Split | cmd.Ride | cmd.Double | cmd.Stay


def close_offers(run: Run, command: cmd.CloseOffers) -> None:
    if run.state.stage != "offers":
        refuse("insurance_closes", command, "nothing is on offer")
    begin_play(run)


# Who may decide, and when


def find_hand(state: State, command: Command, number: int, hand_number: int) -> tuple[Box, BoxHand]:
    if not 1 <= number <= len(state.boxes) or not 1 <= hand_number <= len(state.box(number).hands):
        refuse("turns", command, f"there is no hand {place_name(number, hand_number)} in play")
    box = state.box(number)
    return box, box.hands[hand_number - 1]


def require_turn(state: State, command: Command, number: int, hand_number: int) -> None:
    """It is this hand's turn, and a decision of it is due."""
    place = turn(state)
    if place != (number, hand_number):
        if place and place[0] == number:
            refuse("first_hand_first", command, f"hand {place_name(*place)} is to be completed first")
        due = (
            f"the turn is with {place_name(*place)}"
            if place
            else f"the table is at the stage '{state.stage}'"
        )
        ground = {"dealing": "initial_deal", "offers": "subsequent_deal"}.get(state.stage, "turns")
        refuse(ground, command, due)
    if state.hand(number, hand_number).calls:
        refuse("subsequent_deal", command, "a card is to be dealt first")


def require_decision(state: State, command: Command, number: int, hand_number: int) -> None:
    """A decision of this hand is due, and not the answers to one."""
    require_turn(state, command, number, hand_number)
    hand = state.hand(number, hand_number)
    if hand.asked:
        waiting = ", ".join(still_asked(state, state.box(number), hand))
        refuse(
            answer_ground(state, hand.asked),
            command,
            f"a {hand.asked} is under way: {waiting} still to answer",
        )


def require_decider(state: State, command: Command, box: Box, hand: BoxHand, player: str) -> None:
    owner = decider(state, box, hand)
    refuse_away(state, command, box, player)
    if player == owner and player:
        return
    if not owner:
        refuse("absent_draws_to", command, f"nobody is there to decide for box {box.number}")
    if any(bet.player == player for bet in box.bets):
        why = f"{owner} decides for box {box.number}, not {player}"
        refuse(decided_by(box, owner), command, why)
    refuse("no_influence", command, f"{player} has no wager on box {box.number}")


def decided_by(box: Box, player: str) -> str:
    """The ground on which a player decides for a box."""
    return "decider_seated" if box.seated == player else "decider_nearest"


# Hit and stand


def hit(run: Run, command: cmd.Hit) -> None:
    state, player = run.state, run.by.name
    box, hand = find_hand(state, command, command.box, command.hand)
    refuse_barred(command, card_bar(state.rules, hand))
    require_decision(state, command, command.box, command.hand)
    require_decider(state, command, box, hand, player)
    run.emit(
        ev.CardCalled(
            box=box.number,
            hand=command.hand,
            player=player,
            basis=("may_draw", decided_by(box, player), "turns"),
        )
    )


def stand(run: Run, command: cmd.Stand) -> None:
    state, player = run.state, run.by.name
    box, hand = find_hand(state, command, command.box, command.hand)
    require_decision(state, command, command.box, command.hand)
    require_decider(state, command, box, hand, player)
    refuse_barred(command, stand_bar(state.rules, hand))
    _, soft = hand_total(state.rules, hand)
    basis = ("may_stand", decided_by(box, player), "soft_total" if soft else "hard_total")
    run.emit(ev.HandStood(box=box.number, hand=command.hand, player=player, basis=basis))
    settle_sides(run, box.number, final=True)


# Split


def split(run: Run, command: cmd.Split) -> None:
    state, player = run.state, run.by.name
    box, hand = find_hand(state, command, command.box, command.hand)
    if hand.asked != "split":
        refuse_barred(command, split_bar(state.rules, hand, len(box.hands)))
    _require_own_turn(run, command, box, hand, "split", "split_by_decider")
    riding = {stake.player for stake in hand.stakes if stake.lives} - set(who_may_join(state, box, hand))
    if riding and state.rules.riders == "none" and not hand.asked:
        refuse("riders", command, f"{', '.join(sorted(riding))} cannot split, and all do or nobody")
    stake = hand.stake_of(player)
    if command.amount is not None and command.amount != stake:
        why = f"{player} must add {dollars(stake)}, not {dollars(command.amount)}"
        refuse("split_needs_equal", command, why)
    _join(run, command, box, hand, "split", stake)


def ride(run: Run, command: cmd.Ride) -> None:
    box, hand = find_hand(run.state, command, command.box, command.hand)
    _require_asked(run, command, box, hand, "split")
    if run.state.rules.riders == "none":
        refuse("riders", command, "everybody on the hand splits, or nobody")
    _join(run, command, box, hand, "split", 0)


def stay(run: Run, command: cmd.Stay) -> None:
    """Not to split is to ride, and where nobody may ride the split lapses."""
    box, hand = find_hand(run.state, command, command.box, command.hand)
    _require_asked(run, command, box, hand, hand.asked)
    if hand.asked == "split" and run.state.rules.riders == "none":
        lapse(run, box, command.hand, "riders")
    else:
        _join(run, command, box, hand, hand.asked, 0)


def _require_own_turn(
    run: Run, command: cmd.Split | cmd.Double, box: Box, hand: BoxHand, move: Move, ground: str
) -> None:
    """Only the decider elects a move; the others on the hand answer, each for their own money."""
    state, player = run.state, run.by.name
    require_turn(state, command, command.box, command.hand)
    refuse_away(state, command, box, player)
    if hand.asked:
        _require_asked(run, command, box, hand, move)
        return
    owner = decider(state, box, hand)
    if not owner:
        refuse("absent_draws_to", command, f"nobody is there to decide for box {box.number}")
    if player not in who_may_join(state, box, hand):
        refuse("box", command, f"{player} has no wager on this hand")
    if player != owner:
        refuse(ground, command, f"{owner} decides for box {box.number} and has not chosen to {move}")


def _require_asked(run: Run, command: Answering, box: Box, hand: BoxHand, move: Move) -> None:
    """The player is asked to answer this move, and has not answered yet."""
    state, player = run.state, run.by.name
    require_turn(state, command, command.box, command.hand)
    refuse_away(state, command, box, player)
    if not move or hand.asked != move:
        refuse("turns", command, f"nobody is asked about a {move or 'split or double'}")
    if player not in still_asked(state, box, hand):
        why = f"{player} has answered, or has no wager on this hand"
        refuse(answer_ground(state, move), command, why)


def answer_ground(state: State, move: Move) -> str:
    """The provision under which the others on a hand answer."""
    if move == "double":
        return "one_card_binds_all"
    return "riders" if state.rules.riders == "none" else "others_choose_at_split"


def _join(run: Run, command: Answering, box: Box, hand: BoxHand, move: Move, amount: int) -> None:
    """Put an answer on record, and carry the move out where it was the last."""
    number, player = command.hand, run.by.name
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
    state, player = run.state, run.by.name
    box, hand = find_hand(state, command, command.box, command.hand)
    if hand.asked != "double":
        refuse_barred(command, double_bar(state.rules, hand))
    _require_own_turn(run, command, box, hand, "double", "double_by_decider")
    amount = hand.stake_of(player) if command.amount is None else command.amount
    refuse_barred(command, amount_bar(state, hand, player, amount))
    _join(run, command, box, hand, "double", amount)


def forfeit(run: Run, command: cmd.Forfeit) -> None:
    state, player = run.state, run.by.name
    if not state.rules.forfeit:
        refuse("forfeit", command, "the rules know no forfeit of a double")
    box, hand = find_hand(state, command, command.box, command.hand)
    refuse_away(state, command, box, player)
    stake = next((stake for stake in hand.stakes if stake.player == player), None)
    if stake is None or not stake.doubled:
        refuse(
            "forfeit",
            command,
            f"{player} has no double on hand {place_name(command.box, command.hand)}",
        )
    if not stake.lives:
        refuse("forfeit", command, "the wager is decided already")
    if hand.calls or state.stage not in ("playing", "dealer") or len(state.dealer) > 1:
        refuse("forfeit", command, "a forfeit comes after the double's card and before the dealer's second")
    basis = ("forfeit", *circumstances(state, box, hand, stake))
    run.emit(
        ev.Settled(
            box=box.number,
            hand=command.hand,
            player=player,
            wager="main",
            stake=stake.total,
            net=-stake.original,
            end="forfeited",
            basis=basis,
        )
    )


# Absence


def report_absent(run: Run, command: cmd.ReportAbsent) -> None:
    state = run.state
    box, hand = find_hand(state, command, command.box, command.hand)
    if state.stage != "offers":
        require_turn(state, command, command.box, command.hand)
    here = present(state, box, hand)
    player = command.player or _asked_now(state, box, hand)
    if command.player and command.player not in here:
        refuse("absent_draws_to", command, f"{player} does not decide here, or is away already")
    if hand.unattended:
        refuse("absent_draws_to", command, f"that nobody is there for box {box.number} has been reported")
    others = [other for other in here if other != player]
    basis = ("absent_draws_to",) if not others else ("decider", "absent_draws_to")
    run.emit(
        ev.PlayerAbsent(player=player, box=box.number, hand=command.hand, unattended=not others, basis=basis)
    )


def _asked_now(state: State, box: Box, hand: BoxHand) -> str:
    """Whose answer the hand waits for; where nobody may decide, whose stake it is."""
    if hand.asked:
        return still_asked(state, box, hand)[0]
    return decider(state, box, hand) or next(stake.player for stake in hand.stakes)


def player_returns(run: Run, command: cmd.Return) -> None:
    state = run.state
    if command.player in state.people.excluded:
        refuse("exclusion", command, f"{command.player} is excluded from the game")
    if not any(command.player in box.absent for box in state.boxes):
        refuse("absent_draws_to", command, f"{command.player} has not been reported absent")
    run.emit(ev.PlayerReturned(player=command.player, basis=("absent_draws_to",)))


def overdraw_dealer(run: Run, command: cmd.OverdrawDealer) -> None:
    """A card with the dealer that was due elsewhere goes there; one that was due nowhere is burnt."""
    state = run.state
    if state.rules.dealer_overdraw == "none":
        refuse("dealer_overdraw", command, "the rules provide nothing for a card too many to the dealer")
    refuse_before_cards(state, command)
    held = check_any_card(state, command, command.card)
    is_next = held or not state.shoe.held
    target = card_target(state) if is_next else None
    if target == (0, 0):
        refuse("dealer_overdraw", command, "no card was drawn to the dealer against the rules")
    if target is not None:
        if state.rules.misplaced_card == "none":
            refuse("misplaced_card", command, "the rules provide nothing for a misplaced card")
        lay(run, command.card, target, laid_on="dealer")
        return
    leaves_shoe(run, ev.CardBurnt(card=command.card, held=held, basis=("dealer_overdraw", "burn")))
