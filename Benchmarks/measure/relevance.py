"""Search relevance: the rank at which other people's names and descriptions of a link find it."""

import gzip
import json
import re
import sqlite3
import unicodedata
from collections import Counter

from measure.programs import Server
from measure.warm import SHOWN

KINDS = ("name", "title", "words")
WORD = re.compile(r"[^\W_]+")


def places(queries, ask):
    """The rank of each query's link among ten, from 1, by kind; 0 if it is missing."""
    found = {kind: [] for kind in KINDS}
    for query in queries:
        urls = ask(query["query"])[:10]
        place = urls.index(query["url"]) + 1 if query["url"] in urls else 0
        found[query["kind"]].append(place)
    return found


def figures(places):
    """The mean reciprocal rank (MRR@10), and the share of links found."""
    score = sum(1 / place for place in places if place) / len(places)
    return f"{score:.3f} {100 * sum(place > 0 for place in places) / len(places):3.0f} %"


def words(text):
    folded = unicodedata.normalize("NFD", text.lower())
    return WORD.findall("".join(sign for sign in folded if not unicodedata.combining(sign)))


class Plain:
    """Plain FTS5, with the weights of Errand's properties."""

    def __init__(self, store, joint):
        self.joint = joint
        self.database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)

    def ask(self, text):
        match = self.joint.join(f'"{word}"' for word in dict.fromkeys(words(text)))
        rows = self.database.execute(
            "SELECT l.url FROM Link_search s JOIN Link l ON l.id = s.rowid"
            " WHERE Link_search MATCH ? AND rank MATCH 'bm25(2.0, 10.0, 3.0, 5.0, 0.0)'"
            f" AND l.{SHOWN} ORDER BY rank LIMIT 10", [match],
        ) if match else []
        return [url for (url,) in rows]


class Own:
    """Errand with an open store."""

    def __init__(self, programs, store):
        self.server = Server([programs.warm, store])
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
            self.urls = dict(database.execute("SELECT id, url FROM Link"))

    def ask(self, text):
        return [self.urls[int(id)] for id in self.server.ask("top", text.replace("\t", " "))]


def measure(programs, store, peer, path):
    """Prints the table of relevance."""
    if not path.exists():
        print(f"\nrelevance: skipped, {path} is not there")
        return
    with gzip.open(path, "rt") as lines:
        queries = [json.loads(line) for line in lines]
    counts = Counter(query["kind"] for query in queries)
    print(f"\nrelevance: MRR@10, and how many of {len(queries):,} are found among ten")
    heads = [f"{kind} ({counts[kind]})" for kind in KINDS] + ["all"]
    print(f"{'':<30}" + "".join(f"{head:>16}" for head in heads))
    own = Own(programs, store)
    asked = {
        "errand": own.ask,
        "FTS5, all words": Plain(store, " AND ").ask,
        "FTS5, any word": Plain(store, " OR ").ask,
    }
    if peer:
        asked[f"{peer.name}, any word"] = lambda text: peer.top("any", text)
        asked[f"{peer.name}, weighted"] = lambda text: peer.top("weighted", text)
    for name, ask in asked.items():
        found = places(queries, ask)
        columns = [found[kind] for kind in KINDS] + [sum(found.values(), [])]
        print(f"{name:<30}" + "".join(f"{figures(one):>16}" for one in columns), flush=True)
    own.server.close()
