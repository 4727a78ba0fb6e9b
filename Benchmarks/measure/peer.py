"""tantivy, a search engine, on the same links; in an environment of its own, from PyPI."""

import sys
from pathlib import Path

from measure.programs import Server, must

PACKAGE = "tantivy"


class Peer:
    """How to ask it; the index is made anew for each set of links."""

    name = PACKAGE

    def __init__(self, python, data, folder):
        script = Path(__file__).with_name("tantivy_server.py")
        self.server = Server([python, script, data.lines, folder / f"{data.name}-{PACKAGE}"])
        (self.index_seconds,) = map(float, self.server.ask("ready"))

    def close(self):
        self.server.close()


def installed(folder):
    """The interpreter that knows the package; nil, and a line that says so, where it can't be had."""
    place = folder / "peer"
    try:
        must([sys.executable, "-m", "venv", place])
        python = place / "bin/python"
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        must([*install, PACKAGE])
    except SystemExit as reason:
        print(f"{PACKAGE}: skipped, it can't be installed: {str(reason).splitlines()[-1]}")
        return None
    return python
