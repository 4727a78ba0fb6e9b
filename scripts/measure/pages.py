#!/usr/bin/env python3
"""HTML pages: main text, publication dates, and pages per second."""

import ast
import sys
import time
import unicodedata
from datetime import datetime, timedelta

from support import evaluate, row, sdist

PAGE = "page(html, url)"


def literals(path):
    """The syntax tree of a test file, and its map from URLs to files."""
    tree = ast.parse(path.read_text())
    pages = next(
        ast.literal_eval(node.value) for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id == "MOCK_PAGES"
    )
    return tree, pages


def decoded(path):
    """The text of a page in an unknown encoding."""
    data = path.read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def mock_page(call):
    """The URL that a call in a test loads; None for other calls."""
    if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "load_mock_page":
        return ast.literal_eval(call.args[0])
    return None


def segments(tree):
    """The expected and the excluded segments of each page, by URL."""
    found, url = {}, None
    for node in ordered(tree):
        if isinstance(node, ast.Assign) and mock_page(node.value):
            url = mock_page(node.value)
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Constant) and url:
            wanted = isinstance(node.ops[0], ast.In)
            if wanted or isinstance(node.ops[0], ast.NotIn):
                found.setdefault(url, ([], []))[0 if wanted else 1].append(node.left.value)
    return found


def ordered(tree):
    """The nodes of a syntax tree in source order."""
    for child in ast.iter_child_nodes(tree):
        yield child
        yield from ordered(child)


def days(tree):
    """The day on which each page was published, by its address: what is asked for the original date
    before what is asked for any."""
    found = {}
    for node in ordered(tree):
        if not isinstance(node, ast.Compare) or not isinstance(node.left, ast.Call):
            continue
        call, day = node.left, node.comparators[0]
        url = mock_page(call.args[0]) if call.args else None
        options = {word.arg: getattr(word.value, "value", None) for word in call.keywords}
        is_change = options.get("original_date") is False or "outputformat" in options
        if not url or is_change or not isinstance(day, ast.Constant):
            continue
        rank = options.get("original_date") is True, not options, day.value is not None
        found[url] = max(found.get(url, (rank, day.value)), (rank, day.value), key=lambda f: f[0])
    return {url: day for url, (_, day) in found.items()}


def text():
    """The F1 score of the segments in the main text."""
    source = sdist("trafilatura", "1.1.0")
    if source is None:
        return row("main text, F1 of segments", "not fetched", "≥ 0.94")
    tree, files = literals(source / "tests/realworld_tests.py")
    wanted = segments(tree)
    inputs = [
        {"html": decoded(source / "tests/cache" / files[url]), "url": url} for url in wanted
    ]
    right = wrong = missed = 0
    for (url, (has, lacks)), found in zip(wanted.items(), evaluate("readable(html)", inputs)):
        flat = plain(found or "")
        for segment in has:
            if plain(segment) in flat:
                right += 1
            else:
                missed += 1
                note(f"{files[url]}: lacks {segment!r}")
        for segment in lacks:
            if plain(segment) in flat:
                wrong += 1
                note(f"{files[url]}: has {segment!r}")
    value = f"{2 * right / (2 * right + wrong + missed):.3f}"
    row(f"main text, {len(wanted)} pages, F1 of segments", value, "≥ 0.94")
    start = time.monotonic()
    evaluate("[string(size(html)), url]", inputs)
    middle = time.monotonic()
    evaluate(f"[{PAGE}.kind, readable(html)]", inputs)
    passed = time.monotonic() - middle - (middle - start)
    row("pages a second, `page` and `readable`", f"{len(inputs) / passed:.0f}", "≥ 40")
    return None


def plain(words):
    """A text with normalized spaces and accents."""
    return " ".join(unicodedata.normalize("NFC", words).split())


def dates():
    """The numbers of right and wrong publication dates."""
    source = sdist("htmldate", "1.4.0")
    if source is None:
        return row("published date", "not fetched", "≥ 50 right, ≤ 3 wrong")
    tree, files = literals(source / "tests/unit_tests.py")
    wanted = days(tree)
    inputs = [
        {"html": decoded(source / "tests/cache" / files[url]), "url": url} for url in wanted
    ]
    right = wrong = 0
    for (url, day), found in zip(wanted.items(), evaluate(f"{PAGE}.date", inputs)):
        if found is not None and day in shown(found):
            right += 1
        elif found is not None:
            wrong += 1
        if found is None or day not in shown(found):
            note(f"{files[url]}: {found} for {day}")
    return row(
        f"published date, {len(wanted)} pages", f"{right} right, {wrong} wrong",
        "≥ 50 right, ≤ 3 wrong")


def shown(moment):
    """The days on which a timestamp is, in all time zones."""
    found = datetime.fromisoformat(moment)
    return {str((found + timedelta(hours=hours)).date()) for hours in (-12, 0, 14)}


def note(line):
    """Prints a wrong result if `-v` is given."""
    if "-v" in sys.argv:
        print(line, file=sys.stderr)


text()
dates()
