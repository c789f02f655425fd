"""The pages on a stage: static files and kept frames for a browser, without a server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, Route, WebSocketRoute

from browsing import listened
from croupier.web import pages
from croupier.web.files import KINDS

FRAMES = Path(__file__).parent / "pages"
SHELLS = {
    "": pages.LOBBY,
    "table": pages.TABLE,
    "history": pages.HISTORY,
    "rules": pages.RULES,
    "console": pages.CONSOLE,
}
POLICY = "default-src 'self'; connect-src 'self' ws://croupier.test"
HOST = "http://croupier.test"


def kept(name: str) -> Any:
    """A kept answer; of a snapshot as this server would send it, whose pages are these."""
    found = json.loads((FRAMES / f"{name}.json").read_text())
    if "facts" in found:
        found["facts"]["version"] = pages.version()
    return found


class Stage:
    """One browser page whose server is a dictionary of answers and a script of frames."""

    def __init__(self, context: BrowserContext, answers: dict[str, Any], table: str = "") -> None:
        self.answers = {"/api/me": kept("me"), **answers}
        self.table = table
        self.heard: list[dict[str, Any]] = []
        self.socket: WebSocketRoute | None = None
        self.shut = False  # nobody may connect
        self.page: Page = context.new_page()
        self.problems = listened(self.page)
        self.page.route(f"{HOST}/**", self._answer)
        self.page.route_web_socket("**/socket", self._connect)

    def open(self, path: str) -> Page:
        self.page.goto(HOST + path)
        return self.page

    def send(self, frame: dict[str, Any]) -> None:
        assert self.socket is not None
        self.socket.send(json.dumps(frame))

    def _connect(self, socket: WebSocketRoute) -> None:
        self.socket = socket
        if self.shut:
            socket.close()
        else:
            socket.on_message(self._hear)

    def _hear(self, text: str | bytes) -> None:
        message = json.loads(text)
        self.heard.append(message)
        if message["type"] == "hello":
            self.send(kept(self.table))

    def _answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(HOST).partition("?")[0]
        if path in self.answers:
            route.fulfill(json=self.answers[path])
        elif path.startswith(pages.address("")):
            name = path.removeprefix(pages.address(""))
            route.fulfill(body=pages.files()[name], content_type=KINDS[Path(name).suffix])
        elif (shell := SHELLS.get(path.split("/")[1])) is not None:
            headers = {"Content-Security-Policy": POLICY}
            route.fulfill(body=pages.shell(shell), content_type="text/html", headers=headers)
        else:
            route.fulfill(status=404, json={"words": "There is nothing here."})
