"""Tables of results, with the budgets of docs/budgets.md."""

from collections.abc import Callable
from dataclasses import dataclass, field

from measure.programs import Times


@dataclass
class Budget:
    """The budget of a row; `holds` is called with the times by name.

    It is held against the least: what the work costs. Other work of the machine adds to the rest.
    """

    text: str
    holds: Callable[[dict[str, Times]], bool]


def at_most(milliseconds):
    return Budget(f"≤ {milliseconds:g} ms", lambda t: t["errand"].least <= milliseconds * 1e3)


def times_floor(factor, floor="C"):
    return Budget(
        f"≤ {factor:g} x {floor}", lambda t: t["errand"].least <= factor * t[floor].least
    )


def ahead_of(other):
    return Budget(f"≤ {other}", lambda t: other not in t or t["errand"].least <= t[other].least)


def memory(mebibytes):
    return Budget(f"≤ {mebibytes} MiB", lambda t: t["errand"].peak <= mebibytes * 1024)


@dataclass
class Row:
    name: str
    # By name: `errand` first, then its floors and other programs.
    times: dict[str, Times]
    budgets: list[Budget] = field(default_factory=list)


class Table:
    """A table whose rows are printed as they arrive."""

    def __init__(self, title, others, has_memory=False):
        self.others = others
        self.has_memory = has_memory
        print(f"\n{title}")
        head = f"{'':<46}{'least ms':>10}{'median':>10}{others[0] + ' ms':>12}"
        head += f"{'x ' + others[0]:>10}{'median':>10}"
        head += "".join(f"{'x ' + other:>15}" for other in others[1:])
        head += f"{'MiB':>8}" if has_memory else ""
        print(f"{head}   budget")

    def add(self, row):
        own, floor = row.times["errand"], row.times[self.others[0]]
        text = f"{row.name:<46}{own.least / 1e3:>10.3f}{own.median / 1e3:>10.3f}"
        text += f"{floor.least / 1e3:>12.3f}{own.least / floor.least:>10.2f}"
        text += f"{own.median / floor.median:>10.2f}"
        for other in self.others[1:]:
            times = row.times.get(other)
            text += f"{own.least / times.least:>15.2f}" if times else f"{'–':>15}"
        text += f"{own.peak / 1024:>8.1f}" if self.has_memory else ""
        kept = [
            f"{budget.text}{'' if budget.holds(row.times) else ' OVER'}" for budget in row.budgets
        ]
        print(f"{text}   {', '.join(kept)}".rstrip(), flush=True)
