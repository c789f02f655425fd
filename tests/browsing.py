"""A browser for the tests: the machine's own Chromium, what pages say to its console, and axe."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect, sync_playwright

AXE = Path(__file__).parent / "vendor/axe.min.js"
NAMES = ("chromium", "chromium-browser", "google-chrome")
WIDTHS = {1440: 900, 1024: 768, 390: 844}
Theme = Literal["dark", "light"]
expect.set_options(timeout=15_000)  # on a machine that has much else to do


@contextmanager
def browsing() -> Iterator[Browser]:
    path = os.environ.get("CROUPIER_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert path, "no Chromium here: ./scripts/test installs it"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def context(browser: Browser, width: int = 1440, theme: Theme = "dark", address: str = "") -> BrowserContext:
    return browser.new_context(
        viewport={"width": width, "height": WIDTHS[width]},
        color_scheme=theme,
        reduced_motion="reduce",
        base_url=address or None,
    )


def listened(page: Page) -> list[str]:
    """What a page complains of from now on."""
    problems: list[str] = []
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    return problems


def serious(page: Page) -> list[str]:
    """What axe finds that is serious or worse: the rule, and where."""
    page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {node['target']} {node['failureSummary'][:160]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


class Line:
    """What lies between a page and its table: it can be slow, so that the page knows less, or broken."""

    def __init__(self, page: Page) -> None:
        self._ends: tuple[WebSocketRoute, ...] = ()
        self._held: list[str | bytes] | None = None
        self._broken = False
        page.route_web_socket("**/socket", self._connect)

    def hold(self) -> None:
        """From now on nothing reaches the page."""
        self._held = []

    def release(self) -> None:
        """What was held reaches the page, and all that comes."""
        held, self._held = self._held or [], None
        for message in held:
            self._ends[0].send(message)

    def cut(self) -> None:
        self._broken = True
        for end in self._ends:
            end.close()

    def mend(self) -> None:
        self._broken = False

    def _connect(self, page: WebSocketRoute) -> None:
        if self._broken:
            page.close()
            return
        server = page.connect_to_server()
        self._ends = page, server

        def hear(message: str | bytes) -> None:
            if self._held is None:
                page.send(message)
            else:
                self._held.append(message)

        server.on_message(hear)
