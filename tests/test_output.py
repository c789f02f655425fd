"""What commands print and write: nothing deceives a screen, no file is lost, no stream is missed."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.__main__ import main
from croupier.cli.output import Console, write_file
from croupier.errors import ParseError
from croupier.printable import require_printable, visible

CROUPIER = [sys.executable, "-m", "croupier"]
DECEIVING = "\x1b\r\x00\x07\x7f\x9b\u202e\u2066\u200f\u061c\u2028"
CASE = Path(__file__).parent / "cases" / "uk-blackjack-1994"


@given(st.text())
def test_nothing_that_is_shown_moves_the_cursor(text: str) -> None:
    shown = visible(text)
    assert all(letter in "\n\t" or letter not in DECEIVING for letter in shown)
    assert visible(shown) == shown
    if shown == text and "\n" not in text and "\t" not in text:
        assert require_printable(text, "a name") == text


@pytest.mark.parametrize("letter", DECEIVING)
def test_deceiving_letters_are_refused_by_name(letter: str) -> None:
    with pytest.raises(ParseError, match=r"a name: p.*1 holds .*, which a screen would not show") as error:
        require_printable(f"p{letter}1", "a name")
    assert letter not in str(error.value)


def test_a_console_shows_what_its_text_holds() -> None:
    console = Console()
    console.file = io.StringIO()
    console.print("[red]a[/]\x1b[2K\u202eb")
    assert console.file.getvalue() == "a\\x1b[2K\\u202eb\n"


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "out.txt"
    write_file(file, "first")
    with pytest.raises(ParseError, match="exists; --force writes over it"):
        write_file(file, "second")
    assert file.read_text() == "first"
    write_file(file, "second", force=True)
    assert file.read_text() == "second"

    def full(self: Path, *_: object) -> int:
        with self.open("w") as opened:
            opened.write("ha")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(ParseError, match=r"out.txt: cannot be written: No space left"):
        write_file(file, "third", force=True)
    assert file.read_text() == "second"
    assert [path.name for path in tmp_path.iterdir()] == ["out.txt"]


def run(*words: object, **streams: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*CROUPIER, *map(str, words)], text=True, check=False, **streams)  # type: ignore[call-overload, no-any-return]


WRITE = [
    ("case", "x.log", "-o"),
    ("solve", "--strategy"),
    ("sheet", "act-pontoon-2002", "-o"),
    ("rules", "house", "act-pontoon-2002", "--out"),
]


@pytest.mark.parametrize("words", WRITE)
def test_no_command_writes_over_a_file(tmp_path: Path, words: tuple[str, ...]) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("mine")
    log = tmp_path / "x.log"
    assert run("check", next(iter(CASE.glob("*.toml"))), "--log", log, capture_output=True).returncode == 0
    done = run(*(str(log) if word == "x.log" else word for word in words), file, capture_output=True)
    assert done.returncode == 2
    assert "exists; --force writes over it" in done.stderr
    assert file.read_text() == "mine"


@pytest.mark.parametrize("command", ["play", "deal"])
@pytest.mark.parametrize(("closed", "status"), [("<&-", 0), (">&- <&-", 2), ("2>&- <&-", 0)])
def test_a_closed_stream_is_no_surprise(command: str, closed: str, status: int) -> None:
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *CROUPIER, command]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert done.returncode == status


def test_who_reads_only_the_first_line_is_no_failure() -> None:
    for words in ("rules show act-blackjack-2003", "rules list", "rules show act-blackjack-2003 --json"):
        shell = f'{sys.executable} -m croupier {words} | head -c 1; exit "${{PIPESTATUS[0]}}"'
        done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_an_interrupt_while_starting_shows_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupts:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "croupier.cli":
                raise KeyboardInterrupt

    monkeypatch.setattr(sys, "meta_path", [Interrupts(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, "croupier.cli", raising=False)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130


def test_json_is_nothing_but_json(tmp_path: Path) -> None:
    done = run("check", "--json", CASE, capture_output=True)
    assert all(json.loads(line)["passed"] for line in done.stdout.splitlines())
    assert done.stderr.strip().endswith("0 failed")
