"""The clicks of scripts/test-page: what a person taps on, and what they then see."""

import json
import os
import sys
import time

from playwright.sync_api import expect, sync_playwright

from page_session import HOST, errand, signed_in

# Width, height, and whether there are scripts; narrow ones are touched.
VISITS = [(360, 740, True), (768, 1024, True), (1440, 900, True), (360, 740, False), (1440, 900, False)]
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


def repeating(page, name, scripts):
    """A repeating task comes back, by the list, by the item, by several at once and by a widget."""
    for way in ("list", "item", "several", "widget") if name.startswith("360") else ("list", "widget"):
        title = f"Water {way} {name}"
        errand("add-task", title, "--due=-1d", "--repeat=every 2 days")
        if way == "widget":
            go(page, "Widgets")
            press(page, page.get_by_role("button", name=f"{title}: done"))
            # Another page has no such row, too.
            expect(page.locator(".wtodo li", has_text=title)).not_to_contain_text("late")
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
        while rows.count() < 250 and time.monotonic() < ends:
            rows.last.scroll_into_view_if_needed()
            page.wait_for_timeout(50)
        assert rows.count() >= 250, rows.count()
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
            assert abs(row.bounding_box()["y"] - top) < 4, (row.bounding_box()["y"], top)
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


def library():
    lines = [{"url": f"https://page{i}.example/", "title": f"Page {i}", "tags": ["read"]} for i in range(ROWS)]
    errand("import", "-", text="\n".join(json.dumps(line) for line in lines))


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
    library()
    for width, height, scripts in VISITS:
        page = signed_in(browser, (width, height), scripts, touch=width < 1024)
        page.set_default_timeout(10_000)
        page.on("response", lambda response: response.status >= 400 and sys.exit(
            f"test-page: {response.status} {response.request.method} {response.url}"))
        for flow in (sidebar, repeating, conflict, place):
            name = f"{width}{'' if scripts else ' plain'}"
            began = time.monotonic()
            try:
                flow(page, name, scripts)
            except BaseException:
                print(f"test-page: {flow.__name__} failed at {width} px, "
                      f"{'with' if scripts else 'without'} scripts, on {page.url}", file=sys.stderr, flush=True)
                if os.environ["ERRAND_SHOTS"]:
                    page.screenshot(path=f"{os.environ['ERRAND_SHOTS']}/failed.png")
                raise
            print(f"test-page: {flow.__name__} at {width} px, {'with' if scripts else 'without'} scripts: "
                  f"{time.monotonic() - began:.1f} s", flush=True)
        page.context.close()
    browser.close()
