"""Two kinds of numbers for one algorithm: floats in compiled kernels, fractions in the same code, plain."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec import Struct
from numba.core import event

from croupier.exact.hands import Array


class Numbers(Struct, frozen=True):
    """A kind of number: how to make one, how arrays hold it, and how kernels run on it.

    Worths of actions that differ by no more than `even` are equal, whatever their last digits say.
    """

    of: Callable[[Any], Any]
    dtype: Any
    even: Any

    def array(self, values: Iterable[Any] | Array) -> Array:
        plain = np.asarray(values, dtype=object)
        if self.dtype is np.float64:
            return plain.astype(np.float64)
        made = np.empty(plain.shape, self.dtype)
        for place, value in np.ndenumerate(plain):
            made[place] = self.of(value)
        return made

    def run(self, kernel: Any, *arguments: Any) -> Any:
        return (kernel if self.dtype is np.float64 else kernel.py_func)(*arguments)


FLOATS = Numbers(of=float, dtype=np.float64, even=1e-13)
FRACTIONS = Numbers(of=Fraction, dtype=object, even=0)


class _Announcer(event.Listener):
    """Tells once that kernels are being compiled: it happens on the first run and takes a while."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.tell = tell
        self.told = False

    def on_start(self, event: Any) -> None:
        if not self.told:
            self.told = True
            self.tell("Compiling the solver's inner loops; this happens once and takes some seconds.")

    def on_end(self, event: Any) -> None:
        pass


@functools.cache
def announce_compilation(tell: Callable[[str], None]) -> None:
    """Have `tell` called when, and only if, kernels must be compiled."""
    event.register("numba:compile", _Announcer(tell))  # type: ignore[no-untyped-call]
