"""Croupier: casino blackjack and pontoon, conducted clause by clause as the law says."""

__version__ = "0.1.0"
