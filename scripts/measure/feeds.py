#!/usr/bin/env python3
"""Feeds of feedparser, with expectations in their comments, as far as `feed` has these fields."""

import ast
import base64
import calendar
import re
import sys
from datetime import datetime, timezone
from html.parser import HTMLParser

from support import evaluate, row, sdist

# Names of fields in feedparser and in `feed`.
OF_FEED = {
    "title": "title", "title_detail.value": "title", "tagline": "description",
    "tagline_detail.value": "description", "subtitle": "description",
    "subtitle_detail.value": "description", "description": "description", "info": "description",
    "link": "url", "language": "language", "author": "author", "author_detail.name": "author",
    "updated_parsed": "updated", "modified_parsed": "updated", "image.href": "image",
}
OF_ITEM = {
    "title": "title", "title_detail.value": "title", "link": "url", "id": "id", "guid": "id",
    "author": "author", "author_detail.name": "author", "description": "summary",
    "summary": "summary", "summary_detail.value": "summary", "content.0.value": "content",
    "published_parsed": "date", "updated_parsed": "updated", "created_parsed": "date",
    "image.href": "image", "enclosures.0.href": "media", "enclosures.0.url": "media",
    "category": "tags.0", "tags.0.term": "tags.0", "tags.1.term": "tags.1",
    "tags.2.term": "tags.2",
}
SCRIPTS = re.compile(r"<\s*script|javascript:|vbscript:|<[^>]*\son\w+\s*=", re.I)


class Words(HTMLParser):
    """The text of some HTML."""

    def __init__(self):
        super().__init__()
        self.text = ""

    def handle_data(self, data):
        self.text += data


def words(text):
    """A text without its tags, with one space for all white space."""
    reader = Words()
    reader.feed(text)
    reader.close()
    return squeezed(reader.text)


def squeezed(text):
    """A text without white space and invisible characters."""
    return "".join(c for c in text if not c.isspace() and c not in "\xad\u200e\u200f")


def path(node):
    """The path that a test checks, such as `entries.0.title`; None if it checks something else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        start, key = path(node.value), node.attr
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        start, key = path(node.value), node.slice.value
    else:
        return None
    return f"{start}.{key}" if start else None


def moment(value):
    """The seconds since the epoch of a UTC time tuple."""
    return calendar.timegm(value) if isinstance(value, tuple) and len(value) == 9 else None


def expectation(text):
    """An expectation: our field and its value; None if `feed` has no such field."""
    tree = ast.parse(" ".join(text.split()), mode="eval").body
    parts = tree.values if isinstance(tree, ast.BoolOp) else [tree]
    parts = [p for p in parts if not isinstance(p, ast.UnaryOp) and not isinstance(p, ast.Name)]
    if len(parts) != 1 or not isinstance(parts[0], ast.Compare):
        return None
    compare = parts[0]
    name, value = path(compare.left), compare.comparators[0]
    if not name or not isinstance(compare.ops[0], ast.Eq):
        return None
    try:
        value = ast.literal_eval(value)
    except ValueError:
        return None
    if name.startswith("feed."):
        ours = OF_FEED.get(name[5:])
    elif match := re.fullmatch(r"entries\.(\d+)\.(.*)", name):
        ours = OF_ITEM.get(match[2])
        ours = ours and f"items.{match[1]}.{ours}"
    else:
        ours = None
    # Only texts are compared, so content with only tags is skipped.
    if isinstance(value, str) and "<" in value and not words(value):
        return None
    return ours and (ours, value)


def get(value, name):
    """The member of a value at a path; None if there is none."""
    for key in name.split("."):
        if isinstance(value, list):
            value = value[int(key)] if int(key) < len(value) else None
        else:
            value = value.get(key) if isinstance(value, dict) else None
    return value


def matches(ours, wanted):
    """Whether `feed` returns what feedparser's test expects, ignoring tags and white space."""
    if isinstance(wanted, tuple):
        if ours is None or moment(wanted) is None:
            return False
        return datetime.fromisoformat(ours).astimezone(timezone.utc).timestamp() == moment(wanted)
    if wanted is None or wanted == "":
        return not ours
    if not isinstance(ours, str) or not isinstance(wanted, str):
        return False
    ours, wanted = ours.lower(), wanted.lower()
    return squeezed(ours) in (squeezed(wanted), words(wanted)) or words(ours) == words(wanted)


def main():
    source = sdist("feedparser", "6.0.11")
    if source is None:
        return row("feeds, feedparser's assertions", "not fetched", "≥ 0.938")
    tests = []
    for file in sorted((source / "tests").rglob("*.xml")):
        data = file.read_bytes()
        comment = re.search(rb"Expect:(.*?)-->", data[:4000], re.S)
        if not comment:
            continue
        head = data[: comment.end()].decode("utf-8", "replace")
        header = dict(re.findall(r"Header:\s*([\w-]+):\s*(\S[^\n]*)", head))
        try:
            wanted = expectation(comment[1].decode("utf-8", "replace"))
        except SyntaxError:
            continue
        if wanted:
            tests.append((file, data, header, *wanted))
    inputs = [
        {
            "data": base64.b64encode(data).decode(),
            "url": header.get("Content-Location", "http://127.0.0.1:8097/tests/" + file.name).strip(),
            "type": header.get("Content-type", header.get("Content-Type", "")),
        }
        for file, data, header, _, _ in tests
    ]
    values = evaluate("feed(base64.decode(data), url, type)", inputs)
    for value, test in zip(values, tests):
        # An entry with only a modification date has one date under either name.
        for item in (value or {}).get("items", []):
            item["updated"] = item["updated"] or item["date"]
    missed = [
        f"{test[0].relative_to(source)}: {test[3]} is {get(value, test[3])!r}, not {test[4]!r}"
        for test, value in zip(tests, values) if not matches(get(value, test[3]), test[4])
    ]
    live = [str(test[0]) for test, value in zip(tests, values) if SCRIPTS.search(str(value))]
    row("feeds, feedparser's assertions that apply", f"{len(tests) - len(missed)} of {len(tests)}",
        "≥ 0.938")
    row("feeds from which something that scripts comes out", len(live), "0")
    for line in missed + live if "-v" in sys.argv else []:
        print(line, file=sys.stderr)


main()
