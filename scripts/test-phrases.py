"""Makes templates and sentences, and writes what hassil answers as cases for `phrase-conformance`."""

import dataclasses
import itertools
import json
import random
import re
import sys

from hassil import string_matcher
from hassil.intents import Intent, IntentData, Intents, RangeFractionType, RangeSlotList
from hassil.intents import TextSlotList, WildcardSlotList
from hassil.parse_expression import parse_sentence
from hassil.recognize import recognize_all

recognize = sys.modules["hassil.recognize"]

WORDS = "a b on off the light lights to in e-mail (l'|la) d'eau my café straße ox go".split()
LISTS = {
    "room": {"values": [{"in": text, "out": out} for text, out in [
        ("kitchen", "k"), ("living room", "l"), ("(hall|hallway)", "h"), ("bed[room]", "b"),
        ("a", "a"), ("the light", "t")]]},
    "color": {"values": [{"in": text, "out": text} for text in ["red", "dark red", "on", "blue-green"]]},
    "count": {"range": {"from": 0, "to": 120}},
    "level": {"range": {"from": -10, "to": 50, "step": 5}},
    "warmth": {"range": {"from": 0, "to": 30, "fractions": "halves"}},
    "share": {"range": {"from": 0, "to": 20, "multiplier": 10}},
    "free": {"wildcard": True},
    "words": {"wildcard": True},
}
NUMBERS = ["0", "3", "20", "-5", "7.5", "7,5", "101", "twenty", "twenty-one", "five", "one hundred"]
SKIP = ["please", "could you", "the"]
MOST_WAYS = 2000


class TooManyWays(Exception):
    """Raised for a sentence that matches in so many ways that hassil would take minutes."""


def mend_hassil():
    """Keeps one way to match from changing the wildcards of another, which hassil's ways share."""
    def close(context):
        if context.close_wildcards:
            context.entities = [dataclasses.replace(entity, is_wildcard_open=False)
                                for entity in context.entities]
    string_matcher.MatchContext.__post_init__ = close
    process = recognize._process_match_contexts

    def copied(contexts):
        for context in contexts:
            context.entities = [dataclasses.replace(entity) for entity in context.entities]
            yield context

    recognize._process_match_contexts = lambda contexts, *rest, **named: process(
        copied(contexts), *rest, **named)


def slot_lists():
    """The lists as hassil has them."""
    made = {}
    for name, content in LISTS.items():
        if "values" in content:
            pairs = [(value["in"], value["out"]) for value in content["values"]]
            made[name] = TextSlotList.from_tuples(pairs, name=name)
        elif "range" in content:
            given = content["range"]
            made[name] = RangeSlotList(
                name, given["from"], given["to"], given.get("step", 1),
                fraction_type=RangeFractionType(given["fractions"]) if "fractions" in given else None,
                multiplier=given.get("multiplier"))
        else:
            made[name] = WildcardSlotList(name)
    return made


def template(chance, depth=0):
    """A template with groups, of a depth of three at most."""
    items = []
    for _ in range(chance.randint(1, 4 if depth == 0 else 2)):
        kind = chance.random()
        if kind < 0.5 or depth > 2:
            items.append(chance.choice(WORDS))
        elif kind < 0.62:
            items.append("[" + template(chance, depth + 1) + "]")
        elif kind < 0.74:
            parts = [template(chance, depth + 1) for _ in range(chance.randint(2, 3))]
            items.append("(" + "|".join(parts) + ")")
        elif kind < 0.79:
            parts = [template(chance, depth + 1) for _ in range(chance.randint(2, 3))]
            items.append("(" + ";".join(parts) + ")")
        elif kind < 0.93:
            name = chance.choice(list(LISTS))
            items.append("{" + name + chance.choice(["", "", ":slot"]) + "}")
        elif kind < 0.95:
            items.append("{1..12:n}")
        else:
            items.append("<" + chance.choice(["polite", "where"]) + ">")
    text = items[0]
    for item in items[1:]:
        # Wildcards that are joined to a group end in the middle of words.
        is_joined = chance.random() < 0.08 and "{" not in text[-20:] + item
        text += ("" if is_joined else " ") + item
    return text


def said(chance, node, rules):
    """A sentence of a parsed template."""
    kind = type(node).__name__
    if kind == "TextChunk":
        return node.text
    if kind in ("Group", "Sequence"):
        return "".join(said(chance, item, rules) for item in node.items)
    if kind == "Alternative":
        return said(chance, chance.choice(node.items), rules)
    if kind == "Permutation":
        return " ".join(said(chance, item, rules) for item in chance.sample(node.items, len(node.items)))
    if kind == "RuleReference":
        return said(chance, parse_sentence(rules[node.rule_name]).expression, rules)
    name = getattr(node, "list_name", "")
    content = LISTS.get(name, {"range": {}})
    if "values" in content:
        value = chance.choice(content["values"])["in"]
        return said(chance, parse_sentence(value).expression, rules)
    if "range" in content:
        return chance.choice(NUMBERS)
    return " ".join(chance.choices(["Rye", "bread", "the", "a", "light", "d'eau"], k=chance.randint(1, 3)))


def changed(chance, sentence):
    """A sentence with a small change, or none."""
    words = sentence.split()
    if not words:
        return sentence
    place = chance.randrange(len(words))
    kind = chance.randrange(14)
    if kind == 0:
        del words[place]
    elif kind == 1:
        words.insert(place, words[place])
    elif kind == 2:
        words.insert(place, chance.choice(SKIP))
    elif kind == 3:
        words.append(chance.choice(SKIP))
    elif kind == 4:
        words[place] = chance.choice(["a", "on", "light", "e-mail", "ox"])
    elif kind == 5:
        words[place] = words[place].upper()
    elif kind == 6 and words[place].isalpha():
        words[place] += chance.choice([".", "?", "!", ",", "…", "'"])
    elif kind == 7:
        words.insert(0, chance.choice(SKIP))
    elif kind == 8 and len(words) > 1:
        words[place - 1:place + 1] = ["-".join(words[place - 1:place + 1])]
    elif kind == 9 and len(words) > 1:
        words[place - 1:place + 1] = ["".join(words[place - 1:place + 1])]
    return " ".join(words)


class Edges:
    """The open ends of a part of a template."""

    def __init__(self, starts=False, ends=False, may_be_empty=False, broken=False):
        self.starts, self.ends, self.may_be_empty, self.broken = starts, ends, may_be_empty, broken


def edges(node, rules):
    """Whether wildcards may follow each other in a part of a template."""
    kind = type(node).__name__
    if kind == "TextChunk":
        return Edges(may_be_empty=not node.text.strip())
    if kind == "ListReference":
        is_open = "wildcard" in LISTS.get(node.list_name, {})
        return Edges(is_open, is_open)
    if kind == "RuleReference":
        return edges(parse_sentence(rules[node.rule_name]).expression, rules)
    parts = [edges(item, rules) for item in node.items]
    if kind == "Alternative":
        return Edges(any(part.starts for part in parts), any(part.ends for part in parts),
                     any(part.may_be_empty for part in parts), any(part.broken for part in parts))
    if kind == "Permutation":
        parts = parts + parts
    result = Edges(may_be_empty=True)
    for part in parts:
        result.broken |= part.broken or result.ends and part.starts
        result.starts |= result.may_be_empty and part.starts
        result.ends = part.ends or part.may_be_empty and result.ends
        result.may_be_empty &= part.may_be_empty
    return result


def is_odd(found, sentence):
    """Whether a number or a wildcard ends in the middle of a word."""
    for entity in found.entities_list:
        if entity.is_wildcard and entity.text_span:
            end = re.escape(entity.text) + r"(?!\w)"
            if not re.search(end, sentence) or sentence[entity.text_span[1]:][:1].isalnum():
                return True
        if isinstance(entity.value, (int, float)) and entity.text_span:
            start, end = entity.text_span
            text = entity.text.strip()
            start = sentence.find(text, max(0, start - 2)) if text else start
            before = sentence[start - 1:start]
            after = sentence[start + len(text):start + len(text) + 2]
            if text[-1:].isdigit() and len(after) == 2 and after[0] in ".," and after[1].isdigit():
                return True
            if before and (before.isalnum() or before in ".,") and text[:1] in "-0123456789":
                return True
            # A half of `twenty-one`.
            if text[-1:].isalpha() and (before == "-" or after[:1] == "-"):
                return True
    return False


def answer(sentence, intents):
    """The intent and slots that win; None if nothing matches, False if it is not decided."""
    best = []
    ways = []
    for count, found in enumerate(itertools.islice(recognize_all(sentence, intents, language="en"), MOST_WAYS + 1)):
        if count == MOST_WAYS:
            raise TooManyWays
        if is_odd(found, sentence):
            return False
        wild = [entity for entity in found.entities_list if entity.is_wildcard]
        rank = (len(wild), -found.text_chunks_matched, sum(len(entity.text) for entity in wild),
                found.intent.name)
        slots = {name: entity.value.strip() if isinstance(entity.value, str) else entity.value
                 for name, entity in found.entities.items()}
        ways.append((rank[3], slots))
        if not best or rank < best[0][0]:
            best = [(rank, slots)]
        elif rank == best[0][0] and slots not in [other for _, other in best]:
            best.append((rank, slots))
    if not best:
        return None
    # Which of several ways wins with hyphens depends on how each of them counts.
    if len(best) > 1 or any(not part[1] for part in HYPHEN.finditer(sentence)):
        return ways[0] if all(way == ways[0] for way in ways) else False
    return best[0][0][3], best[0][1]


SPELLED = re.compile(r"(?i)five|twenty(?:-one)?|one hundred")
HYPHEN = re.compile(r"(?i)(e-mail|blue-green|twenty-one|(?<![^ ])-(?=\d))|-")


def decided(sentence, intents):
    """The answer of hassil, unless it is one of the differences that are meant."""
    numbers = SPELLED.findall(sentence) + re.findall(r"\d", sentence)[:1]
    if len(numbers) > 1 or not normalized(sentence) or re.search(r"[^\w ]-|-[^\w ]", sentence):
        return False
    try:
        found = answer(sentence, intents)
        spaced = HYPHEN.sub(lambda part: part[1] or " ", sentence)
        return found if spaced == sentence or answer(spaced, intents) == found else False
    except TooManyWays:
        return False


def normalized(sentence):
    """A sentence without skip words, marks and spaces."""
    text = re.sub(r"[\W_]+", " ", sentence.lower()).strip()
    return re.sub(r"\b(" + "|".join(SKIP) + r")\b", "", text).strip()


def language(chance):
    """A language object with the answers of hassil."""
    rules = {"polite": chance.choice(["[please]", "(would|could) you", "go"]),
             "where": chance.choice(["[in] {room}", "(in|on) the {room}", "{room} [{color}]"])}
    texts = []
    while len(texts) < 8:
        text = template(chance)
        if not edges(parse_sentence(text).expression, rules).broken:
            texts.append(text)
    string_matcher._RANGE_TRIE_CACHE.clear()
    intents = Intents(
        "en", {f"t{number}": Intent(f"t{number}", [IntentData([text])]) for number, text in enumerate(texts)},
        slot_lists=slot_lists(), skip_words=SKIP,
        expansion_rules={name: parse_sentence(text) for name, text in rules.items()})
    tests, negative, left_out = [], [], 0
    for text in texts:
        for _ in range(6):
            sentence = changed(chance, said(chance, parse_sentence(text).expression, rules))
            if chance.random() < 0.3:
                sentence = changed(chance, sentence)
            found = decided(sentence, intents)
            if found is None:
                negative.append(sentence)
            elif found is False:
                left_out += 1
            else:
                tests.append({"sentence": sentence, "intent": found[0], "slots": found[1]})
    return {"language": "en", "skipWords": SKIP, "rules": rules, "lists": LISTS,
            "templates": [{"intent": f"t{number}", "sentence": text} for number, text in enumerate(texts)],
            "tests": tests, "negative": negative}, left_out


def main():
    """Writes language objects."""
    mend_hassil()
    rounds, seed = int(sys.argv[1]), int(sys.argv[2])
    counts = [0, 0, 0]
    for number in range(rounds):
        made, left_out = language(random.Random(f"{seed} {number}"))
        made["id"] = f"round {number}"
        counts = [one + other for one, other in
                  zip(counts, [len(made["tests"]), len(made["negative"]), left_out])]
        print(json.dumps(made, ensure_ascii=False))
    print("%d sentences match, %d do not, %d are not decided" % tuple(counts), file=sys.stderr)


main()
