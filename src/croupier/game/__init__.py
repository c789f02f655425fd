"""The law of one hand, without a table around it: pure functions of the rules and a hand.

hand       what cards are worth; natural, pair, must draw
moves      which moves a hand has, what bars the others, and what a card does to it
dealer     when the dealer draws, and what a dealer natural takes
pay        what beats what, and at which odds
offers     insurance, even money, surrender: to which cards they are open
paytables  rows of a pattern and odds: side bets, bonuses, the Super Bonus

The table asks, refuses and emits; the solver fills its arrays by asking the same functions.
"""
