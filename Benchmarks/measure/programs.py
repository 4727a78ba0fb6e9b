"""The measured programs: building them, running them alternately, and querying open ones."""

import os
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# The approximate maximum time for measuring one command or query.
SECONDS = 4


@dataclass
class Times:
    """A duration in microseconds, and the peak memory in KiB."""

    least: float
    median: float
    peak: int = 0


def must(command, **options):
    """Runs a command that must succeed; returns its output."""
    done = subprocess.run(
        list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=False, **options,
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


class Programs:
    """The installed program and the floors, in a folder of their own."""

    def __init__(self, folder):
        self.folder = folder
        os.environ.update(
            HOME=str(folder),
            XDG_CONFIG_HOME=str(folder / "config"),
            XDG_DATA_HOME=str(folder / "data"),
            XDG_STATE_HOME=str(folder / "state"),
            XDG_CACHE_HOME=str(folder / "cache"),
            SWIFT_BACKTRACE="enable=no",
            ERRAND_ALLOW="all",
        )
        os.environ.pop("ERRAND_STORE", None)
        os.chdir(folder)
        # Measure the installed program, as people run it.
        must(["make", "-s", "-C", ROOT, "install", f"PREFIX={folder}"])
        self.program = folder / "bin/errand"
        self.pairs = self.compiled("pairs")
        self.floors = self.compiled("floors")
        # A copy, which a concurrent build cannot change.
        self.warm = folder / "bench-store"
        shutil.copy(ROOT / ".build/release/bench-store", self.warm)

    def compiled(self, name):
        path = self.folder / name
        source = ROOT / f"Benchmarks/{name}.c"
        must(["gcc", "-O2", "-static", "-w", "-o", path, source, "-lsqlite3", "-lm"])
        return path

    def linked(self, name, *libraries):
        """A program that needs shared libraries."""
        path = self.folder / name
        source = ROOT / f"Benchmarks/{name}.c"
        must(["gcc", "-O2", "-w", "-o", path, source, *(f"-l{library}" for library in libraries)])
        return path

    def errand(self, store, *arguments):
        return [self.program, "--store", store, *arguments]

    def alternate(self, commands, most, accepted=(0,), warmed=True):
        """Runs named commands alternately, as often as time allows; returns the times by name."""
        arguments = []
        for command in commands.values():
            arguments += ["--", *map(str, command)]

        def rounds(count, warming):
            lines = must([self.pairs, str(count), str(int(warming)), *arguments]).splitlines()
            for name, line in zip(commands, lines):
                least, median, peak, status = map(int, line.split())
                if status not in accepted:
                    sys.exit(f"{' '.join(map(str, commands[name]))}: exit status {status}")
                yield name, Times(least, median, peak)

        if not warmed:
            return dict(rounds(most, False))
        first = dict(rounds(1, True))
        round_seconds = sum(times.least for times in first.values()) / 1e6
        count = max(3, min(most, int(SECONDS / round_seconds)))
        return dict(rounds(count, True))


class Server:
    """A program that stays open and answers each line with one line."""

    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, *fields):
        self.process.stdin.write("\t".join(map(str, fields)) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{' '.join(map(str, self.command))}: no answer to {fields}")
        return line.split()

    def nanoseconds(self, work, times, *fields):
        return list(map(int, self.ask(work, times, *fields)))

    def peak(self):
        """The peak memory so far, in KiB."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def alternate_warm(requests, rounds=5, most=400):
    """Queries servers alternately; `requests` has a server, its command and the fields after TIMES."""
    spent = {name: [] for name in requests}
    counts = {}
    for name, (server, work, *fields) in requests.items():
        server.nanoseconds(work, 1, *fields)
        once = server.nanoseconds(work, 1, *fields)[0] / 1e9
        share = SECONDS / len(requests) / rounds / 2
        counts[name] = max(1, min(most, int(share / max(once, 1e-9))))
    for _ in range(rounds):
        for name, (server, work, *fields) in requests.items():
            spent[name] += server.nanoseconds(work, counts[name], *fields)
    return {
        name: Times(min(all) / 1e3, statistics.median(all) / 1e3) for name, all in spent.items()
    }
