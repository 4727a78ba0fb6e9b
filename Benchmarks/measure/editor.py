"""A keystroke in a file of 500 lines, from the edit to its diagnostics, and requests beside it."""

import json
import statistics
import subprocess
import time

LINES = 500
STEP = """  - find: {{entity: Link, where: 'title.contains(vars.word) && status == "ready"', limit: 10}}
    as: links{n}
  - say: 'Found {{{{ links{n}.size() }}}}: {{{{ links{n}.map(l, l.url).join(", ") }}}}'
    when: links{n}.size() > 0
"""
BUDGET = 5.0


def document():
    """A shortcut of 500 lines in which every step has an expression or two."""
    head = "shortcut: big\nparameters:\n  word: string\nsteps:\n"
    return head + "".join(STEP.format(n=n) for n in range((LINES - 4) // 4))


class Server:
    """`errand lsp` on pipes."""

    def __init__(self, program, folder):
        self.process = subprocess.Popen(
            [program, "lsp"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.uri = f"file://{folder}/big.yaml"
        self.last = 0
        self.request("initialize", {"rootUri": None, "capabilities": {}})
        self.notify("initialized", {})

    def send(self, message):
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.process.stdin.flush()

    def read(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while (message := self.read()).get("id") != self.last:
            pass
        return message

    def diagnostics(self, version):
        while (message := self.read())["params"].get("version") != version:
            pass
        return message["params"]["diagnostics"]

    def open(self, text):
        item = {"uri": self.uri, "languageId": "errand", "version": 0, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return self.diagnostics(0)

    def type(self, version, line, character, removed, text):
        change = {
            "range": {
                "start": {"line": line, "character": character},
                "end": {"line": line, "character": character + removed},
            },
            "text": text,
        }
        document = {"uri": self.uri, "version": version}
        params = {"textDocument": document, "contentChanges": [change]}
        self.notify("textDocument/didChange", params)
        return self.diagnostics(version)

    def end(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait()


def timed(body, count):
    """Milliseconds of the least and the median call."""
    times = []
    for number in range(count):
        start = time.perf_counter()
        body(number)
        times.append((time.perf_counter() - start) * 1000)
    return min(times), statistics.median(times)


def measure(programs):
    """Edits in the middle of a file of 500 lines, each with its diagnostics; and three requests."""
    server = Server(programs.program, programs.folder)
    text = document()
    if findings := server.open(text):
        raise SystemExit(f"the document of the editor has findings: {findings[:3]}")
    lines = text.split("\n")
    middle = next(n for n in range(LINES // 2, LINES) if "Found" in lines[n])
    column = lines[middle].index("Found") + 5

    def keystroke(number):
        removed = number % 2
        server.type(number + 1, middle, column, removed, "" if removed else "x")

    def ask(method):
        place = {"line": middle, "character": lines[middle].index(".size") + 1}
        params = {"textDocument": {"uri": server.uri}, "position": place}
        return lambda _: server.request(f"textDocument/{method}", params)

    print(f"\nan editor, a file of {LINES} lines             least ms   median ms   budget")
    rows = [("a keystroke to its diagnostics", keystroke, 200, BUDGET)]
    rows += [
        (f"textDocument/{name}", ask(name), 50, None)
        for name in ("completion", "hover", "semanticTokens/full", "documentSymbol")
    ]
    for name, body, count, budget in rows:
        least, median = timed(body, count)
        kept = "" if budget is None else f"≤ {budget:g} ms" + (" OVER" if least > budget else "")
        print(f"{name:<44}{least:>8.2f}{median:>12.2f}   {kept}".rstrip(), flush=True)
    server.end()
