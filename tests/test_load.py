"""A rulebook on disk as it stands: read again when it has changed, built once while it has not."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.errors import RulebookError
from croupier.rulebook import load

HARBOUR = Path(__file__).parent.parent / "docs" / "examples" / "harbour-21.toml"

AMENDMENT = """
id = "amended"
title = "Amended"
base = "{base}"

[[instrument]]
id = "A1"
title = "An amendment"
made = 2025-01-01

[[clause]]
number = "A"
says = "Nothing else changes."
binds = "dealer"
obeyed = "outside"
grounds = ["amendment"]
"""


def change(file: Path, old: str, new: str) -> None:
    """Change a file, and neither its size nor its time of change: only its text tells."""
    before = file.stat()
    text = file.read_text("utf-8")
    assert old in text
    assert len(old) == len(new)
    file.write_text(text.replace(old, new), "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    file = tmp_path / "harbour.toml"
    file.write_text(HARBOUR.read_text("utf-8"), "utf-8")
    return file


def test_a_rulebook_edited_on_disk_is_seen(harbour: Path) -> None:
    before = load(str(harbour))
    assert before.rules.natural_pays == Fraction(5, 4)
    change(harbour, 'natural_pays = "5 to 4"', 'natural_pays = "6 to 5"')
    assert load(str(harbour)).rules.natural_pays == Fraction(6, 5)
    assert before.rules.natural_pays == Fraction(5, 4)


def test_a_rulebook_that_stays_as_it_is_is_built_once(harbour: Path) -> None:
    assert load(str(harbour)) is load(str(harbour))
    assert load("uk-blackjack-1994") is load("uk-blackjack-1994")


def test_a_change_of_its_base_is_seen(harbour: Path, tmp_path: Path) -> None:
    amended = tmp_path / "amended.toml"
    amended.write_text(AMENDMENT.format(base=harbour), "utf-8")
    assert load(str(amended)).rules.natural_pays == Fraction(5, 4)
    change(harbour, 'natural_pays = "5 to 4"', 'natural_pays = "6 to 5"')
    assert load(str(amended)).rules.natural_pays == Fraction(6, 5)


def test_a_broken_edit_is_refused_and_a_mended_one_read(harbour: Path) -> None:
    load(str(harbour))
    change(harbour, 'natural_pays = "5 to 4"', 'natural_pays = "5 to 4 ')
    with pytest.raises(RulebookError, match="is not TOML"):
        load(str(harbour))
    change(harbour, 'natural_pays = "5 to 4 ', 'natural_pays = "5 to 4"')
    assert load(str(harbour)).rules.natural_pays == Fraction(5, 4)


def test_a_rulebook_based_on_itself_is_refused(tmp_path: Path) -> None:
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    one.write_text(AMENDMENT.format(base=other), "utf-8")
    other.write_text(AMENDMENT.format(base=one), "utf-8")
    with pytest.raises(RulebookError, match=r"one\.toml: is based, in the end, on itself"):
        load(str(one))
