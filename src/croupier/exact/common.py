"""What games have in common is worked out once.

By the time that kernels run, rules and shoe have become numbers. Two games whose numbers are the same against
a first card of the dealer play alike against it, whatever their rules say on surrender, on naturals, or on
what cannot come up. So what was found is kept by a digest of all that it hangs on.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from croupier.exact import kernels
from croupier.exact.hands import ACE, Array
from croupier.exact.kernels import DOUBLE, Draw, Law, Pay, Plan
from croupier.game.dealer import natural_takes

if TYPE_CHECKING:
    from croupier.exact.solver import Solver

Found = TypeVar("Found")
SIZE = 20  # bytes of a digest
NONE: Array = np.empty(0)
MOST, MOST_ROWS = 20_000, 200  # answers of some kilobytes, and of some hundred


class Newest:
    """Answers by their keys, the newest of them. Threads may share it: at worst something is found twice."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: dict[bytes, Any] = {}

    def once(self, key: bytes, find: Callable[[], Found]) -> Found:
        known: Found | None = self._found.get(key)
        if known is not None:
            return known
        found = find()
        if len(self._found) >= self._most:
            with contextlib.suppress(KeyError, RuntimeError):  # another thread may have been faster
                del self._found[next(iter(self._found))]
        self._found[key] = found
        return found


class Common:
    """What several games share: small answers, and the chances of the dealer's hands beside all others."""

    def __init__(self) -> None:
        self.answers = Newest(MOST)
        self.rows = Newest(MOST_ROWS)


def digest(*parts: Any) -> bytes:
    """A fingerprint of arrays, numbers and texts, or tuples of them."""
    hashed = hashlib.blake2b(digest_size=SIZE)
    _feed(hashed, parts)
    return hashed.digest()


def _feed(hashed: hashlib.blake2b, parts: Iterable[Any]) -> None:
    for part in parts:
        if isinstance(part, np.ndarray):
            hashed.update(b"%d:" % part.size + part.tobytes())
        elif isinstance(part, tuple):
            hashed.update(b"(")
            _feed(hashed, part)
            hashed.update(b")")
        else:
            hashed.update(repr(part).encode() + b";")


def key_of(solver: Solver, upcard: int) -> bytes:
    """All that first two cards are weighed by against this first card, surrender and naturals apart."""
    draw = solver.draw(upcard)
    takes = natural_takes(solver.rules) if draw.natural >= 0 else None
    pays = [_pay(one, draw) for one in (solver.pay, solver.split_pay)]
    return digest(upcard, draw, takes, *pays, _terms(solver, upcard), _game(solver))


def key_of_split(
    solver: Solver, upcard: int, pair: int, plan: Plan, gone: list[tuple[int, int]], law: Law
) -> bytes:
    """All that one hand of a split is worth by: of the law and the play no more than such hands come to."""
    action, compared = kernels.reached(solver.hands, law, plan, solver.split_law(pair))
    first, second, third = action.T
    there = (first >= 0) | (second >= 0) | (third >= 0)
    doubled = (first == DOUBLE) | (second == DOUBLE) | (third == DOUBLE)
    pay, met = solver.split_pay, np.nonzero(compared)[0]
    parts = [
        action,
        compared,
        law.natural[there],
        law.suited[there],
        law.doubled_high[doubled],
        pay.odds[there],
    ]
    if doubled.any():
        parts += [pay.double_odds[met], plan.forfeits[met]]
    # Where each of them ends follows from the first two.
    where = repr((upcard, pair, gone)).encode() + _of_splits(solver, upcard, law)
    return hashlib.blake2b(b"".join([where, *(part.tobytes() for part in parts)]), digest_size=SIZE).digest()


def _of_splits(solver: Solver, upcard: int, law: Law) -> bytes:
    """What is the same for all pairs against a first card."""

    def found() -> bytes:
        draw, pay = solver.draw(upcard), solver.split_pay._replace(odds=NONE, double_odds=NONE)
        by_suits = law.first_aces, law.results, law.suited_odds, law.suited_mix
        return digest(draw, by_suits, solver.limits, _pay(pay, draw), _terms(solver, upcard))

    return _remembered(solver, ("splits", upcard), found) if law is solver.law else found()


def key_of_rows(solver: Solver, upcard: int, draw: Draw, wanted: Array) -> bytes:
    """All that the chances of the dealer's hands hang on."""
    return digest("rows", draw, wanted, solver.limits, _terms(solver, upcard))


def _pay(pay: Pay, draw: Draw) -> tuple[Any, ...]:
    """What hands are paid, without what can't come up."""
    parts = pay._asdict()
    if not pay.natural_after_split:
        del parts["natural_pays"]
    if draw.natural < 0:  # the dealer can't have a natural, and it takes nothing
        del parts["natural_takes"], parts["natural_busted"], parts["natural_forfeited"]
    return tuple(parts.values())


def _terms(solver: Solver, upcard: int) -> bytes:
    return _remembered(solver, ("terms", upcard), lambda: digest(solver.dealer_terms(upcard)))


def _game(solver: Solver) -> bytes:
    """What is the same against every first card."""

    def found() -> bytes:
        splits = [(solver.most_hands(pair), solver.split_law(pair)) for pair in (ACE, ACE + 1)]
        rules, shoe = solver.rules, solver.shoe
        rows = tuple(rules.bonus_rows.items()), rules.win_pays
        return digest(
            *(solver.law, *splits, *rows),
            *(solver.limits, solver.post_split, solver.splittable, shoe.pool, shoe.endless, solver.must_last),
        )

    return _remembered(solver, ("game",), found)


def _remembered(solver: Solver, key: tuple[Any, ...], find: Callable[[], bytes]) -> bytes:
    """As long as the solver lives."""
    if key not in solver.memory:
        solver.memory[key] = find()
    found: bytes = solver.memory[key]
    return found
