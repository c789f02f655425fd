"""Cards and shoe: check, shuffle, cut, cutting cards, burn, and the ways in which a shoe fails."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from croupier.cards import INDEX, Card, pretty
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import Actor
from croupier.table.commands import Command
from croupier.table.dealer import dealer_needs_card
from croupier.table.evolve import full_packs
from croupier.table.run import Run, refuse, require_stage
from croupier.table.state import IN_ROUND, PREPARING, Place, Shoe, State, active, initial_target, places, turn


def deck_size(state: State) -> int:
    return 4 * len(state.rules.ranks)


def check_cards(run: Run, command: cmd.CheckCards) -> None:
    state = run.state
    require_stage(state, command, "card_check", "opening", "closed")
    for card in (*command.missing, *command.extra):
        if card not in INDEX:
            refuse("ranks", command, f"{card!r} is no card")
    if command.missing or command.extra:
        wrong = [f"{pretty(card)} missing" for card in command.missing]
        wrong += [f"{pretty(card)} too many" for card in command.extra]
        refuse("card_check", command, f"the cards are not complete: {', '.join(wrong)}")
    count = sum(full_packs(state))
    run.emit(ev.CardsChecked(count=count, basis=("card_check", "dealer")))


def shuffle(run: Run, command: cmd.Shuffle) -> None:
    state = run.state
    require_stage(state, command, "shuffle", "shuffle")
    shoe = state.shoe
    refuse_failed_shoe(state, command)
    if shoe.resume is None:
        count = sum(full_packs(state))
        run.emit(ev.CardsShuffled(count=count, basis=("shuffle", "approved_shuffle")))
    elif shoe.failed and shoe.left:
        run.emit(
            ev.CardsShuffled(count=shoe.left, what="rest", basis=("malfunction_reshuffle", "malfunction"))
        )
    else:
        run.emit(ev.CardsShuffled(count=shoe.rack, what="rack", basis=("shoe_runs_out",)))


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
    require_stage(state, command, "new_shoe", "cut")
    refuse_failed_shoe(state, command)
    if state.shoe.automated and not state.shoe.failed:
        refuse("automated_shoe", command, "an automated shuffling shoe is loaded without a cut")
    if state.shoe.offer:
        refuse("new_shoe", command, f"the cut is with {state.shoe.offer}")
    player, ground, box = next_cutter(state)
    basis = tuple(dict.fromkeys((ground, cut_preference(state))))
    run.emit(ev.CutOffered(player=player, box=box, basis=basis))


def decline_cut(run: Run, command: cmd.DeclineCut) -> None:
    require_stage(run.state, command, "new_shoe", "cut")
    if run.by.role != "player" or not is_with(run.state.shoe, run.by):
        refuse(cut_preference(run.state), command, f"the cut is not offered to {run.by}")
    run.emit(ev.CutDeclined(player=run.by.name, basis=("cut_clockwise",)))


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
    state = run.state
    require_stage(state, command, "new_shoe", "cut")
    refuse_failed_shoe(state, command)
    shoe = state.shoe
    if not shoe.offer:
        refuse(cut_preference(state), command, "the cut has not been offered yet")
    if not is_with(shoe, run.by):
        ground = "supervisor" if "supervisor" in (run.by.role, shoe.offer) else cut_preference(state)
        refuse(ground, command, f"the cut is with {shoe.offer}, not {run.by}")
    low, high = cut_window(state)
    free = shoe.failed and state.rules.malfunction_cut == "free"
    depth = "malfunction_cut_offered_to" if free else "cut_depth_decks"
    if not low <= command.at <= high:
        refuse(depth, command, f"{command.at} cards from the front is outside {low} to {high}")
    basis = (depth, *(("supervisor_cuts", "supervisor") if shoe.offer == "supervisor" else ()))
    run.emit(ev.CardsCut(by=shoe.offer, at=command.at, count=shoe.shuffling, basis=basis))


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
    require_stage(state, command, "new_shoe", "place")
    refuse_failed_shoe(state, command)
    low, high = cutting_card_window(state)
    outside = f"{command.from_back} from the back is outside {low} to {high}"
    if command.from_back < low:
        refuse("cutting_card_back_decks", command, outside)
    if command.from_back > high:
        bounded = state.rules.cutting_card_back_share is not None
        refuse("cutting_card_variance_decks" if bounded else "cutting_card_back_decks", command, outside)
    two = state.terms.cutting_cards == 2
    if (command.from_front is not None) != two:
        refuse(
            "cutting_cards_allowed",
            command,
            f"the house uses {state.terms.cutting_cards} cutting card(s)",
        )
    basis: tuple[str, ...] = ("cutting_card_back_decks",)
    if command.from_front is not None:
        low, high = second_card_window(state)
        if not low <= command.from_front <= high:
            why = f"{command.from_front} from the front is outside {low} to {high}"
            refuse("second_card_front_decks", command, why)
        basis = (*basis, "second_card_front_decks")
    run.emit(ev.CuttingCardPlaced(from_back=command.from_back, from_front=command.from_front, basis=basis))
    if state.shoe.resume is None:
        burns = state.rules.burn_cards
        run.emit(ev.ShoeLoaded(count=state.shoe.left, burns=burns, basis=("new_shoe",)))


def load_automated_shoe(run: Run, command: cmd.LoadAutomatedShoe) -> None:
    state = run.state
    if not state.shoe.automated or state.shoe.failed:
        refuse("automated_shoe", command, "no automated shuffling shoe is in use")
    require_stage(state, command, "automated_shoe", "cut")
    basis = ("automated_shoe_loaded", "automated_shoe")
    run.emit(ev.ShoeLoaded(count=state.shoe.left, automated=True, basis=basis))


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
    require_stage(run.state, command, "burn_cards", "burn")
    check_card(run.state, command, command.card)
    held = bool(run.state.shoe.held)
    burnt = ev.CardBurnt(card=command.card, due=True, held=held, basis=("burn_cards", "burn"))
    leaves_shoe(run, burnt)


# Cards that leave the shoe


def card_target(state: State) -> tuple[int, int] | None:
    """Box and hand for which the next card is meant; (0, 0) is the dealer; None when no card is due."""
    if state.stage == "dealing":
        box = None if state.shoe.failed and replacement_due(state) else initial_target(state)
        return None if box is None else (box, 1 if box else 0)
    if state.stage == "playing":
        place = turn(state)
        return place if place and state.hand(*place).calls else None
    if state.stage == "dealer":
        return (0, 0) if dealer_needs_card(state) else None
    return None


def refuse_before_cards(state: State, command: Command) -> None:
    """No card leaves a shoe that is not loaded."""
    if state.stage in ("opening", "shuffle", "cut", "place"):
        refuse("new_shoe", command, "the cards are not shuffled, cut and in the shoe yet")
    if state.stage == "closed":
        refuse("round", command, "the table is closed")
    refuse_failed_shoe(state, command)


def refuse_failed_shoe(state: State, command: Command) -> None:
    """Nothing more is dealt from a shoe that must be replaced first."""
    if replacement_due(state):
        refuse("shoe_replaced", command, "the failed shoe must be replaced first")


def check_card(state: State, command: Command, card: Card) -> None:
    """Refuse a card that is not the next: another than one held from an error, or one not in the shoe."""
    held = state.shoe.held
    if not held:
        check_fresh_card(state, command, card)
    elif card != held[0]:
        refuse("drawn_in_error", command, f"{pretty(held[0])} was drawn in error and is the next card")


def check_fresh_card(state: State, command: Command, card: Card) -> None:
    """Refuse a card that the shoe cannot hold any more, whatever is held from an earlier error."""
    if card not in INDEX:
        refuse("ranks", command, f"{card} is no card")
    if state.shoe.left <= 0:
        refuse("shoe_runs_out", command, "the shoe is empty")
    if not state.shoe.unseen[INDEX[card]]:
        every = f"all {state.terms.decks} of {pretty(card)} have been seen"
        refuse(
            "decks_allowed",
            command,
            every if card[0] in state.rules.ranks else f"{pretty(card)} is not in the packs of this game",
        )


def check_any_card(state: State, command: Command, card: Card) -> bool:
    """The card is the one held from an error (True), or leaves the shoe now."""
    if state.shoe.held[:1] == (card,):
        return True
    check_fresh_card(state, command, card)
    return False


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
    refuse_before_cards(state, command)
    if state.rules.face_up_card == "none":
        refuse("face_up_card", command, "the rules provide nothing for a card found face up")
    check_fresh_card(state, command, command.card)
    due = state.stage == "burn" and not state.shoe.held
    basis = ("burn_cards", "face_up_card") if due else ("face_up_card", "burn")
    leaves_shoe(run, ev.CardBurnt(card=command.card, due=due, basis=basis))


def draw_cutting_card(run: Run, command: cmd.DrawCuttingCard) -> None:
    state = run.state
    refuse_before_cards(state, command)
    if state.stage == "burn":
        refuse("burn_cards", command, "a card must be burnt first")
    which = _which_cutting_card(state)
    if which is None:
        refuse("cutting_cards_allowed", command, "there is no cutting card in the shoe")
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


def _next_place(state: State) -> int | None:
    """The box (0: the dealer) at which something that comes out of the shoe now comes out."""
    if not active(state):
        return None
    if state.stage == "betting":
        return initial_target(state)
    place = card_target(state) or turn(state) or (0, 0)
    return place[0]


def _which_cutting_card(state: State) -> Literal["front", "back"] | None:
    """The cutting card that comes out next: the one with more cards behind it."""
    front, back = state.shoe.front_card, state.shoe.back_card
    if front is not None and (back is None or front >= back):
        return "front"
    return None if back is None else "back"


def draw_in_error(run: Run, command: cmd.DrawInError) -> None:
    state = run.state
    refuse_before_cards(state, command)
    if state.rules.drawn_in_error == "none":
        refuse("drawn_in_error", command, "the rules provide nothing for a card drawn in error")
    check_fresh_card(state, command, command.card)
    leaves_shoe(run, ev.CardDrawnInError(card=command.card, basis=("drawn_in_error", "round")))


def burn_in_error(run: Run, command: cmd.BurnInError) -> None:
    state = run.state
    refuse_before_cards(state, command)
    if state.rules.burnt_in_error == "none":
        refuse("burnt_in_error", command, "the rules provide nothing for a card burnt in error")
    held = check_any_card(state, command, command.card)
    due = state.stage == "burn"
    leaves_shoe(run, ev.CardBurnt(card=command.card, due=due, held=held, basis=("burnt_in_error", "burn")))


def _require_round(state: State, command: Command) -> None:
    if state.stage not in IN_ROUND:
        refuse("round", command, "no round is in progress")


def shoe_runs_out(run: Run, command: cmd.ShoeRunsOut) -> None:
    state = run.state
    _require_round(state, command)
    refuse_if_suspended(state, command, "shoe_runs_out")
    if state.rules.shoe_runs_out == "none":
        refuse("shoe_runs_out", command, "the rules provide nothing for a shoe that runs out")
    if state.shoe.held:
        refuse(
            "drawn_in_error", command, f"{pretty(state.shoe.held[0])} was drawn in error and is the next card"
        )
    if state.shoe.left > 0:
        refuse("shoe_runs_out", command, f"{state.shoe.left} cards are left in the shoe")
    if state.stage in ("dealer", "settled") and card_target(state) is None:
        refuse("shoe_runs_out", command, "no further card is needed to complete the round")
    run.emit(ev.ShoeRanOut(basis=("shoe_runs_out",)))


def refuse_if_suspended(state: State, command: Command, provision: str) -> None:
    """Refuse what an automated shuffling shoe switches off."""
    in_use = state.shoe.automated and not state.shoe.failed
    if in_use and provision in state.rules.automated_shoe_suspends:
        refuse("automated_shoe_suspends", command, "an automated shuffling shoe is in use")


def notice_past_cutting_card(run: Run, command: cmd.NoticePastCuttingCard) -> None:
    state = run.state
    provision = "dealt_past_cutting_card"
    refuse_if_suspended(state, command, provision)
    if state.rules.dealt_past_cutting_card == "none":
        refuse(provision, command, "the rules provide nothing for it")
    refuse_before_cards(state, command)
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
        basis: tuple[str, ...] = ("malfunction", "shoe_replaced")
        run.emit(ev.ShoeFailed(kind=command.kind, replace_now=True, basis=basis))
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
