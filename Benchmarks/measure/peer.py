"""tantivy, a search engine, on the same links; in an environment of its own, from PyPI."""

import subprocess
import sys
from pathlib import Path

from measure.programs import Server

PACKAGE = "tantivy"


class Peer:
    """A client of it; the index is rebuilt for each set of links."""

    name = PACKAGE

    def __init__(self, python, data, folder):
        script = Path(__file__).with_name("tantivy_server.py")
        self.server = Server([python, script, data.lines, folder / f"{data.name}-{PACKAGE}"])
        (self.index_seconds,) = map(float, self.server.ask("ready"))

    def top(self, kind, text):
        """The URLs of the ten best matches."""
        return self.server.ask("top", kind, text.replace("\t", " "))

    def close(self):
        self.server.close()


def installed(folder):
    """The interpreter with the package; None, with a message, if it cannot be installed."""
    place = folder / "peer"
    python = place / "bin/python"
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE]
    for command in ([sys.executable, "-m", "venv", place], install):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            reason = (done.stdout + done.stderr).strip().splitlines() or ["no reason was given"]
            print(f"{PACKAGE}: skipped, it cannot be installed: {reason[-1]}")
            return None
    return python
