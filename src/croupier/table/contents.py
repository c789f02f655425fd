"""The contents page of the game: what answers each command, what bars a move, what each event does.

A handler asks, refuses and emits; a step makes the new state of an event, and never refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.errors import Refused
from croupier.game.hand import Bar
from croupier.table import commands as cmd
from croupier.table import deal, offers, play, reconstruct, settle, shoe, supervise, turns, wagers
from croupier.table import events as ev
from croupier.table.actors import Actor
from croupier.table.commands import Command
from croupier.table.events import Event
from croupier.table.evolve import betting, cards, rounds, supervision
from croupier.table.evolve.steps import Step, unchanged
from croupier.table.run import Handler, Run, asker_bar, refuse_asker
from croupier.table.state import State

Question = Callable[[State, Any, Actor], Bar | None]

HANDLERS: dict[type[Command], Handler] = {
    # Opening, cards and shoe
    cmd.CheckCards: shoe.check_cards,
    cmd.Shuffle: shoe.shuffle,
    cmd.OfferCut: shoe.offer_cut,
    cmd.DeclineCut: shoe.decline_cut,
    cmd.Cut: shoe.cut,
    cmd.PlaceCuttingCards: shoe.place_cutting_cards,
    cmd.LoadAutomatedShoe: shoe.load_automated_shoe,
    cmd.InstructShuffle: shoe.instruct_shuffle,
    cmd.Burn: shoe.burn,
    # Betting
    cmd.OpenBetting: wagers.open_betting,
    cmd.Sit: wagers.sit,
    cmd.Leave: wagers.leave,
    cmd.Wager: wagers.wager,
    cmd.TakeBack: wagers.take_back,
    cmd.AnnounceNoMoreBets: wagers.announce_no_more_bets,
    # Cards out of the shoe
    cmd.Deal: deal.deal,
    cmd.DealFaceUp: shoe.deal_face_up,
    cmd.DrawCuttingCard: shoe.draw_cutting_card,
    cmd.DrawInError: shoe.draw_in_error,
    cmd.BurnInError: shoe.burn_in_error,
    cmd.OverdrawDealer: play.overdraw_dealer,
    cmd.ShoeRunsOut: shoe.shoe_runs_out,
    # Insurance and play
    cmd.Insure: offers.insure,
    cmd.TakeEvenMoney: offers.take_even_money,
    cmd.Surrender: offers.surrender,
    cmd.CloseOffers: play.close_offers,
    cmd.Hit: play.hit,
    cmd.Stand: play.stand,
    cmd.Split: play.split,
    cmd.Ride: play.ride,
    cmd.Double: play.double,
    cmd.Stay: play.stay,
    cmd.Forfeit: play.forfeit,
    cmd.ReportAbsent: play.report_absent,
    cmd.Return: play.player_returns,
    cmd.Reconstruct: reconstruct.reconstruct,
    cmd.Settle: settle.settle,
    cmd.Collect: settle.collect,
    # Supervision
    cmd.GiveNotice: supervise.give_notice,
    cmd.SetLimits: supervise.set_limits,
    cmd.SetCards: supervise.set_cards,
    cmd.SetSideBet: supervise.set_side_bet,
    cmd.BeginDay: supervise.begin_day,
    cmd.SetCuttingCards: supervise.set_cutting_cards,
    cmd.RaiseLimit: supervise.raise_limit,
    cmd.RemoveMarker: supervise.remove_marker,
    cmd.Hold: supervise.hold,
    cmd.GiveUpBox: supervise.give_up_box,
    cmd.VacateSeat: supervise.vacate_seat,
    cmd.ReplaceCards: supervise.replace_cards,
    cmd.AnnounceFinalRounds: supervise.announce_final_rounds,
    cmd.NoticePastCuttingCard: shoe.notice_past_cutting_card,
    cmd.VoidRound: supervise.void_round,
    cmd.Invalidate: supervise.invalidate,
    cmd.RecordBreach: supervise.record_breach,
    cmd.VoidWager: supervise.void_wager,
    cmd.Exclude: supervise.exclude,
    cmd.OpenDispute: supervise.open_dispute,
    cmd.Rule: supervise.rule,
    cmd.RequestReview: supervise.request_review,
    cmd.Review: supervise.review,
    cmd.ReportMalfunction: shoe.report_malfunction,
    cmd.ReplaceShoe: shoe.replace_shoe,
    cmd.Ask: supervise.ask,
    cmd.Attempt: supervise.attempt,
    cmd.CloseTable: supervise.close_table,
}

# What bars a move of the game, asked without making it: the questions that its handler asks first.
BARS: dict[type[Command], Question] = {
    cmd.CheckCards: shoe.bars_check,
    cmd.Shuffle: shoe.bars_shuffle,
    cmd.OfferCut: shoe.bars_offering_cut,
    cmd.DeclineCut: shoe.bars_declining,
    cmd.Cut: shoe.bars_cut,
    cmd.PlaceCuttingCards: shoe.bars_placing,
    cmd.LoadAutomatedShoe: shoe.bars_loading,
    cmd.Burn: shoe.bars_burn,
    cmd.OpenBetting: wagers.bars_opening,
    cmd.Wager: wagers.bars_wager,
    cmd.TakeBack: wagers.bars_taking_back,
    cmd.AnnounceNoMoreBets: wagers.bars_no_more_bets,
    cmd.Deal: deal.bars_deal,
    cmd.DealFaceUp: shoe.bars_face_up,
    cmd.DrawInError: shoe.bars_drawing,
    cmd.BurnInError: shoe.bars_burning,
    cmd.OverdrawDealer: play.bars_overdraw,
    cmd.DrawCuttingCard: shoe.bars_cutting_card,
    cmd.ShoeRunsOut: shoe.bars_running_out,
    cmd.Insure: offers.bars_insurance,
    cmd.TakeEvenMoney: offers.bars_even_money,
    cmd.Surrender: offers.bars_surrender,
    cmd.CloseOffers: play.bars_closing,
    cmd.Hit: play.bars_hit,
    cmd.Stand: play.bars_stand,
    cmd.Split: play.bars_split,
    cmd.Ride: play.bars_ride,
    cmd.Double: play.bars_double,
    cmd.Stay: play.bars_stay,
    cmd.Forfeit: play.bars_forfeit,
    cmd.ReportAbsent: play.bars_absence,
    cmd.Return: play.bars_return,
    cmd.Settle: settle.bars_settlement,
    cmd.Collect: settle.bars_collection,
}

STEPS: dict[type[Event], Step] = {
    ev.TableOpened: unchanged,
    # Cards and shoe
    ev.CardsChecked: cards.cards_checked,
    ev.CardsShuffled: cards.cards_shuffled,
    ev.CutOffered: cards.cut_offered,
    ev.CutDeclined: cards.cut_declined,
    ev.CardsCut: cards.cards_cut,
    ev.CuttingCardPlaced: cards.cutting_card_placed,
    ev.ShoeLoaded: cards.shoe_loaded,
    ev.ShuffleInstructed: cards.shuffle_instructed,
    ev.CardBurnt: cards.card_burnt,
    ev.CuttingCardDrawn: cards.cutting_card_drawn,
    ev.CardDrawnInError: cards.card_drawn_in_error,
    ev.ShoeRanOut: cards.shoe_ran_out,
    ev.PastCuttingCardNoticed: cards.past_cutting_card_noticed,
    ev.ShoeFailed: cards.shoe_failed,
    ev.ShoeReplaced: cards.shoe_replaced,
    # Betting
    ev.BettingOpened: betting.betting_opened,
    ev.SeatTaken: betting.seat_taken,
    ev.SeatLeft: betting.seat_left,
    ev.WagerPlaced: betting.wager_placed,
    ev.WagerReturned: betting.wager_returned,
    ev.PlayerWarned: betting.player_warned,
    ev.NoMoreBets: betting.no_more_bets,
    # The round
    ev.CardDealt: rounds.card_dealt,
    ev.CardMisplaced: unchanged,
    ev.HandsReconstructed: rounds.hands_reconstructed,
    ev.SurrenderUndone: rounds.surrender_undone,
    ev.SettlementUndone: rounds.settlement_undone,
    ev.StageReached: rounds.stage_reached,
    ev.InsurancePlaced: rounds.insurance_placed,
    ev.HandSurrendered: rounds.hand_surrendered,
    ev.MoveElected: rounds.move_elected,
    ev.MoveAnswered: rounds.move_answered,
    ev.MoveLapsed: rounds.move_lapsed,
    ev.CardCalled: rounds.card_called,
    ev.HandStood: rounds.hand_stood,
    ev.HandSplit: rounds.hand_split,
    ev.HandDoubled: rounds.hand_doubled,
    ev.PlayerAbsent: rounds.player_absent,
    ev.PlayerReturned: rounds.player_returned,
    ev.HandAnnounced: unchanged,
    ev.Settled: rounds.settled,
    ev.HandRemoved: rounds.hand_removed,
    ev.CardsCollected: rounds.cards_collected,
    ev.RoundEnded: rounds.round_ended,
    # Supervision
    ev.NoticeGiven: supervision.notice_given,
    ev.LimitsSet: supervision.limits_set,
    ev.CardsDetermined: supervision.cards_determined,
    ev.SideBetSet: supervision.side_bet_set,
    ev.DayBegun: supervision.day_begun,
    ev.CuttingCardsDetermined: supervision.cutting_cards_determined,
    ev.LimitRaised: supervision.limit_raised,
    ev.MarkerRemoved: supervision.marker_removed,
    ev.PlayerHeld: supervision.player_held,
    ev.BoxGivenUp: supervision.box_given_up,
    ev.CardReplaced: supervision.card_replaced,
    ev.FinalRoundsAnnounced: supervision.final_rounds_announced,
    ev.RoundVoided: supervision.round_voided,
    ev.RoundInvalidated: supervision.round_invalidated,
    ev.BreachRecorded: supervision.breach_recorded,
    ev.WagerVoided: supervision.wager_voided,
    ev.PlayerExcluded: supervision.player_excluded,
    ev.DisputeOpened: supervision.dispute_opened,
    ev.DisputeRuled: supervision.dispute_ruled,
    ev.Told: unchanged,
    ev.TableClosed: supervision.table_closed,
}


def advance(state: State, command: Command, by: Actor) -> tuple[State, list[Event]]:
    """Carry out a command: the new state and what happened. Refused leaves everything as it was."""
    run = Run(state, by, STEPS)
    try:
        if by.role not in command.askers:
            refuse_asker(command, by)
        HANDLERS[type(command)](run, command)
    except Refused as refused:
        refused.state = state
        raise
    if run.state.stage == "playing":
        turns.go_on(run)
    return run.state, run.events


def bar_of(state: State, command: Command, by: Actor) -> Bar | None:
    """What bars the command to this asker, if anything does; it is one of the moves of the game."""
    return asker_bar(command, by) or BARS[type(command)](state, command, by)


def decide(state: State, command: Command, by: Actor) -> list[Event]:
    """What the command makes happen. May refuse."""
    return advance(state, command, by)[1]


def evolve(state: State, event: Event) -> State:
    """What an event makes of the state."""
    return STEPS[type(event)](state, event)
