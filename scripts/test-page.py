"""The checks of scripts/test-page."""

import os
import subprocess
import sys

from playwright.sync_api import expect, sync_playwright

HOST, OPENING = sys.argv[1:]
SHOTS = os.environ["ERRAND_SHOTS"]
SIZES = {"wide": (1440, 900), "middle": (768, 1024), "phone": (360, 720)}


def signed_in(browser, size, scripts):
    """A page of a browser that is signed in, as `errand serve --open` does it."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, java_script_enabled=scripts)
    page = context.new_page()
    page.on("dialog", lambda dialog: sys.exit(f"test-page: a script of an item ran: {dialog.message}"))
    page.on("console", lambda message: message.type == "error" and "404" not in message.text
            and "422" not in message.text and sys.exit(f"test-page: {message.text}"))
    subprocess.run([os.environ["ERRAND_PROGRAM"], "serve", "--open"], capture_output=True, check=True)
    page.goto(f"file://{OPENING}")
    if not scripts:
        page.get_by_role("button", name="Open Errand").click()
    page.wait_for_url(HOST + "/")
    return page


def shot(page, name):
    if SHOTS:
        page.wait_for_load_state("networkidle")
        page.screenshot(path=f"{SHOTS}/{name}.png")


def flows(page, size, scripts):
    """Every flow of the page; forms and links do the same with scripts and without."""
    name = f"{size}{'' if scripts else '-plain'}"
    shot(page, f"{name}-to-read")
    page.goto(HOST + "/list/links")
    expect(page.locator(".row")).to_have_count(2)
    assert page.locator("img").count() == 0 and page.locator(".row script").count() == 0
    shot(page, f"{name}-links")

    page.get_by_placeholder("Words, tag:papers").fill("swift")
    page.get_by_placeholder("Words, tag:papers").press("Enter")
    expect(page.locator(".row")).to_have_count(1)
    page.get_by_role("link", name="Swift", exact=True).click()
    expect(page.get_by_role("heading", name="Swift", exact=True)).to_be_visible()
    page.get_by_placeholder("Add a tag").fill(f"{name}, two")
    page.get_by_placeholder("Add a tag").press("Enter")
    expect(page.locator(".chip a", has_text=name).first).to_be_visible()
    page.locator(".toast button").click()
    expect(page.locator(".chip a", has_text=name)).to_have_count(0)
    page.get_by_role("button", name="Favourite").click()
    pressed = page.get_by_role("button", name="Favourite")
    expect(pressed).to_have_attribute("aria-pressed", "true")
    pressed.click()
    expect(page.get_by_role("button", name="Favourite")).to_have_attribute("aria-pressed", "false")
    shot(page, f"{name}-item")

    page.goto(HOST + "/new/Book")
    page.get_by_label("Title").fill("D")
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
    page.get_by_label("Add a task").fill(f"Task {name}")
    page.get_by_role("button", name="Add", exact=True).click()
    row = page.locator(".row", has_text=f"Task {name}")
    expect(row).to_have_count(1)
    row.get_by_role("button").click()
    expect(page.locator(".row.calm", has_text=f"Task {name}")).to_have_count(1)
    shot(page, f"{name}-tasks")

    page.goto(HOST + "/gallery")
    shot(page, f"{name}-gallery")
    page.get_by_role("link", name="greet", exact=True).click()
    page.get_by_role("button", name="Run").click()
    page.get_by_label("Answer").fill("Ada")
    page.get_by_role("button", name="Answer").click()
    page.get_by_label("blue").check()
    shot(page, f"{name}-question")
    page.get_by_role("button", name="Choose").click()
    expect(page.get_by_text("Hello Ada, blue.")).to_be_visible()
    page.goto(HOST + "/activity")
    shot(page, f"{name}-activity")
    wider = page.evaluate("document.documentElement.scrollWidth - innerWidth") if scripts else 0
    assert wider <= 0, f"{name}: the page is {wider} px too wide"


def keys(page):
    """What scripts add: moving, opening and changing by keys, and search as one types."""
    page.goto(HOST + "/list/links")
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
    page.keyboard.press("/")
    page.keyboard.type("swi")
    expect(page.locator(".row")).to_have_count(1)
    page.wait_for_url("**?q=swi")
    page.go_back()


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path=os.environ["CHROMIUM"], args=["--no-sandbox"])
    for size in SIZES:
        for scripts in (True, False):
            page = signed_in(browser, size, scripts)
            flows(page, size, scripts)
            if scripts and size == "wide":
                keys(page)
            page.context.close()
            print(f"test-page: {size}, {'with' if scripts else 'without'} scripts passed")
    browser.close()
