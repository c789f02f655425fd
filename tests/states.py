"""A search over the states of small tables: no state is stuck, and nothing in it is out of order.

From states that lawful rounds pass through, everything that can be typed is asked: players', dealer's,
supervisor's, operator's and regulator's commands, right and wrong. Of what is accepted the rarest is
followed, so that states which people seldom reach are reached too. At every state and step:

    ends      chores, cards and lawful moves lead to the end of the round and to the next bets
    rights    nobody without a right moved chips
    chips     the layout and the winnings are what an account of the events says
    cards     shoe, rack, table and held cards are all the cards
    legal     the moves that are listed are those that are not refused
    bars      what bars a move, asked beforehand, is what refuses it
    machine   the events make the state, a refusal leaves it alone, nothing but a refusal is raised

States that differ only in what does not matter here (suits, old rounds, how many cards are far off)
count as one. What is found is told as the commands that lead there, shortened as far as they go.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from accounts import Wallets, cards_amiss, chips_amiss, lying
from asking import PLAYERS, RANKS, Asker
from croupier.errors import Refused
from croupier.table import advance, evolve
from croupier.table import commands as cmd
from croupier.table import events as ev
from croupier.table.actors import player
from croupier.table.commands import KINDS, Asked
from croupier.table.conduct import chore
from croupier.table.contents import BARS, bar_of
from croupier.table.state import State, bets_open
from croupier.table.text import parse, write
from ends import Ends, Moves, accepted, is_over, ways
from rights import speaker, wrongs
from small_tables import Table, feature, key

# Of commands those that still show something, if they do.
Shows = Callable[[list[Asked]], list[Asked] | None]

# What no rulebook ever accepts.
NEVER = {cmd.Attempt.__name__}

# One step, and everything that must hold of it


class Step(NamedTuple):
    """What came of a command at a state: nothing where it was refused, and what was out of order."""

    after: State | None
    wallets: Wallets
    consent: frozenset[str]
    faults: tuple[str, ...]


# Asked and answered by `decide` alone.
NOT_MOVES = (
    *(cmd.SupervisorCommand, cmd.OperatorCommand, cmd.RegulatorCommand, cmd.ReportMalfunction),
    *(cmd.Reconstruct, cmd.Sit, cmd.Leave, cmd.Ask, cmd.Attempt, cmd.OpenDispute, cmd.RequestReview),
)


def is_move(state: State, asked: Asked) -> bool:
    """Is the command one that `legal` would list if it were allowed?

    A card laid wrongly is a mishap; side bets may be bound to the main wager; who has no seat may bet;
    what is tendered goes without saying where it is chips.
    """
    command = asked.command
    if isinstance(command, cmd.Wager):
        seated = asked.by.name in state.people.arrivals
        return seated and not command.sides and command.tender == "chips"
    return not isinstance(command, NOT_MOVES) and not getattr(command, "laid_on", "")


def take(
    state: State, wallets: Wallets, consent: frozenset[str], asked: Asked, moves: Moves | None = None
) -> Step:
    """Give the command and look at everything that it did."""
    moves = moves or Moves(state)
    try:
        after, events = advance(state, *asked)
    except Refused as refused:
        listed = is_move(state, asked) and moves.lists(asked)
        faults = ["legal: listed, and refused"] if listed else []
        return Step(None, wallets, consent, (*faults, *bars_amiss(state, asked, refused)))
    except Exception as error:
        return Step(None, wallets, consent, (f"machine: {type(error).__name__} is raised: {error}",))
    faults = [*bars_amiss(state, asked, None)]
    if is_move(state, asked) and not moves.lists(asked):
        faults.append("legal: not listed, and allowed")
    faults += [f"rights: {wrong}" for wrong in wrongs(state, asked, events, after, consent)]
    if after != _made(state, events):
        faults.append("machine: the events do not make the state")
    faults += [f"chips: {fault}" for fault in _decisions_on_rounds(state, wallets, events)]
    wallets = _account(state, wallets, events)
    if not faults:
        faults += [f"chips: {fault}" for fault in (chips_amiss(wallets, after),) if fault]
        faults += [f"cards: {fault}" for fault in (cards_amiss(after),) if fault]
        if after.stage == "closed" and +lying(after):
            faults.append("ends: chips lie on a table that is closed")
    return Step(after, wallets, _consent(consent, asked), tuple(faults))


def bars_amiss(state: State, asked: Asked, refused: Refused | None) -> Iterator[str]:
    """Is what bars the command, asked beforehand, anything but what came of it?"""
    if type(asked.command) in BARS:
        bar = bar_of(state, *asked)
        said = (bar.provision, bar.why, *bar.also) if bar else None
        came = (refused.provision, refused.why, *refused.provisions[1:]) if refused else None
        if said != came:
            yield f"bars: {said} was said, and {came} came"


def _consent(consent: frozenset[str], asked: Asked) -> frozenset[str]:
    """Who has spoken since the last card."""
    return frozenset() if isinstance(asked.command, cmd.CardCommand) else consent | speaker(asked)


def _made(state: State, events: list[ev.Event]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def _account(state: State, wallets: Wallets, events: list[ev.Event]) -> Wallets:
    wallets = wallets.copy()
    for event in events:
        wallets.see(event, state)
        state = evolve(state, event)
    return wallets


def _decisions_on_rounds(state: State, wallets: Wallets, events: list[ev.Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, ev.RoundVoided | ev.RoundInvalidated) and event.round in wallets.undone:
            yield "a round that does not count was decided again"
        kept = isinstance(event, ev.RoundInvalidated) and not event.refunded and event.wagers
        if kept and bets_open(state) and event.round == state.round:
            yield "wagers that players could still take back are kept"


# The search


class Node(NamedTuple):
    state: State
    wallets: Wallets
    consent: frozenset[str]
    parent: Node | None = None
    asked: Asked | None = None

    def path(self) -> list[Asked]:
        path, node = [], self
        while node.parent is not None and node.asked is not None:
            path.append(node.asked)
            node = node.parent
        return path[::-1]

    @property
    def kind(self) -> str:
        return type(self.asked.command).__name__ if self.asked else ""


class Finding(NamedTuple):
    """Something out of order, and the commands that show it."""

    table: Table
    fault: str
    commands: tuple[Asked, ...]

    def text(self) -> str:
        """As a clause test has it; what a shoe that began with few cards shows needs such a shoe."""
        few = f"# on a shoe of {RANKS} with {self.table.left} cards left" if self.table.left else ""
        lines = [f"# {self.table.rulebook}, {self.table.title}: {self.fault}", few]
        lines += [f"house = {toml(self.table.house)}", 'steps = """', *map(step_text, self.commands), '"""']
        return "\n".join(line for line in lines if line)


def step_text(asked: Asked) -> str:
    """A command as a clause test has it; there `deal` means a row of cards."""
    command = asked.command
    if isinstance(command, cmd.Deal):
        return f"{command.card} on {command.laid_on}" if command.laid_on else command.card
    return write(*asked)


def toml(value: Any) -> str:
    """A setting as TOML has it on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {toml(part)}" for name, part in value.items()) + " }"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else f'"{value}"'


def opening(state: State) -> list[Asked]:
    """The shortest way to the first bets, with nobody there."""
    path: list[Asked] = []
    while state.stage != "betting":
        asked, state = next(accepted(state, ways(state)))
        path.append(asked)
    return path


class Search:
    """One table searched: how much was seen, which kinds of commands were accepted, what was found."""

    def __init__(self, table: Table, seed: int = 0) -> None:
        self.table = table
        self.chance = random.Random(seed)
        self.ends = Ends()
        self.start = Node(table.start(), Wallets(), frozenset())
        self.seen: set[bytes] = set()
        self.waiting: dict[tuple[Any, ...], list[Node]] = defaultdict(list)
        self.looked: Counter[tuple[Any, ...]] = Counter()
        self.accepted: Counter[str] = Counter()
        self.followed: Counter[str] = Counter()
        self.findings: dict[str, Finding] = {}
        self.blocked: set[tuple[Any, ...]] = set()
        self.states = self.transitions = 0
        self.opening = opening(self.start.state)

    def run(self, states: int) -> Search:
        """Look at so many states, each from everything typed there."""
        while self.states < states:
            if self.states % 40 == 0 or not self.waiting:
                self.walk()
            self.examine(self._choose())
        return self

    def _choose(self) -> Node:
        """A state not yet looked at, of a kind that has seldom been."""
        kinds = list(self.waiting)
        (kind,) = self.chance.choices(kinds, [1 / (1 + self.looked[kind]) ** 2 for kind in kinds])
        self.looked[kind] += 1
        nodes = self.waiting[kind]
        node = nodes.pop(self.chance.randrange(len(nodes)))
        if not nodes:
            del self.waiting[kind]
        return node

    def _keep(self, node: Node) -> None:
        name = key(node.state)
        if node.parent and node.asked and parse(node.parent.state, write(*node.asked)) != node.asked:
            self._found(node.path(), f"text: another command is read ({node.kind})")
        if name not in self.seen:
            self.seen.add(name)
            self.waiting[feature(node.state)].append(node)

    # Rounds by the rules

    def walk(self, rounds: int = 4) -> None:
        """Some rounds of lawful play, every state of which is looked at later."""
        bettors = [name for name in PLAYERS if self.chance.random() < 0.6] or ["p1"]
        node = self.start
        for number, name in enumerate(PLAYERS[: len(node.state.boxes)], start=1):
            node = self._give(node, Asked(cmd.Sit(box=number), player(name))) or node
        last = node.state.round + rounds
        for _ in range(60 * rounds):
            if node.state.stage == "closed" or (node.state.round == last and is_over(node.state)):
                return
            following = self._lawful(node, bettors)
            if following is None:
                return
            node = following

    def _give(self, node: Node, asked: Asked) -> Node | None:
        step = take(node.state, node.wallets, node.consent, asked)
        self._record(node, asked, step)
        if step.after is None or step.faults:
            return None
        following = Node(step.after, step.wallets, step.consent, node, asked)
        self._keep(following)
        return following

    def _lawful(self, node: Node, bettors: list[str]) -> Node | None:
        """One step of play: a wager, a card, a chore, a move at random, or now and then anything."""
        state = node.state
        if self.chance.random() < 0.1:
            return self._stray(node) or node
        if state.stage == "betting" and (not +lying(state) or self.chance.random() < 0.6):
            bettor = player(self.chance.choice(bettors))
            wager = cmd.Wager(box=self.chance.randint(1, len(state.boxes)), stake=1000)
            return self._give(node, Asked(wager, bettor)) or node
        usual = chore(state)
        moves = [usual] if usual else [move for move, _ in accepted(state, ways(state))]
        self.chance.shuffle(moves)
        bold = self.chance.random() < 0.5  # splits and doubles, which others on the hand answer
        moves.sort(key=lambda move: bold and not isinstance(move.command, cmd.Split | cmd.Double))
        moves.sort(key=lambda move: isinstance(move.command, cmd.TakeBack))
        return next(filter(None, (self._give(node, move) for move in moves)), None)

    def _stray(self, node: Node) -> Node | None:
        """A command of a kind that has seldom been followed."""
        kinds = sorted(KINDS.values(), key=lambda kind: (self.followed[kind.__name__], self.chance.random()))
        asker = Asker(node.state)
        for kind in kinds:
            asked = asker.one(kind, self.chance)
            following = None if isinstance(asked.command, cmd.CloseTable) else self._give(node, asked)
            if following is not None:
                self.followed[kind.__name__] += 1
                return following
        return None

    # Everything that can be typed

    def examine(self, node: Node) -> None:
        """Ask everything at a state; follow a few of the rarest kinds that are accepted."""
        self.states += 1
        before = msgspec.msgpack.encode(node.state.people), dict(node.state.won)
        if not self._can_end(node):
            return
        moves = Moves(node.state)
        if moves.broken:
            self._found(node.path(), f"machine: {moves.broken} is raised by legal")
        following: list[Node] = []
        for asked in (*moves.asked(), *Asker(node.state).sample(self.chance)):
            step = take(node.state, node.wallets, node.consent, asked, moves)
            self._record(node, asked, step)
            if step.after is not None and not step.faults:
                following.append(Node(step.after, step.wallets, step.consent, node, asked))
        if before != (msgspec.msgpack.encode(node.state.people), dict(node.state.won)):
            self._found(node.path(), "machine: asking changed the state")
        self._follow(following)

    def _record(self, node: Node, asked: Asked, step: Step) -> None:
        self.transitions += 1
        kind = type(asked.command).__name__
        if step.after is not None:
            self.accepted[kind] += 1
        for fault in step.faults:
            self._found([*node.path(), asked], f"{fault} ({kind})")

    def _follow(self, following: list[Node], most: int = 5) -> None:
        self.chance.shuffle(following)
        following.sort(key=lambda node: self.followed[node.kind])
        taken: set[str] = set()
        for node in following:
            kind = node.kind
            if kind not in taken and len(taken) < most and key(node.state) not in self.seen:
                taken.add(kind)
                self.followed[kind] += 1
                self._keep(node)

    def _can_end(self, node: Node) -> bool:
        """Is there an end to be reached? If not, or only by an order, it is told once for all alike."""
        if self.ends(node.state):
            return True
        alike = feature(node.state)
        if alike not in self.blocked:
            self.blocked.add(alike)
            self._tell_end(node)
        return False

    def _tell_end(self, node: Node) -> None:
        orders = self.ends.by_order(node.state)
        kinds = ", then ".join(type(asked.command).__name__ for asked in orders or ())
        way = f"only by {kinds}" if kinds else "stuck"
        stage = node.state.stage
        self._found(node.path(), f"ends: {way}, at {stage}", lambda tried: self._stops(tried, stage))

    # What was found

    def _found(self, commands: list[Asked], fault: str, shows: Shows | None = None) -> None:
        name = _general(fault)
        if name not in self.findings:
            shows = shows or (lambda tried: self._shows(tried, name))
            self.findings[name] = Finding(self.table, fault, self._shortest(commands, shows))

    def _shortest(self, commands: list[Asked], shows: Shows) -> tuple[Asked, ...]:
        """The commands that are needed; what comes before the last bets is a plain opening if it can be."""
        first = [_of_first_round(asked) for asked in commands]
        for index in range(len(commands) - 1, -1, -1):
            if isinstance(commands[index].command, cmd.OpenBetting):
                plain = shows(self.opening + first[index + 1 :] or first)
                if plain:
                    return tuple(shortest(plain, shows))
        return tuple(shortest(commands, shows))

    def _replay(self, commands: Iterable[Asked]) -> Node:
        """The commands given from the start, those that are refused left out."""
        node = self.start
        for asked in commands:
            try:
                after, events = advance(node.state, *asked)
            except Refused:
                continue
            wallets = _account(node.state, node.wallets, events)
            node = Node(after, wallets, _consent(node.consent, asked), node, asked)
        return node

    def _stops(self, commands: list[Asked], stage: str) -> list[Asked] | None:
        node = self._replay(commands)
        return node.path() if node.state.stage == stage and not self.ends(node.state) else None

    def _shows(self, commands: list[Asked], name: str) -> list[Asked] | None:
        node, last = self._replay(commands[:-1]), commands[-1]
        faults = take(node.state, node.wallets, node.consent, last).faults
        found = any(_general(f"{fault} ({type(last.command).__name__})") == name for fault in faults)
        return [*node.path(), last] if found else None


def _of_first_round(asked: Asked) -> Asked:
    if getattr(asked.command, "round", None):
        return Asked(replace(asked.command, round=1), asked.by)
    return asked


def _general(fault: str) -> str:
    """The fault without its figures, so that it is told once."""
    return re.sub(r"\d+|'[^']*'", "…", fault)


def shortest(commands: list[Asked], shows: Shows) -> list[Asked]:
    """The commands without those that are not needed; `shows` gives what is left that shows the same."""
    size = max(len(commands) // 2, 1)
    while size:
        at = len(commands) - size
        while at >= 0:
            commands = shows(commands[:at] + commands[at + size :] or commands) or commands
            at = min(at, len(commands)) - size
        size //= 2
    return commands
