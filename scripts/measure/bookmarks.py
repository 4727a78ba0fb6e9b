#!/usr/bin/env python3
"""Reading of buku's exports and Shaarli's test files; reading of our export by buku."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from support import ERRAND, GOLD, environment, row

BUKU = """
import sys, buku
kind, database, file = sys.argv[1:]
book = buku.BukuDb(dbfile=database)
if kind == "write":
    for number in range(20):
        tags = f",one,tag {number % 3}," if number % 2 else ","
        note = f"Note {number} & more" if number % 4 else ""
        book.add_rec(f"https://a.example/{number}?x=1&y=(z)", f"Title [{number}] & co", tags, note,
                     fetch=False, delay_commit=False)
    book.exportdb(file)
else:
    book.importdb(file, tacit=True)
    print(len(book.get_rec_all()))
    print(sum(row.title != "" and "example" in row.url for row in book.get_rec_all()))
"""
SHAARLI = "https://github.com/shaarli/netscape-bookmark-parser"


def buku():
    """The Python interpreter with buku; None if it cannot be fetched."""
    python = GOLD / "buku-5.1" / "bin" / "python"
    if not python.exists():
        GOLD.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", python.parent.parent], check=True)
        done = subprocess.run(
            [python, "-m", "pip", "install", "-q", "buku==5.1"], capture_output=True, check=False)
        if done.returncode:
            print("could not fetch buku 5.1", file=sys.stderr)
            return None
    return python


def run(*words, store):
    """Calls the program with a temporary store."""
    return subprocess.run(
        [ERRAND, *words, "--store", store], capture_output=True, text=True, check=False,
        env=environment(), stdin=subprocess.DEVNULL)


def call(python, *words):
    done = subprocess.run(
        [python, "-c", BUKU, *words], capture_output=True, text=True, check=False,
        env=environment(), stdin=subprocess.DEVNULL)
    return done.stdout.split()


def of_buku(python, folder):
    good = 0
    kinds = ["html", "md", "org", "xbel", "rss", "db"]
    for kind in kinds:
        file = folder / f"all.{kind}"
        call(python, "write", folder / f"{kind}-own.db", file)
        done = run("import", file, "--json", store=folder / f"{kind}.db")
        good += done.returncode == 0 and json.loads(done.stdout)["created"] == 20
    row("bookmark files of buku: all in", f"{good} of {len(kinds)}", "all")
    out = run("export", "links", "--to", "markdown", store=folder / "md.db").stdout
    (folder / "ours.md").write_text(out)
    counts = call(python, "read", folder / "read.db", folder / "ours.md")
    row("links of a Markdown file of ours that buku reads", f"{counts[1]} of 20", "20")


def of_shaarli(folder):
    source = GOLD / "netscape-bookmark-parser"
    if not source.is_dir():
        done = subprocess.run(
            ["git", "clone", "-q", "--depth", "1", SHAARLI, source], capture_output=True,
            check=False, stdin=subprocess.DEVNULL, timeout=60)
        if done.returncode:
            print("could not fetch shaarli/netscape-bookmark-parser", file=sys.stderr)
            return row("bookmark files of shaarli/netscape-bookmark-parser", "not fetched", "all")
    files = sorted((source / "tests" / "input").glob("*.htm"))
    good = 0
    for file in files:
        text = file.read_text(errors="replace").lower()
        done = run("import", file, "--json", store=folder / (file.stem + ".db"))
        counts = json.loads(done.stdout or "{}")
        whole = counts.get("lines", 0) == text.count("<a ")
        named = counts.get("skipped", 0) + counts.get("bad", 0) <= len(done.stderr.splitlines())
        good += whole and named
    row("bookmark files of shaarli/netscape-bookmark-parser: all in, or each loss named",
        f"{good} of {len(files)}", "all")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = buku()
        if python:
            of_buku(python, folder)
        of_shaarli(folder)


main()
