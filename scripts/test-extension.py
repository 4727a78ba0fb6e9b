"""The checks of scripts/test-extension."""

import http.server
import json
import os
import subprocess
import sys
import threading

from playwright.sync_api import expect, sync_playwright

PROGRAM, CHROMIUM, HOME = sys.argv[1:]
DATA = f"{HOME}/.local/share/errand"
ID = "ffjjldflhfkflajhokblnlgmonebgfkg"
PAGE = """<!doctype html><title>Rye bread &lt;in&gt; 72 hours</title>
<meta name="keywords" content="rye, bread"><p>A patient method.</p>"""


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *_):
        pass


def errand(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def links():
    errand("inbox", "drain")
    return json.loads(errand("find", "links", "--sort", "createdAt", "--json"))


def sheet(context, address):
    """The sheet of the button over a page. Opened as a page of its own it sees itself as the tab, so
    the tab is put in its place."""
    page = context.new_page()
    page.add_init_script(f"""
      const query = chrome.tabs.query.bind(chrome.tabs);
      chrome.tabs.query = async (what) => what.active
        ? [{{id: 1, url: {json.dumps(address)}, title: "Rye bread <in> 72 hours"}}] : query(what);
    """)
    page.goto(f"chrome-extension://{ID}/sheet.html")
    return page


def check(context, address):
    worker = context.service_workers[0] if context.service_workers else context.wait_for_event("serviceworker")

    # The sheet saves with words of the person's own; Undo takes it back while it waits.
    page = sheet(context, address)
    expect(page.get_by_label("Title")).to_have_value("Rye bread <in> 72 hours")
    page.get_by_label("Tags").fill("bread, baking")
    page.get_by_label("Note").fill("For Saturday.")
    page.get_by_label("Put it on the list to read").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading")).to_have_text("Saved")
    assert len(os.listdir(f"{DATA}/library.db.inbox/new")) == 1
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading")).to_have_text("Undone")
    assert not links()
    page = sheet(context, address)
    page.get_by_label("Tags").fill("bread, baking")
    page.get_by_label("Note").fill("For Saturday.")
    page.get_by_label("Put it on the list to read").check()
    page.get_by_label("Note").press("Enter")
    expect(page.get_by_role("heading")).to_have_text("Saved")
    [link] = links()
    assert link["title"] == "Rye bread <in> 72 hours" and link["tags"] == ["bread", "baking"], link
    assert link["reading"] == "unread" and link["source"] == "browser", link
    assert "For Saturday." in errand("find", "notes", "--json")

    # What is in the library is shown only if the person allowed it.
    page = sheet(context, address)
    expect(page.get_by_role("heading")).to_have_text("Save to Errand")
    find = "async (words) => (await import('./host.js')).ask({find: words})"
    assert page.evaluate(find, "rye")["items"] == []
    errand("settings", "set", "browserSearch", "on")
    assert page.evaluate(find, "rye")["items"][0]["url"] == address
    page = sheet(context, address)
    expect(page.get_by_role("heading")).to_have_text("In your library")

    # All tabs are one save, more than ten too; a foreign message is refused.
    save = "async (share) => (await import('./host.js')).save(share)"
    tabs = [{"url": f"https://tab{i}.example/", "title": f"Tab {i}"} for i in range(25)]
    assert page.evaluate(save, {"items": tabs})["ok"]
    assert len(links()) == 26
    assert [link["title"] for link in links()][-1].startswith("Tab ")
    answer = page.evaluate("async () => (await import('./host.js')).ask({run: 'enrich'})")
    assert answer == {"ok": False, "refused": True, "message": "unknown message"}, answer
    answer = page.evaluate(save, {"url": "javascript:alert(1)"})
    assert not answer["ok"] and answer["refused"], answer

    # Without the program it waits in the browser, and comes in once.
    os.rename(f"{DATA}/browser-host", f"{DATA}/away")
    page = sheet(context, "https://later.example/")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading")).to_have_text("Kept for later")
    os.rename(f"{DATA}/away", f"{DATA}/browser-host")
    # A program that is killed after it wrote, before it answered: sent again, imported once.
    with open(f"{DATA}/browser-host", encoding="utf-8") as file:
        launcher = file.read()
    with open(f"{DATA}/browser-host", "w", encoding="utf-8") as file:
        file.write(launcher.replace("exec ", "").rstrip() + " >/dev/null\nkill -9 $$\n")
    page.get_by_role("button", name="Try now").click()
    page.wait_for_timeout(500)
    expect(page.get_by_role("heading")).to_have_text("Kept for later")
    count = len(links())
    with open(f"{DATA}/browser-host", "w", encoding="utf-8") as file:
        file.write(launcher)
    page.get_by_role("button", name="Try now").click()
    expect(page.get_by_role("heading")).to_have_text("Saved")
    assert len(links()) == count == 27, (count, links())

    # An inbox that cannot be written is told; nothing is called saved.
    inbox = f"{DATA}/library.db.inbox"
    os.rename(inbox, inbox + ".away")
    with open(inbox, "w", encoding="utf-8"):
        pass
    page = sheet(context, "https://full.example/")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading")).to_have_text("Not saved")
    os.remove(inbox)
    os.rename(inbox + ".away", inbox)
    assert worker.url.endswith("background.js")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
threading.Thread(target=server.serve_forever, daemon=True).start()
with sync_playwright() as playwright:
    profile = f"{HOME}/profile"
    os.makedirs(f"{profile}/NativeMessagingHosts")
    os.symlink(f"{HOME}/.config/chromium/NativeMessagingHosts/errand.json",
               f"{profile}/NativeMessagingHosts/errand.json")
    context = playwright.chromium.launch_persistent_context(
        profile, executable_path=CHROMIUM, args=["--no-sandbox", f"--load-extension={DATA}/extension"],
        ignore_default_args=["--disable-extensions"])
    check(context, f"http://127.0.0.1:{server.server_port}/rye")
    context.close()
server.shutdown()
print("test-extension: passed")
