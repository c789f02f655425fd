"""Cards and shoe: check, shuffle, cut, cutting cards, burn, and the ways in which a shoe fails."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from msgspec.structs import replace

from croupier.cards import INDEX, Card, pack, pretty
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.commands import Command
from croupier.table.dealer import dealer_needs_card
from croupier.table.run import Run, handles, refuse, require_stage
from croupier.table.state import IN_ROUND, State, initial_target, places, turn


def deck_size(state: State) -> int:
    return 4 * len(state.rules.ranks)


@handles(cmd.CheckCards)
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
    count = sum(pack(state.rules.ranks, state.rules.house.decks))
    run.emit(ev.CardsChecked(count=count, basis=("card_check", "dealer")))


@handles(cmd.Shuffle)
def shuffle(run: Run, command: cmd.Shuffle) -> None:
    state = run.state
    require_stage(state, command, "shuffle", "shuffle")
    shoe = state.shoe
    if shoe.resume is None and shoe.failed:
        refuse("shoe_replaced", command, "the failed shoe must be replaced first")
    if shoe.resume is None:
        count = sum(pack(state.rules.ranks, state.rules.house.decks))
        run.emit(ev.CardsShuffled(count=count, basis=("shuffle", "approved_shuffle")))
    elif shoe.failed and shoe.left:
        run.emit(
            ev.CardsShuffled(count=shoe.left, what="rest", basis=("malfunction_reshuffle", "malfunction"))
        )
    else:
        run.emit(ev.CardsShuffled(count=shoe.rack, what="rack", basis=("shoe_runs_out",)))


# The cut


def next_cutter(state: State) -> tuple[str, str]:
    """Who is offered the cut next, and on which ground; the supervisor when nobody is left to ask."""
    shoe = state.shoe
    around = places(state)
    preference = cut_preference(state)
    if not shoe.declined:
        for rule in getattr(state.rules, preference):
            player, ground = _preferred(state, rule, around)
            if player:
                return player, ground
    elif "clockwise" in getattr(state.rules, preference):
        after = [player for box, player in around if box > shoe.first_offer]
        before = [player for box, player in around if box <= shoe.first_offer]
        for player in after + before:
            if player not in shoe.declined:
                return player, "cut_clockwise"
    return "supervisor", "supervisor_cuts"


def cut_preference(state: State) -> str:
    """The provision that says whom the cut is offered to."""
    return "malfunction_cut_offered_to" if state.shoe.failed else "cut_offered_to"


def _preferred(state: State, rule: str, around: list[tuple[int, str]]) -> tuple[str, str]:
    shoe = state.shoe
    here = [player for _, player in around]
    arrivals = [player for player in state.people.arrivals if player in here]
    if rule == "first_player" and shoe.number == 0 and arrivals:
        return arrivals[0], "cut_to_first_player"
    if rule == "cutting_card_box" and shoe.met and shoe.met_by in here:
        return shoe.met_by, "cut_to_box"
    if rule == "right_of_dealer" and here and (shoe.met == 0 or shoe.failed):
        return shoe.met_by if shoe.met_by in here else here[-1], "cut_to_right"
    if rule == "clockwise" and here:
        return here[0], "cut_clockwise"
    return "", ""


@handles(cmd.OfferCut)
def offer_cut(run: Run, command: cmd.OfferCut) -> None:
    state = run.state
    require_stage(state, command, "new_shoe", "cut")
    if state.shoe.automated and not state.shoe.failed:
        refuse("automated_shoe", command, "an automated shuffling shoe is loaded without a cut")
    if state.shoe.offer:
        refuse("new_shoe", command, f"the cut is with {state.shoe.offer}")
    player, ground = next_cutter(state)
    run.emit(ev.CutOffered(player=player, basis=(ground, cut_preference(state))))


@handles(cmd.DeclineCut)
def decline_cut(run: Run, command: cmd.DeclineCut) -> None:
    require_stage(run.state, command, "new_shoe", "cut")
    if run.state.shoe.offer != command.player or command.player == "supervisor":
        refuse("cut_offered_to", command, f"the cut is not offered to {command.player}")
    run.emit(ev.CutDeclined(player=command.player, basis=("cut_clockwise",)))


def cut_window(state: State) -> tuple[int, int]:
    """From how many cards from the front to how many a cut is allowed.

    Where fewer than two decks are cut, only the middle is left.
    """
    count = state.shoe.shuffling
    depth = int(state.rules.cut_depth_decks * deck_size(state))
    if count < 2 * depth:
        return count // 2, count - count // 2
    return depth, count - depth


@handles(cmd.Cut)
def cut(run: Run, command: cmd.Cut) -> None:
    state = run.state
    require_stage(state, command, "new_shoe", "cut")
    shoe = state.shoe
    if not shoe.offer:
        refuse("cut_offered_to", command, "the cut has not been offered yet")
    if command.by != shoe.offer:
        ground = (
            "supervisor" if command.by == "supervisor" or shoe.offer == "supervisor" else "cut_offered_to"
        )
        refuse(ground, command, f"the cut is with {shoe.offer}, not {command.by}")
    low, high = cut_window(state)
    if not low <= command.at <= high:
        refuse("cut_depth_decks", command, f"{command.at} cards from the front is outside {low} to {high}")
    basis = ("cut_depth_decks", *(("supervisor_cuts", "supervisor") if command.by == "supervisor" else ()))
    run.emit(ev.CardsCut(by=command.by, at=command.at, count=shoe.shuffling, basis=basis))
    if run.state.stage == "place" and run.state.shoe.automated:
        _load(run)


def cutting_card_window(state: State) -> tuple[int, int]:
    """From how many cards from the back to how many the cutting card may be placed."""
    rules, size, count = state.rules, deck_size(state), state.shoe.left
    low = int(rules.cutting_card_back_decks * size) + (rules.cutting_card_back == "more_than")
    if rules.cutting_card_back_share is None:
        return low, count
    share = rules.cutting_card_back_share * rules.house.decks + rules.cutting_card_variance_decks
    return low, int(share * size)


def second_card_window(state: State) -> tuple[int, int]:
    """From how many cards from the front the second cutting card may be placed."""
    decks = state.rules.second_card_front_decks or Fraction(0)
    return int(decks * deck_size(state)) + 1, state.shoe.left


@handles(cmd.PlaceCuttingCards)
def place_cutting_cards(run: Run, command: cmd.PlaceCuttingCards) -> None:
    state = run.state
    require_stage(state, command, "new_shoe", "place")
    low, high = cutting_card_window(state)
    if not low <= command.from_back <= high:
        ground = "cutting_card_back_decks" if command.from_back < low else "cutting_card_variance_decks"
        refuse(ground, command, f"{command.from_back} from the back is outside {low} to {high}")
    if (command.from_front is not None) != (state.rules.house.cutting_cards == 2):
        refuse(
            "cutting_cards_allowed",
            command,
            f"the house uses {state.rules.house.cutting_cards} cutting card(s)",
        )
    basis: tuple[str, ...] = ("cutting_card_back_decks",)
    if command.from_front is not None:
        low, high = second_card_window(state)
        if not low <= command.from_front <= high:
            why = f"{command.from_front} from the front is outside {low} to {high}"
            refuse("second_card_front_decks", command, why)
        basis = (*basis, "second_card_front_decks")
    run.emit(ev.CuttingCardPlaced(from_back=command.from_back, from_front=command.from_front, basis=basis))
    _load(run)


def _load(run: Run) -> None:
    state = run.state
    burns = 0 if state.shoe.automated else state.rules.burn_cards
    run.emit(
        ev.ShoeLoaded(count=state.shoe.left, burns=burns, basis=("new_shoe",), automated=state.shoe.automated)
    )


@handles(cmd.LoadAutomatedShoe)
def load_automated_shoe(run: Run, command: cmd.LoadAutomatedShoe) -> None:
    state = run.state
    if not state.shoe.automated:
        refuse("automated_shoe", command, "no automated shuffling shoe is in use")
    require_stage(state, command, "automated_shoe", "cut")
    basis = ("automated_shoe_loaded", "automated_shoe")
    run.emit(ev.ShoeLoaded(count=state.shoe.left, automated=True, basis=basis))


@handles(cmd.InstructShuffle)
def instruct_shuffle(run: Run, command: cmd.InstructShuffle) -> None:
    if run.state.rules.house.cutting_cards != 2:
        refuse("supervisor_instructs", command, "only one cutting card is in use")
    run.emit(ev.ShuffleInstructed(at=command.at, basis=("supervisor_instructs",)))


@handles(cmd.Burn)
def burn(run: Run, command: cmd.Burn) -> None:
    require_stage(run.state, command, "burn_cards", "burn")
    check_card(run.state, command, command.card)
    run.emit(ev.CardBurnt(card=command.card, basis=("burn_cards", "burn")))


# Cards that leave the shoe


def card_target(state: State) -> tuple[int, int] | None:
    """Box and hand for which the next card is meant; (0, 0) is the dealer; None when no card is due."""
    if state.stage == "dealing":
        box = initial_target(state)
        return None if box is None else (box, 1 if box else 0)
    if state.stage == "playing":
        place = turn(state)
        return place if place and state.hand(*place).calls else None
    if state.stage == "dealer":
        return (0, 0) if dealer_needs_card(state) else None
    return None


def check_card(state: State, command: Command, card: Card) -> None:
    """Refuse a card that the shoe cannot hold any more."""
    held = state.shoe.held
    if held:
        if card != held[0]:
            refuse("drawn_in_error", command, f"{pretty(held[0])} was drawn in error and is the next card")
        return
    if card not in INDEX or card[0] not in state.rules.ranks:
        refuse("ranks", command, f"{card} is not in the packs of this game")
    if state.shoe.left <= 0:
        refuse("shoe_runs_out", command, "the shoe is empty")
    if not state.shoe.unseen[INDEX[card]]:
        decks = state.rules.house.decks
        refuse("decks_allowed", command, f"all {decks} of {pretty(card)} have been seen")


@handles(cmd.DealFaceUp)
def deal_face_up(run: Run, command: cmd.DealFaceUp) -> None:
    state = run.state
    if state.stage != "burn" and state.stage not in IN_ROUND:
        refuse("round", command, "no card is being drawn")
    if state.rules.face_up_card == "none":
        refuse("face_up_card", command, "the rules provide nothing for a card found face up")
    check_card(state, command, command.card)
    if state.stage == "burn":
        run.emit(ev.CardBurnt(card=command.card, basis=("burn_cards", "face_up_card")))
    else:
        run.emit(ev.CardBurnt(card=command.card, basis=("face_up_card", "burn")))


@handles(cmd.DrawCuttingCard)
def draw_cutting_card(run: Run, command: cmd.DrawCuttingCard) -> None:
    state = run.state
    shoe = state.shoe
    target = card_target(state) or turn(state) or (0, 0)
    if state.stage not in IN_ROUND:
        refuse("round", command, "no card is being drawn")
    which = _which_cutting_card(state)
    if which is None:
        refuse("cutting_cards_allowed", command, "there is no cutting card in the shoe")
    at = target[0]
    first = state.stage == "dealing" and state.dealt == 0
    kind = "two_cards" if state.rules.house.cutting_cards == 2 else "cutting_card"
    if state.final_left is not None:
        run.emit(ev.CuttingCardDrawn(at=at, which=which, then="set_aside", basis=(f"{kind}_set_aside",)))
    elif which != shoe.shuffle_at and state.rules.house.cutting_cards == 2:
        run.emit(ev.CuttingCardDrawn(at=at, which=which, then="set_aside", basis=("supervisor_instructs",)))
    elif first:
        run.emit(ev.CuttingCardDrawn(at=at, which=which, then="shuffle_now", basis=(f"{kind}_first",)))
    else:
        run.emit(ev.CuttingCardDrawn(at=at, which=which, then="shuffle_after_round", basis=(f"{kind}_met",)))


def _which_cutting_card(state: State) -> Literal["front", "back"] | None:
    """The cutting card that comes out next: the one with more cards behind it."""
    front, back = state.shoe.front_card, state.shoe.back_card
    if front is not None and (back is None or front >= back):
        return "front"
    return None if back is None else "back"


@handles(cmd.DrawInError)
def draw_in_error(run: Run, command: cmd.DrawInError) -> None:
    state = run.state
    _require_round(state, command)
    if state.rules.drawn_in_error == "none":
        refuse("drawn_in_error", command, "the rules provide nothing for a card drawn in error")
    check_fresh_card(state, command, command.card)
    run.emit(ev.CardDrawnInError(card=command.card, basis=("drawn_in_error",)))


@handles(cmd.BurnInError)
def burn_in_error(run: Run, command: cmd.BurnInError) -> None:
    state = run.state
    _require_round(state, command)
    if state.rules.burnt_in_error == "none":
        refuse("burnt_in_error", command, "the rules provide nothing for a card burnt in error")
    check_card(state, command, command.card)
    run.emit(ev.CardBurnt(card=command.card, basis=("burnt_in_error", "burn")))


def check_fresh_card(state: State, command: Command, card: Card) -> None:
    """A card that really leaves the shoe now, whatever is held from an earlier error."""
    check_card(replace(state, shoe=replace(state.shoe, held=())), command, card)


def _require_round(state: State, command: Command) -> None:
    if state.stage not in IN_ROUND:
        refuse("round", command, "no round is in progress")


@handles(cmd.ShoeRunsOut)
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
    run.emit(ev.ShoeRanOut(basis=("shoe_runs_out",)))


def refuse_if_suspended(state: State, command: Command, provision: str) -> None:
    """Refuse what an automated shuffling shoe switches off."""
    if state.shoe.automated and provision in state.rules.automated_shoe_suspends:
        refuse("automated_shoe_suspends", command, "an automated shuffling shoe is in use")


@handles(cmd.NoticePastCuttingCard)
def notice_past_cutting_card(run: Run, command: cmd.NoticePastCuttingCard) -> None:
    state = run.state
    provision = "dealt_past_cutting_card"
    refuse_if_suspended(state, command, provision)
    if state.rules.dealt_past_cutting_card == "none":
        refuse(provision, command, "the rules provide nothing for it")
    if state.round == 0:
        refuse(provision, command, "no round has been dealt")
    shuffle = state.final_left is None
    basis = (provision,) if shuffle else (provision, "cutting_card_set_aside")
    run.emit(ev.PastCuttingCardNoticed(shuffle=shuffle, basis=basis))


@handles(cmd.ReportMalfunction)
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
    if state.stage == "idle":
        run.emit(ev.ShoeFailed(kind=command.kind, basis=("malfunction_rectifiable", "malfunction_kinds")))
        return
    _require_round(state, command)
    if rules.malfunction == "reshuffle_rest":
        run.emit(
            ev.ShoeFailed(kind=command.kind, reshuffle=True, basis=("malfunction", "malfunction_rectifiable"))
        )
        return
    if not command.then:
        refuse("malfunction", command, "the dealer must choose: cutting_card or reshuffle")
    middle = int(rules.malfunction_cutting_card_decks * deck_size(state))
    slack = int(rules.cutting_card_variance_decks * deck_size(state))
    at = middle if command.cutting_card is None else command.cutting_card
    if not middle - slack <= at <= min(middle + slack, state.shoe.left):
        refuse("malfunction_cutting_card_decks", command, f"{at} from the back is not about {middle}")
    reshuffle = command.then == "reshuffle"
    basis = ("malfunction_reshuffle" if reshuffle else "malfunction_cutting_card_decks", "malfunction")
    run.emit(ev.ShoeFailed(kind=command.kind, reshuffle=reshuffle, cutting_card=at, basis=basis))


@handles(cmd.ReplaceShoe)
def replace_shoe(run: Run, command: cmd.ReplaceShoe) -> None:
    state = run.state
    if not state.shoe.failed:
        refuse("shoe_replaced", command, "the shoe has not failed")
    over = state.rules.malfunction_replaced == "after_round" or state.shoe.shuffle_due
    due = over and state.shoe.resume is None and state.stage in ("idle", "shuffle")
    if not due:
        when = state.rules.malfunction_replaced.replace("_", " the ")
        refuse("malfunction_replaced", command, f"the shoe is replaced {when}")
    run.emit(ev.ShoeReplaced(automated=command.automated, basis=("shoe_replaced", "malfunction_replaced")))
