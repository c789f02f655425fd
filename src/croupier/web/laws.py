"""The rulebooks over HTTP: every clause, how it is read and obeyed, and its tests; two of them compared."""

from __future__ import annotations

import asyncio
import functools
import hashlib
from collections import defaultdict
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.cases.coverage import clause_tests_folder, documents, tests_by_clause
from croupier.cases.read import read_tests
from croupier.errors import ParseError
from croupier.rulebook import NAMES, Clause, Rulebook, load
from croupier.rulebook.about import about
from croupier.rulebook.book import encode_special, flatten
from croupier.rulebook.compare import Duty, Wording, compare
from croupier.rulebook.permitted import permitted, setting
from croupier.rulebook.words import ground_words, name_of, words
from croupier.web.access import Problem

Tests = dict[str, list[dict[str, str]]]


async def shelf(request: Request) -> Response:
    """All rulebooks."""
    return await _cached(request, _shelf)


async def book(request: Request) -> Response:
    """One rulebook, whole."""
    name = _known(request.path_params["book"])
    return await _cached(request, functools.partial(_book, name))


async def diff(request: Request) -> Response:
    """What sets two rulebooks apart."""
    first, second = _known(request.path_params["book"]), _known(request.path_params["other"])
    return await _cached(request, functools.partial(_diff, first, second))


def _known(name: str) -> str:
    if name not in NAMES:
        raise Problem(404, f"There is no rulebook {name[:60]!r}.")
    return name


async def _cached(request: Request, make: Any) -> Response:
    """The answer, made once and kept; a page that has it is told so."""
    kept: dict[str, tuple[bytes, str]] = request.app.state.kept
    path = request.url.path
    if path not in kept:
        content = msgspec.json.encode(await asyncio.to_thread(make), enc_hook=encode_special)
        kept[path] = content, f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    content, tag = kept[path]
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type="application/json")


# As data


def _shelf() -> dict[str, Any]:
    tests, own = _tests(), documents()
    return {"rulebooks": [_on_shelf(load(name), own[name], tests) for name in NAMES]}


def _on_shelf(rulebook: Rulebook, own: tuple[Clause, ...], tests: Tests) -> dict[str, Any]:
    outside = sum(clause.obeyed == "outside" for clause in own)
    return {
        "id": rulebook.id,
        "title": rulebook.title,
        "game": rulebook.words.game,
        "span": rulebook.span,
        "instruments": [
            {"id": made.id, "title": made.title, "day": made.day} for made in rulebook.instruments
        ],
        "clauses": len(own),
        "outside": outside,
        "tested": sum(clause.citation in tests for clause in own if clause.obeyed != "outside"),
        "decks": sorted(rulebook.rules.decks_allowed),
        "usual_decks": rulebook.choose().house.decks,
        "about": about(rulebook),
    }


def _book(name: str) -> dict[str, Any]:
    rulebook, tests = load(name), _tests()
    own = documents()[name]
    return _on_shelf(rulebook, own, tests) | {
        "words": rulebook.words,
        "clauses": [_clause(rulebook, clause, tests) for clause in rulebook.clauses],
        "options": [_option(rulebook, *option) for option in rulebook.options().items()],
        "settings": _settings(rulebook),
    }


def _clause(rulebook: Rulebook, clause: Clause, tests: Tests) -> dict[str, Any]:
    return {
        "short": rulebook.short(clause),
        "number": clause.number,
        "document": clause.document,
        "says": clause.says,
        "reading": clause.reading,
        "binds": clause.binds,
        "obeyed": clause.obeyed,
        "kind": clause.kind,
        "provisions": [
            {"name": name_of(path), "words": words(path, _value(rulebook, path))}
            for path in flatten(clause.sets)
        ],
        "grounds": [ground_words(ground) for ground in clause.grounds],
        "tests": tests.get(clause.citation, []),
    }


def _value(rulebook: Rulebook, path: str) -> Any:
    value: Any = rulebook.rules
    for part in path.split("."):
        value = value[part] if isinstance(value, dict) else getattr(value, part)
    return value


def _option(rulebook: Rulebook, name: str, option: tuple[Clause | None, tuple[Any, ...]]) -> dict[str, Any]:
    clause, _ = option
    readings = {one: choices for one, _, choices in rulebook.readings(rulebook.rules)}
    return {
        "option": name,
        "name": name_of(name),
        "clause": rulebook.short(clause) if clause else "",
        "choices": [
            {"value": msgspec.to_builtins(choice, enc_hook=encode_special), "words": words(name, choice)}
            for choice in readings[name]
        ],
    }


def _settings(rulebook: Rulebook) -> list[dict[str, Any]]:
    """What a house may state, what the law permits, and what the demonstration house says."""
    rules = rulebook.choose()
    return [
        {
            "setting": name,
            "permitted": allowed,
            "value": msgspec.to_builtins(setting(rules.house, name), enc_hook=encode_special),
            "clauses": [rulebook.short(clause) for clause in rulebook.cite(behind)],
        }
        for name, (allowed, behind) in permitted(rulebook.rules).items()
    ]


def _diff(first: str, second: str) -> dict[str, Any]:
    found = compare(load(first), load(second))
    return {
        "first": first,
        "second": second,
        "differences": [
            {
                "section": one.section,
                "provision": one.provision,
                "name": one.name,
                "first": _wording(found.first, one.first),
                "second": _wording(found.second, one.second),
            }
            for one in found.differences
        ],
        "only_first": [_duty(found.first, duty) for duty in found.only_first],
        "only_second": [_duty(found.second, duty) for duty in found.only_second],
    }


def _wording(rulebook: Rulebook, wording: Wording) -> dict[str, Any]:
    return {"words": wording.words, "clauses": [rulebook.short(clause) for clause in wording.clauses]}


def _duty(rulebook: Rulebook, duty: Duty) -> dict[str, Any]:
    return {"words": duty.words, "clauses": [rulebook.short(clause) for clause in duty.clauses]}


@functools.cache
def _tests() -> Tests:
    """The clause tests that name each clause, by its citation; none where they are not at hand."""
    found: Tests = defaultdict(list)
    try:
        tests = read_tests(clause_tests_folder())
    except ParseError:
        return {}
    for citation, named in tests_by_clause(tests).items():
        found[citation] = [{"file": test.source, "title": test.title} for test in named]
    return dict(found)
