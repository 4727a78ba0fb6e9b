"""The clicks of scripts/test-page: what a person taps on, and what they then see."""

import hashlib
import json
import os
import pathlib
import re
import sys
import time

from playwright.sync_api import expect, sync_playwright

# A busy machine may take longer than the default of 5 s.
expect.set_options(timeout=20_000)

from page_session import HOST, OPENING, errand, signed_in

ROWS = 260


def press(page, locator):
    """Taps or clicks, as the device does it."""
    (locator.tap if page.viewport_size["width"] < 1024 else locator.click)()


def go(page, name):
    """Opens a list by the sidebar, which narrow windows show first."""
    side = page.locator("#side")
    back = page.get_by_role("link", name="Back to the list")
    if back.is_visible():
        press(page, back)
        expect(back).to_be_hidden()
    if page.viewport_size["width"] < 1024:
        press(page, page.locator(".head [aria-label='Show the sidebar']"))
    expect(side).to_be_visible()
    press(page, side.get_by_role("link", name=name).first)
    expect(page.locator(".head h1").first).to_have_text(name)
    if page.viewport_size["width"] < 1024:
        expect(page.locator("#side")).to_be_hidden()


def sidebar(page, name, scripts):
    """The sidebar opens over the list, which stays, and closes."""
    go(page, "All links")
    if page.viewport_size["width"] >= 1024:
        return
    page.evaluate("window.isSame = true")
    press(page, page.locator(".head [aria-label='Show the sidebar']"))
    expect(page.locator("#side")).to_be_in_viewport()
    press(page, page.get_by_role("link", name="Close the sidebar"))
    expect(page.locator("#side")).to_be_hidden()
    expect(page.locator(".head h1").first).to_have_text("All links")
    assert page.evaluate("window.isSame"), "the page was loaded anew"


def arranging(page, name, scripts):
    """Tasks keep an order by hand, and a link that is pinned comes first."""
    for number in "123":
        errand("add-task", f"Arrange {number} {name}")
    go(page, "Tasks")
    titles = page.locator(".todo .title").filter(has_text="Arrange").filter(has_text=name)
    expect(titles).to_have_text([f"Arrange {number} {name}" for number in "321"])
    grip = page.get_by_role("button", name=f"Move Arrange 1 {name} up")
    if scripts:
        grip.focus()
        page.keyboard.press("ArrowUp")
    else:
        press(page, grip)
    expect(titles).to_have_text([f"Arrange {number} {name}" for number in "312"])
    if scripts and page.viewport_size["width"] >= 1024:
        page.get_by_role("button", name=f"Move Arrange 2 {name} up").hover()
        page.mouse.down()
        box = titles.first.bounding_box()
        page.mouse.move(box["x"], box["y"] + 20, steps=3)
        page.mouse.move(box["x"], box["y"] - 4, steps=5)
        page.mouse.up()
        expect(titles).to_have_text([f"Arrange {number} {name}" for number in "231"])
    errand("save", f"https://pin.example/{name.replace(' ', '-')}", "--title", f"Pin {name}")
    errand("save", f"https://later.example/{name.replace(' ', '-')}")
    go(page, "All links")
    press(page, page.get_by_role("link", name=f"Pin {name}", exact=True))
    press(page, page.locator(".detail summary[aria-label=More]"))
    press(page, page.get_by_role("button", name="Pin", exact=True))
    expect(page.locator(".toast")).to_contain_text("Pinned")
    go(page, "All links")
    expect(page.locator("#rows h2").first).to_have_text("Pinned")
    expect(page.locator("#rows .title").filter(has_text=f"Pin {name}")).to_have_count(1)
    pinned, = json.loads(errand("find", "Link", "--where", "pinned", "--json"))
    errand("update", pinned["ref"], "pinned=no")


def calendar(page, name, scripts):
    """A week has its events and due tasks; an event is added to a day and opens beside it, a task is done."""
    errand("add-event", f"Team {name}", "--start", "2090-05-01T09:00", "--duration", "1h",
           "--repeat", "every day")
    errand("add-task", f"Pay {name}", "--due", "2090-05-03")
    go(page, "Calendar")
    page.get_by_label("Go to a day").fill("2090-05-03")
    press(page, page.get_by_role("button", name="Go", exact=True))
    title = page.locator(".tools h2")
    expect(title).to_have_text("1 May – 7 May 2090")
    day = page.get_by_role("region", name="Wed 3 May")
    expect(day).to_contain_text("09:00–10:00")
    expect(day).to_contain_text(f"Pay {name}")
    tops = {box["y"] for box in (section.bounding_box() for section in page.locator(".week > section").all())}
    assert len(tops) == (1 if page.viewport_size["width"] >= 1440 else 7), tops
    press(page, day.get_by_role("link", name="New event on Wed 3 May"))
    start = page.get_by_role("textbox", name="Start")
    expect(start).to_have_value("2090-05-03")
    page.get_by_role("textbox", name="Title").fill(f"Lunch {name}")
    start.fill("2090-05-03 12:00")
    press(page, page.get_by_role("button", name="Run", exact=True))
    # A run that takes longer is shown instead of the page from which it was started.
    expect(page.locator("#rows, #said").first).to_contain_text(f"Lunch {name}")
    if "/run/" in page.url:
        page.goto(HOST + "/week/2090-05-03")
    lunch = day.locator("li", has_text=f"Lunch {name}")
    expect(lunch).to_contain_text("12:00")
    press(page, lunch.get_by_role("link"))
    expect(page.locator(".detail h1.big")).to_have_text(f"Lunch {name}")
    if page.viewport_size["width"] >= 768:
        expect(lunch.get_by_role("link")).to_have_attribute("aria-current", "true")
    if page.viewport_size["width"] < 1024:
        press(page, page.get_by_role("link", name="Back to the list"))
    else:
        page.go_back()
    expect(page.locator(".detail")).to_have_count(0)
    press(page, day.get_by_role("button", name=f"Pay {name}: done"))
    expect(day.locator("li", has_text=f"Pay {name}")).to_have_count(0)
    press(page, page.get_by_role("link", name="Day", exact=True))
    expect(title).to_have_text("Wednesday 3 May 2090")
    press(page, page.get_by_role("link", name="Next day"))
    expect(title).to_have_text("Thursday 4 May 2090")
    if scripts:
        for key, words in (("h", "Wednesday 3 May 2090"), ("w", "1 May – 7 May 2090"),
                           ("l", "8 May – 14 May 2090")):
            page.keyboard.press(key)
            expect(title).to_have_text(words)
    press(page, page.get_by_role("link", name="Today", exact=True))
    expect(page.get_by_text("Today", exact=True)).to_have_count(2)
    for entity, day in ("Event", "start"), ("Task", "due"):
        made = f"title.endsWith(' {name}') && {day} > date('2090-01-01')"
        for item in json.loads(errand("find", entity, "--where", made, "--json")):
            errand("delete", item["ref"], "--yes")


def repeating(page, name, scripts):
    """A repeating task comes back, by the list, by the item, by several at once and by a widget."""
    for way in ("list", "item", "several", "widget") if name.startswith("360") else ("list", "widget"):
        title = f"Water {way} {name}"
        errand("add-task", title, "--due=-1d", "--repeat=every 2 days")
        if way == "widget":
            go(page, "Widgets")
            tasks = page.get_by_role("group", name="Tasks, medium")
            press(page, tasks.get_by_role("button", name=f"{title}: done"))
            # Another page has no such row, too.
            expect(tasks.locator("li", has_text=title)).not_to_contain_text("late")
            expect(page.locator(".head h1").first).to_have_text("Widgets")
        else:
            go(page, "Tasks")
        if way == "list":
            press(page, page.get_by_role("button", name=f"{title}: done"))
        elif way == "item":
            press(page, page.get_by_role("link", name=title).first)
            press(page, page.get_by_role("button", name="Done", exact=True))
            expect(page.get_by_role("button", name="Done", exact=True)).to_have_attribute("aria-pressed", "true")
        elif way == "several":
            page.goto(HOST + "/list/Task?select=1")
            page.locator(".row", has_text=title).locator(".box").check()
            press(page, page.locator("#bulk button", has_text="Done"))
        if way != "widget":
            expect(page.locator(".toast")).to_be_visible()
        go(page, "Tasks")
        expect(page.locator(".todo:not(.off)", has_text=title)).to_have_count(1)
        expect(page.locator(".todo:not(.off)", has_text=title)).to_contain_text("Tomorrow")
        found = json.loads(errand("find", "Task", "--where", f"title == '{title}'", "--json"))
        assert sorted(task["done"] for task in found) == [False, True], found
        for task in found:
            errand("delete", task["ref"], "--yes")


def add_step(page, words, title, scripts, within=None):
    """Adds a step that is found by some words at the end of a list."""
    adding = (within or page).get_by_role("button", name="Add a step")
    # Somebody who wrote just before holds the button longer than the form needs to follow.
    adding.last.tap() if page.viewport_size["width"] < 1024 else adding.last.click(delay=150)
    page.get_by_label("What is to be done").fill(words)
    if not scripts:
        press(page, page.get_by_role("button", name="Search", exact=True))
    press(page, page.locator(".choice", has_text=title).first)
    expect(page.locator(".chooser")).to_have_count(0)


def making(page, name, scripts):
    """A shortcut that asks for a tag and shows the links with it, and an automation that runs it on
    Fridays, are made by forms; the result of a run becomes a test."""
    title = f"Links by tag {name}"
    errand("save", f"https://made.example/{name.replace(' ', '-')}", "--title", f"Made {name}", "--tags", f"made{name[:3]}")
    page.goto(HOST + "/gallery")
    press(page, page.get_by_role("link", name="New", exact=True))
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_label("A question", exact=True).fill("Which tag?")
    press(page, page.get_by_role("button", name="Add a question"))
    expect(page.locator(".step h3")).to_have_text("Which tag? tag")
    add_step(page, "find items", "Find items", scripts)
    find = page.locator(".step", has=page.get_by_role("heading", name="Find items"))
    find.get_by_label("Only those with", exact=True).select_option(label="Tags")
    find.get_by_label("Comparison: Only those with").select_option(label="contains")
    value = find.get_by_label("With what: Only those with")
    if scripts:
        value.focus()
    press(page, find.get_by_role("button", name="tag", exact=True))
    expect(value).to_have_value("{{ tag }}")
    add_step(page, "shows list", "Show", scripts)
    show = page.locator(".step", has=page.get_by_role("heading", name="Show"))
    expect(show.locator(".err")).to_have_text("“What” is still to be filled in.")
    press(page, show.get_by_role("button", name="links", exact=True))
    expect(show.get_by_label("What", exact=True)).to_have_value("{{ links }}")
    expect(show.locator(".err")).to_have_count(0)
    press(page, page.get_by_role("button", name="Try", exact=True))
    page.get_by_label("Tag", exact=True).fill(f"made{name[:3]}")
    press(page, page.get_by_role("button", name="Run", exact=True))
    expect(page.locator("#said .title").first).to_contain_text("Made")
    press(page, page.get_by_role("button", name="Expect this"))
    expect(page.locator("#text")).to_have_value(re.compile(r"tests:\n  - given: .*Made"))
    press(page, page.get_by_role("button", name="Save", exact=True))
    expect(page.get_by_role("status").first).to_have_text("Saved.")
    press(page, page.get_by_role("link", name="Back", exact=True))
    press(page, page.get_by_role("button", name="Test", exact=True))
    expect(page.get_by_role("status").first).to_have_text("All 1 tests passed.")
    page.goto(HOST + "/activity")
    press(page, page.get_by_role("link", name="New automation"))
    page.get_by_label("Title", exact=True).fill(f"Fridays {name}")
    page.get_by_label("Fri", exact=True).check()
    add_step(page, title.lower(), title, scripts)
    page.get_by_label("Tag", exact=True).fill("made")
    press(page, page.get_by_role("button", name="Save", exact=True))
    expect(page.get_by_role("status").first).to_have_text("Saved.")
    slug = title.lower().replace(" ", "-")
    expect(page.locator("#text")).to_have_value(
        f"automation: fridays-{name.replace(' ', '-')}\ntitle: Fridays {name}\non:\n  - at: '09:00'\n    days: [fri]\n"
        f"steps:\n  - {slug}: made\n")
    page.goto(HOST + "/activity")
    expect(page.locator("#automations li", has_text=f"Fridays {name}")).to_contain_text("Fridays at 09:00")


def stepping(page, name, scripts):
    """Steps are nested, moved, removed and undone; what is written in the text comes into the form."""
    page.goto(HOST + "/make/shortcut")
    page.get_by_label("Title", exact=True).fill(f"Steps {name}")
    text = page.locator("#text")
    heads = page.locator("#parts > section:last-of-type > .steps > .step > .line > h3")
    add_step(page, "says a text", "Say", scripts)
    page.get_by_label("Text", exact=True).fill("One: it's \"so\"")
    add_step(page, "several times", "Repeat", scripts)
    add_step(page, "shows a notification", "Notify", scripts, page.get_by_role("group", name="Do"))
    expect(heads).to_have_text(["Say", "Repeat"])
    expect(text).to_have_value(re.compile(
        r"steps:\n  - say: 'One: it''s \"so\"'\n  - repeat: 3\n    do:\n      - notify: {}\n$"))
    press(page, page.get_by_role("button", name="Move up Repeat"))
    expect(heads).to_have_text(["Repeat", "Say"])
    if scripts:
        page.get_by_label("How often", exact=True).focus()
        page.keyboard.press("Alt+ArrowDown")
        expect(heads).to_have_text(["Say", "Repeat"])
        if page.viewport_size["width"] >= 1024:
            grips = page.locator("#parts > section:last-of-type > .steps > .step > .line > .grip")
            grips.nth(1).hover()
            page.mouse.down()
            box = heads.first.bounding_box()
            page.mouse.move(box["x"], box["y"] + 20, steps=3)
            page.mouse.move(box["x"], box["y"] - 20, steps=5)
            page.mouse.up()
            expect(heads).to_have_text(["Repeat", "Say"])
            press(page, page.get_by_role("button", name="Move up Say"))
            expect(heads).to_have_text(["Say", "Repeat"])
    else:
        press(page, page.get_by_role("button", name="Move down Repeat"))
    press(page, page.get_by_role("button", name="Remove Say"))
    expect(heads).to_have_text(["Repeat"])
    press(page, page.get_by_role("button", name="Undo", exact=True))
    expect(heads).to_have_text(["Say", "Repeat"])
    text.fill(text.input_value().replace("repeat: 3", "repeat: 4 # times").replace("notify: {}", "nottify: Hello"))
    if not scripts:
        page.keyboard.press("Tab")
        press(page, page.get_by_role("button", name="Add a step").last)
    expect(page.get_by_label("How often", exact=True)).to_have_value("4")
    press(page, page.get_by_role("button", name="Change to notify"))
    expect(text).to_have_value(re.compile(r"repeat: 4 # times\n    do:\n      - notify: Hello\n$"))
    page.goto(HOST + "/")


def conflict(page, name, scripts):
    """What others changed stays; only what both changed is asked about."""
    page.goto(HOST + "/new/Book")
    page.get_by_label("Title").fill(f"Dune {name}")
    press(page, page.get_by_role("button", name="Save"))
    expect(page.locator(".detail h1.big")).to_have_text(f"Dune {name}")
    book = json.loads(errand("find", "Book", "--where", f"title == 'Dune {name}'", "--json"))[0]["ref"]

    def edit():
        press(page, page.get_by_role("link", name="Edit"))
        expect(page.get_by_role("textbox", name="Author")).to_be_visible()

    def saved(**wanted):
        expect(page.locator(".detail h1.big")).to_be_visible()
        item = json.loads(errand("get", book, "--json"))
        assert {key: item[key] for key in wanted} == wanted, item

    edit()
    page.get_by_role("textbox", name="Author").fill("Herbert")
    errand("update", book, "stars=4", "state=owned")
    press(page, page.get_by_role("button", name="Save"))
    saved(author="Herbert", stars=4, state="owned")
    choices = [("both", "Mine / Theirs"), ("mine", "Mine"), ("theirs", "Theirs")]
    for choice, author in choices if name == "360" else choices[:1]:
        errand("update", book, "author=Old", "stars=1", "pages=1")
        page.reload()
        edit()
        page.get_by_role("textbox", name="Author").fill("Mine")
        page.get_by_role("spinbutton", name="Stars").fill("5")
        errand("update", book, "author=Theirs", "stars=2", "pages=9")
        press(page, page.get_by_role("button", name="Save"))
        notice = page.get_by_role("alert")
        expect(notice).to_contain_text("2 fields changed in two places")
        expect(notice).not_to_contain_text("Pages")
        expect(notice.get_by_role("button", name="Keep both: Stars")).to_have_count(0)
        press(page, notice.get_by_role("button", name=f"Keep {choice}: Author"))
        expect(page.get_by_role("alert")).to_contain_text("One field")
        press(page, page.get_by_role("alert").get_by_role("button", name="Keep theirs: Stars"))
        saved(author=author, stars=2, pages=9)
    page.goto(HOST + "/")
    errand("delete", book, "--yes")


def place(page, name, scripts):
    """A row opens beside the list or over it; the list, its rows and its place stay."""
    is_wide = page.viewport_size["width"] >= 768
    page.goto(HOST + "/list/links")
    rows = page.locator("#rows .row")
    wanted = 140 if scripts else 20
    if scripts:
        ends = time.monotonic() + 20
        while page.locator("#rows .more").count() and time.monotonic() < ends:
            rows.last.evaluate("(row) => row.scrollIntoView()")
            page.wait_for_timeout(50)
        assert rows.count() >= ROWS, rows.count()
    else:
        for _ in range(2):
            press(page, page.get_by_role("link", name="Next 50"))
    count = rows.count()
    row = rows.nth(wanted)
    path = row.get_attribute("data-item")
    row.scroll_into_view_if_needed()
    top = row.bounding_box()["y"]
    title = row.locator(".title").inner_text()
    row = page.locator(f".row[data-item='{path}']")

    def is_there():
        assert rows.count() == count, f"{rows.count()} rows of {count}"
        if scripts:
            # A row that a refresh has just replaced has no box for a moment.
            ends = time.monotonic() + 2
            while (box := row.bounding_box()) is None and time.monotonic() < ends:
                page.wait_for_timeout(20)
            assert abs(box["y"] - top) < 4, (box["y"], top)
            expect(row).to_be_in_viewport()

    press(page, row.locator(".title"))
    heading = page.locator(".detail h1.big")
    expect(heading).to_have_text(title)
    if is_wide:
        is_there()
        expect(row.locator(".title")).to_have_attribute("aria-current", "true")
        expect(page.locator(".row.on")).to_have_count(1)
    # An action on the open item, and its undo, stay beside the list.
    for pressed in ("true", "false"):
        press(page, page.get_by_role("button", name="Favourite"))
        expect(page.get_by_role("button", name="Favourite")).to_have_attribute("aria-pressed", pressed)
    if scripts:
        page.keyboard.press("f")
        expect(page.get_by_role("button", name="Favourite")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("z")
        expect(page.get_by_role("button", name="Favourite")).to_have_attribute("aria-pressed", "false")
    if is_wide:
        is_there()
        expect(heading).to_have_text(title)
    if scripts:
        page.go_back()
        expect(heading).to_have_count(0)
        is_there()
        # From somewhere else, too.
        press(page, row.locator(".title"))
        expect(heading).to_have_text(title)
        press(page, page.locator(".detail .chip a").first)
        expect(page.locator(".head h1").first).to_contain_text("#")
        page.go_back()
        expect(heading).to_have_text(title)
        page.go_back()
        expect(heading).to_have_count(0)
        is_there()
    elif not is_wide:
        press(page, page.get_by_role("link", name="Back to the list"))
        expect(row).to_be_visible()


class Late:
    """The answers to a kind of request, which the page gets when they are let go."""

    def __init__(self, page, pattern, method="GET"):
        self.page, self.method, self.answers = page, method, []
        self.devtools = page.context.new_cdp_session(page)
        self.devtools.on("Fetch.requestPaused", self.take)
        self.devtools.send("Fetch.enable", {"patterns": [{"urlPattern": HOST + pattern, "requestStage": "Response"}]})

    def take(self, answer):
        self.answers.append(answer["requestId"])
        if answer["request"]["method"] != self.method:
            self.give(self.answers.pop())

    def give(self, answer):
        self.devtools.send("Fetch.continueRequest", {"requestId": answer})

    def wait(self, count=1):
        ends = time.monotonic() + 10
        while len(self.answers) < count:
            assert time.monotonic() < ends, "nothing was asked for"
            self.page.wait_for_timeout(10)

    def let_go(self):
        """Lets all answers go, the newest first, and those to come."""
        for answer in reversed(self.answers):
            self.give(answer)
        self.devtools.send("Fetch.disable")
        self.devtools.detach()
        # What the page does with them.
        self.page.evaluate("new Promise((done) => setTimeout(done, 150))")


def change(page, *words):
    """Has another program change something; the page hears of it and asks for what is new."""
    page.evaluate("""new Promise((opened) => {
      const events = new EventSource("/live");
      events.addEventListener("open", opened);
      window.told = new Promise((done) => {
        events.addEventListener("change", () => { events.close(); setTimeout(done, 200); });
      });
    })""")
    errand(*words)
    page.evaluate("told")


def late(page, name, scripts):
    """An answer that is late replaces nothing newer, and loses no tap."""
    heading = page.locator(".head h1").first

    def ask(list_name):
        page.evaluate("(name) => [...document.querySelectorAll('#side a')]"
                      ".find((link) => link.innerText.startsWith(name)).click()", list_name)

    def is_still(title, selector):
        expect(heading).to_have_text(title)
        expect(page.locator(f"#rows {selector}").first).to_be_attached()

    # A navigation, and then a change by others; then the other way round.
    for first in ("navigation", "change"):
        page.goto(HOST + "/list/links")
        old = Late(page, "/list/links*")
        tasks = Late(page, "/list/Task")
        if first == "navigation":
            ask("Tasks")
            tasks.wait()
        change(page, "add-task", f"Late {first} {name}")
        if first == "change":
            old.wait()
            ask("Tasks")
            tasks.wait()
        tasks.let_go()
        expect(heading).to_have_text("Tasks")
        old.let_go()
        is_still("Tasks", ".todo")
        expect(page.locator(".todo", has_text=f"Late {first} {name}")).to_be_visible()
    # A sent form, and then a navigation; a page that does not answer, and then another.
    page.goto(HOST + "/widgets")
    sent = Late(page, "/widgets/*/press", "POST")
    page.get_by_role("button", name=f"Late change {name}: done").first.click()
    sent.wait()
    ask("Notes")
    expect(heading).to_have_text("Notes")
    sent.let_go()
    expect(heading).to_have_text("Notes")
    cut = []
    page.route("**/list/Task", lambda route: cut.append(route))
    with page.expect_request("**/list/Task"):
        ask("Tasks")
    ask("All links")
    expect(heading).to_have_text("All links")
    for route in cut:
        route.abort()
    page.unroute("**/list/Task")
    page.evaluate("new Promise((done) => setTimeout(done, 150))")
    is_still("All links", ".row")
    # Back, and forward again before the answer.
    tasks = Late(page, "/list/Note*")
    page.evaluate("history.back()")
    tasks.wait()
    page.evaluate("history.forward()")
    page.wait_for_url(HOST + "/list/links")
    tasks.let_go()
    is_still("All links", ".row")
    # A press during which others change the row, and one during which a sent form is answered.
    tasks = [json.loads(errand("find", "Task", "--where", f"title == 'Late {way} {name}'", "--json"))[0]["ref"]
             for way in ("navigation", "change")]
    errand("update", tasks[1], "done=false")
    page.goto(HOST + "/list/Task")
    devices = page.context.new_cdp_session(page)

    def hold(locator):
        box = locator.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if page.viewport_size["width"] < 1024:
            devices.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        else:
            page.mouse.move(x, y)
            page.mouse.down()

    def lift():
        if page.viewport_size["width"] < 1024:
            devices.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        else:
            page.mouse.up()

    button = page.get_by_role("button", name=f"Late navigation {name}: done")
    hold(button)
    change(page, "update", tasks[0], "notes=Changed", "tags=held")
    lift()
    row = page.locator(".todo.off", has_text=f"Late navigation {name}")
    expect(row).to_contain_text("#held")
    sent = Late(page, "/item/Task/*/toggle", "POST")
    page.get_by_role("button", name=f"Late change {name}: done").click()
    sent.wait()
    button = page.get_by_role("button", name=f"Late navigation {name}: not done")
    hold(button)
    sent.let_go()
    lift()
    expect(page.locator(".todo:not(.off)", has_text=f"Late navigation {name}")).to_be_visible()
    expect(page.locator(".todo.off", has_text=f"Late change {name}")).to_be_visible()
    errand("delete", *tasks, "--yes")
    # A form that is sent twice before the answer is sent once.
    page.goto(HOST + "/new/Book")
    page.get_by_label("Title").fill(f"Once {name}")
    sent = Late(page, "/new/Book", "POST")
    for _ in range(2):
        page.get_by_role("button", name="Save").click()
    sent.wait()
    sent.let_go()
    expect(page.locator(".detail h1.big")).to_have_text(f"Once {name}")
    book, = json.loads(errand("find", "Book", "--where", f"title == 'Once {name}'", "--json"))
    page.goto(HOST + "/")
    errand("delete", book["ref"], "--yes")
    # More rows of a list, while others change it.
    page.goto(HOST + "/list/links")
    old = Late(page, "/list/links")
    change(page, "add-task", f"Rows {name}")
    old.wait()
    page.locator("#rows .row").last.evaluate("(row) => row.scrollIntoView()")
    expect(page.locator("#rows .row").nth(60)).to_be_attached()
    count = page.locator("#rows .row").count()
    old.let_go()
    assert page.locator("#rows .row").count() >= count, "rows are lost"
    # Rows that are as they were stay the same.
    first = page.locator("#rows .row").first
    first.evaluate("(row) => { row.isKept = true; }")
    with page.expect_response("**/list/links?rows=*"):
        change(page, "add-task", f"Same {name}")
    page.evaluate("new Promise((done) => setTimeout(done, 150))")
    assert first.evaluate("(row) => row.isKept"), "a row was replaced by itself"
    # A change before the page hears of changes.
    page.route("**/live", lambda route: (errand("add-task", f"Unheard {name}"), route.continue_()), times=1)
    page.goto(HOST + "/list/Task")
    expect(page.locator(".todo", has_text=f"Unheard {name}")).to_be_visible()
    # What is understood of a line, as it was and as it is.
    words = Late(page, "/understood*")
    line = page.get_by_role("textbox", name="Add a task")
    line.press_sequentially("Call Ada tomorrow")
    words.wait()
    line.press_sequentially(" #home")
    words.wait(2)
    words.let_go()
    expect(page.locator("#understood")).to_contain_text("#home")
    found = json.loads(errand("find", "Task", "--where", f"title in ['Rows {name}', 'Same {name}', 'Unheard {name}']", "--json"))
    errand("delete", *(task["ref"] for task in found), "--yes")


def reach(page, name, scripts):
    """Nothing lies over what the sidebar and the widgets have to press; an answer is loaded anew."""
    for path, within in ("/list/links", "#side"), ("/widgets", ".ws"):
        page.goto(HOST + path)
        covered = page.evaluate("""(within) => [...document.querySelectorAll(`:is(${within}) :is(a, button, input)`)]
          .filter((one) => one.checkVisibility() && one.type !== "hidden").filter((one) => {
            one.scrollIntoView({ block: "center" });
            const { left, top, width, height } = one.getBoundingClientRect();
            const hit = document.elementFromPoint(left + width / 2, top + height / 2);
            return !one.contains(hit);
          }).map((one) => one.ariaLabel || one.innerText || one.name)""", within)
        assert not covered, f"{path}: {covered}"
    page.goto(HOST + "/settings")
    press(page, page.get_by_role("button", name="Look at everything"))
    expect(page.locator(".notice").first).to_contain_text("sound")
    page.goto(page.url)
    expect(page.locator(".head h1").first).to_have_text("Settings")


def runs(page, name, scripts):
    """A run is a conversation: what was said stays, questions have the control of their type, progress
    moves, the result and its undo are there after a reload, and Stop ends it."""
    page.goto(HOST + "/run/trip")
    press(page, page.get_by_role("button", name="Run", exact=True))
    day = page.locator("#asked input[type=date]")
    expect(day).to_have_value("2026-12-24")
    expect(day).to_be_focused()
    expect(page.locator("#said table")).to_contain_text("Bergen")
    expect(page.locator("#said h1")).to_have_text("Week")
    page.keyboard.press("Enter")
    people = page.locator("#asked input[type=number]")
    expect(people).to_have_value("2")
    people.fill("4")
    press(page, page.get_by_role("button", name="Answer"))
    for town in ("Oslo", "Porto"):
        page.get_by_label(town).check()
    press(page, page.get_by_role("button", name="Choose"))
    bar = page.get_by_role("progressbar", name="Packing")
    expect(bar).to_be_visible()
    first = bar.get_attribute("value")
    expect(bar).not_to_have_attribute("value", first)
    if name.startswith("360"):
        press(page, page.get_by_role("button", name="Stop"))
        expect(page.get_by_role("status").filter(has_text="Stopped")).to_be_visible()
        expect(page.locator("#said")).to_contain_text("Good to see you.")
        return
    for _ in range(2):
        expect(page.locator("#said")).to_contain_text("Result 2026-12-24 4 Oslo, Porto.", timeout=15_000)
        for words in "Good to see you.", "Bergen", "Which day?", "Oslo, Porto":
            expect(page.locator("#said")).to_contain_text(words)
        expect(page.locator("#said a.title", has_text="A trip")).to_be_visible()
        page.reload()
    press(page, page.get_by_role("button", name="Undo"))
    expect(page.get_by_role("button", name="Undo", exact=True).and_(page.locator("#runbar button"))).to_have_count(0)
    assert errand("find", "Note", "--where", "text == 'A trip'", "--count").strip() == "0"


def found(entity, where):
    """The items that the terminal finds, as maps."""
    return json.loads(errand("find", entity, "--where", where, "--json", "-n", "500"))


def until(fact, words):
    """Waits for what a change of the page has made of the library."""
    end = time.monotonic() + 20
    while not fact():
        assert time.monotonic() < end, words
        time.sleep(0.1)


def lists(page, name, scripts):
    """A filter is taken off by its chip, a search guesses, a list has its look, and a smart list is renamed
    and deleted; several rows lose a tag in one change."""
    errand("save", f"https://bare.example/{name.replace(' ', '-')}", "--title", f"Quartz {name}")
    page.goto(HOST + "/list/links?q=quartz&where=size(self.tags)%20%3D%3D%200")
    rows = page.locator("#rows .row")
    expect(rows).to_have_count(1)
    expect(page.locator("#total")).to_have_text("1")
    press(page, page.locator("main").get_by_text("Filter", exact=True))
    page.get_by_label("Save as a list").fill(f"Untidy {name}")
    page.keyboard.press("Enter")
    expect(page.locator(".head h1").first).to_have_text(f"Untidy {name}")
    press(page, page.locator("main").get_by_text("List", exact=True))
    field = page.get_by_role("textbox", name="Name")
    field.fill(f"Tidy {name}")
    field.press("Enter")
    expect(page.locator(".head h1").first).to_have_text(f"Tidy {name}")
    expect(page.locator("#nav a", has_text=f"Tidy {name}")).to_contain_text("1")
    press(page, page.locator("main").get_by_text("List", exact=True))
    press(page, page.get_by_role("button", name="Delete list"))
    expect(page.locator("#nav a", has_text=f"Tidy {name}")).to_have_count(0)
    press(page, page.get_by_role("link", name="Remove the filter Without tags"))
    expect(page.get_by_role("link", name="Remove the filter Without tags")).to_have_count(0)
    page.goto(HOST + "/list/links?q=quarts")
    press(page, page.get_by_role("link", name="quartz", exact=True))
    expect(rows.first).to_contain_text("Quartz")
    for look, other in ("Cards", "Rows"), ("Rows", "Cards"):
        press(page, page.locator("main .chip", has_text="first").first)
        press(page, page.get_by_role("button", name=look, exact=True))
        expect(page.locator(f"#rows .{look.lower()}").first).to_be_visible()
    # The bar of the selected is one line, and acts on them alone.
    page.goto(HOST + "/tag/subject1?select=1")
    for box in page.locator("#rows .box").all()[:2]:
        box.check()
    if scripts:
        expect(page.locator("#chosen")).to_have_text("2 selected")
    bar = page.locator("#bulk").bounding_box()
    assert bar["height"] < 64 and bar["width"] <= page.viewport_size["width"], bar
    before = len(found("Link", "'subject1' in tags"))
    press(page, page.locator("#bulk summary").first)
    page.locator("#bulk-tag").fill("subject1")
    if scripts:
        page.keyboard.press("Escape")
    press(page, page.get_by_role("button", name="Remove tag"))
    until(lambda: len(found("Link", "'subject1' in tags")) == before - 2, "the tag is not removed from two")
    press(page, page.locator(".toast button"))
    until(lambda: len(found("Link", "'subject1' in tags")) == before, "it is not undone")
    for link in found("Link", "url.startsWith('https://bare.example')"):
        errand("delete", link["ref"], "--yes")


def tags(page, name, scripts):
    """A tag is found among all, renamed, coloured, merged after a question, and put below another."""
    for tag in "one", "two":
        errand("save", f"https://{tag}.example/{name.replace(' ', '-')}", "--tags", tag + name.replace(" ", ""))
    one, two = ("one" + name.replace(" ", ""), "two" + name.replace(" ", ""))
    page.goto(HOST + "/tags")
    field = page.get_by_role("searchbox", name="Search tags")
    field.fill(one)
    if not scripts:
        field.press("Enter")
    tag = page.locator("#rows .tag")
    expect(tag).to_have_count(1)
    press(page, tag)
    expect(page.locator(".head h1").first).to_have_text("#" + one)

    def menu():
        press(page, page.locator("main").get_by_text("Tag", exact=True))

    menu()
    press(page, page.get_by_role("button", name="Violet"))
    menu()
    expect(page.get_by_role("button", name="Violet")).to_have_attribute("aria-pressed", "true")
    box = page.locator(".drop[open] .menu").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"], box
    field = page.get_by_role("textbox", name="Name; a/b is b below a")
    field.fill(two)
    field.press("Enter")
    press(page, page.get_by_role("link", name="Keep both"))
    expect(page.locator(".notice")).to_have_count(0)
    menu()
    field.fill("new" + one)
    field.press("Enter")
    expect(page.locator(".head h1").first).to_have_text("#new" + one)
    assert len(found("Link", f"'new{one}' in tags")) == 1
    if scripts and page.viewport_size["width"] >= 1024:
        page.goto(HOST + "/tags")
        page.locator(f"#list .tag[data-tag='new{one}']").drag_to(page.locator(f"#list .tag[data-tag='{two}']"))
        until(lambda: found("Link", f"'{two}/new{one}' in tags"), "the tag is not below the other")
        press(page, page.locator(".toast button"))
        until(lambda: found("Link", f"'new{one}' in tags"), "the drag is not undone")
    page.goto(HOST + f"/tag/new{one}")
    menu()
    field = page.get_by_role("textbox", name="Merge into")
    field.fill(two)
    if scripts:
        page.keyboard.press("Escape")
    press(page, page.get_by_role("button", name="Merge", exact=True))
    until(lambda: len(found("Link", f"'{two}' in tags")) == 2, "the tags are not merged")
    page.goto(HOST + f"/tag/{two}")
    menu()
    press(page, page.get_by_role("button", name="Delete this tag"))
    until(lambda: not found("Link", f"'{two}' in tags"), "the tag is not deleted")
    page.goto(HOST + "/")
    for link in found("Link", "url.startsWith('https://one.example') || url.startsWith('https://two.example')"):
        errand("delete", link["ref"], "--yes")


def items(page, name, scripts):
    """A tag is completed with one Enter, changes are told in words, a note is Markdown that is written in
    place, and a deleted item gives way to the next."""
    for number in "12":
        errand("save", f"https://item.example/{number}{name.replace(' ', '-')}", "--title", f"Item {number} {name}")
    first, = found("Link", f"title == 'Item 1 {name}'")
    page.goto(HOST + f"/item/Link/{first['id']}?list=/list/links?q=item")
    field = page.get_by_label("Add tags")
    if scripts:
        field.type("subject1")
        option = page.locator("#tag-menu [role=option]").first
        expect(option).to_have_text("subject19")
        expect(page.locator("#tag-menu [role=option]").last).not_to_contain_text("New tag")
        field.fill("subj")
        expect(page.locator("#tag-menu")).to_contain_text("New tag “subj”")
        field.fill("subject12")
        expect(page.locator("#tag-menu [role=option]")).to_have_count(1)
        field.press("ArrowDown")
    else:
        field.fill("subject12")
    field.press("Enter")
    chip = page.locator(".chip", has_text="subject12")
    expect(chip).to_be_visible()
    expect(page.locator(".thread")).to_contain_text("Tag subject12 added")
    press(page, page.locator(".detail summary[aria-label=More]"))
    if scripts:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=HOST)
        press(page, page.get_by_role("button", name="Copy as Markdown"))
        expect(page.locator(".toast")).to_contain_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()").startswith(f"[Item 1 {name}](https://item.example/1")
        press(page, page.locator(".detail summary[aria-label=More]"))
    press(page, page.get_by_role("button", name="To read", exact=True))
    expect(page.locator(".facts")).to_contain_text("To read")
    second, = found("Link", f"title == 'Item 2 {name}'")
    page.goto(HOST + f"/item/Link/{second['id']}?list=/list/links")
    press(page, page.get_by_role("button", name="Delete", exact=True))
    expect(page.locator(".detail h1.big")).to_be_visible()
    expect(page.locator(".detail h1.big")).not_to_have_text(f"Item 2 {name}")
    note = errand("add-note", f"# Bread {name}\n\n- **salt**", "--json")
    note, = found("Note", f"text.contains('Bread {name}')")
    page.goto(HOST + f"/item/Note/{note['id']}")
    expect(page.locator(".detail h1.big")).to_have_text(f"Bread {name}")
    expect(page.locator(".detail .prose strong")).to_have_text("salt")
    press(page, page.get_by_text("Edit text", exact=True))
    page.get_by_label("Text, in Markdown").fill(f"# Bread {name}\n\n1. *rye*")
    press(page, page.locator(".writing").get_by_role("button", name="Save"))
    expect(page.locator(".detail .prose em")).to_have_text("rye")
    page.goto(HOST + "/")
    for ref in [note["ref"]] + [link["ref"] for link in found("Link", "url.startsWith('https://item.example')")]:
        errand("delete", ref, "--yes")


def doing(page, name, scripts):
    """The line of tasks says what it understands; a day, a repetition and parts are changed where they
    stand, beside the same list."""
    go(page, "Tasks")
    line = page.get_by_role("textbox", name="Add a task")
    line.fill(f"Sweep {name} every monday at 9 #home")
    if scripts:
        for words in "every monday", "#home", "09:00":
            expect(page.locator("#understood")).to_contain_text(words)
    line.press("Enter")
    row = page.locator("#rows .todo", has_text=f"Sweep {name}")
    expect(row).to_contain_text("every monday")
    task, = found("Task", f"title == 'Sweep {name}'")
    assert task["tags"] == ["home"], task
    press(page, row.locator("a.due"))
    expect(page.locator(".when:visible")).to_have_count(1)
    form = page.locator(".when:visible")
    press(page, form.get_by_role("button", name="Tomorrow"))
    if scripts:
        expect(row.locator("a.due")).to_have_text("Tomorrow")
        press(page, row.get_by_role("link", name=f"Sweep {name}"))
    else:
        expect(page.locator(".when input[name=due]:visible")).not_to_have_value("")
    expect(page.locator(".detail h1.big")).to_have_text(f"Sweep {name}")
    if page.viewport_size["width"] >= 768:
        expect(page.locator("#add")).to_be_visible()
        expect(row.locator("a.title")).to_have_attribute("aria-current", "true")
    page.locator(".when:visible").get_by_label("Repeats").fill("every 3 days")
    page.locator(".when:visible").get_by_role("button", name="Save").click()
    until(lambda: found("Task", f"title == 'Sweep {name}' && repeat == 'every 3 days'"), "it does not repeat so")
    part = page.get_by_role("textbox", name="Add a part")
    part.fill(f"Dust {name}")
    part.press("Enter")
    parts = page.locator(".detail .section", has_text="Parts")
    expect(parts).to_contain_text("0 of 1")
    press(page, parts.get_by_role("button", name=f"Dust {name}: done"))
    expect(parts).to_contain_text("1 of 1")
    page.goto(HOST + "/")
    for task in found("Task", f"title.endsWith('{name}') && (title.startsWith('Sweep') || title.startsWith('Dust'))"):
        errand("delete", task["ref"], "--yes")


def bringing(page, name, scripts):
    """A file is imported and its report read and undone, and the library is exported to another."""
    host = f"https://import{name.replace(' ', '')}.example"
    text = "\n".join(json.dumps({"entity": "Link", "url": url, "title": title})
                     for url, title in ((host, f"Brought {name}"), (host + "/2", "Another"), ("nonsense", "Wrong")))
    page.goto(HOST + "/settings")
    press(page, page.get_by_role("link", name="Import a file"))
    page.get_by_label("A file to import").set_input_files(
        {"name": "mine.jsonl", "mimeType": "text/plain", "buffer": text.encode()})
    if not scripts:
        press(page, page.get_by_role("button", name="Import", exact=True))
    expect(page.get_by_role("heading", name="The import is done")).to_be_visible()
    expect(page.locator("dl.facts")).to_contain_text("New2")
    expect(page.get_by_role("row", name="3")).to_contain_text("must begin with http")
    page.goto(HOST + "/settings")
    with page.expect_download() as download:
        press(page, page.get_by_role("button", name="Export"))
    assert f"Brought {name}" in pathlib.Path(download.value.path()).read_text()
    page.goto(HOST + "/import")
    press(page, page.get_by_role("link", name="mine.jsonl").first)
    press(page, page.get_by_role("button", name="Undo the import"))
    expect(page.locator("main")).to_contain_text("Undone.")
    assert errand("find", "Link", "--where", f"url.contains('{host}')", "--count").strip() == "0"


def working(page, name, scripts):
    """A worker that is missing is started where its work is looked for, and ended in the settings."""
    for place in "/list/processing", "/inbox", "/activity":
        page.goto(HOST + place)
        expect(page.get_by_role("heading", name="No worker runs")).to_be_visible()
    press(page, page.get_by_role("button", name="Start the worker"))
    for _ in range(100):
        if scripts or page.get_by_text("A worker is there").count():
            break
        page.wait_for_timeout(200)
        page.goto(HOST + "/activity")
    expect(page.get_by_text("A worker is there")).to_be_visible()
    page.goto(HOST + "/settings")
    switch = page.get_by_role("switch", name="Work in the background")
    expect(switch).to_be_checked()
    press(page, switch)
    expect(switch).not_to_be_checked()
    while json.loads(errand("worker", "--status", "--json"))["workers"]:
        page.wait_for_timeout(100)


def away(page, name, scripts):
    """Without the server, a list that is kept has its items, and other pages say how it is."""
    page.goto(HOST + "/list/Note")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.wait_for_function("navigator.serviceWorker.controller")
    errand("add-note", f"# Kept {name}")
    errand("add-note", f"# Not kept {name}")
    page.goto(HOST + f"/list/Note?q=kept+-not")
    press(page, page.locator(".tools summary").last)
    keep = page.get_by_role("button", name="Keep offline")
    press(page, keep)
    expect(keep).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("kept offline.")).to_be_visible()
    page.context.set_offline(True)
    page.goto(HOST + f"/list/Note?q=kept+-not")
    press(page, page.locator("#rows .title", has_text=f"Kept {name}"))
    expect(page.locator("#detail")).to_contain_text(f"Kept {name}")
    page.goto(HOST + "/item/Link/7")
    expect(page.get_by_role("heading", name="This page is not kept offline")).to_be_visible()
    page.context.set_offline(False)
    press(page, page.get_by_role("link", name="Back to the library"))
    expect(page.locator(".head h1").first).to_have_text("To read")


# A push service in the page, as headless Chromium has none: it gives a subscription, and keeps it.
SERVICE = """
const keep = (made) => localStorage.setItem("subscription", JSON.stringify(made));
const shown = () => {
  const made = JSON.parse(localStorage.getItem("subscription"));
  return made && { ...made, toJSON: () => made, unsubscribe: async () => keep(null) };
};
PushManager.prototype.getSubscription = async () => shown();
PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
  if (applicationServerKey.length !== 87) throw new Error("the key has the wrong length");
  keep({
    endpoint: "https://fcm.googleapis.com/fcm/send/x",
    keys: {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    },
  });
  return shown();
};
Notification.requestPermission = async () => "granted";
Object.defineProperty(Notification, "permission", { get: () => "default" });
"""


def notifications(page, name, scripts):
    """A device is registered by its button alone, is told apart from others, and can be removed."""
    page.goto(HOST + "/settings")
    part = page.locator("#notifications")
    button = part.get_by_role("button", name="Notifications on this device")
    if not scripts:
        expect(part).to_contain_text("the browser needs scripts")
        expect(button).to_be_hidden()
        return
    page.add_init_script(SERVICE)
    page.reload()
    expect(button).to_be_visible()
    expect(part.get_by_role("button", name="Remove")).to_have_count(0)
    press(page, button)
    expect(part.get_by_text("This device", exact=True)).to_be_visible()
    expect(part).to_contain_text("Chrome on Linux")
    expect(button).to_be_hidden()
    page.reload()
    expect(part.get_by_text("This device", exact=True)).to_be_visible()
    if os.environ["ERRAND_SHOTS"]:
        part.scroll_into_view_if_needed()
        page.screenshot(path=f"{os.environ['ERRAND_SHOTS']}/notifications-{name}.png")
    press(page, part.get_by_role("button", name="Remove"))
    expect(part).not_to_contain_text("Chrome on Linux")
    expect(button).to_be_visible()
    assert page.evaluate("localStorage.getItem('subscription')") == "null"


def pushed(page, name, scripts):
    """A push is shown with its actions; one of them is chosen, and a second choice says that it is late.
    The page of the notification has all actions."""
    code = f"code-{name}"
    file = pathlib.Path(OPENING).parent / "notifications" / hashlib.sha256(code.encode()).hexdigest()
    file.parent.mkdir(exist_ok=True)
    ticket = {
        "title": "Reminder", "text": "Call Ada", "actions": ["Done", "In 10 minutes", "Tomorrow"],
        "page": "/item/Task/1", "automation": "nightly", "trigger": '{"kind":"at","id":"at"}',
    }
    file.write_text(json.dumps(ticket))
    page.context.grant_permissions(["notifications"], origin=HOST)
    page.goto(HOST + "/settings")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    worker = page.context.service_workers[0]
    session = page.context.new_cdp_session(page)
    found = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)
    note = {**ticket, "url": f"/notification/{code}", "tag": "/item/Task/1"}

    def shown():
        return page.evaluate("""navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
            .then((notes) => notes.map(({ body, actions }) => [body, actions.length]))""")

    def until(wanted, act):
        """Acts until there is such a notification: the browser forgets one that is asked for while it
        appears."""
        end = time.monotonic() + 20
        while True:
            act()
            page.wait_for_timeout(300)
            if wanted in shown():
                return
            assert time.monotonic() < end, (wanted, shown())

    def push():
        until(["Call Ada", 2], lambda: session.send("ServiceWorker.deliverPushMessage", {
            "origin": HOST, "registrationId": found[-1]["registrationId"], "data": json.dumps(note)}))

    def choose(action):
        worker.evaluate("""(action) => registration.getNotifications().then((notes) =>
            dispatchEvent(new NotificationEvent("notificationclick", {
              action, notification: notes.find(({ actions }) => actions.length) })))""", action)

    def choose_late():
        push()
        choose("0")

    push()
    page.goto(HOST + f"/notification/{code}")
    expect(page.get_by_role("button", name="Tomorrow")).to_be_visible()
    choose("1")
    end = time.monotonic() + 20
    while file.name not in [job["key"] for job in json.loads(errand("queue", "--json"))]:
        assert time.monotonic() < end, "the action starts no job"
        page.wait_for_timeout(20)
    assert shown() == [], shown()
    until(["This notification was answered already, or is too old.", 0], choose_late)
    page.evaluate("navigator.serviceWorker.ready.then((worker) => worker.getNotifications()).then((notes) => notes.forEach((note) => note.close()))")
    page.reload()
    expect(page.locator("main")).to_contain_text("answered already")
    file.write_text(json.dumps(ticket))
    page.reload()
    press(page, page.get_by_role("button", name="Tomorrow"))
    page.wait_for_url(HOST + "/item/Task/1")


def library():
    lines = [{"url": f"https://page{i}.example/", "title": f"Page {i}", "tags": ["read", f"subject{i % 30}"]}
             for i in range(ROWS)]
    errand("import", "-", text="\n".join(json.dumps(line) for line in lines))


# Width, height, whether there are scripts, and what is tried; narrow ones are touched.
VISITS = [
    (360, 740, True, [sidebar, arranging, calendar, repeating, making, stepping, conflict, lists, tags, items, doing, place, late, runs, notifications, pushed, bringing, away]),
    (768, 1024, True, [sidebar, calendar, repeating, stepping, conflict, place]),
    (1440, 900, True, [arranging, calendar, repeating, making, stepping, conflict, lists, tags, items, doing, place, late, reach, runs, notifications, bringing, working, away]),
    (360, 740, False, [sidebar, arranging, calendar, repeating, making, stepping, conflict, doing, place]),
    (1440, 900, False, [calendar, repeating, conflict, lists, tags, items, runs, notifications, bringing, working]),
]


def walk(flow, page, width, scripts):
    """Walks through a flow, and tells how long it took."""
    way = f"{flow.__name__} at {width} px, {'with' if scripts else 'without'} scripts"
    began = time.monotonic()
    try:
        flow(page, f"{width}{'' if scripts else ' plain'}", scripts)
    except BaseException:
        print(f"test-page: failed: {way}, on {page.url}", file=sys.stderr, flush=True)
        if os.environ["ERRAND_SHOTS"]:
            page.screenshot(path=f"{os.environ['ERRAND_SHOTS']}/failed.png")
        raise
    print(f"test-page: {way}: {time.monotonic() - began:.1f} s", flush=True)


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
    library()
    for width, height, scripts, flows in VISITS:
        # Of a page with a service worker, no answer can be held.
        for workers in "allow", "block":
            walked = [flow for flow in flows if (flow is late) == (workers == "block")]
            if not walked:
                continue
            page = signed_in(browser, (width, height), scripts, touch=width < 1024, service_workers=workers)
            page.set_default_timeout(10_000)
            page.on("response", lambda response: response.status >= 400
                    and not response.from_service_worker and sys.exit(
                f"test-page: {response.status} {response.request.method} {response.url}"))
            for flow in walked:
                walk(flow, page, width, scripts)
            page.context.close()
    browser.close()
