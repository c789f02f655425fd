"""What outlives a release: a table's history in lines, chained by hashes, decided again by replay.

line     what a line holds, and how each format of the log is read
chain    each line ends in a hash of the line before and of itself
log      lines that have been read: where the table starts, and all that was asked of it
replay   every command decided again, and compared
file     a log in a file; all else knows nothing of files
"""

from croupier.record.file import LogWriter, read_log
from croupier.record.line import Entry, Header, header_for
from croupier.record.log import Log
from croupier.record.replay import Note, Replay, replay

__all__ = ["Entry", "Header", "Log", "LogWriter", "Note", "Replay", "header_for", "read_log", "replay"]
