"""A round of a log as a case, and a case as a log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from croupier.cards import CUT, FACE_UP, Card
from croupier.cases.model import LAID_ON, Case, CaseWager, Expectation
from croupier.cases.run import (
    OPEN_LIMITS,
    CasePlayer,
    Failure,
    case_rules,
    case_settings,
    case_start,
    settled_in,
)
from croupier.errors import ParseError
from croupier.money import number, plain
from croupier.record import Entry, Log, LogWriter, header_for
from croupier.rulebook import Rulebook, load
from croupier.rulebook.toml import written
from croupier.rulebook.wager import MAIN
from croupier.table import advance
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import Actor
from croupier.table.commands import Command
from croupier.table.conduct import due
from croupier.table.events import Event
from croupier.table.lines import IRREGULARITIES
from croupier.table.state import State, decider, standing

# A round as a case


class _Step(Struct, frozen=True):
    """A line of the log with the table before it."""

    before: State
    entry: Entry


def _steps(log: Log, number: int | None) -> tuple[list[_Step], list[Card]]:
    """The lines of one complete round, and the cards burnt for it beforehand."""
    state = log.initial_state()
    steps: list[_Step] = []
    burnt: list[Card] = []
    found: tuple[list[_Step], list[Card]] | None = None
    for entry in log.entries:
        before = state
        if entry.refused is None:
            state, _ = advance(state, entry.command, entry.by)
        if isinstance(entry.command, cmd.Burn) and not _in_round(before):
            burnt.append(entry.command.card)
        if any(isinstance(event, ev.BettingOpened) for event in entry.events):
            steps = []
        steps.append(_Step(before=before, entry=entry))
        if any(isinstance(event, ev.RoundEnded) for event in entry.events):
            if number in (None, before.round):
                found = steps, burnt
            steps, burnt = [], []
    if found is None:
        raise ParseError(f"{log.source}: has no complete round {'' if number is None else number}".rstrip())
    return found


def _in_round(state: State) -> bool:
    return any(box.bets for box in state.boxes)


def case_of(log: Log, number: int | None = None) -> Case:
    """A round of a log (the last complete one by default) as a case."""
    steps, burnt = _steps(log, number)
    book = log.book
    before_deal = next(
        step.before for step in steps if isinstance(step.entry.command, cmd.AnnounceNoMoreBets)
    )
    cards, reshuffled = _cards(steps)
    events = [event for step in steps for event in step.entry.events]
    return Case(
        title=log.header.title or f"Round {before_deal.round} of {Path(log.source).name}",
        rulebook=log.header.rulebook,
        burn=burnt[0] if burnt else None,
        cards=cards,
        reshuffled=reshuffled,
        play=tuple(_lines(steps, book)),
        dealer=_dealer(steps),
        table=_table(log, before_deal),
        wagers=tuple(_wagers(before_deal)),
        expect=tuple(_expectations(events, book)),
        source=log.source,
    )


def _cards(steps: list[_Step]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words out of the shoe, and those that came after it had run out."""
    words: list[str] = []
    cut = None
    for step in steps:
        command = step.entry.command
        if word := _word(step):
            words.append(word)
        elif isinstance(command, cmd.Deal) and command.laid_on and step.entry.refused is None:
            words[_left_as(words, command.card)] += LAID_ON + command.laid_on
        elif isinstance(command, cmd.ShoeRunsOut) and step.entry.refused is None:
            cut = len(words)
    return (tuple(words), ()) if cut is None else (tuple(words[:cut]), tuple(words[cut:]))


def _left_as(words: list[str], card: Card) -> int:
    """The word with which a card drawn in error left the shoe."""
    if card not in words:
        raise ParseError(f"{card} was drawn before the round and laid wrongly, which a case cannot say")
    return max(place for place, word in enumerate(words) if word == card)


def _word(step: _Step) -> str:
    """The word that leaves the shoe with a line, or nothing."""
    command = step.entry.command
    if step.entry.refused is not None or not isinstance(command, cmd.CardCommand | cmd.DrawCuttingCard):
        return ""
    if isinstance(command, cmd.DrawCuttingCard):
        return CUT
    if _was_held(step):
        return ""
    if isinstance(command, cmd.Deal) and command.laid_on:
        return command.card + LAID_ON + command.laid_on
    return command.card + (FACE_UP if isinstance(command, cmd.DealFaceUp) else "")


def _was_held(step: _Step) -> bool:
    """Had the card left the shoe before, drawn in error?"""
    events = step.entry.events
    if any(isinstance(event, ev.CardBurnt) for event in events):
        return any(isinstance(event, ev.CardBurnt) and event.held for event in events)
    return bool(step.before.shoe.held) and any(isinstance(event, ev.CardDealt) for event in events)


def _lines(steps: list[_Step], book: Rulebook) -> list[str]:
    lines = []
    acts = 0  # with a card
    for step in steps:
        if step.entry.refused is None:
            lines += _shared_lines(step)
        line = "" if _fell_through(step) else _line(step.before, *step.entry.asked)
        if line and _says_when(step):
            line = f"after {acts} {standing(step.before)} {line}"
        if isinstance(step.entry.command, cmd.CardCommand | cmd.DrawCuttingCard):
            acts += step.entry.refused is None
        if step.entry.refused is not None:
            line = line or _attempt(step.before, *step.entry.asked)
            clauses = book.cite(step.entry.refused.provision)
            line = f"{line} refused {book.short(clauses[0])}" if line and clauses else ""
        if line:
            lines.append(line)
    return lines


def _fell_through(step: _Step) -> bool:
    """A mishap that was refused: no card left the shoe."""
    return step.entry.refused is not None and type(step.entry.command) in IRREGULARITIES.values()


def _says_when(step: _Step) -> bool:
    """Must the line say when it comes? A mishap need not where somebody decides, or the dealer is to draw."""
    command, state = step.entry.command, step.before
    usual = due(state) == "decision" or (state.stage == "dealer" and len(state.dealer) == 1)
    mishap = isinstance(command, cmd.DrawInError | cmd.BurnInError) and not usual
    return mishap or isinstance(command, cmd.Reconstruct)


def _shared_lines(step: _Step) -> list[str]:
    """A split or double is one line for everybody, at the answer that carried it out."""
    lines = []
    for event in step.entry.events:
        if isinstance(event, ev.HandSplit):
            place = _place(step.before, event.box, event.hand)
            lines.append(f"{place} split {' '.join(event.players)}")
        elif isinstance(event, ev.HandDoubled):
            place = _place(step.before, event.box, event.hand)
            amounts = " ".join(f"{player}={plain(amount)}" for player, amount in event.amounts.items())
            lines.append(f"{place} double {amounts}")
    return lines


def _attempt(state: State, command: Command, by: Actor) -> str:
    """The line of a split or double that was refused."""
    if isinstance(command, cmd.Split):
        return f"{_place(state, command.box, command.hand)} split {by.name}".rstrip()
    if isinstance(command, cmd.Double):
        amount = "" if command.amount is None else f"={plain(command.amount)}"
        return f"{_place(state, command.box, command.hand)} double {by.name}{amount}".rstrip()
    return ""


def _place(state: State, box: int, hand: int) -> str:
    split = 1 <= box <= len(state.boxes) and len(state.box(box).hands) > 1
    return f"{box}.{hand}" if split else str(box)


def _line(state: State, command: Command, by: Actor) -> str:
    """The play line of a command, or nothing for what a case does not say."""
    for name, kind in IRREGULARITIES.items():
        if isinstance(command, kind):
            return f"irregularity {name}"
    if isinstance(command, cmd.Reconstruct):
        hands = (f"{place} {' '.join(cards)}" for place, cards in command.hands.items())
        return f"reconstruct {' / '.join(hands)}"
    if isinstance(command, cmd.Insure):
        return f"{command.box} {by.name} insure {plain(command.amount)}"
    if isinstance(command, cmd.TakeEvenMoney):
        return f"{command.box} {by.name} even-money"
    if isinstance(command, cmd.Surrender):
        return f"{command.box} surrender"
    if isinstance(command, cmd.Return):
        return f"{command.player} returns"
    if not isinstance(command, cmd.Hit | cmd.Stand | cmd.Forfeit | cmd.ReportAbsent):
        return ""
    place = _place(state, command.box, command.hand)
    if isinstance(command, cmd.ReportAbsent) and command.player:
        return f"{place} {command.player} absent"
    if isinstance(command, cmd.Forfeit):
        return f"{place} {by.name} forfeit"
    verbs = {cmd.Hit: "hit", cmd.Stand: "stand", cmd.ReportAbsent: "absent"}
    return f"{place} {verbs[type(command)]}"


def _dealer(steps: list[_Step]) -> tuple[Card, ...]:
    return next(step.before.dealer for step in steps if isinstance(step.entry.command, cmd.Collect))


def _table(log: Log, state: State) -> dict[str, Any]:
    """The settings of the case's table as they stand at this round, where a case would assume others."""
    house = state.rules.house
    amounts = {
        "minimum": state.terms.minimum,
        "maximum": state.terms.maximum,
        "multiple": house.multiple,
        "smallest_chip": house.smallest_chip,
    }
    assumed = log.book.demonstration | OPEN_LIMITS
    unsaid = {name: getattr(state.rules, name) for name in log.book.options() if name in assumed}
    settings = unsaid | log.header.settings | {name: number(value) for name, value in amounts.items()}
    settings = {name: value for name, value in settings.items() if value != assumed.get(name)}
    settings["decks"] = state.terms.decks
    if state.final_left is not None:
        settings["final_rounds"] = True
    return settings


def _wagers(state: State) -> list[CaseWager]:
    wagers = []
    for box in state.boxes:
        owner = decider(state, box)
        for bet in sorted(box.bets, key=lambda bet: bet.player != owner):
            sides = {side.name: side.stake for side in bet.sides}
            wagers.append(
                CaseWager(box=box.number, player=bet.player, stake=bet.stake + bet.over, sides=sides)
            )
    return wagers


def _expectations(events: list[Event], book: Rulebook) -> list[Expectation]:
    split = {event.box for event in events if isinstance(event, ev.HandSplit)}
    found: dict[tuple[str, int, str, int | None], list[ev.Settled]] = {}
    for event in settled_in(events):
        hand = event.hand if event.wager == MAIN and event.box in split else None
        found.setdefault((event.player, event.box, event.wager, hand), []).append(event)
    return [
        Expectation(
            player=player,
            box=box,
            wager=wager,
            hand=hand,
            net=sum(event.net for event in settled),
            clauses=tuple(
                dict.fromkeys(book.short(clause) for event in settled for clause in book.cite(*event.basis))
            ),
        )
        for (player, box, wager, hand), settled in found.items()
    ]


# A case as text and as a log


def to_toml(case: Case) -> str:
    """The case as TOML that `read_case` reads back."""
    lines = [f"title = {written(case.title)}", f"rulebook = {written(case.rulebook)}"]
    if case.burn:
        lines.append(f"burn = {written(case.burn)}")
    lines.append(f"cards = {written(' '.join(case.cards))}")
    if case.reshuffled:
        lines.append(f"reshuffled = {written(' '.join(case.reshuffled))}")
    lines += ["play = [", *(f"    {written(line)}," for line in case.play), "]"]
    lines += [f"dealer = {written(' '.join(case.dealer))}", "", "[table]"]
    lines += [f"{name} = {written(value)}" for name, value in case.table.items()]
    for wager in case.wagers:
        lines += ["", "[[wager]]", f"box = {wager.box}", f"player = {written(wager.player)}"]
        lines.append(f"stake = {plain(wager.stake)}")
        lines += [f"{name} = {plain(stake)}" for name, stake in wager.sides.items()]
    for expect in case.expect:
        lines += ["", "[[expect]]", f"player = {written(expect.player)}", f"box = {expect.box}"]
        lines += [f"hand = {expect.hand}"] if expect.hand else []
        lines += [f"wager = {written(expect.wager)}", f"net = {plain(expect.net)}"]
        lines.append(f"clause = {written(', '.join(expect.clauses))}")
        lines += [f"why = {written(expect.why)}"] if expect.why else []
    return "\n".join(lines) + "\n"


def write_case_log(case: Case, path: Path) -> None:
    """Play a case and keep the log of it."""
    book = load(case.rulebook)
    settings = book.demonstration | case_settings(case)
    header = header_for(book, case_rules(case, book), settings, case_start(case), case.title)
    store = LogWriter.create(path, header)
    try:
        CasePlayer(case, book, store).play()
    except Failure as failure:
        raise ParseError(f"{case.source}: {failure}") from None
    finally:
        store.close()
