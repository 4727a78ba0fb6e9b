"""Queries and saves in an open store."""

import sqlite3

from measure.cold import SHOWN
from measure.programs import Server, alternate_warm
from measure.table import Row, Table, ahead_of, at_most, times_floor

# SHOWN as a filter of Errand.
IS_SHOWN = "self.status != 'failed' && self.reading != 'archived'"
# The weights of url, title, summary and tags in schemas/entities/Link.yaml.
RANKED = "rank MATCH 'bm25(2.0, 10.0, 3.0, 5.0, 0.0)'"
COLUMNS = "t.id, t.title, t.url"
NEWEST = "ORDER BY t.createdAt DESC, t.id DESC LIMIT 10"


def search_sql(condition=f"t.{SHOWN}", order="ORDER BY rank LIMIT 10"):
    return (
        f"SELECT {COLUMNS} FROM Link_search s JOIN Link t ON t.id = s.rowid"
        f" WHERE Link_search MATCH ? AND {RANKED} AND {condition} {order}"
    )


class Warm:
    """The servers of one store, and the table of their results."""

    def __init__(self, programs, data, words, store, floor, peer):
        self.data, self.words, self.peer, self.store = data, words, peer, store
        self.own = Server([programs.warm, store])
        self.floor = Server([programs.floors, "serve", store])
        self.writing_floor = Server([programs.floors, "serve", floor])
        self.table = Table("in a store that stays open", ["C"] + ([peer.name] if peer else []))

    def find(
        self, name, budgets, sql, values=(), match="", where=IS_SHOWN, sort="", skip=0, peer=None
    ):
        requests = {
            "errand": (self.own, "find", match, where, sort, skip),
            "C": (self.floor, "query", sql, *values),
        }
        if self.peer and peer:
            requests[self.peer.name] = (self.peer.server, "search", *peer)
        self.table.add(Row(name, alternate_warm(requests), budgets))

    def measure(self):
        """Measures all rows; returns the peak after the word searches, in KiB."""
        self.search_words()
        peak = self.own.peak()
        self.search_others()
        self.lists()
        self.pages()
        self.table.add(
            Row(
                "save of a new link, durable",
                alternate_warm(
                    {"errand": (self.own, "save"), "C": (self.writing_floor, "save")}
                ),
                [times_floor(1.5)],
            )
        )
        self.journal()
        return peak

    def journal(self):
        """A step of a run with its journal line, compared with one insert of such a line."""
        self.writing_floor.ask(
            "query", 1, "CREATE TABLE IF NOT EXISTS floor_journal (line INTEGER PRIMARY KEY,"
            " run INTEGER, key TEXT, kind INTEGER, name TEXT, time INTEGER, took INTEGER, data TEXT)",
        )
        insert = (
            "INSERT INTO floor_journal (run, key, kind, name, time, took, data) VALUES"
            " (1, '12#3/4', 1, 'value', 1790000000000000, 5, '{\"0\":\"a value of a step\"}')"
        )
        requests = {
            "errand": (self.own, "step"), "C": (self.writing_floor, "query", insert),
        }
        self.table.add(
            Row("a step with a journal line, durable", alternate_warm(requests), [times_floor(1.5)])
        )
        self.own.ask("group", 1)
        self.writing_floor.ask("query", 1, "BEGIN IMMEDIATE")
        self.table.add(
            Row(
                "a step with a journal line, in a transaction",
                alternate_warm(requests), [times_floor(1.5)],
            )
        )
        self.own.ask("group", 0)
        self.writing_floor.ask("query", 1, "COMMIT")

    def close(self):
        for server in (self.own, self.floor, self.writing_floor):
            server.close()

    def search_words(self):
        # With few links other programs are faster; the budget is for a million.
        is_large = self.data.count >= 1_000_000
        rivals = [ahead_of(self.peer.name)] if self.peer and is_large else []
        for word in self.words.of(0, 0.0003, 0.003, 0.03, 0.27, 0.96):
            self.find(
                f"search, a word in {word.count:,} ({100 * word.share:.2g} %)",
                [at_most(6)] + (rivals if word.share > 0.5 else []),
                search_sql(), [word.text], match=word.text, peer=("words", word.text),
            )
        two = f"{self.words.near(0.96).text} {self.words.near(0.27).text}"
        self.find(
            "search, two common words", [at_most(6)] + rivals, search_sql(), [two], match=two,
            peer=("words", two),
        )
        two = f"{self.words.near(0.03).text} {self.words.near(0.27).text}"
        self.find(
            "search, words in 3 % and 27 %", [at_most(6)], search_sql(), [two], match=two,
            peer=("words", two),
        )

    def search_others(self):
        prefix = self.words.near(0.003).text[:3]
        self.find(
            "search, a prefix of three letters", [], search_sql(), [prefix + "*"],
            match=prefix + "*", peer=("prefix", prefix),
        )
        phrase = f'"{self.data.phrase}"'
        self.find(
            "search, a phrase", [], search_sql(), [phrase], match=phrase,
            peer=("phrase", self.data.phrase),
        )
        if self.data.signs:
            # Each is a word of the index.
            self.find(
                "search, two Chinese signs", [], search_sql(), [f'"{" ".join(self.data.signs)}"'],
                match=self.data.signs,
            )
        tag = self.words.tag
        for word in self.words.of(0.003, 0.27):
            self.find(
                f"search in a tag, a word in {100 * word.share:.2g} %", [],
                search_sql(
                    f"t.{SHOWN} AND EXISTS (SELECT 1 FROM Link_list_tags WHERE value = ?2"
                    " AND createdAt = t.createdAt AND id = t.id)"
                ),
                [f'{word.text} AND p4:"{tag}"', tag],
                match=word.text, where=f"'{tag}' in self.tags && {IS_SHOWN}",
            )

    def lists(self):
        tag = self.words.tag
        self.find(
            "recent", [at_most(0.1)], f"SELECT {COLUMNS} FROM Link t WHERE t.{SHOWN} {NEWEST}",
            sort="-createdAt",
        )
        self.find(
            f"newest of a tag of {self.words.tag_count:,}", [at_most(0.1)],
            f"SELECT {COLUMNS} FROM Link_list_tags l CROSS JOIN Link t ON t.id = l.id"
            " WHERE l.value = ? ORDER BY l.createdAt DESC, l.id DESC LIMIT 10",
            [tag], where=f"'{tag}' in self.tags", sort="-createdAt",
        )
        for word in self.words.of(0.0003, 0.003, 0.03, 0.27, 0.96):
            self.find(
                f"newest of a word in {word.count:,} ({100 * word.share:.2g} %)", [at_most(0.1)],
                f"SELECT {COLUMNS} FROM Link_search s CROSS JOIN Link t ON t.id = s.rowid"
                f" WHERE Link_search MATCH ? AND t.{SHOWN} {NEWEST}",
                [word.text], match=word.text, sort="-createdAt",
            )
        conditions = [
            ("indexed, 15 % hold", "self.status == 'ready'", "t.status = 'ready'"),
            ("not indexed, 25 % hold", "self.source == 'mail'", "t.source = 'mail'"),
            ("not indexed, 0.1 % hold", "self.source == 'letter'", "t.source = 'letter'"),
            ("not indexed, none holds", "self.source == 'none'", "t.source = 'none'"),
            ("part of a text, none holds", "self.title.contains('q+q')",
             "instr(t.title, 'q+q') > 0"),
        ]
        for name, condition, sql in conditions:
            self.find(
                f"where, {name}", [], f"SELECT {COLUMNS} FROM Link t WHERE {sql} {NEWEST}",
                where=condition, sort="-createdAt",
            )

    def pages(self):
        skip = min(9_990, self.data.count // 20 * 10)
        page = skip // 10 + 1
        with sqlite3.connect(f"file:{self.store}?mode=ro", uri=True) as database:
            last = database.execute(
                f"SELECT createdAt, id FROM Link t WHERE t.{SHOWN} ORDER BY createdAt DESC,"
                " id DESC LIMIT 1 OFFSET ?", [skip - 1],
            ).fetchone()
        self.find(
            f"recent, page {page:,}", [],
            f"SELECT {COLUMNS} FROM Link t WHERE (t.createdAt, t.id) < ({last[0]}, {last[1]})"
            f" AND t.{SHOWN} {NEWEST}", sort="-createdAt", skip=skip,
        )
        word = self.words.near(0.27)
        if word.count * 0.9 > skip + 10:
            self.find(
                f"search, a word in {100 * word.share:.2g} %, page {page:,}", [],
                search_sql(order=f"ORDER BY rank LIMIT 10 OFFSET {skip}"), [word.text],
                match=word.text, skip=skip,
            )
