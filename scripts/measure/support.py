"""The rows of the table, the test collections, and the measured program."""

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
GOLD = Path(os.environ.get("ERRAND_GOLD", Path.home() / ".cache/errand-gold"))
ERRAND = Path(os.environ.get("ERRAND_BIN", ROOT / ".build/release")) / "errand"


def row(name, value, needed=""):
    """Prints a row of the table."""
    print(f"| {name} | {value} | {needed} |", flush=True)


def sdist(package, version):
    """The folder of a package's sources from PyPI; None if they cannot be fetched."""
    folder = GOLD / f"{package}-{version}"
    if folder.is_dir():
        return folder
    GOLD.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=GOLD) as draft:
        done = subprocess.run(
            [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:",
             "-d", draft, f"{package}=={version}"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )
        found = list(Path(draft).glob("*.tar.gz"))
        if done.returncode or not found:
            why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            print(f"could not fetch {package} {version}: {why}", file=sys.stderr)
            return None
        with tarfile.open(found[0]) as archive:
            archive.extractall(draft, filter="data")
        next(p for p in Path(draft).iterdir() if p.is_dir()).rename(folder)
    return folder


def environment():
    """An environment without the user's library and settings."""
    names = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"]
    empty = str(GOLD / "home")
    return {**os.environ, **dict.fromkeys(names, empty), "TZ": "UTC"}


def evaluate(expression, inputs):
    """The value of an expression for each map of variables; None if it fails."""
    lines = "".join(json.dumps({"expr": expression, "vars": i}) + "\n" for i in inputs)
    done = subprocess.run(
        [ERRAND, "eval", "--batch"], input=lines.encode(), stdout=subprocess.PIPE,
        check=False, env=environment(),
    )
    return [json.loads(line).get("value") for line in done.stdout.splitlines()]
