"""Chooses words to search for, by their frequency in a store."""

import math
import random
import sqlite3
from dataclasses import dataclass

from measure.links import is_plain

BANDS = ((5, 3_000), (3_000, 10_000), (10_000, 30_000), (30_000, 100_000), (100_000, math.inf))


@dataclass
class Word:
    text: str
    # The number of links that contain it.
    count: int
    share: float


class Words:
    """The words of a text index with their counts."""

    def __init__(self, store):
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
            self.rows = database.execute("SELECT count(*) FROM Link").fetchone()[0]
            database.execute(
                "CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'Link_search', 'row')"
            )
            counts = database.execute("SELECT term, doc FROM temp.words WHERE doc >= 5")
            self.counts = {term: count for term, count in counts if is_plain(term)}
            tags = database.execute(
                "SELECT value, count(*) AS n FROM Link_list_tags GROUP BY value ORDER BY n, value"
            ).fetchall()
        self.tag, self.tag_count = tags[-1]

    def near(self, share):
        """A word that occurs in about this share of the links."""
        wanted = max(5, share * self.rows)

        def distance(term):
            return abs(math.log(self.counts[term] / wanted)), term

        term = min(self.counts, key=distance)
        return Word(term, self.counts[term], self.counts[term] / self.rows)

    def of(self, *shares):
        """A word for each share, without duplicates, which occur in a small store."""
        return list({word.text: word for word in map(self.near, shares)}.values())

    def drawn(self, low, high, most=6):
        """Some words by the number of links that contain them, except words that all links contain."""
        chosen = sorted(
            term for term, count in self.counts.items()
            if low <= count < high and count < 0.99 * self.rows
        )
        return random.Random(2026).sample(chosen, min(most, len(chosen)))
