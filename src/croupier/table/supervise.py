"""What operator, supervisor and regulator may order, and what nobody may do."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.cards import INDEX
from croupier.money import dollars
from croupier.rulebook.hours import minutes_left
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.commands import Command
from croupier.table.evolve import wagered, wagers_of
from croupier.table.run import Run, refuse, refuse_barred
from croupier.table.settle import close_after_last
from croupier.table.shoe import final_ground, suspended_bar
from croupier.table.state import Laid, Past, Result, State, bets_closed, bets_open, between_rounds
from croupier.table.wagers import (
    bets_of,
    boxes_of,
    give_back,
    hours_bar,
    require_box,
    seats_of,
    several_bar,
    welcome_bar,
)

ABOUT_TO_EXPIRE = 60  # minutes before the end of the hours


def _require_notice(
    state: State, command: Command, of: str, provision: str, *, officer: bool = False
) -> None:
    """Notice must have been given to the players, and where so ruled to an officer who is available."""
    told = {notice.to for notice in state.notices if notice.of == of}
    if "players" not in told:
        refuse(provision, command, "notice has not been given to the players")
    if officer and state.rules.house.officer_available and "officer" not in told:
        refuse(f"{of}_notice_to_officer", command, "notice has not been given to the authorised officer")


def give_notice(run: Run, command: cmd.GiveNotice) -> None:
    provision = {
        "limits": "limits_change_needs_notice",
        "cards": "decks_change_needs_notice",
        "closure": "closing_needs_notice",
    }[command.of]
    low, high = command.minimum, command.maximum
    if (low or high) and command.of != "limits":
        refuse(provision, command, "figures are for a notice of new limits")
    if low or high:
        _check_limits(run.state, command, low, high)
    run.emit(ev.NoticeGiven(of=command.of, to=command.to, minimum=low, maximum=high, basis=(provision,)))


def _check_limits(state: State, command: Command, low: int, high: int) -> None:
    multiple = state.rules.house.multiple if state.rules.wager_multiples else 1
    if not 0 < low <= high or high % multiple:
        refuse("limits_displayed", command, f"{dollars(low)} to {dollars(high)} is no range of limits")
    if low % multiple:
        refuse("wager_multiples", command, f"{dollars(low)} is not a multiple of {dollars(multiple)}")


def _require_between_rounds(state: State, command: Command, provision: str) -> None:
    """Refuse an order while chips lie on the layout, a round has begun, or the table is closed."""
    if not between_rounds(state):
        refuse(provision, command, f"between rounds only, not at the stage '{state.stage}'")


def set_limits(run: Run, command: cmd.SetLimits) -> None:
    state = run.state
    low, high = command.minimum, command.maximum
    _require_between_rounds(state, command, "limits_displayed")
    _check_limits(state, command, low, high)
    if state.rules.limits_change_needs_notice:
        _require_notice(state, command, "limits", "limits_change_needs_notice")
        _require_figures(state, command)
    run.emit(ev.LimitsSet(minimum=low, maximum=high, basis=("limits_displayed", "operator")))
    for box in state.boxes:
        if 0 < box.raised_to <= high:  # a marker that raises nothing any more
            run.emit(ev.MarkerRemoved(box=box.number, basis=("raised_limit", "limits_displayed")))


def _require_figures(state: State, command: cmd.SetLimits) -> None:
    """A notice that named figures was a notice of those."""
    told = next(notice for notice in state.notices if (notice.of, notice.to) == ("limits", "players"))
    if told.maximum and (told.minimum, told.maximum) != (command.minimum, command.maximum):
        why = f"notice was given of {dollars(told.minimum)} to {dollars(told.maximum)}"
        refuse("limits_change_needs_notice", command, why)


def set_cards(run: Run, command: cmd.SetCards) -> None:
    state = run.state
    house = state.rules.house
    decks = state.terms.decks if command.decks is None else command.decks
    shuffle = state.terms.shuffle if command.shuffle is None else command.shuffle
    _require_between_rounds(state, command, "determinations")
    if decks not in state.rules.decks_allowed:
        allowed = ", ".join(map(str, sorted(state.rules.decks_allowed)))
        refuse("decks_allowed", command, f"{decks} decks are not permitted; allowed: {allowed}")
    if shuffle not in house.approved_shuffles:
        refuse("approved_shuffle", command, f"{shuffle!r} is not an approved shuffle")
    if state.rules.decks_change_needs_notice:
        officer = state.rules.cards_notice_to_officer
        _require_notice(state, command, "cards", "decks_change_needs_notice", officer=officer)
    run.emit(
        ev.CardsDetermined(
            decks=decks,
            shuffle=shuffle,
            basis=("determinations", "decks_determined", "approved_shuffle", "operator"),
        )
    )


def set_side_bet(run: Run, command: cmd.SetSideBet) -> None:
    state = run.state
    bets = [name for name, bet in state.rules.side_bets.items() if bet.offered_as == command.name]
    if not bets:
        refuse("features", command, f"this game has no side bet called {command.name}")
    _require_between_rounds(state, command, "determinations")
    path = f"side_bets.{bets[0]}.offered_as"
    stays = state.rules.feature_stays_all_day and state.terms.offered_on.get(command.name) == state.day
    if not command.offered and stays:
        refuse(
            "feature_stays_all_day", command, f"{command.name} has been offered today and stays for the day"
        )
    if command.offered and command.name not in state.rules.house.side_bets:
        refuse(path, command, f"the house has no terms for {command.name}")
    run.emit(ev.SideBetSet(name=command.name, offered=command.offered, basis=(path,)))


def begin_day(run: Run, command: cmd.BeginDay) -> None:
    state = run.state
    if state.rules.card_check and not (state.stage == "closed" and state.checked_at_end):
        refuse("card_check", command, "the day ends with the table closed and its cards checked")
    if state.stage != "closed":
        _require_between_rounds(state, command, "hours")
    run.emit(ev.DayBegun(day=state.day + 1, basis=("hours", "card_check", "feature_stays_all_day")))


def set_cutting_cards(run: Run, command: cmd.SetCuttingCards) -> None:
    state = run.state
    if command.count not in state.rules.cutting_cards_allowed:
        allowed = " or ".join(map(str, sorted(state.rules.cutting_cards_allowed)))
        refuse(
            "cutting_cards_allowed",
            command,
            f"{command.count} cutting cards are not permitted; {allowed} are",
        )
    if state.stage not in ("opening", "shuffle", "cut", "place"):
        refuse("cutting_cards_allowed", command, "cutting cards are determined before the shoe is loaded")
    run.emit(
        ev.CuttingCardsDetermined(
            count=command.count, basis=("cutting_cards_allowed", "supervisor_instructs")
        )
    )


def raise_limit(run: Run, command: cmd.RaiseLimit) -> None:
    state = run.state
    box = require_box(state, command, command.box)
    if state.rules.raised_limit == "none":
        refuse("raised_limit", command, "the rules know no raised limit")
    usual = state.terms.maximum
    if command.maximum <= usual or command.maximum % state.rules.house.multiple:
        refuse("raised_limit", command, f"{dollars(command.maximum)} does not raise {dollars(usual)}")
    if state.rules.raised_limit == "sole" and not command.player:
        refuse("raised_limit", command, "a raised box is for one player, who must be named")
    if box.bets or bets_closed(state):
        refuse("raised_limit", command, "a limit is raised before wagers are placed on the box")
    basis = ("raised_limit",)
    run.emit(ev.LimitRaised(box=command.box, maximum=command.maximum, player=command.player, basis=basis))


def remove_marker(run: Run, command: cmd.RemoveMarker) -> None:
    box = require_box(run.state, command, command.box)
    if not box.raised_to or box.bets or bets_closed(run.state):
        refuse("raised_limit", command, f"box {command.box} has no marker, or a wager lies on it")
    run.emit(ev.MarkerRemoved(box=command.box, basis=("raised_limit",)))


def hold(run: Run, command: cmd.Hold) -> None:
    state = run.state
    people = state.people
    provision = "late_bettor_held_to"
    refuse_barred(command, suspended_bar(state, provision))
    wanted = {"minimum"} if command.minimum else set()
    wanted |= {"first_box"} if command.first_box else set()
    if not wanted or wanted - set(state.rules.late_bettor_held_to):
        refuse(
            provision,
            command,
            f"the rules do not hold a late bettor to {' and '.join(sorted(wanted)) or 'nothing'}",
        )
    if state.shoe_round == 0:
        refuse(provision, command, "the first round of the shoe has not been dealt")
    if command.player in people.every_round_bettors:
        refuse(provision, command, f"{command.player} has bet on every round of this shoe")
    ground = "late_skipped_round" if command.player in people.first_round_bettors else "late_first_round"
    run.emit(
        ev.PlayerHeld(
            player=command.player,
            minimum=command.minimum,
            first_box=command.first_box,
            basis=(ground, provision),
        )
    )


def give_up_box(run: Run, command: cmd.GiveUpBox) -> None:
    state = run.state
    box = require_box(state, command, command.box)
    refuse_barred(command, welcome_bar(state, command.to))
    refuse_barred(command, several_bar(state, command.to, boxes_of, command.box))
    if bets_closed(state) or box.bets:
        refuse("boxes_given_up", command, "a box changes hands between rounds, with no wager on it")
    if len(boxes_of(state, box.seat)) < 2:
        refuse("boxes_given_up", command, f"{box.seat or 'nobody'} does not hold several boxes")
    if any(not other.seat for other in state.boxes):
        refuse("boxes_given_up", command, "there are vacant boxes")
    if boxes_of(state, command.to):
        refuse("boxes_given_up", command, f"{command.to} has a box")
    run.emit(ev.BoxGivenUp(box=command.box, player=box.seat, to=command.to, basis=("boxes_given_up",)))


def vacate_seat(run: Run, command: cmd.VacateSeat) -> None:
    state = run.state
    needed = state.rules.abstentions_before_vacating
    seats = [box.number for box in state.boxes if box.seat == command.player]
    provision = "abstentions_before_vacating"
    if not needed:
        refuse(provision, command, "the rules let no seat be taken")
    if any(not box.seat for box in state.boxes):
        refuse(provision, command, "not all seats are in use")
    if bets_of(state, command.player):
        refuse(provision, command, f"{command.player} has a wager on the table")
    if state.people.abstained.get(command.player, 0) < needed:
        count = state.people.abstained.get(command.player, 0)
        refuse(provision, command, f"{command.player} has abstained {count} rounds, not {needed}")
    for number in seats:
        run.emit(ev.SeatLeft(player=command.player, box=number, basis=(provision,)))


def replace_cards(run: Run, command: cmd.ReplaceCards) -> None:
    state = run.state
    rules = state.rules
    if rules.replace_card == "never":
        refuse("replace_card", command, "the rules provide for no replacement")
    if command.card is None or rules.replace_card == "after_round":
        _require_between_rounds(state, command, "replace_card")
    missing = [role for role in sorted(rules.replacement_checks) if role not in command.checked_by]
    if missing:
        refuse("replacement_checks", command, f"not checked by the {' and the '.join(missing)}")
    if command.card is not None and (command.card not in INDEX or command.card[0] not in rules.ranks):
        refuse("ranks", command, f"{command.card} is not in the packs of this game")
    basis = ("replace_card", "replacement_checks")
    run.emit(ev.CardReplaced(card=command.card, checked_by=command.checked_by, basis=basis))


def announce_final_rounds(run: Run, command: cmd.AnnounceFinalRounds) -> None:
    state = run.state
    if not state.rules.final_rounds:
        refuse("final_rounds", command, "the rules know no final rounds")
    if not needs_final_rounds(state):
        refuse("automated_shoe", command, "an automated shuffling shoe has no cutting card to set aside")
    if state.final_left is not None or bets_closed(state) or state.stage == "closed":
        refuse("final_rounds", command, "final rounds are announced once, between rounds")
    if not _hours_expire(state, command):
        _require_closing_notice(state, command)
    basis = ("final_rounds_announced", final_ground(state))
    run.emit(ev.FinalRoundsAnnounced(rounds=state.rules.final_rounds, basis=basis))


def _hours_expire(state: State, command: cmd.AnnounceFinalRounds) -> bool:
    """Is gaming about to end for the day? Where no hours are kept, and no notice given, it is on the word."""
    hours = state.rules.house.hours
    if command.at:
        refuse_barred(command, hours_bar(state, command.at))
    if hours and command.at:
        return minutes_left(hours, command.at) <= ABOUT_TO_EXPIRE
    return not hours and all(notice.of != "closure" for notice in state.notices)


def needs_final_rounds(state: State) -> bool:
    """Do final rounds come before the table closes? With an automated shoe in use there are none."""
    return bool(state.rules.final_rounds) and (not state.shoe.automated or state.shoe.failed)


def _require_closing_notice(state: State, command: Command) -> None:
    if state.rules.closing_needs_notice:
        officer = state.rules.closure_notice_to_officer
        _require_notice(state, command, "closure", "closing_needs_notice", officer=officer)


# Rounds that do not count


def void_round(run: Run, command: cmd.VoidRound) -> None:
    state = run.state
    provision = "misplacement_found_late"
    if state.rules.misplacement_found_late == "none":
        refuse(provision, command, "the rules provide nothing for an error found late")
    past = _on_record(state, command.round)
    if past is None:
        refuse(provision, command, f"round {command.round} is not on record, or has been decided")
    if not state.begun and next(state.past.last_first()).round == command.round:
        refuse(provision, command, f"the round after {command.round} has not begun")
    back = _by_player((result.player, -result.net) for result in past.results)
    run.emit(ev.RoundVoided(round=command.round, back=back, basis=(provision, "void")))


def _on_record(state: State, number: int | None) -> Past | None:
    """A finished round about which something can still be decided."""
    past = state.past.of(number)
    return past if past and not past.decided else None


def _by_player(moves: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Amounts added up for each player, in the order in which they come."""
    sums: dict[str, int] = {}
    for player, amount in moves:
        sums[player] = sums.get(player, 0) + amount
    return tuple(sums.items())


def invalidate(run: Run, command: cmd.Invalidate) -> None:
    state = run.state
    game = command.scope == "game"
    ground = "invalidation_causes" if game else "round_invalidation_causes"
    causes = state.rules.invalidation_causes if game else state.rules.round_invalidation_causes
    if command.cause not in causes:
        allowed = ", ".join(sorted(causes)) or "none"
        refuse(ground, command, f"{command.cause!r} is no cause; there are: {allowed}")
    number = state.round if command.round is None else command.round
    earlier = _on_record(state, command.round)
    in_play = bets_closed(state) or bets_open(state)
    if earlier is None and not (in_play and number == state.round):
        refuse(ground, command, f"round {number} is neither in progress nor on record, or has been decided")
    if earlier is None and not command.refund and (bets_open(state) or not state.begun):
        refuse(ground, command, "the wagers of a round that is not being dealt go back")
    laid = earlier.laid if earlier else wagers_of(state)
    run.emit(
        ev.RoundInvalidated(
            round=number,
            cause=command.cause,
            refunded=command.refund,
            wagers=_by_player((wager.player, wager.amount) for wager in laid),
            basis=(ground, "refund"),
        )
    )
    close_after_last(run)


# Breaches


def record_breach(run: Run, command: cmd.RecordBreach) -> None:
    if not command.what.strip():
        refuse("breach", command, "a breach must be described")
    basis = ("device_reported", "breach") if command.device else ("breach",)
    run.emit(ev.BreachRecorded(player=command.player, what=command.what, device=command.device, basis=basis))


def _require_breach(state: State, command: Command, player: str) -> None:
    if player not in state.people.breaches:
        refuse("breach", command, f"no breach by {player} is on record")


def void_wager(run: Run, command: cmd.VoidWager) -> None:
    state = run.state
    _require_breach(state, command, command.player)
    box = require_box(state, command, command.box)
    bet = box.bet_of(command.player)
    if command.round is None and bet.void:
        refuse("void_wager", command, f"{command.player}'s wager on box {command.box} is void already")
    if command.round is None and bet.chips:
        back = wagered(box, bet) if state.dealt else bet.chips
        results = state.results
        number = None
    else:
        past = _past_wager(state, command)
        back = sum(laid.amount for laid in past.laid if _is_mine(laid, command))
        results = past.results
        number = past.round
    run.emit(
        ev.WagerVoided(
            player=command.player,
            box=command.box,
            back=back,
            undone=sum(result.net for result in results if _is_mine(result, command)),
            round=number,
            basis=("void_wager", "void"),
        )
    )


def _is_mine(entry: Result | Laid, command: cmd.VoidWager) -> bool:
    return (entry.player, entry.box) == (command.player, command.box)


def _past_wager(state: State, command: cmd.VoidWager) -> Past:
    """The round on record, the named one or the last, in which the player had a wager on the box."""
    for past in state.past.last_first():
        named = command.round in (None, past.round) and not past.decided
        if named and any(_is_mine(laid, command) for laid in past.laid):
            return past
    refuse("void_wager", command, f"{command.player} has no wager on box {command.box} to be voided")


def exclude(run: Run, command: cmd.Exclude) -> None:
    _require_breach(run.state, command, command.player)
    if command.player in run.state.people.excluded:
        refuse("exclusion", command, f"{command.player} is excluded already")
    run.emit(ev.PlayerExcluded(player=command.player, basis=("exclusion",)))
    for number in sorted(seats_of(run.state, command.player)):
        run.emit(ev.SeatLeft(player=command.player, box=number, basis=("exclusion",)))


# Disputes


def open_dispute(run: Run, command: cmd.OpenDispute) -> None:
    if not command.about.strip():
        refuse("dispute", command, "a dispute must be described")
    number = len(run.state.people.disputes) + 1
    run.emit(ev.DisputeOpened(dispute=number, player=run.by.name, about=command.about, basis=("dispute",)))


def _rule(run: Run, command: cmd.Rule | cmd.RequestReview | cmd.Review, wanted: str) -> None:
    disputes = run.state.people.disputes
    if not 1 <= command.dispute <= len(disputes):
        refuse("dispute", command, f"there is no dispute {command.dispute}")
    dispute = disputes[command.dispute - 1]
    if isinstance(command, cmd.RequestReview) and run.by.name != dispute.player:
        refuse("dispute", command, f"dispute {command.dispute} is {dispute.player}'s, not {run.by}'s")
    if not isinstance(command, cmd.RequestReview) and command.award < 0:
        refuse("dispute", command, "a ruling awards nothing or something, it does not take")
    concerned = dispute.player in run.state.people.bettors
    if not concerned and not isinstance(command, cmd.RequestReview) and command.award:
        refuse("dispute", command, f"{dispute.player} has had no wager on this table")
    if dispute.status != wanted:
        refuse("dispute", command, f"dispute {command.dispute} is {dispute.status}, not {wanted}")
    review = isinstance(command, cmd.RequestReview)
    award = dispute.award if isinstance(command, cmd.RequestReview) else command.award
    run.emit(
        ev.DisputeRuled(
            dispute=command.dispute,
            status="review" if review else "ruled" if wanted == "open" else "final",
            player=dispute.player,
            award=award,
            paid=award - dispute.award,
            basis=("dispute",),
        )
    )


def rule(run: Run, command: cmd.Rule) -> None:
    _rule(run, command, "open")


def request_review(run: Run, command: cmd.RequestReview) -> None:
    _rule(run, command, "ruled")


def review(run: Run, command: cmd.Review) -> None:
    _rule(run, command, "review")


# Questions, and what nobody may do


def ask(run: Run, command: cmd.Ask) -> None:
    state = run.state
    house = state.rules.house
    sign = {
        "minimum": dollars(state.terms.minimum),
        "maximum": dollars(state.terms.maximum),
        "multiple": dollars(house.multiple),
    }
    on_offer = state.terms.offered_on
    for name in on_offer:
        terms = house.side_bets[name]
        if terms.maximum or terms.amount:
            limits = f"{dollars(terms.minimum)} to {dollars(terms.maximum)}"
            sign[name] = limits if terms.maximum else dollars(terms.amount)
    offered = [name for name, bet in state.rules.side_bets.items() if bet.offered_as in on_offer]
    answers = {
        "determinations": {"decks": str(state.terms.decks), "shuffle": state.terms.shuffle},
        "limits": sign,
        "rules": {"rulebook": state.rules.rulebook},
    }
    grounds: dict[str, tuple[str, ...]] = {
        "determinations": ("determinations",),
        "limits": (
            "limits_displayed",
            "wager_multiples",
            *(f"side_bets.{name}.stake" for name in offered),
        ),
        "rules": ("rules_available",),
    }
    run.emit(
        ev.Told(
            player=run.by.name,
            about=command.about,
            answer=answers[command.about],
            basis=grounds[command.about],
        )
    )


FORBIDDEN = {
    "advise": ("no_advice", "nobody at the table is told how to play a hand"),
    "peek": ("no_advantage", "nobody looks at the cards to come"),
    "override_payout": ("no_advantage", "payments follow the rules"),
    "set_shoe_order": ("no_advantage", "nobody orders the shoe"),
    "transfer": ("no_private_bets", "wagers are made with the bank alone"),
    "play_for_another": ("no_influence", "nobody plays another's hand"),
}


def attempt(run: Run, command: cmd.Attempt) -> None:
    ground, why = FORBIDDEN[command.act]
    refuse(ground, command, why)


def close_table(run: Run, command: cmd.CloseTable) -> None:
    state = run.state
    provision = "closing_needs_notice"
    if state.closing:
        refuse(provision, command, "the table is closing already")
    _require_closing_notice(state, command)
    if needs_final_rounds(state):
        if state.final_left is None:
            refuse(provision, command, "the final rounds have not been announced", "final_rounds_announced")
        if bets_closed(state):
            refuse(provision, command, "the table closes by itself after the rounds that were announced")
    if bets_open(state):
        for box in state.boxes:
            for bet in box.lying:
                give_back(run, box, bet, provision)
    run.emit(ev.TableClosed(basis=(provision, "operator")))
