"""What goes over the wire between a page and a table, as strict structs; `docs/protocol.md` says when.

Who asks is never in a message: the session says it. Amounts are cents, times milliseconds since 1970 by the
server's clock. Clauses are named as the rulebook names them (`Rulebook.short`); what they say is asked for by
name over HTTP. All that a page shows in words comes in these frames.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, Union

import msgspec
from msgspec import Meta, Struct

from croupier.table import commands as cmd
from croupier.table.actors import Role

Id = Annotated[str, Meta(min_length=1, max_length=64)]
Seen = Annotated[int, Meta(ge=0, le=10**12)]
Sum = Annotated[int, Meta(ge=0, le=10**12)]


# From the page


class Message(Struct, frozen=True, tag=str.lower, forbid_unknown_fields=True, omit_defaults=True):
    """What a page says. `id` is the page's own name for a request, and `seen` the last line that it knows."""


class Hello(Message, frozen=True):
    """The first message on every connection: the last line that this page knows, 0 for none."""

    seen: Seen = 0


class Ask(Message, frozen=True):
    """A command of the table. `role`: one that the session holds; `yes` answers the question asked before."""

    id: Id
    seen: Seen
    command: Union[tuple(cmd.KINDS.values())]  # type: ignore[valid-type]  # noqa: UP007
    role: Role | None = None
    yes: bool = False


class Line(Message, frozen=True):
    """The words of the terminal, from the console's command line."""

    id: Id
    seen: Seen
    line: Annotated[str, Meta(max_length=500)]
    role: Role | None = None
    yes: bool = False


class Bet(Message, frozen=True):
    """What shall lie on a box in all, side bets by name; nothing takes the wager back."""

    id: Id
    seen: Seen
    box: Annotated[int, Meta(ge=1, le=99)]
    stake: Sum = 0
    sides: dict[str, Sum] = {}


class Done(Message, frozen=True):
    """Nothing more from this player now: no further bet, no offer, no forfeit, results looked at."""

    id: Id
    seen: Seen


class More(Message, frozen=True):
    """Who is asked something wants more time for it."""

    id: Id
    seen: Seen


class Ping(Message, frozen=True):
    """Is anybody there, and what time is it?"""


Request = Ask | Line | Bet | Done | More
FromPage = Hello | Ask | Line | Bet | Done | More | Ping


# What everybody at a table is shown


class Frame(Struct, frozen=True, tag=str.lower, omit_defaults=True):
    """What the server says."""


class Said(Struct, frozen=True, omit_defaults=True):
    """A sentence and the clauses behind it, the chief one first."""

    words: str
    clauses: tuple[str, ...] = ()


class Moved(Struct, frozen=True, omit_defaults=True):
    """Chips that went from one place to another: `player`, `box` or `float`, whose and on which box."""

    amount: int
    source: str
    target: str
    player: str
    box: int = 0


class Told(Struct, frozen=True, omit_defaults=True):
    """One event in words. Several may have the same number `n`, that of their line on record.

    `event` is the table's own name for it, and `yours` are the words for the `player` whom it is about. What
    it is about is beside the words, for tokens and motion: the cards, box (0: the dealer) and hand; of a
    settlement the wager, its net and how it came about.
    `refused`: nothing happened, and the words say why.
    """

    n: int
    event: str
    words: str
    phase: str
    clauses: tuple[str, ...] = ()
    box: int | None = None
    hand: int = 0
    player: str = ""
    yours: str = ""
    cards: tuple[str, ...] = ()
    wager: str = ""
    net: int | None = None
    how: str = ""
    moved: tuple[Moved, ...] = ()
    refused: bool = False
    by: str = ""
    at: str = ""


class Side(Struct, frozen=True, omit_defaults=True):
    """A side bet that lies on a box; `net` once it is settled."""

    name: str
    stake: int
    open: bool
    net: int | None = None


class Bettor(Struct, frozen=True, omit_defaults=True):
    """What one player has on a box. `over` lies above the maximum and goes back; `net` of the box so far."""

    player: str
    stake: int
    over: int = 0
    under: bool = False
    loose: bool = False
    sides: tuple[Side, ...] = ()
    insurance: int = 0
    insurance_net: int | None = None
    void: bool = False
    net: int | None = None


class Stake(Struct, frozen=True, omit_defaults=True):
    """One bettor's money on one hand; `net` once it is settled, `end` how it ended."""

    player: str
    original: int
    doubled: int = 0
    rides: bool = False
    end: str = ""
    net: int | None = None


HandState = Literal[
    "waiting",
    "turn",
    "stood",
    "doubled",
    "natural",
    "bust",
    "paid",
    "surrendered",
    "away",
    "void",
    "settled",
]


class Hand(Struct, frozen=True, omit_defaults=True):
    """A hand of a box. `words` is its total as people say it, `asked` what its decider has elected."""

    cards: tuple[str, ...]
    words: str
    total: int
    state: HandState
    soft: bool = False
    stakes: tuple[Stake, ...] = ()
    asked: str = ""
    removed: bool = False


class Box(Struct, frozen=True, omit_defaults=True):
    """A box of the layout. `decider` decides for it now; `raised_to`: a marker shows another maximum."""

    number: int
    seat: str = ""
    decider: str = ""
    bets: tuple[Bettor, ...] = ()
    hands: tuple[Hand, ...] = ()
    absent: tuple[str, ...] = ()
    raised_to: int = 0
    raised_for: str = ""


class Dealer(Struct, frozen=True, omit_defaults=True):
    cards: tuple[str, ...] = ()
    words: str = ""
    total: int = 0


class Clock(Struct, frozen=True):
    """Until when the table waits, by the server's clock, and for how long it began to."""

    until: int
    seconds: float


class SideTerms(Struct, frozen=True, omit_defaults=True):
    """A side bet on offer: what it is called, what it takes, in words what it pays."""

    name: str
    title: str
    short: str
    words: str
    pays: str
    low: int = 0
    high: int | None = None
    clauses: tuple[str, ...] = ()


class Dispute(Struct, frozen=True, omit_defaults=True):
    number: int
    player: str
    about: str
    status: str
    award: int = 0


class Step(Struct, frozen=True, omit_defaults=True):
    """Something that is done to the cards before they are dealt."""

    words: str
    clauses: tuple[str, ...] = ()
    done: bool = False


class Table(Struct, frozen=True, omit_defaults=True):
    """The table as it lies, the same for every seat.

    `due` is what it waits for and `on` for whom (`shoe`, `dealer`, `supervisor`, `operator`, `players`,
    `nobody`), `players` which of them; `next` says it in a sentence for everybody. `turn` is box and hand. Of
    a live table `enter` is what Enter does at its console, and `gone` are cards that cannot come any more.
    `preparing` says how far the cards are, while they are being prepared.
    """

    stage: str
    phase: str
    due: str
    on: str
    next: Said
    round: int
    minimum: int
    maximum: int
    decks: int
    shoe: int
    rack: int
    now: int
    boxes: tuple[Box, ...]
    dealer: Dealer = Dealer()
    players: tuple[str, ...] = ()
    turn: tuple[int, int] | None = None
    clock: Clock | None = None
    sides: tuple[SideTerms, ...] = ()
    last_of_shoe: bool = False
    held: tuple[str, ...] = ()
    final_rounds: int | None = None
    excluded: tuple[str, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    here: tuple[str, ...] = ()
    enter: str = ""
    gone: tuple[str, ...] = ()
    preparing: tuple[Step, ...] = ()


class News(Frame, frozen=True):
    """To everybody: what a command did and what dealer and shoe did after it, and the table then.

    `n` is the last line on record; `before` the last one before these lines, so that a page sees a gap. No
    table: it lies as it lay, as after a question that was answered.
    """

    n: int
    before: int
    lines: tuple[Told, ...]
    table: Table | None = None


# What only one of them is shown


class Range(Struct, frozen=True, omit_defaults=True):
    """An amount from low to high (absent: no bound) in steps, counted from zero with `base` added."""

    low: int
    high: int | None = None
    step: int = 1
    base: int = 0


class Choice(Struct, frozen=True, omit_defaults=True):
    """Something that the player may do now, or (`closed`) may not, and why not.

    `command` is what to ask; fields in `free` may be changed within their bounds. `price` is the least that
    it takes of the player's chips. `words` say what it does, and `key` is its letter. `place` is the box
    that it is for, where others ask the same. `player`: whose it is, where that is told to somebody else.
    """

    command: dict[str, Any]
    key: str
    label: str
    words: str
    price: int = 0
    free: dict[str, Range] = {}
    clauses: tuple[str, ...] = ()
    closed: Said | None = None
    player: str = ""
    place: str = ""


class Spot(Struct, frozen=True, omit_defaults=True):
    """A box that the player may bet on: from low to high (absent: what is more goes back); or why not.

    `again` is what `Repeat last` lays there.
    """

    box: int
    low: int = 0
    high: int | None = None
    step: int = 1
    again: dict[str, int] = {}
    closed: Said | None = None


class Reply(Struct, frozen=True, omit_defaults=True):
    """What became of a request. Nothing was done where it is not `ok`; `question` wants it again with `yes`.

    `why` is `refused` (the rules), `stale` (the table has moved on), `purse`, `input`, `question`, `role`,
    `store` or `closed`.
    """

    id: str
    ok: bool
    n: int = 0
    why: str = ""
    said: Said | None = None


class You(Frame, frozen=True):
    """To one player: what is asked of them, what they may do, their chips; and what became of a request.

    At a live table chips are in the player's hand: `purse` is None, and `won` what this table has brought.
    Where a clock runs for the answer, `late` says what happens when it has run out, and `more` how often the
    player may still ask for as much time again. `excluded`: on whose order.

    To whoever deals at a live table: `desk` is what to do next, `how` how it is typed or who is waited for,
    `choices` are those of the hand in turn, or what is offered to each `player`; `passed` says which players
    want nothing more of it. `barred` are the keys of the console that record nothing now, and why.
    """

    n: int
    name: str
    purse: int | None
    on_table: int
    won: int = 0
    asked: str = ""
    choices: tuple[Choice, ...] = ()
    spots: tuple[Spot, ...] = ()
    late: Said | None = None
    more: int = 0
    done: bool = False
    absent: bool = False
    excluded: Said | None = None
    roles: tuple[str, ...] = ()
    desk: Said | None = None
    how: str = ""
    passed: str = ""
    barred: dict[str, Said] = {}
    reply: Reply | None = None


class Answer(Frame, frozen=True):
    """To one player: what became of a request that changed nothing. All that is theirs stands as it stood."""

    n: int
    reply: Reply


Kind = Literal["betting", "offers", "decision", "forfeit", "cut", "results"]  # of what is waited for


class Felt(Struct, frozen=True, omit_defaults=True):
    """What is printed on the layout, from the rules."""

    natural: Said
    dealer: Said
    insurance: Said | None = None


class Clocks(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How long the table waits, in seconds; None: until everybody concerned has answered.

    `away`: after how long one who is not connected, and is waited for, is absent. `more`: how often the time
    for one question begins anew because somebody who is asked wants it to.
    """

    betting: Annotated[float, Meta(ge=0, le=3600)] | None = None
    offers: Annotated[float, Meta(ge=0, le=3600)] | None = None
    decision: Annotated[float, Meta(ge=0, le=3600)] | None = None
    results: Annotated[float, Meta(ge=0, le=3600)] | None = None
    away: Annotated[float, Meta(ge=0, le=3600)] | None = None
    more: Annotated[int, Meta(ge=0, le=100)] = 10


class Pays(Struct, frozen=True, omit_defaults=True):
    """What one kind of win pays; `wager` names the side bet whose row it is."""

    name: str
    odds: str
    clauses: tuple[str, ...] = ()
    wager: str = ""


class Facts(Struct, frozen=True, omit_defaults=True):
    """What never changes at a table.

    `cites` has the clauses behind what a page shows without a sentence: limits, a marker, how a card falls.
    `version` is that of the pages which the server has now.
    """

    id: str
    name: str
    kind: str
    book: str
    title: str
    game: str
    natural: str
    dealer: str
    split: str
    currency: str
    house: str
    multiple: int
    smallest_chip: int
    chips: tuple[int, ...]
    ranks: str
    bettors: int
    felt: Felt
    clocks: Clocks
    version: str
    cites: dict[str, tuple[str, ...]] = {}
    pays: tuple[Pays, ...] = ()
    alone: bool = False
    play_money: bool = True


class Snapshot(Frame, frozen=True):
    """On every connection: the facts, the lines of the round so far, the table and what is yours."""

    n: int
    facts: Facts
    lines: tuple[Told, ...]
    table: Table
    you: You


class Problem(Frame, frozen=True):
    """A message that could not be read, or came too fast. Nothing was done."""

    words: str


class Bye(Frame, frozen=True):
    """The server ends the connection: `elsewhere` (another window), `anew`, `closed`, `slow`, `stopping`."""

    why: str
    words: str


class Pong(Frame, frozen=True):
    now: int


FromServer = Snapshot | News | You | Answer | Problem | Bye | Pong
encode = msgspec.json.Encoder().encode
decode_message: Callable[[str | bytes], FromPage] = msgspec.json.Decoder(FromPage).decode
