"""What shuffling, cutting, burning and failing do to the cards and the shoe."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.cards import without
from croupier.table import events as ev
from croupier.table.evolve.steps import bettors_of, cards_on_table, full_packs, new_shoe, seen, unopened
from croupier.table.state import Shoe, Stage, State, standing


def cards_checked(state: State, event: ev.CardsChecked) -> State:
    return (
        replace(state, stage="shuffle") if state.stage == "opening" else replace(state, checked_at_end=True)
    )


def cards_shuffled(state: State, event: ev.CardsShuffled) -> State:
    shoe = state.shoe
    if event.what == "all":
        fresh = replace(new_shoe(state), shuffling=event.count)
    else:
        rack = 0 if event.what == "rack" else shoe.rack
        unseen = without(full_packs(state), cards_on_table(state)) if event.what == "rack" else shoe.unseen
        if event.what == "rack":
            state = _without_removed(state)
        fresh = replace(
            shoe,
            left=event.count,
            rack=rack,
            unseen=unseen,
            shuffling=event.count,
            offer="",
            declined=(),
            first_offer=0,
        )
    return replace(state, shoe=fresh, stage="cut")


def _without_removed(state: State) -> State:
    """The cards of hands that were paid and removed are in the shoe again."""
    boxes = tuple(
        replace(box, hands=tuple(replace(hand, gone=hand.removed) for hand in box.hands))
        for box in state.boxes
    )
    return replace(state, boxes=boxes)


def cut_offered(state: State, event: ev.CutOffered) -> State:
    shoe = state.shoe
    first = shoe.first_offer or event.box
    return replace(state, shoe=replace(shoe, offer=event.player, first_offer=first))


def cut_declined(state: State, event: ev.CutDeclined) -> State:
    shoe = state.shoe
    return replace(state, shoe=replace(shoe, offer="", declined=(*shoe.declined, event.player)))


def cards_cut(state: State, event: ev.CardsCut) -> State:
    shoe = replace(state.shoe, offer="", declined=(), first_offer=0)
    if shoe.resume is None or (shoe.failed and state.rules.malfunction_cut == "by_rules"):
        return replace(state, stage="place", shoe=shoe)
    return _resumed(state, shoe)


def _resumed(state: State, shoe: Shoe) -> State:
    """Back to what the shuffle of part of the cards had held up."""
    return replace(state, stage=standing(state), shoe=replace(shoe, resume=None, shuffling=0))


def cutting_card_placed(state: State, event: ev.CuttingCardPlaced) -> State:
    shoe = state.shoe
    front = None if event.from_front is None else shoe.left - event.from_front
    shoe = replace(shoe, back_card=event.from_back, front_card=front, shuffling=0)
    return replace(state, shoe=shoe) if shoe.resume is None else _resumed(state, shoe)


def shoe_loaded(state: State, event: ev.ShoeLoaded) -> State:
    if state.shoe.resume is not None:
        return _resumed(state, state.shoe)
    shoe = replace(
        state.shoe,
        number=state.shoe.number + 1,
        burns_due=event.burns,
        met=None,
        shuffle_due=False,
        shuffling=0,
        automated=event.automated,
        then=state.shoe.then if event.burns else "idle",
    )
    announced = state.shoe.then == "dealing"
    bettors = tuple(sorted(bettors_of(state))) if announced else ()
    people = replace(state.people, held=(), first_round_bettors=bettors, every_round_bettors=bettors)
    stage: Stage = "burn" if event.burns else state.shoe.then
    return replace(state, shoe=shoe, people=people, shoe_round=int(announced), stage=stage)


def shuffle_instructed(state: State, event: ev.ShuffleInstructed) -> State:
    return replace(state, shoe=replace(state.shoe, shuffle_at=event.at))


def card_burnt(state: State, event: ev.CardBurnt) -> State:
    shoe = seen(state.shoe, event.card, held=event.held)
    shoe = replace(shoe, rack=shoe.rack + 1)
    if not event.due:
        return replace(state, shoe=shoe, begun=True)
    shoe = replace(shoe, burns_due=shoe.burns_due - 1)
    if shoe.burns_due:
        return replace(state, shoe=shoe)
    return replace(state, shoe=replace(shoe, then="idle"), stage=shoe.then)


def cutting_card_drawn(state: State, event: ev.CuttingCardDrawn) -> State:
    shoe = state.shoe
    shoe = replace(shoe, front_card=None) if event.which == "front" else replace(shoe, back_card=None)
    if event.then == "set_aside":
        return replace(state, shoe=shoe)
    shoe = replace(shoe, met=event.at, shuffle_due=True)
    if event.then == "shuffle_now":
        return replace(state, shoe=replace(shoe, then=state.stage), stage="shuffle")
    return replace(state, shoe=shoe)


def card_drawn_in_error(state: State, event: ev.CardDrawnInError) -> State:
    shoe = state.shoe
    shoe = replace(seen(shoe, event.card, held=False), held=(*shoe.held, event.card))
    return replace(state, shoe=shoe, begun=True)


def shoe_ran_out(state: State, event: ev.ShoeRanOut) -> State:
    shoe = replace(state.shoe, resume=state.stage, back_card=None, front_card=None, shuffle_due=True)
    return replace(state, shoe=shoe, stage="shuffle")


def past_cutting_card_noticed(state: State, event: ev.PastCuttingCardNoticed) -> State:
    shoe = replace(state.shoe, shuffle_due=event.shuffle or state.shoe.shuffle_due)
    shoe = replace(shoe, front_card=None) if event.which == "front" else replace(shoe, back_card=None)
    first = not state.begun and not shoe.held
    if event.shuffle and first and state.stage in ("idle", "betting", "dealing"):
        return replace(state, shoe=replace(shoe, then=state.stage), stage="shuffle")
    return replace(state, shoe=shoe)


def shoe_failed(state: State, event: ev.ShoeFailed) -> State:
    if event.rectified:
        return state
    shoe = replace(
        state.shoe,
        failed=True,
        back_card=event.cutting_card,
        offer="",
        shuffle_due=state.shoe.shuffle_due or event.replace_now,
    )
    if not event.reshuffle:
        return replace(state, shoe=shoe)
    return replace(state, shoe=replace(shoe, resume=state.stage), stage="shuffle")


def shoe_replaced(state: State, event: ev.ShoeReplaced) -> State:
    shoe = new_shoe(state, automated=event.automated)
    shoe = replace(shoe, failed=False, then=standing(state))
    return replace(state, shoe=shoe, stage=unopened(state.rules))
