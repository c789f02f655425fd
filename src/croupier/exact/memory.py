"""Answers that an object works out once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

Method = TypeVar("Method", bound=Callable[..., Any])


def remembered(method: Method) -> Method:
    """Have a method work out each answer once, and keep it in `memory` as long as its object lives.

    Unlike a cached property it takes no lock, which until Python 3.12 is one for all objects of a class and
    would keep threads from solving side by side.
    """

    @functools.wraps(method)
    def remembering(self: Any, *arguments: Any) -> Any:
        key = method.__name__, *arguments
        if key not in self.memory:
            self.memory[key] = method(self, *arguments)
        return self.memory[key]

    return cast(Method, remembering)
