"""The textbook tables, typed in: small enough to follow every number by hand."""

from bayesic.datasets.table import TextbookTable
from bayesic.datasets.textbook import li_hang, play_tennis, rainy_mails, watermelon

__all__ = ["TextbookTable", "li_hang", "play_tennis", "rainy_mails", "watermelon"]
