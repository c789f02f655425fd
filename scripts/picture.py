"""Draws docs/play.svg: a round of Blackjack as `croupier play` shows it, in colour."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pexpect
from rich.console import Console
from rich.text import Text

WIDTH = 80
KEYS = ["10\r", "s\r", "s\r"]


def main() -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "croupier", "play", "act-blackjack-2003", "--seed", "4", "--others", "2"],
        dimensions=(60, WIDTH),
        encoding="utf-8",
        env={"TERM": "xterm-256color", "COLORTERM": "truecolor", "PATH": ""},
    )
    shown = ""
    for key in KEYS:
        child.expect("> $")
        shown += (child.before or "") + "> "
        if "You have" in (child.before or ""):
            break
        child.send(key)
    child.send("q\r")
    child.expect(pexpect.EOF)
    shown = re.sub(r"\x1b\[\?[0-9]+[hl]", "", shown).replace("\r", "")
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    console.print(Text.from_ansi(shown))
    svg = console.export_svg(title="croupier play")
    # The picture stands alone: no font is fetched from anywhere.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL).replace("Fira Code", "DejaVu Sans Mono")
    (Path(__file__).parent.parent / "docs" / "play.svg").write_text(svg, "utf-8")


if __name__ == "__main__":
    main()
