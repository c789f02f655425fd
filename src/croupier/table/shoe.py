"""Cards and shoe: check, shuffle, cut, cutting cards, burn, and the ways in which a shoe fails."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from croupier.cards import INDEX, Card, pretty
from croupier.game.hand import Bar
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import Actor
from croupier.table.dealer import dealer_needs_card
from croupier.table.evolve import full_packs
from croupier.table.run import Run, refuse, refuse_barred, stage_bar
from croupier.table.state import IN_ROUND, PREPARING, Place, Shoe, State, active, initial_target, places, turn


def deck_size(state: State) -> int:
    return 4 * len(state.rules.ranks)


def check_cards(run: Run, command: cmd.CheckCards) -> None:
    state = run.state
    refuse_barred(command, bars_check(state, command, run.by))
    count = sum(full_packs(state))
    run.emit(ev.CardsChecked(count=count, basis=("card_check", "dealer")))


def bars_check(state: State, command: cmd.CheckCards, by: Actor) -> Bar | None:
    """What bars a check of the cards from being passed."""
    bar = stage_bar(state, "card_check", "opening", "closed")
    if bar:
        return bar
    for card in (*command.missing, *command.extra):
        if card not in INDEX:
            return Bar("ranks", f"{card!r} is no card")
    wrong = [f"{pretty(card)} missing" for card in command.missing]
    wrong += [f"{pretty(card)} too many" for card in command.extra]
    return Bar("card_check", f"the cards are not complete: {', '.join(wrong)}") if wrong else None


def shuffle(run: Run, command: cmd.Shuffle) -> None:
    state = run.state
    refuse_barred(command, bars_shuffle(state, command, run.by))
    shoe = state.shoe
    if shoe.resume is None:
        count = sum(full_packs(state))
        run.emit(ev.CardsShuffled(count=count, basis=("shuffle", "approved_shuffle")))
    elif shoe.failed and shoe.left:
        run.emit(
            ev.CardsShuffled(count=shoe.left, what="rest", basis=("malfunction_reshuffle", "malfunction"))
        )
    else:
        run.emit(ev.CardsShuffled(count=shoe.rack, what="rack", basis=("shoe_runs_out",)))


def bars_shuffle(state: State, command: cmd.Shuffle, by: Actor) -> Bar | None:
    return stage_bar(state, "shuffle", "shuffle") or failed_shoe_bar(state)


# The cut


def next_cutter(state: State) -> tuple[str, str, int]:
    """Who is offered the cut next, on which ground and on account of which box.

    When nobody is left to ask it is the supervisor.
    """
    rules = getattr(state.rules, cut_preference(state))
    around = places(state)
    if not state.shoe.declined:
        for rule in rules:
            place, ground = _preferred(state, rule, around)
            if place is not None:
                return place.player, ground, place.box
    elif "clockwise" in rules:
        first = state.shoe.first_offer
        onward = [place for place in around if place.box >= first]
        for place in (*onward, *(place for place in around if place.box < first)):
            if place.player not in state.shoe.declined:
                return place.player, "cut_clockwise", place.box
    return "supervisor", "supervisor_cuts", 0


def cut_preference(state: State) -> str:
    """The provision that says whom the cut is offered to."""
    return "malfunction_cut_offered_to" if state.shoe.failed else "cut_offered_to"


def _preferred(state: State, rule: str, around: list[Place]) -> tuple[Place | None, str]:
    """Whom a rule of preference names of those who are there, and the ground."""
    shoe = state.shoe
    if rule == "first_player" and shoe.number == 0:
        here = {place.player: place for place in reversed(around)}
        return next((here[p] for p in state.people.arrivals if p in here), None), "cut_to_first_player"
    if rule == "cutting_card_box" and shoe.met:
        bettors = (place for place in around if place.box == shoe.met and place.bets)
        return next(bettors, None), "cut_to_box"
    if rule == "right_of_dealer" and around and (shoe.met == 0 or shoe.failed):
        at_end = next(place for place in around if place.box == around[-1].box)
        return at_end, "malfunction_cut_offered_to" if shoe.failed else "cut_to_right"
    if rule == "clockwise" and around:
        return around[0], "cut_clockwise"
    return None, ""


def offer_cut(run: Run, command: cmd.OfferCut) -> None:
    state = run.state
    refuse_barred(command, bars_offering_cut(state, command, run.by))
    player, ground, box = next_cutter(state)
    basis = tuple(dict.fromkeys((ground, cut_preference(state))))
    run.emit(ev.CutOffered(player=player, box=box, basis=basis))


def bars_offering_cut(state: State, command: cmd.OfferCut, by: Actor) -> Bar | None:
    bar = stage_bar(state, "new_shoe", "cut") or failed_shoe_bar(state)
    if not bar and state.shoe.automated and not state.shoe.failed:
        return Bar("automated_shoe", "an automated shuffling shoe is loaded without a cut")
    if not bar and state.shoe.offer:
        return Bar("new_shoe", f"the cut is with {state.shoe.offer}")
    return bar


def decline_cut(run: Run, command: cmd.DeclineCut) -> None:
    refuse_barred(command, bars_declining(run.state, command, run.by))
    run.emit(ev.CutDeclined(player=run.by.name, basis=("cut_clockwise",)))


def bars_declining(state: State, command: cmd.DeclineCut, by: Actor) -> Bar | None:
    bar = stage_bar(state, "new_shoe", "cut")
    if bar or (by.role == "player" and is_with(state.shoe, by)):
        return bar
    return Bar(cut_preference(state), f"the cut is not offered to {by}")


def is_with(shoe: Shoe, by: Actor) -> bool:
    """Is the cut with this player or supervisor?"""
    return bool(shoe.offer) and shoe.offer == (by.role if by.role == "supervisor" else by.name)


def cut_window(state: State) -> tuple[int, int]:
    """From how many cards from the front to how many a cut is allowed.

    Where fewer than two decks are cut, only the middle is left. After the failure of an automated
    shoe the cut may be free.
    """
    count = state.shoe.shuffling
    if state.shoe.failed and state.rules.malfunction_cut == "free":
        return min(1, count), max(1, count - 1) if count else 0
    depth = int(state.rules.cut_depth_decks * deck_size(state))
    if count < 2 * depth:
        return count // 2, count - count // 2
    return depth, count - depth


def cut(run: Run, command: cmd.Cut) -> None:
    refuse_barred(command, bars_cut(run.state, command, run.by))
    shoe = run.state.shoe
    basis: tuple[str, ...] = (_cut_depth(run.state),)
    if shoe.offer == "supervisor":
        basis += ("supervisor_cuts", "supervisor")
    run.emit(ev.CardsCut(by=shoe.offer, at=command.at, count=shoe.shuffling, basis=basis))


def bars_cut(state: State, command: cmd.Cut, by: Actor) -> Bar | None:
    """What bars a cut there, or by this player or supervisor."""
    bar = stage_bar(state, "new_shoe", "cut") or failed_shoe_bar(state)
    if bar:
        return bar
    offer = state.shoe.offer
    if not offer:
        return Bar(cut_preference(state), "the cut has not been offered yet")
    if not is_with(state.shoe, by):
        ground = "supervisor" if "supervisor" in (by.role, offer) else cut_preference(state)
        return Bar(ground, f"the cut is with {offer}, not {by}")
    low, high = cut_window(state)
    if low <= command.at <= high:
        return None
    return Bar(_cut_depth(state), f"{command.at} cards from the front is outside {low} to {high}")


def _cut_depth(state: State) -> str:
    """The provision that says how deep a cut goes."""
    free = state.shoe.failed and state.rules.malfunction_cut == "free"
    return "malfunction_cut_offered_to" if free else "cut_depth_decks"


def cutting_card_window(state: State) -> tuple[int, int]:
    """From how many cards from the back to how many the cutting card may be placed."""
    rules, size, count = state.rules, deck_size(state), state.shoe.left
    low = int(rules.cutting_card_back_decks * size) + (rules.cutting_card_back == "more_than")
    high = count - rules.burn_cards - 1  # a card at least lies before it
    if rules.cutting_card_back_share is not None:
        share = rules.cutting_card_back_share * state.terms.decks + rules.cutting_card_variance_decks
        high = int(share * size)
    return min(low, count), max(min(high, count), min(low, count))


def second_card_window(state: State) -> tuple[int, int]:
    """From how many cards from the front the second cutting card may be placed."""
    decks = state.rules.second_card_front_decks or Fraction(0)
    return int(decks * deck_size(state)) + 1, state.shoe.left


def place_cutting_cards(run: Run, command: cmd.PlaceCuttingCards) -> None:
    state = run.state
    refuse_barred(command, bars_placing(state, command, run.by))
    front = () if command.from_front is None else ("second_card_front_decks",)
    basis = ("cutting_card_back_decks", *front)
    run.emit(ev.CuttingCardPlaced(from_back=command.from_back, from_front=command.from_front, basis=basis))
    if state.shoe.resume is None:
        burns = state.rules.burn_cards
        run.emit(ev.ShoeLoaded(count=state.shoe.left, burns=burns, basis=("new_shoe",)))


def bars_placing(state: State, command: cmd.PlaceCuttingCards, by: Actor) -> Bar | None:
    """What bars cutting cards, or so many of them, at such places."""
    return (
        stage_bar(state, "new_shoe", "place")
        or failed_shoe_bar(state)
        or _back_bar(state, command.from_back)
        or _front_bar(state, command.from_front)
    )


def _back_bar(state: State, at: int) -> Bar | None:
    low, high = cutting_card_window(state)
    if low <= at <= high:
        return None
    varies = at > high and state.rules.cutting_card_back_share is not None
    provision = "cutting_card_variance_decks" if varies else "cutting_card_back_decks"
    return Bar(provision, f"{at} from the back is outside {low} to {high}")


def _front_bar(state: State, at: int | None) -> Bar | None:
    cards = state.terms.cutting_cards
    if (at is not None) != (cards == 2):
        return Bar("cutting_cards_allowed", f"the house uses {cards} cutting card(s)")
    low, high = second_card_window(state)
    if at is None or low <= at <= high:
        return None
    return Bar("second_card_front_decks", f"{at} from the front is outside {low} to {high}")


def load_automated_shoe(run: Run, command: cmd.LoadAutomatedShoe) -> None:
    refuse_barred(command, bars_loading(run.state, command, run.by))
    basis = ("automated_shoe_loaded", "automated_shoe")
    run.emit(ev.ShoeLoaded(count=run.state.shoe.left, automated=True, basis=basis))


def bars_loading(state: State, command: cmd.LoadAutomatedShoe, by: Actor) -> Bar | None:
    if not state.shoe.automated or state.shoe.failed:
        return Bar("automated_shoe", "no automated shuffling shoe is in use")
    return stage_bar(state, "automated_shoe", "cut")


def instruct_shuffle(run: Run, command: cmd.InstructShuffle) -> None:
    state = run.state
    if state.terms.cutting_cards != 2:
        refuse("supervisor_instructs", command, "only one cutting card is in use")
    behind = state.shoe.behind(command.at)
    loaded = state.stage not in ("opening", "shuffle", "cut", "place", "closed")
    if loaded and behind is None:
        refuse("supervisor_instructs", command, f"the {command.at} cutting card is out of the shoe already")
    run.emit(ev.ShuffleInstructed(at=command.at, basis=("supervisor_instructs",)))


def burn(run: Run, command: cmd.Burn) -> None:
    refuse_barred(command, bars_burn(run.state, command, run.by))
    held = bool(run.state.shoe.held)
    burnt = ev.CardBurnt(card=command.card, due=True, held=held, basis=("burn_cards", "burn"))
    leaves_shoe(run, burnt)


def bars_burn(state: State, command: cmd.Burn, by: Actor) -> Bar | None:
    return stage_bar(state, "burn_cards", "burn") or next_card_bar(state, command.card)


# Cards that leave the shoe


def card_target(state: State) -> tuple[int, int] | None:
    """Box and hand for which the next card is meant; (0, 0) is the dealer; None when no card is due."""
    stage = state.stage
    if stage == "dealing":
        box = None if state.shoe.failed and replacement_due(state) else initial_target(state)
        return None if box is None else (box, 1 if box else 0)
    if stage == "playing":
        place = turn(state)
        return place if place and state.hand(*place).calls else None
    if stage == "dealer":
        return (0, 0) if dealer_needs_card(state) else None
    return None


def unloaded_bar(state: State) -> Bar | None:
    """No card leaves a shoe that is not loaded."""
    if state.stage in ("opening", "shuffle", "cut", "place"):
        return Bar("new_shoe", "the cards are not shuffled, cut and in the shoe yet")
    if state.stage == "closed":
        return Bar("round", "the table is closed")
    return failed_shoe_bar(state)


def failed_shoe_bar(state: State) -> Bar | None:
    """Nothing more is dealt from a shoe that must be replaced first."""
    return Bar("shoe_replaced", "the failed shoe must be replaced first") if replacement_due(state) else None


def next_card_bar(state: State, card: Card) -> Bar | None:
    """What bars a card that is not the next: another than one held from an error, or one not in the shoe."""
    if not state.shoe.held:
        return fresh_card_bar(state, card)
    return None if is_held(state, card) else held_card_bar(state)


def held_card_bar(state: State) -> Bar | None:
    """What bars any other card, or the want of one, while a card is held from an error."""
    if not state.shoe.held:
        return None
    return Bar("drawn_in_error", f"{pretty(state.shoe.held[0])} was drawn in error and is the next card")


def fresh_card_bar(state: State, card: Card) -> Bar | None:
    """What bars a card that the shoe cannot hold any more, whatever is held from an earlier error."""
    if card not in INDEX:
        return Bar("ranks", f"{card} is no card")
    if state.shoe.left <= 0:
        return Bar("shoe_runs_out", "the shoe is empty")
    if state.shoe.unseen[INDEX[card]]:
        return None
    gone = f"all {state.terms.decks} of {pretty(card)} have been seen"
    why = gone if card[0] in state.rules.ranks else f"{pretty(card)} is not in the packs of this game"
    return Bar("decks_allowed", why)


def any_card_bar(state: State, card: Card) -> Bar | None:
    """What bars a card that is not the one held from an error, nor may leave the shoe now."""
    return None if is_held(state, card) else fresh_card_bar(state, card)


def is_held(state: State, card: Card) -> bool:
    """Is this the card held from an error, the next to be dealt?"""
    return state.shoe.held[:1] == (card,)


def leaves_shoe(run: Run, event: ev.Event) -> None:
    """A card is out; the count may now say that the cutting card must have come before it."""
    run.emit(event)
    state = run.state
    which = _dealt_past(state.shoe)
    if which is None:
        return
    instructed = which == state.shoe.shuffle_at or state.terms.cutting_cards != 2
    shuffle = instructed and state.final_left is None
    basis = ("dealt_past_cutting_card", *(() if shuffle else _set_aside(state)))
    run.emit(ev.PastCuttingCardNoticed(shuffle=shuffle, which=which, counted=True, basis=basis))


def _dealt_past(shoe: Shoe) -> Literal["front", "back"] | None:
    """The cutting card behind which a card has been dealt."""
    if shoe.front_card is not None and shoe.left < shoe.front_card:
        return "front"
    return "back" if shoe.back_card is not None and shoe.left < shoe.back_card else None


def _set_aside(state: State) -> tuple[str, ...]:
    """Why a cutting card ends no shoe: the final rounds, or the supervisor's word."""
    if state.final_left is None:
        return ("supervisor_instructs",)
    two = state.terms.cutting_cards == 2
    return ("two_cards_set_aside",) if two else ("cutting_card_set_aside",)


def final_ground(state: State) -> str:
    """The provision on the last rounds, by the number of cutting cards in use."""
    return "two_cards_set_aside" if state.terms.cutting_cards == 2 else "final_rounds"


def deal_face_up(run: Run, command: cmd.DealFaceUp) -> None:
    state = run.state
    refuse_barred(command, bars_face_up(state, command, run.by))
    due = state.stage == "burn" and not state.shoe.held
    basis = ("burn_cards", "face_up_card") if due else ("face_up_card", "burn")
    leaves_shoe(run, ev.CardBurnt(card=command.card, due=due, basis=basis))


def bars_face_up(state: State, command: cmd.DealFaceUp, by: Actor) -> Bar | None:
    bar = unloaded_bar(state)
    if not bar and state.rules.face_up_card == "none":
        return Bar("face_up_card", "the rules provide nothing for a card found face up")
    return bar or fresh_card_bar(state, command.card)


def draw_cutting_card(run: Run, command: cmd.DrawCuttingCard) -> None:
    state = run.state
    refuse_barred(command, bars_cutting_card(state, command, run.by))
    which = _which_cutting_card(state)
    first = not state.begun and not state.shoe.held
    kind = "two_cards" if state.terms.cutting_cards == 2 else "cutting_card"
    then: Literal["shuffle_now", "shuffle_after_round", "set_aside"]
    if state.final_left is not None or (which != state.shoe.shuffle_at and kind == "two_cards"):
        then, basis = "set_aside", _set_aside(state)
    elif first:
        then, basis = "shuffle_now", (f"{kind}_first",)
    else:
        then, basis = "shuffle_after_round", (f"{kind}_met",)
    run.emit(ev.CuttingCardDrawn(at=_next_place(state), which=which, then=then, basis=basis))


def bars_cutting_card(state: State, command: cmd.DrawCuttingCard, by: Actor) -> Bar | None:
    """What bars a cutting card from coming out."""
    bar = unloaded_bar(state)
    if not bar and state.stage == "burn":
        return Bar("burn_cards", "a card must be burnt first")
    if not bar and state.shoe.front_card is None and state.shoe.back_card is None:
        return Bar("cutting_cards_allowed", "there is no cutting card in the shoe")
    return bar


def _next_place(state: State) -> int | None:
    """The box (0: the dealer) at which something that comes out of the shoe now comes out."""
    if not active(state):
        return None
    if state.stage == "betting":
        return initial_target(state)
    place = card_target(state) or turn(state) or (0, 0)
    return place[0]


def _which_cutting_card(state: State) -> Literal["front", "back"]:
    """The cutting card that comes out next: the one with more cards behind it."""
    front, back = state.shoe.front_card, state.shoe.back_card
    return "front" if front is not None and (back is None or front >= back) else "back"


def draw_in_error(run: Run, command: cmd.DrawInError) -> None:
    refuse_barred(command, bars_drawing(run.state, command, run.by))
    leaves_shoe(run, ev.CardDrawnInError(card=command.card, basis=("drawn_in_error", "round")))


def bars_drawing(state: State, command: cmd.DrawInError, by: Actor) -> Bar | None:
    bar = unloaded_bar(state)
    if not bar and state.rules.drawn_in_error == "none":
        return Bar("drawn_in_error", "the rules provide nothing for a card drawn in error")
    return bar or fresh_card_bar(state, command.card)


def burn_in_error(run: Run, command: cmd.BurnInError) -> None:
    state = run.state
    refuse_barred(command, bars_burning(state, command, run.by))
    held, due = is_held(state, command.card), state.stage == "burn"
    leaves_shoe(run, ev.CardBurnt(card=command.card, due=due, held=held, basis=("burnt_in_error", "burn")))


def bars_burning(state: State, command: cmd.BurnInError, by: Actor) -> Bar | None:
    bar = unloaded_bar(state)
    if not bar and state.rules.burnt_in_error == "none":
        return Bar("burnt_in_error", "the rules provide nothing for a card burnt in error")
    return bar or any_card_bar(state, command.card)


def shoe_runs_out(run: Run, command: cmd.ShoeRunsOut) -> None:
    refuse_barred(command, bars_running_out(run.state, command, run.by))
    run.emit(ev.ShoeRanOut(basis=("shoe_runs_out",)))


def bars_running_out(state: State, command: cmd.ShoeRunsOut, by: Actor) -> Bar | None:
    """What bars the shoe from running out in the middle of a round."""
    if state.stage not in IN_ROUND:
        return Bar("round", "no round is in progress")
    bar = suspended_bar(state, "shoe_runs_out")
    if bar:
        return bar
    if state.rules.shoe_runs_out == "none":
        return Bar("shoe_runs_out", "the rules provide nothing for a shoe that runs out")
    if state.shoe.held:
        return held_card_bar(state)
    if state.shoe.left > 0:
        return Bar("shoe_runs_out", f"{state.shoe.left} cards are left in the shoe")
    if state.stage in ("dealer", "settled") and card_target(state) is None:
        return Bar("shoe_runs_out", "no further card is needed to complete the round")
    return None


def suspended_bar(state: State, provision: str) -> Bar | None:
    """What bars that which an automated shuffling shoe switches off."""
    in_use = state.shoe.automated and not state.shoe.failed
    if in_use and provision in state.rules.automated_shoe_suspends:
        return Bar("automated_shoe_suspends", "an automated shuffling shoe is in use")
    return None


def notice_past_cutting_card(run: Run, command: cmd.NoticePastCuttingCard) -> None:
    state = run.state
    provision = "dealt_past_cutting_card"
    refuse_barred(command, suspended_bar(state, provision))
    if state.rules.dealt_past_cutting_card == "none":
        refuse(provision, command, "the rules provide nothing for it")
    refuse_barred(command, unloaded_bar(state))
    which = state.shoe.shuffle_at if state.terms.cutting_cards == 2 else "back"
    behind = state.shoe.behind(which)
    if behind is None and state.shoe.failed and not state.shoe.shuffle_due:
        refuse(provision, command, "no cutting card is in use")
    if behind is not None and behind < state.shoe.left:
        cards = state.shoe.left - behind
        refuse(provision, command, f"the cutting card cannot have come: {cards} cards lie before it")
    shuffle = state.final_left is None
    basis = (provision,) if shuffle else (provision, *_set_aside(state))
    run.emit(ev.PastCuttingCardNoticed(shuffle=shuffle, which=which, basis=basis))


def report_malfunction(run: Run, command: cmd.ReportMalfunction) -> None:
    state = run.state
    rules = state.rules
    if not state.shoe.automated or rules.malfunction == "none":
        refuse("automated_shoe", command, "no automated shuffling shoe is in use")
    if command.kind not in rules.malfunction_kinds:
        kinds = ", ".join(sorted(rules.malfunction_kinds))
        refuse("malfunction_kinds", command, f"{command.kind!r} is no malfunction; it is {kinds}")
    if command.rectified:
        if not rules.malfunction_rectifiable:
            refuse("malfunction", command, "these rules know no fault that is put right")
        run.emit(ev.ShoeFailed(kind=command.kind, rectified=True, basis=("malfunction_rectifiable",)))
        return
    if state.shoe.failed or state.stage == "closed":
        refuse("malfunction", command, "the shoe has failed already, or is not in use")
    if rules.malfunction == "reshuffle_rest":
        _fail_and_reshuffle(run, command)
    else:
        _fail_by_choice(run, command)


def _fail_and_reshuffle(run: Run, command: cmd.ReportMalfunction) -> None:
    """A round that has begun is completed from what is left, shuffled; otherwise the shoe is replaced."""
    begun = run.state.begun
    basis = ("malfunction" if begun else "shoe_replaced", "malfunction_rectifiable")
    run.emit(ev.ShoeFailed(kind=command.kind, reshuffle=begun, replace_now=not begun, basis=basis))


def _fail_by_choice(run: Run, command: cmd.ReportMalfunction) -> None:
    """The dealer deals on up to a cutting card, or shuffles what is left; an empty shoe is replaced."""
    state = run.state
    if state.stage in PREPARING:
        run.emit(ev.ShoeFailed(kind=command.kind, replace_now=True, basis=("malfunction", "shoe_replaced")))
        return
    if not command.then:
        refuse("malfunction", command, "the dealer must choose: cutting_card or reshuffle")
    if command.then == "reshuffle":
        basis = ("malfunction_reshuffle", "malfunction")
        run.emit(ev.ShoeFailed(kind=command.kind, reshuffle=True, basis=basis))
        return
    low, high, usual = failed_cutting_card_window(state)
    at = usual if command.cutting_card is None else command.cutting_card
    if not low <= at <= high:
        refuse("malfunction_cutting_card_decks", command, f"{at} from the back is outside {low} to {high}")
    basis = ("malfunction_cutting_card_decks", "malfunction")
    run.emit(ev.ShoeFailed(kind=command.kind, cutting_card=at, basis=basis))


def failed_cutting_card_window(state: State) -> tuple[int, int, int]:
    """Where the cutting card of a failed shoe goes, from the back: from, to, and the usual place."""
    middle = int(state.rules.malfunction_cutting_card_decks * deck_size(state))
    slack = int(state.rules.cutting_card_variance_decks * deck_size(state))
    left = state.shoe.left
    return min(middle - slack, left), min(middle + slack, left), min(middle, left)


def replacement_due(state: State) -> bool:
    """Is it time to replace a failed shoe: after the round, or at the end of that shoe?"""
    shoe = state.shoe
    if not shoe.failed or shoe.resume is not None or state.begun or state.stage == "closed":
        return False
    return state.rules.malfunction_replaced == "after_round" or shoe.shuffle_due


def replace_shoe(run: Run, command: cmd.ReplaceShoe) -> None:
    state = run.state
    if not state.shoe.failed:
        refuse("shoe_replaced", command, "the shoe has not failed")
    if not replacement_due(state):
        when = state.rules.malfunction_replaced.replace("_", " the ")
        refuse("malfunction_replaced", command, f"the shoe is replaced {when}")
    run.emit(ev.ShoeReplaced(automated=command.automated, basis=("shoe_replaced", "malfunction_replaced")))
