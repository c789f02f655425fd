"""One key from the terminal, without Enter."""

from __future__ import annotations

import sys


def key() -> str:
    """The next key in lower case, Enter as an empty text; the end of input and Ctrl-D are an EOFError."""
    try:
        import termios
        import tty
    except ImportError:  # where terminals are of another kind, Enter ends the answer
        return input().strip().lower()[:1]
    stream = sys.stdin.fileno()
    before = termios.tcgetattr(stream)
    try:
        tty.setcbreak(stream)
        pressed = sys.stdin.read(1)
    finally:
        termios.tcsetattr(stream, termios.TCSADRAIN, before)
    if pressed in ("", "\x04"):
        raise EOFError
    return pressed.strip().lower()


def ask_key(question: str, allowed: str, usual: str = "") -> str:
    """Ask until one of the allowed keys is pressed; Enter is the usual one."""
    print(question, end=" ", flush=True)
    while (pressed := key() or usual) not in allowed or not pressed:
        pass
    print(pressed)
    return pressed
