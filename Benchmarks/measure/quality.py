"""The agreement of the bounded ranking of searches with BM25 over all matches."""

import heapq
import sqlite3
import statistics

from measure.programs import Server
from measure.warm import RANKED, SHOWN
from measure.words import BANDS


def best(database, word):
    """The scores of all matches by id (larger is better), and the ten best."""
    scores = dict(
        database.execute(
            "SELECT s.rowid, -s.rank FROM Link_search s JOIN Link l ON l.id = s.rowid"
            f" WHERE Link_search MATCH ? AND {RANKED} AND l.{SHOWN}", [word],
        )
    )
    return scores, heapq.nlargest(10, scores.values())


def measure(programs, words, store):
    """Prints, by how common words are, how many of the ten best Errand finds, and how good its
    ten are: the sum of their scores beside that of the ten best."""
    print("\nthe ten first of a search beside BM25 over all matches")
    server = Server([programs.warm, store])
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
        for low, high in BANDS:
            overlaps, scores_kept = [], []
            for word in words.drawn(low, high):
                scores, ten = best(database, word)
                if not ten:
                    continue
                found = [scores.get(int(id), 0) for id in server.ask("top", word)]
                # Matches that tie with the tenth count as among the ten best.
                overlaps.append(sum(score >= ten[-1] - 1e-9 for score in found) / len(ten))
                scores_kept.append(sum(found) / sum(ten))
            name = f"{low:,} to {high:,} matches" if high < 1e9 else f"{low:,} matches and more"
            if overlaps:
                print(
                    f"  {name:<30}{len(overlaps)} words   overlap {10 * statistics.mean(overlaps):4.1f}"
                    f" of 10, least {10 * min(overlaps):.0f};"
                    f" score {100 * statistics.mean(scores_kept):.1f} % of the best ten's,"
                    f" least {100 * min(scores_kept):.1f} %",
                    flush=True,
                )
    server.close()
