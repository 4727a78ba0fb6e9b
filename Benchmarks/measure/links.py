"""The links used for measurements: generated from a seed, or real ones from a file."""

import gzip
import json
import random
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import accumulate
from pathlib import Path

# A word that nearly every link contains, as in every language.
COMMONEST = "thew"
SOURCES = (["feed"] * 700) + (["mail"] * 250) + (["import"] * 49) + ["letter"]
STATUSES = (["queued"] * 80) + (["ready"] * 15) + (["archived"] * 3) + ["processing", "failed"]


def synthetic(count):
    """Generates links with the word frequencies of a natural language (Zipf), equal at every size."""
    chance = random.Random(2026)
    letters = "abcdefghijklmnoprstuvw"
    words = ["".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(200_000)]
    weights = list(accumulate(1 / (rank + 2) for rank in range(len(words))))
    tags = list(dict.fromkeys(words[100:400]))
    signs = [chr(chance.randint(0x4E00, 0x5FFF)) for _ in range(400)]
    moment = int(datetime(2015, 1, 1, tzinfo=timezone.utc).timestamp())
    for number in range(count):
        moment += int(chance.random() * 400) + 1
        word = chance.choices(words, cum_weights=weights, k=14)
        kind = int(chance.random() * 10_000)
        title = " ".join(word[:4]).capitalize()
        if kind % 100 == 0:
            title += " " + "".join(chance.choices(signs, k=6))
        if kind % 25 != 1:
            word[12] = COMMONEST
        yield {
            "url": f"https://{word[4]}.example/{word[5]}/{number}",
            "title": title,
            "summary": " ".join(word[6:]),
            "tags": sorted(set(chance.choices(tags, k=kind & 3))) if kind & 3 else [],
            "status": STATUSES[kind // 100],
            "source": SOURCES[int(chance.random() * len(SOURCES))],
            "createdAt": moment,
        }


def real(path):
    """Reads links from a file of JSON Lines, which may be gzipped."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else open(path) as lines:
        for line in lines:
            link = json.loads(line)
            moment = datetime.fromisoformat(link["createdAt"].replace("Z", "+00:00"))
            yield {**link, "createdAt": int(moment.timestamp())}


@dataclass
class Data:
    """Links on disk in the formats of Errand, the floor and others, and their statistics."""

    name: str
    count: int
    lines: Path
    fields: Path
    # The most common pair of adjacent words in the titles, and two characters of a Chinese title.
    phrase: str
    signs: str | None


def write(name, links, folder):
    """Writes the files that the programs import."""
    data = Data(name, 0, folder / f"{name}.jsonl", folder / f"{name}.fields", "", None)
    pairs = Counter()
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    with open(data.lines, "w") as lines, open(data.fields, "w") as fields:
        for link in links:
            data.count += 1
            title = link["title"] or ""
            moment = link["createdAt"]
            date = datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            lines.write(encode({**link, "createdAt": date}) + "\n")
            texts = (
                link["url"], title, link["summary"] or "", f"{moment}000000", encode(link["tags"]),
                "\n".join(link["tags"]), link.get("status", "queued"), link.get("source") or "",
            )
            fields.write("\0".join(texts) + "\0")
            if data.count <= 20_000:
                words = title.lower().split()
                pairs.update(
                    pair for pair in zip(words, words[1:]) if pair[0] != pair[1] and all(map(is_plain, pair))
                )
            if data.signs is None:
                signs = [sign for sign in title if "\u4e00" <= sign <= "\u9fff"]
                if len(signs) > 1 and "".join(signs[:2]) in title:
                    data.signs = "".join(signs[:2])
    data.phrase = " ".join(max(pairs, key=lambda pair: (pairs[pair], pair)))
    return data


def is_plain(word):
    """Whether every tokenizer treats a word as one word."""
    return len(word) > 2 and word.isascii() and word.isalpha()
