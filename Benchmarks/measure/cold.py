"""Commands, each a process: import, recent, search, save."""

import os

from measure.programs import must
from measure.table import Row, Table, ahead_of, memory, times_floor

PAIRS = int(os.environ.get("ERRAND_BENCH_PAIRS", "40"))
SAVES = 500
SHELL = "sqlite3 shell"
SHOWN = "status NOT IN ('failed', 'archived') AND reading IS NOT 'archived'"
RECENT = f"SELECT id, title, url FROM Link WHERE {SHOWN} ORDER BY createdAt DESC, id DESC LIMIT 10"
LOOP = """\
shortcut: save-many
steps:
  - repeat: {count}
    do:
      - save: {{url: 'https://loop.example/{{{{ uuid() }}}}', title: A page, tags: [bench, page]}}
"""


def search(words):
    """The SQL query of a search; its words must be ASCII letters."""
    return (
        "SELECT l.id, l.title, l.url FROM Link_search s JOIN Link l ON l.id = s.rowid"
        f" WHERE Link_search MATCH '{words}' AND l.{SHOWN} ORDER BY rank LIMIT 10"
    )


def import_links(programs, data):
    """Imports into a store of Errand and one of the floor; returns both, and the peak in KiB."""
    folder = programs.folder
    # A store with tables and one link, for the floor to write into.
    seed = folder / f"{data.name}-seed.db"
    must(programs.errand(seed, "save", "https://seed.example/"))
    checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)"
    must(["sqlite3", seed, checkpoint])
    store, floor = folder / f"{data.name}.db", folder / f"{data.name}-floor.db"
    fresh = 'rm -f "$1" "$1"-wal "$1"-shm; cp "$2" "$1"; shift 2; exec "$@"'
    renew = ["sh", "-c", fresh, "sh"]
    times = programs.alternate(
        {
            "errand": [*renew, store, seed, *programs.errand(store, "import", data.lines)],
            "C": [*renew, floor, seed, programs.floors, "import", floor, data.fields],
        },
        most=3 if data.count <= 200_000 else 1,
        # Bad lines, which real data contain, are skipped; the status is then 1.
        accepted=(0, 1), warmed=False,
    )
    for path in (store, floor):
        must(["sqlite3", path, checkpoint])
    own, bare = times["errand"], times["C"]
    rate, floor_rate = (data.count / each.median * 1e6 for each in (own, bare))
    verdict = ""
    # With few links, most of the time is the start of the process.
    if data.count >= 100_000:
        verdict = "≥ 0.7 x C" + ("" if rate >= 0.7 * floor_rate else " OVER")
    if 100_000 <= data.count < 1_000_000:
        verdict += ", ≥ 45,000/s" + ("" if rate >= 45_000 else " OVER")
    print(
        f"\nimport    {rate:,.0f} links/s, C without JSON {floor_rate:,.0f} links/s,"
        f" {rate / floor_rate:.2f} x C   {verdict}\n"
        f"peak      {own.peak / 1024:.1f} MiB\n"
        f"on disk   {store.stat().st_size / 1e6:.1f} MB of {data.lines.stat().st_size / 1e6:.1f} MB"
        f" JSON Lines, C {floor.stat().st_size / 1e6:.1f} MB"
    )
    return store, floor, own.peak


def measure(programs, data, words, store, floor):
    table = Table("a process", ["C", SHELL], has_memory=True)
    small = memory(16)

    def reading(name, own, floor_arguments, sql, budgets):
        commands = {
            "errand": programs.errand(store, *own),
            "C": [programs.floors, *floor_arguments],
            SHELL: ["sqlite3", "-readonly", store, sql],
        }
        table.add(Row(name, programs.alternate(commands, PAIRS), budgets))

    reading(
        "recent", ["recent"], ["recent", store], RECENT, [times_floor(2.5), ahead_of(SHELL), small]
    )
    rare, common = words.near(0), words.near(0.27)
    searches = [
        ("a rare word", rare.text, [times_floor(2), ahead_of(SHELL), small]),
        ("a common word", common.text, [small]),
        ("two words", f"{words.near(0.03).text} {common.text}", [small]),
        ("a prefix", f"{words.near(0.003).text[:3]}*", []),
    ]
    for name, text, budgets in searches:
        reading(f"search, {name}", ["search", text], ["search", store, text], search(text), budgets)
    phrase = f'"{data.phrase}"'
    reading("search, a phrase", ["search", phrase], ["search", store, phrase], search(phrase), [])
    table.add(
        Row(
            "save of a new link, durable",
            programs.alternate(
                {
                    "errand": programs.errand(
                        store, "save", "https://new.example/{n}", "--tags", "bench,page"
                    ),
                    "C": [programs.floors, "save", floor, "1"],
                },
                PAIRS,
            ),
            [small],
        )
    )
    # The floor of a Tab is a start of the program that reads nothing.
    title = data.phrase[:4]
    table.add(
        Row(
            "completion of a title",
            programs.alternate(
                {
                    "errand": [programs.program, "__complete", "get", "--store", store, title],
                    "C": [programs.program, "version"],
                },
                PAIRS,
            ),
            [times_floor(4), small],
        )
    )
    loop = programs.folder / "save-many.yaml"
    loop.write_text(LOOP.format(count=SAVES))
    times = programs.alternate(
        {
            "errand": programs.errand(store, "run", loop),
            "C": [programs.floors, "save", floor, str(SAVES)],
        },
        3,
    )
    for each in times.values():
        each.least /= SAVES
        each.median /= SAVES
    table.add(Row(f"each of {SAVES} saves in one process, durable", times))
