"""What people read: the report on a game's mathematics, in sentences, tables and one page of HTML."""
