"""What outlives a release: a table's history in lines, chained by hashes, decided again by replay.

line     what a line holds, and how each format of the log is read
chain    each line ends in a hash of the line before and of itself
standing which lines stand, and which were struck
log      lines that have been read: where the table starts, and all that was asked of it
told     what is told of a line on record
replay   every command decided again, and compared
store    where lines are kept: what a table in play needs of it, and memory
file     a log in a file; all else knows nothing of files
"""

from croupier.record.file import LogWriter, read_log
from croupier.record.line import Bring, Entry, Header, Line, Strike, entry_of, header_for
from croupier.record.log import Log
from croupier.record.replay import Difference, Note, Replay, replay
from croupier.record.store import Memory, Store
from croupier.record.told import Listener, Told

__all__ = [
    "Bring",
    "Difference",
    "Entry",
    "Header",
    "Line",
    "Listener",
    "Log",
    "LogWriter",
    "Memory",
    "Note",
    "Replay",
    "Store",
    "Strike",
    "Told",
    "entry_of",
    "header_for",
    "read_log",
    "replay",
]
