"""The time line of a table as one page of HTML that needs no other file, for the screen and for paper."""

from __future__ import annotations

from importlib import resources

from jinja2 import Environment, StrictUndefined

import croupier
from croupier.printable import visible
from croupier.report.timeline import Timeline, restated
from croupier.story import gain


def render(told: Timeline) -> str:
    """The time line as a page. Names and words that people typed are escaped."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_shown
    )
    template = environment.from_string(
        (resources.files("croupier.report") / "evening.html").read_text("utf-8")
    )
    return template.render(
        told=told,
        header=told.log.header,
        version=croupier.__version__,
        restated=lambda item: restated(item, told.book),
        signed=lambda net: gain(net, told.book),
    )


def _shown(value: object) -> object:
    """No letter of the page deceives."""
    return visible(value) if type(value) is str else value
