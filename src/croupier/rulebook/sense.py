"""Does a rulebook make sense? What it says may contradict itself, or could never apply."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.cards import NUMBERED, RANKS
from croupier.rulebook.rules import Rules
from croupier.rulebook.wager import NOT_SIDE_BETS


def contradictions(rules: Rules) -> Iterator[tuple[str, str]]:
    """(provision, what is wrong) for everything that cannot be meant."""
    if not 0 <= rules.surrender_share <= 1:
        yield "surrender_share", f"surrender_share = {rules.surrender_share} is no part of a wager"
    yield from _ranks(rules)
    yield from _deal(rules)
    yield from _side_bets(rules)


def _ranks(rules: Rules) -> Iterator[tuple[str, str]]:
    """Every rank of the packs, and no other, has its points from one place."""
    pack = set(rules.ranks)
    if not pack or pack - set(RANKS) or len(pack) != len(rules.ranks):
        yield "ranks", f"ranks = {rules.ranks!r}; write ranks of {RANKS}, each once"
    if set(rules.face_value_ranks) - NUMBERED:
        yield "face_value_ranks", f"face_value_ranks = {rules.face_value_ranks!r} has ranks without a number"
    for name in ("face_value_ranks", "ten_ranks"):
        if strangers := set(getattr(rules, name)) - pack:
            yield name, f"{name} has {', '.join(sorted(strangers))}, which the packs have not"
    for rank in rules.ranks:
        sources = (rank == "A") + (rank in rules.face_value_ranks) + (rank in rules.ten_ranks)
        if sources != 1:
            yield "ten_ranks", f"rank {rank} has {'two values' if sources else 'no value'}"


def _deal(rules: Rules) -> Iterator[tuple[str, str]]:
    if sorted(rules.deal_order) != ["boxes", "boxes", "dealer"]:
        yield "deal_order", "deal_order must give each box two cards and the dealer one"
    for name in ("even_money_upcards", "insurance_upcards"):
        for rank in getattr(rules, name):
            if rank != "A" and rank not in rules.ten_ranks:
                yield name, f"{name} has {rank}, which cannot become a natural"


# Names of the wagers that every table has, or what is said of one.


def _side_bets(rules: Rules) -> Iterator[tuple[str, str]]:
    for name, bet in rules.side_bets.items():
        if name in NOT_SIDE_BETS:
            yield f"side_bets.{name}", f"a side bet cannot be called {name}: another wager is"
        looks = [row.when.cards or bet.first_cards for row in bet.rows.values()]
        if max(looks, default=0) != bet.first_cards:
            why = f"{name} is decided on {bet.first_cards} cards, and no row looks at as many"
            yield f"side_bets.{name}.first_cards", why
