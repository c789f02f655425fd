"""What can be typed at the dealer's desk, grouped as a dealer needs it, in the words of the game at hand."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.cli.screen import Screen
from croupier.table.commands import Command
from croupier.table.sidebets import short_name
from croupier.table.state import State
from croupier.table.text import VERBS, usage

Entry = tuple[str, str]

GROUPS: dict[str, tuple[Entry, ...]] = {
    "Every round": (
        ("Enter", "does what the prompt says it will, and nothing where it says nothing"),
        ("Kh · Kh5dQc · Kh 5d Qc", "cards leave the shoe: rank {ranks}, suit shdc"),
        ("cut", "the cutting card comes out"),
        ("52 · no", "where the cut is offered or a cutting card placed: so many cards; the cut is declined"),
        ("60 30", "two cutting cards: from the back and from the front"),
    ),
    "Seats and bets": (
        ("p1 sits 1", "p1 takes the seat at box 1; `leave by=p1 box=1` gives it up"),
        ("same", "everybody who bet last round bets the same again"),
        ("1 25", "box 1: who sits there, or its last bettor, bets 25{sides}"),
        ("25 25 - 10", "box by box from 1 on, - for none"),
        ("p1 bets 10 on 1", "p1 lays a wager on box 1{sides}"),
        ("take-back by=p1 box=1", "p1 takes the wager back"),
    ),
    "Before play goes on": (
        ("1 p1 insure 5 · 1 i 5", "p1, or the only bettor, insures box 1; `1 i` in full"),
        ("1 p1 even-money · 1 e", "the natural of box 1 is paid now"),
        ("1 surrender · 1 r", "box 1 gives up"),
    ),
    "Decisions": (
        ("h s d p r f", "hit, stand, double, split, surrender, forfeit: the hand in turn; or the word"),
        ("sss5ds", "several in one line, cards among them, each for the hand then in turn"),
        ("5d", "where the hand may hit: it hits, and this is the card"),
        ("1 hit · 1.2 stand · 1 h", "what box 1, or its second hand, decides"),
        ("1 split · 1 double 10", "the decider's own part; then each other bettor on the hand is asked"),
        ("p · d · n", "the next bettor asked joins in the split or double, or does not"),
        ("1 p2 splits · 1 p2 rides", "what p2 answers to a split"),
        ("1 p2 doubles 10 · 1 p2 stays", "what p2 answers to a double"),
        ("1 p1 forfeit", "p1 gives up the original wager of a doubled hand"),
        ("1 absent · 1 p2 absent", "the one who decides, or p2, is not there"),
        ("p1 returns", "p1, who was absent, is back"),
    ),
    "When something goes wrong": (
        ("Kh^", "the next card lies face up in the shoe"),
        ("5h on 1", "the card was laid on the wrong hand (2, 1.2, dealer)"),
        ("error Kd", "a card is drawn in error; it is the next card"),
        ("burnt Kd", "a card is burnt in error"),
        ("overdraw 4c", "a card too many to the dealer"),
        ("reconstruct 1 Kh 5d / 2 9c", "misplaced cards found later: how these hands must lie"),
        ("void-round round=3", "a card misplaced in round 3 is found after the next has begun"),
        ("invalidate cause=…", "a round or the game does not count"),
        ("report-malfunction kind=…", "the automated shoe fails"),
        ("shoe-runs-out", "the shoe is empty and the round is not over"),
        ("notice-past-cutting-card", "dealing went on after the cutting card"),
    ),
    "People and orders": (
        (
            "as supervisor NAME",
            "the supervisor's orders are NAME's from now on; so for dealer, operator, regulator",
        ),
        ("record-breach player=p1 what=…", "a breach is put on record; then `void-wager`, `exclude`"),
        ("open-dispute by=p1 about=…", "p1 disputes something; `rule dispute=1 award=50` decides it"),
        ("give-notice of=limits", "notice of a change; then `set-limits minimum=20 maximum=400`"),
        ("announce-final-rounds", "the final rounds; then `close-table`"),
    ),
    "Looking up": (
        ("what", "what may be typed now"),
        ("table", "the table as it lies"),
        ("lines · lines 40", "the last lines on record, with their numbers"),
        ("strike 37 why=…", "typed in error: the supervisor strikes from line 37 on, and it is typed anew"),
        ("position", "the table in one line of text, for a test or a report"),
        ("why {clause} · why 14", "restate a clause or a chapter; why alone: those applied last"),
        ("help split", "how a command is written"),
        ("quit", "leave; the log can be resumed"),
    ),
}


def groups(state: State, screen: Screen) -> Iterator[tuple[str, list[Entry]]]:
    """Every group with its entries, in this game's cards, side bets and clauses."""
    side = next(iter(state.rules.side_bets), "")
    said = {
        "ranks": state.rules.ranks,
        "clause": screen.any_clause(),
        "sides": f"; with side bets behind it: {short_name(side)}=5 or {side}=5" if side else "",
    }
    for title, entries in GROUPS.items():
        yield title, [(left.format(**said), right.format(**said)) for left, right in entries]


def overview(state: State, screen: Screen) -> None:
    """Say all of it: group by group, then every command with its fields and its sentence."""
    for title, entries in groups(state, screen):
        screen.say(title, "bold")
        for left, right in entries:
            screen.entry(left, right)
    screen.say("Every command in full", "bold")
    for name, kind in sorted(VERBS.items()):
        screen.entry(usage(kind).removeprefix("usage: "), meaning(kind) or name)


def meaning(kind: type[Command]) -> str:
    """The sentence of a command; those without a docstring of their own have only their name."""
    said = " ".join((kind.__doc__ or "").split())
    return "" if said.startswith(f"{kind.__name__}(") else said


def about(topic: str, state: State, screen: Screen) -> Iterator[str]:
    """How one thing is typed: the short forms that speak of it, then the command in full."""
    word = topic.lower()
    for _, entries in groups(state, screen):
        for left, right in entries:
            if word in left.lower().replace("·", " ").split():
                yield f"{left}: {right}"
    kind = VERBS.get(word)
    if kind is not None:
        yield usage(kind)
        yield meaning(kind)
