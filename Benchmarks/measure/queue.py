"""Queued jobs run by workers, compared with one durable commit per job in C."""

import shutil

from measure.programs import must
from measure.table import Row, Table, times_floor

# The number of queued jobs, and of repetitions.
COUNT = 500
ROUNDS = 3
WORKERS = (1, 2, 4)

DEFINITIONS = f"""\
shortcut: bench-job
input: {{type: int}}
steps:
  - value: '{{{{ input }}}}'
output: none
---
shortcut: bench-fill
steps:
  - repeat: {COUNT}
    index: n
    do:
      - enqueue: {{name: bench-job, input: '{{{{ n }}}}'}}
output: none
"""


def measure(programs):
    """Several workers on one store, and as many processes of the floor on a copy of it."""
    # Workers run only the user's own definitions.
    definitions = programs.folder / "config/errand/bench-queue.yaml"
    definitions.parent.mkdir(parents=True, exist_ok=True)
    definitions.write_text(DEFINITIONS)
    folder = programs.folder / "queue"
    folder.mkdir()
    full = folder / "full.db"
    must(programs.errand(full, "run", "bench-fill", "-q"))
    table = Table(f"{COUNT:,} jobs of the queue, done by workers", ["C"], has_memory=True)
    for count in WORKERS:
        own, floor = f"{folder}/{count}-own-{{n}}.db", f"{folder}/{count}-floor-{{n}}.db"
        for name in (own, floor):
            for number in range(ROUNDS):
                shutil.copy(full, name.replace("{n}", str(number)))
        together = (
            f'for i in {" ".join(map(str, range(count)))}; do "$@" & done; '
            "for i in $(jobs -p); do wait $i || exit 1; done"
        )
        worker = [programs.program, "--store", own, "worker", "--once", "-q"]
        times = programs.alternate(
            {
                "errand": worker if count == 1 else ["bash", "-c", together, "bash", *worker],
                "C": [programs.floors, "queue", floor, count],
            },
            ROUNDS,
            warmed=False,
        )
        name = "1 worker" if count == 1 else f"{count} workers"
        table.add(Row(name, times, [times_floor(2)]))
        left = must(programs.errand(own.format(n=0), "queue", "--state", "waiting,running"))
        assert left == "", left
    definitions.unlink()
    shutil.rmtree(folder)
