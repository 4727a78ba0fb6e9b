"""Programs that a run starts one after the other, compared with C."""

from measure.table import Row, Table, times_floor

# The number of programs that one run starts.
COUNT = 1000


def measure(programs):
    """A run of `exec` of a static program that does nothing, and its floor."""
    nothing = programs.compiled("spawn")
    shortcut = programs.folder / "spawning.yaml"
    shortcut.write_text(
        f"shortcut: spawning\nsteps:\n  - repeat: {COUNT}\n    do:\n      - exec: ['{nothing}']\n"
        "  - value: done\n"
    )
    table = Table("programs that a run starts, one after the other", ["C"])
    times = programs.alternate(
        {
            "errand": programs.errand(":memory:", "run", shortcut),
            "C": [nothing, COUNT, nothing],
        },
        10,
    )
    table.add(Row(f"{COUNT:,} programs that do nothing", times, [times_floor(3)]))
