"""The files of the pages: read and compressed once, and under an address that only these have.

The address has the version of all files in it, so that a browser keeps them for good, and a page never gets
files of two versions, which do not fit together.
"""

from __future__ import annotations

import gzip
from pathlib import PurePosixPath
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from croupier.web import pages

FOR_GOOD = "public, max-age=31536000, immutable"
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
WORTH_IT = 1000  # bytes from which on a file is compressed


class Kept(NamedTuple):
    plain: bytes
    small: bytes
    kind: str


class Files:
    """Answers with a file by its path under `static`."""

    def __init__(self) -> None:
        self._kept = {name: _kept(name, plain) for name, plain in pages.files().items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        file = self._kept.get(request.path_params["path"])
        if file is None or request.path_params["version"] != pages.version():
            return PlainTextResponse("There is no such file.", 404)
        headers = {"Cache-Control": FOR_GOOD, "Vary": "Accept-Encoding"}
        if file.small and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(file.small, headers=headers | {"Content-Encoding": "gzip"}, media_type=file.kind)
        return Response(file.plain, headers=headers, media_type=file.kind)


def _kept(name: str, plain: bytes) -> Kept:
    small = gzip.compress(plain, mtime=0) if len(plain) >= WORTH_IT else b""
    return Kept(plain, small, KINDS.get(PurePosixPath(name).suffix, "text/plain"))
