"""Side bets: one mechanism for every paytable.

A side bet is decided on the first cards dealt to a box. It is settled as soon as no further card
can change the best row that fits; a row that is paid after the round waits until the cards, the
dealer's among them, have been collected.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.cards import NUMBERED, Card
from croupier.game.paytables import best_row, may_become_better
from croupier.money import at_odds
from croupier.rulebook.wager import WagerName
from croupier.table import events as ev
from croupier.table.run import Run
from croupier.table.state import Bet, Box, Side, State, active


def short_name(side: str) -> str:
    """`perfect_pairs` is pp, `over_13` is o13."""
    return "".join(part if part.isdigit() else part[:1] for part in side.split("_"))


def settle_sides(run: Run, number: int, *, final: bool = False) -> None:
    """Settle the box's side bets whose result is known; `final`: no further card comes."""
    for settled in _known(run.state, run.state.boxes[number - 1], final=final):
        run.emit(settled)


def settle_sides_between(run: Run) -> None:
    """After the initial deal: all that lose are removed, then all that win are paid."""
    known = [settled for box in active(run.state) for settled in _known(run.state, box, final=False)]
    for settled in sorted(known, key=lambda settled: settled.net > 0):
        run.emit(settled)


def _known(state: State, box: Box, *, final: bool) -> Iterator[ev.Settled]:
    """The settlements of the box's open side bets that no further card can change."""
    for bet in box.bets:
        for side in bet.sides:
            if side.open:
                settled = _outcome(state, box, bet, side, final=final)
                if settled is not None:
                    yield settled


def _outcome(state: State, box: Box, bet: Bet, side: Side, *, final: bool) -> ev.Settled | None:
    rules = state.rules
    terms = rules.side_bets[side.name]
    cards = box.first_cards[: terms.first_cards]
    found = best_row(rules, terms, cards)
    if not final and may_become_better(terms, cards, found):
        return None
    if found and found[1].paid == "after_round" and state.dealer:
        return None
    path = f"side_bets.{side.name}"
    if found:
        name, row = found
        net = at_odds(side.stake, row.pays)
        basis = [f"{path}.rows.{name}", f"{path}.best_row"]
    else:
        net = -side.stake
        basis = [f"{path}.loses"]
    basis += _circumstances(state, box, side, cards)
    return ev.Settled(
        box=box.number,
        player=bet.player,
        wager=WagerName(side.name),
        stake=side.stake,
        net=net,
        basis=tuple(basis),
    )


def _circumstances(state: State, box: Box, side: Side, cards: tuple[Card, ...]) -> list[str]:
    """The other grounds of a side bet's end: when, by which cards, beside whom, up to what."""
    path = f"side_bets.{side.name}"
    basis = [f"{path}.settled_between" if state.stage == "dealing" else f"{path}.paid_when_known"]
    if any(card[0] == "A" for card in cards):
        basis.append(f"{path}.ace")
    if any(hand.split for hand in box.hands):
        basis.append(f"{path}.third_card")
    basis += [f"{path}.play_goes_on", f"{path}.face_value"]
    kinds = {f"{path}.face_number" if card[0] in NUMBERED else f"{path}.face_kind" for card in cards}
    basis += sorted(kinds, reverse=True)
    if len(box.bets) > 1:
        basis.append(f"{path}.own_stake")
    if side.over:
        basis.append("over_maximum")
    return basis
