#!/usr/bin/env python3
"""Made and changed mails, read as by Python's email or by a named rule."""

import subprocess
import sys

from support import ERRAND, ROOT, environment, row


def main():
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/test-mail.py", ERRAND, "10000", "1"],
        capture_output=True, text=True, check=False, env=environment(),
    )
    last = (done.stdout.splitlines() or [done.stderr.strip()[-200:]])[-1]
    row("mails read as by Python's `email`, or by a named rule", last.split(" mails")[0], "all")


main()
