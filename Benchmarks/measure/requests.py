"""Concurrent requests of a run, compared with libcurl in C."""

import subprocess

from measure.table import Row, Table, times_floor

# The number of requests of one run, and how many run concurrently.
COUNT = 1000
AT_ONCE = 8


def measure(programs):
    """A run that makes requests to a loopback server, and its floor."""
    client = programs.linked("requests", "curl", "pthread")
    server = subprocess.Popen(
        [client, "serve"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    try:
        url = f"http://127.0.0.1:{int(server.stdout.readline())}/"
        shortcut = programs.folder / "asking.yaml"
        shortcut.write_text(
            f"shortcut: asking\nsteps:\n  - for: n\n    in: '{{{{ lists.range({COUNT}) }}}}'\n"
            f"    parallel: {AT_ONCE}\n    do:\n      - http: '{url}'\n  - value: done\n"
        )
        table = Table("requests of a run to a server on the loopback address", ["C"])
        times = programs.alternate(
            {
                "errand": programs.errand(":memory:", "run", shortcut, "--allow", "all"),
                "C": [client, "get", url, COUNT, AT_ONCE],
            },
            10,
        )
        table.add(
            Row(f"{COUNT:,} requests, {AT_ONCE} at once", times, [times_floor(1.3)])
        )
    finally:
        server.terminate()
        server.wait()
