"""The subsequent deal: what the boxes decide."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.money import dollars
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.commands import Command
from croupier.table.deal import begin_play, draw_unattended, finish_boxes, place_name
from croupier.table.hands import TWENTY_ONE, bars_super_bonus, hand_total, is_natural, split_value
from croupier.table.run import Run, handles, refuse
from croupier.table.settle import circumstances
from croupier.table.shoe import card_target, check_card
from croupier.table.sidebets import settle_sides
from croupier.table.state import Box, Hand, State, decider, present, turn

TOTALS_DOUBLED = {"any": range(0, 22), "9-11": range(9, 12), "10-11": range(10, 12)}


@handles(cmd.CloseOffers)
def close_offers(run: Run, command: cmd.CloseOffers) -> None:
    if run.state.stage != "offers":
        refuse("insurance_closes", command, "nothing is on offer")
    begin_play(run)


# Who may decide, and when


def find_hand(state: State, command: Command, number: int, hand_number: int) -> tuple[Box, Hand]:
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


def require_decider(state: State, command: Command, box: Box, hand: Hand, player: str) -> None:
    owner = decider(state, box, hand)
    _refuse_excluded(state, command, (player,))
    if player == owner:
        return
    if any(bet.player == player for bet in box.bets):
        ground = decided_by(box, owner)
        refuse(ground, command, f"{owner or 'nobody'} decides for box {box.number}, not {player}")
    refuse("no_influence", command, f"{player} has no wager on box {box.number}")


def decided_by(box: Box, player: str) -> str:
    """The ground on which a player decides for a box."""
    return "decider_seated" if box.seat == player else "decider_nearest"


def _refuse_closed_to_cards(state: State, command: Command, hand: Hand, *also: str) -> None:
    """Refuse a card for a hand that may never have one, whoever's turn it is."""
    rules = state.rules
    if hand.surrendered:
        refuse("surrender_binds_box", command, "the hand has been surrendered")
    if hand.doubled_on:
        refuse("one_card_binds_all", command, "the hand has been doubled and has its one card")
    if hand.split_aces and len(hand.cards) > rules.split_ace_cards:
        refuse("split_ace_cards", command, f"a split ace takes {rules.split_ace_cards} card(s) only")
    if len(hand.cards) < 2:
        return
    value, _ = hand_total(rules, hand)
    if is_natural(rules, hand):
        refuse("natural_no_card", command, "the hand is a natural", *also)
    if value == TWENTY_ONE and rules.no_card_at == "any_21":
        refuse("no_card_at", command, "the hand totals 21", *also)


# Hit and stand


@handles(cmd.Hit)
def hit(run: Run, command: cmd.Hit) -> None:
    state = run.state
    box, hand = find_hand(state, command, command.box, command.hand)
    _refuse_closed_to_cards(state, command, hand)
    require_turn(state, command, command.box, command.hand)
    require_decider(state, command, box, hand, command.player)
    run.emit(
        ev.CardCalled(
            box=box.number,
            hand=command.hand,
            player=command.player,
            basis=("may_draw", decided_by(box, command.player), "turns"),
        )
    )


@handles(cmd.Stand)
def stand(run: Run, command: cmd.Stand) -> None:
    state = run.state
    box, hand = find_hand(state, command, command.box, command.hand)
    require_turn(state, command, command.box, command.hand)
    require_decider(state, command, box, hand, command.player)
    value, soft = hand_total(state.rules, hand)
    least = state.rules.must_draw_below_hard
    if not soft and value < least and not hand.split_aces:
        refuse("must_draw_below_hard", command, f"hard {value} is below {least}: the hand must draw")
    basis = ("may_stand", decided_by(box, command.player), "soft_total" if soft else "hard_total")
    run.emit(ev.HandStood(box=box.number, hand=command.hand, player=command.player, basis=basis))
    settle_sides(run, box.number, final=True)
    finish_boxes(run)


# Split


def split_problem(state: State, box: Box, hand_number: int) -> tuple[str, str] | None:
    """Why the cards of a hand may not be split: (provision, reason), or None where they may."""
    rules = state.rules
    hand = box.hands[hand_number - 1]
    if "split" in rules.house.withhold:
        return "must_offer", "the house does not offer splits"
    value = split_value(rules, hand.cards)
    if value is None:
        return "split_needs_equal", "only two cards of equal value can be split"
    if value in rules.unsplittable:
        return "unsplittable", f"two cards worth {value} are not split here"
    if hand.split_aces and not rules.resplit_aces:
        return "resplit_aces", "aces are split only once"
    if rules.max_hands is not None and len(box.hands) >= rules.max_hands:
        return "max_hands", f"{len(box.hands)} hands already, the most allowed"
    if hand.surrendered:
        return "surrender_binds_box", "the hand has been surrendered"
    return None


@handles(cmd.Split)
def split(run: Run, command: cmd.Split) -> None:
    state = run.state
    box, hand = find_hand(state, command, command.box, command.hand)
    problem = split_problem(state, box, command.hand)
    if problem:
        refuse(problem[0], command, problem[1])
    require_turn(state, command, command.box, command.hand)
    _refuse_excluded(state, command, command.players)
    owner = decider(state, box, hand)
    if owner not in command.players:
        refuse(
            "split_by_decider",
            command,
            f"{owner or 'nobody'} decides for box {box.number} and does not split",
        )
    on_hand = who_may_join(state, box, hand)
    _require_on_hand(state, command, command.players, on_hand)
    if state.rules.riders == "none" and set(on_hand) - set(command.players):
        refuse("riders", command, "everybody on the hand splits, or nobody")
    for stake in hand.stakes:
        given = command.amounts.get(stake.player, stake.original)
        if given != stake.original:
            why = f"{stake.player} must add {dollars(stake.original)}, not {dollars(given)}"
            refuse("split_needs_equal", command, why)
    players = (owner, *(player for player in on_hand if player in command.players and player != owner))
    basis = ["may_split", "split_needs_equal"]
    if len(on_hand) > 1:
        basis.append("others_choose_at_split")
        basis.append("riders" if set(on_hand) - set(players) else "others_split")
    if bars_super_bonus(state.rules, hand.cards):
        basis.append("super_bonus.lost_by_splitting")
    run.emit(ev.HandSplit(box=box.number, hand=command.hand, players=players, basis=tuple(basis)))


def who_may_join(state: State, box: Box, hand: Hand) -> list[str]:
    """The bettors with a live stake on the hand who are there to split or double."""
    here = present(state, box, hand)
    return [stake.player for stake in hand.stakes if stake.lives and stake.player in here]


def _refuse_excluded(state: State, command: Command, players: Iterable[str]) -> None:
    for player in players:
        if player in state.people.excluded:
            refuse("exclusion", command, f"{player} is excluded from the game")


def _require_on_hand(state: State, command: Command, players: Iterable[str], on_hand: list[str]) -> None:
    for player in players:
        if player not in on_hand:
            absent = any(player in box.absent for box in state.boxes)
            why = f"{player} has no wager on this hand, or is not there to decide"
            refuse("absent_draws_to" if absent else "box", command, why)


# Double


def double_problem(state: State, hand: Hand) -> tuple[str, str] | None:
    """Why a hand may not be doubled: (provision, reason), or None where it may."""
    rules = state.rules
    value, soft = hand_total(rules, hand)
    if "double" in rules.house.withhold:
        return "must_offer", "the house does not offer doubles"
    if hand.split_aces:
        return "no_double_after_aces", "a split ace is not doubled"
    if len(hand.cards) < 2 or (rules.double_cards == "two" and len(hand.cards) > 2):
        return "double_cards", f"a hand of {len(hand.cards)} cards is not doubled"
    if hand.doubled_on:
        return "double_cards", "the hand has been doubled already"
    if hand.split and not rules.double_after_split:
        return "double_after_split", "a split hand is not doubled"
    if rules.double_totals != "any" and (soft or value not in TOTALS_DOUBLED[rules.double_totals]):
        return "double_totals", f"a total of {value} is not doubled; {rules.double_totals} is"
    if value >= TWENTY_ONE and rules.no_card_at != "any_21":
        return "double_cards", f"a total of {value} is not doubled"
    return None


def double_limit(hand: Hand, player: str) -> int:
    """The most (and, where doubles are equal, the only amount) by which a bettor may double."""
    return next((stake.original for stake in hand.stakes if stake.player == player), 0)


@handles(cmd.Double)
def double(run: Run, command: cmd.Double) -> None:
    state = run.state
    box, hand = find_hand(state, command, command.box, command.hand)
    if state.rules.double_totals == "any" and not hand.doubled_on and not hand.split_aces:
        _refuse_closed_to_cards(state, command, hand, "double_cards")
    problem = double_problem(state, hand)
    if problem:
        refuse(problem[0], command, problem[1])
    require_turn(state, command, command.box, command.hand)
    _refuse_excluded(state, command, command.amounts)
    owner = decider(state, box, hand)
    if owner not in command.amounts:
        refuse(
            "double_by_decider",
            command,
            f"{owner or 'nobody'} decides for box {box.number} and does not double",
        )
    on_hand = who_may_join(state, box, hand)
    _require_on_hand(state, command, command.amounts, on_hand)
    for player, amount in command.amounts.items():
        most = double_limit(hand, player)
        fits = amount == most if state.rules.double_amount == "equal" else 0 < amount <= most
        if not fits:
            bound = "exactly" if state.rules.double_amount == "equal" else "up to"
            why = f"{player} may add {bound} {dollars(most)}, not {dollars(amount)}"
            refuse("double_amount", command, why)
    basis = ["may_double", "double_cards", "double_amount", "double_is_for_one_card"]
    if hand.split:
        basis.append("double_on_split")
    if len(on_hand) > 1:
        basis.append("one_card_binds_all")
    basis.append("double_on_two" if len(hand.cards) == 2 else "double_on_more")
    run.emit(ev.HandDoubled(box=box.number, hand=command.hand, amounts=command.amounts, basis=tuple(basis)))


@handles(cmd.Forfeit)
def forfeit(run: Run, command: cmd.Forfeit) -> None:
    state = run.state
    if not state.rules.forfeit:
        refuse("forfeit", command, "the rules know no forfeit of a double")
    box, hand = find_hand(state, command, command.box, command.hand)
    stake = next((stake for stake in hand.stakes if stake.player == command.player), None)
    if stake is None or not stake.doubled:
        refuse(
            "forfeit",
            command,
            f"{command.player} has not doubled hand {place_name(command.box, command.hand)}",
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
            player=command.player,
            wager="main",
            stake=stake.total,
            net=-stake.original,
            end="forfeited",
            basis=basis,
        )
    )


# Absence


@handles(cmd.ReportAbsent)
def report_absent(run: Run, command: cmd.ReportAbsent) -> None:
    state = run.state
    box, hand = find_hand(state, command, command.box, command.hand)
    if not state.rules.absent_draws_to:
        refuse("absent_draws_to", command, "the rules provide nothing for an absent player")
    require_turn(state, command, command.box, command.hand)
    owner = decider(state, box, hand)
    others = [player for player in present(state, box, hand) if player != owner]
    basis = ("absent_draws_to",) if not others else ("decider", "absent_draws_to")
    run.emit(
        ev.PlayerAbsent(player=owner, box=box.number, hand=command.hand, unattended=not others, basis=basis)
    )
    if not others:
        draw_unattended(run, box.number, command.hand)
        finish_boxes(run)


@handles(cmd.OverdrawDealer)
def overdraw_dealer(run: Run, command: cmd.OverdrawDealer) -> None:
    state = run.state
    if state.rules.dealer_overdraw == "none":
        refuse("dealer_overdraw", command, "the rules provide nothing for a card too many to the dealer")
    if state.stage not in ("offers", "playing", "dealer") or card_target(state) == (0, 0):
        refuse("dealer_overdraw", command, "no card was drawn to the dealer against the rules")
    check_card(state, command, command.card)
    run.emit(ev.CardBurnt(card=command.card, basis=("dealer_overdraw", "burn")))
