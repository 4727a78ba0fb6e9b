"""Browsers that are signed in to the page of `errand serve`, for scripts/test-page."""

import os
import subprocess
import sys

HOST, OPENING = sys.argv[1:]


def errand(*words, text=None):
    """Runs the program on the library of the test, and returns what it printed."""
    return subprocess.run([os.environ["ERRAND_PROGRAM"], *words], input=text, capture_output=True,
                          text=True, check=True).stdout


def signed_in(browser, size, scripts, touch=False, **options):
    """A page of a browser that is signed in, as `errand serve --open` does it."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, java_script_enabled=scripts, has_touch=touch,
        **options)
    page = context.new_page()
    page.on("dialog", lambda dialog: sys.exit(f"test-page: a script of an item ran: {dialog.message}"))
    page.on("console", lambda message: message.type == "error"
            and "Failed to load resource" not in message.text and "ERR_" not in message.text
            and sys.exit(f"test-page: {message.text}"))
    errand("serve", "--open")
    page.goto(f"file://{OPENING}")
    if not scripts:
        page.get_by_role("button", name="Open Errand").click()
    page.wait_for_url(HOST + "/")
    return page
