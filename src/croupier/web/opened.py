"""A table that is open in the browser: one mailbox around its conductor.

What comes in, from a page, from a clock or because somebody has come or gone, is taken one after another:
decided, written, and only then told. Everybody is sent the same news, whom it concerns what is theirs.
A request that was answered before gets the same answer, and one that is stale does nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import Iterator
from typing import Protocol

import msgspec
from msgspec import Struct

from croupier.errors import ParseError, Refused, RulebookError
from croupier.house.database import KeptTable, Lost, Request
from croupier.house.tables import open_betting
from croupier.record.line import Strike
from croupier.record.told import Told
from croupier.rulebook import Rulebook
from croupier.story import as_sentence
from croupier.table import State, advance
from croupier.table import commands as cmd
from croupier.table.actors import DEALER
from croupier.table.again import LastBids
from croupier.table.chips import on_table
from croupier.table.commands import Asked
from croupier.table.conduct import due
from croupier.table.contents import bar_of
from croupier.table.events import BettingOpened, PlayerExcluded
from croupier.table.state import bets_open, between_rounds
from croupier.web import asking, choosing, frames, showing, telling, waits
from croupier.web.asking import Sender
from croupier.web.choosing import Purse
from croupier.web.stopwatch import Stopwatch, millis

log = logging.getLogger("croupier.web")
STOPS = "The server stops; the table stands where it stood."
CLOSED = "This table is not open any more; nothing was done."
LEFT = "This table has just been left; come again."
LOOKS_ON = "This is somebody's own table; you may look on."
SPENT = "Your chips have gone to another table meanwhile; nothing was done."
STALE = "The table has moved on; nothing was done."
NO_MORE_TIME = "There is no more time to be had here."
WENT_WRONG = "Something went wrong; nothing was done."
REPLIES = 500  # that are at hand for whoever repeats a request
AGAIN = 1.0  # seconds after which the house tries anew what could not be written
LUMP = 20  # times the minimum are brought to a table at once


class Manner(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a table is run: its clocks, and for whom alone it was opened, if it was."""

    clocks: frames.Clocks = frames.Clocks()
    alone: str = ""


class Client(Protocol):
    """Somebody at a table: a window of a page, or a simple player. `sender` says who, nobody to watch."""

    sender: Sender

    def send(self, frame: bytes) -> None:
        """Take a frame. It never waits: who does not read is cut."""

    def bye(self, why: str, words: str) -> None:
        """This was the last."""


class House(Protocol):
    """Whose table it is: what people have that is at no table, and what becomes of one that is over."""

    def purse(self, name: str) -> int: ...

    def spent(self, name: str) -> None:
        """What a purse holds has changed, and that is written."""

    def over(self, table: OpenTable) -> None:
        """Nothing more happens at the table."""

    def lost(self, table: OpenTable) -> None:
        """Another server conducts the table now."""


class Post(Struct, frozen=True):
    """Something in the mailbox: what a client says, or that one has come or gone."""

    client: Client
    message: frames.Hello | frames.Request | None


class OpenTable:
    """One table, those who are at it, and its mailbox. Everything happens on the server's loop."""

    def __init__(self, kept: KeptTable, book: Rulebook, manner: Manner, house: House) -> None:
        self.kept = kept
        self.book = book
        self.manner = manner
        self.clients: dict[Client, None] = {}
        self.here: set[str] = set()  # by name
        self.bids = LastBids()
        self.lines: list[frames.Told] = []  # of the round so far
        self.answers = waits.Answers()
        self._house = house
        self._mail: asyncio.Queue[Post | None] = asyncio.Queue()
        self._told = kept.last  # the last line that everybody was told of
        self._asked_at = kept.last  # the last line when the question was another one
        self._watch = Stopwatch(manner.clocks)
        self._waiting: waits.Wait | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.stopped = False
        self._replies: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._arrivals = 0  # and departures
        self._looked_at: State | None = None  # at what, and after how many changes, `_wait` found what it did
        self._looked_after = 0, 0
        self._found: waits.Wait | None = None
        self._task: asyncio.Task[None] | None = None
        self._orders: dict[str, str] = {}  # who ordered that somebody is excluded
        self._shown = showing.Shown()
        self._out: dict[str, int] = {}  # what the request at hand takes out of purses
        self._before = self.answers  # who had answered what before it

    @property
    def state(self) -> State:
        return self.kept.state

    @property
    def id(self) -> str:
        return str(self.kept.number)

    @property
    def is_deserted(self) -> bool:
        """Is nobody here but simple players?"""
        return all(client.sender.name.startswith(waits.BOT) for client in self.clients)

    def start(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run(), name=f"table {self.id}")

    async def stop(self, why: str = "stopping", words: str = STOPS) -> None:
        """What is being written is written; then the table is left as it stands."""
        for client in [*self.clients]:
            client.bye(why, words)
        self.stopped = True
        self.wake()
        if self._task is not None:
            await self._task
        if self._timer is not None:
            self._timer.cancel()

    async def rest(self) -> None:
        """Until everything in the mailbox is decided, written and told."""
        await self._mail.join()

    def wake(self) -> None:
        """Have the house do what it can by itself, such as to prepare a new shoe."""
        self._mail.put_nowait(None)

    def post(self, client: Client, message: frames.FromPage | None) -> None:
        """Put something in the mailbox; None: the client has gone."""
        assert not isinstance(message, frames.Ping)
        self._mail.put_nowait(Post(client, message))
        if self._task is not None and self._task.done():  # before, what wakes it would be taken away
            self._drain()

    def _drain(self) -> None:
        """What comes too late is answered, and does nothing."""
        while not self._mail.empty():
            post = self._mail.get_nowait()
            if post is not None and isinstance(post.message, asking.REQUESTS):
                known = self._answered(post.client.sender.name, post.message)
                self._reply(post.client, known or asking.no(post.message.id, "closed", CLOSED))
            elif post is not None and isinstance(post.message, frames.Hello):
                post.client.bye("anew", LEFT)
            self._mail.task_done()

    # The mailbox

    async def _run(self) -> None:
        while not self.stopped:
            post = await self._mail.get()
            try:
                await self._take(post)
            except Exception:
                # The table stands where its record does; whoever asked is told, and the others go on.
                log.exception("table %s: %r", self.id, post)
                if post is not None and isinstance(post.message, asking.REQUESTS):
                    self._reply(post.client, asking.no(post.message.id, "store", WENT_WRONG))
            finally:
                self._mail.task_done()
        self._drain()

    async def _take(self, post: Post | None) -> None:
        if post is None:
            await self._house_turn()
        elif post.message is None:
            await self._gone(post.client)
        elif isinstance(post.message, frames.Hello):
            await self._welcome(post.client)
        else:
            await self._serve(post.client, post.message)

    async def _welcome(self, client: Client) -> None:
        """Somebody has come, or wants to see it all again."""
        if client in self.clients:
            client.send(frames.encode(self.snapshot(client)))
            return
        name = client.sender.name
        for other in [*self.clients]:
            if other is not client and name and other.sender.name == name:
                other.bye("elsewhere", "You play this table in another window.")
                self.clients.pop(other, None)
        self.clients[client] = None
        self._counted()
        self._watch.back(name)
        await self._house_turn(returning=name)
        client.send(frames.encode(self.snapshot(client)))

    async def _gone(self, client: Client) -> None:
        if self.clients.pop(client, 0) is None:
            self._watch.gone(client.sender.name)
            self._counted()
            await self._house_turn()

    def _counted(self) -> None:
        """Somebody has come or gone."""
        self.here = {client.sender.name for client in self.clients if client.sender.name}
        self._arrivals += 1

    # Requests

    async def _serve(self, client: Client, message: asking.Message) -> None:
        """Answer a request: what was answered before, why not, or what it did."""
        sender = client.sender
        if not sender.name:
            self._reply(client, asking.no(message.id, "role", "You are watching; give a name to play."))
            return
        if self._looks_on(sender):
            self._reply(client, asking.no(message.id, "role", LOOKS_ON))
            return
        if known := self._answered(sender.name, message):
            self._reply(client, known)
            return
        try:
            self._require_fresh(message, sender)
            if isinstance(message, frames.More):
                self._begin_clock_anew(client, message)
                return
            reply, request = self._decided(message, sender)
        except asking.Problem as problem:
            self._not_done(client, frames.Reply(message.id, ok=False, why=problem.why, said=problem.said))
            return
        except (ParseError, RulebookError) as error:
            self._not_done(client, asking.no(message.id, "input", as_sentence(str(error))))
            return
        if await self._written(request, answer := frames.encode(reply), client, message.id):
            self._remember(sender.name, message.id, answer)
            self._tell(request.told, client, reply)

    def _looks_on(self, sender: Sender) -> bool:
        """Is this somebody's own table, and the sender another player? Simple ones are the owner's guests."""
        owner = self.manner.alone
        return bool(owner) and sender.plays and sender.name != owner and not sender.name.startswith(waits.BOT)

    def _not_done(self, client: Client, reply: frames.Reply) -> None:
        """A request that changed nothing, and does not when it is repeated."""
        self._remember(client.sender.name, reply.id, frames.encode(reply))
        self._reply(client, reply)

    def _answered(self, name: str, message: asking.Message) -> frames.Reply | None:
        """What was answered to this request before, if it was. Lately answered ones are at hand."""
        answer = self._replies.get((name, message.id))
        if answer is None and (found := self.kept.answered(name, message.id)):
            answer = found.answer
        return msgspec.json.decode(answer, type=frames.Reply) if answer else None

    def _remember(self, name: str, asked: str, answer: bytes) -> None:
        self._replies[name, asked] = answer
        if len(self._replies) > REPLIES:
            self._replies.popitem(last=False)

    def _steps(self, message: asking.Message, sender: Sender) -> asking.Steps:
        return asking.steps(self.state, self.book, message, sender, self.bids.last, live=self.kept.live)

    def _require_fresh(self, message: asking.Message, sender: Sender) -> None:
        """A request from before the question that is now asked does nothing, where that matters to it."""
        if message.seen >= self._asked_at:
            return
        if not isinstance(message, frames.Ask | frames.Line) or asking.hurries(self._steps(message, sender)):
            raise asking.Problem("stale", STALE)

    def _decided(self, message: asking.Message, sender: Sender) -> tuple[frames.Reply, Request]:
        """Carry a request out, and all that follows by itself, without telling anybody yet."""
        with self._request(sender.name, message.id) as request:
            reply = frames.Reply(message.id, ok=True)
            try:
                self._return(request, sender.name)
                if isinstance(message, frames.Bet):
                    self._open_bets(request, sender.name)
                self._carry_out(request, message, sender)
                if isinstance(message, frames.Bet):
                    said = telling.otherwise(request.told, self.book, sender.name)
                    reply = msgspec.structs.replace(reply, said=said)
            except Refused as error:
                said = asking.refused(self.book, error)
                reply = frames.Reply(message.id, ok=False, why="refused", said=said)
            self._go_on(request)
        return msgspec.structs.replace(reply, n=request.last), request

    def _carry_out(self, request: Request, message: asking.Message, sender: Sender) -> None:
        steps = self._steps(message, sender)
        if isinstance(message, frames.Done):
            self._pass_by(sender.name)
        for step in steps:
            if isinstance(step, asking.Struck):
                self.kept.conductor.require_strikable(step.line, step.by, step.why)
        if words := asking.question(self.state, self.book, message, steps, sender):
            raise asking.Problem("question", words)
        for step in steps:
            if isinstance(step, asking.Struck):
                self.kept.conductor.strike(step.line, step.by, step.why)
                continue
            self._pay_for(request, step)
            request.give(*step)
            if isinstance(step.command, cmd.Leave):
                self._leave(request, step.by.name)
            if isinstance(step.command, cmd.Wager | cmd.TakeBack):
                self.answers.again(step.by.name)

    def _open_bets(self, request: Request, name: str) -> None:
        """Who bets while results are looked at has looked at them; bets are opened if they are not."""
        if self.kept.live or bets_open(self.state):
            return
        self.answers.pass_by(self.state, name)
        self._go_on(request)
        opening = open_betting(self.state)
        if between_rounds(self.state) and bar_of(self.state, opening, DEALER) is None:
            request.give(opening)
            self._go_on(request)

    def _pass_by(self, name: str) -> None:
        """The player is done; but bets that make no round stay open, and the last who is done is told why."""
        state = self.state
        now = self._wait()
        if now is not None and now.kind == "betting" and now.names == (name,):
            bar = bar_of(state, cmd.AnnounceNoMoreBets(), DEALER)
            if bar:
                raise asking.Problem("refused", choosing.said(self.book, bar))
        self.answers.pass_by(state, name)

    # Chips

    def _pay_for(self, request: Request, step: Asked) -> None:
        """Bring chips to the table out of the player's purse where those at hand do not reach.

        For what will be refused nothing is brought, whoever refuses it.
        """
        if self.kept.live or step.by.role != "player":
            return
        name, price = step.by.name, asking.price(self.state, *step)
        if not price or price <= (free := self.kept.free(name)):
            return
        try:
            advance(self.state, *step)
        except Refused:
            return
        purse = self._house.purse(name) - self._out.get(name, 0)
        if price > free + purse:
            words = choosing.too_dear(self.book, price, Purse(free + purse, 0))
            raise asking.Problem("purse", frames.Said(words))
        amount = min(purse, max(price - free, LUMP * self.state.terms.minimum))
        request.bring(step.by, amount)
        self._out[name] = self._out.get(name, 0) + amount

    def _leave(self, request: Request, name: str) -> None:
        """Who has left the last seat, and has nothing on the table, takes the chips along."""
        if self._has_left(name):
            self._out[name] = self._out.get(name, 0) - request.take(name)

    def _has_left(self, name: str) -> bool:
        return not any(box.seat == name for box in self.state.boxes) and not on_table(self.state, name)

    def _gone_without(self) -> list[str]:
        """Those whose chips are here and who are not, nor sit: who bet behind, or was paid after leaving."""
        if self.kept.live:
            return []
        away = [name for name in self.kept.chips if name not in self.here]
        return [name for name in away if self.kept.free(name) > 0 and self._has_left(name)]

    # What the house does by itself

    def _wait(self) -> waits.Wait | None:
        """What is waited for now, looked up once for each table, answer and arrival."""
        at = self.answers.changes, self._arrivals
        if self.state is not self._looked_at or at != self._looked_after:
            self._looked_at, self._looked_after = self.state, at
            self._found = waits.wait(self.state, self.answers, self.here)
        return self._found

    def _return(self, request: Request, name: str) -> None:
        """Whoever was absent and is heard of is back."""
        back = cmd.Return(player=name)
        if name and bar_of(self.state, back, DEALER) is None:
            request.give(back)

    def _go_on(self, request: Request) -> None:
        """Chores, cards, and what follows from nobody being waited for, up to the next wait."""
        self.answers.hear(self.state)
        while not self.kept.live:
            step = waits.next_step(self.state, self._wait(), self.here, late=self._is_late())
            if step is None:
                break
            if step == waits.CARD:
                self.kept.conductor.next_card()
            elif isinstance(step, waits.Wait):
                self.answers.pass_by(self.state, step.names[0])
            else:
                request.give(*step)
            self.answers.hear(self.state)
        for name in self._gone_without():
            self._leave(request, name)

    async def _house_turn(self, returning: str = "") -> None:
        """Time has passed, or somebody has come or gone: what the house does then, if anything."""
        if self.kept.live:
            self._tell([], None, None)
            return
        wants_back = returning and bar_of(self.state, cmd.Return(player=returning), DEALER) is None
        step = waits.next_step(self.state, self._wait(), self.here, late=self._is_late())
        if step is None and not wants_back and not self._gone_without():
            if self._is_late():
                self._watch.begin()
            self._tell([], None, None)
            return
        with self._request("house", secrets.token_hex(8)) as request:
            self._return(request, returning)
            self._go_on(request)
        if await self._written(request, b"", None, ""):
            self._tell(request.told, None, None)
        elif not self.stopped:
            self._wake_in(AGAIN)

    @contextlib.contextmanager
    def _request(self, asker: str, asked: str) -> Iterator[Request]:
        """A request to be decided; what breaks out of it has not happened, nor has what is not written."""
        self._out, self._before = {}, self.answers.copy()
        try:
            with self.kept.request(asker, asked) as request:
                yield request
        except BaseException:
            self.answers.back_to(self._before)
            raise

    async def _written(self, request: Request, answer: bytes, client: Client | None, asked: str) -> bool:
        """Wait until the request is written; where it cannot be, the table stands where it stood."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[Exception | None] = loop.create_future()
        request.send(answer, written.set_result)
        error = await written
        if error is None:
            for name in self._out:
                self._house.spent(name)
            self._out.clear()
            return True
        self.answers.back_to(self._before)
        for name in self._out:
            self._house.spent(name)  # perhaps elsewhere
        if isinstance(error, Lost):
            self._house.lost(self)
        why, words = "purse", SPENT
        if not isinstance(error, ParseError):  # a purse that was short
            log.error("table %s: %s", self.id, error)
            why, words = "store", asking.NOT_WRITTEN
        if client is not None:
            self._reply(client, asking.no(asked, why, words))
        return False

    # Clocks

    def _is_late(self) -> bool:
        return self._watch.is_late(self._wait(), self.here)

    def _begin_clock_anew(self, client: Client, message: frames.More) -> None:
        if not self._watch.more(self._wait(), client.sender.name):
            raise asking.Problem("closed", NO_MORE_TIME)
        self._watch.begin_anew()
        reply = frames.Reply(message.id, ok=True, n=self.kept.last)
        self._remember(client.sender.name, message.id, frames.encode(reply))
        self._tell([], client, reply)

    def _arm(self) -> None:
        """Have the mailbox woken when the clock runs out."""
        self._wake_in(self._watch.left(self._wait(), self.here))

    def _wake_in(self, seconds: float | None) -> None:
        """Have the mailbox woken then and not before; None: not at all."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds is not None:
            self._timer = asyncio.get_running_loop().call_later(max(0.0, seconds), self.wake)

    # Telling

    def hear(self, told: Told) -> tuple[frames.Told, ...]:
        """Remember a line of the round, and have it in words. Also for lines of before the server began."""
        if any(isinstance(event, BettingOpened) for event in told.events):
            self.lines = []
        self.bids.hear(told.events)
        if telling.excludes(told):
            self._orders |= {
                event.player: str(told.entry.by) for event in told.events if isinstance(event, PlayerExcluded)
            }
        said = telling.lines(told, self.book)
        self.lines += said
        return said

    def _tell(self, told: list[Told], sender: Client | None, reply: frames.Reply | None) -> None:
        """Send the news to everybody and to each whom it concerns what is theirs."""
        was, before = self._waiting, self._told
        lines = tuple(line for one in told for line in self.hear(one))
        self._told = self.kept.last
        self._waiting = self._wait()
        if self._asks_anew(told):
            self._asked_at = self.kept.last
        self._arm()
        moved = not told or told[0].before is not self.state or was != self._waiting
        if lines or moved:
            frame = frames.encode(frames.News(self._told, before, lines, self.table() if moved else None))
            for client in [*self.clients]:
                client.send(frame)
        concerned = telling.paid(lines) | (self._concerned(told, was) if moved else set())
        for client in [*self.clients]:
            if client is not sender and client.sender.name in concerned:
                client.send(frames.encode(self.you(client)))
        if sender is not None and reply is not None and reply.ok and not moved:
            sender.send(frames.encode(frames.Answer(self._told, reply)))
        elif sender is not None:
            sender.send(frames.encode(self.you(sender, reply)))
        if self._is_over():
            self._house.over(self)

    def _is_over(self) -> bool:
        """Is the table closed; or was it somebody's alone, and they have left seat and page?"""
        owner = self.manner.alone
        if not owner or owner in self.here:
            return self.state.stage == "closed" and due(self.state) == "nothing"
        sits = any(box.seat == owner for box in self.state.boxes)
        return not sits and owner in self.state.people.bettors

    def _asks_anew(self, told: list[Told]) -> bool:
        """Has what the table asks changed with these lines? Another's bet does not change it."""
        return bool(told) and waits.question(told[0].before) != waits.question(self.state)

    def _concerned(self, told: list[Told], was: waits.Wait | None) -> set[str]:
        """Whose choices may be others now: who was or is asked; in a new stage, or after a strike, all.

        At a live table that is all: its desk sees every choice that is told aloud there.
        """
        if self.kept.live:
            return self.here
        if told and (told[0].before.stage, told[0].before.round) != (self.state.stage, self.state.round):
            return self.here
        if any(isinstance(one.entry, Strike) for one in told):
            return self.here
        now = self._waiting
        before, after = {*(was.names if was else ())}, {*(now.names if now else ())}
        same = was is not None and now is not None and was.question == now.question
        return before ^ after if same else before | after

    def _reply(self, client: Client, reply: frames.Reply) -> None:
        client.send(frames.encode(self.you(client, reply)))

    # What is shown

    def table(self) -> frames.Table:
        here = tuple(sorted(self.here))
        clock, live = self._watch.clock(self._wait(), self.here), self.kept.live
        return showing.table(
            self.state, self.book, now=millis(), shown=self._shown, clock=clock, here=here, live=live
        )

    def you(self, client: Client, reply: frames.Reply | None = None) -> frames.You:
        """What is one client's own."""
        sender, state = client.sender, self.state
        name = sender.name
        if not name or sender.role not in ("player", "") or self._looks_on(sender):
            roles = () if self._looks_on(sender) else sender.roles
            own = frames.You(self._told, name, 0, 0, roles=roles, reply=reply)
            at_desk = self.kept.live and "dealer" in sender.roles
            return choosing.at_desk(own, state, self.book, sorted(self.answers.done)) if at_desk else own
        purse = self.purse(name)
        passed = name in self.answers.done
        return frames.You(
            n=self._told,
            name=name,
            purse=purse.free,
            on_table=purse.on_table,
            won=self.kept.chips.get(name, 0) if self.kept.live else 0,
            asked=choosing.asked(state, self.book, name, waits.doubled(self._wait(), name), passed=passed),
            choices=choosing.choices(state, self.book, name, purse, passed=passed),
            spots=choosing.spots(state, self.book, name, purse, self.bids.last),
            late=self._late(name),
            more=self._watch.more(self._wait(), name),
            done=passed,
            absent=any(name in box.absent for box in state.boxes),
            excluded=self._excluded(name),
            roles=sender.roles,
            reply=reply,
        )

    def _late(self, name: str) -> frames.Said | None:
        """What happens to one who is asked and lets the time run out; None where no clock runs for it."""
        now = self._wait()
        if now is None or not self._watch.runs(now, name):
            return None
        return choosing.late(self.state, self.book, name, now.kind)

    def _excluded(self, name: str) -> frames.Said | None:
        if name not in self.state.people.excluded:
            return None
        by = self._orders.get(name)
        said = f"Ordered by {by}." if by else "That was ordered earlier."
        return frames.Said(said, telling.clauses(self.book, "exclusion"))

    def purse(self, name: str) -> Purse:
        """What a player has to bet with, here and in the purse, and what lies on the table."""
        lies = on_table(self.state, name)
        if self.kept.live:
            return Purse(None, lies)
        return Purse(max(0, self.kept.free(name, lies)) + self._house.purse(name), lies)

    def snapshot(self, client: Client) -> frames.Snapshot:
        return frames.Snapshot(self._told, self.facts(), tuple(self.lines), self.table(), self.you(client))

    def facts(self) -> frames.Facts:
        return showing.facts(
            self.state,
            self.book,
            number=self.id,
            name=self.kept.name,
            kind="live" if self.kept.live else "virtual",
            clocks=self.manner.clocks,
            alone=bool(self.manner.alone),
        )
