"""`croupier serve`: tables in the browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from croupier.cli.options import whole
from croupier.cli.output import remark
from croupier.errors import ParseError

DATA = "croupier-data"
MISSING = "`croupier serve` needs more than is installed: pip install 'croupier[serve]'"


def serve(
    *,
    host: Annotated[str, Parameter(help="The address to listen at; 0.0.0.0 lets others in.")] = "127.0.0.1",
    port: Annotated[int, Parameter(converter=whole, help="The port; 0 takes any that is free.")] = 8000,
    data: Annotated[
        str, Parameter(help="Where tables, money and people are kept: a directory, or postgresql://…")
    ] = DATA,
    open_: Annotated[
        bool, Parameter(name="--open", negative="--no-open", help="Open the page in a browser.")
    ] = True,
    pace: Annotated[float, Parameter(help="Seconds that a simple player takes to answer.", show=False)] = 0.6,
    patience: Annotated[
        float, Parameter(help="How many times its usual rate a client may send.", show=False)
    ] = 1.0,
) -> int:
    """Serve tables to browsers until it is interrupted."""
    try:
        from croupier.web.server import run
    except ImportError as error:
        raise ParseError(f"{MISSING} ({error.name} is missing)") from None
    if not 0 <= port <= 65535:
        raise ParseError(f"--port {port}: is none, they go from 0 to 65535")
    for option, value in (("--host", host), ("--data", data)):
        if not value.strip():
            raise ParseError(f"{option}: is empty")
    where: str | Path = data if "://" in data else Path(data)

    def ready(address: str, link: str | None) -> None:
        print(f"Croupier is at {address}", flush=True)
        if link:
            print(f"The operator comes in once by {address}/first#{link}", flush=True)
        if open_ and _is_desktop():
            webbrowser.open(address)

    return run(where, host=host, port=port, pace=pace, patience=patience, ready=ready, problem=remark)


def _is_desktop() -> bool:
    """Is there a screen to open a browser on?"""
    if sys.platform in ("darwin", "win32"):
        return True
    environment: Any = os.environ
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))
