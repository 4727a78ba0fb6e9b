"""Makes mails, changes them at random, and reads them with Python and with Errand.

Compared are subject, sender, receivers, identifier, text, links, and attachments with their names,
types and bytes. Both must be equal, or a rule below must name the difference.
"""

import base64
import collections
import email.header
import email.parser
import email.policy
import hashlib
import json
import quopri
import random
import re
import subprocess
import sys
import time

CHUNK = 2000
WORDS = "bread salt Grüße naïve żółw μέλι хлеб パン 面包 garden Tuesday “quoted” 5 € a=b".split()
CHARSETS = {
    "utf-8": "utf-8", "iso-8859-1": "latin-1", "windows-1252": "cp1252", "ISO-8859-15": "iso8859-15", "windows-1251": "cp1251",
    "koi8-r": "koi8-r", "iso-8859-2": "iso8859-2", "iso-8859-7": "iso8859-7", "shift_jis": "cp932",
    "iso-2022-jp": "iso2022_jp", "gb18030": "gb18030", "big5": "big5", "euc-kr": "cp949",
    "us-ascii": "ascii",
}
EXPRESSION = (
    "parseMail(base64.decode(data)).map(m, {'subject': m.subject, 'from': m.from, 'to': m.to, "
    "'id': m.id, 'text': m.text, 'urls': m.urls, "
    "'files': m.files.map(f, [f.name, f.mediaType, fileHash(f.bytes)])})[0]"
)


# Made mails

def encodable(source, codec, count):
    # Pages have other letters than Python in this part of Big5.
    choices = [w for w in WORDS if codec != "big5" or w not in "хлеб パン μέλι"]
    words = []
    while len(words) < count:
        word = source.choice(choices)
        if word.encode(codec, "ignore").decode(codec, "ignore") == word:
            words.append(word)
    return " ".join(words)


def encoded_words(source, text, label, codec):
    pieces = []
    for word in text.split(" "):
        data = word.encode(codec)
        if source.randrange(2):
            form = base64.b64encode(data).decode()
            pieces.append(f"=?{label}?{source.choice('Bb')}?{form}?=")
        else:
            form = "".join(chr(b) if chr(b).isalnum() and b < 128 else f"={b:02X}" for b in data)
            pieces.append(f"=?{label}?{source.choice('Qq')}?{form}?=")
    # A space between words is in one of them.
    return source.choice([" ", "\n "]).join(pieces)


def field_text(source):
    label, codec = source.choice(list(CHARSETS.items()))
    text = encodable(source, codec, source.randint(1, 4))
    if text.isascii() and source.randrange(2):
        return text
    return encoded_words(source, text, label, codec)


def quoted_printable(source, data):
    out = b""
    length = 0
    for byte in data:
        form = bytes([byte]) if 32 <= byte < 127 and byte != 61 or byte == 10 else b"=%02X" % byte
        if length + len(form) > 74 and byte != 10:
            out += source.choice([b"=\n", b"= \n"]) if source.randrange(8) == 0 else b"=\n"
            length = 0
        out += form
        length = 0 if byte == 10 else length + len(form)
    return out


def encoded(source, data, fields):
    """The data in a transfer encoding, with a field for it."""
    form = source.choice(["7bit", "8bit", "base64", "quoted-printable", None])
    if form == "base64":
        data = base64.encodebytes(data)
    elif form == "quoted-printable":
        data = quoted_printable(source, data)
    if form:
        fields.append(f"Content-Transfer-Encoding: {source.choice([form, form.upper()])}")
    return data.rstrip(b"\n")


def body_text(source, codec):
    lines = []
    for _ in range(source.randint(1, 6)):
        line = encodable(source, codec, source.randint(0, 8))
        if source.randrange(3) == 0:
            line += f" https://example.org/{source.randrange(1000)}{source.choice(['', '.', ',', ')'])}"
        lines.append(line.strip())
    return "\n".join(lines)


def parameter(source, name, value):
    """A parameter in one of the forms of RFC 2231 or RFC 2047."""
    form = source.randrange(5)
    if form == 0 and value.isascii():
        return f'; {name}="{value}"'
    if form == 1:
        return f"; {name}=\"{encoded_words(source, value, 'utf-8', 'utf-8')}\""
    escaped = "".join(c if c.isalnum() and c.isascii() else "".join(f"%{b:02X}" for b in c.encode())
                      for c in value)
    if form == 2:
        return f";\n {name}*=utf-8'en'{escaped}"
    cut = source.randrange(1, len(escaped) + 1)
    while "%" in escaped[max(0, cut - 2):cut]:
        cut += 1
    return f";\n {name}*0*=utf-8''{escaped[:cut]};\n {name}*1*={escaped[cut:]}"


def part(source, depth):
    """A part with its header, as bytes."""
    kinds = ["plain", "plain", "html", "file", "file", "calendar", "flowed"]
    if depth < 3:
        kinds += ["mixed", "alternative", "related", "digest", "forwarded"]
    kind = source.choice(kinds)
    fields = []
    if kind in ["mixed", "alternative", "related", "digest"]:
        mark = f"b{source.randrange(10**6)}{source.choice(['', '=_x', '--', ' y'])}"
        fields.append(f'Content-Type: multipart/{kind}; boundary="{mark}"')
        inner = [
            mail(source, depth + 1) if kind == "digest" else part(source, depth + 1)
            for _ in range(source.randint(1, 3))
        ]
        if kind == "digest":
            inner = [source.choice([b"", b"Content-Type: message/rfc822\n"]) + b"\n" + m
                     for m in inner]
        line = f"--{mark}".encode()
        body = source.choice([b"", b"A preamble.\n"])
        for piece in inner:
            body += line + b"\n" + piece + b"\n"
        if source.randrange(5):
            body += line + b"--" + source.choice([b"", b"\nAn epilogue.\n"])
    elif kind == "forwarded":
        fields.append("Content-Type: message/rfc822")
        body = mail(source, depth + 1)
    elif kind == "file" or kind == "calendar":
        name = encodable(source, "utf-8", 2).replace('"', "") + ".bin"
        type_ = "text/calendar" if kind == "calendar" else source.choice(
            ["application/pdf", "image/png", "application/octet-stream", "text/csv"])
        data = source.randbytes(source.randint(1, 60)) if kind == "file" else b"BEGIN:VCALENDAR\n"
        disposition = source.choice(["attachment", "inline"])
        fields.append(f"Content-Type: {type_}")
        fields.append(f"Content-Disposition: {disposition}{parameter(source, 'filename', name)}")
        fields.append("Content-Transfer-Encoding: base64")
        body = base64.encodebytes(data).rstrip(b"\n")
    else:
        label, codec = source.choice(list(CHARSETS.items()))
        text = body_text(source, codec)
        if kind == "html":
            text = "<html><body><p>" + text.replace("\n", "</p>\n<p>") + "</p></body></html>"
        if kind == "flowed":
            text = text.replace(" https", " \nhttps")
        type_ = "text/html" if kind == "html" else "text/plain"
        extra = "; format=flowed" if kind == "flowed" else ""
        extra += source.choice(["; delsp=yes", ""]) if extra else ""
        value = source.choice([f"{type_}; charset={label}", f'{type_}; charset="{label}"'])
        fields.append(f"Content-Type: {value}{extra}")
        body = encoded(source, text.encode(codec), fields)
    source.shuffle(fields)
    return "".join(f + "\n" for f in fields).encode() + b"\n" + body


def mail(source, depth=0):
    fields = [
        f"From: {field_text(source)} <mara@example.org>",
        f"To: {field_text(source)} <me@example.org>, eva@example.org",
        f"Subject: {field_text(source)}",
        f"Message-ID: <{source.randrange(10**9)}@example.org>",
        "Date: Tue, 10 Nov 2026 10:00:00 +0000",
        "MIME-Version: 1.0",
    ]
    for number in range(source.choice([0, 0, 2, 15])):
        fields.insert(0, f"Received: from a.example by b.example;\n\tTue, 10 Nov 2026 10:00:{number:02}")
    if source.randrange(3) == 0:
        fields.append("X-Spam_score: 1")
    return "".join(f + "\n" for f in fields).encode() + part(source, depth)


def changed(source, data):
    """A mail with random changes."""
    data = bytearray(data)
    for _ in range(source.choice([0, 1, 1, 2, 4])):
        if not data:
            break
        place = source.randrange(len(data))
        kind = source.randrange(7)
        if kind == 0:
            data[place] = source.randrange(256)
        elif kind == 1:
            del data[place]
        elif kind == 2:
            data.insert(place, source.choice(b"\n\r:;=?\"'<>-% \t()_\\,"))
        elif kind == 3:
            del data[place:place + source.randint(1, 40)]
        elif kind == 4:
            start = source.randrange(len(data))
            data[place:place] = data[start:start + source.randint(1, 60)]
        elif kind == 5:
            lines = bytes(data).split(b"\n")
            one, other = source.randrange(len(lines)), source.randrange(len(lines))
            lines[one], lines[other] = lines[other], lines[one]
            data = bytearray(b"\n".join(lines))
        else:
            data = bytearray(bytes(data).replace(b"\n", source.choice([b"\r\n", b"\r", b"\n"])))
    return bytes(data)


# The reading of Python

def decoded_header(text):
    """A field by the reader of old, which reads anything."""
    out = ""
    for data, label in email.header.decode_header(text):
        out += data if isinstance(data, str) else data.decode(known(label), "replace")
    return out


def known(label):
    try:
        b"x".decode(label or "ascii")
        return label or "ascii"
    except (LookupError, ValueError):
        return "ascii"


def raw(message, name):
    return next((str(v) for k, v in message.raw_items() if k.lower() == name), None)


def field(message, name):
    """A field; a damaged one by the reader of old, since the other drops what it does not expect."""
    try:
        value = message[name]
        if value is None or not getattr(value, "defects", True):
            return None if value is None else str(value)
    except Exception:  # noqa: BLE001 - the parser of fields fails on some of them
        pass
    try:
        return decoded_header(raw(message, name))
    except Exception:  # noqa: BLE001
        return raw(message, name)


def is_utf8(data):
    try:
        return not data.decode().isascii()
    except UnicodeDecodeError:
        return False


def codec_of(label):
    """The codec of a label of pages; None for others."""
    return {k.lower(): v for k, v in CHARSETS.items()}.get((label or "").lower())


def unflowed(text, delsp):
    """RFC 3676, section 4."""
    out, last = [], None
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        line = line[depth:].removeprefix(" ")
        flows = line.endswith(" ") and line != "-- "
        if flows and delsp:
            line = line[:-1]
        if last is not None and last[1] and last[0] == depth and line != "-- ":
            out[-1] += line
        else:
            out.append(">" * depth + (" " if depth else "") + line)
        last = (depth, flows)
    return "\n".join(out)


class Reference:
    """The parts of a mail as Python reads them."""

    def __init__(self, data):
        try:
            self.read(data, email.policy.default)
        except Exception:  # noqa: BLE001 - its parser of fields fails on some mails
            self.read(data, email.policy.compat32)

    def read(self, data, policy):
        self.message = email.parser.BytesParser(policy=policy).parsebytes(data)
        self.texts, self.files, self.notes = [], [], set()
        self.walk(self.message, self.texts, False)

    def walk(self, part, texts, in_alternative):
        kind = part.get_content_type()
        inner = part.get_payload()
        if part.get_content_maintype() == "multipart" and isinstance(inner, list):
            if kind != "multipart/alternative":
                for piece in inner:
                    self.walk(piece, texts, False)
                return
            branches = [[] for _ in inner]
            for branch, piece in zip(branches, inner):
                self.walk(piece, branch, True)
            full = [b for b in branches if b]
            plain = [b for b in full if any(k != "html" for k, _ in b)]
            texts += (plain or full[-1:] or [[]])[0]
            return
        if isinstance(inner, list):
            if kind not in ["message/rfc822", "message/global"]:
                self.notes.add("other kinds of message/")
            for message in inner:
                # Python changes dates to a form of its own.
                found = [(n, (raw if n == "Date" else field)(message, n.lower()))
                         for n in ["From", "Date", "To", "Subject"]]
                head = "".join(f"{n}: {value}\n" for n, value in found if value is not None)
                if head:
                    texts.append(("head", head))
                self.walk(message, texts, False)
            return
        self.leaf(part, kind, texts, in_alternative)

    def leaf(self, part, kind, texts, in_alternative):
        try:
            data = part.get_payload(decode=True) or b""
        except Exception:  # noqa: BLE001
            self.notes.add("not decoded by Python")
            data = b""
        try:
            name = part.get_filename()
        except Exception:  # noqa: BLE001
            self.notes.add("parameters that Python does not read")
            name = None
        own = kind in ["text/calendar", "text/vcard", "text/x-vcard", "text/csv"]
        is_text = kind.split("/")[0] in ["text", "message", "multipart"] and not own
        attached = str(part.get("content-disposition", "")).strip().lower().startswith("attachment")
        if not is_text or attached or name:
            if data:
                name = name or ("invite.ics" if kind == "text/calendar" else None)
                self.files.append([name, kind, hashlib.sha256(data).hexdigest()])
            return
        if in_alternative and kind not in ["text/plain", "text/html"]:
            return
        try:
            label = part.get_content_charset()
            delsp, flowed = part.get_param("delsp"), part.get_param("format")
        except Exception:  # noqa: BLE001
            self.notes.add("parameters that Python does not read")
            label, delsp, flowed = None, None, None
        # Pages mean the larger encoding by this label.
        codec = {"latin-1": "cp1252"}.get(codec_of(label), codec_of(label))
        if any(b >= 128 or b == 27 for b in data) and codec in [None, "ascii"]:
            self.notes.add("bytes without an encoding: Errand guesses")
        text = data.decode(codec or "ascii", "replace")
        is_damaged = codec == "iso2022_jp" and text.encode(codec, "replace") != data
        if is_damaged or "\ufffd" in text or codec not in [None, "utf-8"] and is_utf8(data):
            self.notes.add("bytes that are not in the encoding: Errand guesses")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if not text.strip():
            return
        if kind == "text/html":
            texts.append(("html", text))
            return
        if kind == "text/plain" and str(flowed).lower() == "flowed":
            text = unflowed(text, str(delsp).lower() == "yes")
        texts.append(("plain", text))

    def has_raw_fields(self):
        return any("\udc80" <= c <= "\udcff" for part in self.message.walk()
                   for _, value in part.raw_items() for c in value)

    def defects(self):
        found = set()
        for part in self.message.walk():
            found.update(type(d).__name__ for d in part.defects)
        return found


# Differences with a reason

RULES = []


def only(*allowed):
    return lambda keys: set(keys) <= set(allowed)


TEXT = only("text", "urls")


def rule(name):
    def add(body):
        RULES.append((name, body))
        return body
    return add


@rule("a line without a colon ends the header for Python")
def _(data, reference, right, actual, keys):
    return "MissingHeaderBodySeparatorDefect" in reference.defects()


@rule("bytes beyond ASCII in a field: Errand reads them as text, Python replaces them")
def _(data, reference, right, actual, keys):
    return reference.has_raw_fields()


@rule("damaged base64: Python returns it as it is, or goes on after its end")
def _(data, reference, right, actual, keys):
    return any(d.startswith("InvalidBase64") for d in reference.defects())


@rule("blanks after `=` at the end of a line of quoted-printable, which RFC 2045 has readers delete")
def _(data, reference, right, actual, keys):
    return TEXT(keys) and re.search(rb"=[ \t]+[\r\n]", data)


@rule("an invalid media type")
def _(data, reference, right, actual, keys):
    return not all(re.fullmatch(r"[\w.+-]+/[\w.+-]+", part.get_content_type())
                   for part in reference.message.walk())


WORD = re.compile(r"=\?([^?\s]+)\?(?:[bB]\?((?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?)"
                  r"|[qQ]\?((?:[!-<>@-~]|=[\dA-Fa-f]{2})*))\?=", re.ASCII)
DISPOSITION = re.compile(
    r"(inline|attachment);\s+filename(=\"[^\"]*\"|\*=utf-8'en'(\w|%[\dA-F]{2})*"
    r"|\*0\*=utf-8''(\w|%[\dA-F]{2})*;\s+filename\*1\*=(\w|%[\dA-F]{2})*)", re.ASCII)


def is_whole(word):
    """Whether the bytes of an encoded word are in its encoding."""
    try:
        data = (base64.b64decode(word[2]) if word[2] is not None
                else quopri.decodestring(word[3].encode(), header=True))
        data.decode(codec_of(word[1]) or "none")
        return True
    except (LookupError, ValueError):
        return False


@rule("a damaged encoded word, or one in an encoding that only Python knows")
def _(data, reference, right, actual, keys):
    text = data.decode("latin-1")
    words = list(WORD.finditer(text))
    # For Errand, a word may also stand beside other characters.
    return len(words) < text.count("=?") or re.search(r"[^\s(\"]=\?", text) or not all(map(is_whole, words))


@rule("the name of a file in damaged parameters")
def _(data, reference, right, actual, keys):
    fields = [raw(part, "content-disposition") for part in reference.message.walk()]
    return "files" in keys and not all(f is None or DISPOSITION.fullmatch(f.strip()) for f in fields)


@rule("soft line breaks that end in CR, after which Python drops the text")
def _(data, reference, right, actual, keys):
    return TEXT(keys) and re.search(rb"=\r(?!\n)", data)


@rule("bytes without an encoding, or not in the one that is named: Errand guesses, Python replaces")
def _(data, reference, right, actual, keys):
    return TEXT(keys) and any("guesses" in n for n in reference.notes)


def explanation(data, reference, right, actual, keys):
    """The name of the rule that explains a difference; None if there is none."""
    for name, holds in RULES:
        if holds(data, reference, right, actual, keys):
            return name
    return None


# The comparison

def evaluate(program, lines):
    """The values of expressions with their variables."""
    text = "".join(json.dumps({"expr": e, "vars": v}) + "\n" for e, v in lines)
    ran = subprocess.run([program, "eval", "--batch"], input=text.encode(), capture_output=True,
                         check=False, timeout=600)
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    if len(answers) != len(lines):
        sys.exit(f"{len(answers)} answers to {len(lines)} questions: {ran.stderr.decode()[:300]}")
    return answers


def plain(text):
    """A text whose white space does not count."""
    return "".join(re.sub("[\x00-\x1f\x7f-\x9f\u200b\ufeff\ufffd]", " ", text or "").split())


def people(text):
    """A field of people: Python adds quotes, and blanks between encoded words."""
    return re.sub(r'[\s"]', "", plain(text))


def identifier(text):
    return re.sub(r"[<>\x00-\x20\x7f]", "", text or "")


def urls(text):
    return re.findall(r"https://example\.org/\d+", text)


def wanted(reference, html):
    texts = [html[t] if k == "html" else t for k, t in reference.texts]
    text = "\n".join(texts)
    message = reference.message
    return {
        "subject": plain(field(message, "subject")),
        "from": people(field(message, "from") or field(message, "sender")),
        "to": people(field(message, "to")),
        "id": identifier(raw(message, "message-id")),
        "text": plain(text), "urls": sorted(set(urls(text))),
        "files": [[plain(n), t, h] for n, t, h in reference.files],
    }


def found(value):
    return {
        **{k: plain(value[k]) for k in ["subject", "text"]}, "id": identifier(value["id"]),
        **{k: people(value[k]) for k in ["from", "to"]},
        "urls": sorted(set(urls(" ".join(value["urls"])))),
        "files": [[plain(n), t, h] for n, t, h in value["files"]],
    }


def main():
    program, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    source = random.Random(seed)
    explained, shown, wrong, slow = collections.Counter(), 0, 0, 0.0
    for start in range(0, count, CHUNK):
        mails = [changed(source, mail(source)) for _ in range(min(CHUNK, count - start))]
        references = [Reference(m) for m in mails]
        parts = sorted({t for r in references for k, t in r.texts if k == "html"})
        begun = time.monotonic()
        answers = evaluate(
            program, [(EXPRESSION, {"data": base64.b64encode(m).decode()}) for m in mails]
            + [("htmlToText(html)", {"html": part}) for part in parts])
        slow += time.monotonic() - begun
        html = {p: a.get("value", "") for p, a in zip(parts, answers[len(mails):])}
        for data, reference, answer in zip(mails, references, answers):
            right, actual = wanted(reference, html), found(answer["value"])
            keys = [k for k in right if right[k] != actual[k]]
            if not keys:
                continue
            name = explanation(data, reference, right, actual, keys)
            if name:
                explained[name] += 1
                continue
            wrong += 1
            if shown < 20:
                shown += 1
                print(f"--- differs in {', '.join(keys)}\n{data!r}")
                for key in keys:
                    print(f"  {key}\n    Python {right[key]!r}\n    Errand {actual[key]!r}")
                print("  ", reference.defects(), reference.notes)
    for name, number in explained.most_common():
        print(f"{number:6} differ: {name}")
    print(f"{count - wrong} of {count} mails are read as by Python, or by a rule above; "
          f"{slow / count * 1000:.2f} ms each")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
