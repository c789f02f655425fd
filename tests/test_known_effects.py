"""What is known of shoes and counts comes out of the simulator. At length: scripts/simulate_truth.py."""

from __future__ import annotations

import pytest

from effects import CUTTING_CARD, SCORES, cutting_card_effect, scores


@pytest.mark.parametrize(("decks", "rounds"), [(1, 30_000_000), (2, 60_000_000)])
def test_a_cutting_card_costs_what_is_published(decks: int, rounds: int) -> None:
    """Where high cards came early more rounds are dealt of what is left, the more so the fewer the decks."""
    effect = cutting_card_effect(decks, rounds=rounds, seed=1)
    assert effect.value > 4 * effect.error
    assert abs(effect.value - CUTTING_CARD[decks]) < 3 * effect.error


def test_hi_lo_has_its_published_score() -> None:
    found = scores(4.5, rounds=60_000_000, seed=2)
    for spread, score in found.items():
        assert abs(score.value - SCORES[4.5, spread]) < 3 * score.error, (spread, score)
        assert score.error < 0.15 * SCORES[4.5, spread]
