"""The checks of scripts/test-firefox."""

import json
import os
import socket
import subprocess
import sys
import time

PROGRAM, FIREFOX, HOME = sys.argv[1:]
DATA = f"{HOME}/.local/share/errand"
ID = "errand@errand.localhost"


class Marionette:
    """Firefox's remote protocol: JSON messages `[0, id, command, parameters]`, each after its length."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.count = 0
        self.receive()
        self("WebDriver:NewSession", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})

    def receive(self):
        size = b""
        while not size.endswith(b":"):
            size += self.socket.recv(1)
        body = b""
        while len(body) < int(size[:-1]):
            body += self.socket.recv(int(size[:-1]) - len(body))
        return json.loads(body)

    def __call__(self, command, **parameters):
        self.count += 1
        text = json.dumps([0, self.count, command, parameters]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, _, error, result = self.receive()
        assert not error, error
        return result.get("value") if isinstance(result, dict) and "value" in result else result

    def run(self, script, *args):
        return self("WebDriver:ExecuteAsyncScript", args=list(args), scriptTimeout=20000, script="""
            const done = arguments[arguments.length - 1];
            (async (...args) => { %s })(...arguments).then(done, (e) => done({failed: String(e)}));
            """ % script)

    def until(self, script, wanted):
        """Waits until a script gives a value."""
        for _ in range(100):
            found = self.run(script)
            if found == wanted:
                return
            time.sleep(0.1)
        sys.exit(f"test-firefox: {script}: {found!r} instead of {wanted!r}")


def errand(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def links():
    errand("inbox", "drain")
    return json.loads(errand("find", "links", "--sort", "createdAt", "--json"))


HEADING = "return document.getElementById('head').textContent"


def sheet(browser, host, address):
    """The sheet over a page: opened as a page of its own, with the tab put in its place."""
    browser("WebDriver:Navigate", url=f"moz-extension://{host}/sheet.html")
    browser.run("""
        const tab = {id: 1, url: args[0], title: 'Rye bread'};
        const query = browser.tabs.query.bind(browser.tabs);
        const fake = async (what) => what.active ? [tab] : query(what);
        browser.tabs.query = fake;
        if (globalThis.chrome) chrome.tabs.query = fake;
        const module = await import('./sheet.js?' + Math.random());
        """.replace("args[0]", json.dumps(address)))
    browser.until("return document.getElementById('title').value", "Rye bread")


def check(browser, host):
    browser("WebDriver:Navigate", url=f"moz-extension://{host}/sheet.html")
    save = "return await (await import('./host.js')).save(%s)"
    page = {"url": "https://rye.example/", "title": "Rye bread", "tags": ["bread"], "unread": True}
    answer = browser.run(save % json.dumps(page))
    assert answer["ok"], answer
    assert len(os.listdir(f"{DATA}/library.db.inbox/new")) == 1
    [link] = links()
    assert link["title"] == "Rye bread" and link["tags"] == ["bread"], link
    assert link["reading"] == "unread" and link["source"] == "browser", link

    # What can be undone there is undone there.
    answer = browser.run(save % json.dumps({"url": "https://mistake.example/"}))
    undone = browser.run("return await (await import('./host.js')).ask({undo: %s})" % json.dumps(answer["share"]))
    assert undone["ok"] and len(links()) == 1, undone

    # What is in the library is shown only if the person allowed it.
    find = "return await (await import('./host.js')).ask({find: 'rye'})"
    assert browser.run(find)["items"] == []
    errand("settings", "set", "browserSearch", "on")
    assert browser.run(find)["items"][0]["url"] == "https://rye.example/"

    tabs = [{"url": f"https://tab{i}.example/", "title": f"Tab {i}"} for i in range(25)]
    assert browser.run(save % json.dumps({"items": tabs}))["ok"]
    assert len(links()) == 26
    refused = browser.run("return await (await import('./host.js')).ask({run: 'enrich'})")
    assert not refused["ok"] and refused["refused"], refused
    assert not browser.run(save % json.dumps({"url": "javascript:alert(1)"}))["ok"]

    # Without the program it waits in the browser, and comes in once.
    os.rename(f"{DATA}/browser-host", f"{DATA}/away")
    answer = browser.run(save % json.dumps({"url": "https://later.example/"}))
    assert not answer.get("ok"), answer
    os.rename(f"{DATA}/away", f"{DATA}/browser-host")
    assert browser.run("return await (await import('./host.js')).flush()")
    assert [link["url"] for link in links()].count("https://later.example/") == 1

    # The sheet saves with words of the person's own, and Undo takes it back while it waits.
    sheet(browser, host, "https://sheet.example/")
    browser.run("""document.getElementById('tags').value = 'bread, baking';
        document.getElementById('sheet').requestSubmit();""")
    browser.until(HEADING, "Saved")
    assert links()[-1]["tags"] == ["bread", "baking"]
    sheet(browser, host, "https://undone.example/")
    browser.run("document.getElementById('sheet').requestSubmit()")
    browser.until(HEADING, "Saved")
    browser.run("document.getElementById('undo').click()")
    browser.until(HEADING, "Undone")
    assert "https://undone.example/" not in [link["url"] for link in links()]


def main():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    profile = f"{HOME}/profile"
    os.mkdir(profile)
    with open(f"{profile}/user.js", "w", encoding="utf-8") as file:
        file.write(f'user_pref("marionette.port", {port});\n'
                   'user_pref("browser.shell.checkDefaultBrowser", false);\n'
                   'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
                   'user_pref("app.update.enabled", false);\n')
    firefox = subprocess.Popen(
        [FIREFOX, "--headless", "--no-remote", "--profile", profile, "--marionette",
         "-remote-allow-system-access"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                browser = Marionette(port)
                break
            except ConnectionRefusedError:
                assert firefox.poll() is None, "Firefox ended"
                time.sleep(0.2)
        browser("Addon:Install", path=f"{DATA}/extension", temporary=True)
        browser("Marionette:SetContext", value="chrome")
        host = browser("WebDriver:ExecuteScript", args=[], script=f"""
            return WebExtensionPolicy.getByID("{ID}").mozExtensionHostname;""")
        browser("Marionette:SetContext", value="content")
        check(browser, host)
    finally:
        firefox.kill()
        firefox.wait()


main()
print("test-firefox: passed")
