"""Indexes links with tantivy and answers searches: `search TIMES KIND TEXT`, separated by tabs.

KIND is `words`, which must all be found, `prefix` or `phrase`. Answers with the nanoseconds of each
time, from the text to what is stored of the ten best; failed and archived links are not left out.
`top KIND TEXT` answers with the addresses of the ten best of any of the words, where KIND is `any`,
or `weighted` for the weights of Errand's properties.
"""

import json
import os
import re
import sys
import time

import tantivy

WEIGHTS = {"url": 2.0, "title": 10.0, "summary": 3.0, "tags": 5.0}


def indexed(path, folder):
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("id", stored=True)
    for name in WEIGHTS:
        builder.add_text_field(name, stored=name in ("url", "title"))
    os.makedirs(folder)
    index = tantivy.Index(builder.build(), path=folder)
    writer = index.writer(heap_size=256_000_000, num_threads=1)
    with open(path) as lines:
        for number, line in enumerate(lines, 1):
            link = json.loads(line)
            writer.add_document(
                tantivy.Document(
                    id=number, url=link["url"], title=link["title"] or "",
                    summary=link["summary"] or "", tags=" ".join(link["tags"]),
                )
            )
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def query(index, kind, text):
    names = list(WEIGHTS)
    if kind == "prefix":
        pattern = re.escape(text) + ".*"
        return tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Should, tantivy.Query.regex_query(index.schema, name, pattern))
                for name in names
            ]
        )
    text = f'"{text}"' if kind == "phrase" else " ".join("+" + word for word in text.split())
    return index.parse_query(text, names, field_boosts=WEIGHTS)


def top(index, searcher, kind, text):
    weights = WEIGHTS if kind == "weighted" else {}
    words = " ".join(re.findall(r"[^\W_]+", text.lower()))
    if not words:
        return []
    found = index.parse_query(words, list(WEIGHTS), field_boosts=weights)
    hits = searcher.search(found, 10, count=False).hits
    return [searcher.doc(address)["url"][0] for _, address in hits]


def main():
    begin = time.monotonic()
    index = indexed(sys.argv[1], sys.argv[2])
    searcher = index.searcher()
    spent = time.monotonic() - begin
    for line in sys.stdin:
        work, *fields = line.rstrip("\n").split("\t")
        if work == "ready":
            print(spent, flush=True)
            continue
        if work == "top":
            print(*top(index, searcher, *fields), flush=True)
            continue
        times, kind, text = fields
        results = []
        for _ in range(int(times)):
            begin = time.perf_counter_ns()
            hits = searcher.search(query(index, kind, text), 10, count=False).hits
            for _, address in hits:
                searcher.doc(address)
            results.append(time.perf_counter_ns() - begin)
        print(*results, flush=True)


main()
