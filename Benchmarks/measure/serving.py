"""`errand serve`: reading an item on 64 connections, and beside a thousand clients that idle."""

import http.client
import os
import re
import shutil
import socket
import statistics
import subprocess
import time

CONNECTIONS = 64
IDLE = 1000
FLOOR = 0.4
WORST = 2


def started(command, **options):
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, **options
    )


def rate(url, token=None):
    """The requests a second that wrk makes."""
    header = ["-H", f"Authorization: Bearer {token}"] if token else []
    done = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", "-d3s", *header, url],
        capture_output=True, text=True, check=True,
    )
    if "Non-2xx" in done.stdout:
        raise RuntimeError(done.stdout)
    return float(re.search(r"Requests/sec:\s*([\d.]+)", done.stdout)[1])


def latency(port, token):
    """The median time of 200 requests on one connection, in ms."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    times = []
    for _ in range(200):
        start = time.perf_counter()
        connection.request("GET", "/api/v1/items/Link/1", headers={"Authorization": f"Bearer {token}"})
        connection.getresponse().read()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def idle(port):
    """Clients that send nothing, half a head, or half a body."""
    parts = [b"", b"GET /api/v1/health HTTP/1.1\r\nHost: 1",
             b"POST /api/v1/shares HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nx"]
    clients = []
    for number in range(IDLE):
        clients.append(socket.create_connection(("127.0.0.1", port)))
        clients[-1].sendall(parts[number % 3])
    return clients


def measure(programs):
    print("\nthe API on the loopback address")
    if not shutil.which("wrk"):
        return print("skipped: wrk is not installed")
    home = programs.folder / "served"
    home.mkdir()
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "ERRAND_ENRICH": "off"}
    def errand(*words):
        return subprocess.run(
            [programs.program, *words], env=environment, capture_output=True, text=True, check=True
        ).stdout.strip()
    errand("save", "https://swift.org", "--title", "Swift", "--tags", "one,two")
    token = errand("serve", "token", "create", "bench", "--scope", "all")
    floor = started([programs.linked("constant", "microhttpd")])
    server = subprocess.Popen(
        [programs.program, "serve", "--port", "0"], env=environment,
        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        file = home / ".local/state/errand/serve/port"
        while not (file.exists() and file.read_text().strip()):
            time.sleep(0.05)
        port = int(file.read_text())
        constant = f"http://127.0.0.1:{int(floor.stdout.readline())}/"
        item = f"http://127.0.0.1:{port}/api/v1/items/Link/1"
        pairs = [(rate(item, token), rate(constant)) for _ in range(3)]
        own, other = max(p[0] for p in pairs), max(p[1] for p in pairs)
        over = "" if own >= FLOOR * other else " OVER"
        print(f"an item, {CONNECTIONS} connections: {own:,.0f} a second, {own / other:.2f} x the rate "
              f"of a constant ({other:,.0f})   ≥ {FLOOR} x{over}")
        alone = latency(port, token)
        clients = idle(port)
        beside = latency(port, token)
        over = "" if beside <= WORST * alone else " OVER"
        print(f"an item beside {len(clients):,} idle clients: {beside:.3f} ms, {beside / alone:.2f} x "
              f"the time alone ({alone:.3f})   ≤ {WORST} x{over}")
    finally:
        for process in (server, floor):
            process.terminate()
            process.wait()
