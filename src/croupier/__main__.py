"""`croupier`, and `python -m croupier`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line, which takes a moment to read in: whoever interrupts that sees no traceback."""
    try:
        from croupier.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
