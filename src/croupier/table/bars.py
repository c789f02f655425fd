"""What bars each move of the game, asked without making it: the questions that its handler asks first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.game.hand import Bar
from croupier.table import commands as cmd
from croupier.table import deal, offers, play, settle, shoe, wagers
from croupier.table.actors import Actor
from croupier.table.commands import Command
from croupier.table.run import asker_bar
from croupier.table.state import State

BARS: dict[type[Command], Callable[[State, Any, Actor], Bar | None]] = {
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


def bar_of(state: State, command: Command, by: Actor) -> Bar | None:
    """What bars the command to this asker, if anything does; it is one of the moves of the game."""
    return asker_bar(command, by) or BARS[type(command)](state, command, by)
