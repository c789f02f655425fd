"""`croupier`, and `python -m croupier`."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line, which takes a moment to read in: whoever interrupts that sees no traceback.

    What is read in makes much and no garbage, so that is looked for less often.
    """
    gc.set_threshold(100_000, 20, 20)
    try:
        from croupier.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
