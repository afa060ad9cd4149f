"""The textbook tables and networks, typed in: small enough to follow every number by hand."""

from bayesic.datasets.networks import asia, campfire
from bayesic.datasets.textbook import (
    TextbookTable,
    enjoy_sport,
    li_hang,
    play_tennis,
    rainy_mails,
    watermelon,
)

__all__ = [
    "TextbookTable",
    "asia",
    "campfire",
    "enjoy_sport",
    "li_hang",
    "play_tennis",
    "rainy_mails",
    "watermelon",
]
