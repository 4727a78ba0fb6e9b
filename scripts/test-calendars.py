"""Compares a library with calendars of servers after random edits on both sides; see test-calendars."""

import contextlib
import logging
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import caldav

logging.disable(logging.CRITICAL)
program, edits, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
USER, PASSWORD = "ada", "pass word"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def radicale(folder, port):
    with open(folder + "/users", "w") as file:
        file.write(f"{USER}:{PASSWORD}\n")
    return [
        "radicale", "--config", "", "--server-hosts", f"127.0.0.1:{port}",
        "--auth-type", "htpasswd", "--auth-htpasswd-filename", folder + "/users",
        "--auth-htpasswd-encryption", "plain", "--storage-filesystem-folder", folder + "/data",
    ]


def xandikos(folder, port):
    return [
        "xandikos", "-d", folder + "/data", "-l", "127.0.0.1", "-p", str(port),
        "--autocreate", "--current-user-principal", f"/{USER}/",
    ]


@contextlib.contextmanager
def serving(make):
    """A server with a folder of its own; its address."""
    folder = tempfile.mkdtemp()
    os.makedirs(folder + "/data")
    port = free_port()
    with open(folder + "/log", "w") as log:
        server = subprocess.Popen(make(folder, port), stdout=log, stderr=log, cwd=folder)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            if server.poll() is not None:
                break
            time.sleep(0.05)
        else:
            server.kill()
        if server.poll() is not None:
            raise SystemExit(f"{make.__name__} does not start:\n" + open(folder + "/log").read())
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait(20)
        shutil.rmtree(folder)


class Library:
    """A library of its own in a folder."""

    def __init__(self):
        self.home = tempfile.mkdtemp()
        self.environment = {
            "HOME": self.home, "PATH": os.environ["PATH"], "TZ": "Europe/Berlin", "LANG": "C.UTF-8",
            "ERRAND_ENRICH": "off", "SWIFT_BACKTRACE": "enable=no",
        }

    def run(self, *words, status=0, text=None, seconds=120):
        end = subprocess.run(
            [program, *words], env=self.environment, cwd=self.home, input=text, timeout=seconds,
            capture_output=True, text=True)
        if end.returncode != status:
            raise SystemExit(f"errand {' '.join(words)}: {end.returncode}\n{end.stdout}{end.stderr}")
        return end.stdout + end.stderr

    def kill_sync(self, seconds):
        """Starts a sync and kills it after a while."""
        process = subprocess.Popen(
            [program, "calendar", "sync", "--force"], env=self.environment, cwd=self.home,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        process.kill()
        process.wait()

    def events(self):
        """Reference, title and place by the key in the notes."""
        lines = self.run(
            "find", "events", "--quiet", "--limit", "100000", "--format",
            "{{ self.notes }}|{{ self.ref }}|{{ self.title }}|{{ coalesce(self.place, \"\") }}")
        rows = [line.split("|") for line in lines.splitlines()]
        return {row[0]: row[1:] for row in rows}

    def remove(self):
        shutil.rmtree(self.home)


def expect(truth, what):
    if not truth:
        raise SystemExit(f"failed: {what}")


def entry(uid, key, title):
    lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Other//EN", "BEGIN:VEVENT", f"UID:{uid}",
        "DTSTAMP:20260101T000000Z", "DTSTART:20261102T090000Z", "DTEND:20261102T100000Z",
        f"SUMMARY:{title}", f"DESCRIPTION:{key}", f"X-OTHER;X-A=1:{key}",
    ]
    return "\r\n".join(lines + ["END:VEVENT", "END:VCALENDAR", ""])


def theirs(calendar):
    """The entry, title and place on the server by the key in the description."""
    found = {}
    for event in calendar.events():
        component = event.icalendar_instance.subcomponents
        component = [part for part in component if part.name == "VEVENT"][0]
        found[str(component["DESCRIPTION"])] = (
            event, str(component["SUMMARY"]), str(component.get("LOCATION", "")))
    return found


def change(event, name, value):
    instance = event.icalendar_instance
    component = [part for part in instance.subcomponents if part.name == "VEVENT"][0]
    component.pop(name, None)
    component.add(name, value)
    event.icalendar_instance = instance
    event.save()


def compare(library, calendar, expected, when):
    here = {key: tuple(row[1:]) for key, row in library.events().items()}
    there = {key: row[1:] for key, row in theirs(calendar).items()}
    expect(here == expected, f"{when}: the library has {here}, not {expected}")
    expect(there == expected, f"{when}: the server has {there}, not {expected}")


def random_edits(library, calendar, count, rng):
    """Edits on both sides; each is in the end on both, also beside another one of the same entry."""
    expected, done, kills = {}, 0, 0
    while done < count:
        ours, others = library.events(), theirs(calendar)
        touched = set()
        for _ in range(rng.randrange(1, 4)):
            done += 1
            key = f"K{rng.randrange(12)}"
            title, place = f"T{done}", f"P{done}"
            if key in touched:
                continue
            touched.add(key)
            if key not in expected:
                if rng.random() < 0.5:
                    library.run(
                        "create", "event", f"title={title}", "start=2026-11-02T10:00", f"notes={key}",
                        "calendar=Work")
                else:
                    calendar.save_event(entry(f"{key}-{rng.getrandbits(64)}@x", key, title))
                expected[key] = (title, "")
                continue
            kind = rng.randrange(6)
            event, reference = others[key][0], ours[key][0]
            if kind == 0:
                event.delete()
                del expected[key]
            elif kind == 1:
                library.run("delete", reference, "--yes")
                del expected[key]
            elif kind == 2:
                # A change here is stronger than a deletion there.
                event.delete()
                library.run("update", reference, f"title={title}")
                expected[key] = (title, expected[key][1])
            elif kind == 3:
                change(event, "location", place)
                library.run("update", reference, f"title={title}")
                expected[key] = (title, place)
            elif kind == 4:
                change(event, "summary", title)
                expected[key] = (title, expected[key][1])
            else:
                library.run("update", reference, f"place={place}")
                expected[key] = (expected[key][0], place)
        if rng.random() < 0.3:
            library.kill_sync(rng.random() * 0.2)
            kills += 1
        library.run("calendar", "sync", "--force")
        compare(library, calendar, expected, f"after {done} edits")
    expect("0 received, 0 sent" in library.run("calendar", "sync"), "the last sync changes nothing")
    for key, (event, *_) in theirs(calendar).items():
        if "PRODID:-//Other" in event.data:
            expect(f"X-OTHER;X-A=1:{key}" in event.data, f"a line of {key} is lost")
    return done, kills


def conflict(library, calendar):
    key = sorted(theirs(calendar))[0]
    change(theirs(calendar)[key][0], "summary", "Theirs")
    library.run("update", library.events()[key][0], "title=Ours")
    expect("1 conflict" in library.run("calendar", "sync"), "a conflict is told")
    title = library.events()[key][1]
    lost = {"Ours": "Theirs", "Theirs": "Ours"}[title]
    expect(theirs(calendar)[key][1] == title, "both sides have the later value")
    expect(lost in library.run("hub", "conflicts"), "the other value is kept")


def move(library, client, calendar):
    """An entry with another address is the same entry."""
    key, (event, *_) = sorted(theirs(calendar).items())[0]
    count = len(library.events())
    place = str(calendar.url) + "moved.ics"
    reply = client.request(str(event.url), "MOVE", headers={"Destination": place, "Overwrite": "F"})
    if reply.status >= 300:
        return
    for _ in range(3):
        library.run("calendar", "sync", "Work")
    expect(len(library.events()) == count, "an entry that was moved is still here")
    expect(key in theirs(calendar), "an entry that was moved is still there")


def tasks(library, calendar):
    library.run("create", "task", "title=Buy milk", "due=2026-12-01T17:00", "priority=high")
    library.run("calendar", "sync", "Tasks")
    todo = calendar.todos()[0]
    expect("SUMMARY:Buy milk" in todo.data and "PRIORITY:1" in todo.data, "a task is sent")
    todo.complete()
    library.run("calendar", "sync", "Tasks")
    done = library.run("find", "tasks", "--quiet", "--format", "{{ self.title }} {{ self.done }}")
    expect(done.strip() == "Buy milk true", f"a task that is done there is done here: {done}")


def many_deletions(library, calendar):
    for number in range(10):
        calendar.save_event(entry(f"many{number}", f"M{number}", "M"))
    library.run("calendar", "sync")
    for event, *_ in theirs(calendar).values():
        event.delete()
    said = library.run("calendar", "sync", "Work", status=3)
    expect("lacks" in said, f"many deletions are asked about: {said}")
    expect(len(library.events()) >= 10, "nothing is deleted without an answer")
    library.run("calendar", "sync", "Work", "--force")
    expect(not library.events(), "the deletions are told again")


def trial(make, login):
    if not shutil.which(make.__name__):
        print(f"test-calendars: skipped: {make.__name__} is not installed", file=sys.stderr)
        return
    rng = random.Random(seed)
    library = Library()
    try:
        with serving(make) as address:
            client = caldav.DAVClient(address, username=USER, password=PASSWORD)
            principal = client.principal()
            work = principal.make_calendar(name="Work", cal_id="work")
            chores = principal.make_calendar(
                name="Tasks", cal_id="chores", supported_calendar_component_set=["VTODO"])
            words = ["--user", USER] if login else []
            if login:
                library.run("secret", "set", "calendar", "-", text="wrong\n")
                said = library.run("calendar", "add", address, *words, status=1)
                expect("wants another login" in said, f"a wrong password is told: {said}")
                said = library.run("calendar", "add", address, status=1)
                expect("login" in said, f"a login is asked for: {said}")
                library.run("secret", "set", "calendar", "-", text=PASSWORD + "\n")
            said = library.run("calendar", "add", address, *words, status=3)
            expect("Work" in said and "Tasks" in said, f"the calendars are named: {said}")
            library.run("calendar", "add", address, "--name", "Work", *words)
            library.run("calendar", "add", str(chores.url), "--tasks", "--name", "Tasks", *words)
            count, kills = random_edits(library, work, edits, rng)
            conflict(library, work)
            move(library, client, work)
            tasks(library, chores)
            many_deletions(library, work)
            print(f"{make.__name__}: {count} edits and {kills} killed syncs, equal on both sides")
    finally:
        library.remove()


trial(radicale, True)
trial(xandikos, False)
