"""Adding a share to the inbox, compared with a file synced together with its folder in C."""

from measure.table import Row, Table, times_floor


def measure(programs):
    """One share per process, and the floor: a process that writes and syncs the same bytes."""
    synced = programs.compiled("synced")
    store = programs.folder / "shared.db"
    table = Table("a share that is put into the inbox", ["C"])
    text = "https://swift.org/documentation"
    times = programs.alternate(
        {
            "errand": [programs.program, "--store", store, "share-in", "-q", text],
            "C": [synced, programs.folder / "synced-files", '{"share":1,"items":[{"url":"' + text + '"}]}'],
        },
        200,
    )
    table.add(Row("an address, a process", times, [times_floor(2)]))
