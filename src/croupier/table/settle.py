"""Settlement: what each wager wins or loses, when, and on which ground."""

from __future__ import annotations

from fractions import Fraction

from croupier.game.dealer import given_back, natural_takes, taken
from croupier.game.hand import Bar, is_natural, is_natural_pair
from croupier.game.pay import (
    Basis,
    odds_by_cards,
    result,
    shown_by,
    shown_by_dealer,
    shows_super_bonus,
    super_bonus_for,
    winning_odds,
)
from croupier.money import at_odds
from croupier.rulebook.wager import INSURANCE, MAIN, SUPER_BONUS
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import Actor
from croupier.table.dealer import dealer_has_natural, dealer_needs_card, lost_before
from croupier.table.evolve import cards_on_table
from croupier.table.run import Run, refuse_barred, stage_bar
from croupier.table.shoe import final_ground
from croupier.table.sidebets import settle_sides
from croupier.table.state import Box, BoxHand, End, Stake, State, active


def circumstances(state: State, box: Box, hand: BoxHand, stake: Stake) -> Basis:
    """The provisions that made this stake what it is: over the maximum, riding, split, doubled."""
    basis: list[str] = []
    for bet in box.bets:
        if bet.player == stake.player:
            if bet.over:
                basis.append("over_maximum")
            if bet.under:
                basis.append("under_minimum")
    if box.raised_to:
        basis.append("raised_limit")
    if hand.split:
        basis.append("split_hands_play_on")
        if stake.rides:
            basis.append("riders")
        if stake.joined:
            basis.append("others_split")
        if hand.split_aces:
            basis.append("split_ace_cards")
        if is_natural_pair(state.rules, hand.cards):
            basis.append("natural_after_split")
    if hand.doubled_on:
        basis.append("double_is_for_one_card")
        if len(hand.stakes) > 1:
            basis.append("one_card_binds_all")
        if hand.split:
            basis.append("double_on_split")
        if any(card[0] == "A" for card in hand.cards[: hand.doubled_on]):
            basis.append("double_aces")
    if hand.unattended:
        basis.append("absent_draws_to")
    return tuple(basis)


def _end(
    run: Run,
    box: Box,
    number: int,
    stake: Stake,
    net: int,
    basis: Basis,
    end: End = "settled",
    bonus: bool = False,
    owed: int = 0,
) -> None:
    hand = box.hands[number - 1]
    run.emit(
        ev.Settled(
            box=box.number,
            hand=number,
            player=stake.player,
            wager=MAIN,
            stake=stake.total,
            net=net,
            end=end,
            super_bonus=bonus,
            owed=owed,
            basis=basis + circumstances(run.state, box, hand, stake),
        )
    )


# Odds


def _pay(run: Run, box: Box, number: int, stake: Stake, basis: Basis) -> None:
    hand = box.hands[number - 1]
    rules = run.state.rules
    odds, why = winning_odds(
        rules,
        hand,
        doubled=bool(stake.doubled),
        beside_double=any(other.doubled_on for other in box.hands),
    )
    shown = shows_super_bonus(rules, hand, run.state.dealer[0][0])
    bonus = shown and not box.bonus_barred
    if shown and box.bonus_barred:
        why = (*why, "super_bonus.lost_by_splitting")
    net, owed = at_odds(stake.total, odds), 0
    if bonus and rules.super_bonus_with_odds == "instead":
        net, owed, why = 0, net, ("super_bonus_with_odds",)
    _end(run, box, number, stake, net, basis + why, "paid", bonus, owed)


def pay_lost_bonus(run: Run, number: int) -> None:
    """Hands that were to have the Super Bonus instead of their odds have the odds once it is lost."""
    box = run.state.box(number)
    for hand_number, hand in enumerate(box.hands, start=1):
        odds, why = odds_by_cards(run.state.rules, hand)
        for stake in hand.stakes:
            if stake.owed:
                evens = stake.owed != at_odds(stake.total, odds)
                basis = ("doubled_binds_box", "doubled_evens") if evens else why
                basis = (*basis, "super_bonus.lost_by_splitting")
                _end(run, box, hand_number, stake, stake.owed, basis, "paid")


def pay_naturals_early(run: Run, number: int) -> None:
    """The interim settlement of a box that holds a natural."""
    box = run.state.box(number)
    for stake in box.hands[0].stakes:
        if stake.lives:
            _pay(run, box, 1, stake, ("natural_paid_early", "interim_settlement", "natural_wins"))


def pay_twenty_one(run: Run, number: int, hand_number: int) -> None:
    """Where 21 always wins it is paid at once."""
    box = run.state.box(number)
    for stake in box.hands[hand_number - 1].stakes:
        if stake.lives:
            _pay(run, box, hand_number, stake, ("twenty_one", "twenty_one_wins"))


def lose_busted(run: Run, number: int, hand_number: int) -> None:
    """A hand over 21 is lost at once."""
    box = run.state.box(number)
    hand = box.hands[hand_number - 1]
    basis: Basis = ("player_busts", "split_bust_loses") if hand.split else ("player_busts",)
    for stake in hand.stakes:
        if stake.lives:
            _end(run, box, hand_number, stake, -stake.total, basis, "busted")


# Insurance


def settle_insurance(run: Run, *, won: bool) -> None:
    """Settle every open insurance wager: the dealer's second card has shown."""
    rules = run.state.rules
    basis: Basis = ("insurance_wins", "insurance_pays", "insurance_paid") if won else ("insurance_loses",)
    for box in run.state.boxes:
        for bet in box.bets:
            if bet.insurance_open:
                net = at_odds(bet.insurance, rules.insurance_pays) if won else -bet.insurance
                run.emit(
                    ev.Settled(
                        box=box.number,
                        player=bet.player,
                        wager=INSURANCE,
                        stake=bet.insurance,
                        net=net,
                        basis=(*basis, "insurance_line"),
                    )
                )


# The end of the round


def settle(run: Run, command: cmd.Settle) -> None:
    refuse_barred(command, bars_settlement(run.state, command, run.by))
    natural, boxes = dealer_has_natural(run.state), active(run.state)
    for box in boxes:
        if natural:
            _take_by_natural(run, box.number)
        for number in range(1, len(box.hands) + 1):
            _settle_hand(run, box.number, number)
    settle_insurance(run, won=natural)
    _pay_super_bonus(run)
    for box in boxes:
        settle_sides(run, box.number, final=True)
    run.emit(ev.StageReached(stage="settled", basis=("settlement",)))


def bars_settlement(state: State, command: cmd.Settle, by: Actor) -> Bar | None:
    bar = stage_bar(state, "dealer_draws_last", "dealer")
    if not bar and dealer_needs_card(state):
        return Bar("dealer_draws_to", "the dealer must draw")
    return bar


def _settle_hand(run: Run, number: int, hand_number: int) -> None:
    box = run.state.box(number)
    hand = box.hands[hand_number - 1]
    for stake in hand.stakes:
        if not stake.lives:
            continue
        if hand.surrendered:
            lost = at_odds(stake.original, run.state.rules.surrender_share)
            _end(
                run,
                box,
                hand_number,
                stake,
                -lost,
                ("surrender_collected", "surrender_share", "surrender_binds_box"),
            )
            continue
        rules = run.state.rules
        won, basis = result(rules, shown_by(rules, hand), shown_by_dealer(rules, run.state.dealer))
        if won > 0:
            _pay(run, box, hand_number, stake, basis)
        else:
            _end(run, box, hand_number, stake, won * stake.total, basis)


def _take_by_natural(run: Run, number: int) -> None:
    """What a dealer natural collects from a box, bettor by bettor, as `dealer_natural_takes` says."""
    box = run.state.box(number)
    for player in dict.fromkeys(stake.player for hand in box.hands for stake in hand.stakes):
        _take_from(run, box, player)


def _take_from(run: Run, box: Box, player: str) -> None:
    rules = run.state.rules
    mine = [
        (number, hand, stake)
        for number, hand in enumerate(box.hands, start=1)
        for stake in hand.stakes
        if stake.player == player
    ]
    takes = natural_takes(rules)
    live = [place for place in mine if place[2].lives and not is_natural(rules, place[1])]
    for number, hand, stake in live:
        if not hand.surrendered:
            first = number == live[0][0]
            amount = taken(takes, stake.original, stake.total, first_hand=number == 1, first_live=first)
            _end(run, box, number, stake, -amount, _natural_basis(mine, stake))
        elif rules.surrender_annulled:
            _end(run, box, number, stake, -stake.original, ("surrender_annulled", "dealer_natural"))
    lost = lost_before(box, player)
    if lost:
        number, stake, _ = lost[-1]
        whole = sum(amount for _, _, amount in lost)
        _give_back(run, box, number, stake, given_back(takes, whole, stake.original, lives=bool(live)))


def _give_back(run: Run, box: Box, number: int, stake: Stake, back: int) -> None:
    """Busted stakes count towards the one wager that is lost; the rest comes back."""
    if back:
        run.emit(
            ev.Settled(
                box=box.number,
                hand=number,
                player=stake.player,
                wager=MAIN,
                stake=0,
                net=back,
                end="busted",
                basis=("dealer_natural_takes",),
            )
        )


def _natural_basis(mine: list[tuple[int, BoxHand, Stake]], stake: Stake) -> Basis:
    """`mine` are all the bettor's hands on the box: one who only rides has not split."""
    basis: Basis = ("dealer_natural",)
    if len(mine) > 1:
        basis = (*basis, "dealer_natural_takes")
    if stake.doubled:
        basis = (*basis, "original_only_doubled")
    return basis


def _pay_super_bonus(run: Run) -> None:
    """The Super Bonus for each winning hand, and the consolation for every other main wager."""
    bonus = run.state.rules.super_bonus
    if bonus is None:
        return
    winners = [
        (box, stake)
        for box in run.state.boxes
        for hand in box.hands
        for stake in hand.stakes
        if stake.super_bonus and not box.bonus_barred
    ]
    if not winners:
        return
    for box, stake in winners:
        amount, name = super_bonus_for(bonus, Fraction(stake.original, 100))
        _pay_bonus(run, box, stake.player, 100 * amount, name)
    won = {(box.number, stake.player) for box, stake in winners}
    for box in run.state.boxes:
        for bet in box.bets:
            other = not bet.void and (box.number, bet.player) not in won
            if other and _shares_in_bonus(run.state, box, bet.player):
                _pay_bonus(run, box, bet.player, 100 * bonus.others, "super_bonus.others")


def _shares_in_bonus(state: State, box: Box, player: str) -> bool:
    """Does a wager have its part in another's Super Bonus? Some readings leave out who has lost it."""
    if state.rules.super_bonus_others == "every_wager":
        return True
    won = {
        result.hand
        for result in state.results
        if (result.box, result.player, result.wager) == (box.number, player, MAIN) and result.net > 0
    }
    hands = [
        hand.doubled_on and number in won
        for number, hand in enumerate(box.hands, start=1)
        if any(stake.player == player for stake in hand.stakes)
    ]
    return not box.bonus_barred and not all(hands)


def _pay_bonus(run: Run, box: Box, player: str, amount: int, name: str) -> None:
    run.emit(
        ev.Settled(
            box=box.number,
            player=player,
            wager=SUPER_BONUS,
            stake=0,
            net=amount,
            basis=(name, "super_bonus_before_collection"),
        )
    )


def collect(run: Run, command: cmd.Collect) -> None:
    state = run.state
    refuse_barred(command, bars_collection(state, command, run.by))
    run.emit(ev.CardsCollected(count=len(cards_on_table(state)), basis=("round",)))
    for box in active(state):
        settle_sides(run, box.number, final=True)
    run.emit(ev.RoundEnded(round=state.round, basis=("round",)))
    close_after_last(run)


def bars_collection(state: State, command: cmd.Collect, by: Actor) -> Bar | None:
    return stage_bar(state, "round", "settled")


def close_after_last(run: Run) -> None:
    """After the last of the final rounds the table closes."""
    if run.state.stage == "closed" and not run.state.closing:
        run.emit(ev.TableClosed(basis=("closing_needs_notice", final_ground(run.state))))
