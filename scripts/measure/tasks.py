#!/usr/bin/env python3
"""Tasks that Taskwarrior and pytodotxt write, read by us, and ours read by them."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from support import ERRAND, GOLD, environment, row

TODO = """
import json, sys, pytodotxt
file = pytodotxt.TodoTxt(sys.argv[1])
file.parse()
for task in file.tasks:
    print(json.dumps([task.bare_description(), task.is_completed, task.priority,
                      [str(d) for d in task.attributes.get("due", [])],
                      sorted(task.projects), sorted(task.contexts),
                      str(task.creation_date or "")]))
"""


def errand(*words, store):
    return subprocess.run(
        [ERRAND, *words, "--store", store], capture_output=True, text=True, check=False,
        env=environment(), stdin=subprocess.DEVNULL)


def tasks_of(store):
    """Our tasks by title: state, due day, priority, project, tags, titles of what is before."""
    lines = errand("export", "tasks", store=store).stdout.splitlines()
    items = [json.loads(line) for line in lines]
    titles = {item["ref"]: item["title"] for item in items}
    return {
        item["title"]: (
            item["done"], (item["due"] or "")[:10], item["priority"], item["project"],
            sorted(item["tags"]), sorted(titles[ref] for ref in item["after"]))
        for item in items}


PRIORITIES = {"H": "high", "M": "medium", "L": "low"}


def theirs(listed):
    """Tasks of `task export` in the form of `tasks_of`."""
    titles = {task["uuid"]: task["description"] for task in listed}
    return {
        task["description"]: (
            task["status"] == "completed", day(task.get("due", "")),
            PRIORITIES.get(task.get("priority")), task.get("project"),
            sorted(task.get("tags", [])), sorted(titles[u] for u in task.get("depends", [])))
        for task in listed if task["status"] not in ("deleted", "recurring")}


def day(stamp):
    return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}" if stamp else ""


def taskwarrior(folder):
    if not shutil.which("task"):
        return row("tasks of Taskwarrior, read and written", "not installed", "all")

    def task(*words, data="own"):
        (folder / data).mkdir(exist_ok=True)
        return subprocess.run(
            ["task", f"rc.data.location={folder / data}", "rc.confirmation=off", "rc.verbose=nothing",
             *words], capture_output=True, text=True, check=False,
            env={**environment(), "TASKRC": "/dev/null"}, stdin=subprocess.DEVNULL).stdout

    for number in range(20):
        words = [f"Task ({number}) \"quoted\" & [more]", f"project:Home.{number % 3}"]
        if number % 2:
            words += ["+one", "+two", f"due:2027-01-{number + 1:02}"]
        if number % 5 == 4:
            words += [f"depends:{number}", "priority:" + "HML"[number % 3]]
        task("add", *words)
        if number % 4 == 0:
            task(str(number + 1), "annotate", f"note {number}")
    task("3", "done")
    task("add", "Weekly", "due:2027-02-01", "recur:weekly")
    exported = task("export")
    wanted = theirs(json.loads(exported))
    (folder / "export.json").write_text(exported)
    inputs = [folder / "export.json"]
    pending = folder / "own" / "pending.data"
    if pending.exists():
        both = folder / "both.data"
        completed = folder / "own" / "completed.data"
        both.write_text(pending.read_text() + (completed.read_text() if completed.exists() else ""))
        inputs.append(both)
    for file in inputs:
        store = folder / (file.stem + ".db")
        errand("import", file, "--from", "taskwarrior", store=store)
        read = tasks_of(store)
        good = sum(read.get(title) == task for title, task in wanted.items())
        row(f"tasks of Taskwarrior, {'its files' if file.suffix == '.data' else 'JSON'}: "
            "state, day, priority, project, tags, order", f"{good} of {len(wanted)}", "all")
    (folder / "ours.json").write_text(
        errand("export", "tasks", "--to", "taskwarrior", store=folder / "export.db").stdout)
    task("import", str(folder / "ours.json"), data="again")
    again = theirs(json.loads(task("export", data="again") or "[]"))
    good = sum(again.get(title) == task for title, task in wanted.items() if title != "Weekly")
    row("the same tasks of ours that Taskwarrior reads", f"{good} of {len(wanted) - 1}", "all")


def todotxt(folder):
    python = GOLD / "pytodotxt-3.0.0" / "bin" / "python"
    if not python.exists():
        GOLD.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", python.parent.parent], check=True)
        done = subprocess.run(
            [python, "-m", "pip", "install", "-q", "pytodotxt==3.0.0"], capture_output=True,
            check=False)
        if done.returncode:
            shutil.rmtree(python.parent.parent)
            return row("lines of todo.txt beside pytodotxt", "not fetched", "all")

    def parsed(path):
        done = subprocess.run(
            [python, "-c", TODO, path], capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    lines = []
    for number in range(40):
        mark = f"({'ABC'[number % 3]}) " if number % 2 else ""
        done = f"x 2026-02-{number % 28 + 1:02} " if number % 7 == 3 else ""
        line = f"{done}{'' if done else mark}2026-01-{number % 28 + 1:02} Do number {number}"
        line += f" +Project{number % 4} @at{number % 3}" if number % 3 else ""
        line += f" due:2026-03-{number % 28 + 1:02}" if number % 4 == 0 else ""
        lines.append(line)
    source = folder / "todo.txt"
    source.write_text("\n".join(lines) + "\n")
    store = folder / "todo.db"
    errand("import", source, store=store)
    read = tasks_of(store)
    letters = {"A": "high", "B": "medium", "C": "low", None: None}
    good = 0
    for title, done, priority, due, projects, contexts, _ in parsed(source):
        wanted = (done, (due or [""])[0], letters[priority], (projects or [None])[0], contexts, [])
        good += read.get(title) == wanted
    row("lines of todo.txt read as pytodotxt does", f"{good} of {len(lines)}", "all")
    ours = folder / "ours.txt"
    ours.write_text(errand("export", "tasks", "--to", "todo.txt", store=store).stdout)
    before, after = parsed(source), parsed(ours)

    def plain(task):
        # What only we read is a word of the text for others.
        return [" ".join(w for w in task[0].split() if not w.startswith("errand:")), *task[1:]]

    good = sum(plain(task) in [plain(t) for t in after] for task in before)
    row("the same lines of ours that pytodotxt reads", f"{good} of {len(before)}", "all")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        taskwarrior(folder)
        todotxt(folder)


main()
