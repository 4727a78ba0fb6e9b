"""Tables of what was measured, with the budgets that docs/architecture.md has."""

from collections.abc import Callable
from dataclasses import dataclass, field

from measure.programs import Times


@dataclass
class Budget:
    """What a row promises; `holds` is asked with the times by name."""

    text: str
    holds: Callable[[dict[str, Times]], bool]


def at_most(milliseconds):
    """A time is that of the work alone: the least, which other work of the machine adds to."""
    return Budget(f"≤ {milliseconds:g} ms", lambda t: t["errand"].least <= milliseconds * 1e3)


def times_floor(factor, floor="C"):
    return Budget(
        f"≤ {factor:g} x {floor}", lambda t: t["errand"].median <= factor * t[floor].median
    )


def ahead_of(other):
    return Budget(
        f"≤ {other}", lambda t: other not in t or t["errand"].median <= t[other].median
    )


def memory(mebibytes):
    return Budget(f"≤ {mebibytes} MiB", lambda t: t["errand"].peak <= mebibytes * 1024)


@dataclass
class Row:
    name: str
    # By name: `errand` first, then its floors and who else does the same.
    times: dict[str, Times]
    budgets: list[Budget] = field(default_factory=list)


class Table:
    """Rows under one head, printed as they come."""

    def __init__(self, title, others, has_memory=False):
        self.others = others
        self.has_memory = has_memory
        print(f"\n{title}")
        head = f"{'':<46}{'least ms':>10}{'median':>10}"
        for index, other in enumerate(others):
            head += (f"{other + ' ms':>12}" if index == 0 else "") + f"{'x ' + other:>15}"
        head += f"{'MiB':>8}" if has_memory else ""
        print(f"{head}   budget")

    def add(self, row):
        own = row.times["errand"]
        text = f"{row.name:<46}{own.least / 1e3:>10.3f}{own.median / 1e3:>10.3f}"
        for index, other in enumerate(self.others):
            times = row.times.get(other)
            if index == 0:
                text += f"{times.median / 1e3:>12.3f}" if times else f"{'–':>12}"
            text += f"{own.median / times.median:>15.2f}" if times else f"{'–':>15}"
        text += f"{own.peak / 1024:>8.1f}" if self.has_memory else ""
        kept = [
            f"{budget.text}{'' if budget.holds(row.times) else ' OVER'}" for budget in row.budgets
        ]
        print(f"{text}   {', '.join(kept)}".rstrip(), flush=True)
