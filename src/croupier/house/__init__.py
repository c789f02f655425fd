"""The house: tables open for play, where their cards come from, and the log of what happened."""
