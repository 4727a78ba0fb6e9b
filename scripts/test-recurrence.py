"""Makes rules in words and as RRULE, and compares the days that follow."""

import datetime
import json
import random
import subprocess
import sys

from dateutil import rrule

DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
WEEKDAYS = [rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA, rrule.SU]
MONTHS = "january february march april may june july august september october november december".split()
PLACES = {1: "first", 2: "2nd", 3: "third", 4: "4th", 5: "5th", -1: "last", -2: "2nd last"}
FOLLOWING = 8


def clipped(day):
    """A day of the month that is the last one of a shorter month."""
    return dict(bymonthday=list(range(28, day + 1)), bysetpos=-1) if day > 28 else dict(bymonthday=day)


def month_day(source):
    """A day of a month in words, and as parts of a rule; each alone, as RFC 5545 has no lists of them."""
    kind = source.randrange(5)
    if kind == 0:
        day = source.randint(1, 31)
        return str(day), clipped(day)
    if kind == 1:
        return "last", dict(bymonthday=-1)
    if kind == 2:
        place = source.choice([1, 2, 3, -1, -2])
        return PLACES[place] + " workday", dict(byweekday=WEEKDAYS[:5], bysetpos=place)
    place = source.choice(list(PLACES))
    day = source.randrange(7)
    return f"{PLACES[place]} {DAYS[day]}", dict(byweekday=WEEKDAYS[day](place))


def rule(source, start):
    unit = source.choice(["day", "week", "week", "month", "month", "month", "year"])
    interval = source.choice([1, 1, 1, 2, 3, 4])
    words = f"every {unit}" if interval == 1 else f"every {interval} {unit}s"
    parts = dict(interval=interval)
    if unit == "day":
        parts["freq"] = rrule.DAILY
    elif unit == "week":
        days = sorted(source.sample(range(7), source.randint(1, 3)))
        words += " on " + ", ".join(DAYS[day] for day in days)
        parts.update(freq=rrule.WEEKLY, byweekday=[WEEKDAYS[day] for day in days], wkst=rrule.MO)
    elif unit == "month":
        parts["freq"] = rrule.MONTHLY
        if source.randrange(4):
            text, more = month_day(source)
            words += " on " + text
            parts.update(more)
        else:
            parts.update(clipped(start.day))
    else:
        parts["freq"] = rrule.YEARLY
        month = source.randint(1, 12)
        text, more = month_day(source)
        while text.isdigit() and int(text) > 28:
            text, more = month_day(source)
        words += f" on {text} of {MONTHS[month - 1]}"
        parts.update(more, bymonth=month)
    if source.randrange(4) == 0:
        parts["until"] = start + datetime.timedelta(days=source.randint(1, 2000))
        words += f" until {parts['until']:%Y-%m-%d}"
    left_out = []
    if source.randrange(4) == 0:
        left_out = [start + datetime.timedelta(days=source.randint(1, 60)) for _ in range(5)]
        words += " except " + ", ".join(f"{day:%Y-%m-%d}" for day in left_out)
    made = rrule.rruleset()
    made.rrule(rrule.rrule(dtstart=start, **parts))
    for day in left_out:
        made.exdate(day)
    return words, made


def main():
    program, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    source = random.Random(seed)
    cases = []
    for _ in range(count):
        start = datetime.datetime(2024, 1, 1) + datetime.timedelta(days=source.randint(0, 3000))
        words, made = rule(source, start)
        days, day = [], start
        while len(days) < FOLLOWING:
            day = made.after(day)
            if day is None:
                break
            days.append(f"{day:%Y-%m-%d}")
        cases.append((words, f"{start:%Y-%m-%d}", days))
    lines = [
        json.dumps({"expr": "nextDates(rule, date(start), count).map(d, d.format('yyyy-MM-dd'))",
                    "vars": {"rule": words, "start": start, "count": FOLLOWING}})
        for words, start, _ in cases
    ]
    ran = subprocess.run(
        [program, "eval", "--batch"], input="\n".join(lines), capture_output=True, text=True,
        timeout=300)
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    wrong = 0
    for (words, start, days), answer in zip(cases, answers, strict=True):
        if answer.get("value") != days:
            wrong += 1
            if wrong <= 20:
                print(f"{start} {words}\n  expected {days}\n  actual   {answer.get('value', answer)}")
    print(f"{count - wrong} of {count} rules are as in dateutil")
    sys.exit(1 if wrong else 0)


main()
