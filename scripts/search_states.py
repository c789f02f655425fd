"""Is a state of the table stuck, or out of order? Search small tables for one, rulebook by rulebook.

Everything that can be typed is asked at states that are seldom reached (see tests/states.py). Says how
many states and steps were seen, which kinds of commands were never accepted, and for everything out of
order the shortest list of commands found that leads there, as steps for a clause test.

    python scripts/search_states.py [--states N] [--seed S] [RULEBOOK…]     exit status 1 if anything is found
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from croupier.rulebook import NAMES
from croupier.table.commands import KINDS
from small_tables import tables
from states import NEVER, Finding, Search


def search(name: str, states: int, seed: int) -> tuple[dict[str, Finding], set[str]]:
    """Search the tables of a rulebook: what was found, and the kinds of commands that were accepted."""
    began = time.perf_counter()
    found: dict[str, Finding] = {}
    searches = []
    for table in tables(name):
        searches.append(Search(table, seed).run(states))
        found = searches[-1].findings | found
    seen, steps = sum(each.states for each in searches), sum(each.transitions for each in searches)
    seconds = time.perf_counter() - began
    print(
        f"{name}: {seen} states, {steps} steps in {seconds:.0f} s, {len(found)} things out of order",
        flush=True,
    )
    return found, {kind for each in searches for kind in each.accepted}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--states", type=int, default=1000, help="on each table")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("rulebooks", nargs="*", default=NAMES, metavar="RULEBOOK")
    given = parser.parse_args()
    accepted: set[str] = set()
    anything = False
    for name in given.rulebooks:
        found, kinds = search(name, given.states, given.seed)
        accepted |= kinds
        anything |= bool(found)
        for finding in found.values():
            print(f"\n{finding.text()}")
    never = sorted(KINDS.keys() - accepted - NEVER) if set(NAMES) <= set(given.rulebooks) else []
    if never:
        print(f"never accepted: {', '.join(never)}")
    return 1 if anything or never else 0


if __name__ == "__main__":
    sys.exit(main())
