/// Suggestions for functions of other languages.
extension ForeignName {
  /// Suggests the CEL form of another language's function; nil if unknown.
  static func function(_ name: String, _ arguments: [Expression]) -> String? {
    let first = arguments.first.map(\.description) ?? "…"
    let rest = arguments.dropFirst().map(\.description).joined(separator: ", ")
    if let here = ForeignSpelling.letterCase(name) {
      return "write `\(first).changeCase(\"\(here)\")`"
    }
    if name.lowercased() == "substring" || name.lowercased() == "substr"
      || name.lowercased() == "mid",
      arguments.count == 3, case .literal(.int(let from)) = arguments[1].kind,
      case .literal(.int(let count)) = arguments[2].kind, (1...1_000_000).contains(from),
      (0...1_000_000).contains(count)
    {
      return "write `\(first).substring(\(from - 1), \(from - 1 + count))`, which counts from 0"
    }
    if let here = ForeignSpelling.method(name) { return "write `\(first).\(here)(\(rest))`" }
    let word = name.lowercased().filter { $0 != "_" }
    if let help = spreadsheet(word, arguments) { return help }
    switch word {
    case "len", "length", "count": return "write `size(\(first))`"
    case "str", "tostring", "text": return "write `string(\(first))`"
    case "float", "number": return "write `double(\(first))`"
    case "integer": return "write `int(\(first))`"
    case "boolean": return "write `bool(\(first))`"
    case "isnull": return "write `\(first) == null`"
    case "empty", "isempty": return "write `size(\(first)) == 0`"
    case "exists", "defined", "isset": return "write `\(first) != null`"
    case "not": return "write `!(\(first))`"
    case "states", "stateattr", "isstate":
      return
        "a state of Home Assistant is read by its API: write `- http: …` with `as: state` before"
    case "concat":
      return "write `\(arguments.map(\.description).joined(separator: " + "))`"
    case "ifnull", "default", "nvl", "ifempty":
      return "write `coalesce(\(first), \(rest.isEmpty ? "…" : rest))`"
    case "max", "min":
      return "write `math.\(word == "max" ? "greatest" : "least")"
        + "(\(arguments.map(\.description).joined(separator: ", ")))`"
    case "range":
      return arguments.count > 1
        ? "write `lists.range(\(arguments[1]) - \(first)).map(i, i + \(first))`"
        : "write `lists.range(\(first))`"
    case "isinstance" where arguments.count == 2:
      let type = ["str": "string", "float": "double", "dict": "map"][rest] ?? rest
      return "write `type(\(first)) == \(type)`"
    case "typeof", "isinstance": return "write `type(\(first))`"
    case "parseint", "toint", "intval": return "write `int(\(first))`"
    case "parsefloat", "tofloat", "num", "decimal": return "write `double(\(first))`"
    case "getenv", "environ", "lookup":
      return "write `env(\(arguments.last.map(\.description) ?? "…"))`"
    case "mean", "average": return "write `\(first).avg()`"
    case "weekday", "dayofweek": return "write `\(first).getDayOfWeek()`, which is 0 on Sunday"
    case "astimestamp", "unixtimestamp", "totimestamp": return "write `int(\(first))`"
    case "dateadd" where arguments.count == 3:
      return "write `\(arguments[2]).addDays(\(arguments[1]))`"
    case "datediff" where arguments.count > 1:
      return
        "write `\(arguments[arguments.count - 2]).daysUntil(\(arguments[arguments.count - 1]))`"
    case "left" where arguments.count == 2: return "write `\(first).substring(0, \(rest))`"
    case "always", "success", "failure", "cancelled":
      return "a step runs only after those before have succeeded; one for failures stands below "
        + "`catch:` of a `- try:`, and one for both below its `finally:`"
    case "zip" where arguments.count == 2:
      return "write `lists.range(size(\(first))).map(i, [\(first)[i], \(rest)[i]])`"
    case "strftime" where arguments.count == 2:
      return "write `\(arguments[1]).format(\"\(pattern(arguments.first))\")`"
    case "format" where arguments.count == 2:
      if case .literal(.string(let form)) = arguments[1].kind {
        return "write `\"%\(form.drop { "%:{".contains($0) })\".format([\(first)])`"
      }
      return nil
    case "strftime", "formatdate", "dateformat":
      return "write `now().format(\"yyyy-MM-dd\")`"
    case "utcnow", "currenttimestamp", "getdate", "sysdate", "localtime": return "write `now()`"
    case "currentdate", "curdate": return "write `today()`"
    case "tomorrow": return "write `today().addDays(1)`"
    case "yesterday": return "write `today().addDays(-1)`"
    case "print", "echo", "say", "log": return "a step says something: write `- say: …`"
    case "confirm", "ask", "choose", "input", "prompt", "readline":
      let verb = ["confirm", "choose"].contains(word) ? word : "ask"
      return "a step asks: write `- \(verb): …` with `as: answer` before it, and use `answer`"
    case "http", "fetch", "curl", "exec", "find", "run", "readfile", "open", "system", "sh",
      "shell":
      return "that is a step: write it before this one with `as: result`, and use `result`"
    case "if", "iif": return "write `a ? b : c`"
    case "any", "all":
      return "write `\(first).\(word == "any" ? "exists" : "all")(x, …)`"
    case "map", "filter", "foreach":
      return "write `list.\(word == "filter" ? "filter" : "map")(x, …)`"
    case "enumerate", "zip": return "in a `for`, `index: i` beside it counts the passes"
    case "sorted": return "write `\(first).sort()`"
    case "keys", "values", "sum", "avg", "first", "last", "median":
      return "write `\(first).\(word)()`"
    case "list", "array": return "write `[\(arguments.map(\.description).joined(separator: ", "))]`"
    case "dict", "object": return "write `{\"name\": value}`"
    case "randint", "randrange": return usage("random", arguments)
    case "rand", "choice": return "write `random(\(first))`, of a list"
    case "jsondecode", "jsonparse", "fromjson", "loads": return "write `parseJson(\(first))`"
    case "jsonencode", "tojson", "dumps", "json": return "write `toJson(\(first))`"
    case "md5", "sha1", "sha256", "base64", "slugify", "urlencode", "quote", "encodeuricomponent":
      return "write `\(first).\(hash(word))()`"
    case "basename", "dirname":
      return "write `\(first).\(word == "basename" ? "fileName" : "folder")()`"
    case "round" where arguments.count == 2: return usage("math.round", arguments)
    case "abs", "round", "floor", "ceil": return "write `math.\(word)(\(first))`"
    case "date" where arguments.isEmpty, "datetime" where arguments.isEmpty: return "write `now()`"
    case "enumerate" where arguments.count == 1:
      return
        "write `\(first).transformList(i, x, …)`; in a `for`, `index: i` beside it counts the passes"
    case "timedelta", "relativedelta": return "write `days(\(first))`, or `hours(\(first))`"
    case "isarray", "islist": return "write `type(\(first)) == list`"
    case "isstring": return "write `type(\(first)) == string`"
    case "date", "datetime", "time": return "write `timestamp(\(first))`"
    default: return nil
    }
  }

  /// Suggests the CEL form of a function of spreadsheets; nil if unknown.
  private static func spreadsheet(_ word: String, _ arguments: [Expression]) -> String? {
    let texts = arguments.map(Checker.operandText)
    guard let first = texts.first else { return nil }
    switch (word, arguments.count) {
    case ("and", 2...), ("or", 2...):
      return "write `\(texts.joined(separator: word == "and" ? " && " : " || "))`"
    case ("isblank", 1): return "write `\(first) == null`"
    case ("eomonth", 1...):
      return "write `\(first).startOf(\"month\").addMonths(1).addDays(-1)`"
    case ("datedif", 2...), ("days", 2):
      let isForward = word == "datedif"
      return "write `\(texts[isForward ? 0 : 1]).daysUntil(\(texts[isForward ? 1 : 0]))`"
    case ("workday", 2): return "write `nextWorkday(\(first), \(texts[1]))`"
    case ("text", 2):
      guard case .literal(.string(let form)) = arguments[1].kind else { return nil }
      if form.contains(where: "0#".contains) {
        let decimals =
          form.split(whereSeparator: { ".,".contains($0) }).dropFirst().last?.count ?? 0
        return "write `formatNumber(\(first), \(decimals))`"
      }
      let pattern = form.replacing("mm", with: "MM").replacing("YYYY", with: "yyyy")
        .replacing("DD", with: "dd")
      return "write `\(first).format(\"\(pattern)\")`"
    case ("sum", 1), ("average", 1), ("max", 1), ("min", 1):
      guard case .select(let list, let field, _) = arguments[0].kind else { return nil }
      let here = word == "average" ? "avg" : word
      return "write `\(list).map(x, x.\(field)).\(here)()`"
    case ("countif", 2...):
      return "filter the list and count: `size(\(first).filter(x, x.FIELD == …))`"
    case ("sumif", 2...), ("averageif", 2...):
      let here = word == "sumif" ? "sum" : "avg"
      return "filter the list first: "
        + "`\(first).filter(x, x.FIELD == …).map(x, x.FIELD).\(here)()`"
    case ("vlookup", 2...), ("xlookup", 2...), ("hlookup", 2...):
      return "filter the list: `\(texts[1]).filter(x, x.FIELD == \(first)).first().?FIELD`"
    case ("formatcurrency", 1...): return "write `formatNumber(\(first), 2) + \" €\"`"
    default: return nil
    }
  }
}
