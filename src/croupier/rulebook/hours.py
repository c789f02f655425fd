"""Times of day and the hours of gaming, which may run past midnight."""

from __future__ import annotations

import re

from croupier.errors import ParseError

DAY = 24 * 60  # minutes
_TIME = re.compile(r"([0-9]{1,2}):([0-9]{2})")


def minutes(time: str) -> int:
    """Minutes since midnight: 9:30 and 09:30 are 570."""
    match = _TIME.fullmatch(time)
    if not match or int(match[1]) > 23 or int(match[2]) > 59:
        raise ParseError(f"{time!r} is no time of day: write 9:30 or 21:00")
    return 60 * int(match[1]) + int(match[2])


def parse_hours(hours: str) -> tuple[int, int]:
    """When gaming begins and ends, in minutes since midnight, of a span such as 12:00-06:00."""
    start, dash, end = hours.partition("-")
    if not dash:
        raise ParseError(f"{hours!r} is no span: write 12:00-06:00")
    opens, closes = minutes(start), minutes(end)
    if opens == closes:
        raise ParseError(f"{hours!r} begins and ends at the same time")
    return opens, closes


def is_within(hours: str, at: str) -> bool:
    """Does the time of day lie within the hours?"""
    opens, closes = parse_hours(hours)
    now = minutes(at)
    return opens <= now < closes if opens < closes else now >= opens or now < closes


def minutes_left(hours: str, at: str) -> int:
    """From a time of day to the end of the hours."""
    _, closes = parse_hours(hours)
    return (closes - minutes(at)) % DAY
