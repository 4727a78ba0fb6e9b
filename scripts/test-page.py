"""The checks of scripts/test-page."""

import base64
import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, HTTPServer

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from page_session import HOST, errand, signed_in

SHOTS = os.environ["ERRAND_SHOTS"]
# Screenshots of an earlier call, to compare with; the share of pixels that may differ.
BEFORE = os.environ.get("ERRAND_BEFORE", "")
TOLERANCE = 0.05
SIZES = {"wide": (1440, 900), "middle": (768, 1024), "phone": (360, 720)}


def shot(page, name):
    if SHOTS:
        page.wait_for_load_state("networkidle")
        page.screenshot(path=f"{SHOTS}/{name}.png")
        compare(name)


DIFFERENCE = """async ([before, after]) => {
    const images = await Promise.all([before, after].map(async (data) => {
        const image = new Image();
        image.src = "data:image/png;base64," + data;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height);
    }));
    const [one, other] = images;
    if (one.width !== other.width || one.height !== other.height) return 1;
    let count = 0;
    for (let at = 0; at < one.data.length; at += 4)
        if ([0, 1, 2].some((part) => Math.abs(one.data[at + part] - other.data[at + part]) > 24)) count++;
    return count / (one.data.length / 4);
}"""
different = []


def compare(name):
    """Notes a screenshot that looks different from that of the earlier call."""
    if not os.path.exists(f"{BEFORE}/{name}.png"):
        return
    texts = []
    for folder in (BEFORE, SHOTS):
        with open(f"{folder}/{name}.png", "rb") as file:
            texts.append(base64.b64encode(file.read()).decode())
    share = comparer.evaluate(DIFFERENCE, texts)
    if share > TOLERANCE:
        different.append(f"{name} ({share:.0%})")


def flows(page, size, scripts):
    """Every flow of the page; forms and links do the same with scripts and without."""
    name = f"{size}{'' if scripts else '-plain'}"
    shot(page, f"{name}-to-read")
    page.goto(HOST + "/list/links")
    expect(page.locator(".row")).to_have_count(5)
    assert page.locator("img").count() == 0 and page.locator(".row script").count() == 0
    # A title cannot turn what is beside it around.
    expect(page.locator(".row .title", has_text="safegpj.exe")).to_have_count(1)
    shot(page, f"{name}-links")

    page.get_by_placeholder("Words, tag:papers").fill("swift")
    page.get_by_placeholder("Words, tag:papers").press("Enter")
    expect(page.locator(".row")).to_have_count(1)
    page.locator(".row").get_by_role("link", name="Swift", exact=True).click()
    expect(page.get_by_role("heading", name="Swift", exact=True)).to_be_visible()
    page.get_by_placeholder("Add a tag").fill(f"{name}, two")
    page.get_by_placeholder("Add a tag").press("Enter")
    expect(page.locator(".chip a", has_text=name).first).to_be_visible()
    page.locator(".toast button").click()
    expect(page.locator(".detail .chip a", has_text=name)).to_have_count(0)
    page.get_by_role("button", name="Favourite").click()
    pressed = page.get_by_role("button", name="Favourite")
    expect(pressed).to_have_attribute("aria-pressed", "true")
    pressed.click()
    expect(page.get_by_role("button", name="Favourite")).to_have_attribute("aria-pressed", "false")
    page.get_by_label("A note about this link").fill(f"Note {name}")
    page.get_by_role("button", name="Keep note").click()
    expect(page.get_by_role("link", name=f"Note {name}").first).to_be_visible()
    shot(page, f"{name}-item")

    page.goto(HOST + "/new/Book")
    page.get_by_label("Title").fill("D")
    if scripts:
        page.get_by_label("Title").press("Tab")
        expect(page.locator(".err.typed")).to_be_visible()
    page.evaluate("document.querySelector('form.measure').noValidate = true") if scripts else None
    if scripts:
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("alert")).to_contain_text("at least 2 characters")
        shot(page, f"{name}-mistake")
    page.get_by_label("Title").fill(f"Dune {name}")
    page.get_by_label("Pages").fill("412")
    page.get_by_label("State").select_option("owned")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name=f"Dune {name}")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".row", has_text=f"Dune {name}")).to_have_count(0)

    page.goto(HOST + "/list/Task")
    page.get_by_label("Add a task").fill(f"Task {name} tomorrow #home")
    page.get_by_role("button", name="Add", exact=True).click()
    row = page.locator(".todo", has_text=f"Task {name}")
    expect(row).to_contain_text("Tomorrow")
    expect(row).to_contain_text("#home")
    shot(page, f"{name}-tasks")
    row.get_by_role("button").click()
    expect(page.locator(".todo.off", has_text=f"Task {name}")).to_have_count(1)
    if not scripts:
        page.locator("#pad").fill(f"Pad {name}")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("#pad")).to_have_value(f"Pad {name}")

    # Several at once, and a list of one's own.
    page.goto(HOST + "/list/links?select=1")
    for box in page.locator(".row .box").all()[:2]:
        box.check()
    page.locator("#bulk summary").first.click()
    page.locator("#bulk-tag").fill("bulk")
    page.get_by_role("button", name="Add tag").click()
    expect(page.locator(".row .tags a", has_text="bulk")).to_have_count(2)
    page.locator(".toast button").click()
    expect(page.locator(".row .tags a", has_text="bulk")).to_have_count(0)
    page.get_by_text("Filter", exact=True).click()
    page.get_by_role("link", name="Without tags").click()
    expect(page.locator(".row")).to_have_count(3)
    page.get_by_text("Filter", exact=True).click()
    page.get_by_label("Save as a list").fill(f"Bare {name}")
    page.locator(".drop form", has_text="Save as a list").get_by_role("button").click()
    expect(page.locator("#nav a", has_text=f"Bare {name}")).to_have_count(1)
    expect(page.locator(".head h1").first).to_have_text(f"Bare {name}")
    page.get_by_text("List", exact=True).click()
    shot(page, f"{name}-filter")
    page.get_by_role("button", name="Delete list").click()
    expect(page.locator("#nav a", has_text=f"Bare {name}")).to_have_count(0)
    page.goto(HOST + "/list/links?where=nonsense(")
    expect(page.get_by_role("alert")).to_be_visible()

    page.goto(HOST + "/gallery")
    shot(page, f"{name}-gallery")
    page.get_by_role("link", name="Greet", exact=True).click()
    shot(page, f"{name}-run")
    page.get_by_role("button", name="Run").click()
    page.get_by_role("textbox", name="Who are you?").fill("Ada")
    page.get_by_role("button", name="Answer").click()
    shot(page, f"{name}-question")
    page.get_by_role("button", name="blue").click()
    expect(page.get_by_text("Hello Ada, blue.")).to_be_visible()
    page.goto(HOST + "/run/greet")
    page.get_by_role("button", name="Test").click()
    expect(page.get_by_text("All 1 tests passed.")).to_be_visible()
    page.goto(HOST + "/source/greet")
    text = page.get_by_label("The definition").input_value()
    page.get_by_label("The definition").fill(text.replace("say:", "sya:"))
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".step .notice.bad")).to_contain_text("sya")
    shot(page, f"{name}-editor")
    page.get_by_label("The definition").fill(text.replace("Good night", f"Good night {name}"))
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()
    page.goto(HOST + "/source/check-links")
    expect(page.get_by_role("button", name="Copy to change it")).to_be_visible()
    shot(page, f"{name}-built-in")

    page.goto(HOST + "/gallery/add")
    page.get_by_label("Name of its file").fill(f"added-{name}")
    page.get_by_label("The definition").fill(
        f"shortcut: added-{name}\nsteps:\n  - exec: [date]\n")
    page.get_by_role("button", name="Look at it").click()
    page.get_by_role("button", name="Trust and add").click()
    expect(page.locator(".act-card", has_text="Runs date").first).to_be_visible()

    page.goto(HOST + "/activity")
    shot(page, f"{name}-activity")
    page.locator(".row .title", has_text="Add Task").first.click()
    expect(page.get_by_role("heading", name="Steps")).to_be_visible()
    page.goto(HOST + "/activity")
    nightly = page.get_by_role("switch", name="Nightly")
    expect(nightly).to_be_checked()
    nightly.click()
    expect(nightly).not_to_be_checked()
    nightly.click()
    expect(nightly).to_be_checked()

    page.goto(HOST + "/settings")
    shot(page, f"{name}-settings")
    keep = page.locator("form.kv", has_text="Keep finished runs")
    keep.locator(".in").fill("2 wekes")
    keep.get_by_role("button").click()
    expect(page.locator(".err", has_text="2 wekes")).to_be_visible()
    keep.locator(".in").fill("2 weeks")
    keep.get_by_role("button").click()
    expect(keep.locator(".in")).to_have_value("2 weeks")
    page.get_by_label("Name of the token").fill(f"Phone {name}")
    page.get_by_role("button", name="New token").click()
    expect(page.locator(".code")).to_contain_text("errand_")
    page.locator("#tokens li", has_text=f"Phone {name}").get_by_role("button").click()
    expect(page.locator("#tokens li", has_text=f"Phone {name}")).to_have_count(0)
    page.get_by_role("button", name="Look at everything").click()
    expect(page.get_by_text("The library is sound")).to_be_visible()
    # A click on a widget does what its item does.
    errand("add-task", f"On a widget {name}")
    page.goto(HOST + "/widgets")
    row = page.locator(".wtodo li", has_text=f"On a widget {name}")
    row.get_by_role("button").click()
    expect(page.locator(".head h1").first).to_have_text("Widgets")
    expect(page.locator(".wtodo li", has_text=f"On a widget {name}")).to_have_count(0)
    shot(page, f"{name}-widgets")
    page.goto(HOST + "/inbox")
    expect(page.get_by_text("Nothing waits here.")).to_be_visible()
    if scripts:
        fits(page, name)


SCREENS = [
    "/", "/list/links", "/list/links?select=1", "/item/Link/1", "/read/1", "/item/Link/1/edit", "/list/Task",
    "/list/Note", "/new/Book", "/gallery", "/run/greet", "/run/save", "/source/greet", "/gallery/add",
    "/make/shortcut", "/make/automation",
    "/activity", "/settings", "/import", "/welcome", "/inbox", "/tags", "/widgets",
    "/day", "/week", "/week/2020-01-01", "/widgets/reading-list?family=large",
]


def fits(page, name):
    """No screen is wider than the window, also with right-to-left text and other sizes of type, and
    axe-core finds nothing serious."""
    for screen in SCREENS:
        page.goto(HOST + screen)
        for change in ("", "document.documentElement.dir = 'rtl'",
                       "document.documentElement.style.fontSize = '125%'"):
            page.evaluate(change or "0")
            wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wider <= 0, f"{name}: {screen} is {wider} px too wide {change}"
        # A zoom of 200 % leaves half of the window.
        size = page.viewport_size
        page.set_viewport_size({"width": max(size["width"] // 2, 320), "height": size["height"] // 2})
        page.goto(HOST + screen)
        wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0, f"{name}: {screen} is {wider} px too wide at 200 %"
        page.set_viewport_size(size)
        page.goto(HOST + screen)
        found = Axe().run(page).response["violations"]
        serious = [f"{f['id']}: {f['nodes'][0]['html'][:160]}" for f in found
                   if f["impact"] in ("serious", "critical")]
        assert not serious, f"{name}: {screen}: {serious}"


def together(page):
    """Two tabs and a terminal: all show the same within a second, and a conflict is shown."""
    other = page.context.new_page()
    other.goto(HOST + "/list/Task")
    page.goto(HOST + "/list/Task")
    page.wait_for_timeout(500)
    errand("add-task", "From the terminal")
    for tab in (page, other):
        expect(tab.locator(".todo", has_text="From the terminal")).to_be_visible(timeout=1000)
    page.get_by_label("Add a task").fill("From a tab")
    page.get_by_label("Add a task").press("Enter")
    expect(other.locator(".todo", has_text="From a tab")).to_be_visible(timeout=1000)

    page.goto(HOST + "/item/Link/1/edit")
    page.get_by_label("Summary").fill("Written here")
    errand("update", "link:1", "summary=Written elsewhere")
    page.wait_for_timeout(500)
    expect(page.get_by_label("Summary")).to_have_value("Written here")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("Written elsewhere")
    shot(page, "conflict")
    page.get_by_role("button", name="Keep mine").click()
    expect(page.get_by_text("Written here").first).to_be_visible()

    # The scratchpad in two tabs: both texts stay.
    for tab in (page, other):
        tab.goto(HOST + "/list/Task")
    page.locator("#pad").fill("One")
    expect(page.locator("#pad-state")).to_have_text("Saved")
    other.locator("#pad").fill("Two")
    expect(other.locator("#pad-state")).to_have_text("Saved")
    expect(other.locator("#pad")).to_have_value("Two\n\n— Changed elsewhere —\nOne")
    other.close()


def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data
            + struct.pack(">I", zlib.crc32(kind + data)))


class Site(BaseHTTPRequestHandler):
    """A site with a page, its picture, and a definition."""

    PICTURE = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 20, 8, 2, 0, 0, 0))
               + chunk(b"IDAT", zlib.compress((b"\0" + b"\x20\x80\xa0" * 40) * 20)) + chunk(b"IEND", b""))
    FILES = {
        "/page": ("text/html", b"<title>Seen</title><meta property=og:type content=book>"
                  b"<meta property=og:image content=/picture.png><p>Words."),
        "/picture.png": ("image/png", PICTURE),
        "/hostile": ("text/html", b"<title>Hostile</title><meta property=og:image content=/picture.svg><p>Words."),
        "/picture.svg": ("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
        "/tidy.yaml": ("text/yaml", b"shortcut: fetched\nsteps:\n  - exec: [date]\n"),
    }

    def do_GET(self):
        kind, body = self.FILES.get(self.path, ("text/plain", b""))
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def outside(page):
    """The picture of a page is kept and shown from here, and a definition comes from an address."""
    server = HTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site = f"http://127.0.0.1:{server.server_port}"
    for path in ("/page", "/hostile"):
        errand("save", site + path)
    errand("enrich", "--where", "url.startsWith('http://127')",
           "--local", "127.0.0.1")
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(HOST + "/list/links")
    row = page.locator(".row").get_by_role("link", name="Seen", exact=True)
    page.goto(HOST + row.get_attribute("href"))
    expect(page.locator("img.pic")).to_be_visible()
    assert page.evaluate("document.querySelector('img.pic').naturalWidth") == 40
    expect(page.locator(".detail .meta").first).to_contain_text("Book")
    page.get_by_role("link", name="enrich", exact=True).first.click()
    expect(page.get_by_role("heading", name="Steps")).to_be_visible()
    page.go_back()
    shot(page, "picture")
    page.goto(HOST + "/list/links")
    row = page.locator(".row").get_by_role("link", name="Hostile", exact=True)
    page.goto(HOST + row.get_attribute("href"))
    expect(page.get_by_role("heading", name="Hostile")).to_be_visible()
    assert page.evaluate("[...document.images].every(i => !i.naturalWidth)")
    assert all(url.startswith(HOST) for url in requested), requested

    page.goto(HOST + "/gallery/add")
    for host in ("127.0.0.1", "0.0.0.0", "localhost"):
        page.get_by_label("Address").fill(f"http://{host}:{server.server_port}/tidy.yaml")
        page.get_by_role("button", name="Fetch").click()
        expect(page.get_by_role("alert")).to_contain_text("local address")
    server.shutdown()


def first_paint(page):
    """The time from a click to the first paint of the list, in milliseconds."""
    page.goto(HOST + "/list/links")
    paint = None
    while paint is None:
        page.wait_for_timeout(50)
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    print(f"test-page: first paint after {paint:.0f} ms")


def stopped(page):
    """The server stops while one writes: nothing is lost, and what waits is sent once."""
    page.goto(HOST + "/list/links")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    page.goto(HOST + "/list/Task")
    page.wait_for_timeout(300)
    os.kill(int(os.environ["ERRAND_SERVER"]), signal.SIGTERM)
    time.sleep(1)
    page.locator("#pad").fill("Typed without a server")
    expect(page.locator("#pad-state")).to_contain_text("waits", timeout=5000)
    page.goto(HOST + "/list/links")
    expect(page.locator(".row").first).to_be_visible()
    expect(page.locator("body.cut-off")).to_have_count(1)
    page.get_by_label("Add an address").fill("https://later.example/once")
    page.get_by_label("Add an address").press("Enter")
    expect(page.locator(".toast")).to_contain_text("waits here")
    port = HOST.rsplit(":", 1)[1]
    server = subprocess.Popen(
        [os.environ["ERRAND_PROGRAM"], "serve", "--port", port],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        expect(page.locator(".toast")).to_contain_text("was sent", timeout=10000)
        page.goto(HOST + "/list/Task")
        expect(page.locator("#pad-state")).to_have_text("Saved", timeout=5000)
        expect(page.locator("#pad")).to_have_value("Typed without a server")
        page.goto(HOST + "/inbox")
        page.get_by_role("button", name="Take in now").click()
        page.goto(HOST + "/inbox")
        # What the system shares reaches the inbox, too.
        page.evaluate("""async () => {
            const form = new FormData();
            form.append("text", "https://shared.example/page");
            form.append("file", new File(["words"], "words.txt", {type: "text/plain"}));
            await fetch("/share-target", {method: "POST", body: form});
        }""")
        page.goto(HOST + "/inbox")
        page.wait_for_timeout(1000)
        found = subprocess.run(
            [os.environ["ERRAND_PROGRAM"], "inbox", "--json"], capture_output=True, text=True, check=True)
        shares = json.loads(found.stdout)
        for wanted in ("later.example", "words.txt"):
            assert json.dumps(shares).count(wanted) == 1, shares
    finally:
        server.terminate()
        server.wait(10)


def keys(page):
    """What scripts add: moving, opening and changing by keys, and search as one types."""
    page.goto(HOST + "/list/links?sort=createdAt")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/item/Link/*")
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Favourite")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("z")
    expect(page.get_by_role("button", name="Favourite")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("g")
    page.keyboard.press("l")
    page.wait_for_url("**/list/links")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator(".row .box:checked")).to_have_count(1)
    expect(page.locator("#chosen")).to_have_text("1 selected")
    page.keyboard.press("Escape")
    expect(page.locator("#bulk")).to_have_count(0)
    page.keyboard.press("/")
    page.keyboard.type("swi")
    expect(page.locator(".row")).to_have_count(1)
    page.wait_for_url("**?q=swi")
    page.goto(HOST + "/item/Link/1")
    page.get_by_placeholder("Add a tag").type("la")
    expect(page.locator("#tag-menu [role=option]").first).to_contain_text("lang")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_placeholder("Add a tag")).to_have_value("lang")
    page.goto(HOST + "/new/Book")
    page.get_by_label("About").type("swift")
    expect(page.locator("#about-list option")).to_have_count(1)


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
    comparer = browser.new_page()
    for size in os.environ.get("ERRAND_SIZES", " ".join(SIZES)).split():
        for scripts in (True, False):
            page = signed_in(browser, SIZES[size], scripts)
            flows(page, size, scripts)
            if scripts and size == "wide":
                keys(page)
                together(page)
            page.context.close()
            print(f"test-page: {size}, {'with' if scripts else 'without'} scripts passed")
    page = signed_in(browser, SIZES["wide"], True)
    outside(page)
    first_paint(page)
    stopped(page)
    print("test-page: without the server passed")
    if different:
        sys.exit(f"test-page: other than in {BEFORE}: {', '.join(different)}")
    browser.close()
