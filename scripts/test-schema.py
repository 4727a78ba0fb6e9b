"""Checks the JSON Schema of definitions with check-jsonschema: test-schema.py ERRAND.

Shipped and documented files are accepted. Samples of mistakes are refused by the shipped schema, or
by that of `errand schema` beside the sample; those that no schema can see are listed here by the
identifiers of their mistakes.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from check_jsonschema.cli import main as check
from click.testing import CliRunner

# Mistakes that a schema cannot see, by the reason: identifiers, or samples where a schema sees others
# of the same identifier.
UNSEEN = {
    "inside an expression or a template, which is a text": """
        ambiguous-name empty-template expression-fails expression-maybe-null expression-syntax
        expression-unknown-field expression-unknown-function expression-unknown-value
        expression-wrong-arguments expression-wrong-type unclosed-template unknown-name
        list-for-number number-for-text optional-for-text returns-another""",
    "depends on another part of the document, or on what surrounds it": """
        default-not-constant name-is-variable name-taken no-order not-assignable not-in-atomic
        not-in-finally not-in-loop rest-not-first unset-variable create-incomplete
        create-without-set default-not-in-enum default-null default-of-another-type
        default-too-large every-length-at every-neither every-on-wrong every-two-units
        exec-tty-saved for-of-text http-two-bodies identity-unknown output-text property-default
        reference-is-a-name return-text returns-text set-another-kind
        set-expression-bare sort-by-date sort-descending sort-mistyped test-given-value
        test-trigger-of-intent test-trigger-of-none test-value""",
    "a text of a wrong form, where another may be right or be an expression": """
        bad-pattern address-is-a-name argument-condition at-no-time cron-field cron-seconds
        csv-delimiter date-mistyped days-of-numbers duration-mistyped exec-empty exec-text
        exec-variable http-address http-auth http-auth-token http-header http-localhost http-size
        limit-in-words list-as-text recurrence-wrong reference-is-number reference-of-nothing
        repeat-of-text retry-in-words tags-as-text url-without-scheme""",
    "a number out of a range that no declaration names": """
        bad-weight parallel-too-many parallel-true parallel-zero repeat-negative retry-jitter
        retry-negative timeout-negative""",
    "a mapping that may be a value of any keys": "value-of-map",
    "gone once YAML is parsed": "swallowed-comment yaml-merge-key",
}

PROGRAM = sys.argv[1]
SHIPPED = "schemas/json/errand.schema.json"
PAGES = ["README.md", *sorted(map(str, Path("docs").glob("*.md")))]
PAGES += sorted(map(str, Path("docs/language").glob("*.md")))


def documents(text):
    """The documents of a file, without empty ones."""
    parts = re.split(r"^---(?:[ \t].*)?\n", text, flags=re.MULTILINE)
    return [part for part in parts if re.search(r"^[^#\s]", part, re.MULTILINE)] or [text]


def examples(page):
    """The definitions on a page that must load."""
    fence = re.compile(r"^(`{3,})yaml(.*?)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
    for number, (_, words, text) in enumerate(fence.findall(Path(page).read_text())):
        words = words.split()
        if "wrong" in words:
            continue
        if "steps" in words:
            text = "shortcut: example\nsteps:\n" + text
        yield f"{Path(page).stem}-{number}", text


def refused(schema, files):
    """The files that a schema refuses, each with a message."""
    run = CliRunner().invoke(check, ["--schemafile", schema, "-o", "json", *files])
    report = json.loads(run.stdout)
    found = report.get("errors", []) + report.get("parse_errors", [])
    return {error["filename"]: f"{error.get('path', '')}: {error['message']}" for error in found}


def write(folder, name, text):
    """Writes the documents of a text as files."""
    paths = []
    for number, document in enumerate(documents(text)):
        path = folder / f"{name}.{number}.yaml"
        path.write_text(document)
        paths.append(str(path))
    return paths


def own_schema(folder, text):
    """The schema beside a definition of one's own."""
    own = folder / ".config/errand"
    own.mkdir(parents=True, exist_ok=True)
    (own / "sample.yaml").write_text(text)
    environment = {"HOME": str(folder), "PATH": os.environ["PATH"]}
    run = subprocess.run([PROGRAM, "schema"], env=environment, capture_output=True, text=True)
    path = folder / "own.json"
    path.write_text(run.stdout)
    return str(path)


def main():
    problems = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        good = [str(path) for root in ("schemas", "shortcuts", "automations")
                for path in sorted(Path(root).rglob("*.yaml"))]
        count = len(good)
        for path, message in refused(own_schema(folder, ""), good).items():
            problems.append(f"{path}: refused by `errand schema`: {message}")
        for page in PAGES:
            for title, text in examples(page):
                good += write(folder, title, text)
        print(f"{count} shipped files, {len(good) - count} documented ones")
        for path, message in refused(SHIPPED, good).items():
            problems.append(f"{path}: refused: {message}\n{Path(path).read_text()}")

        samples = {}
        for golden in sorted(Path("Tests/Samples/wrong").glob("*.txt")):
            codes = re.findall(r": error: .*\[([a-z-]+)\]$", golden.read_text(), re.MULTILINE)
            if codes:
                text = golden.with_suffix(".yaml").read_text()
                samples[golden.stem] = (codes[0], text, write(folder, golden.stem, text))
        found = refused(SHIPPED, [path for *_, paths in samples.values() for path in paths])
        unseen = {word for words in UNSEEN.values() for word in words.split()}
        seen = 0
        for sample, (code, text, paths) in samples.items():
            message = next((found[path] for path in paths if path in found), None)
            is_unseen = not unseen.isdisjoint({code, sample})
            if message is None and not is_unseen:
                message = next(iter(refused(own_schema(folder, text), paths).values()), None)
            if message is None and not is_unseen:
                problems.append(f"{sample}: [{code}] is not refused")
            if message is not None and is_unseen:
                problems.append(f"{sample}: [{code}] is refused, though listed as unseen: {message}")
            seen += message is not None
        print(f"{seen} of {len(samples)} samples of mistakes refused")
    for problem in problems:
        print(problem)
    sys.exit(bool(problems))


main()
