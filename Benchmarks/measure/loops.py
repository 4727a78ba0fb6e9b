"""A run that updates every link, its undo, and the same while two others write."""

import subprocess

from measure.programs import must
from measure.table import Row, Table

UPDATES = """\
shortcut: update-all
steps:
  - repeat: {count}
    index: n
    do:
      - get: {{ref: 'link:{{{{ n + 1 }}}}'}}
      - update: {{item: '{{{{ it }}}}', set: {{status: '{{{{ it.status == "ready" ? "queued" : "ready" }}}}'}}}}
"""
WRITER = 'while :; do "$@" save "https://other.example/$(date +%N)" -q; done'


def measure(programs, data, store, floor):
    """Measures a store of many links; its updates are undone in the end."""
    count = data.count
    loop = programs.folder / "update-all.yaml"
    loop.write_text(UPDATES.format(count=count))
    commands = {
        "errand": programs.errand(store, "run", loop, "-q"),
        "undo": programs.errand(store, "undo", "--by", "update-all"),
        "C": [programs.floors, "update", floor, str(count)],
    }
    table = Table(f"a run of {count:,} updates, in a process", ["C"], has_memory=True)
    alone = programs.alternate(commands, 3, warmed=False)
    table.add(Row("update each link", {"errand": alone["errand"], "C": alone["C"]}))
    table.add(Row("undo of all of them", {"errand": alone["undo"], "C": alone["C"]}))
    writers = [
        subprocess.Popen(
            ["sh", "-c", WRITER, "sh", *map(str, programs.errand(store))],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for _ in range(2)
    ]
    try:
        beside = programs.alternate(commands, 3, warmed=False)
    finally:
        for writer in writers:
            writer.terminate()
            writer.wait()
    table.add(Row("the same while two others save", {"errand": beside["errand"], "C": beside["C"]}))
    table.add(Row("its undo meanwhile", {"errand": beside["undo"], "C": beside["C"]}))
    must(programs.errand(store, "doctor"))
